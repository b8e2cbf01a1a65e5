local ml = require "manilius"
local support = require "spec.support"

local refuses = support.refuses_exactly

local iris = ml.read_csv "examples/data/iris.csv"
local X, y = iris:split "species"

describe("Pipeline", function()
   it("gives the same result as its steps applied in order", function()
      local pipe = ml.Pipeline { ml.StandardScaler {}, ml.PCA { n_components = 2 }, ml.LogisticRegression {} }
      assert.equal(pipe, pipe:fit(X, y))
      local scaler = ml.StandardScaler {}:fit(X)
      local Z = scaler:transform(X)
      local pca = ml.PCA { n_components = 2 }:fit(Z)
      local model = ml.LogisticRegression {}:fit(pca:transform(Z), y)
      assert.equal(model:predict(pca:transform(Z)), pipe:predict(X))
      assert.equal(model:predict_proba(pca:transform(Z)), pipe:predict_proba(X))
      assert.same({ "setosa", "versicolor", "virginica" }, pipe.classes)
      assert.equal(4, pipe.n_features)
      assert.equal(model:score(pca:transform(Z), y), pipe:score(X, y))
   end)

   it("names steps after their classes, numbered when they repeat", function()
      local pipe = ml.Pipeline { ml.StandardScaler {}, ml.PCA {}, { "last", ml.PCA {} } }
      assert.same({ "standardscaler", "pca-1", "last" }, pipe.names)
      assert.same({ "pca-1", "pca-2" }, ml.Pipeline { ml.PCA {}, ml.PCA {} }.names)
      assert.equal(pipe[1], pipe.standardscaler)
      assert.equal(pipe.steps.last, pipe[3])
   end)

   it("sets parameters of steps by step__name, on copies", function()
      local inner = ml.LogisticRegression { C = 1 }
      local pipe = ml.Pipeline { ml.StandardScaler {}, ml.Pipeline { { "model", inner } } }
      pipe:set_params { pipeline__model__C = 7, standardscaler__with_mean = false }
      assert.equal(7, pipe:get_params().pipeline__model__C)
      assert.equal(7, pipe.pipeline.model.C)
      assert.is_false(pipe:get_params().standardscaler__with_mean)
      assert.equal(1, inner.C)
      pipe:set_params { pipeline = ml.GaussianNB {} }
      assert.equal("GaussianNB", pipe[2].class)
      assert.equal("GaussianNB", pipe:clone()[2].class)
      refuses("Pipeline has no parameter 'standardscaller'; did you mean 'standardscaler'?",
         pipe.set_params, pipe, { standardscaller__with_mean = true })
      local search = ml.Pipeline { ml.StandardScaler {}, ml.LogisticRegression {} }
      for _, name in ipairs { "C", "logisticregression.C" } do
         refuses(("Pipeline has no parameter '%s'; did you mean 'logisticregression__C'?"):format(name),
            search.set_params, search, { [name] = 1 })
      end
      local formula = ml.Ridge { formula = "y ~ x" }
      refuses("FormulaModel has no parameter 'alpha'; did you mean 'model__alpha'?", formula.set_params, formula,
         { alpha = 1 })
      refuses("StandardScaler has no parameter 'with_men'; did you mean 'with_mean'?", pipe.set_params, pipe,
         { standardscaler__with_men = true })
   end)

   it("does not change the estimators it was made from", function()
      local scaler = ml.StandardScaler {}
      local pipe = ml.Pipeline { scaler, ml.LogisticRegression {} }:fit(X, y)
      assert.is_false(scaler.fitted)
      assert.is_true(pipe[1].fitted)
   end)

   it("is unchanged if fit fails in a step", function()
      local pipe = ml.Pipeline { ml.StandardScaler {}, ml.LogisticRegression {} }:fit(X, y)
      local before = pipe:predict_proba(X)
      refuses("LogisticRegression: y must have as many rows as X, 2, got 150", pipe.fit, pipe, { { 1 }, { 2 } }, y)
      assert.equal(before, pipe:predict_proba(X))
   end)

   it("passes weights to its last step, and step__weights to the named step", function()
      local w = {}
      for i = 1, 150 do w[i] = i % 3 end
      local Z = ml.StandardScaler {}:fit(X, nil, { weights = w }):transform(X)
      local pipe = ml.Pipeline { ml.StandardScaler {}, ml.LogisticRegression {} }
      pipe:fit(X, y, { weights = w, standardscaler__weights = w })
      assert.equal(ml.LogisticRegression {}:fit(Z, y, { weights = w }):predict_proba(Z), pipe:predict_proba(X))
      refuses("Pipeline has no part 'standardscale'; did you mean 'standardscaler'?", pipe.fit, pipe, X, y,
         { standardscale__weights = w })
   end)

   it("inverts its transformation", function()
      local pipe = ml.Pipeline { ml.StandardScaler {}, "passthrough", ml.PCA {} }:fit(X)
      local back = pipe:inverse_transform(pipe:transform(X))
      for j = 1, 4 do assert.near(X.columns[j][7], back:get(7, j), 1e-12) end
      assert.is_true(pipe:can "inverse_transform")
   end)

   it("predicts a named row", function()
      local pipe = ml.Pipeline { ml.StandardScaler {}, ml.LogisticRegression {} }:fit(X, y)
      assert.equal("setosa",
         pipe:predict({ petal_width = 0.2, sepal_length = 5.1, sepal_width = 3.5, petal_length = 1.4 })[1])
   end)

   it("prints its steps", function()
      local pipe = ml.Pipeline { ml.StandardScaler {}, ml.LogisticRegression { C = 10 } }
      assert.equal("Pipeline, not fitted\n  standardscaler      StandardScaler {}\n"
         .. "  logisticregression  LogisticRegression { C = 10 }", tostring(pipe))
   end)

   it("reports invalid arguments", function()
      refuses("Pipeline: must have at least one part, got none", ml.Pipeline, {})
      refuses("Pipeline: must have at least one part, got none; parts are listed as { name, estimator }: write "
         .. "{ \"scale\", ... } instead of scale = ...", ml.Pipeline, { scale = ml.StandardScaler {} })
      refuses("Pipeline: part 2 must be an estimator, { name, estimator } or \"passthrough\", got 3", ml.Pipeline,
         { ml.PCA {}, 3 })
      refuses("Pipeline: all steps but the last must have transform; step 1, LogisticRegression, does not", ml.Pipeline,
         { ml.LogisticRegression {}, ml.PCA {} })
      refuses("Pipeline: parts 1 and 2 are both named 'a'", ml.Pipeline, { { "a", ml.PCA {} }, { "a", ml.PCA {} } })
      refuses("Pipeline: the name of part 1 must be a string without '__', got 'a__b'", ml.Pipeline,
         { { "a__b", ml.PCA {} } })
      refuses("Pipeline: call fit before predict", function() ml.Pipeline { ml.LogisticRegression {} }:predict(X) end)
      local pca = ml.Pipeline { ml.PCA {} }:fit(X)
      assert.is_false(pca:can "predict")
      assert.is_false(pcall(pca.predict, pca, X))
   end)
end)

describe("FeatureUnion", function()
   it("concatenates the outputs of its parts horizontally", function()
      local union = ml.FeatureUnion { ml.StandardScaler {}, { "two", ml.PCA { n_components = 2 } } }:fit(X)
      local out = union:transform(X)
      assert.same({ "standardscaler__sepal_length", "standardscaler__sepal_width", "standardscaler__petal_length",
         "standardscaler__petal_width", "two__pca1", "two__pca2" }, out.names)
      assert.same(out.names, union:output_names())
      assert.equal(ml.PCA { n_components = 2 }:fit(X):transform(X).pca2, out.two__pca2)
      local plain = union:clone():fit(ml.Matrix { { 1, 2 }, { 3, 5 }, { 4, 4 } }):transform { { 1, 2 }, { 3, 5 } }
      assert.equal(4, plain.cols)
   end)
end)

describe("TransformedTarget", function()
   local A, b = { { 0 }, { 1 }, { 2 } }, { 1, math.exp(1), math.exp(2) }

   it("fits the transformed target and inverts predictions", function()
      for _, model in ipairs {
         ml.TransformedTarget { regressor = ml.LinearRegression {}, func = "log" },
         ml.TransformedTarget { regressor = ml.LinearRegression {}, func = function(v) return v:log() end,
            inverse = function(v) return v:exp() end } } do
         model:fit(A, b)
         assert.near(math.exp(3), model:predict({ { 3 } })[1], 1e-9)
         assert.near(1, model.regressor.coef[1], 1e-12)
      end
   end)

   it("accepts a transformer, and can be saved", function()
      local model = ml.TransformedTarget { regressor = ml.LinearRegression {}, transformer = ml.StandardScaler {} }
      model:fit(A, { 10, 20, 30 })
      assert.near(50, model:predict({ { 4 } })[1], 1e-12)
      assert.equal(model:predict(A), ml.load(model:dump()):predict(A))
   end)

   it("reports invalid arguments", function()
      refuses("TransformedTarget: transformer and func must not both be given", ml.TransformedTarget,
         { ml.LinearRegression {}, func = "log", transformer = ml.StandardScaler {} })
      refuses("TransformedTarget: inverse requires func", ml.TransformedTarget,
         { ml.LinearRegression {}, inverse = math.exp })
      refuses("TransformedTarget: func must be log, log1p, sqrt or a function, got 'cbrt'", ml.TransformedTarget,
         { regressor = ml.LinearRegression {}, func = "cbrt" })
      local logarithm = ml.TransformedTarget { regressor = ml.LinearRegression {}, func = "log" }
      refuses('TransformedTarget: y must be where func = "log" gives a finite number, got -2 in row 3',
         function() logarithm:fit(A, { 1, 4, -2 }) end)
      refuses('TransformedTarget: y must be where func = "log" gives a finite number, got 0 in row 2',
         function() logarithm:fit(A, { { 1, 4 }, { 3, 0 }, { 1, 1 } }) end)
      refuses("LinearRegression: y must be finite, got nan in row 2; drop rows with a missing target",
         function() logarithm:fit(A, { 1, 0 / 0, 2 }) end)
   end)
end)

describe("on_iter of a pipeline", function()
   local function pipeline()
      return ml.Pipeline { ml.StandardScaler {}, ml.LogisticRegression {} }
   end

   it("counts steps, with the progress within the current one", function()
      local states = {}
      pipeline():fit(X, y, { on_iter = function(state) states[#states + 1] = state end })
      assert.equal(1, states[1].done)
      assert.is_nil(states[1].objective)
      assert.equal(2, states[#states].done)
      assert.is_true(#states > 3)
      for i, state in ipairs(states) do
         assert.equal(2, state.total)
         assert.is_true(state.elapsed >= 0 and state.done >= (i > 1 and states[i - 1].done or 0))
      end
      assert.is_number(states[2].objective)
   end)

   it("keeps the fitted pipeline at 'stop', and is unchanged at 'cancel'", function()
      local asked = 0
      local model = pipeline():fit(X, y, { on_iter = function()
         asked = asked + 1
         return "stop"
      end })
      assert.equal(1, asked)
      assert.is_true(model.fitted and not model[2].converged)
      local before = model:dump()
      local ok, message = pcall(model.fit, model, X, y, { on_iter = function(state)
         return state.done > 1 and "cancel" or nil
      end })
      assert.is_false(ok)
      assert.matches("cancelled by the progress function", message)
      assert.equal(before, model:dump())
   end)

   it("refuses other replies, and values that are not functions", function()
      support.refuses('on_iter must return nil, "stop" or "cancel", got true', function()
         pipeline():fit(X, y, { on_iter = function() return true end })
      end)
      support.refuses("Pipeline: on_iter must be a function, got number", function()
         pipeline():fit(X, y, { on_iter = 3 })
      end)
   end)
end)
