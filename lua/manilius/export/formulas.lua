--- A model of a formula as nodes: the columns that the formula makes of a row, in the order of what
-- manilius.formula_design does with many, and then the model.
-- @module manilius.export.formulas

local design = require "manilius.formula_design"
local formula = require "manilius.formula"
local nodes = require "manilius.export.nodes"

local M = {}

local UNSEEN = "a level that was not there in fit, or a missing one"

-- Statements that are being written: values are kept in v[0], v[1], ..., and x are the columns that are read.
local Writer = {}
Writer.__index = Writer

local function writer_of(model)
   local places, factors = {}, {}
   for j, name in ipairs(rawget(model, "columns")) do
      if not places[name] then places[name], factors[name] = j - 1, rawget(model, "factors")[j] end
   end
   return setmetatable({ model = model, places = places, factors = factors, columns = {}, known = {}, lines = {},
      size = 0, numbers = {}, count = 0, reals = {}, levels = {}, made = {} }, Writer)
end

-- The place in x of a column.
function Writer:column(name)
   if not self.known[name] then
      self.known[name] = #self.columns
      self.columns[#self.columns + 1] = self.places[name]
   end
   return self.known[name]
end

function Writer:add(line, ...)
   self.lines[#self.lines + 1] = line:format(...)
end

-- Room for n values; the place of the first.
function Writer:room(n)
   self.size = self.size + n
   return self.size - n
end

-- Keep a value: v[k].
function Writer:keep(value)
   local k = self:room(1)
   self:add("v[%d] = %s", k, self:operand(value))
   return ("v[%d]"):format(k)
end

-- A number as the name of one; what is code already stays.
function Writer:operand(value)
   if type(value) ~= "number" then return value end
   self.count = self.count + 1
   local name = "number_" .. self.count
   self.numbers[name] = value + 0.0
   return name
end

-- --- arithmetic: a number of Lua where it is one, else code ---

local arithmetic = {
   ["+"] = function(a, b) return a + b end,
   ["-"] = function(a, b) return a - b end,
   ["*"] = function(a, b) return a * b end,
   ["/"] = function(a, b) return a / b end,
   ["^"] = function(a, b) return a ^ b end,
}

-- As in the core: a square is a product.
function Writer:power(a, b)
   if b == 1 then return a end
   a = self:keep(a)
   if b == 2 then return ("(%s * %s)"):format(a, a) end
   if type(b) == "number" then return ("pow(%s, %s)"):format(a, self:operand(b)) end
   b = self:keep(b)
   return ("(%s == 2.0 ? %s * %s : pow(%s, %s))"):format(b, a, a, a, b)
end

local FUNCTIONS = { log = "log(%s)", log1p = "log1p(%s)", exp = "exp(%s)", expm1 = "expm1(%s)", sqrt = "sqrt(%s)",
   abs = "abs(%s)", log2 = "(log(%s) / 0.6931471805599453)", log10 = "(log(%s) / 2.302585092994046)" }

function Writer:call(node)
   local form = FUNCTIONS[node.call]
   if not form then
      nodes.cannot(self.model, ("its formula has %s, which programs do not have"):format(formula.written(node)))
   end
   local value = form:format(self:operand(self:value(node.args[1])))
   local base = node.args[2]
   if not base then return value end
   return ("(%s / %s)"):format(value, self:operand(math.log((base.named and base.value or base).number)))
end

--- The value of an expression of numbers.
function Writer:value(node)
   if node.number then return node.number end
   if node.name then return ("x[%d]"):format(self:column(node.name)) end
   if node.paren then return self:value(node.paren) end
   if node.call == "I" then return self:value(node.args[1]) end
   if node.call then return self:call(node) end
   if node.sign then
      local value = self:value(node.of)
      if node.sign ~= "-" then return value end
      return type(value) == "number" and -value or ("(-%s)"):format(value)
   end
   local a, b = self:value(node[1]), self:value(node[2])
   if type(a) == "number" and type(b) == "number" then return arithmetic[node.op](a, b) end
   if node.op == "^" then return self:power(a, b) end
   return ("(%s %s %s)"):format(self:operand(a), node.op, self:operand(b))
end

-- --- variables: the places of their columns in v ---

-- The column of labels that a variable is, or nil.
function Writer:labels(node)
   if node.paren then return self:labels(node.paren) end
   if node.call == "factor" or node.call == "as.factor" then return self:labels(node.args[1]) end
   return node.name and self.factors[node.name] and self:column(node.name) or nil
end

local makers = {}

-- 1 for the level, 0 for all others.
function makers.factor(self, node, learned)
   local n, column = #learned.levels, self:labels(node)
   local first = self:room(n)
   if column then
      self.levels[column + 1] = learned.levels
      self:add("if !(x[%d] >= 0.0) { refuse \"%s\" }", column, UNSEEN)
      self:add("for k < %d { v[%d + k] = x[%d] == k ? 1.0 : 0.0 }", n, first, column)
   else
      while node.call == "factor" or node.call == "as.factor" do node = node.args[1] end
      local value, seen, levels = self:keep(self:value(node)), self:keep(0), "levels_" .. first
      self.reals[levels] = {}
      for i, level in ipairs(learned.levels) do self.reals[levels][i] = level + 0.0 end
      self:add("for k < %d { v[%d + k] = %s == %s[k] ? 1.0 : 0.0 %s += v[%d + k] }", n, first, value, levels, seen,
         first)
      self:add("if %s == 0 { refuse \"%s\" }", seen, UNSEEN)
   end
   local columns = {}
   for i = 1, n do columns[i] = ("v[%d]"):format(first + i - 1) end
   return columns
end

function makers.number(self, node)
   return { self:keep(self:value(node)) }
end

local function raw_poly(self, x, degree)
   local columns = {}
   for d = 1, degree do columns[d] = self:keep(self:power(x, d)) end
   return columns
end

function makers.poly(self, node, learned)
   local x = self:keep(self:value(node.args[1]))
   if learned.raw then return raw_poly(self, x, learned.degree) end
   local columns, norm2 = {}, learned.constants.norm2
   local before, now, norm2_before = self:keep(0), self:keep(1), 1
   for d = 1, learned.degree do
      local next_one = ("(%s - %s) * %s - %s * %s"):format(x, self:operand(learned.constants.alpha[d]), now, before,
         self:operand(norm2[d] / norm2_before))
      before, now, norm2_before = now, self:keep(next_one), norm2[d]
      columns[d] = self:keep(("%s / %s"):format(now, self:operand(math.sqrt(norm2[d + 1]))))
   end
   return columns
end

function Writer:variable(name, learned)
   self.made[name] = self.made[name] or makers[learned.kind](self, design.node_of(name), learned)
   return self.made[name]
end

-- --- terms ---

-- Products of the columns of some variables; the first goes round fastest.
local function products(parts)
   local columns = parts[1]
   for i = 2, #parts do
      local more = {}
      for _, right in ipairs(parts[i]) do
         for _, left in ipairs(columns) do more[#more + 1] = left .. " * " .. right end
      end
      columns = more
   end
   return columns
end

-- What a formula makes of a row.
local function columns_of(model)
   local self, known, columns = writer_of(model), model.design, {}
   local all = design.codings(known)
   for t, variables in ipairs(known.terms) do
      local parts = {}
      for i, variable in ipairs(variables) do
         local learned = known.learned[variable]
         local made = self:variable(variable, learned)
         local first = learned.kind == "factor" and not all[t][i] and 2 or 1
         parts[i] = table.move(made, first, #made, 1, {})
      end
      local made = products(parts)
      table.move(made, 1, #made, #columns + 1, columns)
   end
   if known.offset then columns[#columns + 1] = self:value(design.node_of(known.offset).args[1]) end
   for k, column in ipairs(columns) do self:add("out[%d] = %s", k - 1, self:operand(column)) end
   local node = nodes.code("FormulaModel", #self.columns, #columns,
      ("reals v[%d] "):format(math.max(self.size, 1)) .. table.concat(self.lines, " "),
      { numbers = self.numbers, reals = self.reals })
   node.levels = self.levels
   return nodes.beside({ { node = node, columns = self.columns } }, #rawget(model, "columns"))
end

local actions = { predict = true, predict_proba = true, predict_log_proba = true, decision_function = true }

function M.FormulaModel(graph, model, action)
   if not actions[action] then return nil end
   local node = graph:node(model.model, action)
   if not node then return nil end
   return nodes.chain { graph:once(model, "columns", function() return columns_of(model) end), node }
end

return M
