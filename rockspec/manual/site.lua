--- A set of pages with navigation, breadcrumbs, links to the previous and next page, and a search index.
--
-- A page is { file =, title =, section =, brief =, body = HTML, entries = list of { name, anchor, text }, wide = true
-- for full width }. Entries are found by the search, and code such as `ml.Name` links to them.
-- @module manual.site

local html = require "manual.html"
local script = require "manual.script"
local style = require "manual.style"

local M = {}
local Site = {}
Site.__index = Site

--- An empty manual with the given sections, in this order.
function M.new(sections)
   return setmetatable({ sections = sections, pages = {} }, Site)
end

function Site:add(page)
   page.entries = page.entries or {}
   self.pages[#self.pages + 1] = page
   return page
end

--- The pages of a section, in the order they were added.
function Site:of(section)
   local list = {}
   for _, page in ipairs(self.pages) do
      if page.section == section then list[#list + 1] = page end
   end
   return list
end

--- All pages in reading order.
function Site:in_order()
   local list = self:of(nil)
   for _, section in ipairs(self.sections) do
      local pages = self:of(section)
      table.move(pages, 1, #pages, #list + 1, list)
   end
   return list
end

--- The link to the entry of a name: "ml.Ridge" -> "linear.html#Ridge"; nil if there is none.
function Site:find(name)
   if not self.links_by_name then
      self.links_by_name = {}
      for _, page in ipairs(self.pages) do
         for _, entry in ipairs(page.entries) do
            self.links_by_name[entry.name] = self.links_by_name[entry.name] or page.file .. "#" .. entry.anchor
         end
      end
   end
   return self.links_by_name[name]
end

-- The page of an example, or nil.
local function page_of(self, path)
   for _, page in ipairs(self.pages) do
      if page.path == path then return page end
   end
end

--- The body of a page, with links added to code that begins with the name of an entry or is the path of an example.
function Site:linked(here)
   local body = here.body:gsub("<code>(examples/[%w_/]+%.%a+)</code>", function(path)
      local page = page_of(self, path)
      return page and page ~= here and html.link(page.file, html.code(path))
   end)
   return (body:gsub("<code>(ml%.[%w_.]+)([^<]*)</code>", function(name, rest)
      local link = self:find(name)
      return link and html.link(link, "<code>" .. name .. rest .. "</code>")
   end))
end

local function navigation(self, here)
   local out = {}
   for _, section in ipairs(self.sections) do
      out[#out + 1] = "<h2>" .. html.escape(section) .. "</h2>\n<ul>"
      for _, page in ipairs(self:of(section)) do
         out[#out + 1] = ("<li%s>%s</li>"):format(page == here and ' class="here"' or "",
            html.link(page.file, html.escape(page.title)))
      end
      out[#out + 1] = "</ul>"
   end
   return table.concat(out, "\n")
end

local function previous_and_next(before, after)
   if not before and not after then return "" end
   local function one(page, label)
      return page and html.link(page.file, "<small>" .. label .. "</small>" .. html.escape(page.title)) or ""
   end
   return '<nav class="turn">' .. one(before, "previous") .. one(after, "next") .. "</nav>"
end

local head = [[
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<title>%s</title>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="color-scheme" content="light dark"/>
<meta name="description" content="%s"/>
<link rel="stylesheet" href="style.css"/>
</head>
<body>
<header class="top"><a class="home" href="index.html">manilius</a>
<div class="search"><input id="manual-search" type="search" placeholder="Search  ( / )" aria-label="Search the manual"
autocomplete="off"/><ol id="manual-found"></ol></div></header>
]]

local foot = [[
<script src="entries.js"></script>
<script src="search.js"></script>
</body>
</html>
]]

local function render(self, page, before, after)
   local title = page.section and page.title .. " – manilius" or "manilius: machine learning for Lua"
   local nav = navigation(self, page)
   local crumbs = page.section and ('<p class="crumbs">%s › %s › %s</p>'):format(html.link("index.html", "manilius"),
      html.escape(page.section), html.escape(page.title)) or ""
   return table.concat({
      head:format(html.escape(title), html.escape((page.brief:gsub("`", "")))),
      '<details class="menu"><summary>Contents</summary><nav aria-label="Contents">', nav, "</nav></details>",
      ('<div class="frame%s"><nav class="side"'):format(page.wide and " wide" or "")
         .. ' aria-label="Contents">', nav, "</nav>",
      "<main>", crumbs, self:linked(page), previous_and_next(before, after), "</main></div>", foot,
   }, "\n")
end

local function json(text)
   return '"' .. text:gsub('[%c"\\<]', function(c) return ("\\u%04x"):format(c:byte()) end) .. '"'
end

-- "ml.PCA" -> its synonyms, for the search.
local function synonyms_by_name()
   local words = {}
   for phrase, list in pairs(require "manilius.help.synonyms") do
      for _, name in ipairs(list) do
         words["ml." .. name] = words["ml." .. name] or {}
         table.insert(words["ml." .. name], phrase)
      end
   end
   for name, list in pairs(words) do
      table.sort(list)
      words[name] = table.concat(list, " ")
   end
   return words
end

-- One line of the search index: name, link, text and synonyms.
local function index_line(name, link, text, synonyms)
   return ("[%s,%s,%s,%s],"):format(json(name), json(link), json((text:gsub("`", ""))), json(synonyms or ""))
end

local function entries(self)
   local out, synonyms = { "window.manual_entries = [" }, synonyms_by_name()
   for _, page in ipairs(self:in_order()) do
      out[#out + 1] = index_line(page.title, page.file, page.brief)
      for _, entry in ipairs(page.entries) do
         out[#out + 1] = index_line(entry.name, page.file .. "#" .. entry.anchor, entry.text, synonyms[entry.name])
      end
   end
   out[#out + 1] = "];\n"
   return table.concat(out, "\n")
end

local function write(path, text)
   local file = assert(io.open(path, "wb"))
   assert(file:write(text))
   assert(file:close())
end

--- Write all pages to an existing folder.
function Site:write(folder)
   local list = self:in_order()
   for i, page in ipairs(list) do
      write(folder .. "/" .. page.file, render(self, page, list[i - 1], list[i + 1]))
   end
   write(folder .. "/style.css", style)
   write(folder .. "/search.js", script)
   write(folder .. "/entries.js", entries(self))
end

return M
