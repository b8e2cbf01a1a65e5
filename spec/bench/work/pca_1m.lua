-- Only ours, on the rows of t-SNE. With --growth: at a quarter, half and all of the rows.
local work = require "maps" { rows = 1000000, rows_text = "1M", iterations = 0, peers = {} }
work.title, work.columns, work.criterion = "PCA, 1M rows x 50, 10 components", { "explained" }, nil
work.ours = function(ml, path)
   local x = ml.read_npy(path "X.npy")
   return function() return ml.PCA { n_components = 10 }:fit(x) end
end
work.quality = function(_, model) return { explained = model.explained_variance_ratio:sum() } end
return work
