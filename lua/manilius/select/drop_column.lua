--- Drop-column importance: the decrease of the cross-validated score when the model is fitted without a column or a
-- group of columns (Lei, G'Sell, Rinaldo, Tibshirani & Wasserman, JASA 113, 2018: "LOCO").
--
-- Unlike permutation importance it fits the model again, so that other columns can take the place of the one that is
-- missing: of two columns that say the same, neither is important.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local evaluate = require "manilius.select.evaluate"
local response_of = require "manilius.explain.response"
local result = require "manilius.select.importance_table"
local rows = require "manilius.rows"
local scorers = require "manilius.select.scorers"
local validate = require "manilius.select.validate"

local M = { help = {} }

local WHO = "drop_column_importance"

-- --- models without columns ---

-- A list of columns of a ColumnTransformer, by name or place, without those in `dropped` (a list of booleans).
local function remaining(columns, names, dropped)
   if type(columns) ~= "table" then return columns end
   local out, place_of, before = {}, {}, {}
   for j, name in ipairs(names) do
      place_of[name], before[j] = j, (before[j - 1] or 0) + (dropped[j] and 1 or 0)
   end
   for _, column in ipairs(columns) do
      local j = type(column) == "string" and place_of[column] or column
      if not dropped[j] then out[#out + 1] = type(column) == "number" and column - (before[column] or 0) or column end
   end
   return out
end

-- The model for the other columns: a ColumnTransformer, also as the first step of pipelines, lists only these.
local function without(model, names, dropped)
   local class = estimator.class_of(model)
   if class and class.name == "ColumnTransformer" then
      local copy, lists = estimator.clone(model), {}
      for i, columns in ipairs(copy.columns) do lists[i] = remaining(columns, names, dropped) end
      rawset(copy, "columns", lists)
      return copy
   end
   if not (class and class.name == "Pipeline") then return model end
   local first = model.models[1]
   local changed = without(first, names, dropped)
   if changed == first then return model end
   local copy = estimator.clone(model)
   copy.models[1] = changed
   return copy
end

-- --- scores ---

local function add_models(task, model, parts, names)
   task.columns = { false }
   for i, part in ipairs(parts) do
      local dropped, kept = {}, {}
      for _, j in ipairs(part.places) do dropped[j] = true end
      for j = 1, #names do
         if not dropped[j] then kept[#kept + 1] = j end
      end
      if #kept == 0 then
         response_of.fail(WHO, "'%s' has all columns of X; without it nothing is left to fit", part.name)
      end
      task.models[i + 1], task.columns[i + 1] = without(model, names, dropped), kept
   end
end

-- The error of a fit, with what it was fitted without.
local function check_results(results, parts, folds)
   for i, one in ipairs(results) do
      if one.error then
         local m, f = (i - 1) // folds, (i - 1) % folds + 1
         response_of.fail(WHO, "fold %d%s: %s", f, m == 0 and "" or (", without '%s'"):format(parts[m].name), one.error)
      end
   end
end

local function drop_column_importance(model, X, y, options)
   local task = validate.task(WHO, model, X, y, { cv = options.cv, weights = options.weights,
      groups = options.row_groups, threads = options.threads }, 0)
   local list = scorers.resolve(WHO, options.scoring, task.default, 0)
   if #list > 1 then response_of.fail(WHO, "scoring must be one score, got several") end
   local _, names = rows.split_columns(WHO, task.X)
   local parts, folds, scorer = result.parts(WHO, names, options.groups), #task.folds, list[1]
   add_models(task, model, parts, names)
   task.scorers, task.jobs = list, validate.all_jobs(task.models, task.folds)
   local results = evaluate.run(task)
   check_results(results, parts, folds)
   local values, score, sign = core.zeros(#parts, folds), 0, scorer.greater and 1 or -1
   for f = 1, folds do
      local full = results[f].scores[scorer.name]
      score = score + full / folds
      for i = 1, #parts do values:set(i, f, sign * (full - results[i * folds + f].scores[scorer.name])) end
   end
   local features, groups = result.described(parts, names, options.groups)
   return result.finish { method = "drop", features = features, groups = groups, values = values, score = score,
      scoring = scorer.name, greater = scorer.greater, folds = task.folds, seed = 0 }
end

local OPTIONS = validate.OPTIONS

M.help.drop_column_importance = {
   name = WHO, args = { "model", "X", "y" },
   brief = "Decrease of the cross-validated score when the model is fitted without a column.",
   formula = "mean over folds of score(model) - score(model fitted without column j); negated if lower scores are "
      .. "better",
   returns = "an object that prints as a table, as that of ml.permutation_importance: features, importance, sd, low "
      .. "and high (95% interval of the mean), values (features x folds), score, table (Frame); :plot { top = 20 }",
   options = {
      groups = "columns that are left out together: { size = { \"height\", \"width\" } }; all others alone",
      cv = OPTIONS.cv, scoring = "one score; default: accuracy or r2", weights = OPTIONS.weights,
      threads = OPTIONS.threads,
      row_groups = "one label per row; rows with the same label stay in the same fold",
   },
   notes = "The model need not be fitted. All models are fitted on the same folds; the interval is corrected for "
      .. "overlapping training rows (Nadeau & Bengio, 2003). Columns that can replace each other look unimportant one "
      .. "at a time: put them in a group. A dropped column is also removed from the column lists of a "
      .. "ColumnTransformer.",
   source = "Lei et al., JASA 113 (2018); Nadeau & Bengio, Machine Learning 52 (2003)",
   example = [[
local X, y = ml.read_csv "examples/data/diabetes.csv":split "progression"
print(ml.drop_column_importance(ml.Ridge {}, X, y, { groups = { serum = { "s1", "s2", "s3", "s4", "s5", "s6" } } }))]],
}

--- Decrease of the cross-validated score when the model is fitted without a column or a group of columns; see M.help.
function M.drop_column_importance(model, X, y, options)
   options = require("manilius.options").check(WHO, options, M.help.drop_column_importance.options, 2)
   return (rows.rethrow(2, pcall(drop_column_importance, model, X, y, options)))
end

return M
