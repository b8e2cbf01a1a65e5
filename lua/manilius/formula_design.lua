--- The matrix that a formula makes of a Frame, column by column as R's model.matrix.
--
-- What the rows of the fit decide (levels of factors, the polynomials) is kept and used again for other rows.
-- @module manilius.formula_design

local core = require "manilius.core"
local formula = require "manilius.formula"
local frames = require "manilius.frame"
local rows = require "manilius.rows"
local words = require "manilius.text"

local M = {}

local function fail(what, ...)
   error(("formula: " .. what):format(...), 0)
end

-- --- arithmetic ---

local FUNCTIONS = { "log", "log2", "log10", "log1p", "exp", "expm1", "sqrt", "abs", "sin", "cos", "tan", "asin", "acos",
   "atan", "sinh", "cosh", "tanh", "floor", "ceiling", "round" }
local OTHERS = { "factor", "poly", "I", "offset", table.unpack(FUNCTIONS) }

local method_of = { ceil = "ceil" } -- what the functions are called as methods of a Vector; R's name and ours
for _, name in ipairs(FUNCTIONS) do method_of[name] = name end
method_of.ceiling = "ceil"


local evaluate

local function column_named(frame, name)
   local place = frames.place(frame, name)
   if not place then fail("there is no column '%s'%s", name, frames.hint(name, frame.names)) end
   return frame.columns[place]
end

local function as_vector(frame, value)
   if type(value) == "number" then return core.Vector(frame.rows) + value end
   return value
end

local arithmetic = {
   ["+"] = function(a, b) return a + b end,
   ["-"] = function(a, b) return a - b end,
   ["*"] = function(a, b) return type(a) == "number" and a * b or type(b) == "number" and b * a or a:mul(b) end,
   ["/"] = function(a, b) return a / b end,
   ["^"] = function(a, b) return a ^ b end,
}

local function number_of(frame, node)
   local value = evaluate(frame, node)
   if rows.kind(value) == "Factor" then
      fail("%s holds labels; they have no arithmetic", formula.written(node))
   end
   return value
end

-- log(x), and log(x, 2) or log(x, base = 2).
local function call_of(frame, node)
   local value = as_vector(frame, number_of(frame, node.args[1]))
   value = value[method_of[node.call]](value)
   local base = node.args[2]
   if not base then return value end
   if base.named == "base" then base = base.value end
   if not base.number then fail("%s: base must be a number", formula.written(node)) end
   return value / math.log(base.number)
end

-- A Vector, a Factor or a number.
function evaluate(frame, node)
   if node.number then return node.number end
   if node.name then return column_named(frame, node.name) end
   if node.paren then return evaluate(frame, node.paren) end
   if node.sign then
      local value = number_of(frame, node.of)
      return node.sign == "-" and -value or value
   end
   if node.call == "I" and #node.args == 1 then return number_of(frame, node.args[1]) end
   if node.call and method_of[node.call] and (#node.args == 1 or #node.args == 2 and node.call == "log") then
      return call_of(frame, node)
   end
   if node.op and arithmetic[node.op] then
      return arithmetic[node.op](number_of(frame, node[1]), number_of(frame, node[2]))
   end
   if node.call then
      local known = method_of[node.call] ~= nil
      fail("there is no function %s of %s%s; there are %s", node.call, words.plural(#node.args, "argument"),
         known and "" or words.near(node.call, OTHERS), table.concat(OTHERS, ", "))
   end
   fail("%s is no arithmetic", formula.written(node))
end

-- --- variables: what fit learns of them, and the columns they make ---

local function label_text(label)
   return type(label) == "number" and ("%.15g"):format(label) or tostring(label)
end

-- Orthogonal polynomials by their recurrence, with the constants of the rows of the fit (Kennedy & Gentle, Statistical
-- Computing (1980), section 8.1).
local function learn_poly(x, degree, text)
   local distinct = #x:unique()
   if degree >= distinct then
      fail("%s: the degree must be below the number of distinct values, %d", text, distinct)
   end
   local before, now = core.Vector(#x), core.Vector(#x) + 1
   local constants = { alpha = {}, norm2 = {} }
   local norm2_before = 1
   for d = 1, degree + 1 do
      local norm2 = now:dot(now)
      local alpha = x:mul(now):dot(now) / norm2
      constants.alpha[d], constants.norm2[d] = alpha, norm2
      before, now = now, (x - alpha):mul(now) - before * (norm2 / norm2_before)
      norm2_before = norm2
   end
   return constants
end

local function poly_columns(x, degree, constants)
   local out = {}
   local before, now = core.Vector(#x), core.Vector(#x) + 1
   local norm2_before = 1
   for d = 1, degree do
      local norm2 = constants.norm2[d]
      before, now = now, (x - constants.alpha[d]):mul(now) - before * (norm2 / norm2_before)
      norm2_before = norm2
      out[d] = now / math.sqrt(constants.norm2[d + 1])
   end
   return out
end

local function poly_of(node)
   local degree, raw = 1, false
   for i = 2, #node.args do
      local arg = node.args[i]
      if arg.named == "raw" then
         raw = arg.value.name == "TRUE" or arg.value.name == "T" or arg.value.name == "true"
      elseif arg.number or arg.named == "degree" and arg.value.number then
         degree = arg.number or arg.value.number
      else
         fail("%s is not understood; poly(x, degree) or poly(x, degree, raw = TRUE)", formula.written(node))
      end
   end
   if #node.args == 0 or degree % 1 ~= 0 or degree < 1 or degree > 100 then
      fail("%s: the degree must be a whole number from 1 to 100", formula.written(node))
   end
   return math.tointeger(degree), raw
end

local function factor_of(frame, node)
   if #node.args ~= 1 then fail("%s: factor takes one argument", formula.written(node)) end
   local value = evaluate(frame, node.args[1])
   if rows.kind(value) == "Factor" then return value end
   value = as_vector(frame, value)
   local whole = core.metrics.whole_labels(value)
   return rows.kind(whole) == "Factor" and whole or core.Factor(value)
end

--- The values of an expression in a Frame: a Vector or a Factor with a row for each of its rows.
function M.values(frame, node)
   if node.call == "factor" or node.call == "as.factor" then return factor_of(frame, node) end
   return as_vector(frame, evaluate(frame, node))
end

local function variable_values(frame, node)
   if node.call == "poly" then return as_vector(frame, number_of(frame, node.args[1])) end
   return M.values(frame, node)
end

--- What the rows of a fit decide about a variable: { kind, levels or degree, constants }.
local function learn_variable(frame, text, node)
   local values = variable_values(frame, node)
   if rows.kind(values) == "Factor" then
      local levels = {}
      local counts = values:counts()
      for i, level in ipairs(values.levels) do
         if counts[i] > 0 then levels[#levels + 1] = level end
      end
      if type(levels[1]) == "number" then table.sort(levels) end
      if #levels < 2 then fail("%s has %d level; two are needed", text, #levels) end
      if values:ismissing():sum() > 0 then fail("%s has missing values; impute or drop them first", text) end
      return { kind = "factor", levels = levels }
   end
   if values:isnan():sum() > 0 then fail("%s has missing values; impute or drop them first", text) end
   if node.call ~= "poly" then return { kind = "number" } end
   local degree, raw = poly_of(node)
   return { kind = "poly", degree = degree, raw = raw, constants = not raw and learn_poly(values, degree, text) or nil }
end

local function dummies(values, text, learned, all)
   local known, columns, names = {}, {}, {}
   for i, level in ipairs(learned.levels) do
      known[level] = true
      if i > 1 or all then
         columns[#columns + 1], names[#names + 1] = values:eq(level), text .. label_text(level)
      end
   end
   local counts = values:counts()
   for i, level in ipairs(values.levels) do
      if counts[i] > 0 and not known[level] then
         fail("%s has the level '%s', which was not there in fit", text, label_text(level))
      end
   end
   if values:ismissing():sum() > 0 then fail("%s has missing values; impute or drop them first", text) end
   return columns, names
end

-- The columns of one variable, and what is added to the name of each.
local function columns_of(frame, text, node, learned, all)
   local values = variable_values(frame, node)
   if (learned.kind == "factor") ~= (rows.kind(values) == "Factor") then
      fail("%s was %s in fit", text, learned.kind == "factor" and "labels" or "numbers")
   end
   if learned.kind == "factor" then return dummies(values, text, learned, all) end
   if learned.kind == "number" then return { values }, { text } end
   local columns, names = {}, {}
   if learned.raw then
      for d = 1, learned.degree do columns[d] = values ^ d end
   else
      columns = poly_columns(values, learned.degree, learned.constants)
   end
   for d = 1, learned.degree do names[d] = learned.degree == 1 and text or text .. d end
   return columns, names
end

-- --- terms ---

-- Is there one among some terms that holds all these variables but one?
local function is_within(terms, variables, but)
   for _, term in ipairs(terms) do
      local left = {}
      for _, variable in ipairs(variables) do left[variable] = variable ~= but or nil end
      for _, variable in ipairs(term) do left[variable] = nil end
      if next(left) == nil then return true end
   end
   return false
end

--- Which factors of which terms have all levels: a list for each term.
--
-- A factor in a term has a column for all levels but the first where a term before it holds all else that it has (the
-- constant, where it has nothing else), and for all levels where not: R's rule. Without a constant the first factor of
-- the first term that has one keeps all.
function M.codings(design)
   local given, all, before = design.constant, {}, {}
   for t, variables in ipairs(design.terms) do
      all[t] = {}
      for i, variable in ipairs(variables) do
         if design.learned[variable].kind == "factor" then
            all[t][i] = not given or #variables > 1 and not is_within(before, variables, variable)
            given = true
         end
      end
      before[t] = variables
   end
   return all
end

-- Products of the columns of some variables; the first goes round fastest.
local function products(parts)
   local columns, names = parts[1].columns, parts[1].names
   for i = 2, #parts do
      local more, names_more = {}, {}
      for j, right in ipairs(parts[i].columns) do
         for k, left in ipairs(columns) do
            more[#more + 1] = left:mul(right)
            names_more[#names_more + 1] = names[k] .. ":" .. parts[i].names[j]
         end
      end
      columns, names = more, names_more
   end
   return columns, names
end

--- What a formula makes of the rows of a fit: tables of texts and numbers only, so that it can be saved.
function M.learn(text, frame)
   local design = formula.terms(formula.parse(text), frame.names)
   local learned = {}
   for _, term in ipairs(design.terms) do
      for _, variable in ipairs(term) do
         learned[variable] = learned[variable] or learn_variable(frame, variable, design.variables[variable])
      end
   end
   return { constant = design.constant, terms = design.terms, learned = learned, offset = design.offset }
end

--- The node of a variable, from its text.
function M.node_of(variable)
   return formula.parse("~" .. variable).right
end

local function offset_of(design, frame)
   local node = M.node_of(design.offset)
   if #node.args ~= 1 then fail("%s: offset takes one argument", design.offset) end
   local values = as_vector(frame, number_of(frame, node.args[1]))
   if values:isnan():sum() > 0 then fail("%s has missing values; impute or drop them first", design.offset) end
   return values
end

--- The design of these rows: a Frame of numbers, a column for each coefficient, and the offset where there is one.
function M.apply(design, frame)
   local columns, names = {}, {}
   local all, nodes = M.codings(design), {}
   for variable in pairs(design.learned) do nodes[variable] = M.node_of(variable) end
   for t, variables in ipairs(design.terms) do
      local parts = {}
      for i, variable in ipairs(variables) do
         local made, called = columns_of(frame, variable, nodes[variable], design.learned[variable], all[t][i])
         parts[i] = { columns = made, names = called }
      end
      local made, called = products(parts)
      table.move(made, 1, #made, #columns + 1, columns)
      table.move(called, 1, #called, #names + 1, names)
   end
   if design.offset then columns[#columns + 1], names[#names + 1] = offset_of(design, frame), design.offset end
   if #columns == 0 then fail "it has no terms but the constant; a model needs one at least" end
   return frames.build(names, columns, "formula", 2)
end

return M
