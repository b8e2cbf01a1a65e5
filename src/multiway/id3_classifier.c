/* ID3: split by the feature with the largest information gain, with one branch per level,
 *
 *     gain(S, A) = H(S) - sum_v |S_v| / |S| H(S_v),     H(S) = - sum_c p_c log2 p_c */
#include "multiway_grow.h"

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  mn_multiway *m = self;
  const mn_multiway_settings settings = { .max_depth = m->max_depth == MN_UNSET ? SIZE_MAX : (size_t)m->max_depth };
  return mn_multiway_fit(ctx, m, data, &settings);
}

static const mn_param params[] = {
  MN_COUNT(mn_multiway, max_depth, MN_UNSET, MN_CLOSED(0, INT32_MAX), "maximum depth; nil: until the leaves are pure"),
  MN_END,
};
static const mn_field fields[] = { MN_MULTIWAY_FIELDS, MN_END };

const mn_class mn_id3_classifier = {
  .name = "ID3Classifier",
  .family = "tree",
  .brief = "Decision tree by ID3: information gain, one branch per level, no pruning.",
  .objective = "maximize the information gain H(S) - sum_v |S_v| / |S| H(S_v), H = - sum_c p_c log2 p_c",
  .source = "Quinlan, Induction of Decision Trees, Machine Learning 1 (1986)",
  .notes =
      "A number is split at a threshold halfway between two values (Mitchell, Machine Learning (1997), section 3.7.2). "
      "Ties are broken by the lowest feature index; splits with gain 0 are allowed, until the samples of a node have one class or equal values. "
      "A level absent from a node is predicted by that node; a level unknown to fit goes to all branches, weighted by their shares. "
      "Factors with many levels are favored. "
      "For pruning and missing values use C45Classifier.",
  .example = "local X, y = ml.read_csv \"examples/data/playtennis.csv\":split \"play\"\n"
             "local tree = ml.ID3Classifier{}:fit(X, y)\n"
             "print(tree:text())\n"
             "print(tree:gains(X, y), tree:rules())",
  .missing_alternatives = "C45Classifier and DecisionTreeClassifier",
  .capabilities = MN_CLASSIFY | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_SPARSE | MN_FACTORS | MN_CLASS_WEIGHT,
  .params = params,
  .fields = fields,
  MN_MULTIWAY_CLASS,
  .fit = fit,
};
