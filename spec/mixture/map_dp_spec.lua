local core = require "manilius.core"
local ml = require "manilius"
local support = require "spec.support"

local near, near_rows, refuses = support.near, support.near_rows, support.refuses

local function blobs(n, centers)
   local rows, z = {}, core.normal(n, #centers[1], 5)
   for i = 1, n do
      rows[i] = {}
      for j, value in ipairs(centers[(i - 1) % #centers + 1]) do rows[i][j] = value + z:get(i, j) end
   end
   return rows
end

describe("MAPDP", function()
   it("finds the number of clusters", function()
      local X = blobs(120, { { 0, 0 }, { 12, 0 }, { 0, 12 }, { 12, 12 } })
      local model = ml.MAPDP {}:fit(X)
      assert.equal(4, model.n_clusters)
      for i = 5, 120 do assert.equal(model.labels[i - 4], model.labels[i]) end
      for i = 2, #model.trace do assert.is_true(model.trace[i] <= model.trace[i - 1] + 1e-9) end
      local label = model:predict(X)
      for i = 1, 120 do assert.equal(model.labels[i], label[i]) end
   end)

   it("minimizes the likelihood that the chain of predictive densities gives", function()
      -- p(labels, X) = concentration^K prod Gamma(n_k), times Student's t of each row given those before it.
      local X = blobs(30, { { 0, 0 }, { 9, 3 } })
      local model = ml.MAPDP { concentration = 0.5, mean_prior = { 4, 1 }, variance_prior = { 1, 2 },
         shape_prior = 1.5, mean_precision_prior = 0.2 }:fit(X)
      local cost = -model.n_clusters * math.log(0.5)
      for k = 1, model.n_clusters do
         local seen = {}
         for i, row in ipairs(X) do
            if model.labels[i] == k then
               local n = #seen
               for j = 1, 2 do
                  local sum, square, m0, b0 = 0, 0, ({ 4, 1 })[j], 1.5 * ({ 1, 2 })[j]
                  for _, other in ipairs(seen) do sum = sum + other[j] end
                  local mean = n > 0 and sum / n or 0
                  for _, other in ipairs(seen) do square = square + (other[j] - mean) ^ 2 end
                  local c, a = 0.2 + n, 1.5 + n / 2
                  local b = b0 + square / 2 + 0.2 * n * (mean - m0) ^ 2 / (2 * c)
                  local t = ml.dist.student_t { df = 2 * a, location = (0.2 * m0 + sum) / c,
                     scale = math.sqrt(b * (c + 1) / (a * c)) }
                  cost = cost - t:log_density(row[j])
               end
               seen[n + 1] = row
            end
         end
         cost = cost - ml.special.lgamma(#seen)
      end
      near(cost, model.objective, 1e-10)
   end)

   it("has a predictive density that integrates to 1", function()
      local model = ml.MAPDP {}:fit(blobs(40, { { 0 }, { 15 } }))
      local grid, rows = core.linspace(-400, 400, 80001), {}
      for i = 1, #grid do rows[i] = { grid[i] } end
      near(1, model:score_samples(rows):exp():sum() * 0.01, 1e-3)
   end)

   it("separates Old Faithful, and handles degenerate data", function()
      local X = ml.read_csv "examples/data/faithful.csv"
      local model = ml.MAPDP { concentration = 0.1, variance_prior = { 0.1, 40 }, shape_prior = 20 }:fit(X)
      assert.equal(2, model.n_clusters)
      near_rows({ { 4.29, 80 }, { 2.04, 54.5 } }, model.means, 0.01)
      assert.equal(1, ml.MAPDP {}:fit({ { 1, 2 }, { 1, 2 }, { 1, 2 } }).n_clusters)
      assert.equal(1, ml.MAPDP {}:fit({ { 1, 2 } }).n_clusters)
      local again = ml.load(model:dump())
      assert.equal(model:score_samples(X)[9], again:score_samples(X)[9])
      refuses("mean_prior and variance_prior must have 2 values, got 1", function()
         ml.MAPDP { mean_prior = { 1 } }:fit(X)
      end)
   end)
end)
