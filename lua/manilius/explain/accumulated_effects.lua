--- Accumulated local effects (ALE) of one column of a fitted model (Apley & Zhu, J. Royal Statistical Society B 82,
-- 2020).
--
-- The values of the column are divided into bins at their quantiles. The local effect in a bin is the mean over its
-- rows of the difference of the predictions at its two edges; the other columns keep their values, so that correlated
-- columns give no unrealistic rows. The sums of the local effects are centered: their mean over the rows is 0.

local core = require "manilius.core"
local response_of = require "manilius.explain.response"
local rows = require "manilius.rows"
local show = require "manilius.metrics.text"
local text = require "manilius.text"

local M = { help = {} }

local WHO, MAX_SHOWN = "accumulated_effects", 12

-- --- the result ---

local Effects = { __name = "AccumulatedEffects" }
Effects.__index = Effects

function Effects.__tostring(self)
   local t, lines = self.table, { { show.label(self.column), "effect" } }
   local step = math.max(math.ceil(#t.value / MAX_SHOWN), 1)
   for i = 1, #t.value, step do lines[#lines + 1] = { ("%.4g"):format(t.value[i]), ("%.4g"):format(t.effect[i]) } end
   return ("effect on the %s, accumulated over %s of %d rows\n%s"):format(self.response,
      text.plural(#t.value - 1, "bin"), self.rows, text.aligned(lines))
end

--- Plot of the effect against the column.
-- @return Figure
function Effects:plot()
   return (require("manilius.plot").line(self.table.value, self.table.effect, { x_label = self.column,
      y_label = "effect on the " .. self.response, title = "Accumulated local effects of " .. self.column }))
end

-- --- the effect ---

-- All distinct values if they are few, else distinct quantiles. They are sample values, so that each bin has rows.
local function edges_of(column, bins, name)
   if rows.kind(column) ~= "Vector" then
      response_of.fail(WHO, "column must be numeric, but '%s' is a factor: its levels have no order; use "
         .. "ml.partial_dependence", name)
   end
   if not column:isfinite():all() then
      response_of.fail(WHO, "column must be finite, but '%s' has missing or infinite values; drop these rows", name)
   end
   local ordered, n, edges = column:unique(), #column, {}
   if #ordered < 2 then response_of.fail(WHO, "column must have two distinct values, but '%s' is constant", name) end
   if #ordered <= bins + 1 then return ordered:totable() end
   local sorted_values = column:totable()
   table.sort(sorted_values)
   for b = 0, bins do
      local value = sorted_values[math.max(1, math.ceil(n * b / bins))]
      if value ~= edges[#edges] then edges[#edges + 1] = value end
   end
   return edges
end

-- The bin of each row: the first whose upper edge is not below the value.
local function bins_of(column, edges)
   local bin = {}
   for i = 1, #column do
      local low, high = 1, #edges - 1
      while low < high do
         local middle = (low + high) // 2
         if column[i] <= edges[middle + 1] then high = middle else low = middle + 1 end
      end
      bin[i] = low
   end
   return bin
end

-- Predictions with the column at the lower or the upper edge (offset 0 or 1) of the bin of each row.
local function at_edges(predict, columns, j, bin, edges, offset)
   local changed, values = table.move(columns, 1, #columns, 1, {}), {}
   for i = 1, #bin do values[i] = edges[bin[i] + offset] end
   changed[j] = core.Vector(values)
   return predict(changed):copy()
end

-- Effects at the edges, and the number of rows in the bin below each.
local function accumulate(difference, bin, count_edges)
   local sum, count, effect, mean = {}, {}, { 0 }, 0
   for k = 1, count_edges do sum[k], count[k] = 0, 0 end
   for i, b in ipairs(bin) do sum[b + 1], count[b + 1] = sum[b + 1] + difference[i], count[b + 1] + 1 end
   for k = 2, count_edges do
      effect[k] = effect[k - 1] + (count[k] > 0 and sum[k] / count[k] or 0)
      mean = mean + count[k] * (effect[k - 1] + effect[k]) / 2 / #bin
   end
   for k = 1, count_edges do effect[k] = effect[k] - mean end
   return effect, count
end

local function effects(model, X, column, options)
   response_of.check_model(WHO, model)
   X = rows.x(WHO, X, 0)
   if rows.count(X) < 2 then response_of.fail(WHO, "X must have at least two rows, got %d", rows.count(X)) end
   local bins = response_of.whole(WHO, "bins", options.bins or 20, 1)
   local columns, names, assemble = response_of.columns(WHO, model, X)
   local j = response_of.column_index(WHO, names, column)
   local response, predict_rows = response_of.of(WHO, model, options.target)
   local function predict(list) return predict_rows(assemble(list)) end
   local edges = edges_of(columns[j], bins, names[j])
   local bin = bins_of(columns[j], edges)
   local difference = at_edges(predict, columns, j, bin, edges, 1) - at_edges(predict, columns, j, bin, edges, 0)
   local effect, count = accumulate(difference, bin, #edges)
   return setmetatable({ column = names[j], response = response, rows = #bin,
      table = rows.frame({ "value", "effect", "count" }, { core.Vector(edges), core.Vector(effect),
         core.Vector(count) }) }, Effects)
end

M.help.accumulated_effects = {
   name = WHO, args = { "model", "X", "column" },
   brief = "Accumulated local effects (ALE) of one column of a fitted model.",
   formula = "effect(z_k) = sum_(b <= k) mean over rows in bin b of f(z_b, other columns) - f(z_(b-1), other columns), "
      .. "minus its mean",
   returns = "an object that prints as a table: column, response, table (Frame: value, the edges of the bins; effect; "
      .. "count, the rows in the bin that ends there); :plot()",
   options = {
      bins = "maximum number of bins, with edges at quantiles of the column; default 20",
      target = "class (default: the second of two), or number of the target if there are several",
   },
   notes = "Unlike partial dependence it uses no unrealistic rows if columns are correlated. The effect is relative to "
      .. "the mean prediction. Factor columns are refused, as their levels have no order.",
   source = "Apley & Zhu, J. Royal Statistical Society B 82 (2020)",
   example = [[
local X, y = ml.read_csv "examples/data/diabetes.csv":split "progression"
local model = ml.RandomForestRegressor { n_estimators = 20, seed = 1 }:fit(X, y)
print(ml.accumulated_effects(model, X, "bmi", { bins = 8 }))]],
}

--- Accumulated local effects of one column of a fitted model; see M.help.
function M.accumulated_effects(model, X, column, options)
   options = require("manilius.options").check(WHO, options, M.help.accumulated_effects.options, 2)
   return (rows.rethrow(2, pcall(effects, model, X, column, options)))
end

return M
