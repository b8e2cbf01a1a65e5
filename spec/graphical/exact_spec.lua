--- Exact inference against enumeration: marginals, partition function, most probable state, joint distributions.
local ml = require "manilius"
local enumeration = require "spec.graphical.enumeration"
local refuses = require "spec.support".refuses

local function check_all(graph, evidence)
   local list
   if evidence then
      list = {}
      for v = 1, graph.n do list[v] = evidence[v] or 0 end
   end
   local truth = enumeration.answers(graph, evidence)
   for _, order in ipairs { "auto", "min_fill", "min_weight" } do
      local exact = graph:infer { method = "exact", evidence = list, order = order }
      assert.near(truth.log_partition, exact.log_partition, 1e-10)
      assert.is_true(enumeration.error_of(exact, truth) < 1e-12)
   end
   local map = graph:map { method = "exact", evidence = list }
   assert.near(truth.score, map.score, 1e-10)
   assert.near(truth.score, graph:score(map.vector), 1e-10)
   return truth
end

describe("exact inference", function()
   it("agrees with enumeration on random graphs with impossible states", function()
      for seed = 1, 40 do
         local graph = enumeration.random(seed, { n = 2 + seed % 6, states = 4, factors = 3 + seed % 8, arity = 4,
            zeros = seed % 3 == 0 and 0.1 or 0 })
         if enumeration.answers(graph).log_partition > -math.huge then check_all(graph) end
      end
   end)

   it("agrees with enumeration given evidence", function()
      for seed = 1, 20 do
         local graph = enumeration.random(seed, { n = 6, states = 3, factors = 9, arity = 3 })
         check_all(graph, { [1 + seed % 6] = 1, [1 + (seed + 3) % 6] = math.tointeger(graph.card[1 + (seed + 3) % 6]) })
      end
   end)

   it("handles forests, variables without factors and states of one value", function()
      local graph = ml.FactorGraph { variables = { { "v1", 2 }, { "v2", 1 }, { "v3", 3 }, { "v4", 2 } },
         factors = { { { "v1", "v2" }, { 1, 3 } }, { { "v4" }, { 0, 2 } } } }
      local truth = check_all(graph)
      assert.near(math.log(4 * 3 * 2), truth.log_partition, 1e-12)
      assert.near(1 / 3, graph:infer():probability("v3", 2), 1e-14)
   end)

   it("does not lose range: potentials far beyond that of doubles", function()
      local graph = ml.FactorGraph { variables = { { "a", 2 }, { "b", 2 } },
         factors = { { { "a", "b" }, log_table = { { 5000, 4999 }, { -5000, 0 } } },
            { "a", log_table = { -9000, 1000 } } } }
      local exact = graph:infer()
      assert.near(1000, exact.log_partition, 1e-9)
      assert.near(1, exact:probability("a", 2), 1e-12)
   end)

   it("gives joint distributions by variable elimination", function()
      for seed = 1, 15 do
         local graph = enumeration.random(seed, { n = 6, states = 3, factors = 9, arity = 3 })
         local joint = graph:joint { "v4", "v2", "v6" }
         local truth, total = {}, 0
         enumeration.states(graph, nil, function(state, weight)
            local key = table.concat({ state[4], state[2], state[6] }, " ")
            truth[key], total = (truth[key] or 0) + weight, total + weight
         end)
         for key, weight in pairs(truth) do
            local a, b, c = key:match "(%d+) (%d+) (%d+)"
            assert.near(weight / total, joint:probability { v4 = tonumber(a), v2 = tonumber(b), v6 = tonumber(c) },
               1e-12)
         end
         assert.near(math.log(total), joint.log_partition, 1e-10)
         assert.near(1, joint:frame().probability:sum(), 1e-12)
      end
   end)

   it("draws independent samples", function()
      local graph = enumeration.random(7, { n = 5, states = 3, factors = 8, arity = 3 })
      local truth = enumeration.answers(graph)
      local n = 4000
      local states = graph:sample(n, { seed = 3 })
      for v, list in ipairs(truth.marginals) do
         for s, p in ipairs(list) do
            local share = states:col(v):eq(s):sum() / n
            assert.near(p, share, 5 * math.sqrt(p * (1 - p) / n) + 1e-9) -- 5 standard errors
         end
      end
      assert.same(states:totable(), graph:sample(n, { seed = 3 }):totable())
   end)

   it("announces its cost before anything is allocated", function()
      local variables, factors = {}, {}
      for v = 1, 40 do
         variables[v] = { "v" .. v, 2 }
         for u = 1, v - 1 do factors[#factors + 1] = { { "v" .. u, "v" .. v }, { 2, 1, 1, 2 } } end
      end
      local graph = ml.FactorGraph { variables = variables, factors = factors }
      local before = ml.memory.live()
      local cost = graph:cost()
      assert.equal(39, cost.width)
      assert.equal(2 ^ 40, cost.largest)
      assert.is_true(cost.bytes >= 8 * 2 ^ 40)
      refuses("FactorGraph: exact inference needs 8.796 TB for its tables %(treewidth up to 39%), and max_bytes is "
         .. '1.074 GB; raise max_bytes, or choose an approximate method: "sum_product"', function()
         graph:infer { method = "exact" }
      end)
      refuses("exact inference needs", function() graph:map { method = "exact" } end)
      refuses("exact inference needs", function() graph:joint { "v1" } end)
      collectgarbage()
      assert.is_true(ml.memory.live() - before < 1e6)
   end)

   it("has the treewidth of known graphs", function()
      local function cycle(n)
         local factors = {}
         for v = 1, n do factors[v] = { { v, v % n + 1 }, { 2, 1, 1, 2 } } end
         local cards = {}
         for v = 1, n do cards[v] = 2 end
         return ml.FactorGraph { variables = cards, factors = factors }
      end
      assert.equal(2, cycle(9):cost().width)
      assert.equal(1, cycle(2):cost().width)
      assert.equal(1, cycle(9):cost { evidence = { x1 = 1 } }.width)
   end)

   it("says that evidence is impossible", function()
      local graph = ml.FactorGraph { variables = { { "a", 2 }, { "b", 2 } },
         factors = { { { "a", "b" }, { 1, 0, 1, 1 } } } }
      refuses("FactorGraph: all states that agree with the evidence have probability 0", function()
         graph:infer { evidence = { a = 1, b = 2 } }
      end)
      local contradiction = ml.FactorGraph { variables = { { "a", 2 } },
         factors = { { "a", { 0, 1 } }, { "a", { 1, 0 } } } }
      refuses("all states have probability 0", function() contradiction:infer() end)
      refuses("all states have probability 0", function() contradiction:map() end)
      assert.equal(-math.huge, contradiction:score { a = 1 })
   end)

   it("treats conditioned graphs as evidence", function()
      local graph = enumeration.random(5, { n = 5, states = 3, factors = 8, arity = 3 })
      local given = graph:infer { evidence = { v2 = 1 } }
      local conditioned = graph:condition { v2 = 1 }:infer()
      assert.near(given.log_partition, conditioned.log_partition, 1e-12)
      assert.is_true((given.table - conditioned.table):abs():max() < 1e-14)
   end)
end)

describe("a factor graph", function()
   local graph = enumeration.random(9, { n = 4, states = 3, factors = 5, arity = 3 })

   it("is saved and loaded", function()
      local named = ml.FactorGraph { variables = { rain = { "no", "yes" }, sky = { "blue", "grey", true } },
         factors = { { { "rain", "sky" }, { { 1, 2, 3 }, { 4, 5, 6 } } } } }
      for _, one in ipairs { graph, named } do
         local copy = ml.load(ml.dump(one))
         assert.equal(tostring(one), tostring(copy))
         assert.equal(tostring(one:infer()), tostring(copy:infer()))
      end
      assert.equal("yes", ml.load(named:dump()):map():of "rain")
      assert.matches("rain: no, yes", tostring(named))
   end)

   it("refuses wrong arguments with the remedy", function()
      local function make(variables, factors)
         return function() ml.FactorGraph { variables = variables, factors = factors } end
      end
      refuses("FactorGraph: settings must be a table, got number", ml.FactorGraph, 1)
      refuses("there is no setting 'variable'; did you mean 'variables'", function()
         ml.FactorGraph { variable = {} }
      end)
      refuses("variables must be a table", make(nil))
      refuses("variable 'a' must have a number of states or a list of their labels, got 0", make { a = 0 })
      refuses("variable 'a' has the state \"x\" twice", make { a = { "x", "x" } })
      refuses("factor 1: there is no variable \"c\"", make({ a = 2 }, { { { "c" }, { 1, 2 } } }))
      refuses("factor 1 has variable 'a' twice", make({ a = 2 }, { { { "a", "a" }, { 1, 2, 3, 4 } } }))
      refuses("factor 1 over 2 variables must have 2 x 3 = 6 values, the last variable changing fastest, got 4",
         make({ a = 2, b = 3 }, { { { "a", "b" }, { 1, 2, 3, 4 } } }))
      refuses("factor 1: values must be >= 0 and finite, got %-1; give logarithms as log_table",
         make({ a = 2 }, { { "a", { -1, 2 } } }))
      refuses("factor 1: values must be >= 0 and finite, got nan", make({ a = 2 }, { { "a", { 0 / 0, 2 } } }))
      refuses("factor 1: logarithms must be between", make({ a = 2 }, { { "a", log_table = { math.huge, 2 } } }))
      refuses("evidence: there is no variable 'w1'", function() graph:infer { evidence = { w1 = 1 } } end)
      refuses("data: the state of 'v1' in row 1 is missing; only method", function()
         graph:learn { { 0 / 0, 1, 1, 1, 1, 1 } }
      end)
      refuses("data: the state in row 1, column 2 is missing; only method", function()
         graph:learn(ml.Matrix { { 1, 0 / 0, 1, 1 } })
      end)
      refuses("evidence: 'v1' has no state 9", function() graph:infer { evidence = { v1 = 9 } } end)
      refuses("infer has no option 'evidense'; did you mean 'evidence'", function() graph:infer { evidense = {} } end)
      refuses("method must be one of auto", function() graph:infer { method = "belief" } end)
      refuses([[method "max_product" is one of map, not of infer]], function()
         graph:infer { method = "max_product" }
      end)
      refuses([[method "gibbs" is one of infer, not of map]], function() graph:map { method = "gibbs" } end)
      refuses("max_bytes must be a number", function() graph:infer { max_bytes = "1" } end)
      refuses("infer: call it with a colon, as in graph:infer", function() graph.infer {} end)
      refuses("FactorGraph has no 'infr'", function() return graph.infr end)
      refuses("a graph is immutable", function() graph.n = 3 end)
   end)

   it("survives fields that were overwritten", function()
      local core, raw = require "manilius.core", {}
      for _, name in ipairs { "card", "scope_start", "scope", "table_start", "table" } do raw[name] = graph[name] end
      for _, name in ipairs { "card", "scope_start", "scope", "table_start", "table" } do
         for _, value in ipairs { ml.Vector { -1 }, ml.Vector { 1e300, 2 }, ml.Vector { 0 / 0 }, 1 } do
            local kept = raw[name]
            raw[name] = value
            assert.is_false((pcall(core.graphical_exact, raw)))
            raw[name] = kept
         end
      end
      assert.is_true((pcall(core.graphical_exact, raw)))
   end)
end)
