/* ID3: a branch for each level of the column that tells most of the class.
 *
 *     gain(S, A) = H(S) - sum_v |S_v| / |S| H(S_v),     H(S) = - sum_c p_c log2 p_c */
#include "multiway_grow.h"

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  mn_multiway *m = self;
  const mn_way way = { .max_depth = m->max_depth == MN_UNSET ? SIZE_MAX : (size_t)m->max_depth };
  return mn_multiway_fit(ctx, m, data, &way);
}

static const mn_param params[] = {
  MN_COUNT(mn_multiway, max_depth, MN_UNSET, MN_CLOSED(0, INT32_MAX),
           "most questions from the root to a leaf; nil: until the leaves are pure"),
  MN_END,
};
static const mn_field fields[] = { MN_MULTIWAY_FIELDS, MN_END };

const mn_class mn_id3_classifier = {
  .name = "ID3Classifier",
  .family = "tree",
  .brief = "A branch for each level of the column that tells most of the class, down to leaves of one class.",
  .objective = "the question of a node gains most: H(S) - sum_v |S_v| / |S| H(S_v), H = - sum_c p_c log2 p_c",
  .source = "Quinlan, Induction of Decision Trees, Machine Learning 1 (1986)",
  .notes =
      "A column of numbers is cut in two, x <= cut, halfway between two values (Mitchell, Machine Learning (1997), "
      "section 3.7.2). Among equal gains the first column wins, and a gain of 0 is taken, too, as ID3 goes on "
      "until rows are of one class or alike. A level that no row of a node had is answered by that node; a level "
      "that fit did not see goes into all branches, by their shares. Nothing is pruned: C45Classifier does, and "
      "takes missing values. A large factor is favoured: its gain is high even where it says nothing.",
  .example = "local X, y = ml.read_csv \"examples/data/playtennis.csv\":split \"play\"\n"
             "local tree = ml.ID3Classifier{}:fit(X, y)\n"
             "print(tree:text())\n"
             "print(tree:gains(X, y), tree:rules())",
  .missing_alternatives = "C45Classifier and DecisionTreeClassifier",
  .capabilities = MN_CLASSIFY | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_SPARSE | MN_FACTORS | MN_CLASS_WEIGHT,
  .size = sizeof(mn_multiway),
  .params = params,
  .fields = fields,
  .operations = mn_multiway_operations,
  .fit = fit,
  .log_proba = mn_multiway_log_proba,
  .export = mn_multiway_export,
  .check = mn_multiway_check,
};
