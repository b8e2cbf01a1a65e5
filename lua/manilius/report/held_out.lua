--- Held-out predictions and scores of a report.
--
-- Evidence is { kind = "folds", "test" or "fit", how = a sentence on how the scores were computed, scores = list of
-- { name, brief, greater, mean, sd, low, high }, interval = kind of interval, y =, outputs = by method, at =
-- row numbers, classes = }.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local evaluate = require "manilius.select.evaluate"
local folds = require "manilius.select.folds"
local metrics = require "manilius.metrics"
local joined = require "manilius.select.joined"
local rows = require "manilius.rows"
local scorers = require "manilius.select.scorers"
local validate = require "manilius.select.validate"

local M = {}

local WHO = "report"

-- --- which scores ---

local USUAL = {
   regress = { "r2", "rmse", "mae", "median_ae" },
   cluster = { "silhouette", "calinski_harabasz", "davies_bouldin" },
   cluster_known = { "ari", "ami", "silhouette", "calinski_harabasz", "davies_bouldin" },
   two = { "accuracy", "balanced_accuracy", "f1", "roc_auc", "average_precision", "log_loss", "brier" },
   many = { "accuracy", "balanced_accuracy", "f1_macro", "roc_auc_ovr", "log_loss" },
}

local NEEDS = { predict = "predict", proba = "predict_proba", decision = "decision_function", x = "predict" }

local function can_give(model, scorer)
   if estimator.can(model, NEEDS[scorer.needs]) then return true end
   return scorer.needs == "decision" and estimator.can(model, "predict_proba")
end

-- The requested scorers, or the usual scorers that the model supports.
local function scorers_of(model, y, does, scoring)
   if scoring ~= nil then return scorers.resolve(WHO, scoring, nil, 0) end
   local usual = USUAL[does]
   if does == "classify" then
      usual = #core.Factor(y).levels > 2 and USUAL.many or USUAL.two
   end
   local list = {}
   for _, scorer in ipairs(scorers.resolve(WHO, usual, nil, 0)) do
      if can_give(model, scorer) or does:find "^cluster" then list[#list + 1] = scorer end
   end
   return list
end

local function brief_of(name)
   local known = metrics.scorers[name]
   return known and known.brief or ""
end

-- The outputs that the plots need, as far as the model supports them.
local function wanted_outputs(model, does)
   local want = { predict = true }
   if does == "classify" then
      if estimator.can(model, "predict_proba") then
         want.predict_proba = true
      elseif estimator.can(model, "decision_function") then
         want.decision_function = true
      end
   end
   return want
end

-- --- cross-validation ---

local function first_error(results)
   for f, result in ipairs(results) do
      if result.error then error(("%s: fold %d: %s"):format(WHO, f, result.error), 0) end
   end
end

local function names_of(list)
   local names = {}
   for i, scorer in ipairs(list) do names[i] = scorer.name end
   return names
end

-- The test rows of all folds, concatenated.
local function all_test_rows(splits)
   local list = {}
   for _, split in ipairs(splits) do table.move(split.test:totable(), 1, #split.test, #list + 1, list) end
   return core.Vector(list)
end

--- The splitter for `cv`: a number stands for that many shuffled folds.
function M.splitter_of(cv, seed, classify, groups)
   if cv ~= nil and math.type(cv) ~= "integer" then return cv end
   local make = groups ~= nil and folds.GroupKFold or classify and folds.StratifiedKFold or folds.KFold
   return make { k = cv or 5, seed = seed }
end

local function how_by_folds(splits, at, n)
   local seen, max_tests = {}, 0
   for i = 1, #at do
      local row = at[i]
      seen[row] = (seen[row] or 0) + 1
      max_tests = math.max(max_tests, seen[row])
   end
   local count = 0
   for _ in pairs(seen) do count = count + 1 end
   return ("Estimated by cross-validation: the model was fitted %d times, each time on the training rows of a split, "
      .. "and scored on its test rows; %s."):format(#splits,
      count < n and ("%d of the %d rows are tested"):format(count, n)
      or max_tests > 1 and ("each row is tested up to %d times"):format(max_tests) or "each row is tested once")
end

local function scores_of_folds(cv, list)
   local out = {}
   for i, scorer in ipairs(list) do
      local name = scorer.name
      out[i] = { name = name, brief = brief_of(name), greater = scorer.greater, mean = cv.mean[name],
         sd = cv.sd[name], low = cv.interval[name][1], high = cv.interval[name][2] }
   end
   return out
end

local function count_unconverged(results)
   local count = 0
   for _, result in ipairs(results) do
      if result.converged == false then count = count + 1 end
   end
   return count
end

--- Evidence by cross-validation on clones of the model.
-- @param given { model, X, y, does, options = { cv, seed, groups, scoring, threads } }
function M.by_folds(given)
   local o = given.options
   local classify = given.does == "classify"
   local splitter = M.splitter_of(o.cv, o.seed, classify, o.groups)
   local task = validate.task(WHO, given.model, given.X, given.y,
      { cv = splitter, groups = o.groups, threads = o.threads }, 0)
   task.scorers = scorers_of(given.model, given.y, given.does, o.scoring)
   task.want = wanted_outputs(given.model, given.does)
   task.jobs = validate.all_jobs(task.models, task.folds)
   local results = evaluate.run(task)
   first_error(results)
   local at = all_test_rows(task.folds)
   local outputs, in_order = {}, core.range(1, #at)
   for method in pairs(task.want) do outputs[method] = joined(results, method, task.y, in_order) end
   local cv = validate.summary(given.model, names_of(task.scorers), results, task.folds, "corrected")
   return { how = how_by_folds(task.folds, at, rows.count(task.X)), kind = "folds", folds = task.folds, cv = cv,
      scores = scores_of_folds(cv, task.scorers), y = rows.take(task.y, at), outputs = outputs,
      splitter = folds.is(splitter) and tostring(splitter) or ("%d splits"):format(#task.folds), rows = #at, at = at,
      classes = classify and core.Factor(task.y).levels or nil,
      interval = "for the mean over folds (Student's t with the correction of Nadeau & Bengio)",
      unconverged = count_unconverged(results), fit_seconds = cv.fit_seconds }
end

-- --- held-out test rows ---

local MAX_DRAWS, MAX_VALUES = 500, 4e7

local function taken(outputs, at)
   local out = {}
   for method, output in pairs(outputs) do out[method] = rows.take(output, at) end
   return out
end

-- Bootstrap percentiles of a score. Samples for which the score is undefined, such as samples of a single class, are
-- skipped.
local function bootstrap(fitted, scorer, evidence, X, seed)
   local n, values = evidence.rows, {}
   local draws = math.floor(math.max(100, math.min(MAX_DRAWS, MAX_VALUES / n)))
   for b = 1, draws do
      local at = (core.random(n, 1, seed * MAX_DRAWS + b):flatten() * n):floor() + 1
      local ok, value = pcall(evaluate.value_of, fitted, scorer, scorer.needs == "x" and rows.take(X, at) or nil,
         rows.take(evidence.y, at), taken(evidence.outputs, at), evidence.classes)
      if not ok then rows.recoverable_error(value) end
      if ok and value == value then values[#values + 1] = value end
   end
   if #values < draws / 2 then return 0 / 0, 0 / 0, 0 / 0 end
   local list = core.Vector(values)
   return list:quantile(0.025), list:quantile(0.975), list:std()
end

--- Evidence on held-out test rows.
-- @param given { fitted, y, does, options }
-- @param test { X, y }
function M.by_test(given, test)
   local fitted, o = given.fitted, given.options
   local X, y = test[1], test[2]
   local evidence = { kind = "test", y = y, outputs = {}, rows = rows.count(X), X = X,
      at = core.range(1, rows.count(X)),
      classes = given.does == "classify"
         and (estimator.learned(fitted, "classes") or core.Factor(given.y).levels) or nil,
      interval = "bootstrap percentiles over the test rows", scores = {},
      how = ("Scored on %d held-out rows; the model was fitted on %d other rows."):format(
         rows.count(X), rows.count(given.X)) }
   local list = scorers_of(fitted, given.y, given.does, o.scoring)
   local want = wanted_outputs(fitted, given.does)
   for _, scorer in ipairs(list) do want[can_give(fitted, scorer) and NEEDS[scorer.needs] or "predict"] = true end
   for method in pairs(want) do
      if estimator.can(fitted, method) then evidence.outputs[method] = fitted[method](fitted, X) end
   end
   for i, scorer in ipairs(list) do
      local value = evaluate.value_of(fitted, scorer, X, y, evidence.outputs, evidence.classes)
      local low, high, sd = bootstrap(fitted, scorer, evidence, X, o.seed)
      evidence.scores[i] = { name = scorer.name, brief = brief_of(scorer.name), greater = scorer.greater, mean = value,
         sd = sd, low = low, high = high }
   end
   return evidence
end

-- --- clusterings ---

-- X as the last step of a pipeline sees it, which is where the clusters were fitted.
local function as_clustered(fitted, X)
   local ok, seen = rows.try(function()
      local from = require "manilius.plot.inputs"
      return rows.plain(from.prepared(from.model(fitted), X))
   end)
   return ok and seen or X
end

--- Evidence on the rows of the fit: a clustering has no ground truth unless y gives one.
function M.of_clusters(given)
   local fitted = given.fitted
   local labels = estimator.training_labels(fitted, given.X)
   local evidence = { kind = "fit", rows = rows.count(given.X), outputs = { predict = labels },
      scores = {}, interval = "none",
      how = "Scored on the rows the clustering was fitted on; clusterings have no held-out score. The scores measure "
         .. "how compact and well separated the clusters are" .. (given.labeled
         and ", and how well they agree with the known labels." or ".") }
   local X = as_clustered(fitted, given.X)
   evidence.X = X
   local kind = given.labeled and "cluster_known" or "cluster"
   for _, scorer in ipairs(scorers_of(fitted, given.y, kind, given.options.scoring)) do
      local ok, value = pcall(scorer.fn, scorer.needs == "x" and X or given.y, labels, {})
      evidence.scores[#evidence.scores + 1] = { name = scorer.name, brief = brief_of(scorer.name),
         greater = scorer.greater, mean = ok and value or 0 / 0,
         failed = not ok and rows.recoverable_error(value) or nil,
         sd = 0 / 0, low = 0 / 0, high = 0 / 0 }
   end
   return evidence
end

return M
