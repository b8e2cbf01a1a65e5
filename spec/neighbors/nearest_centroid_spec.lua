local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/neighbors/nearest_centroid.lua"

-- Means (1, 0) and (9, 4), medians (1, 0) and (9, 3); the second feature is constant in the first class.
local X = { { 0, 0 }, { 1, 0 }, { 2, 0 }, { 8, 2 }, { 9, 3 }, { 10, 7 } }
local y = { "near", "near", "near", "far", "far", "far" }

describe("NearestCentroid", function()
   for _, case in ipairs(oracle.cases) do
      local name = ("%s, shrink_threshold %s, %s"):format(case.metric, case.shrink_threshold or "nil",
         case.weighted and "weighted" or "unweighted")
      it("agrees with scikit-learn on wine: " .. name, function()
         local data, class = support.data("wine", "class")
         local weights = {}
         for i = 1, #class do weights[i] = 1 + (i - 1) % 3 end
         local model = ml.NearestCentroid { metric = case.metric, shrink_threshold = case.shrink_threshold }
         model:fit(data, class, { weights = case.weighted and weights or nil })
         support.near_rows(case.centroids, model.centroids, 1e-12, "centroid")
         support.near_rows(case.deviations, model.deviations, 1e-10, "deviation", 1)
         support.near_all(case.spread, model.within_class_std_dev, 1e-12, "spread")
         support.near_rows(case.distances, model:decision_function(data:take { 1, 71, 151 }) * -1, 1e-12, "distance")
         support.near(case.score, model:score(data, class), 1e-15, "accuracy")
      end)
   end

   it("has class means or medians as centroids, in the order of the labels", function()
      local mean, median = ml.NearestCentroid {}:fit(X, y), ml.NearestCentroid { metric = "manhattan" }:fit(X, y)
      support.near_rows({ { 9, 4 }, { 1, 0 } }, mean.centroids, 1e-15)
      support.near_rows({ { 9, 3 }, { 1, 0 } }, median.centroids, 1e-15)
   end)

   it("decides between two classes by the difference of distances", function()
      local model = ml.NearestCentroid { metric = "manhattan" }:fit(X, y)
      assert.equal((9 - 4 + 3 - 1) - (4 - 1 + 1), model:decision_function({ { 4, 1 } })[1])
      assert.equal("near", model:predict({ { 4, 1 } })[1])
      assert.equal("far", model:predict({ { 5, 1.5 } })[1]) -- a tie: the first label
   end)

   it("shrinks all centroids to the overall mean for a large threshold, and ignores constant features", function()
      local model = ml.NearestCentroid { shrink_threshold = 1e6 }:fit(X, y)
      support.near_rows({ { 5, 2 }, { 5, 2 } }, model.centroids, 1e-15)
      assert.equal(0, model.deviations:abs():max())
      local still = ml.NearestCentroid { shrink_threshold = 1e6 }:fit({ { 1 }, { 1 }, { 4 }, { 4 } }, { 1, 1, 2, 2 })
      support.near_rows({ { 1 }, { 4 } }, still.centroids, 1e-15)
      assert.equal(-math.huge, still.deviations[1][1])
      assert.equal(2, still:predict({ { 3 } })[1])
   end)

   it("requires more rows than classes only for shrinkage", function()
      local rows, labels = { { 1, 2 }, { 3, 4 } }, { 0, 1 }
      assert.equal(0, #ml.NearestCentroid {}:fit(rows, labels).deviations)
      support.refuses("NearestCentroid: shrink_threshold requires more rows than the 2 classes, got 2", function()
         ml.NearestCentroid { shrink_threshold = 1 }:fit(rows, labels)
      end)
      ml.NearestCentroid { shrink_threshold = 1 }:fit(rows, labels, { weights = { 2, 1 } })
   end)

   it("refuses invalid metrics and thresholds", function()
      support.refuses("NearestCentroid: metric must be one of euclidean, manhattan, got 'cosine'", function()
         ml.NearestCentroid { metric = "cosine" }
      end)
      support.refuses("NearestCentroid: shrink_threshold must be > 0, got 0", function()
         ml.NearestCentroid { shrink_threshold = 0 }
      end)
   end)
end)
