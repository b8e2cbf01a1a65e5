--- ml.report: a model and its data on one self-contained HTML page.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local rows = require "manilius.rows"

local M = { help = {} }

local WHO = "report"

-- --- options ---

local function fail(form, ...)
   error((WHO .. ": " .. form):format(...), 0)
end

local function check_flag(options, name, default)
   local value = options[name]
   if value == nil then return default end
   if type(value) ~= "boolean" then fail("%s must be true or false, got %s", name, estimator.value_text(value)) end
   return value
end

local function is_importance(value)
   return type(value) == "table" and require("manilius.select.importance_table").is(value)
end

local function check_text(options, name)
   local value = options[name]
   if value ~= nil and type(value) ~= "string" then
      fail("%s must be a string, got %s", name, estimator.value_text(value))
   end
   return value
end

local function checked_options(given)
   local o = { cv = given.cv, test = given.test, scoring = given.scoring, groups = given.groups,
      threads = given.threads, seed = given.seed == nil and 0 or given.seed }
   if math.type(o.seed) ~= "integer" or o.seed < 0 then
      fail("seed must be a whole number >= 0, got %s", estimator.value_text(o.seed))
   end
   for _, name in ipairs { "title", "target", "date" } do o[name] = check_text(given, name) end
   o.importance = is_importance(given.importance) and given.importance or check_flag(given, "importance", true)
   o.pictures = check_flag(given, "pictures", true)
   o.learning_curve = check_flag(given, "learning_curve", false)
   if o.test ~= nil and o.cv ~= nil then fail("cv and test cannot be given together; give one of them") end
   return o
end

-- The held-out rows, checked and converted as X and y are.
local function checked_test(test, given)
   local X, y
   if type(test) == "table" and test[1] ~= nil then
      local right
      X, y = test[1], test[2]
      if given.from_formula then y, right = estimator.find_target(given.model, X) end
      if test[2] == nil then X = right or X else y = test[2] end
   end
   if y == nil then fail("test must be { X, y }, got %s", estimator.value_text(test)) end
   X = rows.x(WHO .. ": test", X, 0)
   y = rows.y(WHO .. ": test", y, rows.count(X), 0)
   if rows.width(X) ~= rows.width(given.X) then
      fail("test must have the %d columns of X, got %d", rows.width(given.X), rows.width(X))
   end
   return { X, y }
end

-- --- what is reported on ---

local function does_of(model, y)
   local does = estimator.does(model)
   if does then return does end
   if y == nil then return "transform" end
   return rows.kind(y) == "Factor" and "classify" or "regress"
end

local function is_fitted(model)
   if rows.kind(model) == "Model" then return model.fitted end
   return estimator.class_of(model) ~= nil and rawget(model, "fitted") == true
end

-- The given model if it is fitted; otherwise a clone fitted on all rows.
local function fitted_model(model, X, y)
   if is_fitted(model) then return model, false end
   return estimator.clone(model):fit(X, y), true
end

local function read_given(model, X, y, options)
   if not estimator.is(model) then fail("model must be an estimator, got %s", estimator.value_text(model)) end
   local given = { model = model, X = rows.x(WHO, X, 0), options = checked_options(options) }
   local found, right = estimator.find_target(model, given.X, y)
   if y == nil and found ~= nil then given.X, given.from_formula = right, true end
   if rows.kind(given.X) == "table" then fail("X must be a Frame, a Matrix, Sparse or a table of rows of numbers") end
   given.y = rows.y(WHO, found, rows.count(given.X), 0)
   given.does = does_of(model, given.y)
   if given.y == nil and (given.does == "classify" or given.does == "regress") then
      fail("y must be given to report on %s, got nil", estimator.name(model))
   end
   given.labeled = given.does == "classify" or rows.kind(given.y) == "Factor"
   if options.test ~= nil then given.options.test = checked_test(options.test, given) end
   given.target = given.options.target
   given.fitted, given.was_fitted_here = fitted_model(model, given.X, given.y)
   return given
end

local function evidence_of(given)
   local held_out = require "manilius.report.held_out"
   if given.does == "cluster" then return held_out.of_clusters(given) end
   if given.does ~= "classify" and given.does ~= "regress" then return nil end
   if given.options.test then return held_out.by_test(given, given.options.test) end
   return held_out.by_folds(given)
end

-- --- the report ---

local Report = { __name = "Report" }
Report.__index = Report

--- Write the page to a file: report:save "report.html".
-- @raise when the file cannot be written; an existing file is then left unchanged
-- @return the report
function Report:save(path)
   if type(path) ~= "string" then error(("report: save: path must be a string, got %s"):format(type(path)), 2) end
   if not core.write_bytes then error("report: save: this build cannot write files; use the field html", 2) end
   local ok, reason = pcall(core.write_bytes, path, self.html)
   if not ok then
      error(("report: save: %s"):format((tostring(reason):gsub("^[^\n:]*:%d+: ", "", 1))), 2)
   end
   return self
end

function Report:__tostring()
   local texts = require("manilius.report.data").score_texts
   local lines = { ("%s (%d kB); save it with :save \"report.html\""):format(self.title, (#self.html + 1023) // 1024) }
   for _, score in ipairs(self.scores) do
      local value, interval = texts(score)
      lines[#lines + 1] = ("  %-18s %s%s"):format(score.name, value, interval ~= "" and ("  (%s)"):format(interval)
         or "")
   end
   for _, warning in ipairs(self.warnings) do lines[#lines + 1] = "  ! " .. warning end
   return table.concat(lines, "\n")
end

local function report(model, X, y, options)
   local given = read_given(model, X, y, options)
   local evidence = evidence_of(given)
   local wanted, importance = given.options.importance, nil
   if is_importance(wanted) then
      importance = wanted
   elseif wanted and evidence and evidence.kind ~= "fit" then
      importance = require("manilius.report.importances").of(given, evidence)
   end
   local warnings = require("manilius.report.checks").all(given, evidence, importance)
   local made = require("manilius.report.sections").page(given, evidence, importance, warnings)
   return setmetatable({ title = made.title, html = made.html, scores = evidence and evidence.scores or {},
      judged_by = evidence and evidence.kind or "none", warnings = warnings, importance = importance and
      importance.table and importance or nil, pictures_left_out = made.left_out }, Report)
end

M.help.report = {
   name = "report", args = { "model", "X", "y" },
   brief = "HTML page with scores, curves, importances and warnings for a model.",
   returns = "an object with html, title, scores, judged_by, warnings, importance and save(path); prints a summary",
   options = {
      cv = "number of folds, a splitter or a list of splits; default 5 shuffled folds",
      test = "{ X, y }: held-out rows on which the fitted model is scored instead of cross-validation",
      scoring = "one score or a list of scores; default: the usual scores of the task",
      groups = "one label for each row; rows with the same label stay in the same fold",
      seed = "seed of folds and shuffles; default 0",
      threads = "number of fits to run in parallel; default: all cores",
      target = "name of the target, shown on the page",
      title = "title of the page",
      date = "text shown instead of today's date",
      importance = "true (default): compute permutation importances; or a result of ml.permutation_importance or "
         .. "ml.drop_column_importance to show",
      learning_curve = "true: plot scores against the number of training rows; default false",
      pictures = "true (default): draw the plots",
   },
   example = [[
local X, y = ml.read_csv "examples/data/iris.csv":split "species"
print(ml.report(ml.GaussianNB {}, X, y, { pictures = false }))]],
}

--- Report on a model and its data as one HTML page without scripts or external resources.
--
-- The page shows warnings (fits that did not converge, small classes, duplicate rows, columns that leak the target),
-- scores with confidence intervals, plots for the task, importances, a summary of the data, all parameters and the
-- versions used. Scores are computed on rows the model was not fitted on: by cross-validation on clones, or on the
-- held-out rows `test`. A clustering is scored on the rows it was fitted on. Plots require gnuplot; without it they are
-- shown as text.
-- @param model an estimator; an unfitted model is left unchanged, and a clone is fitted on all rows
-- @param X Frame, Matrix, Sparse or table of rows of numbers
-- @param y targets; nil for clusterings and transformers
-- @param options cv (5 shuffled folds, stratified for a classifier), groups, scoring, threads as in cross_validate;
--   test = { X, y } (held-out rows, used instead of cv); seed (0, for folds and shuffles); target (name of the target),
--   title, date (strings); importance = true, learning_curve = false, pictures = true
-- @return an object with html (the page), title, scores (list of { name, mean, sd, low, high, greater }), judged_by
--   ("folds", "test", "fit" or "none"), warnings (list of texts), importance (as permutation_importance gives);
--   :save(path)
function M.report(model, X, y, options)
   if X == nil then error("report: X must be given, report(model, X, y, options), got nil", 2) end
   options = require("manilius.options").check(WHO, options, M.help.report.options, 2)
   return (rows.rethrow(2, pcall(report, model, X, y, options)))
end

return M
