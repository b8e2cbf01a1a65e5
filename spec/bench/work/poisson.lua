local files = require "data"

local P = 50

-- Mean unit deviance over 2, plus the penalty: what all of them minimize.
local function objective(data, b, c, alpha)
   local eta = data.x * b + c
   local mu, y = eta:exp(), data.y
   local loss = (mu - y:mul(eta)):sum() / #y
   local residual = mu - y
   local gradient = data.x:t() * residual * (1 / #y) + b * alpha
   return { objective = loss + alpha / 2 * b:dot(b), gradient = gradient:abs():max() }
end

return {
   title = "Poisson regression, 500k x 50, alpha = 1e-4", rows = 500000, bar = 0.5,
   columns = { "objective", "gradient" },
   criterion = { key = "objective", better = "lower", share = 1e-9 },
   peers = {
      { "scikit-learn lbfgs tol=1e-6", "poisson.py", "lbfgs" },
      { "scikit-learn newton-cholesky", "poisson.py", "newton" },
      { "statsmodels IRLS (no penalty)", "poisson.py", "statsmodels" },
   },
   limit = function(machine, n) return 6 * n * P * 8e-9 / machine.gb_per_s end,
   limit_of = "6 reads of X",
   make = function(ml, path, n)
      local x = ml.normal(n, P, 1)
      local mean, u = (x * (ml.normal(P, nil, 2) * 0.1) + 0.5):exp(), ml.random(n, nil, 3)
      local y = {}
      for i = 1, n do -- by inversion
         local k, term, sum = 0, math.exp(-mean[i]), 0
         while sum + term < u[i] and k < 1000 do
            sum, k = sum + term, k + 1
            term = term * mean[i] / k
         end
         y[i] = { k }
      end
      ml.write_npy(path "X.npy", x)
      ml.write_npy(path "y.npy", ml.Matrix(y))
   end,
   ours = function(ml, path)
      local data = files.read(ml, path)
      return function() return ml.PoissonRegressor { alpha = 1e-4 }:fit(data.x, data.y) end, data
   end,
   quality = function(_, model, data) return objective(data, model.coef, model.intercept, 1e-4) end,
}
