return {
   title = "Isomap of a roll, 3k rows, 5 neighbors", rows = 3000, bar = 0.3,
   columns = { "error" }, criterion = { key = "error", better = "lower", share = 1e-6 },
   peers = { { "scikit-learn", "embeddings.py", "isomap" } },
   make = require "embeddings".roll,
   ours = function(ml, path)
      local x = ml.read_npy(path "X.npy")
      return function() return ml.Isomap {}:fit(x).reconstruction_error end
   end,
   quality = function(_, value) return { error = value } end,
}
