--- Progress of fits: what functions given as on_iter are called with.
--
-- on_iter = function(state) is an option of fit, cross_validate and the searches. `state` is a table of its own for each
-- call: done and total (rounds of a fit; steps of a pipeline; fits of a search), objective (nil where there is none; of
-- a search the best score so far), elapsed (seconds). It may return "stop" (keep what there is) or "cancel" (an error;
-- the model stays as it was), and nothing else.
-- @module manilius.progress

local core = require "manilius.core"

local M = {}

--- A function(done, total, objective) that asks on_iter and gives its answer, checked: nil, "stop" or "cancel". Once that
-- was "stop" it asks no more.
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

return M
