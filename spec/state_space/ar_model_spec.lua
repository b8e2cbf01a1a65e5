local ml = require "manilius"
local support = dofile "spec/support.lua"
local r = dofile "spec/fixtures/state_space/ar.lua"

local passengers = ml.read_csv "examples/data/airpassengers.csv":select { "passengers" }:matrix()
local n = passengers.rows

describe("ARModel", function()
   for _, method in ipairs { "yule_walker", "burg" } do
      it("agrees with R's ar: " .. method, function()
         local wanted, model = r[method], ml.ARModel { method = method }:fit(passengers)
         assert.equal(wanted.order, #model.coef)
         support.near_all(wanted.coef, model.coef, 1e-9, "coef", 1e-2)
         support.near_all(wanted.pacf, model.partial_autocorrelations, 1e-9, "partial autocorrelation", 1e-2)
         local least = model.criterion_values:min()
         support.near_all(wanted.aic, (model.criterion_values - least):totable(), 1e-8, "aic", 1)
         -- R divides the variance of Yule and Walker by n - order - 1
         local share = method == "yule_walker" and n / (n - wanted.order - 1) or 1
         support.near(wanted.variance, share * model.noise_variance, 1e-10, "variance")
         support.near_all(wanted.forecast, model:forecast(nil, { steps = 5 }).mean:col(1), 1e-10, "forecast")
         support.near_all(wanted.se, model:forecast(passengers, { steps = 5 }).std:col(1) * math.sqrt(share), 1e-10,
            "std")
         local s = model:spectrum { n = 5 }
         support.near_all(wanted.frequency, s.frequency, 1e-15, "frequency", 1)
         support.near_all(wanted.density, s.density * share, 1e-9, "density")
      end)
   end

   it("agrees with R's ar: least squares", function()
      local wanted = r.least_squares
      local model = ml.ARModel { method = "least_squares", order = 3, criterion = "none" }:fit(passengers)
      support.near_all(wanted.coef, model.coef, 1e-10, "coef")
      support.near(wanted.intercept, model.intercept, 1e-10, "intercept")
      support.near(wanted.variance, model.noise_variance, 1e-10, "variance")
      support.near_all(wanted.forecast, model:forecast(nil, { steps = 5 }).mean:col(1), 1e-10, "forecast")
      support.near_all(wanted.se, model:forecast(nil, { steps = 5 }).std:col(1), 1e-10, "std")
   end)

   it("has the likelihood of the same model in state space form", function()
      local model = ml.ARModel { order = 2, criterion = "none", method = "burg" }:fit(passengers)
      local a = model.coef
      local form = ml.KalmanFilter { transition = { { a[1], a[2] }, { 1, 0 } }, observation = { { 1, 0 } },
         state_cov = { { model.noise_variance, 0 }, { 0, 0 } }, observation_cov = { { 0 } },
         state_offset = { model.intercept, 0 }, initialization = "stationary" }:fit(passengers)
      support.near(form.loglike, model.loglike, 1e-9, "log likelihood")
      support.near_all(form:score_samples(passengers), model:score_samples(passengers), 1e-7, "score", 1)
      support.near(form:forecast(nil, { steps = 4 }).std[4][1], model:forecast(nil, { steps = 4 }).std[4][1], 1e-9,
         "std")
      local prediction = form:filter(passengers).prediction:col(1)
      support.near_all(prediction, model:predictions(passengers).mean, 1e-8, "prediction")
   end)

   it("recovers a planted model, from several series too", function()
      local planted = ml.KalmanFilter { transition = { { 0.5, -0.7 }, { 1, 0 } }, observation = { { 1, 0 } },
         state_cov = { { 1, 0 }, { 0, 0 } }, observation_cov = { { 0 } }, initialization = "stationary" }:fit { { 0 } }
      local x = planted:sample { n = 8000, seed = 5 }.X
      for _, method in ipairs { "yule_walker", "burg", "least_squares" } do
         local model = ml.ARModel { method = method, criterion = "bic" }:fit(x, nil, { lengths = { 3000, 5000 } })
         assert.equal(2, #model.coef)
         assert.near(0.5, model.coef[1], 0.03) -- standard error sqrt((1 - 0.49) / 8000) = 0.008
         assert.near(-0.7, model.coef[2], 0.03)
         assert.near(1, model.noise_variance, 0.05)
      end
   end)

   it("handles order 0, growing series and short sequences", function()
      local none = ml.ARModel { order = 0 }:fit { { 1 }, { 3 }, { 2 } }
      assert.equal(0, #none.coef)
      assert.near(2, none:forecast(nil, { steps = 2 }).mean:get(2, 1), 1e-15)
      local growing = {}
      for i = 1, 30 do growing[i] = { 1.1 ^ i + 0.01 * math.sin(i) } end
      local model = ml.ARModel { method = "least_squares", order = 1, criterion = "none" }:fit(growing)
      support.near(1.1, model.coef[1], 1e-3)
      assert.is_true(model:score(growing) > -10)
      local mixed = ml.ARModel { order = 4 }:fit(passengers, nil, { lengths = { 2, 1, 141 } })
      assert.is_true(mixed.noise_variance > 0)
   end)

   it("refuses what it cannot fit", function()
      support.refuses("the squares of X overflow", function() ml.ARModel {}:fit { { 1e200 }, { -1e200 }, { 1 } } end)
      support.refuses("X is constant", function() ml.ARModel {}:fit { { 1 }, { 1 }, { 1 } } end)
      support.refuses("order must be less than the 3 rows of the longest sequence, got 3", function()
         ml.ARModel { order = 3 }:fit { { 1 }, { 2 }, { 4 } }
      end)
      support.refuses("at least 2 rows, got 1", function() ml.ARModel {}:fit { { 1 } } end)
      support.refuses("least squares of order 0 requires more than 1 rows", function()
         ml.ARModel { order = 2, method = "least_squares" }:fit { { 1 }, { 2 }, { 4 } }
      end)
      support.refuses("LinearGaussianStateSpace", function() ml.ARModel {}:fit { { 1 }, { 0 / 0 }, { 4 } } end)
   end)
end)
