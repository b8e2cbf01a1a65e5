/* Regression trees of adaptive forests. */
#include "regression_tree.h"

mn_regression_tree mn_regression_tree_view(const mn_adaptive_forest *m, size_t store)
{
  const size_t first = store * mn_slots_per_store(m), n_observed = mn_observed_per_leaf(m);
  return (mn_regression_tree){
    .used = m->used.at + store,
    .child = m->child.at + 2 * first,
    .feature = m->feature.at + first,
    .observed = m->observed.at + first * n_observed,
    .threshold = m->threshold.at + first,
    .last_weight = m->last_weight.at + first,
    .stats = mn_row(&m->table[MN_STATS_TABLE], first),
    .slope = (mn_leaf_slope *)mn_row(&m->table[MN_SLOPES_TABLE], first),
    .histogram = (mn_streaming_histogram *)mn_row(&m->table[MN_BINS_TABLE], first),
    .features = m->base.n_features,
    .n_observed = n_observed,
    .grace = (double)m->grace_period,
    .delta = m->delta,
    .tau = m->tau,
    .adaptive = m->leaf_prediction == MN_LEAF_ADAPTIVE,
  };
}

double mn_regression_default(const mn_adaptive_forest *m)
{
  double sum = 0, trees = 0;
  for (size_t i = 0; i < m->foreground.size; i++) {
    const double *e = mn_row(&m->errors, i);
    if (!(e[MN_REGRESSION_ROWS] > 0)) continue;
    sum += e[MN_REGRESSION_MEAN];
    trees++;
  }
  return trees > 0 ? sum / trees : 0;
}

/* The structs of these tables consist of doubles only. */
static void cols(const mn_adaptive_forest *m, size_t n_observed, size_t *cols)
{
  (void)m;
  cols[MN_STATS_TABLE] = MN_NODE_STATS;
  cols[MN_SLOPES_TABLE] = n_observed * (sizeof(mn_leaf_slope) / sizeof(double));
  cols[MN_BINS_TABLE] = n_observed * (sizeof(mn_streaming_histogram) / sizeof(double));
}

static mn_status make_workspace(mn_context *ctx, const mn_adaptive_forest *m, void **out)
{
  (void)ctx;
  (void)m;
  *out = NULL; /* not needed */
  return MN_OK;
}

static void init(const mn_adaptive_forest *m, size_t store, mn_rng *rng)
{
  const mn_regression_tree t = mn_regression_tree_view(m, store);
  mn_regression_tree_init(&t, rng);
}

/* Half the absolute error, divided by the mean absolute deviation of y, at most 1: bounded, as the detector requires,
 * and stationary if the stream is. */
static bool evaluate(const mn_adaptive_forest *m, size_t tree, const mn_data *data, size_t i, void *workspace,
                     double *error)
{
  (void)workspace;
  const mn_regression_tree t = mn_regression_tree_view(m, mn_foreground_store(m, tree));
  double *e = mn_row(&m->errors, tree), value;
  const double y = data->y.at[i], deviation = y - e[MN_REGRESSION_MEAN];
  const bool has_prediction = mn_regression_tree_predict(&t, mn_row(&data->x, i), &value);
  e[MN_REGRESSION_ROWS]++;
  e[MN_REGRESSION_MEAN] += deviation / e[MN_REGRESSION_ROWS];
  e[MN_REGRESSION_DEVIATION] += fabs(y - e[MN_REGRESSION_MEAN]);
  if (!has_prediction || !(e[MN_REGRESSION_DEVIATION] > 0)) return false;
  e[MN_REGRESSION_SQUARES] += (y - value) * (y - value);
  *error = fmin(1, fabs(y - value) / (2 * e[MN_REGRESSION_DEVIATION] / e[MN_REGRESSION_ROWS]));
  return true;
}

static void learn(const mn_adaptive_forest *m, size_t store, mn_rng *rng, const mn_data *data, size_t i, double weight,
                  void *workspace)
{
  (void)workspace;
  const mn_regression_tree t = mn_regression_tree_view(m, store);
  mn_regression_tree_learn(&t, rng, mn_row(&data->x, i), data->y.at[i], weight);
}

static bool all_finite(const mn_matrix *table)
{
  for (size_t k = 0; k < table->rows * table->cols; k++)
    if (!isfinite(table->at[k])) return false;
  return true;
}

static bool stats_are_valid(const double *s)
{
  static const size_t nonnegative[] = { MN_NODE_WEIGHT,  MN_NODE_ROWS,       MN_NODE_OWN_WEIGHT,
                                        MN_NODE_SQUARES, MN_NODE_MEAN_ERROR, MN_NODE_LINEAR_ERROR };
  for (size_t k = 0; k < sizeof nonnegative / sizeof *nonnegative; k++)
    if (s[nonnegative[k]] < 0) return false;
  return s[MN_NODE_MIN] <= s[MN_NODE_MAX];
}

static bool feature_is_valid(const mn_leaf_slope *s, const mn_streaming_histogram *h)
{
  if (!(s->squares >= 0 && h->used >= 0 && h->used <= MN_HISTOGRAM_BINS) || h->used > floor(h->used)) return false;
  for (size_t b = 0; b < (size_t)h->used; b++)
    if (!(h->bin[b].weight > 0)) return false;
  return true;
}

static bool is_valid(const mn_adaptive_forest *m)
{
  const size_t n_features = m->threshold.size * mn_observed_per_leaf(m);
  bool valid = all_finite(&m->errors);
  for (size_t i = 0; i < MN_ADAPTIVE_TABLES; i++) valid = valid && all_finite(&m->table[i]);
  for (size_t i = 0; valid && i < m->errors.rows * m->errors.cols; i++)
    valid = m->errors.at[i] >= 0 || i % m->errors.cols == MN_REGRESSION_MEAN;
  for (size_t i = 0; valid && i < m->threshold.size; i++) valid = stats_are_valid(mn_row(&m->table[MN_STATS_TABLE], i));
  const mn_leaf_slope *slope = (const mn_leaf_slope *)m->table[MN_SLOPES_TABLE].at;
  const mn_streaming_histogram *histogram = (const mn_streaming_histogram *)m->table[MN_BINS_TABLE].at;
  for (size_t i = 0; valid && i < n_features; i++) valid = feature_is_valid(&slope[i], &histogram[i]);
  return valid;
}

const mn_adaptive_tree_type mn_regression_trees = {
  .errors = MN_REGRESSION_ERRORS,
  .cols = cols,
  .workspace = make_workspace,
  .init = init,
  .evaluate = evaluate,
  .learn = learn,
  .is_valid = is_valid,
};
