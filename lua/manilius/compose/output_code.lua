--- OutputCodeClassifier: each class has a binary code word, and each bit is predicted by a binary classifier.
--
--    label = argmin_c ||f(x) - code_c||,      f_j the decision function, or the probability, of bit j
--
-- Dietterich & Bakiri, JAIR 2 (1995).

local base = require "manilius.ensemble.base"
local core = require "manilius.core"
local estimator = require "manilius.estimator"
local parts = require "manilius.ensemble.parts"
local rows = require "manilius.rows"
local text = require "manilius.text"

local M = {}

local WHO = "OutputCodeClassifier"

local function check(self)
   base.check_scores(self)
   base.check_whole(self, "seed", 0)
   local size = self.code_size
   if type(size) ~= "number" or not (size > 0 and size < math.huge) then
      error(("%s: code_size must be a number > 0, got %s"):format(WHO, estimator.value_text(size)), 0)
   end
   if self.codes ~= nil and rows.kind(self.codes) ~= "Matrix" then
      error(("%s: codes must be a Matrix of 0 and 1 with a row per class, got %s"):format(WHO,
         estimator.value_text(self.codes)), 0)
   end
end

-- --- code words ---

-- The number of different rows of a Matrix.
local function different_rows(codes)
   local seen, n = {}, 0
   for i = 1, codes.rows do
      local word = table.concat(codes:row(i):totable(), " ")
      n, seen[word] = n + (seen[word] and 0 or 1), true
   end
   return n
end

-- The first column whose bits are all equal, or nil.
local function constant_column(codes)
   for j = 1, codes.cols do
      local column = codes:col(j):copy()
      if column:min() == column:max() then return j end
   end
end

-- The codes given by the user as 0 and 1, of k classes.
local function given_codes(self, k)
   local codes = self.codes
   local bits = codes:gt(0)
   if codes.rows ~= k then
      error(("%s: codes must have a row for each of the %d classes, got %d"):format(WHO, k, codes.rows), 0)
   end
   if (codes - bits):abs():sum() ~= 0 and (codes - (2 * bits - 1)):abs():sum() ~= 0 then
      error(("%s: codes must contain only 0 and 1, or only -1 and 1"):format(WHO), 0)
   end
   local constant = constant_column(bits)
   if constant then error(("%s: column %d of codes must have both bits, got one"):format(WHO, constant), 0) end
   if different_rows(bits) < k then error(WHO .. ": codes must have different rows, got two equal ones", 0) end
   return bits
end

local MAX_DRAWS = 1000

local function random_bits(k, bits, rng)
   local codes = core.zeros(k, bits)
   for c = 1, k do
      for j = 1, bits do codes:set(c, j, rng:integer(0, 1)) end
   end
   return codes
end

-- Random codes; those in which two classes are equal or a bit is constant are drawn again.
local function random_codes(self, k)
   local bits, rng = math.max(1, math.floor(k * self.code_size)), core.rng(self.seed)
   for _ = 1, MAX_DRAWS do
      local codes = random_bits(k, bits, rng)
      if not constant_column(codes) and different_rows(codes) == k then return codes end
   end
   error(("%s: %s cannot distinguish %d classes; increase code_size"):format(WHO, text.plural(bits, "bit"), k), 0)
end

-- --- fit ---

-- One job for each bit.
local function task_of(self, data, codes)
   local task = { models = {}, jobs = {}, targets = {}, folds = { parts.all_rows(data.n) } }
   local names, of_row = {}, data.y:codes()
   for j = 1, codes.cols do
      names[j], task.models[j] = "bit " .. j, self.estimator
      task.jobs[j], task.targets[j] = { j, 1, keep = true, target = j }, core.Factor(codes:col(j):copy():take(of_row))
   end
   return task, names
end

local function fit(self, X, y, options)
   local data = parts.start_fit(self, X, y, options)
   local codes = (self.codes and given_codes or random_codes)(self, #self.classes)
   local task, names = task_of(self, data, codes)
   parts.fit_all(self, data, names, task)
   self.code_book = base.score_method(self.estimator) == "predict_proba" and codes or 2 * codes - 1
   return self
end

local function predict(self, X)
   local columns = {}
   for j, model in ipairs(self.estimators) do columns[j] = base.second_scores(self, "bit " .. j, model, X) end
   local scores = core.hcat(table.unpack(columns))
   local distances = require "manilius.neighbors.distances".pairwise_distances(scores, self.code_book)
   return parts.labels(self, (-distances):argmax "rows")
end

M.OutputCodeClassifier = estimator.class {
   name = WHO,
   inner = "estimator", own_target = true, reports_progress = true,
   ours = true,
   does = "classify",
   classifies = true,
   params = { estimator = estimator.NONE, code_size = 1.5, codes = estimator.NONE, seed = 0 },
   learned = { n_features = "number of columns of X", feature_names = "column names of X, if X is a Frame",
      classes = "class labels in ascending order", estimators = "list of fitted models, one per bit",
      code_book = "Matrix with the code word of each class in a row: of -1 and 1, or of 0 and 1 if the estimator has "
         .. "only probabilities" },
   help = {
      use = "OutputCodeClassifier { estimator, code_size = 1.5 }",
      brief = "Multiclass classification with error-correcting output codes.",
      objective = "label = argmin_c ||f(x) - code_c||, f_j(x) the score of bit j",
      params = { estimator = base.BINARY, code_size = "number of bits, as a multiple of the number of classes",
         codes = "Matrix of 0 and 1 (or -1 and 1) with a row per class, in ascending order of the labels; nil: random",
         seed = "seed of the random codes" },
      notes = "Each bit divides the classes into two groups, which a binary classifier separates. More "
         .. "bits than classes correct errors of single classifiers; fewer (code_size < 1) save fits. Random codes "
         .. "have no constant bit and no two equal classes, unlike those of scikit-learn. There are no probabilities.",
      source = "Dietterich & Bakiri, JAIR 2 (1995)",
      example = [[
local X, y = ml.read_csv "examples/data/iris.csv":split "species"
local model = ml.OutputCodeClassifier { ml.LogisticRegression {}, code_size = 4, seed = 1 }:fit(X, y)
print(model:score(X, y), model.code_book)]],
   },
   construct = base.construct_binary,
   check = check,
   tostring = base.show,
   fit = fit,
   can = function(_, name) return name == "predict" or not estimator.is_action(name) end,
   predict = rows.rethrowing(predict),
}

return M
