/* Decision tree for classification.
 *
 *     p(c | x) = share of class c among the training rows in the leaf of x */
#include "decision_tree.h"
#include "export.h"

static const mn_param params[] = { MN_DECISION_TREE_PARAMS(mn_class_criteria), MN_END };
static const mn_field fields[] = { MN_DECISION_TREE_FIELDS, MN_END };

const mn_class mn_decision_tree_classifier = {
  .name = "DecisionTreeClassifier",
  .family = "tree",
  .brief = "Decision tree (CART) for classification.",
  .objective = "a split minimizes the sum of weight * impurity over both children; gini = 1 - sum_c p_c^2, entropy = "
               "log_loss = - sum_c p_c log2 p_c",
  .source = "Breiman, Friedman, Olshen & Stone, Classification and Regression Trees (1984)",
  .notes = "Rows go left if x <= threshold, the midpoint of two adjacent values. Missing values are tried on both "
           "sides of each split; if a node had none, they go with the heavier side. A factor is split into two sets "
           "of levels: the best partition for two classes, otherwise the best in the order of class shares. A row of "
           "weight w counts as max(1, w) rows in min_samples_split and min_samples_leaf. Ties are broken by the "
           "lowest column.",
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
  .derive = mn_decision_tree_derive,
};
