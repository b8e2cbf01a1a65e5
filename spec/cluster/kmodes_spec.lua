local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/cluster/categories.lua"

local function passengers()
   local data, columns = ml.read_csv "examples/data/titanic.csv", {}
   for j, name in ipairs { "survived", "pclass", "sex", "sibsp", "parch", "embarked" } do
      local list = {}
      for i = 1, data.rows do list[i] = tostring(data[name][i]) end
      columns[j] = { name, ml.Factor(list) }
   end
   return ml.Frame(columns)
end

local function birds()
   local data = ml.read_csv "examples/data/penguins.csv":dropna()
   local columns = {}
   for j, name in ipairs { "bill_length_mm", "bill_depth_mm", "flipper_length_mm", "species", "island", "sex" } do
      local values = data[name]
      columns[j] = { name, j <= 3 and (values - values:mean()) / values:std(0) or values }
   end
   return ml.Frame(columns)
end

-- The number of columns in which two rows of a Frame differ.
local function count_differences(frame, i, k)
   local count = 0
   for _, name in ipairs(frame.names) do count = count + (frame[name][i] ~= frame[name][k] and 1 or 0) end
   return count
end

describe("KModes", function()
   it("agrees with the package kmodes from the start of Cao", function()
      local data = passengers()
      for _, k in ipairs { 2, 4, 8 } do
         local model = ml.KModes { n_clusters = k }:fit(data)
         assert.equal(oracle.modes["k" .. k].cao, model.inertia)
         local best = ml.KModes { n_clusters = k, init = "k-means++", n_init = 20 }:fit(data).inertia
         assert.is_true(best <= 1.01 * oracle.modes["k" .. k].best)
      end
   end)

   it("counts the columns that differ", function()
      local data = ml.Frame { { "a", { "x", "x", "y" } }, { "b", { "u", "v", "v" } } }
      local model = ml.KModes { n_clusters = 3, init = "random" }:fit(data)
      local D = model:transform(data):matrix()
      for i = 1, 3 do
         for k = 1, 3 do assert.equal(count_differences(data, i, k), D:get(i, model.labels[k])) end
      end
      local new = ml.Frame { { "a", { "x", "z" } }, { "b", { "w", "u" } } }
      support.near_all({ 1, 1, 2 }, model:transform(new):matrix()[1]:sort(), 0, "unseen category", 1)
      assert.equal(model.labels[1], model:predict(new)[2])
   end)

   it("shows the modes with their labels", function()
      local data = ml.Frame { { "color", { "red", "red", "blue" } }, { "n", { 7, 7, 9 } } }
      local text = tostring(ml.KModes { n_clusters = 2 }:fit(data):summary())
      assert.matches("cluster +rows  color  n\n +1 +2  red    7\n +2 +1  blue   9", text)
   end)

   it("satisfies the conditions of a minimum", function()
      local data, w = passengers(), ml.random(1309, nil, 1):add(0.2)
      local model = ml.KModes { n_clusters = 5, init = "k-means++", seed = 2 }:fit(data, nil, { weights = w })
      local D, total = model:transform(data):matrix(), 0
      for i = 1, data.rows do
         assert.equal(D[i]:min(), D:get(i, model.labels[i]))
         total = total + w[i] * D:get(i, model.labels[i])
      end
      support.near(total, model.inertia, 1e-12, "inertia")
      for c = 1, 5 do
         local sums, sex = {}, data.sex
         for _, i in ipairs(model.labels:eq(c):nonzero():totable()) do sums[sex[i]] = (sums[sex[i]] or 0) + w[i] end
         local mode = sex.levels[math.tointeger(model.cluster_centers:get(c, 3))]
         for _, sum in pairs(sums) do assert.is_true(sums[mode] >= sum) end
      end
      for i = 2, #model.trace do assert.is_true(model.trace[i] <= model.trace[i - 1]) end
   end)

   it("handles identical rows and refuses too many clusters", function()
      assert.equal(0.0, ml.KModes { n_clusters = 3 }:fit(ml.full(5, 2, 4)).inertia)
      support.refuses("KModes: n_clusters must be at most the number of rows, 2, got 8", function()
         ml.KModes {}:fit { { 1 }, { 2 } }
      end)
      support.refuses("X must be finite, got nan in row 2, column 1", function()
         ml.KModes { n_clusters = 1 }:fit { { 1 }, { 0 / 0 } }
      end)
   end)

   it("does not depend on the number of threads", function()
      local data = passengers()
      support.same_for_any_threads(function() return ml.KModes { n_clusters = 6 }:fit(data) end)
   end)
end)

describe("KPrototypes", function()
   it("agrees with the package kmodes", function()
      local data = birds()
      for _, k in ipairs { 2, 3, 5 } do
         local model = ml.KPrototypes { n_clusters = k }:fit(data)
         support.near(oracle.prototypes["k" .. k].gamma, model.mismatch_cost, 1e-12, "gamma")
         support.near(oracle.prototypes["k" .. k].cost, model.inertia, 1e-9, "inertia")
      end
      local species = ml.KPrototypes { n_clusters = 3 }:fit(data)
      assert.is_true(ml.metrics.ari(data.species, species.labels) > 0.9)
   end)

   it("is k-means of numbers and k-modes of categories", function()
      local X = ml.normal(200, 3, 1)
      local start = { n_clusters = 4, n_init = 20 }
      local means = ml.KMeans { n_clusters = 4, n_init = 20, tol = 0 }:fit(X)
      support.near(means.inertia, ml.KPrototypes(start):fit(X).inertia, 0.01, "numbers")
      local data = passengers()
      local modes = ml.KModes { n_clusters = 4, init = "k-means++", n_init = 20 }:fit(data).inertia
      assert.equal(modes, ml.KPrototypes { n_clusters = 4, n_init = 20, gamma = 1 }:fit(data).inertia)
      local grid = (X * 1.5):round()
      local both = ml.KPrototypes { n_clusters = 4, gamma = 1, categorical = { 1, 2, 3 } }:fit(grid)
      assert.equal(ml.KModes { n_clusters = 4, init = "k-means++", n_init = 10 }:fit(grid).inertia, both.inertia)
   end)

   it("adds squares of numbers and a cost for each category", function()
      local data = ml.Frame { { "n", { 0, 1, 10 } }, { "c", { "a", "b", "b" } } }
      local model = ml.KPrototypes { n_clusters = 1, gamma = 3 }:fit(data)
      local mean = 11 / 3
      local D = model:transform(data):matrix()
      support.near_all({ mean ^ 2 + 3, (1 - mean) ^ 2, (10 - mean) ^ 2 }, D:col(1), 1e-13, "distance")
      assert.near(mean, model.cluster_centers:get(1, 1), 1e-15)
      assert.matches("cluster +rows  n       c\n +1 +3  3.6667  b", tostring(model:summary()))
   end)

   it("does not depend on the number of threads", function()
      local data = birds()
      support.same_for_any_threads(function() return ml.KPrototypes { n_clusters = 6, n_init = 2 }:fit(data) end)
   end)
end)
