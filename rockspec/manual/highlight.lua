--- Syntax highlighting of Lua and C as HTML: keywords, strings, numbers, comments and called names.
-- @module manual.highlight

local escape = require "manual.html".escape

local keywords = { lua = {}, c = {} }
for word in ("and break do else elseif end false for function goto if in local nil not or repeat return then true "
   .. "until while"):gmatch "%a+" do keywords.lua[word] = true end
for word in ("break case char const continue default do double else enum float for if int long return short signed "
   .. "sizeof static struct switch typedef union unsigned void volatile while"):gmatch "%a+" do
   keywords.c[word] = true
end

local function color(class, text)
   return ('<span class="%s">%s</span>'):format(class, escape(text))
end

local function long_bracket(source, at)
   local level = source:match("^%[(=*)%[", at)
   if not level then return nil end
   local _, last = source:find("]" .. level .. "]", at, true)
   return source:sub(at, last or #source)
end

local function comment(source, at, language)
   if language == "c" then return source:match("^/%*.-%*/", at) or source:match("^//[^\n]*", at) end
   if source:sub(at, at + 1) ~= "--" then return nil end
   local long = long_bracket(source, at + 2)
   return long and "--" .. long or source:match("^[^\n]*", at)
end

local function quoted(source, at, language)
   local quote = source:match("^[\"']", at)
   if not quote then return language == "lua" and long_bracket(source, at) or nil end
   local last = at + 1
   while last <= #source and source:sub(last, last) ~= quote do
      last = last + (source:sub(last, last) == "\\" and 2 or 1)
   end
   return source:sub(at, last)
end

local function number(source, at)
   return source:match("^0[xX][%x.]+", at) or source:match("^%d[%d.]*[eE][+-]?%d+", at)
      or source:match("^%d[%d.]*", at) or source:match("^%.%d+", at)
end

-- A keyword or a name. A name is a call if an opening parenthesis, a brace or a string follows.
local function word(source, at, language)
   local name = source:match("^[%a_][%w_]*", at)
   if not name then return nil end
   if keywords[language][name] then return name, color("k", name) end
   local is_called = source:match(language == "c" and "^%(" or "^%s?[({\"']", at + #name)
   return name, is_called and color("f", name) or escape(name)
end

local kinds = { { "c", comment }, { "s", quoted }, { "n", number } }

-- The token at a position, and its HTML.
local function token_at(source, at, language)
   for _, kind in ipairs(kinds) do
      local token = kind[2](source, at, language)
      if token then return token, color(kind[1], token) end
   end
   local name, html = word(source, at, language)
   if name then return name, html end
   return source:sub(at, at), escape(source:sub(at, at))
end

--- Highlight source code.
-- @tparam string source
-- @tparam[opt] string language "lua" (default) or "c"
-- @treturn string
return function(source, language)
   local out, at = {}, 1
   while at <= #source do
      local token, html = token_at(source, at, language or "lua")
      out[#out + 1] = html
      at = at + #token
   end
   return table.concat(out)
end
