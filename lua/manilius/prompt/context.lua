--- The code before the cursor: tokens, open brackets, and the value of an expression that can be read without calling
-- anything.

local names = require "manilius.prompt.names"

local M = {}

M.keywords = { "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in", "local",
   "nil", "not", "or", "repeat", "return", "then", "true", "until", "while" }

local is_keyword = {}
for _, word in ipairs(M.keywords) do is_keyword[word] = true end

-- --- tokens ---

-- The position after a string in quotes that begins at `first`, or nil if it does not end.
local function end_of_quoted(code, first)
   local quote, at = code:sub(first, first), first + 1
   while at <= #code do
      local c = code:sub(at, at)
      if c == quote then return at + 1 end
      at = at + (c == "\\" and 2 or 1)
   end
end

-- The position after a long bracket that begins at `first`; nil if it does not end, false if there is none.
local function end_of_long(code, first)
   local level = code:match("^%[(=*)%[", first)
   if not level then return false end
   local _, last = code:find("]" .. level .. "]", first, true)
   return last and last + 1
end

-- The position after a comment that begins at `first`, or nil if it does not end.
local function end_of_comment(code, first)
   local stop = end_of_long(code, first + 2)
   if stop ~= false then return stop end
   local newline = code:find("\n", first, true)
   return newline and newline + 1
end

-- The kind of the token at a position, and the position after it (nil if it does not end).
local function token_at(code, at)
   local c = code:sub(at, at)
   if c:find "[%a_]" then return "name", code:match("^[%w_]+()", at) end
   if c:find "%d" then return "number", code:match("^[%w.]+()", at) end
   if c == '"' or c == "'" then return "string", end_of_quoted(code, at) end
   if code:find("^%-%-", at) then return "comment", end_of_comment(code, at) end
   local stop = end_of_long(code, at)
   if stop ~= false then return "string", stop end
   return "operator", code:match("^%.%.+()", at) or code:match("^[=~<>:/]=()", at) or code:match("^::()", at) or at + 1
end

--- The tokens of the code: a list of { kind =, text =, first = }. Kinds: name, number, string, operator. The last token
-- has `open = true` if it is a string or comment that does not end.
function M.tokens(code)
   local list, at = {}, code:match "^%s*()"
   while at <= #code do
      local kind, stop = token_at(code, at)
      if kind ~= "comment" or not stop then
         list[#list + 1] = { kind = kind, text = code:sub(at, (stop or #code + 1) - 1), first = at, open = not stop }
      end
      if not stop then break end
      at = code:match("^%s*()", stop)
   end
   return list
end

-- --- expressions ---

local opener = { [")"] = "(", ["]"] = "[", ["}"] = "{" }

local function is_operator(token, text)
   return token ~= nil and token.kind == "operator" and token.text == text
end

-- Does an expression end with this token?
local function ends_expression(token)
   if not token then return false end
   if token.kind == "name" then return not is_keyword[token.text] end
   return token.kind == "string" or token.kind == "operator" and opener[token.text] ~= nil
end

-- The index of the bracket that the one at index i closes, or nil.
local function find_opener(tokens, i)
   local depth = 0
   for j = i, 1, -1 do
      local token = tokens[j]
      if token.kind == "operator" then
         if opener[token.text] then depth = depth + 1 end
         if token.text == "(" or token.text == "[" or token.text == "{" then depth = depth - 1 end
         if depth == 0 then return j end
      end
   end
end

-- The index of the first token of the expression that ends with token i, or nil.
local function find_start(tokens, i)
   local token = tokens[i]
   if not ends_expression(token) then return nil end
   if token.kind == "name" then
      local before = tokens[i - 1]
      if is_operator(before, ".") or is_operator(before, ":") then return find_start(tokens, i - 2) end
      return i
   end
   if token.kind == "string" then return ends_expression(tokens[i - 1]) and find_start(tokens, i - 1) or i end
   local first = find_opener(tokens, i)
   return first and find_start(tokens, first - 1)
end

local function index(value, key) return value[key] end

local function member(what, key)
   if what.class or what.value == nil then return nil end
   local ok, value = pcall(index, what.value, key)
   return ok and value ~= nil and { value = value } or nil
end

-- The index of the last token of the arguments that begin at i, or nil.
local function end_of_arguments(tokens, i)
   if tokens[i].kind == "string" then return i end
   for j = i + 1, #tokens do
      if tokens[j].kind == "operator" and opener[tokens[j].text] and find_opener(tokens, j) == i then return j end
   end
end

local function constant(token)
   if token.kind == "number" then return tonumber(token.text) end
   return token.kind == "string" and token.text:match "^[\"'](.*)[\"']$" or nil
end

-- What follows an object: a field, a method call, an index or a call. Returns what it gives and the next index.
local function step(tokens, i, what)
   local token, class = tokens[i], nil
   if is_operator(token, ".") then return member(what, tokens[i + 1].text), i + 2 end
   if is_operator(token, "[") then
      local key = constant(tokens[i + 1])
      if not is_operator(tokens[i + 2], "]") then return nil end
      return key ~= nil and member(what, key) or nil, i + 3
   end
   if is_operator(token, ":") then
      class = names.class_of_method_result(what, tokens[i + 1].text)
      i = i + 2
   elseif not what.class then
      class = names.class_of_result(what.value)
   end
   local last = tokens[i] and end_of_arguments(tokens, i)
   return class and last and { class = class } or nil, last and last + 1
end

--- What the expression that ends with token i is: { value = v }, { class = name } if it is the result of a constructor
-- or method that has not been called, or nil.
function M.resolve(tokens, i, env)
   local at = find_start(tokens, i)
   if not at then return nil end
   local what
   if tokens[at].kind == "string" then
      what = { value = constant(tokens[at]) or "" }
   else
      what = member({ value = env }, tokens[at].text)
   end
   at = at + 1
   while what and at <= i do
      what, at = step(tokens, at, what)
   end
   return what
end

-- --- calls ---

--- The indices of the brackets that are open at the end, the outermost first.
function M.open_brackets(tokens)
   local open = {}
   for i, token in ipairs(tokens) do
      if token.kind == "operator" then
         if token.text == "(" or token.text == "[" or token.text == "{" then open[#open + 1] = i end
         if opener[token.text] then open[#open] = nil end
      end
   end
   return open
end

--- The function or method that is called with the bracket at index i, or with a table that begins there:
-- { value = function }, { object = what, method = name } or nil.
function M.owner(tokens, i, env)
   local before = tokens[i - 1]
   if is_operator(tokens[i], "{") and not ends_expression(before) then
      local outer = M.open_brackets(table.move(tokens, 1, i - 1, 1, {}))
      local call = outer[#outer]
      return call and is_operator(tokens[call], "(") and M.owner(tokens, call, env) or nil
   end
   if not ends_expression(before) then return nil end
   if before.kind == "name" and is_operator(tokens[i - 2], ":") then
      local object = M.resolve(tokens, i - 3, env)
      return object and { object = object, method = before.text }
   end
   return M.resolve(tokens, i - 1, env)
end

M.is_operator = is_operator

return M
