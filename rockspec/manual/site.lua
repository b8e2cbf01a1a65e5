--- A set of pages with navigation, breadcrumbs, links to the previous and next page, and a search index.
--
-- A page is { file =, title =, section =, brief =, body = HTML, entries = list of { name, anchor, text, keywords },
-- parent = page or nil, wide = true for full width }. Entries are found by the search, and code such as `ml.Name` links
-- to them. Pages with a parent are in the navigation of the parent and of its other pages only.
-- @module manual.site

local html = require "manual.html"
local script = require "manual.script"
local search_index = require "manual.search_index"
local style = require "manual.style"

local M = {}
local Site = {}
Site.__index = Site

--- An empty manual with the given sections, in this order.
function M.new(sections)
   return setmetatable({ sections = sections, pages = {} }, Site)
end

function Site:add(page)
   for _, other in ipairs(self.pages) do
      assert(other.file:lower() ~= page.file:lower(), "two pages in the file " .. page.file)
   end
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

--- The pages of a section that have no parent.
function Site:top(section)
   local list = {}
   for _, page in ipairs(self:of(section)) do
      if not page.parent then list[#list + 1] = page end
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

-- A list of links to pages. Below the page `here`, or its parent, is the list of the pages with that parent.
local function page_list(self, pages, here)
   local out = { "<ul>" }
   for _, page in ipairs(pages) do
      local children = {}
      if page == here or page == here.parent then
         for _, one in ipairs(self:of(page.section)) do
            if one.parent == page then children[#children + 1] = one end
         end
      end
      out[#out + 1] = ("<li%s>%s%s</li>"):format(page == here and ' class="here"' or "",
         html.link(page.file, html.escape(page.title)), #children > 0 and page_list(self, children, here) or "")
   end
   out[#out + 1] = "</ul>"
   return table.concat(out, "\n")
end

local function navigation(self, here)
   local out = {}
   for _, section in ipairs(self.sections) do
      out[#out + 1] = "<h2>" .. html.escape(section) .. "</h2>"
      out[#out + 1] = page_list(self, self:top(section), here)
   end
   return table.concat(out, "\n")
end

local function breadcrumbs(page)
   if not page.section then return "" end
   local parent = page.parent and html.link(page.parent.file, html.escape(page.parent.title)) .. " › " or ""
   return ('<p class="crumbs">%s › %s › %s%s</p>'):format(html.link("index.html", "manilius"),
      html.escape(page.section), parent, html.escape(page.title))
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
   return table.concat({
      head:format(html.escape(title), html.escape((page.brief:gsub("`", "")))),
      '<details class="menu"><summary>Contents</summary><nav aria-label="Contents">', nav, "</nav></details>",
      ('<div class="frame%s"><nav class="side"'):format(page.wide and " wide" or "")
         .. ' aria-label="Contents">', nav, "</nav>",
      "<main>", breadcrumbs(page), self:linked(page), previous_and_next(before, after), "</main></div>", foot,
   }, "\n")
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
   write(folder .. "/entries.js", search_index(list))
end

return M
