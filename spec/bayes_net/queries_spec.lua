local ml = require "manilius"
local networks = require "spec.bayes_net.networks"
local support = require "spec.support"
local known = require "spec.fixtures.bayes_net.bayes_net"

local SINGLE = 2e-7 -- pyAgrum reads the numbers of a file in single precision

local function load(name) return ml.read_bif("examples/data/" .. name .. ".bif") end

describe("BayesNet queries", function()
   for _, name in ipairs { "asia", "alarm" } do
      it("agree with pyAgrum on " .. name, function()
         local net, want = load(name), known[name]
         local prior, post = net:marginals().labels, net:marginals(want.evidence)
         for node, levels in pairs(want.levels) do
            for i, label in ipairs(levels) do
               assert.near(want.prior[node][i], networks.probability(prior, node, label), SINGLE)
               assert.near(want.posterior[node][i], networks.probability(post.labels, node, label), SINGLE)
            end
         end
         assert.near(want.log_p, post.log_evidence, 1e-6)
         assert.near(want.log_p, net:log_evidence(want.evidence), 1e-6)
         local joint = net:query(want.joint.names, want.joint.evidence)
         assert.equal(#want.joint.p, joint.rows)
         for i, p in ipairs(want.joint.p) do assert.near(p, joint.probability[i], SINGLE) end
      end)
   end

   it("give the published values of asia", function()
      -- Lauritzen & Spiegelhalter (1988): tub, lung, bronc; and with dyspnoea after a visit to Asia
      local net = load "asia"
      local prior = net:marginals().labels
      assert.near(0.0104, networks.probability(prior, "tub", "yes"), 5e-5)
      assert.near(0.055, networks.probability(prior, "lung", "yes"), 5e-4)
      assert.near(0.45, networks.probability(prior, "bronc", "yes"), 5e-3)
      local post = net:marginals { asia = "yes", dysp = "yes" }.labels
      assert.near(0.0877, networks.probability(post, "tub", "yes"), 1e-4)
      assert.near(0.8114, networks.probability(post, "bronc", "yes"), 1e-4)
   end)

   it("agree with enumeration on random networks", function()
      for seed = 1, 12 do
         local net, names, levels, draw = networks.random(seed, 5)
         local list, p = networks.enumerate(names, levels, net)
         assert.near(1, networks.sum(list, p), 1e-12)
         local given = { [names[1 + math.floor(draw() * 5)]] = "a", [names[1 + math.floor(draw() * 5)]] = "b" }
         local total = networks.sum(list, p, given)
         assert.near(math.log(total), net:log_evidence(given), 1e-12)
         for _, name in ipairs(names) do
            if not given[name] then
               local post = net:query(name, given)
               for i, label in ipairs(levels[name]) do
                  local want = networks.sum(list, p, given, { [name] = label }) / total
                  assert.near(want, post.probability[i], 1e-12)
                  assert.near(want, net:probability({ [name] = label }, given), 1e-12)
               end
            end
         end
         local best, at = -1, nil
         for i, row in ipairs(list) do
            local agrees = true
            for name, value in pairs(given) do agrees = agrees and row[name] == value end
            if agrees and p[i] > best then best, at = p[i], row end
         end
         local mpe, log_p = net:mpe(given)
         assert.near(math.log(best), log_p, 1e-12)
         for name, value in pairs(at) do assert.equal(value, mpe[name]) end
      end
   end)

   it("answer soft evidence and marginal MAP as enumeration does", function()
      local net, names, levels = networks.random(5, 5)
      local list, p = networks.enumerate(names, levels, net)
      local weight, total = { a = 0.2, b = 0.7, c = 0.5 }, 0
      local want = {}
      for i, row in ipairs(list) do
         local w = p[i] * weight[row.v2]
         total = total + w
         want[row.v4] = (want[row.v4] or 0) + w
      end
      local soft = {}
      for _, label in ipairs(levels.v2) do soft[label] = weight[label] end
      local post = net:query("v4", { v2 = soft })
      for i, label in ipairs(levels.v4) do assert.near(want[label] / total, post.probability[i], 1e-12) end
      local map, probability = net:map({ "v1", "v3" }, { v5 = "a" })
      local best = 0
      for _, a in ipairs(levels.v1) do
         for _, b in ipairs(levels.v3) do
            best = math.max(best, net:probability({ v1 = a, v3 = b }, { v5 = "a" }))
         end
      end
      assert.near(best, probability, 1e-12)
      assert.near(best, net:probability({ v1 = map.v1, v3 = map.v3 }, { v5 = "a" }), 1e-12)
   end)

   it("give 0 for impossible events and refuse impossible evidence", function()
      local net = load "asia"
      assert.equal(0, net:probability({ either = "no" }, { lung = "yes" }))
      assert.equal(0, net:probability({ lung = "no" }, { lung = "yes" }))
      assert.equal(1, net:probability({}, { lung = "yes" }))
      support.refuses("evidence have probability 0", function() net:query("xray", { lung = "yes", either = "no" }) end)
      support.refuses("there is no node 'lungs'; did you mean 'lung'", function() net:query("lungs") end)
      support.refuses("node 'lung' has no level 'maybe'; there are yes, no", function()
         net:query("xray", { lung = "maybe" })
      end)
      support.refuses("both asked for and known", function() net:query("lung", { lung = "yes" }) end)
   end)

   it("sample within their standard errors", function()
      local net = load "alarm"
      local given = { HRBP = "HIGH", BP = "LOW" }
      local function check(network, evidence, method)
         local exact = network:marginals(evidence).labels
         local o = { method = method, samples = 20000, seed = 3 }
         local found = network:marginals(evidence, o)
         local far = 0
         for i = 1, exact.rows do
            local e = found.labels.std_error[i]
            if math.abs(found.labels.probability[i] - exact.probability[i]) > 4 * e + 1e-12 then far = far + 1 end
         end
         assert.is_true(far <= 0.03 * exact.rows, ("%s: %d of %d beyond 4 errors"):format(method, far, exact.rows))
         assert.same(found.labels.probability:totable(), network:marginals(evidence, o).labels.probability:totable())
      end
      check(net, given, "likelihood_weighting")
      for seed = 1, 4 do check(networks.random(seed, 7), { v7 = "a", v3 = "b" }, "gibbs") end
      local lw = net:query("CVP", given, { method = "likelihood_weighting", samples = 2000 })
      assert.same({ "CVP", "probability", "std_error" }, { table.unpack(lw.names) })
      assert.near(net:log_evidence(given),
         net:marginals(given, { method = "likelihood_weighting" }).log_evidence, 0.1)
   end)

   it("warn that Gibbs sampling may not reach all states of tables with zeros", function()
      local before, said = ml.warnings(), {}
      ml.warnings(function(text) said[#said + 1] = text end)
      load "asia":query("lung", {}, { method = "gibbs", samples = 100 })
      ml.warnings(before)
      assert.equal(1, #said)
      assert.matches("tables with zeros", said[1])
   end)

   it("intervene by cutting the edges from parents", function()
      local net = load "asia"
      local cut = net:intervene { bronc = "yes" }
      assert.near(0.5, cut:query "smoke".probability[1], 1e-12) -- unlike P(smoke | bronc)
      assert.is_true(net:query("smoke", { bronc = "yes" }).probability[1] > 0.6)
      local want = 0 -- adjustment: sum over smoke of P(dysp | bronc, smoke) P(smoke)
      for _, s in ipairs { "yes", "no" } do
         want = want + net:probability({ dysp = "yes" }, { bronc = "yes", smoke = s }) * 0.5
      end
      assert.near(want, cut:query "dysp".probability[1], 1e-12)
      assert.same({}, { table.unpack(cut:parents_of "bronc") })
   end)

   it("differentiate a posterior by the entries of tables as finite differences do", function()
      local net, names, levels = networks.random(9, 4)
      local given, event = { v4 = "a" }, { v2 = "b" }
      local slopes = net:sensitivity(event, given, names)
      local h = 1e-5
      for i = 1, slopes.rows do
         local node, label = slopes.node[i], slopes.value[i]
         local function moved(step)
            local cpts = {}
            for _, name in ipairs(names) do cpts[name] = net.cpts[name]:copy() end
            local parents, y, row = net:parents_of(node), nil, 0
            for k, one in ipairs(levels[node]) do y = one == label and k or y end
            for k = 1, #parents do
               local code
               local value = slopes.parents[i]:match(parents[k] .. " = (%w+)")
               for j, one in ipairs(levels[parents[k]]) do code = one == value and j or code end
               row = row * #levels[parents[k]] + code - 1
            end
            local old = cpts[node][row + 1][y]
            for k = 1, #levels[node] do
               local one = cpts[node][row + 1][k]
               cpts[node]:set(row + 1, k, k == y and old + step or one * (1 - old - step) / (1 - old))
            end
            local other = ml.BayesNet { nodes = net.nodes, parents = net.parents, levels = net.levels, cpts = cpts }
            return other:probability(event, given)
         end
         assert.near((moved(h) - moved(-h)) / (2 * h), slopes.derivative[i], 1e-8)
      end
   end)

   it("have the same bytes for any number of threads", function()
      local net = load "alarm"
      local function results()
         return { net:sample(3000, 5).HR:codes():totable(), net:marginals({ HR = "LOW" },
            { method = "likelihood_weighting", samples = 3000 }).labels.probability:totable() }
      end
      local before, found = ml.threads(), {}
      for i, count in ipairs { 1, 2, 3 } do
         ml.threads(count)
         found[i] = results()
      end
      ml.threads(before)
      assert.same(found[1], found[2])
      assert.same(found[1], found[3])
   end)

   it("announce the cost of exact inference and refuse what is too large", function()
      local net = load "alarm"
      local cost = net:cost()
      assert.equal(4, cost.width)
      net.memory_limit = 1000
      support.refuses("and memory_limit is 1 KB; raise memory_limit, or choose an approximate method: "
         .. '"likelihood_weighting" or "gibbs"', function() net:marginals() end)
      for _, method in ipairs { "likelihood_weighting", "gibbs" } do
         assert.equal(3, net:query("HRBP", {}, { method = method, samples = 100 }).rows)
      end
   end)
end)

describe("The structure of a BayesNet", function()
   local net = load "asia"

   it("has an order, parents, children, ancestors, blankets and a moral graph", function()
      assert.same({ "asia", "tub", "smoke", "lung", "bronc", "either", "xray", "dysp" }, { table.unpack(net:order()) })
      assert.same({ "lung", "tub" }, { table.unpack(net:parents_of "either") })
      assert.same({ "lung", "bronc" }, { table.unpack(net:children_of "smoke") })
      assert.same({ "asia", "tub", "smoke", "lung" }, { table.unpack(net:ancestors_of "either") })
      assert.same({ "tub", "lung", "bronc", "xray", "dysp" }, { table.unpack(net:blanket "either") })
      assert.equal(10, net:moral_graph().rows) -- 8 edges, tub - lung, bronc - either
      assert.equal(8, net:arcs().rows)
   end)

   it("separates nodes as independence in the distribution says", function()
      for seed = 1, 8 do
         local random, names = networks.random(seed, 5)
         for a = 1, 5 do
            for b = a + 1, 5 do
               for g = 0, 5 do
                  if g ~= a and g ~= b then
                     local given = g > 0 and { names[g] } or {}
                     local separated = random:d_separated(names[a], names[b], given)
                     local dependent = false
                     for _, value in ipairs(g > 0 and { "a", "b" } or { false }) do
                        local base = g > 0 and { [names[g]] = value } or {}
                        local p = random:query(names[a], base).probability
                        base[names[b]] = "a"
                        local q = random:query(names[a], base).probability
                        dependent = dependent or math.abs(p[1] - q[1]) > 1e-9
                     end
                     assert.equal(not dependent, separated)
                  end
               end
            end
         end
      end
   end)

   it("refuses cycles with their nodes", function()
      support.refuses("the network has a cycle: a %-> b %-> c %-> a", function()
         ml.BayesNet { edges = "a -> b; b -> c; c -> a" }
      end)
      support.refuses("has a cycle: a %-> a", function() ml.BayesNet { edges = { { "a", "a" } } } end)
   end)

   it("reads several edges from one string, alone or in a list", function()
      local wanted = ml.BayesNet { edges = { { "a", "b" }, { "b", "c" }, { "a", "c" } } }:model_string()
      assert.equal(wanted, ml.BayesNet { edges = "a -> b; b -> c; a -> c" }:model_string())
      assert.equal(wanted, ml.BayesNet { edges = { "a -> b; b -> c", "a -> c" } }:model_string())
   end)

   it("gives errors the position of the caller alone", function()
      local two = ml.BayesNet { edges = "a -> b", levels = { "no", "yes" }, cpts = { a = { 0.5, 0.5 },
         b = { { 0.5, 0.5 }, { 0.5, 0.5 } } } }
      local _, message = pcall(function() local _ = two:probability({ c = "no" }, {}) end)
      assert.matches("^[^\n]*queries_spec.lua:%d+: BayesNet: event: there is no node 'c'", message)
      assert.not_matches("model.lua", message)
   end)
end)

describe("The tables of a BayesNet", function()
   local edges = "rain -> wet; sprinkler -> wet"

   it("may be nested by labels or positions, or a Matrix", function()
      local by_label = { no = { no = { 1, 0 }, yes = { no = 0.1, yes = 0.9 } },
         yes = { no = { 0.2, 0.8 }, yes = { 0.01, 0.99 } } }
      local by_position = { { { 1, 0 }, { 0.1, 0.9 } }, { { 0.2, 0.8 }, { 0.01, 0.99 } } }
      local matrix = ml.Matrix { { 1, 0 }, { 0.1, 0.9 }, { 0.2, 0.8 }, { 0.01, 0.99 } }
      for _, wet in ipairs { by_label, by_position, matrix } do
         local net = ml.BayesNet { edges = edges, levels = { "no", "yes" }, cpts = { rain = { 0.8, 0.2 },
            sprinkler = { 0.7, 0.3 }, wet = wet } }
         assert.near(0.8 * 0.3 * 0.9 + 0.2 * 0.7 * 0.8 + 0.2 * 0.3 * 0.99, net:query "wet".probability[2], 1e-15)
         assert.equal(4, net:cpt "wet".rows)
      end
   end)

   it("are refused with the place and the reason", function()
      local function with(wet, levels)
         return function()
            ml.BayesNet { edges = edges, levels = levels or { "no", "yes" }, cpts = { rain = { 0.8, 0.2 },
               sprinkler = { 0.7, 0.3 }, wet = wet } }
         end
      end
      support.refuses("cpts.wet%[no%] must have an entry for each of the 2 levels of 'sprinkler', got 1",
         with { no = { no = { 1, 0 } }, yes = { no = { 1, 0 }, yes = { 1, 0 } } })
      support.refuses("cpts.wet%[no%]%[yes%] must add up to 1, got 1.1",
         with { { { 1, 0 }, { 0.2, 0.9 } }, { { 1, 0 }, { 1, 0 } } })
      support.refuses("must be 4 x 2, a row for each configuration of the parents, got 2 x 2",
         with(ml.Matrix { { 1, 0 }, { 1, 0 } }))
      support.refuses("cpts has no table of node 'wet'", with(nil))
      support.refuses("there is no node 'snow'", function()
         ml.BayesNet { edges = edges, levels = { "no", "yes" }, cpts = { snow = { 1, 0 } } }
      end)
   end)
end)

describe("The picture of a network", function()
   it("has an arrow of equal length for each edge, which ends at the border of a box", function()
      local panel = ml.plot.network(ml.read_bif "examples/data/asia.bif").panels[1]
      local arrows, boxes = nil, nil
      for _, layer in ipairs(panel.layers) do
         if layer.arrow then arrows = layer end
         if layer.kind == "rectangles" and #layer.x1 == 8 then boxes = layer end
      end
      assert.equal(8, #arrows.x1)
      for k = 1, 8 do
         local x, y = arrows.x2[k], arrows.y2[k]
         assert.near(18, math.sqrt((x - arrows.x1[k]) ^ 2 + (y - arrows.y1[k]) ^ 2), 1e-6)
         local nearest = math.huge
         for i = 1, 8 do
            local beyond_x = math.max(boxes.x1[i] - x, x - boxes.x2[i])
            local beyond_y = math.max(boxes.y1[i] - y, y - boxes.y2[i])
            nearest = math.min(nearest, math.abs(math.max(beyond_x, beyond_y)))
         end
         assert.is_true(nearest < 1, nearest)
      end
   end)
end)
