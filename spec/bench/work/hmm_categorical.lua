-- Ten states of 50 symbols, 20 iterations from the same start. Quality: the log likelihood a row.
local hmms = require "spec.bench.hmms"
local K, M, N = 10, 50, 500000

-- Rows of probabilities, each with a peak of its own.
local function emissions(ml, width)
   local rows = {}
   for s = 1, K do
      rows[s] = {}
      local total = 0
      for m = 1, M do
         rows[s][m] = math.exp(-(((m - 5 * s) / width) ^ 2)) + 0.02
         total = total + rows[s][m]
      end
      for m = 1, M do rows[s][m] = rows[s][m] / total end
   end
   return ml.Matrix(rows)
end

return {
   title = "categorical HMM, 10 states, 50 symbols, 500k rows, 20 iterations, same start", rows = N, bar = 0.1,
   columns = hmms.columns, criterion = hmms.criterion,
   peers = { { "hmmlearn", "hmm.py", "categorical" } },
   make = function(ml, path, n)
      local states, noise = hmms.states(ml, n, K, 1), ml.normal(n, nil, 2) * 4
      local X = (ml.Vector(states) * 5 + noise):floor():maximum(0):minimum(M - 1)
      ml.write_npy(path "X.npy", X:reshape(n, 1))
      hmms.write_start(ml, path, K, emissions(ml, 8))
   end,
   ours = function(ml, path)
      local x, start = ml.read_npy(path "X.npy"), hmms.read_start(ml, path)
      start.emission, start.emission_init = "categorical", ml.read_npy(path "emission.npy")
      return function() return ml.HMM(start):fit(x) end, x
   end,
   quality = hmms.quality,
}
