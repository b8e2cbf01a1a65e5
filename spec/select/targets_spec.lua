--- Jobs of evaluate.run with a target of their own.
local ml = require "manilius"
local core = require "manilius.core"
local evaluate = require "manilius.select.evaluate"
local metrics = require "manilius.metrics"

local X = ml.Matrix { { 1, 2 }, { 2, 1 }, { 3, 5 }, { 4, 3 }, { 5, 8 }, { 6, 1 } }
local first, second = ml.Vector { 1, 2, 3, 4, 5, 7 }, ml.Vector { 9, 1, 4, 2, 2, 8 }
local split = { train = core.range(1, 4), test = core.Vector { 5, 6 } }

local function run(path, threads)
   local scorer = { name = "r2", fn = metrics.r2, needs = "predict", greater = true }
   return evaluate.run { who = "spec", X = X, y = first, targets = { second }, models = { ml.Ridge {} },
      folds = { split }, jobs = { { 1, 1, keep = true }, { 1, 1, keep = true, target = 1 } }, scorers = { scorer },
      want = { predict = true }, path = path, threads = threads }
end

describe("jobs with targets", function()
   it("fit and score their own target, in the core and in Lua", function()
      for _, results in ipairs { run(), run("lua"), run(nil, 2) } do
         for i, y in ipairs { first, second } do
            local alone = ml.Ridge {}:fit(X:take(split.train), y:take(split.train))
            assert.equal(alone:predict(X:take(split.test)), results[i].test.predict)
            assert.equal(alone.coef, results[i].model.coef)
            assert.equal(metrics.r2(y:take(split.test), results[i].test.predict), results[i].scores.r2)
         end
      end
   end)

   it("refuse targets that do not fit", function()
      local options = { wants = { { predict = true } }, targets = { ml.Vector { 1, 2 } } }
      local plans, folds = { core.plan(ml.Ridge {}) }, { split }
      local function jobs(target)
         return function() core.run_jobs(plans, X, first, nil, folds, { { 1, 1, target = target } }, options) end
      end
      assert.has_error(jobs(1), "y must have as many rows as X, 6, got 2")
      options.targets = { second }
      assert.has_error(jobs(2), "job: target must be from 1 to 1, got 2")
   end)
end)
