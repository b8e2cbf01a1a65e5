--- RANSACRegressor: a model of the rows that agree with each other, found by fits to small random samples.
--
-- Each trial fits the base to min_samples rows drawn at random, and takes as inliers the rows whose loss is at most
-- residual_threshold. The trial with most inliers wins, among equals the one with the greater R2 on them; the base is
-- then fitted to its inliers. After N trials, of m rows each, with a share w of inliers,
--
--    N >= log(1 - stop_probability) / log(1 - w^m)
--
-- is enough to have drawn a sample without outliers with that probability: so max_trials falls as w grows. Fischler &
-- Bolles, Comm. ACM 24 (1981).
-- @module manilius.ensemble.ransac

local base = require "manilius.ensemble.base"
local core = require "manilius.core"
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
      wrong(self, "min_samples", "a share between 0 and 1, a whole number from 1, or nil")
   end
   if value == nil and estimator.name(self.estimator) ~= "LinearRegression" then
      error(("%s: min_samples must be given where estimator is not LinearRegression, got nil"):format(WHO), 0)
   end
end

local function check_number(self, name, least, most, wanted)
   local value = self[name]
   local good = value == nil or type(value) == "number" and value >= least and value <= most
   if not good then wrong(self, name, wanted) end
end

local function check(self)
   check_base(self)
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

-- Rows of a sample.
local function sample_size(self, n, p)
   local size = self.min_samples or p + 1
   if math.type(size) == "float" then size = math.ceil(size * n) end
   if size > n then
      error(("%s: min_samples must be at most the number of rows, %d, got %d"):format(WHO, n, size), 0)
   end
   return size
end

-- --- one trial ---

-- k of n places in ascending order, each k of them as likely as any other (Floyd's algorithm).
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
local function losses(self, y, said)
   local sum
   for j, column in ipairs(y) do
      local off = (column - said[j]):abs()
      if self.loss == "squared_error" then off = off:square() end
      sum = sum and sum + off or off
   end
   return sum
end

-- The mean R2 of the targets over some rows; nan of one row. A constant target is worth 1 where all is right, else 0.
local function r2(y, said, places)
   if #places < 2 then return 0 / 0 end
   local sum = 0
   for j, column in ipairs(y) do
      local own = column:take(places)
      local about, off = own - own:mean(), own - said[j]:take(places)
      local total, rest = about:dot(about), off:dot(off)
      sum = sum + (total > 0 and 1 - rest / total or rest == 0 and 1 or 0)
   end
   return sum / #y
end

-- Raised in the name of the base, which is said once.
local function fail(model, message)
   local name, said = estimator.name(model) .. ":", rows.recoverable_error(message)
   error(("%s: %s%s"):format(WHO, said:sub(1, #name) == name and "" or name .. " ", said), 0)
end

local function fit_to(data, model, places)
   local options = data.weights and { weights = data.weights:take(places) } or nil
   local ok, message = pcall(model.fit, model, rows.take(data.X, places), rows.take(data.y, places), options)
   if not ok then fail(model, message) end
   return model
end

local function says(model, X)
   local ok, result = pcall(model.predict, model, X)
   if not ok then fail(model, result) end
   return columns_of(result)
end

-- The inliers of a sample: how many, which, and their R2 under the model of the sample.
local function try(self, data, i)
   local rng = core.rng(self.seed, i)
   local places = draw(rng, data.n, data.size)
   local said = says(fit_to(data, base.fresh(self.estimator, rng), places), data.X)
   local mask = losses(self, data.targets, said):le(data.threshold)
   return { count = mask:sum(), mask = mask, said = said, trial = i }
end

-- --- fit ---

--- How many trials are enough; `share` of the rows are inliers.
local function enough(share, size, probability)
   local missed, spoilt = math.max(2.0 ^ -52, 1 - probability), math.max(2.0 ^ -52, 1 - share ^ size)
   if missed == 1 then return 0 end
   if spoilt == 1 then return math.huge end
   return math.ceil(math.log(missed) / math.log(spoilt))
end

-- The median distance of y from its median, over all targets.
local function spread(targets)
   local all = #targets == 1 and targets[1] or core.hcat(table.unpack(targets)):flatten()
   return (all - all:median()):abs():median()
end

local function prepare(self, X, y, options)
   local data = parts.data(self, X, y, options)
   parts.need_numbers(data, self.estimator)
   parts.learn(self, data)
   if data.weights and not parts.takes_weights(self.estimator) then
      error(("%s: %s takes no weights"):format(WHO, estimator.name(self.estimator)), 0)
   end
   data.y = parts.numbers(data.y)
   data.targets = columns_of(data.y)
   data.size = sample_size(self, data.n, self.n_features)
   data.threshold = self.residual_threshold or spread(data.targets)
   return data
end

-- Is a trial better than the best so far? Fills in its score where that is asked for.
local function beats(data, one, best)
   if one.count < (best and best.count or 1) then return false end
   one.places = one.mask:nonzero()
   one.score = r2(data.targets, one.said, one.places)
   return not (best and one.count == best.count and one.score < best.score)
end

local function satisfied(self, best)
   return best.count >= (self.stop_n_inliers or math.huge) or best.score >= (self.stop_score or math.huge)
end

-- The best of all trials, or nil.
local function search(self, data)
   local best
   local most, skips = self.max_trials, self.max_skips or math.huge
   local shown <close> = progress.task(WHO, self.max_trials)
   self.n_trials, self.n_skips_no_inliers = 0, 0
   while self.n_trials < most and self.n_skips_no_inliers <= skips do
      self.n_trials = self.n_trials + 1
      shown:at(self.n_trials - 1, 1, best and best.count)
      local one = try(self, data, self.n_trials)
      if one.count < (best and best.count or 1) then self.n_skips_no_inliers = self.n_skips_no_inliers + 1 end
      if beats(data, one, best) then
         best = one
         most = math.min(most, enough(best.count / data.n, data.size, self.stop_probability))
         if satisfied(self, best) then break end
      end
      local answer = data.ask and data.ask(self.n_trials, self.max_trials, best and best.count)
      if answer == "cancel" then progress.cancel() end
      if answer == "stop" then break end
   end
   return best
end

local function fit(self, X, y, options)
   local data = prepare(self, X, y, options)
   local best = search(self, data)
   if not best then
      error(("%s: no sample of %d rows has any inlier within residual_threshold = %.6g after %s; raise it"):format(WHO,
         data.size, data.threshold, text.plural(self.n_trials, "trial")), 0)
   end
   if self.max_skips and self.n_skips_no_inliers > self.max_skips then
      rows.warn(("%s: ended early, for max_skips = %s trials had too few inliers"):format(WHO,
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
   ours = true,
   does = "regress",
   params = { estimator = estimator.NONE, min_samples = estimator.NONE, residual_threshold = estimator.NONE,
      max_trials = 100, max_skips = estimator.NONE, stop_n_inliers = estimator.NONE, stop_score = estimator.NONE,
      stop_probability = 0.99, loss = "absolute_error", seed = 0 },
   learned = { n_features = "columns of X", feature_names = "names of the columns of X, from a Frame",
      best = "the base, fitted to the inliers", inlier_mask = "Vector: 1 for each row that is an inlier, else 0; rows "
         .. "of weight 0 are left out", n_trials = "samples that were drawn",
      n_skips_no_inliers = "samples with fewer inliers than the best so far", threshold = "residual_threshold, or what "
         .. "stood for it" },
   help = {
      use = "RANSACRegressor { estimator, min_samples, residual_threshold, max_trials = 100, ... }",
      brief = "A regressor of the rows that agree with each other, by consensus of random samples: outliers are left "
         .. "out.",
      objective = "most rows with |y_i - f(x_i)| <= residual_threshold, f fitted to min_samples of them",
      params = {
         estimator = "the base; may stand first, without a name",
         min_samples = "rows of a sample: a whole number, or a share below 1; nil: one more than columns, for "
            .. "LinearRegression only",
         residual_threshold = "largest loss of an inlier; nil: the median distance of y from its median",
         max_trials = "most samples; fewer once stop_probability is reached",
         max_skips = "most samples that may have fewer inliers than the best; nil: no limit",
         stop_n_inliers = "end when there are so many inliers; nil: do not",
         stop_score = "end when R2 on the inliers is at least this; nil: do not",
         stop_probability = "end when a sample without outliers has been drawn with this probability, given the share "
            .. "of inliers",
         loss = "\"absolute_error\" or \"squared_error\", summed over targets; residual_threshold is in its units",
         seed = "names the random stream: same seed, same result",
      },
      notes = "As in scikit-learn, but for functions as settings (is_data_valid, is_model_valid, a loss), which no "
         .. "archive could hold. The base is LinearRegression {} unless given. Weights go to the fits of the base, "
         .. "where it takes them; they do not change how rows are drawn or counted. Fields of best are those of this "
         .. "model too: model.coef. on_iter has the number of inliers as objective, and may return \"stop\".",
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
