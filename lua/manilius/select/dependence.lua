--- Partial dependence: the mean prediction of a fitted model when one column is set to a value in every row (Friedman,
-- Annals of Statistics 29, 2001), and the predictions for each row: individual conditional expectation (Goldstein,
-- Kapelner, Bleich & Pitkin, J. Computational and Graphical Statistics 24, 2015).
--
-- If columns are correlated, some of these rows are unrealistic. The individual curves show heterogeneity that the mean
-- hides.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local parts = require "manilius.metrics.parts"
local progress = require "manilius.progress"
local rows = require "manilius.rows"
local show = require "manilius.metrics.text"
local text = require "manilius.text"

local M = { help = {} }

local WHO = "partial_dependence"

local function fail(form, ...)
   error(WHO .. ": " .. form:format(...), 0)
end

-- --- the result ---

local Dependence = { __name = "PartialDependence" }
Dependence.__index = Dependence

local MAX_SHOWN = 12

function Dependence.__tostring(self)
   local lines, n = { { show.label(self.column), self.response } }, #self.average
   local step = math.max(math.ceil(n / MAX_SHOWN), 1)
   for i = 1, n, step do
      local value = self.values[i]
      lines[#lines + 1] = { type(value) == "number" and ("%.4g"):format(value) or show.label(value),
         ("%.4g"):format(self.average[i]) }
   end
   return ("mean over %d rows, at %d values of %s\n%s"):format(self.individual.rows, n, show.label(self.column),
      text.aligned(lines))
end

-- --- which values ---

local function check_whole(name, value, low)
   if math.type(value) ~= "integer" or value < low then
      fail("%s must be a whole number >= %d, got %s", name, low, estimator.value_text(value))
   end
   return value
end

-- The distinct values of a column, or, if there are too many, an even grid between its 5% and 95% quantiles.
local function default_values(column, options)
   if rows.kind(column) == "Factor" then
      local levels = {}
      for i = 1, #column.levels do levels[i] = column.levels[i] end
      return levels
   end
   local max = check_whole("grid", options.grid or 50, 2)
   local known = column:take(column:isfinite():nonzero())
   if #known == 0 then fail("the column has no finite values") end
   local distinct = known:unique()
   if #distinct <= max then return distinct end
   local low, high = known:quantile(0.05), known:quantile(0.95)
   if low == high then low, high = known:min(), known:max() end
   return core.linspace(low, high, max)
end

local function values_of(column, options)
   if options.values == nil then return default_values(column, options) end
   if rows.kind(column) == "Factor" then
      if type(options.values) ~= "table" then
         fail("values must be a list of levels, got %s", estimator.value_text(options.values))
      end
      return options.values
   end
   return core.Vector(options.values)
end

-- A constant column.
local function constant(column, value)
   if rows.kind(column) == "Factor" then
      local all = {}
      for i = 1, #column do all[i] = value end
      return core.Factor(all)
   end
   return core.full(#column, 1, value):col(1)
end

-- --- the response ---

local function index_of(list, wanted, what)
   local at = parts.place(list, wanted)
   if at then return at end
   fail("%s must be one of %s, got %s%s", what, parts.texts(list), parts.text(wanted),
      type(wanted) == "string" and parts.hint(wanted, list) or "")
end

local function response_of_classifier(model, options)
   local classes = estimator.learned(model, "classes")
   if not estimator.can(model, "predict_proba") then fail("%s has no predict_proba", estimator.name(model)) end
   if options.target == nil and #classes > 2 then
      fail("target must be given: one of the classes %s", parts.texts(classes))
   end
   local at = options.target == nil and 2 or index_of(classes, options.target, "target")
   return "probability of " .. tostring(classes[at]), function(X) return model:predict_proba(X):col(at) end
end

local function response_of(model, options)
   if estimator.does(model) == "classify" then return response_of_classifier(model, options) end
   local target = check_whole("target", options.target or 1, 1)
   return "prediction", function(X)
      local out = model:predict(X)
      if rows.kind(out) ~= "Matrix" then return out end
      if target > out.cols then fail("target must be from 1 to %d, got %d", out.cols, target) end
      return out:col(target)
   end
end

local function column_index(names, column)
   if math.type(column) == "integer" then
      if column < 1 or column > #names then fail("column must be from 1 to %d, got %d", #names, column) end
      return column
   end
   return index_of(names, column, "column")
end

local function normalized_weights(options, n)
   if options.weights == nil then return core.full(n, 1, 1 / n):col(1) end
   local weights = core.Vector(options.weights)
   if #weights ~= n then fail("weights must have %d values, one for each row, got %d", n, #weights) end
   if not (weights:min() >= 0 and weights:sum() > 0) then fail("weights must be >= 0, and not all 0") end
   return weights / weights:sum()
end

local function dependence(model, X, column, options)
   if not estimator.is(model) then
      fail("model must be an estimator, got %s", estimator.value_text(model))
   end
   X = rows.x(WHO, X, 0)
   local columns, names, assemble = rows.split_columns(WHO, X, estimator.learned(model, "feature_names"))
   local n, j = rows.count(X), column_index(names, column)
   local values = values_of(columns[j], options)
   local response, predict = response_of(model, options)
   local weights, changed = normalized_weights(options, n), table.move(columns, 1, #columns, 1, {})
   local individual, average = {}, {}
   local shown <close> = progress.task(WHO, #values)
   for v = 1, #values do
      shown:at(v - 1)
      changed[j] = constant(columns[j], values[v])
      local out = predict(assemble(changed)):copy()
      individual[v], average[v] = out:as_column(), out:dot(weights)
   end
   return setmetatable({ column = names[j], values = values, average = core.Vector(average),
      individual = core.hcat(table.unpack(individual)), response = response, observed = columns[j] }, Dependence)
end

M.help.partial_dependence = {
   name = WHO, args = { "model", "X", "column" },
   brief = "Mean prediction of a fitted model as a function of one column.",
   formula = "average(v) = sum_i w_i f(x_i with column j set to v) / sum_i w_i",
   returns = "an object that prints as a table: column, values (Vector, or labels of a factor), average (Vector), "
      .. "individual (Matrix, rows x values), response (name); plot it with ml.plot.partial_dependence",
   options = {
      grid = "maximum number of values, default 50: all distinct values, or an even grid between the 5% and 95% "
         .. "quantiles",
      values = "values or levels to use instead of the grid",
      target = "class (default: the second of two), or number of the target if there are several",
      weights = "sample weights of the mean",
   },
   notes = "column is a name or a number. Classifiers use the probability of the target class, regressors the "
      .. "prediction. If columns are correlated, the averages include unrealistic rows.",
   source = "Friedman, Annals of Statistics 29 (2001); Goldstein et al., J. Comp. Graph. Statistics 24 (2015)",
   example = [[
local X, y = ml.read_csv "examples/data/diabetes.csv":split "progression"
local model = ml.RandomForestRegressor { n_estimators = 20, seed = 1 }:fit(X, y)
print(ml.partial_dependence(model, X, "bmi", { grid = 8 }))]],
}

--- Partial dependence of a fitted model on one column; see M.help.
function M.partial_dependence(model, X, column, options)
   options = require("manilius.options").check(WHO, options, M.help.partial_dependence.options, 2)
   return (rows.rethrow(2, pcall(dependence, model, X, column, options)))
end

return M
