local ml = require "manilius"
local oracle = dofile "spec/fixtures/select/folds.lua"
local support = require "spec.support"

local refuses = support.refuses_exactly

local Xd, yd = ml.read_csv "examples/data/diabetes.csv":split "progression"
local Xi, yi = ml.read_csv "examples/data/iris.csv":split "species"
local ridge = ml.Pipeline { ml.StandardScaler {}, ml.Ridge {} }
local alphas = { 0.1, 1, 10, 100, 1000 }

describe("GridSearch", function()
   it("agrees with scikit-learn", function()
      local search = ml.GridSearch { ridge, { ridge__alpha = alphas }, cv = 5 }
      assert.equal(search, search:fit(Xd, yd))
      local best, most
      for i = 1, #alphas do
         local mean = 0
         for fold = 1, 5 do
            assert.near(oracle.ridge[i][fold], search.results:col("fold" .. fold)[i], 1e-10)
            mean = mean + oracle.ridge[i][fold] / 5
         end
         assert.near(mean, search.results.mean_score[i], 1e-10)
         if not most or mean > most then best, most = i, mean end
      end
      assert.same({ ridge__alpha = alphas[best] }, search.best_params)
      assert.near(most, search.best_score, 1e-10)
      assert.equal(best, search.best_index)
      assert.equal(1, search.results.rank[best])
      local refitted = ridge:clone():set_params(search.best_params):fit(Xd, yd)
      assert.equal(refitted:predict(Xd), search:predict(Xd))
      assert.equal(refitted:score(Xd, yd), search:score(Xd, yd))
      assert.is_false(ridge.fitted)
   end)

   it("visits the grid in the order of scikit-learn, the last name fastest", function()
      local from_grid = require "manilius.select.candidates".from_grid
      local got = from_grid("GridSearch", { b = { 1, 2, 3 }, a = { 5, 6 } })
      assert.same(oracle.grid, got)
      assert.equal(3, #from_grid("GridSearch", { { a = { 1 } }, { b = { 1, 2 } } }))
   end)

   it("gives bit-identical results for any number of threads, and in Lua", function()
      local first
      for _, more in ipairs { { path = "lua" }, { threads = 1 }, { threads = 2 }, { threads = 5 } } do
         more[1] = ml.Pipeline { { "prepare", ml.StandardScaler {} }, ml.LogisticRegression {} }
         more[2] = { prepare = { ml.StandardScaler {}, ml.PCA { n_components = 2 } },
            logisticregression__C = { 0.01, 1, 100 } }
         more.cv, more.scoring = ml.StratifiedKFold { k = 3, seed = 1 }, "log_loss"
         local search = ml.GridSearch(more):fit(Xi, yi)
         local scores = search.results:select("mean_score", "sd_score", "rank", "fold1", "fold2", "fold3")
         first = first or { scores = scores, proba = search:predict_proba(Xi) }
         assert.equal(first.scores, scores)
         assert.equal(first.proba, search:predict_proba(Xi))
      end
   end)

   it("minimizes scores of which lower is better", function()
      local search = ml.GridSearch { ml.Ridge {}, { alpha = { 1e-6, 1e9 } }, scoring = "mse" }:fit(Xd, yd)
      assert.equal(1e-6, search.best_params.alpha)
      local both = ml.GridSearch { ml.Ridge {}, { alpha = { 1e-6, 1e9 } }, scoring = { "r2", "mse" }, refit = "mse" }
      assert.equal(1e-6, both:fit(Xd, yd).best_params.alpha)
      assert.near(both.best_score, both.results.mean_score_mse[1], 0)
      refuses("GridSearch: refit must name the score to choose by, because scoring has 2", function()
         ml.GridSearch { ml.Ridge {}, { alpha = { 1 } }, scoring = { "r2", "mse" } }:fit(Xd, yd)
      end)
   end)

   it("can be nested in searches and pipelines", function()
      local inner = ml.GridSearch { ml.Ridge {}, { alpha = { 1, 10 } }, cv = 3 }
      local cv = ml.cross_validate(ml.Pipeline { ml.StandardScaler {}, inner }, Xd, yd, { cv = 3 })
      assert.is_true(cv.mean.r2 > 0.4 and cv.mean.r2 < 0.6)
   end)

   it("records candidates that cannot be fitted, and fails if none can", function()
      local X, warned, before = { { 1 }, { 2 }, { 3 }, { 4 }, { 5 }, { 6 } }, {}, ml.warnings()
      local Fails = ml.Estimator { name = "SpecFails", params = { fail = true }, does = "regress",
         fit = function(self)
            if self.fail then error "cannot" end
         end,
         predict = function(_, data) return ml.Vector(#data == 0 and data.rows or #data, 1) end }
      ml.warnings(function(text) warned[#warned + 1] = text end)
      local search = ml.GridSearch { Fails {}, { fail = { true, false } }, cv = 2, scoring = "mse" }
      search:fit(X, { 1, 1, 1, 1, 1, 1 })
      ml.warnings(before)
      assert.same({ fail = false }, search.best_params)
      assert.equal("cannot", search.results.error[1])
      assert.is_nil(search.results.error[2])
      assert.same({ 2, 1 }, search.results.rank:totable())
      assert.same({ "GridSearch: 1 of 2 candidates could not be fitted: cannot" }, warned)
      refuses("GridSearch: no candidate could be fitted: cannot", function()
         ml.GridSearch { Fails {}, { fail = { true } }, cv = 2, scoring = "mse" }:fit(X, { 1, 1, 1, 1, 1, 1 })
      end)
   end)

   it("reports progress, and can be stopped or cancelled", function()
      local best
      local search = ml.GridSearch { ml.Ridge {}, { alpha = alphas }, on_iter = function(state)
         assert.equal(25, state.total)
         if state.done >= 5 then best = state.objective end
         return state.done >= 10 and "stop" or nil
      end }
      search:fit(Xd, yd)
      assert.is_number(best)
      assert.is_true(search.best_index <= 3)
      local kept = search:predict(Xd)
      search:set_params { on_iter = function() return "cancel" end }
      refuses("cancelled by the progress function", search.fit, search, Xd, yd)
      assert.equal(kept, search:predict(Xd))
   end)

   it("counts the fits of all rounds of halving, and accepts on_iter in fit", function()
      local states = {}
      ml.HalvingGridSearch { ml.Ridge {}, { alpha = alphas }, cv = 2, factor = 2 }:fit(Xd, yd,
         { on_iter = function(state) states[#states + 1] = state end })
      local total = states[1].total
      for i = 2, #states do
         assert.equal(total, states[i].total)
         assert.is_true(states[i].done > states[i - 1].done)
      end
      assert.equal(total, states[#states].done)
   end)

   it("reports invalid arguments", function()
      refuses("GridSearch: model must be an estimator, got nil", ml.GridSearch, {})
      refuses("GridSearch: grid must be a table, got nil", ml.GridSearch, { ml.Ridge {} })
      refuses("GridSearch: the values of alpha must be a non-empty list, got 3",
         function() ml.GridSearch { ml.Ridge {}, { alpha = 3 } }:fit(Xd, yd) end)
      refuses("Ridge has no parameter 'alpa'; did you mean 'alpha'?",
         function() ml.GridSearch { ml.Ridge {}, { alpa = { 3 } } }:fit(Xd, yd) end)
      refuses("Ridge: alpha must be >= 0, got -1",
         function() ml.GridSearch { ml.Ridge {}, { alpha = { 1, -1 } } }:fit(Xd, yd) end)
      refuses("GridSearch: call fit before predict",
         function() ml.GridSearch { ml.Ridge {}, { alpha = { 1 } } }:predict(Xd) end)
      refuses("GridSearch: predict requires refit = true", function()
         ml.GridSearch { ml.Ridge {}, { alpha = { 1 } }, refit = false }:fit(Xd, yd):predict(Xd)
      end)
      refuses("GridSearch has no parameter 'grids'; did you mean 'grid'?", ml.GridSearch, { ml.Ridge {}, grids = {} })
   end)
end)

describe("RandomSearch", function()
   local function search(seed)
      return ml.RandomSearch { ridge, { ridge__alpha = { "loguniform", 1e-3, 1e3 },
         standardscaler__with_std = { true, false },
         ridge__fit_intercept = function(rng) return rng:uniform() < 2 end }, n = 12, seed = seed }:fit(Xd, yd)
   end

   it("draws within bounds, depending on the seed only", function()
      local a, b = search(1), search(1)
      assert.equal(12, #a.results.ridge__alpha)
      assert.equal(a.results.ridge__alpha, b.results.ridge__alpha)
      assert.equal(a.best_score, b.best_score)
      assert.is_true(a.results.ridge__alpha:min() >= 1e-3 and a.results.ridge__alpha:max() <= 1e3)
      assert.same({ true }, a.results.ridge__fit_intercept.levels)
      assert.same({ false, true }, a.results.standardscaler__with_std.levels)
      assert.not_equal(a.results.ridge__alpha, search(2).results.ridge__alpha)
   end)

   it("reports invalid arguments", function()
      refuses("RandomSearch: n must be a whole number >= 1, got 0", ml.RandomSearch, { ridge, {}, n = 0 })
      refuses("RandomSearch: alpha must be { \"loguniform\", from, to } with 0 < from < to", function()
         ml.RandomSearch { ml.Ridge {}, { alpha = { "loguniform", 0, 1 } } }:fit(Xd, yd)
      end)
   end)
end)

describe("HalvingGridSearch", function()
   it("drops the worst on few rows, and evaluates the last ones on all", function()
      local search = ml.HalvingGridSearch { ml.Pipeline { ml.StandardScaler {}, ml.LogisticRegression {} },
         { logisticregression__C = { 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10, 100 } }, seed = 1,
         scoring = "log_loss" }:fit(Xi, yi)
      local rounds = {}
      for i = 1, 9 do rounds[search.results.round[i]] = (rounds[search.results.round[i]] or 0) + 1 end
      assert.same({ 6, 2, 1 }, rounds)
      assert.is_true(search.best_params.logisticregression__C >= 1)
      assert.equal(3, search.results.round[search.best_index])
   end)
end)
