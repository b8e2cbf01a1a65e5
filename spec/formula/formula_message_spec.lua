--- Printing and error messages of models with a formula.
local ml = require "manilius"
local support = require "spec.support"

local function refuses(message, call)
   support.refuses((message:gsub("%p", "%%%0")), call)
end

describe("A model with a formula", function()
   local cars = ml.read_csv "examples/data/mtcars.csv"
   local model = ml.LinearRegression { formula = "mpg ~ wt + hp" }:fit(cars)

   it("says to call fit first", function()
      local unfitted = ml.LinearRegression { formula = "mpg ~ wt" }
      refuses("LinearRegression: call fit before summary", function() return unfitted:summary() end)
      refuses("LinearRegression: 'coef' is learned by fit; call fit first", function() return unfitted.coef end)
      refuses("FormulaModel has no 'sumary'", function() return unfitted.sumary end)
   end)

   it("prints whether it is fitted, and its coefficients", function()
      local text = tostring(model)
      assert.truthy(text:find('formula = "mpg ~ wt + hp" }, fitted: 2 features', 1, true))
      assert.truthy(text:find "wt +%-3%.877831")
      assert.truthy(tostring(model:clone()):find("not fitted", 1, true))
   end)

   it("takes options without rows, and names what is needed", function()
      refuses("LinearRegression: covariance 'HC3' requires X and y of fit before the options", function()
         return model:summary { covariance = "HC3" }
      end)
      assert.equal(model.model:summary({ level = 0.5 }).coefficients.low[1],
         model:summary({ level = 0.5 }).coefficients.low[1])
      refuses("GLM: anova requires the Frame of fit, as in model:anova(frame)", function()
         return ml.GLM { formula = "mpg ~ wt" }:fit(cars):anova()
      end)
      for _, call in ipairs { "fit", "summary", "score" } do
         refuses("y must be a list or nil, got a table with the key 'weights'; options are the third argument: "
            .. "(X, nil, options)", function() return model[call](model, cars, { weights = cars.wt }) end)
      end
   end)

   it("points to offset() for an offset that the formula lacks", function()
      refuses("GLM: offset = 'hp' names a column that is not in the formula; write offset(hp) in the formula instead",
         function() ml.GLM { formula = "mpg ~ wt", offset = "hp" }:fit(cars) end)
      ml.GLM { formula = "mpg ~ wt + hp", offset = "hp" }:fit(cars)
   end)

   it("is plotted under the name of its estimator, with intervals", function()
      local plain = ml.LinearRegression {}:fit(cars:select { "wt", "hp" }, cars.mpg)
      assert.equal(ml.plot.coefficients(plain):svg(), ml.plot.coefficients(model):svg())
      assert.truthy(ml.plot.residuals(model, cars):svg():find("Residuals of LinearRegression", 1, true))
   end)

   it("is plotted against its only column of a wide Frame, also with y", function()
      local line = ml.LinearRegression { formula = "mpg ~ wt" }:fit(cars)
      assert.equal(ml.plot.fit(line, cars):svg(), ml.plot.fit(line, cars, cars.mpg):svg())
   end)

   it("is reported on with the columns of the formula only", function()
      local options = { date = "today", pictures = false }
      local report = ml.report(model, cars, nil, options)
      assert.same({ "hp", "wt" }, (function()
         local names = report.importance.table.feature:totable()
         table.sort(names)
         return names
      end)())
      for _, warning in ipairs(report.warnings) do assert.falsy(warning:find("determines the target", 1, true)) end
      assert.equal("Report on LinearRegression", report.title)
      assert.truthy(report.html:find("hp", 1, true))
      assert.equal("LinearRegression", ml.cross_validate(model, cars).model)
      options.test = { cars }
      assert.equal(model:score(cars), ml.report(model, cars, nil, options).scores[1].mean)
   end)

   it("is found as a step of a pipeline", function()
      local pipe = ml.Pipeline { ml.StandardScaler {}, ml.LinearRegression {} }:fit(cars:select { "wt" }, cars.mpg)
      refuses("Pipeline has no 'summary'; its step has: pipeline.linearregression:summary",
         function() return pipe:summary() end)
      refuses("Pipeline has no 'coef'; its step has: pipeline.linearregression.coef", function() return pipe.coef end)
   end)
end)
