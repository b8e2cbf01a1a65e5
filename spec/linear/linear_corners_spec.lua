--- Linear models with piecewise linear losses: solver auto reaches the minimum with every penalty.

local ml = require "manilius"
local support = require "spec.support"
local oracle = dofile "spec/fixtures/linear/linear_corners.lua"
local near, near_all = support.near, support.near_all

-- Reference implementations of the losses; y is -1 or 1 for classes, s the settings.
local loss = {
   hinge = function(y, z) return math.max(0, 1 - y * z) end,
   absolute_error = function(y, z) return math.abs(y - z) end,
   epsilon_insensitive = function(y, z, s) return math.max(0, math.abs(y - z) - s.epsilon) end,
   quantile = function(y, z, s) return (y - z) * (s.quantile - (y < z and 1 or 0)) end,
}
local ratio = { none = 0, l2 = 0, l1 = 1, elasticnet = 0.4 }

local function objective(s, X, y, w, b, c)
   local z, sum, total = X * b + c, 0, 0
   for i = 1, #y do
      sum, total = sum + (w and w[i] or 1) * loss[s.loss](y[i], z[i], s), total + (w and w[i] or 1)
   end
   local alpha, r = s.penalty == "none" and 0 or s.alpha, ratio[s.penalty]
   return sum / total + alpha * (r * b:abs():sum() + (1 - r) / 2 * b:dot(b))
end

local n, p = 120, 5
local X = ml.normal(n, p, 1) + 2
local score = X * ml.Vector { 1, -2, 0, 0.5, 0 } + ml.normal(n, nil, 2)
local real, sign, label, weights = {}, {}, {}, {}
for i = 1, n do
   real[i] = score[i]
   sign[i] = score[i] > score:mean() and 1 or -1
   label[i] = sign[i] > 0 and "up" or "down"
   weights[i] = i % 3 -- 0 removes the row
end

local function new(name, penalty, more)
   local s = { loss = name, penalty = penalty, alpha = 0.03, l1_ratio = 0.4 }
   if name ~= "hinge" then s.epsilon, s.quantile = 0.4, 0.3 end
   for key, value in pairs(more or {}) do s[key] = value end
   return (name == "hinge" and ml.LinearModelClassifier or ml.LinearModelRegressor)(s), s
end

-- The y passed to fit and the y of the loss.
local function targets_of(name)
   if name == "hinge" then return label, sign end
   return real, real
end

local function parts(model)
   local b, c, gap = model.coef, model.intercept, model.gap
   if type(c) == "number" then return b, c, gap end
   return b:row(1), c[1], gap[1]
end

local function each(run)
   for name in pairs(loss) do
      for penalty in pairs(ratio) do run(name, penalty, name .. ", " .. penalty) end
   end
end

describe("LinearModel with a piecewise linear loss", function()
   it("agrees with libsvm and with linear programming", function()
      local iris, species = support.data("iris", "species")
      local flowers = (iris:matrix():slice(51, 150) - 4) / 2
      local sugar, progression = support.scaled_diabetes()
      assert.equal(14, #oracle)
      for k, case in ipairs(oracle) do
         local model = case.kind == "classifier"
            and ml.LinearModelClassifier(case.settings):fit(flowers, species:slice(51, 150))
            or ml.LinearModelRegressor(case.settings):fit(sugar, progression)
         assert.is_true(model.converged)
         assert(model.objective <= case.objective * (1 + 1e-10), "objective of case " .. k) -- libsvm: 8 digits
         near(case.objective, model.objective, case.coef and 1e-7 or 1e-10, "objective of case " .. k)
         local b, _, gap = parts(model)
         assert(gap >= 0 and gap <= 1e-10, ("case %d: gap %g"):format(k, gap))
         if case.coef then near_all(case.coef, b, 2e-5, "case " .. k, 1) end
      end
   end)

   it("is within its duality gap of the minimum and reports the true objective", function()
      each(function(name, penalty, what)
         for _, constant in ipairs { true, false } do
            local model, s = new(name, penalty, { fit_intercept = constant })
            local given, y = targets_of(name)
            model:fit(X, given, { weights = weights })
            local b, c, gap = parts(model)
            assert.is_true(model.converged, what)
            assert(gap >= 0 and gap <= 1e-10, what)
            near(objective(s, X, y, weights, b, c), model.objective, 1e-11, what)
            for k = 1, 60 do
               local step = 10 ^ -(k % 5)
               local other = objective(s, X, y, weights, b + ml.normal(p, nil, k) * step,
                  constant and c + math.sin(k) * step or 0)
               assert(other >= model.objective - gap - 1e-14, ("%s: %g below"):format(what, model.objective - other))
            end
            if not constant then assert.equal(0, c) end
            for k = 2, #model.trace do assert(model.trace[k] <= model.trace[k - 1], what) end
         end
      end)
   end)

   it("gives the same for sparse and dense rows, and for weights and repeated rows", function()
      local rows = ml.normal(n, 8, 3):mul(ml.random(n, 8, 4):lt(0.4))
      local repeated = {}
      for i = 1, n do
         for _ = 1, weights[i] do repeated[#repeated + 1] = i end
      end
      each(function(name, penalty, what)
         local model, given = new(name, penalty), targets_of(name)
         local dense = model:clone():fit(rows, given, { weights = weights })
         local sparse = model:clone():fit(ml.Sparse.from(rows), given, { weights = weights })
         near(dense.objective, sparse.objective, 1e-10, what)
         local many = {}
         for k, i in ipairs(repeated) do many[k] = given[i] end
         near(dense.objective, model:clone():fit(rows:take(repeated), many).objective, 1e-10, what)
         if penalty == "l2" or penalty == "elasticnet" then -- the solution is unique
            near_all((parts(dense)), (parts(sparse)), 1e-5, what, 1)
         end
      end)
   end)

   it("makes coefficients exactly 0 with an L1 penalty, also with more columns than rows", function()
      local wide = ml.normal(60, 150, 5)
      local z = wide:col(1) * 2 - wide:col(2) + ml.normal(60, nil, 6) * 0.1
      for name in pairs(loss) do
         local y = name == "hinge" and z:gt(0) or z
         local model = new(name, "elasticnet", { alpha = 0.1, l1_ratio = 0.9 }):fit(wide, y)
         local b, _, gap = parts(model)
         local left = b:ne(0):sum()
         assert(left >= 2 and left < 60 and b[1] > 0 and b[2] < 0, ("%s: %g weights"):format(name, left))
         assert(gap <= 1e-9, name)
         near(0, (parts(new(name, "l1", { alpha = 50 }):fit(wide, y))):abs():max(), 1e-12, name, 1)
      end
   end)

   it("fits each class and each target independently", function()
      local flowers, species = support.data("iris", "species")
      local three, sum = ml.LinearModelClassifier { loss = "hinge", alpha = 0.01 }:fit(flowers, species), 0
      assert.equal(3, #three.gap)
      for _, name in ipairs(three.classes) do
         local rest = {}
         for i = 1, 150 do rest[i] = species[i] == name and 1 or 0 end
         sum = sum + ml.LinearModelClassifier { loss = "hinge", alpha = 0.01 }:fit(flowers, rest).objective
      end
      near(sum, three.objective, 1e-10)
      local y = ml.Vector(real)
      local both = new("quantile", "l2"):fit(X, ml.hcat(y, y * 2 + 1))
      near_all(new("quantile", "l2"):fit(X, y * 2 + 1).coef, both.coef:row(2), 1e-9, "second target", 1)
      assert.equal(2, #both.gap)
   end)

   it("handles columns far from 0, duplicate and constant columns, and fits without loss", function()
      local function excess(name, penalty, rows, y)
         local b, c, gap = parts(new(name, penalty):fit(rows, y))
         local _, s = new(name, penalty)
         return gap / objective(s, rows, y, nil, b * 0, 0), objective(s, rows, y, nil, b, c)
      end
      for name in pairs(loss) do
         if name ~= "hinge" then
            for penalty in pairs(ratio) do
               local gap = excess(name, penalty, X * 1e-3 + 1e4, ml.Vector(real) * 1e5)
               assert(gap < 1e-11, ("%s, %s: %g"):format(name, penalty, gap))
            end
            local _, far = excess(name, "none", X * 1e-3 + 1e4, real)
            local _, close = excess(name, "none", X, real)
            near(close, far, 1e-7, name)
            near(0, new(name, "none"):fit(X, X:col(1) * 2 + 1).objective, 1e-12, name, 1)
            near(0, new(name, "l2"):fit(X, ml.Vector(n, 7)).objective, 1e-12, name, 1)
         end
         local given = targets_of(name)
         local twice = ml.hcat(ml.ones(n, 1), X, X)
         local duplicate = new(name, "l2", { alpha = 0.06 }):fit(twice, given) -- each copy takes half
         near(new(name, "l2"):fit(X, given).objective, duplicate.objective, 1e-9, name)
         near(new(name, "none"):fit(X, given).objective, new(name, "none"):fit(twice, given).objective, 1e-9, name)
      end
      local apart = new("hinge", "none"):fit(X, X:col(1):gt(2))
      near(0, apart.objective, 1e-12, "classes that a line parts", 1)
   end)

   it("gives the same solution by the dual solver, within the reported gap", function()
      local rows = ml.normal(n, 8, 3):mul(ml.random(n, 8, 4):lt(0.4))
      for name in pairs(loss) do
         for _, penalty in ipairs { "l2", "elasticnet" } do
            for _, constant in ipairs { true, false } do
               local given, y = targets_of(name)
               local what = ("%s, %s, constant %s"):format(name, penalty, constant)
               local model, s = new(name, penalty, { solver = "dual", fit_intercept = constant, tol = 1e-8,
                  alpha = 0.1, max_iter = 5000 })
               local least = model:clone():set_params { solver = "interior" }:fit(rows, given, { weights = weights })
               local dense = model:clone():fit(rows, given, { weights = weights })
               local sparse = model:clone():fit(ml.Sparse.from(rows), given, { weights = weights })
               assert.is_true(dense.converged, what)
               local b, c, gap = parts(dense)
               near(objective(s, rows, y, weights, b, c), dense.objective, 1e-12, what)
               local excess = dense.objective - least.objective
               assert(excess >= -1e-10 and excess <= gap + 1e-12 and gap <= 1e-8 * dense.objective,
                  ("%s: %g above, gap %g"):format(what, excess, gap))
               near(dense.objective, sparse.objective, 1e-7, what)
               near_all((parts(least)), b, 2e-3, what, 1)
               for k = 2, #dense.trace do assert(dense.trace[k] <= dense.trace[k - 1], what) end
            end
         end
      end
   end)

   it("stops the dual solver relative to the reached objective, not that of zero coefficients", function()
      local rows, signs = ml.normal(200, 5, 1), {}
      for i = 1, 200 do signs[i] = rows:get(i, 1) * 3 - rows:get(i, 2) + 0.3 * math.sin(i) > 0 end
      local settings = { loss = "hinge", alpha = 0.01, max_iter = 5000 }
      local least = ml.LinearModelClassifier(settings):set_params({ solver = "interior" }):fit(rows, signs).objective
      assert(least < 0.3, "far below the objective of weights 0")
      for _, tol in ipairs { 1e-3, 1e-6 } do
         local model = ml.LinearModelClassifier(settings):set_params({ solver = "dual", tol = tol }):fit(rows, signs)
         assert(model.converged and model.gap <= tol * model.objective, "the gap")
         assert(model.objective - least <= tol * model.objective, "the distance")
      end
   end)

   it("needs no columns x columns matrix with the dual solver, which auto selects for many columns", function()
      local entries, y, state = {}, {}, 1
      for i = 1, 200 do
         y[i] = i % 2 == 0 and "even" or "odd"
         local row = {}
         for _ = 1, 15 do
            state = (state * 1103515245 + 12345) % 2147483648
            row[math.floor(state / 2147483648 * 15000) * 2 + (state % 3 == 0 and i % 2 or 0) + 1] = true
         end
         for j in pairs(row) do entries[#entries + 1] = { i, j, 1 } end
      end
      local wide = ml.Sparse { rows = 200, cols = 30000, entries = entries }
      local model = ml.LinearModelClassifier { loss = "hinge", alpha = 0.01 }:fit(wide, y)
      assert.is_true(model.converged)
      assert(model.gap <= 1e-6)
      assert.equal(1, model:score(wide, y))
      assert.equal(model.n_iter, ml.LinearModelClassifier { loss = "hinge", alpha = 0.01, solver = "dual" }
         :fit(wide, y).n_iter)
   end)

   it("reports no duality gap for other solvers", function()
      local model = ml.LinearModelRegressor { loss = "huber" }:fit(X, real)
      assert.is_true(model.gap ~= model.gap)
      model:partial_fit(X, real)
      local sgd = new("hinge", "l2", { solver = "sgd" }):fit(X, label)
      assert(sgd.objective > new("hinge", "l2"):fit(X, label).objective)
   end)

   it("may have a rising trace with sgd and does not report convergence while it oscillates", function()
      local rows = ml.normal(300, 4, 1)
      local y = rows * ml.Vector { 1, -2, 0.5, 0 } + ml.normal(300, nil, 2)
      local function fit(rate, solver)
         return ml.LinearModelRegressor { loss = "quantile", quantile = 0.3, alpha = 1e-3, solver = solver or "sgd",
            learning_rate = rate, seed = 1 }:fit(rows, y)
      end
      local function rises(model)
         local count = 0
         for i = 2, #model.trace do count = count + (model.trace[i] > model.trace[i - 1] and 1 or 0) end
         return count
      end
      local long, settled, least = fit "optimal", fit "adaptive", fit("adaptive", "interior").objective
      assert.is_true(rises(long) > 0 and rises(settled) > 0)
      assert.is_false(long.converged) -- its steps do not shrink
      assert.is_true(long.objective - long.trace:min() > 0.005)
      assert.is_true(settled.converged)
      assert.near(least, settled.objective, 1e-4)
      assert.near(settled.trace:min(), settled.objective, 1e-6)
      -- The objective of an epoch is estimated on its own rows, so it may lie slightly below the minimum.
      assert.is_true(settled.trace:min() > least - 1e-3)
   end)
end)
