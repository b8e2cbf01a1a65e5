/* A decision tree for labels.
 *
 *     p(c | x) = share of class c among the rows of the leaf of x */
#include "decision_tree.h"
#include "export.h"

static const mn_param params[] = { MN_DECISION_TREE_PARAMS(mn_class_criteria), MN_END };
static const mn_field fields[] = { MN_TREE_FIELDS, MN_TREE_MISSING_FIELD, MN_END };

const mn_class mn_decision_tree_classifier = {
  .name = "DecisionTreeClassifier",
  .family = "tree",
  .brief = "Questions about one column at a time, down to a leaf that says the class.",
  .objective = "a split lowers sum over both sides of weight * impurity most; gini = 1 - sum_c p_c^2, entropy = "
               "log_loss = - sum_c p_c log2 p_c",
  .source = "Breiman, Friedman, Olshen & Stone, Classification and Regression Trees (1984)",
  .notes =
      "Rows go left where x <= threshold, halfway between two values. Missing values are tried on both sides of every "
      "cut; where a node saw none, they go with most rows. A factor is split into two sets of its levels: for two "
      "classes the best of all, for more the best along the share of each class. A row of weight w counts as "
      "max(1, w) rows in min_samples_split and min_samples_leaf. Among equal splits the first column wins "
      "(scikit-learn: one drawn at random).",
  .example = "local iris = ml.read_csv \"examples/data/iris.csv\"\n"
             "local X, y = iris:split \"species\"\n"
             "local tree = ml.DecisionTreeClassifier{ max_depth = 2 }:fit(X, y)\n"
             "print(tree:score(X, y), tree.feature_importances)",
  .capabilities = MN_CLASSIFY | MN_RANDOM | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_WEIGHTS_RATIO | MN_SPARSE | MN_MISSING | MN_FACTORS | MN_CLASS_WEIGHT,
  .size = sizeof(mn_tree_model),
  .params = params,
  .fields = fields,
  .operations = mn_decision_tree_operations,
  .fit = mn_decision_tree_fit,
  .log_proba = mn_tree_log_proba,
  .export = mn_tree_export,
  .check = mn_decision_tree_check,
};
