--- Partial dependence: the mean prediction of a fitted model when one or two columns are set to values in every row
-- (Friedman, Annals of Statistics 29, 2001), and for one column the predictions for each row: individual conditional
-- expectation (Goldstein, Kapelner, Bleich & Pitkin, J. Computational and Graphical Statistics 24, 2015).
--
-- If columns are correlated, some of these rows are unrealistic. The individual curves show heterogeneity that the mean
-- hides.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local parts = require "manilius.metrics.parts"
local progress = require "manilius.progress"
local response_of = require "manilius.explain.response"
local rows = require "manilius.rows"
local show = require "manilius.metrics.text"
local tables = require "manilius.explain.tables"
local text = require "manilius.text"

local M = { help = {} }

local WHO = "partial_dependence"
local GRID, GRID_OF_TWO = 50, 20

local function fail(form, ...)
   response_of.fail(WHO, form, ...)
end

-- --- the result ---

local Dependence = { __name = "PartialDependence" }
Dependence.__index = Dependence

local function print_one(self)
   return ("mean over %s, at %s of %s\n%s"):format(text.plural(self.rows, "row"),
      text.plural(#self.values, "value"), show.label(self.column),
      tables.list(self.column, self.values, self.responses, self.averages))
end

function Dependence.__tostring(self)
   if not self.columns then return print_one(self) end
   local out = {}
   for c, name in ipairs(self.responses) do
      out[c] = ("%s, mean over %s, at %d x %d values\n%s"):format(name, text.plural(self.rows, "row"), #self.values[1],
         #self.values[2], tables.grid(self.columns, self.values, self.averages[c]))
   end
   return table.concat(out, "\n")
end

--- Plot of the result. options: those of ml.plot.partial_dependence.
-- @return Figure
function Dependence:plot(options)
   return (require("manilius.plot").partial_dependence(self, options or {}))
end

-- --- which values ---

-- The distinct values of a column, or, if there are too many, an even grid between its 5% and 95% quantiles.
local function default_values(column, max)
   if rows.kind(column) == "Factor" then
      local levels = {}
      for i = 1, #column.levels do levels[i] = column.levels[i] end
      return levels
   end
   local known = column:take(column:isfinite():nonzero())
   if #known == 0 then fail("the column has no finite values") end
   local distinct = known:unique()
   if #distinct <= max then return distinct end
   local low, high = known:quantile(0.05), known:quantile(0.95)
   if low == high then low, high = known:min(), known:max() end
   return core.linspace(low, high, max)
end

local function values_of(column, name, given, max)
   if given == nil then return default_values(column, max) end
   local is_factor = rows.kind(column) == "Factor"
   if type(given) ~= "table" and (is_factor or rows.kind(given) ~= "Vector") or #given == 0 then
      fail("values must be a list of %s, got %s", is_factor and "levels" or "numbers", estimator.value_text(given))
   end
   if not is_factor then return core.Vector(given) end
   for i = 1, #given do
      if not parts.place(column.levels, given[i]) then
         fail("values must be levels of '%s': %s; got %s", name, parts.texts(column.levels), parts.text(given[i]))
      end
   end
   return given
end

-- The values of each chosen column: a list of one or two.
local function grids_of(columns, names, chosen, options)
   local max = response_of.whole(WHO, "grid", options.grid or #chosen == 1 and GRID or GRID_OF_TWO, 2)
   local given, out = options.values, {}
   if #chosen == 1 then return { values_of(columns[chosen[1]], names[chosen[1]], given, max) } end
   if given ~= nil and (type(given) ~= "table" or #given > 2) then
      fail("values must be { values of the first column, values of the second }, got %s", estimator.value_text(given))
   end
   for i, j in ipairs(chosen) do out[i] = values_of(columns[j], names[j], given and given[i], max) end
   return out
end

-- A constant column.
local function constant(column, value)
   local all = core.full(#column, 1, 1):col(1)
   if rows.kind(column) == "Factor" then return core.Factor { value }:take(all) end
   return all * value
end

local function normalized_weights(options, n)
   if options.weights == nil then return core.full(n, 1, 1 / n):col(1) end
   local weights = core.Vector(options.weights)
   if #weights ~= n then fail("weights must have %d values, one for each row, got %d", n, #weights) end
   if not (weights:min() >= 0 and weights:sum() > 0) then fail("weights must be >= 0, and not all 0") end
   return weights / weights:sum()
end

-- --- one and two columns ---

-- `task` holds columns, chosen (their places), grids (their values), weights, responses (names), predict(columns).
local function along_one(task)
   local j, values, sums, curves = task.chosen[1], task.grids[1], {}, {}
   local changed = table.move(task.columns, 1, #task.columns, 1, {})
   local shown <close> = progress.task(WHO, #values)
   for c = 1, #task.responses do sums[c], curves[c] = {}, {} end
   for v = 1, #values do
      shown:at(v - 1)
      changed[j] = constant(task.columns[j], values[v])
      for c, out in ipairs(task.predict(changed)) do
         out = out:copy()
         sums[c][v], curves[c][v] = out:dot(task.weights), out:as_column()
      end
   end
   local averages, individuals = {}, {}
   for c = 1, #task.responses do
      averages[c], individuals[c] = core.Vector(sums[c]), core.hcat(table.unpack(curves[c]))
   end
   return { column = task.names[j], values = values, observed = task.columns[j], averages = averages,
      individuals = individuals, individual = #individuals == 1 and individuals[1] or nil }
end

local function along_two(task)
   local first, second = task.chosen[1], task.chosen[2]
   local one, two, sums = task.grids[1], task.grids[2], {}
   local changed = table.move(task.columns, 1, #task.columns, 1, {})
   local shown <close> = progress.task(WHO, #one)
   for c = 1, #task.responses do sums[c] = {} end
   for v = 1, #one do
      shown:at(v - 1)
      changed[first] = constant(task.columns[first], one[v])
      for c in ipairs(sums) do sums[c][v] = {} end
      for w = 1, #two do
         changed[second] = constant(task.columns[second], two[w])
         for c, out in ipairs(task.predict(changed)) do sums[c][v][w] = out:dot(task.weights) end
      end
   end
   for c = 1, #sums do sums[c] = core.Matrix(sums[c]) end
   return { columns = { task.names[first], task.names[second] }, values = task.grids,
      observed = { task.columns[first], task.columns[second] }, averages = sums }
end

local function dependence(model, X, column, options)
   response_of.check_model(WHO, model)
   X = rows.x(WHO, X, 0)
   local columns, names, assemble = response_of.columns(WHO, model, X)
   local chosen, n = response_of.one_or_two(WHO, names, column), rows.count(X)
   if n == 0 then fail("X must have at least one row, got none") end
   local responses, predict = response_of.all(WHO, model, options.target, options.response)
   local task = { columns = columns, names = names, chosen = chosen, grids = grids_of(columns, names, chosen, options),
      weights = normalized_weights(options, n), responses = responses,
      predict = function(list) return predict(assemble(list)) end }
   local result = #chosen == 1 and along_one(task) or along_two(task)
   result.rows, result.responses = n, responses
   if #responses == 1 then result.response, result.average = responses[1], result.averages[1] end
   return setmetatable(result, Dependence)
end

M.help.partial_dependence = {
   name = WHO, args = { "model", "X", "column" },
   brief = "Mean prediction of a fitted model as a function of one or two columns.",
   formula = "average(v) = sum_i w_i f(x_i with column j set to v) / sum_i w_i",
   returns = "an object that prints as a table: column, values (Vector, or labels of a factor), average (Vector), "
      .. "individual (Matrix, rows x values), response (name); of two columns: columns, values (two lists), average "
      .. "(Matrix); responses, averages, individuals: lists over the classes; :plot()",
   options = {
      grid = "maximum number of values, default 50, or 20 for each of two columns: all distinct values if they are "
         .. "not more, else evenly spaced between the 5% and 95% quantiles",
      values = "values or levels to use instead of the grid; for two columns, a list of two such lists",
      target = "class, number of a cluster, or number of the target if there are several; nil: the second of two "
         .. "classes, or all of more than two",
      response = response_of.RESPONSE,
      weights = "sample weights of the mean",
   },
   notes = "column is a name, a number or a list of two. Classifiers use the probability of the target class, "
      .. "regressors the prediction. If columns are correlated, the averages include unrealistic rows. scikit-learn "
      .. "places its grid between other quantiles (`mquantiles`).",
   source = "Friedman, Annals of Statistics 29 (2001); Goldstein et al., J. Comp. Graph. Statistics 24 (2015)",
   example = [[
local X, y = ml.read_csv "examples/data/diabetes.csv":split "progression"
local model = ml.RandomForestRegressor { n_estimators = 20, seed = 1 }:fit(X, y)
print(ml.partial_dependence(model, X, "bmi", { grid = 8 }))
print(ml.partial_dependence(model, X, { "bmi", "s5" }, { grid = 4 }))]],
}

--- Partial dependence of a fitted model on one column or two; see M.help.
function M.partial_dependence(model, X, column, options)
   options = require("manilius.options").check(WHO, options, M.help.partial_dependence.options, 2)
   return (rows.rethrow(2, pcall(dependence, model, X, column, options)))
end

return M
