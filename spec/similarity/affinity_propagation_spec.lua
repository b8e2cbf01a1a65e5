local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/similarity/similarity.lua"

local function iris() return support.data("iris", "species"):matrix() end

describe("AffinityPropagation", function()
   it("finds the exemplars and labels of scikit-learn", function()
      local settings = { affinity = {}, affinity_few = { preference = -50 },
         affinity_damped = { preference = -10, damping = 0.8 } }
      for name, one in pairs(settings) do
         local model = ml.AffinityPropagation(one):fit(iris())
         support.near_all(oracle[name].exemplars, model.exemplars, 0, name)
         support.near_all(oracle[name].labels, model.labels, 0, name)
         assert.is_true(model.converged)
         assert.is_true(model:predict(iris()) == model.labels)
      end
   end)

   it("takes similarities, and a preference for each row", function()
      local X = iris()
      local S, preference = -ml.pairwise_distances(X):square(), {}
      for i = 1, 150 do preference[i] = -50 end
      local model = ml.AffinityPropagation { affinity = "precomputed", preference = preference }:fit(S)
      support.near_all(oracle.affinity_few.labels, model.labels, 0, "labels")
      support.refuses("affinity = 'euclidean'", function() model:predict(S) end)
      support.refuses("preference must be a number or 150 numbers, one for each row, got 2", function()
         ml.AffinityPropagation { preference = { -1, -2 } }:fit(X)
      end)
      support.refuses("X must be a square matrix of similarities, got 150 x 4", function()
         ml.AffinityPropagation { affinity = "precomputed" }:fit(X)
      end)
   end)

   it("handles one row, equal rows, and pairs at equal distances", function()
      assert.same({ 1 }, ml.AffinityPropagation {}:fit({ { 3 } }).labels:totable())
      assert.same({ 5 }, ml.AffinityPropagation {}:fit(ml.full(5, 2, 7)).counts:totable())
      assert.same({ 1, 2 }, ml.AffinityPropagation { preference = 0 }:fit({ { 0 }, { 1 } }).labels:totable())
      assert.same({ 1, 1 }, ml.AffinityPropagation { preference = -2 }:fit({ { 0 }, { 1 } }).labels:totable())
   end)

   it("warns, and keeps the best candidates, if the exemplars still change", function()
      local model = ml.AffinityPropagation { max_iter = 3 }:fit(iris())
      assert.is_false(model.converged)
      assert.equal(150, model.counts:sum())
   end)
end)
