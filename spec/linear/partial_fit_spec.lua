local ml = require "manilius"
local support = require "spec.support"

local near_all, near_rows, refuses = support.near_all, support.near_rows, support.refuses

-- Columns far from 0 and of different scales, and two targets.
local function problem()
   local X = ml.normal(500, 6, 1):mul(ml.ones(500, 1) * ml.Matrix { { 1, 10, 100, 0.1, 1, 5 } }) + 100
   local y = X * ml.normal(6, 2, 2) + ml.normal(500, 2, 3)
   return X, y, ml.random(500, 1, 4):col(1) + 0.5
end

local function in_batches(model, X, y, w, size)
   for first = 1, X.rows, size do
      local last = math.min(first + size - 1, X.rows)
      model:partial_fit(X:slice(first, last), y:slice(first, last), { weights = w and w:slice(first, last) })
   end
   return model
end

local makers = {
   ["LinearRegression"] = function() return ml.LinearRegression {} end,
   ["LinearRegression without an intercept"] = function() return ml.LinearRegression { fit_intercept = false } end,
   ["Ridge"] = function() return ml.Ridge { alpha = 3 } end,
   ["Ridge without an intercept"] = function() return ml.Ridge { alpha = 3, fit_intercept = false } end,
}

for name, new in pairs(makers) do
   describe("partial_fit of " .. name, function()
      it("agrees with fit on all rows", function()
         local X, y, w = problem()
         local whole = new():fit(X, y, { weights = w })
         for _, size in ipairs { 1, 7, 200, 500 } do
            local parts = in_batches(new(), X, y, w, size)
            near_rows(whole.coef, parts.coef, 1e-10, "coef", 1)
            near_all(whole.intercept, parts.intercept, 1e-10, "intercept", 1e3) -- of terms of about 1000
         end
      end)

      it("continues identically after save and load", function()
         local X, y = problem()
         local model = in_batches(new(), X:slice(1, 200), y:slice(1, 200), nil, 50)
         local again = ml.load(model:dump())
         model:partial_fit(X:slice(201, 500), y:slice(201, 500))
         again:partial_fit(X:slice(201, 500), y:slice(201, 500))
         assert.equal(model:dump(), again:dump())
      end)

      it("refuses to continue after fit", function()
         local X, y = problem()
         local model = new():fit(X, y)
         refuses("partial_fit cannot continue after fit", function() model:partial_fit(X, y) end)
      end)
   end)
end

describe("partial_fit of LinearRegression", function()
   it("gives the inference of all rows except the residual quartiles", function()
      local X, y, w = problem()
      local target = y:col(1)
      local whole = ml.LinearRegression {}:fit(X, target, { weights = w })
      local parts = in_batches(ml.LinearRegression {}, X, target, w, 60)
      local a, b = whole:summary(), parts:summary()
      for _, column in ipairs { "estimate", "std_error", "t", "p", "low", "high" } do
         near_all(a.coefficients:col(column), b.coefficients:col(column), 1e-8, column)
      end
      for _, value in ipairs { "sigma", "df", "r2", "adjusted_r2", "f", "loglik", "aic", "bic", "n" } do
         near_all({ a[value] }, { b[value] }, 1e-9, value)
      end
      assert.matches("Residual quartiles are not available", tostring(b))
      near_all(whole:intervals(X:slice(1, 5)):col "low", parts:intervals(X:slice(1, 5)):col "low", 1e-9, "intervals")
      local options = { weights = w }
      near_all(whole:diagnostics(X, target, options).vif, parts:diagnostics(X, target, options).vif, 1e-8, "vif")
   end)

   it("finds dependent columns once it has seen enough rows", function()
      local X = ml.normal(50, 4, 1)
      X = ml.hcat(X, X:slice(1, 50, 1, 1) + X:slice(1, 50, 2, 2))
      local y = X * ml.Vector { 1, 2, 3, 4, 5 }
      local model = ml.LinearRegression {}:partial_fit(X:slice(1, 3), y:slice(1, 3))
      assert.equal(2, model.rank)
      model:partial_fit(X:slice(4, 50), y:slice(4, 50))
      local whole = ml.LinearRegression {}:fit(X, y)
      assert.equal(4, model.rank)
      near_all(whole.coef, model.coef, 1e-10, "coef")
   end)

   it("is accurate where sums of squares of the columns would lose digits", function()
      local X = ml.normal(400, 3, 5) + 1e6 -- 12 leading digits of the sums of squares cancel
      local y = X * ml.Vector { 1, -2, 3 } + ml.normal(400, 1, 6):col(1)
      local parts = in_batches(ml.LinearRegression {}, X, y, nil, 20)
      near_all(ml.LinearRegression {}:fit(X, y).coef, parts.coef, 1e-9, "coef")
   end)
end)

describe("partial_fit of Ridge", function()
   it("accepts sparse batches, also mixed with dense ones", function()
      local X = ml.normal(300, 12, 1):mul(ml.random(300, 12, 2):lt(0.3))
      local y = ml.normal(300, 1, 3):col(1)
      local whole = ml.Ridge { alpha = 0.7 }:fit(X, y)
      local parts = ml.Ridge { alpha = 0.7 }
      parts:partial_fit(ml.Sparse.from(X:slice(1, 100)), y:slice(1, 100))
      parts:partial_fit(X:slice(101, 300), y:slice(101, 300))
      near_all(whole.coef, parts.coef, 1e-9, "coef")
   end)
end)

describe("partial_fit of KMeans", function()
   local function blobs(n, seed)
      local X = ml.normal(n, 2, seed)
      for i = 1, n do X:set(i, 1, X:get(i, 1) + 20 * (i % 3)) end
      return X
   end

   it("moves each center to the mean of all rows assigned to it", function()
      local X = blobs(900, 1)
      local model = ml.KMeans { n_clusters = 3, start = { { 0, 0 }, { 20, 0 }, { 40, 0 } } }
      for first = 1, 900, 90 do model:partial_fit(X:slice(first, first + 89)) end
      for c = 1, 3 do
         local rows = {}
         for i = 1, 900 do
            if i % 3 == c - 1 then rows[#rows + 1] = i end
         end
         local group = X:take(rows)
         near_all({ group:col(1):mean(), group:col(2):mean() }, model.cluster_centers[c], 1e-12, "center")
         assert.equal(300, model.counts[c])
      end
      assert.equal(10, model.n_iter)
      assert.is_nil(model.converged) -- unknown
      assert.matches("2 features, 10%s+iterations", tostring(model))
      assert.is_nil(ml.load(model:dump()).converged)
      assert.same(model:predict(X:slice(811, 900)):totable(), model.labels:totable())
   end)

   it("respects sample weights and continues from fit", function()
      local model = ml.KMeans { n_clusters = 2, start = { { 0 }, { 10 } } }:fit { { 0 }, { 2 }, { 10 } }
      model:partial_fit({ { 4 }, { 13 } }, nil, { weights = { 2, 3 } })
      near_all({ (0 + 2 + 4 * 2) / 4 }, model.cluster_centers[1], 1e-14, "center")
      near_all({ (10 + 13 * 3) / 4 }, model.cluster_centers[2], 1e-14, "center")
      near_all({ 4, 4 }, model.counts, 0, "counts")
   end)

   it("requires as many rows as clusters only in the first batch", function()
      local model = ml.KMeans { n_clusters = 3, seed = 1 }
      refuses("n_clusters must be at most the number of rows, 2, got 3", function() model:partial_fit(blobs(2, 1)) end)
      model:partial_fit(blobs(30, 1)):partial_fit(blobs(1, 2))
      assert.equal(31, model.counts:sum())
   end)
end)
