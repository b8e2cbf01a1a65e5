/* What needs the training rows of a forest: out-of-bag results, quantiles, proximities. */
#include "../core/threads.h"
#include "../stats/argsort.h"
#include "forest.h"
#include "../tree_structure/tree_predict.h"

mn_status mn_forest_finish(mn_context *ctx, mn_forest *m, const mn_data *data, const uint8_t *in_bag)
{
  const size_t trees = mn_trees_count(&m->tree.trees), rows = data->rows;
  m->oob_score = (double)NAN;
  if (m->oob_importance) MN_TRY(mn_forest_importance(ctx, m, data, in_bag));
  if (!m->oob && !m->quantiles) return MN_OK;
  if (m->quantiles) MN_TRY(mn_indexes_init(ctx, &m->train_leaf, rows * trees));
  int32_t *leaf = m->quantiles ? m->train_leaf.at : MN_RAW(ctx, int32_t, rows, trees);
  MN_CHECK_ALLOC(leaf);
  MN_TRY(mn_trees_leaves(ctx, &m->tree.trees, data, leaf));
  if (m->oob) MN_TRY(mn_forest_out_of_bag(ctx, m, data, leaf, in_bag));
  if (!m->quantiles) return MN_OK;
  MN_TRY(mn_vector_init(ctx, &m->train_y, rows));
  memcpy(m->train_y.at, data->y.at, rows * sizeof *data->y.at);
  if (!data->weights) return MN_OK;
  MN_TRY(mn_vector_init(ctx, &m->train_weight, rows));
  memcpy(m->train_weight.at, data->weights, rows * sizeof *data->weights);
  return MN_OK;
}

mn_status mn_forest_check(mn_context *ctx, const void *self)
{
  const mn_forest *m = self;
  const size_t trees = mn_trees_count(&m->tree.trees), rows = m->train_y.size;
  MN_TRY(mn_tree_model_check(ctx, self));
  bool valid = m->train_leaf.size == rows * trees && m->quantiles == (rows > 0);
  for (size_t i = 0; valid && i < rows * trees; i++) {
    const int32_t leaf = m->train_leaf.at[i];
    valid = leaf >= 0 && (size_t)leaf < mn_tree_nodes(&m->tree.trees, i % trees);
  }
  for (size_t i = 0; i < m->train_weight.size; i++)
    valid = valid && m->train_weight.at[i] > 0 && m->train_weight.at[i] < (double)INFINITY;
  valid = valid && (m->train_weight.size == 0 || m->train_weight.size == rows);
  if (m->oob_errors.size > 0 && m->oob_errors.size != trees)
    return mn_fail(ctx, MN_BAD_FILE, "%s: oob_errors must have one value per tree", m->tree.base.class->name);
  if (valid) return MN_OK;
  return mn_fail(ctx, MN_BAD_FILE, "%s: the leaves of the training rows do not match the trees",
                 m->tree.base.class->name);
}

/* --- operations --- */

/* Group the rows of each tree by leaf.
 *
 *   leaf   rows x trees
 *   row    trees x rows: row indices
 *   first  nodes + trees: where the rows of each node begin, plus one end per tree */
static mn_status group_rows(mn_context *ctx, const mn_trees *t, size_t n, const int32_t *leaf, int32_t *row,
                            int32_t *first)
{
  const size_t trees = mn_trees_count(t);
  for (size_t k = 0; k < trees; k++) {
    const size_t nodes = mn_tree_nodes(t, k);
    int32_t *f = first + t->root.at[k] + (int32_t)k;
    MN_TRY(mn_poll(ctx));
    memset(f, 0, (nodes + 1) * sizeof *f);
    for (size_t i = 0; i < n; i++) f[leaf[i * trees + k] + 1]++;
    for (size_t v = 0; v < nodes; v++) f[v + 1] += f[v];
    for (size_t i = 0; i < n; i++) row[k * n + (size_t)f[leaf[i * trees + k]]++] = (int32_t)i;
    for (size_t v = nodes; v > 0; v--) f[v] = f[v - 1];
    f[0] = 0;
  }
  return MN_OK;
}

struct proximity_task {
  const mn_trees *trees;
  const int32_t *leaf, *row, *first; /* see group_rows */
  size_t rows;
  mn_matrix *out;
};

static void proximity_row(void *work, size_t i, size_t worker)
{
  (void)worker;
  const struct proximity_task *w = work;
  const size_t trees = mn_trees_count(w->trees);
  double *out = mn_row(w->out, i);
  for (size_t k = 0; k < trees; k++) {
    const int32_t *first = w->first + w->trees->root.at[k] + (int32_t)k, leaf = w->leaf[i * trees + k];
    for (int32_t r = first[leaf]; r < first[leaf + 1]; r++) out[w->row[k * w->rows + (size_t)r]] += 1;
  }
  for (size_t j = 0; j < w->rows; j++) out[j] /= (double)trees;
}

static mn_status proximity(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                           mn_results *results)
{
  (void)options;
  const mn_trees *t = &((const mn_forest *)self)->tree.trees;
  const size_t trees = mn_trees_count(t);
  int32_t *leaf = MN_RAW(ctx, int32_t, data->rows, trees), *row = MN_RAW(ctx, int32_t, trees, data->rows);
  int32_t *first = MN_RAW(ctx, int32_t, t->cover.size + trees, 1);
  struct proximity_task w = { .trees = t, .leaf = leaf, .row = row, .first = first, .rows = data->rows };
  if (!leaf || !row || !first) return MN_NO_MEMORY;
  MN_TRY(mn_trees_leaves(ctx, t, data, leaf));
  MN_TRY(group_rows(ctx, t, data->rows, leaf, row, first));
  MN_TRY(mn_result_matrix(ctx, results, "proximity", w.rows, w.rows, &w.out));
  return mn_parallel(ctx, w.rows, proximity_row, &w);
}

struct quantile_options {
  mn_vector levels;
};

struct quantile_task {
  const mn_forest *m;
  const int32_t *leaf;         /* rows x trees, of the new rows */
  const int32_t *row, *first;  /* training rows by tree and leaf; where those of a node begin */
  const uint32_t *rank, *by_y; /* rank of each training row by y, and the row of each rank */
  const mn_vector *levels;
  double *weight; /* workers x training rows, by rank of y */
  mn_matrix *out;
};

/* The training rows of a leaf share a total weight of 1, in proportion to their sample weights. */
static void add_leaf_weights(const struct quantile_task *w, const int32_t *row, size_t count, double *weight)
{
  const double *train_weight = w->m->train_weight.at;
  double sum = train_weight ? 0 : (double)count;
  for (size_t r = 0; train_weight && r < count; r++) sum += train_weight[row[r]];
  for (size_t r = 0; r < count; r++) weight[w->rank[row[r]]] += (train_weight ? train_weight[row[r]] : 1) / sum;
}

/* Weights of the training rows for one new row: those in its leaf share 1 / trees (Meinshausen, JMLR 7, 2006). */
static void quantiles_of_row(void *work, size_t i, size_t worker)
{
  const struct quantile_task *w = work;
  const mn_trees *t = &w->m->tree.trees;
  const size_t n = w->m->train_y.size, trees = mn_trees_count(t);
  double *weight = w->weight + worker * n, sum = 0;
  memset(weight, 0, n * sizeof *weight);
  for (size_t k = 0; k < trees; k++) {
    const int32_t *first = w->first + t->root.at[k] + (int32_t)k, leaf = w->leaf[i * trees + k];
    add_leaf_weights(w, w->row + k * n + first[leaf], (size_t)(first[leaf + 1] - first[leaf]), weight);
  }
  size_t at = 0;
  double total = 0;
  for (size_t r = 0; r < n; r++) total += weight[r];
  for (size_t q = 0; q < w->levels->size; q++) {
    const double target = w->levels->at[q] * total * (1 - 1e-12);
    while (at + 1 < n && !(sum + weight[at] >= target && weight[at] > 0)) sum += weight[at++];
    mn_row(w->out, i)[q] = w->m->train_y.at[w->by_y[at]];
  }
}

static mn_status check_levels(mn_context *ctx, const mn_forest *m, const mn_vector *levels)
{
  const char *name = m->tree.base.class->name;
  if (!m->quantiles)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: predict_quantiles requires a model fitted with quantiles = true", name);
  for (size_t q = 1; q < levels->size; q++)
    if (levels->at[q] < levels->at[q - 1])
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: predict_quantiles: levels must be in ascending order", name);
  return MN_OK;
}

static mn_status predict_quantiles(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                   mn_results *results)
{
  const mn_forest *m = self;
  const mn_trees *t = &m->tree.trees;
  double default_levels[] = { 0.1, 0.5, 0.9 };
  mn_vector levels = ((const struct quantile_options *)options)->levels;
  if (!levels.at) levels = (mn_vector){ .at = default_levels, .size = 3 };
  MN_TRY(check_levels(ctx, m, &levels));
  const size_t n = m->train_y.size, trees = mn_trees_count(t), nodes = t->cover.size;
  int32_t *leaf = MN_RAW(ctx, int32_t, data->rows, trees), *row = MN_RAW(ctx, int32_t, trees, n);
  int32_t *first = MN_RAW(ctx, int32_t, nodes + trees, 1);
  uint32_t *rank = MN_RAW(ctx, uint32_t, n, 2), *by_y = rank ? rank + n : NULL;
  size_t *order = MN_RAW(ctx, size_t, n, 1);
  struct quantile_task w = {
    .m = m, .leaf = leaf, .row = row, .first = first, .rank = rank, .by_y = by_y, .levels = &levels
  };
  w.weight = MN_RAW(ctx, double, mn_threads(ctx), n);
  if (!leaf || !row || !first || !rank || !order || !w.weight) return MN_NO_MEMORY;
  MN_TRY(mn_argsort(ctx, n, m->train_y.at, 1, order));
  for (size_t i = 0; i < n; i++) {
    by_y[i] = (uint32_t)order[i];
    rank[by_y[i]] = (uint32_t)i;
  }
  MN_TRY(group_rows(ctx, t, n, m->train_leaf.at, row, first));
  MN_TRY(mn_trees_leaves(ctx, t, data, leaf));
  MN_TRY(mn_result_matrix(ctx, results, "quantiles", data->rows, levels.size, &w.out));
  return mn_parallel(ctx, data->rows, quantiles_of_row, &w);
}

static const mn_param quantile_options[] = {
  MN_REALS(struct quantile_options, levels, MN_CLOSED(0, 1), "quantile levels in ascending order; nil: 0.1, 0.5, 0.9"),
  MN_END,
};

#define MN_APPLY                                                                                                       \
  {                                                                                                                    \
    .name = "apply", .brief = "leaf of each sample in each tree", .returns = "Matrix (rows x trees): node numbers",    \
    .needs = MN_NEEDS_X, .run = mn_tree_apply                                                                          \
  }
#define MN_PROXIMITY                                                                                                   \
  {                                                                                                                    \
    .name = "proximity", .brief = "fraction of the trees in which two samples fall into the same leaf",                \
    .returns = "Matrix (rows x rows), from 0 to 1", .needs = MN_NEEDS_X, .run = proximity                              \
  }

const mn_operation mn_forest_operations[] = { MN_APPLY, MN_PROXIMITY, MN_TREE_SHAP, MN_TREE_TABLES, { .name = NULL } };

const mn_field mn_forest_regressor_fields[] = {
  MN_FOREST_FIELDS,
  MN_LEARNED(MN_KIND_INDEXES, mn_forest, train_leaf, "train_leaves?", NULL),
  MN_LEARNED(MN_KIND_VECTOR, mn_forest, train_y, "train_rows?", NULL),
  MN_LEARNED(MN_KIND_VECTOR, mn_forest, train_weight, "train_rows?", NULL),
  MN_END,
};

const mn_operation mn_forest_regressor_operations[] = {
  MN_APPLY,
  MN_PROXIMITY,
  MN_TREE_SHAP,
  MN_TREE_TABLES,
  { .name = "predict_quantiles",
    .brief = "quantiles of y for each sample; requires quantiles = true at fit",
    .returns = "Matrix (rows x levels)",
    .needs = MN_NEEDS_X,
    .options = quantile_options,
    .options_size = sizeof(struct quantile_options),
    .run = predict_quantiles },
  { .name = NULL },
};
