local images = require "images"

return {
   title = "UMAP, 10k x 784 pictures to the plane (trustworthiness within 2,000 rows)", rows = 10000, bar = 0.3,
   columns = { "trustworthiness" }, criterion = { key = "trustworthiness", better = "higher", share = 2e-3 },
   peers = { { "umap-learn", "umap_learn.py", "umap" } },
   make = function(ml, path, n) ml.write_npy(path "X.npy", (images(ml, n, 61))) end,
   ours = function(ml, path)
      local x = ml.read_npy(path "X.npy")
      ml.warnings(function() end)
      return function() return { x = x, y = ml.UMAP {}:fit(x).embedding } end
   end,
   quality = function(ml, result)
      local x, y = result.x:slice(1, 2000):copy(), result.y:slice(1, 2000):copy()
      return { trustworthiness = ml.metrics.trustworthiness(x, y, { k = 15 }) }
   end,
}
