-- Paths of models that were not fitted, and their plots.
local ml = require "manilius"
local support = require "spec.support"

local X, y = support.data("diabetes", "progression")

describe("path", function()
   for _, name in ipairs { "Lasso", "ElasticNet", "Lars", "LassoLars" } do
      it("does not require fit: " .. name, function()
         local unfitted = ml[name] {}
         local path = unfitted:path(X, y)
         local fitted = ml[name] {}:fit(X, y):path(X, y)
         support.near_all(fitted.alphas, path.alphas, 0)
         support.near_rows(fitted.coefs, path.coefs, 0)
         support.refuses("call fit before predict", unfitted.predict, unfitted, X)
         support.refuses("y must be given", unfitted.path, unfitted, X)
         support.refuses("must have as many rows", unfitted.path, unfitted, X, { 1, 2 })
      end)
   end

   it("is drawn by plot.coef_path, and so is a fitted Lars", function()
      local path = ml.Lasso {}:path(X, y)
      assert.matches("alpha", ml.plot.coef_path(path):svg())
      assert.matches("alpha", ml.plot.coef_path(path, { top = 3 }):svg())
      for _, name in ipairs { "Lars", "LassoLars" } do
         local model = ml[name] {}:fit(X, y)
         assert.matches("bmi", ml.plot.coef_path(model):svg())
         assert.matches("alpha", ml.plot.coef_path(model:path(X, y)):svg())
         local pipe = ml.Pipeline { ml.StandardScaler {}, ml[name] {} }:fit(X, y)
         assert.matches("Coefficient path", ml.plot.coef_path(pipe):svg())
      end
      support.refuses("must be given", ml.plot.coef_path, ml.Lasso {})
   end)

   it("of a model with a cross-validated penalty is drawn over its candidates, the chosen one marked", function()
      for name, param in pairs { LassoCV = "alpha", ElasticNetCV = "alpha", RidgeCV = "alpha",
         LogisticRegressionCV = "C" } do
         local target = param == "C" and y:gt(140) or y
         for step, model in ipairs { ml[name] {}, ml.Pipeline { ml.StandardScaler {}, ml[name] {} } } do
            support.refuses("model must be fitted, got an unfitted " .. name, ml.plot.coef_path, model, X, target)
            model:fit(X, target)
            support.refuses("X and y must be given, because the model is refitted", ml.plot.coef_path, model)
            local figure = ml.plot.coef_path(model, X, target)
            local last = step == 1 and model or model.models[2]
            assert.matches(("Vertical line: %s of the model, %.4g"):format(param, last[param]), figure.caption, 1, true)
            assert.matches("bmi", figure:svg())
            local grid = param == "C" and last.grid_C or name ~= "RidgeCV" and last.grid_alpha
            if grid then
               assert.equal(grid:min(), figure.panels[1].layers[2].x[1])
               assert.equal(grid:max(), figure.panels[1].layers[2].x[#grid])
            end
         end
      end
   end)
end)

describe("plot.cv", function()
   it("draws a result of ml.compare", function()
      local compared = ml.compare({ ols = ml.LinearRegression {}, ridge = ml.Ridge {} }, X, y, { cv = 3 })
      local drawn = ml.plot.cv(compared):svg()
      assert.matches("ridge", drawn)
      assert.matches("ols", drawn)
      assert.matches("r2", drawn)
   end)
end)
