--- Help for what all estimators have: their methods, ml.Estimator, ml.check.
-- @module manilius.help.estimator

local M = { help = {} }

local OPTIONS = "options: weights (a weight >= 0 for each row), lengths (rows of each sequence, or query), target (a "
   .. "second X), init_score (raw predictions to begin with, which predict leaves out), on_iter (function(state) with "
   .. "done, total, objective and elapsed, which may return \"stop\" or \"cancel\"), as the estimator takes them"

local JOB = "The job works on copies of the settings and the data (held twice while it runs), and gives the same bits "
   .. "as fit. job:done() never waits. job:wait([seconds]) gives the fitted model, nil when it is not done by "
   .. "then, and raises the error of the fit. job:cancel() gives it up. job.progress is { done =, total =, "
   .. "objective =, elapsed = }. Until done() is true or wait() returns, job.model is as it was, and can "
   .. "neither be fitted nor be given other settings. Keep the job: one that is closed (<close>) or that nobody "
   .. "holds any more is given up. In a forked process it is lost."

local EXPORTED = "Works for every fitted estimator of the core, and for what is composed of such: Pipeline, "
   .. "ColumnTransformer, FeatureUnion, TransformedTarget, PolynomialRegression, searches, RANSACRegressor, Bagging, "
   .. "Voting, Stacking, AdaBoost, Boosted, FunctionalGradientBoosting and FormulaModel; others say why not. Results "
   .. "for a row are to the last bit what the model gives for up to 8 rows (many rows of PCA and "
   .. "QuadraticDiscriminantAnalysis, and of linear models with 4 outputs or more, are summed in blocks, which rounds "
   .. "otherwise). Within 4 units in the last place are those for which a composition takes exp or log of many numbers "
   .. "at once: predict_log_proba of Bagging and Voting, probabilities of AdaBoost, BoostedClassifier, Boosted with a "
   .. "logarithm for its link, FunctionalGradientBoosting with inverse = \"exp\", formulas with exp or log, targets of "
   .. "func = \"log\" or \"log1p\""

local EXPORT_C = EXPORTED
   .. "; and the metric minkowski. name begins all names in the file. A row is an array of doubles in "
   .. "the order of fit, nan for a missing value, and for a factor column what NAME_code(column, text) gives. "
   .. "NAME_predict gives an index of NAME_classes, a cluster from 0, or a number; -1 or NaN for a row that the model "
   .. "would refuse; NAME_score_samples a number. NAME_predict_proba, NAME_predict_log_proba, NAME_decision_function "
   .. "and NAME_transform fill an array."

local EXPORT_LUA = EXPORTED
   .. "; and steps with log1p, expm1, erfc or a power, which Lua lacks. The file gives a table of functions: "
   .. "predict(row) gives the label as it was, predict_proba(row), predict_log_proba(row), decision_function(row) and "
   .. "transform(row) lists, score_samples(row) a number. A row is a list in the order of fit, nil or nan for a "
   .. "missing value, the label for a factor column. feature_names and classes are lists. A row that the model would "
   .. "refuse is an error."

--- Methods by name: which of them an estimator has, :can(name) tells.
M.methods = {
   fit = { use = "fit(X [, y [, options]])", brief = "Learn from X and y; gives the model. A failed fit leaves it as "
      .. "it was.", notes = OPTIONS },
   partial_fit = { use = "partial_fit(X [, y [, options]])", brief = "Learn from some more rows.",
      notes = OPTIONS .. "; classes: all labels that will ever come" },
   fit_async = { use = "fit_async(X [, y [, options]])", brief = "fit in the background, for estimators of the core "
      .. "and a Pipeline of them: gives a job.", notes = JOB },
   predict = { use = "predict(X)", brief = "A Factor of labels, a Vector (Matrix for several targets) of numbers, or a "
      .. "Vector of clusters. X may be one row by names: { age = 31, city = \"Oslo\" }." },
   predict_proba = { use = "predict_proba(X)", brief = "Matrix of probabilities: a column for each of model.classes." },
   predict_log_proba = { use = "predict_log_proba(X)", brief = "Their logarithms, precise for small ones." },
   decision_function = { use = "decision_function(X)", brief = "Scores before they become labels: a Vector for two "
      .. "classes (above 0: the second), a Matrix for more." },
   transform = { use = "transform(X)", brief = "X as the transformer makes it: Matrix, Sparse, or Frame for a Frame." },
   inverse_transform = { use = "inverse_transform(X)", brief = "The way back." },
   score_samples = { use = "score_samples(X)", brief = "Vector: a score (log density, or how usual it is) for each "
      .. "row." },
   fit_transform = { use = "fit_transform(X [, y [, options]])", brief = "fit, then transform of the same X." },
   fit_predict = { use = "fit_predict(X [, y [, options]])", brief = "fit, then predict for the same X." },
   score = { use = "score(X, y [, { scoring =, weights = }])", brief = "How good the predictions for X are: accuracy, "
      .. "r2, or the metric that scoring names; of one that ranks rows ndcg, by the options k, lengths and weights "
      .. "(of queries or rows)." },
   get_params = { use = "get_params()", brief = "The settings: a table by name, step__name within compositions." },
   set_params = { use = "set_params { name = value }", brief = "Change settings; all or none. ml.unset stands for "
      .. "nil." },
   clone = { use = "clone()", brief = "The same settings, not fitted." },
   can = { use = "can(name)", brief = "Has it this method?" },
   output_names = { use = "output_names()", brief = "Names of the columns that transform gives." },
   save = { use = "save(path)", brief = "Write the model to a file, for ml.load; gives the model." },
   dump = { use = "dump()", brief = "The model as bytes, for ml.load." },
   export_c = { use = "export_c([path] [, { name = \"model\" }])", brief = "The fitted model as one file of C99 that "
      .. "needs nothing but the C library: a string, or the model when it is written to a path.", notes = EXPORT_C },
   export_lua = { use = "export_lua([path] [, { name = \"model\" }])",
      brief = "The fitted model as one file of Lua that "
      .. "needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the model when it is written to a path.",
      notes = EXPORT_LUA },
   export_xgboost = { use = "export_xgboost([path])", brief = "Boosted trees, a forest or a decision tree as JSON "
      .. "that XGBoost loads: a string, or the model when it is written to a path.",
      notes = "Of GradientBoosting*, HistGradientBoosting*, RandomForest*, ExtraTrees* and DecisionTree*. XGBoost puts "
      .. "a link behind the sum of trees for labels, and a forest is a mean of probabilities; so its file is a "
      .. "regression (reg:squarederror, with num_parallel_tree) that predicts the probability of the second of two "
      .. "classes, or of several targets, the probabilities of all classes in their order. XGBoost reckons in single "
      .. "precision: predictions agree to about six digits, where no value of X comes to lie beyond a threshold by "
      .. "rounding; leaves beyond 3.4e38, or all below 1.2e-38, are refused. Factors are codes from 0 there, in the "
      .. "order of their levels; a level that fit did not see goes left there, here as a missing one. "
      .. "Losses with the same link have one objective, squared error standing for absolute error, huber and quantile; "
      .. "of dart the scaled trees are written as plain ones. Files are in the form of XGBoost 2.1, which later "
      .. "versions read." },
}

local EXAMPLE = [[
local X, y = ml.Matrix { { 1 }, { 2 }, { 8 }, { 9 } }, { "low", "low", "high", "high" }
local model = ml.LogisticRegression {}:fit(X, y)
print(model:%s)]]

local CALLS = { fit = "fit(X, y, { weights = { 1, 1, 2, 1 } })", predict = "predict(X)",
   predict_proba = "predict_proba(X)", predict_log_proba = "predict_log_proba(X)",
   decision_function = "decision_function(X)", fit_predict = "fit_predict(X, y)", score = "score(X, y)",
   get_params = "get_params().C", set_params = "set_params { C = 10 }", clone = "clone()", can = 'can "transform"' }

for name, call in pairs(CALLS) do M.methods[name].example = EXAMPLE:format(call) end
for name, example in pairs {
   partial_fit = 'print(ml.GaussianNB {}:partial_fit({ { 1 }, { 2 } }, { "a", "b" }, { classes = { "a", "b" } }))',
   fit_async = "print(ml.Ridge {}:fit_async({ { 1 }, { 2 } }, { 1, 2 }):wait())",
   transform = "print(ml.StandardScaler {}:fit({ { 1 }, { 3 } }):transform { { 2 }, { 5 } })",
   inverse_transform = "print(ml.StandardScaler {}:fit({ { 1 }, { 3 } }):inverse_transform { { 0 }, { 3 } })",
   fit_transform = "print(ml.StandardScaler {}:fit_transform { { 1 }, { 3 } })",
   output_names = 'print(table.concat(ml.PolynomialFeatures {}:fit({ { 1, 2 } }):output_names(), ", "))',
   dump = "print(ml.load(ml.Ridge { alpha = 2 }:dump()))",
   export_c = "print(#ml.Ridge {}:fit({ { 1 }, { 2 }, { 4 } }, { 1, 2, 3 }):export_c { name = \"ridge\" } > 1000)",
   export_xgboost = [[
local X, y = ml.Matrix { { 1 }, { 2 }, { 8 }, { 9 } }, { 1, 1, 3, 3 }
print(#ml.GradientBoostingRegressor { n_estimators = 2 }:fit(X, y):export_xgboost() > 1000)]],
   export_lua = [[
local model = ml.Ridge {}:fit({ { 1 }, { 2 }, { 4 } }, { 1, 2, 3 })
local program = load(model:export_lua())()
print(program.predict { 3 }, model:predict { { 3 } })]],
} do
   M.methods[name].example = example
end

M.help.Estimator = {
   use = "Estimator { name =, does =, params = { name = default }, fit = function, predict = function, ... }",
   brief = "A class of your own that keeps the contract of all estimators; gives its constructor.",
   notes = "fit(self, X, y, options) stores what it learns in self, on a copy that replaces the model when all went "
      .. "well. predict, transform and the like are methods. get_params, set_params, clone, score, save and printing "
      .. "come with it. does: \"classify\", \"regress\", \"cluster\" or \"transform\". Objects may keep fields of "
      .. "their own.",
   example = [[
local Mean = ml.Estimator {
   name = "Mean", does = "regress", params = { shrink = 0 },
   fit = function(self, X, y)
      self.mean = ml.Vector(y):mean() * (1 - self.shrink)
      return self
   end,
   predict = function(self, X) return ml.Vector(#X, self.mean) end,
}
print(Mean { shrink = 0.1 }:fit({ { 1 }, { 2 } }, { 10, 20 }):predict { { 3 } })]],
}

M.help.check = {
   args = { "model" },
   brief = "Does an estimator keep the contract? The demands that every estimator of this library is held to.",
   options = { does = 'for an estimator in Lua: "classify", "regress", "cluster" or "transform"',
      takes = 'what it takes beside numbers: { "weights", "sparse", "missing", ... }' },
   returns = "a report that prints, with failures, :assert(), and a list of { demand, result, message }",
   example = "print(ml.check(ml.Ridge { alpha = 2 }).failures)",
}

return M
