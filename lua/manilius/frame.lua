--- Frames: tables of named columns of numbers or labels.
--
-- A column is a Vector (numbers; nan is missing) or a Factor (labels; nil is missing). `f.age` is a column, `f.age = v`
-- sets or adds one, `f.age = nil` drops it. `f:col "group"` reads a column that has the name of a method.
-- Methods return new frames. Those that keep all rows (select, drop, rename, with, hcat) share columns with the
-- original frame; `f:copy()` does not.

local checked = require "manilius.frame.receiver".checked
local core = require "manilius.core"
local text = require "manilius.text"

local core_frame = core.frame
local meta = core_frame.metatable
local M, methods = {}, {}

--- The module of each method that is loaded when it is first called.
local method_modules = {
   sort = "rows", filter = "rows", take = "rows", slice = "rows", head = "rows", tail = "rows", dropna = "rows",
   fillna = "rows", vcat = "rows", each = "rows", row = "rows",
   group = "group", value_counts = "group", crosstab = "group",
   join = "join",
   describe = "describe", corr = "describe",
   melt = "reshape", pivot = "reshape", drop_duplicates = "reshape", sample = "reshape",
   format = "show",
}

-- Keys of fields of a frame; tables, so that they differ from all column names.
local INDEX_KEY = {} -- the map from column name to index
M.STYLE = {} -- how to print a frame that is a report
M.ORIGIN = {} -- what made a frame that is a result, for labels of plots

--- "Vector", "Factor", "Matrix", "Frame", ..., or the Lua type.
function M.kind(value)
   local tag = getmetatable(value)
   if tag == meta then return "Frame" end
   return type(value) == "userdata" and type(tag) == "string" and tag or type(value)
end

function M.is(value)
   return getmetatable(value) == meta
end

--- A frame of valid names and columns, which are not copied.
function M.new(names, columns)
   if not getmetatable(names) then setmetatable(names, core.list_meta) end
   return setmetatable({ names = names, columns = columns }, meta)
end

--- The index of a column, or nil. The map is rebuilt if `names` has changed.
function M.index_of(f, name)
   local indices = rawget(f, INDEX_KEY)
   local at = indices and indices[name]
   if at and f.names[at] == name then return at end
   indices = {}
   for i, known in ipairs(f.names) do indices[known] = i end
   rawset(f, INDEX_KEY, indices)
   return indices[name]
end

local function quoted(name)
   local kind = M.kind(name)
   if kind == "string" then return "'" .. name .. "'" end
   return (kind == "number" or kind == "boolean" or kind == "nil") and tostring(name) or "of kind " .. kind
end

M.hint = text.hint

--- The index of a column that must exist. `level` is that of the caller of the method.
function M.require_index(f, name, who, level)
   local at = M.index_of(f, name)
   if at then return at end
   error(("%s: there is no column %s%s"):format(who, quoted(name), M.hint(name, f.names)), level + 1)
end

--- Column names given as a list or as several arguments.
function M.name_list(who, level, first, ...)
   local names = type(first) == "table" and first or { first, ... }
   for key, name in pairs(names) do
      local message = math.type(key) ~= "integer"
         and ("names of columns must be a list, got a table with the field '%s'"):format(tostring(key))
         or type(name) ~= "string" and ("name %d must be a string, got %s"):format(key, M.kind(name))
      if message then error(who .. ": " .. message, level + 1) end
   end
   return names
end

-- Reading an unknown name of a Frame or a distribution is an error.
local function has_index_function(value)
   local tag = getmetatable(value)
   return type(tag) == "table" and type(rawget(tag, "__index")) == "function"
end

--- Check the names of options; returns an empty table for nil.
function M.check_options(who, level, options, known)
   if options == nil then return {} end
   if type(options) ~= "table" or has_index_function(options) then
      error(("%s: options must be a table, got %s"):format(who, M.kind(options)), level + 1)
   end
   for name in pairs(options) do
      local found = false
      for _, one in ipairs(known) do found = found or one == name end
      if not found then error(("%s has no option %s%s"):format(who, quoted(name), M.hint(name, known)), level + 1) end
   end
   return options
end

--- Call a function of the core; its errors get the position of the caller of the method and the prefix `who`.
function M.call_core(who, level, f, ...)
   local ok, result, more = pcall(f, ...)
   if ok then return result, more end
   if type(result) == "string" then
      result = ("%s: %s"):format(who, result:match "^bad argument #%d+ to '[^']*' %((.*)%)$" or result)
   end
   error(result, level + 1)
end

function M.rows(f)
   return f.columns[1] and #f.columns[1] or 0
end

-- A list as a column: numbers if all elements are numbers, otherwise labels; nil is missing.
local function from_list(list, who, level)
   local size = rawget(list, "n") or rawlen(list) -- without metamethods, as in the core
   local numbers = M.call_core(who, level + 1, core_frame.numbers, list, size)
   if numbers then return numbers end
   if rawget(list, "n") == nil then list = table.move(list, 1, size, 1, { n = size }) end
   return (M.call_core(who, level + 1, core.Factor, list))
end

--- Convert a value to a column of `rows` rows (nil: any number). A single number or label is repeated.
function M.column(value, rows, who, name, level)
   local kind = M.kind(value)
   local column
   if kind == "Vector" or kind == "Factor" then
      column = value
   elseif kind == "Matrix" and value.cols == 1 then
      column = core.Vector(value)
   elseif kind == "table" then
      column = from_list(value, ("%s: column '%s'"):format(who, name), level + 1)
   elseif rows and kind == "number" then
      column = core.Vector(rows, value)
   elseif rows and (kind == "string" or kind == "boolean") then
      column = core.Factor { value }:take(core.Vector(rows, 1))
   else
      error(("%s: column '%s' must be a Vector, a Factor or a list, got %s"):format(who, name, kind), level + 1)
   end
   if rows and #column ~= rows then
      error(("%s: column '%s' must have %d values like the others, got %d%s"):format(who, name, rows, #column,
         kind == "table" and not value.n and "; set field n of a list that ends with missing values" or ""), level + 1)
   end
   return column
end

local function check_names(names, who, level)
   local seen = {}
   for i, name in ipairs(names) do
      if type(name) ~= "string" then
         error(("%s: the name of column %d must be a string, got %s"):format(who, i, M.kind(name)), level + 1)
      end
      if seen[name] then error(("%s: two columns are named '%s'"):format(who, name), level + 1) end
      seen[name] = true
   end
end

--- A frame of names and values, which are converted to columns.
function M.build(names, values, who, level)
   check_names(names, who, level + 1)
   local columns = {}
   local rows
   for i, name in ipairs(names) do
      columns[i] = M.column(values[i], rows, who, name, level + 1)
      rows = #columns[i]
   end
   return M.new(names, columns)
end

-- { { age = 31, city = "Oslo" }, ... }: names default to those of all rows, sorted; absent values are missing.
local function from_rows(rows, names, level)
   if M.kind(rows) ~= "table" then
      error(("Frame: rows must be given in a table, { { age = 31 }, ... }, got %s"):format(M.kind(rows)), level + 1)
   end
   if names ~= nil and M.kind(names) ~= "table" then
      error(("Frame: names must be a list of strings, got %s"):format(M.kind(names)), level + 1)
   end
   for i, row in ipairs(rows) do
      if M.kind(row) ~= "table" then
         error(("Frame: row %d is a %s, not a table"):format(i, M.kind(row)), level + 1)
      end
   end
   if not names then
      local seen = {}
      for _, row in ipairs(rows) do
         for key in pairs(row) do seen[key] = true end
      end
      names = text.sorted_keys(seen)
   end
   local values = {}
   for j, name in ipairs(names) do
      local list = { n = #rows }
      for i, row in ipairs(rows) do list[i] = row[name] end
      values[j] = list
   end
   return (M.build(names, values, "Frame", level + 1)) -- no tail call: levels count
end

local function from_pairs(list, level)
   local names, values = {}, {}
   for i, pair in ipairs(list) do
      if type(pair) ~= "table" or pair[1] == nil or pair[2] == nil then
         error(("Frame: element %d must be a pair { name, column }"):format(i), level + 1)
      end
      names[i], values[i] = pair[1], pair[2]
   end
   return (M.build(names, values, "Frame", level + 1)) -- no tail call: levels count
end

local function is_list_of_names(names)
   for _, name in ipairs(names) do
      if type(name) ~= "string" then return false end
   end
   return true
end

--- Frame{ { "age", {...} }, { "city", {...} } }; Frame{ names = {...}, columns = {...} };
-- Frame{ age = {...}, city = {...} } with the columns in the order of their names;
-- Frame{ { age = 31, city = "Oslo" }, ... } from rows.
local function construct(_, t)
   local kind = M.kind(t)
   if kind == "Frame" then return t:copy() end
   if kind == "Matrix" then return M.from(t) end
   if kind ~= "table" then error(("Frame: columns must be given in a table, got %s"):format(kind), 2) end
   if type(t.names) == "table" and type(t.columns) == "table" and is_list_of_names(t.names) then
      if #t.names ~= #t.columns then
         error(("Frame: names must have one element per column, %d, got %d"):format(#t.columns, #t.names), 2)
      end
      return (M.build(table.move(t.names, 1, #t.names, 1, {}), t.columns, "Frame", 2))
   end
   local first = t[1]
   if type(first) == "table" then
      if first[1] == nil and next(first) ~= nil then return (from_rows(t, nil, 2)) end
      return (from_pairs(t, 2))
   end
   if first ~= nil then error("Frame: element 1 must be a pair { name, column } or a row, got " .. M.kind(first), 2) end
   local names, values = text.sorted_keys(t), {}
   for i, name in ipairs(names) do values[i] = t[name] end
   return (M.build(names, values, "Frame", 2))
end

--- A frame with copies of the columns of X, a Matrix or anything that can be converted to one.
-- names: list of column names; nil: x1, x2, ...
function M.from(X, names)
   local matrix = M.call_core("Frame.from", 2, core.Matrix, X)
   if names ~= nil and M.kind(names) ~= "table" then
      error(("Frame.from: names must be a list of strings, got %s"):format(M.kind(names)), 2)
   end
   if names and #names ~= matrix.cols then
      error(("Frame.from: names must have one element per column, %d, got %d"):format(matrix.cols, #names), 2)
   end
   local own, columns = {}, {}
   for j = 1, matrix.cols do
      own[j] = names and names[j] or "x" .. j
      columns[j] = matrix:col(j):copy()
   end
   check_names(own, "Frame.from", 2)
   return M.new(own, columns)
end

--- A frame from rows by name: { { age = 31, city = "Oslo" }, ... }. `names` selects and orders the columns.
function M.from_rows(rows, names)
   return (from_rows(rows, names, 2))
end

-- --- columns ---

--- The column with this name.
function methods.col(f, name)
   return f.columns[M.require_index(f, name, "Frame", 2)]
end

local function select_columns(f, names, who, level)
   local columns, own = {}, {}
   for i, name in ipairs(names) do
      own[i], columns[i] = name, f.columns[M.require_index(f, name, who, level + 1)]
   end
   check_names(own, who, level + 1)
   return M.new(own, columns)
end

--- The given columns, in this order: f:select{ "a", "b" } or f:select("a", "b").
function methods.select(f, ...)
   local names = M.name_list("select", 2, ...)
   return (select_columns(f, names, "select", 2))
end

local function drop_columns(f, names, who, level)
   local dropped = {}
   for _, name in ipairs(names) do dropped[M.require_index(f, name, who, level + 1)] = true end
   local own, columns = {}, {}
   for i, name in ipairs(f.names) do
      if not dropped[i] then own[#own + 1], columns[#columns + 1] = name, f.columns[i] end
   end
   return M.new(own, columns)
end

--- All columns except the given ones.
function methods.drop(f, ...)
   local names = M.name_list("drop", 2, ...)
   return (drop_columns(f, names, "drop", 2))
end

--- f:rename{ old = "new" }
function methods.rename(f, map)
   if type(map) ~= "table" then error("rename: expected a table { old = 'new' }, got " .. M.kind(map), 2) end
   local names = table.move(f.names, 1, #f.names, 1, {})
   for old, new in pairs(map) do names[M.require_index(f, old, "rename", 2)] = new end
   check_names(names, "rename", 2)
   return M.new(names, table.move(f.columns, 1, #f.columns, 1, {}))
end

local function set_column(f, name, value, who, level)
   local at = M.index_of(f, name)
   local alone = #f.names == 0 or (#f.names == 1 and at)
   local column = M.column(value, not alone and M.rows(f) or nil, who, name, level + 1)
   at = at or #f.names + 1
   f.names[at], f.columns[at] = name, column
end

--- f:with{ name = column, ... }: set or add columns; new ones are appended in the order of their names.
function methods.with(f, values)
   if type(values) ~= "table" then error("with: expected a table { name = column }, got " .. M.kind(values), 2) end
   local out = M.new(table.move(f.names, 1, #f.names, 1, {}), table.move(f.columns, 1, #f.columns, 1, {}))
   for _, name in ipairs(text.sorted_keys(values)) do set_column(out, name, values[name], "with", 2) end
   return out
end

--- Concatenate frames horizontally: f:hcat(g, ...). They must have the same number of rows and different names.
function methods.hcat(f, ...)
   local names, columns = {}, {}
   for i, part in ipairs { f, ... } do
      if not M.is(part) then error(("hcat: argument %d must be a Frame, got %s"):format(i - 1, M.kind(part)), 2) end
      for j, name in ipairs(part.names) do
         names[#names + 1], columns[#columns + 1] = name, part.columns[j]
         if #part.columns[j] ~= #columns[1] then
            error(("hcat: frames must have the same number of rows, %d, got %d"):format(#columns[1], M.rows(part)), 2)
         end
      end
   end
   check_names(names, "hcat", 2)
   return M.new(names, columns)
end

function methods.copy(f)
   local columns = {}
   for i, column in ipairs(f.columns) do
      columns[i] = M.kind(column) == "Vector" and column:copy() or column:slice()
   end
   return M.new(table.move(f.names, 1, #f.names, 1, {}), columns)
end

--- Split into X and y. target: a column name (y is a Vector or Factor) or a list of names (y is a Frame).
function methods.split(f, target)
   local names = M.name_list("split", 2, target)
   if #names == 0 then error("split: target must name at least one column, got none", 2) end
   local y = select_columns(f, names, "split", 2)
   local X = drop_columns(f, names, "split", 2)
   return X, type(target) == "table" and y or y.columns[1]
end

--- The columns as a Matrix; all must be numeric.
function methods.matrix(f)
   for i, column in ipairs(f.columns) do
      if M.kind(column) == "Factor" then
         error(("matrix: all columns must be numeric, '%s' is a Factor; drop or encode it"):format(f.names[i]), 2)
      end
   end
   return (M.call_core("matrix", 2, core_frame.matrix, f.columns, M.rows(f)))
end

-- --- the metatable ---

for name, method in pairs(methods) do methods[name] = checked(name, method, meta, M.kind) end
for name, method in pairs(core.frame_methods) do methods[name] = method end -- which check it themselves

-- The type of each column, in order: "number", "whole" (whole numbers) or "factor".
local function types_of(f)
   local types = {}
   for i, column in ipairs(f.columns) do
      types[i] = M.kind(column) == "Factor" and "factor" or column.whole and "whole" or "number"
   end
   return setmetatable(types, core.list_meta)
end

local properties = {
   rows = M.rows,
   cols = function(f) return #f.columns end,
   types = types_of,
}

local function method_names()
   local names = {}
   for name in pairs(methods) do names[#names + 1] = name end
   for name in pairs(method_modules) do if not methods[name] then names[#names + 1] = name end end
   for name in pairs(properties) do names[#names + 1] = name end
   table.sort(names)
   return names
end

local function load_method(name)
   local found = require("manilius.frame." .. method_modules[name])
   for key, method in pairs(found) do methods[key] = checked(key, method, meta, M.kind) end
   return methods[name]
end

--- All methods by name; loads those that are not loaded yet.
function M.methods()
   for name in pairs(method_modules) do
      if not methods[name] then load_method(name) end
   end
   local all = {}
   for name, method in pairs(methods) do all[name] = method end
   return all
end

local function raise_no_member(f, key)
   if math.type(key) then
      error(("Frame: columns are indexed by name, got %s; use f:row(%s) for a row"):format(key, key), 3)
   end
   local names = table.move(f.names, 1, #f.names, 1, {})
   local near = core.nearest(tostring(key), names) or core.nearest(tostring(key), method_names())
   if near then error(("Frame has no column or method %s; did you mean '%s'?"):format(quoted(key), near), 3) end
   error(("Frame has no column or method %s%s"):format(quoted(key), M.hint(nil, names)), 3)
end

function meta.__index(f, key)
   local method = methods[key] or (method_modules[key] and load_method(key))
   if method then return method end
   if properties[key] then return properties[key](f) end
   local at = M.index_of(f, key)
   if at then return rawget(f, "columns")[at] end
   raise_no_member(f, key)
end

local function is_reserved(key)
   return methods[key] or method_modules[key] or properties[key] or key == "names" or key == "columns"
end

function meta.__newindex(f, key, value)
   if type(key) ~= "string" then error("Frame: columns are set by name, got " .. M.kind(key), 2) end
   if is_reserved(key) then
      error(("Frame: '%s' is a reserved name; use f:with{ %s = column }"):format(key, key), 2)
   end
   if value == nil then
      local at = M.require_index(f, key, "Frame", 2)
      table.remove(f.names, at)
      table.remove(f.columns, at)
   else
      set_column(f, key, value, "Frame", 2)
   end
end

meta.__len = M.rows
meta.__name = "Frame"

--- Iterate over names and columns, in order.
function meta.__pairs(f)
   local i = 0
   return function()
      i = i + 1
      return f.names[i], f.columns[i]
   end
end

--- Equal if names, order and values agree; missing values are equal.
function meta.__eq(a, b)
   if not (M.is(a) and M.is(b)) or #a.names ~= #b.names then return false end
   for i, name in ipairs(a.names) do
      if b.names[i] ~= name or not core_frame.equal(a.columns[i], b.columns[i]) then return false end
   end
   return true
end

function meta.__tostring(f)
   return f:format()
end

function meta.__concat(a, b)
   error(("cannot concatenate a %s and a %s; use f:vcat(g), f:hcat(g) or tostring(f)"):format(M.kind(a), M.kind(b)), 2)
end

local function raise_no_function(_, key)
   error(("Frame has no function %s%s"):format(quoted(key), M.hint(key, { "from", "from_rows", "is" })), 2)
end

M.Frame = setmetatable({ from = M.from, from_rows = M.from_rows, is = M.is }, {
   __call = construct,
   __index = raise_no_function,
   __tostring = function() return 'Frame, a constructor of tables of named columns; see ml.help "Frame"' end,
})

return M
