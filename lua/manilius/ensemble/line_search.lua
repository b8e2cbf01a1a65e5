--- Minimization of a function of one variable, for line searches: bracketing, then Brent's method.

local core = require "manilius.core"

local M = {}

-- Maximum number of step doublings or quarterings, enough to cover the range of doubles.
local MAX_STEPS = 500

--- Minimize f over x >= 0.
-- f: the function; nan counts as infinity
-- here: f(0)
-- step: initial step > 0
-- Returns x >= 0 (0 if no step lowers f) and f(x) <= here.
function M.forward(f, here, step)
   local low, middle = 0.0, step + 0.0
   local value = f(middle)
   local lowers = value < here
   for _ = 1, MAX_STEPS do
      if lowers then break end
      middle = middle / 4
      value = f(middle)
      lowers = value < here
   end
   if not lowers then return 0, here end
   local high = 2 * middle
   for _ = 1, MAX_STEPS do
      local beyond = f(high)
      lowers = beyond < value
      if not lowers then break end
      low, middle, value, high = middle, high, beyond, 2 * high
   end
   local x, minimum = core.minimize(f, low, math.min(high, 2.0 ^ 1000))
   if minimum < value then return x, minimum end
   return middle, value
end

--- Minimize f over all x, searching forward from 0 and then backward.
function M.both_directions(f, here, step)
   local x, minimum = M.forward(f, here, step)
   if x > 0 then return x, minimum end
   x, minimum = M.forward(function(t) return f(-t) end, here, step)
   return x > 0 and -x or 0, minimum
end

return M
