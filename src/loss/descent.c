#include "descent.h"
#include "../linalg/csr.h"
#include "../linalg/product.h"
#include <math.h>
#include <string.h>

enum { BLOCK = 1024, MOST_BLOCKS = 256 };

static void find_shares(mn_descent *d)
{
  const double total = mn_total_weight(d->data);
  for (size_t i = 0; i < d->n; i++) d->share[i] = mn_weight(d->data, i) / total;
}

static void find_spreads_of_rows(mn_descent *d)
{
  for (size_t i = 0; i < d->n && d->fit_intercept; i++)
    for (size_t j = 0; j < d->p; j++) d->mean[j] += d->share[i] * mn_row(&d->data->x, i)[j];
  for (size_t i = 0; i < d->n; i++)
    for (size_t j = 0; j < d->p; j++) {
      const double about = mn_row(&d->data->x, i)[j] - d->mean[j];
      d->spread[j] += d->share[i] * about * about;
    }
}

static void find_spreads_of_values(mn_descent *d)
{
  const mn_csr *s = d->data->sparse;
  for (size_t i = 0; i < d->n; i++)
    for (size_t e = s->start[i]; e < s->start[i + 1]; e++) {
      d->mean[s->col[e]] += d->share[i] * s->at[e];
      d->spread[s->col[e]] += d->share[i] * s->at[e] * s->at[e];
    }
  for (size_t j = 0; j < d->p; j++) {
    if (!d->fit_intercept) d->mean[j] = 0;
    d->spread[j] = fmax(d->spread[j] - d->mean[j] * d->mean[j], 0);
  }
}

mn_status mn_descent_prepare(mn_context *ctx, mn_descent *d)
{
  d->n = d->data->rows;
  d->p = d->data->features;
  d->blocks = mn_make_blocks(d->n, BLOCK, MOST_BLOCKS);
  d->share = MN_RAW(ctx, double, d->n, 1);
  d->mean = MN_NEW(ctx, double, d->p, 1);
  d->spread = MN_NEW(ctx, double, d->p, 1);
  d->z = MN_RAW(ctx, double, d->n, 1);
  d->slope = MN_RAW(ctx, double, d->n, 1);
  d->sums = MN_RAW(ctx, double, d->blocks.count, 2);
  d->scale = MN_RAW(ctx, double, d->p + 1, 1);
  if (!d->share || !d->mean || !d->spread || !d->z || !d->slope || !d->sums || !d->scale) return MN_NO_MEMORY;
  find_shares(d);
  if (d->data->sparse)
    find_spreads_of_values(d);
  else
    find_spreads_of_rows(d);
  return MN_OK;
}

/* Mean loss of the score c for all rows, with two derivatives. */
static double loss_of_constant(const mn_descent *d, double c, double *slope, double *curvature)
{
  double sum = 0;
  *slope = *curvature = 0;
  for (size_t i = 0; i < d->n; i++) {
    sum += d->share[i] * d->loss->value(d->y[i], c, d->parameter);
    *slope += d->share[i] * d->loss->slope(d->y[i], c, d->parameter);
    if (d->loss->curvature) *curvature += d->share[i] * d->loss->curvature(d->y[i], c, d->parameter);
  }
  return sum;
}

/* Of a loss with corners: halves of an interval that holds the minimum, which lies among the y (-1 and 1 for hinge) but
 * for the tube and the quantiles, whose minimum lies there too. */
static mn_status best_corner(mn_context *ctx, const mn_descent *d, double *c)
{
  enum { HALVES = 60 };
  double low = INFINITY, high = -INFINITY, slope, curvature;
  for (size_t i = 0; i < d->n; i++) {
    low = fmin(low, d->y[i]);
    high = fmax(high, d->y[i]);
  }
  for (int k = 0; k < HALVES; k++) {
    const double middle = low + (high - low) / 2;
    MN_TRY(mn_poll(ctx));
    (void)loss_of_constant(d, middle, &slope, &curvature);
    if (slope > 0)
      high = middle;
    else
      low = middle;
  }
  const double at_low = loss_of_constant(d, low, &slope, &curvature);
  *c = at_low < loss_of_constant(d, high, &slope, &curvature) ? low : high;
  return MN_OK;
}

/* Newton's steps for the constant alone; halved until the loss falls. Need not be exact: it is a start. */
static mn_status best_constant(mn_context *ctx, const mn_descent *d, double *out)
{
  enum { STEPS = 50, HALVINGS = 40 };
  static const double near = 1e-8;
  double c = 0, slope, curvature, value = loss_of_constant(d, c, &slope, &curvature);
  for (int k = 0; k < STEPS && fabs(slope) > near * value; k++) {
    /* where no row is curved, the line of a loss that is far from its minimum: its own length is a guess */
    double step = curvature > 1e-12 ? slope / curvature : slope > 0 ? fmax(1, fabs(c)) : -fmax(1, fabs(c));
    double next_slope = slope, next_curvature = curvature, next = INFINITY;
    MN_TRY(mn_poll(ctx));
    for (int h = 0; h < HALVINGS && !(next < value); h++, step /= 2)
      next = loss_of_constant(d, c - step, &next_slope, &next_curvature);
    if (!(next < value)) break;
    c -= 2 * step;
    value = next;
    slope = next_slope;
    curvature = next_curvature;
  }
  *out = c;
  return MN_OK;
}

mn_status mn_descent_begin(mn_context *ctx, mn_descent *d, double *u)
{
  static const double least_share = 1e-2;
  double c = 0, slope, curvature;
  if (d->fit_intercept && d->loss->curvature)
    MN_TRY(best_constant(ctx, d, &c));
  else if (d->fit_intercept)
    MN_TRY(best_corner(ctx, d, &c));
  d->begin = loss_of_constant(d, c, &slope, &curvature);
  if (d->loss->curvature && isfinite(d->loss->steepest)) curvature = fmax(curvature, least_share * d->loss->steepest);
  if (!(curvature > 0)) curvature = 1;
  for (size_t j = 0; j < d->p; j++) {
    const double h = curvature * d->spread[j] + d->l2;
    d->scale[j] = h > 0 ? sqrt(h) : 1;
  }
  d->scale[d->p] = sqrt(curvature);
  d->wanted = d->tol * sqrt(d->begin);
  memset(u, 0, d->p * sizeof *u);
  u[d->p] = c * d->scale[d->p];
  return MN_OK;
}

void mn_descent_weights(const mn_descent *d, const double *u, double *b, double *c)
{
  double sum = u[d->p] / d->scale[d->p];
  for (size_t j = 0; j < d->p; j++) {
    b[j] = u[j] / d->scale[j];
    sum -= d->mean[j] * b[j];
  }
  *c = sum;
}

void mn_descent_start(const mn_descent *d, const double *b, double c, double *u)
{
  double sum = c;
  for (size_t j = 0; j < d->p; j++) {
    u[j] = b[j] * d->scale[j];
    sum += d->mean[j] * b[j];
  }
  u[d->p] = sum * d->scale[d->p];
}

static void lose_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const mn_descent *d = work;
  double loss = 0, slope = 0;
  for (size_t i = mn_block_begin(&d->blocks, block); i < mn_block_end(&d->blocks, block); i++) {
    loss += d->share[i] * d->loss->value(d->y[i], d->z[i], d->parameter);
    d->slope[i] = d->share[i] * d->loss->slope(d->y[i], d->z[i], d->parameter);
    slope += d->slope[i];
  }
  d->sums[2 * block] = loss;
  d->sums[2 * block + 1] = slope;
}

mn_status mn_descent_lose(mn_context *ctx, mn_descent *d, double *loss, double *slope)
{
  double sum[2];
  MN_TRY(mn_parallel(ctx, d->blocks.count, lose_block, d));
  mn_sum_blocks(d->blocks.count, 2, d->sums, sum);
  *loss = sum[0];
  *slope = sum[1];
  return MN_OK;
}

mn_corner mn_descent_corner(const mn_descent *d, size_t i)
{
  const double y = d->y[i], share = d->share[i], parameter = d->parameter;
  mn_corner corner = { .target = y, .lo = -share, .hi = share };
  if (d->loss == &mn_linear_losses[MN_LOSS_HINGE]) {
    corner.lo = fmin(y, 0) * share; /* y is -1 or 1, and the row's target too */
    corner.hi = fmax(y, 0) * share;
  } else if (d->loss == &mn_linear_losses[MN_LOSS_QUANTILE]) {
    corner.lo = -share * (1 - parameter);
    corner.hi = share * parameter;
  } else if (d->loss == &mn_linear_losses[MN_LOSS_EPSILON_INSENSITIVE]) {
    corner.tube = parameter;
  }
  return corner;
}

mn_status mn_descent_scores(mn_context *ctx, mn_descent *d, const double *b, double c)
{
  if (d->data->sparse) {
    MN_TRY(mn_csr_multiply(ctx, d->data->sparse, 1, b, d->z));
    for (size_t i = 0; i < d->n; i++) d->z[i] += c;
    return MN_OK;
  }
  for (size_t i = 0; i < d->n; i++) d->z[i] = c;
  return mn_gemv(ctx, false, d->n, d->p, 1, d->data->x.at, d->p, b, 1, d->z);
}

mn_status mn_descent_value(mn_context *ctx, mn_descent *d, const double *u, double *value, double *gradient)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  double *b = MN_RAW(ctx, double, d->p, 1), c, loss, slope;
  MN_CHECK_ALLOC(b);
  mn_descent_weights(d, u, b, &c);
  MN_TRY(mn_descent_scores(ctx, d, b, c));
  MN_TRY(mn_descent_lose(ctx, d, &loss, &slope));
  if (d->data->sparse)
    MN_TRY(mn_csr_multiply_transposed(ctx, d->data->sparse, 1, d->slope, gradient));
  else
    MN_TRY(mn_gemv(ctx, true, d->n, d->p, 1, d->data->x.at, d->p, d->slope, 0, gradient));
  double square = 0;
  for (size_t j = 0; j < d->p; j++) {
    gradient[j] = (gradient[j] - d->mean[j] * slope + d->l2 * b[j]) / d->scale[j];
    square += b[j] * b[j];
  }
  gradient[d->p] = d->fit_intercept ? slope / d->scale[d->p] : 0;
  *value = loss + d->l2 / 2 * square;
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

double mn_descent_steepest(const mn_descent *d, const double *u, const double *gradient)
{
  double largest = fabs(gradient[d->p]);
  for (size_t j = 0; j < d->p; j++) {
    const double pull = d->l1 / d->scale[j], g = gradient[j];
    const double least = u[j] > 0 ? fabs(g + pull) : u[j] < 0 ? fabs(g - pull) : fmax(fabs(g) - pull, 0);
    largest = fmax(largest, least);
  }
  return largest;
}

double mn_descent_l1(const mn_descent *d, const double *u)
{
  double sum = 0;
  for (size_t j = 0; j < d->p; j++) sum += fabs(u[j]) / d->scale[j];
  return d->l1 * sum;
}
