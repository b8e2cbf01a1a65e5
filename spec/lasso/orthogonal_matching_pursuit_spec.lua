--- OrthogonalMatchingPursuit and its cross-validation against scikit-learn, and the definition of each step.

local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/lasso/omp.lua"

local X, y = ml.read_csv "examples/data/diabetes.csv":split "progression"
X = ml.StandardScaler {}:fit_transform(X)
local weights = {}
for i = 1, #y do weights[i] = 1 + (i - 1) % 3 end

local function check(name, model)
   local wanted = oracle[name]
   local w = name:find "weighted" and weights or nil
   model:fit(X, y, { weights = w })
   support.near_all(wanted.coef, model.coef, 1e-9, name, 1e-3)
   support.near(wanted.intercept, model.intercept, 1e-9, name, 1e-3)
   return model, wanted
end

describe("OrthogonalMatchingPursuit", function()
   it("agrees with scikit-learn", function()
      check("default", ml.OrthogonalMatchingPursuit {})
      check("four", ml.OrthogonalMatchingPursuit { n_nonzero_coefs = 4 })
      check("no_intercept", ml.OrthogonalMatchingPursuit { n_nonzero_coefs = 3, fit_intercept = false })
      check("weighted", ml.OrthogonalMatchingPursuit { n_nonzero_coefs = 3 })
      local model = check("tol", ml.OrthogonalMatchingPursuit { tol = 1.4e6 })
      local rss = model.rss:totable()
      assert.is_true(rss[#rss] <= 1.4e6 and rss[#rss - 1] > 1.4e6)
   end)

   it("adds the column with the largest product, and fits least squares", function()
      local model = ml.OrthogonalMatchingPursuit { n_nonzero_coefs = 10 }:fit(X, y)
      local M, used = X:matrix(), {}
      assert.equal(10, #model.active)
      for k = 1, 10 do
         local chosen = ml.Matrix(#y, k - 1)
         for j = 1, k - 1 do
            for i = 1, #y do chosen:set(i, j, M:get(i, used[j])) end
         end
         local residual = k == 1 and y - y:mean() or y - ml.LinearRegression {}:fit(chosen, y):predict(chosen)
         support.near(residual:dot(residual), model.rss[k], 1e-9, "rss")
         local best, largest = nil, 0
         for j = 1, 10 do
            local product = math.abs(M:col(j):dot(residual))
            local new = true
            for _, one in ipairs(used) do new = new and one ~= j end
            if new and product > largest then best, largest = j, product end
         end
         assert.equal(best, model.active[k])
         used[k] = best
      end
      support.near_all(ml.LinearRegression {}:fit(X, y).coef, model.coef, 1e-8, "coef")
   end)

   it("ends early without independent columns, and keeps the first of equal ones", function()
      local Z = ml.hcat(X:matrix():slice(nil, nil, 3, 3), X:matrix():slice(nil, nil, 3, 3) * 1, ml.ones(#y, 1))
      local model = ml.OrthogonalMatchingPursuit { n_nonzero_coefs = 3 }:fit(Z, y)
      assert.same({ 1 }, model.active:totable())
      assert.equal(0, model.coef[2])
      local constant = ml.OrthogonalMatchingPursuit {}:fit(Z, y * 0 + 3)
      assert.equal(0, #constant.active)
      assert.near(3, constant.intercept, 1e-12)
      local wide = ml.OrthogonalMatchingPursuit { n_nonzero_coefs = 50 }:fit(ml.normal(6, 40, 1), ml.normal(6, 1, 2))
      assert.is_true(#wide.active <= 6 and wide.rss[#wide.rss] < 1e-20)
   end)
end)

describe("OrthogonalMatchingPursuitCV", function()
   it("agrees with scikit-learn", function()
      for name, settings in pairs { cv = {}, cv_all = { max_iter = 10, cv = 4 }, cv_weighted = { max_iter = 10 } } do
         local model, wanted = check(name, ml.OrthogonalMatchingPursuitCV(settings))
         assert.equal(math.tointeger(wanted.n_nonzero_coefs), model.n_nonzero_coefs)
         assert.equal(model.n_nonzero_coefs, #model.active)
         assert.equal(model.mse:min(), model.mse[model.n_nonzero_coefs])
      end
   end)

   it("takes folds", function()
      local folds = {}
      for i = 1, #y do folds[i] = 1 + i % 7 end
      local model = ml.OrthogonalMatchingPursuitCV { max_iter = 6 }:fit(X, y, { folds = folds })
      assert.equal(7, model.mse_path.cols)
      local test, train = {}, {}
      for i = 1, #y do table.insert(folds[i] == 2 and test or train, i) end
      local part = ml.OrthogonalMatchingPursuit { n_nonzero_coefs = 3 }:fit(X:take(train), y:take(train))
      local error = y:take(test) - part:predict(X:take(test))
      support.near(error:dot(error) / #test, model.mse_path:get(3, 2), 1e-10, "mse")
   end)
end)
