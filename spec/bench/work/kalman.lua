-- Level and trend, whose covariances converge, as both sides notice. Quality: the log likelihood.
local SYSTEM = { transition = { { 1, 1 }, { 0, 1 } }, observation = { { 1, 0 } },
   state_cov = { { 0.1, 0 }, { 0, 0.001 } }, observation_cov = { { 1 } },
   initial_mean = { 0, 0 }, initial_cov = { { 1, 0 }, { 0, 1 } } }

return {
   title = "Kalman filter, 1M rows, level and trend, log likelihood", rows = 1000000, bar = 0.1,
   columns = { "loglike" }, criterion = { key = "loglike", better = "higher", share = 1e-9 },
   peers = { { "statsmodels", "kalman.py", "filter" } },
   make = function(ml, path, n)
      ml.write_npy(path "X.npy", ml.normal(n, 1, 1))
   end,
   ours = function(ml, path)
      local x = ml.read_npy(path "X.npy")
      return function() return ml.KalmanFilter(SYSTEM):fit(x) end, x
   end,
   quality = function(_, model) return { loglike = model.loglike } end,
}
