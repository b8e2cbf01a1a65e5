--- Lua as coloured HTML: keywords, texts, numbers, comments and names that are called.
-- @module manilius.manual.highlight

local escape = require "manilius.manual.html".escape

local keywords = {}
for word in ("and break do else elseif end false for function goto if in local nil not or repeat return then true "
   .. "until while"):gmatch "%a+" do keywords[word] = true end

local function colour(class, text)
   return ('<span class="%s">%s</span>'):format(class, escape(text))
end

local function long_bracket(source, at)
   local level = source:match("^%[(=*)%[", at)
   if not level then return nil end
   local _, last = source:find("]" .. level .. "]", at, true)
   return source:sub(at, last or #source)
end

local function comment(source, at)
   if source:sub(at, at + 1) ~= "--" then return nil end
   local long = long_bracket(source, at + 2)
   return long and "--" .. long or source:match("^[^\n]*", at)
end

local function quoted(source, at)
   local quote = source:match("^[\"']", at)
   if not quote then return long_bracket(source, at) end
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

-- A name is called when a bracket, a brace or a text follows.
local function word(source, at)
   local name = source:match("^[%a_][%w_]*", at)
   if not name then return nil end
   if keywords[name] then return name, colour("k", name) end
   local is_called = source:match("^%s?[({\"']", at + #name)
   return name, is_called and colour("f", name) or escape(name)
end

--- HTML of a piece of Lua.
-- @tparam string source
-- @treturn string
return function(source)
   local out, at = {}, 1
   while at <= #source do
      local token, html
      token = comment(source, at)
      if token then html = colour("c", token) end
      if not token then
         token = quoted(source, at)
         if token then html = colour("s", token) end
      end
      if not token then
         token = number(source, at)
         if token then html = colour("n", token) end
      end
      if not token then token, html = word(source, at) end
      if not token then
         token = source:sub(at, at)
         html = escape(token)
      end
      out[#out + 1] = html
      at = at + #token
   end
   return table.concat(out)
end
