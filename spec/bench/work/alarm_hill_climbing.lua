-- The structure of alarm from its rows by hill climbing with BIC. Quality: the score that was reached.
return {
   title = "Bayesian network, alarm: hill climbing on 20k rows, BIC", rows = 20000, bar = 0.3,
   columns = { "score" }, criterion = { key = "score", better = "higher", share = 0.01 },
   peers = { { "pyAgrum", "alarm.py", "agrum_learn" }, { "pgmpy", "alarm.py", "pgmpy_learn" } },
   make = function(ml, path, n)
      local net, columns = ml.read_bif "examples/data/alarm.bif", {}
      local rows = net:sample(n, 1)
      for j, name in ipairs(net:order()) do columns[j] = rows[name]:codes() end
      ml.write_npy(path "X.npy", ml.hcat(table.unpack(columns)))
   end,
   ours = function(ml, path)
      local X, columns = ml.read_npy(path "X.npy"), {}
      for j = 1, X.cols do columns[j] = { "x" .. j, ml.Factor(X:col(j):copy()) } end
      local frame = ml.Frame(columns)
      return function() return ml.BayesNet { structure = "hill_climbing" }:fit(frame) end
   end,
   quality = function(_, model) return { score = model.structure_score } end,
}
