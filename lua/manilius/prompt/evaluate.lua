--- Compiles and runs chunks of the prompt, shows their results, and makes error messages short.

local core = require "manilius.core"
local text = require "manilius.text"

local M = {}

local CHUNK_NAME = "prompt"

-- `local x = 1` would lose x at the end of its chunk, so at the start of a chunk it defines a global.
local function without_local(chunk)
   local found, rest = chunk:match "^(%s*)local(%s+function%s.*)$"
   if not found then found, rest = chunk:match "^(%s*)local(%s+[%a_][%w_,%s]*=[^=].*)$" end
   return found and found .. rest or chunk
end

local function results(...) return ... end

-- An expression as a function. `return f(x)` would be a tail call, and errors of f would not say where f was called.
local function compile_expression(chunk)
   local simple = load("return " .. chunk, "=" .. CHUNK_NAME)
   local call = simple and load("return (...)(" .. chunk:gsub(";%s*$", "") .. "\n)", "=" .. CHUNK_NAME)
   return call and function() return results(call(results)) end or simple
end

--- Compile a chunk. Returns a function and whether its results are shown; or nil, the message, and whether the chunk is
-- incomplete. The results of an expression are shown, unless it ends with a semicolon.
function M.compile(chunk)
   chunk = without_local(chunk)
   local expression = compile_expression(chunk)
   if expression then return expression, not chunk:find ";%s*$" end
   local run, message = load(chunk .. "\n", "=" .. CHUNK_NAME)
   if run then return run, false end
   return nil, message, message:find "<eof>'?$" ~= nil
end

--- Is the text a chunk that can run, or one that no further line can repair?
function M.is_complete(chunk)
   if chunk:find "^%s*%?" then return true end
   local run, _, incomplete = M.compile(chunk)
   return run ~= nil or not incomplete
end

-- --- results ---

local function has_text(value)
   local meta = getmetatable(value)
   return type(value) ~= "table" or type(meta) == "table" and meta.__tostring ~= nil
end

-- A plain table: a list in one line, names and values in a line each.
local function table_text(value)
   local value_text = require "manilius.estimator".value_text
   if #value > 0 or next(value) == nil then return value_text(value) end
   local keys, names, width = {}, {}, 0
   for key in next, value do
      keys[#keys + 1], names[key] = key, tostring(key)
      width = math.max(width, #names[key])
   end
   table.sort(keys, function(a, b) return names[a] < names[b] end)
   local lines = {}
   for i, key in ipairs(keys) do lines[i] = text.pad(names[key], width) .. "  " .. value_text(value[key]) end
   return table.concat(lines, "\n")
end

--- Print results: figures are drawn, nil prints nothing.
function M.show(...)
   local texts, long = {}, false
   for i = 1, select("#", ...) do
      local value = (select(i, ...))
      local meta = getmetatable(value)
      local name = type(meta) == "table" and rawget(meta, "__name")
      if name == "Figure" then
         value:show()
      elseif value ~= nil and name ~= "Found" then -- ml.find has printed what it found
         texts[#texts + 1] = has_text(value) and tostring(value) or table_text(value)
         long = long or texts[#texts]:find "\n" ~= nil
      end
   end
   if #texts > 0 then print(table.concat(texts, long and "\n" or "\t")) end
end

-- --- errors ---

-- "; did you mean 'ml.Ridge'?" for a global name that does not exist.
local function hint(message)
   local name = message:match "global '([%a_][%w_]*)'%)"
   if not name or rawget(_G, name) ~= nil then return "" end
   local known = {}
   for _, one in ipairs(require "manilius.help.topics".all_names()) do
      if one == name then return ("; did you mean 'ml.%s'?"):format(name) end
      known[#known + 1] = "ml." .. one
   end
   for global in next, _G do known[#known + 1] = type(global) == "string" and global or nil end
   local near = core.nearest(name, known) or core.nearest("ml." .. name, known)
   return near and ("; did you mean '%s'?"):format(near) or ""
end

--- The message of an error in a chunk: without the position in a chunk of one line.
function M.message(value, chunk)
   local message = tostring(value)
   if type(value) == "table" and has_text(value) == false then message = "(error object is a table)" end
   if message:find "interrupted!$" then return "interrupted" end
   message = message:gsub("^" .. CHUNK_NAME .. ":(%d+): ", chunk:find "\n" and "line %1: " or "")
   return message .. hint(message)
end

--- The traceback of an error without the functions of the prompt.
function M.traceback(value, level)
   local message = type(value) == "string" and value or tostring(value)
   local trace = debug.traceback(message, level + 1)
   trace = trace:gsub("\n[^\n]*manilius/prompt[/%w]*%.lua:.*", "")
   return (trace:gsub("(\n%s*" .. CHUNK_NAME .. ":%d+: in )%a+ '%a+'$", "%1main chunk"))
end

return M
