--- Permutation importances of the columns of X, on held-out rows.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local importance = require "manilius.select.importance"
local rows = require "manilius.rows"

local M = {}

local REPEATS, MAX_ROWS, MAX_COLUMNS = 10, 1000, 200

-- At most MAX_ROWS rows, sampled at random.
local function sample_rows(at, seed)
   if #at <= MAX_ROWS then return at end
   return at:take(core.rng(seed, 1):permutation(#at):slice(1, MAX_ROWS))
end

-- On the test rows of each fold, with a clone fitted on its training rows.
local function of_folds(given, evidence, options)
   local splits = evidence.folds
   local list = {}
   options.repeats = math.max(1, REPEATS // #splits)
   for f, split in ipairs(splits) do
      if f * options.repeats > REPEATS then break end
      local test = sample_rows(split.test, options.seed)
      local fitted = estimator.clone(given.model):fit(rows.take(given.X, split.train), rows.take(given.y, split.train))
      options.seed = given.options.seed + f
      list[f] = importance.permutation_importance(fitted, rows.take(given.X, test), rows.take(given.y, test), options)
   end
   return importance.combined(list)
end

local function of_test(given, options)
   local X, y = table.unpack(given.options.test)
   local at = sample_rows(core.range(1, rows.count(X)), options.seed)
   options.repeats = REPEATS
   return importance.permutation_importance(given.fitted, rows.take(X, at), rows.take(y, at), options)
end

--- The importances for the first score of the report, or { why = reason } when they are not computed.
function M.of(given, evidence)
   local kind = rows.kind(given.X)
   if kind == "Sparse" then return { why = "Permutation importance is not available for sparse matrices." } end
   if rows.width(given.X) > MAX_COLUMNS then
      return { why = ("Not computed for more than %d columns; call ml.permutation_importance instead."):format(
         MAX_COLUMNS) }
   end
   local scoring, name = given.options.scoring, evidence.scores[1].name
   if type(scoring) == "table" and not scoring.fn then scoring = scoring[1] or { [name] = scoring[name] } end
   local options = { seed = given.options.seed, scoring = scoring or name }
   if evidence.kind == "test" then return of_test(given, options) end
   return of_folds(given, evidence, options)
end

return M
