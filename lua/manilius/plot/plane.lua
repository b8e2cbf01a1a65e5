--- The plane of two features of X: its range, and grid points at which models are evaluated.

local core = require "manilius.core"
local inputs = require "manilius.plot.inputs"
local parts = require "manilius.metrics.parts"
local rows = require "manilius.rows"

local fail, text = parts.fail, parts.text
local M = {}

local function place_of(X, feature)
   local width = rows.width(X)
   if math.type(feature) == "integer" then
      if feature >= 1 and feature <= width then return feature end
      fail("features must be from 1 to %d, got %d", width, feature)
   end
   local names = inputs.column_names(X)
   local at = type(feature) == "string" and parts.place(names, feature)
   if not at then
      fail("features must be numbers or names of columns, got %s%s", text(feature), type(feature) == "string"
         and parts.hint(feature, names) or "")
   end
   return at
end

--- The two columns of the option `features`, by default the first two.
function M.two_features(X, features)
   features = features or { 1, 2 }
   if type(features) ~= "table" or #features ~= 2 then
      fail("features must be two columns by number or name, such as { 1, 2 }, got %s", text(features))
   end
   if rows.width(X) < 2 then fail("X must have at least two columns, got %d", rows.width(X)) end
   local a, b = place_of(X, features[1]), place_of(X, features[2])
   if a == b then fail("features must be two different columns, got %s twice", text(features[1])) end
   return a, b
end

local function column(X, j)
   if rows.is_frame(X) then return X.columns[j] end
   return core.Matrix(X):col(j):copy()
end

--- Column j of X as a Vector.
function M.numbers(X, j)
   local values = column(X, j)
   if rows.kind(values) ~= "Vector" then fail("feature '%s' must be numbers, got labels", inputs.column_names(X)[j]) end
   return values
end

--- The range of the finite values, and a margin.
function M.span(values)
   local finite = values:take(values:isfinite():nonzero())
   if #finite == 0 then fail("each of the features must have a finite value") end
   local low, high = finite:min(), finite:max()
   local margin = high > low and 0.05 * (high - low) or 0.5
   return low - margin, high + margin
end

-- The fixed value of another feature: the most frequent label, the mean or the median.
local function fixed_value(values, statistic)
   if rows.kind(values) == "Factor" then
      local counts, mode = values:counts(), 1
      for c = 2, #counts do mode = counts[c] > counts[mode] and c or mode end
      return values.levels[mode]
   end
   local finite = values:take(values:isnan():mul(-1):add(1):nonzero())
   return #finite > 0 and (statistic == "median" and finite:median() or finite:mean()) or 0 / 0
end

local function constant(value, n)
   if type(value) == "number" then return core.Vector(n, value) end
   return core.Factor { value }:take(core.Vector(n, 1))
end

-- The grid points of ys[first] to ys[last] as an X of the same kind; x varies fastest. others: the values of the other
-- features by column.
local function grid_rows(X, a, b, xs, ys, first, last, others)
   local across, up, columns = {}, {}, {}
   for i = first, last do
      for j = 1, #xs do across[#across + 1], up[#up + 1] = xs[j], ys[i] end
   end
   for j = 1, rows.width(X) do
      columns[j] = j == a and core.Vector(across) or j == b and core.Vector(up) or constant(others[j], #across)
   end
   if rows.is_frame(X) then return rows.frame(table.move(X.names, 1, #X.names, 1, {}), columns) end
   return core.hcat(table.unpack(columns))
end

local MAX_BLOCK = 4000000 -- values evaluated at once

--- Evaluate f(X) at all points of the grid xs, ys in the plane of columns a and b, by blocks of rows of the grid.
-- @param statistic "mean" or "median", at which the other columns are fixed
-- @param add called with the result of f for each block, in order; x varies fastest
function M.evaluate(X, a, b, xs, ys, statistic, f, add)
   local others, width = {}, rows.width(X)
   for j = 1, width do
      if j ~= a and j ~= b then others[j] = fixed_value(column(X, j), statistic) end
   end
   local step = math.max(1, MAX_BLOCK // (width * #xs))
   for first = 1, #ys, step do
      add(f(grid_rows(X, a, b, xs, ys, first, math.min(first + step - 1, #ys), others)))
   end
end

return M
