local ml = require "manilius"
local support = dofile "spec/support.lua"

local near, near_all = support.near, support.near_all

--- The largest violation of the optimality conditions of group penalties, and the primal and dual objectives, computed
-- from X and Y alone.
local function conditions(model, X, Y, groups, l1, l2)
   local n, p, q, B = X.rows, X.cols, Y.cols, ml.Matrix(X.cols, Y.cols)
   for t = 1, q do
      for j = 1, p do B:set(j, t, q > 1 and model.coef[t][j] or model.coef[j]) end
   end
   local R = Y - X * B
   local residual, ridge, inner, penalty, most, off = 0, 0, 0, 0, 0, 0
   for t = 1, q do
      local mean = R:col(t):mean()
      for i = 1, n do
         R:set(i, t, R:get(i, t) - mean)
         residual = residual + R:get(i, t) ^ 2 / n
      end
   end
   local G = X:t() * R / n
   local members = {}
   for j = 1, p do
      local g = groups and groups[j] or j
      members[g] = members[g] or {}
      table.insert(members[g], j)
   end
   for _, columns in pairs(members) do
      local size, steep, bound = 0, 0, l1 * (groups and math.sqrt(#columns) or 1)
      for _, j in ipairs(columns) do
         for t = 1, q do
            local b = B:get(j, t)
            local slope = G:get(j, t) - l2 * b
            size, steep, inner, ridge = size + b ^ 2, steep + slope ^ 2, inner + slope * b, ridge + l2 * b ^ 2
         end
      end
      size, steep = math.sqrt(size), math.sqrt(steep)
      penalty, most = penalty + bound * size, math.max(most, steep / bound)
      for _, j in ipairs(columns) do
         for t = 1, q do
            local slope = G:get(j, t) - l2 * B:get(j, t)
            if size > 0 then off = math.max(off, math.abs(slope - bound * B:get(j, t) / size) / bound) end
         end
      end
   end
   local share = 1 / math.max(most, 1)
   local primal = residual / 2 + ridge / 2 + penalty
   return math.max(off, most - 1), primal, primal - (1 - share) ^ 2 * (residual + ridge) / 2 - penalty + share * inner
end

local function holds(model, X, Y, groups, l1, l2, most_rounds)
   local off, primal, dual = conditions(model, X, Y, groups, l1, l2)
   assert(model.converged and model.n_iter <= most_rounds, ("%d sweeps"):format(model.n_iter))
   assert(off < 1e-5, ("a gradient is off by %g of the penalty"):format(off))
   assert(primal - dual < 1e-9 * primal, ("gap of %g at %g"):format(primal - dual, primal))
   near(primal, model.objective, 1e-9, "objective")
   local trace = model.trace
   for k = 2, #trace do assert(trace[k] <= trace[k - 1] * (1 + 1e-12), ("sweep %d rises"):format(k)) end
end

describe("Group penalties with more columns than rows and a small alpha:", function()
   local X = ml.normal(40, 120, 1)
   local Y = ml.hcat(
      X:slice(1, 40, 1, 1) * 3 - X:slice(1, 40, 2, 2) * 2 + X:slice(1, 40, 7, 7) + ml.normal(40, 1, 2),
      X:slice(1, 40, 3, 3) + ml.normal(40, 1, 5),
      ml.normal(40, 1, 6)
   )
   local y = Y:slice(1, 40, 1, 1):copy()
   local fours, mixed = {}, {}
   for j = 1, 120 do
      fours[j], mixed[j] = (j - 1) // 4, math.floor(math.sqrt(j))
   end

   it("GroupLasso reaches the minimum in few sweeps", function()
      for alpha, most in pairs { [0.1] = 40, [0.01] = 120, [0.001] = 300 } do
         for _, groups in ipairs { fours, mixed } do
            local model = ml.GroupLasso { alpha = alpha, groups = groups, tol = 1e-13 }:fit(X, y:col(1))
            holds(model, X, y, groups, alpha, 0, most)
         end
      end
   end)

   it("GroupLasso of single columns agrees with LassoLars", function()
      local model = ml.GroupLasso { alpha = 0.01, tol = 1e-13 }:fit(X, y:col(1))
      holds(model, X, y, nil, 0.01, 0, 300)
      near_all(ml.LassoLars { alpha = 0.01 }:fit(X, y:col(1)).coef, model.coef, 1e-7, "coef", 1)
   end)

   it("MultiTaskLasso and MultiTaskElasticNet reach the minimum in few sweeps", function()
      for alpha, most in pairs { [0.1] = 60, [0.01] = 250 } do
         holds(ml.MultiTaskLasso { alpha = alpha, tol = 1e-13 }:fit(X, Y), X, Y, nil, alpha, 0, most)
         local net = ml.MultiTaskElasticNet { alpha = alpha, l1_ratio = 0.7, tol = 1e-13 }:fit(X, Y)
         holds(net, X, Y, nil, 0.7 * alpha, 0.3 * alpha, most)
      end
   end)

   it("duplicate columns share a coefficient", function()
      local twice = {}
      for j = 1, 240 do twice[j] = fours[(j - 1) % 120 + 1] end
      local XX = ml.hcat(X, X)
      local model = ml.GroupLasso { alpha = 0.01 / math.sqrt(2), groups = twice, tol = 1e-12 }:fit(XX, y:col(1))
      holds(model, XX, y, twice, 0.01 / math.sqrt(2), 0, 300)
      for j = 1, 120 do near(model.coef[j], model.coef[j + 120], 1e-7, "coef of duplicate columns", 1) end
   end)
end)
