local ml = require "manilius"
local support = require "spec.support"
local refuses = support.refuses

-- m measurements of n values, of which a share is normal and the others are 0.
local function problem(m, n, share, noise)
   local A = ml.normal(m, n, 1) / math.sqrt(m)
   local x = ml.normal(n, 1, 3):flatten():mul(ml.random(n, 1, 2):flatten():lt(share))
   return A, x, A * x + ml.normal(m, 1, 4):flatten() * noise
end

describe("amp", function()
   it("has the error that state evolution predicts, iteration by iteration", function()
      local A, x, y = problem(2000, 4000, 0.1, 0.05)
      for _, denoiser in ipairs { "soft", "mmse" } do
         local theory = ml.amp_state_evolution { delta = 0.5, share = 0.1, noise = 0.05, denoiser = denoiser,
            steps = 16 }
         for _, steps in ipairs { 1, 4, 8, 15 } do
            local warned = ml.warnings "off"
            local got = ml.amp(A, y, { share = 0.1, denoiser = denoiser, max_iter = steps, tol = 0 })
            ml.warnings(warned or "on")
            -- 400 values of variance 1 are not 0: their sum of squares alone varies by 7%
            support.near(theory.tau[steps], got.tau[steps], 0.08, denoiser .. " tau")
            support.near(theory.mse[steps + 1], (got.x - x):square():mean(), 0.25, denoiser .. " mse")
         end
      end
   end)

   it("ends at the lasso", function()
      local A, _, y = problem(400, 600, 0.1, 0.1)
      local got = ml.amp(A, y, { alpha = 1.5, tol = 1e-13, max_iter = 5000 })
      assert.is_true(got.converged)
      local tau, active = got.tau[got.n_iter], got.x:ne(0):mean()
      local lambda = 1.5 * tau * (1 - active * 600 / 400)
      local lasso = ml.Lasso { alpha = lambda / 400, fit_intercept = false, tol = 1e-12, max_iter = 100000 }:fit(A, y)
      support.near_all(lasso.coef:totable(), got.x, 1e-5, "coefficients", 1)
   end)

   it("recovers sparse values without noise exactly, below the phase transition only", function()
      local A, x, y = problem(500, 1000, 0.1, 0)
      assert.is_true((ml.amp(A, y, { share = 0.1, max_iter = 2000, tol = 1e-12 }).x - x):norm() < 1e-6 * x:norm())
      -- delta = 0.5: the transition of soft thresholds is at a share of 0.193
      assert.is_true(ml.amp_state_evolution { delta = 0.5, share = 0.18, steps = 2000 }.mse[2000] < 1e-12)
      assert.is_true(ml.amp_state_evolution { delta = 0.5, share = 0.21, steps = 2000 }.mse[2000] > 1e-3)
   end)

   it("chooses the minimax threshold of Donoho, Maleki & Montanari", function()
      -- the minimum of the largest risk over alpha, by its definition
      local function risk(share, a)
         local tail = 1 - ml.dist.normal():cdf(a)
         local density = math.exp(ml.dist.normal():log_density(a))
         return share * (1 + a * a) + (1 - share) * 2 * ((1 + a * a) * tail - a * density)
      end
      for _, share in ipairs { 0.01, 0.1, 0.3 } do
         local alpha = ml.amp_state_evolution { delta = 0.5, share = share, steps = 1 }.alpha
         assert.is_true(risk(share, alpha) < risk(share, alpha + 1e-3))
         assert.is_true(risk(share, alpha) < risk(share, alpha - 1e-3))
      end
   end)

   it("reports divergence with its reason", function()
      local A, x = ml.normal(50, 100, 1) / 7, ml.normal(100, 1, 2):flatten()
      local function warning(matrix)
         local seen
         local before = ml.warnings(function(message) seen = message end)
         local got = ml.amp(matrix, matrix * x, { share = 0.1 })
         ml.warnings(before or "on")
         assert.is_true(got.diverged)
         return seen
      end
      local copies = A + 1 -- columns with a large mean, of norm 1
      assert.matches("amp: diverged: A is not like .* use damping, or Lasso", warning(copies / copies:norm() * 10))
      assert.matches("amp: diverged: the columns of A have norm [%d.]+ in the mean square, which must be 1",
         warning(A * 1000))
   end)

   it("refuses what it cannot use", function()
      local A = ml.normal(4, 8, 1)
      refuses("share must be given: the share of the values of x that are not 0; or alpha", ml.amp, A, { 1, 2, 3, 4 })
      refuses("amp: y must have a value for each row of A, 4, got 3", ml.amp, A, { 1, 2, 3 }, { share = 0.1 })
      refuses("amp: A must be finite", ml.amp, A / 0, { 1, 2, 3, 4 }, { share = 0.1 })
      refuses("denoiser must be soft or mmse, got", ml.amp, A, { 1, 2, 3, 4 }, { denoiser = "hard" })
      refuses("alpha is for the denoiser soft", ml.amp, A, { 1, 2, 3, 4 }, { denoiser = "mmse", alpha = 1 })
      refuses("delta must be a number > 0, got nil", ml.amp_state_evolution, { share = 0.1 })
   end)
end)
