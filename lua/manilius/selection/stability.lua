--- StabilitySelection: select the columns that an estimator selects in most of many random halves of the rows.
--
-- Halves come in complementary pairs. With q of p columns selected per half, and pi the threshold, the expected number
-- of selected columns that a half selects with probability at most q / p is at most
--
--    q^2 / ((2 pi - 1) p)                                     (Meinshausen & Buehlmann, JRSS B 72, 2010)
--    C(pi, B) q^2 / p   for unimodal frequencies of B pairs   (Shah & Samworth, JRSS B 75, 2013, equation 8)

local base = require "manilius.ensemble.base"
local core = require "manilius.core"
local estimator = require "manilius.estimator"
local rows = require "manilius.rows"
local selection = require "manilius.selection.base"

local M = {}

local WHO = "StabilitySelection"

-- --- settings ---

local function check_path(self)
   if (self.param == nil) ~= (self.values == nil) then
      error(("%s: param and values must be given together"):format(WHO), 0)
   end
   if self.param == nil then return end
   if type(self.param) ~= "string" then selection.wrong(self, "param", "the name of a parameter of the estimator") end
   if type(self.values) ~= "table" or #self.values == 0 then selection.wrong(self, "values", "a list of values") end
end

local function check(self)
   selection.check(self)
   base.check_whole(self, "n_pairs", 1)
   base.check_whole(self, "seed", 0)
   selection.check_number(self, "threshold", 0.5, 1)
   if self.threshold == 0.5 then selection.wrong(self, "threshold", "greater than 0.5") end
   if self.max_features ~= nil then selection.check_size(self, "max_features") end
   selection.check_number(self, "norm_order", 1, math.huge)
   check_path(self)
end

-- --- halves ---

-- Two halves of the rows as Vectors; an odd row is in neither. Labels are split by class: halves have all classes.
local function halves(data, rng, codes)
   local first, second = {}, {}
   local function split(places)
      local order = places:take(rng:permutation(#places)):totable()
      local half = #order // 2
      table.move(order, 1, half, #first + 1, first)
      table.move(order, half + 1, 2 * half, #second + 1, second)
   end
   if codes then
      for c = 1, codes:max() do split(codes:eq(c):nonzero()) end
   else
      split(core.range(1, data.n))
   end
   return core.Vector(first):sort(), core.Vector(second):sort()
end

local function class_codes(self, data)
   if estimator.does(self.estimator) ~= "classify" then return nil end
   if rows.kind(data.y) == "Matrix" and data.y.cols > 1 then return nil end
   local y = rows.kind(data.y) == "Matrix" and data.y:flatten() or data.y
   local labels = rows.kind(y) == "Factor" and y:drop_levels() or core.Factor(y)
   local codes = labels:codes()
   for c = 1, codes:max() do
      if codes:eq(c):sum() < 2 then
         error(("%s: each class must have at least 2 rows, got 1 of class %s"):format(WHO,
            estimator.value_text(labels.levels[c])), 0)
      end
   end
   return codes
end

-- --- fit ---

-- The estimator with each value of the path, or alone.
local function models_of(self)
   local models = {}
   for v, value in ipairs(self.values or { false }) do
      models[v] = estimator.clone(self.estimator)
      if self.param then estimator.set_params(models[v], { [self.param] = value }, 0) end
   end
   return models
end

local function task_of(self, data)
   local task, codes = { models = models_of(self), folds = {}, jobs = {} }, class_codes(self, data)
   local none = core.Vector {}
   for pair = 1, self.n_pairs do
      local first, second = halves(data, core.rng(self.seed, pair), codes)
      task.folds[2 * pair - 1] = { train = first, test = none }
      task.folds[2 * pair] = { train = second, test = none }
   end
   for f = 1, #task.folds do
      for m = 1, #task.models do task.jobs[#task.jobs + 1] = { m, f, keep = true } end
   end
   task.on_done = function(done, total)
      return data.report(done, total) == "cancel" and "cancel" or nil
   end
   return task
end

-- The columns that a model selects: those of nonzero importance, at most `most`, the largest first.
local function selected_by(self, model, width, most)
   local importance, list = selection.importances(self, model, width, self.norm_order), {}
   for _, j in ipairs(selection.order(importance)) do
      if importance[j] == 0 or #list == most then break end
      list[#list + 1] = j
   end
   return list
end

-- How often each column is selected, for each value of the path, and the mean number of columns that a half selects
-- with any value.
local function count_selections(self, data, task, results)
   local counts, total = core.zeros(data.width, #task.models), 0
   local most = self.max_features and selection.size_of(self.max_features, data.width) or math.huge
   local any
   for i, result in ipairs(results) do
      local m = task.jobs[i][1]
      if m == 1 then any = {} end
      for _, j in ipairs(selected_by(self, result.model, data.width, most)) do
         counts:set(j, m, counts:get(j, m) + 1)
         if not any[j] then total = total + 1 end
         any[j] = true
      end
   end
   return counts / #task.folds, total / #task.folds
end

-- C(pi, B) of Shah & Samworth; nil outside of its range.
local function unimodal_factor(threshold, pairs, share)
   local low = math.min(1 / 2 + share ^ 2, 1 / 2 + 1 / (2 * pairs) + 3 * share ^ 2 / 4)
   if threshold <= low or share > 1 / math.sqrt(3) then return nil end
   if threshold <= 3 / 4 then return 1 / (2 * (2 * threshold - 1 - 1 / (2 * pairs))) end
   return 4 * (1 - threshold + 1 / (2 * pairs)) / (1 + 1 / pairs)
end

local function learn(self, data, path, q)
   local keep, best = {}, {}
   for j = 1, data.width do
      best[j] = path:row(j):max()
      keep[j] = best[j] >= self.threshold - 1e-12 -- frequencies are rounded quotients
   end
   local share = q / data.width
   local factor = unimodal_factor(self.threshold, self.n_pairs, share)
   self.frequencies, self.support = core.Vector(best), selection.support(keep, data.width)
   self.n_selected_mean = q
   self.expected_false_bound = q * share / (2 * self.threshold - 1)
   self.unimodal_bound = factor and factor * q * share or nil
   if self.param then self.path = path end
   if #self.support == 0 then
      rows.warn(("%s: no column is selected in at least %g of the halves"):format(WHO, self.threshold))
   end
end

local function fit(self, X, y, options)
   local data = selection.data(self, X, y, options)
   if data.n < 4 then error(("%s: X must have at least 4 rows, got %d"):format(WHO, data.n), 0) end
   local task = task_of(self, data)
   local path, q = count_selections(self, data, task, selection.run(data, task))
   learn(self, data, path, q)
   return self
end

M.StabilitySelection = selection.class {
   name = WHO,
   params = { estimator = estimator.NONE, threshold = 0.6, n_pairs = 50, max_features = estimator.NONE,
      param = estimator.NONE, values = estimator.NONE, norm_order = 1, importance_getter = "auto", seed = 0 },
   shares = { max_features = true },
   learned = { frequencies = "Vector: fraction of the halves in which each column is selected",
      path = "Matrix (columns x values): these fractions for each of `values`; frequencies are their maxima",
      n_selected_mean = "mean number of columns that a half selects, with any of the values",
      expected_false_bound = "bound on the expected number of falsely selected columns (Meinshausen & Buehlmann)",
      unimodal_bound = "the bound of Shah & Samworth for unimodal frequencies; nil where it does not hold" },
   help = {
      use = "StabilitySelection { estimator, threshold = 0.6, n_pairs = 50, max_features, param, values, ... }",
      brief = "Selects the columns that are chosen in most random halves of the rows.",
      objective = "keep j where the frequency of selection over 2 n_pairs halves is at least threshold",
      params = {
         estimator = selection.ESTIMATOR,
         threshold = "smallest frequency of selected columns, greater than 0.5",
         n_pairs = "number of pairs of complementary halves; two fits each",
         max_features = "maximum number of columns per fit, the most important ones: a number (integer) or a "
            .. "fraction (float); nil: all with nonzero importance",
         param = "name of a parameter of the estimator, such as alpha, to vary; nil: none",
         values = "list of values of param; the frequency of a column is its largest over these values",
         norm_order = "order of the norm of the coefficients of several classes or targets",
         importance_getter = selection.IMPORTANCE,
         seed = "random seed of the halves",
      },
      notes = "For sparse estimators, such as Lasso, or any estimator with max_features. The bounds count columns "
         .. "that a half selects no more often than at random; smaller max_features and larger thresholds lower "
         .. "them. Labels are halved within each class. Halves are fitted in threads. Weights and factor columns are "
         .. "as in RFE.",
      source = "Meinshausen & Buehlmann, JRSS B 72 (2010); Shah & Samworth, JRSS B 75 (2013)",
      example = [[
local X, y = ml.read_csv "examples/data/diabetes.csv":split "progression"
local stable = ml.StabilitySelection { ml.Lasso {}, max_features = 4, threshold = 0.75 }:fit(X, y)
print(stable, table.concat(stable:output_names(), " "), stable.frequencies, stable.unimodal_bound)]],
   },
   check = check,
   fit = fit,
}

return M
