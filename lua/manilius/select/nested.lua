--- Nested cross-validation: a search is fitted on the training rows of each outer fold, and scored on its test rows.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local options_of = require "manilius.options"
local rows = require "manilius.rows"
local text = require "manilius.text"
local validate = require "manilius.select.validate"

local M = { help = {} }

local WHO = "nested_cross_validate"

-- The search in a model: itself, or a part of a pipeline. nil: there is none.
local function search_in(model)
   local class = estimator.class_of(model)
   if not class then return nil end
   if class.learned and class.learned.best_params then return model end
   for _, part in ipairs(rawget(model, "models") or {}) do
      local found = search_in(part)
      if found then return found end
   end
   local inner = class.inner and rawget(model, class.inner)
   return inner and search_in(inner) or nil
end

-- One row for each outer fold: the parameters chosen, their inner score and the outer scores.
local function chosen_frame(result, searches)
   local seen, names, columns = {}, { "fold" }, { core.range(1, #searches) }
   for _, search in ipairs(searches) do
      for name in pairs(search.best_params) do seen[name] = true end
   end
   for _, name in ipairs(text.sorted_keys(seen)) do
      local values = {}
      for i, search in ipairs(searches) do values[i] = rawget(search.best_params, name) end
      names[#names + 1], columns[#columns + 1] = name, validate.value_column(values, #searches)
   end
   local inner = {}
   for i, search in ipairs(searches) do inner[i] = search.best_score end
   names[#names + 1], columns[#columns + 1] = "inner_score", core.Vector(inner)
   for _, metric in ipairs(result.metrics) do
      names[#names + 1], columns[#columns + 1] = metric, result.scores[metric]
   end
   return rows.frame(names, columns)
end

local options = {}
for name, line in pairs(validate.help.cross_validate.options) do options[name] = line end

M.help.nested_cross_validate = {
   args = { "search", "X", "y" },
   brief = "Nested cross-validation: the score of a whole search, with the inner results of each fold.",
   options = options,
   returns = "the result of cross_validate, with inner (list: results of the search in each outer fold, a Frame each) "
      .. "and chosen (Frame: fold, parameters chosen, inner_score, outer scores)",
   notes = "search is a GridSearch or another search, or a Pipeline that contains one. The option cv makes the outer "
      .. "folds; those of the search are the inner ones. The default score is that of the search.",
   source = "Varma & Simon, BMC Bioinformatics 7 (2006)",
   example = [[
local X, y = ml.read_csv "examples/data/iris.csv":split "species"
local search = ml.GridSearch { ml.KNeighborsClassifier {}, { n_neighbors = { 1, 5, 15 } }, cv = 3 }
local nested = ml.nested_cross_validate(search, X, y, { cv = 5 })
print(nested, nested.chosen)]],
}

--- Nested cross-validation of a search.
function M.nested_cross_validate(search, X, y, given)
   given = options_of.check(WHO, given, M.help.nested_cross_validate.options, 2)
   local inner = estimator.is(search) and search_in(search)
   if not inner then
      error(("%s: search must be a search such as GridSearch, or a Pipeline that contains one, got %s"):format(WHO,
         estimator.got(search)), 2)
   end
   local outer = { scoring = inner.scoring }
   for name, value in pairs(given) do outer[name] = value end
   outer.return_models = true
   local result = rows.rethrow(2, pcall(validate.cross_validate, search, X, y, outer))
   local searches, frames = {}, {}
   for i, model in ipairs(result.models) do
      searches[i] = search_in(model)
      frames[i] = searches[i].results
   end
   rawset(result, "inner", frames)
   rawset(result, "chosen", chosen_frame(result, searches))
   if not given.return_models then rawset(result, "models", nil) end
   return result
end

return M
