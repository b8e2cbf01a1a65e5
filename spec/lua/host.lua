--- Programs in C that embed Lua, for specs: compiled from spec/lua and run.
local M = {}

--- The output of a shell command, and whether it ended well.
function M.run(command)
   local pipe = assert(io.popen(command .. " 2>&1"))
   local text = pipe:read "a"
   return pipe:close(), text
end

--- Compile spec/lua/<name>.c with the flags given; the path of the program. The runtime of a sanitizer, which specs may
-- run under, must not go to the compiler.
function M.compile(name, flags)
   local program = os.tmpname()
   local ok, text = M.run(("LD_PRELOAD= cc -O1 -g -D_GNU_SOURCE %s -o %s spec/lua/%s.c %s"):format(
      os.getenv "MANILIUS_HOST_FLAGS" or "", program, name, flags))
   assert(ok, text)
   return program
end

--- Flags of a program that embeds Lua.
function M.lua_flags()
   for _, name in ipairs { "lua5.4", "lua-5.4", "lua54", "lua" } do
      local ok, flags = M.run("LD_PRELOAD= pkg-config --cflags --libs " .. name)
      if ok then return flags:gsub("%s+", " ") .. " -lpthread" end
   end
   error "there is no pkg-config file of Lua 5.4"
end

--- A file with this text, for a program to read; the path.
function M.file(text)
   local path = os.tmpname()
   local file = assert(io.open(path, "w"))
   file:write(text)
   file:close()
   return path
end

return M
