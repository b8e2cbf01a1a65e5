/* Extremely randomized trees, for regression. */
#include "../tree/export.h"
#include "forest.h"

static const mn_param params[] = {
  MN_FOREST_PARAMS(mn_real_criteria, false, "all"),
  MN_FLAG(mn_forest, quantiles, false, "store the training targets for predict_quantiles"),
  MN_END,
};

const mn_class mn_extra_trees_regressor = {
  .name = "ExtraTreesRegressor",
  .family = "tree",
  .brief = "Forest of extremely randomized regression trees, with random thresholds.",
  .objective = "y(x) = mean over the trees of the value of the leaf of x",
  .source = "Geurts, Ernst & Wehenkel, Machine Learning 63 (2006)",
  .notes =
      "At each node max_features features are drawn, and for each one a random threshold; the best of these splits is used. "
      "Levels of a factor go left or right at random. "
      "feature_importances are the mean decrease of variance, which favors features with many values; permutation_importances (oob_importance = true, bootstrap = true) do not. "
      "Quantiles weight the training samples by how often they share a leaf with x (Meinshausen, JMLR 7, 2006). "
      "Results do not depend on the number of threads.",
  .example =
      "local X = ml.normal(200, 3, 1)\n"
      "local y = 4 * X:col(1) + X:col(2)\n"
      "local forest = ml.ExtraTreesRegressor{ n_estimators = 50, quantiles = true }:fit(X, y)\n"
      "print(forest:predict(X:slice(1, 3)), forest:predict_quantiles(X:slice(1, 3), { levels = { 0.05, 0.95 } }))",
  .capabilities = MN_REGRESS | MN_RANDOM | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_WEIGHTS_RATIO | MN_SPARSE | MN_MISSING | MN_FACTORS | MN_MULTITARGET,
  .params = params,
  MN_FOREST_REGRESSOR,
  .fit = mn_extra_trees_fit,
};
