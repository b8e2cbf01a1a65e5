--- Partial dependence: the mean prediction of a fitted model when one column is set to a value in every row (Friedman,
-- Annals of Statistics 29, 2001), and the predictions for each row: individual conditional expectation (Goldstein,
-- Kapelner, Bleich & Pitkin, J. Computational and Graphical Statistics 24, 2015).
--
-- If columns are correlated, some of these rows are unrealistic. The individual curves show heterogeneity that the mean
-- hides.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local progress = require "manilius.progress"
local response_of = require "manilius.explain.response"
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

-- The distinct values of a column, or, if there are too many, an even grid between its 5% and 95% quantiles.
local function default_values(column, options)
   if rows.kind(column) == "Factor" then
      local levels = {}
      for i = 1, #column.levels do levels[i] = column.levels[i] end
      return levels
   end
   local max = response_of.whole(WHO, "grid", options.grid or 50, 2)
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

local function normalized_weights(options, n)
   if options.weights == nil then return core.full(n, 1, 1 / n):col(1) end
   local weights = core.Vector(options.weights)
   if #weights ~= n then fail("weights must have %d values, one for each row, got %d", n, #weights) end
   if not (weights:min() >= 0 and weights:sum() > 0) then fail("weights must be >= 0, and not all 0") end
   return weights / weights:sum()
end

local function dependence(model, X, column, options)
   response_of.check_model(WHO, model)
   X = rows.x(WHO, X, 0)
   local columns, names, assemble = response_of.columns(WHO, model, X)
   local n, j = rows.count(X), response_of.column_index(WHO, names, column)
   local values = values_of(columns[j], options)
   local response, predict = response_of.of(WHO, model, options.target)
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
