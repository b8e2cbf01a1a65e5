--- Writes what the programs of Markdown pages print now into the pages: lua5.4 lua/manilius/manual/update.lua *.md
--
-- Look at the difference before you commit it: what a page says around an output must still be true.

local documents = require "manilius.manual.documents"

for _, path in ipairs(arg) do
   local page = documents.read(path)
   local updated = documents.updated(page, path)
   if updated ~= page then
      local file = assert(io.open(path, "wb"))
      assert(file:write(updated))
      assert(file:close())
      print("updated: " .. path)
   end
end
