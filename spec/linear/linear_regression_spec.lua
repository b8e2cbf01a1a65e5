local ml = require "manilius"
local core = require "manilius.core"
local oracle = dofile "spec/fixtures/linear/linear.lua"

local support = require "spec.support"
local near, near_all, refuses = support.near, support.near_all, support.refuses

local function read(name, target, columns)
   local frame = ml.read_csv("examples/data/" .. name)
   return frame:select(columns), frame:col(target)
end

describe("LinearRegression", function()
   -- statsmodels solves by pseudo-inverse; both are exact to about 1e-12 on data of this conditioning.
   for _, name in ipairs { "mtcars", "diabetes" } do
      it("agrees with statsmodels on " .. name, function()
         local want = oracle[name]
         local X, y = read(name .. ".csv", want.target, want.columns)
         local model = ml.LinearRegression {}:fit(X, y)
         local s = model:summary()
         local table = s.coefficients
         for _, column in ipairs { "estimate", "std_error", "t", "low", "high" } do
            near_all(want[column], table:col(column), 1e-9, column)
         end
         near_all(want.p, table:col "p", 1e-8, "p")
         for _, value in ipairs { "r2", "adjusted_r2", "f", "sigma", "loglik", "aic", "bic" } do
            near(want[value], s[value], 1e-10, value)
         end
         near(want.f_p, s.f_p, 1e-8, "f_p")
         local d = model:diagnostics(X, y)
         for i = 1, 5 do
            near(want.leverage[i], d.rows:col "leverage"[i], 1e-9, "leverage")
            near(want.cooks[i], d.rows:col "cooks_distance"[i], 1e-8, "Cook's distance")
            near(want.studentized[i], d.rows:col "studentized"[i], 1e-9, "studentized")
            near(want.standardized[i], d.rows:col "standardized"[i], 1e-9, "standardized")
         end
         near(want.durbin_watson, d.durbin_watson, 1e-10, "Durbin-Watson")
         near(want.breusch_pagan, d.breusch_pagan, 1e-8, "Breusch-Pagan")
         near(want.breusch_pagan_p, d.breusch_pagan_p, 1e-8, "its p")
         near_all(want.vif, d.vif, 1e-8, "vif")
         local three = X:head(3)
         local new, mean = model:intervals(three), model:intervals(three, { kind = "confidence" })
         near_all(want.interval_low, new:col "low", 1e-9, "prediction low")
         near_all(want.interval_high, new:col "high", 1e-9, "prediction high")
         near_all(want.mean_low, mean:col "low", 1e-9, "confidence low")
         near_all(want.mean_high, mean:col "high", 1e-9, "confidence high")
      end)
   end

   it("gives Longley's certified values (NIST StRD)", function()
      local frame = ml.read_csv "examples/data/longley.csv"
      local X = frame:select { "gnp_deflator", "gnp", "unemployed", "armed_forces", "population", "year" }
      local y = frame:col "employed" * 1000 -- NIST has thousands of people, and the GNP in other units
      local model = ml.LinearRegression {}:fit(X, y)
      local certified = { 15.0618722713733, -0.358191792925910E-01 * 1000, -2.02022980381683 * 10,
         -1.03322686717359 * 10, -0.511041056535807E-01 * 1000, 1829.15146461355 }
      for j, value in ipairs(certified) do near(value, model.coef[j], 1e-12, "coefficient " .. j) end
      near(-3482258.63459582, model.intercept, 1e-12, "intercept")
   end)

   it("computes the minimum-norm solution of rank-deficient X and names the dependent columns", function()
      local X = ml.Frame { { "a", { 1, 2, 3, 4 } }, { "b", { 2, 4, 6, 8 } }, { "c", { 1, 0, 1, 1 } } }
      local model = ml.LinearRegression {}:fit(X, { 5.1, 10, 15.2, 19.9 })
      assert.equal(2, model.rank)
      -- the norm is smallest along (1, 2), where b = 2 a
      near(2 * model.coef[1], model.coef[2], 1e-10)
      local s = model:summary()
      assert.matches("rank 2 of 3", s.text)
      local aliased = s.coefficients:col "std_error"[3]
      assert.is_true(aliased ~= aliased)
   end)

   it("fits more columns than rows exactly, by minimum norm", function()
      local X, y = ml.normal(5, 12, 3), { 1, -2, 3, 0.5, 4 }
      local model = ml.LinearRegression { fit_intercept = false }:fit(X, y)
      near_all(y, model:predict(X), 1e-10, "fitted")
      assert.equal(5, model.rank)
      -- minimum norm: the coefficients lie in the row space, so they equal X' inv(XX') y
      local other = ml.Ridge { alpha = 1e-10, fit_intercept = false }:fit(X, y)
      near_all(other.coef, model.coef, 1e-7, "limit of ridge")
   end)

   it("is as accurate as QR where the Gram matrix would lose digits", function()
      -- Laeuchli's matrix: condition number 1e7, so X'X is nearly singular in double precision
      local n, X, y = 40, {}, {}
      for i = 1, n do
         X[i] = { 1000 + i, 1000 + i + 1e-4 * (i % 3) }
         y[i] = 2 * X[i][1] - 3 * X[i][2]
      end
      local model = ml.LinearRegression {}:fit(X, y)
      near(2, model.coef[1], 1e-8)
      near(-3, model.coef[2], 1e-8)
   end)

   it("gives the same solution by the Gram matrix and by QR", function()
      -- 60000 x 20 is solved by the Gram matrix; a tenth of the rows with weight 10 is solved by QR
      local X, noise = ml.normal(6000, 20, 1), ml.normal(6000, 1, 2):col(1)
      local y = X * ml.Vector(20, 0.5) + noise
      local big = ml.vcat(X, X, X, X, X, X, X, X, X, X)
      local yy = ml.vcat(y:as_column(), y:as_column(), y:as_column(), y:as_column(), y:as_column(), y:as_column(),
         y:as_column(), y:as_column(), y:as_column(), y:as_column()):col(1)
      local many = ml.LinearRegression {}:fit(big, yy)
      local few = ml.LinearRegression {}:fit(X, y, { weights = ml.Vector(6000, 10) })
      near_all(few.coef, many.coef, 1e-11, "coef")
      near(few.rss, many.rss, 1e-11, "rss")
   end)

   it("fits several targets like each target alone", function()
      local X = ml.normal(30, 3, 5)
      local Y = ml.normal(30, 2, 6)
      local both = ml.LinearRegression {}:fit(X, Y)
      for t = 1, 2 do
         local one = ml.LinearRegression {}:fit(X, Y:col(t))
         near_all(one.coef, both.coef[t], 1e-12, "coef")
         near(one.intercept, both.intercept[t], 1e-12)
         near(one:summary().r2, both:summary { target = t }.r2, 1e-12)
      end
      assert.equal(2, both:predict(X).cols)
   end)

   it("prints a readable summary", function()
      local model = ml.LinearRegression {}:fit({ { 1 }, { 2 }, { 3 }, { 4 } }, { 1.1, 1.9, 3.2, 3.8 })
      local text = tostring(model:summary())
      for _, part in ipairs { "Residuals:", "%(Intercept%)%s+0.15", "x1%s+0.94", "Multiple R%-squared: 0.9818",
         "on 2 degrees of freedom" } do
         assert.matches(part, text)
      end
   end)

   it("refuses invalid options with clear messages", function()
      local model = ml.LinearRegression { inference = false }:fit({ { 1 }, { 2 }, { 4 } }, { 1, 2, 3 })
      refuses("LinearRegression: summary requires a model fitted with inference = true", function() model:summary() end)
      local two = ml.LinearRegression {}:fit({ { 1 }, { 2 }, { 4 } }, { 1, 2, 3 })
      refuses("LinearRegression: target must be from 1 to 1, got 2", function() two:summary { target = 2 } end)
      refuses("level must be > 0 and < 1, got 2", function() two:summary { level = 2 } end)
   end)

   it("shows uncomputed sums of squares as empty", function()
      local model = ml.LinearRegression { inference = false }:fit({ { 1 }, { 2 }, { 4 } }, { 1, 2, 3.5 })
      assert.equal(0, #model.rss)
      assert.equal(0, #model.tss)
      assert.equal(0, #ml.load(model:dump()).rss)
      assert.near(1 / 56, ml.LinearRegression {}:fit({ { 1 }, { 2 }, { 4 } }, { 1, 2, 3.5 }).rss, 1e-14)
   end)

   it("does not depend on the number of threads", function()
      local X = ml.normal(50000, 20, 1)
      local y = X * ml.Vector(20, 1) + ml.normal(50000, 1, 2):col(1)
      local dumps = {}
      for _, threads in ipairs { 1, 2, 5 } do
         core.memory.threads(threads)
         dumps[#dumps + 1] = ml.LinearRegression {}:fit(X, y):dump()
      end
      core.memory.threads(0)
      assert.equal(dumps[1], dumps[2])
      assert.equal(dumps[1], dumps[3])
   end)

   it("prints no sign before nan", function()
      local text = tostring(ml.LinearRegression {}:fit({ { 1, 2 } }, { 1 }):summary())
      assert.is_nil(text:find("-nan", 1, true))
      assert.matches("Adjusted R%-squared: nan", text)
   end)
end)
