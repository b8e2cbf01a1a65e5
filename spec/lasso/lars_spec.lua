local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/lasso/lars.lua"

local near, near_all, near_rows, refuses = support.near, support.near_all, support.near_rows, support.refuses

local raw, y = support.data("diabetes", "progression")
local X = raw:matrix()
local Z = ml.StandardScaler {}:fit(X):transform(X)
local wide, wide_y = ml.Matrix(oracle.wide), ml.Vector(oracle.wide_y)
local exact = { tol = 1e-20, max_iter = 100000 }

local function lasso(alpha, more)
   local out = { alpha = alpha }
   for k, v in pairs(more or {}) do out[k] = v end
   return ml.Lasso(out)
end

--- The knots of scikit-learn, whose last one is slightly above 0.
local function follows(want, model, tolerance)
   for k, alpha in ipairs(want.alphas) do
      if alpha > 1e-6 then
         near(alpha, model.alphas[k], tolerance, "alpha")
         near_all(want.coefs[k], model.coef_path:row(k), tolerance, "coef", 1)
      end
   end
   assert.same(want.active, model.active:totable())
end

local function knots_and_between(alphas)
   local out = { alphas[1] * 1.5, alphas[1] }
   for k = 2, #alphas do
      if alphas[k] > 0 then out[#out + 1] = alphas[k] end
      out[#out + 1] = (alphas[k - 1] + alphas[k]) / 2
   end
   table.sort(out, function(a, b) return a > b end)
   return out
end

--- The largest violation of the conditions of least angle regression, as a fraction of alpha: correlations of active
-- columns equal alpha, those of others are at most alpha.
local function worst_angle(x, target, alpha, b, c)
   local g, worst = x:t() * (target - x * b - c) / x.rows, 0
   for j = 1, #b do
      local off = math.abs(g[j]) - alpha
      worst = math.max(worst, (b[j] == 0 and math.max(off, 0) or math.abs(off)) / alpha)
   end
   return worst
end

local function holds_all_along(model, x, target, worst)
   local path = model:path(x, target, { alphas = knots_and_between(model:path(x, target).alphas) })
   for k = 1, #path.alphas do
      local off = worst(x, target, path.alphas[k], path.coefs:row(k), path.intercepts[k])
      assert(off < 1e-9, ("at alpha %g it is off by %g"):format(path.alphas[k], off))
   end
end

local function lasso_condition(x, target, alpha, b, c) return support.worst_condition(x, target, alpha, 1, b, c) end

describe("Lars", function()
   it("agrees with scikit-learn", function()
      follows(oracle.lar, ml.Lars {}:fit(Z, y), 1e-9)
      follows(oracle.wide_lar, ml.Lars { n_nonzero_coefs = 10 }:fit(wide, wide_y), 1e-9)
      local some = ml.Lars { n_nonzero_coefs = 4 }:fit(Z, y)
      near_all(oracle.some.coef, some.coef, 1e-10, "coef", 1)
      near(oracle.some.intercept, some.intercept, 1e-12)
      near_all(oracle.some.alphas, some.alphas, 1e-10, "alphas")
      assert.same(oracle.some.active, some.active:totable())
   end)

   it("keeps the correlations equal, also after a coefficient has passed 0", function()
      local model = ml.Lars {}:fit(wide, wide_y)
      assert.equal(20, #model.alphas)
      assert.equal(0, model.alphas[20])
      local passed = false
      for j = 1, wide.cols do
         for k = 2, 20 do passed = passed or model.coef_path:get(k, j) * model.coef_path:get(k - 1, j) < 0 end
      end
      assert.is_true(passed)
      holds_all_along(model, wide, wide_y, worst_angle)
      holds_all_along(ml.Lars {}:fit(Z, y), Z, ml.Vector(y), worst_angle)
   end)

   it("ends at least squares, or fits y exactly with as many columns as rows", function()
      local model = ml.Lars {}:fit(X, y)
      local ols = ml.LinearRegression {}:fit(X, y)
      near_all(ols.coef, model.coef, 1e-9, "coef", 1)
      near(ols.intercept, model.intercept, 1e-9)
      near_all(wide_y, ml.Lars {}:fit(wide, wide_y):predict(wide), 1e-12, "predict", 1)
   end)
end)

describe("LassoLars", function()
   it("agrees with scikit-learn", function()
      follows(oracle.lasso, ml.LassoLars { alpha = 0 }:fit(Z, y), 1e-9)
      follows(oracle.positive, ml.LassoLars { alpha = 0, positive = true }:fit(Z, y), 1e-9)
      follows(oracle.raw, ml.LassoLars { alpha = 0 }:fit(X, y), 1e-8)
      follows(oracle.wide_lasso, ml.LassoLars { alpha = 0 }:fit(wide, wide_y), 1e-9)
      local plain = ml.LassoLars { alpha = 0.5, fit_intercept = false }:fit(Z, y)
      near_all(oracle.no_intercept.coef, plain.coef, 1e-10, "coef", 1)
      assert.equal(0, plain.intercept)
      local stopped = ml.LassoLars { alpha = 0.01, max_iter = 3 }:fit(Z, y)
      near_all(oracle.stopped.coef, stopped.coef, 1e-10, "coef", 1)
      near_all(oracle.stopped.alphas, stopped.alphas, 1e-10, "alphas")
      assert.same({ false, 3 }, { stopped.converged, stopped.n_iter })
   end)

   it("satisfies the optimality conditions along the whole path", function()
      holds_all_along(ml.LassoLars {}:fit(Z, y), Z, ml.Vector(y), lasso_condition)
      holds_all_along(ml.LassoLars {}:fit(wide, wide_y), wide, wide_y, lasso_condition)
   end)

   it("agrees with Lasso", function()
      for _, positive in ipairs { false, true } do
         for _, alpha in ipairs { 50, 30, 3, 0.3, 0.07 } do
            local want = lasso(alpha, { positive = positive, tol = exact.tol, max_iter = exact.max_iter }):fit(Z, y)
            local got = ml.LassoLars { alpha = alpha, positive = positive }:fit(Z, y)
            near_all(want.coef, got.coef, 1e-8, "coef", 1)
            near(want.intercept, got.intercept, 1e-12)
            near(want.objective, got.objective, 1e-12)
            assert.is_true(got.converged)
            assert.equal(alpha > got.alphas[1] and got.alphas[1] or alpha, got.alphas[#got.alphas])
         end
      end
      for _, alpha in ipairs { 1, 0.3, 0.1, 0.02 } do
         local want = lasso(alpha, exact):fit(wide, wide_y)
         near_all(want.coef, ml.LassoLars { alpha = alpha }:fit(wide, wide_y).coef, 1e-8, "coef", 1)
      end
   end)

   it("sets a coefficient exactly to 0 when its column is removed", function()
      local model, left = ml.LassoLars { alpha = 0 }:fit(Z, y), 0
      for k = 2, #model.alphas do
         for j = 1, Z.cols do
            if model.coef_path:get(k, j) == 0 and model.coef_path:get(k - 1, j) ~= 0 then left = left + 1 end
         end
      end
      assert.equal(1, left)
      assert.equal(7, model.active[10])
   end)

   it("is a soft threshold of least squares for orthonormal columns", function()
      local h = ml.Matrix { { 1, 1, 1 }, { 1, -1, 1 }, { 1, 1, -1 }, { 1, -1, -1 } }
      local target = ml.Vector { 4, -1, 0.5, 2 }
      local c = h:t() * target / 4 -- 1.375, 0.875, 0.125
      local model = ml.LassoLars { alpha = 0.5, fit_intercept = false }:fit(h, target)
      near_all({ 1.375, 0.875, 0.5 }, model.alphas, 1e-15)
      near_all({ 0.875, 0.375, 0 }, model.coef, 1e-15, "coef", 1)
      near_all(c, ml.Lars { fit_intercept = false }:fit(h, target).alphas:slice(1, 3), 1e-15, "alphas", 1)
   end)
end)

describe("Lars and LassoLars", function()
   local both = {
      Lars = function() return ml.Lars {} end,
      LassoLars = function() return ml.LassoLars { alpha = 0 } end,
   }

   it("treat weights as repeated rows, on any scale", function()
      local often, half = {}, {}
      for i = 1, #y do often[i] = 1 + (i - 1) % 3 end
      for i = 1, #y do half[i] = often[i] / 2 end
      for _, weights in ipairs { often, half } do
         follows(oracle.weighted, ml.LassoLars { alpha = 0 }:fit(Z, y, { weights = weights }), 1e-9)
         near_all(oracle.weighted.alphas, ml.LassoLars { alpha = 0 }:fit(Z, y, { weights = weights }).alphas, 1e-9,
            "alphas", 1)
      end
   end)

   it("add equally correlated columns together", function()
      local h = ml.Matrix { { 1, 1, 1 }, { 1, -1, 1 }, { 1, 1, -1 }, { 1, -1, -1 } }
      local target = ml.Vector { 3, 1, 1, -1 } -- correlations 1, 1, 1
      for name, new in pairs(both) do
         local model = new():set_params { fit_intercept = false }:fit(h, target)
         assert.same({ 1, 2, 3 }, model.active:totable(), name)
         near_all({ 1, 1, 1, 0 }, model.alphas, 1e-15, name, 1)
         for k = 1, 3 do near_all({ 0, 0, 0 }, model.coef_path:row(k), 1e-15, name, 1) end
         local path = model:path(h, target, { alphas = { 0.25 } })
         near_all({ 0.75, 0.75, 0.75 }, path.coefs:row(1), 1e-15, name)
      end
   end)

   it("satisfy their conditions when many columns are added and removed at once", function()
      local draw = ml.random(1, 8000, 11):flatten()
      local at = 0
      local function whole()
         at = at % #draw + 1
         return math.floor(draw[at] * 5) - 2
      end
      for _ = 1, 60 do
         local n, p, rows, target = 3 + at % 5, 2 + at % 6, {}, {}
         for i = 1, n do
            rows[i] = {}
            for j = 1, p do rows[i][j] = whole() end
            target[i] = whole()
         end
         local x, v = ml.Matrix(rows), ml.Vector(target)
         if (v - v:mean()):abs():max() > 0 then
            holds_all_along(ml.Lars {}:fit(x, v), x, v, worst_angle)
            holds_all_along(ml.LassoLars {}:fit(x, v), x, v, lasso_condition)
         end
      end
   end)

   it("exclude constant and dependent columns", function()
      local x = ml.hcat(Z:slice(1, 100, 1, 3), ml.full(100, 1, 7), Z:slice(1, 100, 2, 2))
      local sum = Z:slice(1, 100, 1, 1) + Z:slice(1, 100, 3, 3)
      x = ml.hcat(x, sum)
      local target = ml.Vector(y):slice(1, 100)
      for name, new in pairs(both) do
         local model = new():fit(x, target)
         local plain = ml.LinearRegression {}:fit(Z:slice(1, 100, 1, 3), target)
         assert.equal(3, #model.active, name)
         assert.equal(0, model.coef[4])
         assert.equal(0, model.coef[5])
         near_all(plain:predict(Z:slice(1, 100, 1, 3)), model:predict(x), 1e-10, name)
         near(0, model.alphas[#model.alphas], 0, name)
      end
   end)

   it("exclude nearly dependent columns according to eps", function()
      local x = ml.hcat(Z, Z:slice(1, #y, 3, 3) + ml.normal(#y, 1, 1) * 1e-5)
      assert.equal(11, #ml.Lars {}:fit(x, y).active)
      local model = ml.Lars { eps = 1e-8 }:fit(x, y)
      assert.equal(10, #model.active)
      assert.equal(0, model.coef[11] * model.coef[3])
   end)

   it("handle very small data", function()
      for name, new in pairs(both) do
         local one = new():fit({ { 1, 2 } }, { 3 })
         assert.same({ { 0 }, 0, 3 }, { one.alphas:totable(), #one.active, one:predict { { 5, 5 } }[1] }, name)
         local flat = new():fit({ { 1, 2 }, { 2, 5 }, { 4, 1 } }, { 3, 3, 3 })
         assert.same({ 0, 0 }, flat.coef:totable())
         local two = new():fit({ { 1, 2 }, { 2, 5 } }, { 3, 4 })
         near_all({ 0, 1 / 3 }, two.coef, 1e-15, name, 1)
      end
   end)

   it("evaluate the path at knots and between them, in the format of Lasso:path", function()
      local alphas = { 0.5, 20, 3, 60 }
      local path = ml.LassoLars { max_iter = 400 }:fit(Z, y):path(Z, y, { alphas = alphas })
      local want = ml.Lasso(exact):fit(Z, y):path(Z, y, { alphas = alphas })
      assert.same({ 60, 20, 3, 0.5 }, path.alphas:totable())
      near_rows(want.coefs, path.coefs, 1e-8, "coefs", 1)
      near_all(want.intercepts, path.intercepts, 1e-12)
      assert.same(want.nonzero:totable(), path.nonzero:totable())
      for name, new in pairs(both) do
         local model = new():fit(X, y)
         local own = model:path(X, y)
         assert.same(model.alphas:totable(), own.alphas:totable(), name)
         assert.same(model.coef_path:totable(), own.coefs:totable(), name)
         near(model.intercept, own.intercepts[#own.alphas], 0)
         local fig = ml.plot.coef_path(own.alphas, own.coefs, { names = raw.names })
         assert.is_false(fig.panels[1].x_log)
      end
      refuses("path: alphas must be at least 15%.0341, where the path ends with n_nonzero_coefs = 3, got 1", function()
         ml.Lars { n_nonzero_coefs = 3 }:fit(Z, y):path(Z, y, { alphas = { 20, 1 } })
      end)
      refuses("LassoLars:path has no parameter 'alpha'; did you mean 'alphas'", function()
         ml.LassoLars {}:fit(Z, y):path(Z, y, { alpha = 1 })
      end)
   end)

   it("do not depend on the number of threads", function()
      local x = ml.normal(300, 400, 5)
      local target = x:col(1) * 2 - x:col(7) + ml.normal(300, nil, 6)
      support.same_for_any_threads(function() return ml.LassoLars { alpha = 0.1 }:fit(x, target) end)
   end)
end)
