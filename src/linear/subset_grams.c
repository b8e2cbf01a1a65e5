#include "subset_grams.h"
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include <math.h>
#include <string.h>

enum {
  CHUNK_VALUES = 1 << 18, /* values of X that are gathered at once */
  SMALL_VALUES = 100000   /* below this a copy of the rows costs little */
};
static const double plain_rcond = 1e-4; /* above it a Cholesky solution has 11 digits */

/* The rows of consecutive subsets, divided into groups. Group 0 is in no subset. */
struct groups {
  const mn_data *data;
  const mn_row_list *subset;
  size_t n, count, max_count;
  size_t *of_row, *refined; /* rows */
  bool *in;                 /* rows: in the subset that is added */
  size_t both;
  bool centered;
  bool *member;                   /* n x count: whether the subset has the group       */
  double *weight, *mean, *matrix; /* count, count x both, count x both x both          */
};

/* Whether a subset is worth it, and has no row twice. Marks its rows. */
static bool mark_rows(struct groups *g, const mn_row_list *subset)
{
  const mn_data *d = g->data;
  memset(g->in, 0, d->rows * sizeof *g->in);
  if (subset->n <= d->features || subset->n * d->features < SMALL_VALUES) return false;
  for (size_t i = 0; i < subset->n; i++) {
    if (g->in[subset->at[i]]) return false;
    g->in[subset->at[i]] = true;
  }
  return true;
}

/* Divide each group into rows inside and outside of the marked subset. false: too many groups; they are unchanged.
 * split: 2 x max_count, workspace. */
static bool refine_groups(struct groups *g, size_t *split)
{
  size_t count = 1;
  memset(split, 0, 2 * g->max_count * sizeof *split);
  for (size_t i = 0; i < g->data->rows; i++) {
    const size_t key = 2 * g->of_row[i] + g->in[i];
    if (key > 0 && split[key] == 0) {
      if (count >= g->max_count) return false;
      split[key] = count++;
    }
    g->refined[i] = split[key];
  }
  if (count > g->n + 3) return false; /* k folds have k groups; one more for rows in none of them */
  size_t *old = g->of_row;
  g->of_row = g->refined;
  g->refined = old;
  g->count = count;
  return true;
}

static mn_status init_groups(mn_context *ctx, struct groups *g)
{
  const size_t rows = g->data->rows;
  g->of_row = MN_NEW(ctx, size_t, rows, 1);
  g->refined = MN_RAW(ctx, size_t, rows, 1);
  g->in = MN_RAW(ctx, bool, rows, 1);
  return g->of_row && g->refined && g->in ? MN_OK : MN_NO_MEMORY;
}

/* Take subsets from the front of g->subset while their groups are few. Sets g->n, at least 1; the count is 1 if the
 * first subset is to be skipped. */
static mn_status find_groups(mn_context *ctx, struct groups *g, size_t available)
{
  const size_t most = g->data->rows * g->data->features / (g->both * g->both) + 1;
  g->max_count = most < available + 3 ? most : available + 3;
  size_t *split = MN_RAW(ctx, size_t, 2 * g->max_count, 1);
  MN_CHECK_ALLOC(split);
  memset(g->of_row, 0, g->data->rows * sizeof *g->of_row);
  g->n = 0;
  g->count = 1;
  while (g->n < available && mark_rows(g, &g->subset[g->n]) && refine_groups(g, split)) g->n++;
  if (g->n == 0) g->n = 1;
  return MN_OK;
}

/* Add the matrix of `weight` rows about their mean: Chan, Golub & LeVeque, The American Statistician 37 (1983). */
static void add_matrix(size_t both, bool centered, double *total, double *mean, double *matrix, double weight,
                       const double *added_mean, const double *added)
{
  const double sum = *total + weight, share = weight / sum, factor = centered ? *total * share : 0;
  for (size_t i = 0; i < both; i++) {
    const double scaled = factor * (added_mean[i] - mean[i]);
    for (size_t j = 0; j < both; j++) matrix[i * both + j] += added[i * both + j] + scaled * (added_mean[j] - mean[j]);
  }
  for (size_t i = 0; i < both; i++) mean[i] += share * (added_mean[i] - mean[i]);
  *total = sum;
}

/* A chunk of gathered rows. */
struct chunk {
  size_t size, n;
  double *x, *y, *mean, *matrix;
};

static mn_status flush(mn_context *ctx, struct groups *g, size_t group, struct chunk *c)
{
  const size_t p = g->data->features, q = g->both - p, values = g->both * g->both;
  if (c->n == 0) return MN_OK;
  MN_TRY(mn_gram(ctx, c->n, p, c->x, p, q, c->y, q, NULL, g->centered, NULL, c->mean, c->matrix, g->both));
  add_matrix(g->both, g->centered, &g->weight[group], g->mean + group * g->both, g->matrix + group * values,
             (double)c->n, c->mean, c->matrix);
  c->n = 0;
  return mn_poll(ctx);
}

static mn_status sum_group(mn_context *ctx, struct groups *g, size_t group, struct chunk *c)
{
  const mn_data *d = g->data;
  const size_t p = d->features, q = g->both - p;
  for (size_t i = 0; i < d->rows; i++) {
    if (g->of_row[i] != group) continue;
    memcpy(c->x + c->n * p, mn_row(&d->x, i), p * sizeof *c->x);
    memcpy(c->y + c->n * q, d->y.at + i * q, q * sizeof *c->y);
    if (++c->n == c->size) MN_TRY(flush(ctx, g, group, c));
  }
  return flush(ctx, g, group, c);
}

static mn_status find_members(mn_context *ctx, struct groups *g)
{
  g->member = MN_NEW(ctx, bool, g->n, g->count);
  MN_CHECK_ALLOC(g->member);
  for (size_t s = 0; s < g->n; s++)
    for (size_t i = 0; i < g->subset[s].n; i++) g->member[s * g->count + g->of_row[g->subset[s].at[i]]] = true;
  return MN_OK;
}

static mn_status sum_groups(mn_context *ctx, struct groups *g)
{
  const size_t p = g->data->features, both = g->both;
  struct chunk c = { .size = CHUNK_VALUES / both + 1 };
  g->weight = MN_NEW(ctx, double, g->count, 1);
  g->mean = MN_NEW(ctx, double, g->count, both);
  g->matrix = MN_NEW(ctx, double, g->count, both *both);
  c.x = MN_RAW(ctx, double, c.size, p);
  c.y = MN_RAW(ctx, double, c.size, both - p);
  c.mean = MN_RAW(ctx, double, both, 1);
  c.matrix = MN_RAW(ctx, double, both, both);
  if (!g->weight || !g->mean || !g->matrix || !c.x || !c.y || !c.mean || !c.matrix) return MN_NO_MEMORY;
  MN_TRY(find_members(ctx, g));
  for (size_t k = 1; k < g->count; k++) MN_TRY(sum_group(ctx, g, k, &c));
  return MN_OK;
}

static void sum_subset(const struct groups *g, size_t s, mn_subset_solution *solution)
{
  const size_t values = g->both * g->both;
  solution->n = 0;
  memset(solution->mean, 0, g->both * sizeof *solution->mean);
  memset(solution->g, 0, values * sizeof *solution->g);
  for (size_t k = 1; k < g->count; k++)
    if (g->member[s * g->count + k])
      add_matrix(g->both, g->centered, &solution->n, solution->mean, solution->g, g->weight[k], g->mean + k * g->both,
                 g->matrix + k * values);
  if (!g->centered) memset(solution->mean, 0, g->both * sizeof *solution->mean);
}

/* *solved is false if the matrix is ill-conditioned. scale: p, workspace. */
static mn_status solve(mn_context *ctx, const struct groups *g, double alpha, double *scale, mn_subset_solution *s,
                       bool *solved)
{
  const size_t p = g->data->features, q = g->both - p, both = g->both;
  double *l = s->factor;
  size_t minor;
  *solved = false;
  for (size_t j = 0; j < p; j++) {
    scale[j] = sqrt(s->g[j * both + j] + alpha);
    if (!(scale[j] > 0 && scale[j] < INFINITY)) return MN_OK;
  }
  for (size_t i = 0; i < p; i++)
    for (size_t j = 0; j < p; j++) l[i * p + j] = (s->g[i * both + j] + (i == j ? alpha : 0)) / scale[i] / scale[j];
  MN_TRY(mn_chol_try(ctx, p, l, &s->rcond, &minor));
  if (minor > 0 || !(s->rcond >= plain_rcond)) return MN_OK;
  for (size_t i = 0; i < p; i++) {
    for (size_t j = 0; j <= i; j++) l[i * p + j] *= scale[i];
    memcpy(s->coef + i * q, s->g + i * both + p, q * sizeof *l);
  }
  *solved = true;
  return mn_chol_apply(ctx, p, q, l, s->coef);
}

static mn_status solve_all(mn_context *ctx, const struct groups *g, double alpha, size_t first, mn_subset_function f,
                           void *work)
{
  const size_t p = g->data->features, both = g->both;
  mn_subset_solution solution = { .mean = MN_RAW(ctx, double, both, 1),
                                  .g = MN_RAW(ctx, double, both, both),
                                  .factor = MN_RAW(ctx, double, p, p),
                                  .coef = MN_RAW(ctx, double, p, both - p) };
  double *scale = MN_RAW(ctx, double, p, 1);
  if (!solution.mean || !solution.g || !solution.factor || !solution.coef || !scale) return MN_NO_MEMORY;
  for (size_t s = 0; s < g->n; s++) {
    const mn_mark mark = mn_scratch_mark(ctx);
    bool solved;
    sum_subset(g, s, &solution);
    MN_TRY(solve(ctx, g, alpha, scale, &solution, &solved));
    if (solved) MN_TRY(f(ctx, work, first + s, &solution));
    mn_scratch_release(ctx, mark);
  }
  return MN_OK;
}

mn_status mn_solve_subsets(mn_context *ctx, const mn_data *data, const mn_row_list *subset, size_t n, bool centered,
                           double alpha, mn_subset_function f, void *work)
{
  struct groups g = { .data = data, .both = data->features + data->y.cols, .centered = centered };
  if (data->features == 0) return MN_OK;
  MN_TRY(init_groups(ctx, &g));
  for (size_t first = 0; first < n; first += g.n) {
    const mn_mark mark = mn_scratch_mark(ctx);
    g.subset = subset + first;
    MN_TRY(find_groups(ctx, &g, n - first));
    if (g.count > 1) {
      MN_TRY(sum_groups(ctx, &g));
      MN_TRY(solve_all(ctx, &g, alpha, first, f, work));
    }
    mn_scratch_release(ctx, mark);
  }
  return MN_OK;
}
