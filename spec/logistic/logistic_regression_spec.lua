local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/linear/linear.lua".logistic

-- Relative above 1 and absolute below.
local function near_all(wanted, got, tolerance, what) support.near_all(wanted, got, tolerance, what, 1) end

describe("LogisticRegression", function()
   it("agrees with scikit-learn on iris, three classes", function()
      local X, y = ml.read_csv "examples/data/iris.csv":split "species"
      local model = ml.LogisticRegression { tol = 1e-15 }:fit(X, y)
      assert.is_true(model.converged)
      -- scikit-learn's L-BFGS stops within about 1e-6 of the optimum
      for c = 1, 3 do near_all(oracle.iris.coef[c], model.coef[c], 1e-5, "coef") end
      near_all(oracle.iris.intercept, model.intercept, 1e-5, "intercept")
      local proba = model:predict_proba(X:take { 1, 71, 121 })
      for i = 1, 3 do near_all(oracle.iris.proba[i], proba[i], 1e-6, "probability") end
   end)

   for name, case in pairs {
      cancer = {}, balanced = { class_weight = "balanced" }, weighted = { C = 0.1 },
      no_intercept = { fit_intercept = false } } do
      for _, solver in ipairs { "newton", "lbfgs" } do
         it(("agrees with scikit-learn's Newton: %s by %s"):format(name, solver), function()
            local frame = ml.read_csv "examples/data/breast_cancer.csv"
            local X, y = frame:drop { frame.names[#frame.names] }, frame:col(frame.names[#frame.names])
            X = ml.StandardScaler {}:fit_transform(X)
            local params = { solver = solver, tol = 1e-15 }
            for key, value in pairs(case) do params[key] = value end
            local w = {}
            for i = 1, #y do w[i] = 1 + (i - 1) % 2 end
            local model = ml.LogisticRegression(params):fit(X, y, { weights = name == "weighted" and w or nil })
            near_all(oracle[name].coef, model.coef, solver == "newton" and 1e-7 or 1e-5, "coef")
            near_all(oracle[name].intercept, { model.intercept }, 1e-5, "intercept")
         end)
      end
   end

   it("has a zero gradient at its solution, with and without a penalty", function()
      local X = ml.normal(400, 3, 1)
      local z = X * ml.Vector { 1, -2, 0.5 }
      local y = ml.random(400, 1, 2):col(1):mul((z * -1):exp() + 1):lt(1)
      for _, penalty in ipairs { "l2", "none" } do
         local model = ml.LogisticRegression { penalty = penalty, C = 2, tol = 1e-15 }:fit(X, y)
         local p = model:predict_proba(X):col(2)
         local gradient = X:t() * (p - y) * 2
         if penalty == "l2" then gradient = gradient + model.coef end
         assert.is_true(gradient:abs():max() < 1e-6)
         assert.is_true(math.abs((p - y):sum()) < 1e-6)
      end
   end)

   it("never increases the objective", function()
      local X, y = ml.read_csv "examples/data/wine.csv":split "class"
      local model = ml.LogisticRegression {}:fit(X, y)
      for i = 2, #model.trace do assert.is_true(model.trace[i] <= model.trace[i - 1] * (1 + 1e-12)) end
   end)

   it("gives the same result on sparse and dense X", function()
      local X = ml.normal(200, 6, 1):mul(ml.random(200, 6, 2):lt(0.4))
      local y = {}
      for i = 1, 200 do y[i] = (X[i][1] + X[i][2] > 0.1) and "yes" or (X[i][3] > 0.5 and "perhaps" or "no") end
      local dense = ml.LogisticRegression { tol = 1e-15 }:fit(X, y)
      local sparse = ml.LogisticRegression { tol = 1e-15 }:fit(ml.Sparse.from(X), y)
      for c = 1, 3 do near_all(dense.coef[c], sparse.coef[c], 1e-5, "coef") end
      assert.is_true(dense:predict(X) == sparse:predict(ml.Sparse.from(X)))
   end)

   it("stays finite in both tails", function()
      local model = ml.LogisticRegression { C = 1e6 }:fit({ { -1 }, { -0.9 }, { 0.9 }, { 1 } }, { 0, 0, 1, 1 })
      local log_proba = model:predict_log_proba { { -1e6 }, { 1e6 } }
      assert.is_true(log_proba[1][2] < -1e6 and log_proba[1][2] > -math.huge)
      assert.equal(0.0, log_proba[1][1])
      assert.is_true(log_proba[2][1] < -1e6)
   end)

   it("does not converge on separable classes without a penalty, and keeps the last coefficients", function()
      local model = ml.LogisticRegression { penalty = "none", max_iter = 5 }
      model:fit({ { 1 }, { 2 }, { 3 }, { 4 } }, { "a", "a", "b", "b" })
      assert.is_false(model.converged)
      assert.equal(5, model.n_iter)
      assert.equal("b", model:predict { { 4 } }[1])
   end)

   it("agrees with newton from 0 where L-BFGS leads to its start", function()
      local X = ml.normal(12000, 8, 1) + 3
      local z, u = X * (ml.normal(8, nil, 2) * 0.4), ml.random(12000, nil, 3)
      local cases = { plain = {}, strong = { C = 1e6 }, through_0 = { fit_intercept = false } }
      for name, params in pairs(cases) do
         for shift, weights in pairs { [0] = false, [-4] = ml.random(12000, nil, 4) } do
            local y = u:lt((z + shift):sigmoid())
            local auto = ml.LogisticRegression(params):fit(X, y, { weights = weights or nil })
            local newton = auto:clone { solver = "newton" }:fit(X, y, { weights = weights or nil })
            assert.is_true(auto.converged and newton.converged, name)
            -- both stop below tol = 1e-10 of the objective, then take another step that squares the distance
            assert.is_true((auto.coef - newton.coef):abs():max() <= 1e-8 * newton.coef:abs():max(), name)
            assert.is_true(math.abs(auto.intercept - newton.intercept) <= 1e-7, name)
         end
      end
   end)

   it("does not depend on the number of threads", function()
      local X = ml.normal(20000, 10, 1)
      local y = (X * ml.Vector(10, 1)):gt(0.5)
      local three = (X * ml.Vector(10, 1)):gt(0.5) + (X * ml.Vector(10, -1)):gt(0.8) * 2
      for _, labels in ipairs { y, three } do
         support.same_for_any_threads(function() return ml.LogisticRegression {}:fit(X, labels) end)
      end
   end)

   it("starts from a sample of many rows and ends where Newton's method does", function()
      local n = 20000
      local X = ml.normal(n, 3, 1)
      for i = 1, n do X:set(i, 2, 1e3 + 50 * X:get(i, 2)) end
      local z = X * ml.Vector { 1, 0.02, -2 } - 20
      local usual = ml.random(n, nil, 2):lt(z:sigmoid())
      local rare, sorted, w = ml.zeros(n, 1):col(1), ml.zeros(n, 1):col(1), ml.random(n, nil, 3)
      for i = 1, 3 do rare[i * 6007] = 1 end -- the sample may meet one class only
      for i = n // 2, n do sorted[i] = 1 end
      for name, case in pairs {
         usual = { usual }, weighted = { usual, w }, rare = { rare }, sorted = { sorted },
         through_0 = { usual, nil, false }, separable = { X:col(1):gt(0), nil, nil, 1e6 },
      } do
         local function fit(solver)
            return ml.LogisticRegression { solver = solver, fit_intercept = case[3], C = case[4] }
               :fit(X, case[1], { weights = case[2] })
         end
         local auto, newton = fit "auto", fit "newton"
         support.near(newton.objective, auto.objective, 1e-9, name)
         assert(auto.converged, name)
      end
      support.same_for_any_threads(function() return ml.LogisticRegression {}:fit(X, usual) end)
   end)

   it("rejects a solver that does not support the data", function()
      support.refuses("solver 'newton' supports only two classes and dense X", function()
         ml.LogisticRegression { solver = "newton" }:fit({ { 1 }, { 2 }, { 3 } }, { 1, 2, 3 })
      end)
   end)
end)
