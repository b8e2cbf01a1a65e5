--- Helper functions for the demands of manilius.check: flatten and compare results, expect errors.

local core = require "manilius.core"
local estimator = require "manilius.estimator"

local M = {}

--- A list of demands, and demand(name, applies, body), which appends one. applies(class) says whether it holds for a
-- class; body(new, class) raises where it is not met.
function M.new_demands()
   local demands = {}
   return demands, function(name, applies, body)
      demands[#demands + 1] = { name = name, applies = applies, demand = body }
   end
end

--- Raise a failure of a demand.
function M.fail(text, ...)
   error(text:format(...), 0)
end

--- Raise unless the condition holds.
function M.need(condition, text, ...)
   if not condition then M.fail(text, ...) end
   return condition
end

--- "Matrix", "Vector", "Factor", "Sparse", "Model", "Frame", or the Lua type.
function M.kind(value)
   local tag = getmetatable(value)
   if type(tag) == "string" then return (tag:gsub("^manilius%.", "")) end
   return tag ~= nil and tag == core.frame.metatable and "Frame" or type(value)
end

local function add(list, value)
   list[#list + 1] = value
end

local function add_all(list, value)
   local kind = M.kind(value)
   if kind == "Matrix" then
      for _, row in ipairs(value:totable()) do table.move(row, 1, #row, #list + 1, list) end
   elseif kind == "Sparse" then
      add_all(list, value:todense())
   elseif kind == "Vector" then
      local numbers = value:totable()
      table.move(numbers, 1, #numbers, #list + 1, list)
   elseif kind == "Factor" then
      for i = 1, #value do add(list, value[i] == nil and "(missing)" or value[i]) end
   elseif kind == "Frame" then
      for _, column in ipairs(value.columns) do add_all(list, column) end
   elseif kind == "table" then
      local keys = {}
      for key in pairs(value) do add(keys, key) end
      table.sort(keys, function(a, b)
         if type(a) == type(b) and type(a) ~= "boolean" then return a < b end
         return type(a) .. tostring(a) < type(b) .. tostring(b)
      end)
      for _, key in ipairs(keys) do add_all(list, value[key]) end
   else
      add(list, value == nil and "(nil)" or value)
   end
end

--- The values of a result as a flat list, row by row.
function M.values(result)
   local list = {}
   add_all(list, result)
   return list
end

--- The settings of a model except estimators, which differ between a composition and its clone.
function M.settings(model)
   local plain = {}
   for name, value in pairs(model:get_params()) do
      if not estimator.is(value) then plain[name] = value end
   end
   return plain
end

--- Number of rows of a result.
function M.rows(result)
   local kind = M.kind(result)
   if kind == "Matrix" or kind == "Sparse" or kind == "Frame" then return result.rows end
   return #result
end

local function same(a, b)
   return (a == b and math.type(a) == math.type(b)) or (a ~= a and b ~= b)
end

--- Are two results bit-identical? If not, also returns the first difference.
function M.equal(a, b)
   local kind = M.kind(a)
   if kind ~= M.kind(b) then return false, ("a %s and a %s"):format(kind, M.kind(b)) end
   if (kind == "Matrix" or kind == "Vector") and a == b then return true end -- quick; false if there are NaNs
   local x, y = M.values(a), M.values(b)
   if #x ~= #y then return false, ("%d and %d values"):format(#x, #y) end
   for i = 1, #x do
      if not same(x[i], y[i]) then return false, ("%s and %s at position %d"):format(x[i], y[i], i) end
   end
   return true
end

--- Equal within `tolerance`, relative to the largest number in either; labels must be equal.
function M.near(a, b, tolerance)
   local x, y, largest = M.values(a), M.values(b), 0
   if #x ~= #y then return false, ("%d and %d values"):format(#x, #y) end
   for _, list in ipairs { x, y } do
      for _, value in ipairs(list) do
         if type(value) == "number" and value == value and math.abs(value) < math.huge then
            largest = math.max(largest, math.abs(value))
         end
      end
   end
   for i = 1, #x do
      local both = type(x[i]) == "number" and type(y[i]) == "number"
      local close = both and math.abs(x[i] - y[i]) <= tolerance * math.max(largest, 1e-300)
      if not (close or x[i] == y[i] or (x[i] ~= x[i] and y[i] ~= y[i])) then
         return false, ("%s and %s at position %d"):format(x[i], y[i], i)
      end
   end
   return true
end

--- The fraction of positions at which two results are equal.
function M.agreement(a, b)
   local x, y, n = M.values(a), M.values(b), 0
   for i = 1, #x do n = n + (x[i] == y[i] and 1 or 0) end
   return #x > 0 and n / #x or 1
end

--- Are all numbers of a result finite? Labels are ignored.
function M.finite(result)
   for i, value in ipairs(M.values(result)) do
      local real = type(value) == "number"
      if real and (value ~= value or math.abs(value) == math.huge) then
         return false, ("%s at position %d"):format(value, i)
      end
   end
   return true
end

-- Patterns of errors that Lua raises for a bug rather than for a bad argument.
local internal_errors = { "attempt to", "bad argument .* to 'for'", "stack overflow" }

-- Does an error message explain the problem to the user?
local function is_clear(message)
   if type(message) ~= "string" then return false end
   for _, pattern in ipairs(internal_errors) do
      if message:find(pattern) then return false end
   end
   return true
end

--- The call must raise a clear error; for a built-in estimator it must match the patterns.
function M.refuses(class, what, patterns, call, ...)
   local ok, message = pcall(call, ...)
   M.need(not ok, "%s: no error", what)
   M.need(is_clear(message), "%s: the error is not clear: %s", what, message)
   for _, pattern in ipairs(class.core and patterns or {}) do
      M.need(message:find(pattern), "%s: the error must match '%s', got: %s", what, pattern, message)
   end
   return message
end

--- The call must succeed or raise a clear error. Returns whether it succeeded, and the result or the message.
function M.succeeds_or_explains(what, call, ...)
   local ok, result = pcall(call, ...)
   M.need(ok or is_clear(result), "%s: the error is not clear: %s", what, result)
   return ok, result
end

--- Adjusted Rand index of two partitions (Hubert & Arabie, Journal of Classification 2, 1985).
function M.rand_index(a, b)
   local x, y = M.values(a), M.values(b)
   local cells, rows, cols, n = {}, {}, {}, #x
   for i = 1, n do
      local cell = tostring(x[i]) .. "\0" .. tostring(y[i])
      cells[cell] = (cells[cell] or 0) + 1
      rows[x[i]] = (rows[x[i]] or 0) + 1
      cols[y[i]] = (cols[y[i]] or 0) + 1
   end
   local function pairs_in(counts)
      local sum = 0
      for _, count in pairs(counts) do sum = sum + count * (count - 1) / 2 end
      return sum
   end
   local both, first, second = pairs_in(cells), pairs_in(rows), pairs_in(cols)
   local expected = first * second / (n * (n - 1) / 2)
   local max = (first + second) / 2
   return max == expected and 1 or (both - expected) / (max - expected)
end

return M
