--- BayesianLasso and HorseshoeRegression: shared behavior, and their posteriors against numerical integration.
local ml = require "manilius"
local core = require "manilius.core"
local oracle = dofile "spec/fixtures/bayesian/gibbs.lua"
local support = dofile "spec/support.lua"

local both = { BayesianLasso = ml.BayesianLasso, HorseshoeRegression = ml.HorseshoeRegression }
local global = { BayesianLasso = "lambda", HorseshoeRegression = "tau" }

-- A model with many draws, even if the chains agree early.
local function long(class, settings)
   local all = { min_ess = 1e9, draws = 15000, max_iter = 15000, burn_in = 1000, seed = 5 }
   for name, value in pairs(settings) do all[name] = value end
   return class(all)
end

local function quiet(work)
   warn "@off"
   local result = work()
   warn "@on"
   return result
end

local function share_below(x, limit)
   local count = 0
   for i = 1, #x do count = count + (x[i] <= limit and 1 or 0) end
   return count / #x
end

describe("Gibbs sampling", function()
   for name, case in pairs {
      lasso = { ml.BayesianLasso, {} },
      lasso_given = { ml.BayesianLasso, { penalty = 2.5 } },
      lasso_through_0 = { ml.BayesianLasso, { fit_intercept = false, lambda_shape = 2, lambda_rate = 0.5 } },
      horseshoe = { ml.HorseshoeRegression, {} },
      horseshoe_narrow = { ml.HorseshoeRegression, { tau_scale = 0.05 } },
   } do
      it("agrees with the posterior by numerical integration: " .. name, function()
         local wanted = oracle[name]
         local model = quiet(function() return long(case[1], case[2]):fit(oracle.X, oracle.y) end)
         local samples = model:samples()
         assert.is_true(model.worst_r_hat < 1.01)
         for j = 1, 2 do
            -- four standard errors
            assert.near(wanted.coef[j], model.coef[j], 4 * wanted.sd[j] / math.sqrt(model.ess[j]))
            local tail = 4 * math.sqrt(0.025 * 0.975 / model.ess_tail[j])
            assert.near(0.025, share_below(samples.coef:col(j), wanted.lower[j]), tail)
            assert.near(0.975, share_below(samples.coef:col(j), wanted.upper[j]), tail)
         end
         assert.near(wanted.sigma2, samples.sigma2:mean(), 0.02 * wanted.sigma2)
         local drawn = samples[global[model.class]]
         if model.class == "HorseshoeRegression" then drawn = (drawn ^ 2 + 1) ^ -1 end
         assert.near(wanted.global, drawn:mean(), 0.01 * math.max(wanted.global, 1))
      end)
   end

   it("samples the same distribution with fewer rows than columns", function()
      local A, b = ml.normal(10, 12, 7), ml.normal(10, nil, 8)
      b = b + A:col(3) * 4
      local list, targets, half = {}, {}, {}
      for i = 1, 20 do
         list[i], targets[i], half[i] = A[(i - 1) % 10 + 1]:totable(), b[(i - 1) % 10 + 1], 0.5
      end
      for class, new in pairs(both) do
         local wide = quiet(function() return long(new, {}):fit(A, b) end)
         local narrow = quiet(function() return long(new, {}):fit(list, targets, { weights = half }) end)
         for j = 1, 12 do
            local sd = (narrow.coef_upper[j] - narrow.coef_lower[j]) / 3.9
            local error = sd * math.sqrt(1 / wide.ess[j] + 1 / narrow.ess[j])
            assert(math.abs(wide.coef[j] - narrow.coef[j]) < 4.5 * error,
               ("%s, %d: %g, %g, error %g"):format(class, j, wide.coef[j], narrow.coef[j], error))
         end
      end
   end)

   it("has intervals of predictions and coefficients with the nominal coverage", function()
      local truth, rows_inside, coef_inside = ml.Vector { 2, -1, 0.5, 0, 0, 0 }, 0, 0
      for seed = 1, 30 do
         for _, new in pairs(both) do
            local A, noise = ml.normal(60, 6, 100 + seed), ml.normal(60, nil, 200 + seed)
            local b = A * truth + noise * 2 + 5
            local model = new { seed = seed, min_ess = 200, level = 0.9 }:fit(A:slice(1, 30), b:slice(1, 30))
            local interval = model:predict_interval(A:slice(31, 60), { level = 0.9 })
            for i = 1, 30 do
               if interval.low[i] <= b[30 + i] and b[30 + i] <= interval.high[i] then
                  rows_inside = rows_inside + 1
               end
            end
            for j = 1, 6 do
               local covered = model.coef_lower[j] <= truth[j] and truth[j] <= model.coef_upper[j]
               if covered then coef_inside = coef_inside + 1 end
            end
         end
      end
      -- three standard errors are 0.02 for 1800 rows and 0.05 for 360 coefficients; zeros are covered more often
      assert.near(0.9, rows_inside / 1800, 0.025)
      assert.near(0.92, coef_inside / 360, 0.05)
   end)

   for class, new in pairs(both) do
      describe(class, function()
         local X, y = support.data("diabetes", "progression")

         it("has learned fields that summarize its samples", function()
            local model = new { thin = 3, chains = 3, draws = 200, min_ess = 50 }:fit(X, y)
            local samples = model:samples()
            assert.equal(3 * model.kept, samples.coef.rows)
            assert.equal((model.n_iter - 1) // 3 + 1, model.kept)
            assert.same({ 1, 1, 2, 3 }, { samples.chain[1], samples.chain[model.kept],
               samples.chain[model.kept + 1], samples.chain[3 * model.kept] })
            for j = 1, 10 do
               local draws, rows = samples.coef:col(j), {}
               support.near(draws:mean(), model.coef[j], 1e-12, "mean")
               support.near(draws:quantile(0.5), model.coef_median[j], 1e-12, "median")
               support.near(draws:quantile(0.025), model.coef_lower[j], 1e-12, "lower")
               support.near(draws:quantile(0.975), model.coef_upper[j], 1e-12, "upper")
               for c = 1, 3 do rows[c] = draws:slice((c - 1) * model.kept + 1, c * model.kept):totable() end
               local r_hat, ess, ess_tail = core.mcmc_diagnostics(rows)
               support.near_all({ r_hat, ess, ess_tail }, { model.r_hat[j], model.ess[j], model.ess_tail[j] }, 1e-12)
               assert.is_true(r_hat <= model.worst_r_hat and math.min(ess, ess_tail) >= model.least_ess)
            end
            support.near(samples.sigma2:quantile(0.5), model.sigma2, 1e-12, "sigma2")
            support.near(samples[global[class]]:quantile(0.5), model[global[class]], 1e-12, "global")
         end)

         it("predicts the mixture over its draws", function()
            local model = new {}:fit(X, y)
            local samples, interval = model:samples(), model:predict_interval(X:take { 7 }, { level = 0.8 })
            local centers = samples.coef * ml.Vector(X:take { 7 }:matrix()[1]:totable()) + samples.intercept
            local low, high, square = 0, 0, 0
            for k = 1, #centers do
               local sigma = math.sqrt(samples.sigma2[k])
               low = low + ml.special.normal_cdf((interval.low[1] - centers[k]) / sigma) / #centers
               high = high + ml.special.normal_cdf((interval.high[1] - centers[k]) / sigma) / #centers
               square = square + ((centers[k] - centers:mean()) ^ 2 + samples.sigma2[k]) / #centers
            end
            support.near(0.1, low, 1e-8, "low")
            support.near(0.9, high, 1e-8, "high")
            support.near(math.sqrt(square), interval.std[1], 1e-10, "std")
            assert.equal(model:predict(X:take { 7 })[1], interval.mean[1])
            support.near(centers:mean(), interval.mean[1], 0.01, "mean")
         end)

         it("gives the same result for any number of threads", function()
            support.same_for_any_threads(function() return new {}:fit(X, y) end)
         end)

         it("does not depend on the units of X and y", function()
            local one = new {}:fit(X, y)
            local two = new {}:fit(X:matrix() * 1024, y * 0.5)
            support.near_all((one.coef / 2048):totable(), two.coef, 1e-9, "coef")
            support.near(one.sigma2 / 4, two.sigma2, 1e-9, "sigma2")
            support.near(one[global[class]], two[global[class]], 1e-9, "global")
         end)

         it("treats weights as repetitions of rows", function()
            local A, b, w = ml.normal(20, 3, 1), ml.normal(20, nil, 2), {}
            local rows, targets = {}, {}
            for i = 1, 20 do
               w[i] = i % 3
               for _ = 1, w[i] do rows[#rows + 1], targets[#targets + 1] = A[i]:totable(), b[i] end
            end
            local weighted, repeated = new {}:fit(A, b, { weights = w }), new {}:fit(rows, targets)
            assert.equal(#rows, weighted.n)
            -- the random numbers are the same, so the draws agree up to rounding
            support.near_all(repeated.coef, weighted.coef, 1e-6, "coef", 1e-3)
         end)

         it("reports whether it converged, and keeps the draws so far when canceled", function()
            local short = quiet(function() return new { max_iter = 40, burn_in = 0 }:fit(X, y) end)
            assert.is_false(short.converged)
            assert.equal(40, short.n_iter)
            assert.is_true(short.least_ess < 400)
            local long_one = new {}:fit(X, y)
            assert.is_true(long_one.converged and long_one.least_ess >= 400 and long_one.worst_r_hat <= 1.01)
            local stopped = quiet(function()
               return new { burn_in = 1000 }:fit(X, y, { on_iter = function() return "stop" end })
            end)
            assert.equal(1, stopped.n_iter)
            assert.equal(4, stopped:samples().coef.rows)
         end)

         it("accepts constant and duplicate columns, and a y that is constant or exactly linear", function()
            local A, rows = ml.normal(40, 3, 5), {}
            for i = 1, 40 do rows[i] = { A[i][1], A[i][1], 7, A[i][2] } end
            local model = new { max_iter = 500 }
            quiet(function() return model:fit(rows, A:col(1) * 2) end)
            support.near(2, model.coef[1] + model.coef[2], 1e-3)
            assert.equal(0, model.coef[3])
            assert.is_true(model.ess[3] ~= model.ess[3])
            local constant = quiet(function() return new { max_iter = 500 }:fit(A, ml.full(40, 1, 5):col(1)) end)
            support.near(5, constant:predict(A)[1], 1e-6)
         end)
      end)
   end
end)
