local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/cluster/kmeans_family.lua"

local function digits()
   return ml.read_csv "examples/data/digits.csv":drop { "digit" }:matrix()
end

local function unit(X)
   return ml.Normalizer {}:fit_transform(X)
end

describe("SphericalKMeans", function()
   it("finds cosine distances as small as those of k-means on rows of length 1", function()
      local model = ml.SphericalKMeans { n_clusters = 10, n_init = 10, tol = 0 }:fit(digits())
      assert.is_true(model.converged)
      assert.is_true(model.inertia <= oracle.cosine_of_unit_rows * 1.001)
   end)

   it("satisfies the conditions of a minimum", function()
      local X = digits()
      local w = ml.random(X.rows, nil, 2):add(0.5)
      local model = ml.SphericalKMeans { n_clusters = 7, tol = 0 }:fit(X, nil, { weights = w })
      local Z, total = unit(X), 0
      local D = model:transform(X)
      for c = 1, 7 do
         local places = model.labels:eq(c):nonzero()
         local sum = (Z:take(places):t() * w:take(places))
         support.near_all((sum / math.sqrt(sum:dot(sum))):totable(), model.cluster_centers[c], 1e-12, "center", c)
         for _, i in ipairs(places:totable()) do
            assert.near(D[i]:min(), D:get(i, c), 1e-14)
            assert.near(1 - Z[i]:dot(model.cluster_centers[c]), D:get(i, c), 1e-14)
            total = total + w[i] * D:get(i, c)
         end
      end
      support.near(total, model.inertia, 1e-12, "inertia")
      for i = 2, #model.trace do assert.is_true(model.trace[i] <= model.trace[i - 1] * (1 + 1e-12)) end
   end)

   it("ignores the lengths of the rows", function()
      local X = digits():slice(1, 400)
      local lengths = ml.random(400, nil, 1):add(0.1)
      local Y = X:copy()
      for i = 1, 400 do
         for j = 1, X.cols do Y:set(i, j, X:get(i, j) * lengths[i]) end
      end
      local a, b = ml.SphericalKMeans { n_clusters = 5 }:fit(X), ml.SphericalKMeans { n_clusters = 5 }:fit(Y)
      assert(a.labels == b.labels and a:predict(Y) == a.labels)
      assert(ml.SphericalKMeans { n_clusters = 5 }:fit(ml.Sparse.from(X)).labels == a.labels)
   end)

   it("does not let rows of zeros move the centers", function()
      local X = { { 0, 0 }, { 1, 0 }, { 2, 0 }, { 0, 3 } }
      local model = ml.SphericalKMeans { n_clusters = 2, start = { { 5, 0 }, { 0, 0.1 } } }:fit(X)
      support.near_all({ 1, 0 }, model.cluster_centers[1], 1e-15, "center")
      support.near_all({ 1, 1 }, model:transform { { 0, 0 } }[1], 0, "distance")
      assert.near(0.5, model.inertia, 1e-15)
   end)
end)
