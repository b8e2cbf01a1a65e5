--- Plots of tables: correlations and missing values.

local core = require "manilius.core"
local define = require "manilius.plot.diagnose"
local inputs = require "manilius.plot.inputs"
local leaf_order = require "manilius.plot.layout.leaf_order"
local parts = require "manilius.metrics.parts"
local rows = require "manilius.rows"

local fail = parts.fail

-- --- correlation ---

-- Ranks from 1; ties get their mean rank, and missing values stay missing.
local function ranks(values)
   local order, n, out = values:argsort():totable(), #values, {}
   local i = 1
   while i <= n do
      local value = values[math.tointeger(order[i])]
      local j = i
      while j < n and values[math.tointeger(order[j + 1])] == value do j = j + 1 end
      for k = i, j do out[math.tointeger(order[k])] = value == value and (i + j) / 2 or 0 / 0 end
      i = j + 1
   end
   return core.Vector(out)
end

-- Pearson's correlation; nan if a column is constant.
local function pearson(a, b)
   local x, y = a - a:mean(), b - b:mean()
   local scale = x:norm() * y:norm()
   return scale > 0 and math.max(-1, math.min(1, x:dot(y) / scale)) or 0 / 0
end

-- The correlation of the rows where both columns have values; ranks are among these rows.
local function pair_correlation(a, b, method)
   local both = a.known:mul(b.known)
   local count = both:sum()
   if count < 2 then return 0 / 0 end
   local x, y = a.values, b.values
   if count < #both then
      local places = both:nonzero()
      x, y = x:take(places), y:take(places)
      if method == "spearman" then x, y = ranks(x), ranks(y) end
   elseif method == "spearman" then
      x, y = a.ranks, b.ranks
   end
   return pearson(x, y)
end

local function correlations(columns, method)
   local p = #columns
   local out = core.zeros(p, p)
   for _, column in ipairs(columns) do
      column.known = column.values:isfinite()
      if method == "spearman" then column.ranks = ranks(column.values) end
   end
   for i = 1, p do
      for j = i, p do
         local r = pair_correlation(columns[i], columns[j], method)
         if i == j and r == r then r = 1.0 end
         out:set(i, j, r)
         out:set(j, i, r)
      end
   end
   return out
end

local MAX_WITH_TEXT, MAX_TO_ORDER = 14, 300

local function correlation_order(r, o)
   local p = r.rows
   if parts.choice(o, "order", { "given", "cluster" }, "given") == "given" then return core.range(1, p):totable() end
   if p > MAX_TO_ORDER then fail("order = 'cluster' supports at most %d columns, got %d", MAX_TO_ORDER, p) end
   return (leaf_order(r))
end

local function correlation(X, o)
   local columns, others = inputs.numeric_columns(X)
   if #columns < 2 then fail("X must have at least two numeric columns, got %d", #columns) end
   local method = parts.choice(o, "method", { "pearson", "spearman" }, "pearson")
   local r = correlations(columns, method)
   local order, p = correlation_order(r, o), #columns
   local z, texts, x_ticks, y_ticks = {}, {}, {}, {}
   for i = 1, p do
      z[i], texts[i] = {}, {}
      for j = 1, p do
         local value = r:get(order[p + 1 - i], order[j])
         z[i][j] = value
         texts[i][j] = value ~= value and "" or (("%.2f"):format(value):gsub("^(-?)0%.", "%1."):gsub("^%-%.00$", ".00"))
      end
      x_ticks[i], y_ticks[i] = { i, columns[order[i]].name }, { i, columns[order[p + 1 - i]].name }
   end
   local caption = method == "pearson" and "Pearson's correlation" or "Spearman's rank correlation"
   if #others > 0 then caption = caption .. ("; columns of labels omitted: %s"):format(table.concat(others, ", ")) end
   local side = math.max(440, math.min(1000, 220 + 34 * p))
   return { title = "Correlation", caption = caption, width = side + 120, height = side,
      panels = { { x_ticks = x_ticks, y_ticks = y_ticks, equal = true, layers = { { kind = "heat", z = z, low = -1,
         high = 1, palette = "diverging", cell_text = p <= MAX_WITH_TEXT and texts or nil } } } } }
end

-- --- missing values ---

local MAX_BLOCKS = 200

-- 1 where a value is missing, for each column.
local function missing_flags(X)
   if rows.kind(X) == "Sparse" then fail("X must be a Frame, a Matrix or a table of rows, got Sparse") end
   X = inputs.x(X)
   local out = {}
   for j, name in ipairs(inputs.column_names(X)) do
      local column
      if rows.is_frame(X) then column = X.columns[j] else column = core.Matrix(X):col(j):copy() end
      local flags = rows.kind(column) == "Factor" and column:ismissing() or column:isnan()
      out[j] = { name = name, flags = flags, count = flags:sum() }
   end
   return out, rows.count(X)
end

local function missing_title(column, n)
   if column.count == 0 then return column.name end
   local share = 100 * column.count / n
   return ("%s (%s)"):format(column.name, share < 1 and "<1%" or ("%.0f%%"):format(share))
end

local function missing(X, o)
   local columns, n = missing_flags(X)
   if parts.choice(o, "order", { "given", "share" }, "given") == "share" then
      for j, column in ipairs(columns) do column.place = j end
      table.sort(columns, function(a, b)
         if a.count ~= b.count then return a.count > b.count end
         return a.place < b.place
      end)
   end
   local blocks = math.min(n, MAX_BLOCKS)
   local z, y_ticks, edges, total, incomplete = {}, {}, {}, 0, 0
   for b = 1, blocks + 1 do edges[b] = 0.5 + (b - 1) * n / blocks end
   for i = 1, #columns do
      local column = columns[#columns + 1 - i]
      local sums = column.flags:cumsum()
      z[i], y_ticks[i] = {}, { i, missing_title(column, n) }
      for b = 1, blocks do
         local first, last = math.floor((b - 1) * n / blocks), math.floor(b * n / blocks)
         z[i][b] = (sums[last] - (first > 0 and sums[first] or 0)) / (last - first)
      end
      total, incomplete = total + column.count, incomplete + (column.count > 0 and 1 or 0)
   end
   local caption = "no missing values"
   if total > 0 then
      caption = ("%d of %d values missing, in %d of %d columns"):format(total, n * #columns, incomplete, #columns)
      if blocks < n then caption = caption .. ("; %d rows per cell"):format(math.ceil(n / blocks)) end
   end
   local layer = { kind = "heat", x = edges, z = z, low = 0, high = 1, palette = "blues" }
   if blocks == n then layer = { kind = "regions", x = edges, code = z, names = { "missing" } } end
   return { title = "Missing values", caption = caption, height = math.max(240, math.min(1200, 150 + 24 * #columns)),
      panels = { { x = "row", y_ticks = y_ticks, x_range = { 0.5, n + 0.5 },
         color_label = blocks < n and "fraction missing" or nil, layers = { layer } } } }
end

return function(module)
   define(module, "correlation", { args = { "X" }, fn = correlation,
      brief = "Correlation matrix of the numeric columns, using pairwise complete rows.",
      options = { method = "'pearson' (default), or 'spearman': rank correlation",
         order = "'given' (default), or 'cluster': correlated columns next to each other" },
      source = "order = 'cluster': average linkage with distance 1 - |r|, Sokal & Michener (1958)" })
   define(module, "missing", { args = { "X" }, fn = missing,
      brief = "Map of missing values by column and row, with their percentage in each column.",
      options = { order = "'given' (default), or 'share': columns with most missing values first" } })
end
