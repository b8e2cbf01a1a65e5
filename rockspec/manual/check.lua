--- Checks of the manual: tags are closed, anchors are unique, links have targets, no external resources are loaded.
-- @module manual.check

local documents = require "manual.documents"

local M = {}

local void = { meta = true, link = true, input = true, img = true, br = true, hr = true }

-- Check that tags are properly nested and closed.
local function check_tags(text, complain)
   local open = {}
   for slash, name, rest in text:gmatch "<(/?)(%a[%w]*)([^>]*)>" do
      if slash == "/" then
         local last = table.remove(open)
         if last ~= name then complain(("</%s> closes <%s>"):format(name, tostring(last))) end
      elseif not void[name] and rest:sub(-1) ~= "/" then
         open[#open + 1] = name
      end
   end
   if #open > 0 then complain(("<%s> is never closed"):format(open[#open])) end
end

-- The set of anchors of a page; complains about duplicates.
local function read_anchors(text, complain)
   local ids = {}
   for id in text:gmatch '%sid="([^"]*)"' do
      if ids[id] then complain(("duplicate anchor '%s'"):format(id)) end
      ids[id] = true
   end
   return ids
end

local function exists(path)
   local file = io.open(path, "rb")
   if file then file:close() end
   return file ~= nil
end

local function files(folder)
   local pipe, list = assert(io.popen("ls '" .. folder:gsub("'", "'\\''") .. "'")), {}
   for name in pipe:lines() do
      if name:find "%.html$" then list[#list + 1] = name end
   end
   pipe:close()
   return list
end

local function check_links(folder, pages, name, complain)
   local text = pages[name].text
   for attribute, target in text:gmatch '(%a+)="([^"]*)"' do
      local is_link = attribute == "href" or attribute == "src"
      if is_link and target:find "^%a+:" then
         if attribute == "src" then complain("loads the external resource " .. target) end
      elseif is_link then
         local file, anchor = target:match "^([^#]*)#?(.*)$"
         local page = file == "" and pages[name] or pages[file]
         if not page and not exists(folder .. "/" .. file) then
            complain("broken link: " .. target)
         elseif anchor ~= "" and not (page and page.ids[anchor]) then
            complain("no such anchor: " .. target)
         end
      end
   end
end

--- The problems of the pages in a folder (a list of messages), and the number of pages.
function M.problems(folder)
   local problems, pages, list = {}, {}, files(folder)
   local function complain_of(name)
      return function(text) problems[#problems + 1] = name .. ": " .. text end
   end
   for _, name in ipairs(list) do
      local text = documents.read(folder .. "/" .. name)
      assert(utf8.len(text), name .. ": not UTF-8")
      pages[name] = { text = text, ids = read_anchors(text, complain_of(name)) }
      check_tags(text, complain_of(name))
   end
   for _, name in ipairs(list) do check_links(folder, pages, name, complain_of(name)) end
   for href in documents.read(folder .. "/entries.js"):gmatch ',"([%w_-]+%.html#[^"]*)",' do
      local file, anchor = href:match "^([^#]*)#(.*)$"
      local found = pages[file] and pages[file].ids[anchor]
      if not found then problems[#problems + 1] = "search: broken link: " .. href end
   end
   return problems, #list
end

return M
