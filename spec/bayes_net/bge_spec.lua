--- The criterion bge: against predictions of one row after the other, by hand, and by its invariances.
local ml = require "manilius"
local support = require "spec.support"
local NUMBERS = require "spec.fixtures.bayes_net.bayes_net".numbers

local function frame()
   local X, columns = ml.Matrix(NUMBERS.rows), {}
   for j, name in ipairs(NUMBERS.names) do columns[j] = { name, X:col(j):copy() } end
   return ml.Frame(columns)
end

-- Of a multiple of 1/2.
local function log_gamma(x)
   local sum = x % 1 == 0 and 0 or 0.5 * math.log(math.pi)
   for y = x % 1 == 0 and 1 or 0.5, x - 1 do sum = sum + math.log(y) end
   return sum
end

-- The log density of the rows by predictions of one row after the other, each by a multivariate t: the normal-Wishart
-- prior with the exponent of such a score, for the columns `use` of the table `data`.
local function log_by_prediction(data, use, ess)
   local l = #use
   local df, kappa, t = ess + 1 + l, ess, ess * ess / (ess + 1) -- df: w - n + l
   local mean, scale = {}, {}
   for a = 1, l do
      mean[a], scale[a] = 0, {}
      for _, row in ipairs(data) do mean[a] = mean[a] + row[use[a]] / #data end
      for b = 1, l do scale[a][b] = a == b and t or 0 end
   end
   local function log_det(m)
      local rows, sum = {}, 0
      for a = 1, l do rows[a] = table.move(m[a], 1, l, 1, {}) end
      for k = 1, l do
         sum = sum + math.log(rows[k][k])
         for a = k + 1, l do
            local f = rows[a][k] / rows[k][k]
            for b = k, l do rows[a][b] = rows[a][b] - f * rows[k][b] end
         end
      end
      return sum
   end
   local total = 0
   for _, row in ipairs(data) do
      local r, before = {}, log_det(scale)
      for a = 1, l do r[a] = row[use[a]] - mean[a] end
      for a = 1, l do
         for b = 1, l do scale[a][b] = scale[a][b] + kappa / (kappa + 1) * r[a] * r[b] end
         mean[a] = mean[a] + r[a] / (kappa + 1)
      end
      total = total + 0.5 * l * math.log(kappa / (kappa + 1) / math.pi)
         + log_gamma(0.5 * (df + 1)) - log_gamma(0.5 * (df + 1 - l))
         + 0.5 * df * before - 0.5 * (df + 1) * log_det(scale)
      kappa, df = kappa + 1, df + 1
   end
   return total
end

describe("The marginal likelihood of numbers (BGe)", function()
   local function score(edges, X, options)
      options = options or {}
      options.criterion = "bge"
      return ml.BayesNet { nodes = NUMBERS.names, edges = edges }:structure_scores(X or frame(), options)
   end

   it("is the product of the predictions of one row after the other", function()
      for _, ess in ipairs { 1, 3 } do
         local names = NUMBERS.names
         local edges = { { names[1], names[2] }, { names[1], names[3] }, { names[2], names[3] } }
         local found = score(edges, nil, { equivalent_sample_size = ess }).score
         local function log_density(use) return log_by_prediction(NUMBERS.rows, use, ess) end
         support.near(log_density { 1 }, found[1], 1e-10)
         support.near(log_density { 1, 2 } - log_density { 1 }, found[2], 1e-10)
         support.near(log_density { 1, 2, 3 } - log_density { 1, 2 }, found[3], 1e-10)
         support.near(log_density { 4 }, found[4], 1e-10)
      end
   end)

   it("is that of bnlearn, for nodes of up to five parents", function()
      local known = require "spec.fixtures.bayes_net.bge"
      local X, columns = ml.Matrix(known.rows), {}
      for j, name in ipairs(known.nodes) do columns[j] = { name, X:col(j):copy() } end
      local net = ml.BayesNet { nodes = known.nodes, edges = known.edges }
      for _, wanted in ipairs(known.scores) do
         local found = net:structure_scores(ml.Frame(columns),
            { criterion = "bge", equivalent_sample_size = wanted.ess })
         for i = 1, #known.nodes do
            support.near(wanted.score[tostring(found.node[i])], found.score[i], 1e-11, found.node[i])
         end
      end
   end)

   it("is that of two rows by hand", function()
      -- 1 node, a = 1, w = 3, t = 1/2; centered rows -1 and 1 make R = 1/2 + 2
      local X = ml.Frame { { "x", ml.Vector { 4, 6 } } }
      local net = ml.BayesNet { nodes = { "x" }, edges = {} }
      local want = -math.log(math.pi) + 0.5 * math.log(1 / 3) + log_gamma(2.5) - log_gamma(1.5)
         + 1.5 * math.log(0.5) - 2.5 * math.log(2.5)
      support.near(want, net:structure_scores(X, { criterion = "bge" }).score[1], 1e-14)
   end)

   it("is equal for equivalent structures, and counts weights as repeated rows", function()
      local a, b, c = table.unpack(NUMBERS.names)
      local function total(edges) return score(edges).score:sum() end
      support.near(total { { a, b }, { b, c } }, total { { c, b }, { b, a } }, 1e-12)
      support.near(total { { a, b }, { b, c } }, total { { b, a }, { b, c } }, 1e-12)
      assert.is_true(math.abs(total { { a, b }, { b, c } } - total { { a, b }, { c, b } }) > 1e-3)
      local X, rows, w = frame(), {}, ml.Vector(#NUMBERS.rows)
      for i = 1, X.rows do
         w[i] = i % 3
         for _ = 1, i % 3 do rows[#rows + 1] = i end
      end
      local edges = { { a, c }, { b, c } }
      support.near(score(edges, X:take(rows)).score:sum(), score(edges, X, { weights = w }).score:sum(), 1e-11)
   end)

   it("finds a planted structure, and stays finite with columns that are copies", function()
      local planted = ml.BayesNet { edges = "x1 -> x3; x2 -> x3; x3 -> x4", cpts = { x1 = { 1, 2 }, x2 = { -1, 1 },
         x3 = { intercept = 0.5, x1 = 1.5, x2 = -2, sd = 0.7 }, x4 = { 3, -0.8, 1.2 } } }
      local X = planted:sample(2000, 3):select { "x1", "x2", "x3", "x4" }
      local model = ml.BayesNet { structure = "tabu", criterion = "bge" }:fit(X)
      assert.equal(tostring(planted:cpdag():sort { "from", "to" }), tostring(model:cpdag():sort { "from", "to" }))
      assert.near(model.structure_score, model:structure_scores(X, { criterion = "bge" }).score:sum(), 1e-8)
      local x = X.x1 * 1e9
      local copies = ml.Frame { { "a", x }, { "b", x:copy() }, { "c", x * 2 } }
      local found = ml.BayesNet { nodes = { "a", "b", "c" }, edges = "a -> c; b -> c; a -> b" }
      for _, s in ipairs(found:structure_scores(copies, { criterion = "bge" }).score:totable()) do
         assert.is_true(s == s and math.abs(s) < math.huge)
      end
   end)

   it("is refused for labels", function()
      local X = ml.Frame { { "x", ml.Vector { 1, 2, 3 } }, { "c", ml.Factor { "u", "v", "u" } } }
      support.refuses("criterion bge is for numbers, and node 'c' has labels; use bic", function()
         ml.BayesNet { edges = "c -> x", levels = { c = { "u", "v" } } }:structure_scores(X, { criterion = "bge" })
      end)
      support.refuses("criterion bge is for numbers, and node 'c' has labels; use bic", function()
         ml.BayesNet { structure = "hill_climbing", criterion = "bge" }:fit(X)
      end)
   end)
end)
