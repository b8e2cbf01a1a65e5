--- Learning: gradients by finite differences, recovery of tables from samples, agreement of methods.
local ml = require "manilius"
local core = require "manilius.core"
local enumeration = require "spec.graphical.enumeration"
local refuses = require "spec.support".refuses

local function with_tables(graph, values)
   local copy = {}
   for _, name in ipairs { "card", "scope_start", "scope", "table_start" } do copy[name] = graph[name] end
   copy.table = ml.Vector(values)
   return copy
end

describe("the gradient of", function()
   for _, method in ipairs { "pseudo_likelihood", "moment_matching" } do
      it(method .. " agrees with finite differences", function()
         for seed = 1, 4 do
            local graph = enumeration.random(seed, { n = 5, states = 3, factors = 7, arity = 3,
               zeros = seed == 4 and 0.02 or 0 })
            local data = graph:sample(30, { seed = seed })
            local _, gradient = core.graphical_gradient(with_tables(graph, graph.table), data, method)
            local values = graph.table:totable()
            for k = 1, #values do
               local function at(value)
                  local changed = table.move(values, 1, #values, 1, {})
                  changed[k] = value
                  return (core.graphical_gradient(with_tables(graph, changed), data, method))
               end
               if values[k] > -1e29 then
                  local h = 1e-5
                  assert.near((at(values[k] + h) - at(values[k] - h)) / (2 * h), gradient[k], 1e-8)
               else
                  assert.equal(0, gradient[k])
               end
            end
         end
      end)
   end

   it("moment matching with missing states agrees with finite differences and enumeration", function()
      for seed = 1, 3 do
         local graph = enumeration.random(seed, { n = 5, states = 3, factors = 7, arity = 3 })
         local data, lost = graph:sample(30, { seed = seed }), ml.random(30, 5, seed)
         for i = 1, 30 do
            for v = 1, 5 do
               if lost[i][v] < 0.4 or i == 1 then data:set(i, v, 0 / 0) end
            end
         end
         local values = graph.table:totable()
         local function at(k, h)
            local changed = table.move(values, 1, #values, 1, {})
            changed[k] = changed[k] + h
            return (core.graphical_gradient(with_tables(graph, changed), data, "moment_matching"))
         end
         local objective, gradient = core.graphical_gradient(with_tables(graph, graph.table), data, "moment_matching")
         for k = 1, #values do assert.near((at(k, 1e-5) - at(k, -1e-5)) / 2e-5, gradient[k], 1e-8) end
         local want, none = 0, graph:infer { method = "exact" }.log_partition
         for i = 1, 30 do
            local evidence = {}
            for v = 1, 5 do
               if data[i][v] == data[i][v] then evidence["v" .. v] = math.tointeger(data[i][v]) end
            end
            want = want + (graph:infer { method = "exact", evidence = evidence }.log_partition - none) / 30
         end
         assert.near(want, objective, 1e-10)
      end
   end)

   it("moment matching by sum-product is that by junction tree on trees", function()
      local graph = enumeration.random(3, { n = 5, states = 3, tree = true })
      local data = graph:sample(30, { seed = 1 })
      local exact, one = core.graphical_gradient(with_tables(graph, graph.table), data, "moment_matching")
      local near, two = core.graphical_gradient(with_tables(graph, graph.table), data, "moment_matching",
         0, 1e-9, 100, true)
      assert.near(exact, near, 1e-7)
      assert.is_true((one - two):abs():max() < 1e-7)
   end)
end)

describe("learning", function()
   local edges = { { 1, 2 }, { 2, 3 }, { 3, 4 }, { 4, 1 } }
   local truth = ml.MarkovRandomField { field = { 0.3, -0.2, 0.4, 0 }, edges = edges,
      coupling = { 0.6, -0.4, 0.5, 0.3 } }
   local start = ml.MarkovRandomField { field = { 0, 0, 0, 0 }, edges = edges, coupling = { 0, 0, 0, 0 } }
   local data = truth:sample(4000, { seed = 5 })

   it("matches the moments of the data by maximum likelihood", function()
      local learned = start:learn(data, { method = "moment_matching", l2 = 0 })
      local marginals = learned:infer { method = "exact" }
      for v = 1, 4 do assert.near(data:col(v):eq(2):sum() / 4000, marginals:probability(v, 2), 1e-5) end
      local joint = learned:joint { 1, 2 }
      local both = 0
      for i = 1, 4000 do both = both + (data:get(i, 1) == 2 and data:get(i, 2) == 2 and 1 or 0) end
      assert.near(both / 4000, joint:probability { x1 = 2, x2 = 2 }, 1e-5)
      assert.is_true(learned.learned.converged)
   end)

   it("finds a variable that is never seen, and fills gaps, by maximum likelihood", function()
      -- three coins that depend on a hidden one can have any joint distribution near this one: the largest likelihood
      -- is that of the shares of the 8 rows
      local star = { { 1, 2 }, { 1, 3 }, { 1, 4 } }
      local hidden = ml.MarkovRandomField { field = { 0.2, 0, 0, 0 }, edges = star, coupling = { 0.7, 0.6, 0.8 } }
      local rows, counts = hidden:sample(3000, { seed = 3 }), {}
      for i = 1, 3000 do
         rows:set(i, 1, 0 / 0)
         local key = ("%d%d%d"):format(rows:get(i, 2), rows:get(i, 3), rows:get(i, 4))
         counts[key] = (counts[key] or 0) + 1
      end
      local most = 0
      for _, count in pairs(counts) do most = most + count / 3000 * math.log(count / 3000) end
      local begin = ml.MarkovRandomField { field = { 0, 0, 0, 0 }, edges = star, coupling = { 0.1, 0.1, 0.1 } }
      local found = begin:learn(rows, { method = "moment_matching", l2 = 0 })
      assert.near(most, found.learned.objective, 1e-6)
      -- gaps at random
      local gaps, lost = data:copy(), ml.random(4000, 4, 8)
      for i = 1, 4000 do
         for v = 1, 4 do
            if lost[i][v] < 0.2 then gaps:set(i, v, 0 / 0) end
         end
      end
      local learned = start:learn(gaps, { method = "moment_matching", l2 = 0 })
      local wanted, got = truth:joint { 1, 2, 3, 4 }, learned:joint { 1, 2, 3, 4 }
      for _, s in ipairs { { 1, 1, 1, 1 }, { 2, 2, 1, 2 }, { 1, 2, 1, 2 }, { 2, 2, 2, 2 } } do
         local state = { x1 = s[1], x2 = s[2], x3 = s[3], x4 = s[4] }
         assert.near(wanted:probability(state), got:probability(state), 0.02)
      end
   end)

   it("recovers the distribution by every method", function()
      local exact = truth:infer { method = "exact" }
      for method, tolerance in pairs { pseudo_likelihood = 0.02, moment_matching = 0.02,
         contrastive_divergence = 0.04 } do
         local learned = start:learn(data, { method = method, seed = 1, max_iter = 60 })
         assert.is_true((learned:infer { method = "exact" }.table - exact.table):abs():max() < tolerance)
         for f = 5, 8 do
            local t, s = learned:factor(f), truth:factor(f)
            local function coupling(m) return (m:get(1, 1) + m:get(2, 2) - m:get(1, 2) - m:get(2, 1)) / 4 end
            assert.near(coupling(s), coupling(t), 3 * tolerance)
         end
      end
      local persistent = start:learn(data, { method = "contrastive_divergence", persistent = true, max_iter = 40 })
      assert.is_true((persistent:infer { method = "exact" }.table - exact.table):abs():max() < 0.04)
   end)

   it("ties factors that share a table, keeps fixed ones, and images of grids", function()
      local field = ml.MarkovRandomField { field = ml.zeros(6, 6), coupling = 0.35 }
      local images = {}
      local states = field:sample(60, { seed = 2 })
      for i = 1, 60 do images[i] = core.graphical_image(ml.Matrix(states:row(i)), 6, 6, 1) end
      local begin = ml.MarkovRandomField { field = ml.zeros(6, 6), coupling = 0 }
      local learned = begin:learn(images, { fixed = "unary", l2 = 0 })
      local t = learned:factor(37)
      assert.near(0.35, (t:get(1, 1) + t:get(2, 2) - t:get(1, 2) - t:get(2, 1)) / 4, 0.05)
      assert.same({ 0, 0 }, learned:factor(1):totable())
      assert.is_true(learned:infer { method = "sum_product", max_iter = 2000, damping = 0.5 }.converged)
      assert.same(learned:factor(37):totable(), learned:factor(90):totable())
   end)

   it("of a grid with fixed unary factors is that of a conditional random field", function()
      -- the likelihood of labels given an image, by pseudo-likelihood: at its maximum, the expected number of equal
      -- neighbors given the others is the observed one
      local draw, unary, labels = enumeration.generator(4), {}, {}
      for v = 1, 144 do
         labels[v] = (v - 1) % 12 < 6 and 1 or 2
         local x = (labels[v] == 2 and 0.7 or -0.7) + 2 * (draw() - 0.5)
         unary[v] = { -x, x }
      end
      local crf = ml.MarkovRandomField { unary = unary, shape = { 12, 12 }, coupling = 0 }
         :learn({ labels }, { fixed = "unary" })
      local pair = crf:factor(145)
      assert.is_true(pair:get(1, 1) + pair:get(2, 2) - pair:get(1, 2) - pair:get(2, 1) > 2)
      local function errors(graph)
         local found, wrong = graph:infer { method = "sum_product", damping = 0.3 }, 0
         for v = 1, 144 do wrong = wrong + (found.table:get(v, labels[v]) < 0.5 and 1 or 0) end
         return wrong
      end
      local alone = errors(ml.MarkovRandomField { unary = unary, shape = { 12, 12 }, coupling = 0 })
      assert.is_true(alone > 8 and errors(crf) < alone / 2)
   end)

   it("accepts Frames and rows of labels", function()
      local graph = ml.FactorGraph { variables = { { "a", { "no", "yes" } }, { "b", 2 } },
         factors = { { { "a", "b" }, { 1, 1, 1, 1 } } } }
      local list = { { a = "no", b = 1 }, { a = "yes", b = 2 }, { a = "yes", b = 2 }, { a = "no", b = 1 },
         { a = "no", b = 2 } }
      local frame = ml.Frame { a = { "no", "yes", "yes", "no", "no" }, b = { 1, 2, 2, 1, 2 } }
      local one = graph:learn(list, { method = "moment_matching" })
      local two = graph:learn(frame, { method = "moment_matching" })
      assert.same(one.table:totable(), two.table:totable())
      assert.near(0.6, one:infer():probability("a", "no"), 0.01)
   end)

   it("refuses wrong data and options", function()
      refuses("learn: data must be a matrix of states", function() start:learn(nil) end)
      refuses("learn: data must have 4 columns, one for each variable, got 3", function()
         start:learn(ml.ones(2, 3))
      end)
      refuses("data: row 1, column 1: the state must be from 1 to 2", function() start:learn(ml.zeros(2, 4)) end)
      refuses("learn has no option 'epochs'", function() start:learn(data, { epochs = 3 }) end)
      refuses("method must be one of pseudo_likelihood", function() start:learn(data, { method = "em" }) end)
      refuses("fixed must be", function() start:learn(data, { fixed = "all" }) end)
   end)
end)
