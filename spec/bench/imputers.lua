--- The workloads of imputers: rows of 8 common factors with noise, a tenth of the values missing.
local FACTORS = 8

--- @param o { title =, rows =, cols =, peer = its file, impute = function(ml, X) }
return function(o)
   local p = o.cols
   return {
      title = o.title, rows = o.rows, bar = 0.3,
      -- The error of the imputed values against those that were removed, in standard deviations.
      columns = { "rmse" }, criterion = { key = "rmse", better = "lower", share = 0.01 },
      peers = { { "scikit-learn", o.peer, "sklearn" } },
      make = function(ml, path, n)
         local full = ml.normal(n, FACTORS, 1) * ml.normal(FACTORS, p, 2) + ml.normal(n, p, 3)
         local holes = ml.random(n, p, 4)
         local X = full:copy()
         for i = 1, n do
            for j = 1, p do
               if holes:get(i, j) < 0.1 then X:set(i, j, 0 / 0) end
            end
         end
         ml.write_npy(path "full.npy", full)
         ml.write_npy(path "X.npy", X)
      end,
      ours = function(ml, path)
         local data = { full = ml.read_npy(path "full.npy"), x = ml.read_npy(path "X.npy") }
         ml.warnings "off"
         return function() return o.impute(ml, data.x) end, data
      end,
      quality = function(_, out, data)
         local gaps = 1 - data.x:isfinite()
         local error2 = (out - data.full):mul(out - data.full):mul(gaps):sum()
         return { rmse = math.sqrt(error2 / gaps:sum()) }
      end,
   }
end
