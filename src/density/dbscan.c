/* DBSCAN: clusters are the connected components of core rows within eps of each other; a row that is not core belongs
 * to the cluster of the nearest core row within eps, or is noise. Ester, Kriegel, Sander & Xu, KDD 1996. */
#include "../core/threads.h"
#include "../model/magnitudes.h"
#include "../neighbors/radius_neighbors.h"
#include "../search/row_distances.h"
#include "dense_rows.h"
#include <string.h>

struct dbscan {
  mn_neighbors neighbors; /* radius is eps; the stored rows are the core rows, or all: see stores_all */
  int64_t min_samples;
  mn_indexes labels, core_rows; /* learned fields */
  mn_indexes stored_labels;     /* of the stored rows; -1 for rows that are not core */
  mn_vector counts;
};

/* Whether distances need all rows: precomputed ones, and those by the covariance of the rows. */
static bool stores_all(const struct dbscan *m)
{
  const bool own_covariance = m->neighbors.metric == MN_METRIC_MAHALANOBIS && !m->neighbors.covariance.at;
  return own_covariance || m->neighbors.metric == MN_METRIC_PRECOMPUTED;
}

static size_t stored_rows(const struct dbscan *m)
{
  return m->stored_labels.size;
}

/* --- core rows --- */

static mn_status copy_sparse_rows(mn_context *ctx, const mn_csr *from, const mn_indexes *rows, mn_csr *to)
{
  size_t values = 0;
  for (size_t i = 0; i < rows->size; i++) values += from->start[rows->at[i] + 1] - from->start[rows->at[i]];
  MN_TRY(mn_csr_init(ctx, to, rows->size, from->cols, values));
  for (size_t i = 0; i < rows->size; i++) {
    const size_t begin = from->start[rows->at[i]], n = from->start[rows->at[i] + 1] - begin, at = to->start[i];
    if (n > 0) memcpy(to->col + at, from->col + begin, n * sizeof *to->col);
    if (n > 0) memcpy(to->at + at, from->at + begin, n * sizeof *to->at);
    to->start[i + 1] = at + n;
  }
  return MN_OK;
}

static mn_status store_rows(mn_context *ctx, struct dbscan *m, const mn_data *data)
{
  const size_t d = data->features;
  if (stores_all(m)) return mn_neighbors_store(ctx, &m->neighbors, data);
  if (data->sparse) {
    MN_TRY(copy_sparse_rows(ctx, data->sparse, &m->core_rows, &m->neighbors.sparse_x));
  } else {
    MN_TRY(mn_matrix_init(ctx, &m->neighbors.x, m->core_rows.size, d));
    for (size_t i = 0; i < m->core_rows.size; i++)
      memcpy(mn_row(&m->neighbors.x, i), mn_row(&data->x, (size_t)m->core_rows.at[i]), d * sizeof(double));
  }
  return mn_neighbors_build(ctx, &m->neighbors);
}

/* Keep the core rows and their clusters. */
static mn_status keep_cores(mn_context *ctx, struct dbscan *m, const mn_data *data, const bool *core,
                            const int32_t *component)
{
  const size_t n = data->rows;
  const bool all = stores_all(m);
  size_t cores = 0, at = 0;
  for (size_t i = 0; i < n; i++) cores += core[i];
  if (cores == 0) return MN_OK;
  MN_TRY(mn_indexes_init(ctx, &m->core_rows, cores));
  MN_TRY(mn_indexes_init(ctx, &m->stored_labels, all ? n : cores));
  for (size_t i = 0; i < n; i++) {
    if (all) m->stored_labels.at[i] = component[i];
    if (!core[i]) continue;
    if (!all) m->stored_labels.at[at] = component[i];
    m->core_rows.at[at++] = (int32_t)i;
  }
  return store_rows(ctx, m, data);
}

/* --- labels of rows by the nearest core row --- */

/* The nearest core row in a list in order of index. */
static int32_t label_of_list(const struct dbscan *m, const mn_candidate *at, size_t n)
{
  mn_candidate nearest = { INFINITY, INT32_MAX };
  for (size_t k = 0; k < n; k++)
    if (m->stored_labels.at[at[k].index] >= 0 && mn_is_nearer(at[k], nearest)) nearest = at[k];
  return nearest.index < INT32_MAX ? m->stored_labels.at[nearest.index] : -1;
}

/* Among all rows within eps, a block of queries at a time. */
static mn_status label_among_all(mn_context *ctx, const struct dbscan *m, const mn_points *queries, int32_t *label)
{
  enum { BLOCK = 256 };
  const mn_points rows = mn_neighbors_points(&m->neighbors);
  const mn_blocks blocks = mn_make_blocks(queries->n, BLOCK, SIZE_MAX);
  for (size_t b = 0; b < blocks.count; b++) {
    const mn_mark mark = mn_scratch_mark(ctx);
    const size_t begin = mn_block_begin(&blocks, b), n = mn_block_end(&blocks, b) - begin;
    const mn_points part = { .n = n, .d = queries->d, .x = queries->x + begin * queries->d };
    mn_neighbor_lists lists;
    MN_TRY(mn_neighbor_within(ctx, &m->neighbors.index, &rows, &part, m->neighbors.radius, false, &lists));
    for (size_t i = 0; i < n; i++)
      label[begin + i] = label_of_list(m, lists.at + lists.start[i], lists.start[i + 1] - lists.start[i]);
    mn_scratch_release(ctx, mark);
  }
  return MN_OK;
}

static mn_status label_rows(mn_context *ctx, const struct dbscan *m, const mn_points *queries, int32_t *label)
{
  for (size_t i = 0; i < queries->n; i++) label[i] = -1;
  if (stored_rows(m) == 0 || queries->n == 0) return MN_OK;
  const mn_points rows = mn_neighbors_points(&m->neighbors);
  MN_TRY(mn_neighbors_check_distances(ctx, &m->neighbors, queries));
  if (stores_all(m)) return label_among_all(ctx, m, queries, label);
  int32_t *nearest = MN_RAW(ctx, int32_t, queries->n, 1);
  double *distance = MN_RAW(ctx, double, queries->n, 1);
  if (!nearest || !distance) return MN_NO_MEMORY;
  MN_TRY(mn_neighbor_nearest(ctx, &m->neighbors.index, &rows, queries, 1, nearest, distance));
  for (size_t i = 0; i < queries->n; i++)
    if (distance[i] <= m->neighbors.radius) label[i] = m->stored_labels.at[nearest[i]];
  return MN_OK;
}

/* Labels of the rows that are not core: a copy of them, if X is dense. */
static mn_status label_others(mn_context *ctx, struct dbscan *m, const mn_data *data, const bool *core,
                              const int32_t *component)
{
  const size_t n = data->rows, d = data->features;
  mn_points queries = mn_data_points(data);
  size_t *row = MN_RAW(ctx, size_t, n, 1), others = 0;
  int32_t *label = MN_RAW(ctx, int32_t, n, 1);
  if (!row || !label) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++) m->labels.at[i] = component[i];
  for (size_t i = 0; i < n; i++)
    if (data->sparse || !core[i]) row[others++] = i;
  if (!data->sparse) {
    mn_matrix x = { MN_RAW(ctx, double, others, d), others, d };
    MN_CHECK_ALLOC(x.at);
    mn_gather_rows(&data->x, row, others, &x);
    queries = (mn_points){ .n = others, .d = d, .x = x.at };
  }
  MN_TRY(label_rows(ctx, m, &queries, label));
  for (size_t i = 0; i < others; i++)
    if (!core[row[i]]) m->labels.at[row[i]] = label[i];
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct dbscan *m = self;
  const size_t n = data->rows;
  const mn_points rows = mn_data_points(data);
  const bool precomputed = m->neighbors.metric == MN_METRIC_PRECOMPUTED;
  const mn_index_options options = { .metric = { m->neighbors.metric, m->neighbors.p, &m->neighbors.covariance },
                                     .algorithm = m->neighbors.algorithm,
                                     .leaf_size = m->neighbors.leaf_size,
                                     .scratch = true };
  mn_neighbor_index index = { 0 };
  bool *core = MN_RAW(ctx, bool, n, 1);
  int32_t *component = MN_RAW(ctx, int32_t, n, 1);
  size_t clusters;
  if (!core || !component) return MN_NO_MEMORY;
  MN_TRY(mn_check_metric_magnitudes(ctx, &m->neighbors.base, m->neighbors.metric, data));
  MN_TRY(mn_neighbor_index_init(ctx, "DBSCAN", &index, &rows, options));
  if (precomputed) MN_TRY(mn_check_distances(ctx, "DBSCAN", n, data->x.at));
  MN_TRY(mn_find_dense(ctx, &index, &rows, m->neighbors.radius, data->weights, (double)m->min_samples, core, component,
                       &clusters));
  MN_TRY(mn_indexes_init(ctx, &m->labels, n));
  MN_TRY(keep_cores(ctx, m, data, core, component));
  MN_TRY(label_others(ctx, m, data, core, component));
  if (clusters > 0) MN_TRY(mn_vector_init(ctx, &m->counts, clusters));
  for (size_t i = 0; i < n; i++)
    if (m->labels.at[i] >= 0) m->counts.at[m->labels.at[i]] += mn_weight(data, i);
  return MN_OK;
}

static mn_status predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct dbscan *m = self;
  const mn_points queries = mn_data_points(data);
  int32_t *label = MN_RAW(ctx, int32_t, data->rows, 1);
  MN_CHECK_ALLOC(label);
  MN_TRY(label_rows(ctx, m, &queries, label));
  for (size_t i = 0; i < data->rows; i++) out->at[i] = label[i];
  return MN_OK;
}

static mn_status check(mn_context *ctx, const void *self)
{
  const struct dbscan *m = self;
  const size_t kept = m->neighbors.x.at ? m->neighbors.x.rows : m->neighbors.sparse_x.rows;
  if (stored_rows(m) == kept) return kept > 0 ? mn_neighbors_check(ctx, &m->neighbors) : MN_OK;
  return mn_fail(ctx, MN_BAD_FILE, "DBSCAN: the archive must have a label for each core row");
}

static mn_status derive(mn_context *ctx, void *self)
{
  const struct dbscan *m = self;
  return stored_rows(m) > 0 ? mn_neighbors_derive(ctx, self) : MN_OK;
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct dbscan *m = self;
  if (action != MN_PREDICT) return MN_OK;
  mn_program_code(program, "out[0] = -1.0");
  if (stored_rows(m) == 0) return MN_OK;
  mn_program_code(program, "real nearest = infinity");
  const mn_radius_neighbors search = { .neighbors = m->neighbors, .empty = MN_EMPTY_AVERAGE };
  mn_program_indexes(program, "label", stored_rows(m), m->stored_labels.at);
  return mn_radius_program(ctx, &search, /* share is 1 */
                           "if label[i] >= 0 and apart < nearest { nearest = share * apart out[0] = label[i] + 0.0 }",
                           "out[0] = -1.0", program);
}

static const mn_param params[] = {
  { .name = "eps",
    .kind = MN_KIND_REAL,
    .offset = offsetof(struct dbscan, neighbors.radius),
    .initial = 0.5,
    MN_GREATER_THAN(0),
    .brief = "largest distance of neighbors, in units of the metric; plot.neighbor_distances helps to choose it" },
  MN_COUNT(struct dbscan, min_samples, 5, MN_CLOSED(1, INT32_MAX),
           "rows (sum of sample weights) within eps of a core row, itself included"),
  MN_NEIGHBORS_METRIC_PARAMS,
  MN_NEIGHBORS_EXACT_PARAMS,
  MN_END,
};

static const mn_field fields[] = {
  MN_INDEXES(struct dbscan, labels, "samples < clusters? or -1",
             "cluster of each training row, -1 for noise; numbered in the order of their first core rows"),
  MN_VECTOR(struct dbscan, counts, "clusters?", "number of rows (sum of sample weights) of each cluster"),
  MN_INDEXES(struct dbscan, core_rows, "cores? < samples", "the core rows"),
  MN_LEARNED(MN_KIND_INDEXES, struct dbscan, stored_labels, "rows? < clusters? or -1", NULL),
  MN_NEIGHBORS_FIELDS,
  MN_END,
};

const mn_class mn_dbscan = {
  .name = "DBSCAN",
  .family = "cluster",
  .brief = "Density-based clustering: connected regions with enough rows within eps.",
  .objective = "core: at least min_samples rows within eps; clusters: core rows connected by steps of at most eps",
  .source = "Ester, Kriegel, Sander & Xu, KDD 1996; Schubert et al., ACM TODS 42 (2017)",
  .notes =
      "A row that is not core belongs to the cluster of the nearest core row within eps, ties broken by the lowest "
      "index, so clusters do not depend on the order of the rows; scikit-learn takes the cluster that reaches the row "
      "first. predict applies the same rule to new rows. Rows of weight 0 are excluded and have no labels. Scale the "
      "columns first if their units differ.",
  .example = "local model = ml.DBSCAN{ eps = 1.5, min_samples = 3 }:fit{ {0}, {1}, {2}, {9}, {20}, {21}, {22} }\n"
             "print(model.labels, model:predict{ {3}, {5} })",
  .capabilities = MN_CLUSTER,
  .accepts = MN_WEIGHTS | MN_SPARSE,
  .size = sizeof(struct dbscan),
  .params = params,
  .fields = fields,
  .fit = fit,
  .predict = predict,
  .export = export,
  .check = check,
  .derive = derive,
};
