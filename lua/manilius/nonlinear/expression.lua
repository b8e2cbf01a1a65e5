--- Compiles arithmetic expressions of columns and parameters for the core, which evaluates and differentiates them.

local core = require "manilius.core"
local formula = require "manilius.formula"
local text = require "manilius.text"

local M = {}

-- The operators of src/stats/expression.h, in its order.
local OPERATORS = { "number", "column", "parameter", "+", "-", "*", "/", "^", "<", "<=", ">", ">=", "ifelse", "negate",
   "exp", "expm1", "log", "log1p", "log2", "log10", "sqrt", "abs", "sin", "cos", "tan", "asin", "acos", "atan", "sinh",
   "cosh", "tanh" }

local code_of = {}
for i, name in ipairs(OPERATORS) do code_of[name] = i - 1 end

local FUNCTIONS = table.move(OPERATORS, code_of.negate + 2, #OPERATORS, 1, {})
for _, name in ipairs { "I", "ifelse" } do FUNCTIONS[#FUNCTIONS + 1] = name end

local CONSTANTS = { pi = math.pi, Inf = math.huge, TRUE = 1, FALSE = 0 }

local function fail(what, ...)
   formula.fail(what, ...)
end

local function emit(p, operator, operand)
   p.code[#p.code + 1] = { code_of[operator], operand or 0 }
end

-- A parameter takes precedence over a column, and a column over a constant of the same name.
local function emit_name(p, name)
   if p.parameters[name] then return emit(p, "parameter", p.parameters[name] - 1) end
   if p.known_columns[name] then
      if not p.place[name] then
         p.columns[#p.columns + 1] = name
         p.place[name] = #p.columns
      end
      return emit(p, "column", p.place[name] - 1)
   end
   if CONSTANTS[name] then return emit(p, "number", CONSTANTS[name]) end
   fail("'%s' is neither a column nor a parameter in start%s", name, text.near(name, p.all_names))
end

local emit_node

local function emit_call(p, node)
   local name, args = node.call, node.args
   for _, arg in ipairs(args) do
      if arg.named then fail("arguments of %s must not be named, got %s", name, arg.named) end
      emit_node(p, arg)
   end
   if name == "I" and #args == 1 then return end
   if name == "ifelse" and #args == 3 then return emit(p, "ifelse") end
   if #args == 1 and text.contains(FUNCTIONS, name) and name ~= "ifelse" then return emit(p, name) end
   fail("there is no function %s of %s; there are %s", name, text.plural(#args, "argument"),
      table.concat(FUNCTIONS, ", "))
end

function emit_node(p, node)
   if node.number then return emit(p, "number", node.number) end
   if node.name then return emit_name(p, node.name) end
   if node.paren then return emit_node(p, node.paren) end
   if node.call then return emit_call(p, node) end
   if node.sign == "-" or node.sign == "+" then
      emit_node(p, node.of)
      if node.sign == "-" then emit(p, "negate") end
      return
   end
   if not code_of[node.op or ""] then fail("%s is not an arithmetic expression", formula.to_text(node)) end
   emit_node(p, node[1])
   emit_node(p, node[2])
   emit(p, node.op)
end

--- The tree of a formula whose left side may be missing, with or without ~.
function M.parse(source)
   return formula.parse(source:find("~", 1, true) and source or "~ " .. source)
end

--- Compile the right side of a formula.
-- names: the parameters, in order
-- columns: names of the columns of X
-- Returns { code = Matrix for the core, columns = names of the columns that occur }.
function M.compile(source, names, columns)
   local p = { code = {}, columns = {}, place = {}, parameters = {}, known_columns = {}, all_names = {} }
   for i, name in ipairs(names) do p.parameters[name], p.all_names[i] = i, name end
   for _, name in ipairs(columns) do
      p.known_columns[name] = true
      p.all_names[#p.all_names + 1] = name
   end
   emit_node(p, M.parse(source).right)
   local used = {}
   for _, one in ipairs(p.code) do
      if one[1] == code_of.parameter then used[one[2] + 1] = true end
   end
   for i, name in ipairs(names) do
      if not used[i] then fail("the parameter '%s' does not occur in '%s'; remove it from start", name, source) end
   end
   return { code = core.Matrix(p.code), columns = p.columns }
end

return M
