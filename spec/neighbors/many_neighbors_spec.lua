local ml = require "manilius"

-- The distances and indexes that all exact searches give, by brute force and by trees, to the bit.
local function agree(X, options, k, what)
   local want
   for _, algorithm in ipairs { "brute", "kd_tree", "ball_tree" } do
      options.algorithm = algorithm
      local model = ml.NearestNeighbors(options):fit(X)
      local got = { model:kneighbors(X, { n_neighbors = k }), model:kneighbors(nil, { n_neighbors = k }) }
      want = want or got
      for i = 1, 2 do
         assert(want[i].indexes == got[i].indexes, what .. " " .. algorithm .. ": other neighbors")
         assert(want[i].distances == got[i].distances, what .. " " .. algorithm .. ": other distances")
      end
   end
end

-- From 64 neighbors on, trees select them from a pool instead of keeping a heap.
describe("many neighbors", function()
   it("are the same by tree, ball tree and brute force, with ties and at any scale", function()
      local X = ml.normal(320, 3, 1)
      local cases = { apart = X, tied = X:round(), offset = X + 1e8, equal = ml.zeros(320, 3), tiny = X * 1e-155,
         huge = X * 1e152 }
      for what, points in pairs(cases) do
         for _, k in ipairs { 64, 319 } do agree(points, { leaf_size = 10 }, k, what .. " " .. k) end
      end
   end)

   it("are the same for every metric", function()
      local X = ml.normal(320, 3, 1):round() + 0.5
      for _, metric in ipairs { "manhattan", "chebyshev", "minkowski", "cosine", "hamming", "mahalanobis" } do
         agree(X, { metric = metric, p = 3, leaf_size = 10 }, 100, metric)
      end
   end)

   it("are sorted, nearest first, and then by index", function()
      local found = ml.NearestNeighbors { n_neighbors = 300, algorithm = "kd_tree" }:fit(ml.normal(1000, 2, 1):round())
          :kneighbors()
      for i = 1, 1000, 37 do
         for j = 2, 300 do
            local before, here = found.distances[i][j - 1], found.distances[i][j]
            assert(before < here or before == here and found.indexes[i][j - 1] < found.indexes[i][j])
         end
      end
   end)
end)
