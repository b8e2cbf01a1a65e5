/* Random forest regressor. */
#include "../tree/export.h"
#include "forest.h"

static const mn_param params[] = {
  MN_FOREST_PARAMS(mn_real_criteria, true, "all"),
  MN_FLAG(mn_forest, quantiles, false, "store the training targets for predict_quantiles"),
  MN_END,
};

const mn_class mn_random_forest_regressor = {
  .name = "RandomForestRegressor",
  .family = "tree",
  .brief = "Random forest regressor: trees on bootstrap samples and random features.",
  .objective = "y(x) = mean over the trees of the value of the leaf of x",
  .source = "Breiman, Machine Learning 45 (2001)",
  .notes =
      "Missing values and factors are split as in DecisionTreeRegressor. "
      "feature_importances are the mean decrease of variance, which favors features with many values; permutation_importances (oob_importance = true) do not: they are the increase of the out-of-bag error if a feature is permuted, as in ranger (unscaled). "
      "Quantiles weight the training samples by how often they share a leaf with x (Meinshausen, JMLR 7, 2006). "
      "Results do not depend on the number of threads.",
  .example =
      "local X = ml.normal(200, 3, 1)\n"
      "local y = 4 * X:col(1) + X:col(2)\n"
      "local forest = ml.RandomForestRegressor{ n_estimators = 50, quantiles = true }:fit(X, y)\n"
      "print(forest:predict(X:slice(1, 3)), forest:predict_quantiles(X:slice(1, 3), { levels = { 0.05, 0.95 } }))",
  .capabilities = MN_REGRESS | MN_RANDOM | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_WEIGHTS_RATIO | MN_SPARSE | MN_MISSING | MN_FACTORS | MN_MULTITARGET,
  .params = params,
  MN_FOREST_REGRESSOR,
  .fit = mn_random_forest_fit,
};
