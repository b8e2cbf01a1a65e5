/* Rows with missing values in a Gaussian mixture. Of such a row x = (x_o, x_m), o observed and m missing,
 *
 *     x_o | k       ~ N(mean_o, S_oo)
 *     x_m | x_o, k  ~ N(mean_m + B (x_o - mean_o), C),   B = S_mo inv(S_oo),   C = S_mm - B S_om.
 *
 * The E step takes the expectations of x and x x' under both. Rows with the same missing columns share B and C.
 *
 * Ghahramani & Jordan, NIPS 6 (1994); Little & Rubin, Statistical Analysis with Missing Data, section 11. */
#include "../factorization/lapack.h"
#include "../linalg/row_softmax.h"
#include "gaussian.h"
#include "gaussian_kernel.h"
#include <stdlib.h>
#include <string.h>

struct sorted_row {
  const double *x;
  size_t p, row;
};

/* By the pattern of missing values, then by row. */
static int compare_patterns(const void *a, const void *b)
{
  const struct sorted_row *x = a, *y = b;
  for (size_t j = 0; j < x->p; j++) {
    const bool first = isnan(x->x[j]), second = isnan(y->x[j]);
    if (first != second) return first ? 1 : -1;
  }
  return x->row < y->row ? -1 : x->row > y->row;
}

static bool is_complete(const double *x, size_t p)
{
  for (size_t j = 0; j < p; j++)
    if (isnan(x[j])) return false;
  return true;
}

/* Copy the complete rows and sort the others. */
static mn_status separate(mn_context *ctx, const mn_data *data, mn_split_rows *s)
{
  const size_t p = data->features;
  double *x = MN_RAW(ctx, double, s->n, p), *w = MN_RAW(ctx, double, s->n, 1);
  struct sorted_row *sorted = MN_RAW(ctx, struct sorted_row, s->incomplete, 1);
  size_t complete = 0, incomplete = 0;
  s->row = MN_RAW(ctx, size_t, s->n, 1);
  s->incomplete_row = MN_RAW(ctx, size_t, s->incomplete, 1);
  if (!x || !w || !sorted || !s->row || !s->incomplete_row) return MN_NO_MEMORY;
  for (size_t i = 0; i < data->rows; i++) {
    const double *row = mn_row(&data->x, i);
    if (!is_complete(row, p)) {
      sorted[incomplete++] = (struct sorted_row){ .x = row, .p = p, .row = i };
      continue;
    }
    memcpy(x + complete * p, row, p * sizeof *x);
    w[complete] = mn_weight(data, i);
    s->row[complete++] = i;
  }
  qsort(sorted, s->incomplete, sizeof *sorted, compare_patterns);
  for (size_t i = 0; i < s->incomplete; i++) s->incomplete_row[i] = sorted[i].row;
  s->x = x;
  s->weights = data->weights ? w : NULL;
  return MN_OK;
}

mn_status mn_split_missing(mn_context *ctx, const mn_data *data, mn_split_rows *split)
{
  *split = (mn_split_rows){ .n = data->rows, .x = data->x.at, .weights = data->weights };
  for (size_t i = 0; i < data->rows; i++) split->incomplete += !is_complete(mn_row(&data->x, i), data->features);
  split->n -= split->incomplete;
  return split->incomplete > 0 ? separate(ctx, data, split) : MN_OK;
}

/* One pattern of missing values, for all components. */
struct pattern {
  const mn_gaussian_pass *pass;
  size_t p, observed, missing, *at; /* at: columns, the observed ones first                         */
  double *root;   /* k x observed x observed: L with L L' = S_oo; diagonal: 1 / standard deviations, k x observed */
  double *coef;   /* k x missing x observed: B                                                 */
  double *rest;   /* k x missing x missing: C                                                  */
  double *start;  /* k: log weight and log density at the mean                                 */
  double *added;  /* k: sum of the weights of the rows of the pattern                          */
  double *delta;  /* k x p: expectation of x - mean, in the order of `at`                      */
  double *score;  /* columns: log densities, then logarithms of the responsibilities           */
  double *solved; /* p: inv(L) (x_o - mean_o)                                                  */
};

static double covariance_at(const mn_gaussians *g, size_t k, size_t i, size_t j)
{
  if (g->diagonal) return i == j ? g->covariance[k * g->p + i] : 0;
  return g->covariance[k * g->width + i * g->p + j];
}

static mn_status make_pattern(mn_context *ctx, const mn_gaussian_pass *pass, struct pattern *t)
{
  const size_t k = pass->g->k, p = pass->g->p;
  *t = (struct pattern){ .pass = pass, .p = p };
  t->at = MN_RAW(ctx, size_t, p, 1);
  t->root = MN_RAW(ctx, double, k, p *p);
  t->coef = MN_RAW(ctx, double, k, p *p);
  t->rest = MN_RAW(ctx, double, k, p *p);
  t->start = MN_RAW(ctx, double, k, 1);
  t->added = MN_RAW(ctx, double, k, 1);
  t->delta = MN_RAW(ctx, double, k, p);
  t->score = MN_RAW(ctx, double, pass->columns, 1);
  t->solved = MN_RAW(ctx, double, p, 1);
  const bool found = t->at && t->root && t->coef && t->rest && t->start;
  return found && t->added && t->delta && t->score && t->solved ? MN_OK : MN_NO_MEMORY;
}

/* B and C of one component. S_oo is positive definite, being part of a positive definite matrix. */
static mn_status condition(mn_context *ctx, struct pattern *t, size_t k)
{
  const mn_gaussians *g = t->pass->g;
  const size_t p = t->p, o = t->observed, m = t->missing;
  double *l = t->root + k * p * p, *coef = t->coef + k * p * p, *rest = t->rest + k * p * p;
  const mn_mark mark = mn_scratch_mark(ctx);
  double *columns = MN_RAW(ctx, double, o, m);
  MN_CHECK_ALLOC(columns);
  for (size_t i = 0; i < o; i++)
    for (size_t j = 0; j < o; j++) l[i * o + j] = covariance_at(g, k, t->at[i], t->at[j]);
  for (size_t i = 0; i < o; i++)
    for (size_t j = 0; j < m; j++) columns[i * m + j] = covariance_at(g, k, t->at[i], t->at[o + j]);
  MN_TRY(mn_chol(ctx, o, l, NULL));
  MN_TRY(mn_chol_apply(ctx, o, m, l, columns));
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < o; j++) coef[i * o + j] = columns[j * m + i];
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < m; j++) {
      rest[i * m + j] = covariance_at(g, k, t->at[o + i], t->at[o + j]);
      for (size_t f = 0; f < o; f++) rest[i * m + j] -= coef[i * o + f] * covariance_at(g, k, t->at[f], t->at[o + j]);
    }
  const double log_two_pi = 1.83787706640934548356;
  t->start[k] = fmax(log(g->weight[k]), MN_LEAST_LOG / 2) - mn_chol_logdet(o, l) / 2 - (double)o / 2 * log_two_pi;
  t->added[k] = 0;
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static mn_status begin_pattern(mn_context *ctx, struct pattern *t, const double *x)
{
  size_t last = t->p;
  t->observed = 0;
  for (size_t j = 0; j < t->p; j++)
    if (!isnan(x[j])) t->at[t->observed++] = j;
  for (size_t j = t->p; j-- > 0;)
    if (isnan(x[j])) t->at[--last] = j;
  t->missing = t->p - t->observed;
  for (size_t k = 0; k < t->pass->g->k; k++) MN_TRY(condition(ctx, t, k));
  return MN_OK;
}

/* The expectation of x - mean, and the log density of the observed values. */
static double expect_component(struct pattern *t, size_t k, const double *x)
{
  const mn_gaussians *g = t->pass->g;
  const size_t p = t->p, o = t->observed;
  const double *l = t->root + k * p * p, *coef = t->coef + k * p * p;
  double *delta = t->delta + k * p, *missing = delta + o, square = 0;
  for (size_t i = 0; i < o; i++) delta[i] = x[t->at[i]] - g->mean[k * p + t->at[i]];
  for (size_t i = 0; i < o; i++) {
    double sum = delta[i];
    for (size_t j = 0; j < i; j++) sum -= l[i * o + j] * t->solved[j];
    t->solved[i] = sum / l[i * o + i];
    square += t->solved[i] * t->solved[i];
  }
  for (size_t i = 0; i < t->missing; i++) {
    missing[i] = 0;
    for (size_t j = 0; j < o; j++) missing[i] += coef[i * o + j] * delta[j];
  }
  return fmax(t->start[k] - square / 2, MN_LEAST_LOG);
}

/* Logarithms of the responsibilities of a row, in t->score. Returns its log density. */
static double expect_row(struct pattern *t, const double *x)
{
  const mn_gaussian_pass *pass = t->pass;
  const size_t k = pass->g->k;
  double largest = -INFINITY, sum = 0;
  for (size_t c = 0; c < k; c++) t->score[c] = expect_component(t, c, x);
  /* The uniform density of the observed columns alone is not known: a row with missing values is no noise. */
  if (pass->columns > k) t->score[k] = MN_LEAST_LOG;
  for (size_t c = 0; c < pass->columns; c++) largest = fmax(largest, t->score[c]);
  for (size_t c = 0; c < pass->columns; c++) sum += exp(t->score[c] - largest);
  /* cppcheck-suppress invalidFunctionArg ; the largest term is 1 */
  const double log_density = largest + log(sum);
  for (size_t c = 0; c < pass->columns; c++) t->score[c] -= log_density;
  return log_density;
}

static void add_row(struct pattern *t, size_t k, double weight)
{
  const mn_gaussians *g = t->pass->g;
  const mn_gaussian_sums *s = t->pass->sums;
  const size_t p = t->p;
  const double *delta = t->delta + k * p;
  double *scatter = s->scatter + k * g->width;
  s->count[k] += weight;
  t->added[k] += weight;
  for (size_t i = 0; i < p; i++) s->sum[k * p + t->at[i]] += weight * delta[i];
  for (size_t i = 0; i < p; i++) {
    if (g->diagonal) scatter[t->at[i]] += weight * delta[i] * delta[i];
    for (size_t j = 0; !g->diagonal && j < p; j++) scatter[t->at[i] * p + t->at[j]] += weight * delta[i] * delta[j];
  }
}

/* Add the covariance C of the missing values, once for all rows of the pattern. */
static void end_pattern(struct pattern *t)
{
  const mn_gaussians *g = t->pass->g;
  const size_t p = t->p, m = t->missing, *at = t->at + t->observed;
  for (size_t k = 0; t->pass->sums && k < g->k; k++) {
    const double *rest = t->rest + k * p * p;
    double *scatter = t->pass->sums->scatter + k * g->width;
    for (size_t i = 0; i < m; i++) {
      if (g->diagonal) scatter[at[i]] += t->added[k] * rest[i * m + i];
      for (size_t j = 0; !g->diagonal && j < m; j++) scatter[at[i] * p + at[j]] += t->added[k] * rest[i * m + j];
    }
  }
}

/* Mean and variance of the missing values given the observed ones. */
static void fill_row(const struct pattern *t, const double *x, double *mean, double *variance)
{
  const mn_gaussians *g = t->pass->g;
  const size_t p = t->p, m = t->missing;
  memcpy(mean, x, p * sizeof *mean);
  for (size_t i = 0; i < m; i++) {
    const size_t j = t->at[t->observed + i];
    double sum = 0, square = 0, total = 0;
    for (size_t k = 0; k < g->k; k++) total += exp(t->score[k]);
    for (size_t k = 0; k < g->k; k++)
      sum += exp(t->score[k]) / total * (g->mean[k * p + j] + t->delta[k * p + t->observed + i]);
    for (size_t k = 0; k < g->k; k++) {
      const double apart = g->mean[k * p + j] + t->delta[k * p + t->observed + i] - sum;
      square += exp(t->score[k]) / total * (t->rest[k * p * p + i * m + i] + apart * apart);
    }
    mean[j] = sum;
    if (variance) variance[j] = square;
  }
}

static void use_row(struct pattern *t, const mn_data *data, size_t row, double *mean, double *variance)
{
  const mn_gaussian_pass *pass = t->pass;
  const double *x = mn_row(&data->x, row), log_density = expect_row(t, x), weight = mn_weight(data, row);
  double hard = -INFINITY;
  for (size_t c = 0; c < pass->columns; c++) hard = fmax(hard, t->score[c]);
  if (pass->log_density) pass->log_density[row] = log_density;
  if (pass->log_responsibility)
    memcpy(pass->log_responsibility + row * pass->columns, t->score, pass->columns * sizeof *t->score);
  if (mean) fill_row(t, x, mean + row * t->p, variance ? variance + row * t->p : NULL);
  if (!pass->sums) return;
  *pass->sums->loglik += weight * log_density;
  *pass->sums->hard += weight * hard;
  for (size_t k = 0; k < pass->g->k; k++)
    add_row(t, k, weight * (pass->given ? pass->given[row * pass->columns + k] : exp(t->score[k])));
}

mn_status mn_gaussian_missing_pass(mn_context *ctx, const mn_data *data, const mn_split_rows *split,
                                   const mn_gaussian_pass *pass, double *mean, double *variance)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct pattern t;
  MN_TRY(make_pattern(ctx, pass, &t));
  for (size_t i = 0; i < split->incomplete; i++) {
    const double *x = mn_row(&data->x, split->incomplete_row[i]);
    bool same = i > 0;
    for (size_t j = 0; same && j < t.p; j++)
      same = isnan(x[j]) == isnan(mn_row(&data->x, split->incomplete_row[i - 1])[j]);
    if (!same) {
      if (i > 0) end_pattern(&t);
      MN_TRY(begin_pattern(ctx, &t, x));
      MN_TRY(mn_poll(ctx));
    }
    use_row(&t, data, split->incomplete_row[i], mean, variance);
  }
  if (split->incomplete > 0) end_pattern(&t);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
