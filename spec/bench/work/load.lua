local core = require "manilius.core"
local process = require "process"

local lua = arg and arg[-1] or "lua5.4"

-- The time of a whole process and its peak of memory, the least of many.
local function start(code)
   local show = [[ for line in io.lines '/proc/self/status' do if line:find 'VmHWM' then print(line) end end]]
   local quick, memory = math.huge, nil
   for _ = 1, 40 do
      local begin = core.seconds()
      os.execute(lua .. " -e " .. process.quote(code))
      quick = math.min(quick, core.seconds() - begin)
   end
   if process.memory "VmHWM" then
      local pipe = assert(io.popen(lua .. " -e " .. process.quote(code .. show)))
      memory = tonumber(pipe:read("a"):match "(%d+) kB")
      pipe:close()
   end
   return quick, memory and memory / 1024
end

return {
   title = "require \"manilius\", above lua -e ''", rows = 1, bar_seconds = 0.005, bar_peak = 2,
   columns = { "lua_ms", "lua_MB" },
   peers = {
      { "import numpy", "load.py", "numpy" }, { "import sklearn.linear_model", "load.py", "sklearn" },
      { "import polars", "load.py", "polars" },
   },
   make = function() end,
   ours = function() end,
   measure = function()
      local empty, empty_memory = start ""
      local full, full_memory = start "require 'manilius'"
      local figures = { seconds = full - empty, runs = 40, lua_ms = empty * 1e3, lua_MB = empty_memory }
      if full_memory then figures.peak = full_memory - empty_memory end
      return figures, figures
   end,
   quality = function() end,
}
