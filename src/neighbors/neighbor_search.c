#include "neighbor_search.h"
#include "../core/threads.h"
#include "../search/nearest.h"
#include "../linalg/ordered.h"
#include "metric_kernel.h"
#include <string.h>

const char *const mn_metric_names[] = { "euclidean", "manhattan", "chebyshev", "minkowski", "cosine", NULL };
const char *const mn_vote_names[] = { "uniform", "distance", NULL };

static mn_status check_count(mn_context *ctx, const mn_neighbors *m, size_t rows, int64_t wanted)
{
  if ((uint64_t)wanted <= rows) return MN_OK;
  return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: n_neighbors must be at most the number of rows, %zu, got %lld",
                 m->base.class->name, rows, (long long)wanted);
}

mn_status mn_neighbors_store(mn_context *ctx, mn_neighbors *m, const mn_data *data)
{
  MN_TRY(check_count(ctx, m, data->rows, m->n_neighbors));
  MN_TRY(mn_matrix_init(ctx, &m->x, data->rows, data->features));
  memcpy(m->x.at, data->x.at, data->rows * data->features * sizeof *m->x.at);
  return MN_OK;
}

struct search {
  const mn_neighbors *m;
  const mn_data *data;
  size_t k;
  double *all; /* workers x training rows */
  int32_t *index;
  double *distance;
};

/* The k smallest of n values in order, by insertion: k is small, and few values are below the k-th so far. */
static void keep_smallest(size_t n, const double *all, size_t k, int32_t *index, double *distance)
{
  size_t size = 0;
  for (size_t i = 0; i < n; i++) {
    if (size == k && !(all[i] < distance[k - 1])) continue;
    size_t at = size < k ? size++ : k - 1;
    for (; at > 0 && all[i] < distance[at - 1]; at--) {
      distance[at] = distance[at - 1];
      index[at] = index[at - 1];
    }
    distance[at] = all[i];
    index[at] = (int32_t)i;
  }
}

/* 1 - cos of the angle between q and each row of x; 1 where one is zero. */
static void cosine_distances(size_t n, size_t d, const double *x, const double *q, double *out)
{
  const double length = mn_ordered_dot(d, q, q);
  for (size_t i = 0; i < n; i++, x += d) {
    const double both = mn_ordered_dot(d, x, x) * length;
    out[i] = both > 0 ? 1 - mn_ordered_dot(d, x, q) / sqrt(both) : 1;
  }
}

static void search_row(void *work, size_t block, size_t worker)
{
  const struct search *w = work;
  const mn_matrix *x = &w->m->x;
  const double *q = mn_row(&w->data->x, block);
  double *all = w->all + worker * x->rows, *distance = w->distance + block * w->k;
  switch (w->m->metric) {
  case MN_METRIC_MANHATTAN: mn_ordered_manhattan(x->rows, x->cols, x->at, q, all); break;
  case MN_METRIC_CHEBYSHEV: mn_chebyshev_distances(x->rows, x->cols, x->at, q, all); break;
  case MN_METRIC_COSINE: cosine_distances(x->rows, x->cols, x->at, q, all); break;
  default: mn_minkowski_distances(x->rows, x->cols, w->m->p, x->at, q, all); break;
  }
  keep_smallest(x->rows, all, w->k, w->index + block * w->k, distance);
  if (w->m->metric == MN_METRIC_MINKOWSKI)
    for (size_t i = 0; i < w->k; i++) distance[i] = pow(distance[i], 1 / w->m->p);
}

/* Recompute and re-sort the distances of the neighbors in a summation order that is the same on every CPU. */
static void recompute_distances(const mn_neighbors *m, const double *q, size_t k, int32_t *index, double *distance)
{
  for (size_t i = 0; i < k; i++) {
    const int32_t row = index[i];
    const double d = sqrt(mn_ordered_distance2(m->x.cols, q, mn_row(&m->x, (size_t)row)));
    size_t at = i;
    for (; at > 0 && (distance[at - 1] > d || (distance[at - 1] >= d && index[at - 1] > row)); at--) {
      distance[at] = distance[at - 1];
      index[at] = index[at - 1];
    }
    distance[at] = d;
    index[at] = row;
  }
}

static bool is_euclidean(const mn_neighbors *m)
{
  return m->metric == MN_METRIC_EUCLIDEAN || (m->metric == MN_METRIC_MINKOWSKI && !(m->p < 2) && !(m->p > 2));
}

mn_status mn_neighbors_search(mn_context *ctx, const mn_neighbors *m, const mn_data *data, size_t k, int32_t *index,
                              double *distance)
{
  MN_TRY(check_count(ctx, m, m->x.rows, (int64_t)k)); /* set_params may have changed it since fit */
  if (is_euclidean(m)) {
    MN_TRY(mn_nearest_rows(ctx, data->rows, m->x.rows, m->x.cols, data->x.at, m->x.at, k, false, index, distance));
    for (size_t i = 0; i < data->rows; i++)
      recompute_distances(m, mn_row(&data->x, i), k, index + i * k, distance + i * k);
    return MN_OK;
  }
  const mn_mark mark = mn_scratch_mark(ctx);
  struct search w = { .m = m, .data = data, .k = k, .index = index, .distance = distance };
  w.all = MN_RAW(ctx, double, mn_threads(ctx), m->x.rows);
  MN_CHECK_ALLOC(w.all);
  MN_TRY(mn_parallel(ctx, data->rows, search_row, &w));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

void mn_neighbors_votes(const mn_neighbors *m, size_t k, double *distance)
{
  const double nearest = distance[0]; /* relative weights suffice; 1 / distance could overflow */
  const bool uniform = m->weights == MN_UNIFORM;
  for (size_t i = 0; i < k; i++) /* all are at the same distance when the nearest is at 0 or infinity */
    distance[i] = !uniform && distance[i] > nearest ? nearest / distance[i] : 1;
}

static const char *distance_code(const mn_neighbors *m, bool euclidean)
{
  if (euclidean) return "d = distance2(features, x, 0, rows, i * features)";
  switch (m->metric) {
  case MN_METRIC_MANHATTAN: return "d = manhattan(features, rows, i * features, x, 0)";
  case MN_METRIC_CHEBYSHEV:
    return "for j < features {"
           "  real apart = abs(rows[i * features + j] - x[j])"
           "  d = apart > d ? apart : d"
           "}";
  case MN_METRIC_COSINE:
    return "real both = dot(features, rows, i * features, rows, i * features) * length"
           " d = both > 0 ? 1.0 - dot(features, rows, i * features, x, 0) / sqrt(both) : 1.0";
  default: break;
  }
  return "for j < features { d += pow(abs(rows[i * features + j] - x[j]), p) }";
}

/* As keep_smallest and recompute_distances. */
void mn_neighbors_program(const mn_neighbors *m, mn_program *program)
{
  const bool euclidean = is_euclidean(m);
  mn_program_reals(program, "rows", m->x.rows * m->x.cols, m->x.at);
  mn_program_count(program, "n", m->x.rows);
  mn_program_count(program, "k", (size_t)m->n_neighbors);
  mn_program_real(program, "p", m->p);
  mn_program_code(program, "reals vote[k] ints near[k] int size = 0");
  if (m->metric == MN_METRIC_COSINE) mn_program_code(program, "real length = dot(features, x, 0, x, 0)");
  mn_program_code(program, "for i < n { real d = 0.0");
  mn_program_code(program, distance_code(m, euclidean));
  mn_program_code(program, "  if size < k or d < vote[k - 1] {"
                           "    int at = k - 1"
                           "    if size < k { at = size size += 1 }"
                           "    while at > 0 and d < vote[at - 1] {"
                           "      vote[at] = vote[at - 1] near[at] = near[at - 1] at -= 1"
                           "    }"
                           "    vote[at] = d near[at] = i"
                           "  }"
                           "}");
  if (euclidean)
    mn_program_code(program, "for i < k {"
                             "  real d = sqrt(vote[i]) int row = near[i] int at = i"
                             "  while at > 0 and (vote[at - 1] > d or (vote[at - 1] >= d and near[at - 1] > row)) {"
                             "    vote[at] = vote[at - 1] near[at] = near[at - 1] at -= 1"
                             "  }"
                             "  vote[at] = d near[at] = row"
                             "}");
  else if (m->metric == MN_METRIC_MINKOWSKI)
    mn_program_code(program, "for i < k { vote[i] = pow(vote[i], 1.0 / p) }");
  if (m->weights == MN_UNIFORM)
    mn_program_code(program, "for i < k { vote[i] = 1.0 }");
  else
    mn_program_code(program, "real first = vote[0]"
                             " for i < k { vote[i] = vote[i] > first ? first / vote[i] : 1.0 }");
}

struct options {
  int64_t n_neighbors;
};

static const mn_param option_params[] = {
  MN_COUNT(struct options, n_neighbors, MN_UNSET, MN_CLOSED(1, INT32_MAX),
           "number of neighbors; nil: the parameter of the model"),
  MN_END,
};

static mn_status kneighbors(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                            mn_results *results)
{
  const mn_neighbors *m = self;
  const struct options *o = options;
  const int64_t wanted = o->n_neighbors == MN_UNSET ? m->n_neighbors : o->n_neighbors;
  MN_TRY(check_count(ctx, m, m->x.rows, wanted));
  const size_t k = (size_t)wanted;
  mn_matrix *distances, *indexes;
  int32_t *index = MN_RAW(ctx, int32_t, data->rows, k);
  MN_CHECK_ALLOC(index);
  MN_TRY(mn_result_matrix(ctx, results, "distances", data->rows, k, &distances));
  MN_TRY(mn_result_matrix(ctx, results, "indexes", data->rows, k, &indexes));
  MN_TRY(mn_neighbors_search(ctx, m, data, k, index, distances->at));
  for (size_t i = 0; i < data->rows * k; i++) indexes->at[i] = index[i] + 1;
  return MN_OK;
}

const mn_operation mn_neighbors_operations[] = {
  { .name = "kneighbors",
    .brief = "the nearest training rows of each row of X, nearest first",
    .returns = "distances (rows x n_neighbors), indexes (rows x n_neighbors, 1-based)",
    .needs = MN_NEEDS_X,
    .options = option_params,
    .options_size = sizeof(struct options),
    .run = kneighbors },
  { .name = NULL },
};
