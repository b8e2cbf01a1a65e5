/* Replaces missing values with the mean of the nearest training rows that have the value.
 *
 *     d(x, z)^2 = p / |S| sum_{j in S} (x_j - z_j)^2,      S the columns where both have a value, p all columns
 *
 * Without a row at a known distance the column mean is inserted. Troyanskaya et al., Bioinformatics 17 (2001). */
#include "../core/threads.h"
#include "../search/candidates.h"
#include "nan_distances.h"
#include "imputer.h"
#include <string.h>

enum { UNIFORM, DISTANCE };
enum { QUERIES = 16, TILE_GROUPS = 32, TILE = TILE_GROUPS * MN_NAN_LANES, HEAPS_SIZE = 1 << 16 };

struct knn_imputer {
  mn_imputer imputer;
  int64_t n_neighbors, weights, metric; /* parameters */
  mn_matrix x;                          /* learned */
  mn_vector statistics;
};

static mn_status fit(mn_context *ctx, void *self, const mn_data *given)
{
  struct knn_imputer *m = self;
  mn_data data;
  mn_column_fill fill;
  if (given->rows >= INT32_MAX)
    return mn_fail(ctx, MN_BAD_DATA, "KNNImputer: X must have fewer than 2^31 - 1 rows, got %zu", given->rows);
  MN_TRY(mn_mark_missing(ctx, m->imputer.missing_values, given, &data));
  MN_TRY(mn_summarize_columns(ctx, &data, MN_FILL_MEAN, &fill));
  MN_TRY(mn_imputer_refuse_empty(ctx, &m->imputer, &fill));
  MN_TRY(mn_vector_init(ctx, &m->statistics, data.features));
  memcpy(m->statistics.at, fill.value, data.features * sizeof *fill.value);
  MN_TRY(mn_value_copy(ctx, MN_KIND_MATRIX, &data.x, &m->x));
  return mn_imputer_learn_flags(ctx, &m->imputer, &fill);
}

/* --- search --- */

/* One row to complete. */
struct query {
  const double *x;
  double *out;
  size_t n_present, n_missing;
  int32_t *column;    /* features: those with a value, then the missing ones */
  mn_candidate *heap; /* n_missing x k: the nearest rows that have the value */
  double limit;       /* rows farther than this are in no heap */
};

struct search {
  const struct knn_imputer *model;
  const mn_matrix *x;
  mn_matrix *out;
  size_t k, groups;
  const double *rows;  /* the training rows, packed */
  struct query *query; /* workers x QUERIES */
  mn_cancel_token token;
  mn_blocks blocks;
};

static void start_query(const struct search *w, size_t i, struct query *q)
{
  const size_t p = w->x->cols;
  q->x = mn_row(w->x, i);
  q->out = mn_row(w->out, i);
  q->n_present = q->n_missing = 0;
  q->limit = INFINITY;
  memcpy(q->out, q->x, p * sizeof *q->x);
  mn_flags_fill(&w->model->imputer.indicator_features, q->x, q->out + p);
  for (size_t j = 0; j < p; j++)
    if (!isnan(q->x[j])) q->column[q->n_present++] = (int32_t)j;
  for (size_t j = 0; j < p; j++)
    if (isnan(q->x[j])) q->column[q->n_present + q->n_missing++] = (int32_t)j;
  mn_heap_clear(q->heap, q->n_missing * w->k);
}

/* Insert a row into the heaps of the missing columns where it has a value. */
static void update_heaps(const struct search *w, struct query *q, size_t row, double distance)
{
  const double *x = mn_row(&w->model->x, row);
  double limit = 0;
  for (size_t c = 0; c < q->n_missing; c++) {
    mn_candidate *heap = q->heap + c * w->k;
    if (!isnan(x[q->column[q->n_present + c]])) mn_heap_offer(heap, w->k, (mn_candidate){ distance, (int32_t)row });
    if (heap[0].value > limit) limit = heap[0].value;
  }
  q->limit = limit;
}

static void search_tile(const struct search *w, struct query *q, size_t first_group)
{
  double distance[TILE];
  const size_t p = w->x->cols, rest = w->groups - first_group, groups = rest < TILE_GROUPS ? rest : TILE_GROUPS;
  mn_nan_distances((mn_nan_metric)w->model->metric, groups, p, w->rows + first_group * MN_NAN_LANES * p, q->x,
                   q->n_present, q->column, distance);
  for (size_t i = 0; i < groups * MN_NAN_LANES; i++)
    if (distance[i] < q->limit) update_heaps(w, q, first_group * MN_NAN_LANES + i, distance[i]);
}

/* The mean of the sorted neighbors in a heap; the column mean if there are none. Weights are relative to the nearest
 * one, so that a distance of 0 needs no exception. */
static double mean_of_neighbors(const struct search *w, const mn_candidate *heap, size_t j)
{
  const struct knn_imputer *m = w->model;
  double sum = 0, total = 0;
  for (size_t k = 0; k < w->k && heap[k].index < INT32_MAX; k++) {
    const double ratio = heap[k].value > heap[0].value ? heap[0].value / heap[k].value : 1;
    const double weight = m->weights == UNIFORM ? 1 : m->metric == MN_NAN_EUCLIDEAN ? sqrt(ratio) : ratio;
    sum += weight * mn_row(&m->x, (size_t)heap[k].index)[j];
    total += weight;
  }
  return total > 0 ? sum / total : m->statistics.at[j];
}

static void finish_query(const struct search *w, const struct query *q)
{
  for (size_t c = 0; c < q->n_missing; c++) {
    const size_t j = (size_t)q->column[q->n_present + c];
    mn_heap_sort(q->heap + c * w->k, w->k);
    q->out[j] = mean_of_neighbors(w, q->heap + c * w->k, j);
  }
}

/* Compare several rows to complete with each tile of training rows while the tile is in the cache. */
static void search_block(void *work, size_t block, size_t worker)
{
  const struct search *w = work;
  const size_t begin = mn_block_begin(&w->blocks, block), n = mn_block_end(&w->blocks, block) - begin;
  const mn_cancel_token token = { w->token.ctx, worker };
  struct query *query = w->query + worker * QUERIES;
  bool any = false;
  for (size_t i = 0; i < n; i++) {
    start_query(w, begin + i, &query[i]);
    any = any || query[i].n_missing > 0;
  }
  for (size_t g = 0; any && g < w->groups; g += TILE_GROUPS) {
    if (g / TILE_GROUPS % TILE_GROUPS == 0 && !mn_task_should_continue(&token)) return;
    for (size_t i = 0; i < n; i++)
      if (query[i].n_missing > 0) search_tile(w, &query[i], g);
  }
  for (size_t i = 0; i < n; i++) finish_query(w, &query[i]);
}

static mn_status allocate_queries(mn_context *ctx, struct search *w, size_t queries)
{
  const size_t workers = mn_threads(ctx), p = w->x->cols;
  w->query = MN_NEW(ctx, struct query, workers, QUERIES);
  MN_CHECK_ALLOC(w->query);
  for (size_t t = 0; t < workers; t++)
    for (size_t i = 0; i < queries; i++) {
      struct query *q = &w->query[t * QUERIES + i];
      q->column = MN_RAW(ctx, int32_t, p, 1);
      q->heap = MN_RAW(ctx, mn_candidate, p, w->k);
      if (!q->column || !q->heap) return MN_NO_MEMORY;
    }
  return MN_OK;
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *given, mn_matrix *out)
{
  const struct knn_imputer *m = self;
  mn_data data;
  MN_TRY(mn_mark_missing(ctx, m->imputer.missing_values, given, &data));
  double *rows = MN_RAW(ctx, double, mn_nan_size(&m->x), 1);
  MN_CHECK_ALLOC(rows);
  mn_nan_pack(&m->x, rows);
  struct search w = { .model = m, .x = &data.x, .out = out, .rows = rows, .token.ctx = ctx };
  w.k = (uint64_t)m->n_neighbors < m->x.rows ? (size_t)m->n_neighbors : m->x.rows;
  w.groups = (m->x.rows + MN_NAN_LANES - 1) / MN_NAN_LANES;
  const size_t fitting = HEAPS_SIZE / (w.k * data.features), queries = fitting < 1 ? 1 : fitting;
  w.blocks = mn_make_blocks(data.rows, queries < QUERIES ? queries : QUERIES, SIZE_MAX);
  MN_TRY(allocate_queries(ctx, &w, w.blocks.size));
  return mn_parallel(ctx, w.blocks.count, search_block, &w);
}

/* --- class --- */

/* The nearest rows of each column by insertion; equal distances keep the order of the rows. */
static const char *const search_program =
    "for c < features { out[c] = isnan(x[c]) or x[c] == sentinel[c] ? statistics[c] : x[c] }"
    "reals near[k] ints at[k]"
    "for c < features { if isnan(x[c]) or x[c] == sentinel[c] {"
    "  int size = 0"
    "  for i < n { if !isnan(rows[i * features + c]) {"
    "    real sum = 0.0 real count = 0.0"
    "    for j < features {"
    "      if !(isnan(x[j]) or x[j] == sentinel[j] or isnan(rows[i * features + j])) {"
    "        real z = rows[i * features + j] - x[j]";

static const char *const insert_program = "        count += 1.0"
                                          "      }"
                                          "    }"
                                          "    real d = infinity"
                                          "    if count > 0.0 { d = sum / count }"
                                          "    if d < infinity and (size < k or d < near[k - 1]) {"
                                          "      int place = k - 1"
                                          "      if size < k { place = size size += 1 }"
                                          "      while place > 0 and d < near[place - 1] {"
                                          "        near[place] = near[place - 1] at[place] = at[place - 1] place -= 1"
                                          "      }"
                                          "      near[place] = d at[place] = i"
                                          "    }"
                                          "  } }"
                                          "  real sum = 0.0 real total = 0.0"
                                          "  for i < size {"
                                          "    real weight = 1.0";

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct knn_imputer *m = self;
  const size_t p = m->imputer.base.n_features, n = m->x.rows;
  if (action != MN_TRANSFORM_X) return MN_OK;
  double *sentinel = MN_RAW(ctx, double, p, 1);
  MN_CHECK_ALLOC(sentinel);
  for (size_t j = 0; j < p; j++) sentinel[j] = m->imputer.missing_values;
  mn_program_reals(program, "sentinel", p, sentinel);
  mn_program_reals(program, "statistics", p, m->statistics.at);
  mn_program_reals(program, "rows", n * p, m->x.at);
  mn_program_count(program, "n", n);
  mn_program_count(program, "k", (uint64_t)m->n_neighbors < n ? (size_t)m->n_neighbors : n);
  mn_program_code(program, search_program);
  mn_program_code(program, m->metric == MN_NAN_MANHATTAN ? "sum += abs(z)" : "sum += z * z");
  mn_program_code(program, insert_program);
  if (m->weights == DISTANCE)
    mn_program_code(program, m->metric == MN_NAN_EUCLIDEAN ? "if near[i] > near[0] { weight = sqrt(near[0] / near[i]) }"
                                                           : "if near[i] > near[0] { weight = near[0] / near[i] }");
  mn_program_code(program, "    sum += weight * rows[at[i] * features + c] total += weight"
                           "  }"
                           "  if total > 0.0 { out[c] = sum / total }"
                           "} }");
  mn_flags_export(&m->imputer.indicator_features, p, program);
  return MN_OK;
}

/* Check a loaded model. */
static mn_status check(mn_context *ctx, const void *self)
{
  const struct knn_imputer *m = self;
  if (m->x.rows > 0 && m->x.rows < INT32_MAX) return MN_OK;
  return mn_fail(ctx, MN_BAD_FILE, "KNNImputer: the archive must have training rows");
}

static const char *const weightings[] = { "uniform", "distance", NULL };
static const char *const metrics[] = { "nan_euclidean", "nan_manhattan", NULL };

static const mn_param params[] = {
  MN_MISSING_VALUES(mn_imputer, missing_values),
  MN_COUNT(struct knn_imputer, n_neighbors, 5, MN_AT_LEAST(1),
           "number of neighbors; all rows that have the value if there are fewer"),
  MN_CHOICE(struct knn_imputer, weights, UNIFORM, weightings,
            "weights of the neighbors: equal, or inverse to their distance"),
  MN_CHOICE(struct knn_imputer, metric, MN_NAN_EUCLIDEAN, metrics,
            "distance over the columns where both rows have a value, scaled up to all columns"),
  MN_ADD_INDICATOR,
  MN_KEEP_EMPTY("fill a column without values in fit with 0 instead of raising an error"),
  MN_END,
};

static const mn_field fields[] = {
  MN_VECTOR(struct knn_imputer, statistics, "features", "mean of each column, for rows without neighbors"),
  MN_INDICATOR_FIELD,
  MN_MATRIX(struct knn_imputer, x, "samples x features", NULL),
  MN_END,
};

const mn_class mn_knn_imputer = {
  .name = "KNNImputer",
  .family = "preprocess",
  .brief = "Replaces missing values with the mean of the nearest rows that have the value.",
  .objective = "z_j = sum_k w_k x_kj / sum_k w_k over the n_neighbors nearest rows with x_kj",
  .source = "Troyanskaya et al., Bioinformatics 17 (2001)",
  .notes = "Columns must be numeric and on similar scales: standardize them first, and encode factor columns. "
           "Ties in distance are broken by the order of the training rows. A column without values is an error "
           "(scikit-learn drops it) unless keep_empty_features is set. Sample weights are ignored. The model "
           "keeps the training rows.",
  .example = "local nan = 0 / 0\n"
             "print(ml.KNNImputer{ n_neighbors = 2 }:fit_transform{ {1, 2, nan}, {3, 4, 3}, {nan, 6, 5}, {8, 8, 7} })",
  .capabilities = MN_TRANSFORM | MN_SCALE_EQUIVARIANT,
  .accepts = MN_MISSING,
  .size = sizeof(struct knn_imputer),
  .params = params,
  .fields = fields,
  .fit = fit,
  .transform = transform,
  .overwrites = true,
  .outputs = mn_imputer_outputs,
  .outputs_whole = mn_imputer_outputs_whole,
  .output_name = mn_imputer_output_name,
  .check = check,
  .export = export,
};
