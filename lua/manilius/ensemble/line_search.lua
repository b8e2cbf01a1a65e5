--- The least value of a function of one number, for steps along a line: a bracket, then Brent's method.
-- @module manilius.ensemble.line_search

local core = require "manilius.core"

local M = {}

-- Doublings of a step, and quarterings: as many as numbers have room for.
local MOST = 500

--- How far to go from 0, forwards, and what f is there.
-- @param f what is nan is taken for infinitely high
-- @param here f(0)
-- @param step a first guess, above 0
-- @return x >= 0; 0 where no step lowers f
-- @return f(x) <= here
function M.along(f, here, step)
   local low, middle = 0.0, step + 0.0
   local value = f(middle)
   local lowers = value < here
   for _ = 1, MOST do
      if lowers then break end
      middle = middle / 4
      value = f(middle)
      lowers = value < here
   end
   if not lowers then return 0, here end
   local high = 2 * middle
   for _ = 1, MOST do
      local beyond = f(high)
      lowers = beyond < value
      if not lowers then break end
      low, middle, value, high = middle, high, beyond, 2 * high
   end
   local x, least = core.minimize(f, low, math.min(high, 2.0 ^ 1000))
   if least < value then return x, least end
   return middle, value
end

--- The same in both directions from 0.
function M.around(f, here, step)
   local x, least = M.along(f, here, step)
   if x > 0 then return x, least end
   x, least = M.along(function(t) return f(-t) end, here, step)
   return x > 0 and -x or 0, least
end

return M
