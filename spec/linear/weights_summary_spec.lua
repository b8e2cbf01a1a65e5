--- summary() of linear models with a penalty: the weights, and why they have no standard errors.

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

   it("is of one class, or one target, at a time", function()
      local P, species = ml.read_csv "examples/data/iris.csv":split "species"
      local model = ml.LogisticRegression {}:fit(P, species)
      local third = model:summary { target = 3 }.coefficients
      assert.equal(model.intercept[3], third.estimate[1])
      assert.equal(model.coef[3][4], third.estimate[5])
      refuses("LogisticRegression: target must be from 1 to 3, got 4", function() model:summary { target = 4 } end)
   end)
end)
