local P, C, VALUES = 50000, 1, 50

--- Rows like texts: few columns that are common, many that are rare; each row of length 1.
local function write_rows(ml, name, n)
   local b, file = ml.normal(P, nil, 1), assert(io.open(name, "w"))
   local piece = 10000
   for first = 1, n, piece do
      local rows = math.min(piece, n - first + 1)
      local where, noise = ml.random(rows, VALUES, 1000 + first), ml.random(rows, nil, 2000 + first)
      local lines = {}
      for i = 1, rows do
         local seen, cols, words, z = {}, {}, {}, 0
         for k = 1, VALUES do
            local j = 1 + math.floor(P * where:get(i, k) ^ 3)
            if not seen[j] then cols[#cols + 1] = j end
            seen[j] = true
         end
         table.sort(cols)
         local value = 1 / math.sqrt(#cols)
         for k, j in ipairs(cols) do
            if j % 10 == 0 then z = z + 4 * value * b[j] end
            words[k] = ("%d:%.6f"):format(j, value)
         end
         lines[i] = (noise[i] < 1 / (1 + math.exp(-z)) and "1 " or "-1 ") .. table.concat(words, " ")
      end
      file:write(table.concat(lines, "\n"), "\n")
   end
   file:close()
end

return {
   title = "logistic regression with an L1 penalty, sparse 200k x 50k, C = 1, no constant", rows = 200000, bar = 0.8,
   columns = { "objective", "used" }, -- used: weights that are not 0
   judge = { key = "objective", better = "lower", share = 1e-6 },
   peers = {
      { "liblinear -s 6 -e 0.01", "logistic_l1.py", "library" },
      { "liblinear -s 6 -e 1e-4", "logistic_l1.py", "library-exact" },
      { "scikit-learn liblinear tol=0.01", "logistic_l1.py", "sklearn" },
      { "scikit-learn liblinear tol=1e-4", "logistic_l1.py", "sklearn-exact" },
   },
   limit = function(machine, n) return 10 * n * VALUES * 12e-9 / machine.gb_per_s end,
   limit_of = "10 reads of X",
   make = function(ml, path, n) write_rows(ml, path "rows.svm", n) end,
   ours = function(ml, path)
      local x, y = ml.read_svmlight(path "rows.svm", { cols = P })
      local settings = { penalty = "l1", C = C, fit_intercept = false, tol = 1e-6 }
      return function() return ml.LogisticRegression(settings):fit(x, y) end, { x = x, y = y }
   end,
   quality = function(_, model, data)
      local b, y = model.coef, data.y
      local z = data.x * b
      local loss = z:mul(-y):clip(0, math.huge) + ((-z:abs()):exp()):log1p()
      return { objective = C * loss:sum() + b:abs():sum(), used = P - b:eq(0):sum() }
   end,
}
