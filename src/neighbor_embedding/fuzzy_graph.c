#include "fuzzy_graph.h"
#include "../core/threads.h"
#include "../linalg/csr.h"
#include <math.h>

static const double min_bandwidth = 1e-3; /* as a fraction of a mean distance */

/* --- rho and sigma --- */

struct bandwidths {
  const mn_neighbor_table *table;
  double local_connectivity, mean; /* mean: of all distances */
  bool own;
  double *rho, *sigma;
  mn_blocks blocks;
};

static double nearest_distance(size_t k, const double *distance, double local_connectivity)
{
  size_t first = 0;
  while (first < k && !(distance[first] > 0)) first++;
  const double *positive = distance + first;
  const size_t count = k - first, whole = (size_t)floor(local_connectivity);
  const double rest = local_connectivity - (double)whole;
  if (count == 0) return 0;
  if ((double)count < local_connectivity) return positive[count - 1];
  if (whole == 0) return rest * positive[0];
  return positive[whole - 1] + (rest > 0 ? rest * (positive[whole] - positive[whole - 1]) : 0);
}

/* 1 / sigma is the root u of sum_j exp(-u max(d_j - rho, 0)) - target, which is convex and decreases: Newton's method
 * from u = 0 never passes the root. Without a root sigma is 0, or very large if the sum never exceeds the target. */
static double solve_bandwidth(size_t k, const double *distance, double rho, double target)
{
  enum { MAX_STEPS = 200 };
  double u = 0;
  for (int step = 0; step < MAX_STEPS; step++) {
    double excess = -target, slope = 0;
    for (size_t j = 1; j < k; j++) {
      const double beyond = fmax(distance[j] - rho, 0), v = exp(-u * beyond);
      excess += v;
      slope += beyond * v;
    }
    if (excess <= 1e-13 * target) break;
    if (!(slope > 0) || !isfinite(excess / slope)) return 0;
    u += excess / slope;
  }
  return u > 0 ? 1 / u : 0x1p40 * (distance[k - 1] > 0 ? distance[k - 1] : 1);
}

static void bandwidth_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct bandwidths *w = work;
  const size_t k = w->table->k;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    const double *distance = w->table->distance + i * k;
    double mean = 0;
    for (size_t j = 0; j < k; j++) mean += distance[j] / (double)k;
    w->rho[i] = nearest_distance(k, distance, w->local_connectivity);
    w->sigma[i] = fmax(solve_bandwidth(k, distance, w->rho[i], log2((double)k)),
                       min_bandwidth * (w->rho[i] > 0 || !w->own ? mean : w->mean));
  }
}

mn_status mn_fuzzy_bandwidths(mn_context *ctx, const mn_neighbor_table *t, double local_connectivity, bool own,
                              double *rho, double *sigma)
{
  struct bandwidths w = { t, local_connectivity, 0, own, rho, sigma, mn_make_blocks(t->n, 64, SIZE_MAX) };
  for (size_t i = 0; i < t->n * t->k; i++) w.mean += t->distance[i] / (double)(t->n * t->k);
  return mn_parallel(ctx, w.blocks.count, bandwidth_block, &w);
}

/* --- directed strengths --- */

double mn_fuzzy_strength(double distance, double rho, double sigma)
{
  return distance <= rho || !(sigma > 0) ? 1 : exp(-(distance - rho) / sigma);
}

mn_status mn_fuzzy_directed(mn_context *ctx, const mn_neighbor_table *t, size_t cols, const double *rho,
                            const double *sigma, bool own, mn_csr *v)
{
  *v = (mn_csr){ .rows = t->n, .cols = cols };
  v->start = MN_NEW(ctx, size_t, t->n + 1, 1);
  v->col = MN_RAW(ctx, int32_t, t->n, t->k);
  v->at = MN_RAW(ctx, double, t->n, t->k);
  if (!v->start || !v->col || !v->at) return MN_NO_MEMORY;
  size_t used = 0;
  for (size_t i = 0; i < t->n; i++) {
    for (size_t j = 0; j < t->k; j++) {
      const int32_t found = t->found[i * t->k + j];
      const double value = mn_fuzzy_strength(t->distance[i * t->k + j], rho[i], sigma[i]);
      if ((own && (size_t)found == i) || !(value > 0)) continue;
      v->col[used] = found;
      v->at[used++] = value;
    }
    v->start[i + 1] = used;
    mn_csr_sort_row(v->col + v->start[i], v->at + v->start[i], used - v->start[i]);
  }
  return MN_OK;
}

/* --- two matrices of the same size, merged by row --- */

/* The value of an edge that has the values a and b in two graphs, NaN where one lacks it. */
typedef double (*merge_function)(const void *user, double a, double b);

static mn_status merge(mn_context *ctx, const mn_csr *a, const mn_csr *b, merge_function value, const void *user,
                       mn_csr *out)
{
  const size_t n = a->rows, most = a->start[n] + b->start[n];
  *out = (mn_csr){ .rows = n, .cols = a->cols };
  out->start = MN_NEW(ctx, size_t, n + 1, 1);
  out->col = MN_RAW(ctx, int32_t, most, 1);
  out->at = MN_RAW(ctx, double, most, 1);
  if (!out->start || !out->col || !out->at) return MN_NO_MEMORY;
  size_t used = 0;
  for (size_t i = 0; i < n; i++) {
    size_t p = a->start[i], q = b->start[i];
    while (p < a->start[i + 1] || q < b->start[i + 1]) {
      const int32_t in_a = p < a->start[i + 1] ? a->col[p] : INT32_MAX;
      const int32_t in_b = q < b->start[i + 1] ? b->col[q] : INT32_MAX;
      const double merged = value(user, in_a <= in_b ? a->at[p] : (double)NAN, in_b <= in_a ? b->at[q] : (double)NAN);
      if (merged > 0) {
        out->col[used] = in_a < in_b ? in_a : in_b;
        out->at[used++] = merged;
      }
      p += in_a <= in_b;
      q += in_b <= in_a;
    }
    out->start[i + 1] = used;
  }
  return MN_OK;
}

static double mixed_union(const void *user, double a, double b)
{
  const double mix = *(const double *)user, x = isnan(a) ? 0 : a, y = isnan(b) ? 0 : b;
  return mix * (x + y - x * y) + (1 - mix) * x * y;
}

mn_status mn_fuzzy_union(mn_context *ctx, const mn_csr *v, double mix, mn_csr *w)
{
  mn_csr transposed;
  MN_TRY(mn_csr_transpose_scratch(ctx, v, &transposed));
  return merge(ctx, v, &transposed, mixed_union, &mix, w);
}

/* --- targets --- */

/* Give each row an edge of weight 1 again, and join both directions. */
static mn_status restore_connectivity(mn_context *ctx, mn_csr *graph)
{
  mn_csr joined;
  for (size_t i = 0; i < graph->rows; i++) {
    double largest = 0;
    for (size_t e = graph->start[i]; e < graph->start[i + 1]; e++) largest = fmax(largest, graph->at[e]);
    for (size_t e = graph->start[i]; e < graph->start[i + 1]; e++) graph->at[e] /= largest;
  }
  MN_TRY(mn_fuzzy_union(ctx, graph, 1, &joined));
  *graph = joined;
  return MN_OK;
}

mn_status mn_fuzzy_by_labels(mn_context *ctx, const int32_t *code, double weight, mn_csr *graph)
{
  const double unequal = weight < 1 ? exp(-2.5 / (1 - weight)) : 0, unknown = exp(-1);
  size_t used = 0, begin = 0;
  for (size_t i = 0; i < graph->rows; i++) {
    for (size_t e = begin; e < graph->start[i + 1]; e++) {
      const int32_t j = graph->col[e];
      const double factor = code[i] < 0 || code[j] < 0 ? unknown : code[i] == code[j] ? 1 : unequal;
      if (!(factor * graph->at[e] > 0)) continue;
      graph->col[used] = j;
      graph->at[used++] = factor * graph->at[e];
    }
    begin = graph->start[i + 1];
    graph->start[i + 1] = used;
  }
  return restore_connectivity(ctx, graph);
}

struct target_mix {
  double weight, least_w, least_v;
};

static double mixed_intersection(const void *user, double a, double b)
{
  const struct target_mix *m = user;
  const double w = isnan(a) ? m->least_w : a, v = isnan(b) ? m->least_v : b;
  return m->weight < 0.5 ? w * pow(v, m->weight / (1 - m->weight)) : pow(w, (1 - m->weight) / m->weight) * v;
}

/* Half of the smallest value. */
static double half_of_least(const mn_csr *s)
{
  double least = 1;
  for (size_t e = 0; e < s->start[s->rows]; e++) least = fmin(least, s->at[e]);
  return fmax(least / 2, 1e-8);
}

mn_status mn_fuzzy_by_targets(mn_context *ctx, const mn_csr *target, double weight, mn_csr *graph)
{
  const struct target_mix mix = { weight, half_of_least(graph), fmin(half_of_least(target), 1e-4) };
  mn_csr merged;
  MN_TRY(merge(ctx, graph, target, mixed_intersection, &mix, &merged));
  *graph = merged;
  return restore_connectivity(ctx, graph);
}
