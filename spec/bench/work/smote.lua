local P = 20

return {
   title = "SMOTE, 100k x 20, of which 20k rows are rare", rows = 100000, bar = 0.4,
   -- New rows lie between neighbors: the standard deviation of their columns is less than that of the rare rows.
   columns = { "rows", "std" }, criterion = { key = "rows", better = "lower", share = 1e-9 },
   peers = { { "imbalanced-learn", "smote.py", "imblearn" } },
   limit = function(machine, n) return 2 * (n / 5) ^ 2 * P / machine.gemm_f32 / 1e9 end,
   limit_of = "one product of the rare rows in float32",
   make = function(ml, path, n)
      local X, y = ml.normal(n, P, 71), ml.Vector(n)
      for i = 1, n do
         y[i] = i % 5 == 0 and 1 or 0
         for j = 1, i % 5 == 0 and 3 or 0 do X:set(i, j, X:get(i, j) + 1.5) end
      end
      ml.write_npy(path "X.npy", X)
      ml.write_npy(path "y.npy", y)
   end,
   ours = function(ml, path)
      local x, labels = ml.read_npy(path "X.npy"), ml.Factor(ml.read_npy(path "y.npy"):col(1):totable())
      return function() return { (ml.SMOTE {}:fit_resample(x, labels)) } end, x
   end,
   quality = function(_, out, x)
      local made, sum = out[1]:slice(x.rows + 1, out[1].rows), 0
      for j = 1, P do sum = sum + made:col(j):copy():std() end
      return { rows = out[1].rows, std = sum / P }
   end,
}
