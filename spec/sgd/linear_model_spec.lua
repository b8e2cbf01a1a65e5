local ml = require "manilius"
local support = require "spec.support"
local oracle = dofile "spec/fixtures/sgd/linear_model.lua"

local near, near_all, refuses = support.near, support.near_all, support.refuses

-- Reference losses; y is -1 or 1 for classes. s: the settings.
local loss = {
   log_loss = function(y, z) return math.log(1 + math.exp(-math.abs(z))) + math.max(0, -y * z) end,
   hinge = function(y, z) return math.max(0, 1 - y * z) end,
   squared_hinge = function(y, z) return math.max(0, 1 - y * z) ^ 2 end,
   modified_huber = function(y, z) return y * z < -1 and -4 * y * z or math.max(0, 1 - y * z) ^ 2 end,
   exponential = function(y, z) return math.exp(-y * z) end,
   squared_error = function(y, z) return (y - z) ^ 2 / 2 end,
   absolute_error = function(y, z) return math.abs(y - z) end,
   huber = function(y, z, s)
      local r = math.abs(y - z)
      return r <= s.epsilon and r * r / 2 or s.epsilon * (r - s.epsilon / 2)
   end,
   epsilon_insensitive = function(y, z, s) return math.max(0, math.abs(y - z) - s.epsilon) end,
   squared_epsilon_insensitive = function(y, z, s) return math.max(0, math.abs(y - z) - s.epsilon) ^ 2 end,
   quantile = function(y, z, s) return (y - z) * (s.quantile - (y < z and 1 or 0)) end,
   poisson = function(y, z) return math.exp(z) - y * z + (y > 0 and y * math.log(y) - y or 0) end,
}
local smooth = { class = { "log_loss", "squared_hinge", "modified_huber", "exponential" },
   real = { "squared_error", "huber", "squared_epsilon_insensitive", "poisson" } }
local ratio = { none = 0, l2 = 0, l1 = 1 }

local function mean_loss(s, X, y, w, b, c)
   local z, sum, total = X * b + c, 0, 0
   for i = 1, #y do
      sum = sum + (w and w[i] or 1) * loss[s.loss](y[i], z[i], s)
      total = total + (w and w[i] or 1)
   end
   return sum / total
end

local function objective(s, X, y, w, b, c)
   local alpha, r = s.penalty == "none" and 0 or s.alpha, ratio[s.penalty] or s.l1_ratio
   return mean_loss(s, X, y, w, b, c) + alpha * (r * b:abs():sum() + (1 - r) / 2 * b:dot(b))
end

-- Rows far from the origin, with targets of each kind.
local n, p = 200, 6
local X = ml.normal(n, p, 1) + 2
local score = X * ml.Vector { 1, -2, 0, 0.5, 0, 0.3 } + ml.normal(n, nil, 2)
local real, count, sign, label, weights = {}, {}, {}, {}, {}
for i = 1, n do
   real[i] = score[i]
   count[i] = math.floor(math.exp(score[i] / 4))
   sign[i] = score[i] > score:mean() and 1 or -1
   label[i] = sign[i] > 0 and "up" or "down"
   weights[i] = 0.5 + i % 3
end

local function problem(kind, name)
   if kind == "class" then return ml.LinearModelClassifier, label, sign end
   local y = name == "poisson" and count or real
   return ml.LinearModelRegressor, y, y
end

local function settings_of(kind, name, penalty, solver)
   local s = { loss = name, penalty = penalty, solver = solver, alpha = 0.03, l1_ratio = 0.4 }
   if kind == "real" then s.epsilon, s.quantile = 0.4, 0.3 end
   return s
end

local function coefficients_of(model)
   local b, c = model.coef, model.intercept
   if type(c) == "number" then return b, c end
   return b:row(1), c[1]
end

local function never_rises(trace, what)
   for i = 2, #trace do
      assert(trace[i] <= trace[i - 1] * (1 + 1e-12), ("%s: rises in round %d"):format(what, i))
   end
end

-- The optimality conditions, by finite differences of the loss.
local function is_minimum(s, y, model, what)
   local h, b, c = 1e-5, coefficients_of(model)
   local alpha, r = s.penalty == "none" and 0 or s.alpha, ratio[s.penalty] or s.l1_ratio
   for j = 1, p do
      local up, down = b:copy(), b:copy()
      up[j], down[j] = b[j] + h, b[j] - h
      local slope = (mean_loss(s, X, y, weights, up, c) - mean_loss(s, X, y, weights, down, c)) / (2 * h)
         + alpha * (1 - r) * b[j]
      local pull = alpha * r
      if b[j] == 0 then
         assert(math.abs(slope) <= pull + 1e-5, ("%s: coefficient %d should not be 0"):format(what, j))
      else
         near(-pull * (b[j] > 0 and 1 or -1), slope, 2e-5, what .. ": slope " .. j, 1)
      end
   end
   local slope = (mean_loss(s, X, y, weights, b, c + h) - mean_loss(s, X, y, weights, b, c - h)) / (2 * h)
   near(0, slope, 2e-5, what .. ": slope of the intercept", 1)
end

describe("LinearModel", function()
   for kind, names in pairs(smooth) do
      for _, name in ipairs(names) do
         it(("minimizes loss %s by all solvers, for all penalties"):format(name), function()
            local make, given, y = problem(kind, name)
            for _, penalty in ipairs { "none", "l2", "l1", "elasticnet" } do
               local least
               for _, solver in ipairs { "lbfgs", "gradient", "coordinate", "saga", "auto" } do
                  local s = settings_of(kind, name, penalty, solver)
                  local what = ("%s, %s, %s"):format(name, penalty, solver)
                  if solver == "saga" and (name == "poisson" or name == "exponential") then
                     refuses("supported: gradient, sgd, lbfgs, coordinate", function() make(s):fit(X, given) end)
                  else
                     local model = make(s):fit(X, given, { weights = weights })
                     assert.is_true(model.converged, what)
                     local b, c = coefficients_of(model)
                     near(objective(s, X, y, weights, b, c), model.objective, 1e-10, what .. ": objective")
                     least = least or model.objective
                     near(least, model.objective, 1e-8, what .. ": objective beside that of lbfgs")
                     is_minimum(s, y, model, what)
                     if solver ~= "saga" then never_rises(model.trace, what) end
                  end
               end
            end
         end)
      end
   end

   it("agrees with scikit-learn", function()
      local iris, species = support.data("iris", "species")
      local iris_rows = iris:matrix():slice(51, 150)
      iris_rows = (iris_rows - 4) / 2
      local diabetes, progression = support.scaled_diabetes()
      assert.equal(15, #oracle)
      for k, case in ipairs(oracle) do
         local class = case.kind == "classifier"
         local model = class and ml.LinearModelClassifier(case.settings):set_params { tol = 1e-9 }
            :fit(iris_rows, species:slice(51, 150))
            or ml.LinearModelRegressor(case.settings):set_params { tol = 1e-9 }:fit(diabetes, progression)
         local b, c = coefficients_of(model)
         near_all(case.coef, b, 2e-5, "case " .. k, 1)
         near(case.intercept, c, 2e-5, "constant of case " .. k, 1)
      end
   end)

   it("agrees with Ridge, Lasso, ElasticNet, PoissonRegressor and LogisticRegression", function()
      local y = ml.Vector(real)
      local function same(one, other, what, tolerance)
         near_all(one.coef, other.coef, tolerance or 1e-7, what, 1)
         near(one.intercept, other.intercept, tolerance or 1e-7, what, 1)
      end
      for _, solver in ipairs { "lbfgs", "gradient", "coordinate", "saga" } do
         local function ours(s)
            s.solver, s.tol = solver, 1e-9
            return ml.LinearModelRegressor(s):fit(X, y)
         end
         same(ml.Ridge { alpha = 0.1 * n }:fit(X, y), ours { alpha = 0.1 }, "Ridge, " .. solver)
         same(ml.Lasso { alpha = 0.1, tol = 1e-13 }:fit(X, y), ours { alpha = 0.1, penalty = "l1" }, "Lasso, " ..
            solver)
         same(ml.ElasticNet { alpha = 0.1, l1_ratio = 0.3, tol = 1e-13 }:fit(X, y),
            ours { alpha = 0.1, penalty = "elasticnet", l1_ratio = 0.3 }, "ElasticNet, " .. solver)
         same(ml.LinearRegression {}:fit(X, y), ours { penalty = "none" }, "LinearRegression, " .. solver)
      end
      local mean = ml.PoissonRegressor { alpha = 0.1, tol = 1e-12 }:fit(X, count)
      local model = ml.LinearModelRegressor { loss = "poisson", alpha = 0.1, tol = 1e-9 }:fit(X, count)
      same(mean, model, "PoissonRegressor")
      near_all(mean:predict(X), model:predict(X), 1e-7, "mean", 1)
      for _, penalty in ipairs { "l1", "l2", "elasticnet" } do
         local one = ml.LogisticRegression { C = 1 / (0.02 * n), penalty = penalty, l1_ratio = 0.5, tol = 1e-14 }
            :fit(X, label)
         local two = ml.LinearModelClassifier { alpha = 0.02, penalty = penalty, l1_ratio = 0.5, tol = 1e-9 }
            :fit(X, label)
         near_all(one.coef, two.coef, 1e-6, penalty, 1)
         near_all(one:predict_proba(X):col(2), two:predict_proba(X):col(2), 1e-6, penalty, 1)
      end
   end)

   it("solves the linear programs of absolute_error and quantile", function()
      for _, name in ipairs { "absolute_error", "quantile" } do
         for _, penalty in ipairs { "none", "l1" } do
            local s = settings_of("real", name, penalty)
            local model = ml.LinearModelRegressor(s):fit(X, real, { weights = weights })
            local half = name == "absolute_error"
            local same = ml.QuantileRegressor { quantile = half and 0.5 or 0.3,
               alpha = penalty == "none" and 0 or half and s.alpha / 2 or s.alpha }:fit(X, real, { weights = weights })
            near(objective(s, X, real, weights, same.coef, same.intercept), model.objective, 1e-9, name .. penalty)
            near_all(same.coef, model.coef, 1e-6, name, 1)
            never_rises(model.trace, name)
         end
      end
      local both = ml.LinearModelRegressor { loss = "absolute_error", penalty = "none" }
         :fit(X, ml.hcat(ml.Vector(real), -2 * ml.Vector(real)))
      near_all(-2 * both.coef:row(1), both.coef:row(2), 1e-9, "second target", 1)
      near(both.trace[#both.trace], both.objective, 1e-12, "trace")
   end)

   it("comes within 1e-4 of the minimum by stochastic gradient descent with averages", function()
      local Z = ml.StandardScaler {}:fit_transform(X)
      for kind, names in pairs { class = { "log_loss", "squared_hinge", "modified_huber", "exponential" },
         real = { "squared_error", "huber", "squared_epsilon_insensitive", "poisson" } } do
         for _, name in ipairs(names) do
            local make, given, y = problem(kind, name)
            local s = settings_of(kind, name, "l2")
            local least = make(s):fit(Z, given).objective
            s.solver, s.average, s.max_iter, s.n_iter_no_change, s.eta0 = "sgd", n * 100, 1500, 2000, 0.02
            local model = make(s):fit(Z, given)
            local b, c = coefficients_of(model)
            local excess = objective(s, Z, y, nil, b, c) / least - 1
            assert(excess >= -1e-9 and excess < 1e-4, ("%s: %g above the minimum"):format(name, excess))
         end
      end
   end)

   it("treats weights as repeated rows in sgd, to its accuracy", function()
      local Z = ml.StandardScaler {}:fit_transform(X)
      local s = { solver = "sgd", alpha = 0.03, average = n * 100, max_iter = 1000, n_iter_no_change = 1000 }
      local large = {}
      for i = 1, n do large[i] = 1000 * weights[i] end
      local one = ml.LinearModelRegressor(s):fit(Z, real, { weights = weights })
      near_all(one.coef, ml.LinearModelRegressor(s):fit(Z, real, { weights = large }).coef, 1e-9, "unit of weights", 1)
      s.solver, s.max_iter = "lbfgs", nil
      near_all(ml.LinearModelRegressor(s):fit(Z, real, { weights = weights }).coef, one.coef, 2e-3, "weights", 1)
   end)

   it("gives the same result on sparse and dense rows", function()
      local S = ml.normal(150, 20, 5):mul(ml.random(150, 20, 6):lt(0.2))
      local z = S:slice(1, 150, 1, 3) * ml.Vector { 2, -1, 1 } + ml.normal(150, nil, 7) * 0.3
      local y = {}
      for i = 1, 150 do y[i] = z[i] > 0.2 and "a" or "b" end
      for _, solver in ipairs { "lbfgs", "gradient", "coordinate", "saga" } do
         for _, penalty in ipairs { "l1", "l2", "elasticnet" } do
            for _, constant in ipairs { true, false } do
               local s = { solver = solver, penalty = penalty, alpha = 0.02, tol = 1e-9, fit_intercept = constant,
                  max_iter = 20000 }
               local dense = ml.LinearModelClassifier(s):fit(S, y)
               local sparse = ml.LinearModelClassifier(s):fit(ml.Sparse.from(S), y)
               local what = solver .. ", " .. penalty
               near_all(dense.coef, sparse.coef, 1e-7, what, 1)
               near(dense.intercept, sparse.intercept, 1e-7, what, 1)
               near(dense.objective, sparse.objective, 1e-12, what)
            end
         end
      end
   end)

   it("fits each class against the rest, and reports the sum", function()
      local iris_rows, species = support.data("iris", "species")
      for _, solver in ipairs { "lbfgs", "coordinate" } do
         local s = { solver = solver, alpha = 0.01, penalty = "elasticnet" }
         local three, sum = ml.LinearModelClassifier(s):fit(iris_rows, species), 0
         for c, name in ipairs(three.classes) do
            local rest = {}
            for i = 1, 150 do rest[i] = species[i] == name and 1 or 0 end
            local one = ml.LinearModelClassifier(s):fit(iris_rows, rest)
            near_all(one.coef, three.coef:row(c), 1e-12, name, 1)
            sum = sum + one.objective
         end
         near(sum, three.objective, 1e-12, "objective")
         near(sum, three.trace[three.n_iter], 1e-12, "end of the trace")
         assert.equal(three.n_iter, #three.trace)
         never_rises(three.trace, solver)
      end
   end)

   it("selects among more columns than rows", function()
      local wide = ml.normal(60, 300, 8)
      local y = wide:slice(1, 60, 1, 3) * ml.Vector { 3, -2, 1 } + ml.normal(60, nil, 9) * 0.1
      local lasso = ml.Lasso { alpha = 0.2, tol = 1e-13 }:fit(wide, y)
      for _, solver in ipairs { "coordinate", "lbfgs", "gradient" } do
         local model = ml.LinearModelRegressor { penalty = "l1", alpha = 0.2, solver = solver, tol = 1e-8,
            max_iter = 5000 }:fit(wide, y)
         near_all(lasso.coef, model.coef, 1e-6, solver, 1)
         assert.equal(lasso.coef:eq(0):sum(), model.coef:eq(0):sum())
      end
   end)

   it("handles duplicate columns, constant columns and a constant y", function()
      local twice = ml.hcat(ml.ones(n, 1), X, X)
      for _, solver in ipairs { "lbfgs", "gradient", "coordinate" } do
         local one = ml.LinearModelRegressor { loss = "huber", alpha = 0.02, solver = solver }:fit(X, real)
         local two = ml.LinearModelRegressor { loss = "huber", alpha = 0.04, solver = solver }:fit(twice, real)
         near(one.objective, two.objective, 1e-9, solver) -- each copy takes half: half the penalty
         near(0, two.coef[1], 1e-15, "weight of the constant column", 1)
         local flat = ml.LinearModelRegressor { solver = solver }:fit(X, ml.ones(n, 1):col(1) * 7)
         near(7, flat.intercept, 1e-12, "constant")
         near(0, flat.coef:abs():max(), 1e-12, "weights", 1)
         assert.is_true(flat.converged)
      end
   end)

   it("does not depend on the units of columns", function()
      local units = ml.Vector { 1e-6, 1e6, 1, 1e3, 1e-3, 1 }
      local Z = X:copy()
      for i = 1, n do
         for j = 1, p do Z:set(i, j, X:get(i, j) * units[j]) end
      end
      for _, solver in ipairs { "lbfgs", "gradient", "coordinate", "saga" } do
         local s = { loss = "log_loss", penalty = "none", solver = solver }
         local one, two = ml.LinearModelClassifier(s):fit(X, label), ml.LinearModelClassifier(s):fit(Z, label)
         near_all(one.coef, two.coef:mul(units), 1e-5, solver, 1)
      end
   end)

   it("gives the probabilities implied by the loss", function()
      local shares = {
         log_loss = function(z) return 1 / (1 + math.exp(-z)) end,
         modified_huber = function(z) return (math.max(-1, math.min(1, z)) + 1) / 2 end,
         exponential = function(z) return 1 / (1 + math.exp(-2 * z)) end,
      }
      for name, share in pairs(shares) do
         local model = ml.LinearModelClassifier { loss = name, alpha = 0.01 }:fit(X, label)
         local z, proba = model:decision_function(X), model:predict_proba(X)
         for i = 1, n do near(share(z[i]), proba:get(i, 2), 1e-13, name, 1) end
      end
      local model = ml.LinearModelClassifier { loss = "squared_hinge" }:fit(X, label)
      refuses("has no 'predict_proba' with these parameters", function() return model.predict_proba end)
   end)

   it("learns in batches like SGDRegressor with the same settings", function()
      local ours = ml.LinearModelRegressor { loss = "huber", epsilon = 0.3, alpha = 0.01, seed = 3 }
      local same = ml.SGDRegressor { loss = "huber", epsilon = 0.3, alpha = 0.01, seed = 3 }
      for first = 1, n, 50 do
         local rows, y = X:slice(first, first + 49), ml.Vector(real):slice(first, first + 49)
         ours:partial_fit(rows, y)
         same:partial_fit(rows, y)
      end
      near_all(same.coef, ours.coef, 0, "coef")
      assert.equal(same.t, ours.t)
      local model = ml.LinearModelRegressor {}:fit(X, real)
      local before = model.coef:copy()
      model:partial_fit(X:slice(1, 1), { real[1] })
      assert.equal(2, model.t) -- continues from the minimum
      near_all(before, model.coef, 0.1, "coef", 1)
   end)

   it("rejects unsupported combinations and lists supported solvers", function()
      refuses("solver 'lbfgs' does not support loss 'absolute_error' with penalty 'none'; supported: sgd, interior",
         function()
            ml.LinearModelRegressor { loss = "absolute_error", penalty = "none", solver = "lbfgs" }:fit(X, real)
         end)
      refuses("solver 'coordinate' does not support loss 'hinge' with penalty 'l2'; supported: sgd, interior, dual",
         function() ml.LinearModelClassifier { loss = "hinge", solver = "coordinate" }:fit(X, label) end)
      refuses("solver 'interior' does not support loss 'huber' with penalty 'l1'; supported: gradient, sgd, saga",
         function() ml.LinearModelRegressor { loss = "huber", penalty = "l1", solver = "interior" }:fit(X, real) end)
      refuses("solver 'dual' does not support loss 'quantile' with penalty 'l1'; supported: sgd, interior", function()
         ml.LinearModelRegressor { loss = "quantile", penalty = "l1", solver = "dual" }:fit(X, real)
      end)
      refuses("y must be >= 0 with loss 'poisson', got %-[%d.]+ in row", function()
         ml.LinearModelRegressor { loss = "poisson" }:fit(X, real)
      end)
   end)
end)
