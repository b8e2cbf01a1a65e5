local P, TREES = 30, 100

return {
   title = "random forest, 100k x 30, 3 classes, 100 trees grown out, 5 columns a node", rows = 100000, bar = 0.3,
   columns = { "accuracy" },
   judge = { key = "accuracy", better = "higher", share = 0.01 },
   peers = { { "scikit-learn", "forest.py", "random_forest" } },
   make = function(ml, path, n)
      local x, noise = ml.normal(n, P, 1), ml.normal(n, nil, 2)
      ml.write_npy(path "X.npy", x)
      local score = x:col(1) * 2 + x:col(2):mul(x:col(3)) + noise * 1.5
      ml.write_npy(path "y.npy", ml.Matrix(score:gt(-1) + score:gt(1)))
   end,
   ours = function(ml, path)
      local x, y = ml.read_npy(path "X.npy"), ml.read_npy(path "y.npy"):col(1)
      local n = x.rows * 9 // 10
      local labels = y:slice(1, n)
      local train, test, answers = x:slice(1, n):copy(), x:slice(n + 1, x.rows):copy(), y:slice(n + 1, x.rows)
      return function()
         local model = ml.RandomForestClassifier { n_estimators = TREES, max_features = 5 }:fit(train, labels)
         return { model = model, test = test, answers = answers }
      end
   end,
   quality = function(_, r)
      local label, right = r.model:predict(r.test), 0
      for i = 1, #label do right = right + (label[i] == r.answers[i] and 1 or 0) end
      return { accuracy = right / #label }
   end,
}
