/* Random forest classifier. */
#include "../tree/export.h"
#include "forest.h"

static const mn_param params[] = {
  MN_FOREST_PARAMS(mn_class_criteria, true, "the square root of their number"),
  MN_END,
};

static const mn_field fields[] = {
  MN_FOREST_FIELDS,
  MN_END,
};

const mn_class mn_random_forest_classifier = {
  .name = "RandomForestClassifier",
  .family = "tree",
  .brief = "Random forest classifier: trees on bootstrap samples and random features.",
  .objective = "p(c | x) = mean over the trees of the fraction of class c in the leaf of x",
  .source = "Breiman, Machine Learning 45 (2001)",
  .notes =
      "Missing values and factors are split as in DecisionTreeClassifier. "
      "feature_importances are the mean decrease of impurity, which favors features with many values; permutation_importances (oob_importance = true) do not: they are the increase of the out-of-bag error if a feature is permuted, as in ranger (unscaled). "
      "Predicted probabilities are averaged, not voted. "
      "Results do not depend on the number of threads.",
  .example = "local iris = ml.read_csv \"examples/data/iris.csv\"\n"
             "local X, y = iris:split \"species\"\n"
             "local forest = ml.RandomForestClassifier{ n_estimators = 50, oob = true }:fit(X, y)\n"
             "print(forest.oob_score, forest.feature_importances)",
  .capabilities = MN_CLASSIFY | MN_RANDOM | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_WEIGHTS_RATIO | MN_SPARSE | MN_MISSING | MN_FACTORS | MN_CLASS_WEIGHT,
  .params = params,
  .fields = fields,
  MN_FOREST_CLASSIFIER,
  .fit = mn_random_forest_fit,
};
