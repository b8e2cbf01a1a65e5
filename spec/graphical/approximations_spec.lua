--- Approximations: bounds are bounds, expansions are close for weak couplings, samplers agree with enumeration, regions
-- are exact where they must be.
local ml = require "manilius"
local enumeration = require "spec.graphical.enumeration"
local refuses = require "spec.support".refuses

local function spins(seed, rows, cols, coupling, field)
   local draw, h = enumeration.generator(seed), {}
   for i = 1, rows do
      h[i] = {}
      for j = 1, cols do h[i][j] = (field or 1) * (draw() - 0.5) end
   end
   return ml.MarkovRandomField { field = h, coupling = coupling }
end

local function near(expected, r, tolerance)
   assert.is_true(r.converged ~= false)
   assert.near(0, (expected.table - r.table):abs():max(), tolerance)
end

describe("mean field", function()
   it("is a lower bound, stationary, and exact without couplings", function()
      for seed = 1, 10 do
         local graph = enumeration.random(seed, { n = 5, states = 3, factors = 8, arity = 3, strength = 3 })
         local truth = enumeration.answers(graph)
         local r = graph:infer { method = "mean_field", tol = 1e-10 }
         assert.is_true(r.log_partition <= truth.log_partition + 1e-10)
         assert.is_true(r.log_partition >= truth.score - 1e-9 or r.log_partition > truth.log_partition - 2)
      end
      local free = ml.FactorGraph { variables = { 2, 3 }, factors = { { 1, { 1, 3 } }, { 2, { 1, 2, 3 } } } }
      local r = free:infer { method = "mean_field" }
      assert.near(math.log(24), r.log_partition, 1e-10)
      near(free:infer { method = "exact" }, r, 1e-10)
   end)

   it("satisfies m = tanh(h + J sum m) on a grid", function()
      local graph = spins(3, 3, 3, 0.2)
      local r = graph:infer { method = "mean_field", tol = 1e-12, restarts = 1 }
      local function mean(i, j)
         return i >= 1 and i <= 3 and j >= 1 and j <= 3 and 2 * r:probability({ i, j }, 1) - 1 or 0
      end
      local draw = enumeration.generator(3)
      for i = 1, 3 do
         for j = 1, 3 do
            local h = draw() - 0.5
            local x = h + 0.2 * (mean(i - 1, j) + mean(i + 1, j) + mean(i, j - 1) + mean(i, j + 1))
            assert.near((math.exp(2 * x) - 1) / (math.exp(2 * x) + 1), mean(i, j), 1e-9)
         end
      end
   end)

   it("respects evidence and impossible states", function()
      local graph = enumeration.random(2, { n = 5, states = 3, factors = 8, arity = 3, zeros = 0.05 })
      local r = graph:infer { method = "mean_field", evidence = { v1 = 1 } }
      assert.equal(1, r:probability("v1", 1))
      local exact = graph:infer { method = "exact", evidence = { v1 = 1 } }
      assert.is_true(r.log_partition <= exact.log_partition + 1e-9)
   end)
end)

describe("TAP", function()
   it("is more accurate than mean field for weak couplings, of third order in them", function()
      local last
      for _, coupling in ipairs { 0.2, 0.1, 0.05 } do
         local graph = spins(5, 3, 3, coupling)
         local exact = graph:infer { method = "exact" }
         local tap = graph:infer { method = "tap", tol = 1e-12 }
         local mean = graph:infer { method = "mean_field", tol = 1e-12 }
         local e = (tap.table - exact.table):abs():max()
         assert.is_true(e < 0.3 * (mean.table - exact.table):abs():max())
         assert.is_true(math.abs(tap.log_partition - exact.log_partition)
            < 0.3 * math.abs(mean.log_partition - exact.log_partition))
         if last then assert.is_true(e < last / 5) end -- 8 in the limit
         last = e
      end
   end)

   it("accepts evidence and refuses what it cannot do", function()
      local graph = spins(5, 2, 3, 0.1)
      local exact = graph:infer { method = "exact", evidence = { ["x[1,1]"] = 1 } }
      near(exact, graph:infer { method = "tap", evidence = { ["x[1,1]"] = 1 } }, 2e-3)
      local wide = ml.FactorGraph { variables = { 3, 2 }, factors = { { { 1, 2 }, { 1, 2, 3, 4, 5, 6 } } } }
      refuses('TAP requires variables of two states, but variable 1 has 3; use "mean_field"', function()
         wide:infer { method = "tap" }
      end)
      local hard = ml.FactorGraph { variables = { 2, 2 }, factors = { { { 1, 2 }, { 1, 0, 3, 4 } } } }
      refuses("TAP requires factors > 0", function() hard:infer { method = "tap" } end)
   end)
end)

describe("region propagation", function()
   it("equals sum-product without loops as regions", function()
      local graph = spins(7, 3, 3, 0.4)
      local r = graph:infer { method = "region", loops = 0, tol = 1e-12 }
      local bethe = graph:infer { method = "sum_product", tol = 1e-12 }
      near(bethe, r, 1e-9)
      assert.near(bethe.log_partition, r.log_partition, 1e-9)
   end)

   it("is exact on a single loop of four or three that is a region", function()
      local square = spins(2, 2, 2, 0.9)
      near(square:infer { method = "exact" }, square:infer { method = "region" }, 1e-9)
      local triangle = ml.MarkovRandomField { field = { 0.3, -0.2, 0.5, 0.1 }, coupling = { 1, -1, 0.7, 0.4 },
         edges = { { 1, 2 }, { 2, 3 }, { 3, 1 }, { 3, 4 } } }
      local exact, r = triangle:infer { method = "exact" }, triangle:infer { method = "region", tol = 1e-12 }
      near(exact, r, 1e-9)
      assert.near(exact.log_partition, r.log_partition, 1e-9)
   end)

   it("is exact on strips of squares, which form a junction tree", function()
      local strip = spins(4, 2, 6, 0.8)
      for _, double_loop in ipairs { false, true } do
         local exact = strip:infer { method = "exact" }
         local r = strip:infer { method = "region", tol = 1e-11, double_loop = double_loop, max_iter = 20000 }
         near(exact, r, 1e-7)
         assert.near(exact.log_partition, r.log_partition, 1e-7)
      end
   end)

   it("is much closer than the Bethe approximation on grids", function()
      local graph = spins(9, 4, 4, 0.45, 0.4)
      local exact = graph:infer { method = "exact" }
      local bethe = graph:infer { method = "sum_product" }
      local r = graph:infer { method = "region", tol = 1e-10 }
      assert.is_true(r.converged)
      assert.is_true(math.abs(r.log_partition - exact.log_partition)
         < 0.2 * math.abs(bethe.log_partition - exact.log_partition))
      assert.is_true((r.table - exact.table):abs():max() < 0.2 * (bethe.table - exact.table):abs():max())
      local double = graph:infer { method = "region", tol = 1e-9, double_loop = true, max_iter = 20000 }
      near(r, double, 1e-5)
   end)

   it("accepts evidence, larger factors, hard zeros and regions of the user", function()
      for seed = 1, 6 do
         local graph = enumeration.random(seed, { n = 6, states = 2, binary = true, tree = true,
            zeros = seed == 5 and 0.05 or 0 })
         local exact = graph:infer { method = "exact", evidence = { v2 = 1 } }
         local r = graph:infer { method = "region", evidence = { v2 = 1 }, tol = 1e-12 }
         near(exact, r, 1e-8)
         assert.near(exact.log_partition, r.log_partition, 1e-8)
      end
      local graph = spins(4, 2, 3, 0.8)
      local r = graph:infer { method = "region", regions = { { 1, 2, 3, 4, 5, 6 } } }
      near(graph:infer { method = "exact" }, r, 1e-12)
      assert.equal(1, r.n_regions)
      refuses("regions must be a list of lists", function() graph:infer { method = "region", regions = { 1 } } end)
      refuses("loops must be 0, 3 or 4, got 5", function() graph:infer { method = "region", loops = 5 } end)
   end)
end)

describe("a sampler", function()
   it("agrees with enumeration within its standard error", function()
      local graph = spins(8, 3, 3, 0.3)
      local exact = graph:infer { method = "exact" }
      for _, method in ipairs { "gibbs", "metropolis", "swendsen_wang" } do
         local r = graph:infer { method = method, chains = 8, draws = 1500, seed = 2 }
         assert.is_true(r.r_hat < 1.02 and r.ess > 500)
         assert.is_true((r.table - exact.table):abs():max() < 0.025)
         assert.is_true((r.table - exact.table):abs():max() < 6 * r.std_error:max())
         assert.near(exact.log_partition, r.log_partition, 5 * r.log_partition_std_error)
         assert.is_true(r.log_partition_std_error < 0.05)
      end
   end)

   it("respects evidence, several states, Potts clusters", function()
      local graph = ml.MarkovRandomField { unary = { { 0, 0.2, 0.4 }, { 0.5, 0, 0 }, { 0, 0, 0 }, { 0, 0.3, 0 } },
         shape = { 2, 2 }, coupling = 0.7 }
      local exact = graph:infer { method = "exact", evidence = { 0, 2, 0, 0 } }
      for _, method in ipairs { "gibbs", "metropolis", "swendsen_wang" } do
         local r = graph:infer { method = method, evidence = { 0, 2, 0, 0 }, draws = 4000, temperatures = 0 }
         near(exact, r, 0.03)
         assert.equal(1, r:probability({ 1, 2 }, 2))
      end
   end)

   it("does not depend on the number of threads", function()
      local graph, before, first = spins(8, 4, 4, 0.3), ml.threads(), nil
      for _, threads in ipairs { 1, 2 } do
         ml.threads(threads)
         local r = graph:infer { method = "gibbs", draws = 50 }
         first = first or r
         assert.is_true((first.table - r.table):abs():max() == 0)
         assert.equal(first.log_partition, r.log_partition)
      end
      ml.threads(before)
   end)

   it("of clusters mixes where single spins do not, and says when it cannot", function()
      local graph = ml.MarkovRandomField { field = ml.zeros(8, 8), coupling = 1.2 }
      local r = graph:infer { method = "swendsen_wang", draws = 2000, temperatures = 0 }
      assert.near(0.5, r:probability({ 4, 4 }, 1), 0.1)
      refuses("Swendsen%-Wang requires pairs that are more probable when equal", function()
         spins(1, 2, 2, -0.5):infer { method = "swendsen_wang" }
      end)
      local warned, before = nil, ml.warnings()
      ml.warnings(function(message) warned = message end)
      graph:infer { method = "gibbs", draws = 100, temperatures = 0, burn_in = 0 }
      ml.warnings(before)
      assert.matches("gibbs: the chains disagree %(R%-hat", warned)
   end)
end)

describe("dual decomposition", function()
   it("bounds the best score, and proves optimality on trees", function()
      for seed = 1, 15 do
         local graph = enumeration.random(seed, { n = 7, states = 3, tree = true, strength = 3 })
         local truth = enumeration.answers(graph)
         local r = graph:map { method = "dual_decomposition" }
         assert.near(truth.score, r.score, 1e-9)
         assert.is_true(r.bound >= truth.score - 1e-9)
         assert.near(truth.score, r.bound, 1e-3)
      end
   end)

   it("bounds the best score on loops, with hard zeros and evidence", function()
      local exact = 0
      for seed = 1, 20 do
         local graph = enumeration.random(seed, { n = 6, states = 3, factors = 10, arity = 3, strength = 4,
            zeros = seed % 4 == 0 and 0.1 or 0 })
         for _, evidence in ipairs { false, { v2 = 1 } } do
            local ok, best = pcall(graph.map, graph, { method = "exact", evidence = evidence or nil })
            if ok then
               local r = graph:map { method = "dual_decomposition", evidence = evidence or nil, max_iter = 300 }
               assert.is_true(r.bound >= best.score - 1e-9)
               assert.is_true(r.score <= best.score + 1e-9)
               assert.near(r.score, graph:score(r.vector), 1e-12)
               if evidence then assert.equal(1, r.vector[2]) end
               if r.score > best.score - 1e-9 then exact = exact + 1 end
            end
         end
      end
      assert.is_true(exact >= 36, exact)
   end)

   it("solves grids of attractive couplings, where the bound is tight", function()
      local graph = spins(12, 8, 8, 0.4, 3)
      local best, r = graph:map { method = "exact" }, graph:map { method = "dual_decomposition" }
      assert.near(best.score, r.score, 1e-9)
      assert.near(0, r.gap, 0.05)
   end)
end)
