-- Loopy sum-product on an Ising model, 300 x 300 pixels, 50 sweeps of all messages. The limit is memory: each sweep
-- reads and writes four messages of each pixel and reads its field once. Quality: the marginals are those of numpy.
local SWEEPS = 50

return {
   title = "loopy propagation, Ising grid 300 x 300, 50 sweeps", rows = 90000, columns = { "mean", "residual" },
   criterion = { key = "mean", better = "higher", slack = 1e-9 },
   peers = { { "numpy", "grid_propagation.py", "numpy" } },
   limit_of = "9 numbers of 8 bytes a pixel and sweep at the speed of memory; here they stay in the cache",
   limit = function(machine, n) return 9 * 8 * n * SWEEPS / machine.gb_per_s / 1e9 end,
   make = function(ml, path, n)
      local side = math.floor(math.sqrt(n))
      ml.write_npy(path "field.npy", ml.normal(side, side, 1))
   end,
   ours = function(ml, path)
      ml.warnings "off" -- that 50 sweeps are not enough is not a finding
      local graph = ml.MarkovRandomField { field = ml.read_npy(path "field.npy"), coupling = 0.4 }
      return function()
         return graph:infer { method = "sum_product", schedule = "parallel", max_iter = SWEEPS, tol = 0 }
      end, graph
   end,
   quality = function(_, found) return { mean = found.table:col(1):mean(), residual = found.residual } end,
}
