--- RANSACRegressor: robust regression by random sample consensus.
--
-- Each trial fits the base to min_samples random rows; its inliers are the rows whose loss is at most
-- residual_threshold. The trial with the most inliers wins, ties are broken by R2 on the inliers; the base is then
-- fitted to its inliers. With samples of m rows and a fraction w of inliers,
--
--    N >= log(1 - stop_probability) / log(1 - w^m)
--
-- trials contain a sample without outliers with that probability, so the number of trials falls as w grows. Fischler &
-- Bolles, Comm. ACM 24 (1981).

local base = require "manilius.ensemble.base"
local core = require "manilius.core"
local core_models = require "manilius.core_models"
local estimator = require "manilius.estimator"
local parts = require "manilius.ensemble.parts"
local progress = require "manilius.progress"
local rows = require "manilius.rows"
local text = require "manilius.text"

local M = {}

local WHO = "RANSACRegressor"

-- --- settings ---

local LOSSES = { "absolute_error", "squared_error" }

local function wrong(self, name, wanted)
   error(("%s: %s must be %s, got %s"):format(WHO, name, wanted, estimator.value_text(self[name])), 0)
end

local function check_base(self)
   local model = self.estimator
   if not estimator.is(model) then wrong(self, "estimator", "an estimator") end
   local does = estimator.does(model)
   if not estimator.can(model, "predict") or (does and does ~= "regress") then
      error(("%s: estimator must regress, got %s"):format(WHO, estimator.name(model)), 0)
   end
end

local function check_min_samples(self)
   local value = self.min_samples
   local share = math.type(value) == "float" and value > 0 and value < 1
   local count = math.type(value) == "integer" and value >= 1
   if value ~= nil and not (share or count) then
      wrong(self, "min_samples", "a fraction between 0 and 1, a whole number >= 1, or nil")
   end
   if value == nil and estimator.name(self.estimator) ~= "LinearRegression" then
      error(("%s: min_samples must be given unless estimator is LinearRegression, got nil"):format(WHO), 0)
   end
end

local function check_number(self, name, min, max, wanted)
   local value = self[name]
   local good = value == nil or type(value) == "number" and value >= min and value <= max
   if not good then wrong(self, name, wanted) end
end

local function check(self)
   check_base(self)
   core_models.refuse_square(WHO, self.estimator)
   check_min_samples(self)
   base.check_whole(self, "max_trials", 1)
   base.check_whole(self, "seed", 0)
   check_number(self, "residual_threshold", 0, math.huge, ">= 0 or nil")
   check_number(self, "max_skips", 0, math.huge, ">= 0 or nil")
   check_number(self, "stop_n_inliers", 0, math.huge, ">= 0 or nil")
   check_number(self, "stop_score", -math.huge, math.huge, "a number or nil")
   check_number(self, "stop_probability", 0, 1, "from 0 to 1")
   if self.loss ~= "absolute_error" and self.loss ~= "squared_error" then
      error(("%s: loss must be absolute_error or squared_error, got %s%s"):format(WHO,
         estimator.value_text(self.loss), text.near(tostring(self.loss), LOSSES)), 0)
   end
end

-- The number of rows in a sample.
local function sample_size(self, n, p)
   local size = self.min_samples or p + 1
   if math.type(size) == "float" then size = math.ceil(size * n) end
   if size > n then
      error(("%s: min_samples must be at most the number of rows, %d, got %d"):format(WHO, n, size), 0)
   end
   return size
end

-- --- one trial ---

-- A uniformly random subset of k of n indices, in ascending order (Floyd's algorithm).
local function draw(rng, n, k)
   local taken, places = {}, {}
   for j = n - k + 1, n do
      local one = rng:integer(1, j)
      if taken[one] then one = j end
      taken[one] = true
      places[#places + 1] = one
   end
   table.sort(places)
   return places
end

local function columns_of(value)
   value = parts.numbers(value)
   if rows.kind(value) == "Vector" then return { value } end
   local list = {}
   for j = 1, value.cols do list[j] = value:col(j):copy() end
   return list
end

-- The loss of each row, summed over the targets.
local function losses(self, y, predicted)
   local sum
   for j, column in ipairs(y) do
      local off = (column - predicted[j]):abs()
      if self.loss == "squared_error" then off = off:square() end
      sum = sum and sum + off or off
   end
   return sum
end

-- The mean R2 of the targets over some rows; nan for a single row. A constant target counts 1 if exact, else 0.
local function r2(y, predicted, places)
   if #places < 2 then return 0 / 0 end
   local sum = 0
   for j, column in ipairs(y) do
      local own = column:take(places)
      local about, off = own - own:mean(), own - predicted[j]:take(places)
      local total, rest = about:dot(about), off:dot(off)
      sum = sum + (total > 0 and 1 - rest / total or rest == 0 and 1 or 0)
   end
   return sum / #y
end

-- Raise an error of the base, with its name exactly once.
local function fail(model, message)
   local name, reason = estimator.name(model) .. ":", rows.recoverable_error(message)
   error(("%s: %s%s"):format(WHO, reason:sub(1, #name) == name and "" or name .. " ", reason), 0)
end

local function fit_to(data, model, places)
   local options = data.weights and { weights = data.weights:take(places) } or nil
   local ok, message = pcall(model.fit, model, rows.take(data.X, places), rows.take(data.y, places), options)
   if not ok then fail(model, message) end
   return model
end

local function predict_columns(model, X)
   local ok, result = pcall(model.predict, model, X)
   if not ok then fail(model, result) end
   return columns_of(result)
end

-- The inliers of a trial: their count and mask, and the predictions of its model.
local function run_trial(self, data, i)
   local rng = core.rng(self.seed, i)
   local places = draw(rng, data.n, data.size)
   local predicted = predict_columns(fit_to(data, base.fresh(self.estimator, rng), places), data.X)
   local mask = losses(self, data.targets, predicted):le(data.threshold)
   return { count = mask:sum(), mask = mask, predicted = predicted, trial = i }
end

-- --- fit ---

--- The number of trials that suffice if a fraction `share` of the rows are inliers.
local function sufficient_trials(share, size, probability)
   local missed, spoilt = math.max(2.0 ^ -52, 1 - probability), math.max(2.0 ^ -52, 1 - share ^ size)
   if missed == 1 then return 0 end
   if spoilt == 1 then return math.huge end
   return math.ceil(math.log(missed) / math.log(spoilt))
end

-- The median absolute deviation of y, over all targets.
local function spread(targets)
   local all = #targets == 1 and targets[1] or core.hcat(table.unpack(targets)):flatten()
   return (all - all:median()):abs():median()
end

local function prepare(self, X, y, options)
   local data = parts.start_fit(self, X, y, options)
   if data.weights and not parts.takes_weights(self.estimator) then
      error(("%s: %s does not support weights"):format(WHO, estimator.name(self.estimator)), 0)
   end
   data.y = parts.numbers(data.y)
   data.targets = columns_of(data.y)
   data.size = sample_size(self, data.n, self.n_features)
   data.threshold = self.residual_threshold or spread(data.targets)
   return data
end

-- Is a trial better than the best so far? Computes its score if the counts do not decide.
local function beats(data, one, best)
   if one.count < (best and best.count or 1) then return false end
   one.places = one.mask:nonzero()
   one.score = r2(data.targets, one.predicted, one.places)
   return not (best and one.count == best.count and one.score < best.score)
end

local function satisfied(self, best)
   return best.count >= (self.stop_n_inliers or math.huge) or best.score >= (self.stop_score or math.huge)
end

-- The best of all trials, or nil.
local function search(self, data)
   local best
   local max_trials, max_skips = self.max_trials, self.max_skips or math.huge
   local shown <close> = progress.task(WHO, self.max_trials)
   self.n_trials, self.n_skips_no_inliers = 0, 0
   while self.n_trials < max_trials and self.n_skips_no_inliers <= max_skips do
      self.n_trials = self.n_trials + 1
      shown:at(self.n_trials - 1, 1, best and best.count)
      local one = run_trial(self, data, self.n_trials)
      if one.count < (best and best.count or 1) then self.n_skips_no_inliers = self.n_skips_no_inliers + 1 end
      if beats(data, one, best) then
         best = one
         local sufficient = sufficient_trials(best.count / data.n, data.size, self.stop_probability)
         max_trials = math.min(max_trials, sufficient)
         if satisfied(self, best) then break end
      end
      local answer = data.report and data.report(self.n_trials, self.max_trials, best and best.count)
      if answer == "cancel" then progress.cancel() end
      if answer == "stop" then break end
   end
   return best
end

local function fit(self, X, y, options)
   local data = prepare(self, X, y, options)
   local best = search(self, data)
   if not best then
      error(("%s: no sample of %d rows has any inlier within residual_threshold = %.6g after %s; increase it"):format(
         WHO, data.size, data.threshold, text.plural(self.n_trials, "trial")), 0)
   end
   if self.max_skips and self.n_skips_no_inliers > self.max_skips then
      rows.warn(("%s: stopped early because more than max_skips = %s trials had too few inliers"):format(WHO,
         estimator.value_text(self.max_skips)))
   end
   self.best = fit_to(data, base.fresh(self.estimator, core.rng(self.seed, best.trial)), best.places)
   self.inlier_mask, self.threshold = best.mask, data.threshold
   return self
end

-- --- the class ---

local function show(self)
   local line = estimator.one_line(self)
   if rawget(self, "fitted") then
      line = ("%s, fitted: %d inliers among %s, %s"):format(line, self.inlier_mask:sum() // 1 | 0,
         text.plural(#self.inlier_mask, "row"), text.plural(self.n_features, "feature"))
   end
   return text.wrap_line(line)
end

M.RANSACRegressor = estimator.class {
   name = WHO,
   inner = "estimator", reports_progress = true,
   ours = true,
   does = "regress",
   params = { estimator = estimator.NONE, min_samples = estimator.NONE, residual_threshold = estimator.NONE,
      max_trials = 100, max_skips = estimator.NONE, stop_n_inliers = estimator.NONE, stop_score = estimator.NONE,
      stop_probability = 0.99, loss = "absolute_error", seed = 0 },
   learned = { n_features = "number of columns of X", feature_names = "column names of X, if X is a Frame",
      best = "the base, fitted to the inliers", inlier_mask = "Vector: 1 for inliers, else 0, among rows of weight > 0",
      n_trials = "number of samples drawn",
      n_skips_no_inliers = "number of samples with fewer inliers than the best so far",
      threshold = "the residual threshold used" },
   help = {
      use = "RANSACRegressor { estimator, min_samples, residual_threshold, max_trials = 100, ... }",
      brief = "Robust regression by random sample consensus (RANSAC).",
      objective = "maximize the number of rows with |y_i - f(x_i)| <= residual_threshold, f fitted to min_samples rows",
      params = {
         estimator = "the base estimator, default LinearRegression {}; may be given first, without a name",
         min_samples = "rows in a sample: a number (integer) or a fraction (float < 1); nil: number of columns + 1, "
            .. "for LinearRegression only",
         residual_threshold = "maximum loss of an inlier; nil: the median absolute deviation of y",
         max_trials = "maximum number of samples",
         max_skips = "maximum number of samples with fewer inliers than the best; nil: no limit",
         stop_n_inliers = "stop when at least this many inliers are found; nil: never",
         stop_score = "stop when R2 on the inliers is at least this; nil: never",
         stop_probability = "stop when a sample without outliers was drawn with this probability, given the fraction "
            .. "of inliers",
         loss = "\"absolute_error\" or \"squared_error\", summed over targets; residual_threshold is in its units",
         seed = "random seed",
      },
      notes = "Sample weights, if the base supports them, are used in its fits; they do not affect how rows are "
         .. "drawn or counted. Learned fields of the base are fields of this model too: model.coef. on_iter gets the "
         .. "number of inliers as objective and may return \"stop\".",
      source = "Fischler & Bolles, Comm. ACM 24 (1981)",
      example = [[
local X, y = {}, {}
for i = 1, 30 do X[i], y[i] = { i }, i % 5 == 0 and 90 or 2 * i + 1 end
local model = ml.RANSACRegressor { residual_threshold = 1 }:fit(X, y)
print(model, model.coef, model.intercept)]],
   },
   construct = base.construct(function() return core.constructors.LinearRegression {} end),
   check = check,
   tostring = show,
   index = function(self, key)
      local best = rawget(self, "best")
      return best and type(key) == "string" and parts.has_field(best, key) or nil
   end,
   fit = fit,
   predict = function(self, X) return (rows.rethrow(2, pcall(self.best.predict, self.best, X))) end,
}

return M
