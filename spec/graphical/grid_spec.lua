--- Markov random fields and the kernels for grids: the same answers as the general methods and enumeration.
local ml = require "manilius"
local enumeration = require "spec.graphical.enumeration"
local refuses = require "spec.support".refuses

local function unary_of(n, states, seed)
   local draw, list = enumeration.generator(seed), {}
   for v = 1, n do
      list[v] = {}
      for s = 1, states do list[v][s] = 2 * (draw() - 0.5) end
   end
   return list
end

describe("a grid", function()
   it("has the neighbors of its pixels", function()
      local graph = ml.MarkovRandomField { unary = unary_of(6, 2, 1), shape = { 2, 3 }, coupling = 1 }
      assert.equal(6 + 7, #graph.table_start)
      assert.equal(6 + 7 + 4, #ml.MarkovRandomField { unary = unary_of(6, 2, 1), shape = { 2, 3 }, coupling = 1,
         neighbors = 8 }.table_start)
      assert.equal("MarkovRandomField: grid of 2 x 3, 6 variables, 13 factors, 2 states", tostring(graph))
   end)

   it("gives the fixed points of general message passing, which differs only in its order", function()
      for _, neighbors in ipairs { 4, 8 } do
         for states = 2, 4 do
            local draw, tables = enumeration.generator(states), {}
            for a = 1, states do
               tables[a] = {}
               for b = 1, states do tables[a][b] = 0.8 * draw() end
            end
            local graph = ml.MarkovRandomField { unary = unary_of(20, states, 3), shape = { 4, 5 }, table = tables,
               neighbors = neighbors }
            local fast = graph:infer { method = "sum_product", tol = 1e-13 }
            local slow = graph:infer { method = "sum_product", tol = 1e-13, schedule = "sequential" }
            assert.is_true(fast.converged and slow.converged)
            assert.is_true((fast.table - slow.table):abs():max() < 1e-10)
            assert.near(slow.log_partition, fast.log_partition, 1e-9)
            local damped = graph:infer { method = "sum_product", tol = 1e-13, damping = 0.4 }
            assert.is_true((fast.table - damped.table):abs():max() < 1e-9)
         end
      end
   end)

   it("is exact on chains, also in columns, rows and with evidence", function()
      for _, shape in ipairs { { 1, 7 }, { 7, 1 } } do
         local graph = ml.MarkovRandomField { unary = unary_of(7, 3, 5), shape = shape,
            table = { { 1, 0, 0.5 }, { -1, 2, 0 }, { 0.2, 0.1, 0 } } }
         for _, evidence in ipairs { false, { 0, 0, 2, 0, 0, 0, 1 } } do
            local given = evidence or nil
            local exact = graph:infer { method = "exact", evidence = given }
            local r = graph:infer { method = "sum_product", evidence = given, tol = 1e-12 }
            assert.is_true((exact.table - r.table):abs():max() < 1e-10)
            if not evidence then assert.near(exact.log_partition, r.log_partition, 1e-9) end
            local map, best = graph:map { method = "max_product", evidence = given }, graph:map { method = "exact",
               evidence = given }
            assert.near(best.score, map.score, 1e-9)
         end
      end
   end)

   it("of spins is the Ising model", function()
      local h = { { 0.3, -0.5 }, { 0.2, 0.1 } }
      local graph = ml.MarkovRandomField { field = h, coupling = 0.7 }
      local total, mean = 0, 0
      for code = 0, 15 do
         local x = {}
         for v = 0, 3 do x[v + 1] = 2 * ((code >> v) & 1) - 1 end
         local w = math.exp(0.3 * x[1] - 0.5 * x[2] + 0.2 * x[3] + 0.1 * x[4] + 0.7 * (x[1] * x[2] + x[3] * x[4]
            + x[1] * x[3] + x[2] * x[4]))
         total, mean = total + w, mean + w * x[4]
      end
      local exact = graph:infer { method = "exact" }
      assert.near(math.log(total), exact.log_partition, 1e-12)
      assert.near(mean / total, 2 * exact:probability({ 2, 2 }, 1) - 1, 1e-12)
      assert.near(exact:probability("x[2,2]", 1), exact:image(1):get(2, 2), 0)
   end)

   it("does not depend on the number of threads", function()
      local graph = ml.MarkovRandomField { unary = unary_of(12000, 3, 8), shape = { 100, 120 }, coupling = 0.8 }
      local before, first = ml.threads(), nil
      for _, threads in ipairs { 1, 2 } do
         ml.threads(threads)
         local r = graph:infer { method = "sum_product", max_iter = 20 }
         first = first or r
         assert.is_true((first.table - r.table):abs():max() == 0)
         assert.equal(first.log_partition, r.log_partition)
      end
      ml.threads(before)
   end)

   it("falls back to logarithms for tables of any range", function()
      local graph = ml.MarkovRandomField { unary = unary_of(6, 2, 2), shape = { 1, 6 }, coupling = 900 }
      local exact, r = graph:infer { method = "exact" }, graph:infer { method = "sum_product" }
      assert.near(exact.log_partition, r.log_partition, 1e-6)
   end)

   it("removes noise from an image", function()
      local draw, clean, noisy = enumeration.generator(11), {}, {}
      for i = 1, 32 do
         clean[i], noisy[i] = {}, {}
         for j = 1, 32 do
            clean[i][j] = (i - 16) ^ 2 + (j - 16) ^ 2 < 100 and 1 or -1
            noisy[i][j] = draw() < 0.1 and -clean[i][j] or clean[i][j]
         end
      end
      local graph = ml.MarkovRandomField { field = ml.Matrix(noisy) * (0.5 * math.log(9)), coupling = 0.8 }
      local map = graph:map { method = "max_product", damping = 0.2 }
      local truth = ml.Matrix(clean)
      local errors = ((map.states - 1.5) * 2 - truth):abs():sum() / 2
      local before = (ml.Matrix(noisy) - truth):abs():sum() / 2
      assert.is_true(before > 80 and errors < 0.2 * before)
   end)

   it("is saved with its shape and labels", function()
      local graph = ml.MarkovRandomField { field = { { 1, 2, 3 } }, coupling = 0.5, states = { "down", "up" } }
      local copy = ml.load(graph:dump())
      assert.equal(tostring(graph), tostring(copy))
      assert.equal("up", copy:map():of { 1, 3 })
      assert.equal(tostring(graph:infer { method = "sum_product" }), tostring(copy:infer { method = "sum_product" }))
   end)
end)

describe("a Markov random field", function()
   it("of any edges has couplings of their own", function()
      local graph = ml.MarkovRandomField { field = { 0.1, -0.2, 0.3 }, edges = { { 1, 2 }, { 2, 3 }, { 3, 1 } },
         coupling = { 0.5, -0.4, 0.3 } }
      local truth = enumeration.answers(ml.FactorGraph {
         variables = { { "v1", 2 }, { "v2", 2 }, { "v3", 2 } }, factors = {
            { "v1", log_table = { -0.1, 0.1 } }, { "v2", log_table = { 0.2, -0.2 } },
            { "v3", log_table = { -0.3, 0.3 } },
            { { "v1", "v2" }, log_table = { 0.5, -0.5, -0.5, 0.5 } },
            { { "v2", "v3" }, log_table = { -0.4, 0.4, 0.4, -0.4 } },
            { { "v3", "v1" }, log_table = { 0.3, -0.3, -0.3, 0.3 } } } })
      local exact = graph:infer { method = "exact" }
      assert.near(truth.log_partition, exact.log_partition, 1e-12)
      assert.is_true(enumeration.error_of(exact, truth) < 1e-12)
   end)

   it("refuses wrong settings", function()
      local unary = unary_of(6, 2, 1)
      local function make(settings) return function() ml.MarkovRandomField(settings) end end
      refuses("settings must be a table, got nil", ml.MarkovRandomField)
      refuses("there is no setting 'couplings'; did you mean 'coupling'", make { couplings = 1 })
      refuses("requires unary, a matrix of variables by states, or field", make { coupling = 1 })
      refuses("a grid of 2 x 2 has 4 pixels, but unary has 6 rows", make { unary = unary, shape = { 2, 2 },
         coupling = 1 })
      refuses("shape must be { rows, columns } of a grid, got nil", make { unary = unary, coupling = 1 })
      refuses("requires coupling, a number, or table", make { unary = unary, shape = { 2, 3 } })
      refuses("table must be 2 x 2, states by states, got 1 x 3", make { unary = unary, shape = { 2, 3 },
         table = { { 1, 2, 3 } } })
      refuses("neighbors must be 4 or 8, got 6", make { unary = unary, shape = { 2, 3 }, coupling = 1, neighbors = 6 })
      refuses("edge 1: variables are numbered from 1 to 6, got 7", make { unary = unary,
         edges = { { 1, 7 } }, coupling = 1 })
      refuses("edge 1 connects variable 2 with itself", make { unary = unary, edges = { { 2, 2 } }, coupling = 1 })
      refuses("coupling must be a finite number, got nan", make { unary = unary, shape = { 2, 3 }, coupling = 0 / 0 })
      refuses("states must be a number or a list of 2 labels", make { unary = unary, shape = { 2, 3 }, coupling = 1,
         states = { "a" } })
      refuses("field must hold numbers between", make { field = { { 1, 0 / 0 } }, coupling = 1 })
   end)
end)
