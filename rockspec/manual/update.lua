--- Writes what the programs of Markdown pages print now into the pages: lua5.4 rockspec/manual/update.lua *.md
--
-- Look at the difference before you commit it: what a page says around an output must still be true.

local documents = require "manual.documents"

local PLACE = "examples/guide/pictures/"

-- A picture that a page shows is a copy of what its program has saved under the same name in build/demo.
local function take_pictures(page)
   for name in page:gmatch "%f[%w][%w/]*pictures/([%w_-]+%.svg)%)" do
      local saved = io.open("build/demo/" .. name, "rb")
      if saved then
         local file = assert(io.open(PLACE .. name, "wb"))
         assert(file:write((saved:read "a")))
         assert(file:close())
         saved:close()
      end
   end
end

for _, path in ipairs(arg) do
   local page = documents.read(path)
   local updated = documents.updated(page, path)
   if updated ~= page then
      local file = assert(io.open(path, "wb"))
      assert(file:write(updated))
      assert(file:close())
      print("updated: " .. path)
   end
   take_pictures(page)
end
