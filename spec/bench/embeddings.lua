-- What the workloads of embeddings share: a roll in three dimensions.
local M = {}

--- A writer of n rows of a roll.
function M.roll(ml, path, n)
   local place = ml.range(1, n)
   local function fraction(step)
      local x = place * step
      return x - x:floor()
   end
   local angle = (fraction(0.6180339887) * 2 + 1) * (1.5 * math.pi)
   ml.write_npy(path "X.npy", ml.hcat(angle:mul(angle:cos()), fraction(0.7548776662) * 21, angle:mul(angle:sin())))
end

return M
