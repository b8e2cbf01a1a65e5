-- Multiple imputation and Rubin's rules, against the formulas and by simulation.
local ml = require "manilius"

local pooled = dofile "spec/fixtures/impute/pool.lua"

local nan = 0 / 0
local air = ml.read_csv "examples/data/airquality.csv"

local function refuses(pattern, call)
   local ok, message = pcall(call)
   assert.is_false(ok)
   assert.matches(pattern, message)
end

ml.warnings "off"

-- A stand-in for a fitted model, with given estimates and standard errors.
local Fixed = ml.Estimator { name = "FixedEstimates", does = "regress", params = { estimate = 0, std_error = 1 },
   fit = function(self) return self end, predict = function() return ml.Vector { 0 } end,
   summary = function(self)
      return { coefficients = ml.Frame { { "term", ml.Factor { "a" } }, { "estimate", { self.estimate } },
         { "std_error", { self.std_error } } }, df = 47 }
   end }

describe("pool", function()
   -- Q = 1, 2, 4; U = 1, 4, 9 / 4. qbar = 7/3, W = 29/12, B = 7/3, T = W + 4/3 B.
   it("combines estimates by the formulas of Rubin, Barnard and Rubin", function()
      local models = { Fixed { estimate = 1, std_error = 1 }, Fixed { estimate = 2, std_error = 2 },
         Fixed { estimate = 4, std_error = 1.5 } }
      local r = ml.pool(models)
      local c = r.coefficients
      local W, B = 29 / 12, 7 / 3
      local T = W + 4 / 3 * B
      local lambda, riv = 4 / 3 * B / T, 4 / 3 * B / W
      local old, observed = 2 / lambda ^ 2, 48 / 50 * 47 * (1 - lambda)
      local df = old * observed / (old + observed)
      for name, want in pairs { estimate = 7 / 3, std_error = math.sqrt(T), t = 7 / 3 / math.sqrt(T), df = df,
         lambda = lambda, riv = riv, fmi = (riv + 2 / (df + 3)) / (riv + 1),
         p = 2 * ml.special.t_sf(7 / 3 / math.sqrt(T), df),
         low = 7 / 3 - ml.special.t_quantile(0.975, df) * math.sqrt(T),
         high = 7 / 3 + ml.special.t_quantile(0.975, df) * math.sqrt(T) } do
         assert.near(want, c:col(name)[1], 1e-12 * math.abs(want), name)
      end
      assert.equal(47, r.df_complete)
      -- without a limit on the degrees of freedom those of Rubin (1987)
      assert.near(old, ml.pool(models, { df = math.huge }).coefficients.df[1], 1e-12 * old)
   end)

   -- What statsmodels calls the fraction of missing information is lambda, for infinite degrees of freedom.
   it("combines least squares as statsmodels does", function()
      local models = {}
      for m, fill in ipairs(pooled.fills) do
         local ozone, next = air.ozone:totable(), 0
         for i = 1, #ozone do
            if ozone[i] ~= ozone[i] then
               next = next + 1
               ozone[i] = fill[next]
            end
         end
         models[m] = ml.LinearRegression { formula = "ozone ~ wind + temp" }:fit(ml.Frame { { "ozone", ozone },
            { "wind", air.wind }, { "temp", air.temp } })
      end
      local found = ml.pool(models).coefficients
      for _, name in ipairs { "estimate", "std_error", "lambda" } do
         for i = 1, 3 do assert.near(pooled[name][i], found:col(name)[i], 1e-9 * math.abs(pooled[name][i]), name) end
      end
   end)

   it("gives the fit itself if the imputations agree", function()
      local model = ml.LinearRegression { formula = "ozone ~ wind + temp" }:fit(air:dropna())
      local r, s = ml.pool { model, model, model }, model:summary()
      for i = 1, 3 do
         local want = s.coefficients.estimate[i]
         assert.near(want, r.coefficients.estimate[i], 1e-12 * math.abs(want))
         assert.near(s.coefficients.std_error[i], r.coefficients.std_error[i], 1e-12 * r.coefficients.std_error[i])
         assert.near(0, r.coefficients.lambda[i], 1e-20)
         assert.near((s.df + 1) / (s.df + 3) * s.df, r.coefficients.df[i], 1e-9)
      end
      assert.matches("3 models pooled by Rubin's rules", tostring(r))
   end)

   it("pools GLM and LogisticRegression", function()
      local sets, glms, logits = ml.multiple_imputation(air, { m = 3, seed = 4 }), {}, {}
      for i, data in ipairs(sets) do
         glms[i] = ml.GLM { formula = "ozone ~ temp", family = "gaussian" }:fit(data)
         local y = ml.Factor(data.temp:gt(79):totable())
         logits[i] = ml.LogisticRegression { penalty = "none" }:fit(data:select { "ozone" }, y)
      end
      assert.equal(151, ml.pool(glms).df_complete)
      assert.equal(151, ml.pool(logits).df_complete)
      assert(ml.pool(logits).coefficients.estimate[2] > 0)
   end)

   it("refuses what it cannot pool", function()
      local a = ml.LinearRegression { formula = "ozone ~ wind" }:fit(air:dropna())
      local b = ml.LinearRegression { formula = "ozone ~ temp" }:fit(air:dropna())
      refuses("pool: models must have at least 2 models, got 1", function() ml.pool { a } end)
      refuses("pool: models must be a list of fitted models, got", function() ml.pool(a) end)
      refuses("pool: models must have the same coefficients, but coefficient 2 is 'wind' of model 1 and 'temp' of "
         .. "model 2", function() ml.pool { a, b } end)
      refuses("pool: model 1 must be a fitted model with summary, such as LinearRegression or GLM, got",
         function() ml.pool { ml.KMeans {}, ml.KMeans {} } end)
      refuses("pool: level must be a number between 0 and 1, got 95", function() ml.pool({ a, a }, { level = 95 }) end)
      refuses("pool has no option 'levle'; did you mean 'level'", function() ml.pool({ a, a }, { levle = 1 }) end)
   end)
end)

describe("multiple_imputation", function()
   it("completes X m times, with the seed deciding", function()
      local a, b = ml.multiple_imputation(air, { m = 3, seed = 7 }), ml.multiple_imputation(air, { m = 3, seed = 7 })
      assert.equal("3 completed data sets of 153 x 6", tostring(a))
      local distinct = {}
      for i = 1, 3 do
         assert.same(air.names, a[i].names)
         assert.same(a[i].ozone:totable(), b[i].ozone:totable())
         assert.equal(41, a[i].ozone[1])
         distinct[a[i].ozone[5]] = true
      end
      local count = 0
      for _ in pairs(distinct) do count = count + 1 end
      assert.equal(3, count)
      assert.not_equal(a[1].ozone[5], ml.multiple_imputation(air, { m = 1, seed = 8 })[1].ozone[5])
   end)

   it("takes another imputer and refuses one that does not draw", function()
      local imputer = ml.IterativeImputer { min_value = 0 }
      for _, data in ipairs(ml.multiple_imputation(air, { m = 4, imputer = imputer })) do
         assert(data.ozone:min() >= 0)
      end
      assert.is_false(imputer.fitted)
      refuses("multiple_imputation: imputer must be an estimator with the parameter sample_posterior, such as "
         .. "IterativeImputer, got", function() ml.multiple_imputation(air, { imputer = ml.KNNImputer {} }) end)
      refuses("multiple_imputation: m must be a whole number >= 1, got 0",
         function() ml.multiple_imputation(air, { m = 0 }) end)
   end)

   -- y = 1 + x + noise, y missing more often where z, which is correlated with x and y, is large: the complete rows are
   -- biased for the mean, and one imputation by predictions has intervals that are too short.
   it("covers the mean and the slope as often as its intervals say", function()
      local RUNS, N, M = 150, 60, 8
      local covered, short = { 0, 0 }, 0
      for run = 1, RUNS do
         local e, rows = ml.normal(N, 3, 1000 + run), {}
         local u = ml.random(N, nil, 5000 + run)
         for i = 1, N do
            local x = e:get(i, 1)
            local z = x + 0.5 * e:get(i, 2)
            local y = 1 + x + e:get(i, 3)
            rows[i] = { x, z, u[i] < (z > 0 and 0.6 or 0.2) and nan or y }
         end
         local function fits(sets)
            local mean, slope = {}, {}
            for i, data in ipairs(sets) do
               slope[i] = ml.LinearRegression {}:fit(data:select { 1 }, data:col(3):copy())
               local y = ml.Frame { { "y", data:col(3):copy() } }
               mean[i] = ml.GLM { formula = "y ~ 1", family = "gaussian" }:fit(y)
            end
            return mean, slope
         end
         local mean, slope = fits(ml.multiple_imputation(ml.Matrix(rows), { m = M, seed = run }))
         local a, b = ml.pool(mean).coefficients, ml.pool(slope).coefficients
         if a.low[1] <= 1 and 1 <= a.high[1] then covered[1] = covered[1] + 1 end
         if b.low[2] <= 1 and 1 <= b.high[2] then covered[2] = covered[2] + 1 end
         local once = ml.LinearRegression {}:fit(ml.Matrix(rows):select { 1 },
            ml.IterativeImputer {}:fit_transform(rows):col(3):copy()):summary().coefficients
         if once.low[2] <= 1 and 1 <= once.high[2] then short = short + 1 end
      end
      -- 0.95 with a standard error of 0.018
      assert(covered[1] / RUNS > 0.90, "mean: " .. covered[1] / RUNS)
      assert(covered[2] / RUNS > 0.90, "slope: " .. covered[2] / RUNS)
      assert(short / RUNS < 0.90, "one imputation: " .. short / RUNS)
   end)
end)
