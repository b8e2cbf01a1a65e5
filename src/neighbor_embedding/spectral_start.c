#include "spectral_start.h"
#include "../core/rng.h"
#include "../eigen/lanczos.h"
#include "../linalg/csr.h"
#include "../spanning_tree/components.h"
#include "../manifold/classical.h"
#include <math.h>
#include <string.h>

/* Coordinates to start from need no more. */
static const double tolerance = 1e-4;
enum { MAX_RESTARTS = 30, MAX_SCALED = 2000 }; /* MAX_SCALED: components that classical scaling places */

mn_status mn_graph_components(mn_context *ctx, const mn_csr *graph, int32_t *label, size_t *count)
{
  const size_t n = graph->rows;
  int32_t *parent = MN_RAW(ctx, int32_t, n, 1);
  MN_CHECK_ALLOC(parent);
  mn_components_init(parent, n);
  for (size_t i = 0; i < n; i++)
    for (size_t e = graph->start[i]; e < graph->start[i + 1]; e++)
      mn_components_join(parent, (int32_t)i, graph->col[e]);
  *count = 0;
  for (size_t i = 0; i < n; i++) { /* the root is the first node */
    const int32_t root = mn_component(parent, (int32_t)i);
    label[i] = (size_t)root == i ? (int32_t)(*count)++ : label[root];
  }
  return MN_OK;
}

/* --- one component --- */

/* x A' for several x, A = D^-1/2 W D^-1/2. */
static mn_status multiply(mn_context *ctx, void *user, size_t count, const double *x, double *y)
{
  const mn_csr *a = user;
  const size_t n = a->rows;
  const mn_mark mark = mn_scratch_mark(ctx);
  double *from = MN_RAW(ctx, double, n, count), *to = MN_RAW(ctx, double, n, count);
  if (!from || !to) return MN_NO_MEMORY;
  for (size_t v = 0; v < count; v++)
    for (size_t i = 0; i < n; i++) from[i * count + v] = x[v * n + i];
  MN_TRY(mn_csr_multiply(ctx, a, count, from, to));
  for (size_t v = 0; v < count; v++)
    for (size_t i = 0; i < n; i++) y[v * n + i] = to[i * count + v];
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* Scale the values of a symmetric graph to those of A. */
static mn_status normalize(mn_context *ctx, mn_csr *graph)
{
  double *root = MN_NEW(ctx, double, graph->rows, 1);
  MN_CHECK_ALLOC(root);
  for (size_t i = 0; i < graph->rows; i++) {
    for (size_t e = graph->start[i]; e < graph->start[i + 1]; e++) root[i] += graph->at[e];
    root[i] = sqrt(root[i]);
  }
  for (size_t i = 0; i < graph->rows; i++)
    for (size_t e = graph->start[i]; e < graph->start[i + 1]; e++) graph->at[e] /= root[i] * root[graph->col[e]];
  return MN_OK;
}

/* Eigenvectors of the largest eigenvalues of A but the first, scaled to a largest element of `size`. */
static mn_status embed(mn_context *ctx, mn_csr *graph, size_t columns, double size, double *out)
{
  const size_t n = graph->rows, k = columns + 1;
  double *values = MN_RAW(ctx, double, k, 1), *vectors = MN_RAW(ctx, double, k, n), largest = 0;
  bool converged; /* the best vectors found will do */
  if (!values || !vectors) return MN_NO_MEMORY;
  MN_TRY(normalize(ctx, graph));
  const mn_eigenproblem problem = { .n = n,
                                    .k = k,
                                    .end = MN_LARGEST,
                                    .apply = multiply,
                                    .user = graph,
                                    .tolerance = tolerance,
                                    .max_iter = MAX_RESTARTS };
  MN_TRY(mn_eigs(ctx, &problem, values, vectors, &converged));
  for (size_t e = n; e < k * n; e++) largest = fmax(largest, fabs(vectors[e]));
  for (size_t i = 0; i < n; i++)
    for (size_t c = 0; c < columns; c++) out[i * columns + c] = size / largest * vectors[(c + 1) * n + i];
  return MN_OK;
}

/* --- several components --- */

struct parts {
  const mn_csr *graph;
  size_t count, columns;
  size_t *first, *node;  /* count + 1: where the nodes of each component begin in node[] */
  int32_t *position;     /* of each node in its component   */
  double *center, *size; /* count x columns; count: largest coordinate within the component */
};

static mn_status sort_nodes(mn_context *ctx, const int32_t *label, struct parts *p)
{
  const size_t n = p->graph->rows;
  p->first = MN_NEW(ctx, size_t, p->count + 1, 1);
  p->node = MN_RAW(ctx, size_t, n, 1);
  p->position = MN_RAW(ctx, int32_t, n, 1);
  p->center = MN_NEW(ctx, double, p->count, p->columns);
  p->size = MN_RAW(ctx, double, p->count, 1);
  size_t *next = MN_RAW(ctx, size_t, p->count, 1);
  if (!p->first || !p->node || !p->position || !p->center || !p->size || !next) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++) p->first[label[i] + 1]++;
  for (size_t c = 0; c < p->count; c++) {
    p->first[c + 1] += p->first[c];
    next[c] = p->first[c];
  }
  for (size_t i = 0; i < n; i++) {
    p->position[i] = (int32_t)(next[label[i]] - p->first[label[i]]);
    p->node[next[label[i]]++] = i;
  }
  return MN_OK;
}

/* The node of largest degree of each component. */
static void find_hubs(const struct parts *p, size_t *hub)
{
  const mn_csr *g = p->graph;
  for (size_t c = 0; c < p->count; c++) {
    double best = -1;
    for (size_t q = p->first[c]; q < p->first[c + 1]; q++) {
      double degree = 0;
      for (size_t e = g->start[p->node[q]]; e < g->start[p->node[q] + 1]; e++) degree += g->at[e];
      if (degree > best) hub[c] = p->node[q];
      best = fmax(best, degree);
    }
  }
}

static mn_status scale_hubs(mn_context *ctx, struct parts *p, mn_node_distances distances, const void *user)
{
  size_t *hub = MN_RAW(ctx, size_t, p->count, 1);
  double *distance = MN_RAW(ctx, double, p->count, p->count), largest = 0;
  mn_classical_scaling scaling;
  if (!hub || !distance) return MN_NO_MEMORY;
  find_hubs(p, hub);
  MN_TRY(distances(ctx, user, p->count, hub, distance));
  MN_TRY(mn_classical_scale(ctx, p->count, p->columns, distance, &scaling));
  for (size_t i = 0; i < p->count * p->columns; i++) largest = fmax(largest, fabs(scaling.embedding[i]));
  for (size_t i = 0; i < p->count * p->columns; i++) p->center[i] = largest > 0 ? scaling.embedding[i] / largest : 0;
  return MN_OK;
}

/* A component extends over half of the distance to the nearest center of another. */
static void find_sizes(struct parts *p)
{
  for (size_t a = 0; a < p->count; a++) {
    double nearest = INFINITY;
    for (size_t b = 0; b < p->count && p->count <= MAX_SCALED; b++) {
      double square = 0;
      for (size_t c = 0; c < p->columns; c++)
        square += pow(p->center[a * p->columns + c] - p->center[b * p->columns + c], 2);
      if (square > 0) nearest = fmin(nearest, sqrt(square));
    }
    p->size[a] = isfinite(nearest) ? nearest / 2 : 1 / sqrt((double)p->count);
  }
}

static mn_status place_centers(mn_context *ctx, struct parts *p, mn_node_distances distances, const void *user,
                               int64_t seed)
{
  mn_rng rng = mn_stream(seed, 0);
  if (p->count <= 2 * p->columns) {
    const size_t axes = (p->count + 1) / 2;
    for (size_t c = 0; c < p->count; c++) p->center[c * p->columns + c % axes] = c < axes ? 1 : -1;
  } else if (distances && p->count <= MAX_SCALED) {
    MN_TRY(scale_hubs(ctx, p, distances, user));
  } else {
    for (size_t i = 0; i < p->count * p->columns; i++) p->center[i] = 2 * mn_random_uniform(&rng) - 1;
  }
  find_sizes(p);
  return MN_OK;
}

/* The graph of one component alone. */
static mn_status extract(mn_context *ctx, const struct parts *p, size_t c, mn_csr *part)
{
  const mn_csr *g = p->graph;
  size_t used = 0;
  for (size_t q = p->first[c]; q < p->first[c + 1]; q++) used += g->start[p->node[q] + 1] - g->start[p->node[q]];
  *part = (mn_csr){ .rows = p->first[c + 1] - p->first[c] };
  part->cols = part->rows;
  part->start = MN_NEW(ctx, size_t, part->rows + 1, 1);
  part->col = MN_RAW(ctx, int32_t, used, 1);
  part->at = MN_RAW(ctx, double, used, 1);
  if (!part->start || !part->col || !part->at) return MN_NO_MEMORY;
  used = 0;
  for (size_t i = 0; i < part->rows; i++) {
    const size_t node = p->node[p->first[c] + i];
    for (size_t e = g->start[node]; e < g->start[node + 1]; e++) {
      part->col[used] = p->position[g->col[e]];
      part->at[used++] = g->at[e];
    }
    part->start[i + 1] = used;
  }
  return MN_OK;
}

static mn_status embed_part(mn_context *ctx, const struct parts *p, size_t c, int64_t seed, double *out)
{
  const size_t n = p->first[c + 1] - p->first[c], columns = p->columns;
  const mn_mark mark = mn_scratch_mark(ctx);
  double *local = MN_RAW(ctx, double, n, columns);
  MN_CHECK_ALLOC(local);
  if (n < 2 * columns || n <= columns + 1) {
    mn_rng rng = mn_stream(seed, c + 1);
    for (size_t i = 0; i < n * columns; i++) local[i] = p->size[c] * (2 * mn_random_uniform(&rng) - 1);
  } else {
    mn_csr part;
    MN_TRY(extract(ctx, p, c, &part));
    MN_TRY(embed(ctx, &part, columns, p->size[c], local));
  }
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < columns; j++)
      out[p->node[p->first[c] + i] * columns + j] = p->center[c * columns + j] + local[i * columns + j];
  mn_scratch_release(ctx, mark);
  return mn_poll(ctx);
}

mn_status mn_spectral_start(mn_context *ctx, const mn_csr *graph, const int32_t *label, size_t count,
                            mn_node_distances distances, const void *user, int64_t seed, size_t columns, double *out)
{
  struct parts p = { .graph = graph, .count = count, .columns = columns };
  MN_TRY(sort_nodes(ctx, label, &p));
  if (count == 1)
    p.size[0] = 1;
  else
    MN_TRY(place_centers(ctx, &p, distances, user, seed));
  for (size_t c = 0; c < count; c++) MN_TRY(embed_part(ctx, &p, c, seed, out));
  return MN_OK;
}
