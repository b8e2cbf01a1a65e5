local ml = require "manilius"
local support = require "spec.support"

describe("plot.mixture", function()
   it("draws two ellipses for each component over the rows", function()
      local X = ml.read_csv "examples/data/faithful.csv"
      local model = ml.GaussianMixture { n_components = 2, noise = 0.05 }:fit(X)
      local fig = ml.plot.mixture(model, X)
      local lines, points = {}, 0
      for _, layer in ipairs(fig.panels[1].layers) do
         if layer.kind == "line" then lines[#lines + 1] = layer end
         if layer.kind == "points" then points = points + #layer.x end
      end
      assert.equal(4, #lines)
      assert.equal(272, points)
      -- Points of the ellipse of 90% have the squared Mahalanobis distance -2 log(0.1).
      local mean, s = model.means[1], model:covariance { component = 1 }
      local a, b = lines[2].x[17] - mean[1], lines[2].y[17] - mean[2]
      local det = s:get(1, 1) * s:get(2, 2) - s:get(1, 2) ^ 2
      support.near(-2 * math.log(0.1),
         (s:get(2, 2) * a ^ 2 - 2 * s:get(1, 2) * a * b + s:get(1, 1) * b ^ 2) / det, 1e-9)
      assert.is_true(#fig:svg() > 1000)
   end)

   it("refuses other models and single columns", function()
      local X = { { 1, 2 }, { 3, 4 }, { 2, 2 } }
      support.refuses("model must be a fitted Gaussian mixture, got .*; for others see plot",
         ml.plot.mixture, ml.PCA {}:fit(X), X)
      support.refuses("X must have at least two columns", ml.plot.mixture, ml.GaussianMixture {}:fit { { 1 }, { 2 } },
         { { 1 }, { 2 } })
   end)
end)
