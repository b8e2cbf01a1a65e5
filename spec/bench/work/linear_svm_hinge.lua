local texts = dofile "spec/bench/work/logistic_l1.lua"
local P, C = 50000, 1

return {
   title = "linear SVM, hinge loss, sparse 200k x 50k, C = 1, no constant", rows = 200000, bar = 0.5,
   columns = { "objective" },
   judge = { key = "objective", better = "lower", share = 1e-5 },
   peers = {
      { "liblinear -s 3 -e 0.1", "linear_svm.py", "hinge" },
      { "liblinear -s 3 -e 1e-3", "linear_svm.py", "hinge-exact" },
   },
   limit = function(machine, n) return 10 * n * 50 * 12e-9 / machine.gb_per_s end,
   limit_of = "10 reads of X",
   make = texts.make,
   ours = function(ml, path)
      local x, y = ml.read_svmlight(path "rows.svm", { cols = P })
      local settings = { loss = "hinge", C = C, fit_intercept = false, tol = 1e-5 }
      return function() return ml.LinearSVC(settings):fit(x, y) end, { x = x, y = y }
   end,
   quality = function(_, model, data)
      local b = model.coef
      local losses = (1 - (data.x * b):mul(data.y)):clip(0, math.huge)
      return { objective = C * losses:sum() + b:dot(b) / 2 }
   end,
}
