--- What the workloads of single trees and of boosted stumps share: 20 columns, and two classes that noise keeps from
-- being told apart early.
local data = require "data"

local P = 20

local M = {}

local function make(ml, path, n)
   local x, noise = ml.normal(n, P, 1), ml.normal(n, nil, 2)
   ml.write_npy(path "X.npy", x)
   local score = x:col(1) * 2 + x:col(2):mul(x:col(3)) + x:col(4):abs() + noise * 1.5
   ml.write_npy(path "y.npy", ml.Matrix(score:gt(0.8)))
end

--- A workload. `peers` are { name, file } of which the function `peer` is asked.
-- @param new function(ml) -> the estimator
function M.workload(what, rows, bar, peer, peers, new)
   for _, one in ipairs(peers) do one[3] = peer end
   return {
      title = ("%s, %dk x %d, 2 classes"):format(what, rows // 1000, P), rows = rows, bar = bar,
      columns = { "accuracy" },
      criterion = { key = "accuracy", better = "higher", share = 0.01 },
      peers = peers, make = make, quality = data.accuracy,
      ours = function(ml, path) return data.fit_nine_tenths(new, ml, path) end,
   }
end

return M
