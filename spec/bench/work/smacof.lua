return {
   title = "MDS by SMACOF from a random start, 1k rows x 20, 100 iterations", rows = 1000, bar = 0.3,
   columns = { "stress" }, criterion = { key = "stress", better = "lower", share = 1e-9 },
   peers = { { "scikit-learn", "embeddings.py", "smacof" } },
   make = function(ml, path, n)
      ml.write_npy(path "X.npy", ml.normal(n, 20, 81))
      ml.write_npy(path "start.npy", ml.normal(n, 2, 82))
   end,
   ours = function(ml, path)
      local x, start = ml.read_npy(path "X.npy"), ml.read_npy(path "start.npy")
      ml.warnings "off"
      return function() return ml.MDS { start = start, max_iter = 100, tol = 0 }:fit(x).stress end
   end,
   quality = function(_, value) return { stress = value } end,
}
