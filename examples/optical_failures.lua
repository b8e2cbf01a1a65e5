-- Failures of optical links before they interrupt traffic. Monitors report the received power, the signal-to-noise
-- ratio, the logarithm of the error rate before correction, and the polarization dispersion. Each value of a failing
-- link may still be within its usual range, while their relation no longer holds: an elliptic envelope and one class of
-- support vectors learn the relation from normal operation.
-- Run in the checkout: lua5.4 examples/optical_failures.lua

local ml = require "manilius"

os.execute "mkdir -p build/demo"

-- n reports. Power drifts, which moves the ratio and the error rate with it. A tight filter raises the error rate at
-- the same ratio; an amplifier that ages lowers the ratio at the same power.
local function reports(n, failure, seed)
   local noise, rows = ml.normal(n, 4, seed), {}
   for i = 1, n do
      local power = -10 + noise[i][1]
      local ratio = 20 + 0.9 * (power + 10) + 0.2 * noise[i][2] - (failure == "amplifier" and 1.2 or 0)
      local errors = -4 - 0.35 * (ratio - 20) + 0.08 * noise[i][3] + (failure == "filter" and 0.45 or 0)
      rows[i] = { power, ratio, errors, 2 + 0.3 * noise[i][4] }
   end
   return ml.Matrix(rows)
end

local normal = reports(1000, nil, 1)
local test = ml.vcat(reports(2000, nil, 2), reports(100, "filter", 3), reports(100, "amplifier", 4))
local state = {}
for i = 1, 2200 do state[i] = i > 2000 and "failing" or "normal" end
state = ml.Factor(state)

-- Each value alone: how far it is from the median of normal operation, in robust deviations; the largest of four.
local scaled = ml.RobustScaler {}:fit(normal)
local single = scaled:transform(test):abs():max "rows"
local envelope = ml.MinCovDet { seed = 1 }:fit(normal)
local scaler = ml.StandardScaler {}:fit(normal)
local support = ml.OneClassSVM { nu = 0.02, gamma = 0.1 }:fit(scaler:transform(normal))
local detectors = {
   { "largest single value", single },
   { "elliptic envelope", envelope:mahalanobis(test) },
   { "one class of support vectors", support:decision_function(scaler:transform(test)) },
}
for _, detector in ipairs(detectors) do
   print(("%-29s area under the ROC curve %.2f"):format(detector[1], ml.metrics.roc_auc(state, detector[2],
      { positive = "failing" })))
end

-- At a threshold that one normal report in a hundred exceeds: the quantile of chi-squared with 4 degrees of freedom.
local alarm = envelope:mahalanobis(test):gt(ml.special.chi2_quantile(0.99, 4))
print(("alarms of the envelope: %.1f%% of normal reports, %.0f%% of tight filters, %.0f%% of ageing amplifiers"):format(
   100 * alarm:slice(1, 2000):mean(), 100 * alarm:slice(2001, 2100):mean(), 100 * alarm:slice(2101, 2200):mean()))
ml.plot.roc(state, detectors, { positive = "failing", title = "Failing links" }):save "build/demo/optical_failures.svg"
