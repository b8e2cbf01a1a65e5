local core = require "manilius.core"
local measure = require "measure"

return {
   title = "matrix product of order 2000, float64, all threads", rows = 2000,
   columns = { "f64_one_thread", "f32", "f32_one_thread", "error" }, -- seconds; |C v - A (B v)| / |C v|
   criterion = { key = "error", better = "lower", slack = 1e-13 },
   peers = { { "numpy (OpenBLAS)", "gemm.py", "numpy" } },
   limit = function(machine, n) return 2 * n ^ 3 / machine.gemm / 1e9 end,
   limit_of = "our own best",
   make = function(ml, path, n)
      ml.write_npy(path "A.npy", ml.normal(n, n, 1))
      ml.write_npy(path "B.npy", ml.normal(n, n, 2))
   end,
   ours = function(ml, path, n)
      local data = { a = ml.read_npy(path "A.npy"), b = ml.read_npy(path "B.npy"), n = n }
      return function() return data.a * data.b end, data
   end,
   measure = function(run, data, budget)
      local product, figures = measure.repeated(run, budget)
      local before = core.memory.threads()
      local function peak(threads, single)
         core.memory.threads(threads)
         local seconds = 2e-9 * data.n ^ 3 / core.product_peak(data.n, single)
         core.memory.threads(before)
         return seconds
      end
      figures.f64_one_thread, figures.f32, figures.f32_one_thread = peak(1, false), peak(0, true), peak(1, true)
      return product, figures
   end,
   quality = function(ml, c, data)
      local v = ml.normal(data.n, nil, 3)
      local cv = c * v
      return { error = (cv - data.a * (data.b * v)):norm() / cv:norm() }
   end,
}
