local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/cluster/choose_k.lua"

local iris = ml.read_csv "examples/data/iris.csv":drop { "species" }

local function blobs(k, n, apart, seed)
   local angles = ml.range(0, k - 1) * (2 * math.pi / k)
   local centers = {}
   for c = 1, k do centers[c] = { apart * math.cos(angles[c]), apart * math.sin(angles[c]) } end
   return ml.Matrix(centers):take((ml.range(0, n - 1) * (k / n)):floor():add(1)) * 1 + ml.normal(n, 2, seed)
end

describe("choose_k", function()
   it("measures as scikit-learn does", function()
      local choice = ml.choose_k(ml.KMeans { n_init = 20, tol = 0 }, iris, { k = { 2, 5 } })
      for name, values in pairs(oracle) do support.near_all(values, choice.table[name], 1e-9, name) end
      assert.same({ 2, 3, 4, 5 }, choice.counts)
      assert.equal(2, choice.best.silhouette)
      assert.equal(3, choice.best.calinski_harabasz)
      assert.equal(2, choice.best.davies_bouldin)
      assert.matches("KMeans: %d clusters by most criteria.-\nclusters +elbow +silhouette", tostring(choice))
   end)

   it("finds the number of distant groups by every criterion", function()
      local X = blobs(4, 240, 9, 1)
      local all = { "elbow", "gap", "silhouette", "calinski_harabasz", "davies_bouldin", "stability" }
      local choice = ml.choose_k(ml.KMeans { n_init = 4 }, X, { k = { 1, 7 }, criteria = all, references = 5,
         pairs = 4 })
      for _, name in ipairs(all) do assert.equal(4, choice.best[name], name) end
      assert.equal(4, choice.k)
      assert.equal(6, choice.votes[4])
      for _, model in ipairs { ml.KMedoids {}, ml.AgglomerativeClustering {}, ml.BisectingKMeans { n_init = 4 },
         ml.Pipeline { ml.StandardScaler {}, ml.KMeans { n_init = 4 } } } do
         local found = ml.choose_k(model, X, { k = { 2, 6 }, criteria = { "silhouette", "stability" }, pairs = 3 })
         assert.equal(4, found.best.silhouette)
         assert.is_true(found.table.stability[3] > 0.95)
      end
   end)

   it("finds no clusters in uniform data by the gap statistic", function()
      local choice = ml.choose_k(ml.KMeans { n_init = 4 }, ml.random(200, 2, 3), { k = { 1, 5 }, criteria = "gap" })
      assert.equal(1, choice.k)
      local unit = ml.choose_k(ml.KMeans { n_init = 4 }, ml.random(200, 2, 3), { k = { 1, 5 }, criteria = "gap",
         reference = "uniform" })
      assert.equal(1, unit.k)
   end)

   it("computes gaps from sums of squares", function()
      local X = blobs(2, 60, 5, 2)
      local choice = ml.choose_k(ml.KMeans { n_init = 4, tol = 0 }, X, { k = { 1, 3 }, criteria = { "gap", "elbow" },
         reference = "uniform", references = 6, seed = 4 })
      local expected, logs = {}, {}
      for b = 1, 6 do
         local U = ml.random(60, 2, 4 + b)
         for j = 1, 2 do
            local low, high = X:col(j):min(), X:col(j):max()
            for i = 1, 60 do U:set(i, j, low + (high - low) * U:get(i, j)) end
         end
         for k = 1, 3 do
            logs[k] = logs[k] or {}
            logs[k][b] = math.log(ml.KMeans { n_init = 4, tol = 0, n_clusters = k }:fit(U).inertia)
         end
      end
      for k = 1, 3 do
         expected[k] = ml.Vector(logs[k]):mean() - math.log(choice.table.within[k])
         support.near(ml.Vector(logs[k]):std(0) * math.sqrt(1 + 1 / 6), choice.table.gap_se[k], 1e-9, "se")
      end
      support.near_all(expected, choice.table.gap, 1e-9, "gap")
   end)

   it("works with categories, distances and mixtures", function()
      local data = ml.Frame { { "a", { "x", "x", "x", "y", "y", "y" } }, { "b", { "u", "u", "u", "v", "v", "v" } } }
      local choice = ml.choose_k(ml.KModes {}, data, { k = { 2, 3 }, criteria = { "elbow", "stability" } })
      assert.equal(0.0, choice.table.within[1])
      local D = ml.pairwise_distances(blobs(3, 60, 8, 5))
      assert.equal(3, ml.choose_k(ml.KMedoids { metric = "precomputed" }, D, { k = { 2, 5 } }).best.silhouette)
      local mixture = ml.choose_k(ml.GaussianMixture {}, blobs(3, 600, 8, 6), { k = { 1, 4 }, criteria = "bic" })
      assert.equal(3, mixture.k)
   end)

   it("draws a panel for each criterion", function()
      local choice = ml.choose_k(ml.KMeans {}, iris, { k = { 1, 4 }, criteria = { "elbow", "gap" }, references = 3 })
      local figure = choice:plot()
      assert.equal(2, #figure.panels)
      assert.equal("elbow: " .. choice.best.elbow, figure.panels[1].title)
      support.refuses("plot.choose_k: choice must be a result of ml.choose_k, got 3", function()
         ml.plot.choose_k(3)
      end)
   end)

   it("refuses invalid arguments", function()
      local function call(model, X, options) return function() ml.choose_k(model, X, options) end end
      support.refuses("choose_k: k must hold whole numbers from 1 to 150, the number of rows, got 151",
         call(ml.KMeans {}, iris, { k = { 2, 151 } }))
      support.refuses("choose_k: criteria must be from elbow, .*, got 'silhouete'; did you mean 'silhouette'?",
         call(ml.KMeans {}, iris, { criteria = { "silhouete" } }))
      support.refuses("choose_k: model must have the parameter n_clusters, but Ridge does not have it",
         call(ml.Ridge {}, iris))
      support.refuses("choose_k has no option 'ks'", call(ml.KMeans {}, iris, { ks = 3 }))
      support.refuses("choose_k: the criterion gap requires columns of numbers; use elbow and stability",
         call(ml.KModes {}, ml.Frame { { "a", { "x", "y", "x" } } }, { k = { 1, 2 }, criteria = "gap" }))
   end)

   it("refuses rows that are all equal, and warns once for each number of clusters", function()
      local heard = {}
      local old = ml.warnings(function(message) heard[#heard + 1] = message end)
      local ok, message = pcall(ml.choose_k, ml.KMeans {}, ml.full(12, 1, 1), { k = { 2, 4 } })
      ml.warnings(old)
      assert.is_false(ok)
      assert.matches("no criterion chooses a number of clusters", message)
      assert.equal(3, #heard)
   end)

   it("warns once of fits that do not converge, and names KMeans for few rows", function()
      local heard = {}
      local old = ml.warnings(function(message) heard[#heard + 1] = message end)
      ml.choose_k(ml.MiniBatchKMeans { max_iter = 3 }, iris, { k = { 2, 4 } })
      ml.select_mixture(ml.GaussianMixture { max_iter = 2 }, iris, { components = { 2, 3 }, types = { "VVV", "EEE" } })
      ml.warnings(old)
      assert.equal(2, #heard)
      assert.matches("use KMeans, because X has no more rows than batch_size", heard[1])
      assert.matches("^GaussianMixture: stopped after 2 iterations", heard[2])
   end)
end)
