--- ConformalClassifier: sets of labels that contain the true one with a given probability, around any classifier.
--
--    set(x) = { c: score(x, c) <= q },  q: conformal quantile of score(x_i, y_i) over rows held out from the fit
--
-- Sadinle, Lei & Wasserman, JASA 114 (2019); Romano, Sesia & Candes, NeurIPS (2020); Angelopoulos et al., ICLR (2021);
-- Vovk (2012) for classes of their own.

local base = require "manilius.ensemble.base"
local core = require "manilius.core"
local estimator = require "manilius.estimator"
local held_out = require "manilius.calibrate.held_out"
local parts = require "manilius.ensemble.parts"
local rows = require "manilius.rows"
local text = require "manilius.text"

local M = {}

local WHO = "ConformalClassifier"
local METHODS = { "lac", "aps", "raps" }

local function check(self)
   base.check_base(self)
   if not estimator.can(self.estimator, "predict_proba") then
      error(("%s: estimator must have predict_proba, got %s; wrap it in CalibratedClassifier"):format(WHO,
         estimator.name(self.estimator)), 0)
   end
   held_out.check_choice(self, "method", METHODS)
   held_out.check_choice(self, "cv", { "split", "prefit" })
   held_out.check_between(self, "level", 0, 1)
   held_out.check_between(self, "calibration_size", 0, 1)
   held_out.check_between(self, "penalty", -1e-300, math.huge)
   base.check_whole(self, "free_rank", 0)
   base.check_whole(self, "seed", 0)
   base.check_flag(self, "by_class")
   base.check_flag(self, "randomized")
end

-- --- scores ---

-- Scores of all classes. stream: 0 for calibration rows, 1 for new rows
local function scores_of(self, p, stream)
   local with, u = self.fitted_with, nil
   local lac = with.method == "lac"
   if with.randomized and not lac then
      u = core.random(p.rows, nil, base.seed_from(core.rng(with.seed, stream)))
   end
   return core.calibration.label_scores(p, lac and "lac" or "adaptive", with.method == "raps" and with.penalty or 0.0,
      with.free_rank + 0.0, u)
end

-- The score of the true class of each row.
local function true_scores(scores, codes)
   local sum = 0
   for c = 1, scores.cols do sum = sum + scores:col(c):mul(codes:eq(c)) end
   return sum
end

-- --- fit ---

-- Rows to calibrate: the same fraction of each class.
local function stratified_split(self, data)
   local rng, test = core.rng(self.seed, 2), core.Vector(data.n, 0)
   local codes = data.y:codes()
   for c, class in ipairs(data.y.levels) do
      local own = codes:eq(c):nonzero()
      if #own < 2 then
         error(("%s: y has %s of class %s; at least 2 are needed, to fit and to calibrate"):format(WHO,
            text.plural(#own, "row"), estimator.value_text(class)), 0)
      end
      local count = math.max(1, math.min(#own - 1, math.floor(#own * self.calibration_size + 0.5)))
      local chosen = own:take(rng:permutation(#own):slice(1, count):copy())
      for i = 1, count do test[chosen[i]] = 1 end
   end
   return { train = test:eq(0):nonzero(), test = test:nonzero() }
end

local function fit(self, X, y, options)
   local data = parts.start_fit(self, X, y, options)
   if self.cv == "prefit" then held_out.check_prefit(self, data) end
   local splits = self.cv == "prefit" and held_out.splits(self, data) or { stratified_split(self, data) }
   local one = held_out.fit_splits(self, data, splits, "predict_proba", { keep = true })[1]
   local p = parts.align(WHO, "estimator", one.value, one.classes, self.classes)
   self.best, self.codes = one.model, parts.codes(WHO, "y", data.y:take(one.test), self.classes)
   self.scores = true_scores(scores_of(self, p, 0), self.codes)
   self.score_weights = held_out.weights_of(data, one.test)
   return self
end

-- --- prediction ---

local function quantile(self, level, at)
   local w = rawget(self, "score_weights")
   if not at then return core.calibration.quantile(self.scores, level, w) end
   return core.calibration.quantile(self.scores:take(at), level, w and w:take(at))
end

-- The bound of the scores of each class.
local function quantiles(self, level)
   local list, shared = {}, not self.fitted_with.by_class and quantile(self, level)
   for c = 1, #self.classes do list[c] = shared or quantile(self, level, self.codes:eq(c):nonzero()) end
   return list
end

local function warn_infinite(self, level, list)
   for c, q in ipairs(list) do
      if q == math.huge then
         rows.warn(("%s: sets of level %g contain %s: at least %d calibration rows%s are needed"):format(WHO, level,
            self.fitted_with.by_class and "always " .. estimator.value_text(self.classes[c]) or "all classes",
            math.ceil(level / (1 - level) - 1e-9), self.fitted_with.by_class and " of a class" or ""))
         return
      end
   end
end

local function label_lists(self, sets)
   local lists = {}
   for i = 1, sets.rows do
      lists[i] = {}
      for c, class in ipairs(self.classes) do
         if sets:get(i, c) == 1 then table.insert(lists[i], class) end
      end
   end
   return lists
end

local function predict_set(self, X, options)
   estimator.need_fitted(self, "predict_set", 2)
   return (rows.rethrow(2, pcall(function()
      local level = held_out.level_of(self, options, "predict_set", { "labels", "level" })
      local scores, columns = scores_of(self, parts.proba(self, "estimator", self.best, X), 1), {}
      local list = quantiles(self, level)
      warn_infinite(self, level, list)
      for c, q in ipairs(list) do columns[c] = scores:col(c):le(q) end
      local sets = core.hcat(table.unpack(columns))
      return options and options.labels and label_lists(self, sets) or parts.by_class(self, sets)
   end)))
end

local function pass(method)
   return function(self, X)
      local value = parts.call(self, "estimator", self.best, method, X)
      return method ~= "predict" and value or parts.labels(self, parts.codes(WHO, "estimator", value, self.classes))
   end
end

M.ConformalClassifier = held_out.class {
   name = WHO,
   does = "classify",
   classifies = true,
   params = { method = "lac", level = 0.95, by_class = false, calibration_size = 0.25, cv = "split",
      randomized = true, penalty = 0.01, free_rank = 1, seed = 0 },
   private = { score_weights = true, codes = true },
   learned = { classes = "class labels in ascending order", best = "the fitted estimator",
      scores = "conformity scores of the true classes of the calibration rows" },
   help = {
      use = "ConformalClassifier { estimator, method = \"lac\", level = 0.95, by_class = false, ... }",
      brief = "Sets of labels with guaranteed coverage around any classifier.",
      objective = "P(y in set(x)) >= level for exchangeable rows; with by_class within each class",
      params = { estimator = "the classifier, default LogisticRegression {}; may be given first, without a name",
         method = "\"lac\": labels with a probability above a bound, the smallest sets; \"aps\": adaptive sets, the "
            .. "most probable labels up to a total; \"raps\": with a penalty on large sets",
         level = "coverage of the sets",
         by_class = "guarantee the coverage in each class (Mondrian), not only on average",
         calibration_size = "fraction of the rows of each class that is held out to calibrate",
         cv = "\"split\": hold out rows; \"prefit\": the estimator is already fitted, and all rows given to fit "
            .. "calibrate it",
         randomized = "aps, raps: include the last label at random, for exact coverage; false: sets are larger",
         penalty = "raps: added to the score for each rank above free_rank", free_rank = "raps: ranks without penalty",
         seed = "random seed; results do not depend on the number of threads" },
      methods = { predict_set = { use = "predict_set(X [, { level =, labels = }])",
         brief = "Matrix (rows x classes): 1 for labels in the set; labels = true: a list of labels per row." } },
      notes = "A set is empty if no label is probable enough. predict and predict_proba are those of the estimator. "
         .. "Too few calibration rows for a level give sets of all classes and a warning. Sample weights count rows.",
      source = "Sadinle et al., JASA 114 (2019); Romano et al., NeurIPS (2020); Angelopoulos et al., ICLR (2021)",
      example = [[
local X, y = ml.read_csv "examples/data/iris.csv":split "species"
local model = ml.ConformalClassifier { ml.GaussianNB {}, level = 0.9 }:fit(X, y)
print(model:predict_set(X:slice(70, 72)))]],
   },
   construct = base.construct_binary,
   check = check,
   fit = fit,
   can = function(self, name)
      return name == "predict" or not estimator.is_action(name)
         or (name == "predict_proba" or name == "predict_log_proba") and estimator.can(self.estimator, name)
   end,
   predict = pass "predict", predict_proba = pass "predict_proba", predict_log_proba = pass "predict_log_proba",
   predict_set = predict_set,
}

return M
