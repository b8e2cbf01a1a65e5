--- Code shared by methods that fit a model to many samples or permutations of the rows.

local progress = require "manilius.progress"
local rows = require "manilius.rows"
local whole = require "manilius.select.splitters".whole

local M = {}

local MAX_SAMPLES = 10000000 -- whose scores take some GB of memory

--- The number of samples n, seed, number of rows, and report, which calls on_iter, from the options of the user.
-- n: the option, or its default; does: what the method does to the rows, for a message
function M.settings(who, task, options, n, does)
   local seed = options.seed == nil and 0 or options.seed
   whole(who, "n", n, 1, MAX_SAMPLES)
   whole(who, "seed", seed, 0)
   if task.lengths then error(("%s: does not support queries, because it %s rows"):format(who, does), 0) end
   if task.y == nil then error(who .. ": y must be given, got nil", 0) end
   return { n = n, seed = seed, rows = rows.count(task.X),
      report = options.on_iter ~= nil and progress.caller(who, options.on_iter) or nil }
end

-- Numbers of rows in the folds of one call of evaluate.run, which bounds its memory.
local MAX_ROWS = 4000000

-- Number of reports, about: few enough that the fits between two of them use all threads.
local REPORTS = 20

--- Call run(first, last) for consecutive samples up to settings.n, and report after each call.
-- size: numbers of rows of one sample
function M.run(settings, first, size, run)
   local count = settings.n - first + 1
   local part = settings.report and (count + REPORTS - 1) // REPORTS or count
   local step = math.max(1, math.min(part, MAX_ROWS // size))
   while first <= settings.n do
      local last = math.min(first + step - 1, settings.n)
      run(first, last)
      first = last + 1
      if settings.report and settings.report(last, settings.n) == "cancel" then progress.cancel() end
   end
end

return M
