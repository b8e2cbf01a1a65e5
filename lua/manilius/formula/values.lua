--- Evaluation of the expressions of a formula on the rows of a Frame: numbers, labels, and conditions as 0 and 1.
--
-- Calls that depend on all rows (scale, cut) are learned in fit and applied unchanged to other rows. `calls` maps the
-- text of such a call to what was learned, tables of strings and numbers that an archive can store.

local core = require "manilius.core"
local formula = require "manilius.formula"
local frames = require "manilius.frame"
local rows = require "manilius.rows"
local text_utils = require "manilius.text"

local M = {}

local fail, to_text = formula.fail, formula.to_text

local FUNCTIONS = { "log", "log2", "log10", "log1p", "exp", "expm1", "sqrt", "abs", "sin", "cos", "tan", "asin", "acos",
   "atan", "sinh", "cosh", "tanh", "floor", "ceiling", "round" }
local KNOWN = { "factor", "ordered", "cut", "relevel", "C", "poly", "bs", "ns", "scale", "as.numeric", "I", "offset",
   table.unpack(FUNCTIONS) }

-- The method of a Vector for each function; ceiling is R's name for ceil.
local method_of = { ceil = "ceil" }
for _, name in ipairs(FUNCTIONS) do method_of[name] = name end
method_of.ceiling = "ceil"

local CONSTANTS = { TRUE = 1, T = 1, FALSE = 0, F = 0, pi = math.pi, Inf = math.huge }

local evaluate

--- The context of an evaluation: a Frame, and what fit learned about calls (nil before).
-- learning: true to store what is learned from these rows
function M.context(frame, calls, learning)
   return { frame = frame, calls = calls or {}, learning = learning }
end

-- What fit learned about a call.
local function learned_call(context, node, learn)
   local key = to_text(node)
   local known = context.calls[key]
   if known ~= nil then return known end
   local found = learn()
   if context.learning then context.calls[key] = found end
   return found
end

-- A column takes precedence over a constant of R with the same name.
local function column_or_constant(context, name)
   local index = frames.index_of(context.frame, name)
   if index then return context.frame.columns[index] end
   if CONSTANTS[name] then return CONSTANTS[name] end
   fail("there is no column '%s'%s", name, frames.hint(name, context.frame.names))
end

local function as_vector(context, value)
   if type(value) == "number" then return core.Vector(context.frame.rows) + value end
   return value
end

-- Raise an error if a Vector or Factor has missing values; returns it otherwise.
local function need_complete(values, node)
   local missing = rows.kind(values) == "Factor" and values:ismissing() or values:isnan()
   if missing:sum() > 0 then fail("%s has missing values; impute or drop them first", to_text(node)) end
   return values
end

local function is_boolean_factor(factor)
   return type(factor.levels[1]) == "boolean"
end

local function evaluate_number(context, node)
   local value = evaluate(context, node)
   if rows.kind(value) ~= "Factor" then return value end
   if not is_boolean_factor(value) then fail("%s holds labels, which have no arithmetic", to_text(node)) end
   return need_complete(value, node):eq(true)
end

-- --- constants ---

--- The value of a constant: a number, a string or a boolean; nil if the expression is not constant.
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
   fail("expected constants such as c(1, 2), got %s", to_text(node))
end

--- The arguments of a call as nodes by name. Unnamed arguments get the names in the given order.
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
         fail("%s: invalid arguments; the arguments of %s are %s", to_text(node), node.call, table.concat(order, ", "))
      end
      found[name] = arg.named and arg.value or arg
   end
   if not found[order[1]] then fail("%s: %s needs an argument", to_text(node), node.call) end
   return found
end

--- An argument that is TRUE or FALSE; `default` or FALSE if it is not given.
function M.flag(node, arg, default)
   if arg == nil then return default or false end
   local value = constant(arg)
   if type(value) == "boolean" then return value end
   fail("%s: expected TRUE or FALSE, got %s", to_text(node), to_text(arg))
end

M.constant, M.constants, M.need_complete = constant, constants, need_complete

-- --- comparisons and logic ---

local COMPARE = { ["<"] = "lt", [">"] = "gt", ["<="] = "le", [">="] = "ge", ["=="] = "eq", ["!="] = "ne" }
local REVERSED = { ["<"] = ">", [">"] = "<", ["<="] = ">=", [">="] = "<=", ["=="] = "==", ["!="] = "!=" }

--- Does an expression give a boolean for each row?
function M.is_condition(node)
   if node.paren then return M.is_condition(node.paren) end
   if node.call == "I" and #node.args == 1 then return M.is_condition(node.args[1]) end
   return (node.sign == "!" or formula.comparisons[node.op] or formula.logic[node.op] or node.op == "%in%") and true
      or false
end

-- 1 for rows with a label. In fit a label that no row has is an error.
local function has_label(context, factor, label, node)
   local known = false
   local texts = {}
   for i, level in ipairs(factor.levels) do
      known = known or level == label
      texts[i] = tostring(level)
   end
   if not known and context.learning then
      fail("%s has no level '%s'%s", to_text(node), tostring(label), text_utils.hint(tostring(label), texts))
   end
   return known and factor:eq(label) or core.Vector(context.frame.rows)
end

-- Compare a Factor with a constant, which is TRUE or FALSE for a Factor of booleans.
local function compare_factor(context, op, factor, node, other)
   local label = constant(other)
   if op ~= "==" and op ~= "!=" then fail("%s holds labels, which have no order; use == or !=", to_text(node)) end
   if label == nil then fail("%s holds labels, which can only be compared with constants", to_text(node)) end
   local same = has_label(context, need_complete(factor, node), label, node)
   return op == "==" and same or 1 - same
end

local function evaluate_comparison(context, node)
   local op, left, right = node.op, node[1], node[2]
   if left.text then op, left, right = REVERSED[op], right, left end
   local a = evaluate(context, left)
   if rows.kind(a) == "Factor" then return compare_factor(context, op, a, left, right) end
   if right.text then fail("%s holds numbers, which are not compared with text", to_text(left)) end
   local b = evaluate(context, right)
   if rows.kind(b) == "Factor" then return compare_factor(context, REVERSED[op], b, right, left) end
   a, b = need_complete(as_vector(context, a), left), need_complete(as_vector(context, b), right)
   return a[COMPARE[op]](a, b)
end

local function evaluate_membership(context, node)
   local value, out = evaluate(context, node[1]), core.Vector(context.frame.rows)
   if rows.kind(value) ~= "Factor" then value = as_vector(context, value) end
   need_complete(value, node[1])
   for _, one in ipairs(constants(node[2])) do
      if type(one) == "string" and rows.kind(value) ~= "Factor" then
         fail("%s holds numbers, which are not compared with text", to_text(node[1]))
      end
      local same = rows.kind(value) == "Factor" and has_label(context, value, one, node[1])
         or value:eq(type(one) == "boolean" and (one and 1 or 0) or one)
      out = (out + same):gt(0)
   end
   return out
end

-- 1 where an expression is true, else 0; numbers other than 0 are true.
local function evaluate_condition(context, node)
   local value = need_complete(as_vector(context, evaluate_number(context, node)), node)
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
local function evaluate_math(context, node)
   local value = as_vector(context, evaluate_number(context, node.args[1]))
   value = value[method_of[node.call]](value)
   local base = node.args[2]
   if not base then return value end
   if base.named == "base" then base = base.value end
   if not base.number then fail("%s: base must be a number", to_text(node)) end
   return value / math.log(base.number)
end

-- The root mean square with divisor n - 1, as in R's scale; of the deviations from the mean if x is centered.
local function root_mean_square(x, center)
   local from = center and x - x:mean() or x
   return math.sqrt(from:dot(from) / math.max(#x - 1, 1))
end

-- An argument of scale: TRUE (learned by fit), FALSE, or a number.
local function scale_setting(node, arg)
   if arg == nil then return true end
   local value = constant(arg)
   if type(value) == "boolean" or type(value) == "number" then return value end
   fail("%s: expected TRUE, FALSE or a number, got %s", to_text(node), to_text(arg))
end

local function evaluate_scale(context, node)
   local given = M.arguments(node, "x", "center", "scale")
   local x = need_complete(as_vector(context, evaluate_number(context, given.x)), given.x)
   local learned = learned_call(context, node, function()
      local center, scale = scale_setting(node, given.center), scale_setting(node, given.scale)
      local mean = center == true and x:mean() or center or 0
      local sd = scale == true and root_mean_square(x - (center == true and 0 or mean), center == true) or scale or 1
      if not (sd > 0 or sd < 0) then fail("%s: the scale of %s is 0", to_text(node), to_text(given.x)) end
      return { mean, sd }
   end)
   return (x - learned[1]) / learned[2]
end

-- --- labels ---

local function boolean_factor(values)
   return core.Factor { false, true }:take(values + 1)
end

-- Numbers as labels; whole numbers become integers.
local function as_factor(context, node)
   local value = evaluate(context, node)
   if rows.kind(value) == "Factor" then return value end
   value = as_vector(context, value)
   if M.is_condition(node) then return boolean_factor(value) end
   local whole = core.metrics.whole_labels(value)
   return rows.kind(whole) == "Factor" and whole or core.Factor(value)
end

-- The breaks of cut: those given, or those of equal-width intervals over the rows of fit, as in R.
local function find_breaks(x, given, text)
   local list = constants(given)
   if #list > 1 then
      table.sort(list)
      for i = 2, #list do
         if list[i] == list[i - 1] then fail("%s: breaks must be distinct, got %g twice", text, list[i]) end
      end
      return list
   end
   local count = list[1]
   if math.type(count) ~= "integer" and count % 1 ~= 0 or count < 2 then
      fail("%s: the number of intervals must be a whole number >= 2", text)
   end
   local low, high = x:min(), x:max()
   if low == high then fail("%s: values must not all be equal, got only %g", text, low) end
   for i = 0, count do list[i + 1] = low + (high - low) * i / count end
   list[1], list[#list] = low - (high - low) / 1000, high + (high - low) / 1000
   return list
end

-- Labels with the fewest digits, at least 3, that make all breaks distinct.
local function interval_labels(breaks, right)
   local texts
   for digits = 3, 12 do
      local seen, distinct = {}, true
      texts = {}
      for i, at in ipairs(breaks) do
         texts[i] = at == math.huge and " Inf" or at == -math.huge and "-Inf" or ("%." .. digits .. "g"):format(at)
         distinct = distinct and not seen[texts[i]]
         seen[texts[i]] = true
      end
      if distinct then break end
   end
   local labels = {}
   for i = 1, #breaks - 1 do
      labels[i] = (right and "(%s,%s]" or "[%s,%s)"):format(texts[i], texts[i + 1])
   end
   return labels
end

local function evaluate_cut(context, node)
   local given = M.arguments(node, "x", "breaks", "right")
   local text = to_text(node)
   if not given.breaks then fail("%s: breaks must be given, as in cut(x, 3) or cut(x, c(0, 10, 20))", text) end
   local x = need_complete(as_vector(context, evaluate_number(context, given.x)), given.x)
   local right = M.flag(node, given.right, true)
   local learned = learned_call(context, node, function()
      local breaks = find_breaks(x, given.breaks, text)
      return { breaks = breaks, labels = interval_labels(breaks, right) }
   end)
   local breaks, interval = learned.breaks, core.Vector(#x)
   for i = 1, #breaks do interval = interval + (right and x:gt(breaks[i]) or x:ge(breaks[i])) end
   local outside = interval:lt(1) + interval:ge(#breaks)
   if outside:sum() > 0 then
      fail("%s: %g is outside the breaks %g to %g; the first may be -Inf and the last Inf", text,
         x[outside:argmax()], breaks[1], breaks[#breaks])
   end
   return core.Factor(learned.labels):take(interval)
end

local factor_calls = {
   factor = function(context, node)
      return as_factor(context, M.arguments(node, "x", "levels").x)
   end,
   relevel = function(context, node) return as_factor(context, M.arguments(node, "x", "ref").x) end,
   C = function(context, node)
      return as_factor(context, M.arguments(node, "object", "contr", "base").object)
   end,
   cut = evaluate_cut,
}
factor_calls["as.factor"], factor_calls.ordered = factor_calls.factor, factor_calls.factor

-- --- expressions ---

local function raise_unknown_call(node)
   local known = method_of[node.call] ~= nil
   fail("there is no function %s of %s%s; there are %s", node.call, text_utils.plural(#node.args, "argument"),
      known and "" or text_utils.near(node.call, KNOWN), table.concat(KNOWN, ", "))
end

local function evaluate_call(context, node)
   if factor_calls[node.call] then return factor_calls[node.call](context, node) end
   local is_number = node.call == "I" or node.call == "as.numeric"
   if is_number and #node.args == 1 then return evaluate_number(context, node.args[1]) end
   if node.call == "scale" then return evaluate_scale(context, node) end
   if method_of[node.call] and (#node.args == 1 or #node.args == 2 and node.call == "log") then
      return evaluate_math(context, node)
   end
   raise_unknown_call(node)
end

-- A Vector, a Factor or a number.
function evaluate(context, node)
   if node.number then return node.number end
   if node.name then return column_or_constant(context, node.name) end
   if node.paren then return evaluate(context, node.paren) end
   if node.sign == "!" then return 1 - evaluate_condition(context, node.of) end
   if node.sign then
      local value = evaluate_number(context, node.of)
      return node.sign == "-" and -value or value
   end
   if node.call then return evaluate_call(context, node) end
   if formula.comparisons[node.op] then return evaluate_comparison(context, node) end
   if node.op == "%in%" then return evaluate_membership(context, node) end
   if formula.logic[node.op] then
      local a, b = evaluate_condition(context, node[1]), evaluate_condition(context, node[2])
      return (node.op == "&" or node.op == "&&") and a:mul(b) or (a + b):gt(0)
   end
   if arithmetic[node.op] then
      return arithmetic[node.op](evaluate_number(context, node[1]), evaluate_number(context, node[2]))
   end
   fail("%s is not an arithmetic expression", to_text(node))
end

--- The numbers of an expression, a Vector with one for each row.
function M.numbers(context, node)
   return as_vector(context, evaluate_number(context, node))
end

--- The values of an expression: a Vector, or a Factor of labels or booleans, with one for each row.
function M.values(context, node)
   local value = as_vector(context, evaluate(context, node))
   return M.is_condition(node) and boolean_factor(value) or value
end

return M
