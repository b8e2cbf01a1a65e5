--- BayesSearch: the optimum of a score, the contract of searches, resumption and batches.

local ml = require "manilius"
local support = require "spec.support"

local refuses = support.refuses_exactly
local X, y = ml.read_csv "examples/data/diabetes.csv":split "progression"

-- Predicts a constant that is the mean of y plus an error with its minimum at a = 0.7, k = 4, kind = "b".
local Known = ml.Estimator {
   name = "KnownOptimum", does = "regress", params = { a = 0, k = 1, kind = "a" },
   fit = function(self, _, target)
      if self.kind == "fails" then error("cannot be fitted") end
      self.value = ml.Vector(target):mean() + 10 * ((self.a - 0.7) ^ 2 + (self.k - 4) ^ 2 / 10
         + (self.kind == "b" and 0 or 1))
      return self
   end,
   predict = function(self, Z) return ml.Vector(#Z, self.value) end,
}
local Xk, yk = ml.range(1, 12):reshape(12, 1), ml.Vector { 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1 }
local GRID = { a = { "uniform", 0, 1 }, k = { "integer", 1, 6 }, kind = { "a", "b" } }

local function known(more)
   local settings = { Known {}, GRID, n = 14, cv = ml.KFold { k = 2 }, scoring = "mse" }
   for name, value in pairs(more or {}) do settings[name] = value end
   return ml.BayesSearch(settings)
end

local function scores(search) return table.concat(search.results.mean_score:totable(), " ") end

describe("BayesSearch", function()
   it("finds the best parameters of numbers, integers and lists", function()
      local search = known { n = 22 }:fit(Xk, yk)
      assert.equal("b", search.best_params.kind)
      assert.equal(4, search.best_params.k)
      assert.is_true(math.abs(search.best_params.a - 0.7) < 0.2)
      assert.equal(22, search.results.rows)
      assert.is_true(search.best_score <= search.results.mean_score:min())
   end)

   it("finds the width of a kernel as well as a fine grid", function()
      local fine = {}
      for i = 0, 40 do fine[#fine + 1] = 10 ^ (-4 + i / 8) end
      local cv = ml.KFold { k = 5, seed = 1 }
      local model = ml.SVR { C = 100 }
      local grid = ml.GridSearch { model, { gamma = fine }, cv = cv }:fit(X, y)
      local search = ml.BayesSearch { model, { gamma = { "loguniform", 1e-4, 10 } }, n = 14, cv = cv }:fit(X, y)
      assert.is_true(search.best_score > grid.best_score - 2e-3)
      assert.is_true(search.results.mean_score:min() < grid.best_score - 0.1)
      assert.equal(442, #search:predict(X))
      assert.equal(search.best:score(X, y), search:score(X, y))
      assert.is_truthy(tostring(search):find "best of 14 candidates")
      local best = ml.plot.minimum(search).panels[1].layers[1].y
      assert.equal(search.best_score, best[14])
      assert.equal(search.results.mean_score[1], best[1])
   end)

   it("gives the same candidates for any number of threads, and others for other batches and seeds", function()
      local one = known { threads = 1 }:fit(Xk, yk)
      assert.equal(scores(one), scores(known { threads = 2 }:fit(Xk, yk)))
      local pairs_of = known { batch = 2, threads = 1 }:fit(Xk, yk)
      assert.equal(scores(pairs_of), scores(known { batch = 2, threads = 2 }:fit(Xk, yk)))
      assert.not_equal(scores(one), scores(pairs_of))
      assert.not_equal(scores(one), scores(known { seed = 1 }:fit(Xk, yk)))
   end)

   it("continues after an interruption as if there had been none", function()
      local search = known()
      local ok = pcall(search.fit, search, Xk, yk, { on_iter = function(state)
         return state.done >= 18 and "cancel" or nil
      end })
      assert.is_false(ok)
      local calls, first = 0, nil
      search:fit(Xk, yk, { resume = true, on_iter = function(state)
         calls, first = calls + 1, first or state.done
      end })
      assert.is_true(first > 18)
      assert.equal(scores(known():fit(Xk, yk)), scores(search))
   end)

   it("stops when all candidates are measured, or after patience without improvement", function()
      local search = ml.BayesSearch { ml.Ridge {}, { alpha = { 0.1, 1, 10 } }, n = 9, cv = 2 }:fit(X, y)
      assert.equal(3, search.results.rows)
      assert.is_true(known { n = 60, patience = 4, n_initial = 2 }:fit(Xk, yk).results.rows < 60)
      local constant = ml.BayesSearch { ml.Ridge {}, { alpha = { "uniform", 1, 2 } }, n = 30, cv = 2, patience = 2,
         n_initial = 7, scoring = function() return 1 end }
      assert.equal(9, constant:fit(X, y).results.rows) -- the initial candidates do not count
   end)

   it("treats candidates that cannot be fitted as bad", function()
      local old = ml.warnings()
      ml.warnings "off"
      local search = ml.BayesSearch { Known {}, { a = { "uniform", 0, 1 }, kind = { "b", "fails" } }, n = 12, cv = 2,
         scoring = "mse" }:fit(Xk, yk)
      ml.warnings(old)
      assert.equal("b", search.best_params.kind)
      assert.is_true(search.results.mean_score:isnan():sum() >= 1)
   end)

   it("refuses bad settings", function()
      local grid = { alpha = { "uniform", 0, 1 } }
      refuses("BayesSearch: n must be a whole number >= 1, got 0", ml.BayesSearch, { ml.Ridge {}, grid, n = 0 })
      refuses("BayesSearch: batch must be a whole number >= 1, got 0", ml.BayesSearch, { ml.Ridge {}, grid, batch = 0 })
      refuses("BayesSearch: acquisition must be \"ei\" or \"lcb\", got \"pi\"", ml.BayesSearch,
         { ml.Ridge {}, grid, acquisition = "pi" })
      refuses("BayesSearch: alpha must be a list or { \"uniform\", \"loguniform\" or \"integer\", from, to }, got a "
         .. "function", ml.BayesSearch, { ml.Ridge {}, { alpha = function() return 1 end } })
   end)
end)
