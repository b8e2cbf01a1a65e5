local core = require "manilius.core"
local ml = require "manilius"
local support = require "spec.support"
local refuses = support.refuses

local function layer_of(figure, kind)
   for _, layer in ipairs(figure.panels[1].layers) do
      if layer.kind == kind then return layer end
   end
end

describe("plot.shepard", function()
   local X = core.normal(30, 4, 1)

   it("draws the distances of all pairs and the line of equal distances", function()
      local model = ml.MDS {}:fit(X)
      local figure = ml.plot.shepard(model, X)
      local drawn = layer_of(figure, "points")
      assert.equal(435, #drawn.x)
      support.near(ml.pairwise_distances(X)[2][1], drawn.x[1], 1e-12)
      support.near(ml.pairwise_distances(model.embedding)[2][1], drawn.y[1], 1e-12)
      assert.matches("Stress 0%.%d+; correlation 0%.%d+", figure.caption)
      assert.equal(2, #layer_of(figure, "line").x)
      assert.is_true(#figure:svg() > 1000)
   end)

   it("draws the monotone function of non-metric scaling", function()
      local model = ml.MDS { metric_mds = false, metric = "manhattan" }:fit(X)
      local figure = ml.plot.shepard(model, X)
      assert.equal(#model.x_thresholds, #layer_of(figure, "line").x)
      support.near(ml.pairwise_distances(X, X, { metric = "manhattan" })[2][1], layer_of(figure, "points").x[1], 1e-12)
   end)

   it("takes geodesic distances, matrices, precomputed distances and samples of rows", function()
      local isomap = ml.Isomap { n_neighbors = 8 }:fit(X)
      support.near(isomap:geodesic_distances()[2][1], layer_of(ml.plot.shepard(isomap, X), "points").x[1], 1e-12)
      local D = ml.pairwise_distances(X)
      local figure = ml.plot.shepard(X:slice(1, 30, 1, 2), D, { metric = "precomputed", rows = 10 })
      assert.equal(45, #layer_of(figure, "points").x)
      assert.matches("10 of 30 rows", figure.caption)
      assert(layer_of(ml.plot.shepard(isomap, X, { density = true }), "heat"))
   end)

   it("leaves its caption to itself", function()
      local options = { size = 1 }
      ml.plot.shepard(X, X, options)
      assert.same({ size = 1 }, options)
      ml.plot.shepard(X, X)
      assert.is_nil(ml.plot.embedding(X).caption)
      assert.equal("mine", ml.plot.shepard(X, X, { caption = "mine" }).caption)
   end)

   it("refuses what has no embedding, or other rows", function()
      refuses("must be fitted and keep an embedding", ml.plot.shepard, ml.PCA {}:fit(X), X)
      refuses("embedding and X must have the same length, got 30 and 2", ml.plot.shepard, X, { { 1 }, { 2 } })
      refuses("X must be given", ml.plot.shepard, X)
   end)
end)
