-- Posteriors of all 37 nodes of alarm for evidence that changes from query to query. Quality: the mean entropy.
local QUERIES = 200

local function posteriors(net)
   local last
   for i = 1, QUERIES do last = net:marginals { HRBP = ({ "LOW", "NORMAL", "HIGH" })[i % 3 + 1] } end
   return last.labels
end

return {
   title = "Bayesian network, alarm: 200 queries of all marginals", rows = QUERIES, bar = 0.2,
   columns = { "entropy" }, criterion = { key = "entropy", better = "lower", share = 1e-5 },
   peers = { { "pyAgrum", "alarm.py", "marginals" } },
   make = function() end,
   ours = function(ml)
      local net = ml.read_bif "examples/data/alarm.bif"
      return function() return posteriors(net) end
   end,
   quality = function(_, labels)
      local sum = 0
      for i = 1, labels.rows do
         local p = labels.probability[i]
         if p > 0 then sum = sum - p * math.log(p) end
      end
      return { entropy = sum / 37 }
   end,
}
