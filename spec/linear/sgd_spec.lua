local ml = require "manilius"
local support = require "spec.support"
local tools = require "manilius.check_tools"
local oracle = dofile "spec/fixtures/sgd.lua"

local near_all, near_rows = support.near_all, support.near_rows

-- Rows of the classes by turns, as in the script.
local function flowers()
   local X, y = support.data("iris", "species")
   X = (X:matrix() - 3) / 4
   local order, two = {}, {}
   for i = 1, 50 do
      for c = 0, 2 do order[#order + 1] = c * 50 + i end
   end
   X, y = X:take(order), y:take(order)
   for i = 1, 150 do
      if y[i] ~= "setosa" then two[#two + 1] = i end
   end
   return X, y, X:take(two), y:take(two)
end

local function sugar()
   local X, y = support.data("diabetes", "progression")
   local middle, scale = { 48, 1.5, 26, 94, 189, 115, 50, 4, 4.6, 91 }, { 130, 5, 40, 140, 350, 300, 130, 13, 5, 110 }
   local Z = X:matrix():copy()
   for i = 1, Z.rows do
      for j = 1, Z.cols do Z:set(i, j, (Z:get(i, j) - middle[j]) / scale[j]) end
   end
   return Z, y / 100
end

local learned = { coef = true, intercept = true, n_iter = true, t = true, classify = true }

-- As many rounds as ordered unless `tol` is given, rows in order.
local function settings(case)
   local out = { shuffle = false, n_iter_no_change = not case.tol and 1000 or nil }
   for name, value in pairs(case) do
      if not learned[name] then out[name] = value end
   end
   return out
end

local function agrees(case, model, tolerance)
   local coef = tools.kind(model.coef) == "Vector" and { model.coef } or model.coef
   local what = ("%s, %s, %s"):format(case.loss, case.penalty, case.learning_rate)
   near_rows(case.coef, coef, tolerance or 1e-10, what .. ": coef", 1e-2)
   local intercept = type(model.intercept) == "number" and { model.intercept } or model.intercept
   near_all(case.intercept, intercept, tolerance or 1e-10, what .. ": intercept", 1e-2)
end

describe("SGDClassifier", function()
   local X, y, X2, y2 = flowers()

   it("agrees with scikit-learn for every loss, penalty and schedule", function()
      assert.equal(9 * 4 * 4, #oracle.classifier)
      for _, case in ipairs(oracle.classifier) do agrees(case, ml.SGDClassifier(settings(case)):fit(X2, y2)) end
   end)

   it("agrees with scikit-learn for three classes, averaged and not", function()
      for _, case in ipairs(oracle.three) do agrees(case, ml.SGDClassifier(settings(case)):fit(X, y)) end
   end)

   it("agrees with scikit-learn on balanced classes", function()
      local few = {}
      for i = 1, 150 do
         if y[i] == "virginica" or y[i] == "versicolor" and (i - 1) % 4 > 0 then few[#few + 1] = i end
      end
      for _, case in ipairs(oracle.balanced) do
         local model = ml.SGDClassifier(settings(case)):set_params { class_weight = "balanced" }
         agrees(case, model:fit(X:take(few), y:take(few)))
      end
   end)
end)

describe("SGDRegressor", function()
   local X, y = sugar()

   it("agrees with scikit-learn for every loss, penalty and schedule", function()
      assert.equal(4 * 4 * 4, #oracle.regressor)
      for _, case in ipairs(oracle.regressor) do agrees(case, ml.SGDRegressor(settings(case)):fit(X, y)) end
   end)

   it("agrees with scikit-learn on averages, from any step on", function()
      for _, case in ipairs(oracle.averaged) do agrees(case, ml.SGDRegressor(settings(case)):fit(X, y)) end
   end)

   it("agrees with scikit-learn on weights, without a constant", function()
      local w = {}
      for i = 1, #y do w[i] = 0.5 + (i - 1) % 3 end
      for _, case in ipairs(oracle.weighted) do
         agrees(case, ml.SGDRegressor(settings(case)):fit(X, y, { weights = w }))
      end
   end)

   it("agrees with scikit-learn on passive-aggressive steps", function()
      local _, _, X2, y2 = flowers()
      for _, case in ipairs(oracle.aggressive) do
         agrees(case, case.classify and ml.SGDClassifier(settings(case)):fit(X2, y2)
            or ml.SGDRegressor(settings(case)):fit(X, y))
      end
   end)

   it("agrees with scikit-learn in batches", function()
      for _, case in ipairs(oracle.batches) do
         local model = ml.SGDRegressor(settings(case))
         for first = 1, 442, 100 do
            local last = math.min(first + 99, 442)
            model:partial_fit(X:slice(first, last), y:slice(first, last))
         end
         agrees(case, model)
         assert.equal(case.t, model.t)
      end
   end)

   it("ends in the round in which scikit-learn ends", function()
      for _, case in ipairs(oracle.stopped) do
         local model = ml.SGDRegressor(settings(case)):fit(X, y)
         agrees(case, model, 1e-9)
         assert.equal(case.n_iter, model.n_iter)
         assert.is_true(model.converged)
      end
   end)
end)
