local ml = require "manilius"
local refuses = require "spec.support".refuses

describe("design_matrix", function()
   local f = ml.Frame { { "y", { 1, 2, 3, 4 } }, { "a", { 1, 2, 3, 4 } }, { "g", { "u", "v", "w", "u" } } }

   it("has the columns of R's model.matrix, and the target", function()
      local X, y = ml.design_matrix("log(y) ~ a + g", f)
      assert.same({ "(Intercept)", "a", "gv", "gw" }, { table.unpack(X.names) })
      assert.same({ { 1, 1, 0, 0 }, { 1, 2, 1, 0 }, { 1, 3, 0, 1 }, { 1, 4, 0, 0 } }, X:matrix():totable())
      assert.near(math.log(3), y[3], 1e-15)
   end)

   it("has no intercept or target where the formula has none", function()
      local X, y = ml.design_matrix("~ 0 + a:a + I(a^2)", f)
      assert.same({ "a", "I(a^2)" }, { table.unpack(X.names) })
      assert.is_nil(y)
      assert.same({ "(Intercept)" }, { table.unpack(ml.design_matrix("y ~ 1", f).names) })
   end)

   it("gives the least squares fit of the formula", function()
      local X, y = ml.design_matrix("y ~ a + g", f)
      local model = ml.LinearRegression { formula = "y ~ a + g" }:fit(f)
      assert.near(model.coef[1], (X:matrix():pinv() * y)[2], 1e-9)
   end)

   it("refuses other values", function()
      refuses("design_matrix: frame must be a Frame, got table", function() ml.design_matrix("y ~ a", {}) end)
      refuses("there is no column 'b'", function() ml.design_matrix("y ~ b", f) end)
   end)
end)
