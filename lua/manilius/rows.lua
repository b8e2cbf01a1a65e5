--- Access to rows and columns of X and rows of y of any supported type, for estimators written in Lua.

local core = require "manilius.core"
local near = require("manilius.text").near

local M = {}

--- "Matrix", "Vector", "Factor", "Sparse", "Model", "Frame", or the Lua type.
function M.kind(value)
   local tag = getmetatable(value)
   if type(value) == "userdata" and type(tag) == "string" then return (tag:gsub("^manilius%.", "")) end
   if tag ~= nil and core.frame and tag == core.frame.metatable then return "Frame" end
   return type(value)
end

function M.is_frame(value)
   return M.kind(value) == "Frame"
end

--- A Frame of these columns.
function M.frame(names, columns)
   return require("manilius.frame").new(names, columns)
end

--- Attach to a Frame what made it: { param =, scoring =, greater =, model = }. Frames made from it do not have it.
function M.set_origin(frame, origin)
   rawset(frame, require("manilius.frame").ORIGIN, origin)
   return frame
end

--- What made a Frame, see set_origin; an empty table if that is unknown.
function M.origin(frame)
   return rawget(frame, require("manilius.frame").ORIGIN) or {}
end

-- The source of the position at the start of a message, and the rest of the message.
local function split_position(message)
   local source, rest = message:match "^%[string ([^\n]-)%]:%d+: (.*)$"
   if source then return source, rest end
   return message:match "^([^\n:]*):%d+: (.*)$"
end

--- The results of a pcall; an error is raised again with the position of the caller at `level`, unless it has that of
-- a line outside of this library, as errors in functions of the user do. In `return rethrow(level, ...)`, which is a
-- tail call, the function that calls it does not count.
function M.rethrow(level, ok, ...)
   if ok then return ... end
   local message = ...
   if type(message) == "string" then
      local source, rest = split_position(message)
      if source and not source:find("manilius", 1, true) then error(message, 0) end
      message = rest or message
   end
   error(message, level + 1)
end

--- Wrap a method of X so that its errors carry the position of the caller.
function M.rethrowing(func)
   return function(self, X) return (M.rethrow(2, pcall(func, self, X))) end
end

--- The text of an error that a caller may handle. Interrupts, cancellation and out-of-memory errors are raised again.
function M.recoverable_error(message)
   local text = type(message) == "string" and message:gsub("^[^\n:]*:%d+: ", "", 1) or tostring(message)
   if text:find("interrupted", 1, true) or text:find("^cancelled") or text:find("not enough memory", 1, true) then
      error(message, 0)
   end
   return text
end

local function check_recoverable(ok, ...)
   if not ok then M.recoverable_error((...)) end
   return ok, ...
end

--- pcall that passes on interrupts, cancellation and out-of-memory errors.
function M.try(call, ...)
   return check_recoverable(pcall(call, ...))
end

--- Warn, as ml.warnings says.
function M.warn(text)
   require "manilius.warnings".warn(text)
end

local function is_number_rows(X)
   local first = X[1]
   if M.kind(first) == "Vector" then return true end
   if type(first) ~= "table" then return false end
   for _, row in ipairs(X) do
      if type(row) ~= "table" then return false end
      for _, value in ipairs(row) do
         if type(value) ~= "number" then return false end
      end
   end
   return #first > 0
end

-- Convert a value by a constructor of the core; errors name the caller and its argument.
local function convert(who, argument, level, make, value)
   local ok, result = pcall(make, value)
   if ok then return result end
   if type(result) == "string" then
      result = ("%s: %s: %s"):format(who, argument, result:match "bad argument #%d+ to '[^']*' %((.*)%)$" or result)
   end
   error(result, level + 1)
end

--- A list of texts as a Factor, so that it is encoded once; anything else unchanged.
function M.texts(X)
   if M.kind(X) == "table" and type(rawget(X, 1)) == "string" then return core.Factor(X) end
   return X
end

--- X as an object with rows: a table of rows of numbers becomes a Matrix, a list of texts a Factor; other tables of
-- rows stay lists.
function M.x(who, X, level)
   X = M.texts(X)
   local kind = M.kind(X)
   if kind == "Matrix" or kind == "Frame" or kind == "Sparse" or kind == "Factor" then return X end
   if kind ~= "table" or #X == 0 then
      error(("%s: X must be a Matrix, Frame, Sparse or table of rows, got %s"):format(who,
         kind == "table" and "an empty table" or kind), (level or 1) + 1)
   end
   return is_number_rows(X) and convert(who, "X", (level or 1) + 1, core.Matrix, X) or X
end

-- Reads elements without metamethods, as the core does.
local function is_list_of_numbers(y)
   for i = 1, rawlen(y) do
      if type(rawget(y, i)) ~= "number" then return false end
   end
   return true
end

-- The column of a Frame with one; columns of numbers as a Matrix; others remain a Frame.
local function target_of_frame(who, y, level)
   if #y.columns == 1 then return y.columns[1] end
   for _, column in ipairs(y.columns) do
      if M.kind(column) == "Factor" then return y end
   end
   return convert(who, "y", level + 1, M.plain, y)
end

--- y as a Vector, Factor or Matrix, or a Frame of several columns with labels; nil stays nil.
function M.y(who, y, n, level)
   local kind = M.kind(y)
   if y == nil then return nil end
   if kind == "table" then
      if type(y[1]) == "table" then
         y = convert(who, "y", (level or 1) + 1, core.Matrix, y)
      else
         y = convert(who, "y", (level or 1) + 1, is_list_of_numbers(y) and core.Vector or core.Factor, y)
      end
   elseif kind ~= "Vector" and kind ~= "Factor" and kind ~= "Matrix" and kind ~= "Frame" then
      error(("%s: y must be a Vector, Factor, Matrix or list, got %s"):format(who, kind), (level or 1) + 1)
   end
   if kind == "Frame" then y = target_of_frame(who, y, (level or 1) + 1) end
   local rows = M.count(y)
   if n and rows ~= n then
      error(("%s: y must have as many rows as X, %d, got %d"):format(who, n, rows), (level or 1) + 1)
   end
   return y
end

--- Does a y have several columns?
function M.has_columns(y)
   local kind = M.kind(y)
   return kind == "Frame" or kind == "Matrix" and y.cols > 1
end

--- The number of rows of an X or y.
function M.count(value)
   local kind = M.kind(value)
   if kind == "Matrix" or kind == "Sparse" then return value.rows end
   if kind == "Frame" then return value.columns[1] and #value.columns[1] or 0 end
   return #value
end

--- The number of columns of an X.
function M.width(X)
   local kind = M.kind(X)
   if kind == "Matrix" or kind == "Sparse" then return X.cols end
   if kind == "Frame" then return #X.columns end
   if kind == "Factor" then return 1 end
   return type(X[1]) == "table" and #X[1] or 0
end

local function take_list(list, rows)
   local out = {}
   for i = 1, #rows do out[i] = list[rows[i]] end
   return out
end

--- The rows with these indices (a Vector) of an X, y, weights or list; nil stays nil.
function M.take(value, rows)
   local kind = M.kind(value)
   if value == nil then return nil end
   if kind == "Frame" then
      local columns = {}
      for j, column in ipairs(value.columns) do columns[j] = column:take(rows) end
      return M.frame(table.move(value.names, 1, #value.names, 1, {}), columns)
   end
   if kind == "table" then return take_list(value, rows) end
   return value:take(rows)
end

--- The columns with these indices (a list) of an X.
function M.columns(X, places)
   local kind = M.kind(X)
   if kind == "Frame" then
      local names, columns = {}, {}
      for i, j in ipairs(places) do names[i], columns[i] = X.names[j], X.columns[j] end
      return M.frame(names, columns)
   end
   if kind == "Matrix" then return X:select(places) end
   if kind == "Sparse" then return X:t():take(core.Vector(places)):t() end
   local out = {}
   for i, row in ipairs(X) do out[i] = take_list(row, places) end
   return is_number_rows(out) and core.Matrix(out) or out
end

--- X with the columns of a Matrix after its own. names: theirs, for a Frame.
function M.append_columns(X, Z, names)
   local kind = M.kind(X)
   if kind == "Matrix" then return core.hcat(X, Z) end
   if kind == "Sparse" then return core.join_sparse { X, Z } end
   if kind == "Frame" then
      local all, columns = table.move(X.names, 1, #X.names, 1, {}), table.move(X.columns, 1, #X.columns, 1, {})
      for j = 1, Z.cols do all[#all + 1], columns[#columns + 1] = names[j], Z:col(j):copy() end
      return M.frame(all, columns)
   end
   local out = {}
   for i, row in ipairs(X) do out[i] = table.move(Z:row(i):totable(), 1, Z.cols, #row + 1, { table.unpack(row) }) end
   return out
end

--- The indices in X of columns seen by fit, matched by name if both fit and X have names.
-- who: name of the fitted model, for the error
-- names: names of the columns in fit, or nil
-- places: their indices in fit
function M.match_columns(who, X, names, places)
   if not (names and M.is_frame(X)) then return places end
   local at, now = {}, {}
   for j, name in ipairs(X.names) do at[name] = j end
   for i, j in ipairs(places) do
      now[i] = at[names[j]] or error(("%s: X must have the columns of fit; missing: %s"):format(who, names[j]), 0)
   end
   return now
end

--- Split X into its columns: a list of them, their names (`learned`, if X has none and the number agrees), and a
-- function that builds an X from such a list. Raises an error if X has no columns.
function M.split_columns(who, X, learned)
   local kind = M.kind(X)
   if kind == "Frame" then
      local names = table.move(X.names, 1, #X.names, 1, {})
      return X.columns, names, function(columns) return M.frame(names, columns) end
   end
   if kind ~= "Matrix" then
      error(("%s: X must be a Matrix, a Frame or a table of rows of numbers, got %s"):format(who,
         kind == "table" and "a table of other rows" or kind), 0)
   end
   local columns, names = {}, {}
   for j = 1, X.cols do columns[j], names[j] = X:col(j), "x" .. j end
   if type(learned) == "table" and #learned == #names then names = learned end
   return columns, names, function(list) return core.hcat(table.unpack(list)) end
end

-- --- rows given by name ---

local function is_named(row)
   return type(row) == "table" and #row == 0 and type(next(row)) == "string"
end

local function column_of_rows(who, list, name, factor)
   local out = { n = #list }
   for i, row in ipairs(list) do
      local value = row[name]
      local fits = value == nil or type(value) == "number" or factor and (type(value) ~= "table")
      if not fits then
         error(("%s: %s must be %s, got %s"):format(who, name, factor and "a label" or "a number", type(value)), 0)
      end
      out[i] = (value == nil and not factor) and 0 / 0 or value
   end
   out.n = factor and #list or nil
   return factor and core.Factor(out) or core.Vector(out)
end

--- Convert { age = 31, city = "Oslo" }, or a list of such rows, to a Frame with the columns of fit; absent values are
-- missing. Anything else is returned unchanged, also if fit saw no `names`.
-- factors: list of booleans: is the column a Factor?
function M.from_named(who, X, names, factors)
   if M.kind(X) ~= "table" or not names then return X end
   local list = is_named(X) and { X } or is_named(X[1]) and X or nil
   if not list then return X end
   local known, columns = {}, {}
   for j, name in ipairs(names) do
      known[name] = true
      columns[j] = column_of_rows(who, list, name, factors[j])
   end
   for _, row in ipairs(list) do
      for name in pairs(row) do
         if not known[name] then
            error(("%s: X had no column '%s' in fit%s"):format(who, tostring(name), near(name, names)), 0)
         end
      end
   end
   return M.frame(table.move(names, 1, #names, 1, {}), columns)
end

--- Names and kinds of the columns of a Frame, for from_named.
function M.named_columns(frame)
   local names, factors = {}, {}
   for j, column in ipairs(frame.columns) do names[j], factors[j] = frame.names[j], M.kind(column) == "Factor" end
   return names, factors
end

--- A Matrix and its column names as a Frame.
function M.named(X, names)
   local columns = {}
   for j = 1, X.cols do columns[j] = X:col(j):copy() end
   return M.frame(names, columns)
end

--- Are all columns of a Frame Vectors?
function M.is_numeric(X)
   for _, column in ipairs(X.columns) do
      if M.kind(column) ~= "Vector" then return false end
   end
   return true
end

--- A Frame without factors, as a Matrix.
function M.plain(X)
   if M.kind(X) ~= "Frame" then return X end
   if #X.columns > 0 and M.is_numeric(X) then return core.frame.matrix(X.columns, M.count(X)) end
   return core.hcat(table.unpack(X.columns))
end

return M
