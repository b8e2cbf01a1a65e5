/* New rows in a fixed map, as in openTSNE (Policar, Strazar & Zupan, J. Stat. Software 109 (2024)): each starts at the
 * weighted median of its neighbors, and descends the divergence of its own neighbor probabilities,
 *
 *     C_i = sum_j p_j|i log(p_j|i / q_j|i),    q_j|i = w_ij / sum_k w_ik,
 *
 * so that new rows do not act on each other. A row at distance 0 from training rows is placed on them. */
#include "neighbor_table.h"
#include "tsne.h"
#include <math.h>
#include <string.h>

static const double rate = 0.1, momentum = 0.8, most_gradient = 0.25, exaggeration = 1.5, grid_margin = 0.25;

struct placing {
  const struct mn_tsne *model;
  size_t k;
  mn_perplexities perplexity;
  const int32_t *found;     /* rows x k                                                      */
  double *distance;         /* rows x k                                                      */
  double *columns;          /* components x n: the map, for all pairs; or NULL                */
  const mn_tsne_grid *grid; /* or NULL                                                    */
  double *workspace;        /* workspace_size for each worker                             */
  size_t workspace_size;
  mn_matrix *out;
  mn_blocks blocks;
};

/* The mean of the training rows at distance 0. False: there are none. */
static bool place_on_copies(const struct placing *w, size_t row)
{
  const mn_matrix *map = &w->model->embedding;
  double *y = mn_row(w->out, row);
  size_t copies = 0;
  while (copies < w->k && w->distance[row * w->k + copies] == 0) copies++;
  for (size_t c = 0; copies > 0 && c < map->cols; c++) {
    y[c] = 0;
    for (size_t j = 0; j < copies; j++) y[c] += mn_row(map, (size_t)w->found[row * w->k + j])[c] / (double)copies;
  }
  return copies > 0;
}

/* The value below which half of the probability is. value, p: k, sorted here. */
static double weighted_median(size_t k, double *value, double *p)
{
  for (size_t i = 1; i < k; i++) {
    const double v = value[i], weight = p[i];
    size_t j = i;
    for (; j > 0 && value[j - 1] > v; j--) {
      value[j] = value[j - 1];
      p[j] = p[j - 1];
    }
    value[j] = v;
    p[j] = weight;
  }
  double below = 0;
  size_t i = 0;
  while (i + 1 < k && (below += p[i]) < 0.5) i++;
  return value[i];
}

/* The gradient of C_i at y without its constant factor. */
static void find_gradient(const struct placing *w, const int32_t *found, const double *p, const double *y, double *work,
                          double *gradient)
{
  const mn_matrix *map = &w->model->embedding;
  const size_t dims = map->cols;
  const double dof = w->model->effective_dof;
  double *repulsion = work, similarity;
  if (w->grid) {
    mn_tsne_grid_read(w->grid, 1, y, false, &similarity, repulsion);
    for (size_t c = 0; c < dims; c++) repulsion[c] *= -dof / (dof + 1);
  } else {
    mn_tsne_pairs s = {
      .n = map->rows, .dims = dims, .y = w->columns, .at = y, .dof = dof, .work = work + dims, .repulsion = repulsion
    };
    mn_tsne_all_pairs(&s);
    similarity = s.similarity;
  }
  for (size_t c = 0; c < dims; c++) gradient[c] = -repulsion[c] / fmax(similarity, DBL_MIN);
  for (size_t j = 0; j < w->k; j++) {
    const double *to = mn_row(map, (size_t)found[j]);
    double square = 0;
    for (size_t c = 0; c < dims; c++) square += (y[c] - to[c]) * (y[c] - to[c]);
    const double pull = exaggeration * p[j] / (1 + square / dof);
    for (size_t c = 0; c < dims; c++) gradient[c] += pull * (y[c] - to[c]);
  }
}

/* One step of the descent; `state` has the updates and gains of the components. */
static void step(const struct placing *w, double *gradient, double *state, double *y)
{
  const size_t dims = w->model->embedding.cols;
  double *gain = state + dims, square = 0;
  for (size_t c = 0; c < dims; c++) square += gradient[c] * gradient[c];
  const double shrink = square > most_gradient * most_gradient ? most_gradient / sqrt(square) : 1;
  for (size_t c = 0; c < dims; c++) {
    const double slope = shrink * gradient[c];
    gain[c] = fmax(state[c] * slope < 0 ? gain[c] + 0.2 : gain[c] * 0.8, 0.01);
    state[c] = momentum * state[c] - rate * gain[c] * slope;
    y[c] += state[c];
    const size_t axis = w->grid ? 2 - dims + c : 0;
    if (w->grid) y[c] = fmin(fmax(y[c], w->grid->low[axis]), w->grid->high[axis]);
  }
}

static void place_row(const struct placing *w, size_t row, double *work)
{
  const mn_matrix *map = &w->model->embedding;
  const size_t k = w->k, dims = map->cols;
  const int32_t *found = w->found + row * k;
  double *y = mn_row(w->out, row), *p = work, *value = p + k, *weight = value + k, *gradient = weight + k;
  double *state = gradient + dims, *spare = state + 2 * dims;
  if (place_on_copies(w, row)) return;
  mn_tsne_conditional(w->perplexity, k, w->distance + row * k, p, value);
  for (size_t c = 0; c < dims; c++) {
    for (size_t j = 0; j < k; j++) value[j] = mn_row(map, (size_t)found[j])[c];
    memcpy(weight, p, k * sizeof *p);
    y[c] = weighted_median(k, value, weight);
    state[c] = 0;
    state[dims + c] = 1;
  }
  for (int64_t i = 0; i < w->model->transform_iter; i++) {
    find_gradient(w, found, p, y, spare, gradient);
    step(w, gradient, state, y);
  }
}

static void place_block(void *work, size_t block, size_t worker)
{
  const struct placing *w = work;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++)
    place_row(w, i, w->workspace + worker * w->workspace_size);
}

/* The nearest training rows of all rows of X. */
static mn_status find_neighbors(mn_context *ctx, const struct mn_tsne *m, const mn_data *data, struct placing *w)
{
  const size_t n = m->embedding.rows;
  const mn_points queries = { .n = data->rows, .d = data->features, .x = data->x.at, .sparse = data->sparse };
  const mn_points rows = {
    .n = n, .d = data->features, .x = m->training_rows.at, .sparse = m->sparse_rows.start ? &m->sparse_rows : NULL
  };
  mn_neighbor_index index = { 0 };
  if (data->sparse && m->metric == MN_METRIC_PRECOMPUTED) {
    mn_neighbor_table t;
    MN_TRY(mn_neighbor_table_new(ctx, data->rows, w->k, &t));
    MN_TRY(mn_neighbor_table_given(ctx, mn_tsne_name, "transform_perplexity", data, false, &t));
    w->found = t.found;
    w->distance = t.distance;
    return MN_OK;
  }
  int32_t *found = MN_RAW(ctx, int32_t, data->rows, w->k);
  w->distance = MN_RAW(ctx, double, data->rows, w->k);
  w->found = found;
  if (!found || !w->distance) return MN_NO_MEMORY;
  MN_TRY(mn_tsne_index(ctx, m, MN_INDEX_AUTO, w->k, &rows, &index));
  return mn_neighbor_nearest(ctx, &index, &rows, &queries, w->k, found, w->distance);
}

mn_status mn_tsne_place(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct mn_tsne *m = self;
  const size_t n = m->embedding.rows, dims = m->embedding.cols;
  const double perplexity = fmax(fmin(m->transform_perplexity, (double)(n - 1) / 3), 1);
  struct placing w = { .model = m, .perplexity = { 1, &perplexity }, .out = out };
  mn_tsne_grid grid = mn_tsne_grid_make(dims, m->effective_dof, m->grid_spacing, grid_margin);
  w.k = mn_tsne_neighbors(w.perplexity, n);
  w.blocks = mn_make_blocks(data->rows, 8, SIZE_MAX);
  w.workspace_size = 4 * w.k + 8 * dims + 2 * n;
  w.workspace = MN_RAW(ctx, double, mn_threads(ctx), w.workspace_size);
  MN_CHECK_ALLOC(w.workspace);
  MN_TRY(find_neighbors(ctx, m, data, &w));
  if (dims <= 2 && n > MN_TSNE_FEW_ROWS) {
    MN_TRY(mn_tsne_grid_fill(ctx, &grid, n, m->embedding.at));
    w.grid = &grid;
  } else {
    w.columns = MN_RAW(ctx, double, dims, n);
    MN_CHECK_ALLOC(w.columns);
    for (size_t i = 0; i < n; i++)
      for (size_t c = 0; c < dims; c++) w.columns[c * n + i] = mn_row(&m->embedding, i)[c];
  }
  return mn_parallel(ctx, w.blocks.count, place_block, &w);
}
