-- Eight states of four columns, full covariances, 20 iterations from the same start. Quality: the log likelihood a row.
local hmms = require "spec.bench.hmms"
local K, P, N = 8, 4, 200000

return {
   title = "Gaussian HMM, 8 states, 200k x 4, 20 iterations, same start", rows = N, bar = 0.1,
   columns = hmms.columns, criterion = hmms.criterion,
   peers = { { "hmmlearn", "hmm.py", "gaussian" } },
   make = function(ml, path, n)
      local states = hmms.states(ml, n, K, 1)
      local means = ml.normal(K, P, 2) * 2
      ml.write_npy(path "X.npy", means:take(states) + ml.normal(n, P, 3))
      hmms.write_start(ml, path, K, means + ml.normal(K, P, 4) * 0.5)
   end,
   ours = function(ml, path)
      local x, start = ml.read_npy(path "X.npy"), hmms.read_start(ml, path)
      start.means_init, start.covariances_init = ml.read_npy(path "emission.npy"), hmms.identities(K, P)
      return function() return ml.HMM(start):fit(x) end, x
   end,
   quality = hmms.quality,
}
