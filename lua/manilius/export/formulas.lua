--- Export of formula models: the design columns of a row, computed in the same order as in manilius.formula.design,
-- followed by the model.

local basis = require "manilius.formula.basis"
local design = require "manilius.formula.design"
local expression = require "manilius.nonlinear.expression"
local formula = require "manilius.formula"
local nodes = require "manilius.export.nodes"
local values = require "manilius.formula.values"

local M = {}

local UNSEEN = "a level that was not there in fit, or a missing one"

-- Writes statements of the row language. Intermediate values are stored in v[0], v[1], ...; x holds the columns read.
local Writer = {}
Writer.__index = Writer

-- names, labels: the names of the columns of X and whether they hold labels
local function writer_of(model, names, labels)
   local places, factors = {}, {}
   for j, name in ipairs(names) do
      if not places[name] then places[name], factors[name] = j - 1, labels[j] end
   end
   return setmetatable({ model = model, places = places, factors = factors, columns = {}, known = {}, lines = {},
      size = 0, numbers = {}, count = 0, reals = {}, levels = {}, made = {}, parameters = {} }, Writer)
end

-- The index of a column in x.
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

-- Reserve n elements of v; returns the index of the first.
function Writer:allocate(n)
   self.size = self.size + n
   return self.size - n
end

-- Store a value in a new element v[k].
function Writer:keep(value)
   local k = self:allocate(1)
   self:add("v[%d] = %s", k, self:operand(value))
   return ("v[%d]"):format(k)
end

-- The name of a number; code is returned unchanged.
function Writer:operand(value)
   if type(value) ~= "number" then return value end
   self.count = self.count + 1
   local name = "number_" .. self.count
   self.numbers[name] = value + 0.0
   return name
end

-- --- arithmetic: constants are Lua numbers, everything else is code ---

local arithmetic = {
   ["+"] = function(a, b) return a + b end,
   ["-"] = function(a, b) return a - b end,
   ["*"] = function(a, b) return a * b end,
   ["/"] = function(a, b) return a / b end,
   ["^"] = function(a, b) return a ^ b end,
}

-- As in the core, a square is computed as a product.
function Writer:power(a, b)
   if b == 1 then return a end
   a = self:keep(a)
   if b == 2 then return ("(%s * %s)"):format(a, a) end
   if type(b) == "number" then return ("pow(%s, %s)"):format(a, self:operand(b)) end
   b = self:keep(b)
   return ("(%s == 2.0 ? %s * %s : pow(%s, %s))"):format(b, a, a, a, b)
end

-- Raises: the row language cannot express this part of the formula.
function Writer:refuse(node)
   nodes.fail(self.model, ("its formula contains %s, which exported programs do not support"):format(
      formula.to_text(node)))
end

local FUNCTIONS = { log = "log(%s)", log1p = "log1p(%s)", exp = "exp(%s)", expm1 = "expm1(%s)", sqrt = "sqrt(%s)",
   abs = "abs(%s)", log2 = "(log(%s) / 0.6931471805599453)", log10 = "(log(%s) / 2.302585092994046)" }

function Writer:call(node)
   local form = FUNCTIONS[node.call] or self:refuse(node)
   local value = form:format(self:operand(self:value(node.args[1])))
   local base = node.args[2]
   if not base then return value end
   return ("(%s / %s)"):format(value, self:operand(math.log((base.named and base.value or base).number)))
end

-- Scaled by the mean and standard deviation of the training rows.
function Writer:scaled(node)
   local by = self.model.design.kept[formula.to_text(node)]
   local x = self:operand(self:value(values.arguments(node, "x", "center", "scale").x))
   return ("((%s - %s) / %s)"):format(x, self:operand(by[1]), self:operand(by[2]))
end

-- A value in a comparison, which must not be missing.
function Writer:compared(node)
   local value = self:keep(self:value(node))
   self:add("if isnan(%s) { refuse \"a missing value\" }", value)
   return value
end

local JOINED = { ["&"] = "and", ["&&"] = "and", ["|"] = "or", ["||"] = "or" }

-- A condition as 1.0 or 0.0.
function Writer:truth(node)
   local condition
   if node.sign then
      condition = self:compared(node.of) .. " == 0.0"
   elseif node.op == "%in%" then
      local value, same = self:compared(node[1]), {}
      for i, one in ipairs(values.constants(node[2])) do
         same[i] = ("%s == %s"):format(value, self:operand(tonumber(one) or self:refuse(node)))
      end
      condition = table.concat(same, " or ")
   elseif JOINED[node.op] then
      condition = ("%s != 0.0 %s %s != 0.0"):format(self:compared(node[1]), JOINED[node.op], self:compared(node[2]))
   else
      condition = ("%s %s %s"):format(self:compared(node[1]), node.op, self:compared(node[2]))
   end
   return ("(%s ? 1.0 : 0.0)"):format(condition)
end

--- The value of a numeric expression.
function Writer:value(node)
   if node.number then return node.number end
   if node.name and self.parameters[node.name] then return self.parameters[node.name] end
   if node.name and self.places[node.name] and not self.factors[node.name] then
      return ("x[%d]"):format(self:column(node.name))
   end
   if node.name or node.text then
      local value = not self.factors[node.name] and values.constant(node)
      return type(value) == "number" and value or self:refuse(node)
   end
   if node.paren then return self:value(node.paren) end
   if node.call == "I" or node.call == "as.numeric" then return self:value(node.args[1]) end
   if node.call == "scale" then return self:scaled(node) end
   if node.call then return self:call(node) end
   if values.is_condition(node) then return self:truth(node) end
   if node.sign then
      local value = self:value(node.of)
      if node.sign ~= "-" then return value end
      return type(value) == "number" and -value or ("(-%s)"):format(value)
   end
   local a, b = self:value(node[1]), self:value(node[2])
   if not arithmetic[node.op] then self:refuse(node) end
   if type(a) == "number" and type(b) == "number" then return arithmetic[node.op](a, b) end
   if node.op == "^" then return self:power(a, b) end
   return ("(%s %s %s)"):format(self:operand(a), node.op, self:operand(b))
end

-- --- variables: their columns as elements of v ---

local RELABELS = { factor = true, ["as.factor"] = true, ordered = true, relevel = true, C = true }

-- The argument of calls that only define how labels are coded.
local function uncoded(node)
   while node.paren or RELABELS[node.call] do
      local first = node.paren or node.args[1]
      node = first.named and first.value or first
   end
   return node
end

local makers = {}

-- The codes of a factor column follow the order of the levels in the formula.
local function codes_of(self, node, levels)
   local column = self:column(node.name)
   local known = self.levels[column + 1]
   for i = 1, known and math.max(#known, #levels) or 0 do
      if known[i] ~= levels[i] then
         nodes.fail(self.model, ("its formula uses the levels of %s in more than one order"):format(node.name))
      end
   end
   self.levels[column + 1] = levels
   return column
end

-- 1 for the level, 0 for all others.
local function indicators(self, node, learned)
   local n, first = #learned.levels, self:allocate(#learned.levels)
   node = uncoded(node)
   if self.factors[node.name] then
      local column = codes_of(self, node, learned.levels)
      self:add("if !(x[%d] >= 0.0) { refuse \"%s\" }", column, UNSEEN)
      self:add("for k < %d { v[%d + k] = x[%d] == k ? 1.0 : 0.0 }", n, first, column)
      return first
   end
   local value, seen, levels = self:keep(self:value(node)), self:keep(0), "levels_" .. first
   self.reals[levels] = {}
   for i, level in ipairs(learned.levels) do
      if type(level) == "boolean" then level = level and 1 or 0 end
      self.reals[levels][i] = (tonumber(level) or self:refuse(node)) + 0.0
   end
   self:add("for k < %d { v[%d + k] = %s == %s[k] ? 1.0 : 0.0 %s += v[%d + k] }", n, first, value, levels, seen, first)
   self:add("if %s == 0 { refuse \"%s\" }", seen, UNSEEN)
   return first
end

-- A column for each level (full coding), or the columns of the contrast.
function makers.factor(self, node, learned, all)
   local first, columns = indicators(self, node, learned), {}
   if all then
      for i = 1, #learned.levels do columns[i] = ("v[%d]"):format(first + i - 1) end
      return columns
   end
   for i, weights in ipairs((basis.contrast(learned.levels, learned.contrast, learned.base))) do
      for j, weight in ipairs(weights) do
         local part = ("v[%d]"):format(first + i - 1)
         if weight ~= 1 then part = ("%s * %s"):format(part, self:operand(weight)) end
         if weight ~= 0 then columns[j] = columns[j] and columns[j] .. " + " .. part or part end
      end
   end
   for j, column in ipairs(columns) do
      if column:find " " then columns[j] = self:keep(column) end
   end
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

function Writer:variable(name, learned, all)
   local key = (all and "all " or "") .. name
   local node = design.node_of(name)
   if not self.made[key] then self.made[key] = (makers[learned.kind] or self:refuse(node))(self, node, learned, all) end
   return self.made[key]
end

-- --- terms ---

-- Products of the columns of several variables; the columns of the first vary fastest.
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

-- The design columns of a row.
local function columns_of(model)
   local self, known, columns = writer_of(model, model.columns, rawget(model, "factors")), model.design, {}
   local all = design.codings(known)
   for t, variables in ipairs(known.terms) do
      local parts = {}
      for i, variable in ipairs(variables) do
         parts[i] = self:variable(variable, known.learned[variable], all[t][i])
      end
      local made = products(parts)
      table.move(made, 1, #made, #columns + 1, columns)
   end
   if known.offset then columns[#columns + 1] = self:value(design.node_of(known.offset).args[1]) end
   if #columns == 0 then nodes.fail(model, "its formula has no columns, so all predictions are equal") end
   for k, column in ipairs(columns) do self:add("out[%d] = %s", k - 1, self:operand(column)) end
   local node = nodes.code("FormulaModel", #self.columns, #columns,
      ("reals v[%d] "):format(math.max(self.size, 1)) .. table.concat(self.lines, " "),
      { numbers = self.numbers, reals = self.reals })
   node.levels = self.levels
   return nodes.parallel({ { node = node, columns = self.columns } }, #model.columns)
end

local actions = { predict = true, predict_proba = true, predict_log_proba = true, decision_function = true }

function M.FormulaModel(graph, model, action)
   if not actions[action] then return nil end
   local node = graph:node(model.model, action)
   if not node then return nil end
   return nodes.chain { graph:memoize(model, "columns", function() return columns_of(model) end), node }
end

--- NonlinearRegression: its formula with the estimates in place of the parameters.
function M.NonlinearRegression(_, model, action)
   if action ~= "predict" then return nil end
   if not model.formula then nodes.fail(model, "its model is a Lua function") end
   local names = rawget(model, "feature_names") or {}
   for j = #names + 1, model.n_features do names[j] = "x" .. j end
   local self = writer_of(model, names, rawget(model, "factors") or {})
   if #names == 1 then self.places.x = 0 end
   for i, name in ipairs(model.terms) do self.parameters[name] = model.coef[i] end
   local value = self:value(expression.parse(model.formula).right)
   if #self.columns == 0 then nodes.fail(model, "its formula has no columns, so all predictions are equal") end
   self:add("out[0] = %s", self:operand(value))
   local node = nodes.code("NonlinearRegression", #self.columns, 1,
      ("reals v[%d] "):format(math.max(self.size, 1)) .. table.concat(self.lines, " "),
      { numbers = self.numbers, reals = self.reals })
   return nodes.parallel({ { node = node, columns = self.columns } }, model.n_features)
end

return M
