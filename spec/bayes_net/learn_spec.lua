local ml = require "manilius"
local networks = require "spec.bayes_net.networks"
local support = require "spec.support"
local known = require "spec.fixtures.bayes_net.bayes_net"

local function load(name) return ml.read_bif("examples/data/" .. name .. ".bif") end

local function data_of(name)
   local set = known[name]
   return networks.frame(set.names, set.levels, set.rows)
end

local function edge_set(frame)
   local out = {}
   for i = 1, frame.rows do out[frame.from[i] .. " -> " .. frame.to[i]] = true end
   return out
end

describe("Scores of structures", function()
   for _, name in ipairs { "asia", "alarm" } do
      it("are those of pgmpy on " .. name, function()
         local net, X = load(name), data_of(name)
         for criterion, want in pairs(known[name].scores) do
            local found = net:structure_scores(X, { criterion = criterion, equivalent_sample_size = 10 })
            for i = 1, found.rows do
               support.near(want[found.node[i]], found.score[i], 1e-11, criterion .. " " .. found.node[i])
            end
         end
      end)

      it("found by hill climbing are near those of pgmpy on " .. name, function()
         local X = data_of(name)
         local model = ml.BayesNet { structure = "hill_climbing", levels = known[name].levels }:fit(X)
         assert.near(model.structure_score, model:structure_scores(X).score:sum(), 1e-8)
         -- edges of equal gain are chosen in another order, which leads to another local optimum
         assert.is_true(model.structure_score >= 1.01 * known[name].hill_climbing)
         local tabu = ml.BayesNet { structure = "tabu", levels = known[name].levels }:fit(X)
         assert.is_true(tabu.structure_score >= model.structure_score - 1e-9)
      end)
   end

   it("found by hill climbing cannot be raised by one change of an edge", function()
      local X, names = data_of "asia", known.asia.names
      local edges, arcs = {}, ml.BayesNet { structure = "hill_climbing" }:fit(X):arcs()
      for i = 1, arcs.rows do edges[i] = { arcs.from[i], arcs.to[i] } end
      local function total(list)
         local ok, net = pcall(ml.BayesNet, { nodes = names, edges = list, levels = { "yes", "no" } })
         return ok and net:structure_scores(X).score:sum() or -math.huge -- cycles are refused
      end
      local highest = total(edges)
      for _, u in ipairs(names) do
         for _, v in ipairs(names) do
            local others, there = {}, false
            for _, edge in ipairs(edges) do
               local is_it = edge[1] == u and edge[2] == v
               there = there or is_it
               if not is_it then others[#others + 1] = edge end
            end
            if there then assert.is_true(total(others) <= highest + 1e-6) end
            if u ~= v then
               others[#others + 1] = there and { v, u } or { u, v }
               assert.is_true(total(others) <= highest + 1e-6)
            end
         end
      end
   end)

   it("count weights as repeated rows", function()
      local net, X = load "asia", data_of "asia"
      local n = X.rows
      local w, rows = ml.Vector(n), {}
      for i = 1, n do
         w[i] = i % 3
         for _ = 1, i % 3 do rows[#rows + 1] = i end
      end
      local repeated = X:take(rows)
      for _, criterion in ipairs { "bic", "bdeu", "k2" } do
         support.near(net:structure_scores(repeated, { criterion = criterion }).score:sum(),
            net:structure_scores(X, { criterion = criterion, weights = w }).score:sum(), 1e-12)
      end
      local a = ml.BayesNet { structure = "hill_climbing" }:fit(repeated)
      local b = ml.BayesNet { structure = "hill_climbing" }:fit(X, nil, { weights = w })
      assert.equal(a:model_string(), b:model_string())
      support.near_all(a.probabilities, b.probabilities, 1e-12)
   end)

   it("of equivalent structures are equal", function()
      local X = data_of "asia"
      for _, criterion in ipairs { "bic", "aic", "bdeu", "loglik" } do
         local function total(edges)
            local net = ml.BayesNet { edges = edges, levels = { "yes", "no" } }
            return net:structure_scores(X, { criterion = criterion }).score:sum()
         end
         support.near(total "smoke -> lung -> xray", total "xray -> lung -> smoke", 1e-12)
         support.near(total "smoke -> lung -> xray", total "lung -> xray; lung -> smoke", 1e-12)
      end
   end)
end)

describe("Structure learning", function()
   it("recovers the equivalence class of a planted network", function()
      local net = load "asia"
      -- either is a function of its parents, and few visits to Asia are not enough to find its edge
      local X = net:sample(40000, 4):drop { "either", "asia" }
      local planted = ml.BayesNet { edges = "a -> c; b -> c; c -> d; c -> e; d -> f; e -> f", levels = { "0", "1" },
         cpts = { a = { 0.6, 0.4 }, b = { 0.3, 0.7 },
            c = { { { 0.9, 0.1 }, { 0.4, 0.6 } }, { { 0.25, 0.75 }, { 0.8, 0.2 } } },
            d = { { 0.85, 0.15 }, { 0.2, 0.8 } }, e = { { 0.7, 0.3 }, { 0.1, 0.9 } },
            f = { { { 0.9, 0.1 }, { 0.5, 0.5 } }, { { 0.35, 0.65 }, { 0.05, 0.95 } } } } }
      local rows = planted:sample(10000, 7)
      local want = tostring(planted:cpdag():sort { "from", "to" })
      for _, o in ipairs { { structure = "hill_climbing", restarts = 10, perturb = 3 }, { structure = "tabu" },
         { structure = "pc" },
         { structure = "tabu", criterion = "bdeu", equivalent_sample_size = 5 },
         { structure = "pc", test = "g", alpha = 0.01 } } do
         local model = ml.BayesNet(o):fit(rows:select { "a", "b", "c", "d", "e", "f" })
         assert.equal(want, tostring(model:cpdag():sort { "from", "to" }), o.structure)
      end
      local found = edge_set(ml.BayesNet { structure = "tabu" }:fit(X):cpdag())
      assert.is_true(found["smoke -> lung"] or found["lung -> smoke"])
      assert.is_nil(found["smoke -> dysp"])
   end)

   it("respects white and black lists and max_parents", function()
      local X = data_of "asia"
      local model = ml.BayesNet { structure = "hill_climbing", whitelist = "asia -> dysp",
         blacklist = "smoke -> lung; lung -> smoke", max_parents = 1 }:fit(X)
      local found = edge_set(model:arcs())
      assert.is_true(found["asia -> dysp"])
      assert.is_nil(found["smoke -> lung"])
      assert.is_nil(found["lung -> smoke"])
      for _, name in ipairs(model.node_names) do assert.is_true(#model:parents_of(name) <= 1) end
      support.refuses("has a cycle: asia %-> dysp %-> asia", function()
         ml.BayesNet { structure = "tabu", whitelist = "asia -> dysp; dysp -> asia" }:fit(X)
      end)
   end)

   it("finds the tree of pgmpy by Chow and Liu", function()
      local X = data_of "asia"
      local model = ml.BayesNet { structure = "chow_liu", root = "smoke" }:fit(X)
      local found = edge_set(model:arcs())
      for _, edge in ipairs(known.asia.tree) do assert.is_true(found[edge[1] .. " -> " .. edge[2]], edge[1]) end
      assert.equal(#known.asia.tree, model:arcs().rows)
   end)

   it("augments naive Bayes by a tree", function()
      local model = ml.BayesNet { structure = "tan", target = "dysp", root = "smoke" }:fit(data_of "asia")
      for _, name in ipairs(model.node_names) do
         local parents = model:parents_of(name)
         local count = name == "dysp" and 0 or name == "smoke" and 1 or 2
         assert.equal(count, #parents, name)
         if count > 0 then assert.equal("dysp", parents[1]) end
      end
      local naive = ml.BayesNet { structure = "naive_bayes", target = "dysp" }:fit(data_of "asia")
      assert.equal(7, naive:arcs().rows)
   end)

   it("tests independence as the statistics say", function()
      local net, X = load "asia", data_of "asia"
      for _, one in ipairs(known.tests) do
         for _, test in ipairs { "chi2", "g" } do
            local r = net:independence_test(X, one.a, one.b, one.given, { test = test })
            support.near(one[test].statistic, r.statistic, 1e-10, test, 1)
            assert.equal(one[test].df, r.df)
            support.near(one[test].p, r.p, 1e-8, "p", 1e-12)
         end
      end
   end)

   it("is the same for any number of threads, and with restarts not worse", function()
      local X = data_of "alarm"
      local before, found = ml.threads(), {}
      for i, count in ipairs { 1, 3 } do
         ml.threads(count)
         found[i] = ml.BayesNet { structure = "hill_climbing", restarts = 2, perturb = 3, seed = 1 }:fit(X)
      end
      ml.threads(before)
      assert.equal(found[1]:dump(), found[2]:dump())
      local once = ml.BayesNet { structure = "hill_climbing" }:fit(X)
      assert.is_true(found[1].structure_score >= once.structure_score - 1e-9)
   end)
end)

describe("Tables learned by BayesNet", function()
   local edges = "a -> b; a -> c"
   local X = ml.Frame { { "a", { "x", "x", "y", "y", "y" } }, { "b", { "u", "v", "u", "u", "v" } },
      { "c", { "s", "s", "s", "t", "s" } } }

   it("are frequencies, or frequencies with a prior", function()
      local mle = ml.BayesNet { edges = edges }:fit(X)
      assert.near(0.4, mle:cpt "a".x[1], 1e-15)
      assert.near(0.5, mle:cpt "b".u[1], 1e-15)
      assert.near(2 / 3, mle:cpt "b".u[2], 1e-15)
      assert.near(5 * math.log(1) + 2 * math.log(0.4) + 3 * math.log(0.6) + 2 * math.log(0.5) + 2 * math.log(2 / 3)
         + math.log(1 / 3) + 2 * math.log(1) + 2 * math.log(2 / 3) + math.log(1 / 3), mle.log_likelihood, 1e-12)
      local map = ml.BayesNet { edges = edges, equivalent_sample_size = 4 }:fit(X)
      assert.near((2 + 2) / 9, map:cpt "a".x[1], 1e-15)
      assert.near((2 + 1) / (3 + 2), map:cpt "b".u[2], 1e-15)
      local laplace = ml.BayesNet { edges = edges, pseudo_count = 1 }:fit(X)
      assert.near((1 + 1) / (3 + 2), laplace:cpt "c".t[2], 1e-15)
   end)

   it("are uniform where there are no rows", function()
      local model = ml.BayesNet { edges = edges, levels = { a = { "x", "y", "z" } } }:fit(X)
      assert.same({ 0.5, 0.5 }, { model:cpt "b".u[3], model:cpt "b".v[3] })
   end)

   it("recover those of alarm", function()
      local net = load "alarm"
      local model = ml.BayesNet { parents = net.parents, nodes = net.nodes, levels = net.levels,
         equivalent_sample_size = 1 }:fit(net:sample(50000, 3))
      local worst, prior = 0, net:marginals().labels.probability
      local found = model:marginals().labels.probability
      for i = 1, #prior do worst = math.max(worst, math.abs(prior[i] - found[i])) end
      assert.is_true(worst < 0.01) -- four standard errors of a proportion of 50,000 rows
   end)

   it("maximize the likelihood of rows with missing values as enumeration says", function()
      local net, names, levels = networks.random(3, 4)
      local rows = net:sample(300, 2)
      local draw, columns = networks.generator(11), {}
      for j, name in ipairs(names) do
         local values = { n = rows.rows }
         for i = 1, rows.rows do values[i] = draw() > 0.25 and rows[name][i] or nil end
         columns[j] = { name, ml.Factor(values) }
      end
      local X_missing = ml.Frame(columns)
      local model = ml.BayesNet { nodes = names, parents = net.parents, levels = levels, max_iter = 2000, tol = 0 }
      local before = ml.warnings()
      ml.warnings "off"
      model:fit(X_missing)
      ml.warnings(before)
      for i = 2, #model.trace do assert.is_true(model.trace[i] >= model.trace[i - 1] - 1e-9) end
      support.near(model.log_likelihood, model:score_samples(X_missing):sum(), 1e-10)
      -- the likelihood of each row is the sum over all completions, and expected counts reproduce the tables
      local list, p = networks.enumerate(names, levels, model)
      local total, count = 0, {}
      for i = 1, X_missing.rows do
         local given = {}
         for _, name in ipairs(names) do given[name] = X_missing[name][i] end
         local own = networks.sum(list, p, given)
         total = total + math.log(own)
         for k, row in ipairs(list) do
            local agrees = true
            for name, value in pairs(given) do agrees = agrees and row[name] == value end
            if agrees then count[k] = (count[k] or 0) + p[k] / own end
         end
      end
      support.near(total, model.log_likelihood, 1e-10)
      for _, label in ipairs(levels.v1) do
         local sum = 0
         for k, row in ipairs(list) do sum = sum + (row.v1 == label and count[k] or 0) end
         assert.near(sum / X_missing.rows, networks.sum(list, p, { v1 = label }), 1e-5)
      end
   end)

   it("find a latent class", function()
      local planted = ml.BayesNet { edges = "h -> a; h -> b; h -> c; h -> d", levels = { "0", "1" }, cpts = {
         h = { 0.3, 0.7 }, a = { { 0.9, 0.1 }, { 0.2, 0.8 } }, b = { { 0.8, 0.2 }, { 0.1, 0.9 } },
         c = { { 0.15, 0.85 }, { 0.9, 0.1 } }, d = { { 0.7, 0.3 }, { 0.05, 0.95 } } } }
      local rows = planted:sample(4000, 6)
      local model = ml.BayesNet { edges = planted.edges, levels = { h = { "0", "1" } }, latent = "h", n_init = 3,
         max_iter = 2000, tol = 1e-8, seed = 2 }:fit(rows:drop "h")
      local p = model:query "h".probability
      local low = math.min(p[1], p[2])
      assert.near(0.3, low, 0.04)
      assert.is_true(model.log_likelihood >= planted:score_samples(rows:drop "h"):sum())
   end)

   it("predict a column from the others, by the blanket and by inference alike", function()
      local net = load "asia"
      local rows = net:sample(200, 8)
      local p = net:predict_proba(rows, "dysp")
      for i = 1, 20 do
         local given = {}
         for _, name in ipairs(net:order()) do given[name] = name ~= "dysp" and rows[name][i] or nil end
         assert.near(net:query("dysp", given).probability[1], p.yes[i], 1e-12)
      end
      local some = net:predict_proba(rows:drop { "either", "bronc", "dysp" }, "dysp")
      for i = 1, 20 do
         local given = {}
         for _, name in ipairs { "asia", "tub", "smoke", "lung", "xray" } do given[name] = rows[name][i] end
         assert.near(net:query("dysp", given).probability[1], some.yes[i], 1e-12)
      end
      local labels = net:predict(rows, "dysp")
      local right = 0
      for i = 1, rows.rows do right = right + (labels[i] == rows.dysp[i] and 1 or 0) end
      assert.is_true(right / rows.rows > 0.75)
   end)

   it("are refused with the remedy", function()
      support.refuses("edges, parents or structure must be given", function() ml.BayesNet {}:fit(X) end)
      support.refuses("X must have the column 'd', which is a node; or list it in latent", function()
         ml.BayesNet { edges = "a -> d" }:fit(X)
      end)
      support.refuses("fit takes no y", function() ml.BayesNet { edges = edges }:fit(X, { 1, 2, 3, 4, 5 }) end)
      support.refuses("structure must be one of hill_climbing, tabu", function() ml.BayesNet { structure = "hc" } end)
      support.refuses("'b' has labels, so its parent 'z' must not be a number", function()
         ml.BayesNet { edges = "z -> b" }:fit(ml.Frame { { "z", { 1, 2, 3, 4, 5 } }, { "b", X.b } })
      end)
      support.refuses("call fit first, or give cpts", function() ml.BayesNet { edges = edges }:query "a" end)
   end)

   it("save, load and clone", function()
      local model = ml.BayesNet { structure = "hill_climbing" }:fit(data_of "asia")
      local again = ml.load(model:dump())
      assert.equal(tostring(model), tostring(again))
      assert.same(model:marginals { smoke = "yes" }.labels.probability:totable(),
         again:marginals { smoke = "yes" }.labels.probability:totable())
      assert.is_false(model:clone().fitted)
      local net = load "asia"
      assert.equal(net:query "dysp".probability[1], net:clone():query "dysp".probability[1])
      assert.equal(net:query "dysp".probability[1], ml.load(net:dump()):query "dysp".probability[1])
   end)
end)
