/* Initial responsibilities: every row is assigned to one expert. */
#include "../cluster/kmeans_start.h"
#include "../factorization/lapack.h"
#include "experts.h"
#include <string.h>

const char *const mn_experts_inits[] = { "rows", "k-means++", "random", "mixed", NULL };

static void assign(mn_experts_problem *p, size_t row, size_t expert)
{
  memset(p->r + row * p->k, 0, p->k * sizeof *p->r);
  p->r[row * p->k + expert] = 1;
}

static void init_random(mn_experts_problem *p, mn_rng *rng)
{
  for (size_t i = 0; i < p->n; i++) assign(p, i, mn_random_below(rng, p->k));
}

/* Coefficients of the least-squares fit to `count` rows drawn by their weights. */
static mn_status fit_subset(mn_context *ctx, mn_experts_problem *p, size_t count, mn_rng *rng, double *b)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  double *x = MN_RAW(ctx, double, count, p->q), *y = MN_RAW(ctx, double, count, 1), rest;
  if (!x || !y) return MN_NO_MEMORY;
  for (size_t i = 0; i < p->n; i++) p->u[i] = mn_weight(p->data, i);
  for (size_t t = 0; t < count; t++) {
    const size_t row = mn_random_weighted(rng, p->u, p->n);
    memcpy(x + t * p->q, p->e + row * p->q, p->q * sizeof *x);
    y[t] = p->y[row];
    p->u[row] = 0;
  }
  const mn_rows rows = { .n = count, .p = p->q, .m = 1, .x = x, .y = y };
  MN_TRY(mn_least_squares(ctx, &rows, 0, b, &rest, NULL));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* The same for classification: a softmax regression on `count` rows drawn by their weights. */
static mn_status fit_subset_labels(mn_context *ctx, mn_experts_problem *p, size_t count, mn_rng *rng, double *b)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  double *remaining = MN_RAW(ctx, double, p->n, 1);
  size_t *row = MN_RAW(ctx, size_t, count, 1);
  if (!remaining || !row) return MN_NO_MEMORY;
  for (size_t i = 0; i < p->n; i++) remaining[i] = mn_weight(p->data, i);
  for (size_t t = 0; t < count; t++) {
    row[t] = mn_random_weighted(rng, remaining, p->n);
    remaining[row[t]] = 0;
  }
  MN_TRY(mn_experts_fit_labels(ctx, p, count, row, b));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* Fit each expert to a few rows drawn at random, then assign each row to the expert that gives its label the highest
 * probability. */
static mn_status init_rows_labels(mn_context *ctx, mn_experts_problem *p, mn_rng *rng)
{
  const size_t target_count = p->labels * (p->q + 1), count = p->n < target_count ? p->n : target_count;
  mn_experts_state s;
  MN_TRY(mn_experts_state_init(ctx, p, &s));
  for (size_t k = 0; k < p->k; k++) MN_TRY(fit_subset_labels(ctx, p, count, rng, s.b + k * p->width));
  MN_TRY(mn_experts_label_scores(ctx, p, &s));
  for (size_t i = 0; i < p->n; i++) {
    double *density = p->r + i * p->k;
    size_t best = 0;
    mn_experts_label_densities(p, i, density);
    for (size_t k = 1; k < p->k; k++) best = density[k] > density[best] ? k : best;
    assign(p, i, best);
  }
  return MN_OK;
}

/* Fit each expert to a few rows drawn at random, then assign each row to the expert with the smallest residual. */
static mn_status init_rows(mn_context *ctx, mn_experts_problem *p, mn_rng *rng)
{
  if (p->labels > 0) return init_rows_labels(ctx, p, rng);
  const size_t max_count = p->n > 1 ? p->n - 1 : 1; /* with all rows all experts would be equal */
  const size_t count = p->q + 1 < max_count ? p->q + 1 : max_count;
  double *b = MN_RAW(ctx, double, p->k, p->q);
  MN_CHECK_ALLOC(b);
  for (size_t k = 0; k < p->k; k++) MN_TRY(fit_subset(ctx, p, count, rng, b + k * p->q));
  for (size_t i = 0; i < p->n; i++) {
    size_t best = 0;
    double smallest = INFINITY;
    for (size_t k = 0; k < p->k; k++) {
      double residual = p->y[i];
      for (size_t j = 0; j < p->q; j++) residual -= p->e[i * p->q + j] * b[k * p->q + j];
      if (fabs(residual) < smallest) {
        smallest = fabs(residual);
        best = k;
      }
    }
    assign(p, i, best);
  }
  return MN_OK;
}

static double distance2(size_t d, const double *x, const double *y)
{
  double sum = 0;
  for (size_t j = 0; j < d; j++) sum += (x[j] - y[j]) * (x[j] - y[j]);
  return sum;
}

/* Points for k-means: the columns, and y too without gates. */
static mn_status make_points(mn_context *ctx, const mn_experts_problem *p, mn_data *points)
{
  const size_t d = p->p + (p->children == 0);
  double *x = MN_RAW(ctx, double, p->n, d);
  MN_CHECK_ALLOC(x);
  for (size_t i = 0; i < p->n; i++) {
    memcpy(x + i * d, p->z + i * p->p, p->p * sizeof *x);
    if (d > p->p) x[i * d + p->p] = p->y[i];
  }
  *points = (mn_data){ .x = { .at = x, .rows = p->n, .cols = d }, .rows = p->n, .features = d, .weights = p->u };
  return MN_OK;
}

/* Assign the rows of one node to its children, by the nearest of k-means++ centers. */
static mn_status split_node(mn_context *ctx, mn_experts_problem *p, const mn_data *points, size_t branching,
                            size_t parent, size_t *node, mn_rng *rng)
{
  const size_t d = points->features;
  const mn_mark mark = mn_scratch_mark(ctx);
  double *center = MN_RAW(ctx, double, branching, d);
  bool has_rows = false;
  MN_CHECK_ALLOC(center);
  for (size_t i = 0; i < p->n; i++) {
    p->u[i] = node[i] / branching == parent ? mn_weight(p->data, i) : 0;
    has_rows = has_rows || p->u[i] > 0;
  }
  if (has_rows) MN_TRY(mn_kmeans_plus_plus(ctx, points, branching, rng, center));
  for (size_t i = 0; i < p->n; i++) {
    if (!(p->u[i] > 0)) continue;
    size_t best = 0;
    for (size_t c = 1; c < branching; c++)
      if (distance2(d, points->x.at + i * d, center + c * d) < distance2(d, points->x.at + i * d, center + best * d))
        best = c;
    node[i] += best;
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* Split level by level; `node` is the node of each row within the current level. */
static mn_status init_centers(mn_context *ctx, mn_experts_problem *p, mn_rng *rng)
{
  const size_t branching = p->children > 0 ? p->branching : p->k;
  size_t *node = MN_NEW(ctx, size_t, p->n, 1);
  mn_data points;
  MN_CHECK_ALLOC(node);
  MN_TRY(make_points(ctx, p, &points));
  for (size_t n_parents = 1; n_parents < p->k; n_parents *= branching) {
    for (size_t i = 0; i < p->n; i++) node[i] *= branching;
    for (size_t parent = 0; parent < n_parents; parent++)
      MN_TRY(split_node(ctx, p, &points, branching, parent, node, rng));
  }
  for (size_t i = 0; i < p->n; i++) assign(p, i, node[i]);
  return MN_OK;
}

/* Which of the three methods gives the best optimum depends on the data: k-means++ where the experts hold in separate
 * regions, the others where they overlap. `mixed` uses them in turn. */
static int64_t init_of_start(const mn_experts *m, int64_t index)
{
  static const int64_t turn[] = { MN_EXPERTS_INIT_PLUS_PLUS, MN_EXPERTS_INIT_RANDOM, MN_EXPERTS_INIT_ROWS };
  return m->init == MN_EXPERTS_INIT_MIXED ? turn[index % 3] : m->init;
}

mn_status mn_experts_init_responsibilities(mn_context *ctx, const mn_experts *m, mn_experts_problem *p, int64_t index,
                                           mn_rng *rng)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const int64_t init = init_of_start(m, index);
  if (init == MN_EXPERTS_INIT_RANDOM)
    init_random(p, rng);
  else
    MN_TRY(init == MN_EXPERTS_INIT_ROWS ? init_rows(ctx, p, rng) : init_centers(ctx, p, rng));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
