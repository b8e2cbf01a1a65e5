--- Failing requests for memory, one after the other, and what must hold then.
--
--    MANILIUS_EXHAUSTIVE=1    every request, each looked at by itself (make check-faults), rather than ever fewer
--    MANILIUS_COUNT=1         print at the end how many were tried
local core = require "manilius.core"
local tools = require "manilius.check.tools"

local need = tools.need
local memory = core.memory
local M = { exhaustive = os.getenv "MANILIUS_EXHAUSTIVE" ~= nil, points = 0 }

if os.getenv "MANILIUS_COUNT" then
   M.on_exit = setmetatable({}, { __gc = function()
      io.stderr:write(("%d requests for memory were made to fail\n"):format(M.points))
   end })
end

function M.live()
   collectgarbage()
   return memory.live()
end

-- All of the first hundred, then ever fewer; a sanitizer, with which all takes ten times as long, sees fewer.
local dense, share = 100, 20
if os.getenv "MANILIUS_SANITIZER" then dense, share = 30, 6 end

local function next_point(n)
   return (M.exhaustive or n < dense) and n + 1 or n + n // share
end

-- Does `work` run with requests failing from the n-th on, all (times -1) or some? True when it asks for no more than n.
local function try(what, work, n, times)
   M.points = M.points + 1
   memory.fail_after(n, times)
   local ok, message = pcall(work)
   local to_come = memory.fail_after(-1)
   if ok then
      need(to_come == times, "%s: request %d fails, and nobody notices", what, n + 1)
      return true
   end
   need(tostring(message):find "not enough memory", "%s: request %d fails with: %s", what, n + 1, message)
   return false
end

-- `closely`: the memory that is held is looked at after each failure; else once in the end, as a full collection takes
-- time.
local function one_by_one(what, work, unchanged, times, closely)
   local before, n = M.live(), 0
   while not try(what, work, n, times) do
      if unchanged then unchanged(n + 1) end
      local held = closely and M.live() or before
      need(held == before, "%s: %d bytes are left behind when request %d fails", what, held - before, n + 1)
      n = next_point(n)
      need(n < 1000000, "%s never succeeds", what)
   end
   local held = M.live()
   if held == before then return end
   if not closely then one_by_one(what, work, unchanged, times, true) end
   tools.fail("%s: %d bytes are left behind after all", what, held - before)
end

--- Run `work` with its requests failing from the n-th on, for n = 0, 1, ... until it succeeds; and again with two of
-- them failing, for what goes on after a failure must not hide it. (Two: results are asked for once more after a
-- collection.) `unchanged(n)` is called after each failure. The memory held must be as before.
function M.in_turn(what, work, unchanged)
   pcall(work) -- contexts that are made once are not counted
   one_by_one(what, work, unchanged, -1, M.exhaustive)
   one_by_one(what, work, unchanged, 2, M.exhaustive)
end

return M
