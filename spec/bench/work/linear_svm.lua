local texts = dofile "spec/bench/work/logistic_l1.lua"
local P, C = 50000, 1

return {
   title = "linear SVM, squared hinge loss, sparse 200k x 50k, C = 1, no constant", rows = 200000, bar = 0.5,
   columns = { "objective" },
   judge = { key = "objective", better = "lower", share = 1e-7 },
   peers = {
      { "liblinear -s 2 -e 0.01", "linear_svm.py", "squared" },
      { "liblinear -s 2 -e 1e-5", "linear_svm.py", "squared-exact" },
      { "liblinear -s 1 -e 0.1", "linear_svm.py", "squared-dual" },
   },
   limit = function(machine, n) return 20 * n * 50 * 12e-9 / machine.gb_per_s end,
   limit_of = "20 reads of X",
   make = texts.make,
   ours = function(ml, path)
      local x, y = ml.read_svmlight(path "rows.svm", { cols = P })
      local settings = { loss = "squared_hinge", C = C, fit_intercept = false, tol = 1e-8 }
      return function() return ml.LinearSVC(settings):fit(x, y) end, { x = x, y = y }
   end,
   quality = function(_, model, data)
      local b = model.coef
      local losses = (1 - (data.x * b):mul(data.y)):clip(0, math.huge)
      return { objective = C * losses:dot(losses) + b:dot(b) / 2 }
   end,
}
