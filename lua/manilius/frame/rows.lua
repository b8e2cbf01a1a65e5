--- Methods of frames on rows: select, sort, concatenate, iterate.
local core = require "manilius.core"
local base = require "manilius.frame"

local core_frame, call = core.frame, base.call_core
local methods = {}

local function taken(f, rows, who, level)
   return base.new(table.move(f.names, 1, #f.names, 1, {}), (call(who, level + 1, core_frame.take, f.columns, rows)))
end

--- The rows with these indices, in this order; indices may repeat.
function methods.take(f, rows)
   return (taken(f, rows, "take", 2))
end

local function range(f, first, last)
   local columns = {}
   for i, column in ipairs(f.columns) do columns[i] = column:slice(first, last) end
   for i, column in ipairs(columns) do
      if base.kind(column) == "Vector" then columns[i] = column:copy() end
   end
   return base.new(table.move(f.names, 1, #f.names, 1, {}), columns)
end

local function is_whole(value)
   return math.type(value) == "integer" or (math.type(value) == "float" and value == math.floor(value))
end

--- Rows first to last, both included. Defaults: the first and the last row.
function methods.slice(f, first, last)
   local rows = base.rows(f)
   first, last = first or 1, last or rows
   if not (is_whole(first) and first >= 1 and first <= rows + 1) then
      error(("slice: the first row must be a whole number from 1 to %d, got %s"):format(rows, first), 2)
   end
   if not (is_whole(last) and last >= first - 1 and last <= rows) then
      error(("slice: the last row must be a whole number from %d to %d, got %s"):format(first - 1, rows, last), 2)
   end
   return (range(f, math.tointeger(first), math.tointeger(last)))
end

local function check_count(n, who, extra)
   if extra ~= nil then
      error(who .. ": takes one argument, the number of rows; f:slice(first, last) takes a range", 3)
   end
   if n == nil then return 5 end
   if not (is_whole(n) and n >= 0) then
      error(("%s: the number of rows must be a whole number >= 0, got %s"):format(who,
         type(n) == "string" and ("the string '%s'"):format(n) or tostring(n)), 3)
   end
   return math.tointeger(n) or math.maxinteger -- any more than there are
end

--- The first n rows (default 5), or all if there are fewer.
function methods.head(f, n, extra)
   n = check_count(n, "head", extra)
   return (range(f, 1, math.min(n, base.rows(f))))
end

--- The last n rows (default 5), or all if there are fewer.
function methods.tail(f, n, extra)
   n = check_count(n, "tail", extra)
   local rows = base.rows(f)
   return (range(f, rows - math.min(n, rows) + 1, rows))
end

-- An object that reads the current row by column name, and a function that moves it to a row.
local function cursor(f, who)
   local i = 0
   local row = setmetatable({}, {
      __index = function(_, name) return f.columns[base.require_index(f, name, who, 2)][i] end,
      __newindex = function() error(who .. ": the row is read-only", 2) end,
   })
   return row, function(at) i = at end
end

local function mask_of(f, accept)
   local row, move = cursor(f, "filter")
   local mask = {}
   for i = 1, base.rows(f) do
      move(i)
      mask[i] = not not accept(row)
   end
   return mask
end

--- The rows that satisfy a condition: a mask (Vector of 0 and 1, Factor or list of booleans), or a function of a row,
-- f:filter(function(r) return r.age > 30 end). The row is only valid during the call. Masks are much faster:
-- f:filter(f.age:gt(30)).
function methods.filter(f, condition)
   local mask = type(condition) == "function" and mask_of(f, condition) or condition
   local kind = base.kind(mask)
   if kind ~= "Vector" and kind ~= "Factor" and kind ~= "table" then
      local advice = kind == "boolean" and "; f.x == 1 compares the whole column, f.x:eq(1) each value "
         .. "(also :ne, :lt, :le, :gt, :ge)" or ""
      error("filter: expected a mask (Vector of 0 and 1, list of booleans) or a function of a row, got " .. kind
         .. advice, 2)
   end
   if #mask ~= base.rows(f) then
      error(("filter: the mask must have one value per row, %d, got %d"):format(base.rows(f), #mask), 2)
   end
   local rows = call("filter", 2, core_frame.which, mask)
   return (taken(f, rows, "filter", 2))
end

--- The rows without missing values in the given columns (default all).
function methods.dropna(f, ...)
   local columns = f.columns
   if ... ~= nil then
      columns = {}
      for i, name in ipairs(base.name_list("dropna", 2, ...)) do
         columns[i] = f.columns[base.require_index(f, name, "dropna", 2)]
      end
   end
   if #columns == 0 then return f:copy() end
   local rows = call("dropna", 2, core_frame.complete_rows, columns)
   return (taken(f, rows, "dropna", 2))
end

-- Append the fill value to the column, then take it in place of missing rows.
local function filled(column, value, name, level)
   local kind = base.kind(column)
   local is_number = type(value) == "number"
   if kind == "Vector" and not is_number then
      error(("fillna: the value for the numeric column '%s' must be a number, got %s"):format(name, base.kind(value)),
         level + 1)
   end
   if type(value) ~= "string" and type(value) ~= "boolean" and not is_number then
      error(("fillna: the value for column '%s' must be a number, string or boolean, got %s"):format(name,
         base.kind(value)), level + 1)
   end
   local last = kind == "Vector" and core.Vector { value } or core.Factor { value }
   local longer = call("fillna", level + 1, core_frame.concat, { column, last })
   return call("fillna", level + 1, core_frame.take, { longer }, core_frame.present_or(column, #longer))[1]
end

--- Replace missing values: f:fillna{ age = 30, city = "unknown" }, or one value for all columns of its type.
function methods.fillna(f, value)
   local out = base.new(table.move(f.names, 1, #f.names, 1, {}), table.move(f.columns, 1, #f.columns, 1, {}))
   if type(value) == "table" then
      for name, one in pairs(value) do
         local at = base.require_index(f, name, "fillna", 2)
         out.columns[at] = filled(f.columns[at], one, name, 2)
      end
      return out
   end
   for i, column in ipairs(f.columns) do
      local fits = (base.kind(column) == "Vector") == (type(value) == "number")
      if fits and core_frame.count_missing(column) > 0 then out.columns[i] = filled(column, value, f.names[i], 2) end
   end
   return out
end

--- Concatenate frames vertically: f:vcat(g, ...). They must have the same columns, which are matched by name.
function methods.vcat(f, ...)
   local parts, columns = { f, ... }, {}
   for i, part in ipairs(parts) do
      if not base.is(part) then
         error(("vcat: argument %d must be a Frame, got %s"):format(i - 1, base.kind(part)), 2)
      end
      if #part.names ~= #f.names then
         error(("vcat: frames must have the same number of columns, %d, got %d"):format(#f.names, #part.names), 2)
      end
   end
   for j, name in ipairs(f.names) do
      local list = {}
      for i, part in ipairs(parts) do list[i] = part.columns[base.require_index(part, name, "vcat", 2)] end
      columns[j] = call(("vcat: column '%s'"):format(name), 2, core_frame.concat, list)
   end
   return base.new(table.move(f.names, 1, #f.names, 1, {}), columns)
end

local function row_table(f, i)
   local row = {}
   for j, name in ipairs(f.names) do row[name] = f.columns[j][i] end
   return row
end

--- Row i as a table by column name; a missing number is nan, a missing label nil.
function methods.row(f, i)
   if not (is_whole(i) and i >= 1 and i <= base.rows(f)) then
      error(("row: expected a whole number from 1 to %d, got %s"):format(base.rows(f), tostring(i)), 2)
   end
   return require "manilius.options".printable(row_table(f, math.tointeger(i)))
end

--- for i, row in f:each() do ... end: each row as a table by column name.
function methods.each(f)
   local i, rows = 0, base.rows(f)
   return function()
      i = i + 1
      if i <= rows then return i, row_table(f, i) end
   end
end

--- Sort the rows in ascending order of columns; missing values last. The sort is stable.
-- keys: a name or a list of names, the most significant first
-- options: descending: true, or a list of booleans, one per key
function methods.sort(f, keys, options)
   local names = base.name_list("sort", 2, keys)
   local descending = base.check_options("sort", 2, options, { "descending" }).descending
   local columns, down = {}, {}
   if #names == 0 then error("sort: expected at least one column name, got none", 2) end
   for i, name in ipairs(names) do
      columns[i] = f.columns[base.require_index(f, name, "sort", 2)]
      down[i] = descending == true or (type(descending) == "table" and descending[i] == true)
   end
   local rows = call("sort", 2, core_frame.order, columns, down)
   return (taken(f, rows, "sort", 2))
end

return methods
