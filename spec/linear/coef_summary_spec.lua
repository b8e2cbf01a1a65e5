--- summary() of linear models without standard errors: the coefficients, and why there are none.

local ml = require "manilius"
local refuses = dofile("spec/support.lua").refuses

local cars = ml.read_csv "examples/data/mtcars.csv"
local X, y = cars:select { "wt", "hp", "qsec" }, cars.mpg

describe("the summary of penalized coefficients", function()
   for _, name in ipairs { "AdaptiveLasso", "ElasticNet", "ElasticNetCV", "GroupLasso", "Lars", "Lasso", "LassoCV",
      "LassoLars", "LogisticRegression", "LogisticRegressionCV", "MultiTaskElasticNet", "MultiTaskLasso", "Ridge",
      "RidgeCV", "ScaledLasso" } do
      it("exists: " .. name, function()
         local classifies = name:find "^Logistic"
         local model = ml[name] {}:fit(X, classifies and cars.am or y)
         local summary = model:summary()
         assert.same({ "(Intercept)", "wt", "hp", "qsec" }, summary.coefficients.term:totable())
         local intercept = model.intercept
         assert.equal(intercept, summary.coefficients.estimate[1])
         local nonzero = 0
         for j = 1, 3 do
            local coef = model.coef[j]
            assert.equal(coef, summary.coefficients.estimate[j + 1])
            nonzero = nonzero + (coef ~= 0 and 1 or 0)
         end
         assert.equal(nonzero, summary.nonzero)
         assert.matches("no standard errors or p%-values", tostring(summary))
         local other = classifies and "ml.LogisticRegression{ penalty" or "ml.LinearRegression"
         assert.matches(other, tostring(summary), nil, true)
      end)
   end

   -- Part of the explanation that each of the other models prints.
   local others = {
      PoissonRegressor = "ml.GLM with the same family", GammaRegressor = "ml.GLM with the same family",
      TweedieRegressor = "ml.GLM with the same family",
      LinearModelRegressor = "ml.LinearRegression computes them",
      LinearModelClassifier = "ml.LogisticRegression{ penalty = 'none' }", SGDRegressor = "may stop before the minimum",
      SGDClassifier = "may stop before the minimum", Perceptron = "may stop before the minimum",
      PassiveAggressiveClassifier = "may stop before the minimum",
      PassiveAggressiveRegressor = "may stop before the minimum",
      TheilSenRegressor = "density of the errors",
   }
   for name, what in pairs(others) do
      it("exists: " .. name, function()
         local Z = ml.StandardScaler {}:fit(X):transform(X)
         local classifies = name:find "Classifier$" or name == "Perceptron"
         local model = ml[name] {}:fit(Z, classifies and cars.am or y)
         local summary = model:summary()
         assert.same({ "(Intercept)", "wt", "hp", "qsec" }, summary.coefficients.term:totable())
         for j = 1, 3 do
            assert.equal(model.coef[j], summary.coefficients.estimate[j + 1])
         end
         assert.equal(model.intercept, summary.coefficients.estimate[1])
         assert.matches("no standard errors or p-values", tostring(summary), nil, true)
         assert.matches(what, tostring(summary), nil, true)
      end)
   end

   it("gives the true reason without a penalty", function()
      local Z = ml.StandardScaler {}:fit(X):transform(X)
      for _, case in ipairs { { ml.Ridge { alpha = 0 }, X, y }, { ml.GammaRegressor { alpha = 0 }, X, y } } do
         local text = tostring(case[1]:fit(case[2], case[3]):summary())
         assert.is_nil(text:find "shrink", text)
         assert.matches("this estimator does not compute them", text, nil, true)
      end
      local text = tostring(ml.SGDRegressor { penalty = "none" }:fit(Z, y):summary())
      assert.is_nil(text:find "penalty", text)
   end)

   it("has no intercept row when the model has no intercept", function()
      for _, name in ipairs { "Lasso", "LinearModelRegressor", "PoissonRegressor", "QuantileRegressor" } do
         local model = ml[name] { fit_intercept = false, alpha = 0.01 }:fit(X, y)
         local coefs = model:summary().coefficients
         assert.same({ "wt", "hp", "qsec" }, coefs.term:totable())
         assert.equal(model.coef[3], coefs.estimate[3])
         assert.is_nil(tostring(model:summary()):find("Intercept", 1, true))
      end
   end)

   it("names the classes", function()
      local P, species = ml.read_csv "examples/data/iris.csv":split "species"
      for _, name in ipairs { "LogisticRegression", "LogisticRegressionCV", "SGDClassifier" } do
         local model = ml[name] {}:fit(P, species)
         local s = model:summary()
         assert.equal(15, #s.coefficients.term)
         for c, class in ipairs { "setosa", "versicolor", "virginica" } do
            for j = 1, 4 do
               local row = (c - 1) * 5 + j + 1
               assert.equal(class, s.coefficients.class[row])
               assert.equal(model.coef[c][j], s.coefficients.estimate[row])
            end
            assert.equal(model.intercept[c], s.coefficients.estimate[(c - 1) * 5 + 1])
         end
         assert.matches("Coefficients of each class:\n%s+setosa   versicolor    virginica\n%(Intercept%)", s.text)
         local third = model:summary { target = 3 }.text
         assert.matches("Coefficients of class virginica (target 3 of 3):", third, nil, true)
      end
      local two = ml.LogisticRegression {}:fit(X, ml.Factor(cars.am:eq(1):totable()))
      assert.matches("Coefficients of class 1 against 0:", two:summary().text, nil, true)
   end)

   it("describes one class or target at a time", function()
      local P, species = ml.read_csv "examples/data/iris.csv":split "species"
      local model = ml.LogisticRegression {}:fit(P, species)
      local third = model:summary { target = 3 }.coefficients
      assert.equal(model.intercept[3], third.estimate[1])
      assert.equal(model.coef[3][4], third.estimate[5])
      refuses("LogisticRegression: target must be from 1 to 3, got 4", function() model:summary { target = 4 } end)
   end)
end)
