--- Standard errors of QuantileRegressor, against summary(rq(), se = "ker") of quantreg.

local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/robust/quantreg.lua"

local data = ml.read_csv "examples/data/diabetes.csv"
local y = data.progression

local function check(wanted, X, params, weights)
   params.quantile = wanted.quantile
   local model = ml.QuantileRegressor(params):fit(X, y, { weights = weights })
   local s = model:summary()
   -- Both give the vertex exactly; the quartiles that set the bandwidth are those of the same residuals.
   for _, name in ipairs { "estimate", "std_error", "t" } do
      support.near_all(wanted[name], s.coefficients[name], 1e-8, name)
   end
   support.near_all(wanted.p, s.coefficients.p, 1e-8, "p", 1e-6) -- R loses digits in 1 - P
   support.near_all(wanted.std_error, model.std_error, 1e-8, "std_error")
   return s, model
end

describe("standard errors of QuantileRegressor", function()
   it("agree with quantreg", function()
      for _, name in ipairs { "median", "upper", "lower" } do
         local s = check(oracle[name], data:select { "bmi", "bp", "s5" }, {})
         local c, half = s.coefficients, ml.dist.student_t { df = s.df }:quantile(0.975)
         for i = 1, 4 do
            support.near(c.estimate[i] + half * c.std_error[i], c.high[i], 1e-10, "high")
            support.near(c.estimate[i] - half * c.std_error[i], c.low[i], 1e-10, "low")
         end
      end
      check(oracle.no_intercept, data:select { "bmi", "s5" }, { fit_intercept = false })
   end)

   it("count weights as repeated rows", function()
      local w = {}
      for i = 1, #y do w[i] = 1 + (i - 1) % 2 end
      check(oracle.weighted, data:select { "bmi", "bp" }, {}, w)
   end)

   it("are missing with a reason", function()
      local X = data:select { "bmi", "bp" }
      local function text(params, Z, z) return ml.QuantileRegressor(params):fit(Z, z):summary().text end
      assert.matches("a penalty", text({ alpha = 0.1 }, X, y))
      assert.matches("collinear", text({}, ml.hcat(X:matrix(), data.bmi * 2), y))
      assert.matches("fitted exactly", text({}, X, data.bmi * 2 + 1))
      assert.matches("not more rows than coefficients", text({}, { { 1, 2 }, { 3, 5 }, { 4, 4 } }, { 1, 2, 4 }))
   end)

   it("survive saving", function()
      local model = ml.QuantileRegressor {}:fit(data:select { "bmi" }, y)
      assert.equal(model:summary().text, ml.load(model:dump()):summary().text)
   end)
end)
