--- Shared by the specs of metrics.
local M = {}

local TOLERANCE = 1e-12

--- Numbers, lists, Vectors or Matrices agree to 1e-12, relative to the expected value if that is above 1.
function M.near(wanted, got, what)
   if type(wanted) == "table" or type(wanted) == "userdata" then
      assert(#wanted == #got, ("%s: wanted %d values, got %d"):format(what, #wanted, #got))
      for i = 1, #wanted do M.near(wanted[i], got[i], ("%s[%d]"):format(what, i)) end
      return
   end
   local fine = wanted == got or wanted ~= wanted and got ~= got
      or math.abs(wanted - got) <= TOLERANCE * math.max(math.abs(wanted), 1)
   assert(fine, ("%s: wanted %.17g, got %.17g"):format(what, wanted, got))
end

--- function(more): the options `more` with these weights.
function M.options_with(weights)
   return function(more)
      more = more or {}
      more.weights = weights
      return more
   end
end

--- Row i of a list, times[i] times.
function M.repeated(list, times)
   local out = {}
   for i, value in ipairs(list) do
      for _ = 1, times[i] do out[#out + 1] = value end
   end
   return out
end

return M
