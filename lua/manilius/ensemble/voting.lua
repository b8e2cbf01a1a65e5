--- VotingClassifier and VotingRegressor: the vote or mean of several models.
--
--    hard:  label = argmax_c sum_m w_m [label_m(x) = c]             (ties: lowest index)
--    soft:  p(c | x) = sum_m w_m p_m(c | x) / sum_m w_m
--    mean:  y(x) = sum_m w_m y_m(x) / sum_m w_m
--
-- Kittler, Hatef, Duin & Matas, IEEE PAMI 20 (1998).

local composite = require "manilius.compose.composite"
local core = require "manilius.core"
local estimator = require "manilius.estimator"
local parts = require "manilius.ensemble.parts"
local rows = require "manilius.rows"
local text = require "manilius.text"

local M = {}

local words = { drop = true }

-- --- members and their weights ---

-- The active members: { name, model, weight }.
local function members_of(self)
   local list = parts.members(self)
   for _, member in ipairs(list) do member.weight = self.weights and self.weights[member.at] or 1 end
   return list
end

local function check_weights(self)
   local weights, who, sum = self.weights, estimator.name(self), 0
   if weights == nil then return end
   local kind = rows.kind(weights)
   if (kind ~= "table" and kind ~= "Vector") or #weights ~= #self.models then
      error(("%s: weights must be %d numbers, one per member, got %s"):format(who, #self.models,
         estimator.value_text(weights)), 0)
   end
   for i = 1, #weights do
      local good = type(weights[i]) == "number" and weights[i] >= 0 and weights[i] < math.huge
      if not good then
         error(("%s: weights must be numbers >= 0, got %s for '%s'"):format(who, estimator.value_text(weights[i]),
            self.names[i]), 0)
      end
      sum = sum + (self.models[i] ~= "drop" and weights[i] or 0)
   end
   if sum == 0 then error(who .. ": weights must not all be 0", 0) end
end

local function check(self)
   parts.check_members(self)
   check_weights(self)
   local voting = rawget(self, "voting")
   if voting ~= nil and voting ~= "hard" and voting ~= "soft" then
      error(("%s: voting must be hard or soft, got %s%s"):format(estimator.name(self), estimator.value_text(voting),
         text.near(tostring(voting), { "hard", "soft" })), 0)
   end
   for i, model in ipairs(voting == "soft" and self.models or {}) do
      if model ~= "drop" and not estimator.can(model, "predict_proba") then
         error(("%s: voting = \"soft\" requires predict_proba; '%s', %s, does not have it"):format(estimator.name(self),
            self.names[i], estimator.name(model)), 0)
      end
   end
end

-- --- fit ---

local function fit(self, X, y, options)
   local data = parts.data(self, X, y, options)
   parts.learn(self, data)
   local names, models, jobs = {}, {}, {}
   for i, member in ipairs(members_of(self)) do
      names[i], models[i], jobs[i] = member.name, member.model, { i, 1, keep = true }
   end
   local results = parts.run(data, names, { models = models, jobs = jobs, folds = { parts.all_rows(data.n) },
      on_done = parts.cancel_only(data) })
   rawset(self, "models", parts.fitted_models(self, results))
   return self
end

-- --- classifiers ---

local function codes_of(self, member, X)
   local label = parts.call(self, member.name, member.model, "predict", X)
   return parts.codes(estimator.name(self), member.name, label, self.classes)
end

local function proba_of(self, member, X)
   return parts.proba(self, member.name, member.model, X)
end

-- Total weight of the votes for each class (rows x classes).
local function votes(self, X)
   local columns = {}
   for _, member in ipairs(members_of(self)) do
      local codes = codes_of(self, member, X)
      for c in ipairs(self.classes) do
         local vote = codes:eq(c) * member.weight
         columns[c] = columns[c] and columns[c] + vote or vote
      end
   end
   return core.hcat(table.unpack(columns))
end

-- The weighted mean of predict_one(self, member, X) over the members.
local function mean_of(self, X, predict_one)
   local sum, total = nil, 0
   for _, member in ipairs(members_of(self)) do
      local value = predict_one(self, member, X) * member.weight
      sum = sum and sum + value or value
      total = total + member.weight
   end
   return sum / total
end

-- --- both ---

local function output_names(self)
   estimator.need_fitted(self, "output_names", 2)
   local names = {}
   for _, member in ipairs(members_of(self)) do
      local soft = rawget(self, "voting") == "soft"
      for _, class in ipairs(soft and self.classes or { false }) do
         names[#names + 1] = soft and member.name .. "__" .. tostring(class) or member.name
      end
   end
   return names
end

local function concatenate(self, X, predict_one)
   local made = {}
   for i, member in ipairs(members_of(self)) do made[i] = predict_one(self, member, X) end
   local joined = core.hcat(table.unpack(made))
   return rows.is_frame(X) and rows.named(joined, output_names(self)) or joined
end

local rethrowing = rows.rethrowing

local reserved = { voting = true, weights = true, estimators = true }

M.VotingClassifier, M.classifier = composite.class {
   name = "VotingClassifier",
   reports_progress = true,
   does = "classify",
   classifies = true,
   words = words,
   params = { voting = "hard", weights = estimator.NONE },
   learned = parts.learned { classes = "class labels in ascending order" },
   help = {
      use = "VotingClassifier { member, { name, member }, ..., voting = \"hard\", weights = }",
      brief = "Majority vote or mean probabilities of several classifiers.",
      objective = "hard: argmax_c sum_m w_m [label_m(x) = c]; soft: p(c | x) = sum_m w_m p_m(c | x) / sum_m w_m",
      params = {
         voting = "\"hard\": majority vote, ties are broken by the lowest index; \"soft\": mean probabilities",
         weights = "list of one number >= 0 per member; nil: all 1",
      },
      notes = parts.NOTES .. " transform returns the probabilities (soft) or class indices (hard) of the members.",
      source = "Kittler et al., IEEE PAMI 20 (1998)",
      example = [[
local X, y = ml.Matrix { { 1 }, { 2 }, { 3 }, { 7 }, { 8 }, { 9 } }, { "low", "low", "low", "high", "high", "high" }
local vote = ml.VotingClassifier { ml.LogisticRegression {}, ml.GaussianNB {}, voting = "soft" }
print(vote:fit(X, y):predict { { 2.5 }, { 7.5 } })]],
   },
   construct = function(values) return parts.construct("VotingClassifier", values, words, reserved) end,
   check = check,
   fit = fit,
   can = function(self, name)
      if name == "predict_proba" or name == "predict_log_proba" then return self.voting == "soft" end
      return name == "predict" or name == "transform" or not estimator.is_action(name)
   end,
   predict = rethrowing(function(self, X)
      local value = self.voting == "soft" and mean_of(self, X, proba_of) or votes(self, X)
      return parts.labels(self, value:argmax "rows")
   end),
   predict_proba = rethrowing(function(self, X)
      if self.voting ~= "soft" then error("VotingClassifier: predict_proba requires voting = \"soft\", got hard", 0) end
      return parts.by_class(self, mean_of(self, X, proba_of))
   end),
   predict_log_proba = rethrowing(function(self, X) return parts.by_class(self, self:predict_proba(X):log()) end),
   transform = rethrowing(function(self, X)
      return concatenate(self, X, self.voting == "soft" and proba_of or codes_of)
   end),
   output_names = output_names,
}
parts.index_members(M.classifier)

local function numbers_of(self, member, X)
   return parts.numbers(parts.call(self, member.name, member.model, "predict", X))
end

M.VotingRegressor, M.regressor = composite.class {
   name = "VotingRegressor",
   reports_progress = true,
   does = "regress",
   words = words,
   params = { weights = estimator.NONE },
   learned = parts.learned { n_targets = "number of columns of y" },
   help = {
      use = "VotingRegressor { member, { name, member }, ..., weights = }",
      brief = "Weighted mean of the predictions of several regressors.",
      objective = "y(x) = sum_m w_m y_m(x) / sum_m w_m",
      params = { weights = "list of one number >= 0 per member; nil: all 1" },
      notes = parts.NOTES .. " transform returns the predictions of the members.",
      source = "Kittler et al., IEEE PAMI 20 (1998)",
      example = [[
local X, y = ml.Matrix { { 1 }, { 2 }, { 3 }, { 4 }, { 5 } }, ml.Vector { 1.2, 1.9, 3.1, 3.9, 5.2 }
local mean = ml.VotingRegressor { ml.Ridge {}, { "tree", ml.DecisionTreeRegressor {} }, weights = { 2, 1 } }
print(mean:fit(X, y):predict { { 2.5 } })]],
   },
   construct = function(values) return parts.construct("VotingRegressor", values, words, reserved) end,
   check = check,
   fit = function(self, X, y, options)
      fit(self, X, y, options)
      self.n_targets = rows.kind(y) == "Matrix" and y.cols or 1
      return self
   end,
   can = function(_, name)
      return name == "predict" or name == "transform" or not estimator.is_action(name)
   end,
   predict = rethrowing(function(self, X) return mean_of(self, X, numbers_of) end),
   transform = rethrowing(function(self, X) return concatenate(self, X, numbers_of) end),
   output_names = output_names,
}
parts.index_members(M.regressor)

return M
