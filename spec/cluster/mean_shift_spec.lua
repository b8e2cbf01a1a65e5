local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/cluster/mean_shift.lua"

local function faithful()
   return ml.StandardScaler {}:fit_transform(ml.read_csv "examples/data/faithful.csv":matrix())
end

describe("MeanShift", function()
   it("finds the modes and labels of scikit-learn", function()
      local settings = { estimated = {}, narrow = { bandwidth = 0.5 },
         binned = { bandwidth = 0.5, bin_seeding = true, min_bin_freq = 3 },
         noise = { bandwidth = 0.4, bin_seeding = true, min_bin_freq = 10, cluster_all = false } }
      for name, one in pairs(settings) do
         local model = ml.MeanShift(one):fit(faithful())
         support.near_rows(oracle[name].centers, model.cluster_centers, 1e-9, name)
         support.near_all(oracle[name].labels, model.labels, 0, name)
         assert.is_true(model.converged)
         assert.is_true(model:predict(faithful()) == model.labels)
      end
   end)

   it("estimates the bandwidth of scikit-learn", function()
      local X = faithful()
      support.near(oracle.bandwidth, ml.MeanShift {}:fit(X).fitted_bandwidth, 1e-12)
      support.near(oracle.narrow_bandwidth, ml.MeanShift { quantile = 0.05 }:fit(X).fitted_bandwidth, 1e-12)
      support.refuses("the estimated bandwidth is 0, because rows are equal or too few for quantile; set", function()
         ml.MeanShift {}:fit(ml.full(5, 2, 1))
      end)
   end)

   it("climbs to the modes of a Gaussian kernel density", function()
      local X, h = faithful(), 0.4
      local model = ml.MeanShift { kernel = "gaussian", bandwidth = h, max_iter = 2000 }:fit(X)
      local density = ml.KernelDensity { bandwidth = h }:fit(X)
      for c = 1, #model.counts do
         local center = model.cluster_centers:slice(c, c)
         local top = density:score_samples(center)[1]
         for _, step in ipairs { { 0.05, 0 }, { -0.05, 0 }, { 0, 0.05 }, { 0, -0.05 } } do
            assert.is_true(density:score_samples(center + ml.Matrix { step })[1] < top)
         end
      end
      assert.equal(2, #model.counts)
   end)

   it("handles equal rows and a single row, and warns if seeds still move", function()
      assert.same({ 5 }, ml.MeanShift { bandwidth = 1 }:fit(ml.full(5, 2, 1)).counts:totable())
      assert.same({ 1 }, ml.MeanShift { bandwidth = 1 }:fit({ { 3, 4 } }).counts:totable())
      assert.is_false(ml.MeanShift { bandwidth = 0.5, max_iter = 1 }:fit(faithful()).converged)
      support.refuses("no cell has min_bin_freq = 1000 rows; reduce min_bin_freq", function()
         ml.MeanShift { bandwidth = 0.5, bin_seeding = true, min_bin_freq = 1000 }:fit(faithful())
      end)
   end)

   it("does not depend on the number of threads", function()
      support.same_for_any_threads(function() return ml.MeanShift {}:fit(faithful()) end)
   end)
end)
