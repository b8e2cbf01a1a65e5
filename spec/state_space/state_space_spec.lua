local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/state_space/kalman.lua"

local X = ml.Matrix(oracle.X)

local function system(more)
   local settings = { transition = oracle.F, observation = oracle.H, state_cov = oracle.Q, observation_cov = oracle.R,
      state_offset = oracle.b, observation_offset = oracle.c, initial_mean = oracle.m, initial_cov = oracle.V }
   for name, value in pairs(more or {}) do settings[name] = value end
   for name, value in pairs(settings) do
      if value == false and name ~= "square_root" then settings[name] = nil end
   end
   return settings
end

local function smoothed(wanted, model)
   local s = model:smooth(X)
   support.near(wanted.loglike, model.loglike, 1e-9, "log likelihood")
   support.near_rows(wanted.mean, s.mean, 1e-8, "mean", 1)
   support.near_rows(wanted.cov, s.covariance, 1e-8, "covariance", 1)
   support.near_rows(wanted.mean, model:transform(X), 1e-8, "transform", 1)
end

local nile = ml.read_csv "examples/data/nile.csv":select { "flow" }:matrix()

describe("KalmanFilter", function()
   for _, square_root in ipairs { false, true } do
      it(("agrees with the joint normal distribution and statsmodels, square_root = %s"):format(square_root), function()
         local model = ml.KalmanFilter(system { square_root = square_root }):fit(X)
         smoothed(oracle.joint, model)
         local f = model:filter(X)
         support.near_rows(oracle.filtered.mean, f.mean, 1e-9, "mean", 1)
         support.near_rows(oracle.filtered.cov, f.covariance, 1e-9, "covariance", 1)
         support.near_rows(oracle.filtered.predicted, f.prediction, 1e-9, "prediction", 1)
         support.near_all(oracle.filtered.loglike, model:score_samples(X), 1e-9, "log likelihood", 1)
         support.near_all(oracle.filtered.next, model.next_mean, 1e-9, "next", 1)
      end)

      it(("starts with infinite variances as statsmodels does, square_root = %s"):format(square_root), function()
         local R = { { oracle.R[1][1], 0 }, { 0, oracle.R[2][2] } }
         smoothed(oracle.diffuse, ml.KalmanFilter(system { observation_cov = R, initial_mean = false,
            initial_cov = false, initialization = "diffuse", square_root = square_root }):fit(X))
      end)

      it(("follows matrices that vary, square_root = %s"):format(square_root), function()
         local v = oracle.varying
         smoothed(v, ml.KalmanFilter(system { transition = v.F, observation = v.H, state_cov = v.Q,
            observation_cov = v.R, square_root = square_root }):fit(X))
      end)
   end

   it("gives the figures of Durbin & Koopman for the flow of the Nile", function()
      local model = ml.KalmanFilter { transition = { { 1 } }, observation = { { 1 } }, state_cov = { { 1469.1 } },
         observation_cov = { { 15099 } }, initialization = "diffuse" }:fit(nile)
      -- their log likelihood does not count the constant of the first row
      support.near(-632.54, model.loglike + math.log(2 * math.pi) / 2, 1e-4, "log likelihood")
      local s = model:smooth(nile)
      support.near(4032.16, s.covariance[1][1], 1e-5, "variance of the first state")
      support.near(2326.8, s.covariance[50][1], 1e-4, "variance in the middle")
      support.near(798.37, s.mean[100][1], 1e-5, "last level")
      local f = model:forecast(nil, { steps = 2, level = 0.5 })
      support.near(798.37, f.mean[2][1], 1e-5, "forecast")
      support.near(0.6744897501960817 * f.std[2][1], f.high[2][1] - f.mean[2][1], 1e-12, "interval")
      support.near(f.std[1][1] ^ 2 + 1469.1, f.std[2][1] ^ 2, 1e-10, "variance")
   end)

   it("treats sequences separately, in any number", function()
      local model = ml.KalmanFilter(system()):fit(X, nil, { lengths = { 5, 7 } })
      local first, second = ml.KalmanFilter(system()):fit(X:slice(1, 5)), ml.KalmanFilter(system()):fit(X:slice(6, 12))
      support.near(first.loglike + second.loglike, model.loglike, 1e-13)
      local s = model:smooth(X, { lengths = { 5, 7 } })
      assert.same(model:smooth(X:slice(6, 12)).mean:totable(), s.mean:slice(6, 12):totable())
      support.near(model.loglike / 12, model:score(X, nil, { lengths = { 5, 7 } }), 1e-12)
   end)

   it("advances by one observation as if it had been fitted to it", function()
      local model = ml.KalmanFilter(system()):fit(X:slice(1, 11))
      model:advance(X[12])
      local whole = ml.KalmanFilter(system()):fit(X)
      support.near_rows(whole:forecast().mean, model:forecast().mean, 1e-12, "forecast", 1)
      support.near_rows(whole:forecast(X, { steps = 3 }).std, model:forecast(nil, { steps = 3 }).std, 1e-12, "std")
   end)

   it("advances by missing values as fit does", function()
      local nan = 0 / 0
      for _, row in ipairs { { nan, nan }, { nan, 1.5 }, { 0.5, nan } } do
         local longer = ml.Matrix(12, 2)
         for i = 1, 12 do
            for j = 1, 2 do longer:set(i, j, i < 12 and X[i][j] or row[j]) end
         end
         local model, whole = ml.KalmanFilter(system()):fit(X:slice(1, 11)), ml.KalmanFilter(system()):fit(longer)
         model:advance(row)
         support.near_rows(whole:forecast().mean, model:forecast().mean, 1e-12, "forecast", 1)
         support.near_rows(whole:forecast().std, model:forecast().std, 1e-12, "std", 1)
      end
      local arima = ml.ARIMA { order = { 1, 0, 0 } }:fit { { 1 }, { 2 }, { 1.5 }, { 3 }, { 2 }, { 2.5 }, { 1 }, { 2 } }
      local second = arima:forecast(nil, { steps = 2 })
      arima:advance { nan }
      support.near(second.mean[2][1], arima:forecast(nil, { steps = 1 }).mean[1][1], 1e-10)
      support.near(second.std[2][1], arima:forecast(nil, { steps = 1 }).std[1][1], 1e-10)
   end)

   it("draws sequences with the moments of the model", function()
      local stationary = ml.KalmanFilter { transition = { { 0.8 } }, observation = { { 2 } }, state_cov = { { 0.36 } },
         observation_cov = { { 1 } }, state_offset = { 1 }, initialization = "stationary" }:fit { { 1 } }
      support.near(1, stationary.start_covariance[1][1], 1e-12)
      support.near(5, stationary.start_mean[1], 1e-12)
      local drawn = stationary:sample { n = 20000, seed = 3 }
      -- standard errors: of the mean sqrt(9 / (n (1 - rho) / (1 + rho))), about 0.045
      assert.near(10, drawn.X:col(1):mean(), 0.15)
      assert.near(5, drawn.X:col(1):var(), 0.25)
      assert.same(drawn.X:totable(), stationary:sample { n = 20000, seed = 3 }.X:totable())
   end)

   it("is a random walk of each column by default", function()
      local given = ml.KalmanFilter { transition = { { 1, 0 }, { 0, 1 } }, observation = { { 1, 0 }, { 0, 1 } },
         state_cov = { { 1, 0 }, { 0, 1 } }, observation_cov = { { 1, 0 }, { 0, 1 } } }
      assert.equal(given:fit(X).loglike, ml.KalmanFilter {}:fit(X).loglike)
   end)

   it("refuses what it cannot use", function()
      local function refuses(pattern, more, x)
         support.refuses(pattern, function() return ml.KalmanFilter(system(more)):fit(x or X) end)
      end
      refuses("observation must be 2 x 3, or such matrices for 12 rows of X stacked, got 1 x 3",
         { observation = { { 1, 0, 0 } } })
      refuses("state_cov must be a covariance matrix, but has the eigenvalue %-1",
         { state_cov = { { -1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } })
      refuses("observation_cov must be symmetric, but rows 2 and 1 differ",
         { observation_cov = { { 1, 0 }, { 1, 1 } } })
      refuses("initial_mean must have 3 values, got 1", { initial_mean = { 1 } })
      refuses("requires a transition whose eigenvalues are inside the unit circle", { initialization = "stationary",
         initial_cov = false, transition = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } })
      refuses("do not determine all states", { initial_cov = false, initial_mean = false,
         initialization = "diffuse" }, { { 1, 2 } })
      local v = oracle.varying
      local model = ml.KalmanFilter(system { transition = v.F, observation = v.H }):fit(X)
      support.refuses("transition has matrices for 12 rows, but X has 5", model.transform, model, X:slice(1, 5))
      support.refuses("forecast requires matrices that do not vary", model.forecast, model)
      support.refuses("the log likelihood overflows; scale the columns", function()
         ml.KalmanFilter {}:fit { { 1e300 }, { -1e300 } }
      end)
      support.refuses("advance: row must have 2 values, got 1", function()
         ml.KalmanFilter(system()):fit(X):advance(ml.Vector { 1 })
      end)
   end)
end)

describe("LinearGaussianStateSpace", function()
   local log = ml.read_csv "examples/data/airpassengers.csv":select { "passengers" }:matrix():log()

   it("never decreases the likelihood, with missing values and several sequences", function()
      local series = ml.KalmanFilter(system()):fit(X):sample { n = 120, seed = 1 }.X
      for i = 1, 120, 7 do series:set(i, 1, 0 / 0) end
      for i = 1, 120, 11 do series:set(i, 2, 0 / 0) end
      for _, noise in ipairs { "full", "diagonal" } do
         local model = ml.LinearGaussianStateSpace { n_states = 3, observation_noise = noise, max_iter = 40, tol = 0 }
            :fit(series, nil, { lengths = { 50, 70 } })
         for i = 2, #model.trace do assert.is_true(model.trace[i] <= model.trace[i - 1]) end
         support.near(model.loglike, model:score_samples(series, { lengths = { 50, 70 } }):sum(), 1e-12)
         -- the trace ends at the parameters of the model
         support.near(-model.trace[#model.trace], model.loglike, 1e-9)
      end
   end)

   it("ends where the derivatives of the likelihood are 0", function()
      local series = ml.KalmanFilter { transition = { { 0.9 } }, observation = { { 1 }, { -0.5 } },
         state_cov = { { 1 } },
         observation_cov = oracle.R, initialization = "stationary" }:fit(X):sample { n = 60, seed = 2 }.X
      for i = 3, 60, 10 do series:set(i, 1, 0 / 0) end
      local known = { transition = { { 0.9 } }, initial_mean = { 0 }, initial_cov = { { 1 } } }
      local model = ml.LinearGaussianStateSpace { transition = known.transition, initial_mean = { 0 },
         initial_cov = { { 1 } }, observation_noise = "full", tol = 0, max_iter = 20000,
         state_cov = { { 1 } } }:fit(series)
      local H, R, c = model.observation_matrix, model.observation_covariance, model.observation_intercept
      local function loglike(h, r, o)
         return ml.KalmanFilter { transition = known.transition, observation = h, state_cov = { { 1 } },
            observation_cov = r, observation_offset = o, initial_mean = { 0 },
            initial_cov = { { 1 } } }:fit(series).loglike
      end
      local function moved(a, i, j, step)
         local b = a:copy()
         b:set(i, j, b:get(i, j) + step)
         if i ~= j and b.rows == b.cols then b:set(j, i, b:get(j, i) + step) end
         return b
      end
      support.near(model.loglike, loglike(H, R, c), 1e-10)
      local e = 1e-4
      for i = 1, 2 do
         assert.near(0, (loglike(moved(H, i, 1, e), R, c) - loglike(moved(H, i, 1, -e), R, c)) / (2 * e), 2e-2)
         for j = 1, i do
            local difference = loglike(H, moved(R, i, j, e), c) - loglike(H, moved(R, i, j, -e), c)
            assert.near(0, difference / (2 * e), 2e-2)
         end
      end
   end)

   it("finds the variances of the Nile", function()
      local model = ml.LinearGaussianStateSpace { transition = { { 1 } }, observation = { { 1 } },
         observation_offset = { 0 }, initial_mean = { 1000 }, initial_cov = { { 1e7 } }, tol = 1e-12, max_iter = 5000 }
         :fit(nile)
      support.near(1469.1, model.state_covariance[1][1], 0.01, "variance of the level")
      support.near(15099, model.observation_covariance[1][1], 0.002, "variance of the noise")
   end)

   it("recovers a planted system up to a change of basis", function()
      local planted = ml.KalmanFilter { transition = { { 0.95, 0.3 }, { -0.3, 0.9 } },
         observation = { { 1, 0 }, { 0.5, 1 }, { -1, 1 } },
         state_cov = { { 0.2, 0 }, { 0, 0.1 } }, observation_cov = { { 0.1, 0, 0 }, { 0, 0.1, 0 }, { 0, 0, 0.1 } },
         initialization = "stationary" }:fit { { 0, 0, 0 } }
      local drawn = planted:sample { n = 2000, seed = 1 }.X
      local model = ml.LinearGaussianStateSpace { n_states = 2 }:fit(drawn)
      local F = model.transition_matrix
      -- trace and determinant of the transition do not depend on the basis; errors of about 1 / sqrt(2000)
      support.near(1.85, F[1][1] + F[2][2], 0.03, "trace")
      support.near(0.945, F[1][1] * F[2][2] - F[1][2] * F[2][1], 0.05, "determinant")
      assert.is_true(model.loglike > planted:score_samples(drawn):sum() - 5)
   end)

   it("fills missing values and forecasts airline passengers", function()
      local gaps = log:copy()
      for i = 60, 64 do gaps:set(i, 1, 0 / 0) end
      local model = ml.LinearGaussianStateSpace { n_states = 4, max_iter = 100, tol = 1e-3 }:fit(gaps)
      local signal = model:smooth(gaps).signal
      for i = 60, 64 do assert.near(log[i][1], signal[i][1], 0.25) end
      local f = model:forecast(nil, { steps = 5 })
      for i = 1, 5 do assert.is_true(f.low[i][1] < f.mean[i][1] and f.mean[i][1] < f.high[i][1]) end
   end)

   it("refuses what it cannot learn", function()
      support.refuses('initialization = "diffuse" requires transition, observation, state_cov and observation_cov',
         function() ml.LinearGaussianStateSpace { initialization = "diffuse" }:fit(log) end)
      support.refuses("n_states is 2, but the matrices have 1 states", function()
         ml.LinearGaussianStateSpace { n_states = 2, transition = { { 1 } } }:fit(log)
      end)
      support.refuses("column 2 has no values; remove it", function()
         ml.LinearGaussianStateSpace {}:fit { { 1, 0 / 0 }, { 2, 0 / 0 }, { 2, 0 / 0 } }
      end)
   end)
end)
