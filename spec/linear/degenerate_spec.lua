--- Degenerate data for every linear estimator: a finite solution or a clear error message.

local ml = require "manilius"
local support = dofile "spec/support.lua"
local refuses, near, near_all = support.refuses, support.near, support.near_all

local N = 30
local base = ml.normal(N, 3, 7)
local real, count, amount, label = {}, {}, {}, {}
for i = 1, N do
   real[i] = 1 + base[i][1] - base[i][2] + 0.3 * ((i * 7) % 5 - 2)
   count[i] = (i * i) % 4
   amount[i] = math.exp(0.3 * real[i])
   label[i] = count[i] % 2 == 1 and "yes" or "no"
end

-- Each estimator with a suitable y. `squares`: it computes squares of X, which must be finite; `bare`: it can be fitted
-- without columns.
local estimators = {
   { "AdaptiveLasso", {}, real, squares = true }, { "ARDRegression", {}, real, squares = true },
   { "BayesianLasso", {}, real, squares = true }, { "BayesianRidge", {}, real, squares = true },
   { "ElasticNet", {}, real, squares = true }, { "ElasticNetCV", {}, real, squares = true, folds = true },
   { "GammaRegressor", {}, amount, squares = true }, { "GroupLasso", {}, real, squares = true },
   { "HorseshoeRegression", {}, real, squares = true }, { "KernelInteractionRegression", {}, real, squares = true },
   { "HuberRegressor", {}, real, squares = true },
   { "OrdinalRegression", {}, label, squares = true }, { "OrdinalRegression", { alpha = 1 }, label, squares = true },
   { "OrthogonalMatchingPursuit", { n_nonzero_coefs = 2 }, real, squares = true },
   { "OrthogonalMatchingPursuitCV", {}, real, squares = true, folds = true },
   { "GLM", {}, real, squares = true, bare = true },
   { "GLM", { family = "poisson" }, count, squares = true, bare = true },
   { "GLM", { family = "negative_binomial" }, count, squares = true, bare = true },
   { "GLM", { family = "gamma", link = "log" }, amount, squares = true, bare = true },
   { "GLM", { family = "binomial" }, ml.Vector(count):gt(0):totable(), squares = true, bare = true },
   { "Lars", {}, real, squares = true }, { "Lasso", {}, real, squares = true },
   { "LassoCV", {}, real, squares = true, folds = true }, { "LassoLars", {}, real, squares = true },
   { "LinearDiscriminantAnalysis", {}, label, squares = true },
   { "LinearRegression", {}, real, bare = true },
   { "LogisticRegression", {}, label, squares = true },
   { "LogisticRegression", { penalty = "none" }, label, squares = true },
   { "LogisticRegression", { penalty = "l1" }, label, squares = true },
   { "LogisticRegressionCV", {}, label, squares = true, folds = true },
   { "LinearModelClassifier", {}, label, squares = true }, { "LinearModelRegressor", {}, real, squares = true },
   { "MARS", {}, real, squares = true }, { "MixtureOfExperts", {}, real }, { "MixtureOfRegressions", {}, real },
   { "MixtureOfExpertsClassifier", {}, label },
   { "MultiTaskElasticNet", {}, real, squares = true }, { "MultiTaskLasso", {}, real, squares = true },
   { "Perceptron", {}, label },
   { "PoissonRegressor", {}, count, squares = true }, { "QuadraticDiscriminantAnalysis", {}, label, squares = true },
   { "QuantileRegressor", {}, real, bare = true }, { "Ridge", { alpha = 0 }, real },
   { "RidgeCV", {}, real, squares = true },
   { "RobustRegression", {}, real, bare = true }, { "ScaledLasso", {}, real, squares = true },
   { "SegmentedRegression", { column = 1 }, real }, { "SGDClassifier", {}, label },
   { "SGDRegressor", {}, real }, { "TheilSenRegressor", {}, real, squares = true, unweighted = true },
   { "TweedieRegressor", {}, amount, squares = true },
}

local function changed(f)
   local X = base:copy()
   for i = 1, N do f(X, i) end
   return X
end

local function weights_of(value, elsewhere)
   local w = ml.Vector(N, elsewhere or value)
   w[5] = value
   return w
end

local constant = changed(function(X, i) X:set(i, 2, 5) end)
local copies = changed(function(X, i) X:set(i, 3, 2 * X:get(i, 1)) end)

-- may: error messages that are acceptable, too.
local cases = {
   { "a constant column", X = constant, may = "covariance of class" },
   { "collinear columns", X = copies, may = "covariance of class" },
   { "constant columns only", X = ml.ones(N, 2), may = "covariance of class|no direction separates the classes" },
   { "weights of 1e300", w = weights_of(1e300), may = "coefficients overflowed|at most 1e+09" },
   { "one weight of 1e300", w = weights_of(1e300, 1),
      may = "coefficients overflowed|covariance of class|at most 1e+09|at most 1e+20 times" },
   { "weights of 1e-300", w = weights_of(1e-300), may = "more rows than classes|at least 2 rows" },
   { "columns far from 0", X = base + 1e8 },
   { "one duplicated row and another row", X = changed(function(X, i)
      for j = 1, 3 do X:set(i, j, base:get(i % 2 + 1, j)) end
   end), may = "covariance of class|no direction separates the classes" },
   { "a constant y", y = 1, may = "at least 2 classes" },
   { "a y of 0", y = 0, may = "at least 2 classes|y must be > 0" },
   { "a negative y", y = -2, may = "at least 2 classes|y must be" },
}

local function answer_of(one, case)
   local y = one[3]
   if case.y ~= nil then
      y = {}
      for i = 1, N do y[i] = type(one[3][1]) == "string" and "yes" or case.y end
   end
   return y
end

local function is_finite(values)
   return values:isfinite():sum() == values:isfinite():add(1):sub(values:isfinite()):sum()
end

local function allowed(message, may)
   for pattern in (may or ""):gmatch "[^|]+" do
      if message:find(pattern, 1, true) then return true end
   end
   return false
end

describe("degenerate data", function()
   for _, one in ipairs(estimators) do
      local name, settings = one[1], one[2]
      local what = name .. " " .. (settings.family or settings.penalty or "")
      for _, case in ipairs(cases) do
         if not (case.w and one.unweighted) then
            it(("%s: %s"):format(what, case[1]), function()
               local X = case.X or base
               local model = ml[name](settings)
               local ok, message = pcall(model.fit, model, X, answer_of(one, case), case.w and { weights = case.w })
               if not ok then
                  assert(allowed(message, case.may), message)
                  assert.matches(name, message, nil, true)
                  return
               end
               if type(one[3][1]) == "string" then
                  if model:can "predict_proba" then assert.is_true(is_finite(model:predict_proba(X))) end
                  assert.equal(N, #model:predict(X))
               else
                  local predicted = model:predict(X)
                  assert.is_true(is_finite(predicted))
                  if case.w then assert.is_true(predicted:abs():max() < 10 * ml.Vector(one[3]):abs():max()) end
               end
            end)
         end
      end

      it(what .. ": columns whose squares overflow", function()
         local X = changed(function(M, i) M:set(i, 2, M:get(i, 2) * 1e160) end)
         local model = ml[name](settings)
         local ok, message = pcall(model.fit, model, X, one[3])
         if one.squares then
            assert.is_false(ok)
            assert.matches(name .. ": X must hold numbers below 1e100 so that their squares are finite, got .* in "
               .. "column 2; scale the columns", message)
         elseif ok then
            local expected = ml[name](settings):fit(base, one[3]):predict(base)
            if type(one[3][1]) == "string" then
               assert.same(expected:totable(), model:predict(X):totable())
            else
               near_all(expected, model:predict(X), 1e-9, "predictions", 1)
            end
         else
            assert.matches("coefficients overflowed", message, nil, true)
         end
      end)

      it(what .. ": all weights 0, and no columns", function()
         if not one.unweighted then
            refuses("weights must have at least one value > 0, got only 0", function()
               ml[name](settings):fit(base, one[3], { weights = ml.Vector(N, 0) })
            end)
         end
         local function bare() return ml[name](settings):fit(ml.zeros(N, 0), one[3]) end
         if one.bare then
            local model = bare()
            local link = ({ poisson = math.log, negative_binomial = math.log, gamma = math.log,
               binomial = function(mu) return math.log(mu / (1 - mu)) end })[settings.family]
            local mean = model:predict(ml.zeros(1, 0))[1]
            assert.near(link and link(mean) or mean, model.intercept, 1e-12)
         else
            refuses("X must have at least 1 column, got 0", bare)
         end
      end)
   end

   it("y whose squares overflow is refused, too", function()
      refuses("Lasso: y must hold numbers below 1e100", function() ml.Lasso {}:fit(base, ml.Vector(real) * 1e120) end)
   end)
end)

describe("separable classes", function()
   local X, y, three = {}, {}, {}
   for i = 1, 20 do X[i], y[i], three[i] = { i, (i * 7) % 5 }, i > 10, i < 8 and 1 or i < 15 and 2 or 3 end
   local is_high = ml.Factor(y):eq(true)

   it("have finite coefficients with a penalty", function()
      for _, settings in ipairs { {}, { penalty = "l1" }, { penalty = "elasticnet" }, { C = 1e4 } } do
         local model = ml.LogisticRegression(settings):fit(X, y)
         assert.is_true(model.converged and is_finite(model.coef))
      end
      assert.is_true(ml.GLM { family = "binomial", alpha = 0.01 }:fit(X, is_high).converged)
   end)

   it("diverge without a penalty, with a warning", function()
      for _, solver in ipairs { "auto", "lbfgs", "newton", "cd" } do
         assert.is_false(ml.LogisticRegression { penalty = "none", solver = solver }:fit(X, y).converged)
      end
      assert.is_false(ml.LogisticRegression { penalty = "none" }:fit(X, three).converged)
      assert.is_false(ml.GLM { family = "binomial" }:fit(X, is_high).converged)
      for _, loss in ipairs { "log_loss", "exponential" } do
         for _, solver in ipairs { "auto", "gradient", "coordinate" } do
            local settings = { loss = loss, penalty = "none", solver = solver }
            assert.is_false(ml.LinearModelClassifier(settings):fit(X, y).converged)
            assert.is_false(ml.LinearModelClassifier(settings):fit(X, three).converged) -- 1 and 3 from the others
         end
      end
      local program = [[warn "@on"
         local ml = require "manilius"
         ml.LogisticRegression { penalty = "none" }:fit({ { 1 }, { 2 }, { 3 }, { 4 } }, { "a", "a", "b", "b" })
         ml.GLM { family = "binomial" }:fit({ { 1 }, { 2 }, { 3 }, { 4 } }, { 0, 0, 1, 1 })
         ml.LinearModelClassifier { alpha = 0 }:fit({ { 1 }, { 2 }, { 3 }, { 4 } }, { "a", "a", "b", "b" })]]
      local path = os.tmpname()
      local file = assert(io.open(path, "w"))
      file:write(program)
      file:close()
      local pipe = assert(io.popen((os.getenv "LUA" or "lua5.4") .. " " .. path .. " 2>&1"))
      local said = pipe:read "a"
      pipe:close()
      os.remove(path)
      assert.matches("LogisticRegression: .*the classes are separable, .*use penalty = 'l2'", said)
      assert.matches("LinearModelClassifier: .*the classes are separable, .*use penalty = 'l2'", said)
      assert.matches("GLM: .*the two outcomes are at least partly separable, .*use alpha > 0", said)
   end)

   it("converge if the classes overlap in one row", function()
      local almost = table.move(y, 1, 20, 1, {})
      almost[20] = false
      assert.is_true(ml.LogisticRegression { penalty = "none" }:fit(X, almost).converged)
      assert.is_true(ml.LinearModelClassifier { penalty = "none" }:fit(X, almost).converged)
      assert.is_true(ml.LinearModelClassifier { penalty = "none", loss = "squared_hinge" }:fit(X, y).converged)
      local without = { weights = ml.Vector(20, 1) }
      without.weights[20] = 0
      assert.is_false(ml.LogisticRegression { penalty = "none" }:fit(X, almost, without).converged)
      assert.is_false(ml.LinearModelClassifier { penalty = "none" }:fit(X, almost, without).converged)
   end)
end)

describe("quantiles of data that are fitted exactly", function()
   it("are computed for constants, one row, and fewer rows than columns", function()
      local model = ml.QuantileRegressor {}:fit(base, ml.Vector(N, 3))
      assert.equal(0, model.coef:abs():max())
      near(3, model.intercept, 1e-15)
      near(7, ml.QuantileRegressor {}:fit({ { 1, 2, 3 } }, { 7 }):predict({ { 1, 2, 3 } })[1], 1e-14)
      local line = ml.Vector(N, 2) + base:col(1) * 3
      near_all(line, ml.QuantileRegressor { quantile = 0.2 }:fit(base, line):predict(base), 1e-12, "line", 1)
   end)

   it("are the same for huge weights as for weights of 1", function()
      local model = ml.QuantileRegressor { quantile = 0.3 }
      near_all(model:fit(base, real).coef, ml.QuantileRegressor { quantile = 0.3 }:fit(base, real,
         { weights = ml.Vector(N, 2 ^ 1000) }).coef, 0)
   end)
end)

describe("offsets of any size", function()
   it("are recovered in the intercept, or in the coefficient of their column", function()
      for _, size in ipairs { 1e3, -1e3, 1e6, -1e6 } do
         local a = base:col(1):copy()
         local plain = ml.GLM { family = "poisson" }:fit(ml.Frame { { "a", a } }, count)
         local moved = ml.GLM { family = "poisson", offset = "o" }:fit(ml.Frame { { "a", a },
            { "o", ml.Vector(N, size) } }, count)
         near(plain.coef[1], moved.coef[1], 1e-9)
         near(plain.intercept, moved.intercept + size, 1e-8)
         local tied = ml.GLM { family = "poisson", offset = "o" }:fit(ml.Frame { { "a", a }, { "o", a * size } }, count)
         near(plain.coef[1], tied.coef[1] + size, 1e-7)
      end
   end)
end)
