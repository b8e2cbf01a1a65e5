--- Reads the arguments of diagnostic plots: models of any kind, data and scores.
--
-- Errors are raised without a position and without the name of the plot, which manilius.plot.define adds.

local composite = require "manilius.compose.composite"
local core = require "manilius.core"
local estimator = require "manilius.estimator"
local parts = require "manilius.metrics.parts"
local rows = require "manilius.rows"

local fail, text, kind = parts.fail, parts.text, rows.kind
local M = {}

-- --- models ---

--- A model; for a search, its best model.
function M.model(model)
   if not estimator.is(model) then fail("model must be an estimator, got %s", text(model)) end
   local class = estimator.class_of(model)
   if not class or not class.params.grid then return model end
   local best = rawget(model, "best")
   if best == nil then fail("%s has no best model; call fit with refit = true first", class.name) end
   return M.model(best)
end

local function is_pipeline(model)
   local class = estimator.class_of(model)
   return class ~= nil and class.name == "Pipeline"
end

--- The last step of a pipeline; any other model unchanged.
function M.last(model)
   while is_pipeline(model) do model = model.models[#model.models] end
   if not estimator.is(model) then fail("the last step of the pipeline must be an estimator, got %s", text(model)) end
   return model
end

--- X transformed by all steps before the last.
function M.prepared(model, X)
   while is_pipeline(model) do
      for i = 1, #model.models - 1 do X = composite.transform(model.models[i], X) end
      model = model.models[#model.models]
   end
   return X
end

--- The names of the features of the last step; x1, x2, ... for features without names.
function M.feature_names(model, width)
   local last = M.last(model)
   local names = estimator.learned(last, "feature_names")
   while not names and is_pipeline(model) do
      local steps = model.models
      for i = #steps - 1, 1, -1 do
         if steps[i] ~= "passthrough" then
            names = estimator.can(steps[i], "output_names") and steps[i]:output_names() or nil
            break
         end
      end
      model = steps[#steps]
   end
   names = names or {}
   local out = {}
   for j = 1, width do out[j] = names[j] or "x" .. j end
   return out
end

local NOUNS = { classify = "a classifier", regress = "a regressor", cluster = "a clustering",
   transform = "a transformer", outliers = "an outlier detector", density = "a density estimator" }

--- Raise an error for a model of another task than `wanted` ("classify", "regress", ...). Models without a task pass.
function M.need(model, wanted, advice)
   local does = estimator.does(model)
   if does == nil or does == wanted then return end
   fail("model must be %s, but %s is %s%s", NOUNS[wanted], estimator.name(model), NOUNS[does] or does,
      advice and "; " .. advice or "")
end

--- The name of a model for titles; for a pipeline, the name of its last step, for a formula, that of its model.
M.title = estimator.last_title

-- --- named lists ---

local function sorted_names(t)
   local names = {}
   for name in pairs(t) do
      if type(name) ~= "string" then return nil end
      names[#names + 1] = name
   end
   table.sort(names)
   return names
end

--- A list of { name =, value = } from { name = value } (in the order of the names) or { { "name", value }, ... }; nil
-- when it is neither.
function M.named(given)
   if type(given) ~= "table" or getmetatable(given) ~= nil or next(given) == nil then return nil end
   local out = {}
   if given[1] == nil then
      local names = sorted_names(given)
      if not names then return nil end
      for i, name in ipairs(names) do out[i] = { name = name, value = given[name] } end
      return out
   end
   for i, pair in ipairs(given) do
      if type(pair) ~= "table" or type(pair[1]) ~= "string" or pair[2] == nil or #pair ~= 2 then return nil end
      out[i] = { name = pair[1], value = pair[2] }
   end
   return out
end

-- A list of models, named by their classes; repeated names are numbered.
local function unnamed_models(list)
   local out, seen = {}, {}
   for i, model in ipairs(list) do
      if not estimator.is(model) then return nil end
      local name = M.title(M.model(model))
      seen[name] = (seen[name] or 0) + 1
      out[i] = { name = seen[name] > 1 and name .. " " .. seen[name] or name, value = model }
   end
   return #out > 0 and out or nil
end

--- Models with names, given as one model, a list of models, or models by name; nil when it is none of these.
function M.models(given)
   if estimator.is(given) then return { { name = M.title(M.model(given)), value = M.model(given) } } end
   local list = M.named(given) or type(given) == "table" and getmetatable(given) == nil and unnamed_models(given) or nil
   if not list then return nil end
   for _, one in ipairs(list) do
      if not estimator.is(one.value) then return nil end
      one.value = M.model(one.value)
   end
   return list
end

-- --- data ---

-- Results of pcall on a function of manilius.rows; rethrows its error without the prefix.
local function rethrow(ok, value)
   if ok then return value end
   error(type(value) == "string" and value:gsub("^[^\n:]*:%d+: ", "", 1):gsub("^plot: ", "", 1) or value, 0)
end

--- X as a Frame, Matrix, Sparse or table of rows.
function M.x(X)
   if X == nil then fail("X must be given, got nil") end
   X = rethrow(pcall(rows.x, "plot", X))
   if kind(X) ~= "table" and (rows.count(X) == 0 or rows.width(X) == 0) then
      fail("X must have rows and columns, got %d and %d", rows.count(X), rows.width(X))
   end
   return X
end

-- The columns of X that the formulas of the models use, and the target of the first formula.
local function formula_data(X, models)
   local y, seen, places = nil, {}, {}
   for _, one in ipairs(models) do
      local found, right = estimator.find_target(one.value, X)
      if y == nil then y = found end
      for _, name in ipairs(rows.is_frame(X) and (right or X).names or {}) do seen[name] = true end
   end
   if y == nil then return { X } end
   for j, name in ipairs(X.names) do places[#places + 1] = seen[name] and j or nil end
   return { rows.columns(X, places), y }
end

--- The columns of a Frame that the formulas of the models use; all without formulas.
function M.used_columns(X, models)
   return rethrow(pcall(formula_data, X, models))[1]
end

--- X and y of equal length.
-- @param models the model, or a list of { value = model }; without y, X and y are taken from their formula
function M.data(X, y, models)
   X = M.x(X)
   if y == nil and models then
      local found = rethrow(pcall(formula_data, X, estimator.is(models) and { { value = models } } or models))
      X, y = found[1], found[2]
   end
   local n = rows.count(X)
   if y == nil then return X end
   y = rethrow(pcall(rows.y, "plot", y))
   parts.same_length("X", n, "y", rows.count(y))
   return X, y
end

--- A numeric target as a Vector; column `target` if there are several.
function M.target(what, y, target)
   local values, n, cols = parts.numbers(what, y)
   if cols == 1 then return kind(values) == "Matrix" and values:flatten() or values, n end
   if target > cols then fail("target must be from 1 to %d, got %d", cols, target) end
   return values:col(target):copy(), n
end

--- Names of the columns of an X.
function M.column_names(X)
   local names = {}
   for j = 1, rows.width(X) do names[j] = rows.is_frame(X) and X.names[j] or "x" .. j end
   return names
end

--- The numeric columns of X as a list of { name =, values = Vector }, and the names of the other columns.
function M.numeric_columns(X)
   if kind(X) == "Sparse" then fail("X must be a Frame, a Matrix or a table of rows, got Sparse") end
   X = M.x(X)
   local names, out, others = M.column_names(X), {}, {}
   for j, name in ipairs(names) do
      local column
      if rows.is_frame(X) then column = X.columns[j] else column = core.Matrix(X):col(j):copy() end
      if kind(column) == "Vector" then
         out[#out + 1] = { name = name, values = column }
      else
         others[#others + 1] = name
      end
   end
   return out, others
end

--- Does a model have this method?
function M.has_method(model, name)
   local ok, found = rows.try(function() return model[name] end)
   return ok and type(found) == "function"
end

--- The intervals of a model at the rows of X, { kind, low, high }; nil when it has none of that kind ("confidence" or
-- "prediction"). Bayesian models and mixtures have only prediction intervals.
function M.intervals(model, X, which, level)
   local last, found = M.last(model), nil
   if M.has_method(last, "intervals") then
      found = last:intervals(M.prepared(model, X), { kind = which, level = level })
   elseif which == "prediction" and M.has_method(last, "predict_interval") then
      found = last:predict_interval(M.prepared(model, X), { level = level })
   end
   return found and { kind = which, low = found.low, high = found.high }
end

--- The level for which a conformal model was fitted; nil for other models.
function M.level(model)
   local last = M.last(model)
   return rows.kind(last) ~= "Model" and M.has_method(last, "predict_interval") and rawget(last, "level") or nil
end

--- Labels as strings, for legends and ticks.
function M.label_texts(labels)
   local out = {}
   for i, label in ipairs(labels) do out[i] = (tostring(label):gsub("%c", " ")) end
   return out
end

-- --- scores of classes ---

-- All labels of y must be classes of the model.
local function check_known(y, classes, who)
   local known = {}
   for _, label in ipairs(classes) do known[label] = true end
   for _, label in ipairs(parts.present(y)) do
      if not known[label] then
         fail("y must hold classes of %s, %s, got %s", who, parts.texts(classes), text(label))
      end
   end
end

-- The probabilities of a model, or its decision function if `probabilities` is false and it has no probabilities;
-- whether they are probabilities.
local function model_scores(model, X, probabilities)
   if estimator.can(model, "predict_proba") then return model:predict_proba(X), true end
   if not probabilities and estimator.can(model, "decision_function") then return model:decision_function(X), false end
   fail("model must have predict_proba%s, but %s does not have it", probabilities and "" or " or decision_function",
      estimator.name(model))
end

--- The scores of the classes for the rows of X.
-- @treturn Matrix|Vector scores: a column for each class, or a Vector for the second of two
-- @treturn {label,...} classes in the order of the columns
-- @treturn boolean are they probabilities?
function M.class_scores(model, X, y, probabilities)
   M.need(model, "classify", "use ml.plot.residuals for regressors")
   local scores, are_proba = model_scores(model, X, probabilities)
   local classes = estimator.learned(model, "classes") or parts.present(y)
   check_known(y, classes, estimator.name(model))
   local values, n, cols = parts.numbers("scores", scores, not are_proba)
   parts.same_length("y", #y, "scores", n)
   if cols ~= #classes and not (cols == 1 and #classes == 2) then
      fail("%s returns %d columns of scores for %d classes", estimator.name(model), cols, #classes)
   end
   return cols == 1 and kind(values) == "Matrix" and values:flatten() or values, classes, are_proba
end

-- The scores of one class; higher scores mean that the class is more likely.
local function score_of(scores, classes, class, are_proba)
   if kind(scores) == "Matrix" then return scores:col(parts.place(classes, class)):copy() end
   if class == classes[2] then return scores end
   return are_proba and 1 - scores or -scores
end

-- The option positive, else the second of two classes, else nil.
local function positive(options, classes)
   local wanted = options.positive
   if wanted ~= nil and #classes >= 2 and not parts.place(classes, wanted) then
      fail("positive must be one of the labels %s, got %s%s", parts.texts(classes), text(wanted),
         type(wanted) == "string" and parts.hint(wanted, M.label_texts(classes)) or "")
   end
   return parts.positive(options, classes)
end

-- The classes that get a curve: the positive class, or all of more than two classes.
local function curve_classes(classes, options)
   if options.positive ~= nil then return { positive(options, classes) } end
   if #classes == 2 then return { classes[2] } end
   return classes
end

local function add_curves(out, y, scores, classes, are_proba, options, name)
   for _, class in ipairs(curve_classes(classes, options)) do
      out[#out + 1] = { name = name, class = class, many = #classes > 2 and options.positive == nil,
         truth = y:eq(class), score = score_of(scores, classes, class, are_proba) }
   end
end

-- Add the curves of given scores: of the positive class, or one column for each class.
local function add_given_scores(out, y, scores, options, name)
   local values, n, cols = parts.numbers("scores", scores, true)
   parts.same_length("y", #y, "scores", n)
   local classes = parts.label_list(options) or parts.present(y)
   if cols == 1 then
      local class = positive(options, classes)
      if class == nil then
         fail("scores must have a column for each of the %d classes of y, %s, got one column; otherwise set positive",
            #classes, parts.texts(classes))
      end
      values = kind(values) == "Matrix" and values:flatten() or values
      out[#out + 1] = { name = name, class = class, truth = y:eq(class), score = values }
      return
   end
   if cols ~= #classes then
      fail("scores must have a column for each class, %s, got %d columns; if y lacks some classes, set labels to all "
         .. "classes", parts.texts(classes), cols)
   end
   add_curves(out, y, values, classes, true, options, name)
end

-- Both classes of a curve must occur.
local function check_both(curves)
   for _, curve in ipairs(curves) do
      local size = curve.truth:sum()
      if size == 0 or size == #curve.truth then
         fail("y must hold rows of %s and of other classes, got only %s", text(curve.class), size == 0 and "others"
            or text(curve.class))
      end
   end
end

--- The curves to draw for (models, X, y) or (y, scores): { name =, class =, many = are there several classes?,
-- truth = Vector of 1 and 0, score = Vector }.
-- @param options positive, labels; probabilities = true: scores must be probabilities
function M.class_curves(first, second, third, options)
   local out = {}
   local models = M.models(first)
   if models then
      local X, y = M.data(second, third, models)
      if y == nil then fail("y must be given after X, got nil") end
      y = parts.labels("y", y)
      for _, one in ipairs(models) do
         local scores, classes, are_proba = M.class_scores(one.value, X, y, options.probabilities)
         add_curves(out, y, scores, classes, are_proba, options, one.name)
      end
   else
      local y = parts.labels("y", first)
      local list = M.named(second) or { { value = second } }
      for _, one in ipairs(list) do add_given_scores(out, y, one.value, options, one.name) end
   end
   check_both(out)
   return out
end

return M
