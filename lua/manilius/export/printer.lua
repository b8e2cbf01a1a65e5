--- Printer of the row language for any target language: names, constants, lines, and the order of functions.
--
-- The target language supplies functions that print statements and expressions; see syntax_c.lua and syntax_lua.lua.

local language = require "manilius.export.language"

local Printer = {}
Printer.__index = Printer

--- A new printer. `syntax` is the table of the target language: { expr = {}, statement = {}, builtin = {},
-- library = {}, ... }.
-- @param names map from names in the code to names in the file, for tables
-- @param numbers map from names to numbers, integers for whole ones
local function new(syntax, names, numbers)
   return setmetatable({ syntax = syntax, names = names or {}, numbers = numbers or {}, lines = {}, depth = 1,
      calls = {} }, Printer)
end

function Printer:line(text, ...)
   self.lines[#self.lines + 1] = ("   "):rep(self.depth) .. (select("#", ...) > 0 and text:format(...) or text)
end

function Printer:body(list)
   self.depth = self.depth + 1
   for _, node in ipairs(list) do self:statement(node) end
   self.depth = self.depth - 1
end

function Printer:statement(node)
   self.syntax.statement[node.op](self, node)
end

function Printer:name(name)
   return self.names[name] or name
end

--- The value of a constant integer expression, else nil.
function Printer:known(node)
   if node.op == "int" then return math.tointeger(tonumber(node.text)) end
   local number = node.op == "name" and self.numbers[node.name]
   if number then return math.type(number) == "integer" and number or nil end
   if node.op ~= "binary" then return nil end
   local a, b = self:known(node[1]), self:known(node[2])
   if not (a and b) then return nil end
   if node.sign == "+" then return a + b end
   if node.sign == "-" then return a - b end
   if node.sign == "*" then return a * b end
   return nil
end

function Printer:expr(node)
   local known = self:known(node)
   if known then return known < 0 and ("(%d)"):format(known) or ("%d"):format(known) end
   if node.op == "name" and self.numbers[node.name] then
      local text = self.syntax.real(self.numbers[node.name])
      return text:find "^-" and "(" .. text .. ")" or text
   end
   if node.op == "call" then return self:call(node) end
   return self.syntax.expr[node.op](self, node)
end

local simple = { int = true, real = true, name = true, at = true, call = true }

--- An expression as an operand, in parentheses unless it is atomic.
function Printer:operand(node)
   local text = self:expr(node)
   if simple[node.op] or self:known(node) then return text end
   return "(" .. text .. ")"
end

function Printer:call(node)
   local args = {}
   for i, one in ipairs(node.args) do args[i] = self:expr(one) end
   local builtin = self.syntax.builtin[node.name]
   if builtin then return builtin(self, node, args) end
   if not self.syntax.library[node.name] then
      error(("row language: there is no function '%s'"):format(node.name), 0)
   end
   self.calls[node.name] = true
   return ("%s(%s)"):format(self.syntax.function_name(self, node.name), table.concat(args, ", "))
end

local M = { new = new }

-- Names of the library functions that a list of statements calls.
local function called(list, library)
   local found = {}
   language.walk(list, function(node)
      if node.op == "call" and library[node.name] then found[#found + 1] = node.name end
   end)
   return found
end

--- The library functions that are needed, each after those it calls, without those built into the target language.
function M.needed(calls, syntax)
   local order, seen, library = {}, {}, syntax.library
   local function visit(name)
      if seen[name] or syntax.builtin[name] then return end
      seen[name] = true
      for _, inner in ipairs(called(library[name].body, library)) do visit(inner) end
      order[#order + 1] = library[name]
   end
   local names = {}
   for name in pairs(calls) do names[#names + 1] = name end
   table.sort(names)
   for _, name in ipairs(names) do visit(name) end
   return order
end

--- Append items to `out` in lines of about 110 characters.
function M.wrap(items, indent, out)
   local line, width = {}, 0
   for _, item in ipairs(items) do
      if width + #item > 110 then
         out[#out + 1] = indent .. table.concat(line, " ")
         line, width = {}, 0
      end
      line[#line + 1] = item
      width = width + #item + 1
   end
   if #line > 0 then out[#out + 1] = indent .. table.concat(line, " ") end
end

--- A name from the data made safe for a comment.
function M.harmless(text)
   return (text:gsub("[^%w_ .,]", "_"):sub(1, 60))
end

return M
