--- HTML elements of the manual as strings. Attributes are in double quotes.
-- @module manual.html

local element = require "manilius.report.html"

local M = {}

--- Escape a text for HTML, except apostrophes.
function M.escape(text)
   return (element.escape(text):gsub("&#39;", "'"))
end

local escape = M.escape

--- Escape a text; `text` in backquotes becomes code.
function M.text(text)
   return (escape(text):gsub("`([^`]+)`", "<code>%1</code>"))
end

function M.code(text)
   return "<code>" .. escape(text) .. "</code>"
end

function M.link(href, text)
   return ('<a href="%s">%s</a>'):format(escape(href), text)
end

--- An id for the anchor of a heading.
function M.slug(text)
   return (text:gsub("<[^>]*>", ""):gsub("&%a+;", ""):lower():gsub("[^%w_]+", "-"):gsub("^%-+", ""):gsub("%-+$", ""))
end

--- A heading that can be linked to.
function M.heading(level, id, html)
   return ('<h%d id="%s">%s<a class="anchor" href="#%s" aria-label="link to this section">#</a></h%d>'):format(level,
      escape(id), html, escape(id), level)
end

local function program(source, language)
   local code = require "manual.highlight"(source:match "^(.-)%s*$", language)
   return ('<pre><code class="language-%s">%s</code></pre>'):format(language, code)
end

--- A Lua program with syntax highlighting.
function M.lua(source)
   return program(source, "lua")
end

--- A C program with syntax highlighting.
function M.c(source)
   return program(source, "c")
end

--- The output of a program; "" when it printed nothing.
function M.output(text)
   text = text:gsub("%s+$", "")
   if text == "" then return "" end
   local drawn = text:find("│", 1, true) -- a text plot: no space between lines
   return ('<pre class="output%s"><code>'):format(drawn and " drawn" or "") .. escape(text) .. "</code></pre>"
end

--- A table that scrolls horizontally on narrow pages. `head` and the cells are HTML.
function M.table(head, rows, class)
   local function line(cells, cell_element)
      local list = {}
      for i, cell in ipairs(cells) do list[i] = cell_element(element.raw(cell)) end
      return { element.tr(list), "\n" }
   end
   local body = { "\n" }
   for i, cells in ipairs(rows) do body[i + 1] = line(cells, element.td) end
   return tostring(element.div { class = "scroll", element.table { class = class, "\n",
      head and { element.thead { "\n", line(head, element.th) }, "\n" } or false, element.tbody(body) } })
end

-- Are the names short enough to be set in a column next to their texts?
local function is_short(list)
   for _, item in ipairs(list) do
      if item.type or #item.name > 18 then return false end
   end
   return true
end

--- A list of definitions: items of { id =, name =, type = HTML or nil, text = HTML }.
function M.items(list)
   if #list == 0 then return "" end
   local out = { ('<dl class="items%s">'):format(is_short(list) and " short" or "") }
   for _, item in ipairs(list) do
      local id = item.id and (' id="%s"'):format(escape(item.id)) or ""
      local kind = item.type and (' <span class="type">%s</span>'):format(item.type) or ""
      out[#out + 1] = ("<dt%s>%s%s</dt>\n<dd>%s</dd>"):format(id, M.code(item.name), kind, item.text)
   end
   out[#out + 1] = "</dl>"
   return table.concat(out, "\n")
end

--- A list of links with a description each: items of { href =, name =, text =, id = or nil }.
function M.list(items)
   local out = { '<ul class="list">' }
   for _, item in ipairs(items) do
      local id = item.id and (' id="%s"'):format(escape(item.id)) or ""
      out[#out + 1] = ("<li%s>%s %s</li>"):format(id, M.link(item.href, escape(item.name)), M.text(item.text))
   end
   out[#out + 1] = "</ul>"
   return table.concat(out, "\n")
end

--- A table of contents in columns: items of { href =, name = }.
function M.toc(items)
   local out = { '<ul class="toc">' }
   for _, item in ipairs(items) do out[#out + 1] = "<li>" .. M.link(item.href, escape(item.name)) .. "</li>" end
   out[#out + 1] = "</ul>"
   return table.concat(out, "\n")
end

return M
