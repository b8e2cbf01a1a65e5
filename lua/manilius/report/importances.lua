--- Importances of the columns of X, on rows that the model had not seen.
-- @module manilius.report.importances

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local importance = require "manilius.select.importance"
local rows = require "manilius.rows"

local M = {}

local REPEATS, MOST_ROWS, MOST_COLUMNS = 10, 1000, 200

-- The first rows of a random order, when there are more than are needed.
local function some_rows(at, seed)
   if #at <= MOST_ROWS then return at end
   return at:take(core.rng(seed, 1):permutation(#at):slice(1, MOST_ROWS))
end

-- Of each fold by a clone that was fitted without it.
local function of_folds(given, evidence, options)
   local splits = evidence.folds
   local list = {}
   options.repeats = math.max(1, REPEATS // #splits)
   for f, split in ipairs(splits) do
      if f * options.repeats > REPEATS then break end
      local test = some_rows(split.test, options.seed)
      local fitted = estimator.clone(given.model):fit(rows.take(given.X, split.train), rows.take(given.y, split.train))
      options.seed = given.options.seed + f
      list[f] = importance.permutation_importance(fitted, rows.take(given.X, test), rows.take(given.y, test), options)
   end
   return importance.combined(list)
end

local function of_test(given, options)
   local X, y = table.unpack(given.options.test)
   local at = some_rows(core.range(1, rows.count(X)), options.seed)
   options.repeats = REPEATS
   return importance.permutation_importance(given.fitted, rows.take(X, at), rows.take(y, at), options)
end

--- The importances by the first score of the report; or { why = } when there are none.
function M.of(given, evidence)
   local kind = rows.kind(given.X)
   if kind == "Sparse" then return { why = "Columns of a sparse matrix are not shuffled." } end
   if rows.width(given.X) > MOST_COLUMNS then
      return { why = ("There are more than %d columns; ml.permutation_importance takes them all."):format(
         MOST_COLUMNS) }
   end
   local scoring, name = given.options.scoring, evidence.scores[1].name
   if type(scoring) == "table" and not scoring.fn then scoring = scoring[1] or { [name] = scoring[name] } end
   local options = { seed = given.options.seed, scoring = scoring or name }
   if evidence.kind == "test" then return of_test(given, options) end
   return of_folds(given, evidence, options)
end

return M
