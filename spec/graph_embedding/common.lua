--- What the specs of embeddings share.
local ml = require "manilius"

local M = {}

--- A roll of n rows in three dimensions, as in the scripts of spec/fixtures/graph_embedding; and the length along it.
function M.roll(n)
   local roll, length = {}, {}
   for i = 1, n do
      local angle, height = 1.5 * math.pi * (1 + 2 * (i * 0.6180339887 % 1)), 21 * (i * 0.7548776662 % 1)
      roll[i], length[i] = { angle * math.cos(angle), height, angle * math.sin(angle) }, angle ^ 2 / 2
   end
   return ml.Matrix(roll), ml.Vector(length)
end

--- Coordinates with the signs of others: of the element that is largest in `like`.
function M.with_signs(Z, like)
   local out = ml.Matrix(Z):copy()
   for c = 1, out.cols do
      local best = 1
      for i = 1, out.rows do
         if math.abs(like[i][c]) > math.abs(like[best][c]) then best = i end
      end
      if out:get(best, c) * like[best][c] < 0 then
         for i = 1, out.rows do out:set(i, c, -out:get(i, c)) end
      end
   end
   return out
end

return M
