--- The row language, which describes what an estimator does with one row (src/model/program.h).
--
--    statement:   real NAME = expr          int NAME = expr
--                 reals NAME [ expr ]       ints NAME [ expr ]        zeros
--                 place = expr              place += -= *= /= expr
--                 for NAME [= expr] < expr { ... }                    step 1, from 0 by default
--                 while expr { ... }        if expr { ... } [else { ... }]
--                 NAME ( args )             return expr               refuse "text"
--    place:       NAME, NAME [ expr ]       indices begin at 0
--    expr:        a ? b : c,  or,  and,  == != < <= > >=,  + -,  * / %,  ! -,  numbers, places, calls, ( expr )
--    function:    function TYPE NAME ( TYPE NAME, ... ) { ... }       TYPE: none, real, int, reals, ints; output
--                                                                     arrays: result (reals), counts (ints)
--
-- Integers are written 1, reals 1.0; index(r) and half(i) return integers. Statements need no separators.

local M = {}

local function tokens_of(code)
   local list, at = {}, 1
   while true do
      at = code:find("%S", at)
      if not at then return list end
      local kind, text
      for _, try in ipairs { { "word", "^[%a_][%w_]*" }, { "real", "^%d+%.%d*[eE][+-]?%d+" }, { "real", "^%d+%.%d*" },
         { "real", "^%d+[eE][+-]?%d+" }, { "int", "^%d+" }, { "text", '^"[^"]*"' }, { "sign", "^[<>=!+%-*/]=" },
         { "sign", "^." } } do
         text = code:match(try[2], at)
         if text then
            kind = try[1]
            break
         end
      end
      list[#list + 1] = { kind = kind, text = text }
      at = at + #text
   end
end

local Parser = {}
Parser.__index = Parser

function Parser:peek(text)
   local token = self.list[self.at]
   return token ~= nil and token.text == text and token.kind ~= "text"
end

function Parser:next()
   local token = self.list[self.at] or error("row language: unexpected end of code", 0)
   self.at = self.at + 1
   return token
end

function Parser:accept(text)
   if not self:peek(text) then return false end
   self.at = self.at + 1
   return true
end

function Parser:need(text)
   if self:accept(text) then return end
   local got = self.list[self.at]
   error(("row language: '%s' expected, got '%s' (token %d)"):format(text, got and got.text or "the end", self.at), 0)
end

function Parser:word()
   local token = self:next()
   if token.kind ~= "word" then error(("row language: a name expected, got '%s'"):format(token.text), 0) end
   return token.text
end

function Parser:args()
   local args = {}
   self:need "("
   if self:accept ")" then return args end
   repeat args[#args + 1] = self:expr() until not self:accept ","
   self:need ")"
   return args
end

function Parser:primary()
   if self:accept "(" then
      local inner = self:expr()
      self:need ")"
      return inner
   end
   if self:accept "-" then return { op = "minus", self:primary() } end
   if self:accept "!" then return { op = "not", self:primary() } end
   local token = self:next()
   if token.kind == "real" or token.kind == "int" then return { op = token.kind, text = token.text } end
   if token.kind ~= "word" then error(("row language: unexpected '%s'"):format(token.text), 0) end
   if self:peek "(" then return { op = "call", name = token.text, args = self:args() } end
   if not self:accept "[" then return { op = "name", name = token.text } end
   local place = { op = "at", name = token.text, self:expr() }
   self:need "]"
   return place
end

local levels = { { "or" }, { "and" }, { "==", "!=", "<", "<=", ">", ">=" }, { "+", "-" }, { "*", "/", "%" } }

function Parser:binary(level)
   if not levels[level] then return self:primary() end
   local left = self:binary(level + 1)
   while true do
      local sign
      for _, one in ipairs(levels[level]) do
         if self:accept(one) then sign = one end
      end
      if not sign then return left end
      left = { op = "binary", sign = sign, left, self:binary(level + 1) }
   end
end

function Parser:expr()
   local condition = self:binary(1)
   if not self:accept "?" then return condition end
   local yes = self:expr()
   self:need ":"
   return { op = "choose", condition, yes, self:expr() }
end

function Parser:block()
   local list = {}
   self:need "{"
   while not self:accept "}" do list[#list + 1] = self:statement() end
   return list
end

local readers = {}

local function declaration(kind)
   return function(self)
      local name = self:word()
      self:need "="
      return { op = "declare", kind = kind, name = name, self:expr() }
   end
end

local function array(kind)
   return function(self)
      local name = self:word()
      self:need "["
      local size = self:expr()
      self:need "]"
      return { op = "array", kind = kind, name = name, size }
   end
end

readers.real, readers.int = declaration "real", declaration "int"
readers.reals, readers.ints = array "real", array "int"

readers["for"] = function(self)
   local name, from = self:word(), { op = "int", text = "0" }
   if self:accept "=" then from = self:binary(4) end -- without comparisons
   self:need "<"
   local to = self:binary(4)
   return { op = "for", name = name, from, to, body = self:block() }
end

readers["while"] = function(self)
   local condition = self:expr()
   return { op = "while", condition, body = self:block() }
end

readers["if"] = function(self)
   local condition = self:expr()
   local body = self:block()
   return { op = "if", condition, body = body, otherwise = self:accept "else" and self:block() or nil }
end

readers["return"] = function(self) return { op = "return", self:expr() } end
readers.refuse = function(self) return { op = "refuse", text = self:next().text:sub(2, -2) } end

function Parser:statement()
   local place = self:primary()
   local reader = place.op == "name" and readers[place.name]
   if reader then return reader(self) end
   if place.op == "call" then return { op = "do", place } end
   if self:accept "=" then return { op = "set", place, self:expr() } end
   for _, sign in ipairs { "+", "-", "*", "/" } do
      if self:accept(sign .. "=") then
         return { op = "set", place, { op = "binary", sign = sign, place, self:expr() } }
      end
   end
   error(("row language: a statement expected at '%s' (token %d)"):format(place.name or place.op, self.at), 0)
end

local function parser_of(code)
   return setmetatable({ list = tokens_of(code), at = 1 }, Parser)
end

--- Statements as a list of nodes { op = ... }.
function M.parse(code)
   local parser, list = parser_of(code), {}
   while parser.list[parser.at] do list[#list + 1] = parser:statement() end
   return list
end

--- Functions by name: { name, gives = type, parameters = { { type, name } }, body }.
function M.parse_functions(code)
   local parser, functions = parser_of(code), {}
   while parser.list[parser.at] do
      parser:need "function"
      local made = { gives = parser:word(), name = parser:word(), parameters = {} }
      parser:need "("
      repeat
         local kind = parser:word()
         table.insert(made.parameters, { kind = kind, name = parser:word() })
      until not parser:accept ","
      parser:need ")"
      made.body = parser:block()
      functions[made.name] = made
   end
   return functions
end

--- Call visit(node) for every node of a list of statements.
function M.walk(node, visit)
   if node.op then visit(node) end
   for _, one in ipairs(node) do M.walk(one, visit) end
   for _, part in ipairs { "body", "otherwise", "args" } do
      if node[part] then M.walk(node[part], visit) end
   end
end

return M
