-- Only ours, on the rows of t-SNE. With --growth: at a quarter, half and all of the rows.
local work = require "maps" { rows = 1000000, rows_text = "1M", iterations = 0, peers = {} }
work.title, work.columns, work.criterion = "UMAP, 1M rows x 50", { "trustworthiness" }, nil
work.ours = function(ml, path)
   local x = ml.read_npy(path "X.npy")
   ml.warnings(function() end)
   return function() return { x = x, y = ml.UMAP {}:fit(x).embedding } end
end
work.quality = function(ml, result)
   local x, y = result.x:slice(1, 2000):copy(), result.y:slice(1, 2000):copy()
   return { trustworthiness = ml.metrics.trustworthiness(x, y, { k = 15 }) }
end
return work
