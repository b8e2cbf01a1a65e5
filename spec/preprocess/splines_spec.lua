-- SplineTransformer against scikit-learn, and its laws.
local ml = require "manilius"
local fixture = require "spec.fixtures.preprocess.splines"
local support = require "spec.support"

describe("SplineTransformer", function()
   it("gives the values of scikit-learn", function()
      for i, case in ipairs(fixture.cases) do
         local model = ml.SplineTransformer(case.params):fit(fixture.X)
         local new = case.inside and table.move(fixture.new, 1, 3, 1, {}) or fixture.new
         -- far beyond the knots, polynomials of degree 5 are large and cancel
         support.near_rows(case.out, model:transform(new), 1e-11, "case " .. i, 1)
      end
   end)

   it("gives a Sparse with the same values", function()
      for _, case in ipairs(fixture.cases) do
         local settings = { sparse_output = true }
         for name, value in pairs(case.params) do settings[name] = value end
         local dense, sparse = ml.SplineTransformer(case.params), ml.SplineTransformer(settings)
         assert.same(dense:fit_transform(fixture.X):totable(), sparse:fit_transform(fixture.X):todense():totable())
      end
   end)

   it("sums to 1, and reproduces polynomials of its degree", function()
      local X = ml.normal(80, 1, 5)
      for degree = 0, 4 do
         local Z = ml.SplineTransformer { degree = degree, n_knots = 6, knots = "quantile" }:fit_transform(X)
         for i = 1, Z.rows do assert.near(1, Z[i]:sum(), 1e-12) end
         local y = X:col(1) ^ degree
         local fitted = ml.LinearRegression { fit_intercept = false }:fit(Z, y):predict(Z)
         support.near_all(y, fitted, 1e-10, "degree " .. degree, 1)
      end
   end)

   it("gives the same splines for a column in units of 1e-310", function()
      for _, extrapolation in ipairs { "constant", "linear", "continue", "periodic" } do
         local plain, small, tiny = {}, 0x1p-1030, {}
         for i = 1, 20 do plain[i], tiny[i] = { 8 * i }, { 8 * i * small } end
         local wanted = ml.SplineTransformer { extrapolation = extrapolation }:fit(plain)
         local got = ml.SplineTransformer { extrapolation = extrapolation }:fit(tiny)
         for _, x in ipairs { 8, 30, 77, 160, 200, -3 } do
            support.near_all(wanted:transform { { x } }[1], got:transform { { x * small } }[1], 1e-12, "spline", 1)
         end
         if extrapolation ~= "periodic" then
            local program = load(got:export_lua())()
            assert.same(got:transform { { 30 * small } }[1]:totable(), program.transform { 30 * small })
         end
      end
   end)

   it("refuses a range that overflows", function()
      support.refuses("the range of column 1 is too large", function()
         ml.SplineTransformer {}:fit { { -1.5e308 }, { 0 }, { 1.5e308 } }
      end)
   end)

   it("handles constant columns, ties of quantiles and a single row", function()
      local out = ml.SplineTransformer {}:fit_transform { { 3 }, { 3 } }
      assert.near(1, out[1]:sum(), 1e-14)
      assert.same(out[1]:totable(), out[2]:totable())
      assert.near(1, ml.SplineTransformer {}:fit_transform({ { -1e9 } })[1]:sum(), 1e-12)
      local ties = { { 1 }, { 1 }, { 1 }, { 1 }, { 2 }, { 7 }, { 7 }, { 7 } }
      local Z = ml.SplineTransformer { knots = "quantile", n_knots = 6 }:fit_transform(ties)
      for i = 1, #ties do assert.near(1, Z[i]:sum(), 1e-12) end
   end)

   it("continues lines of degree 1, and constants of degree 0", function()
      local X = { { 0 }, { 1 }, { 2 }, { 3 }, { 4 } }
      local lines = ml.SplineTransformer { degree = 1, n_knots = 3, extrapolation = "linear" }:fit(X)
      assert.same({ { 2, -1, 0 }, { 0.5, 0.5, 0 }, { 0, 0, 1 }, { 0, -1, 2 } },
         lines:transform({ { -2 }, { 1 }, { 4 }, { 6 } }):totable())
      local steps = ml.SplineTransformer { degree = 0, n_knots = 3, extrapolation = "linear" }:fit(X)
      local out = steps:transform { { -2 }, { 2 }, { 4 }, { 6 } }
      assert.same({ { 1, 0 }, { 0, 1 }, { 0, 1 }, { 0, 1 } }, out:totable())
   end)

   it("repeats periodic splines", function()
      local knots = { { 0 }, { 1 }, { 2 }, { 3 }, { 4 } }
      local model = ml.SplineTransformer { extrapolation = "periodic", base_knots = knots }:fit { { 0 } }
      local Z = model:transform { { 0.5 }, { 4.5 }, { -3.5 }, { 0 }, { 4 } }
      support.near_rows({ Z[1], Z[1] }, { Z[2], Z[3] }, 1e-14)
      support.near_all(Z[4], Z[5], 1e-14, "ends", 1e-3)
      assert.equal(4, Z.cols)
   end)

   it("refuses knots and values that do not fit", function()
      local X = { { 1 }, { 2 } }
      local function refused(pattern, settings, new)
         support.refuses(pattern, function() ml.SplineTransformer(settings):fit(X):transform(new or X) end)
      end
      refused("base_knots must be ascending", { base_knots = { { 1 }, { 1 } } })
      refused("base_knots must have 1 column or 1", { base_knots = { { 1, 2, 3 }, { 4, 5, 6 } } })
      refused("more knots than their degree, 3, got 3", { n_knots = 3, extrapolation = "periodic" })
      refused("within the knots, 1 to 2 in column 1, got 3 in row 2", { extrapolation = "error" }, { { 1 }, { 3 } })
   end)
end)
