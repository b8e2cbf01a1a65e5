--- Formulas as R reads them: "mpg ~ wt + factor(cyl) + wt:hp + poly(disp, 2)".
--
-- Left of ~ is what is predicted (it may be left out), right of it the terms: `a + b`, `a:b` (their products), `a * b`
-- (a + b + a:b), `a / b` (a + a:b), `(a + b)^2` (products of up to two), `- a` (without), `. ` (all other columns), `1`
-- and `- 1` or `0` (with and without a constant). A variable is the name of a column (in backticks where it is no
-- word), a call: factor(x), poly(x, degree), I(arithmetic), log(x) and the like, or a comparison: wt > 3, and what `&`,
-- `|` and `!` make of such. `a %in% b` is a:b, but in I(...) and before c(...) it asks whether a is one of some values.
-- offset(x) is no term: it is added as it is. Wilkinson & Rogers, Applied Statistics 22 (1973); Chambers & Hastie,
-- Statistical Models in S (1992), chapter 2.
-- @module manilius.formula

local M = {}

--- Raise an error about a formula.
function M.fail(what, ...)
   error(("formula: " .. what):format(...), 0)
end

local fail = M.fail

-- --- words ---

-- Letters of any alphabet: bytes from 0x80 on are parts of them.
local NAME = "[%a_.\x80-\xff][%w_.\x80-\xff]*"

local NUMBER, SIGN = "number", "sign"
local patterns = { { "^()" .. NAME .. "()", "name" }, { "^()%d+%.?%d*[eE][+-]?%d+()", NUMBER },
   { "^()%d*%.?%d+()", NUMBER }, { "^()%d+%.?()", NUMBER }, { "^()%%in%%()", SIGN }, { "^()%%%%()", SIGN },
   { "^()[<>=!]=()", SIGN }, { "^()&&()", SIGN }, { "^()||()", SIGN }, { "^()[-+*/^:~(),=<>!&|]()", SIGN } }

-- What stands between quotes, and the names of these.
local quotes = { ["`"] = { "name", "backtick" }, ["'"] = { "text", "quote" }, ['"'] = { "text", "quote" } }

local function words_of(text)
   local words, at = {}, text:match "^%s*()"
   while at <= #text do
      local word
      local quote = quotes[text:sub(at, at)]
      if quote then
         local close = text:find(text:sub(at, at), at + 1, true)
            or fail("the %s at character %d is not closed", quote[2], at)
         word = { kind = quote[1], text = text:sub(at + 1, close - 1), at = at }
         at = close + 1
      else
         for _, pattern in ipairs(patterns) do
            local from, to = text:match(pattern[1], at)
            if from then
               word = { kind = pattern[2], text = text:sub(from, to - 1), at = at }
               at = to
               break
            end
         end
      end
      if not word then fail("'%s' at character %d is not understood", text:sub(at, at), at) end
      words[#words + 1] = word
      at = text:match("^%s*()", at)
   end
   words[#words + 1] = { kind = "end", text = "its end", at = #text + 1 }
   return words
end

-- --- grammar: "or", "and", "not", comparisons, sums, products, %in%, interactions, powers, as in R ---

local parse_expression

local MAX_DEPTH = 100

local function take(p, text)
   if p.words[p.at].text ~= text or p.words[p.at].kind ~= "sign" then return false end
   p.at = p.at + 1
   return true
end

local function need(p, text)
   if not take(p, text) then
      fail("'%s' expected at character %d, got %s", text, p.words[p.at].at, p.words[p.at].text)
   end
end

local function parse_call(p, name)
   local call = { call = name.text, args = {} }
   if take(p, ")") then return call end
   repeat
      local arg = parse_expression(p)
      if arg.name and take(p, "=") then arg = { named = arg.name, value = parse_expression(p) } end
      call.args[#call.args + 1] = arg
   until not take(p, ",")
   need(p, ")")
   return call
end

local function parse_atom(p)
   local word = p.words[p.at]
   p.depth = p.depth + 1
   if p.depth > MAX_DEPTH then fail "expression is nested too deeply" end
   local node
   if take(p, "(") then
      node = { paren = parse_expression(p) }
      need(p, ")")
   elseif word.kind == "text" then
      p.at = p.at + 1
      node = { text = word.text }
   elseif word.kind == "number" then
      p.at = p.at + 1
      node = { number = tonumber(word.text) }
   elseif word.kind == "name" then
      p.at = p.at + 1
      node = take(p, "(") and parse_call(p, word) or { name = word.text }
   else
      fail("a term expected at character %d, got %s", word.at, word.kind == "end" and "its end" or word.text)
   end
   p.depth = p.depth - 1
   return node
end

-- One of these signs before what `inner` reads.
local function parse_signed(p, inner, ...)
   for _, sign in ipairs { ... } do
      if take(p, sign) then
         p.depth = p.depth + 1
         if p.depth > MAX_DEPTH then fail "expression is nested too deeply" end
         local of = inner(p)
         p.depth = p.depth - 1
         return { sign = sign, of = of }
      end
   end
end

-- x^2, which binds to the right; a sign before it is of the whole.
local function parse_power(p)
   local signed = parse_signed(p, parse_power, "-", "+")
   if signed then return signed end
   local base = parse_atom(p)
   if not take(p, "^") then return base end
   return { op = "^", base, parse_power(p) }
end

local function binary(inner, ...)
   local signs = { ... }
   return function(p)
      local node = inner(p)
      while true do
         local found
         for _, sign in ipairs(signs) do
            if not found and take(p, sign) then found = sign end
         end
         if not found then return node end
         node = { op = found, node, inner(p) }
      end
   end
end

local parse_interaction = binary(parse_power, ":")
local parse_within = binary(parse_interaction, "%in%", "%%")
local parse_product = binary(parse_within, "*", "/")
local parse_sum = binary(parse_product, "+", "-")
local parse_comparison = binary(parse_sum, "<=", ">=", "==", "!=", "<", ">")

local function parse_not(p)
   return parse_signed(p, parse_not, "!") or parse_comparison(p)
end

local parse_and = binary(parse_not, "&", "&&")
parse_expression = binary(parse_and, "|", "||")

local close = { ["^"] = true, [":"] = true, ["/"] = true, ["%%"] = true } -- signs without spaces about them

--- An expression as R would write it: "log(x)", "I(a + b^2)".
local function written(node)
   if node.text then return node.text:find '"' and "'" .. node.text .. "'" or '"' .. node.text .. '"' end
   if node.name then return node.name:find("^" .. NAME .. "$") and node.name or "`" .. node.name .. "`" end
   if node.number then return ("%.15g"):format(node.number) end
   if node.paren then return "(" .. written(node.paren) .. ")" end
   if node.sign then return node.sign .. written(node.of) end
   if node.named then return node.named .. " = " .. written(node.value) end
   if node.call then
      local args = {}
      for i, arg in ipairs(node.args) do args[i] = written(arg) end
      return ("%s(%s)"):format(node.call, table.concat(args, ", "))
   end
   local space = close[node.op] and "" or " "
   return written(node[1]) .. space .. node.op .. space .. written(node[2])
end

M.written = written

-- --- terms ---

-- A term is a list of variables, by what they look like; `key` does not depend on their order.
local function term_of(variables)
   local sorted = table.move(variables, 1, #variables, 1, {})
   table.sort(sorted)
   return { variables = variables, key = table.concat(sorted, "\0") }
end

-- Lists of terms know the keys of what they hold.
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

local function without(a, b)
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

-- Signs that make a truth for each row, which is a variable.
M.comparisons = { ["<"] = true, [">"] = true, ["<="] = true, [">="] = true, ["=="] = true, ["!="] = true }
M.logic = { ["&"] = true, ["&&"] = true, ["|"] = true, ["||"] = true }

local expand

-- All columns but those on the left.
local function all_columns(f)
   if not f.columns then fail "'.' stands for the columns of a Frame, which is known in fit only" end
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
         written(node[2]), written(node))
   end
   local base = expand(f, node[1])
   local out = base
   for _ = 2, degree do out = union(out, cross(out, base)) end
   return out
end

-- a / b: b within all that a has.
local function nested(a, b)
   local variables = { variables = {} }
   for _, term in ipairs(a) do variables = product(variables, term) end
   return union(a, cross({ variables }, b))
end

local rules = {
   ["+"] = function(f, node) return union(expand(f, node[1]), expand(f, node[2])) end,
   ["-"] = function(f, node) return without(expand(f, node[1]), expand(f, node[2])) end,
   [":"] = function(f, node) return cross(expand(f, node[1]), expand(f, node[2])) end,
   ["*"] = function(f, node)
      local a, b = expand(f, node[1]), expand(f, node[2])
      return union(union(a, b), cross(a, b))
   end,
   ["/"] = function(f, node) return nested(expand(f, node[1]), expand(f, node[2])) end,
   ["^"] = power_of,
}
rules["%in%"] = rules[":"]

function expand(f, node)
   local asks = node.op == "%in%" and (node[2].call == "c" or node[2].text)
   if rules[node.op] and not asks then return rules[node.op](f, node) end
   if node.paren then return expand(f, node.paren) end
   if node.sign and node.sign ~= "!" then
      return node.sign == "-" and without({}, expand(f, node.of)) or expand(f, node.of)
   end
   if node.number == 1 then return { constant = true } end
   if node.number == 0 then return { constant = false } end
   if node.number or node.text then fail("%s is not a term; use 1 for an intercept and 0 for none", written(node)) end
   if node.name == "." then return all_columns(f) end
   local text = written(node)
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

local function note_names(node, seen)
   if node.name then seen[node.name] = true end
   if node.named then note_names(node.value, seen) end
   for _, part in ipairs { node.paren or false, node.of or false, node[1] or false, node[2] or false } do
      if part then note_names(part, seen) end
   end
   for _, arg in ipairs(node.args or {}) do note_names(arg, seen) end
end

--- A formula's tree: { left = node or nil, right = node }.
function M.parse(text)
   if type(text) ~= "string" then fail("expected a string such as \"y ~ a + b\", got %s", type(text)) end
   local p = { words = words_of(text), at = 1, depth = 0 }
   local tree = {}
   if not take(p, "~") then
      tree.left = parse_expression(p)
      need(p, "~")
   end
   tree.right = parse_expression(p)
   local last = p.words[p.at]
   if last.kind ~= "end" then fail("'%s' at character %d is not understood", last.text, last.at) end
   return tree
end

--- Which of these columns stand on the right side of a formula: their places.
function M.on_the_right(text, columns)
   local tree, left, right, places = M.parse(text), {}, {}, {}
   if tree.left then note_names(tree.left, left) end
   note_names(tree.right, right)
   for j, name in ipairs(columns) do
      if right[name] or right["."] and not left[name] then places[#places + 1] = j end
   end
   return places
end

--- The terms of a formula for a Frame of these columns.
-- @treturn table { constant = bool, terms = list of lists of variables, those with fewer first, variables = nodes by
--    variable, offset = a text or nil }
function M.terms(tree, columns)
   local f = { columns = columns, variables = {}, place = {}, count = 0, on_the_left = {} }
   if tree.left then note_names(tree.left, f.on_the_left) end
   local found = expand(f, tree.right)
   local terms, order = {}, {}
   for i, term in ipairs(found) do order[i] = { #term.variables, i, term.variables } end
   table.sort(order, function(a, b)
      if a[1] ~= b[1] then return a[1] < b[1] end
      return a[2] < b[2]
   end)
   for i, entry in ipairs(order) do
      terms[i] = entry[3]
      table.sort(terms[i], function(a, b) return f.place[a] < f.place[b] end) -- by where they come first
   end
   return { constant = found.constant ~= false, terms = terms, variables = f.variables, offset = f.offset }
end

return M
