local ml = require "manilius"
local support = dofile "spec/support.lua"
local scaling = dofile "spec/fixtures/manifold/scaling.lua"

-- Columns with variance 1, as R's scale.
local function arrests()
   local frame = ml.read_csv "examples/data/usarrests.csv"
   return ml.StandardScaler {}:fit_transform(frame:drop { "state" }):matrix() * math.sqrt(49 / 50)
end

-- Sammon's stress.
local function stress(given, found)
   local sum, total = 0, 0
   for i = 1, given.rows do
      for j = 1, i - 1 do
         if given[i][j] > 0 then
            sum, total = sum + (given[i][j] - found[i][j]) ^ 2 / given[i][j], total + given[i][j]
         end
      end
   end
   return sum / total
end

describe("SammonMapping", function()
   it("reaches the stress and the distances of MASS::sammon", function()
      local X = arrests()
      local model = ml.SammonMapping { tol = 1e-14, max_iter = 20000 }:fit(X)
      support.near(scaling.sammon.stress, model.stress, 1e-9, "stress")
      support.near_rows(ml.pairwise_distances(scaling.sammon.points), ml.pairwise_distances(model.embedding), 1e-4,
         "distances", 1)
      support.near(stress(ml.pairwise_distances(X), ml.pairwise_distances(model.embedding)), model.stress, 1e-10)
   end)

   it("never increases the stress, which has no slope at the end", function()
      local model = ml.SammonMapping { init = "random", n_init = 1, seed = 2, tol = 1e-13, max_iter = 20000 }
      model:fit(arrests())
      local trace = model.trace
      for i = 2, #trace do assert(trace[i] <= trace[i - 1] * (1 + 1e-12)) end
      local given, Z = ml.pairwise_distances(arrests()), model.embedding:copy()
      local least = stress(given, ml.pairwise_distances(Z))
      for _, by in ipairs { 1e-3, -1e-3 } do
         Z:set(7, 1, model.embedding:get(7, 1) + by)
         assert(stress(given, ml.pairwise_distances(Z)) > least)
      end
   end)

   it("puts rows at distance 0 in one place, each with its weight", function()
      local X = arrests():slice(1, 20)
      local places = { 3, 3, 8 }
      for i = 1, 20 do places[#places + 1] = i end
      local twice = X:take(places)
      local model = ml.SammonMapping { tol = 1e-12, max_iter = 5000 }:fit(twice)
      assert.same(model.embedding[1]:totable(), model.embedding[2]:totable())
      assert.same(model.embedding[1]:totable(), model.embedding[6]:totable())
      support.near(stress(ml.pairwise_distances(twice), ml.pairwise_distances(model.embedding)), model.stress, 1e-10)
      assert.equal(0, ml.SammonMapping {}:fit({ { 1, 2 }, { 1, 2 } }).stress)
   end)

   it("leaves training rows in place, and puts new rows where the stress is least", function()
      local X = arrests()
      local model = ml.SammonMapping { tol = 1e-13, max_iter = 20000 }:fit(X:slice(1, 49))
      support.near_rows(model.embedding, model:transform(X:slice(1, 49)), 1e-9, "coordinates", 1)
      support.near_rows(model.embedding, model:fit_transform(X:slice(1, 49)), 1e-12, "coordinates", 1)
      local given = ml.pairwise_distances(X:slice(50, 50), X:slice(1, 49))[1]
      local z = model:transform(X:slice(50, 50))[1]
      local function own(a, b)
         local sum = 0
         for j = 1, 49 do
            local at = model.embedding[j]
            sum = sum + (given[j] - math.sqrt((a - at[1]) ^ 2 + (b - at[2]) ^ 2)) ^ 2 / given[j]
         end
         return sum
      end
      for _, by in ipairs { { 1e-3, 0 }, { -1e-3, 0 }, { 0, 1e-3 }, { 0, -1e-3 } } do
         assert(own(z[1] + by[1], z[2] + by[2]) > own(z[1], z[2]))
      end
   end)

   it("refuses distances that overflow", function()
      local model = ml.SammonMapping {}
      support.refuses("the distance of rows 1 and 2 overflows; scale the columns", model.fit, model,
         { { 1e300, 0 }, { -1e300, 0 }, { 0, 1 } })
   end)

   it("gives the same for any number of threads", function()
      support.same_for_any_threads(function() return ml.SammonMapping {}:fit(arrests()) end)
   end)
end)
