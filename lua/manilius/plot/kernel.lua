--- Gaussian kernel density estimates.

local core = require "manilius.core"

local M = {}

-- The number of values up to which a density is summed directly, and the points of its grid.
local MAX_DIRECT, GRID = 2000, 256

--- The bandwidth by Silverman's rule of thumb: Density Estimation (1986), eq. 3.31.
function M.silverman(x)
   local n = #x
   local sd = n > 1 and x:std() or 0
   local spread = (x:quantile(0.75) - x:quantile(0.25)) / 1.34
   local scale = spread > 0 and math.min(sd, spread) or sd
   if scale <= 0 then scale = math.abs(x[1]) > 0 and math.abs(x[1]) * 0.1 or 1 end
   return 0.9 * scale * n ^ -0.2
end

local function kernel_sum(x, at, bandwidth)
   local u = (x - at) * (1 / bandwidth)
   return (u:mul(u) * -0.5):exp():sum()
end

-- Linear binning: each value is divided between its two neighboring grid points, so that the kernel is summed over the
-- grid only.
local function linear_binning(x, grid, step)
   local weights = {}
   for i = 1, #grid do weights[i] = 0 end
   for _, v in ipairs(((x - grid[1]) * (1 / step)):totable()) do
      local i = math.max(0, math.min(#grid - 2, v // 1))
      local share = v - i
      i = math.tointeger(i) + 1
      weights[i] = weights[i] + 1 - share
      weights[i + 1] = weights[i + 1] + share
   end
   return core.Vector(weights)
end

--- The density of x at evenly spaced points from `low` to `high`, by default 3 bandwidths beyond the values.
-- @return the points and the heights, two lists
function M.density(x, bandwidth, low, high)
   low, high = low or x:min() - 3 * bandwidth, high or x:max() + 3 * bandwidth
   local n, grid, heights = #x, {}, {}
   local size = n > MAX_DIRECT and math.max(GRID, math.min(4096, math.ceil((high - low) / bandwidth * 8))) or GRID
   local step = (high - low) / (size - 1)
   for i = 1, size do grid[i] = low + (i - 1) * step end
   local scale = 1 / (n * bandwidth * math.sqrt(2 * math.pi))
   if n <= MAX_DIRECT then
      for i = 1, size do heights[i] = kernel_sum(x, grid[i], bandwidth) * scale end
      return grid, heights
   end
   local weights, places = linear_binning(x, grid, step), core.Vector(grid)
   for i = 1, size do
      local kernel = (places - grid[i]) * (1 / bandwidth)
      heights[i] = (kernel:mul(kernel) * -0.5):exp():dot(weights) * scale
   end
   return grid, heights
end

return M
