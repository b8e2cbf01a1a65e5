--- Structures from rows with missing values, by structural EM.
local ml = require "manilius"
local core = require "manilius.core"
local support = require "spec.support"

local NAMES = { "a", "b", "c", "d", "e", "f" }
local EDGES = "a -> c; b -> c; c -> d; c -> e; d -> f; e -> f"

local planted = ml.BayesNet { nodes = NAMES, edges = EDGES, levels = { "0", "1" },
   cpts = { a = { 0.6, 0.4 }, b = { 0.3, 0.7 },
      c = { { { 0.9, 0.1 }, { 0.4, 0.6 } }, { { 0.25, 0.75 }, { 0.8, 0.2 } } },
      d = { { 0.85, 0.15 }, { 0.2, 0.8 } }, e = { { 0.7, 0.3 }, { 0.1, 0.9 } },
      f = { { { 0.9, 0.1 }, { 0.5, 0.5 } }, { { 0.35, 0.65 }, { 0.05, 0.95 } } } } }

-- The columns of X without the labels for which lost(row, column) is true.
local function without(X, lost)
   local columns = {}
   for j, name in ipairs(NAMES) do
      local column, labels = X[name], { n = X.rows }
      for i = 1, X.rows do
         if not lost(i, j) then labels[i] = column[i] end
      end
      columns[j] = { name, ml.Factor(labels) }
   end
   return ml.Frame(columns)
end

local function at_random(share, rows, seed)
   local u = ml.random(rows, #NAMES, seed)
   return function(i, j) return u[i][j] < share end
end

-- BIC by the likelihood of what is known.
local function bic(model, n)
   local free = 0
   for _, name in ipairs(model.node_names) do free = free + 2 ^ #model:parents_of(name) end
   return model.log_likelihood - 0.5 * math.log(n) * free
end

describe("Structural EM", function()
   it("completes rows by the posterior of their missing labels", function()
      local r = 0 / 0
      local rows = ml.Matrix { { 0, r, 1, 0, r, 1 }, { 1, 1, 0, 0, 1, 0 } }
      local net = require "manilius.bayes_net.model".network(planted)
      local out, w = core.bayes_complete(net, rows, ml.Vector { 2, 3 }, 1e6)
      assert.equal(5, out.rows)
      local i = 0
      for b = 0, 1 do
         for e = 0, 1 do
            i = i + 1
            assert.equal(b, out[i][2])
            assert.equal(e, out[i][5])
            local p = planted:probability({ b = tostring(b), e = tostring(e) }, { a = "0", c = "1", d = "0", f = "1" })
            support.near(2 * p, w[i], 1e-12)
         end
      end
      assert.equal(3, w[5])
   end)

   it("has a higher score than complete rows alone, and finds the planted class", function()
      local X = planted:sample(6000, 7)
      local want = tostring(planted:cpdag():sort { "from", "to" })
      local Y = without(X, at_random(0.2, X.rows, 1))
      local em = ml.BayesNet { structure = "tabu", missing = "em" }:fit(Y)
      assert.equal(want, tostring(em:cpdag():sort { "from", "to" }))
      local true_edges = ml.BayesNet { edges = EDGES }:fit(Y)
      assert.is_true(bic(em, Y.rows) >= bic(true_edges, Y.rows) - 1e-3)
   end)

   it("learns where no row is complete", function()
      local X = planted:sample(6000, 8)
      local u = ml.random(X.rows, nil, 2)
      local Y = without(X, function(i, j) return math.floor(6 * u[i]) == j - 1 end)
      local em = ml.BayesNet { structure = "hill_climbing", restarts = 10, perturb = 3, missing = "em" }:fit(Y)
      local empty = ml.BayesNet { structure = "empty" }:fit(Y)
      local true_edges = ml.BayesNet { edges = EDGES }:fit(Y)
      assert.is_true(bic(em, Y.rows) > bic(empty, Y.rows) + 100)
      assert.is_true(bic(em, Y.rows) > bic(true_edges, Y.rows) - 30) -- a local maximum
      support.refuses("use missing = \"em\"", function() ml.BayesNet { structure = "hill_climbing" }:fit(Y) end)
   end)

   it("is the plain search without missing values", function()
      local X = planted:sample(500, 9)
      local a = ml.BayesNet { structure = "tabu" }:fit(X)
      local b = ml.BayesNet { structure = "tabu", missing = "em" }:fit(X)
      assert.equal(a:model_string(), b:model_string())
      support.near(a.structure_score, b.structure_score, 1e-10)
   end)

   it("says what it cannot do", function()
      support.refuses("missing = \"em\" is for structure = \"hill_climbing\" or \"tabu\"", function()
         ml.BayesNet { structure = "pc", missing = "em" }:fit(planted:sample(10, 1))
      end)
      local nan = 0 / 0
      local X = ml.Frame { { "x", ml.Vector { 1, 2, nan, 4, 3 } }, { "y", ml.Vector { 1, 3, 2, 5, 4 } } }
      support.refuses("node 'x' is a number that row 3 lacks; impute it", function()
         ml.BayesNet { structure = "tabu", missing = "em" }:fit(X)
      end)
      local Y = without(planted:sample(50, 1), at_random(0.3, 50, 4))
      support.refuses("more than memory_limit 4e%+?0?3; use missing = \"drop\"", function()
         ml.BayesNet { structure = "tabu", missing = "em", memory_limit = 4000 }:fit(Y)
      end)
   end)
end)
