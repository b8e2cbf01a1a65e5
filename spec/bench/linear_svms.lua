--- The workloads of linear support vector machines: one for each loss, on the same rows.
local texts = require "texts"

local C = 1

--- @param o { loss =, title = name of the loss, tol = relative duality gap, share =, peers =, reads = of X,
--   sum = function(violations) }
return function(o)
   return {
      title = ("linear SVM, %s loss, sparse 200k x 50k, C = 1, no constant"):format(o.title), rows = 200000, bar = 0.5,
      columns = { "objective" }, criterion = { key = "objective", better = "lower", share = o.share }, peers = o.peers,
      limit = function(machine, n) return o.reads * n * texts.values * 12e-9 / machine.gb_per_s end,
      limit_of = o.reads .. " reads of X",
      make = texts.make,
      ours = function(ml, path)
         local data = texts.read(ml, path)
         local settings = { loss = o.loss, C = C, fit_intercept = false, tol = o.tol }
         return function() return ml.LinearSVC(settings):fit(data.x, data.y) end, data
      end,
      quality = function(_, model, data)
         local b = model.coef
         local violations = (1 - (data.x * b):mul(data.y)):clip(0, math.huge)
         return { objective = C * o.sum(violations) + b:dot(b) / 2 }
      end,
   }
end
