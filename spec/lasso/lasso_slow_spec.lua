local ml = require "manilius"
local support = dofile "spec/support.lua"

local near, near_all = support.near, support.near_all

--- The largest violation of the optimality conditions, as a fraction of the penalty; and the primal and dual objectives
-- (of the residual scaled until it is feasible), computed from x and y alone.
local function conditions(model, x, y, l1, l2, positive)
   local n, worst, most = x.rows, 0, 0
   local r = y - x * model.coef
   r = r - r:mean()
   local slopes = x:t() * r / n
   local sizes, ridge, inner, squares = 0, 0, 0, r:dot(r) / n
   for j = 1, x.cols do
      local b = model.coef[j]
      local slope = slopes[j] - l2 * b
      local pull = positive and slope or math.abs(slope)
      worst = math.max(worst, b ~= 0 and math.abs(slope - (b > 0 and l1 or -l1)) or pull - l1)
      most = math.max(most, pull)
      sizes, ridge, inner = sizes + l1 * math.abs(b), ridge + l2 * b * b, inner + slope * b
   end
   local share = math.min(1, l1 / most)
   local primal = squares / 2 + sizes + ridge / 2
   return worst / l1, primal, primal - (1 - share) ^ 2 * (squares + ridge) / 2 - sizes + share * inner
end

local function holds(model, x, y, most_sweeps, positive)
   local share = model:get_params().l1_ratio or 1
   local l1, l2 = model.alpha * share, model.alpha * (1 - share)
   local worst, primal, dual = conditions(model, x, y, l1, l2, positive)
   assert(model.converged and model.n_iter <= most_sweeps, ("%d sweeps"):format(model.n_iter))
   assert(worst < 1e-4, ("a gradient is off by %g of the penalty"):format(worst))
   assert(primal - dual < 1e-7 * primal, ("gap of %g at %g"):format(primal - dual, primal))
   near(primal, model.objective, 1e-9, "objective")
   local trace = model.trace
   for k = 2, #trace do assert(trace[k] <= trace[k - 1] * (1 + 1e-11), ("sweep %d rises"):format(k)) end
end

local function problem(n, p)
   local x, b = ml.StandardScaler {}:fit_transform(ml.normal(n, p, 1)), ml.Vector(p)
   for j = 1, 20 do b[j] = j % 2 == 0 and 1 or -1 end
   return x, x * b + ml.normal(n, nil, 2)
end

-- Without Newton steps tens of thousands of sweeps would not be enough: with more columns than rows coefficients move
-- along directions in which the loss is flat.
describe("Lasso with more columns than rows and a small alpha converges in some hundred sweeps:", function()
   for _, size in ipairs { { 200, 1000 }, { 100, 400 } } do
      local x, y = problem(size[1], size[2])

      it(("%d rows, %d columns"):format(size[1], size[2]), function()
         for alpha, most in pairs { [0.1] = 100, [0.01] = 300, [0.001] = 1000 } do
            local model = ml.Lasso { alpha = alpha, tol = 1e-10 }:fit(x, y)
            holds(model, x, y, most)
            if alpha > 0.001 then
               near_all(ml.LassoLars { alpha = alpha }:fit(x, y).coef, model.coef, 1e-5, "coef", 1)
            end
            local loose = ml.Lasso { alpha = alpha, tol = 1e-5 }:fit(x, y)
            assert(loose.converged and loose.gap >= loose.objective - model.objective - 1e-12)
         end
      end)

      it(("%d rows, %d columns, non-negative or with an L2 penalty"):format(size[1], size[2]), function()
         local positive = ml.Lasso { alpha = 0.01, tol = 1e-10, positive = true }:fit(x, y)
         holds(positive, x, y, 500, true)
         for j = 1, x.cols do assert(positive.coef[j] >= 0) end
         local net = ml.ElasticNet { alpha = 0.002, l1_ratio = 0.8, tol = 1e-10 }:fit(x, y)
         holds(net, x, y, 600)
      end)

      it(("%d rows, %d columns, half of them duplicates"):format(size[1], size[2]), function()
         local twice = ml.hcat(x, x:slice(1, x.rows, 1, x.cols // 2))
         local model = ml.Lasso { alpha = 0.01, tol = 1e-10 }:fit(twice, y)
         holds(model, twice, y, 400)
         near(ml.Lasso { alpha = 0.01, tol = 1e-10 }:fit(x, y).objective, model.objective, 1e-9, "objective")
      end)
   end

   it("sparse rows", function()
      local s = ml.normal(200, 1000, 1):mul(ml.random(200, 1000, 4):lt(0.05))
      local b = ml.Vector(1000)
      for j = 1, 30 do b[j] = 1 end
      local y = s * b + ml.normal(200, nil, 2) * 0.5
      for _, constant in ipairs { true, false } do
         local settings = { alpha = 0.0003, tol = 1e-10, fit_intercept = constant }
         local sparse, dense = ml.Lasso(settings):fit(ml.Sparse.from(s), y), ml.Lasso(settings):fit(s, y)
         if constant then holds(sparse, s, y, 1000) end
         assert(sparse.converged and sparse.n_iter <= 1000)
         near(dense.objective, sparse.objective, 1e-9, "objective")
      end
   end)
end)
