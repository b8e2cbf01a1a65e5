--- Progress of fits: the callback on_iter, and a progress bar in the terminal.
--
-- on_iter = function(state) is an option of fit, cross_validate and the searches. `state` is a new table for each call:
-- done and total (rounds of a fit, steps of a pipeline, fits of a search), objective (nil if there is none; the best
-- score so far in a search), elapsed (seconds). It may return nil, "stop" (keep the result so far) or "cancel" (raise
-- an error; the model is unchanged).

local core = require "manilius.core"

local M = { help = {} }

--- A function(done, total, objective) that calls on_iter and returns its checked result: nil, "stop" or "cancel". After
-- "stop" it does not call on_iter again.
function M.caller(who, on_iter)
   if type(on_iter) ~= "function" then
      error(("%s: on_iter must be a function, got %s"):format(who, type(on_iter)), 0)
   end
   local begin, stopped = core.seconds(), nil
   return function(done, total, objective)
      if stopped then return stopped end
      local result = on_iter { done = done, total = total, objective = objective, elapsed = core.seconds() - begin }
      if result == "stop" then stopped = result end
      if result == nil or result == "stop" or result == "cancel" then return result end
      error(('on_iter must return nil, "stop" or "cancel", got %s'):format(tostring(result)), 0)
   end
end

--- Raise the error for "cancel", the same as in the core.
function M.cancel()
   error("cancelled by the progress function", 0)
end

-- --- the bar ---

-- Seconds before the bar appears, and between two updates.
local DELAY, INTERVAL = 1, 0.1

-- Width of the bar on screen; the running tasks, the outermost first; time of the last update.
local shown_width, tasks, drawn_at = 0, {}, 0

-- 12 s, 3 min, 2 h 10 min
local function duration(seconds)
   if seconds < 100 then return ("%.0f s"):format(seconds) end
   local minutes = math.floor(seconds / 60 + 0.5)
   if minutes < 100 then return ("%d min"):format(minutes) end
   return minutes < 6000 and ("%d h %d min"):format(minutes // 60, minutes % 60) or ("%d h"):format(minutes // 60)
end

local function count(value)
   return value < 1e6 and ("%d"):format(math.floor(value)) or ("%.3g"):format(value)
end

-- Narrower terminals show only numbers, not the bar.
local MIN_BAR_COLUMNS = 50

--- One line of at most `columns` characters; parts that do not fit are omitted from the end, the label is truncated.
-- @param state label, done, total, objective, elapsed; total is nil if only the time is known
function M.line(state, columns)
   local parts = {}
   if state.total and state.total > 0 and state.done > 0 then
      local share = math.min(state.done / state.total, 1)
      local filled = math.floor(20 * share)
      local rate = state.done / math.max(state.elapsed, 1e-9)
      local percent, left = ("%3.0f%%"):format(100 * share), duration(state.elapsed * (1 - share) / share) .. " left"
      local bar = ("[%s%s] %s"):format(("="):rep(filled), (" "):rep(20 - filled), percent)
      local counts = ("%s/%s"):format(count(state.done), count(state.total))
      parts = columns < MIN_BAR_COLUMNS and { percent, left } or { bar, counts, left }
      parts[#parts + 1] = rate >= 1 and ("%.3g/s"):format(rate) or ("%s each"):format(duration(1 / rate))
   else
      parts[1] = duration(state.elapsed)
   end
   if state.objective then parts[#parts + 1] = ("objective %.6g"):format(state.objective) end
   local line = state.label:sub(1, math.max(columns, 0))
   for _, part in ipairs(parts) do
      if #line + 2 + #part > columns then break end
      line = line .. "  " .. part
   end
   return line
end

local function write(text)
   io.stderr:write(text)
   io.stderr:flush()
end

-- The line is padded to its full width, so that a "^C" echoed by the terminal appears after it and is erased too.
local function erase()
   if shown_width == 0 then return end
   write("\r" .. (" "):rep(shown_width + 2) .. "\r")
   shown_width = 0
end

local function draw(state)
   local columns = core.terminal "stderr"
   if not columns then return false end
   local width = columns - 3
   local line = M.line(state, width)
   write("\r" .. line .. (" "):rep(width - #line))
   shown_width, drawn_at = width, core.seconds()
   return true
end

-- The state of a task, including the fraction done of an operation of the core within it.
local function task_state(task, inner)
   local done = task.done
   if inner and inner.total and inner.total > 0 then done = done + task.unit * inner.done / inner.total end
   return { label = task.label, done = done, total = task.total, objective = task.objective,
      elapsed = core.seconds() - task.begin }
end

-- Called by the core while an operation runs, and with nil when it ends.
local function bar(inner)
   if not inner then
      if not tasks[1] then erase() end
      return false
   end
   local state = tasks[1] and task_state(tasks[1], inner) or inner
   return state.elapsed >= DELAY and draw(state)
end

local on = false

local task_meta = {}
task_meta.__index = task_meta

--- Report that `done` fits of the task are complete; the next operations of the core count as `unit` fits in total.
function task_meta:at(done, unit, objective)
   self.done, self.unit, self.objective = done, unit or 1, objective
   local now = core.seconds()
   if on and tasks[1] == self and now - self.begin >= DELAY and now - drawn_at >= INTERVAL then
      draw(task_state(self))
   end
end

function task_meta:__close()
   while tasks[#tasks] and tasks[#tasks] ~= self do tasks[#tasks] = nil end
   tasks[#tasks] = nil
   if not tasks[1] then erase() end
end

--- Begin a task of `total` fits. Assign it to a <close> variable and report progress with its method at().
function M.task(label, total)
   local self = setmetatable({ label = label, total = total, done = 0, unit = 1, begin = core.seconds() }, task_meta)
   tasks[#tasks + 1] = self
   return self
end

M.help.progress = {
   args = { "[on]" },
   brief = "Turn the progress bar for operations longer than a second on or off.",
   returns = "whether the bar is on; without an argument nothing changes",
   notes = "For fits, predictions, cross-validation, searches and job:wait(). The bar is one line on stderr with the "
      .. "fraction done, the time left, the rate and the objective; it appears only if stderr is a terminal. Off by "
      .. "default; the setting applies to this Lua state.",
   example = "ml.progress(true)",
}

function M.progress(wanted)
   if wanted ~= nil and type(wanted) ~= "boolean" then
      error(("progress: on must be true, false or nil, got %s"):format(type(wanted)), 2)
   end
   if wanted and not (io and io.stderr) then
      error("progress: the bar requires io.stderr, which is not available", 2)
   end
   if wanted ~= nil then
      erase()
      on = wanted
      core.set_bar(wanted and bar or nil)
   end
   return on
end

return M
