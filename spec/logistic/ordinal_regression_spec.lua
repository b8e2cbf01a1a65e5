--- OrdinalRegression against polr of MASS, and against binary regression.

local ml = require "manilius"
local support = dofile "spec/support.lua"
local refuses = support.refuses
local oracle = dofile "spec/fixtures/logistic/polr.lua"

local data = ml.read_csv "examples/data/diabetes.csv"
local X, order = data:select { "bmi", "bp", "s5" }, { "low", "some", "much", "high" }
local y, ranks, weights = {}, {}, {}
for i = 1, data.rows do
   local value = data.progression[i]
   ranks[i] = value <= 90 and 1 or value <= 140 and 2 or value <= 220 and 3 or 4
   y[i], weights[i] = order[ranks[i]], 1 + (i - 1) % 3
end

describe("OrdinalRegression", function()
   for name, wanted in pairs(oracle) do
      it("agrees with polr: " .. name, function()
         local model = ml.OrdinalRegression { link = wanted.link, order = order }:fit(X, y,
            { weights = name == "weighted" and weights or nil })
         assert.is_true(model.converged)
         local s = model:summary()
         -- polr stops at about 1e-7 of the minimum, and differentiates numerically
         support.near_all(wanted.estimate, s.coefficients.estimate, 1e-4, "estimate")
         support.near_all(wanted.std_error, s.coefficients.std_error, 5e-3, "std_error")
         support.near(wanted.loglik, s.loglik, 1e-9, "loglik")
         assert.is_true(s.loglik >= wanted.loglik - 1e-9)
         local proba = model:predict_proba { { 20, 80, 4 }, { 30, 95, 4.6 }, { 45, 130, 6 } }
         for i, row in ipairs(wanted.proba) do
            for k, label in ipairs(order) do support.near(row[k], proba:col(label)[i], 1e-4, label) end
         end
         assert.same({ "bmi", "bp", "s5", "low|some", "some|much", "much|high" }, s.coefficients.term:totable())
         assert.matches("much|high", s.text, nil, true)
      end)
   end

   it("has a zero gradient, and errors from the observed information", function()
      local normal = ml.dist.normal {}
      for _, link in ipairs { "logit", "probit", "cloglog" } do
         local model = ml.OrdinalRegression { link = link }:fit(X, ml.Vector(ranks))
         local p, M, theta, b = {}, X:matrix(), model.thresholds:totable(), model.coef:totable()
         for j = 1, 3 do p[j] = b[j] end
         for k = 1, 3 do p[3 + k] = theta[k] end
         local function cdf(z)
            if link == "probit" then return normal:cdf(z) end
            return link == "logit" and 1 / (1 + math.exp(-z)) or 1 - math.exp(-math.exp(z))
         end
         local function loglik(q)
            local sum = 0
            for i = 1, data.rows do
               local eta, k = 0, ranks[i]
               for j = 1, 3 do eta = eta + q[j] * M:get(i, j) end
               local above, below = k < 4 and cdf(q[3 + k] - eta) or 1, k > 1 and cdf(q[2 + k] - eta) or 0
               sum = sum + math.log(above - below)
            end
            return sum
         end
         local function moved(j, k, dj, dk)
            local q = { table.unpack(p) }
            q[j] = q[j] + dj
            q[k] = q[k] + dk
            return loglik(q)
         end
         support.near(loglik(p), model:summary().loglik, 1e-12, "loglik")
         local vcov, h = model:vcov(), {}
         local precision = vcov:inverse()
         for j = 1, 6 do h[j] = 0.02 / math.sqrt(precision:get(j, j)) end
         local information = ml.Matrix(6, 6)
         for j = 1, 6 do
            assert.near(0, (moved(j, j, h[j], 0) - moved(j, j, -h[j], 0)) / 0.04, 0.002) -- in units of h
            for k = 1, 6 do
               information:set(j, k, -(moved(j, k, h[j], h[k]) - moved(j, k, h[j], -h[k])
                  - moved(j, k, -h[j], h[k]) + moved(j, k, -h[j], -h[k])) / (4 * h[j] * h[k]))
            end
         end
         local inverse = information:inverse()
         for j = 1, 6 do support.near(inverse:get(j, j), vcov:get(j, j), 1e-2, "variance") end
      end
   end)

   it("is logistic regression for two classes", function()
      local two = {}
      for i = 1, #ranks do two[i] = ranks[i] > 2 and 1 or 0 end
      local model = ml.OrdinalRegression {}:fit(X, ml.Factor(two))
      local binary = ml.LogisticRegression { penalty = "none", tol = 1e-15 }:fit(X, ml.Factor(two))
      support.near_all(binary.coef, model.coef, 1e-6, "coef")
      support.near(-binary.intercept, model.thresholds[1], 1e-6, "threshold")
      support.near_all(binary:summary().coefficients.std_error:slice(2, 4),
         model:summary().coefficients.std_error:slice(1, 3), 1e-5, "std_error")
      support.near_all(binary:predict_proba(X):col(1), model:predict_proba(X):col(1), 1e-7, "probability")
   end)

   it("orders numbers by value, and text as told", function()
      local numbers = ml.OrdinalRegression {}:fit(X, ml.Factor(ranks))
      local text = ml.OrdinalRegression { order = order }:fit(X, y)
      assert.same(numbers.coef:totable(), text.coef:totable())
      assert.same({ 4, 1, 3, 2 }, text.ranks:totable()) -- high, low, much, some
      assert.same(text:predict_proba(X):totable(), ml.load(text:dump()):predict_proba(X):totable())
      local reversed = ml.OrdinalRegression { order = { 4, 3, 2, 1 } }:fit(X, ml.Factor(ranks))
      support.near_all(numbers.coef * -1, reversed.coef, 1e-6, "coef")
      refuses("order must list each of the 4 classes, got 2",
         function() ml.OrdinalRegression { order = { "low", "high" } }:fit(X, y) end)
      refuses("order must list each class, but not much",
         function() ml.OrdinalRegression { order = { "low", "some", "none", "high" } }:fit(X, y) end)
   end)

   it("keeps probabilities in the far tails", function()
      for _, link in ipairs { "logit", "probit", "cloglog" } do
         local model = ml.OrdinalRegression { link = link }:fit(X, ml.Vector(ranks))
         local log_proba = model:predict_log_proba { { 400, 90, 4 }, { -400, 90, 4 }, { 26, 95, 4.6 } }
         for i = 1, 3 do
            local sum = 0
            for k = 1, 4 do
               assert.is_true(log_proba:get(i, k) <= 0)
               sum = sum + math.exp(log_proba:get(i, k))
            end
            assert.near(1, sum, 1e-12)
         end
      end
   end)

   it("is exported, but for probit", function()
      local Z = { { 20, 80, 4 }, { 30, 95, 4.6 }, { 45, 130, 6 }, { 400, 90, 4 }, { -400, 90, 4 } }
      for _, link in ipairs { "logit", "cloglog" } do
         local model = ml.OrdinalRegression { link = link, order = order }:fit(X, y)
         local program, wanted = load(model:export_lua())(), model:predict_log_proba(Z)
         for i, row in ipairs(Z) do
            support.near_all(wanted[i], program.predict_log_proba(row), 1e-15, "log probability")
         end
      end
      local probit = ml.OrdinalRegression { link = "probit" }:fit(X, ranks)
      refuses("OrdinalRegression cannot be exported: exported programs have no normal distribution for link 'probit'",
         function() probit:export_lua() end)
   end)

   it("says what separable classes and collinear columns do", function()
      local before, heard = ml.warnings(), {}
      ml.warnings(function(text) heard[#heard + 1] = text end)
      local separable = ml.OrdinalRegression {}:fit({ { 1 }, { 2 }, { 3 }, { 4 }, { 5 }, { 6 } }, { 1, 1, 2, 2, 3, 3 })
      ml.warnings(before)
      assert.is_false(separable.converged)
      assert.matches("separable", heard[1])
      local collinear = ml.OrdinalRegression {}:fit(ml.hcat(X:matrix(), X.bmi * 2, X.bmi * 0 + 7), ranks)
      assert.matches("collinear", collinear:summary().text)
      local penalized = ml.OrdinalRegression { alpha = 1 }:fit(X, ranks)
      assert.matches("penalty alpha = 1", penalized:summary().text)
      refuses("vcov requires alpha = 0", function() penalized:vcov() end)
   end)
end)
