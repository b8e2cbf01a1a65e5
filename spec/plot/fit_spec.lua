--- Regression curves with intervals.

local ml = require "manilius"
local common = require "spec.plot.common"

local plot = ml.plot
local near, near_all, refuses, layers = common.near, common.near_all, common.refuses, common.layers

local cars = ml.read_csv "examples/data/mtcars.csv"
local X, y = cars:select "wt", cars.mpg
local line = ml.LinearRegression {}:fit(X, y)
local wt = ml.Frame { { "wt", ml.linspace(cars.wt:min(), cars.wt:max(), 200) } }

describe("plot.fit", function()
   it("draws points, curve and confidence intervals", function()
      local fig = plot.fit(line, X, y, { title = "Cars" })
      local points, band, curve = layers(fig, "points")[1], layers(fig, "band"), layers(fig, "line")[1]
      near_all(cars.wt, points.x, 0)
      near_all(y, points.y, 0)
      near_all(wt.wt, curve.x, 0)
      near_all(line:predict(wt), curve.y, 0)
      assert.equal(1, #band)
      local wanted = line:intervals(wt, { kind = "confidence" })
      near_all(wanted.low, band[1].low, 0)
      near_all(wanted.high, band[1].high, 0)
      assert.equal("Cars", fig.title)
      assert.equal("wt", fig.panels[1].x)
      assert.equal("Band: 95% confidence interval.", fig.caption)
   end)

   it("draws prediction intervals, or both, at a level", function()
      local both = plot.fit(line, X, y, { interval = "both", level = 0.8 })
      local band = layers(both, "band")
      near_all(line:intervals(wt, { kind = "prediction", level = 0.8 }).high, band[1].high, 0)
      near_all(line:intervals(wt, { kind = "confidence", level = 0.8 }).high, band[2].high, 0)
      assert.equal("Light band: 80% prediction interval; dark band: 80% confidence interval.", both.caption)
      assert.equal(0, #layers(plot.fit(line, X, y, { interval = "none" }), "band"))
      assert.is_nil(plot.fit(line, X, y, { interval = "none" }).caption)
   end)

   it("draws a panel for each model, on a common scale", function()
      local log = ml.GLM { family = "gamma", link = "log" }:fit(X, y)
      local cubic = ml.Pipeline { ml.PolynomialFeatures { degree = 3, include_bias = false }, ml.LinearRegression {} }
      local neighbors = ml.KNeighborsRegressor {}:fit(X, y)
      local fig = plot.fit({ { "log", log }, { "cubic", cubic:fit(X, y) }, { "neighbors", neighbors } }, X, y)
      assert.equal(3, #fig.panels)
      for i, name in ipairs { "log", "cubic", "neighbors" } do
         assert.equal(name, fig.panels[i].title)
         assert.same(fig.panels[1].y_range, fig.panels[i].y_range)
      end
      near_all(log:intervals(wt).low, layers(fig, "band", 1)[1].low, 0)
      local formula = ml.LinearRegression { formula = "~ poly(wt, 3)" }:fit(X, y)
      local wanted = formula:intervals(wt, { kind = "confidence" })
      near_all(wanted.low, layers(fig, "band", 2)[1].low, 1e-9)
      near_all(wanted.low, layers(plot.fit(formula, X, y), "band")[1].low, 0)
      near_all(neighbors:predict(wt), layers(fig, "line", 3)[1].y, 0)
      assert.equal(0, #layers(fig, "band", 3))
      assert.equal("Band: 95% confidence interval; neighbors has no intervals.", fig.caption)
      local low = math.min(y:min(), wanted.low:min(), log:intervals(wt).low:min(), neighbors:predict(wt):min())
      assert.is_true(fig.panels[1].y_range[1] < low)
   end)

   it("draws models that have only prediction intervals", function()
      local ridge = ml.BayesianRidge {}:fit(X, y)
      local fig = plot.fit({ line = line, ridge = ridge }, X, y, { interval = "prediction", level = 0.8 })
      local found = ridge:predict_interval(wt, { level = 0.8 })
      near_all(found.low, layers(fig, "band", 2)[1].low, 0)
      near_all(found.high, layers(fig, "band", 2)[1].high, 0)
      assert.equal("Band: 80% prediction interval.", fig.caption)
      local alone = plot.fit(ridge, X, y)
      near_all(ridge:predict_interval(wt).low, layers(alone, "band")[1].low, 0)
      assert.equal("Band: 95% prediction interval.", alone.caption)
      local of_mean = plot.fit({ line = line, ridge = ridge }, X, y)
      assert.equal(0, #layers(of_mean, "band", 2))
      assert.equal("Band: 95% confidence interval; ridge has only prediction intervals.", of_mean.caption)
   end)

   it("uses the intervals of models in Lua, and accepts a Matrix", function()
      local Mean = { does = "regress",
         fit = function(self) return self end,
         predict = function(_, M) return ml.Vector(M.rows, 20) end,
         intervals = function(_, M, options)
            assert.same({ kind = "confidence", level = 0.5 }, options)
            return { low = ml.Vector(M.rows, 19), high = ml.Vector(M.rows, 22) }
         end }
      local band = layers(plot.fit(Mean, cars.wt:reshape(32, 1), y, { level = 0.5 }), "band")[1]
      near(19, band.low[1], 0)
      near(22, band.high[200], 0)
   end)

   it("refuses invalid arguments", function()
      refuses("plot.fit: X must have a single column, the x axis, got 2", function()
         plot.fit(line, cars:select { "wt", "hp" }, y)
      end)
      refuses("plot.fit: y must be given after X", function() plot.fit(line, X) end)
      refuses("plot.fit: models must be an estimator or several by name", function() plot.fit(X, y) end)
      refuses("level must be a number between 0 and 1, got 95", function() plot.fit(line, X, y, { level = 95 }) end)
      refuses("interval must be .*confidence", function() plot.fit(line, X, y, { interval = "mean" }) end)
      refuses("GLM:intervals: kind must be one of confidence, got .prediction", function()
         plot.fit(ml.GLM {}:fit(X, y), X, y, { interval = "prediction" })
      end)
      refuses("model must be a regressor, but GaussianNB is a classifier", function()
         plot.fit(ml.GaussianNB {}:fit(X, cars.am), X, y)
      end)
      refuses("X must be numbers, got labels", function() plot.fit(line, cars:select "model", y) end)
   end)
end)
