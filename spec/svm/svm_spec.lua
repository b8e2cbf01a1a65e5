-- Against scikit-learn (libsvm) at tol = 1e-9: objectives agree to 1e-6 relative, decisions to 5e-5, since libsvm
-- rounds kernel values to float32.
local ml = require "manilius"
local support = require "spec.support"
local wanted = require "spec.fixtures.svm.svm"

local near, near_all = support.near, support.near_all

-- As in the fixture script.
local function weights(n)
   local w = {}
   for i = 0, n - 1 do w[i + 1] = (7 * i + i // 5) % 3 end
   return w
end

local X, species = support.data("iris", "species")
X = X:matrix()
local two, labels = {}, {}
for i = 1, X.rows do
   if species[i] ~= "setosa" then
      two[#two + 1] = i
      labels[#labels + 1] = species[i]
   end
end
local X2 = X:take(two)
local D, sugar = support.scaled_diabetes()

local function rows(matrix, list) return matrix:take(list) end

local function settings(case)
   local s = { tol = 1e-9 }
   for name, value in pairs(case.params) do s[name] = value end
   return s
end

-- Of rows that are equal any may be a support vector, so the first one stands for all.
local function distinct(rows_of, list)
   local first, seen, out = {}, {}, {}
   for i = 1, rows_of.rows do
      local key = table.concat(rows_of:row(i):totable(), " ")
      seen[key] = seen[key] or i
      first[i] = seen[key]
   end
   for _, i in ipairs(list) do
      if first[i] then out[first[i]] = true end
   end
   return out
end

local function same_support(case, model, what, training)
   assert.same(distinct(training, case.support), distinct(training, model.support:totable()), what)
end

-- The stopping test held, and so does its promise.
local function is_optimal(model)
   assert.truthy(model.converged and model.duality_gap <= 1e-9 * math.abs(model.objective) + 1e-12)
end

describe("support vector classification", function()
   for _, name in ipairs { "SVC", "NuSVC" } do
      it(name .. " of two classes gives the solution of libsvm", function()
         for k, case in ipairs(wanted[name]) do
            local what = ("%s %d"):format(name, k)
            local model = ml[name](settings(case)):fit(X2, labels)
            -- the coefficients of a linear kernel of few columns are not unique
            if case.params.kernel ~= "linear" then same_support(case, model, what, X2) end
            -- decisions of NuSVC are divided by rho, which makes the rounding of libsvm larger
            near_all(case.values, model:decision_function(rows(X2, { 1, 31, 61, 91 })), name == "SVC" and 5e-5 or 1e-3,
               what, 1)
            if name == "SVC" then near(case.objective, model.objective, 1e-6, what) end
            is_optimal(model)
         end
      end)

      it(name .. " with weights does, too", function()
         local case = wanted[name .. "_weights"][1]
         local model = ml[name](settings(case)):fit(X2, labels, { weights = weights(100) })
         near_all(case.values, model:decision_function(rows(X2, { 1, 31, 61, 91 })), 5e-5, name)
         is_optimal(model)
      end)

      it(name .. " of three classes gives the decisions of libsvm for all pairs", function()
         for k, case in ipairs(wanted[name .. "_three"]) do
            local what = ("%s %d"):format(name, k)
            local model = ml[name](settings(case)):fit(X, species)
            same_support(case, model, what, X)
            support.near_rows(case.values, model:pairwise_decision(rows(X, { 1, 56, 71, 107, 134 })), 5e-5, what, 1e-2)
            local list = {}
            for i = 51, 150, 7 do list[#list + 1] = i end
            assert.same(case.predicted, model:predict(rows(X, list)):totable())
         end
      end)
   end
end)

describe("support vector regression", function()
   for _, name in ipairs { "SVR", "NuSVR" } do
      it(name .. " gives the solution of libsvm", function()
         for k, case in ipairs(wanted[name]) do
            local what = ("%s %d"):format(name, k)
            local model = ml[name](settings(case)):fit(D, sugar)
            if name == "SVR" then same_support(case, model, what, D) end
            near_all(case.values, model:predict(rows(D, { 1, 101, 201, 301 })), 1e-5, what)
            near(case.objective, model.objective, 1e-6, what)
            is_optimal(model)
         end
      end)
   end

   it("refuses X whose kernel values are too large", function()
      local x = {}
      for i = 1, 30 do x[i] = { 1e101 * math.sin(i), 1e101 * math.cos(3 * i) } end
      support.refuses("scale the columns of X or the sample weights",
         function() ml.OneClassSVM { kernel = "linear" }:fit(x) end)
   end)

   it("SVR with weights does, too", function()
      local case = wanted.SVR_weights[1]
      local model = ml.SVR(settings(case)):fit(D, sugar, { weights = weights(442) })
      near_all(case.values, model:predict(rows(D, { 1, 101, 201, 301 })), 1e-5)
   end)
end)

describe("one-class support vector machines", function()
   it("give the solution of libsvm, with decisions of the opposite sign", function()
      for k, case in ipairs(wanted.OneClassSVM) do
         local what = ("case %d"):format(k)
         local model = ml.OneClassSVM(settings(case)):fit(D)
         same_support(case, model, what, D)
         near_all(case.values, model:decision_function(rows(D, { 1, 101, 201, 301 })) * -1, 1e-5, what, 1)
         near(case.objective, model.objective, 1e-6, what)
         is_optimal(model)
      end
      local case = wanted.OneClassSVM_weights[1]
      local model = ml.OneClassSVM(settings(case)):fit(D, nil, { weights = weights(442) })
      near_all(case.values, model:decision_function(rows(D, { 1, 101, 201, 301 })) * -1, 1e-5, "weights", 1)
   end)

   it("OneClassSVM scores labels of outliers by their accuracy", function()
      local Z = ml.normal(60, 2, 1)
      local model = ml.OneClassSVM { nu = 0.1 }:fit(Z)
      assert.equal(1, model:score(Z, model:predict(Z)))
      assert.equal(1 - model:predict(Z):mean(), model:score(Z, ml.Vector(60, 0)))
   end)

   it("SVDD with a kernel of constant diagonal finds the same outliers", function()
      local plane, sphere = ml.OneClassSVM { nu = 0.1, tol = 1e-9 }:fit(D), ml.SVDD { nu = 0.1, tol = 1e-9 }:fit(D)
      near_all((plane:decision_function(D) * (2 / 44.2)):totable(), sphere:decision_function(D), 1e-6, "decision", 1)
   end)

   it("SVDD finds the smallest sphere around points", function()
      -- four corners of a square and points inside: center (0, 0), radius sqrt(2)
      local points = ml.Matrix { { 1, 1 }, { -1, 1 }, { 1, -1 }, { -1, -1 }, { 0, 0.5 }, { 0.2, 0 } }
      local model = ml.SVDD { kernel = "linear", nu = 0.1, tol = 1e-10 }:fit(points)
      near(math.sqrt(2), model.radius, 1e-9)
      near(0, model.center_square, 1e-9, "center", 1)
      near_all({ 8 - 2, -2 }, model:decision_function { { 2, 2 }, { 0, 0 } }, 1e-9)
   end)
end)

-- exp(-gamma |x - z|^2) of all rows with all rows.
local function rbf(points, gamma)
   local K = {}
   for i = 1, points.rows do
      K[i] = {}
      for j = 1, points.rows do
         local d = points[i] - points[j]
         K[i][j] = math.exp(-gamma * d:dot(d))
      end
   end
   return K
end

-- The coefficient of each training row, and sum_j coef_j K_ij.
local function products(model, K)
   local coef, f = {}, {}
   for i = 1, #K do coef[i] = 0 end
   for k, i in ipairs(model.support:totable()) do coef[i] = model.dual_coef:get(1, k) end
   for i = 1, #K do
      f[i] = 0
      for j = 1, #K do f[i] = f[i] + coef[j] * K[i][j] end
   end
   return coef, f
end

describe("the optimality conditions", function()
   local tol = 1e-8
   local K = rbf(X2, 0.5)

   it("hold for SVC, and its gap is the difference of primal and dual", function()
      local w = weights(100)
      local kept, y, u = {}, {}, {}
      for i = 1, 100 do
         if w[i] > 0 then
            kept[#kept + 1] = i
            y[#y + 1], u[#u + 1] = labels[i], w[i]
         end
      end
      local model = ml.SVC { C = 3, gamma = 0.5, tol = tol }:fit(X2:take(kept), y, { weights = u })
      local coef, f = products(model, rbf(X2:take(kept), 0.5))
      local primal, dual, square, b = 0, 0, 0, model.intercept
      for i = 1, #y do
         local sign = y[i] == "virginica" and 1 or -1
         local a, excess = sign * coef[i], 1 - sign * (f[i] + b)
         assert(a >= 0 and a <= 3 * u[i])
         if a == 0 then assert(excess <= 2 * tol) end
         if a == 3 * u[i] then assert(excess >= -2 * tol) end
         if a > 0 and a < 3 * u[i] then assert(math.abs(excess) <= 2 * tol) end
         primal = primal + coef[i] * f[i] / 2 + 3 * u[i] * math.max(0, excess)
         dual = dual + a - coef[i] * f[i] / 2
         square = square + coef[i] * f[i]
      end
      near(-dual, model.objective, 1e-12)
      near(primal - dual, model.duality_gap, 1e-12, "gap", primal)
      near(1 / math.sqrt(square), model.margin, 1e-12)
   end)

   it("hold for SVR", function()
      local y = {}
      for i = 1, 100 do y[i] = math.sin(i) end
      local model = ml.SVR { C = 2, gamma = 0.5, epsilon = 0.2, tol = tol }:fit(X2, y)
      local coef, f = products(model, K)
      local sum = 0
      for i = 1, 100 do
         local r, c = y[i] - f[i] - model.intercept, coef[i]
         sum = sum + c
         if c == 0 then assert(math.abs(r) <= 0.2 + 2 * tol) end
         if c ~= 0 and math.abs(c) < 2 then near(c > 0 and 0.2 or -0.2, r, 2 * tol, "residual", 1) end
         if math.abs(c) == 2 then assert(r * (c > 0 and 1 or -1) >= 0.2 - 2 * tol) end
      end
      near(0, sum, 1e-12, "sum", 1)
   end)

   it("hold for NuSVR: the share of errors, and the sum of the coefficients", function()
      local y = {}
      for i = 1, 100 do y[i] = math.sin(i) end
      local model = ml.NuSVR { C = 2, gamma = 0.5, nu = 0.3, tol = tol }:fit(X2, y)
      local coef, f = products(model, K)
      local size = 0
      for i = 1, 100 do
         local r, c = y[i] - f[i] - model.intercept, coef[i]
         size = size + math.abs(c)
         if c == 0 then assert(math.abs(r) <= model.tube + 2 * tol) end
         if c ~= 0 and math.abs(c) < 2 then near(c > 0 and model.tube or -model.tube, r, 2 * tol, "residual", 1) end
      end
      near(2 * 0.3 * 100, size, 1e-9)
   end)

   it("hold for OneClassSVM: the sum of the coefficients, and decisions of 0 between the bounds", function()
      local model = ml.OneClassSVM { nu = 0.2, gamma = 0.5, tol = tol }:fit(X2)
      local coef, f = products(model, K)
      local sum = 0
      for i = 1, 100 do
         sum = sum + coef[i]
         if coef[i] > 0 and coef[i] < 1 then near(-model.threshold, f[i], 4 * tol, "free", 1) end
         if coef[i] == 0 then assert(f[i] >= -model.threshold - 4 * tol) end
         if coef[i] == 1 then assert(f[i] <= -model.threshold + 4 * tol) end
      end
      near(20, sum, 1e-12)
   end)
end)

describe("probabilities of SVC", function()
   it("agree with predictions, for pairs of classes and for one against the rest", function()
      for _, multi_class in ipairs { "ovo", "ovr" } do
         for _, C in ipairs { 0.01, 1 } do
            local model = ml.SVC { probability = true, multi_class = multi_class, C = C }:fit(X, species)
            local p, predicted, classes = model:predict_proba(X), model:predict(X), model.classes
            for i = 1, X.rows do
               local most = math.max(p:get(i, 1), p:get(i, 2), p:get(i, 3))
               for c = 1, 3 do
                  if classes[c] == predicted[i] then assert(p:get(i, c) >= most - 1e-12) end
               end
            end
         end
      end
   end)

   it("depend on the seed alone", function()
      local function fit(seed) return ml.SVC { probability = true, seed = seed }:fit(X, species):predict_proba(X) end
      assert.same(fit(1):totable(), fit(1):totable())
      assert.not_same(fit(1):totable(), fit(2):totable())
   end)

   it("are refused without probability = true", function()
      support.refuses("SVC has no 'predict_proba' with these parameters; set probability = true before fit", function()
         return ml.SVC {}:fit(X, species):predict_proba(X)
      end)
   end)
end)

describe("support vector machines", function()
   it("find a hard margin with a large C", function()
      -- the line half way between (1, 0) and (3, 0)
      local model = ml.SVC { kernel = "linear", C = 1e10, tol = 1e-9 }:fit({ { 0, 0 }, { 1, 0 }, { 3, 0 }, { 5, 1 } },
         { "a", "a", "b", "b" })
      near_all({ -1, 0, 1 }, model:decision_function { { 1, 7 }, { 2, 0 }, { 3, -4 } }, 1e-8, "decision", 1)
      near(1, model.margin, 1e-8)
      assert.same({ 2, 3 }, model.support:totable())
   end)

   it("accept a precomputed kernel, also with weights of 0", function()
      local K = ml.Matrix(rbf(X2, 0.5))
      local w = weights(100)
      local plain = ml.SVC { gamma = 0.5, tol = 1e-8 }:fit(X2, labels, { weights = w })
      local model = ml.SVC { kernel = "precomputed", tol = 1e-8 }:fit(K, labels, { weights = w })
      near_all(plain:decision_function(X2):totable(), model:decision_function(K), 1e-6, "decision", 1)
   end)

   it("accept composed kernels", function()
      local kernel = ml.kernel.RBF { length = 1 } + ml.kernel.Linear {} * 0.1
      local K = {}
      local R = rbf(X2, 0.5)
      for i = 1, 100 do
         K[i] = {}
         for j = 1, 100 do K[i][j] = R[i][j] + 0.1 * X2[i]:dot(X2[j]) end
      end
      local one = ml.SVC { kernel = kernel, tol = 1e-8 }:fit(X2, labels)
      local other = ml.SVC { kernel = "precomputed", tol = 1e-8 }:fit(K, labels)
      near_all(other:decision_function(K):totable(), one:decision_function(X2), 1e-6, "decision", 1)
   end)

   it("give the same for sparse and dense rows", function()
      local sparse = ml.Sparse.from(X2)
      local one, other = ml.SVC { tol = 1e-8 }:fit(X2, labels), ml.SVC { tol = 1e-8 }:fit(sparse, labels)
      near_all(one:decision_function(X2):totable(), other:decision_function(sparse), 1e-6, "decision", 1)
      near_all(one:decision_function(sparse):totable(), other:decision_function(X2), 1e-6, "decision", 1)
      assert.equal(#other.support, other.sparse_vectors.rows)
   end)

   it("handle rows with both labels, and rows that are all equal", function()
      local both, y = {}, {}
      for i = 1, 20 do
         both[i] = { i // 2, 0 }
         y[i] = i % 2 == 0 and "a" or "b"
      end
      local model = ml.SVC { C = 1e10 }:fit(both, y)
      assert.truthy(model.converged)
      local equal = ml.SVC { gamma = 1 }:fit({ { 1 }, { 1 }, { 1 } }, { "a", "a", "b" })
      assert.same({ "a", "a" }, equal:predict { { 1 }, { 5 } }:totable())
      near(1, ml.OneClassSVM { gamma = 1 }:fit { { 1 } }.support[1], 0)
   end)

   it("handle an indefinite kernel matrix", function()
      local K = ml.Matrix { { 0, 1, 2 }, { 1, 0, -1 }, { 2, -1, 0 } }
      local warned, before = {}, ml.warnings()
      ml.warnings(function(message) warned[#warned + 1] = message end)
      local model = ml.SVC { kernel = "precomputed" }:fit(K, { "a", "b", "a" })
      ml.warnings(before)
      assert.truthy(model.converged)
      assert.matches("SVC: kernel is not positive semidefinite", warned[1])
      assert.is_nil(model.duality_gap)
   end)

   it("warn when max_iter is reached, and say what to change", function()
      local model = ml.SVR { max_iter = 1, C = 1000 }
      local warned, before = {}, ml.warnings()
      ml.warnings(function(message) warned[#warned + 1] = message end)
      model:fit(D, sugar)
      ml.warnings(before)
      assert.falsy(model.converged)
      assert.matches("raise max_iter", warned[1])
   end)

   it("converge on columns of very different ranges at large C", function()
      local cancer, diagnosis = support.data("breast_cancer", "diagnosis")
      for _, C in ipairs { 100, 1e5 } do
         local model = ml.SVC { kernel = "linear", C = C }:fit(cancer, diagnosis)
         local dual = ml.LinearSVC { loss = "hinge", C = C, tol = 1e-7 }:fit(cancer, diagnosis)
         assert(model.converged and model.n_iter < 200, model.n_iter)
         near(-dual.objective, model.objective, 1e-4)
         assert(model.duality_gap <= 1e-3 * -model.objective)
      end
      local raw, progression = support.data("diabetes", "progression")
      local model = ml.SVR { kernel = "linear", C = 1e4 }:fit(raw, progression)
      assert(model.converged and model.n_iter < 1000, model.n_iter)
      assert(model.duality_gap <= 1e-3 * -model.objective)
      local wave, sines = {}, {}
      for i = 1, 60 do wave[i], sines[i] = { i / 12 }, math.sin(i / 12) + 0.1 * math.cos(7 * i) end
      local nu = ml.NuSVR { C = 1e4 }:fit(wave, sines)
      assert(nu.converged and nu.n_iter < 1000, nu.n_iter)
   end)

   it("converge for few rows of noise and huge C, where NuSVR is SVR without a tube", function()
      local noise, y = ml.normal(60, 2, 1), ml.normal(60, 1, 2):flatten()
      for _, C in ipairs { 1e7, 1e10 } do
         local svr = ml.SVR { C = C, epsilon = 0, max_iter = 500 }:fit(noise, y)
         local nu = ml.NuSVR { C = C, max_iter = 500 }:fit(noise, y)
         assert.is_true(svr.converged and nu.converged)
         assert.near(0, nu.tube, 1e-3)
         assert.near(1, nu.objective / svr.objective, 1e-3)
         assert.is_true((nu:predict(noise) - svr:predict(noise)):abs():max() < 0.01)
      end
   end)

   it("take weights of any size", function()
      for _, size in ipairs { 1e-300, 1e300 } do
         local weights_of_size = ml.Vector(X2.rows) + size
         local plain, scaled = ml.NuSVC { nu = 0.2, tol = 1e-9 }:fit(X2, labels), ml.NuSVC { nu = 0.2, tol = 1e-9 }
         scaled:fit(X2, labels, { weights = weights_of_size })
         assert((plain:decision_function(X2) - scaled:decision_function(X2)):abs():max() < 1e-6)
         local one, large = ml.OneClassSVM { tol = 1e-9 }:fit(X2), ml.OneClassSVM { tol = 1e-9 }
         large:fit(X2, nil, { weights = weights_of_size })
         assert((one:decision_function(X2) - large:decision_function(X2) / size):abs():max() < 1e-6)
      end
      support.refuses("NuSVR: C must be at most %S+ for these rows and weights, .*; use a smaller C, or SVR", function()
         ml.NuSVR {}:fit(D, sugar, { weights = ml.Vector(D.rows) + 1e300 })
      end)
   end)

   it("refuse a nu that is out of reach", function()
      support.refuses("NuSVC: nu must be at most 0.4, twice the share of the smaller of two classes", function()
         return ml.NuSVC {}:fit({ { 1 }, { 2 }, { 3 }, { 4 }, { 5 } }, { "a", "b", "b", "b", "b" })
      end)
   end)

   it("do not depend on the size of the cache", function()
      local small = ml.SVR { cache_size = 1e-3, tol = 1e-8, shrinking = false }:fit(D, sugar)
      local large = ml.SVR { tol = 1e-8 }:fit(D, sugar)
      near(large.objective, small.objective, 1e-8)
      near_all(large:predict(D):totable(), small:predict(D), 1e-6)
   end)
end)
