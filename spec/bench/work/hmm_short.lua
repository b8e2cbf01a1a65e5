-- A hundred thousand sequences of 20 rows. Quality: the log likelihood a row.
local hmms = require "spec.bench.hmms"
local K, P, LENGTH = 4, 2, 20
local N = 100000 * LENGTH

return {
   title = "Gaussian HMM, 4 states, 100k sequences of 20 x 2, 20 iterations, same start", rows = N, bar = 0.1,
   columns = hmms.columns, criterion = hmms.criterion,
   peers = { { "hmmlearn", "hmm.py", "gaussian" } },
   make = function(ml, path, n)
      local states = hmms.states(ml, n, K, 1)
      local means = ml.normal(K, P, 2) * 2
      ml.write_npy(path "X.npy", means:take(states) + ml.normal(n, P, 3))
      ml.write_npy(path "lengths.npy", ml.full(n // LENGTH, 1, LENGTH))
      hmms.write_start(ml, path, K, means + ml.normal(K, P, 4) * 0.5)
   end,
   ours = function(ml, path)
      local x, start = ml.read_npy(path "X.npy"), hmms.read_start(ml, path)
      local lengths = ml.read_npy(path "lengths.npy"):col(1)
      start.means_init, start.covariances_init = ml.read_npy(path "emission.npy"), hmms.identities(K, P)
      return function() return ml.HMM(start):fit(x, nil, { lengths = lengths }) end, x
   end,
   quality = hmms.quality,
}
