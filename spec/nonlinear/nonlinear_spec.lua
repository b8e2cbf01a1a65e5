local ml = require "manilius"
local support = require "spec.support"

local refuses = support.refuses

-- Puromycin, treated: Bates & Watts (1988), table A1.3; estimates of R's nls(rate ~ Vm * conc / (K + conc)).
local conc = { 0.02, 0.02, 0.06, 0.06, 0.11, 0.11, 0.22, 0.22, 0.56, 0.56, 1.10, 1.10 }
local rate = { 76, 47, 97, 107, 123, 139, 159, 152, 191, 201, 207, 200 }
local frame = ml.Frame { { "conc", conc }, { "rate", rate } }
local FORMULA, START = "rate ~ Vm * conc / (K + conc)", { Vm = 200, K = 0.05 }

local function puromycin(settings)
   local all = { formula = FORMULA, start = START }
   for name, value in pairs(settings or {}) do all[name] = value end
   return ml.NonlinearRegression(all)
end

local function michaelis(b, X) return b.Vm * X:col "conc" / (X:col "conc" + b.K) end

describe("NonlinearRegression", function()
   it("has the estimates and standard errors of R's nls", function()
      local model = puromycin():fit(frame)
      local s = model:summary()
      assert.same({ "K", "Vm" }, model.terms)
      assert.near(212.7, model.coef[2], 0.02)
      assert.near(0.06412, model.coef[1], 1e-5)
      assert.near(6.947, s.coefficients.std_error[2], 1e-3)
      assert.near(0.008281, s.coefficients.std_error[1], 1e-6)
      assert.near(10.93, s.sigma, 0.005)
      assert.equal(10, s.df)
      local loglik = 0
      local sd = (model.rss / 12) ^ 0.5
      for i = 1, 12 do
         loglik = loglik + ml.special.normal_logpdf((rate[i] - model:predict(frame)[i]) / sd) - math.log(sd)
      end
      assert.near(loglik, s.loglik, 1e-10)
      assert.matches("Residual standard error: 10.93 on 10 degrees of freedom", tostring(s), 1, true)
      assert.near(2 * 3 - 2 * s.loglik, s.aic, 1e-10)
   end)

   it("has intervals by the delta method", function()
      local model = puromycin():fit(frame)
      local mean = model:intervals(frame, { kind = "confidence", level = 0.9 })
      local new = model:intervals(frame, { level = 0.9 })
      for i, x in ipairs(conc) do
         local K, Vm = model.coef[1], model.coef[2]
         local g = { -Vm * x / (K + x) ^ 2, x / (K + x) }
         local variance = 0
         for a = 1, 2 do
            for b = 1, 2 do variance = variance + g[a] * model.covariance[a][b] * g[b] end
         end
         assert.near(variance ^ 0.5, mean.std_error[i], 1e-10)
         assert.near((variance + model.sigma ^ 2) ^ 0.5, new.std_error[i], 1e-10)
         assert.near(mean.fit[i] + ml.special.t_isf(0.05, 10) * mean.std_error[i], mean.high[i], 1e-10)
      end
   end)

   it("fits functions as formulas, with derivatives by differences or by the user", function()
      local expected = puromycin():fit(frame)
      local function jacobian(b, X)
         local x = X:col "conc"
         return { Vm = x / (x + b.K), K = -b.Vm * x / (x + b.K):square() }
      end
      for _, derivatives in ipairs { false, jacobian } do
         local model = ml.NonlinearRegression { model = michaelis, jacobian = derivatives or nil, start = START }
         model:fit(frame:drop "rate", frame.rate)
         assert.near(expected.coef[2], model.coef[2], 1e-5)
         assert.near(1, expected.covariance[1][1] / model.covariance[1][1], 1e-6)
         local X = frame:drop "rate"
         assert.near(expected:intervals(X).low[3], model:intervals(X).low[3], 1e-4)
      end
   end)

   it("passes on errors of a user's function", function()
      local model = ml.NonlinearRegression { model = function() error "no such luck" end, start = { b = 1 } }
      refuses("no such luck", function() model:fit({ { 1 }, { 2 } }, { 1, 2 }) end)
      model = ml.NonlinearRegression { model = function() return { 1 } end, start = { b = 1 } }
      refuses("a number for each of the 2 rows, got 1", function() model:fit({ { 1 }, { 2 } }, { 1, 2 }) end)
   end)

   it("says what a user's function must return", function()
      local function returning(value, slope)
         return function()
            ml.NonlinearRegression { model = function() return value end, start = { b = 1 },
               jacobian = slope and function() return { b = slope } end or nil }:fit({ { 1 }, { 2 } }, { 1, 2 })
         end
      end
      refuses("NonlinearRegression: the result of the model must be a Vector or a list of numbers, got string$",
         returning "x")
      refuses("the result of the model must be a Vector or a list of numbers, got number", returning(3))
      refuses("the result of the model must be a Vector or a list of numbers, got nil", returning(nil))
      refuses("the derivative with respect to 'b' must be a Vector or a list of numbers, got boolean",
         returning({ 1, 1 }, true))
   end)

   it("agrees with LinearRegression on a linear model, also with weights", function()
      local w = { 1, 2, 1, 0.5, 3, 1, 1, 2, 2, 1, 1, 4 }
      for _, kind in ipairs { "precision", "frequency" } do
         local linear = ml.LinearRegression { weights_type = kind, formula = "rate ~ conc" }
         linear:fit(frame, nil, { weights = w })
         local model = puromycin { formula = "rate ~ a + b * conc", start = { a = 0, b = 0 }, weights_type = kind }
         model:fit(frame, nil, { weights = w })
         local s, t = linear:summary(), model:summary()
         for i = 1, 2 do
            assert.near(s.coefficients.estimate[i], t.coefficients.estimate[i], 1e-6)
            assert.near(s.coefficients.std_error[i], t.coefficients.std_error[i], 1e-6)
            assert.near(s.coefficients.p[i], t.coefficients.p[i], 1e-8)
         end
         assert.near(s.loglik, t.loglik, 1e-8)
         assert.near(s.aic, t.aic, 1e-8)
      end
   end)

   it("keeps parameters within bounds", function()
      local model = puromycin { upper = { Vm = 205 } }:fit(frame)
      assert.equal(205, model.coef[2])
      assert.same({ "Vm" }, model.at_bound)
      assert.is_true(model.converged)
      local s = model:summary()
      assert.is_true(s.coefficients.std_error[2] ~= s.coefficients.std_error[2])
      local known = puromycin { formula = "rate ~ 205 * conc / (K + conc)", start = { K = 0.05 } }:fit(frame)
      assert.near(known.coef[1], model.coef[1], 1e-8)
      assert.near(known:summary().coefficients.std_error[1], s.coefficients.std_error[1], 1e-8)
      assert.near(known:intervals(frame).low[1], model:intervals(frame).low[1], 1e-6)
   end)

   it("accepts a matrix, whose columns are x1, x2, ..., and a formula without target", function()
      local model = ml.NonlinearRegression { formula = "Vm * x / (K + x)", start = START }:fit(
         ml.Vector(conc):as_column(), rate)
      assert.near(212.68, model.coef[2], 0.01)
      assert.near(puromycin():fit(frame):predict(frame)[5], model:predict { { 0.11 } }[1], 1e-5)
      model = ml.NonlinearRegression { formula = "a * x1 + ifelse(x2 > 0, b, 0)", start = { a = 1, b = 1 } }
      model:fit({ { 1, -1 }, { 2, 1 }, { 3, -1 }, { 4, 1 } }, { 2, 7, 6, 11 })
      assert.near(2, model.coef[1], 1e-12)
      assert.near(3, model.coef[2], 1e-12)
   end)

   it("differentiates every function", function()
      local x, names = {}, { "exp", "expm1", "log", "log1p", "log2", "log10", "sqrt", "abs", "sin", "cos", "tan",
         "asin", "acos", "atan", "sinh", "cosh", "tanh" }
      for i = 1, 5 do x[i] = { i / 10 } end
      local expression = require "manilius.nonlinear.expression"
      local core = require "manilius.core"
      local forms = { "(b * x)^x", "x^(b * x)", "(b + x)^(b * x)", "b / (b + x) - x / b", "-b * (x - b)",
         "ifelse(x < b, b^2, b * x)", "ifelse(x >= 0.3, 2, b)", "(x <= b) * b" }
      for _, name in ipairs(names) do forms[#forms + 1] = name .. "(b * x)" end
      for _, form in ipairs(forms) do
         local compiled = expression.compile(form, { "b" }, { "x" })
         local function at(b) return (core.expression_values(compiled.code, ml.Matrix(x), { b })) end
         local _, slope = core.expression_values(compiled.code, ml.Matrix(x), { 0.7 })
         local difference = (at(0.7 + 1e-6) - at(0.7 - 1e-6)) / 2e-6
         for i = 1, 5 do assert.near(difference[i], slope[i][1], 1e-8, form) end
      end
   end)

   it("can be cloned, saved and loaded", function()
      local model = puromycin():fit(frame)
      local copy = ml.load(model:dump())
      assert.same(model:predict(frame):totable(), copy:predict(frame):totable())
      assert.equal(tostring(model:summary()), tostring(copy:summary()))
      assert.is_false(model:clone().fitted)
   end)

   it("exports a formula", function()
      local model = ml.NonlinearRegression { formula = "a * x^b / (1 + exp(-x)) + pi", start = { a = 1, b = 1 } }
      local X = ml.Vector(conc):as_column()
      model:fit(X, rate)
      local exported = load(model:export_lua())()
      for i = 1, 12 do assert.near(model:predict(X)[i], exported.predict { X[i][1] }, 1e-9) end
      refuses("its model is a Lua function", function()
         ml.NonlinearRegression { model = michaelis, start = START }:fit(frame:drop "rate", frame.rate):export_c()
      end)
   end)

   it("reports when the data do not determine the parameters", function()
      local before = ml.warnings()
      local said = {}
      ml.warnings(function(text) said[#said + 1] = text end)
      local model = puromycin { formula = "rate ~ a * b * conc", start = { a = 1, b = 1 } }:fit(frame)
      ml.warnings(before)
      assert.matches("the data do not determine a, b: the derivatives have rank 1 of 2", table.concat(said), 1, true)
      assert.is_true(model:summary().coefficients.std_error[1] ~= model:summary().coefficients.std_error[1])
   end)

   it("names the parameters that the data do not determine, and infers the others", function()
      local before, said = ml.warnings(), {}
      ml.warnings(function(text) said[#said + 1] = text end)
      local part = puromycin { formula = "rate ~ Vm * conc / (K + conc) + (a + b) * 0.1",
         start = { Vm = 200, K = 0.05, a = 1, b = 2 } }:fit(frame)
      ml.warnings(before)
      local whole = puromycin { formula = "rate ~ Vm * conc / (K + conc) + c * 0.1",
         start = { Vm = 200, K = 0.05, c = 3 } }:fit(frame)
      assert.matches("do not determine a, b: the derivatives have rank 3 of 4", table.concat(said), 1, true)
      assert.same({ "a", "b" }, part.undetermined)
      assert.same({}, whole.undetermined)
      assert.equal(whole.df, part.df)
      local some, all = part:summary(), whole:summary() -- K, Vm, a, b; K, Vm, c
      for i = 1, 2 do
         assert.near(all.coefficients.estimate[i], some.coefficients.estimate[i], 1e-5 * all.coefficients.estimate[i])
         assert.near(all.coefficients.std_error[i], some.coefficients.std_error[i],
            1e-5 * all.coefficients.std_error[i])
      end
      assert.is_true(some.coefficients.std_error[3] ~= some.coefficients.std_error[3])
      assert.matches("Not determined by the data, without a standard error: a, b", tostring(some), 1, true)
      assert.matches("Vm", tostring(ml.load(part:dump()):summary()))
   end)

   it("refuses wrong settings and data", function()
      refuses("either formula or model must be given, got none", function()
         ml.NonlinearRegression { start = START }
      end)
      refuses("start must be a table of starting values", function()
         ml.NonlinearRegression { formula = FORMULA }
      end)
      refuses("'K' is neither a column nor a parameter", function()
         puromycin { start = { Vm = 1 } }:fit(frame)
      end)
      refuses("the parameter 'c' does not occur", function()
         puromycin { start = { Vm = 1, K = 1, c = 1 } }:fit(frame)
      end)
      refuses("lower.k is not a parameter in start", function() puromycin { lower = { k = 1 } } end)
      refuses("start.K must be within its bounds", function() puromycin { lower = { K = 1 } } end)
      refuses("must be finite at the starting values, is %-inf in row 1", function()
         ml.NonlinearRegression { formula = "y ~ log(x - b)", start = { b = 1 } }:fit(
            ml.Frame { { "x", { 1, 2 } }, { "y", { 1, 2 } } })
      end)
      refuses("there is no function gamma of 1 argument", function()
         puromycin { formula = "rate ~ gamma(Vm * K)" }:fit(frame)
      end)
      refuses("column 'conc' must hold numbers", function()
         puromycin():fit(frame:with { conc = ml.Factor(rate) })
      end)
   end)
end)
