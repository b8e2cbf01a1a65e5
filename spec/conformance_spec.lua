-- Every registered estimator against every demand that applies to its descriptor. Estimators are not listed here: a new
-- one is tested as soon as it is registered.
--
--    MANILIUS_ONLY=KMeans busted spec/conformance_spec.lua     one estimator, or all whose name contains this
--    MANILIUS_PART=2/4 ...                                 the second, sixth, ... estimator (spec/run)
--    MANILIUS_COUNT=1                                          print the number of pairs and of failed allocations
local ml = require "manilius"
local core = require "manilius.core"
local check = require "manilius.check"
local use = require "manilius.check.use"

local demands = check.demands()
for _, name in ipairs { "settings", "effect", "memory", "archive" } do
   local more = require("spec.conformance." .. name)
   table.move(more, 1, #more, #demands + 1, demands)
end

local only = os.getenv "MANILIUS_ONLY"
local part, parts = (os.getenv "MANILIUS_PART" or ""):match "^(%d+)/(%d+)$"
local seen, matched = 0, 0

local is_class = {}
for _, name in ipairs((core.class_names())) do is_class[name] = true end

local function is_selected(name)
   if is_class[only] then return name == only end
   return not only or name:find(only, 1, true) ~= nil
end

local function is_wanted(name)
   seen = seen + 1
   matched = matched + (is_selected(name) and 1 or 0)
   return is_selected(name) and (not part or seen % parts == part % parts)
end

local pair_count = 0
if os.getenv "MANILIUS_COUNT" then
   teardown(function() io.stderr:write(("%d pairs of estimator and demand\n"):format(pair_count)) end)
end

-- Define a test for each demand that applies to an estimator.
local function test_all(name, class, new)
   describe(name, function()
      for _, demand in ipairs(demands) do
         if not demand.applies or demand.applies(class) then
            pair_count = pair_count + 1
            it(demand.name, function() assert(check.run(demand, new, class)) end)
         end
      end
   end)
end

for _, name in ipairs((core.class_names())) do
   if is_wanted(name) then test_all(name, check.core_class(name)) end
end

-- Compositions satisfy the contract too; the supported inputs are those of their parts.
local composites = {
   { "Pipeline of a classifier", ml.Pipeline { ml.StandardScaler {}, ml.LogisticRegression {} } },
   { "Pipeline of a regressor", ml.Pipeline { ml.StandardScaler {}, ml.Ridge {} } },
   { "Pipeline of a clusterer", ml.Pipeline { ml.StandardScaler {}, ml.KMeans { n_clusters = 3, n_init = 2 } } },
   { "Pipeline of transformers", ml.Pipeline { ml.StandardScaler {}, ml.PCA { n_components = 2 } } },
   { "Pipeline with an imputer", ml.Pipeline { ml.SimpleImputer {}, ml.GaussianNB {} }, { "missing" } },
   { "ColumnTransformer", ml.ColumnTransformer { { ml.StandardScaler {}, { 1 } }, { ml.MinMaxScaler {}, { 2, 3 } } },
      { "missing" } },
   { "FeatureUnion", ml.FeatureUnion { ml.StandardScaler {}, ml.PCA { n_components = 2 } } },
   { "TransformedTarget", ml.TransformedTarget { regressor = ml.Ridge {}, transformer = ml.PowerTransformer {} } },
   { "RandomSearch", ml.RandomSearch { ml.Ridge {}, { alpha = { "loguniform", 0.01, 1 } }, n = 3, cv = 3 } },
   { "HalvingGridSearch", ml.HalvingGridSearch { ml.Ridge {}, { alpha = { 0.1, 1 } }, cv = 3 } },
   { "GridSearch of a classifier", ml.GridSearch { ml.KNeighborsClassifier {}, { n_neighbors = { 1, 5 } }, cv = 3 } },
   { "GridSearch of a regressor", ml.GridSearch { ml.Ridge {}, { alpha = { 0.1, 1 } }, cv = 3 } },
   { "VotingClassifier by labels", ml.VotingClassifier { ml.LogisticRegression {}, ml.GaussianNB {},
      ml.NearestCentroid {} }, { "weights" } },
   { "VotingClassifier by probabilities", ml.VotingClassifier { ml.LogisticRegression {}, ml.GaussianNB {},
      voting = "soft", weights = { 2, 1 } }, { "weights" } },
   { "VotingRegressor", ml.VotingRegressor { ml.Ridge {}, ml.LinearRegression {} }, { "weights", "multitarget" } },
   { "StackingClassifier", ml.StackingClassifier { ml.GaussianNB {}, ml.KNeighborsClassifier {},
      ml.NearestCentroid {}, cv = 3 } },
   { "StackingClassifier with passthrough", ml.StackingClassifier { ml.GaussianNB {}, passthrough = true } },
   { "StackingRegressor", ml.StackingRegressor { ml.Ridge {}, ml.KNeighborsRegressor {}, cv = 3 } },
   { "BaggingClassifier", ml.BaggingClassifier { ml.DecisionTreeClassifier {}, n_estimators = 5 },
      { "missing", "factors" } },
   { "BaggingClassifier of columns", ml.BaggingClassifier { ml.NearestCentroid {}, max_samples = 0.8,
      max_features = 0.8, oob = true } },
   { "BaggingRegressor", ml.BaggingRegressor { ml.Ridge {}, n_estimators = 5, oob = true }, { "multitarget" } },
   { "AdaBoostClassifier", ml.AdaBoostClassifier { n_estimators = 8 }, { "missing", "factors" } },
   { "AdaBoostClassifier with resampling", ml.AdaBoostClassifier { ml.NearestCentroid {}, n_estimators = 5 } },
   { "AdaBoostRegressor", ml.AdaBoostRegressor { n_estimators = 5 }, { "missing", "factors" } },
   { "AdaBoostRegressor with weights", ml.AdaBoostRegressor { ml.Ridge {}, n_estimators = 5, resample = false },
      { "weights" } },
   { "BoostedClassifier", ml.GradientBoostingClassifier { init = ml.GaussianNB {}, n_estimators = 4 }, { "weights" } },
   { "BoostedRegressor of bins", ml.HistGradientBoostingRegressor { init = ml.DecisionTreeRegressor { max_depth = 2 },
      max_iter = 5 }, { "missing", "factors" } },
   { "FunctionalGradientBoosting", ml.FunctionalGradientBoosting { n_estimators = 6 },
      { "missing", "factors", "weights" } },
   { "FunctionalGradientBoosting with subsampling", ml.FunctionalGradientBoosting { ml.Ridge {}, n_estimators = 8,
      learning_rate = 0.5, loss = "absolute_error", subsample = 0.7 } },
   { "OneVsRestClassifier", ml.OneVsRestClassifier { ml.LogisticRegression {} }, { "weights" } },
   { "OneVsRestClassifier by probabilities", ml.OneVsRestClassifier { ml.DecisionTreeClassifier { max_depth = 3 } },
      { "missing", "factors" } },
   { "PolynomialRegression", ml.PolynomialRegression {}, { "weights", "multitarget" } },
   { "PolynomialRegression with a penalty", ml.PolynomialRegression { degree = 3, interaction_only = true,
      alpha = 0.5 }, { "weights", "multitarget" } },
   { "RANSACRegressor", ml.RANSACRegressor { max_trials = 10 }, { "multitarget" } },
   { "RANSACRegressor of trees", ml.RANSACRegressor { ml.DecisionTreeRegressor {}, min_samples = 0.5,
      max_trials = 5 }, { "missing", "factors", "multitarget" } },
   { "GridSearch of a Pipeline", ml.GridSearch { ml.Pipeline { ml.StandardScaler {}, ml.LogisticRegression {} },
      { logisticregression__C = { 0.1, 1 } }, cv = 3 } },
}

-- All parts are built in, so that C export must work.
local function test_export(name, class, new)
   it(name .. " exports to C", function()
      assert.matches("model_%w+%(const double %*row", use.fitted(new, class):export_c())
   end)
end

for _, one in ipairs(composites) do
   local name, model, takes = table.unpack(one)
   if is_wanted(name) then
      local class, new = check.subject(model, { takes = takes })
      test_all(name, class, new)
      test_export(name, class, new)
   end
end

if matched == 0 then error(("MANILIUS_ONLY=%s: no such estimator; is it in src/estimators.def?"):format(only), 0) end
