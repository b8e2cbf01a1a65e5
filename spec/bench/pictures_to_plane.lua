--- What the workloads of UMAP share: n pictures, and the trustworthiness of the map within the first 2,000 of them.
local images = require "images"

return function(rows, rows_text)
   return {
      title = ("UMAP, %s x 784 pictures to the plane (trustworthiness within 2,000 rows)"):format(rows_text),
      rows = rows, bar = 0.3, columns = { "trustworthiness" },
      criterion = { key = "trustworthiness", better = "higher", share = 2e-3 },
      peers = { { "umap-learn", "umap_learn.py", "umap" }, { "uwot batch", "uwot.R", "umap" } },
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
end
