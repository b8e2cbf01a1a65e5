--- What the workloads of single trees and of boosted stumps share: 20 columns, and two classes that noise keeps from
-- being told apart early.
local P = 20

local M = {}

local function make(ml, path, n)
   local x, noise = ml.normal(n, P, 1), ml.normal(n, nil, 2)
   ml.write_npy(path "X.npy", x)
   local score = x:col(1) * 2 + x:col(2):mul(x:col(3)) + x:col(4):abs() + noise * 1.5
   ml.write_npy(path "y.npy", ml.Matrix(score:gt(0.8)))
end

-- Fitted to nine tenths of the rows, judged by the others.
local function fit(new, ml, path)
   local x, y = ml.read_npy(path "X.npy"), ml.read_npy(path "y.npy"):col(1)
   local n = x.rows * 9 // 10
   local labels = y:slice(1, n)
   local train, test, answers = x:slice(1, n):copy(), x:slice(n + 1, x.rows):copy(), y:slice(n + 1, x.rows)
   return function() return { model = new(ml):fit(train, labels), test = test, answers = answers } end
end

local function accuracy(_, r)
   local label, right = r.model:predict(r.test), 0
   for i = 1, #label do right = right + (label[i] == r.answers[i] and 1 or 0) end
   return { accuracy = right / #label }
end

--- A workload. `peers` are { name, file } of which the function `peer` is asked.
-- @param new function(ml) -> the estimator
function M.workload(what, rows, bar, peer, peers, new)
   for _, one in ipairs(peers) do one[3] = peer end
   return {
      title = ("%s, %dk x %d, 2 classes"):format(what, rows // 1000, P), rows = rows, bar = bar,
      columns = { "accuracy" },
      judge = { key = "accuracy", better = "higher", share = 0.01 },
      peers = peers, make = make, quality = accuracy,
      ours = function(ml, path) return fit(new, ml, path) end,
   }
end

return M
