--- Message passing: exact on trees, fixed points of the Bethe free energy on loops, upper bounds with tree weights.
local ml = require "manilius"
local enumeration = require "spec.graphical.enumeration"
local refuses = require "spec.support".refuses

local SCHEDULES = { "residual", "sequential", "parallel" }

local function ising(n, edges, strength, seed)
   local draw, variables, factors = enumeration.generator(seed), {}, {}
   for v = 1, n do
      variables[v] = { "v" .. v, 2 }
      factors[v] = { "v" .. v, { math.exp(draw() - 0.5), math.exp(0.5 - draw()) } }
   end
   for _, edge in ipairs(edges) do
      local j = strength * (draw() - 0.3)
      factors[#factors + 1] = { { "v" .. edge[1], "v" .. edge[2] },
         { math.exp(j), math.exp(-j), math.exp(-j), math.exp(j) } }
   end
   return ml.FactorGraph { variables = variables, factors = factors }
end

local function grid_edges(rows, cols)
   local edges = {}
   for i = 1, rows do
      for j = 1, cols do
         local v = (i - 1) * cols + j
         if j < cols then edges[#edges + 1] = { v, v + 1 } end
         if i < rows then edges[#edges + 1] = { v, v + cols } end
      end
   end
   return edges
end

describe("sum-product", function()
   it("is exact on trees with every schedule, hard zeros and evidence included", function()
      for seed = 1, 12 do
         local graph = enumeration.random(seed, { n = 7, states = 3, tree = true, zeros = seed % 3 == 0 and 0.15 or 0 })
         local truth = enumeration.answers(graph)
         if truth.log_partition > -math.huge then
            for _, schedule in ipairs(SCHEDULES) do
               local r = graph:infer { method = "sum_product", schedule = schedule, tol = 1e-12 }
               assert.is_true(r.converged)
               assert.is_true(enumeration.error_of(r, truth) < 1e-9)
               assert.near(truth.log_partition, r.log_partition, 1e-8)
            end
            local state = truth.best[3]
            local exact = graph:infer { method = "exact", evidence = { v3 = state } }
            local r = graph:infer { method = "sum_product", evidence = { v3 = state }, tol = 1e-12 }
            assert.is_true((exact.table - r.table):abs():max() < 1e-9)
            assert.near(exact.log_partition, r.log_partition, 1e-8)
         end
      end
   end)

   it("reaches the same fixed point by every schedule on loops, near the truth for weak couplings", function()
      local graph = ising(9, grid_edges(3, 3), 0.6, 4)
      local truth, first = enumeration.answers(graph), nil
      for _, schedule in ipairs(SCHEDULES) do
         for _, damping in ipairs { 0, 0.5 } do
            local r = graph:infer { method = "sum_product", schedule = schedule, damping = damping, tol = 1e-12 }
            assert.is_true(r.converged)
            first = first or r
            assert.is_true((first.table - r.table):abs():max() < 1e-8)
            assert.is_true(enumeration.error_of(r, truth) < 0.01)
            assert.near(truth.log_partition, r.log_partition, 0.01)
         end
      end
   end)

   it("reports that it has not converged", function()
      local graph = ising(9, grid_edges(3, 3), 8, 4)
      local warned, before = nil, ml.warnings()
      ml.warnings(function(text) warned = text end)
      local r = graph:infer { method = "sum_product", schedule = "parallel", max_iter = 3 }
      ml.warnings(before)
      assert.is_false(r.converged)
      assert.equal(3, r.n_iter)
      assert.is_true(r.residual > 1e-6)
      assert.matches("not converged", r.kind)
      assert.matches("NOT converged after 3 iterations", tostring(r))
      assert.matches("sum_product has not converged after 3 iterations .*raise damping", warned)
   end)

   it("detects contradictions", function()
      local graph = ml.FactorGraph { variables = { { "a", 2 }, { "b", 2 } },
         factors = { { { "a", "b" }, { 1, 0, 0, 1 } }, { "a", { 1, 0 } }, { "b", { 0, 1 } } } }
      refuses("messages contradict each other", function() graph:infer { method = "sum_product" } end)
   end)
end)

describe("tree-reweighted message passing", function()
   it("bounds the partition function from above, tighter after updates of the trees", function()
      for seed = 1, 8 do
         local graph = ising(9, grid_edges(3, 3), 2, seed)
         local truth = enumeration.answers(graph)
         local r = graph:infer { method = "trw", tol = 1e-10 }
         assert.is_true(r.converged)
         assert.equal("upper bound", r.kind)
         assert.is_true(r.log_partition >= truth.log_partition - 1e-9)
         local better = graph:infer { method = "trw", tol = 1e-10, updates = 20 }
         assert.is_true(better.log_partition >= truth.log_partition - 1e-9)
         assert.is_true(better.log_partition <= r.log_partition + 1e-6)
      end
   end)

   it("is exact on trees", function()
      local graph = ising(5, { { 1, 2 }, { 2, 3 }, { 3, 4 }, { 3, 5 } }, 2, 1)
      local truth = enumeration.answers(graph)
      local r = graph:infer { method = "trw", tol = 1e-12 }
      assert.near(truth.log_partition, r.log_partition, 1e-8)
      assert.is_true(enumeration.error_of(r, truth) < 1e-8)
   end)

   it("requires pairs", function()
      local graph = ml.FactorGraph { variables = { 2, 2, 2 },
         factors = { { { 1, 2, 3 }, { 1, 2, 3, 4, 5, 6, 7, 8 } } } }
      refuses("tree weights require factors of at most two variables, but factor 1 has more; use", function()
         graph:infer { method = "trw" }
      end)
      assert.near(math.log(36), graph:infer { method = "sum_product" }.log_partition, 1e-10)
      assert.near(math.log(26), graph:infer { method = "trw", evidence = { x1 = 2 } }.log_partition, 1e-8)
   end)
end)

describe("max-product", function()
   it("finds the best state of trees, also with ties", function()
      for seed = 1, 15 do
         local graph = enumeration.random(seed, { n = 7, states = 3, tree = true, strength = seed % 2 == 0 and 0 or 3 })
         local truth = enumeration.answers(graph)
         for _, method in ipairs { "max_product", "min_sum" } do
            for _, schedule in ipairs(SCHEDULES) do
               local r = graph:map { method = method, schedule = schedule, tol = 1e-12 }
               assert.near(truth.score, r.score, 1e-9)
               assert.near(r.score, graph:score(r.vector), 1e-12)
            end
         end
         assert.near(-truth.score, graph:map { method = "min_sum" }.energy, 1e-9)
      end
      local parity = ml.FactorGraph { variables = { { "a", 2 }, { "b", 2 }, { "c", 2 } },
         factors = { { { "a", "b" }, { 0, 1, 1, 0 } }, { { "b", "c" }, { 0, 1, 1, 0 } } } }
      assert.near(0, parity:map { method = "max_product" }.score, 1e-12)
   end)

   it("never beats the best state of loopy graphs, and mostly finds it", function()
      local found = 0
      for seed = 1, 10 do
         local graph = ising(9, grid_edges(3, 3), 1.5, seed)
         local truth = enumeration.answers(graph)
         local r = graph:map { method = "max_product", damping = 0.3 }
         assert.is_true(r.score <= truth.score + 1e-9)
         if r.score > truth.score - 1e-9 then found = found + 1 end
      end
      assert.is_true(found >= 6, found)
   end)
end)
