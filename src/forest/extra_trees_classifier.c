/* Extremely randomized trees, for classification. */
#include "../tree/export.h"
#include "forest.h"

static const mn_param params[] = {
  MN_FOREST_PARAMS(mn_class_criteria, false, "the square root of their number"),
  MN_END,
};

static const mn_field fields[] = {
  MN_FOREST_FIELDS,
  MN_END,
};

const mn_class mn_extra_trees_classifier = {
  .name = "ExtraTreesClassifier",
  .family = "tree",
  .brief = "Forest of extremely randomized classification trees, with random thresholds.",
  .objective = "p(c | x) = mean over the trees of the fraction of class c in the leaf of x",
  .source = "Geurts, Ernst & Wehenkel, Machine Learning 63 (2006)",
  .notes =
      "At each node max_features features are drawn, and for each one a random threshold between its minimum and maximum; the best of these splits is used. "
      "Levels of a factor go left or right at random. "
      "feature_importances are the mean decrease of impurity, which favors features with many values; permutation_importances (oob_importance = true, bootstrap = true) do not. "
      "Predicted probabilities are averaged, not voted. "
      "Results do not depend on the number of threads.",
  .example = "local iris = ml.read_csv \"examples/data/iris.csv\"\n"
             "local X, y = iris:split \"species\"\n"
             "local forest = ml.ExtraTreesClassifier{ n_estimators = 50 }:fit(X, y)\n"
             "print(forest:score(X, y), forest.feature_importances)",
  .capabilities = MN_CLASSIFY | MN_RANDOM | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_WEIGHTS_RATIO | MN_SPARSE | MN_MISSING | MN_FACTORS | MN_CLASS_WEIGHT,
  .params = params,
  .fields = fields,
  MN_FOREST_CLASSIFIER,
  .fit = mn_extra_trees_fit,
};
