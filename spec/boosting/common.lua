--- Shared by the specs of boosting.
local ml = require "manilius"

local M = {}

--- A small problem with few distinct values: three columns of 1..5, and y with noise.
function M.few_values(rows, seed)
   local u, X, y = ml.random(rows, 4, seed), {}, {}
   for i = 1, rows do
      X[i] = {}
      for j = 1, 3 do X[i][j] = math.floor(u:get(i, j) * 5) + 1 end
      y[i] = X[i][1] * X[i][2] - 2 * X[i][3] + u:get(i, 4)
   end
   return X, y
end

--- A copy of the settings with more of them, or other values.
function M.with(settings, more)
   local out = {}
   for name, value in pairs(settings) do out[name] = value end
   for name, value in pairs(more or {}) do out[name] = value end
   return out
end

return M
