local P, FACTORS = 30, 8

return {
   title = "KNNImputer 5k x 30, a tenth missing, 5 neighbors", rows = 5000, bar = 0.3,
   -- The error of the imputed values against those that were removed, in standard deviations.
   columns = { "rmse" }, criterion = { key = "rmse", better = "lower", share = 0.01 },
   peers = { { "scikit-learn", "knn_imputer.py", "sklearn" } },
   make = function(ml, path, n)
      local full = ml.normal(n, FACTORS, 1) * ml.normal(FACTORS, P, 2) + ml.normal(n, P, 3)
      local holes = ml.random(n, P, 4)
      local X = full:copy()
      for i = 1, n do
         for j = 1, P do
            if holes:get(i, j) < 0.1 then X:set(i, j, 0 / 0) end
         end
      end
      ml.write_npy(path "full.npy", full)
      ml.write_npy(path "X.npy", X)
   end,
   ours = function(ml, path)
      local data = { full = ml.read_npy(path "full.npy"), x = ml.read_npy(path "X.npy") }
      return function() return ml.KNNImputer {}:fit_transform(data.x) end, data
   end,
   quality = function(_, out, data)
      local gaps = 1 - data.x:isfinite()
      local error2 = (out - data.full):mul(out - data.full):mul(gaps):sum()
      return { rmse = math.sqrt(error2 / gaps:sum()) }
   end,
}
