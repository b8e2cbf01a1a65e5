local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/linear/ridge_cv.lua"

local function agree(want, model, tolerance)
   assert.equal(want.alpha, model.alpha)
   support.near(want.best_score, model.best_score, tolerance, "best_score")
   support.near_all(want.scores, model.scores, tolerance, "score")
   if type(want.intercept) == "table" then
      support.near_rows(want.coef, model.coef, tolerance, "coef", 1e-3)
      support.near_all(want.intercept, model.intercept, tolerance, "intercept")
   else
      support.near_all(want.coef, model.coef, tolerance, "coef", 1e-3)
      support.near(want.intercept, model.intercept, tolerance, "intercept")
   end
end

--- 1, 2, 3, 1, 2, 3, ... times `unit`
local function weights(n, unit)
   local w = {}
   for i = 1, n do w[i] = unit * (1 + (i - 1) % 3) end
   return w
end

--- Minus the mean squared leave-one-out error, by one fit of Ridge for each row. Of a weighted row one copy is left
-- out.
local function by_hand(X, y, w, params)
   local sum, total = 0, 0
   for i = 1, #y do
      local rest = {}
      for j = 1, #y do rest[j] = w[j] end
      rest[i] = math.max(w[i] - 1, 0)
      local model = ml.Ridge(params):fit(X, y, { weights = rest })
      sum = sum + w[i] * (y[i] - model:predict(X:take { i })[1]) ^ 2
      total = total + w[i]
   end
   return -sum / total
end

describe("RidgeCV", function()
   -- columns of very different scales: see the comment in ridge_spec.lua
   local X, y = support.data("diabetes", "progression")
   local cases = {
      plain = {}, many = { alphas = { 1000, 100, 30, 3, 0.01 } }, no_intercept = { fit_intercept = false },
      often = {}, rarely = {} }
   for name, params in pairs(cases) do
      it("agrees with scikit-learn: " .. name, function()
         local w = name == "often" and weights(#y, 1) or name == "rarely" and weights(#y, 0.25) or nil
         agree(oracle[name], ml.RidgeCV(params):fit(X, y, { weights = w }), 1e-9)
      end)
   end

   it("agrees with scikit-learn: more columns than rows", function()
      local wide, target = X:matrix():t():copy():slice(1, 10, 1, 40), {}
      for i = 1, 10 do target[i] = i - 1 end
      agree(oracle.wide, ml.RidgeCV {}:fit(wide, target), 1e-8)
   end)

   it("agrees with scikit-learn: several targets share one alpha", function()
      local x, targets = X:matrix():slice(1, #y, 1, 8), {}
      for i = 1, #y do targets[i] = { y[i], X:matrix()[i][9], X:matrix()[i][10] } end
      agree(oracle.targets, ml.RidgeCV {}:fit(x, targets), 1e-9)
   end)

   it("agrees with explicit leave-one-out fits", function()
      local x, w = ml.normal(12, 3, 1), { 1, 2, 0.5, 3, 1, 1, 0.1, 2, 1, 1.5, 1, 1 }
      local target = ml.normal(12, 1, 2):col(1)
      for _, fit_intercept in ipairs { true, false } do
         local model = ml.RidgeCV { alphas = { 0.01, 1, 5 }, fit_intercept = fit_intercept }
         model:fit(x, target, { weights = w })
         for a, alpha in ipairs { 0.01, 1, 5 } do
            local want = by_hand(x, target, w, { alpha = alpha, fit_intercept = fit_intercept })
            support.near(want, model.scores[a], 1e-10, "score")
         end
      end
   end)

   it("equals Ridge with the selected alpha", function()
      local model = ml.RidgeCV { alphas = { 5, 0.5 } }:fit(X, y)
      local ridge = ml.Ridge { alpha = model.alpha }:fit(X, y)
      support.near_all(ridge.coef, model.coef, 1e-9, "coef", 1e-3)
      support.near_all(ridge:predict(X), model:predict(X), 1e-10, "prediction")
   end)

   it("is accurate for leverages close to 1", function()
      local x, target = ml.normal(6, 20, 3), ml.normal(6, 1, 4):col(1)
      local w = { 1, 1, 1, 1, 1, 1 }
      local model = ml.RidgeCV { alphas = { 1e-9 } }:fit(x, target)
      support.near(by_hand(x, target, w, { alpha = 1e-9 }), model.best_score, 1e-6, "score")
   end)

   it("breaks ties by the lowest index", function()
      local constant = { { 1, 2 }, { 1, 2 }, { 1, 2 } }
      assert.equal(3, ml.RidgeCV { alphas = { 3, 1, 2 } }:fit(constant, { 1, 2, 4 }).alpha)
   end)

   it("refuses invalid alphas and a row that determines its own fit", function()
      support.refuses("RidgeCV: alphas must be > 0, got 0 at position 2", function()
         ml.RidgeCV { alphas = { 1, 0 } }
      end)
      support.refuses("RidgeCV: alphas must not be empty", function()
         ml.RidgeCV { alphas = {} }:fit(X, y)
      end)
      support.refuses("RidgeCV: row 1 has leverage 1", function()
         ml.RidgeCV {}:fit({ { 1 } }, { 1 })
      end)
      assert.equal(-1, ml.RidgeCV { fit_intercept = false }:fit({ { 1 } }, { 1 }).best_score)
   end)
end)
