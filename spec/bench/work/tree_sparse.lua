-- Words of texts: the first columns are common, most are rare. A hundredth of them says what the label is.
local P, WORDS, TELLING = 20000, 50, 200

local function make(ml, path, n)
   local place, value = ml.random(n, WORDS, 1), ml.random(n, WORDS, 2)
   local share, noise = ml.normal(P, nil, 3), ml.normal(n, nil, 4)
   local entries, y = {}, {}
   for i = 1, n do
      local seen, score = {}, 0
      for k = 1, WORDS do
         local j = math.floor(P * place:get(i, k) ^ 3) + 1
         if not seen[j] then
            seen[j] = true
            entries[#entries + 1] = { i, j, 0.1 + value:get(i, k) }
            if j % (P // TELLING) == 1 then score = score + share[j] end
         end
      end
      y[i] = score + 0.3 * noise[i] > 0 and 1 or 0
   end
   ml.write_svmlight(path "X.svm", ml.Sparse { rows = n, cols = P, entries = entries }, y)
end

local function halves(ml, path)
   local x, y = ml.read_svmlight(path "X.svm", { cols = P })
   local n = x.rows * 9 // 10
   return x:take(ml.range(n)), y:take(ml.range(n)), x:take(ml.range(n + 1, x.rows)), y:take(ml.range(n + 1, x.rows))
end

return {
   title = "one decision tree grown out, sparse 20k x 20k of 50 values a row, 2 classes", rows = 20000, bar = 0.5,
   columns = { "accuracy" },
   criterion = { key = "accuracy", better = "higher", share = 0.02 },
   peers = { { "scikit-learn", "tree_sparse.py", "sklearn" } },
   make = make,
   ours = function(ml, path)
      local x, y, test, answers = halves(ml, path)
      return function()
         return { model = ml.DecisionTreeClassifier {}:fit(x, y), test = test, answers = answers }
      end
   end,
   quality = function(_, r) return { accuracy = r.model:score(r.test, r.answers) } end,
}
