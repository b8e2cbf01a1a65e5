-- Parameters set after a fit wait for the next one; until then a fitted model acts by those of its fit.
local ml = require "manilius"
local support = require "spec.support"

local function quietly(f)
   local said = {}
   ml.warnings(function(message) said[#said + 1] = message end)
   local ok, result = pcall(f)
   ml.warnings "on"
   assert(ok, result)
   return said
end

describe("set_params of a fitted model", function()
   local X = { { 1, 2 }, { 2, 1 }, { 3, 5 }, { 4, 3 }, { 5, 7 } }
   local y = { 1.5, 2, 3.9, 4.1, 6 }

   it("shows the new parameters and keeps the fit", function()
      quietly(function()
         local model = ml.LinearRegression {}:fit(X, y)
         local summary, prediction = tostring(model:summary()), model:predict(X)
         model:set_params { fit_intercept = false }
         assert.is_false(model.fit_intercept)
         assert.is_false(model:get_params().fit_intercept)
         assert.is_false(model:clone().fit_intercept)
         assert.equal(prediction, model:predict(X))
         assert.equal(summary, tostring(model:summary()))
         assert.equal(ml.LinearRegression { fit_intercept = false }:fit(X, y):dump(), model:fit(X, y):dump())
      end)
   end)

   it("warns once, when the model is used before the next fit", function()
      local said = quietly(function()
         local model = ml.Ridge {}:fit(X, y)
         model:set_params { alpha = 3 }
         model:predict(X)
         model:predict(X)
         model:fit(X, y):predict(X)
         model:set_params { alpha = 4 }
         model:summary()
      end)
      local warning = "Ridge: set_params changed parameters after the fit; they take effect in the next fit"
      assert.same({ warning, warning }, said)
   end)

   it("is saved and loaded with both", function()
      quietly(function()
         local model = ml.PolynomialFeatures {}:fit(X):set_params { degree = 3 }
         local loaded = ml.load(model:dump())
         assert.equal(3, loaded.degree)
         assert.equal(6, loaded:transform(X).cols)
         assert.equal(model:dump(), loaded:dump())
         assert.equal(10, loaded:fit(X):transform(X).cols)
      end)
   end)

   it("applies to warm starts and partial_fit", function()
      quietly(function()
         local trees = ml.GradientBoostingRegressor { n_estimators = 3 }:fit(X, y)
         trees:set_params({ n_estimators = 7, warm_start = true }):fit(X, y)
         assert.equal(7, trees.n_iter)
         local model = ml.SGDRegressor { seed = 1 }:partial_fit(X, y)
         local same = model:clone():partial_fit(X, y)
         model:set_params({ alpha = 10 }):partial_fit(X, y)
         same:partial_fit(X, y)
         assert.is_false(model.coef == same.coef)
         assert.equal(10.0, model.alpha)
      end)
   end)

   it("keeps the width of every transformer", function()
      quietly(function()
         for _, case in ipairs { { ml.SplineTransformer {}, { degree = 1 } },
            { ml.KBinsDiscretizer { n_bins = 3, encode = "onehot" }, { encode = "ordinal" } },
            { ml.PCA {}, { n_components = 1 } }, { ml.HashingVectorizer {}, { n_columns = 8 }, { "a b", "b c" } } } do
            local model, rows = case[1], case[3] or X
            local want = model:fit(rows):transform(rows)
            assert.equal(want.cols, model:set_params(case[2]):transform(rows).cols)
         end
      end)
   end)

   it("refuses a wrong value and changes nothing", function()
      local model = ml.Ridge {}:fit(X, y)
      support.refuses("alpha", model.set_params, model, { alpha = -1 })
      assert.equal(1.0, model.alpha)
      assert.same({}, quietly(function() model:predict(X) end))
   end)
end)
