--- Scores of models that estimate a probability of success from labels or counts.
local ml = require "manilius"
local core = require "manilius.core"
local support = require "spec.support"

describe("a GLM of family binomial", function()
   local X = core.normal(120, 2, 1)
   local noise, labels, numbers, counts = core.normal(120, nil, 2), {}, {}, {}
   for i = 1, 120 do
      local won = X:get(i, 1) + noise[i] > 0
      labels[i], numbers[i] = won and "yes" or "no", won and 1 or 0
      counts[i] = { won and i % 4 + 1 or 1, won and 0 or 2 }
   end
   local glm = ml.GLM { family = "binomial" }
   local logistic = ml.LogisticRegression { C = 1e12 }
   local by_labels = glm:clone():fit(X, labels)

   it("is scored on labels like LogisticRegression", function()
      local same = logistic:clone():fit(X, labels)
      assert.equal(same:score(X, labels), by_labels:score(X, labels))
      for _, name in ipairs { "accuracy", "f1_macro", "roc_auc", "log_loss", "brier", "mcc" } do
         assert.near(same:score(X, labels, { scoring = name }), by_labels:score(X, labels, { scoring = name }), 1e-6,
            name)
      end
   end)

   it("is cross-validated on labels, in the core and in Lua, alone, in a Pipeline and by a formula", function()
      local options = { cv = 4, scoring = { "accuracy", "roc_auc" } }
      local wanted = ml.cross_validate(logistic, X, labels, options)
      for _, model in ipairs { glm, ml.Pipeline { ml.StandardScaler {}, glm } } do
         for _, path in ipairs { "core", "lua" } do
            options.path = path == "lua" and path or nil
            local got = ml.cross_validate(model, X, labels, options)
            assert.near(wanted.mean.accuracy, got.mean.accuracy, 1e-12)
            assert.near(wanted.mean.roc_auc, got.mean.roc_auc, 1e-6)
         end
      end
      local frame = ml.Frame { { "a", X:col(1):copy() }, { "b", X:col(2):copy() }, { "won", ml.Factor(labels) } }
      local formula = ml.GLM { family = "binomial", formula = "won ~ a + b" }
      assert.near(wanted.mean.accuracy, ml.cross_validate(formula, frame, nil, { cv = 4 }).mean.accuracy, 1e-12)
      assert.equal(by_labels:score(X, labels), formula:fit(frame):score(frame))
   end)

   it("is searched and compared by accuracy, also for permutation importance", function()
      local search = ml.GridSearch { glm, { alpha = { 0, 1000 } }, cv = 4 }:fit(X, labels)
      assert.equal(0, search.best_params.alpha)
      assert.same({ "accuracy" }, ml.compare({ glm, logistic }, X, labels, { cv = 4 }).metrics)
      local importance = ml.permutation_importance(by_labels, X, labels)
      assert.equal("accuracy", importance.scoring)
      assert.is_true(importance.importance[1] > 0.2)
   end)

   it("is scored by r2 on numbers, and on counts as proportions weighted by trials", function()
      local model = glm:clone():fit(X, numbers)
      assert.equal(ml.metrics.r2(numbers, model:predict(X)), model:score(X, numbers))
      local counted = glm:clone():fit(X, counts)
      local share, trials = {}, {}
      for i, row in ipairs(counts) do
         trials[i] = row[1] + row[2]
         share[i] = row[1] / trials[i]
      end
      assert.near(ml.metrics.r2(share, counted:predict(X), { weights = trials }), counted:score(X, counts), 1e-12)
      assert.equal("r2", ml.cross_validate(glm, X, counts, { cv = 4 }).metrics[1])
   end)

   it("is distinguished from regressors of numbers", function()
      local ridge = ml.Ridge {}:fit(X, numbers)
      support.refuses("Ridge: y must be numeric, as in fit, got labels", function() ridge:score(X, labels) end)
   end)
end)
