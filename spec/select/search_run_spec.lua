-- Searches that stop early, are interrupted or contain fits that fail.

local ml = require "manilius"
local support = require "spec.support"

local refuses = support.refuses_exactly

local X, y = ml.read_csv "examples/data/diabetes.csv":split "progression"
local alphas = { 0.01, 0.1, 1, 10, 100, 1000 }

-- Collects warnings while `f` runs.
local function warnings_of(f)
   local list, before = {}, ml.warnings()
   ml.warnings(function(text) list[#list + 1] = text end)
   local ok, failed = pcall(f)
   ml.warnings(before)
   if not ok then error(failed, 0) end
   return list
end

-- An estimator that predicts `value`, fails if it is negative, and counts its fits.
local fits = 0
local Constant = ml.Estimator { name = "SpecConstant", params = { value = 0, rounds = 1 }, does = "regress",
   fit = function(self)
      fits = fits + 1
      if self.value < 0 then error "value is negative" end
   end,
   predict = function(self, data) return ml.Vector(data.rows or #data, self.value) end }
local X6, y6 = ml.Matrix { { 1 }, { 2 }, { 3 }, { 4 }, { 5 }, { 6 } }, ml.Vector { 1, 1, 1, 1, 1, 1 }

local function values(column)
   local list = column:totable()
   for i, value in ipairs(list) do list[i] = value == value and value or "nan" end
   return list
end

describe("a search", function()
   it("lets a function choose the row of the results", function()
      local search = ml.GridSearch { ml.Ridge {}, { alpha = alphas }, scoring = { "r2", "mae" },
         refit = function(results)
            local best = 1 -- the strongest penalty within one standard deviation of the best R2
            for i = 1, #alphas do
               if results.mean_score_r2[i] > results.mean_score_r2[best] then best = i end
            end
            local limit, row = results.mean_score_r2[best] - results.sd_score_r2[best], best
            for i = 1, #alphas do
               if results.mean_score_r2[i] >= limit then row = i end
            end
            return row
         end }:fit(X, y)
      assert.equal(alphas[search.best_index], search.best_params.alpha)
      assert.is_true(search.results.rank_r2[search.best_index] > 1)
      assert.equal(search.results.mean_score_r2[search.best_index], search.best_score)
      assert.equal("r2", search.judge)
      local loaded = ml.load(search:dump())
      assert.equal(search:predict(X), loaded:predict(X))
      refuses("GridSearch: refit must return a row of the results, from 1 to 6, got 7", function()
         ml.GridSearch { ml.Ridge {}, { alpha = alphas }, refit = function() return 7 end }:fit(X, y)
      end)
   end)

   it("gives failed fits the score error_score, or raises", function()
      local settings = { value = { -1, 1, 2 } }
      local search
      local warned = warnings_of(function()
         search = ml.GridSearch { Constant {}, settings, cv = 2, scoring = "mse", error_score = 1e6 }:fit(X6, y6)
      end)
      assert.same({ 1e6, 0, 1 }, search.results.mean_score:totable())
      assert.same({ 3, 1, 2 }, search.results.rank:totable())
      assert.same({ "GridSearch: 1 of 3 candidates could not be fitted: value is negative" }, warned)
      refuses("GridSearch: candidate 1, fold 1: value is negative", function()
         ml.GridSearch { Constant {}, settings, cv = 2, scoring = "mse", error_score = "raise" }:fit(X6, y6)
      end)
      refuses('GridSearch: error_score must be a number or "raise", got "nan"', ml.GridSearch,
         { Constant {}, settings, error_score = "nan" })
   end)

   it("stops after `patience` candidates without improvement, for any number of threads", function()
      local first
      for _, threads in ipairs { 1, 2, 5 } do
         local search = ml.GridSearch { ml.Ridge {}, { alpha = { 1e-4, 100, 200, 300, 1e-3, 1e-5, 1e-6 } }, cv = 3,
            scoring = "mse", patience = 3, threads = threads }:fit(X, y)
         local scores = values(search.results.mean_score)
         first = first or scores
         assert.same(first, scores)
         assert.equal(1, search.best_index)
         assert.same({ "nan", "nan", "nan" }, { table.unpack(scores, 5) })
         assert.is_number(scores[4])
      end
      refuses("GridSearch: patience must be a whole number >= 1, got 0", ml.GridSearch,
         { ml.Ridge {}, { alpha = alphas }, patience = 0 })
   end)

   it("stops when its time is over, and refuses a budget of zero", function()
      fits = 0
      local search = ml.GridSearch { Constant {}, { value = { 1, 2, 3, 4, 5, 6, 7, 8 } }, cv = 2, scoring = "mse",
         max_seconds = 1e-9, threads = 1 }:fit(X6, y6)
      assert.equal(1, search.best_index)
      assert.is_true(fits < 16)
      refuses("GridSearch: max_seconds must be a number > 0, got 0", ml.GridSearch,
         { ml.Ridge {}, { alpha = alphas }, max_seconds = 0 })
      refuses("RandomSearch: n must be a whole number >= 1, got 0", ml.RandomSearch,
         { ml.Ridge {}, { alpha = alphas }, n = 0 })
   end)

   it("continues an interrupted fit with resume = true", function()
      local function new(more)
         local settings = { Constant {}, { value = { 1, 2, 3, 4, 5, 6 } }, cv = 3, scoring = "mse", threads = 1 }
         for name, value in pairs(more or {}) do settings[name] = value end
         return ml.GridSearch(settings)
      end
      local whole, search = new():fit(X6, y6), new()
      fits = 0
      fits = 0
      refuses("cancelled by the progress function", search.fit, search, X6, y6,
         { on_iter = function(state) return state.done >= 6 and "cancel" or nil end })
      assert.is_false(search.fitted)
      local done = fits
      assert.is_true(done >= 6 and done < 18)
      fits = 0
      search:fit(X6, y6, { resume = true })
      assert.equal(whole.results:drop("fit_seconds", "score_seconds"),
         search.results:drop("fit_seconds", "score_seconds"))
      assert.equal(18 - done + 1, fits) -- one more to refit the best
      fits = 0
      search:fit(X6, y6, { resume = true }) -- nothing to resume
      assert.equal(19, fits)
      refuses("cancelled by the progress function", search.fit, search, X6, y6,
         { on_iter = function() return "cancel" end })
      refuses("GridSearch: resume holds scores of another model, other data, folds or scores; call fit without resume",
         search.fit, search, X6, y6 + 1, { resume = true })
   end)

   it("keeps the fits that ended before the core was cancelled", function()
      local core = require "manilius.core"
      local evaluate, scorers = require "manilius.select.evaluate", require "manilius.select.scorers"
      local results = {}
      local task = { who = "spec", models = { ml.Ridge {} }, X = X:matrix(), y = y,
         folds = ml.KFold { k = 3 }:split(X), scorers = scorers.resolve("spec", "r2"), threads = 1, results = results }
      task.jobs = { { 1, 1 }, { 1, 2 }, { 1, 3 } }
      local run_jobs = core.run_jobs
      core.run_jobs = function(plans, a, b, c, d, list, options) -- as if cancelled after two jobs
         local made = run_jobs(plans, a, b, c, d, { list[1], list[2] }, options)
         for i, one in ipairs(made) do options.partial[i] = one end
         error("interrupted", 0)
      end
      local ok, failed = pcall(evaluate.run, task)
      core.run_jobs = run_jobs
      assert.is_false(ok)
      assert.equal("interrupted", failed)
      assert.is_number(results[1].scores.r2)
      assert.is_number(results[2].scores.r2)
      assert.is_nil(results[3])
   end)

   it("keeps its scores in a checkpoint", function()
      local path = os.tmpname()
      os.remove(path)
      local function new() return ml.RandomSearch { Constant {}, { value = { "uniform", 0, 3 } }, n = 5, cv = 3,
         scoring = "mse", threads = 1, checkpoint = path } end
      local search = new()
      fits = 0
      refuses("cancelled by the progress function", search.fit, search, X6, y6,
         { on_iter = function(state) return state.done >= 6 and "cancel" or nil end })
      local done = fits
      assert.is_true(done >= 6 and done < 15)
      fits = 0
      new():fit(X6, y6)
      assert.equal(15 - done + 1, fits)
      fits = 0
      local more = new():set_params { n = 7 }:fit(X6, y6) -- the first 5 candidates are the same
      assert.equal(6 + 1, fits)
      assert.equal(7, #more.results.mean_score)
      refuses(("RandomSearch: checkpoint '%s' holds scores of another model, other data, folds or scores; remove the "
         .. "file or choose another name"):format(path), function() new():fit(X6, y6 * 2) end)
      local file <close> = assert(io.open(path, "w"))
      file:write "no archive"
      file:flush()
      refuses(("RandomSearch: checkpoint '%s' is not a checkpoint of a search; remove the file or choose another name")
         :format(path), function() new():fit(X6, y6) end)
      os.remove(path)
      refuses("RandomSearch: checkpoint cannot be written: /no/such/folder/file: No such file or directory", function()
         new():set_params { checkpoint = "/no/such/folder/file" }:fit(X6, y6)
      end)
   end)

   it("also scores training rows", function()
      local options = { ml.Ridge {}, { alpha = { 1, 100 } }, cv = 4, scoring = { "r2", "mae" }, refit = "r2",
         return_train = true }
      local results = ml.GridSearch(options):fit(X, y).results
      for i, alpha in ipairs { 1, 100 } do
         local cv = ml.cross_validate(ml.Ridge { alpha = alpha }, X, y, { cv = 4, scoring = { "r2", "mae" },
            return_train = true }).scores
         assert.near(cv.train_r2:mean(), results.mean_train_score_r2[i], 1e-12)
         assert.near(cv.train_mae:std(), results.sd_train_score_mae[i], 1e-12)
      end
      local path = os.tmpname()
      os.remove(path)
      options.checkpoint = path
      ml.GridSearch(options):fit(X, y)
      assert.same(results.mean_train_score_r2, ml.GridSearch(options):fit(X, y).results.mean_train_score_r2)
      os.remove(path)
      refuses("GridSearch: return_train must be true or false, got 1", ml.GridSearch, { ml.Ridge {}, { alpha = { 1 } },
         return_train = 1 })
   end)

   it("gives the function refit a copy of the results", function()
      local search = ml.GridSearch { ml.Ridge {}, { alpha = { 1, 100 } }, refit = function(results)
         results.mean_score[1] = 7
         results.mean_score = nil
         return 2
      end }:fit(X, y)
      assert.equal(100, search.best_params.alpha)
      assert(search.results.mean_score[1] < 1)
   end)

   it("refuses a resource that is also searched", function()
      refuses("HalvingGridSearch: resource = 'max_iter' must not be a parameter of grid, because each round sets it",
         ml.HalvingGridSearch, { ml.HistGradientBoostingRegressor {}, { max_iter = { 5, 10 } }, resource = "max_iter",
            max_resource = 20 })
   end)

   it("does not take scores of another positive class, function or sample of rows from a checkpoint", function()
      local flowers, species = ml.read_csv "examples/data/breast_cancer.csv":split "diagnosis"
      local path = os.tmpname()
      local function search(scoring)
         return ml.GridSearch { ml.GaussianNB {}, { var_smoothing = { 1e-9, 1 } }, cv = 3, scoring = scoring,
            checkpoint = path }:fit(flowers, species)
      end
      os.remove(path)
      local benign = search { "recall", positive = "benign" }
      local message = ("GridSearch: checkpoint '%s' holds scores of another model, other data, folds or scores; remove "
         .. "the file or choose another name"):format(path)
      refuses(message, search, { "recall", positive = "malignant" })
      assert.equal(benign.best_score, search({ "recall", positive = "benign" }).best_score)
      os.remove(path)
      search(function() return 1 end)
      refuses(message, search, function() return 2 end)
      os.remove(path)
      local function halve(seed, file)
         return ml.HalvingGridSearch { ml.GaussianNB {}, { var_smoothing = { 1e-9, 1e-3, 1e-1, 1 } }, cv = 3,
            seed = seed, factor = 2, min_rows = 30, checkpoint = file }
            :fit(flowers, species).history.mean_score:totable()
      end
      halve(1, path)
      assert.same(halve(2), halve(2, path))
      os.remove(path)
   end)

   it("refuses a checkpoint whose scores are damaged", function()
      local path = os.tmpname()
      local function fit()
         return ml.GridSearch { ml.Ridge {}, { alpha = { 1, 2 } }, cv = 3, checkpoint = path }:fit(X, y)
      end
      os.remove(path)
      fit()
      local good = ml.load(path)
      local key = next(good.at)
      local record = good.at[key]
      for _, bad in ipairs { 3, { scores = 3 }, { scores = { r2 = "x" }, fit_seconds = 1, score_seconds = 1 }, {},
         { scores = record.scores }, { error = {}, fit_seconds = 1, score_seconds = 1 },
         { scores = record.scores, train_scores = { r2 = "x" }, fit_seconds = 1, score_seconds = 1 } } do
         good.at[key] = bad
         ml.save(good, path)
         refuses(("GridSearch: checkpoint '%s' is not a checkpoint of a search; remove the file or choose another name")
            :format(path), fit)
      end
      os.remove(path)
   end)

   -- A sum over a column with a missing value is nan whatever the others are.
   it("distinguishes data with missing values from sparse data", function()
      local nan = 0 / 0
      local function column(list) return ml.Vector(list):as_column() end
      local labels = ml.Factor { "a", "b", nil, "a", "b", "b", n = 6 }
      local others = ml.Factor { "b", "a", nil, "a", "b", "b", n = 6 }
      local changed = {
         { column { nan, 1, 2, 3, 4, 5 }, column { nan, 1, 2, 3, 4, 6 } },
         { column { nan, 0, 2, 3, 4, 5 }, column { 0, nan, 2, 3, 4, 5 } },
         { ml.Frame { { "l", labels } }, ml.Frame { { "l", others } } },
         { ml.Sparse.from(X6), ml.Sparse.from(X6 * 2) },
      }
      for _, pair in ipairs(changed) do
         local path = os.tmpname()
         os.remove(path)
         local function search(data)
            local options = { Constant {}, { value = { 1, 2 } }, cv = 3, scoring = "mse", checkpoint = path }
            return ml.GridSearch(options):fit(data, y6)
         end
         search(pair[1])
         assert.has_error(function() search(pair[2]) end)
         search(pair[1])
         os.remove(path)
      end
   end)
end)

describe("HyperbandSearch", function()
   it("runs the brackets of Li et al. (2018), algorithm 1", function()
      local search = ml.HyperbandSearch { Constant {}, { value = { "uniform", 0, 2 } }, cv = 2, scoring = "mse",
         resource = "rounds", max_resource = 81, min_resource = 1 }:fit(X6, y6)
      -- n = ceil((s_max + 1) / (s + 1) 3^s) candidates with 81 / 3^s rounds, then a third with three times as many
      local wanted = { { 81, 27, 9, 3, 1 }, { 34, 11, 3, 1 }, { 15, 5, 1 }, { 8, 2 }, { 5 } }
      local counts, h = {}, search.history
      for i = 1, #h.bracket do
         local b, r = h.bracket[i], h.round[i]
         counts[b] = counts[b] or {}
         counts[b][r] = (counts[b][r] or 0) + 1
         assert.equal(81 // 3 ^ (5 - b - (r - 1)), h.resource[i])
      end
      assert.same(wanted, counts)
      assert.equal(81, search.best.rounds)
      assert.equal(143, #search.results.mean_score)
      assert.equal(1, search.results.rank[search.best_index])
      assert.equal(81, search.results.resource[search.best_index])
   end)

   it("gives bit-identical results for any number of threads, and in Lua", function()
      local first
      for _, more in ipairs { { path = "lua" }, { threads = 1 }, { threads = 3 } } do
         more[1], more[2], more.cv = ml.Ridge {}, { alpha = { "loguniform", 0.01, 100 } }, 3
         local search = ml.HyperbandSearch(more):fit(X, y)
         local results = search.results:drop("fit_seconds", "score_seconds")
         first = first or results
         assert.equal(first, results)
      end
   end)
end)

describe("HalvingRandomSearch", function()
   it("halves the candidates of RandomSearch", function()
      local grid = { alpha = { "loguniform", 0.01, 100 } }
      local search = ml.HalvingRandomSearch { ml.Ridge {}, grid, n = 9, seed = 3, cv = 2 }:fit(X, y)
      local random = ml.RandomSearch { ml.Ridge {}, grid, n = 9, seed = 3, cv = 2 }:fit(X, y)
      assert.equal(random.results.alpha, search.results.alpha)
      assert.equal(random.results.mean_score[search.best_index], search.best_score)
      assert.same({ 9, 3, 1 }, { search.history.round:eq(1):sum(), search.history.round:eq(2):sum(),
         search.history.round:eq(3):sum() })
      local growing = ml.HalvingRandomSearch { ml.HistGradientBoostingRegressor {}, { learning_rate = { 0.05, 0.1 } },
         n = 3, cv = 2, resource = "max_iter", max_resource = 9 }:fit(X, y)
      assert.equal(9, growing.best.max_iter)
   end)

   it("refuses invalid resources", function()
      local function try(more)
         more[1], more[2] = ml.Ridge {}, { alpha = { 1, 2 } }
         return ml.HalvingRandomSearch(more)
      end
      refuses("HalvingRandomSearch: resource = 'max_iter' requires max_resource, got nil", try,
         { resource = "max_iter" })
      refuses("HalvingRandomSearch: min_resource and max_resource require resource, the name of a parameter", try,
         { max_resource = 4 })
      refuses("HalvingRandomSearch: factor must be a number > 1, got 1", try, { factor = 1 })
   end)
end)
