--- What the workloads of forests share: 30 columns and three classes.
local data = require "data"

local P = 30

local M = {}

local function make(ml, path, n)
   local x, noise = ml.normal(n, P, 1), ml.normal(n, nil, 2)
   ml.write_npy(path "X.npy", x)
   local score = x:col(1) * 2 + x:col(2):mul(x:col(3)) + noise * 1.5
   ml.write_npy(path "y.npy", ml.Matrix(score:gt(-1) + score:gt(1)))
end

--- A workload. `peer` is the function of forest.py.
-- @param new function(ml) -> the estimator
function M.workload(what, bar, peer, new)
   return {
      title = what .. ", 100k x 30, 3 classes, 100 trees grown out, 5 columns a node", rows = 100000, bar = bar,
      columns = { "accuracy" },
      criterion = { key = "accuracy", better = "higher", share = 0.01 },
      peers = { { "scikit-learn", "forest.py", peer } }, make = make, quality = data.accuracy,
      ours = function(ml, path) return data.fit_nine_tenths(new, ml, path) end,
   }
end

return M
