--- ConformalRegressor: prediction intervals with a guaranteed coverage for exchangeable rows, around any regressor.
--
--    split        [m(x) - q, m(x) + q],  q: conformal quantile of |y_i - m(x_i)| over rows held out from the fit of m
--    normalized   the same with residuals divided by a predicted size: [m(x) - q s(x), m(x) + q s(x)]
--    cqr          [l(x) - q, u(x) + q],  q: quantile of max(l(x_i) - y_i, y_i - u(x_i)); l and u predict quantiles
--    cv+          conformal quantiles over i of m_-i(x) -+ |y_i - m_-i(x_i)|, m_-i fitted without the fold of row i
--
-- Lei et al., JASA 113 (2018); Romano, Patterson & Candes, NeurIPS (2019); Barber et al., Annals of Statistics 49
-- (2021); Kim, Xu & Barber, NeurIPS (2020).

local base = require "manilius.ensemble.base"
local core = require "manilius.core"
local estimator = require "manilius.estimator"
local folds = require "manilius.select.folds"
local held_out = require "manilius.calibrate.held_out"
local parts = require "manilius.ensemble.parts"
local rows = require "manilius.rows"

local M = {}

local WHO = "ConformalRegressor"
local METHODS = { "split", "normalized", "cqr", "cv+", "jackknife+", "jackknife_after_bootstrap" }
local INNER_FOLDS = 5 -- for the residuals that the size is learned from
local SMALLEST_RESIDUAL = 1e-3 -- relative to the mean, so that its logarithm is finite

-- --- settings ---

-- The estimator for a quantile: its parameter quantile, or alpha for GradientBoostingRegressor, may be nested.
local function for_quantile(model, q)
   local copy, settings = estimator.clone(model), {}
   for name in pairs(estimator.get_params(copy)) do
      local before, last = tostring(name):match "^(.-)([^_]+)$"
      if last == "loss" and (before == "" or before:sub(-2) == "__") then settings[name] = "quantile" end
      if last == "quantile" and (before == "" or before:sub(-2) == "__") then settings[name] = q end
   end
   for name in pairs(estimator.get_params(copy)) do
      local before = tostring(name):match "^(.-)alpha$"
      local by_alpha = before and settings[before .. "loss"] and settings[before .. "quantile"] == nil
      if by_alpha then settings[name], settings[before .. "quantile"] = q, nil end
   end
   local found = false
   for name, value in pairs(settings) do found = found or value == q and name ~= nil end
   if not found then
      error(("%s: method = \"cqr\" requires a regressor of quantiles, such as QuantileRegressor, got %s"):format(WHO,
         estimator.name(model)), 0)
   end
   estimator.set_params(copy, settings)
   return copy
end

local function check(self)
   base.check_base(self)
   held_out.check_choice(self, "method", METHODS)
   held_out.check_between(self, "level", 0, 1)
   held_out.check_between(self, "calibration_size", 0, 1)
   base.check_cv(self, "prefit")
   base.check_whole(self, "n_estimators", 2)
   base.check_whole(self, "seed", 0)
   if self.cv == "prefit" and self.method ~= "split" then
      error(("%s: cv = \"prefit\" requires method = \"split\", got %q"):format(WHO, self.method), 0)
   end
   local difficulty = rawget(self, "difficulty")
   if difficulty ~= nil and (not estimator.is(difficulty) or estimator.does(difficulty) ~= "regress") then
      error(("%s: difficulty must be a regressor, got %s"):format(WHO, estimator.got(difficulty)), 0)
   end
   if self.method == "cqr" then for_quantile(self.estimator, 0.5) end
end

-- --- fit ---

local function as_vector(value)
   value = parts.numbers(value)
   return rows.kind(value) == "Matrix" and value:flatten() or value
end

local function predicted(self, model, X)
   return as_vector(parts.call(self, "estimator", model, "predict", X))
end

local function run(data, models, splits, jobs, on_done)
   local names, wants = {}, {}
   for i = 1, #models do names[i], wants[i] = "estimator", { predict = true } end
   return parts.run(data, names, { models = models, folds = splits, jobs = jobs, wants = wants, on_done = on_done })
end

-- Rows to fit and rows to calibrate, drawn without replacement.
local function random_split(self, n)
   local count = math.max(1, math.floor(n * self.calibration_size + 0.5))
   if n - count < 1 then error(("%s: X must have at least 2 rows, got %d"):format(WHO, n), 0) end
   local order = core.rng(self.seed, 0):permutation(n)
   return { test = order:slice(1, count):copy():sort(), train = order:slice(count + 1, n):copy():sort() }
end

local function residuals(data, at, prediction)
   return (data.y:take(at) - prediction):abs()
end

local function keep_scores(self, data, at, scores)
   self.scores, self.score_weights = scores, held_out.weights_of(data, at)
end

local fitting = {}

function fitting.split(self, data, on_done)
   if self.cv == "prefit" then
      held_out.check_prefit(self, data)
      self.best = self.estimator
      keep_scores(self, data, core.range(1, data.n), (data.y - predicted(self, self.best, data.X)):abs())
      return
   end
   local split = random_split(self, data.n)
   local result = run(data, { self.estimator }, { split }, { { 1, 1, keep = true } }, on_done)[1]
   self.best = result.model
   keep_scores(self, data, split.test, residuals(data, split.test, as_vector(result.test.predict)))
end

-- The size of residuals is exp of a regression of their logarithm, on out-of-fold residuals of the rows to fit.
local function fit_size(self, data, train, residual)
   local model = estimator.clone(rawget(self, "difficulty") or self.estimator)
   local least = math.max(residual:mean() * SMALLEST_RESIDUAL, 1e-300)
   local weights = held_out.weights_of(data, train)
   weights = weights and parts.takes_weights(model) and { weights = weights } or nil
   local ok, message = pcall(model.fit, model, rows.take(data.X, train), (residual:maximum(least)):log(), weights)
   if not ok then parts.raise(self, "difficulty", message) end
   return model
end

local function size_at(self, X)
   return as_vector(parts.call(self, "difficulty", self.size_model, "predict", X)):exp()
end

function fitting.normalized(self, data, on_done)
   local split = random_split(self, data.n)
   local jobs, splits, train = { { 1, 1, keep = true } }, { split }, split.train
   if #train < 2 then error(("%s: X must have at least 3 rows, got %d"):format(WHO, data.n), 0) end
   for _, inner in ipairs(folds.KFold { k = math.min(INNER_FOLDS, #train), seed = self.seed }:split(#train)) do
      splits[#splits + 1] = { train = train:take(inner.train), test = train:take(inner.test), inner = inner.test }
      jobs[#jobs + 1] = { 1, #splits }
   end
   local results, residual = run(data, { self.estimator }, splits, jobs, on_done), core.Vector(#train)
   for f = 2, #splits do
      local own = residuals(data, splits[f].test, as_vector(results[f].test.predict))
      for i = 1, #own do residual[splits[f].inner[i]] = own[i] end
   end
   self.best, self.size_model = results[1].model, fit_size(self, data, train, residual)
   local size = size_at(self, rows.take(data.X, split.test))
   keep_scores(self, data, split.test, residuals(data, split.test, as_vector(results[1].test.predict)) / size)
end

function fitting.cqr(self, data, on_done)
   local split, models, jobs = random_split(self, data.n), {}, {}
   for i, q in ipairs { 0.5, (1 - self.level) / 2, (1 + self.level) / 2 } do
      models[i], jobs[i] = for_quantile(self.estimator, q), { i, 1, keep = true }
   end
   local results = run(data, models, { split }, jobs, on_done)
   self.best, self.lower, self.upper = results[1].model, results[2].model, results[3].model
   local y, low, high = data.y:take(split.test), as_vector(results[2].test.predict), as_vector(results[3].test.predict)
   keep_scores(self, data, split.test, (low - y):maximum(y - high))
end

-- Models of the folds, a residual for each row, and the model of all rows.
local function fit_held_out(self, data, splits, on_done)
   local all, jobs = table.move(splits, 1, #splits, 1, {}), {}
   all[#all + 1] = parts.all_rows(data.n)
   for f = 1, #all do jobs[f] = { 1, f, keep = true } end
   local results = run(data, { self.estimator }, all, jobs, on_done)
   self.estimators, self.best = {}, results[#results].model
   for f = 1, #splits do self.estimators[f] = results[f].model end
   return results
end

local function fit_plus(self, data, splits, on_done)
   local results = fit_held_out(self, data, splits, on_done)
   local residual, member = core.Vector(data.n), core.Vector(data.n)
   for f, split in ipairs(splits) do
      local own = residuals(data, split.test, as_vector(results[f].test.predict))
      for i = 1, #own do residual[split.test[i]], member[split.test[i]] = own[i], f end
   end
   self.member = member
   keep_scores(self, data, core.range(1, data.n), residual)
end

-- A number of folds is shuffled: rows in an order, such as that of X, are not exchangeable.
fitting["cv+"] = function(self, data, on_done)
   local cv = self.cv
   if math.type(cv) == "integer" and not data.groups then cv = folds.KFold { k = cv, seed = self.seed } end
   fit_plus(self, data, parts.splits(data, cv, false, data.y), on_done)
end

fitting["jackknife+"] = function(self, data, on_done)
   fit_plus(self, data, parts.splits(data, folds.LeaveOneOut {}, false, data.y), on_done)
end

-- Bootstrap samples; the prediction for a row is the mean of the models that did not draw it.
function fitting.jackknife_after_bootstrap(self, data, on_done)
   local splits, out = {}, core.zeros(self.n_estimators, data.n)
   for b = 1, self.n_estimators do
      local seed = base.seed_from(core.rng(self.seed, b))
      local drawn = (core.random(data.n, nil, seed) * data.n):floor() + 1
      local left = core.Vector(data.n, 1)
      for i = 1, data.n do left[drawn[i]] = 0 end
      splits[b] = { train = drawn:sort(), test = left:nonzero() }
      for i = 1, data.n do out:set(b, i, left[i]) end
   end
   local results = fit_held_out(self, data, splits, on_done)
   local sum, count = core.Vector(data.n, 0), core.Vector(data.n, 0)
   for b, split in ipairs(splits) do
      local p = #split.test > 0 and as_vector(results[b].test.predict)
      for i = 1, #split.test do
         local at = split.test[i]
         sum[at], count[at] = sum[at] + p[i], count[at] + 1
      end
   end
   local known = count:nonzero()
   if #known == 0 then error(("%s: every row is in all bootstrap samples; increase n_estimators"):format(WHO), 0) end
   self.shares = core.Matrix((out / count:maximum(1)):t():take(known)):t():copy()
   keep_scores(self, data, known, (data.y:take(known) - sum:take(known) / count:take(known)):abs())
   self.member = core.range(1, #known)
end

local function fit(self, X, y, options)
   local data = parts.data(self, X, y, options, { "groups" })
   parts.need_numbers(data, self.estimator)
   parts.one_target(data)
   if rows.kind(data.y) == "Factor" then error(WHO .. ": y must be numbers, got labels", 0) end
   if rows.kind(data.y) == "Matrix" then data.y = data.y:flatten() end
   if data.y:isfinite():sum() < data.n then error(WHO .. ": y must be finite", 0) end
   parts.learn(self, data)
   fitting[self.method](self, data, data.report and parts.cancel_only(data))
   return self
end

-- --- prediction ---

-- The predictions of all held-out models, and for bootstrap samples their means without each row.
local CHUNK = 1000

local function held_out_bounds(self, X, level)
   local columns, lows, highs = {}, {}, {}
   for i, model in ipairs(self.estimators) do columns[i] = predicted(self, model, X) end
   local all = core.hcat(table.unpack(columns))
   for first = 1, all.rows, CHUNK do
      local part = all:slice(first, math.min(first + CHUNK - 1, all.rows))
      if rawget(self, "shares") then part = part * self.shares end
      lows[#lows + 1], highs[#highs + 1] = core.calibration.intervals(part, self.member, self.scores, level,
         rawget(self, "score_weights"))
      lows[#lows], highs[#highs] = lows[#lows]:as_column(), highs[#highs]:as_column()
   end
   return core.vcat(table.unpack(lows)):flatten(), core.vcat(table.unpack(highs)):flatten()
end

local function bounds(self, X, level, mean)
   if rawget(self, "member") then return held_out_bounds(self, X, level) end
   local q = core.calibration.quantile(self.scores, level, rawget(self, "score_weights"))
   if self.fitted_with.method == "cqr" then
      local low, high = predicted(self, self.lower, X) - q, predicted(self, self.upper, X) + q
      return low:minimum(high), high
   end
   local half_width = self.fitted_with.method == "normalized" and size_at(self, X) * q or q
   return mean - half_width, mean + half_width
end

-- Warn if there are too few rows for the level.
local function warn_infinite(self, level)
   local total = rawget(self, "score_weights") and self.score_weights:sum() or #self.scores
   if level * (total + 1) * (1 - 1e-12) <= total then return end
   rows.warn(("%s: intervals of level %g are infinite: %g calibration rows, at least %d are needed"):format(WHO, level,
      total, math.ceil(level / (1 - level) - 1e-9)))
end

local function predict_interval(self, X, options)
   estimator.need_fitted(self, "predict_interval", 2)
   return (rows.rethrow(2, pcall(function()
      local level = held_out.level_of(self, options, "predict_interval", { "level" })
      local mean = predicted(self, self.best, X)
      local low, high = bounds(self, X, level, mean)
      warn_infinite(self, level)
      return { mean = mean, low = low, high = high }
   end)))
end

M.ConformalRegressor = held_out.class {
   name = WHO,
   does = "regress",
   params = { method = "split", level = 0.95, calibration_size = 0.25, cv = 5, difficulty = estimator.NONE,
      n_estimators = 30, seed = 0 },
   private = { score_weights = true, shares = true, member = true, size_model = true, lower = true, upper = true },
   learned = { best = "the fitted estimator that predict uses", scores = "conformity scores of the calibration rows",
      estimators = "list of the models of the folds or bootstrap samples; nil for split, normalized and cqr" },
   help = {
      use = "ConformalRegressor { estimator, method = \"split\", level = 0.95, calibration_size = 0.25, cv = 5, ... }",
      brief = "Prediction intervals with guaranteed coverage around any regressor.",
      objective = "P(low(x) <= y <= high(x)) >= level for exchangeable rows; 1 - 2 (1 - level) for cv+ and jackknife+",
      params = { estimator = "the regressor, default LinearRegression {}; may be given first, without a name",
         method = "\"split\": residuals of held-out rows; \"normalized\": divided by their predicted size; \"cqr\": "
            .. "conformalized quantile regression; \"cv+\"; \"jackknife+\"; \"jackknife_after_bootstrap\"",
         level = "coverage of the intervals; cqr fits the quantiles of this level",
         calibration_size = "fraction of the rows held out by split, normalized and cqr",
         cv = "for cv+: " .. held_out.CV:gsub(" %(stratified for classifiers, grouped by the fit option groups%)", "")
            .. "; a number of folds is shuffled; \"prefit\": the estimator is already fitted, and all rows given to "
               .. "fit calibrate it",
         difficulty = "for normalized: regressor for the logarithm of residuals; nil: a clone of the estimator",
         n_estimators = "number of bootstrap samples of jackknife_after_bootstrap",
         seed = "random seed; results do not depend on the number of threads" },
      methods = { predict_interval = { use = "predict_interval(X [, { level = }])",
         brief = "{ mean =, low =, high = }: Vectors of predictions and of the ends of their intervals." } },
      notes = "The guarantee assumes only that the rows of fit and new rows are exchangeable, not that the model is "
         .. "right. It holds on average over rows; normalized and cqr adapt the width. jackknife+ fits one model per "
         .. "row. Too few calibration rows for a level give infinite intervals and a warning. Sample weights count "
         .. "rows.",
      source = "Vovk et al. (2005); Lei et al., JASA 113 (2018); Romano et al., NeurIPS (2019); Barber et al., Annals "
         .. "of Statistics 49 (2021); Kim et al., NeurIPS (2020)",
      example = [[
local X, y = ml.read_csv "examples/data/diabetes.csv":split "progression"
local model = ml.ConformalRegressor { ml.Ridge {}, method = "cv+" }:fit(X, y)
local interval = model:predict_interval(X:slice(1, 3), { level = 0.8 })
print(interval.low, interval.high)]],
   },
   construct = base.construct(function() return core.constructors.LinearRegression() end),
   check = check,
   fit = fit,
   can = function(_, name) return name == "predict" or not estimator.is_action(name) end,
   predict = function(self, X) return predicted(self, self.best, X) end,
   predict_interval = predict_interval,
}

return M
