--- summary() of linear models that have no standard errors: the weights, and why.

local ml = require "manilius"
local refuses = dofile("spec/support.lua").refuses

local cars = ml.read_csv "examples/data/mtcars.csv"
local X, y = cars:select { "wt", "hp", "qsec" }, cars.mpg

describe("the summary of penalised weights", function()
   for _, name in ipairs { "AdaptiveLasso", "ElasticNet", "ElasticNetCV", "GroupLasso", "Lars", "Lasso", "LassoCV",
      "LassoLars", "LogisticRegression", "LogisticRegressionCV", "MultiTaskElasticNet", "MultiTaskLasso", "Ridge",
      "RidgeCV", "ScaledLasso" } do
      it("is there: " .. name, function()
         local classifies = name:find "^Logistic"
         local model = ml[name] {}:fit(X, classifies and cars.am or y)
         local summary = model:summary()
         assert.same({ "(Intercept)", "wt", "hp", "qsec" }, summary.coefficients.term:totable())
         local constant = type(model.intercept) == "number" and model.intercept or model.intercept[1]
         assert.equal(constant, summary.coefficients.estimate[1])
         local nonzero = 0
         for j = 1, 3 do
            local weight = classifies and model.coef[1][j] or model.coef[j]
            assert.equal(weight, summary.coefficients.estimate[j + 1])
            nonzero = nonzero + (weight ~= 0 and 1 or 0)
         end
         assert.equal(nonzero, summary.nonzero)
         assert.matches("no standard errors and p%-values", tostring(summary))
         assert.matches(classifies and "ml.GLM" or "ml.LinearRegression", tostring(summary), nil, true)
      end)
   end

   -- What the text says beside the weights, and for whom.
   local others = {
      PoissonRegressor = "ml.GLM of the same family", GammaRegressor = "ml.GLM of the same family",
      TweedieRegressor = "ml.GLM of the same family", LinearModelRegressor = "ml.LinearRegression has them",
      LinearModelClassifier = "ml.GLM{ family = 'binomial' }", SGDRegressor = "steps may end before",
      SGDClassifier = "steps may end before", Perceptron = "steps may end before",
      PassiveAggressiveClassifier = "steps may end before", PassiveAggressiveRegressor = "steps may end before",
      QuantileRegressor = "how dense the errors are", TheilSenRegressor = "how dense the errors are",
   }
   for name, what in pairs(others) do
      it("is there: " .. name, function()
         local Z = ml.StandardScaler {}:fit(X):transform(X)
         local classifies = name:find "Classifier$" or name == "Perceptron"
         local model = ml[name] {}:fit(Z, classifies and cars.am or y)
         local summary = model:summary()
         assert.same({ "(Intercept)", "wt", "hp", "qsec" }, summary.coefficients.term:totable())
         for j = 1, 3 do
            assert.equal(classifies and model.coef[1][j] or model.coef[j], summary.coefficients.estimate[j + 1])
         end
         assert.equal(classifies and model.intercept[1] or model.intercept, summary.coefficients.estimate[1])
         assert.matches("no standard errors and p-values", tostring(summary), nil, true)
         assert.matches(what, tostring(summary), nil, true)
      end)
   end

   it("has no constant where the model has none", function()
      for _, name in ipairs { "Lasso", "LinearModelRegressor", "PoissonRegressor", "QuantileRegressor" } do
         local model = ml[name] { fit_intercept = false, alpha = 0.01 }:fit(X, y)
         local weights = model:summary().coefficients
         assert.same({ "wt", "hp", "qsec" }, weights.term:totable())
         assert.equal(model.coef[3], weights.estimate[3])
         assert.is_nil(tostring(model:summary()):find("Intercept", 1, true))
      end
   end)

   it("is of one class, or one target, at a time", function()
      local P, species = ml.read_csv "examples/data/iris.csv":split "species"
      local model = ml.LogisticRegression {}:fit(P, species)
      local third = model:summary { target = 3 }.coefficients
      assert.equal(model.intercept[3], third.estimate[1])
      assert.equal(model.coef[3][4], third.estimate[5])
      refuses("LogisticRegression: target must be from 1 to 3, got 4", function() model:summary { target = 4 } end)
   end)
end)
