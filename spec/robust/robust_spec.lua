local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/robust/robust.lua"
local penalized = dofile "spec/fixtures/robust/quantile.lua"

local function coefficients(model)
   local list = { model.intercept }
   for j = 1, #model.coef do list[j + 1] = model.coef[j] end
   return list
end

describe("RobustRegression", function()
   for _, loss in ipairs { "huber", "bisquare" } do
      it("agrees with rlm of R's MASS on the stack loss data: " .. loss, function()
         local wanted, plain = oracle[loss], oracle[loss .. "_plain"]
         local model = ml.RobustRegression { loss = loss, tol = 1e-12, max_iter = 2000 }:fit(oracle.x, oracle.y)
         assert.is_true(model.converged)
         support.near_all(wanted.coef, coefficients(model), 1e-6, "coef", 1)
         support.near(wanted.scale[1], model.scale, 1e-6, "scale")
         support.near_all(wanted.weight, model:diagnostics(oracle.x, oracle.y):col "weight", 1e-6, "weight", 1)
         model = ml.RobustRegression { loss = loss, fit_intercept = false, tol = 1e-12, max_iter = 2000 }
            :fit(oracle.x, oracle.y)
         support.near_all(plain.coef, model.coef, 1e-6, "coef", 1)
         support.near(plain.scale[1], model.scale, 1e-6, "scale")
      end)
   end

   for _, loss in ipairs { "huber", "bisquare" } do
      it("summarizes like rlm of R's MASS: " .. loss, function()
         local wanted = oracle[loss .. "_summary"]
         local settings = { loss = loss, tol = 1e-13, max_iter = 2000 }
         local model = ml.RobustRegression(settings):fit(oracle.x, oracle.y)
         local summary = model:summary()
         local frame = summary.coefficients
         assert.same({ "term", "estimate", "std_error", "t" }, table.move(frame.names, 1, #frame.names, 1, {}))
         assert.same({ "(Intercept)", "x1", "x2", "x3" }, frame.term:totable())
         support.near_all(wanted.estimate, frame.estimate, 1e-6, "estimate", 1)
         support.near_all(wanted.std_error, frame.std_error, 1e-6, "std_error", 1)
         support.near_all(wanted.t, frame.t, 1e-6, "t", 1)
         for _, name in ipairs { "sigma", "spread", "df" } do
            support.near(wanted[name][1], summary[name], 1e-6, name)
         end
         assert.matches(("%.4g"):format(wanted.residual[1]), summary.text, nil, true)
         local scale = ("Residual scale: %.4g on 17 degrees of freedom"):format(wanted.sigma[1])
         assert.matches(scale, summary.text, nil, true)
         assert.matches("There are no p%-values", summary.text)
         assert.equal(summary.text, ml.load(model:dump()):summary().text)
         local weights = {}
         for i = 1, #oracle.y do weights[i] = 1 + (i - 1) % 3 end
         settings.weights_type = "frequency"
         local weighted = ml.RobustRegression(settings):fit(oracle.x, oracle.y, { weights = weights }):summary()
         support.near_all(oracle[loss .. "_weighted"].estimate, weighted.coefficients.estimate, 1e-6, "estimate", 1)
         support.near_all(oracle[loss .. "_weighted"].std_error, weighted.coefficients.std_error, 1e-6, "std_error", 1)
         settings.fit_intercept = false
         local plain = ml.RobustRegression(settings):fit(oracle.x, oracle.y):summary().coefficients
         support.near_all(oracle[loss .. "_plain_summary"].std_error, plain.std_error, 1e-6, "std_error", 1)
      end)
   end

   it("takes weights as precisions, as least squares does", function()
      local weights = {}
      for i = 1, #oracle.y do weights[i] = 0.01 * (1 + (i - 1) % 3) end
      local model = ml.RobustRegression { tuning = 1e6, tol = 1e-12 }:fit(oracle.x, oracle.y, { weights = weights })
      local ols = ml.LinearRegression {}:fit(oracle.x, oracle.y, { weights = weights }):summary()
      local s = model:summary()
      support.near_all(ols.coefficients.std_error, s.coefficients.std_error, 1e-8, "std_error")
      assert.equal(ols.df, s.df)
      assert.matches("Weights: precisions %(variance proportional to 1 / weight%), 21 rows", s.text)
      local huber = ml.RobustRegression {}:fit(oracle.x, oracle.y, { weights = weights }):summary()
      local other = ml.RobustRegression {}:fit(oracle.x, oracle.y, { weights = ml.Vector(weights) * 100 }):summary()
      support.near_all(huber.coefficients.std_error, other.coefficients.std_error, 1e-8, "std_error")
   end)

   it("explains missing standard errors", function()
      local nan = function(vector) return vector:isnan():sum() == #vector end
      local absolute = ml.RobustRegression { loss = "absolute" }:fit(oracle.x, oracle.y):summary()
      assert.is_true(nan(absolute.coefficients.std_error))
      assert.matches("ml.QuantileRegressor{} fits the same model", absolute.text, nil, true)
      local andrews = ml.RobustRegression { loss = "andrews" }:fit(oracle.x, oracle.y):summary()
      local bisquare = oracle.bisquare_summary.std_error
      for j = 1, 4 do assert.near(bisquare[j], andrews.coefficients.std_error[j], 0.1 * bisquare[j]) end
      local X, y = {}, {}
      for i = 1, 20 do X[i], y[i] = { i, 2 * i }, i + i % 3 end
      local twice = ml.RobustRegression {}:fit(X, y):summary()
      assert.matches("rank 1 of 2 columns. Aliased, because they depend on columns before them: x2", twice.text)
      assert.same({ 0, 0, 1 }, (twice.coefficients.std_error:isnan() * 1):totable())
      for i = 1, 20 do X[i], y[i] = { i }, 5 end
      local exact = ml.RobustRegression { loss = "bisquare" }:fit(X, y):summary()
      assert.is_true(nan(exact.coefficients.std_error))
      assert.matches("fitted exactly", exact.text)
      -- R: summary(rlm(stack.loss ~ 1, acc = 1e-13, maxit = 2000))
      local bare = ml.RobustRegression { tol = 1e-13 }:fit(ml.zeros(21, 0), oracle.y):summary().coefficients
      assert.equal(1, bare.rows)
      assert.near(1.50720961199, bare.std_error[1], 1e-6)
   end)

   it("aliases columns that depend on those before them", function()
      local x = ml.Matrix(oracle.x)
      local wide = ml.hcat(x:col(1), x:col(1) * 2 + 1, x:col(2), x:col(3), x:col(1) - x:col(2))
      local w = {}
      for i = 1, #oracle.y do w[i] = 1 + i % 3 end
      for _, settings in ipairs { {}, { loss = "bisquare" }, { fit_intercept = false },
         { weights_type = "frequency" } } do
         settings.tol = 1e-12
         local kept = settings.fit_intercept == false and { 1, 2, 3, 4 } or { 1, 2, 4, 5 }
         local narrow = settings.fit_intercept == false and ml.hcat(wide:slice(nil, nil, 1, 4)) or x
         local full = ml.RobustRegression(settings):fit(narrow, oracle.y, { weights = w }):summary()
         local s = ml.RobustRegression(settings):fit(wide, oracle.y, { weights = w }):summary()
         assert.equal(full.df, s.df)
         for i, row in ipairs(kept) do
            for _, name in ipairs { "estimate", "std_error", "t" } do
               support.near(full.coefficients[name][i], s.coefficients[name][row], 1e-6, name)
            end
         end
         assert.is_true(s.coefficients.std_error:isnan():sum() > 0)
         assert.matches("aliased\n", s.text)
         local names = settings.fit_intercept == false and "x5." or "x2, x5."
         assert.matches("before them: " .. names, s.text, nil, true)
      end
   end)

   it("solves the estimating equations of Andrews' sine", function()
      local model = ml.RobustRegression { loss = "andrews", tol = 1e-13, max_iter = 2000 }:fit(oracle.x, oracle.y)
      local rows = model:diagnostics(oracle.x, oracle.y)
      local sums = { 0, 0, 0, 0 }
      for i, x in ipairs(oracle.x) do
         local u = rows:col "residual"[i] / model.scale
         local psi = math.abs(u) < 1.339 * math.pi and math.sin(u / 1.339) or 0
         for j = 1, 4 do sums[j] = sums[j] + psi * (j == 1 and 1 or x[j - 1]) end
      end
      for j = 1, 4 do assert.near(0, sums[j], 1e-6) end
      assert.near(0, rows:col "weight"[21], 1e-12) -- the outlier of the literature
   end)

   it("is median regression for loss absolute", function()
      local model = ml.RobustRegression { loss = "absolute" }:fit(oracle.x, oracle.y)
      support.near_all(oracle.absolute.coef, coefficients(model), 1e-9, "coef", 1)
   end)

   it("fits most rows exactly where that is possible", function()
      local X, y = {}, {}
      for i = 1, 20 do
         X[i] = { i }
         y[i] = i <= 16 and 2 * i + 1 or 500 + i * i
      end
      local model = ml.RobustRegression { loss = "absolute" }:fit(X, y)
      assert.near(2, model.coef[1], 1e-10)
      assert.near(0, model.scale, 1e-10)
   end)
end)

describe("QuantileRegressor", function()
   for _, name in ipairs { "q10", "q25", "q60", "q75", "q90" } do
      it("reaches the optimum of R's quantreg: " .. name, function()
         local wanted = oracle[name]
         local tau = wanted.tau[1]
         local model = ml.QuantileRegressor { quantile = tau }:fit(oracle.x, oracle.y)
         local sum = 0
         for i, r in ipairs((ml.Vector(oracle.y) - model:predict(oracle.x)):totable()) do
            assert(i)
            sum = sum + r * (tau - (r < 0 and 1 or 0))
         end
         support.near(wanted.objective[1], sum, 1e-10, "objective")
      end)
   end

   for _, case in ipairs(penalized) do
      local what = ("quantile %g, alpha %g"):format(case.quantile, case.alpha)
      it("agrees with the linear program of scikit-learn: " .. what, function()
         local frame = ml.read_csv "examples/data/diabetes.csv"
         local X, y = support.data("diabetes", frame.names[#frame.names])
         local w = {}
         for i = 1, #y do w[i] = 1 + (i - 1) % 3 end
         local model = ml.QuantileRegressor { quantile = case.quantile, alpha = case.alpha }:fit(X, y, { weights = w })
         assert.is_true(model.converged)
         support.near(case.objective, model.objective, 1e-8, "objective")
         support.near_all(case.coef, model.coef, 1e-6, "coef", 1)
         support.near(case.intercept, model.intercept, 1e-6, "intercept", 1)
      end)
   end

   it("does not depend on the number of threads, and has the given share of the rows below", function()
      local X = ml.normal(5000, 3, 1)
      local y = X * ml.Vector { 1, 2, 3 } + ml.normal(5000, nil, 2)
      local model = ml.QuantileRegressor { quantile = 0.3 }:fit(X, y)
      local below = (y - model:predict(X)):lt(0):sum() / 5000
      assert(math.abs(below - 0.3) <= 4 / 5000, below)
      support.same_for_any_threads(function() return ml.QuantileRegressor { quantile = 0.3 }:fit(X, y) end)
   end)
end)

describe("fit_intercept that is set after fit", function()
   local X = ml.normal(40, 3, 3)
   local y = X:col(1) * 2 + X:col(2) + 0.3 * ml.normal(40, 1, 9):col(1)

   it("is for the next fit: the summary and the archive keep the terms of this one", function()
      for _, class in ipairs { ml.RobustRegression, ml.QuantileRegressor } do
         for _, intercept in ipairs { true, false } do
            local model = class { fit_intercept = intercept }:fit(X, y)
            local expected = model:summary()
            model:set_params { fit_intercept = not intercept }
            local loaded = require "manilius.core".load_model(model:dump())
            for _, one in ipairs { model, loaded } do
               assert.equal(tostring(expected.coefficients), tostring(one:summary().coefficients))
            end
         end
      end
   end)
end)
