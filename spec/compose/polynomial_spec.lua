--- PolynomialRegression: compared with exact polynomials, LinearRegression on PolynomialFeatures, and closed forms.
local ml = require "manilius"
local core = require "manilius.core"
local support = require "spec.support"

local refuses = support.refuses

local function near_all(wanted, got, tolerance)
   assert.equal(#wanted, #got)
   for i = 1, #wanted do assert.near(wanted[i], got[i], tolerance) end
end

describe("PolynomialRegression", function()
   local Z = core.normal(60, 2, 1)
   local a, b = Z:col(1):copy(), Z:col(2):copy()
   local y = a:square() * 2 + b * 3 - a:mul(b) + core.normal(60, nil, 2) * 0.1
   local frame = ml.Frame { { "a", a }, { "b", b } }

   local function by_hand(X, settings, options)
      local expand = ml.PolynomialFeatures { degree = settings.degree, interaction_only = settings.interaction_only,
         include_bias = false }
      local linear = ml.LinearRegression { fit_intercept = settings.fit_intercept }
      return linear:fit(expand:fit_transform(X), y, options), expand
   end

   it("equals LinearRegression on PolynomialFeatures where those are well-conditioned", function()
      local weights = core.random(60, nil, 4)
      for _, case in ipairs { { {} }, { { degree = 3 } }, { { interaction_only = true } },
         { { fit_intercept = false } },
         { { degree = 3 }, { weights = weights } } } do
         local model = ml.PolynomialRegression(case[1]):fit(frame, y, case[2])
         local linear, expand = by_hand(frame, case[1], case[2])
         local mine, theirs = model:summary().coefficients, linear:summary().coefficients
         near_all(linear.coef, model.coef, 1e-11)
         assert.near(linear.intercept, model.intercept, 1e-11)
         assert.same(theirs.term:totable(), mine.term:totable())
         for _, column in ipairs { "estimate", "std_error", "t", "p", "low", "high" } do
            near_all(theirs[column], mine[column], 1e-9 * theirs[column]:abs():max())
         end
         near_all(linear:predict(expand:transform(frame)), model:predict(frame), 1e-11)
         near_all(linear:intervals(expand:transform(frame)).low, model:intervals(frame).low, 1e-10)
      end
   end)

   it("names its terms by the columns", function()
      assert.same({ "a", "b", "a^2", "a b", "b^2" }, ml.PolynomialRegression {}:fit(frame, y).terms)
      assert.same({ "x1", "x2", "x1 x2" }, ml.PolynomialRegression { interaction_only = true }:fit(Z, y).terms)
      assert.same({ "a", "b" }, ml.PolynomialRegression {}:fit(frame, y).feature_names)
   end)

   it("finds a cubic far from 0, with accurate coefficients", function()
      local x = (core.linspace(0, 10, 50) + 1e6):as_column()
      local t = x:flatten() - 1e6
      local cubic = t:mul(t):mul(t) - t * 2
      local model = ml.PolynomialRegression { degree = 3 }:fit(x, cubic)
      near_all(cubic, model:predict(x), 1e-11)
      assert.near(1, model.coef[3], 1e-12) -- (x - m)^3 - 2 (x - m), m = 1e6
      assert.near(1, model.coef[2] / -3e6, 1e-12)
      assert.near(1, model.coef[1] / (3e12 - 2), 1e-12)
      assert.near(1, model.intercept / (-1e18 + 2e6), 1e-12)
   end)

   it("fits degree 10 to working precision", function()
      local x = core.linspace(-1, 3, 80)
      local value = core.zeros(80, 1):flatten()
      for k = 0, 10 do value = value:mul(x) + (k % 3 - 1) end
      local model = ml.PolynomialRegression { degree = 10 }:fit(x:as_column(), value)
      near_all(value, model:predict(x:as_column()), 1e-8)
      for k = 1, 10 do assert.near((10 - k) % 3 - 1, model.coef[k], 1e-6) end
   end)

   it("fits several targets independently", function()
      local both = ml.PolynomialRegression {}:fit(Z, core.hcat(y:as_column(), a:as_column()))
      local one = ml.PolynomialRegression {}:fit(Z, y)
      near_all(one.coef, both.coef[1], 1e-13)
      near_all({ 1, 0, 0, 0, 0 }, both.coef[2], 1e-13)
      near_all(one:summary().coefficients.std_error, both:summary { target = 1 }.coefficients.std_error, 1e-13)
      near_all({ 0, 1, 0, 0, 0, 0 }, both:summary { target = 2 }.coefficients.estimate, 1e-13)
   end)

   it("with alpha equals Ridge on the products of the scaled columns, in the original units", function()
      local model = ml.PolynomialRegression { alpha = 2 }:fit(frame, y)
      local pipe = ml.Pipeline { ml.StandardScaler {}, ml.PolynomialFeatures { include_bias = false },
         ml.Ridge { alpha = 2 } }:fit(frame, y)
      near_all(pipe:predict(frame), model:predict(frame), 1e-13)
      local raw = ml.PolynomialFeatures { include_bias = false }:fit_transform(Z)
      near_all(model:predict(Z), (raw * model.coef:as_column()):flatten() + model.intercept, 1e-12)
      assert.same({ "term", "estimate" }, model:summary().coefficients.names)
   end)

   it("can be fitted in the background and by a formula, and be saved", function()
      local plain = ml.PolynomialRegression { degree = 3 }:fit(frame, y)
      local late = ml.PolynomialRegression { degree = 3 }
      late:fit_async(frame, y):wait()
      assert.same(plain:predict(frame):totable(), late:predict(frame):totable())
      assert.same(plain.coef:totable(), late.coef:totable())
      assert.same(plain:predict(frame):totable(), ml.load(plain:dump()):predict(frame):totable())
      local whole = ml.Frame { { "a", a }, { "b", b }, { "y", y } }
      local formula = ml.PolynomialRegression { degree = 3, formula = "y ~ a + b" }:fit(whole)
      assert.same(plain:predict(frame):totable(), formula:predict(whole):totable())
      assert.same(plain.terms, formula.terms and formula.model.terms)
      assert.near(plain:summary().sigma, formula:summary().sigma, 1e-15)
      assert.near(plain:predict(frame)[1], plain:predict { a = a[1], b = b[1] }[1], 1e-15)
   end)

   it("can be searched over its degree", function()
      local search = ml.GridSearch { ml.PolynomialRegression {}, { degree = { 1, 2, 5 } }, cv = 4 }:fit(frame, y)
      assert.equal(2, search.best.degree)
   end)

   it("names itself in error messages", function()
      local model = ml.PolynomialRegression {}:fit(Z, y)
      refuses("PolynomialRegression: degree must be a whole number >= 1, got 0", function()
         ml.PolynomialRegression { degree = 0 }
      end)
      refuses("PolynomialRegression: alpha must be a number >= 0, got %-1", function()
         ml.PolynomialRegression { alpha = -1 }
      end)
      refuses("PolynomialRegression has no parameter 'degre'; did you mean 'degree'", function()
         ml.PolynomialRegression { degre = 3 }
      end)
      refuses("PolynomialRegression: X must have 2 columns, as in fit, got 1", function() model:predict { { 1 } } end)
      refuses("PolynomialRegression: X must be finite, got nan in row 1, column 2", function()
         model:predict { { 1, 0 / 0 } }
      end)
      refuses("PolynomialRegression: y must have as many rows as X, 60, got 1", function() model:fit(Z, { 1 }) end)
   end)

   it("says in its summary what sample weights mean, if there are any", function()
      local M, target = { { 1 }, { 2 }, { 3 }, { 4 }, { 5 }, { 6 } }, { 1, 3, 2, 5, 4, 7 }
      local weights = { 1, 2, 1, 2, 1, 2 }
      for _, kind in ipairs { "frequency", "precision" } do
         local model = ml.PolynomialRegression { degree = 1, weights_type = kind }
         local s = model:fit(M, target, { weights = weights }):summary()
         assert.equal(kind, s.weights_type)
         assert.matches("weights_type: " .. kind, tostring(s))
         assert.is_nil(rawget(model:fit(M, target):summary(), "weights_type"))
      end
   end)

   it("has the summary of what was fitted after set_params", function()
      local X, old = ml.normal(30, 2, 1), ml.warnings "off"
      local model = ml.PolynomialRegression {}:fit(X, X:col(1):mul(X:col(2)) + ml.normal(30, 1, 2):col(1))
      local before = tostring(model:summary())
      model:set_params { fit_intercept = false, alpha = 2 }
      local after = tostring(model:summary())
      ml.warnings(old)
      assert.equal(before, after)
   end)
end)
