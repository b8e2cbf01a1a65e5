local P, K = 50, 5

return {
   title = "factor analysis, 100k x 50, 5 factors", rows = 100000, bar = 0.5,
   columns = { "uniqueness" }, criterion = { key = "uniqueness", better = "lower", share = 1e-4 },
   peers = { { "R factanal", "factanal.R", "factanal" } },
   limit = function(machine, n) return n * P * P / machine.gemm / 1e9 end,
   limit_of = "the correlations at the speed of GEMM",
   make = function(ml, path, n)
      ml.write_npy(path "X.npy", ml.normal(n, K, 1) * ml.normal(K, P, 2) + ml.normal(n, P, 3))
   end,
   ours = function(ml, path)
      local x = ml.read_npy(path "X.npy")
      return function() return ml.FactorAnalysis { n_components = K }:fit(x) end, x
   end,
   quality = function(_, model) return { uniqueness = model:summary().uniquenesses:sum() } end,
}
