-- What searches, curves and scores check and accept at construction.
local ml = require "manilius"
local support = require "spec.support"

local near, refuses = support.near, support.refuses

local iris = ml.read_csv "examples/data/iris.csv"
local flowers, species = iris:split "species"
local breast, diagnosis = support.data("breast_cancer", "diagnosis")
breast = ml.StandardScaler {}:fit(breast):transform(breast)

describe("HalvingGridSearch", function()
   it("gives rank 1 to the best, whatever candidates scored on fewer rows", function()
      for seed = 0, 4 do
         local search = ml.HalvingGridSearch { ml.KNeighborsClassifier {}, { n_neighbors = { 1, 3, 5, 9, 15, 25 } },
            min_rows = 20, seed = seed, cv = ml.StratifiedKFold { k = 3, seed = seed } }:fit(flowers, species)
         local results = search.results
         assert.equal(1, results.rank[search.best_index])
         for i = 1, results.rows do
            for j = 1, results.rows do
               if results.round[i] > results.round[j] then assert(results.rank[i] < results.rank[j]) end
            end
         end
      end
   end)
end)

describe("a search", function()
   it("checks cv and the grid at construction", function()
      for _, name in ipairs { "GridSearch", "HalvingGridSearch" } do
         local new = ml[name]
         refuses("Ridge has no parameter 'alpa'; did you mean 'alpha'", new, { ml.Ridge {}, { alpa = { 1, 2 } } })
         refuses("alpha must be", new, { ml.Ridge {}, { alpha = { 1, -2 } } })
         refuses(name .. " has no parameter 'estimator'; did you mean 'model'?", new, { estimator = ml.Ridge {} })
         refuses(name .. " has no parameter 'flavor'; write " .. name .. " { model, grid, ", new,
            { ml.Ridge {}, { alpha = { 1 } }, flavor = 1 })
         refuses("no parameter 'alpa'", new, { ml.Ridge {}, { { alpha = { 1 } }, { alpa = { 1 } } } })
         refuses("the values of alpha must be a non%-empty list", new, { ml.Ridge {}, { alpha = 3 } })
         refuses("cv must be a number of folds, a splitter or a list of splits, got", new,
            { ml.Ridge {}, { alpha = { 1 } }, cv = "5" })
         refuses("cv must be", new, { ml.Ridge {}, { alpha = { 1 } }, cv = 2.5 })
         refuses("cv must be", new, { ml.Ridge {}, { alpha = { 1 } }, cv = ml.Ridge {} })
      end
      refuses("Ridge has no parameter 'alpa'", ml.RandomSearch, { ml.Ridge {}, { alpa = { "uniform", 0, 1 } } })
      refuses("cv must be", ml.RandomSearch, { ml.Ridge {}, { alpha = { 1 } }, cv = {} })
      local pipe = ml.Pipeline { ml.StandardScaler {}, ml.Ridge {} }
      refuses("no parameter", ml.GridSearch, { pipe, { ridge__alpa = { 1 } } })
      assert(ml.GridSearch { pipe, { ridge__alpha = { 1 } }, cv = ml.KFold { k = 3 } })
      assert(ml.GridSearch { pipe, { ridge__alpha = { 1 } }, cv = ml.KFold { k = 3 }:split(10) })
   end)
end)

describe("learning_curve", function()
   it("takes sorted labels in proportion", function()
      for _, seed in ipairs { false, 1 } do
         local curve = ml.learning_curve(ml.LogisticRegression { max_iter = 500 }, flowers, species,
            { cv = ml.StratifiedKFold { k = 5, seed = 3 }, seed = seed or nil, sizes = { 0.1, 0.5, 1.0 } })
         assert(curve.test_mean[1] > 0.7 and curve.test_mean[3] > 0.9)
      end
   end)

   it("keeps the order if the first rows contain all classes", function()
      local order = ml.Vector(150)
      for i = 1, 150 do order[i] = (i - 1) % 3 * 50 + (i - 1) // 3 + 1 end
      local X, y = flowers:take(order), species:take(order)
      local model = ml.KNeighborsClassifier { n_neighbors = 1 }
      local splits = ml.KFold { k = 3 }:split(150)
      local curve = ml.learning_curve(model, X, y, { cv = splits, sizes = { 30 } })
      local sum = 0
      for _, split in ipairs(splits) do
         local rows = split.train:take(ml.range(1, 30))
         sum = sum + model:fit(X:take(rows), y:take(rows)):score(X:take(split.test), y:take(split.test))
      end
      near(sum / 3, curve.test_mean[1], 1e-12)
   end)
end)

describe("scoring with a positive class", function()
   local model = ml.LogisticRegression { C = 0.01 }
   local cv = ml.StratifiedKFold { k = 3, seed = 1 }
   local labels = ml.Factor(diagnosis).levels
   local splits = cv:split(breast, diagnosis)

   it("equals the metric with that class", function()
      for _, positive in ipairs(labels) do
         local other = positive == labels[1] and labels[2] or labels[1]
         local got = ml.cross_validate(model, breast, diagnosis,
            { cv = cv, scoring = { "precision", "recall", "roc_auc", "average_precision", positive = positive } })
         local sums = { 0, 0, 0, 0 }
         for _, split in ipairs(splits) do
            local fitted = model:clone():fit(breast:take(split.train), diagnosis:take(split.train))
            local X, y = breast:take(split.test), diagnosis:take(split.test)
            local p, f = fitted:predict(X), fitted:decision_function(X)
            if positive == labels[1] then f = -f end
            local o = { positive = positive, labels = { other, positive } }
            sums[1] = sums[1] + ml.metrics.precision(y, p, { positive = positive }) / 3
            sums[2] = sums[2] + ml.metrics.recall(y, p, { positive = positive }) / 3
            sums[3] = sums[3] + ml.metrics.roc_auc(y, f, o) / 3
            sums[4] = sums[4] + ml.metrics.average_precision(y, f, o) / 3
         end
         for i, name in ipairs { "precision", "recall", "roc_auc", "average_precision" } do
            near(sums[i], got.mean[name], 1e-12, name)
         end
      end
      local first = ml.cross_validate(model, breast, diagnosis, { cv = cv, scoring = { "f1", positive = labels[1] } })
      local second = ml.cross_validate(model, breast, diagnosis, { cv = cv, scoring = "f1" })
      assert(math.abs(first.mean.f1 - second.mean.f1) > 1e-6)
   end)

   it("works in searches, score and with own names", function()
      local search = ml.GridSearch { model, { C = { 0.01, 1 } }, cv = cv,
         scoring = { "recall", positive = labels[1] } }:fit(breast, diagnosis)
      near(ml.metrics.recall(diagnosis, search:predict(breast), { positive = labels[1] }),
         search:score(breast, diagnosis), 1e-12)
      local fitted = model:clone():fit(breast, diagnosis)
      near(ml.metrics.recall(diagnosis, fitted:predict(breast), { positive = labels[1] }),
         fitted:score(breast, diagnosis, { scoring = { "recall", positive = labels[1] } }), 1e-12)
      local mine = ml.cross_validate(model, breast, diagnosis,
         { cv = cv, scoring = { mine = "recall", positive = labels[1] } })
      assert(mine.mean.mine > 0)
   end)

   it("applies to the scores of one class in a list, and alone to one entry", function()
      local function mean(scoring)
         return ml.cross_validate(model, breast, diagnosis, { cv = cv, scoring = scoring }).mean
      end
      local wanted = mean { "f1", positive = labels[1] }.f1
      local shared = mean { "balanced_accuracy", "f1", positive = labels[1] }
      local own = mean { "balanced_accuracy", { "f1", positive = labels[1] } }
      near(wanted, shared.f1, 0)
      near(wanted, own.f1, 0)
      near(mean("balanced_accuracy").balanced_accuracy, shared.balanced_accuracy, 0)
      near(mean("f1").f1, mean({ { "f1", positive = labels[1] }, other = "f1" }).other, 0)
   end)

   it("refuses scores that have none, and unknown labels", function()
      refuses("got 'accuracy', 'log_loss'", ml.cross_validate, model, breast, diagnosis,
         { scoring = { "accuracy", "log_loss", positive = labels[1] } })
      refuses("positive is for scores of one class, .* got 'accuracy'", ml.cross_validate, model, breast, diagnosis,
         { scoring = { "f1", { "accuracy", positive = labels[1] } } })
      refuses("positive is for scores of one class, .* got 'accuracy'", ml.cross_validate, model, breast, diagnosis,
         { scoring = { "accuracy", positive = labels[1] } })
      refuses("positive must be one of the labels", ml.cross_validate, model, breast, diagnosis,
         { scoring = { "f1", positive = "neither" } })
   end)
end)

describe("short forms", function()
   it("are accepted by TransformedTarget", function()
      local X, y = { { 1 }, { 2 }, { 3 }, { 4 } }, { 2.7, 7.4, 20, 55 }
      local short = ml.TransformedTarget { ml.Ridge {}, func = "log" }
      local long = ml.TransformedTarget { regressor = ml.Ridge {}, func = "log" }
      support.near_all(long:fit(X, y):predict(X), short:fit(X, y):predict(X), 0)
      local plain = ml.TransformedTarget { ml.Ridge {} }
      support.near_all(ml.Ridge {}:fit(X, y):predict(X), plain:fit(X, y):predict(X), 0)
      local search = ml.GridSearch { plain, { func = { "log", "sqrt" } }, cv = ml.KFold { k = 4 }, scoring = "mae" }
      assert.equal("log", search:fit(X, y).best_params.func)
   end)
end)

describe("roc_auc", function()
   it("of several classes is one-vs-rest by default", function()
      local P = ml.LogisticRegression {}:fit(flowers, species):predict_proba(flowers)
      near(ml.metrics.roc_auc(species, P, { multi_class = "ovr", average = "macro" }), ml.metrics.roc_auc(species, P),
         1e-15)
      refuses("max_fpr", ml.metrics.roc_auc, species, P, { max_fpr = 0.5, average = "macro" })
   end)
end)
