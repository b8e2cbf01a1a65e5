/* Random forests and extra trees: Breiman, Machine Learning 45 (2001); Geurts, Ernst & Wehenkel, Machine Learning 63
 * (2006).
 *
 * Trees grow in parallel, each worker with its own workspace. The random stream of a tree depends on its index only, so
 * a forest does not depend on the number of threads. */
#include "forest.h"
#include "../core/rng.h"
#include "../core/worker_pool.h"
#include "../stats/multivariate.h"

struct forest_task {
  mn_forest *m;
  const mn_data *data;
  const mn_tree_problem *problem;
  mn_grow_workspace **workspace; /* workers: allocated for their first tree */
  double **weight;               /* workers x rows: of the current tree */
  const double *cumulative;      /* rows: cumulative weights, for drawing */
  size_t draws;                  /* size of a bootstrap sample; 0: use all rows */
  mn_mark *mark;                 /* workers: scratch after the workspace, used by one tree */
  mn_tree_appender *appender;
  double *importance; /* trees x features */
  uint8_t *in_bag;    /* trees x rows, or NULL */
};

enum { DRAWS_PER_POLL = 1 << 14, MAX_SINGLE_DRAWS = 16 /* per row */ };

/* Draw each row's count given those before it, which makes the counts multinomial: much faster than single draws if
 * large weights ask for many draws per row. */
static mn_status draw_counts(mn_context *ctx, const struct forest_task *w, mn_rng *rng, double *count)
{
  const size_t n = w->data->rows;
  double left = (double)w->draws, below = 0;
  size_t last = 0;
  for (size_t i = 0; i < n; i++) {
    const double weight = w->cumulative[i] - below, rest = w->cumulative[n - 1] - below;
    if (i % DRAWS_PER_POLL == DRAWS_PER_POLL - 1) MN_TRY(mn_poll(ctx));
    if (!(weight > 0)) continue;
    count[i] = mn_binomial_draw(left, fmin(weight / rest, 1), rng);
    left -= count[i];
    below = w->cumulative[i];
    last = i;
  }
  count[last] += left; /* 0 but for rounding of the last probability */
  return MN_OK;
}

static mn_status draw_sample(mn_context *ctx, const struct forest_task *w, size_t tree, double *weight)
{
  const size_t n = w->data->rows;
  mn_rng rng = mn_stream(w->m->tree.seed, 2 * tree);
  memset(weight, 0, n * sizeof *weight);
  const bool by_counts = w->draws / MAX_SINGLE_DRAWS > n;
  if (by_counts) MN_TRY(draw_counts(ctx, w, &rng, weight));
  for (size_t d = 0; d < w->draws && !by_counts; d++) {
    if (d % DRAWS_PER_POLL == DRAWS_PER_POLL - 1) MN_TRY(mn_poll(ctx));
    weight[mn_random_cumulative(&rng, w->cumulative, n)]++;
  }
  for (size_t i = 0; w->in_bag && i < n; i++) w->in_bag[tree * n + i] = weight[i] > 0;
  return MN_OK;
}

/* Impurity decreases of a tree, normalized to sum 1. */
static void compute_importances(const struct forest_task *w, size_t t, const mn_grown_tree *tree)
{
  const size_t p = w->data->features;
  double *share = w->importance + t * p, sum = 0;
  mn_add_importances(tree, share);
  for (size_t j = 0; j < p; j++) sum += share[j];
  for (size_t j = 0; j < p && sum > 0; j++) share[j] /= sum;
}

static mn_status grow_tree(mn_context *ctx, void *work, size_t tree, size_t worker)
{
  struct forest_task *w = work;
  const mn_tree_problem *l = w->problem;
  const double *weight = w->data->weights;
  mn_grown_tree grown;
  if (!w->workspace[worker]) {
    if (w->draws > 0) w->weight[worker] = MN_RAW(ctx, double, w->data->rows, 1);
    if (w->draws > 0 && !w->weight[worker]) return MN_NO_MEMORY;
    MN_TRY(mn_grow_workspace_make(ctx, &l->settings, &w->workspace[worker]));
    w->mark[worker] = mn_scratch_mark(ctx);
  }
  if (w->draws > 0) {
    MN_TRY(draw_sample(ctx, w, tree, w->weight[worker]));
    weight = w->weight[worker];
  }
  mn_rng rng = mn_stream(w->m->tree.seed, 2 * tree + 1);
  MN_TRY(mn_grow(ctx, &l->settings, w->workspace[worker], &l->view, weight, mn_random_u64(&rng), &grown));
  if (w->m->tree.ccp_alpha > 0) MN_TRY(mn_prune(ctx, w->m->tree.ccp_alpha, l->settings.split.width, &grown));
  compute_importances(w, tree, &grown);
  MN_TRY(mn_tree_appender_add(w->appender, ctx, tree, &grown));
  return mn_scratch_recycle(ctx, &w->mark[worker]);
}

/* Means and standard deviations of the importances, summed in the order of the trees. */
static mn_status average_importances(mn_context *ctx, mn_forest *m, const double *importance, size_t p)
{
  const size_t trees = (size_t)m->n_estimators;
  MN_TRY(mn_vector_init(ctx, &m->tree.feature_importances, p));
  MN_TRY(mn_vector_init(ctx, &m->importances_std, p));
  double *mean = m->tree.feature_importances.at, *deviation = m->importances_std.at, sum = 0;
  for (size_t t = 0; t < trees; t++) {
    MN_TRY(mn_poll(ctx));
    for (size_t j = 0; j < p; j++) mean[j] += importance[t * p + j] / (double)trees;
  }
  for (size_t t = 0; t < trees; t++) {
    MN_TRY(mn_poll(ctx));
    for (size_t j = 0; j < p; j++) {
      const double d = importance[t * p + j] - mean[j];
      deviation[j] += d * d / (double)trees;
    }
  }
  for (size_t j = 0; j < p; j++) {
    deviation[j] = sqrt(deviation[j]);
    sum += mean[j];
  }
  for (size_t j = 0; j < p && sum > 0; j++) mean[j] /= sum;
  return MN_OK;
}

static mn_status grow_trees(mn_context *ctx, struct forest_task *w)
{
  const size_t trees = (size_t)w->m->n_estimators, width = w->problem->settings.split.width;
  const char *who = w->m->tree.base.class->name;
  MN_TRY(mn_tree_appender_begin(ctx, who, trees, width, &w->m->tree.trees, &w->appender));
  const mn_status grown = mn_pool_run(ctx, trees, grow_tree, w), joined = mn_tree_appender_end(w->appender, ctx);
  MN_TRY(grown);
  return joined;
}

static mn_status prepare_bootstrap(mn_context *ctx, const mn_forest *m, const mn_data *data, struct forest_task *w)
{
  const size_t n = data->rows;
  double rows = 0, sum = 0, size = m->max_samples;
  char text[MN_NUMBER_SIZE];
  if (!m->bootstrap) return MN_OK;
  /* without weights, too, so that the draws equal those of equal weights */
  double *cumulative = MN_RAW(ctx, double, n, 1);
  MN_CHECK_ALLOC(cumulative);
  for (size_t i = 0; i < n; i++) {
    rows += fmax(1, mn_weight(data, i));
    cumulative[i] = sum += mn_weight(data, i);
  }
  if (isnan(size)) size = rows;
  if (size < 1) size = fmax(1, size * rows);
  if (!(size <= fmax(rows, 1 << 28)))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: max_samples must be at most %d, got %s", m->tree.base.class->name,
                   1 << 28, mn_format_number(text, size));
  if (!(size <= fmax((double)n, 1 << 28)))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: the sum of weights must be at most %d, got %s; set max_samples",
                   m->tree.base.class->name, 1 << 28, mn_format_number(text, size));
  w->draws = (size_t)(size + 0.5);
  w->cumulative = cumulative;
  return MN_OK;
}

/* Check now what would otherwise fail after the trees have grown. */
static mn_status check_settings(mn_context *ctx, const mn_forest *m, const mn_data *data)
{
  const char *who = m->tree.base.class->name;
  if ((m->oob || m->oob_importance) && !m->bootstrap)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s requires bootstrap = true, got false", who,
                   m->oob ? "oob" : "oob_importance");
  if (!isnan(m->max_samples) && !m->bootstrap)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: max_samples requires bootstrap = true, got false", who);
  if (m->quantiles && data->y.cols != 1)
    return mn_fail(ctx, MN_BAD_DATA, "%s: quantiles requires y with 1 column, got %zu", who, data->y.cols);
  return MN_OK;
}

static mn_status fit_forest(mn_context *ctx, mn_forest *m, const mn_data *data, bool random_thresholds)
{
  const size_t trees = (size_t)m->n_estimators, workers = mn_pool_size(ctx, trees), p = data->features;
  const size_t root = (size_t)fmax(1, sqrt((double)p));
  mn_tree_problem problem;
  struct forest_task w = { .m = m, .data = data, .problem = &problem };
  w.workspace = MN_NEW(ctx, mn_grow_workspace *, workers, 1);
  w.weight = MN_NEW(ctx, double *, workers, 1);
  w.mark = MN_NEW(ctx, mn_mark, workers, 1);
  w.importance = MN_NEW(ctx, double, trees, p);
  if (!w.workspace || !w.weight || !w.mark || !w.importance) return MN_NO_MEMORY;
  MN_TRY(check_settings(ctx, m, data));
  MN_TRY(mn_tree_problem_make(ctx, &m->tree, data, m->tree.base.classes ? root : p, random_thresholds, &problem));
  MN_TRY(prepare_bootstrap(ctx, m, data, &w));
  if (m->oob || m->oob_importance) {
    w.in_bag = MN_RAW(ctx, uint8_t, trees, data->rows);
    MN_CHECK_ALLOC(w.in_bag);
  }
  MN_TRY(grow_trees(ctx, &w));
  MN_TRY(average_importances(ctx, m, w.importance, p));
  return mn_forest_finish(ctx, m, data, w.in_bag);
}

mn_status mn_random_forest_fit(mn_context *ctx, void *self, const mn_data *data)
{
  return fit_forest(ctx, self, data, false);
}

mn_status mn_extra_trees_fit(mn_context *ctx, void *self, const mn_data *data)
{
  return fit_forest(ctx, self, data, true);
}
