--- Help for the methods of all estimators, for ml.Estimator and for ml.check.

local M = { help = {} }

local OPTIONS = "Options, where the estimator supports them: weights (one number >= 0 per row), lengths (rows of each "
   .. "sequence or query), target (a second X), init_score (initial raw predictions, not included by predict), "
   .. "eval = { X, y } (an evaluation set for early stopping, with weights = w if its rows are weighted), "
   .. "groups (where fit cross-validates: rows with the same label stay in one fold), "
   .. "folds (of LassoCV, LogisticRegressionCV, TargetEncoder and others whose fit splits rows: a list of splits such "
   .. "as KFold { seed = 1 }:split(X), or the test fold of each row), on_iter "
   .. "(a callback function(state) with done, total, objective and elapsed; it may return \"stop\" or \"cancel\")."

local JOB = "The job runs on copies of the parameters and the data. job:done() never blocks. job:wait([seconds]) "
   .. "returns the fitted model, or nil on timeout, and raises any error of the fit. job:cancel() cancels it. "
   .. "job.progress is { done =, total =, objective =, elapsed = }. While the job runs, job.model keeps its previous "
   .. "state and cannot be changed. Keep a reference to the job: closing or collecting it cancels it."

local EXPORTED = "Supports all fitted built-in estimators, and pipelines, column transformers, searches, formulas and "
   .. "ensembles of them. Predictions match the model up to rounding."

local EXPORT_C = EXPORTED
   .. " All identifiers start with name. A row is an array of doubles in the column order of fit; NaN is "
   .. "missing; NAME_code(column, text) encodes a label. NAME_predict returns an index into NAME_classes, a 0-based "
   .. "cluster, or a number (-1 or NaN for an invalid row)."

local EXPORT_LUA = EXPORTED
   .. " The file returns a table: predict(row) returns a label or number; predict_proba(row), transform(row) and the "
   .. "like return lists. A row is a list in the column order of fit, with nil or nan for missing values. Invalid rows "
   .. "raise an error."

--- Methods by name; model:can(name) says whether an estimator has it.
M.methods = {
   fit = { use = "fit(X [, y [, options]])", brief = "Fit the model to X and y and return it; an error leaves it "
      .. "unchanged.", notes = OPTIONS },
   partial_fit = { use = "partial_fit(X [, y [, options]])", brief = "Update the model with more rows.",
      notes = OPTIONS .. " The first call of a classifier needs classes: the list of all labels." },
   fit_async = { use = "fit_async(X [, y [, options]])", brief = "Fit in the background and return a job.",
      notes = "For built-in estimators and pipelines of them. " .. JOB },
   predict = { use = "predict(X)",
      brief = "Predict labels (a Vector if y was numbers, else a Factor), numbers (Vector or Matrix) or clusters.",
      notes = "X may also be a single row by names: { age = 31, city = \"Oslo\" }." },
   predict_proba = { use = "predict_proba(X)", brief = "Class probabilities: Matrix with one column per class of "
      .. "model.classes, named by the labels." },
   predict_log_proba = { use = "predict_log_proba(X)", brief = "Log probabilities, accurate for small probabilities." },
   decision_function = { use = "decision_function(X)", brief = "Decision scores: Vector for two classes (> 0: second "
      .. "class), otherwise Matrix." },
   transform = { use = "transform(X)", brief = "Transform X to a Matrix, a Sparse, or a Frame if X is a Frame." },
   inverse_transform = { use = "inverse_transform(X)", brief = "Undo transform." },
   score_samples = { use = "score_samples(X)", brief = "Vector with one score per row, such as a log density; low for "
      .. "outliers." },
   fit_transform = { use = "fit_transform(X [, y [, options]])",
      brief = "Fit, then transform the same X, cross-fitted where y is used." },
   fit_resample = { use = "fit_resample(X, y [, { weights = }])",
      brief = "Fit a resampler and return X and y of the resampled rows, and their weights." },
   fit_predict = { use = "fit_predict(X [, y [, options]])", brief = "Fit, then predict for the same X." },
   score = { use = "score(X, y [, { scoring =, weights = }])", brief = "Score of the predictions for X: accuracy, r2, "
      .. "or the metric given as scoring.", notes = "Rankers return ndcg and take the options k, lengths and weights "
      .. "(per query or per row)." },
   get_params = { use = "get_params()", brief = "Parameters by name; nested ones as step__name." },
   set_params = { use = "set_params { name = value }", brief = "Set parameters, all or none; ml.unset stands for "
      .. "nil.", notes = "A fitted model shows the new parameters and acts by those of its fit until it is fitted "
      .. "again; a warning says so." },
   clone = { use = "clone()", brief = "An unfitted copy with the same parameters." },
   can = { use = "can(name)", brief = "Does the model support this method?" },
   output_names = { use = "output_names()", brief = "Names of the columns returned by transform." },
   save = { use = "save(path)", brief = "Write the model to a file for ml.load; returns the model." },
   dump = { use = "dump()", brief = "Serialize the model to a string for ml.load." },
   export_c = { use = "export_c([path] [, { name = \"model\" }])", brief = "Export the fitted model as a "
      .. "self-contained C99 file.",
      notes = "Returns the source as a string, or the model if path is given. " .. EXPORT_C },
   export_lua = { use = "export_lua([path] [, { name = \"model\" }])", brief = "Export the fitted model as a "
      .. "self-contained Lua file (Lua 5.1 to 5.5, LuaJIT).",
      notes = "Returns the source as a string, or the model if path is given. " .. EXPORT_LUA },
   export_xgboost = { use = "export_xgboost([path])", brief = "Export trees as a JSON model file for XGBoost 2.1 or "
      .. "later.",
      notes = "For GradientBoosting*, HistGradientBoosting*, RandomForest*, ExtraTrees* and DecisionTree*. Returns a "
      .. "string, or the model if path is given. Forests and single trees become a regression of class probabilities. "
      .. "XGBoost computes in float32: predictions agree to about six digits unless rounding moves a value across a "
      .. "threshold. Leaf values outside float32 are rejected. Factors become 0-based level codes; unseen levels go "
      .. "left. Losses with the same link share one objective." },
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
   fit_resample = 'print(ml.RandomOverSampler {}:fit_resample({ { 1 }, { 2 }, { 3 } }, { "a", "a", "b" }))',
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
   brief = "Define your own estimator class; returns its constructor.",
   notes = "fit(self, X, y, options) stores learned values in self; it runs on a copy that replaces the model on "
      .. "success. predict, transform and other methods are functions of the class. get_params, set_params, clone, "
      .. "score, save and printing are provided. does is \"classify\", \"regress\", \"cluster\" or \"transform\". "
      .. "Objects may have additional fields.",
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
   brief = "Check that an estimator satisfies the estimator contract.",
   options = { does = 'kind of an estimator written in Lua: "classify", "regress", "cluster" or "transform"',
      takes = 'supported inputs besides numbers: { "weights", "sparse", "missing", ... }' },
   returns = "a report that prints; it has failures, :assert(), and is a list of { demand, result, message }",
   example = "print(ml.check(ml.Ridge { alpha = 2 }).failures)",
}

return M
