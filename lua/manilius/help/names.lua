--- The public names that are not built-in estimators: the Lua module that defines each, and its group in the help.

local core = require "manilius.core"

local M = {}

local function sorted_keys(t, ...)
   local names = {}
   for name in pairs(t) do names[#names + 1] = name end
   table.sort(names)
   for i, first in ipairs { ... } do table.insert(names, i, first) end
   return names
end

--- Groups of names. `home` is the Lua module that defines them (nil: the C core); `help` is the module whose table
-- `help` (name -> { brief =, ... }) documents them, if that is not `home`.
M.groups = {
   { title = "values", help = "help.values", names = { "Matrix", "Vector", "Factor", "Sparse", "zeros", "ones", "full",
      "eye", "range", "linspace", "random", "normal", "permutation", "hcat", "vcat" } },
   { title = "frames", home = "frame", help = "help.frame", names = { "Frame" } },
   { title = "frames", home = "formula.matrix", names = { "design_matrix" } },
   { title = "values", home = "neighbors.distances", names = { "pairwise_distances" } },
   { title = "hierarchical clustering", home = "cluster.hierarchy",
      names = { "linkage", "cut_tree", "cophenetic", "leaf_order" } },
   { title = "files", home = "io", names = sorted_keys(core.io, "from_cursor", "read_conll", "parse_conll") },
   { title = "saving and loading", home = "save", names = { "save", "load", "dump" } },
   { title = "composition", home = "compose.pipeline", names = { "Pipeline", "FeatureUnion" } },
   { title = "composition", home = "compose.columns", names = { "ColumnTransformer", "TransformedTarget" } },
   { title = "composition", home = "ensemble.voting", names = { "VotingClassifier", "VotingRegressor" } },
   { title = "composition", home = "ensemble.stacking", names = { "StackingClassifier", "StackingRegressor" } },
   { title = "composition", home = "ensemble.bagging", names = { "BaggingClassifier", "BaggingRegressor" } },
   { title = "composition", home = "ensemble.adaboost", names = { "AdaBoostClassifier", "AdaBoostRegressor" } },
   { title = "composition", home = "ensemble.boosted", names = { "BoostedClassifier", "BoostedRegressor" } },
   { title = "composition", home = "ensemble.functional_boosting", names = { "FunctionalGradientBoosting" } },
   { title = "composition", home = "compose.one_vs_rest", names = { "OneVsRestClassifier" } },
   { title = "composition", home = "compose.one_vs_one", names = { "OneVsOneClassifier" } },
   { title = "composition", home = "compose.output_code", names = { "OutputCodeClassifier" } },
   { title = "composition", home = "compose.multi_output", names = { "MultiOutputClassifier",
      "MultiOutputRegressor" } },
   { title = "composition", home = "compose.self_training", names = { "SelfTrainingClassifier" } },
   { title = "composition", home = "bayes_net.model", names = { "BayesNet" } },
   { title = "files", home = "bayes_net.bif", names = { "read_bif" } },
   { title = "composition", home = "compose.chain", names = { "ClassifierChain", "RegressorChain" } },
   { title = "composition", home = "calibrate.classifier", names = { "CalibratedClassifier" } },
   { title = "composition", home = "calibrate.threshold", names = { "FixedThresholdClassifier",
      "TunedThresholdClassifier" } },
   { title = "composition", home = "calibrate.regressor", names = { "ConformalRegressor" } },
   { title = "composition", home = "calibrate.sets", names = { "ConformalClassifier" } },
   { title = "composition", home = "compose.polynomial", names = { "PolynomialRegression" } },
   { title = "composition", home = "nonlinear.regression", names = { "NonlinearRegression" } },
   { title = "tagging", home = "tagging.tokens",
      names = { "token_features", "join_sequences", "split_sequences", "show_tags" } },
   { title = "sequence", home = "sequence.nonlinear_filter", names = { "NonlinearKalmanFilter" } },
   { title = "sequence", home = "sequence.particle_filter", names = { "ParticleFilter" } },
   { title = "composition", home = "ensemble.ransac", names = { "RANSACRegressor" } },
   { title = "composition", home = "selection.rfe", names = { "RFE" } },
   { title = "composition", home = "selection.rfecv", names = { "RFECV" } },
   { title = "composition", home = "selection.from_model", names = { "SelectFromModel" } },
   { title = "composition", home = "selection.sequential", names = { "SequentialFeatureSelector" } },
   { title = "composition", home = "selection.stability", names = { "StabilitySelection" } },
   { title = "composition", home = "selection.boruta", names = { "Boruta" } },
   { title = "composition", home = "formula.model", names = { "FormulaModel" } },
   { title = "composition", home = "estimator", help = "help.estimator", names = { "Estimator" } },
   { title = "splitters", home = "select.folds", names = { "KFold", "StratifiedKFold", "GroupKFold", "LeaveOneOut",
      "LeavePOut", "RepeatedKFold", "RepeatedStratifiedKFold", "ShuffleSplit", "StratifiedShuffleSplit",
      "GroupShuffleSplit", "train_test_split" } },
   { title = "splitters", home = "select.group_folds", names = { "LeaveOneGroupOut", "LeavePGroupsOut",
      "StratifiedGroupKFold", "RepeatedGroupKFold", "RepeatedStratifiedGroupKFold", "PredefinedSplit" } },
   { title = "splitters", home = "select.time_folds", names = { "TimeSeriesSplit", "PurgedKFold",
      "CombinatorialPurgedKFold" } },
   { title = "validation and search", home = "select.validate", names = { "cross_validate",
      "cross_val_predict" } },
   { title = "validation and search", home = "select.curves", names = { "learning_curve", "validation_curve" } },
   { title = "validation and search", home = "select.nested", names = { "nested_cross_validate" } },
   { title = "validation and search", home = "select.bootstrap", names = { "bootstrap_632" } },
   { title = "validation and search", home = "select.permutation_test", names = { "permutation_test_score" } },
   { title = "validation and search", home = "select.search", names = { "GridSearch", "RandomSearch",
      "BayesSearch", "HalvingGridSearch", "HalvingRandomSearch", "HyperbandSearch" } },
   { title = "validation and search", home = "optimize.minimize", names = { "minimize" } },
   { title = "validation and search", home = "select.compare", names = { "compare" } },
   { title = "validation and search", home = "select.importance", names = { "permutation_importance" } },
   { title = "validation and search", home = "select.drop_column", names = { "drop_column_importance" } },
   { title = "validation and search", home = "explain.dependence", names = { "partial_dependence" } },
   { title = "validation and search", home = "explain.surrogate", names = { "surrogate" } },
   { title = "validation and search", home = "explain.counterfactuals", names = { "counterfactuals" } },
   { title = "validation and search", home = "explain.shap", names = { "shap" } },
   { title = "validation and search", home = "explain.accumulated_effects", names = { "accumulated_effects" } },
   { title = "validation and search", home = "explain.friedman_h", names = { "friedman_h" } },
   { title = "graphical models", home = "graphical", names = { "FactorGraph", "MarkovRandomField" } },
   { title = "graphical models", home = "constraint", names = { "solve_sat", "color_graph" } },
   { title = "graphical models", home = "coding", names = { "LDPCCode", "ldpc_threshold" } },
   { title = "graphical models", home = "sensing", names = { "amp", "amp_state_evolution" } },
   { title = "validation and search", home = "report", names = { "report" } },
   { title = "validation and search", home = "cluster.choose_k", names = { "choose_k" } },
   { title = "validation and search", home = "select.components", names = { "choose_components" } },
   { title = "validation and search", home = "cluster.select_mixture", names = { "select_mixture" } },
   { title = "validation and search", home = "sequence.select_hmm", names = { "select_hmm" } },
   { title = "composition", home = "cluster.consensus", names = { "consensus" } },
   { title = "validation and search", home = "select.anova", names = { "anova" } },
   { title = "composition", home = "impute.chained", names = { "ChainedImputer" } },
   { title = "missing values", home = "impute.multiple", names = { "multiple_imputation", "pool" } },
   { title = "help", home = "help", names = { "help", "about" } },
   { title = "help", home = "help.find", names = { "find" } },
   { title = "help", home = "check", help = "help.estimator", names = { "check" } },
   { title = "settings", help = "help.values", names = { "unset", "threads" } },
   { title = "settings", home = "progress", names = { "progress" } },
   { title = "settings", home = "warnings", names = { "warnings" } },
}

--- Modules of functions, each with a table `help`: name -> what it holds.
M.modules = {
   dist = "probability distributions: densities, quantiles, samples, fits and priors",
   kernel = "kernels as values: their sums, products and powers, matrices and gradients",
   memory = "memory used by matrices, frames and models, and its limit",
   metrics = "metrics for predictions, probabilities, clusterings and rankings",
   plot = "figures of data, models and scores",
   special = "special functions, sigmoid functions and statistical distributions",
   test = "hypothesis tests of samples, tables and correlations",
}

--- The Lua module that defines a name, for names that are loaded on first use.
M.homes = {}
for _, group in ipairs(M.groups) do
   for _, name in ipairs(group.home and group.names or {}) do M.homes[name] = "manilius." .. group.home end
end
for name in pairs(M.modules) do M.homes[name] = "manilius." .. name end

return M
