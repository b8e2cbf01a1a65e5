--- Permutation importance: the decrease of the score of a fitted model when one column is shuffled (Breiman, Machine
-- Learning 45, 2001; for any model Fisher, Rudin & Dominici, JMLR 20, 2019).
--
-- Use held-out rows: on the training rows, columns that the model overfits look important too. Correlated columns share
-- their importance, so each alone may look unimportant.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local evaluate = require "manilius.select.evaluate"
local rows = require "manilius.rows"
local scorers = require "manilius.select.scorers"
local show = require "manilius.metrics.text"
local text = require "manilius.text"
local validate = require "manilius.select.validate"

local M = { help = {} }

local WHO = "permutation_importance"

-- --- the result ---

local Importance = { __name = "PermutationImportance" }
Importance.__index = Importance

local MAX_SHOWN = 30

function Importance.__tostring(self)
   local lines = { { "", "importance", "sd" } }
   for i = 1, math.min(#self.table.feature, MAX_SHOWN) do
      lines[i + 1] = { show.label(self.table.feature[i]), ("%.4g"):format(self.table.importance[i]),
         ("%.3g"):format(self.table.sd[i]) }
   end
   local more = #self.table.feature - MAX_SHOWN
   return ("%s %.4g; %s when one column is shuffled, mean of %d repeats\n%s%s"):format(self.scoring, self.score,
      self.greater and "decrease" or "increase", self.repeats, text.aligned(lines),
      more > 0 and ("\n... %d more"):format(more) or "")
end

--- Bar plot of the most important columns; error bars are one standard deviation over the repeats.
-- @param options { top = 20 }
-- @return Figure
function Importance:plot(options)
   options = require("manilius.options").check("plot", options, { top = true }, 2)
   local t = self.table
   local low, high = t.importance - t.sd, t.importance + t.sd
   return (require("manilius.plot").importance(t.feature:totable(), t.importance, { top = options.top, sort = false,
      low = self.repeats > 1 and low or nil, high = self.repeats > 1 and high or nil,
      title = "Permutation importance", caption = ("%s in %s when a column is shuffled.%s"):format(
         self.greater and "Decrease" or "Increase", self.scoring,
         self.repeats > 1 and " Error bars: one standard deviation over the repeats." or "") }))
end

-- Columns sorted by importance, largest first; ties keep the order of the columns.
local function sorted_table(self)
   local order, names, mean, sd = {}, {}, {}, {}
   for j = 1, #self.features do order[j] = j end
   local key = self.importance
   table.sort(order, function(a, b)
      if key[a] ~= key[b] then return key[a] > key[b] end
      return a < b
   end)
   for i, j in ipairs(order) do names[i], mean[i], sd[i] = self.features[j], self.importance[j], self.sd[j] end
   return rows.frame({ "feature", "importance", "sd" }, { core.Factor(names), core.Vector(mean), core.Vector(sd) })
end

local function finish(self)
   local mean, sd = {}, {}
   for j = 1, #self.features do mean[j], sd[j] = validate.mean_sd(self.values:row(j):totable()) end
   self.importance, self.sd = core.Vector(mean), core.Vector(sd)
   self.table = sorted_table(self)
   return setmetatable(self, Importance)
end

-- --- shuffling ---

-- Decreases of the score: one row per column, one column per repeat. Random streams are indexed by column and repeat,
-- so that the result for a column does not depend on the other columns.
local function score_decreases(model, X, y, settings)
   local columns, names, assemble = rows.split_columns(WHO, X, estimator.learned(model, "feature_names"))
   local score = function(data)
      return evaluate.score(model, data, y, { scoring = settings.scoring, weights = settings.weights }, 0)
   end
   local base, n = score(X), rows.count(X)
   local values = core.zeros(#columns, settings.repeats)
   for j, column in ipairs(columns) do
      local changed = table.move(columns, 1, #columns, 1, {})
      for r = 1, settings.repeats do
         changed[j] = column:take(core.rng(settings.seed, (j - 1) * settings.repeats + r - 1):permutation(n))
         local decrease = base - score(assemble(changed))
         values:set(j, r, settings.greater and decrease or -decrease)
      end
   end
   return base, values, names
end

local function check_whole(name, value, low)
   if math.type(value) ~= "integer" or value < low then
      error(("%s: %s must be a whole number >= %d, got %s"):format(WHO, name, low, estimator.value_text(value)), 0)
   end
   return value
end

local function settings_of(model, y, options)
   local scorer = scorers.resolve(WHO, options.scoring, evaluate.default_score(model, y), 0)
   if #scorer > 1 then error(WHO .. ": scoring must be one score, got several", 0) end
   local seed = options.seed == nil and 0 or options.seed
   return { scoring = { [scorer[1].name] = scorer[1] }, name = scorer[1].name, greater = scorer[1].greater,
      weights = options.weights, repeats = check_whole("repeats", options.repeats or 10, 1),
      seed = check_whole("seed", seed, 0) }
end

local function importance(model, X, y, options)
   if not estimator.is(model) then
      error(("%s: model must be an estimator, got %s"):format(WHO, estimator.value_text(model)), 0)
   end
   X = rows.x(WHO, X, 0)
   y = rows.y(WHO, estimator.find_target(model, X, y), rows.count(X), 0)
   local settings = settings_of(model, y, options)
   local score, values, names = score_decreases(model, X, y, settings)
   return finish { features = names, values = values, score = score, scoring = settings.name,
      greater = settings.greater, repeats = settings.repeats, seed = settings.seed }
end

--- Combine results for the same columns, for example of several folds: all repeats, and the mean score.
function M.combined(list)
   local values, score = {}, 0
   for i, one in ipairs(list) do
      values[i], score = one.values, score + one.score / #list
   end
   local first, all = list[1], core.hcat(table.unpack(values))
   return finish { features = first.features, values = all, score = score, scoring = first.scoring,
      greater = first.greater, repeats = all.cols, seed = first.seed }
end

M.help.permutation_importance = {
   name = "permutation_importance", args = { "model", "X", "y" },
   brief = "Decrease of the score of a fitted model when one column is shuffled.",
   formula = "score(X, y) - mean over repeats of score(X with column j shuffled, y); "
      .. "negated if lower scores are better",
   returns = "an object that prints as a table: features, importance, sd, values (features x repeats), score, "
      .. "table (Frame, most important first); :plot { top = 20 }",
   options = {
      repeats = "number of shuffles of each column; default 10",
      seed = "seed of the shuffles; default 0",
      scoring = "one score; default: accuracy or r2",
      weights = "sample weights of the score",
   },
   source = "Breiman, Machine Learning 45 (2001); Fisher, Rudin & Dominici, JMLR 20 (2019)",
   example = [[
local X, y = ml.read_csv "examples/data/diabetes.csv":split "progression"
local X_train, X_test, y_train, y_test = ml.train_test_split(X, y, { seed = 1 })
print(ml.permutation_importance(ml.Ridge {}:fit(X_train, y_train), X_test, y_test))]],
}

--- Decrease of the score of a fitted model when the values of one column are shuffled.
--
-- The model is not refitted. Importance is in units of the score and positive if the column helps, whether higher or
-- lower scores are better. `sd` is the standard deviation over the repeats; it does not measure the uncertainty due to
-- the sample of rows.
-- @param model fitted model
-- @param X Matrix, Frame or table of rows of numbers, preferably held-out rows
-- @param y targets
-- @param options repeats (10), seed (0), scoring (one name or scorer; accuracy or r2), weights (sample weights)
-- @return an object that prints as a table, with features (names), importance, sd (Vectors, in the order of X), values
--   (Matrix, features x repeats), score (before shuffling), table (Frame, most important first); :plot{ top = 20 }
function M.permutation_importance(model, X, y, options)
   options = require("manilius.options").check(WHO, options, M.help.permutation_importance.options, 2)
   return (rows.rethrow(2, pcall(importance, model, X, y, options)))
end

return M
