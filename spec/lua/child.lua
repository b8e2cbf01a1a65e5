--- Runs Lua code in a process of its own, in a new folder, since it may crash or write files.

local folder = io.popen "pwd":read "l"
local lua = arg and arg[-1] and arg[-1]:find "lua" and arg[-1] or os.getenv "LUA" or "lua5.4"

local function absolute(path)
   local parts = {}
   for part in path:gmatch "[^;]+" do parts[#parts + 1] = part:find "^[/;]" and part or folder .. "/" .. part end
   return table.concat(parts, ";")
end

--- What the code printed; raises with it when the process did not end well. Of standard error only the end is kept.
return function(code)
   local place = os.tmpname()
   os.remove(place)
   assert(os.execute("mkdir " .. place))
   local script = assert(io.open(place .. "/script.lua", "w"))
   script:write(code)
   script:close()
   local command = ("cd %s && LUA_PATH='%s' LUA_CPATH='%s' timeout 300 %s script.lua 2>errors; ")
      :format(place, absolute("./?.lua;" .. package.path), absolute(package.cpath), lua)
      .. "code=$?; tail -n 5 errors; exit $code"
   local pipe = assert(io.popen(command))
   local text = pipe:read "a"
   local ok, how, status = pipe:close()
   os.execute("rm -r " .. place)
   assert(ok, ("%s %s: %s"):format(how, status, text))
   return text
end
