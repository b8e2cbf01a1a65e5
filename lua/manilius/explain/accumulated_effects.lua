--- Accumulated local effects (ALE) of one or two columns of a fitted model (Apley & Zhu, J. Royal Statistical Society B
-- 82, 2020).
--
-- The values of a column are divided into bins at their quantiles. The local effect in a bin is the mean over its rows
-- of the difference of the predictions at its two edges; the other columns keep their values, so that correlated
-- columns give no unrealistic rows. The sums of the local effects are centered: their mean over the rows is 0. The
-- effect of two columns is that beyond the effects of each, from second differences at the corners of cells.

local core = require "manilius.core"
local response_of = require "manilius.explain.response"
local rows = require "manilius.rows"
local tables = require "manilius.explain.tables"
local text = require "manilius.text"

local M = { help = {} }

local WHO, BINS, BINS_OF_TWO = "accumulated_effects", 20, 10

-- --- the result ---

local Effects = { __name = "AccumulatedEffects" }
Effects.__index = Effects

function Effects.__tostring(self)
   local head = "effect on the %s, accumulated over %s of %d rows\n%s"
   if self.columns then
      local cells = ("%d x %d bins"):format(self.count.rows, self.count.cols)
      return head:format(self.response, cells, self.rows, tables.grid(self.columns, self.values, self.effect))
   end
   local t = self.table
   return head:format(self.response, text.plural(#t.value - 1, "bin"), self.rows,
      tables.list(self.column, t.value, { "effect" }, { t.effect }))
end

--- Plot of the effect against the columns.
-- @return Figure
function Effects:plot()
   local plot, label = require "manilius.plot", "effect on the " .. self.response
   if not self.columns then
      return (plot.line(self.table.value, self.table.effect, { x_label = self.column, y_label = label,
         title = "Accumulated local effects of " .. self.column }))
   end
   local size = math.max(self.effect:max(), -self.effect:min(), 1e-300)
   return (plot.heatmap(self.effect:t(), { x = self.values[1], y = self.values[2], palette = "diverging", low = -size,
      high = size, cell_text = false, color_label = label, x_label = self.columns[1], y_label = self.columns[2],
      title = ("Accumulated local effects of %s and %s"):format(self.columns[1], self.columns[2]) }))
end

-- --- bins ---

-- The edges of the bins of a column: all distinct values if they are few, else distinct quantiles. They are sample
-- values, so that each bin has rows.
local function edges_of(column, bins, name)
   if rows.kind(column) ~= "Vector" then
      response_of.fail(WHO, "column must be numeric, but '%s' is a factor: its levels have no order; use "
         .. "ml.partial_dependence", name)
   end
   if not column:isfinite():all() then
      response_of.fail(WHO, "column must be finite, but '%s' has missing or infinite values; drop these rows", name)
   end
   local distinct = column:unique()
   if #distinct < 2 then response_of.fail(WHO, "column must have two distinct values, but '%s' is constant", name) end
   if #distinct <= bins + 1 then return distinct end
   return column:sort():take((core.range(0, bins) * (#column / bins)):ceil():maximum(1)):unique()
end

-- --- effects ---

-- `task` holds columns, chosen (their places), edges, bins (of the rows; by chosen column), predict(columns).
local function divide(task, bins)
   task.edges, task.bins = {}, {}
   for i, j in ipairs(task.chosen) do
      task.edges[i] = edges_of(task.columns[j], bins, task.names[j])
      task.bins[i] = core.explain.bins(task.columns[j], task.edges[i])
   end
end

-- Predictions with each chosen column at the lower or upper edge (offset 0 or 1) of the bin of the row.
local function at_edges(task, ...)
   local changed = table.move(task.columns, 1, #task.columns, 1, {})
   for i, j in ipairs(task.chosen) do changed[j] = task.edges[i]:take(task.bins[i] + select(i, ...)) end
   return task.predict(changed):copy()
end

local function of_one(task)
   local difference = at_edges(task, 1) - at_edges(task, 0)
   local effect, count = core.explain.accumulate(difference, task.bins[1], #task.edges[1] - 1)
   return { column = task.names[task.chosen[1]],
      table = rows.frame({ "value", "effect", "count" }, { task.edges[1], effect, count }) }
end

local function of_two(task)
   local difference = at_edges(task, 1, 1) - at_edges(task, 0, 1) - at_edges(task, 1, 0) + at_edges(task, 0, 0)
   local effect, count = core.explain.interaction(difference, task.bins[1], task.bins[2], task.edges[1],
      task.edges[2])
   return { columns = { task.names[task.chosen[1]], task.names[task.chosen[2]] }, values = task.edges,
      effect = effect, count = count }
end

local function effects(model, X, column, options)
   response_of.check_model(WHO, model)
   X = rows.x(WHO, X, 0)
   local n = rows.count(X)
   if n < 2 then response_of.fail(WHO, "X must have at least two rows, got %d", n) end
   local columns, names, assemble = response_of.columns(WHO, model, X)
   local chosen = response_of.one_or_two(WHO, names, column)
   local bins = response_of.whole(WHO, "bins", options.bins or #chosen == 1 and BINS or BINS_OF_TWO, 1)
   local response, predict = response_of.of(WHO, model, options.target, options.response)
   local task = { columns = columns, names = names, chosen = chosen,
      predict = function(list) return predict(assemble(list)) end }
   divide(task, bins)
   local result = #chosen == 1 and of_one(task) or of_two(task)
   result.response, result.rows = response, n
   return setmetatable(result, Effects)
end

M.help.accumulated_effects = {
   name = WHO, args = { "model", "X", "column" },
   brief = "Accumulated local effects (ALE) of one or two columns of a fitted model.",
   formula = "effect(z_k) = sum_(b <= k) mean over rows in bin b of f(z_b, other columns) - f(z_(b-1), other columns), "
      .. "minus its mean",
   returns = "an object that prints as a table: column, response, table (Frame: value, the edges of the bins; effect; "
      .. "count, the rows in the bin that ends there); of two columns: columns, values (their edges), effect (Matrix), "
      .. "count (Matrix, cells); :plot()",
   options = {
      bins = "maximum number of bins, with edges at quantiles of the column; default 20, or 10 for each of two columns",
      target = "class (default: the second of two), number of a cluster, or number of the target if there are several",
      response = response_of.RESPONSE,
   },
   notes = "column is a name, a number or a list of two; the effect of two columns excludes the effect of each alone. "
      .. "Cells without rows take the difference of the nearest cell. Unlike partial dependence it uses no "
      .. "unrealistic rows if columns are correlated. The effect is relative to the mean prediction. Factor columns "
      .. "are refused, as their levels have no order.",
   source = "Apley & Zhu, J. Royal Statistical Society B 82 (2020)",
   example = [[
local X, y = ml.read_csv "examples/data/diabetes.csv":split "progression"
local model = ml.RandomForestRegressor { n_estimators = 20, seed = 1 }:fit(X, y)
print(ml.accumulated_effects(model, X, "bmi", { bins = 8 }))]],
}

--- Accumulated local effects of one column or two; see M.help.
function M.accumulated_effects(model, X, column, options)
   options = require("manilius.options").check(WHO, options, M.help.accumulated_effects.options, 2)
   return (rows.rethrow(2, pcall(effects, model, X, column, options)))
end

return M
