--- What the expressions of a formula say of the rows of a Frame: numbers, labels, and truths as 0 and 1.
--
-- A call that looks at all rows (scale, cut) is decided by the rows of the fit, wherever it stands, and keeps that for
-- other rows: `kept` has it by what the call looks like, in tables of texts and numbers that can be saved.
-- @module manilius.formula.values

local core = require "manilius.core"
local formula = require "manilius.formula"
local frames = require "manilius.frame"
local rows = require "manilius.rows"
local words = require "manilius.text"

local M = {}

local fail, written = formula.fail, formula.written

local FUNCTIONS = { "log", "log2", "log10", "log1p", "exp", "expm1", "sqrt", "abs", "sin", "cos", "tan", "asin", "acos",
   "atan", "sinh", "cosh", "tanh", "floor", "ceiling", "round" }
local KNOWN = { "factor", "ordered", "cut", "relevel", "C", "poly", "bs", "ns", "scale", "as.numeric", "I", "offset",
   table.unpack(FUNCTIONS) }

local method_of = { ceil = "ceil" } -- what the functions are called as methods of a Vector; R's name and ours
for _, name in ipairs(FUNCTIONS) do method_of[name] = name end
method_of.ceiling = "ceil"

local CONSTANTS = { TRUE = 1, T = 1, FALSE = 0, F = 0, pi = math.pi, Inf = math.huge }

local evaluate

--- What a Frame is asked with: its rows, and what the fit has kept (an empty table before).
-- @param learning true: what these rows decide is kept
function M.asker(frame, kept, learning)
   return { frame = frame, kept = kept or {}, learning = learning }
end

-- What the rows of the fit decided about a call.
local function keep(asker, node, learn)
   local key = written(node)
   local known = asker.kept[key]
   if known ~= nil then return known end
   local found = learn()
   if asker.learning then asker.kept[key] = found end
   return found
end

-- A column of this name goes before what the name means in R.
local function named(asker, name)
   local place = frames.place(asker.frame, name)
   if place then return asker.frame.columns[place] end
   if CONSTANTS[name] then return CONSTANTS[name] end
   fail("there is no column '%s'%s", name, frames.hint(name, asker.frame.names))
end

local function as_vector(asker, value)
   if type(value) == "number" then return core.Vector(asker.frame.rows) + value end
   return value
end

--- Raises where a Vector or a Factor has missing values.
local function need_all(values, node)
   local missing = rows.kind(values) == "Factor" and values:ismissing() or values:isnan()
   if missing:sum() > 0 then fail("%s has missing values; impute or drop them first", written(node)) end
   return values
end

local function is_of_truths(factor)
   return type(factor.levels[1]) == "boolean"
end

local function number_of(asker, node)
   local value = evaluate(asker, node)
   if rows.kind(value) ~= "Factor" then return value end
   if not is_of_truths(value) then fail("%s holds labels; they have no arithmetic", written(node)) end
   return need_all(value, node):eq(true)
end

-- --- settings within calls: constants ---

--- The value of a constant: a number, a text or a truth; nil for what is none.
local function constant(node)
   if node == nil then return nil end
   if node.number or node.text then return node.number or node.text end
   if node.name == "TRUE" or node.name == "T" or node.name == "true" then return true end
   if node.name == "FALSE" or node.name == "F" or node.name == "false" then return false end
   if node.name then return CONSTANTS[node.name] end
   if node.sign == "-" or node.sign == "+" then
      local value = constant(node.of)
      return type(value) == "number" and (node.sign == "-" and -value or value) or nil
   end
end

--- The values of c(1, 2), c("a", "b"), 1:3 or one constant.
local function constants(node)
   local list = {}
   if node.call == "c" then
      for i, arg in ipairs(node.args) do list[i] = constant(arg) end
      if #list == #node.args and #list > 0 then return list end
   elseif node.op == ":" and math.type(constant(node[1])) and constant(node[2]) then
      for value = constant(node[1]), constant(node[2]) do list[#list + 1] = value end
      if #list > 0 then return list end
   else
      list[1] = constant(node)
      if list[1] ~= nil then return list end
   end
   fail("%s: constants expected, as in c(1, 2)", written(node))
end

--- The arguments of a call by name; those without a name take the names of `order` one after the other.
-- @treturn table nodes by name
function M.arguments(node, ...)
   local order, found, at = { ... }, {}, 1
   for _, arg in ipairs(node.args) do
      local name = arg.named
      if not name then
         while order[at] and found[order[at]] do at = at + 1 end
         name = order[at]
      end
      local known = false
      for _, one in ipairs(order) do known = known or one == name end
      if not known or found[name] then
         fail("%s is not understood; the arguments of %s are %s", written(node), node.call, table.concat(order, ", "))
      end
      found[name] = arg.named and arg.value or arg
   end
   if not found[order[1]] then fail("%s: %s needs an argument", written(node), node.call) end
   return found
end

--- A setting that is TRUE or FALSE; FALSE, or `default`, where it is not given.
function M.flag(node, arg, default)
   if arg == nil then return default or false end
   local value = constant(arg)
   if type(value) == "boolean" then return value end
   fail("%s: %s is neither TRUE nor FALSE", written(node), written(arg))
end

M.constant, M.constants, M.need_all = constant, constants, need_all

-- --- comparisons and logic ---

local COMPARE = { ["<"] = "lt", [">"] = "gt", ["<="] = "le", [">="] = "ge", ["=="] = "eq", ["!="] = "ne" }
local TURNED = { ["<"] = ">", [">"] = "<", ["<="] = ">=", [">="] = "<=", ["=="] = "==", ["!="] = "!=" }

--- Does an expression say true or false of each row?
function M.is_truth(node)
   if node.paren then return M.is_truth(node.paren) end
   if node.call == "I" and #node.args == 1 then return M.is_truth(node.args[1]) end
   return (node.sign == "!" or formula.comparisons[node.op] or formula.logic[node.op] or node.op == "%in%") and true
      or false
end

-- Rows of a Factor that have a label. One that no row of the fit has is a slip.
local function has_label(asker, factor, label, node)
   local known = false
   local texts = {}
   for i, level in ipairs(factor.levels) do
      known = known or level == label
      texts[i] = tostring(level)
   end
   if not known and asker.learning then
      fail("%s has no level '%s'%s", written(node), tostring(label), words.hint(tostring(label), texts))
   end
   return known and factor:eq(label) or core.Vector(asker.frame.rows)
end

-- A truth that is written TRUE or FALSE, beside labels that are truths.
local function compare_labels(asker, op, factor, node, other)
   local label = constant(other)
   if op ~= "==" and op ~= "!=" then fail("%s holds labels; they have no order", written(node)) end
   if label == nil then fail("%s holds labels, which are compared with constants only", written(node)) end
   local same = has_label(asker, need_all(factor, node), label, node)
   return op == "==" and same or 1 - same
end

local function compare(asker, node)
   local op, left, right = node.op, node[1], node[2]
   if left.text then op, left, right = TURNED[op], right, left end
   local a = evaluate(asker, left)
   if rows.kind(a) == "Factor" then return compare_labels(asker, op, a, left, right) end
   if right.text then fail("%s holds numbers, which are not compared with text", written(left)) end
   local b = evaluate(asker, right)
   if rows.kind(b) == "Factor" then return compare_labels(asker, TURNED[op], b, right, left) end
   a, b = need_all(as_vector(asker, a), left), need_all(as_vector(asker, b), right)
   return a[COMPARE[op]](a, b)
end

local function is_one_of(asker, node)
   local value, out = evaluate(asker, node[1]), core.Vector(asker.frame.rows)
   if rows.kind(value) ~= "Factor" then value = as_vector(asker, value) end
   need_all(value, node[1])
   for _, one in ipairs(constants(node[2])) do
      if type(one) == "string" and rows.kind(value) ~= "Factor" then
         fail("%s holds numbers, which are not compared with text", written(node[1]))
      end
      local same = rows.kind(value) == "Factor" and has_label(asker, value, one, node[1])
         or value:eq(type(one) == "boolean" and (one and 1 or 0) or one)
      out = (out + same):gt(0)
   end
   return out
end

-- 1 where an expression is true: a number is where it is not 0.
local function truth_of(asker, node)
   local value = need_all(as_vector(asker, number_of(asker, node)), node)
   return value:ne(0)
end

-- --- arithmetic ---

local arithmetic = {
   ["+"] = function(a, b) return a + b end,
   ["-"] = function(a, b) return a - b end,
   ["*"] = function(a, b) return type(a) == "number" and a * b or type(b) == "number" and b * a or a:mul(b) end,
   ["/"] = function(a, b) return a / b end,
   ["^"] = function(a, b) return a ^ b end,
}

-- The remainder has the sign of the divisor, as in R and in Lua.
arithmetic["%%"] = function(a, b)
   if type(a) == "number" and type(b) == "number" then return a % b end
   local quotient = a / b
   return a - arithmetic["*"](quotient:floor(), b)
end

-- log(x), and log(x, 2) or log(x, base = 2).
local function call_of(asker, node)
   local value = as_vector(asker, number_of(asker, node.args[1]))
   value = value[method_of[node.call]](value)
   local base = node.args[2]
   if not base then return value end
   if base.named == "base" then base = base.value end
   if not base.number then fail("%s: base must be a number", written(node)) end
   return value / math.log(base.number)
end

-- By n - 1, as in R; without its mean where that is taken off, else about 0.
local function spread_of(x, center)
   local from = center and x - x:mean() or x
   return math.sqrt(from:dot(from) / math.max(#x - 1, 1))
end

-- A setting of scale: TRUE (by the rows of the fit), FALSE, or a number.
local function scale_setting(node, arg)
   if arg == nil then return true end
   local value = constant(arg)
   if type(value) == "boolean" or type(value) == "number" then return value end
   fail("%s: %s is neither TRUE, FALSE nor a number", written(node), written(arg))
end

local function scaled(asker, node)
   local given = M.arguments(node, "x", "center", "scale")
   local x = need_all(as_vector(asker, number_of(asker, given.x)), given.x)
   local by = keep(asker, node, function()
      local center, scale = scale_setting(node, given.center), scale_setting(node, given.scale)
      local mean = center == true and x:mean() or center or 0
      local sd = scale == true and spread_of(x - (center == true and 0 or mean), center == true) or scale or 1
      if not (sd > 0 or sd < 0) then fail("%s: the spread of %s is 0", written(node), written(given.x)) end
      return { mean, sd }
   end)
   return (x - by[1]) / by[2]
end

-- --- labels ---

local function truths(values)
   return core.Factor { false, true }:take(values + 1)
end

-- Numbers as labels: those that are whole are integers.
local function as_factor(asker, node)
   local value = evaluate(asker, node)
   if rows.kind(value) == "Factor" then return value end
   value = as_vector(asker, value)
   if M.is_truth(node) then return truths(value) end
   local whole = core.metrics.whole_labels(value)
   return rows.kind(whole) == "Factor" and whole or core.Factor(value)
end

-- The ends of intervals: those given, or so many of one width over the rows of the fit, as R's cut has them.
local function breaks_of(x, given, text)
   local list = constants(given)
   if #list > 1 then
      table.sort(list)
      for i = 2, #list do
         if list[i] == list[i - 1] then fail("%s: the break %g is there twice", text, list[i]) end
      end
      return list
   end
   local count = list[1]
   if math.type(count) ~= "integer" and count % 1 ~= 0 or count < 2 then
      fail("%s: the number of intervals must be a whole number from 2", text)
   end
   local low, high = x:min(), x:max()
   if low == high then fail("%s: all values are %g", text, low) end
   for i = 0, count do list[i + 1] = low + (high - low) * i / count end
   list[1], list[#list] = low - (high - low) / 1000, high + (high - low) / 1000
   return list
end

-- As few digits as tell all ends apart, from 3.
local function interval_labels(breaks, right)
   local texts
   for digits = 3, 12 do
      local seen, apart = {}, true
      texts = {}
      for i, at in ipairs(breaks) do
         texts[i] = at == math.huge and " Inf" or at == -math.huge and "-Inf" or ("%." .. digits .. "g"):format(at)
         apart = apart and not seen[texts[i]]
         seen[texts[i]] = true
      end
      if apart then break end
   end
   local labels = {}
   for i = 1, #breaks - 1 do
      labels[i] = (right and "(%s,%s]" or "[%s,%s)"):format(texts[i], texts[i + 1])
   end
   return labels
end

local function cut(asker, node)
   local given = M.arguments(node, "x", "breaks", "right")
   local text = written(node)
   if not given.breaks then fail("%s: cut needs breaks, as in cut(x, 3) or cut(x, c(0, 10, 20))", text) end
   local x = need_all(as_vector(asker, number_of(asker, given.x)), given.x)
   local right = M.flag(node, given.right, true)
   local kept = keep(asker, node, function()
      local breaks = breaks_of(x, given.breaks, text)
      return { breaks = breaks, labels = interval_labels(breaks, right) }
   end)
   local breaks, place = kept.breaks, core.Vector(#x)
   for i = 1, #breaks do place = place + (right and x:gt(breaks[i]) or x:ge(breaks[i])) end
   local outside = place:lt(1) + place:ge(#breaks)
   if outside:sum() > 0 then
      fail("%s: %g lies outside of %g to %g; the breaks may begin with -Inf and end with Inf", text,
         x[outside:argmax()], breaks[1], breaks[#breaks])
   end
   return core.Factor(kept.labels):take(place)
end

local labeled = {
   factor = function(asker, node)
      return as_factor(asker, M.arguments(node, "x", "levels").x)
   end,
   relevel = function(asker, node) return as_factor(asker, M.arguments(node, "x", "ref").x) end,
   C = function(asker, node)
      return as_factor(asker, M.arguments(node, "object", "contr", "base").object)
   end,
   cut = cut,
}
labeled["as.factor"], labeled.ordered = labeled.factor, labeled.factor

-- --- expressions ---

local function unknown_call(node)
   local known = method_of[node.call] ~= nil
   fail("there is no function %s of %s%s; there are %s", node.call, words.plural(#node.args, "argument"),
      known and "" or words.near(node.call, KNOWN), table.concat(KNOWN, ", "))
end

local function evaluate_call(asker, node)
   if labeled[node.call] then return labeled[node.call](asker, node) end
   if (node.call == "I" or node.call == "as.numeric") and #node.args == 1 then return number_of(asker, node.args[1]) end
   if node.call == "scale" then return scaled(asker, node) end
   if method_of[node.call] and (#node.args == 1 or #node.args == 2 and node.call == "log") then
      return call_of(asker, node)
   end
   unknown_call(node)
end

-- A Vector, a Factor or a number.
function evaluate(asker, node)
   if node.number then return node.number end
   if node.name then return named(asker, node.name) end
   if node.paren then return evaluate(asker, node.paren) end
   if node.sign == "!" then return 1 - truth_of(asker, node.of) end
   if node.sign then
      local value = number_of(asker, node.of)
      return node.sign == "-" and -value or value
   end
   if node.call then return evaluate_call(asker, node) end
   if formula.comparisons[node.op] then return compare(asker, node) end
   if node.op == "%in%" then return is_one_of(asker, node) end
   if node.op == "&" or node.op == "&&" then return truth_of(asker, node[1]):mul(truth_of(asker, node[2])) end
   if formula.logic[node.op] then return (truth_of(asker, node[1]) + truth_of(asker, node[2])):gt(0) end
   if arithmetic[node.op] then
      return arithmetic[node.op](number_of(asker, node[1]), number_of(asker, node[2]))
   end
   fail("%s is no arithmetic", written(node))
end

--- The numbers of an expression, a Vector with one for each row.
function M.numbers(asker, node)
   return as_vector(asker, number_of(asker, node))
end

--- The values of an expression: a Vector, or a Factor of labels or truths, with one for each row.
function M.values(asker, node)
   local value = as_vector(asker, evaluate(asker, node))
   return M.is_truth(node) and truths(value) or value
end

return M
