--- Writes the Lua part of manilius as a C table, for libraries that carry it inside (embedded.h).
--
--    lua5.4 rockspec/embed.lua OUTPUT.c lua/manilius/init.lua lua/manilius/frame.lua ...

local out = assert(io.open(assert(arg[1], "embed.lua: the C file to write is missing"), "w"))

--- "lua/manilius/plot/theme.lua" -> "manilius.plot.theme", "@manilius/plot/theme.lua"
local function names_of(path)
   local inside = assert(path:match "^lua/(.+)%.lua$", path .. ": not a file below lua/")
   return (inside:gsub("/init$", ""):gsub("/", ".")), "@" .. inside .. ".lua"
end

local function bytes_of(path)
   local file = assert(io.open(path, "rb"))
   local text = file:read "a"
   file:close()
   return text
end

local function write_array(name, text)
   out:write("static const unsigned char ", name, "[] = {")
   for i = 1, #text do
      if i % 24 == 1 then out:write "\n  " end
      out:write(text:byte(i), ",")
   end
   out:write "\n};\n"
end

local rows = {}
out:write "/* Made by rockspec/embed.lua from the files under lua/. */\n#include \"embedded.h\"\n\n"
for i = 2, #arg do
   local text, array = bytes_of(arg[i]), "source_" .. (i - 1)
   local name, chunk = names_of(arg[i])
   write_array(array, text)
   rows[#rows + 1] = ('  { "%s", "%s", %s, %d },\n'):format(name, chunk, array, #text)
end
out:write("\nconst mn_lua_source mn_lua_sources[] = {\n", table.concat(rows), "};\n")
out:write("const size_t mn_lua_source_count = ", #rows, ";\n")
out:close()
