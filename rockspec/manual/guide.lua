--- The guide: the Markdown pages in examples/guide, in the order of contents.txt.
-- @module manual.guide

local documents = require "manual.documents"
local html = require "manual.html"
local markdown = require "manual.markdown"

local M = { folder = "examples/guide" }

--- The names of the pages in reading order, each { name =, section = }.
function M.pages()
   local list, section = {}, nil
   for line in documents.read(M.folder .. "/contents.txt"):gmatch "[^\n]+" do
      local name = line:match "^%s+(%S+)$"
      if name then
         list[#list + 1] = { name = name, section = section }
      else
         section = line
      end
   end
   return list
end

--- Add the pages of the guide. Pictures are copied to `folder`, the output folder of the manual.
function M.add(site, folder)
   local target = "'" .. folder:gsub("'", "'\\''") .. "'"
   assert(os.execute(("cp -r %s/pictures %s"):format(M.folder, target)))
   for _, one in ipairs(M.pages()) do
      local page = markdown(documents.read(("%s/%s.md"):format(M.folder, one.name)))
      local entries, links = {}, {}
      for _, heading in ipairs(page.headings) do
         entries[#entries + 1] = { name = heading.text, anchor = heading.id, text = "Guide: " .. page.title,
            keywords = heading.code }
         if heading.level == 2 then
            links[#links + 1] = { href = "#" .. heading.id, name = heading.text }
         end
      end
      local toc = #links > 2 and html.toc(links) .. "\n" or ""
      site:add { file = one.name .. ".html", section = one.section, title = page.title, brief = page.brief,
         entries = entries, body = "<h1>" .. html.escape(page.title) .. "</h1>\n" .. toc .. page.body }
   end
end

return M
