--- Completion at the prompt.
local ml = require "manilius"
local complete = require "manilius.prompt.complete"
local core = require "manilius.core"

local iris = ml.read_csv "examples/data/iris.csv"
local X = iris:drop "species"

local env = setmetatable({ ml = ml, iris = iris, model = ml.Ridge {}:fit(X, iris.sepal_length), text = "abc",
   iris_scaler = ml.StandardScaler {},
   scores = ml.cross_validate(ml.Ridge {}, X, iris.sepal_length), list = { { inner = 1 } },
   figure = ml.plot.scatter(iris, { x = "sepal_length", y = "sepal_width" }) }, { __index = _G })

local function candidates(code)
   return (complete.candidates(code, env))
end

local function offers(code, ...)
   local found = {}
   for _, name in ipairs(candidates(code)) do found[name] = true end
   for _, name in ipairs { ... } do assert(found[name], ("'%s' does not offer '%s'"):format(code, name)) end
end

describe("completion", function()
   it("offers members of the library and its modules", function()
      assert.same({ "Ridge", "RidgeCV" }, candidates "ml.Ri")
      assert.same({ "f1", "fbeta", "fowlkes_mallows", "fpr" }, candidates "print(ml.metrics.f")
      offers("x = ml.", "Frame", "read_csv", "plot")
      assert.same({ "scatter", "scree" }, candidates "ml.plot.sc")
   end)

   it("offers fields and methods of values, after a colon only methods", function()
      offers("model.", "alpha", "coef", "predict")
      offers("model:", "predict", "set_params")
      assert.same({}, candidates "model:alp")
      for _, name in ipairs { "export_xgboost", "fit_transform", "output_names" } do
         assert.same({}, candidates("model:" .. name))
      end
      offers("iris_scaler:", "fit_transform", "transform")
      offers("iris.", "species", "sepal_width", "select", "rows")
      offers("iris.sepal_width:", "mean", "quantile")
      offers("scores.", "mean", "folds")
      offers("figure:", "show", "save")
      assert.same({ "rep", "reverse" }, candidates "text:re")
      assert.same({ "inner" }, candidates "list[1].")
   end)

   it("offers methods of the result of a constructor, fit and read_csv without calling them", function()
      offers("ml.Ridge { alpha = 2 }:", "fit", "set_params")
      assert.same({ "predict" }, candidates "ml.Ridge { alpha = 2 }:fit(X, { 1, 2 }):pred")
      assert.same({ "split" }, candidates 'ml.read_csv("no/such/file.csv"):sp')
      assert.same({}, candidates "print(model):f")
      assert.same({}, candidates "undefined.field.x")
   end)

   it("offers nothing after a complete value", function()
      assert.same({}, candidates 'ml.LogisticRegression { penalty = "none"')
      assert.same({}, candidates "model:fit(X, y) ")
      assert.same({}, candidates "x = { 1 } ")
      assert.same({}, candidates "x = 1 ")
      offers("x = 1 fo", "for")
   end)

   it("offers parameters that are not given yet", function()
      assert.same({ "alpha = " }, candidates "ml.Ridge { al")
      assert.same({ "alpha = ", "fit_intercept = " }, candidates "model = ml.Ridge {")
      assert.same({ "fit_intercept = " }, candidates "ml.Ridge { alpha = 2, ")
      assert.same({ "alpha = " }, candidates "model:set_params { a")
      assert.same({ "alpha = " }, candidates "ml.GridSearch { ml.Ridge {}, { al")
      assert.same({ "scoring = " }, candidates "ml.cross_validate(model, X, y, { cv = 5, sc")
      assert.same({ "weights = " }, candidates "model:fit(X, y, { w")
      assert.same({ "class = " }, candidates "ml.plot.scatter(iris, { cl")
      assert.same({ "model" }, candidates "ml.Ridge { alpha = mod")
   end)

   it("offers columns, choices and files in strings", function()
      assert.same({ "petal_length", "petal_width" }, candidates 'iris:select { "species", "pet')
      assert.same({ "species" }, candidates 'iris["sp')
      assert.same({ "petal_width" }, candidates 'ml.LinearRegression { formula = "sepal_width ~ petal_w')
      assert.same({ "saga" }, candidates 'ml.LogisticRegression { solver = "sa')
      assert.same({ 'examples/data/iris.csv"' }, candidates 'ml.read_csv "examples/data/iri')
      assert.same({ "examples/data/iris.csv'" }, candidates "ml.read_csv('examples/data/iri")
      assert.same({ "examples/data/" }, candidates 'ml.read_csv "examples/dat')
      assert.same({}, candidates "-- ml.Ri")
   end)

   it("offers globals, keywords and names for help", function()
      assert.same({ "model" }, candidates "x = mod")
      assert.same({ "function" }, candidates "x = func")
      assert.same({ "Ridge", "RidgeCV" }, candidates "?Rid")
      assert.same({ "Ridge.alpha" }, candidates "? Ridge.al")
      assert.same({}, candidates "x = 12")
   end)

   it("ignores case if nothing matches otherwise", function()
      assert.same({ "Ridge", "RidgeCV" }, candidates "ml.ridge")
      assert.same({ 5, "Ridge", "Ridge    RidgeCV" }, { complete.edit("ml.ridge", env) })
   end)

   it("inserts what all candidates share, and shows them if there is nothing to insert", function()
      core.screen(30)
      assert.same({ 0, "pha = " }, { complete.edit("ml.Ridge { al", env) })
      assert.same({ 0, "al_" }, { complete.edit("iris.sep", env) })
      assert.same({ 0, "", "sepal_length  sepal_width" }, { complete.edit("iris.sepal_", env) })
      assert.same({}, { complete.edit("undefined.", env) })
      assert.same({ 0, "   " }, { complete.edit("for i = 1, 2 do\n", env) })
      local _, _, shown = complete.edit("ml.", env)
      assert.matches("%.%.%. %d+ more$", shown)
      core.screen(0)
   end)

   it("calls nothing and raises nothing, whatever the code is", function()
      local called = false
      local other = setmetatable({ f = function() called = true end, ml = ml }, { __index = _G })
      local code = [==[f():x ("a"): [[x]]. {}. a.b[c].d ) ] } f{1,2}. ml.Ridge{ml.Ridge( x="\" --[[ : . 1.. f"s":]==]
      for i = 0, #code do
         for j = i, math.min(#code, i + 20) do complete.edit(code:sub(i, j), other) end
      end
      assert.is_false(called)
   end)
end)
