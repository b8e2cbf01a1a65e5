local ml = require "manilius"
local common = require "spec.ensemble.common"
local fixture = require("spec.fixtures.ensemble.ensembles").stacking
local support = require "spec.support"

local few, refuses = common.every_eleventh, support.refuses

local X, y = common.mixed_iris()
local Xc, yc = support.data("breast_cancer", "diagnosis")
local Xd, yd = support.data("diabetes", "progression")

local function classifiers(settings)
   settings.estimators = { { "nb", ml.GaussianNB {} }, { "lda", ml.LinearDiscriminantAnalysis {} },
      { "knn", ml.KNeighborsClassifier { n_neighbors = 7 } } }
   settings.final_estimator = settings.final_estimator or ml.LogisticRegression { C = 1, tol = 1e-14, max_iter = 1000 }
   settings.cv = settings.cv or ml.KFold { k = 5 }
   return ml.StackingClassifier(settings)
end

local function regressors(settings)
   settings.estimators = { { "ols", ml.LinearRegression {} }, { "ridge", ml.Ridge { alpha = 2 } },
      { "knn", ml.KNeighborsRegressor { n_neighbors = 7 } } }
   settings.cv = settings.cv or ml.KFold { k = 5 }
   return ml.StackingRegressor(settings)
end

local function plain(model)
   return { name = "Plain", clone = function() return plain(model:clone()) end,
      fit = function(self, ...) model:fit(...) return self end,
      predict = function(_, ...) return model:predict(...) end,
      predict_proba = model:can "predict_proba" and function(_, ...) return model:predict_proba(...) end or nil }
end

describe("StackingClassifier", function()
   for name, settings in pairs { proba = {}, passthrough = { passthrough = true }, binary = {},
      labels = { stack_method = "predict" } } do
      it("agrees with scikit-learn: " .. name, function()
         local data, label = X, y
         if name == "binary" then data, label = Xc, yc end
         local wanted = fixture[name]
         local stack = classifiers(settings):fit(data, label)
         support.near_rows(wanted.transformed, ml.Matrix(stack:transform(few(data))):totable(), 1e-9, "level 1", 1)
         support.near_rows(wanted.proba, stack:predict_proba(few(data)):totable(), 1e-6, "proba", 1)
         support.near(wanted.score, stack:score(data, label), 1e-12)
         local coef = stack.final_estimator.coef:totable()
         if #coef == 1 then support.near_all(wanted.coef[1], coef[1], 1e-5, "coef", 1) end
      end)
   end

   it("has stack_methods and names of the columns", function()
      local stack = ml.StackingClassifier { { "nb", ml.GaussianNB {} }, { "near", ml.NearestCentroid {} },
         cv = 3 }:fit(X, y)
      assert.equal("predict_proba", stack.stack_methods[1])
      assert.equal(stack.near:can "decision_function" and "decision_function" or "predict", stack.stack_methods[2])
      assert.equal("nb__setosa", stack:output_names()[1])
      assert.same(stack:output_names(), stack:transform(X).names)
      stack = ml.StackingClassifier { { "nb", ml.GaussianNB {} }, cv = 3, passthrough = true }:fit(X, y)
      assert.same({ "nb__setosa", "nb__versicolor", "nb__virginica", "sepal_length" },
         table.move(stack:output_names(), 1, 4, 1, {}))
      assert.same(stack:output_names(), stack:transform(X).names)
   end)

   it("is bit-identical for members in Lua or C and any number of threads", function()
      local core = { ml.LogisticRegression {}, ml.DecisionTreeClassifier { max_depth = 2 }, cv = 3 }
      local lua = { plain(core[1]), core[2], cv = 3 }
      local wanted = ml.StackingClassifier(lua):fit(X, y):predict_proba(X)
      assert.equal(wanted, ml.StackingClassifier(core):fit(X, y):predict_proba(X))
      support.same_for_any_threads(function() return ml.StackingClassifier(core):fit(X, y) end)
   end)

   it("supports a final model in Lua and nested settings", function()
      local stack = classifiers { final_estimator = plain(ml.GaussianNB {}) }:fit(X, y)
      assert.is_true(stack:score(X, y) > 0.95)
      stack = classifiers {}:set_params { final_estimator__C = 9, knn = "drop" }
      assert.equal(9, stack:get_params().final_estimator__C)
      assert.equal(2, #stack:fit(X, y).estimators)
      assert.is_true(stack.final_estimator.fitted)
      assert.is_false(stack:clone().final_estimator.fitted)
   end)

   it("names the model that fails, and is unchanged afterwards", function()
      local stack = classifiers {}:fit(X, y)
      local before = stack:dump()
      stack:set_params { knn__n_neighbors = 140 }
      refuses("StackingClassifier: member 'knn': KNeighborsClassifier: ", function() stack:fit(X, y) end)
      stack:set_params { knn__n_neighbors = 7 }
      assert.equal(#before, #stack:fit(X, y):dump())
      refuses("StackingClassifier: member 'final_estimator': ", function()
         classifiers { final_estimator = ml.KNeighborsClassifier { n_neighbors = 1000 } }:fit(X, y)
      end)
   end)

   it("refuses invalid settings", function()
      refuses("stack_method must be auto, predict_proba, decision_function or predict, got \"predct\"; did you mean "
         .. "'predict'", function() classifiers { stack_method = "predct" } end)
      refuses("stack_method = \"predict_proba\", but 'near', NearestCentroid, does not have it", function()
         ml.StackingClassifier { { "near", ml.NearestCentroid {} }, stack_method = "predict_proba" }
      end)
      refuses("final_estimator must classify, got Ridge", function()
         ml.StackingClassifier { ml.GaussianNB {}, final_estimator = ml.Ridge {} }
      end)
      refuses("cv must test each row once, but row ", function()
         classifiers { cv = ml.ShuffleSplit { n = 2 } }:fit(X, y)
      end)
      refuses("cv must be a whole number >= 2, a splitter or a list of splits, got 1", function()
         ml.StackingClassifier { ml.GaussianNB {}, cv = 1 }
      end)
      refuses("StackingClassifier has no parameter 'passtrough'; did you mean 'passthrough'", function()
         ml.StackingClassifier { ml.GaussianNB {}, passtrough = true }
      end)
   end)

   it("keeps groups together", function()
      local groups = {}
      for i = 1, X.rows do groups[i] = i % 10 end
      local stack = ml.StackingClassifier { ml.GaussianNB {}, cv = 5 }:fit(X, y, { groups = groups })
      assert.is_true(stack:score(X, y) > 0.9)
   end)

   it("is saved, loaded and printed, and calls on_iter", function()
      local seen = {}
      local stack = classifiers { passthrough = true, cv = 5 }
      stack:fit(X, y, { on_iter = function(state) seen[#seen + 1] = state.done end })
      assert.equal(18, seen[#seen])
      local again = ml.load(stack:dump())
      assert.equal(stack:predict_proba(X), again:predict_proba(X))
      assert.is_true(stack:dump() == again:dump())
      assert.matches("\n  final_estimator  LogisticRegression", tostring(stack))
      refuses("cancelled by the progress function", function()
         stack:fit(X, y, { on_iter = function() return "cancel" end })
      end)
   end)
end)

describe("StackingRegressor", function()
   for name, settings in pairs { mean = { final_estimator = ml.LinearRegression {} }, mean_default = {},
      mean_passthrough = { final_estimator = ml.LinearRegression {}, passthrough = true } } do
      it("agrees with scikit-learn: " .. name, function()
         local stack = regressors(settings):fit(Xd, yd)
         support.near_all(fixture[name].predict, stack:predict(few(Xd)):totable(), 1e-6, "predict")
         support.near_all(fixture[name].coef, stack.final_estimator.coef:totable(), 1e-6, "coef", 1)
      end)
   end

   it("is exact if a member is, and passes sparse X through", function()
      local A = ml.Matrix { { 1, 0 }, { 0, 2 }, { 3, 0 }, { 0, 4 }, { 5, 1 }, { 2, 0 } }
      local b = A * ml.Vector { 2, -1 }:as_column()
      local stack = ml.StackingRegressor { ml.LinearRegression {}, cv = 3, passthrough = true,
         final_estimator = ml.LinearRegression {} }
      support.near_all(b:flatten():totable(), stack:fit(A, b:flatten()):predict(A):totable(), 1e-9, "predict", 1)
      stack = ml.StackingRegressor { ml.Ridge {}, cv = 3, passthrough = true, final_estimator = ml.Ridge {} }
      local dense = stack:clone():fit(A, b:flatten()):predict(A)
      support.near_all(dense:totable(), stack:fit(ml.Sparse(A), b:flatten()):predict(ml.Sparse(A)):totable(), 1e-6)
   end)
end)
