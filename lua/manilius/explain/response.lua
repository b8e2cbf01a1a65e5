--- The number that explanations of a fitted model are about: its prediction, or the probability or decision value of a
-- class.
--
-- Errors are raised without a position; `who` is the name of the function they belong to.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local parts = require "manilius.metrics.parts"
local rows = require "manilius.rows"
local text = require "manilius.text"

local M = {}

local function fail(who, form, ...)
   error(who .. ": " .. form:format(...), 0)
end

M.fail = fail

--- A whole number of at least `low`, the value of the option `name`.
function M.whole(who, name, value, low)
   local whole = type(value) == "number" and math.tointeger(value)
   if not whole or whole < low then
      fail(who, "%s must be a whole number >= %d, got %s", name, low, estimator.value_text(value))
   end
   return whole
end

local function index_of(who, list, wanted, what)
   local at = parts.place(list, wanted)
   if at then return at end
   fail(who, "%s must be one of %s, got %s%s", what, parts.texts(list), parts.text(wanted),
      type(wanted) == "string" and text.near(wanted, list) or "")
end

--- The place of a column, given by name or number.
function M.column_index(who, names, column)
   if math.type(column) == "integer" then
      if column < 1 or column > #names then
         fail(who, "column must be from 1 to %d, got %d", #names, column)
      end
      return column
   end
   return index_of(who, names, column, "column")
end

local METHODS = { "predict_proba", "decision_function" }

--- The text of the option `response` of the functions that explain.
M.RESPONSE = 'of a classifier: "predict_proba" or "decision_function"; default: the first that the model has'

-- The method of a classifier whose values are explained.
local function method_of(who, model, given)
   local name = estimator.name(model)
   if given == nil then
      for _, method in ipairs(METHODS) do
         if estimator.can(model, method) then return method end
      end
      fail(who, "%s has neither predict_proba nor decision_function", name)
   end
   if not parts.place(METHODS, given) then
      fail(who, 'response must be "predict_proba" or "decision_function", got %s', parts.text(given))
   end
   if not estimator.can(model, given) then fail(who, "response: %s has no %s", name, given) end
   return given
end

-- A function from X to the values of class `at`. The decision values of two classes are those of the second.
local function values_of_class(model, method, at, count)
   return function(X)
      local out = model[method](model, X)
      if rows.kind(out) == "Matrix" and out.cols > 1 then return out:col(at) end
      if rows.kind(out) == "Matrix" then out = out:col(1):copy() end
      return at == 1 and count == 2 and -out or out
   end
end

local NAMES = { predict_proba = "probability", decision_function = "decision value" }

local function of_classifier(who, model, target, given)
   local classes, method = estimator.learned(model, "classes"), method_of(who, model, given)
   if classes == nil then return NAMES[method], values_of_class(model, method, 2, 2) end
   if target == nil and #classes > 2 then
      fail(who, "target must be given: one of the classes %s", parts.texts(classes))
   end
   local at = target == nil and 2 or index_of(who, classes, target, "target")
   return ("%s of %s"):format(NAMES[method], classes[at]), values_of_class(model, method, at, #classes)
end

-- The number of clusters of a fitted model; nil if it does not say.
local function count_clusters(model)
   local labels = estimator.learned(model, "labels")
   if labels ~= nil then return math.max(0, math.tointeger(labels:max())) end
   local weights, means = estimator.learned(model, "weights"), estimator.learned(model, "means")
   return weights and weights.size or means and means.rows or nil
end

local function of_clustering(who, model, target)
   if target == nil then
      fail(who, "target must be given: the number of a cluster, because the clusters of %s have no order",
         estimator.name(model))
   end
   local at, count = M.whole(who, "target", target, 1), count_clusters(model)
   if count == 0 then fail(who, "%s found no clusters that could be explained", estimator.name(model)) end
   if count and at > count then
      fail(who, "target must be the number of a cluster, from 1 to %d, got %d", count, at)
   end
   return ("membership in cluster %d"):format(at), function(X) return model:predict(X):eq(at) end
end

-- Raise an error unless these are finite numbers, one for each row of X, as models of the library predict.
local function checked(who, model, X, values)
   if rows.kind(values) == "table" then values = core.Vector(values) end
   local kind, n, name = rows.kind(values), rows.count(X), estimator.name(model)
   if kind ~= "Vector" then fail(who, "%s must predict a Vector, got %s", name, estimator.value_text(values)) end
   if #values ~= n then fail(who, "%s must predict a value for each of the %d rows, got %d", name, n, #values) end
   local bad = (1 - values:isfinite()):nonzero()
   if #bad > 0 then fail(who, "predictions must be finite, but %s predicts %s", name, text.number(values[bad[1]])) end
   return values
end

local function of_predictions(who, model, target)
   local at = M.whole(who, "target", target or 1, 1)
   return "prediction", function(X)
      local out = model:predict(X)
      if rows.kind(out) ~= "Matrix" then return out end
      if at > out.cols then fail(who, "target must be from 1 to %d, got %d", out.cols, at) end
      return out:col(at)
   end
end

--- The name of the response of a model, and a function from X to a Vector of it. target: a class, the number of a
-- column of y, or the number of a cluster. method: see RESPONSE.
function M.of(who, model, target, method)
   local does = estimator.does(model)
   if method ~= nil and does ~= "classify" then
      fail(who, "response is for classifiers, but model is %s", estimator.name(model))
   end
   local of = does == "classify" and of_classifier or does == "cluster" and of_clustering or of_predictions
   local name, predict = of(who, model, target, method)
   return name, function(X) return checked(who, model, X, predict(X)) end
end

--- The names of the responses, and a function from X to a list of Vectors, one for each: those of all classes if there
-- are more than two and target is nil, otherwise one.
function M.all(who, model, target, given)
   local classes = estimator.does(model) == "classify" and estimator.learned(model, "classes") or {}
   if target ~= nil or #classes < 3 then
      local name, predict = M.of(who, model, target, given)
      return { name }, function(X) return { predict(X) } end
   end
   local names, method = {}, method_of(who, model, given)
   for c = 1, #classes do names[c] = ("%s of %s"):format(NAMES[method], classes[c]) end
   return names, function(X)
      local out, p = {}, model[method](model, X)
      for c = 1, #names do out[c] = checked(who, model, X, p:col(c)) end
      return out
   end
end

--- Raise an error unless the model is an estimator.
function M.check_model(who, model)
   if not estimator.is(model) then
      fail(who, "model must be an estimator, got %s", estimator.value_text(model))
   end
end

--- The rows of X as a list of columns, their names, and a function from columns to an X.
function M.columns(who, model, X)
   return rows.split_columns(who, X, estimator.learned(model, "feature_names"))
end

--- The places of one or two different columns, given by name or number, or as a list of two.
function M.one_or_two(who, names, column)
   if type(column) ~= "table" then return { M.column_index(who, names, column) } end
   if #column < 1 or #column > 2 then fail(who, "column must be one column or a list of two, got %d", #column) end
   local out = {}
   for i = 1, #column do out[i] = M.column_index(who, names, column[i]) end
   if out[1] == out[2] then fail(who, "the two columns must be different, got '%s' twice", names[out[1]]) end
   return out
end

--- At most `max` rows of X at random places, in their order.
function M.sample(X, max, seed)
   local n = rows.count(X)
   if n <= max then return X end
   local chosen = core.rng(seed, 1):permutation(n):totable()
   chosen = table.move(chosen, 1, max, 1, {})
   table.sort(chosen)
   return rows.take(X, core.Vector(chosen))
end

--- Row indices that pair each of the rows first .. last with all m background rows.
function M.pairing(first, last, m)
   local of_x, of_background, k = core.Vector((last - first + 1) * m), core.Vector((last - first + 1) * m), 0
   for i = first, last do
      for b = 1, m do
         k = k + 1
         of_x[k], of_background[k] = i, b
      end
   end
   return of_x, of_background
end

--- Columns with these rows, which may repeat.
function M.repeated(columns, at)
   local out = {}
   for j, column in ipairs(columns) do out[j] = column:take(at) end
   return out
end

return M
