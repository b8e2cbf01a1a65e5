--- Generalized linear models with an L1 penalty: optimality conditions, and agreement with glmnet, Lasso and others.

local ml = require "manilius"
local support = dofile "spec/support.lua"
local near, near_all, refuses = support.near, support.near_all, support.refuses
local cases = dofile "spec/fixtures/glm/glm_l1.lua"

local X, y = ml.read_csv("examples/data/diabetes.csv"):split "progression"
X = ml.Matrix(ml.StandardScaler {}:fit_transform(X))
local targets = { binomial = y:gt(140), poisson = (y / 20):floor(), gaussian = y, gamma = y, tweedie = y,
   negative_binomial = (y / 20):floor(), inverse_gaussian = y }

-- Derivative of half the unit deviance by the linear predictor; log links except for the first two.
local slopes = {
   gaussian = function(truth, mu) return mu - truth end,
   binomial = function(truth, mu) return mu - truth end,
   poisson = function(truth, mu) return mu - truth end,
   gamma = function(truth, mu) return (mu - truth) / mu end,
   inverse_gaussian = function(truth, mu) return (mu - truth) / mu:pow(2) end,
   tweedie = function(truth, mu) return (mu - truth) / mu:pow(0.5) end,
   negative_binomial = function(truth, mu) return (mu - truth) / (mu / 3 + 1) end,
}

-- Largest element of the minimum-norm subgradient, and the number of nonzero coefficients.
local function violation(model, M, truth, w, slope)
   local e = slope(truth, model:predict(M)):mul(w) / w:sum()
   local g, alpha, ratio = M:t() * e, model.alpha, model.l1_ratio
   local worst, count = math.abs(e:sum()), 0
   for j, b in ipairs(model.coef:totable()) do
      local s = g[j] + alpha * (1 - ratio) * b
      if b ~= 0 then
         worst, count = math.max(worst, math.abs(s + alpha * ratio * (b > 0 and 1 or -1))), count + 1
      else
         worst = math.max(worst, math.abs(s) - alpha * ratio)
      end
   end
   return worst, count
end

describe("GLM with an L1 penalty", function()
   for family, slope in pairs(slopes) do
      it("meets the optimality conditions: " .. family, function()
         local link = (family == "binomial" or family == "gaussian") and "auto" or "log"
         local w = ml.range(1, #y):sin():abs() + 0.5
         for _, alpha in ipairs { 1e-3, 0.05, 0.5 } do
            for _, ratio in ipairs { 0.2, 1 } do
               local model = ml.GLM { family = family, link = link, alpha = alpha, l1_ratio = ratio, power = 1.5,
                  theta = family == "negative_binomial" and 3 or nil }:fit(X, targets[family], { weights = w })
               assert.is_true(model.converged)
               local worst, count = violation(model, X, targets[family], w, slope)
               local scale = family == "gaussian" and y:std() or 1
               assert(worst <= 1e-8 * scale, ("alpha %g, ratio %g: %g"):format(alpha, ratio, worst))
               assert.equal(count, model.rank)
            end
         end
      end)
   end

   it("agrees with glmnet", function()
      for _, case in ipairs(cases) do
         local model = ml.GLM { family = case.family, alpha = case.alpha, l1_ratio = case.l1_ratio }
         model:fit(X, targets[case.family])
         near(case.intercept, model.intercept, 1e-6)
         near_all(case.coef, model.coef, 1e-6, case.family, 1)
      end
   end)

   it("agrees with Lasso, ElasticNet and LogisticRegression", function()
      local lasso = ml.Lasso { alpha = 2, tol = 1e-14 }:fit(X, y)
      near_all(lasso.coef, ml.GLM { alpha = 2, l1_ratio = 1 }:fit(X, y).coef, 1e-9, "lasso", 1)
      local net = ml.ElasticNet { alpha = 0.7, l1_ratio = 0.4, tol = 1e-14 }:fit(X, y)
      near_all(net.coef, ml.GLM { alpha = 0.7, l1_ratio = 0.4 }:fit(X, y).coef, 1e-9, "net", 1)
      local logistic = ml.LogisticRegression { penalty = "l1", C = 1 / (0.05 * #y) }:fit(X, targets.binomial)
      local again = ml.GLM { family = "binomial", alpha = 0.05, l1_ratio = 1 }:fit(X, targets.binomial)
      near_all(logistic.coef, again.coef, 1e-6, "logistic", 1)
   end)

   it("handles more columns than rows, duplicate columns, offsets and huge penalties", function()
      local wide = ml.normal(40, 300, 3)
      local truth = (wide:col(1) + wide:col(2)):gt(0)
      local model = ml.GLM { family = "binomial", alpha = 0.05, l1_ratio = 1 }:fit(wide, truth)
      local worst, count = violation(model, wide, truth, ml.Vector(40, 1), slopes.binomial)
      assert(worst <= 1e-9 and count < 40)
      local duplicated = ml.hcat(X, X)
      local one = ml.PoissonRegressor { alpha = 0.1, l1_ratio = 1 }:fit(X, targets.poisson)
      local two = ml.PoissonRegressor { alpha = 0.1, l1_ratio = 1 }:fit(duplicated, targets.poisson)
      near_all(one:predict(X), two:predict(duplicated), 1e-8, "copies")
      local none = ml.GammaRegressor { alpha = 1e6, l1_ratio = 0.5 }:fit(X, y)
      assert.equal(0, none.coef:abs():max())
      near(y:mean(), none:predict(X)[1], 1e-12)
      local frame = ml.Frame { { "x", X:col(1):copy() }, { "o", X:col(2):copy() } }
      local moved = ml.PoissonRegressor { alpha = 0.1, l1_ratio = 1, offset = "o" }:fit(frame, targets.poisson)
      assert.equal(1, moved.coef[2])
   end)

   it("converges where full steps would oscillate about the minimum", function()
      local wide = ml.normal(150, 400, 2)
      local mean = (wide:col(1) * 0.4 - wide:col(2) * 0.4 + ml.normal(150, nil, 6) * 0.3):exp()
      local w = ml.range(1, 150):cos():abs() + 0.2
      local counts = (mean * 2 + 0.5):floor()
      for family, truth in pairs { negative_binomial = counts, gamma = mean, inverse_gaussian = mean } do
         local model = ml.GLM { family = family, link = "log", alpha = 0.05, l1_ratio = 1, inference = false,
            theta = family == "negative_binomial" and 3 or nil }:fit(wide, truth, { weights = w })
         assert.is_true(model.converged, family)
         assert(model.n_iter <= 50, family .. ": " .. model.n_iter)
         local worst = violation(model, wide, truth, w, slopes[family])
         assert(worst <= 1e-8, ("%s: %g"):format(family, worst))
      end
   end)

   it("has no standard errors, and rejects an l1_ratio above 1", function()
      local table = ml.GLM { family = "poisson", alpha = 0.1, l1_ratio = 1 }:fit(X, targets.poisson):summary()
      assert.is_true(table.coefficients.std_error[2] ~= table.coefficients.std_error[2])
      refuses("GLM: l1_ratio must be .*got 1.5", function() ml.GLM { l1_ratio = 1.5 } end)
   end)
end)
