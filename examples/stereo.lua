-- Depth from two cameras: the disparity of each pixel by messages on a grid. A pixel of the left image is seen d
-- columns to the left in the right one; neighbors probably have the same d.
-- Run in the checkout: lua5.4 examples/stereo.lua

local ml = require "manilius"

os.execute "mkdir -p build/demo"
local ROWS, COLUMNS, MOST = 40, 60, 7

-- A wall with a texture, at disparity 1, a box before it at 4 and a ball at 6; both images are noisy.
local truth = ml.zeros(ROWS, COLUMNS)
for i = 1, ROWS do
   for j = 1, COLUMNS do
      local box, ball = i > 8 and i < 28 and j > 10 and j < 30, (i - 24) ^ 2 + (j - 44) ^ 2 < 80
      truth:set(i, j, ball and 6 or box and 4 or 1)
   end
end
local texture = ml.random(ROWS, COLUMNS, 1)
local left, right = texture:copy(), ml.random(ROWS, COLUMNS, 2)
for d = 0, MOST do -- what is nearer covers what is behind
   for i = 1, ROWS do
      for j = d + 1, COLUMNS do
         if truth:get(i, j) == d then right:set(i, j - d, left:get(i, j)) end
      end
   end
end
left, right = left + ml.normal(ROWS, COLUMNS, 3) * 0.1, right + ml.normal(ROWS, COLUMNS, 4) * 0.1

-- Logarithms of factors: of a pixel -|difference| / 0.15, at most 3, since hidden pixels match nothing; of neighbors
-- -|difference of disparities|, at most 2.
local unary, pair = ml.Matrix(ROWS * COLUMNS, MOST + 1), ml.Matrix(MOST + 1, MOST + 1)
for i = 1, ROWS do
   for j = 1, COLUMNS do
      for d = 0, MOST do
         local difference = j > d and math.abs(left:get(i, j) - right:get(i, j - d)) or 1
         unary:set((i - 1) * COLUMNS + j, d + 1, -math.min(difference / 0.15, 3))
      end
   end
end
for a = 0, MOST do
   for b = 0, MOST do pair:set(a + 1, b + 1, -math.min(math.abs(a - b), 2)) end
end

-- Pixels of the left edge are not seen by the other camera; they do not count.
local function wrong(disparity)
   local count = 0
   for i = 1, ROWS do
      for j = MOST + 1, COLUMNS do
         if disparity:get(i, j) ~= truth:get(i, j) then count = count + 1 end
      end
   end
   return 100 * count / (ROWS * (COLUMNS - MOST))
end

local graph = ml.MarkovRandomField { unary = unary, table = pair, shape = { ROWS, COLUMNS } }
local alone = (unary:argmax "rows" - 1):reshape(ROWS, COLUMNS)
local best = graph:map { method = "min_sum", damping = 0.5, max_iter = 400, tol = 1e-3 }
local together = best.states - 1
print(("wrong disparities: %.0f%% of pixels alone, %.0f%% with their neighbors"):format(wrong(alone), wrong(together)))

local function picture(image, title) return ml.plot.heatmap(image, { title = title, low = 0, high = MOST }) end
ml.plot.figure { columns = 3, width = 1200, picture(truth, "true disparity"), picture(alone, "pixels alone"),
   picture(together, "with neighbors") }:save "build/demo/stereo.svg"
