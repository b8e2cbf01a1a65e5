--- Updates the outputs of programs in Markdown pages: lua5.4 rockspec/manual/update.lua *.md
--
-- Check the diff before committing: the text around an output must still agree with it.

local documents = require "manual.documents"

local PICTURES = "examples/guide/pictures/"

-- Copy the pictures that a page shows from build/demo, where its programs saved them.
local function copy_pictures(page)
   for name in page:gmatch "%f[%w][%w/]*pictures/([%w_-]+%.svg)%)" do
      local saved = io.open("build/demo/" .. name, "rb")
      if saved then
         local file = assert(io.open(PICTURES .. name, "wb"))
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
   copy_pictures(page)
end
