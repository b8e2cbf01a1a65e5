--- Paired tests of the scores of two models on the same folds.
--
-- Training sets of different folds overlap, so the differences between two models are not independent, and their
-- sample variance is too small. The corrected resampled t-test (Nadeau & Bengio, Machine Learning 52, 2003; for
-- repeated k-fold Bouckaert & Frank 2004) uses (1/k + n_test/n_train) s^2 as the variance of the mean of k differences.

local special = require "manilius.core".special

local M = {}

-- Differences that are equal up to rounding have variance 0.
local ROUNDING = 1e-12

local function mean_and_variance(values)
   local sum, square, size = 0, 0, 0
   for _, value in ipairs(values) do sum, size = sum + value, math.max(size, math.abs(value)) end
   local mean = sum / #values
   for _, value in ipairs(values) do square = square + (value - mean) ^ 2 end
   if math.sqrt(square / #values) <= ROUNDING * size then square = 0 end
   return mean, square / (#values - 1)
end

--- The mean over splits of n_test / n_train.
function M.test_share(splits)
   local sum = 0
   for _, split in ipairs(splits) do sum = sum + #split.test / #split.train end
   return sum / #splits
end

--- The corrected resampled t-test of a - b.
-- @param a scores by fold
-- @param b scores of the other model, on the same folds
-- @param share n_test / n_train; 0 gives the plain paired t-test
-- @return { difference = mean of a - b, sd, t, df, p (two-sided), low, high (95% interval of the difference) }. t, p
--   and the interval are nan for fewer than two folds, and if all differences are equal and nonzero; if all are 0,
--   p = 1.
function M.test(a, b, share)
   local differences, k = {}, #a
   for f = 1, k do differences[f] = a[f] - b[f] end
   local mean, variance = mean_and_variance(differences)
   local nan = 0 / 0
   local out = { difference = mean, sd = k > 1 and math.sqrt(variance) or nan, df = k - 1,
      t = nan, p = nan, low = nan, high = nan }
   if k < 2 or mean ~= mean then return out end
   if variance == 0 then
      if mean == 0 then out.t, out.p, out.low, out.high = 0, 1, 0, 0 end
      return out
   end
   local error_of_mean = math.sqrt(variance * (1 / k + share))
   local half = special.t_isf(0.025, k - 1) * error_of_mean
   out.t = mean / error_of_mean
   out.p = math.min(1, 2 * special.t_sf(math.abs(out.t), k - 1))
   out.low, out.high = mean - half, mean + half
   return out
end

--- p-values adjusted for multiple comparisons, controlling the family-wise error rate (Holm 1979). nan stays nan, but
-- counts as a comparison.
function M.holm(p)
   local order, adjusted, largest = {}, {}, 0
   for i = 1, #p do order[i] = i end
   table.sort(order, function(i, j)
      local x, y = p[i] == p[i] and p[i] or 2, p[j] == p[j] and p[j] or 2
      if x ~= y then return x < y end
      return i < j
   end)
   for rank, i in ipairs(order) do
      largest = math.max(largest, math.min(1, (#p - rank + 1) * p[i]))
      adjusted[i] = p[i] == p[i] and largest or p[i]
   end
   return adjusted
end

return M
