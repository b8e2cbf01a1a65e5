local ml = require "manilius"
local core = require "manilius.core"
local support = require "spec.support"
local wanted = require "spec.fixtures.mixture_of_experts.experts_r"

local near, near_all, near_rows, refuses = support.near, support.near_all, support.near_rows, support.refuses
local tight = { tol = 1e-14, max_iter = 20000, n_init = 20 }

local function with(settings)
   local all = {}
   for k, v in pairs(tight) do all[k] = v end
   for k, v in pairs(settings) do all[k] = v end
   return all
end

-- Intercept and coefficients of component k.
local function line(model, k)
   local list = { model.intercept[k] }
   for j = 1, model.coef.cols do list[j + 1] = model.coef:get(k, j) end
   return list
end

local function agrees(model, other, tolerance)
   near(other.loglik, model.loglik, tolerance, "loglik")
   near_all(other.weights, model.weights, tolerance, "weights")
   for k, b in ipairs(other.coef) do
      near_all(b, line(model, k), tolerance, "coef " .. k)
      near(other.variance[k] or other.variance[1], model.variance[k], tolerance, "variance")
   end
end

local function npreg()
   local X = {}
   for i, x in ipairs(wanted.npreg_x) do X[i] = { x, x * x } end
   return X, wanted.npreg_y
end

-- Two lines that cross.
local function crossing(n)
   local x, e, u, y = core.normal(n, 1, 1), core.normal(n, nil, 2), core.random(n, nil, 3), {}
   for i = 1, n do
      local v = x:get(i, 1)
      y[i] = u[i] < 0.6 and 1 + 2 * v + 0.3 * e[i] or 2 - 1.5 * v + 0.5 * e[i]
   end
   return x, core.Vector(y), u
end

describe("MixtureOfRegressions", function()
   it("agrees with mixtools, from its own starts", function()
      agrees(ml.MixtureOfRegressions(tight):fit(npreg()), wanted.npreg, 2e-5)
      local faithful = ml.read_csv "examples/data/faithful.csv"
      agrees(ml.MixtureOfRegressions(tight):fit(faithful:select { "eruptions" }, faithful.waiting), wanted.faithful,
         1e-4)
      local quakes = ml.read_csv "examples/data/quakes.csv"
      agrees(ml.MixtureOfRegressions(with { equal_variance = true }):fit(quakes:select { "mag", "depth" },
         quakes.stations), wanted.quakes, 1e-4)
   end)

   it("agrees with the published analysis of flexmix, with at least its likelihood", function()
      -- Leisch, Journal of Statistical Software 11(8) (2004), section 3: log likelihood -642.5.
      local model = ml.MixtureOfRegressions(tight):fit(npreg())
      assert.is_true(model.loglik >= wanted.flexmix.loglik)
      near(-642.5, model.loglik, 1e-3)
      for k = 1, 2 do near_all(wanted.flexmix.coef[k], line(model, k), 0.05, "coef", 1) end
      assert.equal(9, model.n_parameters)
      near(2 * 9 - 2 * model.loglik, model.aic, 1e-14)
      near(9 * math.log(200) - 2 * model.loglik, model.bic, 1e-14)
   end)

   it("recovers known lines with every init", function()
      local X, y, u = crossing(800)
      for _, init in ipairs { "rows", "k-means++", "random" } do
         local model = ml.MixtureOfRegressions { init = init }:fit(X, y)
         near_all({ 1, 2 }, line(model, 1), 0.06)
         near_all({ 2, -1.5 }, line(model, 2), 0.06)
         near_all({ 0.6, 0.4 }, model.weights, 0.08)
         near_all({ 0.09, 0.25 }, model.variance, 0.15)
         local right = 0
         for i = 1, 800 do
            local first = model.responsibilities:get(i, 1) > 0.5
            right = right + (first == (u[i] < 0.6) and 1 or 0)
         end
         assert.is_true(right > 0.85 * 800, init .. ": " .. right)
      end
   end)

   it("is at a maximum: every change of a coefficient, variance or mixing weight lowers the likelihood", function()
      local X, y = crossing(100)
      local m = ml.MixtureOfRegressions(tight):fit(X, y)
      local function loglik(b, variance, weights)
         local sum = 0
         for i = 1, 100 do
            local p = 0
            for k = 1, 2 do
               local r = y[i] - b[k][1] - b[k][2] * X:get(i, 1)
               p = p + weights[k] * math.exp(-r * r / (2 * variance[k])) / math.sqrt(2 * math.pi * variance[k])
            end
            sum = sum + math.log(p)
         end
         return sum
      end
      local b, s, w = { line(m, 1), line(m, 2) }, m.variance:totable(), m.weights:totable()
      near(loglik(b, s, w), m.loglik, 1e-12)
      for k = 1, 2 do
         for _, h in ipairs { 1e-3, -1e-3 } do
            for j = 1, 2 do
               b[k][j] = b[k][j] + h
               assert.is_true(loglik(b, s, w) < m.loglik)
               b[k][j] = b[k][j] - h
            end
            s[k] = s[k] + h
            assert.is_true(loglik(b, s, w) < m.loglik)
            s[k] = s[k] - h
         end
      end
      assert.is_true(loglik(b, s, { w[1] + 1e-3, w[2] - 1e-3 }) < m.loglik)
      assert.is_true(loglik(b, s, { w[1] - 1e-3, w[2] + 1e-3 }) < m.loglik)
   end)

   it("never lowers the likelihood in an iteration or with more starts", function()
      local X, y = npreg()
      local before = -math.huge
      for _, n_init in ipairs { 1, 5, 25 } do
         local model = ml.MixtureOfRegressions { n_components = 4, n_init = n_init, init = "random", seed = 3 }
         model:fit(X, y)
         local trace = model.trace
         for i = 2, #trace do assert.is_true(trace[i] <= trace[i - 1] + 1e-9) end
         near(-model.objective, model.loglik, 1e-14)
         assert.is_true(model.loglik >= before - 1e-3)
         before = model.loglik
      end
   end)

   it("orders components by weight, independent of the order of the rows", function()
      local X, y = crossing(300)
      local backwards = {}
      for i = 1, 300 do backwards[i] = 301 - i end
      local one = ml.MixtureOfRegressions(tight):fit(X, y)
      local two = ml.MixtureOfRegressions(with { seed = 7 }):fit(X:take(backwards), y:take(backwards))
      near_rows(one.coef, two.coef, 1e-5)
      near_all(one.weights, two.weights, 1e-5)
      assert.is_true(one.weights[1] > one.weights[2])
   end)

   it("equals ordinary least squares with one component", function()
      local X, y = support.data("diabetes", "progression")
      local one, ols = ml.MixtureOfRegressions { n_components = 1 }:fit(X, y), ml.LinearRegression {}:fit(X, y)
      near_all(ols.coef, one.coef:row(1), 1e-9)
      near(ols:summary().loglik, one.loglik, 1e-12)
      near(ols:summary().bic, one.bic, 1e-12)
      near_all(ols:predict(X), one:predict(X), 1e-10)
      local plain, through = ml.LinearRegression { fit_intercept = false }:fit(X, y),
         ml.MixtureOfRegressions { n_components = 1, fit_intercept = false }:fit(X, y)
      near_all(plain.coef, through.coef:row(1), 1e-9)
      assert.equal(0, through.intercept[1])
   end)

   it("treats weights as repetitions of rows", function()
      local X, y = crossing(60)
      local weights, rows = {}, {}
      for i = 1, 60 do
         weights[i] = i % 4
         for _ = 1, weights[i] do rows[#rows + 1] = i end
      end
      local one = ml.MixtureOfRegressions(tight):fit(X, y, { weights = weights })
      local two = ml.MixtureOfRegressions(tight):fit(X:take(rows), y:take(rows))
      near(one.loglik, two.loglik, 1e-9)
      near(one.bic, two.bic, 1e-9)
      near_rows(one.coef, two.coef, 1e-5)
   end)

   it("does not depend on the units of X and y", function()
      local X, y = crossing(200)
      local one = ml.MixtureOfRegressions {}:fit(X, y)
      local two = ml.MixtureOfRegressions {}:fit(X * 2.0 ^ 300 + 0, y * 2.0 ^ -200)
      near_all((one.coef:col(1) * 2.0 ^ -500), two.coef:col(1), 1e-12)
      near_all(one.weights, two.weights, 1e-12)
      near(one.loglik + 200 * 200 * math.log(2), two.loglik, 1e-12)
   end)

   it("counts no parameters for collinear columns", function()
      local X, y = crossing(80)
      local twice = core.hcat(X, X, core.full(80, 1, 5))
      local one, two = ml.MixtureOfRegressions(tight):fit(X, y), ml.MixtureOfRegressions(tight):fit(twice, y)
      near(one.loglik, two.loglik, 1e-9)
      assert.equal(one.n_parameters, two.n_parameters)
      for k = 1, 2 do
         assert.equal(0, two.coef:get(k, 3))
         near(two.coef:get(k, 1), two.coef:get(k, 2), 1e-9)
      end
   end)

   it("keeps variances at min_variance: more columns than rows, one row per component, a constant y", function()
      local X, y = core.normal(6, 10, 1), core.normal(6, nil, 2)
      local wide = ml.MixtureOfRegressions {}:fit(X, y)
      local square = 0
      for i = 1, 6 do square = square + (y[i] - y:mean()) ^ 2 / 6 end
      for k = 1, 2 do
         near(1e-6 * square, wide.variance[k], 1e-9)
         for i = 1, 6 do
            local residual = math.abs(wide:predict_each(X):get(i, k) - y[i])
            assert.is_true(wide.responsibilities:get(i, k) < 1e-9 or residual < 0.01)
         end
      end
      local each = ml.MixtureOfRegressions { n_components = 3, min_variance = 1e-4 }
      each:fit({ { 1 }, { 2 }, { 4 } }, { 1, 5, 2 })
      local variance = (1 + 25 + 4) / 3 - (8 / 3) ^ 2
      for k = 1, 3 do near(1e-4 * variance, each.variance[k], 1e-9) end
      local flat = ml.MixtureOfRegressions {}:fit({ { 1 }, { 2 }, { 3 }, { 4 } }, { 2, 2, 2, 2 })
      near_all({ 2, 2 }, flat:predict { { 5 }, { -1 } }, 1e-12)
      refuses("MixtureOfRegressions: n_components must be at most the number of rows, 3, got 4", function()
         ml.MixtureOfRegressions { n_components = 4 }:fit({ { 1 }, { 2 }, { 4 } }, { 1, 5, 2 })
      end)
   end)

   it("prefers a start with positive variances to one that fits a few rows exactly", function()
      local X, y = crossing(60)
      local best = ml.MixtureOfRegressions { n_components = 3, n_init = 50, min_variance = 1e-12 }:fit(X, y)
      for k = 1, 3 do assert.is_true(best.variance[k] > 1e-4) end
   end)

   it("predicts components, their posterior, densities and intervals for new rows", function()
      local X, y = crossing(200)
      local m = ml.MixtureOfRegressions {}:fit(X, y)
      local all = m:posterior(X, y)
      near_rows(m.responsibilities, all.responsibilities, 1e-6, nil, 1e-3)
      near(m.loglik, all.log_density:sum(), 1e-12)
      local each = m:predict_each { { 0.5 } }
      for k = 1, 2 do near(m.intercept[k] + 0.5 * m.coef:get(k, 1), each:get(1, k), 1e-14) end
      near(m.weights[1] * each:get(1, 1) + m.weights[2] * each:get(1, 2), m:predict { { 0.5 } }[1], 1e-14)
      local t = m:predict_interval({ { 0.5 } }, { level = 0.8 })
      local square, below = 0, 0
      for k = 1, 2 do
         square = square + m.weights[k] * (m.variance[k] + each:get(1, k) ^ 2)
         below = below + m.weights[k] * ml.special.normal_cdf((t.low[1] - each:get(1, k)) / math.sqrt(m.variance[k]))
      end
      near(math.sqrt(square - t.mean[1] ^ 2), t.std[1], 1e-12)
      near(0.1, below, 1e-9)
      assert.is_true(t.low[1] < t.mean[1] and t.mean[1] < t.high[1])
   end)

   it("gives the same result for any number of threads", function()
      local X, y = crossing(5000)
      support.same_for_any_threads(function()
         return ml.MixtureOfRegressions { n_components = 3, n_init = 2, max_iter = 20 }:fit(X, y)
      end)
      -- Repeated, because the assignment of rows to threads varies.
      local wide, z = core.normal(6000, 4, 11), {}
      for i = 1, 6000 do z[i] = math.abs(wide:get(i, 1)) end
      for _ = 1, 5 do
         support.same_for_any_threads(function()
            return ml.MixtureOfRegressions { n_init = 1, max_iter = 1 }:fit(wide, z)
         end)
      end
   end)
end)
