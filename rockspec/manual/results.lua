--- Types of result objects for the editor annotations: cross-validation, comparisons, reports, figures, jobs.
--
-- These objects have no help topic of their own. A test compares the fields with those of real results.
-- @module manual.results

local M = {}

local X = { name = "X", type = "manilius.X" }
local path = { name = "path", type = "string" }

local function optional(name, kind)
   return { name = name, type = kind, optional = true }
end

local per_class = "table<string, { precision: number, recall: number, f1: number, support: number }>"
local average = "{ precision: number, recall: number, f1: number, support: number }"
local FIGURE_OPTIONS = '{ width?: integer, height?: integer, mode?: "auto"|"sixel"|"kitty"|"text" }'

--- Classes: { name =, brief =, fields = { { name, type, text } }, methods = { { name, arguments, results, text } } }. A
-- field whose name ends in "?" may be nil.
M.classes = {
   { name = "Progress", brief = "The argument of on_iter callbacks.", fields = {
      { "done", "integer", "number of finished iterations or fits" }, { "total", "integer", "maximum of done" },
      { "objective", "number", "value of the objective, or the best score of a search" },
      { "elapsed", "number", "seconds since the start" },
   } },
   { name = "Job", brief = "A fit in the background.", fields = {
      { "model", "manilius.Model", "the model, unchanged until the job is done" },
      { "progress", "{ done: integer, total: integer, objective: number, elapsed: number }", "progress of the fit" },
   }, methods = {
      { "done", {}, { "boolean" }, "Is the fit finished? Never blocks." },
      { "wait", { optional("seconds", "number") }, { "manilius.Model?" },
         "Wait for the fit; returns the fitted model, or nil on timeout." },
      { "cancel", {}, {}, "Cancel the fit." },
   } },
   { name = "CrossValidation", brief = "The result of ml.cross_validate.", fields = {
      { "model", "string", "name of the estimator" }, { "metrics", "string[]", "names of the scores" },
      { "folds", "integer", "number of folds" }, { "mean", "table<string, number>", "mean by score name" },
      { "sd", "table<string, number>", "standard deviation over the folds by score name" },
      { "interval", "table<string, number[]>", "confidence interval of the mean, { low, high }, by score name" },
      { "interval_kind", "string", "t or corrected" }, { "fit_seconds", "number", "mean time of a fit" },
      { "scores", "manilius.Frame", "one row per fold, with train scores if return_train" },
      { "models?", "manilius.Model[]", "the fitted models, with return_models" },
      { "inner?", "manilius.Frame[]", "results of the search in each fold, of nested_cross_validate" },
      { "chosen?", "manilius.Frame", "parameters chosen in each fold, of nested_cross_validate" },
      { "positive?", "string", "positive class, if a score has one" },
   } },
   { name = "Comparison", brief = "The result of ml.compare.", fields = {
      { "table", "manilius.Frame", "one row per model" },
      { "tests", "manilius.Frame", "paired tests of the differences from the reference" },
      { "models", "string[]", "names of the models, the best first" },
      { "given", "string[]", "names of the models as given" }, { "metrics", "string[]", "names of the scores" },
      { "best", "string", "name of the best model" }, { "reference", "string", "model the others are tested against" },
      { "greater", "table<string, boolean>", "are higher scores better?" }, { "folds", "integer", "number of folds" },
      { "rows", "integer", "number of rows" }, { "interval_kind", "string", "t or corrected" },
      { "results", "table<string, manilius.CrossValidation>", "cross-validation by model" },
      { "errors", "table<string, string>", "message by model that could not be fitted" },
      { "notes", "string[]", "remarks on the comparison" },
   }, methods = {
      { "meaning", {}, { "string" }, "The result in words." },
      { "plot", { optional("options", "table") }, { "manilius.Figure" }, "Plot the scores with intervals." },
   } },
   { name = "Report", brief = "The result of ml.report.", fields = {
      { "title", "string", "title of the page" }, { "html", "string", "the page" },
      { "scores", "{ name: string, mean: number, sd?: number, low: number, high: number, greater: boolean }[]",
         "scores with confidence intervals" },
      { "judged_by", '"folds"|"test"|"fit"|"none"', "rows the scores were computed on" },
      { "warnings", "string[]", "what to look at" },
      { "importance?", "manilius.PermutationImportance", "permutation importances" },
      { "pictures_left_out", "integer", "number of plots that could not be drawn" },
   }, methods = { { "save", { path }, { "manilius.Report" }, "Write the page to a file." } } },
   { name = "ClassificationReport", brief = "The result of ml.metrics.report.", fields = {
      { "labels", "manilius.Label[]", "labels in ascending order" },
      { "classes", per_class, "precision, recall, F1 and support by label" },
      { "macro", average, "mean over the classes" }, { "weighted", average, "mean weighted by support" },
      { "accuracy", "number", "share of correct predictions" },
      { "low", "number", "lower confidence limit of the accuracy" },
      { "high", "number", "upper confidence limit of the accuracy" },
      { "level", "number", "confidence level" }, { "support", "number", "number or total weight of the rows" },
      { "digits", "integer", "digits printed" }, { "notes", "string[]", "remarks" },
   }, methods = { { "frame", {}, { "manilius.Frame" }, "One row per class and average." } } },
   { name = "PermutationImportance",
      brief = "The result of ml.permutation_importance and ml.drop_column_importance.", fields = {
      { "features", "string[]", "names of the columns and groups" },
      { "importance", "manilius.Vector", "mean decrease of the score by column" },
      { "sd", "manilius.Vector", "standard deviation over the repeats or folds" },
      { "low", "manilius.Vector", "lower limit of the 95% interval of the mean" },
      { "high", "manilius.Vector", "upper limit of the 95% interval of the mean" },
      { "method", "string", "permutation or drop" },
      { "groups?", "table<string, string[]>", "columns of each group by name" },
      { "folds?", "manilius.Split[]", "the folds, if a column of values is that of a fold" },
      { "order", "integer[]", "positions of the features by importance" },
      { "values", "manilius.Matrix", "columns x repeats" }, { "table", "manilius.Frame", "one row per column" },
      { "score", "number", "score with all columns intact" }, { "scoring", "string", "name of the score" },
      { "greater", "boolean", "are higher scores better?" }, { "repeats", "integer", "shuffles or folds per column" },
      { "seed", "integer", "seed of the shuffles" },
   }, methods = { { "plot", { optional("options", "table") }, { "manilius.Figure" }, "Plot the importances." } } },
   { name = "Bootstrap632", brief = "The result of ml.bootstrap_632.", fields = {
      { "score", "number", ".632+ estimate" }, { "se", "number", "its standard error" },
      { "score_632", "number", ".632 estimate" }, { "oob", "number", "leave-one-out bootstrap estimate" },
      { "apparent", "number", "score on the training rows" },
      { "no_information", "number", "score if X and y were unrelated" },
      { "overfitting", "number", "relative overfitting rate" }, { "weight", "number", "weight of oob in score" },
      { "samples", "manilius.Vector", "score of each sample on its out-of-bag rows" },
      { "table", "manilius.Frame", "one row per estimate" }, { "n", "integer", "number of samples" },
      { "seed", "integer", "seed of the samples" }, { "scoring", "string", "name of the score" },
      { "greater", "boolean", "are higher scores better?" }, { "model", "string", "name of the model" },
   } },
   { name = "PermutationTest", brief = "The result of ml.permutation_test_score.", fields = {
      { "score", "number", "score of the data" }, { "p_value", "number", "p-value" },
      { "scores", "manilius.Vector", "score of each permutation" },
      { "table", "manilius.Frame", "scores of the folds, one row per permutation" },
      { "n", "integer", "number of permutations" }, { "seed", "integer", "seed of the permutations" },
      { "scoring", "string", "name of the score" }, { "greater", "boolean", "are higher scores better?" },
      { "model", "string", "name of the model" },
   }, methods = { { "plot", {}, { "manilius.Figure" }, "Histogram of the scores." } } },
   { name = "ChoiceOfK", brief = "The result of ml.choose_k.", fields = {
      { "k", "integer", "number of clusters that most criteria choose" },
      { "best", "table<string, integer>", "choice of each criterion" },
      { "votes", "table<integer, integer>", "criteria by their choice" },
      { "criteria", "string[]", "names of the criteria" }, { "counts", "integer[]", "numbers of clusters compared" },
      { "table", "manilius.Frame", "values of the criteria, one row per number" },
      { "model", "string", "name of the clustering" },
   }, methods = { { "plot", { optional("options", "table") }, { "manilius.Figure" },
      "The criteria, a panel each." } } },
   { name = "ChoiceOfComponents", brief = "The result of ml.choose_components.", fields = {
      { "k", "integer", "number of components that most criteria choose" },
      { "best", "table<string, integer>", "choice of each criterion" },
      { "votes", "table<integer, integer>", "criteria by their choice" },
      { "criteria", "string[]", "names of the criteria" }, { "scaled", "boolean", "were the columns standardized?" },
      { "table", "manilius.Frame", "variances and values of the criteria, one row per component" },
   }, methods = { { "plot", { optional("options", "table") }, { "manilius.Figure" },
      "Variances and criteria, a panel each." } } },
   { name = "Consensus", brief = "The result of ml.consensus.", fields = {
      { "labels", "manilius.Vector", "cluster of each row" },
      { "n_clusters", "integer", "number of clusters" }, { "n_clusterings", "integer", "number of clusterings" },
      { "confidence", "manilius.Vector", "mean co-association of each row with its cluster" },
      { "agreement", "manilius.Vector", "adjusted Rand index of each clustering with the consensus" },
      { "coassociation", "manilius.Matrix", "fraction of the clusterings in which two rows are together" },
      { "merges", "manilius.Matrix", "the hierarchy, as of ml.linkage" },
   }, methods = { { "plot", { optional("options", "table") }, { "manilius.Figure" },
      "Heat map of the co-association." } } },
   { name = "PartialDependence", brief = "The result of ml.partial_dependence.", fields = {
      { "column?", "string", "name of the column, if it is one" },
      { "columns?", "string[]", "names of the columns, if they are two" },
      { "values", "manilius.Vector|table", "values of the column, or a list of those of each" },
      { "average?", "manilius.Vector|manilius.Matrix", "mean prediction at each value, if there is one response" },
      { "individual?", "manilius.Matrix", "predictions of the rows, rows x values, of one column and response" },
      { "observed", "manilius.Vector|table", "values of the column in X, or a list of those of each" },
      { "response?", "string", "what is predicted, such as a class, if it is one" },
      { "responses", "string[]", "what is predicted: one, or all classes" },
      { "averages", "(manilius.Vector|manilius.Matrix)[]", "mean predictions by response" },
      { "individuals?", "manilius.Matrix[]", "predictions of the rows by response, of one column" },
      { "rows", "integer", "number of rows" },
   }, methods = {
      { "plot", { optional("options", "table") }, { "manilius.Figure" }, "Plot the curve or heat map." } } },
   { name = "ShapleyValues", brief = "The result of ml.shap.", fields = {
      { "values", "manilius.Matrix", "Shapley values, rows x columns" },
      { "std_error", "manilius.Matrix", "their standard errors; 0 where they are exact" },
      { "base", "number", "mean response of the background" }, { "features", "string[]", "names of the columns" },
      { "X", "any", "the rows explained" }, { "model", "string", "name of the model" },
      { "method", "string", '"linear", "tree" or "permutation"' },
      { "response", "string", "what is predicted, such as a class" },
      { "table", "manilius.Frame", "feature, importance (mean absolute value), std_error" },
   } },
   { name = "AccumulatedEffects", brief = "The result of ml.accumulated_effects.", fields = {
      { "column?", "string", "name of the column, if it is one" },
      { "table?", "manilius.Frame", "of one column: value, effect, count, one row for each edge of a bin" },
      { "columns?", "string[]", "names of the columns, if they are two" },
      { "values?", "manilius.Vector[]", "edges of the bins of the two columns" },
      { "effect?", "manilius.Matrix", "effect of the two columns at these edges" },
      { "count?", "manilius.Matrix", "rows in each cell" },
      { "rows", "integer", "number of rows" }, { "response", "string", "what is predicted, such as a class" },
   }, methods = { { "plot", {}, { "manilius.Figure" }, "Plot the effect." } } },
   { name = "Surrogate", brief = "The result of ml.surrogate.", fields = {
      { "model", "manilius.Model", "the fitted surrogate" }, { "kind", "string", "tree, linear or model" },
      { "of", "string", "name of the model that it imitates" }, { "response", "string", "what is imitated" },
      { "measure", "string", "accuracy or r2" }, { "fidelity", "number", "score on the held-out rows" },
      { "train_fidelity", "number", "score on the rows of the fit" },
      { "baseline", "number", "accuracy of always the most frequent class; 0 for numbers" },
      { "n_train", "integer", "rows of the fit" }, { "n_test", "integer", "held-out rows" },
      { "around", "boolean", "were the rows weighted by their distance to a row?" },
   }, methods = {
      { "rules", {}, { "manilius.Frame" }, "The rules of a tree." },
      { "predict", { X }, { "manilius.Vector|manilius.Factor" }, "Predictions of the surrogate." },
      { "plot", {}, { "manilius.Figure" }, "Plot the tree or the coefficients." } } },
   { name = "Counterfactuals", brief = "The result of ml.counterfactuals.", fields = {
      { "found", "integer", "number of answers" }, { "asked", "integer", "number of answers asked for" },
      { "rows?", "manilius.Matrix|manilius.Frame", "the changed rows, the cheapest first; nil if none was found" },
      { "changes?", "manilius.Frame", "answer, column, from, to, change in units of its cost" },
      { "distance", "manilius.Vector", "cost of the answers" },
      { "predictions", "manilius.Vector", "probabilities of the wanted class, or predictions" },
      { "response", "string", "what predictions are" }, { "wanted", "string", "what was wanted" },
      { "predicted", "any", "prediction for the row" }, { "features", "string[]", "names of the columns" },
      { "reason?", "string", "why none was found" },
      { "evaluations", "integer", "number of rows for which the model was asked" },
      { "complete", "boolean", "were all permitted rows tried?" },
   }, methods = { { "plot", {}, { "manilius.Figure" }, "Plot the changes." } } },
   { name = "MixtureSelection", brief = "The result of ml.select_mixture.", fields = {
      { "table", "manilius.Frame", "components, and the criterion of each type in a column" },
      { "model", "manilius.Model", "the best mixture, fitted" },
      { "n_components", "integer", "its number of components" }, { "covariance_type?", "string", "its type" },
      { "value", "number", "its criterion" }, { "criterion", "string", "bic, icl or aic" },
      { "components", "integer[]", "numbers that were compared" }, { "types", "string[]", "types that were compared" },
      { "typed", "boolean", "does the mixture have covariance types?" },
   } },
   { name = "StateSelection", brief = "The result of ml.select_hmm.", fields = {
      { "table", "manilius.Frame", "states, loglik, n_parameters, aic, bic" },
      { "model", "manilius.Model", "the best model, fitted" }, { "n_states", "integer", "its number of states" },
      { "value", "number", "its criterion" }, { "criterion", "string", "bic or aic" },
   } },
   { name = "FriedmanH", brief = "The result of ml.friedman_h.", fields = {
      { "pairs", "manilius.Frame", "first, second, h: pairs of columns, the strongest first" },
      { "total", "manilius.Frame", "feature, h: each column with all others" },
      { "rows", "integer", "number of rows used" }, { "response", "string", "what is predicted, such as a class" },
   } },
   { name = "ConfusionMatrix", brief = "The result of ml.metrics.confusion_matrix.", fields = {
      { "labels", "manilius.Label[]", "labels in ascending order" },
      { "counts", "manilius.Matrix", "true x predicted labels" },
   }, methods = {
      { "get", { { name = "label", type = "manilius.Label" }, { name = "predicted", type = "manilius.Label" } },
         { "number" }, "The number of rows with this label and prediction." },
      { "normalized", { optional("by", "string") }, { "manilius.Matrix" }, "Shares instead of counts." },
   } },
   { name = "CheckReport", brief = "The result of ml.check: a list of checks.", fields = {
      { "estimator", "string", "name of the estimator" }, { "failures", "integer", "number of failed checks" },
      { "[integer]", "{ demand: string, result: string, message?: string }", "one entry per check" },
   }, methods = { { "assert", {}, { "manilius.CheckReport" }, "Raise an error if a check failed." } } },
   { name = "Split", brief = "Row numbers of a split.", fields = {
      { "train", "manilius.Vector", "training rows" }, { "test", "manilius.Vector", "test rows" },
   } },
   { name = "TestResult", brief = "The result of a test of ml.test; prints as in R.", fields = {
      { "method", "string", "name of the test" }, { "statistic", "number", "test statistic" },
      { "p", "number", "p-value" }, { "exact", "boolean", "is the p-value exact?" },
      { "text", "string", "the result as text" }, { "alternative?", "string", "alternative hypothesis" },
      { "df?", "number", "degrees of freedom" }, { "estimate?", "number", "estimated difference or correlation" },
      { "low?", "number", "lower confidence limit of the estimate" },
      { "high?", "number", "upper confidence limit of the estimate" },
      { "level?", "number", "confidence level" }, { "expected?", "manilius.Matrix", "expected counts" },
   } },
   { name = "Figure", brief = "A plot.", fields = {}, methods = {
      { "save", { path }, { "manilius.Figure" }, "Write a picture; the extension is svg, png, pdf or html." },
      { "show", { optional("options", FIGURE_OPTIONS) }, { "manilius.Figure" }, "Draw in the terminal." },
      { "svg", {}, { "string" }, "The picture as an SVG element." },
      { "script", { optional("path", "string") }, { "string" }, "The gnuplot script with its data." },
      { "text", { optional("options", "{ width?: integer, height?: integer, ascii?: boolean }") }, { "string" },
         "The figure as text." },
   } },
   { name = "About", brief = "The result of ml.about.", fields = {
      { "version", "string", "version of manilius" }, { "lua", "string", "version of Lua" },
      { "lapack", "string", "LAPACK library" }, { "product", "string", "instructions of matrix products" },
      { "cores", "integer", "cores available" }, { "threads", "integer", "threads in use" },
   } },
   { name = "Kernel", brief = "A kernel of ml.kernel; +, * and ^ combine kernels, and numbers scale them.", fields = {
      { "theta", "manilius.Vector", "logarithms of the hyperparameters that are not fixed" },
      { "bounds", "manilius.Matrix", "their bounds, one row each" },
      { "theta_names", "string[]", "their names" }, { "[string]", "any", "a setting" },
   }, methods = {
      { "matrix", { { name = "X", type = "manilius.X" }, optional("Y", "manilius.X") }, { "manilius.Matrix" },
         "Kernel matrix of the rows of X, or of X with Y." },
      { "diagonal", { { name = "X", type = "manilius.X" } }, { "manilius.Vector" }, "Diagonal of the matrix of X." },
      { "gradient", { { name = "X", type = "manilius.X" } }, { "manilius.Matrix[]" },
         "Derivatives of the matrix of X by each element of theta." },
      { "gradient_dot", { { name = "X", type = "manilius.X" }, { name = "W", type = "manilius.Matrix" } },
         { "manilius.Vector" }, "Sums of the elements of W times those of the gradient, by element of theta." },
      { "with_theta", { { name = "theta", type = "manilius.Numbers" } }, { "manilius.Kernel" },
         "The same kernel with these hyperparameters." },
      { "save", { path }, {}, "Write the kernel to a file." },
      { "dump", {}, { "string" }, "The kernel as a string of bytes, for ml.load." },
   } },
   { name = "Distribution", brief = "A probability distribution.", fields = {
      { "[string]", "any", "a parameter" },
   }, methods = {
      { "log_density", { X }, { "number|manilius.Vector" }, "Log density at x." },
      { "density", { X }, { "number|manilius.Vector" }, "Density at x." },
      { "sample", { { name = "n", type = "integer" }, optional("seed", "integer") },
         { "manilius.Vector|manilius.Matrix" }, "Draw n values." },
      { "expectation", {}, { "number|manilius.Vector" }, "Expectation." },
      { "variance", {}, { "number|manilius.Matrix" }, "Variance, or the covariance matrix." },
      { "entropy", {}, { "number" }, "Entropy." },
      { "kl", { { name = "other", type = "manilius.Distribution" } }, { "number" },
         "Kullback-Leibler divergence from another distribution." },
      { "cross_entropy", { { name = "other", type = "manilius.Distribution" } }, { "number" },
         "Cross-entropy with another distribution." },
   } },
}

local columns = "manilius.Columns"
local targets = "(manilius.Vector|manilius.Factor|manilius.Matrix)?"

--- Results of functions, by name.
M.of_function = {
   ["ml.solve_sat"] = { "table<string, any>" },
   ["ml.color_graph"] = { "table<string, any>" },
   ["ml.amp"] = { "{ x: manilius.Vector, tau: manilius.Vector, n_iter: integer, converged: boolean, "
      .. "diverged: boolean }" },
   ["ml.amp_state_evolution"] = { "{ tau: manilius.Vector, mse: manilius.Vector, alpha: number }" },
   ["ml.ldpc_threshold"] = { "number", "number?" },
   ["ml.cross_validate"] = { "manilius.CrossValidation" }, ["ml.compare"] = { "manilius.Comparison" },
   ["ml.report"] = { "manilius.Report" }, ["metrics.report"] = { "manilius.ClassificationReport" },
   ["ml.permutation_importance"] = { "manilius.PermutationImportance" },
   ["ml.drop_column_importance"] = { "manilius.PermutationImportance" },
   ["ml.choose_components"] = { "manilius.ChoiceOfComponents" },
   ["ml.choose_k"] = { "manilius.ChoiceOfK" }, ["ml.consensus"] = { "manilius.Consensus" },
   ["ml.select_mixture"] = { "manilius.MixtureSelection" },
   ["ml.select_hmm"] = { "manilius.StateSelection" },
   ["ml.permutation_test_score"] = { "manilius.PermutationTest" }, ["ml.bootstrap_632"] = { "manilius.Bootstrap632" },
   ["ml.nested_cross_validate"] = { "manilius.CrossValidation" },
   ["ml.cross_val_predict"] = { "manilius.Factor|manilius.Vector|manilius.Matrix" },
   ["ml.train_test_split"] = { columns, columns, targets, targets, "manilius.Vector", "manilius.Vector" },
   ["ml.counterfactuals"] = { "manilius.Counterfactuals" },
   ["ml.surrogate"] = { "manilius.Surrogate" },
   ["ml.accumulated_effects"] = { "manilius.AccumulatedEffects" },
   ["ml.friedman_h"] = { "manilius.FriedmanH" }, ["ml.shap"] = { "manilius.ShapleyValues" },
   ["ml.partial_dependence"] = { "manilius.PartialDependence" }, ["ml.progress"] = { "boolean" },
   ["ml.warnings"] = { "string|function" },
   ["metrics.confusion_matrix"] = { "manilius.ConfusionMatrix" },
   ["metrics.error_interval"] = {
      "{ error: number, low: number, high: number, level: number, n: number, method: string }" },
   ["metrics.roc_interval"] = { "{ auc: number, low: number, high: number, level: number, std_error: number }" },
   ["ml.multiple_imputation"] = { "(manilius.Matrix|manilius.Frame)[]" }, ["ml.pool"] = { "table<string, any>" },
   ["ml.minimize"] = { "table<string, any>" },
   ["metrics.brier_decomposition"] = { "table<string, number>" },
   ["metrics.mcnemar"] = { "table<string, any>" }, ["metrics.regression_report"] = { "table<string, any>" },
   ["ml.check"] = { "manilius.CheckReport" }, ["ml.about"] = { "manilius.About" },
   ["ml.load"] = { "manilius.Model" }, ["ml.dump"] = { "string" }, ["ml.save"] = {},
   ["ml.write_npy"] = {}, ["ml.write_npz"] = {}, ["ml.format_npy"] = { "string" }, ["ml.write_svmlight"] = {},
   ["ml.format_svmlight"] = { "string" }, ["ml.help"] = {},
   ["ml.find"] = { "{ name: string, brief: string, score: number }[]" },
   ["memory.limit"] = { "integer" }, ["memory.live"] = { "integer" }, ["memory.peak"] = { "integer" },
   ["FrameMaker.from"] = { "manilius.Frame" }, ["FrameMaker.from_rows"] = { "manilius.Frame" },
   ["FrameMaker.is"] = { "boolean" }, ["SparseMaker.from"] = { "manilius.Sparse" },
}

--- Results of methods, by class and name.
M.of_method = {
   ["Frame:write_csv"] = { "manilius.Frame" }, ["Frame:write_jsonl"] = { "manilius.Frame" },
   ["Matrix:set"] = {}, ["Vector:set"] = {},
   ["Frame:each"] = { "fun(): integer?, table<string, any>" },
   ["BoostedClassifier:staged"] = { "manilius.Matrix" }, ["BoostedRegressor:staged"] = { "manilius.Matrix" },
   ["FunctionalGradientBoosting:staged"] = { "manilius.Matrix" },
   ["AdaBoostClassifier:staged_predict"] = { "manilius.Factor[]" },
   ["AdaBoostRegressor:staged_predict"] = { "manilius.Vector[]" },
   ["AdaBoostClassifier:staged_decision_function"] = { "(manilius.Vector|manilius.Matrix)[]" },
   ["AdaBoostClassifier:staged_score"] = { "manilius.Vector" },
   ["AdaBoostRegressor:staged_score"] = { "manilius.Vector" },
   ["PolynomialRegression:intervals"] = { "manilius.Frame" },
   ["PolynomialRegression:summary"] = { "table<string, any>" },
   ["NonlinearKalmanFilter:filter"] = { "table<string, manilius.Matrix>" },
   ["NonlinearKalmanFilter:smooth"] = { "table<string, manilius.Matrix>" },
   ["NonlinearKalmanFilter:forecast"] = { "table<string, manilius.Matrix>" },
   ["ParticleFilter:filter"] = { "{ mean: manilius.Matrix, covariance: manilius.Matrix, ess: manilius.Vector }" },
   ["NonlinearRegression:intervals"] = { "manilius.Frame" },
   ["NonlinearRegression:summary"] = { "table<string, any>" },
   ["BayesNet:query"] = { "manilius.Frame" },
   ["BayesNet:marginals"] = { "table<string, any>" },
   ["BayesNet:probability"] = { "number" },
   ["BayesNet:log_evidence"] = { "number" },
   ["BayesNet:covariance"] = { "manilius.Matrix", "manilius.Vector" },
   ["BayesNet:mpe"] = { "table<string, any>", "number" },
   ["BayesNet:map"] = { "table<string, any>", "number" },
   ["BayesNet:intervene"] = { "manilius.BayesNet" },
   ["BayesNet:sensitivity"] = { "manilius.Frame" },
   ["BayesNet:sample"] = { "manilius.Frame" },
   ["BayesNet:cost"] = { "table<string, number>" },
   ["BayesNet:cpt"] = { "manilius.Frame" },
   ["BayesNet:arcs"] = { "manilius.Frame" },
   ["BayesNet:order"] = { "string[]" },
   ["BayesNet:parents_of"] = { "string[]" },
   ["BayesNet:children_of"] = { "string[]" },
   ["BayesNet:ancestors_of"] = { "string[]" },
   ["BayesNet:blanket"] = { "string[]" },
   ["BayesNet:moral_graph"] = { "manilius.Frame" },
   ["BayesNet:cpdag"] = { "manilius.Frame" },
   ["BayesNet:d_separated"] = { "boolean" },
   ["BayesNet:d_connected"] = { "string[]" },
   ["BayesNet:model_string"] = { "string" },
   ["BayesNet:structure_scores"] = { "manilius.Frame" },
   ["BayesNet:independence_test"] = { "table<string, any>" },
   ["BayesNet:score"] = { "number" },
   ["BayesNet:score_samples"] = { "manilius.Vector" },
   ["BayesNet:predict"] = { "manilius.Factor|manilius.Vector" },
   ["BayesNet:predict_proba"] = { "manilius.Frame" },
   ["BayesNet:write_bif"] = { "manilius.BayesNet" },
   ["BayesNet:bif"] = { "string" },
   ["BayesNet:dot"] = { "string" },
   ["BayesNet:text"] = { "string" },
   ["ConformalRegressor:predict_interval"] = { "table<string, manilius.Vector>" },
   ["ConformalClassifier:predict_set"] = { "manilius.Matrix|manilius.Label[][]" },
   ["CalibratedClassifier:probability_interval"] = { "table<string, manilius.Vector>" },
}

local learned = { classes = "manilius.Label[]", feature_names = "string[]", n_features = "integer",
   n_targets = "integer", best = "manilius.Model", best_index = "integer", best_score = "number",
   best_params = "table<string, any>", greater = "boolean", judge = "string" }

local by_words = { { "^list of fitted", "manilius.Model[]" },
   { "^fitted members by name", "table<string, manilius.Model>" },
   { "^the fitted final model", "manilius.Model" }, { "^names of", "string[]" }, { "^number of", "integer" },
   { "^true if", "boolean" }, { "mean of the importances", "manilius.Vector?" } }

--- The type of a field learned by a class in Lua, from its name or description; nil if unknown.
function M.of_learned(name, words)
   if learned[name] then return learned[name] end
   for _, one in ipairs(by_words) do
      if words:find(one[1]) then return one[2] end
   end
end

return M
