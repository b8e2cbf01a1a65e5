#include "../core/threads.h"
#include "umap.h"
#include <string.h>

static const char who[] = "UMAP";

/* --- new rows --- */

static mn_status nearest_training_rows(mn_context *ctx, const struct mn_umap *m, const mn_data *data,
                                       mn_neighbor_table *t)
{
  const mn_points rows = mn_umap_training_points(m);
  const mn_points queries = { .n = data->rows, .d = data->features, .x = data->x.at, .sparse = data->sparse };
  if (m->metric == MN_METRIC_PRECOMPUTED) return mn_neighbor_table_given(ctx, who, "n_neighbors", data, false, t);
  MN_TRY(mn_neighbor_nearest(ctx, &m->index, &rows, &queries, t->k, t->found, t->distance));
  return mn_check_neighbor_distances(ctx, who, t->n, t->k, t->distance);
}

/* Start at the mean of the neighbors by strength. A row at distance 0 of a training row stays at its position, since it
 * loses its edges. */
static void start_rows(const struct mn_umap *m, const mn_neighbor_table *t, mn_csr *v, double *y)
{
  const size_t columns = m->embedding.cols;
  size_t used = 0, begin = 0;
  for (size_t i = 0; i < t->n; i++) {
    const size_t end = v->start[i + 1];
    double total = 0, *at = y + i * columns;
    const bool known = !(t->distance[i * t->k] > 0);
    memset(at, 0, columns * sizeof *at);
    if (known) memcpy(at, mn_row(&m->embedding, (size_t)t->found[i * t->k]), columns * sizeof *at);
    for (size_t e = begin; !known && e < end; e++) {
      total += v->at[e];
      for (size_t c = 0; c < columns; c++)
        at[c] += v->at[e] / total * (mn_row(&m->embedding, (size_t)v->col[e])[c] - at[c]);
      v->col[used] = v->col[e];
      v->at[used++] = v->at[e];
    }
    begin = end;
    v->start[i + 1] = used;
  }
}

mn_status mn_umap_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  enum { EPOCHS = 100 };
  const struct mn_umap *m = self;
  const size_t n = data->rows, k = (size_t)m->n_neighbors;
  mn_neighbor_table t;
  double *rho = MN_RAW(ctx, double, n, 1), *sigma = MN_RAW(ctx, double, n, 1);
  if (!rho || !sigma) return MN_NO_MEMORY;
  MN_TRY(mn_neighbor_table_new(ctx, n, k, &t));
  MN_TRY(nearest_training_rows(ctx, m, data, &t));
  MN_TRY(mn_fuzzy_bandwidths(ctx, &t, fmax(m->local_connectivity - 1, 0), false, rho, sigma));
  mn_csr v;
  MN_TRY(mn_fuzzy_directed(ctx, &t, m->embedding.rows, rho, sigma, false, &v));
  start_rows(m, &t, &v, out->at);
  mn_umap_settings s = mn_umap_layout_settings(m, m->n_epochs == MN_UNSET ? EPOCHS : (m->n_epochs + 2) / 3);
  s.learning_rate /= 4;
  return mn_umap_place(ctx, &s, &v, m->embedding.at, out->at);
}

/* --- the inverse --- */

struct inversion {
  const struct mn_umap *model;
  const mn_neighbor_table *table; /* nearest positions of each row */
  double *out;
  double *next; /* for each worker: features */
  mn_blocks blocks;
};

/* One step of Weiszfeld's method for x: the mean of the training rows with the weights q_j / (sigma_j |x - x_j|).
 * `first`: without the distances. Returns how far x moves relative to the mean distance. */
static double median_step(const struct inversion *w, size_t i, bool first, double *next, double *x)
{
  const struct mn_umap *m = w->model;
  const size_t p = m->training_rows.cols, k = w->table->k;
  double total = 0, moved = 0, mean = 0;
  memset(next, 0, p * sizeof *next);
  for (size_t j = 0; j < k; j++) {
    const size_t row = (size_t)w->table->found[i * k + j];
    const double d = w->table->distance[i * k + j], *to = mn_row(&m->training_rows, row);
    double square = 0;
    for (size_t c = 0; c < p && !first; c++) square += (x[c] - to[c]) * (x[c] - to[c]);
    const double far = sqrt(square), q = 1 / (1 + m->a * pow(d, 2 * m->b));
    const double sigma = m->sigmas.at[row] > 0 ? m->sigmas.at[row] : 1;
    const double weight = q / (first ? 1 : sigma * fmax(far, 1e-9 * sigma));
    mean += far / (double)k;
    total += weight;
    for (size_t c = 0; c < p; c++) next[c] += weight / total * (to[c] - next[c]);
  }
  for (size_t c = 0; c < p; c++) moved += (next[c] - x[c]) * (next[c] - x[c]);
  memcpy(x, next, p * sizeof *x);
  return mean > 0 ? sqrt(moved) / mean : 0;
}

static void invert_block(void *work, size_t block, size_t worker)
{
  enum { MAX_STEPS = 100 };
  const struct inversion *w = work;
  const size_t p = w->model->training_rows.cols;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    double *x = w->out + i * p, *next = w->next + worker * p;
    median_step(w, i, true, next, x);
    int steps = 0;
    while (steps < MAX_STEPS && median_step(w, i, false, next, x) > 1e-6) steps++;
  }
}

mn_status mn_umap_inverse_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct mn_umap *m = self;
  if (m->metric != MN_METRIC_EUCLIDEAN || m->sparse_rows.start)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: inverse_transform requires a fit with metric = 'euclidean' and a dense X",
                   who);
  const size_t n = data->rows, k = (size_t)m->n_neighbors;
  const mn_points positions = { .n = m->embedding.rows, .d = m->embedding.cols, .x = m->embedding.at };
  const mn_points queries = { .n = n, .d = data->features, .x = data->x.at };
  const mn_index_options options = { .metric = { .kind = MN_METRIC_EUCLIDEAN }, .leaf_size = 30, .scratch = true };
  mn_neighbor_table t;
  struct inversion w = { m, &t, out->at, MN_RAW(ctx, double, mn_threads(ctx), m->training_rows.cols),
                         mn_make_blocks(n, 4, SIZE_MAX) };
  mn_neighbor_index index = { 0 };
  MN_CHECK_ALLOC(w.next);
  MN_TRY(mn_neighbor_table_new(ctx, n, k, &t));
  MN_TRY(mn_neighbor_index_init(ctx, who, &index, &positions, options));
  MN_TRY(mn_neighbor_nearest(ctx, &index, &positions, &queries, k, t.found, t.distance));
  return mn_parallel(ctx, w.blocks.count, invert_block, &w);
}
