--- Folds of precomputed kernels and distances: the training rows also select the columns.

local ml = require "manilius"
local support = require "spec.support"

local iris = ml.read_csv "examples/data/iris.csv"
local X, y = iris:split "species"
X = X:matrix()
local gram, distances = ml.kernel.RBF { length = math.sqrt(2.5) }:matrix(X), ml.pairwise_distances(X)
local cv = ml.StratifiedKFold { k = 4, seed = 1 }

local cases = {
   { "SVC", ml.SVC { kernel = "rbf", gamma = 0.2 }, ml.SVC { kernel = "precomputed" }, gram },
   { "KNeighborsClassifier", ml.KNeighborsClassifier {},
      ml.KNeighborsClassifier { metric = "precomputed" }, distances },
   { "Pipeline", ml.SVC { kernel = "rbf", gamma = 0.2 }, ml.Pipeline { ml.SVC { kernel = "precomputed" } }, gram },
   { "kernel PCA",
      ml.Pipeline { ml.KernelPCA { kernel = "rbf", gamma = 0.2, n_components = 3 }, ml.GaussianNB {} },
      ml.Pipeline { "passthrough", ml.KernelPCA { kernel = "precomputed", n_components = 3 }, ml.GaussianNB {} },
      gram },
}

local function scores(model, data, options)
   options.cv, options.scoring = cv, { "accuracy", "log_loss" }
   if not model:can "predict_proba" then options.scoring = "accuracy" end
   local result = ml.cross_validate(model, data, y, options)
   return result.scores:select(result.metrics):matrix()
end

describe("precomputed kernels and distances", function()
   it("give the scores of rows of features in every fold, in threads and in Lua", function()
      local weights = {}
      for i = 1, #y do weights[i] = i % 7 == 0 and 0 or 1 + i % 3 end
      for _, case in ipairs(cases) do
         for _, path in ipairs { "core", "lua" } do
            for _, w in ipairs { false, case[1] ~= "KNeighborsClassifier" and case[1] ~= "kernel PCA" and weights } do
               local options = { path = path == "lua" and path or nil, weights = w or nil }
               local wanted = scores(case[2], X, options)
               local got = scores(case[3], case[4], options)
               support.near_rows(wanted, got, 1e-6, case[1], 1)
            end
         end
      end
   end)

   it("work in cross_val_predict, searches, searches within folds, and Frames", function()
      local direct, indirect = ml.SVC { kernel = "rbf", gamma = 0.2 }, ml.SVC { kernel = "precomputed" }
      local function predicted(model, data) return ml.cross_val_predict(model, data, y, { cv = cv }) end
      assert.equal(tostring(predicted(direct, X)), tostring(predicted(indirect, gram)))
      local function search(model) return ml.GridSearch { model, { C = { 0.01, 1 } }, cv = cv } end
      local one, two = search(direct):fit(X, y), search(indirect):fit(gram, y)
      support.near(one.best_score, two.best_score, 1e-12)
      assert.equal(tostring(one:predict(X)), tostring(two:predict(gram)))
      assert.equal(tostring(predicted(search(direct), X)), tostring(predicted(search(indirect), gram)))
      local columns = {}
      for j = 1, gram.cols do columns[j] = { "row" .. j, gram:col(j):copy() } end
      assert.equal(tostring(predicted(indirect, gram)), tostring(predicted(indirect, ml.Frame(columns))))
   end)

   it("must be square, and are refused by ensembles that draw rows", function()
      local indirect = ml.SVC { kernel = "precomputed" }
      for _, path in ipairs { "core", "lua" } do
         support.refuses("SVC: subsets of precomputed values require a square X, a row and a column for each sample, "
            .. "got 150 x 4", function()
               ml.cross_validate(indirect, X, y, { path = path == "lua" and path or nil })
            end)
      end
      support.refuses("BaggingClassifier: estimator must not use precomputed values",
         function() ml.BaggingClassifier { indirect }:fit(gram, y) end)
      support.refuses("RANSACRegressor: estimator must not use precomputed values",
         function() ml.RANSACRegressor { ml.KernelRidge { kernel = "precomputed" } }:fit(gram, X:col(1)) end)
   end)
end)
