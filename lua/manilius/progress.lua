--- Progress of fits: what functions given as on_iter are called with, and a bar at the terminal.
--
-- on_iter = function(state) is an option of fit, cross_validate and the searches. `state` is a table of its own for
-- each call: done and total (rounds of a fit; steps of a pipeline; fits of a search), objective (nil where there is
-- none; of a search the best score so far), elapsed (seconds). It may return "stop" (keep what there is) or "cancel"
-- (an error; the model stays as it was), and nothing else.
-- @module manilius.progress

local core = require "manilius.core"

local M = { help = {} }

--- A function(done, total, objective) that asks on_iter and gives its answer, checked: nil, "stop" or "cancel". Once
-- that was "stop" it asks no more.
function M.caller(who, on_iter)
   if type(on_iter) ~= "function" then
      error(("%s: on_iter must be a function, got %s"):format(who, type(on_iter)), 0)
   end
   local begin, stopped = core.seconds(), nil
   return function(done, total, objective)
      if stopped then return stopped end
      local answer = on_iter { done = done, total = total, objective = objective, elapsed = core.seconds() - begin }
      if answer == "stop" then stopped = answer end
      if answer == nil or answer == "stop" or answer == "cancel" then return answer end
      error(('on_iter must return nil, "stop" or "cancel", got %s'):format(tostring(answer)), 0)
   end
end

--- The error that "cancel" leads to, the same as the core's.
function M.cancel()
   error("cancelled by the progress function", 0)
end

-- --- the bar ---

-- Seconds before anything is shown, and between two drawings.
local AFTER, EVERY = 1, 0.1

-- What is shown now: its width; the compositions that run, the outermost first; when it was drawn last.
local shown, outer, drawn_at = 0, {}, 0

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

-- A terminal narrower than this has no room for the bar itself.
local NARROW = 50

--- One line of at most `columns` characters. What does not fit is left out, from the end; the label is cut last.
-- @param state label, done, total, objective, elapsed; total nil: only the time is known
function M.line(state, columns)
   local parts = {}
   if state.total and state.total > 0 and state.done > 0 then
      local share = math.min(state.done / state.total, 1)
      local filled = math.floor(20 * share)
      local rate = state.done / math.max(state.elapsed, 1e-9)
      local percent, left = ("%3.0f%%"):format(100 * share), duration(state.elapsed * (1 - share) / share) .. " left"
      local bar = ("[%s%s] %s"):format(("="):rep(filled), (" "):rep(20 - filled), percent)
      parts = columns < NARROW and { percent, left } or { bar, ("%s/%s"):format(count(state.done), count(state.total)),
         left }
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

-- The line fills its width, so that a "^C" which the terminal shows always stands behind it, and is taken away too.
local function erase()
   if shown == 0 then return end
   write("\r" .. (" "):rep(shown + 2) .. "\r")
   shown = 0
end

local function draw(state)
   local columns = core.terminal()
   if not columns then return false end
   local width = columns - 3
   local line = M.line(state, width)
   write("\r" .. line .. (" "):rep(width - #line))
   shown, drawn_at = width, core.seconds()
   return true
end

-- The state of the outermost composition, `inner` being that of an operation within it.
local function of_outer(task, inner)
   local done = task.done
   if inner and inner.total and inner.total > 0 then done = done + task.unit * inner.done / inner.total end
   return { label = task.label, done = done, total = task.total, objective = task.objective,
      elapsed = core.seconds() - task.begin }
end

-- The core calls this while it works, and with nil when one of its operations is over.
local function bar(inner)
   if not inner then
      if not outer[1] then erase() end
      return false
   end
   local state = outer[1] and of_outer(outer[1], inner) or inner
   return state.elapsed >= AFTER and draw(state)
end

local on = false

local task_meta = {}
task_meta.__index = task_meta

--- Where a composition is: `done` of its fits; the operations of the core that come now are `unit` of them together.
function task_meta:at(done, unit, objective)
   self.done, self.unit, self.objective = done, unit or 1, objective
   local now = core.seconds()
   if on and outer[1] == self and now - self.begin >= AFTER and now - drawn_at >= EVERY then draw(of_outer(self)) end
end

function task_meta:__close()
   while outer[#outer] and outer[#outer] ~= self do outer[#outer] = nil end
   outer[#outer] = nil
   if not outer[1] then erase() end
end

--- A composition of `total` fits begins: for a variable with <close>, whose method at() is told how far it is.
function M.task(label, total)
   local self = setmetatable({ label = label, total = total, done = 0, unit = 1, begin = core.seconds() }, task_meta)
   outer[#outer + 1] = self
   return self
end

M.help.progress = {
   args = { "[on]" },
   brief = "A bar on stderr for all that takes more than a second.",
   returns = "is it on? Asked without an argument, nothing changes",
   notes = "For fits, predictions, cross-validation, searches and job:wait(): one line with the share done, the time "
      .. "left, the rate and the objective, drawn at most ten times a second, erased when it is over; only where "
      .. "stderr is a terminal. It is off until it is asked for, and belongs to this Lua state.",
   example = "ml.progress(true)",
}

function M.progress(wanted)
   if wanted ~= nil and type(wanted) ~= "boolean" then
      error(("progress: true, false or nothing expected, got %s"):format(type(wanted)), 2)
   end
   if wanted and not (io and io.stderr) then error("progress: io.stderr is needed for the bar, got none", 2) end
   if wanted ~= nil then
      erase()
      on = wanted
      core.set_bar(wanted and bar or nil)
   end
   return on
end

return M
