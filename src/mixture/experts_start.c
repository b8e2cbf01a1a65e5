/* Where EM begins: with every row given to one expert. */
#include "../cluster/kmeans_start.h"
#include "../linalg/lapack.h"
#include "experts.h"
#include <string.h>

const char *const mn_experts_inits[] = { "rows", "k-means++", "random", NULL };

static void give(mn_experts_problem *p, size_t row, size_t expert)
{
  memset(p->r + row * p->k, 0, p->k * sizeof *p->r);
  p->r[row * p->k + expert] = 1;
}

static void at_random(mn_experts_problem *p, mn_rng *rng)
{
  for (size_t i = 0; i < p->n; i++) give(p, i, mn_random_below(rng, p->k));
}

/* The coefficients through `take` rows drawn by their weights. */
static mn_status fit_few(mn_context *ctx, mn_experts_problem *p, size_t take, mn_rng *rng, double *b)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  double *x = MN_RAW(ctx, double, take, p->q), *y = MN_RAW(ctx, double, take, 1), rest;
  if (!x || !y) return MN_NO_MEMORY;
  for (size_t i = 0; i < p->n; i++) p->u[i] = mn_weight(p->data, i);
  for (size_t t = 0; t < take; t++) {
    const size_t row = mn_random_weighted(rng, p->u, p->n);
    memcpy(x + t * p->q, p->e + row * p->q, p->q * sizeof *x);
    y[t] = p->y[row];
    p->u[row] = 0;
  }
  const mn_rows rows = { .n = take, .p = p->q, .m = 1, .x = x, .y = y };
  MN_TRY(mn_least_squares(ctx, &rows, 0, b, &rest, NULL));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* The same for labels: the softmax that some rows make, drawn by their weights. */
static mn_status fit_few_labels(mn_context *ctx, mn_experts_problem *p, size_t take, mn_rng *rng, double *b)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  double *left = MN_RAW(ctx, double, p->n, 1);
  MN_CHECK_ALLOC(left);
  for (size_t i = 0; i < p->n; i++) left[i] = mn_weight(p->data, i);
  memset(p->u, 0, p->n * sizeof *p->u);
  for (size_t t = 0; t < take; t++) {
    const size_t row = mn_random_weighted(rng, left, p->n);
    p->u[row] = p->total / (double)p->n;
    left[row] = 0;
  }
  MN_TRY(mn_experts_fit_labels(ctx, p, b));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* The softmax of a few rows of each label for each expert; then each row to the one that finds its label likeliest. */
static mn_status through_labels(mn_context *ctx, mn_experts_problem *p, mn_rng *rng)
{
  const size_t wanted = p->labels * (p->q + 1), take = p->n < wanted ? p->n : wanted;
  mn_experts_state s;
  MN_TRY(mn_experts_state_make(ctx, p, &s));
  for (size_t k = 0; k < p->k; k++) MN_TRY(fit_few_labels(ctx, p, take, rng, s.b + k * p->width));
  MN_TRY(mn_experts_label_scores(ctx, p, &s));
  for (size_t i = 0; i < p->n; i++) {
    double *density = p->r + i * p->k;
    size_t best = 0;
    mn_experts_label_row(p, i, density);
    for (size_t k = 1; k < p->k; k++) best = density[k] > density[best] ? k : best;
    give(p, i, best);
  }
  return MN_OK;
}

/* An expert through a few rows each; then each row to the expert that is nearest. */
static mn_status through_rows(mn_context *ctx, mn_experts_problem *p, mn_rng *rng)
{
  if (p->labels > 0) return through_labels(ctx, p, rng);
  const size_t most = p->n > 1 ? p->n - 1 : 1; /* through all of them, all experts would be the same one */
  const size_t take = p->q + 1 < most ? p->q + 1 : most;
  double *b = MN_RAW(ctx, double, p->k, p->q);
  MN_CHECK_ALLOC(b);
  for (size_t k = 0; k < p->k; k++) MN_TRY(fit_few(ctx, p, take, rng, b + k * p->q));
  for (size_t i = 0; i < p->n; i++) {
    size_t best = 0;
    double least = INFINITY;
    for (size_t k = 0; k < p->k; k++) {
      double residual = p->y[i];
      for (size_t j = 0; j < p->q; j++) residual -= p->e[i * p->q + j] * b[k * p->q + j];
      if (fabs(residual) < least) {
        least = fabs(residual);
        best = k;
      }
    }
    give(p, i, best);
  }
  return MN_OK;
}

static double distance2(size_t d, const double *x, const double *y)
{
  double sum = 0;
  for (size_t j = 0; j < d; j++) sum += (x[j] - y[j]) * (x[j] - y[j]);
  return sum;
}

/* Points of which rows are near: the columns, and y too where the experts do not depend on the place. */
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

/* Part the rows of one place in the tree among its `ways` branches, by the nearest of so many centers. */
static mn_status part(mn_context *ctx, mn_experts_problem *p, const mn_data *points, size_t ways, size_t place,
                      size_t *where, mn_rng *rng)
{
  const size_t d = points->features;
  const mn_mark mark = mn_scratch_mark(ctx);
  double *center = MN_RAW(ctx, double, ways, d);
  bool any = false;
  MN_CHECK_ALLOC(center);
  for (size_t i = 0; i < p->n; i++) {
    p->u[i] = where[i] / ways == place ? mn_weight(p->data, i) : 0;
    any = any || p->u[i] > 0;
  }
  if (any) MN_TRY(mn_kmeans_plus_plus(ctx, points, ways, rng, center));
  for (size_t i = 0; i < p->n; i++) {
    if (!(p->u[i] > 0)) continue;
    size_t best = 0;
    for (size_t c = 1; c < ways; c++)
      if (distance2(d, points->x.at + i * d, center + c * d) < distance2(d, points->x.at + i * d, center + best * d))
        best = c;
    where[i] += best;
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* Level by level: `where` is the place of each row among those of the level. */
static mn_status by_centers(mn_context *ctx, mn_experts_problem *p, mn_rng *rng)
{
  const size_t ways = p->children > 0 ? p->branching : p->k;
  size_t *where = MN_NEW(ctx, size_t, p->n, 1);
  mn_data points;
  MN_CHECK_ALLOC(where);
  MN_TRY(make_points(ctx, p, &points));
  for (size_t places = 1; places < p->k; places *= ways) {
    for (size_t i = 0; i < p->n; i++) where[i] *= ways;
    for (size_t place = 0; place < places; place++) MN_TRY(part(ctx, p, &points, ways, place, where, rng));
  }
  for (size_t i = 0; i < p->n; i++) give(p, i, where[i]);
  return MN_OK;
}

mn_status mn_experts_start(mn_context *ctx, const mn_experts *m, mn_experts_problem *p, mn_rng *rng)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  if (m->init == MN_EXPERTS_RANDOM)
    at_random(p, rng);
  else
    MN_TRY(m->init == MN_EXPERTS_ROWS ? through_rows(ctx, p, rng) : by_centers(ctx, p, rng));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
