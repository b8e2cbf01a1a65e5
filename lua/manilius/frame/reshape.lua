--- Methods of frames that change their shape or select rows: melt, pivot, drop_duplicates, sample.
local core = require "manilius.core"
local base = require "manilius.frame"

local core_frame, call = core.frame, base.call_core
local methods = {}

local CELLS = "\0" -- name of the column with the summaries of cells

local function raise(level, what, ...)
   error(what:format(...), level + 1)
end

local function columns_named(f, names, who, level)
   local columns = {}
   for i, name in ipairs(names) do columns[i] = f.columns[base.require_index(f, name, who, level + 1)] end
   return columns
end

local function set_of(names)
   local set = {}
   for _, name in ipairs(names) do set[name] = true end
   return set
end

-- The names of the columns that are not in `names`.
local function others(f, names)
   local set, out = set_of(names), {}
   for _, name in ipairs(f.names) do
      if not set[name] then out[#out + 1] = name end
   end
   return out
end

--- Wide to long: a row for each row of f and each of the columns, with the name of the column and its value.
-- id: columns to repeat
-- options: columns = those to stack (default: all others), variable = "variable", value = "value"
function methods.melt(f, id, options)
   options = base.check_options("melt", 2, options, { "columns", "variable", "value" })
   local ids = base.name_list("melt", 2, id)
   local stacked = options.columns and base.name_list("melt", 2, options.columns) or others(f, ids)
   if #stacked == 0 then raise(2, "melt: there must be at least one column to stack, got none") end
   local columns, n = columns_named(f, stacked, "melt", 2), base.rows(f)
   for i, column in ipairs(columns) do
      if base.kind(column) ~= base.kind(columns[1]) then
         raise(2, "melt: the columns must be all numbers or all labels, '%s' is a %s and '%s' a %s", stacked[1],
            base.kind(columns[1]), stacked[i], base.kind(column))
      end
   end
   local rows, which = core.Vector(n * #stacked), core.Vector(n * #stacked)
   for k = 1, #stacked do
      for i = 1, n do
         rows[(k - 1) * n + i], which[(k - 1) * n + i] = i, k
      end
   end
   local names = table.move(ids, 1, #ids, 1, {})
   local values = call("melt", 2, core_frame.take, columns_named(f, ids, "melt", 2), rows)
   names[#names + 1] = options.variable or "variable"
   values[#values + 1] = core.Factor(stacked):take(which)
   names[#names + 1], values[#values + 1] = options.value or "value", call("melt", 2, core_frame.concat, columns)
   return (base.build(names, values, "melt", 2))
end

-- The group of each row by these columns, the number of groups, and their keys.
local function group_rows(f, names, level)
   local columns = columns_named(f, names, "pivot", level + 1)
   local groups, count = call("pivot", level + 1, core_frame.group, columns)
   local rows, starts = core_frame.group_rows(groups)
   local of = {}
   for g = 1, count do
      for k = starts[g], starts[g + 1] - 1 do of[rows[k]] = g end
   end
   return of, count, core_frame.take(columns, core_frame.first_rows(groups))
end

local function label_text(label)
   if label == nil or label ~= label then return "missing" end
   return tostring(label)
end

-- A column of the values in these places, missing elsewhere.
local function column_of_cells(values, cell, count)
   local missing = base.kind(values) == "Factor" and core.Factor { n = 1 } or core.Vector { 0 / 0 }
   local longer, rows = core_frame.concat { values, missing }, core.Vector(count)
   for i = 1, count do rows[i] = cell[i] or #longer end
   return core_frame.take({ longer }, rows)[1]
end

--- Long to wide: a row for each combination of values of `rows`, a column for each value of `columns`, and in the cells
-- the values of `values`. Cells without a row are missing.
-- options: aggregate = a summary of groups ("mean", "sum", "size", ...) for cells with several rows
function methods.pivot(f, rows, columns, values, options)
   options = base.check_options("pivot", 2, options, { "aggregate" })
   local row_names = base.name_list("pivot", 2, rows)
   if type(columns) ~= "string" or type(values) ~= "string" then
      raise(2, "pivot: columns and values must be column names, got %s and %s", base.kind(columns), base.kind(values))
   end
   if options.aggregate then
      local keys = table.move(row_names, 1, #row_names, 1, {})
      keys[#keys + 1] = columns
      local ok, grouped = pcall(function()
         return f:group(keys):aggregate { [CELLS] = { values, options.aggregate } }
      end)
      if not ok then raise(2, "pivot: %s", (tostring(grouped):gsub("^[^:]*:%d+: ", ""):gsub("^%l+: ", ""))) end
      f = grouped
      values = CELLS
   end
   local row_of, row_count, row_keys = group_rows(f, row_names, 2)
   local column_of, column_count, column_keys = group_rows(f, { columns }, 2)
   local cells = {}
   for c = 1, column_count do cells[c] = {} end
   for i = 1, base.rows(f) do
      local cell, row = cells[column_of[i]], row_of[i]
      if cell[row] then
         raise(2, "pivot: rows %d and %d fall into one cell; give a summary, { aggregate = \"mean\" }", cell[row], i)
      end
      cell[row] = i
   end
   local names, out = table.move(row_names, 1, #row_names, 1, {}), row_keys
   local source = f.columns[base.require_index(f, values, "pivot", 2)]
   for c = 1, column_count do
      names[#names + 1] = label_text(column_keys[1][c])
      out[#out + 1] = column_of_cells(source, cells[c], row_count)
   end
   return (base.build(names, out, "pivot", 2))
end

--- The first of rows with equal values in the given columns (default all), in the order of f.
function methods.drop_duplicates(f, ...)
   local names = ... ~= nil and base.name_list("drop_duplicates", 2, ...) or f.names
   if #names == 0 then return f:copy() end
   local of = call("drop_duplicates", 2, core_frame.group, columns_named(f, names, "drop_duplicates", 2))
   return f:take(core_frame.first_rows(of):sort())
end

-- The number of rows to draw: n, or a fraction of the rows.
local function sample_size(f, n, replace)
   local rows = base.rows(f)
   local is_fraction = math.type(n) == "float" and n > 0 and n < 1
   if is_fraction then return math.floor(n * rows + 0.5) end
   local max = replace and math.huge or rows
   if type(n) ~= "number" or n % 1 ~= 0 or n < 0 or n > max then
      raise(3, "sample: the number of rows must be a whole number from 0 to %s, or a fraction below 1, got %s",
         replace and "any" or rows, type(n) == "number" and tostring(n) or base.kind(n))
   end
   return math.tointeger(n)
end

--- n random rows, or a fraction of the rows if n < 1, in random order.
-- options: replace = true to draw with replacement, seed = 0
function methods.sample(f, n, options)
   options = base.check_options("sample", 2, options, { "replace", "seed" })
   local rows, size, seed = base.rows(f), sample_size(f, n, options.replace), options.seed or 0
   if not options.replace then return f:take(call("sample", 2, core.permutation, rows, seed):slice(1, size)) end
   if rows == 0 and size > 0 then raise(2, "sample: the frame has no rows") end
   local rng, drawn = call("sample", 2, core.rng, seed, 0), core.Vector(size)
   for i = 1, size do drawn[i] = rng:integer(1, rows) end
   return f:take(drawn)
end

return methods
