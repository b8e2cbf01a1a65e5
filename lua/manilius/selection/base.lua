--- Code shared by feature selectors that fit an estimator: parameters, importances, and common actions.
--
-- A selector learns `support`, the indices of the selected columns in ascending order; transform returns these columns.

local core = require "manilius.core"
local ensemble = require "manilius.ensemble.base"
local estimator = require "manilius.estimator"
local parts = require "manilius.ensemble.parts"
local rows = require "manilius.rows"
local text = require "manilius.text"

local M = {}

-- --- settings ---

function M.wrong(self, name, wanted)
   error(("%s: %s must be %s, got %s"):format(estimator.name(self), name, wanted,
      estimator.value_text(self[name])), 0)
end

--- Check the estimator, and importance_getter if the class has it.
function M.check(self)
   if not estimator.is(self.estimator) then
      error(("%s: estimator must be an estimator, got %s"):format(estimator.name(self),
         estimator.got(self.estimator)), 0)
   end
   local getter = rawget(self, "importance_getter")
   if getter ~= nil and type(getter) ~= "string" and type(getter) ~= "function" then
      M.wrong(self, "importance_getter", "\"auto\", the name of a learned field, or a function(model)")
   end
end

--- Check a number in [low, high].
function M.check_number(self, name, low, high)
   local value = self[name]
   if type(value) ~= "number" or not (value >= low and value <= high) then
      M.wrong(self, name, ("a number from %g to %g"):format(low, high))
   end
end

local function is_fraction(value)
   return math.type(value) == "float" and value > 0 and value < 1
end

--- Check a number of columns (integer >= 1) or a fraction of them (float between 0 and 1); nil or `word` if allowed.
function M.check_size(self, name, word)
   local value = self[name]
   local good = math.type(value) == "integer" and value >= 1 or is_fraction(value)
   if not good and value ~= word then
      M.wrong(self, name, ("a whole number >= 1 or a fraction between 0 and 1%s"):format(word and ", or \"" .. word
         .. "\"" or ", or nil"))
   end
end

--- The number of columns that such a parameter stands for; at least 1.
function M.size_of(value, n)
   return is_fraction(value) and math.max(1, math.tointeger(value * n // 1)) or value
end

-- --- data ---

-- The class labels of y for a classifier, else nil.
local function classes_of(self, y)
   if estimator.does(self.estimator) ~= "classify" or rows.kind(y) == "Matrix" and y.cols > 1 then return nil end
   y = rows.kind(y) == "Matrix" and y:flatten() or y
   local levels = (rows.kind(y) == "Factor" and y or core.Factor(y)):drop_levels().levels
   return table.move(levels, 1, #levels, 1, {})
end

--- The checked data of fit, as parts.data, with width; learned: n_features, feature_names, classes.
function M.data(self, X, y, options, more)
   local data = parts.start_fit(self, X, y, options, more)
   data.width, self.classes = self.n_features, classes_of(self, data.y)
   if data.weights and not parts.takes_weights(self.estimator) then
      error(("%s: %s does not support weights"):format(data.who, estimator.name(self.estimator)), 0)
   end
   return data
end

--- The whole numbers 1..n as a list.
function M.all_columns(n)
   local list = {}
   for j = 1, n do list[j] = j end
   return list
end

--- Run a task of evaluate.run; errors of the estimator begin with the name of the selector. task.names: of the models,
-- for messages.
function M.run(data, task)
   local names = {}
   for i in ipairs(task.models) do names[i] = estimator.name(task.models[i]) end
   return parts.run(data, names, task)
end

--- Report progress; the answer "cancel" ends the fit with an error.
function M.report(data, done, total, objective)
   local answer = data.report and data.report(done, total, objective)
   if answer == "cancel" then require "manilius.progress".cancel() end
   return answer
end

-- --- importances ---

-- A field of a model, or of the last step of a Pipeline; "step.coef" reads the field of a part.
local function field_of(model, path)
   for name in path:gmatch "[^.]+" do
      local class = estimator.class_of(model)
      local found = parts.has_field(model, name)
      if found == nil and class and class.name == "Pipeline" then
         found = parts.has_field(model.models[#model.models], name)
      end
      model = found
      if model == nil then return nil end
   end
   return model
end

local function raw_importances(who, model, getter)
   if type(getter) == "function" then return getter(model) end
   if getter ~= nil and getter ~= "auto" then
      return field_of(model, getter) or error(("%s: importance_getter = \"%s\": %s has no such field"):format(who,
         getter, estimator.name(model)), 0)
   end
   local value = field_of(model, "coef") or field_of(model, "feature_importances")
   return value or error(("%s: estimator must have coef or feature_importances, got %s; pass importance_getter = "
      .. "function(model)"):format(who, estimator.name(model)), 0)
end

-- (sum_r |b_rj|^order)^(1 / order) of the columns of a Matrix.
local function column_norms(b, order)
   local norms = {}
   for j = 1, b.cols do
      local column = b:col(j):copy():abs()
      local largest = column:max()
      norms[j] = largest
      if order < math.huge and largest > 0 then
         norms[j] = largest * (column / largest):pow(order):sum() ^ (1 / order)
      end
   end
   return core.Vector(norms)
end

local function as_vector(value, order)
   if type(value) == "number" then return core.Vector { math.abs(value) } end
   if rows.kind(value) == "table" then
      value = type(value[1]) == "table" and core.Matrix(value) or core.Vector(value)
   end
   if rows.kind(value) == "Vector" then return value:abs() end
   if rows.kind(value) == "Matrix" then return column_norms(value, order) end
end

--- The importances of the `n` columns of a fitted model, >= 0: absolute values, or for several classes or targets the
-- norm of this order. NaN counts as 0.
function M.importances(self, model, n, order)
   local who = estimator.name(self)
   local value = as_vector(raw_importances(who, model, self.importance_getter), order)
   if not value or #value ~= n then
      error(("%s: the importances of %s must be one number for each of %s, got %s; with factor columns use an "
         .. "estimator with one importance for each column, such as a forest"):format(who, estimator.name(model),
         text.plural(n, "column"), value and #value or "no numbers"), 0)
   end
   local list = value:totable()
   for j, one in ipairs(list) do list[j] = one == one and one or 0 end
   return list
end

--- Positions 1..n by decreasing importance; ties are broken by the lowest position.
function M.order(importance)
   local order = M.all_columns(#importance)
   table.sort(order, function(a, b)
      if importance[a] ~= importance[b] then return importance[a] > importance[b] end
      return a < b
   end)
   return order
end

--- The indices j with keep[j], as a Vector.
function M.support(keep, n)
   local list = {}
   for j = 1, n do list[#list + 1] = keep[j] and j or nil end
   return core.Vector(list)
end

-- --- actions ---

local function places(self)
   local list = self.support:totable()
   for i, place in ipairs(list) do list[i] = math.tointeger(place) end
   if #list == 0 then error(("%s: no column was selected"):format(estimator.name(self)), 0) end
   return list
end

-- What the estimator, or the first step of a Pipeline, accepts; nil if that is unknown.
local function accepts(model)
   if rows.kind(model) == "Model" then return estimator.describe(model).takes end
   local class = estimator.class_of(model)
   local inner = class and (class.name == "Pipeline" and model.models[1] or class.inner and model[class.inner])
   return inner and estimator.is(inner) and accepts(inner) or nil
end

-- Raise an error for the first value that the estimator would reject in one of `columns` (a Vector or a Matrix).
local function check_finite(self, values, takes, column)
   local bad = 1 - values:isfinite()
   if takes.missing then bad = bad - values:isnan() end
   if takes.infinite then bad = bad:mul(values:isnan()) end
   bad = rows.kind(bad) == "Matrix" and bad or bad:as_column()
   if bad.rows == 0 or bad:max() <= 0 then return end
   local at = bad:flatten():argmax() - 1
   local row, j = at // bad.cols + 1, column or at % bad.cols + 1
   local value = rows.kind(values) == "Matrix" and values:get(row, j) or values[row]
   error(("%s: X must be finite, got %s in row %d, column %d%s"):format(estimator.name(self),
      value ~= value and "nan" or estimator.value_text(value), row, j,
      value ~= value and "; impute missing values (SimpleImputer) or drop them" or ""), 0)
end

-- Check a new X as the estimator would check all of its columns; returns it.
local function checked(self, X)
   local who, takes = estimator.name(self), accepts(self.estimator)
   X = rows.x(who, X)
   if rows.kind(X) == "table" then
      if takes and takes.factors then return X end
      X = rows.rethrow(1, pcall(core.Matrix, X))
   end
   if rows.count(X) == 0 then error(who .. ": X must have at least 1 row, got 0", 0) end
   if takes and rows.kind(X) == "Matrix" then check_finite(self, X, takes) end
   for j, column in ipairs(takes and rows.is_frame(X) and X.columns or {}) do
      if rows.kind(column) == "Vector" then check_finite(self, column, takes, j) end
   end
   return X
end

--- The selected columns of a new X.
function M.selected(self, X)
   return ensemble.select_columns(self, checked(self, X), places(self))
end

local function has_factor(X)
   for _, column in ipairs(rows.is_frame(X) and X.columns or {}) do
      if rows.kind(column) == "Factor" then return true end
   end
   return false
end

-- The Frame of fit from one of the selected columns, some of them factors; 0 in the others.
local function inverse_frame(self, X, kept)
   local columns, names = {}, {}
   if #X.columns ~= #kept then
      error(("%s: X must have %s, as transform returns, got %d"):format(estimator.name(self),
         text.plural(#kept, "column"), #X.columns), 0)
   end
   for j = 1, self.n_features do
      columns[j], names[j] = core.Vector(rows.count(X), 0), self.feature_names and self.feature_names[j] or "x" .. j
   end
   for i, j in ipairs(kept) do columns[j] = X.columns[i] end
   return rows.frame(names, columns)
end

local function inverse_transform(self, X)
   local who, kept, columns = estimator.name(self), places(self), {}
   X = rows.x(who, X)
   if has_factor(X) then return inverse_frame(self, X, kept) end
   X = rows.plain(X)
   if rows.kind(X) ~= "Matrix" or X.cols ~= #kept then
      error(("%s: X must be numbers in %s, as transform returns, got %d"):format(who, text.plural(#kept, "column"),
         rows.width(X)), 0)
   end
   check_finite(self, X, accepts(self.estimator) or { missing = true, infinite = true })
   for j = 1, self.n_features do columns[j] = core.Vector(X.rows, 0) end
   for i, j in ipairs(kept) do columns[j] = X:col(i):copy() end
   return core.hcat(table.unpack(columns))
end

local function output_names(self)
   estimator.need_fitted(self, "output_names", 2)
   local names = {}
   for i, j in ipairs(self.support:totable()) do
      j = math.tointeger(j)
      names[i] = self.feature_names and self.feature_names[j] or "x" .. j
   end
   return names
end

-- The estimator as text, and if fitted how many columns are selected.
local function show(self)
   local line = estimator.one_line(self)
   if rawget(self, "fitted") then
      line = ("%s, fitted: %d of %s selected"):format(line, #self.support, text.plural(self.n_features, "column"))
   end
   return text.wrap_line(line)
end

local ACTIONS = { "predict", "predict_proba", "predict_log_proba", "decision_function" }

-- Let the actions of a class be those of its learned field `best` on the selected columns.
local function add_predictions(definition)
   local predicts = {}
   for _, method in ipairs(ACTIONS) do
      predicts[method] = true
      definition[method] = rows.rethrowing(function(self, X)
         local value = self.best[method](self.best, M.selected(self, X))
         return value
      end)
   end
   local index = definition.index
   function definition.index(self, key)
      local found = index and index(self, key)
      if found ~= nil then return found end
      local best = rawget(self, "best")
      return best and type(key) == "string" and parts.has_field(best, key) or nil
   end
   function definition.can(self, name)
      if predicts[name] then return estimator.can(self.estimator, name) end
      return name == "transform" or name == "inverse_transform" or not estimator.is_action(name)
   end
end

M.LEARNED = {
   n_features = "number of columns of X", feature_names = "column names of X, if X is a Frame",
   classes = "class labels in ascending order, if the estimator classifies",
   support = "Vector: indices of the selected columns, ascending",
}

--- Help on importances, for the notes of classes.
M.IMPORTANCE = "\"auto\": coef, for several classes or targets its norm, or feature_importances; or the name of a "
   .. "learned field, or function(model), with one number for each column"

M.ESTIMATOR = "the estimator; may be given first, without a name"

--- Make a class of selectors; see estimator.class. predicts = true: it learns `best`, whose predictions are its own.
function M.class(definition)
   definition.ours, definition.inner = true, "estimator"
   definition.does = definition.predicts and function(self) return estimator.does(self.estimator) end or "transform"
   definition.reports_progress = true
   for name, line in pairs(M.LEARNED) do definition.learned[name] = definition.learned[name] or line end
   definition.construct = definition.construct or ensemble.construct(function() return nil end)
   definition.tostring = definition.tostring or show
   definition.transform = rows.rethrowing(M.selected)
   definition.inverse_transform = rows.rethrowing(inverse_transform)
   definition.output_names = output_names
   if definition.predicts then add_predictions(definition) end
   definition.predicts = nil
   return (estimator.class(definition))
end

return M
