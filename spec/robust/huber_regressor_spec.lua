--- HuberRegressor against scikit-learn and the conditions of optimality.

local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/robust/huber.lua"

local cars = ml.read_csv "examples/data/mtcars.csv"
local X = ml.StandardScaler {}:fit_transform(cars:select { "wt", "hp", "qsec" })
local y, weights = ml.Vector(cars.mpg:totable()), {}
for i = 1, #y do
   if i % 11 == 5 then y[i] = y[i] + 20 end
   weights[i] = 1 + (i - 1) % 3
end

-- The gradient of the objective at the model, by coefficients, intercept and scale.
local function gradient(model, Z, z, w)
   local rows, g, e, s = model:diagnostics(Z, z), {}, model.epsilon, model.scale
   local p, M = #model.coef, ml.Matrix(Z)
   for j = 1, p + 2 do g[j] = j <= p and 2 * model.alpha * model.coef[j] or 0 end
   for i = 1, #z do
      local weight, r = w and w[i] or 1, rows.residual[i]
      local outlier = math.abs(r) > e * s
      assert.equal(outlier and 1 or 0, rows.outlier[i])
      local pull = outlier and (r > 0 and e or -e) or r / s
      for j = 1, p do g[j] = g[j] - 2 * weight * pull * M:get(i, j) end
      g[p + 1] = g[p + 1] - 2 * weight * pull
      g[p + 2] = g[p + 2] + weight * (1 - (outlier and e * e or (r / s) ^ 2))
   end
   return g
end

describe("HuberRegressor", function()
   for name, params in pairs {
      plain = {}, strict = { epsilon = 1.2 }, wide = { epsilon = 3, alpha = 5 },
      no_intercept = { fit_intercept = false }, weighted = { alpha = 0.1 } } do
      it("agrees with scikit-learn: " .. name, function()
         local wanted, w = oracle[name], name == "weighted" and weights or nil
         local model = ml.HuberRegressor(params):fit(X, y, { weights = w })
         assert.is_true(model.converged)
         -- scikit-learn's L-BFGS stops within about 1e-5 of the minimum
         support.near_all(wanted.coef, model.coef, 1e-4, "coef", 1)
         support.near(wanted.intercept, model.intercept, 1e-4, "intercept", 1e-9)
         support.near(wanted.scale, model.scale, 1e-4, "scale")
         assert.same(wanted.outliers, (model:diagnostics(X, y).outlier * 1.0):totable())
         local g = gradient(model, X, y, w)
         for j = 1, #g do
            if j ~= 4 or model.fit_intercept then assert.near(0, g[j], 1e-6) end
         end
      end)
   end

   it("resists outliers", function()
      local model = ml.HuberRegressor { alpha = 0 }:fit({ { 1 }, { 2 }, { 3 }, { 4 }, { 5 }, { 6 } },
         { 1.1, 1.9, 3.05, 4, 4.95, 60 })
      assert.near(1, model.coef[1], 0.05)
   end)

   it("fits exact lines, constant y and collinear columns", function()
      local Z = { { 1 }, { 2 }, { 3 }, { 4 } }
      local exact = ml.HuberRegressor { alpha = 0 }:fit(Z, { 2, 4, 6, 8 })
      assert.near(2, exact.coef[1], 1e-9)
      assert.is_true(exact.scale < 1e-12)
      local constant = ml.HuberRegressor {}:fit(Z, { 3, 3, 3, 3 })
      assert.near(3, constant.intercept, 1e-12)
      local one = ml.HuberRegressor {}:fit({ { 1, 2 } }, { 5 })
      assert.near(5, one:predict({ { 1, 2 } })[1], 1e-9)
      local doubled = ml.hcat(X:matrix(), X.wt, X.wt * 0)
      local model, plain = ml.HuberRegressor { alpha = 0 }:fit(doubled, y), ml.HuberRegressor { alpha = 0 }:fit(X, y)
      support.near_all(plain:predict(X), model:predict(doubled), 1e-6, "prediction")
   end)

   it("accepts more columns than rows, with a penalty", function()
      local Z, z = ml.normal(10, 30, 3), ml.normal(10, 1, 7):col(1) * 3
      local model = ml.HuberRegressor { alpha = 100 }:fit(Z, z)
      assert.is_true(model.converged)
      for _, one in ipairs(gradient(model, Z, z)) do assert.near(0, one, 1e-6) end
   end)

   it("says that the scale tends to 0", function()
      local heard = {}
      local before = ml.warnings()
      ml.warnings(function(text) heard[#heard + 1] = text end)
      local model = ml.HuberRegressor { epsilon = 1, alpha = 0 }:fit(X, y)
      ml.warnings(before)
      assert.is_false(model.converged)
      assert.is_true(model.scale < 1e-12)
      assert.matches("the scale tends to 0; raise epsilon", heard[1])
   end)
end)
