--- Pieces of HTML that all pages of the manual are made of.
-- @module manual.html

local M = {}

local entities = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;" }

function M.escape(text)
   return (tostring(text):gsub("[&<>\"]", entities))
end

local escape = M.escape

--- Text of ours, which may hold `code` in backquotes.
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

--- Lua in colors.
function M.lua(source)
   return program(source, "lua")
end

--- C in colors.
function M.c(source)
   return program(source, "c")
end

--- What a program printed; nothing when that is nothing.
function M.output(text)
   text = text:gsub("%s+$", "")
   if text == "" then return "" end
   local drawn = text:find("│", 1, true) -- a plot, whose lines must touch
   return ('<pre class="output%s"><code>'):format(drawn and " drawn" or "") .. escape(text) .. "</code></pre>"
end

--- A table that scrolls by itself where the page is narrow. `head` and the cells are HTML.
function M.table(head, rows, class)
   local out = { '<div class="scroll"><table' .. (class and ' class="' .. class .. '"' or "") .. ">" }
   local function line(cells, tag)
      local parts = {}
      for i, cell in ipairs(cells) do parts[i] = ("<%s>%s</%s>"):format(tag, cell, tag) end
      out[#out + 1] = "<tr>" .. table.concat(parts) .. "</tr>"
   end
   if head then
      out[#out + 1] = "<thead>"
      line(head, "th")
      out[#out + 1] = "</thead>"
   end
   out[#out + 1] = "<tbody>"
   for _, cells in ipairs(rows) do line(cells, "td") end
   out[#out + 1] = "</tbody></table></div>"
   return table.concat(out, "\n")
end

-- Names that leave room for their texts beside them.
local function is_short(list)
   for _, item in ipairs(list) do
      if item.type or #item.name > 18 then return false end
   end
   return true
end

--- Named things with their types and what they mean: items of { id =, name =, type = HTML or nil, text = HTML }.
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

--- Links with a line about each: items of { href =, name =, text = }.
function M.list(items)
   local out = { '<ul class="list">' }
   for _, item in ipairs(items) do
      out[#out + 1] = ("<li>%s %s</li>"):format(M.link(item.href, escape(item.name)), M.text(item.text))
   end
   out[#out + 1] = "</ul>"
   return table.concat(out, "\n")
end

--- Short links in columns: items of { href =, name = }.
function M.toc(items)
   local out = { '<ul class="toc">' }
   for _, item in ipairs(items) do out[#out + 1] = "<li>" .. M.link(item.href, escape(item.name)) .. "</li>" end
   out[#out + 1] = "</ul>"
   return table.concat(out, "\n")
end

return M
