local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/lasso/lasso.lua"

local near, near_all, near_rows = support.near, support.near_all, support.near_rows
local worst_condition = support.worst_condition
local tight = { tol = 1e-18, max_iter = 20000 } -- converges to rounding

local function with(params)
   local out = {}
   for k, v in pairs(tight) do out[k] = v end
   for k, v in pairs(params) do out[k] = v end
   return out
end

local raw, y = support.data("diabetes", "progression")
local X = raw:matrix()
local Z = ml.StandardScaler {}:fit(X):transform(X)

local function often()
   local w = {}
   for i = 1, #y do w[i] = 1 + (i - 1) % 3 end
   return w
end

local function agree(want, model, tolerance)
   near_all(want.coef, model.coef, tolerance, "coef", 1)
   near(want.intercept, model.intercept, tolerance, "intercept", 1)
   assert.is_true(model.converged)
end

describe("Lasso and ElasticNet", function()
   it("agree with scikit-learn", function()
      agree(oracle.lasso, ml.Lasso(with { alpha = 1 }):fit(Z, y), 1e-9)
      agree(oracle.raw, ml.Lasso(with { alpha = 0.1 }):fit(X, y), 1e-8)
      agree(oracle.no_intercept, ml.Lasso(with { alpha = 0.5, fit_intercept = false }):fit(Z, y), 1e-9)
      agree(oracle.positive, ml.Lasso(with { alpha = 0.5, positive = true }):fit(Z, y), 1e-9)
      agree(oracle.weights, ml.Lasso(with { alpha = 1 }):fit(Z, y, { weights = often() }), 1e-9)
      agree(oracle.net, ml.ElasticNet(with { alpha = 0.3, l1_ratio = 0.4 }):fit(Z, y), 1e-9)
      agree(oracle.net_positive, ml.ElasticNet(with { alpha = 0.3, l1_ratio = 0.4, positive = true }):fit(Z, y), 1e-9)
      local wide, target = Z:t():copy():slice(1, 10, 1, 60), {}
      for i = 1, 10 do target[i] = i - 1 end
      agree(oracle.wide, ml.ElasticNet(with { alpha = 0.05, l1_ratio = 0.9 }):fit(wide, target), 1e-8)
   end)

   it("give the same for sparse X", function()
      local x = X:copy()
      for i = 1, x.rows do x:set(i, 1 + i % 10, 0) end
      for _, params in ipairs { { alpha = 2 }, { alpha = 2, fit_intercept = false }, { alpha = 2, positive = true } } do
         for _, weights in ipairs { false, often() } do
            local dense = ml.Lasso(with(params)):fit(x, y, { weights = weights or nil })
            local sparse = ml.Lasso(with(params)):fit(ml.Sparse(x), y, { weights = weights or nil })
            near_all(dense.coef, sparse.coef, 1e-6, "coef", 1e-2)
            near(dense.intercept, sparse.intercept, 1e-6, "intercept")
         end
      end
   end)

   it("are a soft threshold of least squares for orthonormal columns", function()
      local h = ml.Matrix { { 1, 1, 1 }, { 1, -1, 1 }, { 1, 1, -1 }, { 1, -1, -1 } }
      local target = { 4, -1, 0.5, 2 }
      local c = h:t() * ml.Vector(target) / 4
      for _, l1_ratio in ipairs { 0, 0.3, 1 } do
         local model = ml.ElasticNet(with { alpha = 0.6, l1_ratio = l1_ratio, fit_intercept = false }):fit(h, target)
         for j = 1, 3 do
            local size = math.max(math.abs(c[j]) - 0.6 * l1_ratio, 0) / (1 + 0.6 * (1 - l1_ratio))
            near(c[j] < 0 and -size or size, model.coef[j], 1e-12, "coef", 1)
         end
      end
   end)

   it("satisfy the optimality conditions along the whole path", function()
      local shapes = { { Z, y }, { ml.normal(40, 200, 1), ml.normal(40, nil, 2) + 3 } }
      for _, shape in ipairs(shapes) do
         for _, l1_ratio in ipairs { 1, 0.5 } do
            local x, target = shape[1], ml.Vector(shape[2])
            local path = ml.ElasticNet(with { l1_ratio = l1_ratio }):fit(x, target):path(x, target, { n_alphas = 30 })
            assert.equal(0, path.nonzero[1])
            assert(path.nonzero[30] > 5)
            for k = 1, 30 do
               local worst = worst_condition(x, target, path.alphas[k], l1_ratio, path.coefs:row(k), path.intercepts[k])
               assert(worst < 1e-6, ("alpha %d is off by %g"):format(k, worst))
               assert(path.gaps[k] >= 0)
            end
         end
      end
   end)

   it("agree with the path of scikit-learn", function()
      local path = ml.Lasso(with { alpha = 1 }):fit(Z, y):path(Z, y, { n_alphas = 20 })
      near_all(oracle.path.alphas, path.alphas, 1e-12, "alpha")
      near_rows(oracle.path.coefs, path.coefs, 1e-8, "coefs", 1)
      local own = ml.Lasso(tight):fit(Z, y):path(Z, y, { alphas = { 0.5, 20, 3 } })
      assert.same({ 20, 3, 0.5 }, own.alphas:totable())
      near_all(ml.Lasso(with { alpha = 3 }):fit(Z, y).coef, own.coefs:row(2), 1e-9, "coef", 1)
      support.refuses("path: target must be from 1 to 1, got 2", function()
         ml.Lasso {}:fit(Z, y):path(Z, y, { target = 2 })
      end)
   end)

   it("report a duality gap that bounds the distance from the minimum", function()
      local best = ml.Lasso(with { alpha = 1 }):fit(X, y)
      local about = ml.Vector(y) - ml.Vector(y):mean()
      local square = about:dot(about) / #y
      for _, tol in ipairs { 1e-1, 1e-3, 1e-6 } do
         local model = ml.Lasso { alpha = 1, tol = tol }:fit(X, y)
         assert(model.gap <= tol * square and model.gap >= 0)
         assert(model.objective - best.objective <= model.gap + 1e-10)
      end
      local stopped = ml.Lasso { alpha = 1e-3, max_iter = 2, tol = 1e-12 }:fit(X, y)
      assert.is_false(stopped.converged)
      assert(stopped.gap > 1e-12 * square)
   end)

   it("reach the minimum with nearly equal columns", function()
      local n, p = 300, 60
      local x, common = ml.normal(n, p, 3) * 1e-2, ml.normal(n, nil, 4)
      for i = 1, n do for j = 1, p do x:set(i, j, x:get(i, j) + common[i] + 1e6) end end
      local target = x:col(1) * 5 - x:col(2) * 4 + ml.normal(n, nil, 5) * 0.1
      local model = ml.Lasso { alpha = 1e-3, tol = 1e-10, max_iter = 3000 }:fit(x, target)
      assert.is_true(model.converged)
      local center = x:mean "cols"
      for i = 1, n do for j = 1, p do x:set(i, j, x:get(i, j) - center[j]) end end
      near_all(ml.Lasso { alpha = 1e-3, tol = 1e-10, max_iter = 3000 }:fit(x, target).coef, model.coef, 1e-4, "coef", 1)
   end)

   it("split a coefficient evenly between two equal columns with an L2 penalty", function()
      local x = ml.normal(50, 1, 7)
      local target = x:col(1) * 3
      local model = ml.ElasticNet(with { alpha = 0.1 }):fit(ml.hcat(x, x), target)
      near(model.coef[1], model.coef[2], 1e-9, "coef")
   end)

   it("are all 0 at the largest penalty of a path, and least squares without a penalty", function()
      local path = ml.Lasso(tight):fit(Z, y):path(Z, y, { n_alphas = 3 })
      near_all(ml.Vector(10, 0), ml.Lasso { alpha = path.alphas[1] }:fit(Z, y).coef, 0, "coef", 1)
      near_all(ml.LinearRegression {}:fit(Z, y).coef, ml.Lasso(with { alpha = 0 }):fit(Z, y).coef, 1e-8, "coef", 1)
   end)

   it("do not depend on the number of threads", function()
      local x = ml.normal(300, 700, 1)
      local target = x:col(1) - x:col(2) + ml.normal(300, nil, 2)
      support.same_for_any_threads(function() return ml.Lasso { alpha = 0.05 }:fit(x, target) end)
      support.same_for_any_threads(function() return ml.LassoCV { cv = 3, n_alphas = 10 }:fit(x, target) end)
   end)
end)

describe("LassoCV and ElasticNetCV", function()
   local function same_choice(want, model, tolerance)
      near(want.alpha, model.alpha, 1e-10, "alpha")
      near_rows(want.mse_path, model.mse_path, tolerance, "mse_path")
      agree(want, model, 1e-8)
   end

   it("agree with scikit-learn", function()
      same_choice(oracle.cv, ml.LassoCV(with { n_alphas = 30 }):fit(Z, y), 1e-8)
      local net = ml.ElasticNetCV(with { l1_ratio = { 0.2, 0.9 }, n_alphas = 8, cv = 3, eps = 1e-2 }):fit(Z, y)
      assert.equal(oracle.net_cv.l1_ratio, net.best_l1_ratio)
      same_choice(oracle.net_cv, net, 1e-8)
   end)

   it("treat weights as repeated rows, also across folds", function()
      local model = ml.LassoCV(with { cv = 4, n_alphas = 10 }):fit(Z, y, { weights = often() })
      same_choice(oracle.repeated_cv, model, 1e-8)
   end)

   it("give the same for sparse X", function()
      local dense, sparse = ml.LassoCV(with { n_alphas = 6, cv = 3 }), ml.LassoCV(with { n_alphas = 6, cv = 3 })
      dense:fit(Z, y)
      sparse:fit(ml.Sparse(Z), y)
      near_rows(dense.mse_path:totable(), sparse.mse_path, 1e-8, "mse_path")
   end)

   it("select the largest alpha within one standard error with rule = 1se", function()
      local least = ml.LassoCV { n_alphas = 30 }:fit(Z, y)
      local simple = ml.LassoCV { n_alphas = 30, rule = "1se" }:fit(Z, y)
      assert.equal(least.alpha, least.alpha_min)
      assert.equal(simple.alpha, least.alpha_1se)
      assert(simple.alpha > least.alpha)
      local result = simple:errors()
      local best, at = math.huge, nil
      for k = 1, 30 do
         if result.errors.mse[k] < best then best, at = result.errors.mse[k], k end
      end
      assert.equal(least.alpha, result.errors.alpha[at])
      for k = 1, 30 do
         local within = result.errors.mse[k] <= best + result.errors.se[at]
         if result.errors.alpha[k] > simple.alpha then assert.is_false(within and k == at) end
      end
      near(result.folds:row(at):mean(), best, 1e-12, "mean of the folds")
   end)

   it("refuse more folds than rows, and empty lists", function()
      support.refuses("LassoCV: cv must be at most the number of rows, 3, got 5", function()
         ml.LassoCV {}:fit({ { 1 }, { 2 }, { 3 } }, { 1, 2, 3 })
      end)
      support.refuses("ElasticNetCV: l1_ratio must not be empty", function()
         ml.ElasticNetCV { l1_ratio = {} }:fit(Z, y)
      end)
   end)
end)

-- With more columns than rows and a small penalty the support soon exceeds the number of rows, where sweeps alone
-- would need hundreds of thousands of iterations.
describe("Lasso with more columns than rows reaches the minimum", function()
   local wide = ml.normal(40, 120, 3)
   local v = wide:col(1) * 30 - wide:col(2) * 20 + wide:col(3) * 10 + ml.normal(40, nil, 4) * 5

   local function objective(model)
      local r = v - model:predict(wide)
      return r:dot(r) / 80 + model.alpha * model.coef:abs():sum()
   end

   for _, positive in ipairs { false, true } do
      it("by coordinate descent and by least angles, positive = " .. tostring(positive), function()
         local lasso = ml.Lasso { alpha = 0.01, positive = positive, tol = 1e-10, max_iter = 2000 }:fit(wide, v)
         local lars = ml.LassoLars { alpha = 0.01, positive = positive, max_iter = 5000 }:fit(wide, v)
         assert.is_true(lasso.converged)
         near(objective(lars), objective(lasso), 1e-9)
      end)
   end
end)
