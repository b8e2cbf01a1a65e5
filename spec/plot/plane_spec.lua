--- Plots in the plane of two features: margins of a classifier, and learned densities.
local ml = require "manilius"
local common = require "spec.plot.common"

local plot, refuses, layers = ml.plot, common.refuses, common.layers

describe("the margins of plot.decision", function()
   local cancer = ml.read_csv "examples/data/breast_cancer.csv"
   local X, y = cancer:select("mean_radius", "mean_texture"), cancer.diagnosis
   local model = ml.LogisticRegression {}:fit(X, y)

   it("are the lines where the decision function is -1, 0 and 1", function()
      local lines = layers(plot.decision(model, X, y, { margins = true, resolution = 20 }), "contour")
      assert.same({ 0 }, lines[1].levels)
      assert.same({ -1, 1 }, lines[2].levels)
   end)

   it("are drawn by default only for models with support vectors", function()
      assert.equal(0, #layers(plot.decision(model, X, y, { resolution = 5 }), "contour"))
   end)

   it("need two classes and a decision function", function()
      refuses("margins must be false for GaussianNB", function()
         plot.decision(ml.GaussianNB {}:fit(X, y), X, y, { margins = true })
      end)
   end)
end)

describe("plot.model_density", function()
   local faithful = ml.read_csv "examples/data/faithful.csv"

   it("draws the density along one feature", function()
      local X = faithful:select "eruptions"
      local fig = plot.model_density(ml.PCA {}:fit(X), X)
      local line = layers(fig, "line")[1]
      local area = 0 -- the trapezoidal rule
      for i = 2, #line.x do area = area + (line.x[i] - line.x[i - 1]) * (line.y[i] + line.y[i - 1]) / 2 end
      assert.near(1, area, 0.05) -- the curve ends 15% beyond the data
   end)

   it("encloses the stated fractions of the rows by its contours", function()
      local model = ml.PCA {}:fit(faithful)
      local levels = layers(plot.model_density(model, faithful, { resolution = 10 }), "contour")[1].levels
      local scores = model:score_samples(faithful)
      for i, fraction in ipairs { 0.95, 0.75, 0.5, 0.25 } do
         assert.near(fraction, scores:ge(levels[i]):mean(), 1 / #scores)
      end
   end)

   it("fixes the other features", function()
      local iris = ml.read_csv("examples/data/iris.csv"):split "species"
      local fig = plot.model_density(ml.PCA {}:fit(iris), iris, { features = { 3, 4 }, resolution = 5,
         others = "median" })
      assert.matches("other features at their median", fig.caption)
   end)

   it("refuses models without score_samples", function()
      refuses("model must have score_samples", function()
         plot.model_density(ml.Ridge {}:fit({ { 1 }, { 2 } }, { 1, 2 }), { { 1 }, { 2 } })
      end)
   end)
end)
