--- Helper functions for the specs of AdaBoost, stacking and voting.
local support = require "spec.support"

local M = {}

--- The irises in another order, so that each fold has all species.
function M.mixed_iris()
   local X, y = support.data("iris", "species")
   local mixed = {}
   for i = 0, 149 do mixed[i + 1] = i * 37 % 150 + 1 end
   return X:take(mixed), y:take(mixed)
end

--- Rows 1, 12, 23, ...: those that the fixture records.
function M.every_eleventh(data)
   local at = {}
   for i = 1, data.rows, 11 do at[#at + 1] = i end
   return data:take(at)
end

return M
