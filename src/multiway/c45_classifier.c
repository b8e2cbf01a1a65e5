/* C4.5: gain ratio, cuts of numbers, missing values in parts, pessimistic pruning. What is computed is told where it
 * is: multiway_judge.c and multiway_prune.c. */
#include "multiway_grow.h"

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  mn_multiway *m = self;
  const mn_way way = { .by_ratio = true,
                       .min_cases = m->min_num_obj,
                       .max_depth = m->max_depth == MN_UNSET ? SIZE_MAX : (size_t)m->max_depth,
                       .keep = m->subtree_raising && !m->unpruned };
  return mn_multiway_fit(ctx, m, data, &way);
}

static const mn_param params[] = {
  MN_PENALTY(mn_multiway, confidence_factor, 0.25, MN_LEFT_OPEN(0, 0.5),
             "confidence level of the errors to be expected of a leaf: the smaller, the more is pruned"),
  MN_REAL(mn_multiway, min_num_obj, 2, MN_GREATER_THAN(0),
          "rows, as weight, that at least two branches of a split need"),
  MN_COUNT(mn_multiway, max_depth, MN_UNSET, MN_CLOSED(0, INT32_MAX),
           "most questions from the root to a leaf; nil: no limit"),
  MN_FLAG(mn_multiway, unpruned, false, "leave the tree as it has grown"),
  MN_FLAG(mn_multiway, subtree_raising, true, "pruning may put the largest branch in the place of its parent"),
  MN_FLAG(mn_multiway, use_laplace, false, "add one row of each class to every leaf for the probabilities"),
  MN_END,
};
static const mn_field fields[] = { MN_MULTIWAY_FIELDS, MN_END };

const mn_class mn_c45_classifier = {
  .name = "C45Classifier",
  .family = "tree",
  .brief =
      "C4.5 (J48): questions by gain ratio, a branch for each level, missing values in parts, pessimistic pruning.",
  .objective = "among gains of at least their mean, the question with the largest gain / split information; then a "
               "subtree stays while the upper limit of its errors is lower than that of a leaf",
  .source = "Quinlan, C4.5: Programs for Machine Learning (1993)",
  .notes =
      "Parameters are those of J48 (Weka). A column of numbers is cut in two, x <= cut, cut being a value of X; "
      "log2(cuts) / rows is taken off its gain, and each side needs a tenth of the mean size of a class, but at least "
      "min_num_obj rows and not more than 25. A row whose value is missing, or a level that fit did not see, goes into "
      "all branches in parts by their shares; a level that no row of a node had is answered by that node. Among equal "
      "ratios the first column wins. Values that differ by less than 1e-5 are different (J48: the same).",
  .example = "local X, y = ml.read_csv \"examples/data/iris.csv\":split \"species\"\n"
             "local tree = ml.C45Classifier{}:fit(X, y)\n"
             "print(tree:text())\n"
             "print(tree:rules())",
  .capabilities = MN_CLASSIFY | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_SPARSE | MN_MISSING | MN_FACTORS | MN_CLASS_WEIGHT,
  .size = sizeof(mn_multiway),
  .params = params,
  .fields = fields,
  .operations = mn_multiway_operations,
  .fit = fit,
  .log_proba = mn_multiway_log_proba,
  .export = mn_multiway_export,
  .check = mn_multiway_check,
};
