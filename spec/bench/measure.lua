--- Timing inside a process of its own: the least wall-clock time of the repetitions that fit into a budget, and the
--- memory that they took above what was there before.
local core = require "manilius.core"
local process = require "process"

local M = {}

--- Runs `run` at least once, then until `budget` seconds are spent. Gives its last result and the figures.
function M.repeated(run, budget, most)
   collectgarbage()
   collectgarbage()
   process.forget_peak()
   local held, busy, own = process.memory "VmRSS", process.busy(), os.clock()
   local begin, best, cpu, count, last = core.seconds(), math.huge, math.huge, 0, {}
   repeat
      last[1] = nil
      if count > 0 then collectgarbage() end
      local started, spent = core.seconds(), os.clock()
      last[1] = run()
      best, cpu = math.min(best, core.seconds() - started), math.min(cpu, os.clock() - spent)
      count = count + 1
   until core.seconds() - begin >= budget or count >= (most or 100)
   local elapsed, peak = core.seconds() - begin, process.memory "VmHWM"
   local figures = { seconds = best, cpu = cpu, runs = count }
   if held and peak then figures.peak = math.max(0, peak - held) end
   if busy then figures.others = math.max(0, (process.busy() - busy - (os.clock() - own)) / elapsed) end
   return last[1], figures
end

--- Seconds of one call in the middle of many: `batches` batches of `calls`.
function M.median_call(call, batches, calls)
   local times = {}
   for i = 1, batches do
      local begin = core.seconds()
      for _ = 1, calls do call() end
      times[i] = (core.seconds() - begin) / calls
   end
   table.sort(times)
   return times[(batches + 1) // 2]
end

function M.report(figures)
   local words = {}
   for key, value in pairs(figures) do
      if type(value) == "number" then value = ("%.17g"):format(value) end
      words[#words + 1] = key .. "=" .. tostring(value):gsub("%s", "_")
   end
   table.sort(words)
   print("BENCH " .. table.concat(words, " "))
end

return M
