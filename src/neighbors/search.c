#include "search.h"
#include "../core/threads.h"
#include "../math/nearest.h"
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

mn_status mn_neighbors_keep(mn_context *ctx, mn_neighbors *m, const mn_data *data)
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
  double *all; /* workers x kept rows */
  int32_t *index;
  double *distance;
};

/* The k smallest of n, in order, by insertion: k is small, and few values pass the last one. */
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

static void search_row(void *work, size_t block, size_t worker)
{
  const struct search *w = work;
  const mn_matrix *x = &w->m->x;
  const double *q = mn_row(&w->data->x, block);
  double *all = w->all + worker * x->rows, *distance = w->distance + block * w->k;
  switch (w->m->metric) {
  case MN_METRIC_MANHATTAN: mn_manhattan_distances(x->rows, x->cols, x->at, q, all); break;
  case MN_METRIC_CHEBYSHEV: mn_chebyshev_distances(x->rows, x->cols, x->at, q, all); break;
  case MN_METRIC_COSINE: mn_cosine_distances(x->rows, x->cols, x->at, q, all); break;
  default: mn_minkowski_distances(x->rows, x->cols, w->m->p, x->at, q, all); break;
  }
  keep_smallest(x->rows, all, w->k, w->index + block * w->k, distance);
  if (w->m->metric == MN_METRIC_MINKOWSKI)
    for (size_t i = 0; i < w->k; i++) distance[i] = pow(distance[i], 1 / w->m->p);
}

mn_status mn_neighbors_search(mn_context *ctx, const mn_neighbors *m, const mn_data *data, size_t k, int32_t *index,
                              double *distance)
{
  MN_TRY(check_count(ctx, m, m->x.rows, (int64_t)k)); /* set_params may have raised it since fit */
  const bool euclidean =
      m->metric == MN_METRIC_EUCLIDEAN || (m->metric == MN_METRIC_MINKOWSKI && !(m->p < 2) && !(m->p > 2));
  if (euclidean) {
    MN_TRY(mn_nearest_rows(ctx, data->rows, m->x.rows, m->x.cols, data->x.at, m->x.at, k, false, index, distance));
    for (size_t i = 0; i < data->rows * k; i++) distance[i] = sqrt(distance[i]);
    return MN_OK;
  }
  const mn_mark mark = mn_scratch_mark(ctx);
  struct search w = { .m = m, .data = data, .k = k, .index = index, .distance = distance };
  w.all = MN_RAW(ctx, double, mn_threads(ctx), m->x.rows);
  MN_NEED(w.all);
  MN_TRY(mn_parallel(ctx, data->rows, search_row, &w));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

void mn_neighbors_votes(const mn_neighbors *m, size_t k, double *distance)
{
  const double nearest = distance[0]; /* shares matter only, so it counts 1: 1 / distance may overflow */
  const bool uniform = m->weights == MN_UNIFORM, exact = !(nearest > 0);
  for (size_t i = 0; i < k; i++) {
    if (uniform)
      distance[i] = 1;
    else if (exact)
      distance[i] = distance[i] > 0 ? 0 : 1;
    else
      distance[i] = nearest / distance[i];
  }
}

struct options {
  int64_t n_neighbors;
};

static const mn_param option_params[] = {
  MN_COUNT(struct options, n_neighbors, MN_UNSET, MN_BETWEEN(1, INT32_MAX), "how many; nil: those of the model"),
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
  MN_NEED(index);
  MN_TRY(mn_result_matrix(ctx, results, "distances", data->rows, k, &distances));
  MN_TRY(mn_result_matrix(ctx, results, "indexes", data->rows, k, &indexes));
  MN_TRY(mn_neighbors_search(ctx, m, data, k, index, distances->at));
  for (size_t i = 0; i < data->rows * k; i++) indexes->at[i] = index[i] + 1;
  return MN_OK;
}

const mn_operation mn_neighbors_operations[] = {
  { .name = "kneighbors",
    .brief = "the nearest rows of the fit for each row of X, nearest first",
    .returns = "distances (rows x n_neighbors), indexes (rows x n_neighbors, 1-based)",
    .needs = MN_NEEDS_X,
    .options = option_params,
    .options_size = sizeof(struct options),
    .run = kneighbors },
  { .name = NULL },
};
