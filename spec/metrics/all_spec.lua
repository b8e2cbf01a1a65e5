-- What holds for all metrics: help, scorers, memory.
local ml = require "manilius"
local common = require "spec.metrics.common"
local core = require "manilius.core"
local oracle = dofile "spec/fixtures/metrics/metrics.lua"
local support = require "spec.support"

local m = ml.metrics
local near, refuses = common.near, support.refuses

local labels, scores = oracle.labels.data, oracle.scores.data
local numbers, clusters, rankings = oracle.numbers.data, oracle.clusters.data, oracle.rankings.data

-- Arguments by their names in the metrics, and required options.
local OPTIONS = { precision_at_k = { k = 2 }, recall_at_k = { k = 2 }, adjusted_r2 = { features = 2 } }
local RATIOS = { precision = true, recall = true, specificity = true, fpr = true, f1 = true, jaccard = true }

local function call(name)
   local about = m.help[name]
   local first, second = about.args[1], about.args[2]
   local options = OPTIONS[name]
   if name:find "^span_" or name:find "sequence" then return m[name]({ "B-A", "I-A", "O" }, { "B-A", "O", "O" }) end
   if name == "fbeta" then options = { beta = 2, average = "macro" } end
   if RATIOS[name] then options = { average = "macro" } end
   if name == "mcnemar" then return m[name](labels.truth, labels.guess, labels.truth) end
   if first == "sets" then return m[name] { { 1, 0 }, { 1, 1 } } end
   if second == "sets" then return m[name]({ "a", "b" }, { { 1, 0 }, { 1, 1 } }) end
   if first == "low" then return m[name](scores.p, scores.p) end
   if second == "low" then return m[name](scores.p, scores.p, scores.p) end
   if first == "tags" then return m[name](oracle.tags.data.y, oracle.tags.data.predicted) end
   if first == "relevance" then return m[name](rankings.relevance, rankings.score, options) end
   if first == "X" then return m[name](clusters.X, second == "points" and clusters.X or clusters.b) end
   if second == "labels" then return m[name](clusters.a, clusters.b) end
   if second == "scores" or second == "probabilities" then
      if name == "top_k_accuracy" then return m[name](scores.truth, scores.margin) end
      return m[name](scores.yes, scores.p)
   end
   local of_numbers = about.options.average and not about.options.positive or name == "regression_report"
   if not of_numbers then
      return m[name](labels.truth, labels.guess, options)
   end
   return m[name](numbers.y, numbers.predicted, options)
end

describe("ml.metrics", function()
   it("documents arguments, meaning and options of every metric", function()
      local count = 0
      for name, about in pairs(m.help) do
         count = count + 1
         assert.equal(name, about.name)
         assert.is_function(m[name])
         assert.is_true(#about.args >= 1 and #about.brief > 10, name)
         -- metrics of sequences count spans, which have no weights
         assert.is_true(about.options.weights ~= nil or about.options.lengths ~= nil, name)
         for option, text in pairs(about.options) do assert.is_true(#option > 0 and #text > 5, name) end
      end
      assert.is_true(count >= 60)
   end)

   it("runs every metric and refuses unknown options", function()
      for name in pairs(m.help) do
         assert.is_not_nil(call(name), name)
         local given = {}
         for i in ipairs(m.help[name].args) do given[i] = { 1, 2 } end
         given[#given + 1] = { no_such_thing = 1 }
         refuses("^metrics%." .. name .. ": there is no option 'no_such_thing'", m[name], table.unpack(given))
      end
   end)

   it("reports a failed allocation and leaks nothing", function()
      local core_memory = core.memory
      for name in pairs(m.help) do
         call(name)
         collectgarbage()
         collectgarbage()
         local live, done = core_memory.live(), false
         for n = 0, 200 do
            core_memory.fail_after(n)
            local ok, message = pcall(call, name)
            core_memory.fail_after(-1)
            message = not ok and tostring(message) or nil -- else the result, which is held
            collectgarbage()
            collectgarbage()
            assert.equal(live, core_memory.live(), name)
            done = ok
            if done then break end
            assert.matches("not enough memory", message, 1, true)
         end
         assert.is_true(done, name)
      end
   end)

   it("gives the same bits for any number of threads", function()
      local before = core.memory.threads()
      for name in pairs(m.help) do
         core.memory.threads(1)
         local one = call(name)
         core.memory.threads(3)
         local three = call(name)
         if type(one) == "number" then assert.equal(one, three, name) end
      end
      core.memory.threads(before)
   end)
end)

describe("scorers", function()
   it("know what they need and whether greater is better", function()
      for name, scorer in pairs(m.scorers) do
         assert.is_function(scorer.fn)
         assert.is_boolean(scorer.greater)
         assert.is_true(({ predict = 1, proba = 1, decision = 1, x = 1, density = 1 })[scorer.needs] == 1, name)
         assert.is_true(({ classify = 1, regress = 1, cluster = 1, rank = 1, density = 1 })[scorer.kind] == 1, name)
      end
   end)

   it("use the classes of the model even if a fold lacks some", function()
      local options = { classes = { "a", "b", "c" } }
      local proba = ml.Matrix { { 0.7, 0.2, 0.1 }, { 0.2, 0.5, 0.3 } }
      near(-(math.log(0.7) + math.log(0.5)) / 2, m.scorers.log_loss.fn({ "a", "b" }, proba, options), "log_loss")
      near(1, m.scorers.top_k_accuracy.fn({ "a", "b" }, proba, options), "top_k")
      local two = { classes = { "no", "yes" } }
      near(0, m.scorers.recall.fn({ "no", "no" }, { "no", "yes" }, two), "recall")
      near(1, m.scorers.roc_auc.fn({ "no", "yes" }, ml.Vector { -1, 2 }, two), "decision")
      near(1, m.scorers.roc_auc.fn({ "no", "yes" }, ml.Matrix { { 0.9, 0.1 }, { 0.3, 0.7 } }, two), "proba")
      near(0.25 * (0.01 * 1 + 0.09 * 3), m.scorers.brier.fn({ "no", "yes" }, ml.Matrix { { 0.9, 0.1 }, { 0.3, 0.7 } },
         { classes = two.classes, weights = { 1, 3 } }), "weights")
   end)

   it("all work in cross-validation", function()
      local names, of_tags = { classify = {}, regress = {} }, {}
      for name, scorer in pairs(m.scorers) do
         if scorer.tags then of_tags[#of_tags + 1] = name end
         if names[scorer.kind] and not scorer.tags then table.insert(names[scorer.kind], name) end
      end
      local X, y = ml.read_csv "examples/data/breast_cancer.csv":split "diagnosis"
      local cv = ml.cross_validate(ml.Pipeline { ml.StandardScaler {}, ml.LogisticRegression {} }, X, y,
         { cv = ml.StratifiedKFold { k = 3, seed = 1 }, scoring = names.classify })
      assert.matches("roc_auc_ovo", tostring(cv))
      X, y = ml.read_csv "examples/data/diabetes.csv":split "progression"
      cv = ml.cross_validate(ml.Ridge {}, X, y, { cv = 3, scoring = names.regress })
      assert.matches("median_ae", tostring(cv))
      local tags = ml.hcat(y:gt(100):as_column(), X.bmi:gt(26):as_column())
      cv = ml.cross_validate(ml.MultiOutputClassifier { ml.GaussianNB {} }, X, tags, { cv = 3, scoring = of_tags })
      assert.matches("coverage_error", tostring(cv))
   end)
end)
