--- Acquisition functions of Bayesian optimization: how promising is a point? Larger is better.
-- mean and sd are Vectors of the posterior of the function, best is its lowest value so far.

local core = require "manilius.core"
local special = require "manilius.special"

local M = {}

-- log (z Phi(z) + phi(z)). Below -20 by the asymptotic series phi(z) / z^2 (1 - 3 / z^2 + 15 / z^4), so that points of
-- very small improvement can still be compared.
local function log_h(z)
   if z > -20 then return math.log(z * special.normal_cdf(z) + special.normal_pdf(z)) end
   local w = 1 / (z * z)
   return special.normal_logpdf(z) + math.log(w * (1 - 3 * w + 15 * w * w))
end

--- Logarithm of the expected improvement E max(best - f, 0) = sd (z Phi(z) + phi(z)), z = (best - mean) / sd.
function M.log_expected_improvement(mean, sd, best)
   local out = core.Vector(#mean)
   for i = 1, #mean do
      local s, gain = sd[i], best - mean[i]
      if s > 0 then
         out[i] = math.log(s) + log_h(gain / s)
      else
         out[i] = gain > 0 and math.log(gain) or -math.huge
      end
   end
   return out
end

--- Minus the lower confidence bound mean - kappa sd.
function M.lower_confidence_bound(mean, sd, kappa)
   return sd * kappa - mean
end

return M
