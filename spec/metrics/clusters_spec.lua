local ml = require "manilius"
local common = require "spec.metrics.common"
local oracle = dofile "spec/fixtures/metrics/metrics.lua"
local core = require "manilius.core"
local support = require "spec.support"

local m = ml.metrics
local near, refuses, repeated = common.near, support.refuses, common.repeated
local data, wanted = oracle.clusters.data, oracle.clusters.values

local PARTITIONS = { "ari", "rand", "nmi", "ami", "mutual_information", "homogeneity", "completeness", "v_measure",
   "fowlkes_mallows" }

describe("metrics of partitions", function()
   local a, b = data.a, data.b

   it("agree with scikit-learn", function()
      local names = { ari = "adjusted_rand", rand = "rand", mutual_information = "mutual_info", v_measure = "v_measure",
         homogeneity = "homogeneity", completeness = "completeness", fowlkes_mallows = "fowlkes_mallows",
         ami = "adjusted_mutual_info", nmi = "normalized_mutual_info" }
      for ours, theirs in pairs(names) do near(wanted[theirs], m[ours](a, b), ours) end
      for _, average in ipairs { "min", "geometric", "arithmetic", "max" } do
         near(wanted["ami_" .. average], m.ami(a, b, { average = average }), "ami " .. average)
         near(wanted["nmi_" .. average], m.nmi(a, b, { average = average }), "nmi " .. average)
      end
      near(wanted.v_measure_2, m.v_measure(a, b, { beta = 2 }), "v_measure 2")
   end)

   it("do not change when clusters are renamed, and count weights as repeats", function()
      local names, whole = { [0] = "x", "w", "z", "q", "a" }, {}
      local renamed = {}
      for i = 1, #b do
         renamed[i] = names[b[i]]
         whole[i] = (i * 5) % 3
      end
      for _, name in ipairs(PARTITIONS) do
         near(m[name](a, b), m[name](a, renamed), name .. " renamed")
         near(m[name](repeated(a, whole), repeated(b, whole)), m[name](a, b, { weights = whole }), name .. " weights")
      end
   end)

   it("handle trivial partitions", function()
      local apart, together = { 1, 2, 3, 4 }, { 1, 1, 1, 1 }
      for _, name in ipairs(PARTITIONS) do
         if name ~= "mutual_information" then
            near(1, m[name]({ 1, 1, 2, 2 }, { "b", "b", "a", "a" }), name .. " equal")
            if name ~= "fowlkes_mallows" then near(1, m[name](apart, { 4, 3, 2, 1 }), name .. " apart") end
         end
      end
      assert.equal(0, m.ari(apart, together))
      assert.equal(0, m.ami(apart, together))
      assert.equal(0, m.nmi(apart, together))
      assert.equal(1, m.nmi(together, together))
      assert.equal(0, m.fowlkes_mallows(apart, apart))
      near(math.log(4), m.mutual_information(apart, apart), "information")
      refuses("ami: weights must be whole numbers", m.ami, a, b, { weights = ml.Vector(80, 0.5) })
      refuses("y and labels must have the same length, got 80 and 4", m.ari, a, apart)
   end)

   it("have the expected value of shuffled labels", function()
      local x, y = {}, {}
      for i = 1, 40 do x[i], y[i] = i % 7, i % 3 end
      local sum, rounds = 0, 400
      for r = 1, rounds do
         local order, shuffled = ml.permutation(40, r), {}
         for i = 1, 40 do shuffled[i] = y[order[i]] end
         sum = sum + m.mutual_information(x, shuffled)
      end
      local expected = core.metrics.agreement(ml.Factor(x), ml.Factor(y), nil, true).expected
      assert.near(expected, sum / rounds, 0.01)
   end)
end)

describe("metrics of clusters", function()
   local X, labels = data.X, data.b

   it("agree with scikit-learn", function()
      for _, metric in ipairs { "euclidean", "manhattan", "cosine" } do
         near(wanted["silhouette_" .. metric], m.silhouette(X, labels, { metric = metric }), metric)
      end
      near(wanted.silhouette_samples, m.silhouette_samples(X, labels), "samples")
      near(wanted.calinski_harabasz, m.calinski_harabasz(X, labels), "calinski_harabasz")
      near(wanted.davies_bouldin, m.davies_bouldin(X, labels), "davies_bouldin")
   end)

   it("are the same for precomputed distances, long rows and renamed clusters", function()
      local n = #X
      local D, long, renamed = ml.zeros(n, n), {}, {}
      for i = 1, n do
         for j = 1, n do D:set(i, j, (ml.Vector(X[i]) - ml.Vector(X[j])):norm()) end
         long[i], renamed[i] = {}, "c" .. (9 - labels[i])
         for f = 1, 24 do long[i][f] = X[i][(f - 1) % 3 + 1] + 1000 end -- 24 columns: by products of blocks
      end
      local value = m.silhouette(X, labels)
      near(value, m.silhouette(D, labels, { metric = "precomputed" }), "precomputed")
      near(value, m.silhouette(long, labels), "long rows")
      near(value, m.silhouette(X, renamed), "renamed")
      near(m.davies_bouldin(X, labels), m.davies_bouldin(ml.Matrix(X), renamed), "renamed")
   end)

   it("count weights as repeats", function()
      local whole = {}
      for i = 1, #X do whole[i] = (i * 7) % 4 end
      for _, name in ipairs { "silhouette", "calinski_harabasz", "davies_bouldin" } do
         near(m[name](repeated(X, whole), repeated(labels, whole)), m[name](X, labels, { weights = whole }), name)
      end
   end)

   it("draw a sample by its seed, and do not depend on threads", function()
      local all = m.silhouette(X, labels)
      local part = m.silhouette(X, labels, { sample = 60, seed = 3 })
      assert.equal(part, m.silhouette(X, labels, { sample = 60, seed = 3 }))
      assert.not_equal(part, m.silhouette(X, labels, { sample = 60, seed = 4 }))
      assert.near(all, part, 0.1)
      assert.equal(all, m.silhouette(X, labels, { sample = 1000 }))
      local before = core.memory.threads()
      local big, c = ml.normal(1500, 20, 1), {}
      for i = 1, 1500 do c[i] = i % 9 end
      core.memory.threads(1)
      local one = { m.silhouette(big, c), m.stress(big, big:slice(1, 1500, 1, 2)) }
      core.memory.threads(2)
      local two = { m.silhouette(big, c), m.stress(big, big:slice(1, 1500, 1, 2)) }
      core.memory.threads(before)
      assert.same(one, two)
   end)

   it("are 0 for a row that is alone in its cluster", function()
      local s = m.silhouette_samples({ { 0 }, { 1 }, { 5 } }, { "a", "a", "b" })
      near({ 1 - 1 / 5, 1 - 1 / 4, 0 }, s, "alone")
   end)

   it("agree with scikit-learn on iris", function()
      local iris, species = ml.read_csv "examples/data/iris.csv":split "species"
      assert.near(0.503477, m.silhouette(iris, species), 1e-6)
      local model = ml.KMeans { n_clusters = 3, seed = 1 }:fit(iris)
      local found = model:predict(iris)
      assert.near(0.72, m.ari(species, found), 0.02) -- there are two optima of almost the same inertia
      assert.near(0.75, m.ami(species, found), 0.02)
      assert.near(0.552, m.silhouette(iris, found), 3e-3)
      assert.near(561, m.calinski_harabasz(iris, found), 1)
   end)

   it("refuse invalid arguments", function()
      refuses("silhouette: the number of clusters must be from 2 to the number of rows %- 1, 2, got 1", m.silhouette,
         { { 1 }, { 2 }, { 3 } }, { 1, 1, 1 })
      refuses("the number of clusters must be from 2 to the number of rows %- 1, 2, got 3", m.davies_bouldin,
         { { 1 }, { 2 }, { 3 } }, { 1, 2, 3 })
      refuses("X and labels must have the same length, got 2 and 3", m.silhouette, { { 1 }, { 2 } }, { 1, 2, 3 })
      refuses("distances must be square, got 3 x 1", m.silhouette, { { 1 }, { 2 }, { 3 } }, { 1, 1, 2 },
         { metric = "precomputed" })
      refuses("metric must be one of euclidean, manhattan, cosine, precomputed, got 'euclid'", m.silhouette,
         { { 1 }, { 2 }, { 3 } }, { 1, 1, 2 }, { metric = "euclid" })
      refuses("X must be finite, got nan in row 2", m.silhouette, { { 1 }, { 0 / 0 }, { 3 } }, { 1, 1, 2 })
   end)
end)

describe("metrics of embeddings", function()
   local X, flat = data.X, {}
   for i, row in ipairs(X) do flat[i] = { row[1], row[2] } end

   it("agree with scikit-learn", function()
      near(wanted.trustworthiness, m.trustworthiness(X, flat), "trustworthiness")
      near(wanted.continuity, m.continuity(X, flat), "continuity")
      near(wanted.stress, m.stress(X, flat), "stress")
   end)

   it("are perfect for the data themselves, also if rotated", function()
      local turned = {}
      for i, row in ipairs(X) do turned[i] = { row[2], -row[3], row[1] } end
      assert.equal(1, m.trustworthiness(X, turned))
      near(0, m.stress(X, turned), "stress")
      near(0, m.stress(X, turned, { normalized = false }), "plain stress")
   end)

   it("count weights as repeats", function()
      local whole = {}
      for i = 1, #X do whole[i] = i % 3 end
      near(m.stress(repeated(X, whole), repeated(flat, whole)), m.stress(X, flat, { weights = whole }), "stress")
   end)

   it("weight the rows of trustworthiness and continuity", function()
      local n, k = #X, 5
      local function distances(rows, i)
         local out = {}
         for j = 1, n do
            local sum = 0
            for c = 1, #rows[i] do sum = sum + (rows[i][c] - rows[j][c]) ^ 2 end
            out[j] = j == i and math.huge or sum
         end
         return out
      end
      -- The value for row i alone, from ranks by sorting.
      local function of_row(high, low, i)
         local rank, near_low, by_high, by_low = {}, {}, distances(high, i), distances(low, i)
         local order = {}
         for j = 1, n do order[j], near_low[j] = j, j end
         table.sort(order, function(a, b) return by_high[a] < by_high[b] end)
         table.sort(near_low, function(a, b) return by_low[a] < by_low[b] end)
         for r, j in ipairs(order) do rank[j] = r end
         local sum = 0
         for r = 1, k do sum = sum + math.max(0, rank[near_low[r]] - k) end
         return 1 - 2 * sum / (k * (2 * n - 3 * k - 1))
      end
      local weights, one, other, total = {}, 0, 0, 0
      for i = 1, n do
         weights[i] = i % 4
         one, other = one + weights[i] * of_row(X, flat, i), other + weights[i] * of_row(flat, X, i)
         total = total + weights[i]
      end
      near(one / total, m.trustworthiness(X, flat, { k = k, weights = weights }), "trustworthiness")
      near(other / total, m.continuity(X, flat, { k = k, weights = weights }), "continuity")
   end)

   it("refuse invalid arguments", function()
      refuses("k must be less than half the rows, 80, got 40", m.trustworthiness, X, flat, { k = 40 })
      refuses("X must have at least two different rows", m.stress, { { 1 }, { 1 } }, { { 1 }, { 2 } })
      refuses("X and points must have the same length, got 80 and 1", m.stress, X, { { 1, 2 } })
   end)
end)
