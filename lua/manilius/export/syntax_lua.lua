--- The row language in Lua, for Lua 5.1 to 5.5 and LuaJIT.

local M = { expr = {}, statement = {}, builtin = {}, library = require "manilius.export.library" }
local expr, statement, builtin = M.expr, M.statement, M.builtin

--- A real as an exact float literal. -0.0 is written as nz, because Lua 5.1 stores one constant for it and 0.
function M.real(value)
   if value ~= value then return "nan" end
   if value == math.huge then return "huge" end
   if value == -math.huge then return "-huge" end
   if value == 0 then return 1 / value < 0 and "nz" or "0.0" end
   local text = ("%.17g"):format(value)
   return text:find "[.e]" and text or text .. ".0"
end

function M.int(value) return ("%d"):format(value) end

-- --- expressions ---

expr["int"] = function(_, node) return node.text end
expr["real"] = function(_, node) return node.text end

function expr.name(self, node)
   if node.name == "infinity" then return "huge" end
   return self:name(node.name)
end

-- The index i + 1: Lua tables begin at 1.
local function plus_one(self, node)
   local known = self:known(node)
   if known then return ("%d"):format(known + 1) end
   if node.op == "binary" and (node.sign == "+" or node.sign == "-") then
      local last = self:known(node[2])
      if last then
         local step = (node.sign == "+" and last or -last) + 1
         if step == 0 then return self:expr(node[1]) end
         return ("%s %s %d"):format(self:operand(node[1]), step > 0 and "+" or "-", math.abs(step))
      end
   end
   return self:operand(node) .. " + 1"
end

function expr.at(self, node) return ("%s[%s]"):format(self:name(node.name), plus_one(self, node[1])) end
function expr.minus(self, node) return "-" .. self:operand(node[1]) end
expr["not"] = function(self, node) return "not " .. self:operand(node[1]) end

function expr.binary(self, node)
   return ("%s %s %s"):format(self:operand(node[1]), node.sign == "!=" and "~=" or node.sign, self:operand(node[2]))
end

function expr.choose(self, node) -- the operands are numbers, which are true in Lua
   return ("%s and %s or %s"):format(self:operand(node[1]), self:operand(node[2]), self:operand(node[3]))
end

for _, name in ipairs { "abs", "sqrt", "exp", "log", "log1p", "expm1" } do
   builtin[name] = function(self, _, args)
      self.calls[name] = true
      return ("%s(%s)"):format(name, args[1])
   end
end

for _, name in ipairs { "sin", "cos" } do
   builtin[name] = function(_, _, args) return ("math.%s(%s)"):format(name, args[1]) end
end

function builtin.pow(self, node) return self:operand(node.args[1]) .. " ^ " .. self:operand(node.args[2]) end
function builtin.index(_, _, args) return ("floor(%s)"):format(args[1]) end
function builtin.half(self, node) return ("floor(%s / 2)"):format(self:operand(node.args[1])) end

function builtin.isnan(self, node)
   local value = self:operand(node.args[1])
   return ("(%s ~= %s)"):format(value, value)
end

function M.function_name(_, name) return "F." .. name end

-- --- statements ---

function statement.declare(self, node)
   self:line("local %s = %s", node.name, self:expr(node[1]))
end

function statement.array(self, node)
   self:line("local %s = {}", node.name)
   self:line("for i = 1, %s do %s[i] = %s end", self:expr(node[1]), node.name, node.kind == "real" and "0.0" or "0")
end

function statement.set(self, node)
   self:line("%s = %s", self:expr(node[1]), self:expr(node[2]))
end

statement["do"] = function(self, node) self:line("%s", self:expr(node[1])) end
statement["return"] = function(self, node) self:line("do return %s end", self:expr(node[1])) end
function statement.refuse(self, node) self:line("error(%q, 0)", self.who .. ": " .. node.text) end

-- The largest index below a bound.
local function below(self, node)
   local known = self:known(node)
   return known and ("%d"):format(known - 1) or self:operand(node) .. " - 1"
end

statement["for"] = function(self, node)
   self:line("for %s = %s, %s do", node.name, self:expr(node[1]), below(self, node[2]))
   self:body(node.body)
   self:line("end")
end

statement["while"] = function(self, node)
   self:line("while %s do", self:expr(node[1]))
   self:body(node.body)
   self:line("end")
end

statement["if"] = function(self, node)
   self:line("if %s then", self:expr(node[1]))
   self:body(node.body)
   if node.otherwise then
      self:line("else")
      self:body(node.otherwise)
   end
   self:line("end")
end

return M
