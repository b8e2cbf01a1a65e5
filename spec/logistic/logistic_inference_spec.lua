--- Standard errors, tests and covariances of logistic regression without a penalty, against MNLogit of statsmodels.

local ml = require "manilius"
local support = dofile "spec/support.lua"
local refuses = support.refuses
local oracle = dofile "spec/fixtures/logistic/mnlogit.lua"

local frame = ml.read_csv "examples/data/auto_mpg.csv"
local X, y = frame:select { "mpg", "displacement", "acceleration" }, ml.Factor(frame.origin:totable())
local unpenalized = { penalty = "none", tol = 1e-16 }

local function check(wanted, model, nulls)
   local s, vcov = model:summary(), model:vcov()
   -- L-BFGS stops at a gradient of about 1e-7 of the objective, which leaves 1e-6 of the coefficients.
   for _, name in ipairs { "estimate", "std_error", "z", "p", "low", "high" } do
      support.near_all(wanted[name], s.coefficients[name], 1e-5, name, 1e-2)
   end
   for i, row in ipairs(wanted.vcov) do support.near_all(row, vcov[i], 1e-5, "vcov", 1e-6) end
   for _, name in ipairs { "loglik", "aic", "bic" } do support.near(wanted[name], s[name], 1e-9, name) end
   if not nulls then return s end
   for _, name in ipairs { "null_loglik", "pseudo_r2", "lr" } do support.near(wanted[name], s[name], 1e-9, name) end
   support.near(wanted.lr_p, s.lr_p, 1e-6, "lr_p")
   return s
end

describe("inference of LogisticRegression", function()
   it("agrees with MNLogit for three classes", function()
      local s = check(oracle.plain, ml.LogisticRegression(unpenalized):fit(X, y), true)
      assert.equal("2", tostring(s.coefficients.class[1]))
      assert.equal("3", tostring(s.coefficients.class[8]))
      assert.same({ "(Intercept)", "mpg", "displacement", "acceleration" },
         s.coefficients.term:slice(5, 8):totable())
      assert.matches("Coefficients of class 3 against 1:", s.text, nil, true)
   end)

   it("agrees without an intercept, with repeated rows, and on sparse X", function()
      check(oracle.no_intercept,
         ml.LogisticRegression { penalty = "none", tol = 1e-16, fit_intercept = false }:fit(X, y))
      local w = {}
      for i = 1, #y do w[i] = 1 + (i - 1) % 2 end
      check(oracle.weighted, ml.LogisticRegression(unpenalized):fit(X, y, { weights = w }), true)
      check(oracle.plain, ml.LogisticRegression(unpenalized):fit(ml.Sparse(X:matrix()), y), true)
   end)

   it("agrees for two classes, and there with GLM", function()
      local rows = {}
      for i = 1, #y do if frame.origin[i] ~= 1 then rows[#rows + 1] = i end end
      local Z, z = X:take(rows), ml.Factor(frame.origin:take(rows):totable())
      local s = check(oracle.two, ml.LogisticRegression(unpenalized):fit(Z, z), true)
      local glm = ml.GLM { family = "binomial" }:fit(Z, z):summary().coefficients
      support.near_all(glm.std_error, s.coefficients.std_error, 1e-6, "std_error")
      assert.matches("Coefficients of class 3 against 2:", s.text, nil, true)
   end)

   it("shows one class, at another level", function()
      local model = ml.LogisticRegression(unpenalized):fit(X, y)
      local all, one = model:summary().coefficients, model:summary { target = 3, level = 0.5 }.coefficients
      assert.equal(4, #one.term)
      for j = 1, 4 do
         assert.equal(all.std_error[4 + j], one.std_error[j])
         local half = ml.dist.normal {}:quantile(0.75) * one.std_error[j]
         support.near(one.estimate[j] + half, one.high[j], 1e-12, "high")
      end
      refuses("target must be from 2 to 3, because class 1 is the reference, got 1",
         function() model:summary { target = 1 } end)
   end)

   it("has no standard errors with a penalty or collinear columns, and says why", function()
      local penalized = ml.LogisticRegression {}:fit(X, y)
      assert.matches("no standard errors or p%-values", penalized:summary().text)
      refuses("vcov requires penalty = 'none'", function() penalized:vcov() end)
      for _, extra in ipairs { X.mpg * 2, X.mpg * 0 + 1e6 } do
         local s = ml.LogisticRegression { penalty = "none" }:fit(ml.hcat(X:matrix(), extra), y):summary()
         assert.is_true(s.coefficients.std_error[1] ~= s.coefficients.std_error[1])
         assert.matches("collinear", s.text)
      end
   end)

   it("computes them for at most 1000 coefficients, unless std_errors is false, and says so", function()
      local off = ml.LogisticRegression { penalty = "none", std_errors = false }:fit(X, y)
      assert.matches("no standard errors: the model was fitted with std_errors = false", off:summary().text)
      refuses("there is no vcov: the model was fitted with std_errors = false", function() off:vcov() end)
      local core = require "manilius.core"
      local wide = core.normal(20, 1001, 1)
      local labels = {}
      for i = 1, 20 do labels[i] = i % 2 end
      local many = ml.LogisticRegression { penalty = "none", max_iter = 2 }:fit(wide, labels)
      local why = "at most 1000 coefficients, since .* cube of their number, and the model has 1002; select"
      assert.matches(why, many:summary().text)
      refuses(why, function() many:vcov() end)
   end)

   it("survives saving", function()
      local model = ml.LogisticRegression(unpenalized):fit(X, y)
      assert.equal(model:summary().text, ml.load(model:dump()):summary().text)
   end)
end)
