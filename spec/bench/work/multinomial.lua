local files = require "data"
local images = require "images"
local P, K = 784, 10

-- The race is to the objective that scikit-learn reaches in its 100 iterations, short of the optimum.
local function objective(model, data)
   local log_p, sum, coef = model:predict_log_proba(data.x), 0, model.coef
   for i = 1, #data.y do sum = sum - log_p:get(i, data.y[i] // 1 + 1 | 0) end
   return sum + coef:square():sum() / 2
end

return {
   title = "multinomial regression, 60k x 784 pictures, 10 classes, C = 1, to the objective of 100 iterations of "
      .. "scikit-learn", rows = 60000, bar = 0.25, race = "scikit-learn lbfgs, 100 iterations",
   columns = { "objective", "iterations" }, -- ours stops at the first iteration that reaches it, maybe well below
   criterion = { key = "objective", better = "lower", share = 1e-2 },
   peers = { { "scikit-learn lbfgs, 100 iterations", "multinomial.py", "lbfgs" } },
   limit = function(machine, n, ours)
      local evaluations = (ours.iterations or 100) * 1.1
      return evaluations * math.max(n * P * 8e-9 / machine.gb_per_s, 4 * n * P * K / machine.gemm / 1e9)
   end,
   limit_of = "X read once, or its two products, an evaluation",
   make = function(ml, path, n)
      local x, y = images(ml, n, 21)
      ml.write_npy(path "X.npy", x)
      ml.write_npy(path "y.npy", ml.Matrix(y))
   end,
   ours = function(ml, path, _, given)
      local data = files.read(ml, path)
      local rounds = 1000
      if given.objective then
         local trace = ml.LogisticRegression { tol = 1e-7 }:fit(data.x, data.y).trace
         rounds = 1
         while rounds < #trace and trace[rounds] > given.objective do rounds = rounds + 1 end
      end
      return function()
         return ml.LogisticRegression { max_iter = rounds, tol = 0 }:fit(data.x, data.y)
      end, data
   end,
   quality = function(_, model, data)
      return { objective = objective(model, data), iterations = model.n_iter }
   end,
}
