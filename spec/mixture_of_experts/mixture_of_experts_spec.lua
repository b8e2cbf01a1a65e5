local ml = require "manilius"
local core = require "manilius.core"
local support = require "spec.support"
local cases = require "spec.fixtures.mixture_of_experts.experts"

local near, near_all, near_rows, refuses = support.near, support.near_all, support.near_rows, support.refuses

local function absolute_value(n, noise)
   local x, e, y = core.normal(n, 1, 1), core.normal(n, nil, 2), {}
   for i = 1, n do y[i] = math.abs(x:get(i, 1)) + noise * e[i] end
   return x, core.Vector(y)
end

-- A discontinuous function: -2 x, 3 + x, 3 x - 1, 4 - x on four intervals.
local function four_pieces(n)
   local x, e, y = core.random(n, 1, 5) * 4 - 2, core.normal(n, nil, 6), {}
   for i = 1, n do
      local v = x:get(i, 1)
      y[i] = (v < -1 and -2 * v or v < 0 and 3 + v or v < 1 and 3 * v - 1 or 4 - v) + 0.1 * e[i]
   end
   return x, core.Vector(y)
end

local function assert_decreasing(trace)
   for i = 2, #trace do assert.is_true(trace[i] <= trace[i - 1] + 1e-9 * math.abs(trace[i])) end
end

-- Gate probabilities and mean by the definition; gates in the order of the fields.
local function by_hand(m, row, levels, n)
   local share, at = { 1 }, 0
   for _ = 1, levels do
      local below = {}
      for _, above in ipairs(share) do
         local scores, sum = {}, 0
         for j = 1, n do
            at = at + 1
            scores[j] = math.exp(m.gate_intercept[at] + m.gate_coef:row(at):dot(row))
            sum = sum + scores[j]
         end
         for j = 1, n do below[#below + 1] = above * scores[j] / sum end
      end
      share = below
   end
   local mean = 0
   for k, g in ipairs(share) do mean = mean + g * (m.intercept[k] + m.coef:row(k):dot(row)) end
   return share, mean
end

describe("MixtureOfExperts", function()
   it("finds the maxima found by direct optimization of the likelihood", function()
      for _, case in ipairs(cases) do
         local frame = ml.read_csv("examples/data/" .. case.data .. ".csv")
         local X, y, settings = frame:select { case.x }, frame[case.y], { tol = 1e-11, max_iter = 20000 }
         for k, v in pairs(case.settings) do settings[k] = v end
         settings.n_init = settings.levels == 2 and 10 or 3
         local m = ml.MixtureOfExperts(settings):fit(X, y)
         near(case.objective, m.objective, 1e-10, case.data)
         near(case.loglik, m.loglik, 1e-7, case.data)
         near_all(case.mean, m:predict(X:take { 1, 2, 3, 4, 5, 6 }), 1e-4, case.data)
         local variance = m.variance:totable()
         table.sort(variance)
         for i, v in ipairs(case.variance) do near(v, variance[i], 1e-4, case.data) end
         assert_decreasing(m.trace)
      end
   end)

   -- Which initialization finds the better optima depends on the data; the default is at least as good as the second.
   it("reaches by default optima that not all initializations reach", function()
      local X, noise, y = core.random(150, 2, 5) * 4 - 2, core.random(150, nil, 4), {}
      for i = 1, 150 do y[i] = math.sin(2 * X:get(i, 1)) + math.abs(X:get(i, 2)) + 0.1 * noise[i] end
      local faithful = ml.read_csv("examples/data/faithful.csv")
      for _, case in ipairs { { X, y, 4 }, { faithful:select { "eruptions" }, faithful.waiting, 3 } } do
         local function objective(init)
            return ml.MixtureOfExperts { n_experts = case[3], init = init }:fit(case[1], case[2]).objective
         end
         local by_init = { objective "k-means++", objective "random", objective "rows" }
         table.sort(by_init)
         assert.is_true(by_init[3] > by_init[1] + 1)
         assert.is_true(objective() <= by_init[2] + 1e-4)
      end
   end)

   it("recovers known regimes and the boundary between them", function()
      local X, y = absolute_value(400, 0.1)
      for _, init in ipairs { "k-means++", "rows", "random", "mixed" } do
         local m = ml.MixtureOfExperts { init = init }:fit(X, y)
         local left = m.coef:get(1, 1) < 0 and 1 or 2
         near(-1, m.coef:get(left, 1), 0.03)
         near(1, m.coef:get(3 - left, 1), 0.03)
         near(0, m.gate_intercept[1] / m.gate_coef:get(1, 1), 0.1, "boundary", 1)
         local g = m:gate_proba { { -1 }, { 1 } }
         assert.is_true(g:get(1, left) > 0.999 and g:get(2, 3 - left) > 0.999)
         assert_decreasing(m.trace)
      end
   end)

   it("separates four pieces with one level and with two", function()
      local X, y = four_pieces(600)
      for _, settings in ipairs { { n_experts = 4 }, { n_experts = 2, levels = 2 } } do
         local m = ml.MixtureOfExperts(settings):fit(X, y)
         assert.is_true(m:score(X, y) > 0.94)
         local slopes = m.coef:col(1):totable()
         table.sort(slopes)
         near_all({ -2, -1, 1, 3 }, slopes, 0.1)
         for k = 1, 4 do near(0.01, m.variance[k], 0.4) end
         assert_decreasing(m.trace)
         assert.equal(18, m.n_parameters)
      end
   end)

   it("combines the gates level by level, by the definition", function()
      local X, y = four_pieces(300)
      for _, shape in ipairs { { 3, 1 }, { 2, 2 }, { 2, 3 }, { 3, 2 } } do
         local n, levels = shape[1], shape[2]
         local m = ml.MixtureOfExperts { n_experts = n, levels = levels, n_init = 2, gate_penalty = 1, max_iter = 30 }
         m:fit(X, y)
         assert.equal(n ^ levels, m.coef.rows)
         local rows = X:take { 1, 2, 3 }
         local g, mean = m:gate_proba(rows), m:predict(rows)
         for i = 1, 3 do
            local share, value = by_hand(m, rows:row(i), levels, n)
            near_all(share, g:row(i), 1e-10, "share", 1e-3)
            near(value, mean[i], 1e-10)
         end
         for first = 1, m.gate_coef.rows, n do
            local sum = 0
            for j = first, first + n - 1 do sum = sum + m.gate_coef:get(j, 1) end
            near(0, sum, 1e-9, "coefficients of a gate", math.abs(m.gate_coef:get(first, 1)) + 1e-6)
         end
         near(m.loglik, m:posterior(X, y).log_density:sum(), 1e-10)
         near_rows(m.responsibilities, m:posterior(X, y).responsibilities, 1e-6, nil, 1e-3)
      end
   end)

   it("equals MixtureOfRegressions with equal variances if the gates are penalized strongly", function()
      local cars = ml.read_csv "examples/data/mtcars.csv"
      local X, y = cars:select { "wt", "hp" }, cars.mpg
      local tight = { tol = 1e-14, max_iter = 20000, equal_variance = true, n_init = 20 }
      local plain = ml.MixtureOfRegressions(tight):fit(X, y)
      tight.gate_penalty, tight.init = 1e10, "rows"
      local gated = ml.MixtureOfExperts(tight):fit(X, y)
      near(plain.loglik, gated.loglik, 1e-7)
      near(plain.weights[1], math.max(table.unpack(gated:gate_proba({ { 3, 100 } }):row(1):totable())), 1e-4)
   end)

   it("treats weights as repetitions of rows", function()
      local X, y = absolute_value(60, 0.2)
      local weights, rows = {}, {}
      for i = 1, 60 do
         weights[i] = i % 3 + 1
         for _ = 1, weights[i] do rows[#rows + 1] = i end
      end
      local settings = { tol = 1e-14, max_iter = 20000, gate_penalty = 0.5, init = "k-means++", n_init = 10 }
      local one = ml.MixtureOfExperts(settings):fit(X, y, { weights = weights })
      local two = ml.MixtureOfExperts(settings):fit(X:take(rows), y:take(rows))
      near(one.objective, two.objective, 1e-10)
      near(one.bic, two.bic, 1e-8)
      near_all(one:predict(X), two:predict(X), 1e-5, nil, 1)
   end)

   it("stays finite if a gate can separate the rows, with any penalty", function()
      local X, y = { { 1 }, { 2 }, { 3 }, { 7 }, { 8 }, { 9 } }, { 1, 2, 3, 0, -1, -2 }
      for _, penalty in ipairs { 0, 1e-3, 10 } do
         local m = ml.MixtureOfExperts { gate_penalty = penalty, max_iter = 200 }:fit(X, y)
         assert_decreasing(m.trace)
         local tolerance = penalty > 1 and 4 or 0.03
         for i, v in ipairs(m:predict(X):totable()) do assert.is_true(math.abs(v - y[i]) < tolerance) end
      end
   end)

   it("ignores constant and duplicate columns", function()
      local X, y = absolute_value(200, 0.1)
      local one = ml.MixtureOfExperts { gate_penalty = 0, max_iter = 50, equal_variance = true }:fit(X, y)
      local two = ml.MixtureOfExperts { gate_penalty = 0, max_iter = 50, equal_variance = true }
         :fit(core.hcat(X, core.full(200, 1, 7), X), y)
      near(one.loglik, two.loglik, 1e-3)
      assert.equal(one.n_parameters, two.n_parameters)
   end)

   it("accepts as many experts as rows, and more columns than rows", function()
      local each = ml.MixtureOfExperts { n_experts = 3 }:fit({ { 1 }, { 2 }, { 4 } }, { 1, 5, 2 })
      near_all({ 1, 5, 2 }, each:predict { { 1 }, { 2 }, { 4 } }, 0.1)
      local X, y = core.normal(8, 20, 1), core.normal(8, nil, 2)
      near_all(y, ml.MixtureOfExperts {}:fit(X, y):predict(X), 0.05, nil, 1)
      refuses("MixtureOfExperts: n_experts %^ levels must be at most the number of rows, 8, got 3 %^ 2", function()
         ml.MixtureOfExperts { n_experts = 3, levels = 2 }:fit(X, y)
      end)
   end)

   it("gives the same result for any number of threads", function()
      local X, y = absolute_value(4000, 0.1)
      support.same_for_any_threads(function()
         return ml.MixtureOfExperts { n_experts = 2, levels = 2, n_init = 2, max_iter = 10 }:fit(X, y)
      end)
   end)
end)
