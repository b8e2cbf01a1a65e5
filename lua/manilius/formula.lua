--- Formulas as R reads them: "mpg ~ wt + factor(cyl) + wt:hp + poly(disp, 2)".
--
-- The target is on the left of ~ and may be omitted; the terms are on the right:
--
--    a + b         both terms
--    a:b, a %in% b products of their columns
--    a * b         a + b + a:b
--    a / b         a + a:b
--    (a + b)^2     products of up to two terms
--    - a           without the term a
--    .             all other columns of the Frame
--    1;  0 or - 1  with and without an intercept
--    offset(x)     added to the predictor with coefficient 1
--
-- A variable is the name of a column (in backticks if it is not an identifier), a call such as factor(x),
-- poly(x, degree), I(arithmetic) or log(x), or a condition of comparisons, `&`, `|` and `!`. Inside I(...) and before
-- c(...), `%in%` tests whether a value is one of a list.
--
-- Wilkinson & Rogers, Applied Statistics 22 (1973); Chambers & Hastie, Statistical Models in S (1992), chapter 2.

local M = {}

--- Raise an error about a formula.
function M.fail(what, ...)
   error(("formula: " .. what):format(...), 0)
end

local fail = M.fail

-- --- tokens ---

-- Bytes >= 0x80 are parts of UTF-8 letters.
local NAME = "[%a_.\x80-\xff][%w_.\x80-\xff]*"

local NUMBER, SIGN = "number", "sign"
local patterns = { { "^()" .. NAME .. "()", "name" }, { "^()%d+%.?%d*[eE][+-]?%d+()", NUMBER },
   { "^()%d*%.?%d+()", NUMBER }, { "^()%d+%.?()", NUMBER }, { "^()%%in%%()", SIGN }, { "^()%%%%()", SIGN },
   { "^()[<>=!]=()", SIGN }, { "^()&&()", SIGN }, { "^()||()", SIGN }, { "^()[-+*/^:~(),=<>!&|]()", SIGN } }

-- Quotation marks: the kind of token, and the name for messages.
local quotes = { ["`"] = { "name", "backtick" }, ["'"] = { "text", "quote" }, ['"'] = { "text", "quote" } }

-- A name or text in quotation marks, and the position after it.
local function read_quoted(text, at)
   local mark = text:sub(at, at)
   local kind, name = table.unpack(quotes[mark])
   local close = text:find(mark, at + 1, true) or fail("the %s at character %d is not closed", name, at)
   return { kind = kind, text = text:sub(at + 1, close - 1), at = at }, close + 1
end

-- The token at a position, and the position after it.
local function read_token(text, at)
   if quotes[text:sub(at, at)] then return read_quoted(text, at) end
   for _, pattern in ipairs(patterns) do
      local from, to = text:match(pattern[1], at)
      if from then return { kind = pattern[2], text = text:sub(from, to - 1), at = at }, to end
   end
   fail("unexpected '%s' at character %d", text:sub(at, at), at)
end

local function tokenize(text)
   local tokens, at = {}, text:match "^%s*()"
   while at <= #text do
      tokens[#tokens + 1], at = read_token(text, at)
      at = text:match("^%s*()", at)
   end
   tokens[#tokens + 1] = { kind = "end", text = "end of formula", at = #text + 1 }
   return tokens
end

-- --- grammar ---

-- Precedence as in R, from lowest: |, &, !, comparisons, + -, * /, %in%, :, ^.

local parse_expression

local MAX_DEPTH = 100

local function accept(p, text)
   if p.tokens[p.at].text ~= text or p.tokens[p.at].kind ~= "sign" then return false end
   p.at = p.at + 1
   return true
end

local function expect(p, text)
   if not accept(p, text) then
      fail("expected '%s' at character %d, got %s", text, p.tokens[p.at].at, p.tokens[p.at].text)
   end
end

local function parse_call(p, name)
   local call = { call = name.text, args = {} }
   if accept(p, ")") then return call end
   repeat
      local arg = parse_expression(p)
      if arg.name and accept(p, "=") then arg = { named = arg.name, value = parse_expression(p) } end
      call.args[#call.args + 1] = arg
   until not accept(p, ",")
   expect(p, ")")
   return call
end

local function parse_atom(p)
   local token = p.tokens[p.at]
   p.depth = p.depth + 1
   if p.depth > MAX_DEPTH then fail "expression is nested too deeply" end
   local node
   if accept(p, "(") then
      node = { paren = parse_expression(p) }
      expect(p, ")")
   elseif token.kind == "text" then
      p.at = p.at + 1
      node = { text = token.text }
   elseif token.kind == "number" then
      p.at = p.at + 1
      node = { number = tonumber(token.text) }
   elseif token.kind == "name" then
      p.at = p.at + 1
      node = accept(p, "(") and parse_call(p, token) or { name = token.text }
   else
      fail("expected a term at character %d, got %s", token.at, token.text)
   end
   p.depth = p.depth - 1
   return node
end

-- One of these prefix operators and its operand; nil if there is none.
local function parse_signed(p, inner, ...)
   for _, sign in ipairs { ... } do
      if accept(p, sign) then
         p.depth = p.depth + 1
         if p.depth > MAX_DEPTH then fail "expression is nested too deeply" end
         local of = inner(p)
         p.depth = p.depth - 1
         return { sign = sign, of = of }
      end
   end
end

-- x^2: right-associative; binds more tightly than a sign before it.
local function parse_power(p)
   local signed = parse_signed(p, parse_power, "-", "+")
   if signed then return signed end
   local base = parse_atom(p)
   if not accept(p, "^") then return base end
   return { op = "^", base, parse_power(p) }
end

local function binary_operator(inner, ...)
   local signs = { ... }
   return function(p)
      local node = inner(p)
      while true do
         local found
         for _, sign in ipairs(signs) do
            if not found and accept(p, sign) then found = sign end
         end
         if not found then return node end
         node = { op = found, node, inner(p) }
      end
   end
end

local parse_interaction = binary_operator(parse_power, ":")
local parse_in = binary_operator(parse_interaction, "%in%", "%%")
local parse_product = binary_operator(parse_in, "*", "/")
local parse_sum = binary_operator(parse_product, "+", "-")
local parse_comparison = binary_operator(parse_sum, "<=", ">=", "==", "!=", "<", ">")

local function parse_not(p)
   return parse_signed(p, parse_not, "!") or parse_comparison(p)
end

local parse_and = binary_operator(parse_not, "&", "&&")
parse_expression = binary_operator(parse_and, "|", "||")

local tight_operators = { ["^"] = true, [":"] = true, ["/"] = true, ["%%"] = true } -- no spaces

--- An expression as R prints it: "log(x)", "I(a + b^2)".
local function to_text(node)
   if node.text then return node.text:find '"' and "'" .. node.text .. "'" or '"' .. node.text .. '"' end
   if node.name then return node.name:find("^" .. NAME .. "$") and node.name or "`" .. node.name .. "`" end
   if node.number then return ("%.15g"):format(node.number) end
   if node.paren then return "(" .. to_text(node.paren) .. ")" end
   if node.sign then return node.sign .. to_text(node.of) end
   if node.named then return node.named .. " = " .. to_text(node.value) end
   if node.call then
      local args = {}
      for i, arg in ipairs(node.args) do args[i] = to_text(arg) end
      return ("%s(%s)"):format(node.call, table.concat(args, ", "))
   end
   local space = tight_operators[node.op] and "" or " "
   return to_text(node[1]) .. space .. node.op .. space .. to_text(node[2])
end

M.to_text = to_text

-- --- terms ---

-- A term is a list of variables, given by their texts; `key` does not depend on their order.
local function term_of(variables)
   local sorted = table.move(variables, 1, #variables, 1, {})
   table.sort(sorted)
   return { variables = variables, key = table.concat(sorted, "\0") }
end

-- Append a term unless the list has it; `has` is the set of keys.
local function add(list, term)
   list.has = list.has or {}
   if list.has[term.key] then return end
   list[#list + 1], list.has[term.key] = term, true
   if #list > 5000 then fail "more than 5000 terms" end
end

local function union(a, b)
   local out = { constant = a.constant }
   if b.constant ~= nil then out.constant = b.constant end
   for _, list in ipairs { a, b } do
      for _, term in ipairs(list) do add(out, term) end
   end
   return out
end

local function difference(a, b)
   local out, dropped = { constant = a.constant }, {}
   if b.constant ~= nil then out.constant = not b.constant end
   for _, term in ipairs(b) do dropped[term.key] = true end
   for _, term in ipairs(a) do
      if not dropped[term.key] then add(out, term) end
   end
   return out
end

local function product(s, t)
   local variables, seen = {}, {}
   for _, term in ipairs { s, t } do
      for _, variable in ipairs(term.variables) do
         if not seen[variable] then variables[#variables + 1] = variable end
         seen[variable] = true
      end
   end
   return term_of(variables)
end

local function cross(a, b)
   local out = {}
   for _, s in ipairs(a) do
      for _, t in ipairs(b) do add(out, product(s, t)) end
   end
   return out
end

-- Operators whose result is a boolean for each row.
M.comparisons = { ["<"] = true, [">"] = true, ["<="] = true, [">="] = true, ["=="] = true, ["!="] = true }
M.logic = { ["&"] = true, ["&&"] = true, ["|"] = true, ["||"] = true }

local expand

-- All columns except those on the left.
local function all_columns(f)
   if not f.columns then fail "'.' stands for the columns of a Frame and can only be used in fit" end
   local out = {}
   for _, name in ipairs(f.columns) do
      if not f.on_the_left[name] then out = union(out, expand(f, { name = name })) end
   end
   return out
end

local function power_of(f, node)
   local degree = node[2].number
   if not degree or degree < 1 or degree % 1 ~= 0 or degree > 20 then
      fail("the power of (...)^n must be a whole number from 1 to 20, got %s; for powers of numbers write I(%s)",
         to_text(node[2]), to_text(node))
   end
   local base = expand(f, node[1])
   local out = base
   for _ = 2, degree do out = union(out, cross(out, base)) end
   return out
end

-- a / b: a, and b within all variables of a.
local function nest(a, b)
   local variables = { variables = {} }
   for _, term in ipairs(a) do variables = product(variables, term) end
   return union(a, cross({ variables }, b))
end

local rules = {
   ["+"] = function(f, node) return union(expand(f, node[1]), expand(f, node[2])) end,
   ["-"] = function(f, node) return difference(expand(f, node[1]), expand(f, node[2])) end,
   [":"] = function(f, node) return cross(expand(f, node[1]), expand(f, node[2])) end,
   ["*"] = function(f, node)
      local a, b = expand(f, node[1]), expand(f, node[2])
      return union(union(a, b), cross(a, b))
   end,
   ["/"] = function(f, node) return nest(expand(f, node[1]), expand(f, node[2])) end,
   ["^"] = power_of,
}
rules["%in%"] = rules[":"]

function expand(f, node)
   local is_membership_test = node.op == "%in%" and (node[2].call == "c" or node[2].text)
   if rules[node.op] and not is_membership_test then return rules[node.op](f, node) end
   if node.paren then return expand(f, node.paren) end
   if node.sign and node.sign ~= "!" then
      return node.sign == "-" and difference({}, expand(f, node.of)) or expand(f, node.of)
   end
   if node.number == 1 then return { constant = true } end
   if node.number == 0 then return { constant = false } end
   if node.number or node.text then fail("%s is not a term; use 1 for an intercept and 0 for none", to_text(node)) end
   if node.name == "." then return all_columns(f) end
   local text = to_text(node)
   if node.call == "offset" then
      if f.offset and f.offset ~= text then
         fail("only one offset is allowed, got %s and %s; add them in one offset", f.offset, text)
      end
      f.offset = text
      return {}
   end
   if not f.variables[text] then
      f.count = f.count + 1
      f.variables[text], f.place[text] = node, f.count
   end
   return { term_of { text } }
end

local function collect_names(node, seen)
   if node.name then seen[node.name] = true end
   if node.named then collect_names(node.value, seen) end
   for _, part in ipairs { node.paren or false, node.of or false, node[1] or false, node[2] or false } do
      if part then collect_names(part, seen) end
   end
   for _, arg in ipairs(node.args or {}) do collect_names(arg, seen) end
end

--- A formula's tree: { left = node or nil, right = node }.
function M.parse(text)
   if type(text) ~= "string" then fail("expected a string such as \"y ~ a + b\", got %s", type(text)) end
   local p = { tokens = tokenize(text), at = 1, depth = 0 }
   local tree = {}
   if not accept(p, "~") then
      tree.left = parse_expression(p)
      expect(p, "~")
   end
   tree.right = parse_expression(p)
   local last = p.tokens[p.at]
   if last.kind ~= "end" then fail("unexpected '%s' at character %d", last.text, last.at) end
   return tree
end

--- The indices of the columns that occur on the right side of a formula.
function M.on_the_right(text, columns)
   local tree, left, right, places = M.parse(text), {}, {}, {}
   if tree.left then collect_names(tree.left, left) end
   collect_names(tree.right, right)
   for j, name in ipairs(columns) do
      if right[name] or right["."] and not left[name] then places[#places + 1] = j end
   end
   return places
end

--- The terms of a formula for a Frame of these columns.
-- Returns { constant = has it an intercept, terms = list of lists of variables, short ones first, variables = nodes by
-- text, offset = text or nil }.
function M.terms(tree, columns)
   local f = { columns = columns, variables = {}, place = {}, count = 0, on_the_left = {} }
   if tree.left then collect_names(tree.left, f.on_the_left) end
   local found = expand(f, tree.right)
   local terms, order = {}, {}
   for i, term in ipairs(found) do order[i] = { #term.variables, i, term.variables } end
   table.sort(order, function(a, b)
      if a[1] ~= b[1] then return a[1] < b[1] end
      return a[2] < b[2]
   end)
   for i, entry in ipairs(order) do
      terms[i] = entry[3]
      table.sort(terms[i], function(a, b) return f.place[a] < f.place[b] end) -- in order of first occurrence
   end
   return { constant = found.constant ~= false, terms = terms, variables = f.variables, offset = f.offset }
end

return M
