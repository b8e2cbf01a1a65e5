--- Gram matrices, narrow and wide, through PCA, LinearRegression and Ridge.
local ml = require "manilius"
local support = dofile "spec/support.lua"

--- sum_i w_i (x_i - mean)(x_i - mean)' / (sum w - 1), by plain products.
local function covariance(X, w)
   local n, p = X.rows, X.cols
   w = w or ml.full(n, 1, 1):col(1)
   local total = w:sum()
   local mean = X:t() * w * (1 / total)
   local C = X - ml.Matrix(ml.full(n, 1, 1)) * ml.Matrix(mean):t()
   local scaled = C:copy()
   for i = 1, n do
      for j = 1, p do scaled:set(i, j, scaled:get(i, j) * w[i]) end
   end
   return C:t() * scaled * (1 / (total - 1)), mean
end

local function from_components(model)
   local V, k = model.components, #model.explained_variance
   local scaled = V:copy()
   for c = 1, k do
      for j = 1, V.cols do scaled:set(c, j, V:get(c, j) * model.explained_variance[c]) end
   end
   return V:t() * scaled
end

local function near_matrix(want, got, tolerance)
   assert((want - got):norm() <= tolerance * want:norm())
end

describe("the Gram matrix", function()
   for _, p in ipairs { 1, 12, 100, 239, 240, 250, 300, 530 } do
      it("of " .. p .. " columns equals that of a plain product, with and without weights", function()
         local n = 1900 -- several chunks, the last one short
         local X = ml.normal(n, p, p) + 3
         local w = (ml.random(n, nil, 5) * 3):floor() * 0.5 + 0.25
         for _, weights in ipairs { false, w } do
            local want, mean = covariance(X, weights or nil)
            local model = ml.PCA { solver = "covariance" }:fit(X, nil, { weights = weights or nil })
            near_matrix(want, from_components(model), 1e-12)
            support.near_all(mean, model.mean, 1e-12, "mean")
         end
      end)
   end

   it("is accurate far from 0 and for sorted rows", function()
      local n, p = 1000, 260
      local X = ml.normal(n, p, 1)
      for i = 1, n do X:set(i, 1, i < n and 0 or 1000) end -- no sample finds the mean of this column
      local want = covariance(X)
      near_matrix(want, from_components(ml.PCA { solver = "covariance" }:fit(X)), 1e-12)
      near_matrix(want, from_components(ml.PCA { solver = "covariance" }:fit(X + 2 ^ 20)), 1e-9)
   end)

   it("gives least squares of many columns and several targets", function()
      local n, p = 1500, 241
      local X, B = ml.normal(n, p, 1) - 2, ml.normal(p, 2, 2)
      local model = ml.LinearRegression {}:fit(X, X * B + 7)
      near_matrix(B, ml.Matrix(model.coef):t(), 1e-11)
      support.near_all({ 7, 7 }, model.intercept, 1e-10, "intercept")
   end)

   it("does not depend on the number of threads", function()
      for _, p in ipairs { 60, 300 } do
         local X, w = ml.normal(2500, p, 1), ml.random(2500, nil, 2) + 0.5
         support.same_for_any_threads(function()
            return ml.PCA { n_components = 3, solver = "covariance" }:fit(X, nil, { weights = w })
         end)
      end
   end)
end)
