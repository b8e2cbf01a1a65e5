--- Failing requests for memory, one after the other, and what must hold then.
--
--    MANILIUS_EXHAUSTIVE=1    every request, each looked at by itself (make check-faults), rather than a sample
--    MANILIUS_COUNT=1         print at the end how many were tried
local core = require "manilius.core"
local support = require "spec.support"
local tools = require "manilius.check.tools"

local need = tools.need
local memory = core.memory

-- subject: whose requests fail; others are drawn for each.
local M = { points = 0, subject = "" }

if os.getenv "MANILIUS_COUNT" then
   M.on_exit = setmetatable({}, { __gc = function()
      io.stderr:write(("%d requests for memory were made to fail\n"):format(M.points))
   end })
end

function M.live()
   collectgarbage()
   return memory.live()
end

-- All requests, or a sample in which each number is at most twice the one before: the first requests are those that
-- most operations make, later ones are repeated in rounds.
local function next_point(n, draw)
   return n + 1 + (support.exhaustive and 0 or math.floor(n * draw()))
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

-- `closely`: the memory that is held is looked at after each failure, which takes a full collection.
local function one_by_one(what, work, unchanged, times, closely)
   local before, n = closely and M.live(), 0
   local draw = support.draws(("%s, %s, %d"):format(M.subject, what, times))
   while not try(what, work, n, times) do
      if unchanged then unchanged(n + 1) end
      local held = closely and M.live()
      need(held == before, "%s: %d bytes are left behind when request %d fails", what, closely and held - before, n + 1)
      n = next_point(n, draw)
      need(n < 1000000, "%s never succeeds", what)
   end
end

local together = false

--- Run `work` with its requests failing from the n-th on, for n = 0, 1, ... until it succeeds; and again with two of
-- them failing, for what goes on after a failure must not hide it. (Two: results are asked for once more after a
-- collection.) `unchanged(n)` is called after each failure. The memory held must be as before.
function M.in_turn(what, work, unchanged)
   pcall(work) -- contexts that are made once are not counted
   local function both(closely)
      one_by_one(what, work, unchanged, -1, closely)
      one_by_one(what, work, unchanged, 2, closely)
   end
   if together then return both(false) end
   local before = M.live()
   both(support.exhaustive)
   local held = M.live()
   if held == before then return end
   both(true)
   tools.fail("%s: %d bytes are left behind after all", what, held - before)
end

--- Run `body`, which calls in_turn, and compare the memory in use before and after: a full collection takes longer than
-- most cases. If memory is left, run `body` again and check after each operation.
function M.all_in_turn(body)
   local before = M.live()
   together = not support.exhaustive
   local ok, message = pcall(body)
   together = false
   if not ok then error(message, 0) end
   if M.live() ~= before then body() end
end

return M
