/* Classification trees of adaptive forests. */
#include "hoeffding_tree.h"

/* Workspace of a thread: naive Bayes, and class probabilities. */
struct workspace {
  mn_naive_bayes bayes;
  double *p; /* classes */
};

mn_hoeffding_tree mn_hoeffding_tree_view(const mn_adaptive_forest *m, size_t store)
{
  const size_t first = store * mn_slots_per_store(m), n_observed = mn_observed_per_leaf(m);
  const mn_matrix *counts = &m->table[MN_COUNTS_TABLE], *moments = &m->table[MN_MOMENTS_TABLE];
  return (mn_hoeffding_tree){
    .used = m->used.at + store,
    .child = m->child.at + 2 * first,
    .feature = m->feature.at + first,
    .observed = m->observed.at + first * n_observed,
    .threshold = m->threshold.at + first,
    .last_weight = m->last_weight.at + first,
    .counts = mn_row(counts, first),
    .correct = mn_row(&m->table[MN_CORRECT_TABLE], first),
    .moments = mn_row(moments, first),
    .classes = counts->cols,
    .features = m->base.n_features,
    .n_observed = n_observed,
    .grace = (double)m->grace_period,
    .delta = m->delta,
    .tau = m->tau,
    .adaptive = m->leaf_prediction == MN_LEAF_ADAPTIVE,
  };
}

double mn_vote_weight(const mn_adaptive_forest *m, size_t tree)
{
  const double *e = mn_row(&m->errors, tree);
  return (e[MN_CLASSIFICATION_CORRECT] + 1) / (e[MN_CLASSIFICATION_ROWS] + 2);
}

static void cols(const mn_adaptive_forest *m, size_t n_observed, size_t *cols)
{
  const size_t classes = mn_levels_size(m->base.classes);
  cols[MN_COUNTS_TABLE] = classes;
  cols[MN_CORRECT_TABLE] = 2;
  cols[MN_MOMENTS_TABLE] = mn_moments_per_leaf(n_observed, classes);
}

static mn_status make_workspace(mn_context *ctx, const mn_adaptive_forest *m, void **out)
{
  struct workspace *workspace = MN_NEW(ctx, struct workspace, 1, 1);
  MN_CHECK_ALLOC(workspace);
  *out = workspace;
  return mn_naive_bayes_make(ctx, mn_observed_per_leaf(m), mn_levels_size(m->base.classes), &workspace->bayes,
                             &workspace->p);
}

static void init(const mn_adaptive_forest *m, size_t store, mn_rng *rng)
{
  const mn_hoeffding_tree t = mn_hoeffding_tree_view(m, store);
  mn_hoeffding_init(&t, rng);
}

static bool evaluate(const mn_adaptive_forest *m, size_t tree, const mn_data *data, size_t i, void *work, double *error)
{
  struct workspace *workspace = work;
  const mn_hoeffding_tree t = mn_hoeffding_tree_view(m, mn_foreground_store(m, tree));
  double *e = mn_row(&m->errors, tree);
  size_t prediction = 0;
  mn_hoeffding_predict(&t, mn_row(&data->x, i), &workspace->bayes, workspace->p);
  for (size_t k = 1; k < t.classes; k++)
    if (workspace->p[k] > workspace->p[prediction]) prediction = k;
  const bool correct = prediction == (size_t)data->code[i];
  e[MN_CLASSIFICATION_ROWS]++;
  e[MN_CLASSIFICATION_CORRECT] += correct;
  *error = !correct;
  return true;
}

static void learn(const mn_adaptive_forest *m, size_t store, mn_rng *rng, const mn_data *data, size_t i, double weight,
                  void *work)
{
  struct workspace *workspace = work;
  const mn_hoeffding_tree t = mn_hoeffding_tree_view(m, store);
  mn_hoeffding_learn(&t, rng, mn_row(&data->x, i), (size_t)data->code[i], weight, &workspace->bayes, workspace->p);
}

static bool all_nonnegative(const mn_matrix *table)
{
  for (size_t k = 0; k < table->rows * table->cols; k++)
    if (!(table->at[k] >= 0 && table->at[k] < INFINITY)) return false;
  return true;
}

/* Weights and squares must be >= 0. */
static bool is_valid(const mn_adaptive_forest *m)
{
  const mn_matrix *moments = &m->table[MN_MOMENTS_TABLE];
  const size_t per_feature = 2 + 3 * m->table[MN_COUNTS_TABLE].cols;
  for (size_t k = 0; k < moments->rows * moments->cols; k++) {
    const size_t position = k % per_feature;
    if (!isfinite(moments->at[k])) return false;
    if (position >= 2 && (position - 2) % 3 != 1 && moments->at[k] < 0) return false;
  }
  return all_nonnegative(&m->table[MN_COUNTS_TABLE]) && all_nonnegative(&m->table[MN_CORRECT_TABLE]) &&
         all_nonnegative(&m->errors);
}

const mn_adaptive_tree_type mn_classification_trees = {
  .errors = MN_CLASSIFICATION_ERRORS,
  .cols = cols,
  .workspace = make_workspace,
  .init = init,
  .evaluate = evaluate,
  .learn = learn,
  .is_valid = is_valid,
};
