--- What diagnostic plots are given: models of any kind, data, scores; and what is read off them.
--
-- Errors are raised without a position and without the name of the plot: whoever defines the plot adds both.
-- @module manilius.plot.inputs

local composite = require "manilius.compose.composite"
local core = require "manilius.core"
local estimator = require "manilius.estimator"
local parts = require "manilius.metrics.parts"
local rows = require "manilius.rows"

local fail, text, kind = parts.fail, parts.text, rows.kind
local M = {}

-- --- models ---

--- A model, or for a search the best it has found.
function M.model(model)
   if not estimator.is(model) then fail("a model expected, got %s", text(model)) end
   local class = estimator.class_of(model)
   if not class or not class.params.grid then return model end
   local best = rawget(model, "best")
   if best == nil then fail("%s has no best model yet; fit it first, with refit left on", class.name) end
   return M.model(best)
end

local function is_chain(model)
   local class = estimator.class_of(model)
   return class ~= nil and class.name == "Pipeline"
end

--- The estimator that predicts: of a pipeline its last step.
function M.last(model)
   while is_chain(model) do model = model.models[#model.models] end
   if not estimator.is(model) then fail("the last step of the pipeline is %s, no estimator", text(model)) end
   return model
end

--- X as the last estimator sees it.
function M.prepared(model, X)
   while is_chain(model) do
      for i = 1, #model.models - 1 do X = composite.transform(model.models[i], X) end
      model = model.models[#model.models]
   end
   return X
end

--- The names of what the last estimator sees; x1, x2, ... where nothing has names.
function M.feature_names(model, width)
   local last = M.last(model)
   local names = estimator.learned(last, "feature_names")
   while not names and is_chain(model) do
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
   transform = "a transformer", outliers = "a detector of outliers", density = "a density" }

--- Refuse a model that does something else than `wanted` ("classify", "regress"). One that does not say may be either.
function M.need(model, wanted, advice)
   local does = estimator.does(model)
   if does == nil or does == wanted then return end
   fail("needs %s, and %s is %s%s", NOUNS[wanted], estimator.name(model), NOUNS[does] or does,
      advice and "; " .. advice or "")
end

--- What a model is called in titles: a pipeline as its last step.
function M.title(model)
   while is_chain(model) do model = model.models[#model.models] end
   return estimator.name(model)
end

-- --- several of something, by name ---

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

-- Models without names: each by its own, numbered where two are alike.
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

--- Models with names: of one model, a list of models, or named ones. nil when it is none of these.
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

-- What a reader of data says, without its name.
local function rethrowing(ok, value)
   if ok then return value end
   error(type(value) == "string" and value:gsub("^[^\n:]*:%d+: ", "", 1):gsub("^plot: ", "", 1) or value, 0)
end

--- X in a form that has rows and columns.
function M.x(X)
   if X == nil then fail("X must be given, got nil") end
   X = rethrowing(pcall(rows.x, "plot", X))
   if kind(X) ~= "table" and (rows.count(X) == 0 or rows.width(X) == 0) then
      fail("X must have rows and columns, got %d and %d", rows.count(X), rows.width(X))
   end
   return X
end

-- The y that the first formula of the models finds in X, and the columns that any of the models sees.
local function by_formula(X, models)
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

--- X and y of equal length.
-- @param models the model, or a list of { value = model }: without y it is that of their formula, and X its right side
function M.data(X, y, models)
   X = M.x(X)
   if y == nil and models then
      local found = rethrowing(pcall(by_formula, X, estimator.is(models) and { { value = models } } or models))
      X, y = found[1], found[2]
   end
   local n = rows.count(X)
   if y == nil then return X end
   y = rethrowing(pcall(rows.y, "plot", y))
   parts.same_length("X", n, "y", rows.count(y))
   return X, y
end

--- A target of numbers as a Vector: column `target` of it.
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

--- Columns of X that hold numbers, as { name, Vector }, and the names of those that do not.
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

--- Labels as texts, for legends and ticks.
function M.label_texts(labels)
   local out = {}
   for i, label in ipairs(labels) do out[i] = (tostring(label):gsub("%c", " ")) end
   return out
end

-- --- scores of classes ---

--- Does any label of y lie outside of the classes?
local function check_known(y, classes, who)
   local known = {}
   for _, label in ipairs(classes) do known[label] = true end
   for _, label in ipairs(parts.present(y)) do
      if not known[label] then
         fail("y must hold classes that %s knows, %s, got %s", who, parts.texts(classes), text(label))
      end
   end
end

-- The scores of a model: probabilities, or decisions where it has none and they will do.
local function output(model, X, probabilities)
   if estimator.can(model, "predict_proba") then return model:predict_proba(X), true end
   if not probabilities and estimator.can(model, "decision_function") then return model:decision_function(X), false end
   fail("%s has no predict_proba%s", estimator.name(model), probabilities and "" or " or decision_function")
end

--- What a model says of each class for the rows of X.
-- @treturn Matrix|Vector scores: a column for each class, or one of the second of two
-- @treturn {label,...} classes in the order of the columns
-- @treturn boolean are they probabilities?
function M.class_scores(model, X, y, probabilities)
   M.need(model, "classify", "ml.plot.residuals is for regressors")
   local scores, are_proba = output(model, X, probabilities)
   local classes = estimator.learned(model, "classes") or parts.present(y)
   check_known(y, classes, estimator.name(model))
   local values, n, cols = parts.numbers("scores", scores, not are_proba)
   parts.same_length("y", #y, "scores", n)
   if cols ~= #classes and not (cols == 1 and #classes == 2) then
      fail("%s gives %d columns of scores for %d classes", estimator.name(model), cols, #classes)
   end
   return cols == 1 and kind(values) == "Matrix" and values:flatten() or values, classes, are_proba
end

-- The column of one class, higher for it.
local function of_class(scores, classes, class, are_proba)
   if kind(scores) == "Matrix" then return scores:col(parts.place(classes, class)):copy() end
   if class == classes[2] then return scores end
   return are_proba and 1 - scores or -scores
end

-- The option positive, or of two classes the second; nil when nothing says which.
local function positive(options, classes)
   local wanted = options.positive
   if wanted ~= nil and #classes >= 2 and not parts.place(classes, wanted) then
      fail("positive must be one of the labels %s, got %s%s", parts.texts(classes), text(wanted),
         type(wanted) == "string" and parts.hint(wanted, M.label_texts(classes)) or "")
   end
   return parts.positive(options, classes)
end

--- Which classes get a curve: the one that is looked for, or of more than two all.
local function curve_classes(classes, options)
   if options.positive ~= nil then return { positive(options, classes) } end
   if #classes == 2 then return { classes[2] } end
   return classes
end

local function add_curves(out, y, scores, classes, are_proba, options, name)
   for _, class in ipairs(curve_classes(classes, options)) do
      out[#out + 1] = { name = name, class = class, many = #classes > 2 and options.positive == nil,
         truth = y:eq(class), score = of_class(scores, classes, class, are_proba) }
   end
end

-- Scores that were given: of the class that is looked for, or a column for each.
local function given_scores(out, y, scores, options, name)
   local values, n, cols = parts.numbers("scores", scores, true)
   parts.same_length("y", #y, "scores", n)
   local classes = parts.label_list(options) or parts.present(y)
   if cols == 1 then
      local class = positive(options, classes)
      if class == nil then
         fail("y holds %d classes, %s; give scores with a column for each, or positive = the one that should score "
            .. "high", #classes, parts.texts(classes))
      end
      values = kind(values) == "Matrix" and values:flatten() or values
      out[#out + 1] = { name = name, class = class, truth = y:eq(class), score = values }
      return
   end
   if cols ~= #classes then
      fail("scores must have a column for each class, %s, got %d columns; where y lacks some, give labels = all "
         .. "classes", parts.texts(classes), cols)
   end
   add_curves(out, y, values, classes, true, options, name)
end

local function need_both(curves)
   for _, curve in ipairs(curves) do
      local size = curve.truth:sum()
      if size == 0 or size == #curve.truth then
         fail("y must hold rows of %s and of others, got %s only", text(curve.class), size == 0 and "others"
            or text(curve.class))
      end
   end
end

--- The curves to draw of (models, X, y) or (y, scores): { name =, class =, many = is it one of several classes?,
-- truth = Vector of 1 and 0, score = Vector }.
-- @param options positive, labels; probabilities = true: scores must be probabilities
function M.class_curves(first, second, third, options)
   local out = {}
   local models = M.models(first)
   if models then
      local X, y = M.data(second, third, models)
      if y == nil then fail("y must be given behind X, got nil") end
      y = parts.labels("y", y)
      for _, one in ipairs(models) do
         local scores, classes, are_proba = M.class_scores(one.value, X, y, options.probabilities)
         add_curves(out, y, scores, classes, are_proba, options, one.name)
      end
   else
      local y = parts.labels("y", first)
      local list = M.named(second) or { { value = second } }
      for _, one in ipairs(list) do given_scores(out, y, one.value, options, one.name) end
   end
   need_both(out)
   return out
end

return M
