--- Frames: tables of named columns of numbers or labels.
--
-- A column is a Vector (numbers; nan is missing) or a Factor (labels; nil is missing). `f.age` is a column, `f.age = v`
-- sets or adds one, `f.age = nil` drops it; a column whose name is that of a method is reached by `f:col "group"`.
-- Methods return new frames. Those that keep all rows (select, drop, rename, with, hcat) share their columns with the
-- frame they come from; `f:copy()` shares nothing.
-- @module manilius.frame

local core = require "manilius.core"
local text = require "manilius.text"

local step = core.frame
local meta = step.metatable
local M, methods = {}, {}
for name, method in pairs(core.frame_methods) do methods[name] = method end

--- Methods that live elsewhere, loaded when first called.
local homes = {
   sort = "rows", filter = "rows", take = "rows", slice = "rows", head = "rows", tail = "rows", dropna = "rows",
   fillna = "rows", vcat = "rows", each = "rows", row = "rows",
   group = "group", value_counts = "group", crosstab = "group",
   join = "join",
   describe = "describe",
   format = "show",
}

local PLACES = {} -- key of the map from name to place, so that no column name meets it
M.STYLE = {} -- key of how a frame is to be shown, in a frame that is a report

--- The kind of a value of ours ("Vector", "Factor", "Matrix", "Frame"), or its Lua type.
function M.kind(value)
   local tag = getmetatable(value)
   if tag == meta then return "Frame" end
   return type(value) == "userdata" and type(tag) == "string" and tag or type(value)
end

function M.is(value)
   return getmetatable(value) == meta
end

--- A frame of checked parts.
function M.new(names, columns)
   if not getmetatable(names) then setmetatable(names, core.list_meta) end
   return setmetatable({ names = names, columns = columns }, meta)
end

--- The place of a column, nil when there is none. The map is made anew where `names` has changed.
function M.place(f, name)
   local places = rawget(f, PLACES)
   local at = places and places[name]
   if at and f.names[at] == name then return at end
   places = {}
   for i, known in ipairs(f.names) do places[known] = i end
   rawset(f, PLACES, places)
   return places[name]
end

local function quoted(name)
   return type(name) == "string" and "'" .. name .. "'" or tostring(name)
end

M.hint = text.hint

--- The place of a column that must be there. `level` is that of the caller of the method.
function M.need(f, name, who, level)
   local at = M.place(f, name)
   if at then return at end
   error(("%s: there is no column %s%s"):format(who, quoted(name), M.hint(name, f.names)), level + 1)
end

--- Names given as one list or as several arguments.
function M.names_of(who, level, first, ...)
   local names = type(first) == "table" and first or { first, ... }
   for i, name in ipairs(names) do
      if type(name) ~= "string" then
         error(("%s: name %d must be a string, got %s"):format(who, i, M.kind(name)), level + 1)
      end
   end
   return names
end

--- The options, checked by name; an empty table when there are none.
function M.option_of(who, level, options, known)
   if options == nil then return {} end
   if type(options) ~= "table" then
      error(("%s: options must be a table, got %s"):format(who, M.kind(options)), level + 1)
   end
   for name in pairs(options) do
      local found = false
      for _, one in ipairs(known) do found = found or one == name end
      if not found then
         error(("%s has no option %s%s"):format(who, quoted(name), M.hint(name, known)), level + 1)
      end
   end
   return options
end

--- Call a step of the core; what it raises gets the position of the caller of the method (and `who` before it).
function M.call(who, level, f, ...)
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

-- A list as a column: numbers where all elements are, else labels; nil is missing.
local function from_list(list, who, level)
   local size = rawget(list, "n") or rawlen(list) -- as the core sees it
   local numbers = M.call(who, level + 1, step.numbers, list, size)
   if numbers then return numbers end
   if rawget(list, "n") == nil then list = table.move(list, 1, size, 1, { n = size }) end
   return (M.call(who, level + 1, core.Factor, list))
end

--- A value as a column of `rows` rows (nil: of as many as it has); one number or label stands for all rows.
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
      error(("%s: column '%s' must have %d values, as the others, got %d%s"):format(who, name, rows, #column,
         kind == "table" and not value.n and "; where missing ones end a list, give its n" or ""), level + 1)
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

--- A frame of names and values that may have to be converted.
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

local function sorted_keys(t)
   local keys = {}
   for key in pairs(t) do
      if type(key) == "string" then keys[#keys + 1] = key end
   end
   table.sort(keys)
   return keys
end

-- { { age = 31, city = "Oslo" }, ... }: the names are those of all rows, sorted; what a row lacks is missing.
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
      names = sorted_keys(seen)
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
         error(("Frame: there must be as many names as columns, %d, got %d"):format(#t.columns, #t.names), 2)
      end
      return (M.build(table.move(t.names, 1, #t.names, 1, {}), t.columns, "Frame", 2))
   end
   local first = t[1]
   if type(first) == "table" then
      if first[1] == nil and next(first) ~= nil then return (from_rows(t, nil, 2)) end
      return (from_pairs(t, 2))
   end
   if first ~= nil then error("Frame: element 1 must be a pair { name, column } or a row, got " .. M.kind(first), 2) end
   local names, values = sorted_keys(t), {}
   for i, name in ipairs(names) do values[i] = t[name] end
   return (M.build(names, values, "Frame", 2))
end

--- A frame of the columns of a matrix, which are copied.
-- @tparam Matrix X anything that is taken for a matrix
-- @tparam {string,...}|nil names of the columns; x1, x2, ... when left out
function M.from(X, names)
   local matrix = M.call("Frame.from", 2, core.Matrix, X)
   if names ~= nil and M.kind(names) ~= "table" then
      error(("Frame.from: names must be a list of strings, got %s"):format(M.kind(names)), 2)
   end
   if names and #names ~= matrix.cols then
      error(("Frame.from: there must be as many names as columns, %d, got %d"):format(matrix.cols, #names), 2)
   end
   local own, columns = {}, {}
   for j = 1, matrix.cols do
      own[j] = names and names[j] or "x" .. j
      columns[j] = matrix:col(j):copy()
   end
   check_names(own, "Frame.from", 2)
   return M.new(own, columns)
end

--- A frame of rows by names: { { age = 31, city = "Oslo" }, ... }. `names` gives the columns and their order.
function M.from_rows(rows, names)
   return (from_rows(rows, names, 2))
end

-- --- columns ---

--- The column of that name.
function methods.col(f, name)
   return f.columns[M.need(f, name, "Frame", 2)]
end

local function pick(f, names, who, level)
   local columns, own = {}, {}
   for i, name in ipairs(names) do
      own[i], columns[i] = name, f.columns[M.need(f, name, who, level + 1)]
   end
   check_names(own, who, level + 1)
   return M.new(own, columns)
end

--- These columns, in this order: f:select{ "a", "b" } or f:select("a", "b").
function methods.select(f, ...)
   local names = M.names_of("select", 2, ...)
   return (pick(f, names, "select", 2))
end

local function without(f, names, who, level)
   local gone = {}
   for _, name in ipairs(names) do gone[M.need(f, name, who, level + 1)] = true end
   local own, columns = {}, {}
   for i, name in ipairs(f.names) do
      if not gone[i] then own[#own + 1], columns[#columns + 1] = name, f.columns[i] end
   end
   return M.new(own, columns)
end

--- All columns but these.
function methods.drop(f, ...)
   local names = M.names_of("drop", 2, ...)
   return (without(f, names, "drop", 2))
end

--- f:rename{ old = "new" }
function methods.rename(f, map)
   if type(map) ~= "table" then error("rename: a table { old = 'new' } expected, got " .. M.kind(map), 2) end
   local names = table.move(f.names, 1, #f.names, 1, {})
   for old, new in pairs(map) do names[M.need(f, old, "rename", 2)] = new end
   check_names(names, "rename", 2)
   return M.new(names, table.move(f.columns, 1, #f.columns, 1, {}))
end

local function put(f, name, value, who, level)
   local at = M.place(f, name)
   local alone = #f.names == 0 or (#f.names == 1 and at)
   local column = M.column(value, not alone and M.rows(f) or nil, who, name, level + 1)
   at = at or #f.names + 1
   f.names[at], f.columns[at] = name, column
end

--- f:with{ name = column, ... }: a frame with these columns set, new ones at the end in the order of their names.
function methods.with(f, values)
   if type(values) ~= "table" then error("with: a table { name = column } expected, got " .. M.kind(values), 2) end
   local out = M.new(table.move(f.names, 1, #f.names, 1, {}), table.move(f.columns, 1, #f.columns, 1, {}))
   for _, name in ipairs(sorted_keys(values)) do put(out, name, values[name], "with", 2) end
   return out
end

--- Frames side by side: f:hcat(g, ...). They must have the same number of rows and different names.
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

--- What is to be predicted apart from what it is predicted from.
-- @param target a name: y is that column; a list of names: y is the frame of these
-- @treturn Frame all other columns
-- @treturn Vector|Factor|Frame y
function methods.split(f, target)
   local names = M.names_of("split", 2, target)
   if #names == 0 then error("split: the name of the target expected, got none", 2) end
   local y = pick(f, names, "split", 2)
   local X = without(f, names, "split", 2)
   return X, type(target) == "table" and y or y.columns[1]
end

--- The columns as a Matrix; they must be numbers.
function methods.matrix(f)
   for i, column in ipairs(f.columns) do
      if M.kind(column) == "Factor" then
         error(("matrix: all columns must be numbers, '%s' is a Factor; drop or encode it"):format(f.names[i]), 2)
      end
   end
   return (M.call("matrix", 2, step.matrix, f.columns, M.rows(f)))
end

-- --- the metatable ---

local properties = {
   rows = M.rows,
   cols = function(f) return #f.columns end,
}

local function method_names()
   local names = {}
   for name in pairs(methods) do names[#names + 1] = name end
   for name in pairs(homes) do if not methods[name] then names[#names + 1] = name end end
   for name in pairs(properties) do names[#names + 1] = name end
   table.sort(names)
   return names
end

local function load_method(name)
   local found = require("manilius.frame." .. homes[name])
   for key, method in pairs(found) do methods[key] = method end
   return methods[name]
end

--- All methods by name, those that are not loaded yet too.
function M.methods()
   for name in pairs(homes) do
      if not methods[name] then load_method(name) end
   end
   local all = {}
   for name, method in pairs(methods) do all[name] = method end
   return all
end

local function no_member(f, key)
   if math.type(key) then
      error(("Frame: columns are indexed by name, got %s; use f:row(%s) for a row"):format(key, key), 3)
   end
   local names = table.move(f.names, 1, #f.names, 1, {})
   local near = core.nearest(tostring(key), names) or core.nearest(tostring(key), method_names())
   if near then error(("Frame has no column or method %s; did you mean '%s'?"):format(quoted(key), near), 3) end
   error(("Frame has no column or method %s%s"):format(quoted(key), M.hint(nil, names)), 3)
end

function meta.__index(f, key)
   local method = methods[key] or (homes[key] and load_method(key))
   if method then return method end
   if properties[key] then return properties[key](f) end
   local at = M.place(f, key)
   if at then return rawget(f, "columns")[at] end
   no_member(f, key)
end

local function is_reserved(key)
   return methods[key] or homes[key] or properties[key] or key == "names" or key == "columns"
end

function meta.__newindex(f, key, value)
   if type(key) ~= "string" then error("Frame: columns are set by name, got " .. M.kind(key), 2) end
   if is_reserved(key) then
      error(("Frame: '%s' is a reserved name; use f:with{ %s = column }"):format(key, key), 2)
   end
   if value == nil then
      local at = M.need(f, key, "Frame", 2)
      table.remove(f.names, at)
      table.remove(f.columns, at)
   else
      put(f, key, value, "Frame", 2)
   end
end

meta.__len = M.rows
meta.__name = "Frame"

--- Names and columns in their order.
function meta.__pairs(f)
   local i = 0
   return function()
      i = i + 1
      return f.names[i], f.columns[i]
   end
end

--- The same names in the same order with the same values; missing equals missing.
function meta.__eq(a, b)
   if not (M.is(a) and M.is(b)) or #a.names ~= #b.names then return false end
   for i, name in ipairs(a.names) do
      if b.names[i] ~= name or not step.equal(a.columns[i], b.columns[i]) then return false end
   end
   return true
end

function meta.__tostring(f)
   return f:format()
end

function meta.__concat(a, b)
   error(("cannot concatenate a %s and a %s; use f:vcat(g), f:hcat(g) or tostring(f)"):format(M.kind(a), M.kind(b)), 2)
end

local function no_function(_, key)
   error(("Frame has no function %s%s"):format(quoted(key), M.hint(key, { "from", "from_rows", "is" })), 2)
end

M.Frame = setmetatable({ from = M.from, from_rows = M.from_rows, is = M.is }, {
   __call = construct,
   __index = no_function,
   __tostring = function() return 'Frame, a constructor of tables of named columns; see ml.help "Frame"' end,
})

return M
