--- Compiles and runs the C programs of spec/lua that embed Lua.
local M = {}

--- Run a shell command. Returns whether it succeeded, and its output.
function M.run(command)
   local pipe = assert(io.popen(command .. " 2>&1"))
   local text = pipe:read "a"
   return pipe:close(), text
end

--- Compile spec/lua/<name>.c with these flags and return the path of the program. LD_PRELOAD is cleared because the
-- compiler must not load the runtime of a sanitizer.
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

--- Write the text to a temporary file and return its path.
function M.file(text)
   local path = os.tmpname()
   local file = assert(io.open(path, "w"))
   file:write(text)
   file:close()
   return path
end

return M
