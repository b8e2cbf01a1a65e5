--- Networks with numbers: joint normals, and mixtures of them given labels.
local ml = require "manilius"
local support = require "spec.support"
local known = require "spec.fixtures.bayes_net.bayes_net"

local NUMBERS = known.numbers

local function frame()
   local X, columns = ml.Matrix(NUMBERS.rows), {}
   for j, name in ipairs(NUMBERS.names) do columns[j] = { name, X:col(j):copy() } end
   return ml.Frame(columns)
end

local function normal_log(x, mean, variance)
   return -0.5 * (math.log(2 * math.pi * variance) + (x - mean) ^ 2 / variance)
end

describe("Numbers in a BayesNet", function()
   local edges = "x1 -> x3; x2 -> x3; x3 -> x4"

   it("are fitted by least squares", function()
      local model = ml.BayesNet { edges = edges }:fit(frame())
      local total = 0
      for name, want in pairs(NUMBERS.tables) do
         local row = model:cpt(name)
         for k, value in ipairs(want) do support.near(value, row.columns[k][1], 1e-10, name) end
         total = total + NUMBERS.loglik[name]
      end
      support.near(total, model.log_likelihood, 1e-12)
      local scores = model:structure_scores(frame(), { criterion = "loglik" })
      for i = 1, scores.rows do support.near(NUMBERS.loglik[scores.node[i]], scores.score[i], 1e-11) end
      local n = #NUMBERS.rows
      local bic = model:structure_scores(frame(), { criterion = "bic" }).score:sum()
      support.near(total - 0.5 * math.log(n) * 11, bic, 1e-11) -- 2 + 2 + 4 + 3 parameters
   end)

   it("are tested by partial correlation", function()
      local net = ml.BayesNet { edges = edges }:fit(frame())
      for _, one in ipairs(NUMBERS.fisher_z) do
         local r = net:independence_test(frame(), one.a, one.b, one.given)
         support.near(one.statistic, r.statistic, 1e-8, "statistic", 1e-6)
         support.near(one.p, r.p, 1e-7, "p", 1e-10)
      end
   end)

   it("recover their structure", function()
      local planted = ml.BayesNet { edges = edges, cpts = { x1 = { 1, 2 }, x2 = { -1, 1 },
         x3 = { intercept = 0.5, x1 = 1.5, x2 = -2, sd = 0.7 }, x4 = { 3, -0.8, 1.2 } } }
      local rows = planted:sample(2000, 3)
      local want = tostring(planted:cpdag():sort { "from", "to" })
      for _, structure in ipairs { "hill_climbing", "pc", "tabu" } do
         local model = ml.BayesNet { structure = structure, alpha = 0.01, restarts = 5, perturb = 3 }
         model:fit(rows:select { "x1", "x2", "x3", "x4" })
         assert.equal(want, tostring(model:cpdag():sort { "from", "to" }), structure)
      end
      assert.equal(3, ml.BayesNet { structure = "chow_liu" }:fit(rows):arcs().rows)
   end)

   it("have posteriors of the joint normal distribution", function()
      local net = ml.BayesNet { edges = "a -> b; a -> c; b -> d; c -> d", cpts = { a = { 1, 2 }, b = { 0.5, 2, 1 },
         c = { -1, 0.5, 0.3 }, d = { 0, 1, -3, 0.5 } } }
      -- covariances by hand: d = b - 3 c + e
      local covariance, mean = net:covariance { "a", "b", "c", "d" }
      local va, vb, vc = 4, 4 * 4 + 1, 0.25 * 4 + 0.09
      local cbc = 2 * 0.5 * 4
      local vd = vb + 9 * vc - 6 * cbc + 0.25
      support.near_rows({ { va, 8, 2, 8 - 6 }, { 8, vb, cbc, vb - 3 * cbc }, { 2, cbc, vc, cbc - 3 * vc },
         { 2, vb - 3 * cbc, cbc - 3 * vc, vd } }, covariance, 1e-13)
      support.near_all({ 1, 2.5, -0.5, 4 }, mean, 1e-14)
      local given = { b = 3, d = 2 }
      local s = ml.Matrix { { vb, vb - 3 * cbc }, { vb - 3 * cbc, vd } }
      local r, k = { 3 - 2.5, 2 - 4 }, { 8, 2 }
      local det = s[1][1] * s[2][2] - s[1][2] ^ 2
      local w = { (k[1] * s[2][2] - k[2] * s[1][2]) / det, (k[2] * s[1][1] - k[1] * s[1][2]) / det }
      local post = net:query("a", given)
      support.near(1 + w[1] * r[1] + w[2] * r[2], post.mean[1], 1e-12)
      support.near((va - w[1] * k[1] - w[2] * k[2]) ^ 0.5, post.sd[1], 1e-12)
      local quadratic = (r[1] ^ 2 * s[2][2] - 2 * r[1] * r[2] * s[1][2] + r[2] ^ 2 * s[1][1]) / det
      support.near(-math.log(2 * math.pi) - 0.5 * math.log(det) - 0.5 * quadratic, net:log_evidence(given), 1e-12)
      assert.near(post.mean[1], net:mpe(given).a, 1e-12) -- the mode of a normal is its mean
      local cut = net:intervene { b = 3 }
      support.near(1, cut:query "a".mean[1], 1e-12)
      support.near(3 - 3 * -0.5, cut:query "d".mean[1], 1e-12)
   end)

   local mixed = ml.BayesNet { edges = "kind -> size; kind -> weight; size -> weight; side -> size",
      levels = { kind = { "a", "b" }, side = { "l", "m", "r" } },
      cpts = { kind = { 0.3, 0.7 }, side = { 0.2, 0.5, 0.3 },
         size = { a = { l = { 1, 0.5 }, m = { 2, 1 }, r = { 3, 0.7 } },
            b = { l = { 4, 1 }, m = { 0, 2 }, r = { 1, 1 } } },
         weight = { a = { 1, 2, 0.5 }, b = { -1, 0.5, 1.5 } } } }

   it("given labels are mixtures of normals", function()
      -- enumerate the labels: p(kind, side) p(size) p(weight | size)
      local P, Q = { a = 0.3, b = 0.7 }, { l = 0.2, m = 0.5, r = 0.3 }
      local S = { a = { l = { 1, 0.5 }, m = { 2, 1 }, r = { 3, 0.7 } },
         b = { l = { 4, 1 }, m = { 0, 2 }, r = { 1, 1 } } }
      local W = { a = { 1, 2, 0.5 }, b = { -1, 0.5, 1.5 } }
      local x, total, by_kind, mean, square = 2.5, 0, { a = 0, b = 0 }, 0, 0
      for kind, p in pairs(P) do
         for side, q in pairs(Q) do
            local m, s = S[kind][side][1], S[kind][side][2]
            local w = W[kind]
            local wm, wv = w[1] + w[2] * m, w[2] ^ 2 * s * s + w[3] ^ 2
            local weight = p * q * math.exp(normal_log(x, wm, wv))
            local gain = w[2] * s * s / wv
            local post_m, post_v = m + gain * (x - wm), s * s - gain * w[2] * s * s
            total, by_kind[kind] = total + weight, by_kind[kind] + weight
            mean, square = mean + weight * post_m, square + weight * (post_m ^ 2 + post_v)
         end
      end
      support.near(math.log(total), mixed:log_evidence { weight = x }, 1e-12)
      support.near(by_kind.a / total, mixed:query("kind", { weight = x }).probability[1], 1e-12)
      local post = mixed:query("size", { weight = x })
      support.near(mean / total, post.mean[1], 1e-12)
      support.near((square / total - (mean / total) ^ 2) ^ 0.5, post.sd[1], 1e-12)
      local sampled = mixed:query("size", { weight = x }, { method = "likelihood_weighting", samples = 20000 })
      assert.near(post.mean[1], sampled.mean[1], 4 * sampled.std_error[1])
      local gibbs = mixed:query("size", { weight = x }, { method = "gibbs", samples = 20000 })
      assert.near(post.mean[1], gibbs.mean[1], 5 * gibbs.std_error[1])
   end)

   it("given labels have most probable values by the peak of each normal", function()
      local best = -math.huge
      for _, kind in ipairs { "a", "b" } do
         for _, side in ipairs { "l", "m", "r" } do
            local mean = mixed:query("size", { kind = kind, side = side, weight = 2.5 }).mean[1]
            local row = ml.Frame { { "kind", ml.Factor { kind } }, { "side", ml.Factor { side } },
               { "weight", { 2.5 } }, { "size", { mean } } }
            best = math.max(best, mixed:score_samples(row)[1])
         end
      end
      local values, log_p = mixed:mpe { weight = 2.5 }
      support.near(best, log_p, 1e-12)
      assert.equal(2.5, values.weight)
   end)

   it("given labels are fitted in each configuration, and by EM", function()
      local rows = mixed:sample(6000, 5)
      local model = ml.BayesNet { edges = mixed.edges }:fit(rows)
      support.near(model.log_likelihood, model:score_samples(rows):sum(), 1e-10)
      assert.is_true(model.log_likelihood >= mixed:score_samples(rows):sum())
      assert.near(0.5, model:cpt "weight".size[2], 0.06)
      -- a fifth of all values are missing
      local draw, columns = support.draws "mixed", {}
      for j, name in ipairs(rows.names) do
         local values = { n = rows.rows }
         for i = 1, rows.rows do
            values[i] = draw() > 0.2 and rows[name][i] or nil
            if values[i] == nil and name ~= "kind" and name ~= "side" then values[i] = 0 / 0 end
         end
         columns[j] = { name, (name == "kind" or name == "side") and ml.Factor(values) or ml.Vector(values) }
      end
      local X = ml.Frame(columns):head(1500)
      local em = ml.BayesNet { edges = mixed.edges, max_iter = 60, tol = 1e-5 }:fit(X)
      for i = 2, #em.trace do assert.is_true(em.trace[i] >= em.trace[i - 1] - 1e-9) end
      support.near(em.log_likelihood, em:score_samples(X):sum(), 1e-9)
      assert.is_true(em.log_likelihood >= mixed:score_samples(X):sum())
   end)

   it("learn which labels matter", function()
      local model = ml.BayesNet { structure = "hill_climbing" }:fit(mixed:sample(4000, 9))
      assert.same({ "kind", "side" }, { table.unpack(model:parents_of "size") })
      assert.same({ "kind", "size" }, { table.unpack(model:parents_of "weight") })
   end)

   it("without variance do not break", function()
      local X = ml.Frame { { "x", { 1, 1, 1, 1 } }, { "y", { 2, 2, 2, 2 } }, { "z", { 1, 2, 3, 4 } } }
      local model = ml.BayesNet { edges = "x -> y; z -> y" }:fit(X)
      assert.near(2, model:query("y", { z = 2 }).mean[1], 1e-9)
      local exact = ml.Frame { { "x", { 1, 2, 3, 4 } }, { "y", { 2, 4, 6, 8 } } }
      assert.near(5, ml.BayesNet { edges = "x -> y" }:fit(exact):query("y", { x = 2.5 }).mean[1], 1e-6)
   end)
end)
