/* Decision tree for regression.
 *
 *     y(x) = mean (absolute_error: median) of the training rows in the leaf of x */
#include "decision_tree.h"
#include "export.h"

static const mn_param params[] = { MN_DECISION_TREE_PARAMS(mn_real_criteria), MN_END };
static const mn_field fields[] = { MN_DECISION_TREE_FIELDS, MN_END };

const mn_class mn_decision_tree_regressor = {
  .name = "DecisionTreeRegressor",
  .family = "tree",
  .brief = "Decision tree (CART) for regression.",
  .objective = "a split minimizes the sum of weight * impurity over both children; squared_error: variance, "
               "absolute_error: mean |y - median|, poisson: mean of y log(y / mean); friedman_mse: maximizes "
               "w_l w_r / (w_l + w_r) (mean_l - mean_r)^2, which is equivalent to squared_error",
  .source = "Breiman, Friedman, Olshen & Stone, Classification and Regression Trees (1984)",
  .notes = "Rows go left if x <= threshold, the midpoint of two adjacent values. Missing values are tried on both "
           "sides of each split; if a node had none, they go with the heavier side. The levels of a factor are split "
           "in the order of their mean of y. A row of weight w counts as max(1, w) rows in min_samples_split and "
           "min_samples_leaf. Several targets share one tree, which minimizes their mean impurity. Ties are broken "
           "by the lowest column.",
  .example = "local tree = ml.DecisionTreeRegressor{ max_depth = 1 }:fit({ {1}, {2}, {8}, {9} }, { 1, 2, 7, 8 })\n"
             "print(tree:predict{ {0}, {5.1} })",
  .capabilities = MN_REGRESS | MN_RANDOM | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_WEIGHTS_RATIO | MN_SPARSE | MN_MISSING | MN_FACTORS | MN_MULTITARGET,
  .size = sizeof(mn_tree_model),
  .params = params,
  .fields = fields,
  .operations = mn_decision_tree_operations,
  .fit = mn_decision_tree_fit,
  .predict = mn_tree_predict,
  .export = mn_tree_export,
  .check = mn_decision_tree_check,
  .derive = mn_decision_tree_derive,
};
