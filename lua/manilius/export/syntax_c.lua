--- The row language in C99.

local language = require "manilius.export.language"

local M = { expr = {}, statement = {}, builtin = {} }
local expr, statement, builtin = M.expr, M.statement, M.builtin

--- A real as an exact literal.
function M.real(value)
   if value ~= value then return "(double)NAN" end
   if value == math.huge then return "HUGE_VAL" end
   if value == -math.huge then return "-HUGE_VAL" end
   return value == math.floor(value) and math.abs(value) < 1e6 and ("%.1f"):format(value) or ("%a"):format(value)
end

function M.int(value) return ("%d"):format(value) end

-- --- expressions ---

expr["int"] = function(_, node) return node.text end
expr["real"] = function(_, node) return node.text end

function expr.name(self, node)
   if node.name == "infinity" then return "HUGE_VAL" end
   if node.name == "nan" then return "(double)NAN" end
   return self:name(node.name)
end

function expr.at(self, node) return ("%s[%s]"):format(self:name(node.name), self:expr(node[1])) end
function expr.minus(self, node) return "-" .. self:operand(node[1]) end
expr["not"] = function(self, node) return "!" .. self:operand(node[1]) end

local signs = { ["and"] = "&&", ["or"] = "||" }

function expr.binary(self, node)
   return ("%s %s %s"):format(self:operand(node[1]), signs[node.sign] or node.sign, self:operand(node[2]))
end

function expr.choose(self, node)
   return ("%s ? %s : %s"):format(self:operand(node[1]), self:operand(node[2]), self:operand(node[3]))
end

for name, c_name in pairs { abs = "fabs", sqrt = "sqrt", exp = "exp", log = "log", pow = "pow", log1p = "log1p",
   expm1 = "expm1", sin = "sin", cos = "cos", erfc = "erfc", isnan = "isnan" } do
   builtin[name] = function(_, _, args) return ("%s(%s)"):format(c_name, table.concat(args, ", ")) end
end

function builtin.index(self, node) return "(int)" .. self:operand(node.args[1]) end
function builtin.half(self, node) return self:operand(node.args[1]) .. " / 2" end

function M.function_name(self, name) return self.prefix .. "_" .. name end

-- --- statements ---

local types = { real = "double ", int = "int ", reals = "const double *", ints = "const int *", result = "double *",
   counts = "int *", none = "void " }
M.types = types

function statement.declare(self, node)
   self:line("%s%s = %s;", types[node.kind], node.name, self:expr(node[1]))
end

function statement.array(self, node)
   self:line("%s %s[%s] = { 0 };", node.kind == "real" and "double" or "int", node.name, self:expr(node[1]))
end

function statement.set(self, node)
   self:line("%s = %s;", self:expr(node[1]), self:expr(node[2]))
end

statement["do"] = function(self, node) self:line("%s;", self:expr(node[1])) end
statement["return"] = function(self, node) self:line("return %s;", self:expr(node[1])) end
function statement.refuse(self) self:line("return -1;") end

statement["for"] = function(self, node)
   local name = node.name
   self:line("for (int %s = %s; %s < %s; %s++) {", name, self:expr(node[1]), name, self:operand(node[2]), name)
   self:body(node.body)
   self:line("}")
end

statement["while"] = function(self, node)
   self:line("while (%s) {", self:expr(node[1]))
   self:body(node.body)
   self:line("}")
end

statement["if"] = function(self, node)
   self:line("if (%s) {", self:expr(node[1]))
   self:body(node.body)
   if node.otherwise then
      self:line("} else {")
      self:body(node.otherwise)
   end
   self:line("}")
end

-- --- library functions with a version for C ---

-- Descends eight trees at once without branches on values: memory latencies overlap, and there are no branch
-- mispredictions.
local function walk()
   local declared, steps, taken = {}, {}, {}
   for k = 0, 7 do
      declared[k + 1] = ("int a%d = first[from + %d]"):format(k, k)
      steps[k + 1] = ("next = left[aK] + (x[feature[aK]] > cut[aK] ? 1 : 0) moved += next != aK ? 1 : 0 aK = next")
         :gsub("K", k)
      taken[k + 1] = ("at[%d] = a%d"):format(k, k)
   end
   return ([[
function none walk(int n, int whole, reals x, ints first, int from, ints left, ints feature, reals cut, ints missing,
   counts at) {
   if n == 8 and whole == 1 {
      DECLARED
      int moved = 1 int next = 0
      while moved > 0 { moved = 0 STEPS }
      TAKEN
   } else {
      walk_each(n, x, first, from, left, feature, cut, missing, at)
   }
}]]):gsub("%u%u+", { DECLARED = table.concat(declared, " "), STEPS = table.concat(steps, " "),
      TAKEN = table.concat(taken, " ") })
end

M.library = setmetatable(language.parse_functions((walk())), { __index = require "manilius.export.library" })

return M
