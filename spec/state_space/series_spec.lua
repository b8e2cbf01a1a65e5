local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/state_space/series.lua"

local passengers = ml.read_csv "examples/data/airpassengers.csv":select { "passengers" }:matrix():log()
local co2 = ml.read_csv "examples/data/co2.csv":matrix()
local nile = ml.read_csv "examples/data/nile.csv":select { "flow" }:matrix()

local function coefficients(model, has_mean)
   local all = {}
   for _, part in ipairs { model.ar, model.ma, model.seasonal_ar, model.seasonal_ma } do
      for i = 1, #part do all[#all + 1] = part[i] end
   end
   if has_mean then all[#all + 1] = model.constant end
   all[#all + 1] = model.noise_variance
   return all
end

describe("ARIMA", function()
   for _, wanted in ipairs(oracle.arima) do
      it("agrees with statsmodels: " .. table.concat(wanted.order, " "), function()
         local X = wanted.seasonal[4] > 0 and passengers or nile
         local model = ml.ARIMA { order = wanted.order, seasonal_order = wanted.seasonal }:fit(X)
         -- both stop near the maximum: the likelihood is flat there
         support.near(wanted.loglike, model.loglike, 1e-7, "log likelihood")
         assert.is_true(model.loglike >= wanted.loglike - 1e-6)
         support.near_all(wanted.params, coefficients(model, wanted.order[2] == 0), 1e-3, "coefficients")
         assert.is_true(model.converged)
         for i = 2, #model.trace do assert.is_true(model.trace[i] <= model.trace[i - 1] + 1e-9) end
      end)
   end

   it("has R's standard errors for the airline model", function()
      local model = ml.ARIMA { order = { 0, 1, 1 }, seasonal_order = { 0, 1, 1, 12 } }:fit(passengers)
      support.near_all({ 0.0896, 0.0731 }, model.std_errors, 1e-3, "standard errors")
      support.near_all({ 6.1102, 6.0538, 6.1717 }, model:forecast(nil, { steps = 3 }).mean:col(1), 1e-4, "forecast")
      support.near_all({ 0.03672, 0.04278, 0.04809 }, model:forecast(nil, { steps = 3 }).std:col(1), 1e-3, "std")
      support.near(-483.393 + (math.log(131) - 2) * 3, model.bic, 1e-5, "bic")
   end)

   it("has the likelihood of the differences, with the diffuse rows apart", function()
      local model = ml.ARIMA { order = { 0, 1, 1 }, seasonal_order = { 0, 1, 1, 12 } }:fit(passengers)
      support.near(model.loglike, model:score_samples(passengers):sum() + 13 / 2 * math.log(2 * math.pi), 1e-9)
   end)

   it("bridges missing values", function()
      local X = passengers:copy()
      X:set(50, 1, 0 / 0)
      X:set(100, 1, 0 / 0)
      local model = ml.ARIMA { order = { 0, 1, 1 }, seasonal_order = { 0, 1, 1, 12 } }:fit(X)
      -- R: -0.40049, -0.56117, log likelihood 239.7265 with a large variance in place of an infinite one
      support.near(-0.40049, model.ma[1], 1e-3)
      support.near(-0.56117, model.seasonal_ma[1], 1e-3)
      support.near(239.7265, model.loglike, 1e-4)
      assert.near(passengers[50][1], model:smooth(X).signal[50][1], 0.1)
   end)

   it("recovers a planted model from several series", function()
      local planted = ml.KalmanFilter { transition = { { 0.6, 1 }, { 0, 0 } }, observation = { { 1, 0 } },
         state_cov = { { 4, 1.6 }, { 1.6, 0.64 } }, observation_cov = { { 0 } }, observation_offset = { 10 },
         initialization = "stationary" }:fit { { 10 } }
      local X = planted:sample { n = 6000, seed = 4 }.X
      local model = ml.ARIMA { order = { 1, 0, 1 } }:fit(X, nil, { lengths = { 2500, 3500 } })
      for i, value in ipairs { 0.6, 0.4, 10 } do
         local got = ({ model.ar[1], model.ma[1], model.constant })[i]
         assert.near(value, got, 4 * model.std_errors[i])
      end
      assert.near(4, model.noise_variance, 0.3) -- standard error 4 sqrt(2 / 6000) = 0.07
   end)

   it("estimates a drift, and handles order 0", function()
      local X = {}
      for i = 1, 60 do X[i] = { 3 * i + math.sin(i * i) } end
      local drift = ml.ARIMA { order = { 0, 1, 0 }, mean = "estimate" }:fit(X)
      support.near((X[60][1] - X[1][1]) / 59, drift.constant, 1e-6)
      support.near(X[60][1] + 2 * drift.constant, drift:forecast(nil, { steps = 2 }).mean[2][1], 1e-9)
      local none = ml.ARIMA { order = { 0, 0, 0 }, mean = "zero" }:fit { { 1 }, { -2 }, { 2 } }
      support.near(3, none.noise_variance, 1e-12)
      assert.equal(0, #none.std_errors)
   end)

   it("refuses what it cannot fit", function()
      local function refuses(pattern, parameters, X)
         support.refuses(pattern, function() ml.ARIMA(parameters):fit(X or nile) end)
      end
      refuses("order must have 3 values such as {1, 1, 1}, got 2", { order = { 1, 1 } })
      refuses("order must be whole numbers from 0 to 1000, got 0.5 at position 3", { order = { 1, 1, 0.5 } })
      refuses("must end with a period of at least 2 rows, got 1", { seasonal_order = { 1, 0, 0, 1 } })
      refuses("the orders make 1200 states", { seasonal_order = { 1, 0, 0, 1000 }, order = { 200, 0, 0 } })
      refuses("at least 4 rows with all lags of the differences, got 2", { order = { 1, 1, 1 } },
         { { 1 }, { 2 }, { 4 } })
      refuses("ARIMA: X is constant", {}, { { 1 }, { 1 }, { 1 }, { 1 } })
      refuses("X, after taking differences, is constant", { order = { 0, 1, 0 } }, { { 1 }, { 2 }, { 3 }, { 4 } })
      refuses("the squares of X overflow", {}, { { 1e200 }, { -1e200 }, { 1 }, { 2 } })
   end)
end)

describe("StructuralTimeSeries", function()
   local cases = {
      { "local_level", nile, { trend = "local_level" }, { "noise", "level" } },
      { "smooth", nile, { trend = "smooth" }, { "noise", "slope" } },
      { "seasonal", passengers, { seasonal = 12 }, { "noise", "level", "slope", "seasonal" } },
      { "waves", passengers, { seasonal = 12, seasonal_form = "trigonometric" },
         { "noise", "level", "slope", "seasonal" } },
      { "co2", co2, { seasonal = 12 }, { "noise", "level", "slope", "seasonal" } },
      { "co2_waves", co2, { seasonal = 12, seasonal_form = "trigonometric" },
         { "noise", "level", "slope", "seasonal" } },
   }
   for _, case in ipairs(cases) do
      local name, X, parameters, parts = table.unpack(case)
      it("agrees with statsmodels: " .. name, function()
         local wanted, model = oracle[name], ml.StructuralTimeSeries(parameters):fit(X)
         support.near(wanted.loglike, model.loglike, 1e-8, "log likelihood")
         for i, part in ipairs(parts) do
            assert.near(wanted.params[i], model[part .. "_variance"], 1e-3 * wanted.params[i] + 1e-9)
         end
         local level = model:transform(X):col(1)
         support.near_all(wanted.level, { level[1], level[50], level[X.rows] }, 1e-4, "level")
         local forecast = model:forecast(nil, { steps = 3 })
         support.near_all(wanted.forecast, forecast.mean:col(1), 1e-4, "forecast")
         support.near_all(wanted.std, forecast.std:col(1), 1e-3, "std")
      end)
   end

   it("adds up to the series without its noise", function()
      for _, form in ipairs { "dummy", "trigonometric" } do
         local model = ml.StructuralTimeSeries { seasonal = 12, seasonal_form = form }:fit(passengers)
         local parts, signal = model:transform(passengers), model:smooth(passengers).signal:col(1)
         support.near_all((parts:col(1) + parts:col(3)):totable(), signal, 1e-9, "signal")
      end
      local frame = ml.read_csv "examples/data/airpassengers.csv":select { "passengers" }
      local named = ml.StructuralTimeSeries { trend = "local_level", seasonal = 4 }:fit(frame):transform(frame)
      assert.same({ "level", "seasonal" }, named.names)
   end)

   it("sets variances to 0 that do not help", function()
      local X = {}
      for i = 1, 40 do X[i] = { 2 * i + (i % 3 - 1) * 0.5 } end -- a line and noise
      local model = ml.StructuralTimeSeries {}:fit(X)
      assert.equal(0, model.slope_variance)
      assert.equal(0, model.level_variance)
      assert.near(2, model:transform(X)[20][2], 0.01)
   end)

   it("takes missing values and several series", function()
      local X = nile:copy()
      for i = 20, 40 do X:set(i, 1, 0 / 0) end
      local model = ml.StructuralTimeSeries { trend = "local_level" }:fit(X)
      local smooth = model:smooth(X)
      assert.is_true(smooth.signal_variance[30][1] > smooth.signal_variance[60][1])
      local both = ml.StructuralTimeSeries { trend = "local_level" }:fit(X, nil, { lengths = { 50, 50 } })
      support.near(both.loglike, both:score_samples(X, { lengths = { 50, 50 } }):sum(), 1e-10)
   end)

   it("refuses what it cannot fit", function()
      local function refuses(pattern, parameters, X)
         support.refuses(pattern, function() ml.StructuralTimeSeries(parameters):fit(X) end)
      end
      refuses("set noise = true", { trend = "deterministic", noise = false }, nile)
      refuses("requires at least 18 rows with values, got 3", { seasonal = 12 }, { { 1 }, { 2 }, { 4 } })
      refuses("X is constant", { trend = "local_level" }, { { 1 }, { 1 }, { 1 }, { 1 } })
   end)
end)
