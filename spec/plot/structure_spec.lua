--- Plots of principal components and clusters.
local ml = require "manilius"
local common = require "spec.plot.common"

local plot, metrics = ml.plot, ml.metrics
local near, near_all, refuses, layers = common.near, common.near_all, common.refuses, common.layers

local arrests = ml.read_csv "examples/data/usarrests.csv":select { "murder", "assault", "urbanpop", "rape" }
local Xi, yi = common.data("iris", "species")

describe("plot.pca", function()
   local model = ml.Pipeline { ml.StandardScaler {}, ml.PCA {} }:fit(arrests)
   local scores = model:transform(arrests):matrix()

   it("draws scores and loadings on two components", function()
      local fig = plot.pca(model, arrests)
      local points, arrows = layers(fig, "points")[1], layers(fig, "segments")[1]
      local names = layers(fig, "text")[1].text
      near_all(scores:col(1), points.x, 1e-14, "x", 1)
      near_all(scores:col(2), points.y, 1e-14, "y", 1)
      local factor
      for k, name in ipairs(names) do
         local j = ({ murder = 1, assault = 2, urbanpop = 3, rape = 4 })[name]
         local load = model.models[2].components
         factor = factor or arrows.x2[k] / load:get(1, j)
         near(factor * load:get(1, j), arrows.x2[k], 1e-12)
         near(factor * load:get(2, j), arrows.y2[k], 1e-12)
         assert.is_true(math.abs(arrows.x2[k]) <= scores:col(1):copy():abs():max())
         assert.is_true(math.abs(arrows.y2[k]) <= scores:col(2):copy():abs():max())
      end
      assert.equal(4, #names)
      assert.equal(("component 1 (%.1f%% of variance)"):format(100 * model.models[2].explained_variance_ratio[1]),
         fig.panels[1].x)
   end)

   it("fits standardized columns if only data are given", function()
      near_all(scores:col(1), layers(plot.pca(arrests), "points")[1].x, 1e-14, "x", 1)
      local third = plot.pca(arrests:matrix(), { components = { 3, 1 } })
      near_all(scores:col(3), layers(third, "points")[1].x, 1e-12, "x", 1)
      assert.matches("^Columns standardized", plot.pca(arrests).caption)
   end)

   it("colors rows by label, and draws only the longest arrows", function()
      for _, fig in ipairs { plot.pca(Xi, { labels = yi, arrows = 2 }), plot.pca(Xi, yi, { arrows = 2 }) } do
         local points = layers(fig, "points")
         assert.same({ "setosa", "versicolor", "virginica" }, { points[1].name, points[2].name, points[3].name })
         assert.equal(50, #points[2].x)
         assert.equal(2, #layers(fig, "segments")[1].x1)
         assert.equal(2, #layers(fig, "text")[1].text)
         assert.matches("the 2 longest of 4", fig.caption)
      end
      assert.equal(0, #layers(plot.pca(Xi, { arrows = 0 }), "segments"))
   end)

   it("moves the names of arrows with nearly the same direction apart", function()
      local base = ml.normal(60, 1, 1)
      local X = ml.hcat(base, base, base, base, base, base) + ml.normal(60, 6, 2) * 0.01
      local fig = plot.pca(ml.PCA { n_components = 2 }:fit(X), X)
      local names, drawn = layers(fig, "text")[1], layers(fig, "points")[1]
      local x, y = ml.Vector(drawn.x), ml.Vector(drawn.y)
      local per_x, per_y = 530 / (x:max() - x:min()), 350 / (y:max() - y:min()) -- pixels, about
      assert.equal(6, #names.text)
      for i = 1, 6 do
         for j = 1, i - 1 do
            local dx, dy = (names.x[i] - names.x[j]) * per_x, (names.y[i] - names.y[j]) * per_y
            assert.is_true(math.abs(dx) > 10 or math.abs(dy) > 10, names.text[i] .. " covers " .. names.text[j])
         end
      end
   end)

   it("refuses invalid arguments", function()
      refuses("_spec%.lua:%d+: plot%.pca: model must have at least two components, got 1", function()
         plot.pca(ml.PCA { n_components = 1 }:fit(arrests), arrests)
      end)
      refuses("components must be two numbers from 1 to 4, got 5", function()
         plot.pca(model, arrests, { components = { 1, 5 } })
      end)
      refuses("model must be a fitted model with components, such as PCA, got KMeans", function()
         plot.pca(ml.KMeans { n_clusters = 2 }:fit(arrests), arrests)
      end)
      refuses("X must be given", function() plot.pca(model) end)
      refuses("X and labels must have the same length", function() plot.pca(Xi, { labels = { 1, 2 } }) end)
   end)
end)

describe("plot.scree", function()
   it("draws individual and cumulative explained variance", function()
      local model = ml.PCA {}:fit(arrests)
      local fig = plot.scree(model)
      near_all(model.explained_variance_ratio, layers(fig, "bars")[1].y, 0)
      near(1, layers(fig, "line")[1].y[4], 1e-12)
      assert.equal("1 component explains 90% of the variance.", fig.caption)
      assert.matches("^3 components explain 95%%", plot.scree(arrests, { share = 0.95 }).caption)
      assert.equal(2, #layers(plot.scree(arrests, { top = 2 }), "bars")[1].y)
      assert.equal(1, #layers(plot.scree(ml.PCA { n_components = 1 }:fit(arrests)), "bars")[1].y)
      refuses("share must be a number from 0 to 1", function() plot.scree(arrests, { share = 2 }) end)
   end)
end)

describe("plot.elbow", function()
   it("draws the inertia of a fit for every number of clusters", function()
      local fig = plot.elbow(Xi, { k = { 4, 2, 3 }, seed = 5 })
      local line = layers(fig, "line")[1]
      assert.same({ 2, 3, 4 }, line.x)
      for i, k in ipairs(line.x) do
         near(ml.KMeans { n_clusters = k, n_init = 4, seed = 5 }:fit(Xi).inertia, line.y[i], 1e-12)
      end
      local pipe = ml.Pipeline { ml.StandardScaler {}, ml.KMeans { seed = 2 } }
      local wanted = ml.KMeans { n_clusters = 2, seed = 2 }:fit(ml.StandardScaler {}:fit_transform(Xi)).inertia
      near(wanted, layers(plot.elbow(pipe, Xi, { k = { 1, 2 } }), "line")[1].y[2], 1e-12)
   end)

   it("marks the elbow if there is one", function()
      local fig = plot.elbow { 100, 20, 15, 11, 8 }
      assert.equal("Elbow at 2 clusters.", fig.caption)
      assert.equal(2, layers(fig, "rule")[1].at_x)
      assert.is_nil(plot.elbow({ 7 }, { k = { 3 } }).caption)
      assert.is_nil(plot.elbow { 3, 2, 1 }.caption)
   end)

   it("refuses invalid numbers of clusters", function()
      refuses("plot%.elbow: k must hold whole numbers from 1 to 150, got 151",
         function() plot.elbow(Xi, { k = { 151 } }) end)
      refuses("k must have 2 numbers, one for each inertia, got 1", function() plot.elbow({ 2, 1 }, { k = { 1 } }) end)
      refuses("model must have the parameter n_clusters, but Ridge", function() plot.elbow(ml.Ridge {}, Xi) end)
   end)
end)

describe("plot.silhouette", function()
   local means = ml.KMeans { n_clusters = 3, seed = 1, n_init = 3 }:fit(Xi)
   local labels = means:predict(Xi)
   local samples = metrics.silhouette_samples(Xi, labels)

   it("draws the silhouette of every row, sorted within its cluster, and the mean", function()
      local fig = plot.silhouette(means, Xi)
      near(metrics.silhouette(Xi, labels), layers(fig, "rule")[1].at_y, 1e-12)
      for c, band in ipairs(layers(fig, "band")) do
         local wanted = samples:take(labels:eq(c):nonzero()):sort "descending"
         assert.equal(2 * #wanted, #band.x)
         for i = 1, #wanted do near(wanted[i], band.high[2 * i] + band.low[2 * i], 1e-12) end
      end
      assert.same(fig.panels[1].x_ticks, plot.silhouette(Xi, labels).panels[1].x_ticks)
   end)

   it("uses the features seen by the clustering", function()
      local pipe = ml.Pipeline { ml.StandardScaler {}, ml.KMeans { n_clusters = 2, seed = 1 } }:fit(Xi)
      near(metrics.silhouette(ml.StandardScaler {}:fit_transform(Xi), pipe:predict(Xi)),
         layers(plot.silhouette(pipe, Xi), "rule")[1].at_y, 1e-12)
   end)

   it("thins large clusters, and refuses a single cluster", function()
      local rng = require "manilius.core".rng(1)
      local X, two = {}, {}
      for i = 1, 3000 do X[i], two[i] = { rng:normal() + (i % 2) * 9 }, i % 2 end
      local band = layers(plot.silhouette(X, two), "band")[1]
      assert.is_true(#band.x <= 1202 and #band.x >= 1000)
      assert.matches("over 3000 rows;", plot.silhouette(X, two).caption)
      local drawn = plot.silhouette(X, two, { sample = 500, seed = 3 })
      assert.matches("over 500 rows sampled from 3000;", drawn.caption)
      assert.near(metrics.silhouette(X, two), layers(drawn, "rule")[1].at_y, 0.02)
      refuses("plot%.silhouette: labels must have at least two clusters, got 1", function()
         plot.silhouette(ml.KMeans { n_clusters = 1 }:fit(Xi), Xi)
      end)
      refuses("model must be a clustering, but GaussianNB is a classifier", function()
         plot.silhouette(ml.GaussianNB {}:fit(Xi, yi), Xi)
      end)
   end)
end)
