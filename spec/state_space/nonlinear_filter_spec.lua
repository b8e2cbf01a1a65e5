local ml = require "manilius"
local support = dofile "spec/support.lua"

local nile = ml.read_csv "examples/data/nile.csv":select { "flow" }:matrix()

-- A linear model with two states, one of which is observed with a row missing.
local F, Q, R = { { 0.9, 0.3 }, { -0.2, 0.8 } }, { { 0.3, 0.1 }, { 0.1, 0.2 } }, { { 0.5 } }
local function linear(settings)
   local all = { transition = function(x) return { 0.9 * x[1] + 0.3 * x[2], -0.2 * x[1] + 0.8 * x[2] } end,
      observation = function(x) return { x[1] + 0.5 * x[2] } end, state_cov = Q, observation_cov = R,
      initial_mean = { 1, 0 }, initial_cov = { { 1, 0.2 }, { 0.2, 2 } } }
   for name, value in pairs(settings or {}) do all[name] = value end
   return ml.NonlinearKalmanFilter(all)
end
local kalman = ml.KalmanFilter { transition = F, observation = { { 1, 0.5 } }, state_cov = Q, observation_cov = R,
   initial_mean = { 1, 0 }, initial_cov = { { 1, 0.2 }, { 0.2, 2 } } }
local X = kalman:fit { { 0 } }:sample { n = 30, seed = 2 }.X
X:set(7, 1, 0 / 0)
kalman:fit(X)

-- A pendulum whose horizontal position is seen.
local function pendulum(settings)
   local all = { transition = function(x) return { x[1] + 0.1 * x[2], x[2] - 0.981 * math.sin(x[1]) } end,
      observation = function(x) return { math.sin(x[1]) } end, state_cov = { { 1e-4, 0 }, { 0, 1e-3 } },
      observation_cov = { { 0.01 } }, initial_mean = { 1.2, 0 }, initial_cov = { { 0.1, 0 }, { 0, 0.1 } } }
   for name, value in pairs(settings or {}) do all[name] = value end
   return ml.NonlinearKalmanFilter(all)
end

describe("NonlinearKalmanFilter", function()
   for _, settings in ipairs { { method = "extended" }, { method = "unscented" },
      { method = "unscented", alpha = 1, beta = 0 } } do
      it(("is the Kalman filter for linear functions: %s, alpha %s"):format(settings.method, settings.alpha), function()
         local model = linear(settings):fit(X)
         support.near(kalman.loglike, model.loglike, 1e-8, "log likelihood")
         support.near_all(kalman:score_samples(X), model:score_samples(X), 1e-7, "score", 1)
         local wanted, got = kalman:smooth(X), model:smooth(X)
         support.near_rows(wanted.mean:totable(), got.mean, 1e-7, "smoothed mean", 1)
         support.near_rows(wanted.covariance:totable(), got.covariance, 1e-7, "smoothed covariance", 1)
         support.near_rows(kalman:filter(X).prediction:totable(), model:filter(X).prediction, 1e-7, "prediction", 1)
         support.near_rows(kalman:forecast(nil, { steps = 4 }).high:totable(), model:forecast { steps = 4 }.high, 1e-7,
            "forecast", 1)
         support.near_rows(kalman:transform(X):totable(), model:transform(X), 1e-7, "transform", 1)
      end)
   end

   it("uses derivatives that are given", function()
      local slow, exact = pendulum { method = "extended" }, pendulum { method = "extended",
         transition_jacobian = function(x) return { { 1, 0.1 }, { -0.981 * math.cos(x[1]), 1 } } end,
         observation_jacobian = function(x) return { { math.cos(x[1]), 0 } } end }
      local rows = { { 0.9 }, { 0.8 }, { 0.5 }, { 0.1 }, { -0.4 } }
      support.near(exact:fit(rows).loglike, slow:fit(rows).loglike, 1e-8)
   end)

   it("follows a pendulum, and is closer when it smooths", function()
      -- the true path, without noise of the state
      local angle, speed, path, rows, rng = 1.2, 0, {}, {}, ml.normal(200, 1, 3)
      for t = 1, 200 do
         path[t] = angle
         rows[t] = { math.sin(angle) + 0.1 * rng[t][1] }
         angle, speed = angle + 0.1 * speed, speed - 0.981 * math.sin(angle)
      end
      for _, method in ipairs { "extended", "unscented" } do
         local model = pendulum { method = method }:fit(rows)
         local function error_of(means)
            local sum = 0
            for t = 20, 200 do sum = sum + (means[t][1] - path[t]) ^ 2 end
            return math.sqrt(sum / 181)
         end
         local filtered, smoothed = error_of(model:filter(rows).mean), error_of(model:smooth(rows).mean)
         assert.is_true(filtered < 0.1, method .. " " .. filtered)
         assert.is_true(smoothed < 0.8 * filtered, ("%s: %.3f, %.3f"):format(method, smoothed, filtered))
      end
   end)

   it("gives the moments of a square", function()
      -- x ~ N(1, 0.25): E x^2 = 1.25, var x^2 = 4 * 0.25 + 2 * 0.0625; the unscented transform is exact with beta = 2
      local model = ml.NonlinearKalmanFilter { transition = function(x) return { x[1] } end,
         observation = function(x) return { x[1] ^ 2 } end, state_cov = { { 0 } }, observation_cov = { { 1e-9 } },
         initial_mean = { 1 }, initial_cov = { { 0.25 } } }
      local f = model:fit({ { 1 } }):filter { { 1 } }
      support.near(1.25, f.prediction[1][1], 1e-6)
      support.near(1.125, f.prediction_variance[1][1], 1e-6)
   end)

   it("reports progress, and stops or cancels", function()
      local seen = 0
      linear():fit(X, nil, { on_iter = function(state) seen = state.done end })
      assert.equal(30, seen)
      support.refuses("cancelled by the progress function", function()
         linear():fit(X, nil, { on_iter = function() return "cancel" end })
      end)
   end)

   it("refuses what it cannot use", function()
      local function refuses(pattern, settings, rows)
         support.refuses(pattern, function() linear(settings):fit(rows or X) end)
      end
      refuses("transition must be a function, got 1", { transition = 1 })
      refuses('method must be "unscented" or "extended", got', { method = "particle" })
      refuses('transition_jacobian requires method = "extended"', { transition_jacobian = function() end })
      refuses("initial_cov must be 2 x 2, got 1 x 1", { initial_cov = { { 1 } } })
      refuses("observation must return 1 values, got 2", { observation = function(x) return x end })
      refuses("transition must return finite numbers, got nan in place 1",
         { transition = function() return { 0 / 0, 1 } end })
      refuses("transition must return a list of numbers, got nil", { transition = function() end })
      refuses("X must have 1 columns, one for each row of observation_cov, got 2", nil, { { 1, 2 } })
      refuses("my own error", { transition = function() error "my own error" end })
      refuses("the covariance of the prediction is singular", { observation_cov = { { 0 } }, initial_cov = { { 0, 0 },
         { 0, 0 } } })
      refuses("X must have at least 1 row, got 0", nil, {})
      support.refuses("alpha must be > 0", function() linear { alpha = 0 } :fit(X) end)
      support.refuses("steps must be a whole number >= 1", function() linear():fit(X):forecast { steps = 0 } end)
      support.refuses("call fit before forecast", function() linear():forecast() end)
   end)
end)

describe("ParticleFilter", function()
   local function walk(settings)
      local all = { transition = function(x, noise) return x + noise * 1469.1 ^ 0.5 end,
         log_density = function(x, y)
            return (x:col(1) - y[1]):square() * (-0.5 / 15099) - 0.5 * math.log(2 * math.pi * 15099)
         end, initial_mean = { 1000 }, initial_cov = { { 40000 } }, n_particles = 4000 }
      for name, value in pairs(settings or {}) do all[name] = value end
      return ml.ParticleFilter(all)
   end
   local exact = ml.KalmanFilter { transition = { { 1 } }, observation = { { 1 } }, state_cov = { { 1469.1 } },
      observation_cov = { { 15099 } }, initial_mean = { 1000 }, initial_cov = { { 40000 } } }:fit(nile)

   it("approaches the Kalman filter", function()
      local model = walk():fit(nile)
      -- standard deviation over seeds: 0.25
      assert.near(exact.loglike, model.loglike, 1)
      local wanted, got = exact:filter(nile), model:filter(nile)
      local worst = 0
      for t = 1, nile.rows do worst = math.max(worst, math.abs(wanted.mean[t][1] - got.mean[t][1])) end
      assert.is_true(worst < 12, worst) -- the states have a standard deviation of 64
      support.near(model.loglike, model:score_samples(nile):sum(), 1e-9)
      assert.near(wanted.covariance[50][1], got.covariance[50][1], 0.15 * wanted.covariance[50][1])
      for t = 1, nile.rows do assert.is_true(got.ess[t] >= 1 and got.ess[t] <= 4000) end
   end)

   it("gives the same numbers for the same seed, and without resampling the same estimate", function()
      assert.equal(walk():fit(nile).loglike, walk():fit(nile).loglike)
      assert.not_equal(walk():fit(nile).loglike, walk { seed = 1 }:fit(nile).loglike)
      local first = nile:slice(1, 5)
      assert.near(walk { threshold = 0 }:fit(first).loglike, walk { threshold = 1 }:fit(first).loglike, 0.1)
   end)

   it("skips missing rows and takes a start of any distribution", function()
      local rows = nile:copy()
      for t = 10, 20 do rows:set(t, 1, 0 / 0) end
      local model = walk { initial_mean = ml.unset, initial_cov = ml.unset, n_states = 1,
         initial = function(noise) return noise * 200 + 1000 end }
      assert.equal(0, model:fit(rows):score_samples(rows)[15])
      assert.near(walk():fit(rows).loglike, model.loglike, 1e-9)
   end)

   it("tracks two modes where a normal distribution cannot", function()
      -- the square of the state is seen: its sign is not
      local model = ml.ParticleFilter { transition = function(x, noise) return x + noise * 0.05 end,
         log_density = function(x, y) return (x:col(1):square() - y[1]):square() * (-0.5 / 0.01) end,
         initial_mean = { 0 }, initial_cov = { { 4 } }, n_particles = 4000, threshold = 0.5 }
      local f = model:fit({ { 1 }, { 1 }, { 1 } }):filter { { 1 }, { 1 }, { 1 } }
      assert.near(0, f.mean[3][1], 0.15)
      assert.near(1, f.covariance[3][1], 0.1)
   end)

   it("refuses what it cannot use", function()
      local function refuses(pattern, settings, rows)
         support.refuses(pattern, function() walk(settings):fit(rows or nile) end)
      end
      refuses("n_particles must be", { n_particles = 1 })
      refuses("threshold must be from 0 to 1, got 2", { threshold = 2 })
      refuses("transition must return a Matrix of 4000 particles x 1 states, got 1 x 1",
         { transition = function() return { { 1 } } end })
      refuses("log_density must return a Vector of 4000 log densities, got 1", { log_density = function()
         return { 1 }
      end })
      refuses("log_density returned nan for row 1", { log_density = function() return ml.Vector(4000, 0 / 0) end })
      refuses("row 1 has probability 0 under all particles", { log_density = function()
         return ml.Vector(4000, -math.huge)
      end })
      refuses("n_states must be given with initial", { initial = function(noise) return noise end,
         initial_mean = ml.unset })
   end)
end)
