return {
   title = "locally linear embedding of a roll, 10k rows, 10 neighbors", rows = 10000, bar = 0.4,
   columns = { "error" }, criterion = { key = "error", better = "lower", share = 1e-4 },
   peers = { { "scikit-learn", "embeddings.py", "lle" } },
   make = require "embeddings".roll,
   ours = function(ml, path)
      local x = ml.read_npy(path "X.npy")
      return function() return ml.LocallyLinearEmbedding { n_neighbors = 10 }:fit(x).reconstruction_error end
   end,
   quality = function(_, value) return { error = value } end,
}
