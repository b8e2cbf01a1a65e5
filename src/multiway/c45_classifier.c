/* C4.5: gain ratio, thresholds for numbers, fractional cases for missing values, pessimistic pruning. The criteria are
 * defined in multiway_split.c and multiway_prune.c. */
#include "multiway_grow.h"

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  mn_multiway *m = self;
  const mn_multiway_settings settings = { .by_gain_ratio = true,
                                          .min_cases = m->min_num_obj,
                                          .max_depth = m->max_depth == MN_UNSET ? SIZE_MAX : (size_t)m->max_depth,
                                          .keep_cases = m->subtree_raising && !m->unpruned };
  return mn_multiway_fit(ctx, m, data, &settings);
}

static const mn_param params[] = {
  MN_PENALTY(mn_multiway, confidence_factor, 0.25, MN_LEFT_OPEN(0, 0.5),
             "confidence level of the estimated errors of a leaf; smaller values prune more"),
  MN_REAL(mn_multiway, min_num_obj, 2, MN_GREATER_THAN(0),
          "minimum weight of samples in at least two branches of a split"),
  MN_COUNT(mn_multiway, max_depth, MN_UNSET, MN_CLOSED(0, INT32_MAX), "maximum depth; nil: unlimited"),
  MN_FLAG(mn_multiway, unpruned, false, "do not prune the tree"),
  MN_FLAG(mn_multiway, subtree_raising, true, "pruning may replace a node by its largest branch"),
  MN_FLAG(mn_multiway, use_laplace, false, "smooth leaf probabilities by adding one sample of each class (Laplace)"),
  MN_END,
};
static const mn_field fields[] = { MN_MULTIWAY_FIELDS, MN_END };

const mn_class mn_c45_classifier = {
  .name = "C45Classifier",
  .family = "tree",
  .brief = "Decision tree by C4.5 (J48): gain ratio, one branch per level, pruning.",
  .objective =
      "maximize gain / split information among splits whose gain is at least the mean; prune subtrees whose upper confidence limit of errors is not below that of a leaf",
  .source = "Quinlan, C4.5: Programs for Machine Learning (1993)",
  .notes =
      "Parameters follow J48 (Weka). "
      "A number is split at a value of X, x <= threshold; log2(thresholds) / samples is subtracted from its gain, and each side needs at least min_num_obj samples, or up to 25 if classes are large. "
      "A sample whose value is missing, or a level unknown to fit, goes to all branches with fractional weights; a level absent from a node is predicted by that node. "
      "Ties are broken by the lowest feature index.",
  .example = "local X, y = ml.read_csv \"examples/data/iris.csv\":split \"species\"\n"
             "local tree = ml.C45Classifier{}:fit(X, y)\n"
             "print(tree:text())\n"
             "print(tree:rules())",
  .capabilities = MN_CLASSIFY | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_SPARSE | MN_MISSING | MN_FACTORS | MN_CLASS_WEIGHT,
  .params = params,
  .fields = fields,
  MN_MULTIWAY_CLASS,
  .fit = fit,
};
