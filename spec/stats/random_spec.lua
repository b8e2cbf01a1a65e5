--- Draws of random streams with a shape parameter: their moments, and their distribution by Kolmogorov's test.
local ml = require "manilius"
local core = require "manilius.core"

local n = 15000

local function draws(of, ...)
   local rng, x = core.rng(11, 3), {}
   for i = 1, n do x[i] = rng[of](rng, ...) end
   return ml.Vector(x)
end

-- The largest distance of the empirical distribution from cdf, times sqrt(n): it exceeds 1.95 with probability 0.001.
local function kolmogorov(x, cdf)
   local sorted, worst = x:sort(), 0
   for i = 1, n do
      local p = cdf(sorted[i])
      worst = math.max(worst, math.abs(p - (i - 1) / n), math.abs(p - i / n))
   end
   return worst * math.sqrt(n)
end

describe("random streams", function()
   for _, shape in ipairs { 0.05, 0.5, 1, 1.5, 3, 250 } do
      it("draw from the gamma distribution of shape " .. shape, function()
         local x, d = draws("gamma", shape), ml.dist.gamma { shape = shape, scale = 1 }
         assert.near(shape, x:mean(), 4 * math.sqrt(shape / n))
         assert.near(1, x:var() / shape, 4 * math.sqrt((2 + 6 / shape) / n))
         assert.is_true(kolmogorov(x, function(v) return d:cdf(v) end) < 1.95)
      end)
   end

   for _, case in ipairs { { 1, 1 }, { 0.2, 3 }, { 5, 0.3 }, { 1e4, 2 } } do
      local mean, shape = table.unpack(case)
      -- Shuster, Journal of the American Statistical Association 63 (1968)
      local function cdf(x)
         local root = math.sqrt(shape / x)
         return ml.special.normal_cdf(root * (x / mean - 1))
            + math.exp(2 * shape / mean + ml.special.normal_logcdf(-root * (x / mean + 1)))
      end
      it(("draw from the inverse Gaussian of mean %g and shape %g"):format(mean, shape), function()
         local x = draws("inverse_gaussian", mean, shape)
         assert.near(0, (x:mean() - mean) / math.sqrt(mean ^ 3 / shape / n), 4)
         assert.is_true(kolmogorov(x, cdf) < 1.95)
      end)
   end

   it("draw from the inverse Gaussian with infinite mean: shape over a squared normal", function()
      local x = draws("inverse_gaussian", math.huge, 2)
      local function cdf(v) return 2 * ml.special.normal_cdf(-math.sqrt(2 / v)) end
      assert.is_true(kolmogorov(x, cdf) < 1.95)
   end)
end)
