#include "descent.h"
#include "../linalg/csr.h"
#include "../linalg/product.h"
#include <math.h>
#include <string.h>

enum { BLOCK_ROWS = 1024, MAX_BLOCKS = 256 };

static void set_weights(mn_descent *d)
{
  const double total = mn_total_weight(d->data);
  for (size_t i = 0; i < d->n; i++) d->weight[i] = mn_weight(d->data, i) / total;
}

static void dense_variances(mn_descent *d)
{
  for (size_t i = 0; i < d->n && d->fit_intercept; i++)
    for (size_t j = 0; j < d->p; j++) d->mean[j] += d->weight[i] * mn_row(&d->data->x, i)[j];
  for (size_t i = 0; i < d->n; i++)
    for (size_t j = 0; j < d->p; j++) {
      const double deviation = mn_row(&d->data->x, i)[j] - d->mean[j];
      d->variance[j] += d->weight[i] * deviation * deviation;
    }
}

static void sparse_variances(mn_descent *d)
{
  const mn_csr *s = d->data->sparse;
  for (size_t i = 0; i < d->n; i++)
    for (size_t e = s->start[i]; e < s->start[i + 1]; e++) {
      d->mean[s->col[e]] += d->weight[i] * s->at[e];
      d->variance[s->col[e]] += d->weight[i] * s->at[e] * s->at[e];
    }
  for (size_t j = 0; j < d->p; j++) {
    if (!d->fit_intercept) d->mean[j] = 0;
    d->variance[j] = fmax(d->variance[j] - d->mean[j] * d->mean[j], 0);
  }
}

mn_status mn_descent_init(mn_context *ctx, mn_descent *d)
{
  d->n = d->data->rows;
  d->p = d->data->features;
  d->blocks = mn_make_blocks(d->n, BLOCK_ROWS, MAX_BLOCKS);
  d->weight = MN_RAW(ctx, double, d->n, 1);
  d->mean = MN_NEW(ctx, double, d->p, 1);
  d->variance = MN_NEW(ctx, double, d->p, 1);
  d->z = MN_RAW(ctx, double, d->n, 1);
  d->slope = MN_RAW(ctx, double, d->n, 1);
  d->block_sums = MN_RAW(ctx, double, d->blocks.count, 2);
  d->scale = MN_RAW(ctx, double, d->p + 1, 1);
  if (!d->weight || !d->mean || !d->variance || !d->z || !d->slope || !d->block_sums || !d->scale) return MN_NO_MEMORY;
  set_weights(d);
  if (d->data->sparse)
    sparse_variances(d);
  else
    dense_variances(d);
  return MN_OK;
}

/* Mean loss when all rows have the score c, with two derivatives. */
static double loss_at_intercept(const mn_descent *d, double c, double *slope, double *curvature)
{
  double sum = 0;
  *slope = *curvature = 0;
  for (size_t i = 0; i < d->n; i++) {
    sum += d->weight[i] * d->loss->value(d->y[i], c, d->parameter);
    *slope += d->weight[i] * d->loss->slope(d->y[i], c, d->parameter);
    if (d->loss->curvature) *curvature += d->weight[i] * d->loss->curvature(d->y[i], c, d->parameter);
  }
  return sum;
}

/* Best intercept of a piecewise linear loss, by bisection: the minimum lies within the range of y (-1 and 1 for hinge).
 */
static mn_status bisect_intercept(mn_context *ctx, const mn_descent *d, double *c)
{
  enum { BISECTIONS = 60 };
  double low = INFINITY, high = -INFINITY, slope, curvature;
  for (size_t i = 0; i < d->n; i++) {
    low = fmin(low, d->y[i]);
    high = fmax(high, d->y[i]);
  }
  for (int k = 0; k < BISECTIONS; k++) {
    const double midpoint = low + (high - low) / 2;
    MN_TRY(mn_poll(ctx));
    (void)loss_at_intercept(d, midpoint, &slope, &curvature);
    if (slope > 0)
      high = midpoint;
    else
      low = midpoint;
  }
  const double at_low = loss_at_intercept(d, low, &slope, &curvature);
  *c = at_low < loss_at_intercept(d, high, &slope, &curvature) ? low : high;
  return MN_OK;
}

/* Newton's method for the intercept alone, each step halved until the loss falls. It need not be exact: it is a start.
 */
static mn_status newton_intercept(mn_context *ctx, const mn_descent *d, double *out)
{
  enum { MAX_STEPS = 50, MAX_HALVINGS = 40 };
  static const double tolerance = 1e-8;
  double c = 0, slope, curvature, value = loss_at_intercept(d, c, &slope, &curvature);
  for (int k = 0; k < MAX_STEPS && fabs(slope) > tolerance * value; k++) {
    /* far from the minimum the loss may be linear: step by the length of c itself */
    double step = curvature > 1e-12 ? slope / curvature : slope > 0 ? fmax(1, fabs(c)) : -fmax(1, fabs(c));
    double next_slope = slope, next_curvature = curvature, next = INFINITY;
    MN_TRY(mn_poll(ctx));
    for (int h = 0; h < MAX_HALVINGS && !(next < value); h++, step /= 2)
      next = loss_at_intercept(d, c - step, &next_slope, &next_curvature);
    if (!(next < value)) break;
    c -= 2 * step;
    value = next;
    slope = next_slope;
    curvature = next_curvature;
  }
  *out = c;
  return MN_OK;
}

mn_status mn_descent_set_target(mn_context *ctx, mn_descent *d, double *u)
{
  static const double min_curvature_ratio = 1e-2;
  double c = 0, slope, curvature;
  if (d->fit_intercept && d->loss->curvature)
    MN_TRY(newton_intercept(ctx, d, &c));
  else if (d->fit_intercept)
    MN_TRY(bisect_intercept(ctx, d, &c));
  d->start_value = loss_at_intercept(d, c, &slope, &curvature);
  if (d->loss->curvature && isfinite(d->loss->max_curvature))
    curvature = fmax(curvature, min_curvature_ratio * d->loss->max_curvature);
  if (!(curvature > 0)) curvature = 1;
  for (size_t j = 0; j < d->p; j++) {
    const double h = curvature * d->variance[j] + d->l2;
    d->scale[j] = h > 0 ? sqrt(h) : 1;
  }
  d->scale[d->p] = sqrt(curvature);
  d->subgradient_tol = d->tol * sqrt(d->start_value);
  memset(u, 0, d->p * sizeof *u);
  u[d->p] = c * d->scale[d->p];
  return MN_OK;
}

void mn_descent_to_coefficients(const mn_descent *d, const double *u, double *b, double *c)
{
  double sum = u[d->p] / d->scale[d->p];
  for (size_t j = 0; j < d->p; j++) {
    b[j] = u[j] / d->scale[j];
    sum -= d->mean[j] * b[j];
  }
  *c = sum;
}

void mn_descent_from_coefficients(const mn_descent *d, const double *b, double c, double *u)
{
  double sum = c;
  for (size_t j = 0; j < d->p; j++) {
    u[j] = b[j] * d->scale[j];
    sum += d->mean[j] * b[j];
  }
  u[d->p] = sum * d->scale[d->p];
}

static void loss_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const mn_descent *d = work;
  double loss = 0, slope = 0;
  for (size_t i = mn_block_begin(&d->blocks, block); i < mn_block_end(&d->blocks, block); i++) {
    loss += d->weight[i] * d->loss->value(d->y[i], d->z[i], d->parameter);
    d->slope[i] = d->weight[i] * d->loss->slope(d->y[i], d->z[i], d->parameter);
    slope += d->slope[i];
  }
  d->block_sums[2 * block] = loss;
  d->block_sums[2 * block + 1] = slope;
}

mn_status mn_descent_compute_loss(mn_context *ctx, mn_descent *d, double *loss, double *slope)
{
  double sum[2];
  MN_TRY(mn_parallel(ctx, d->blocks.count, loss_block, d));
  mn_sum_blocks(d->blocks.count, 2, d->block_sums, sum);
  *loss = sum[0];
  *slope = sum[1];
  return MN_OK;
}

mn_piecewise_term mn_descent_piecewise_term(const mn_descent *d, size_t i)
{
  const double y = d->y[i], weight = d->weight[i], parameter = d->parameter;
  mn_piecewise_term corner = { .target = y, .lo = -weight, .hi = weight };
  if (d->loss == &mn_linear_losses[MN_LOSS_HINGE]) {
    corner.lo = fmin(y, 0) * weight; /* y is -1 or 1, which is the target too */
    corner.hi = fmax(y, 0) * weight;
  } else if (d->loss == &mn_linear_losses[MN_LOSS_QUANTILE]) {
    corner.lo = -weight * (1 - parameter);
    corner.hi = weight * parameter;
  } else if (d->loss == &mn_linear_losses[MN_LOSS_EPSILON_INSENSITIVE]) {
    corner.tube = parameter;
  }
  return corner;
}

mn_status mn_descent_compute_scores(mn_context *ctx, mn_descent *d, const double *b, double c)
{
  if (d->data->sparse) {
    MN_TRY(mn_csr_multiply(ctx, d->data->sparse, 1, b, d->z));
    for (size_t i = 0; i < d->n; i++) d->z[i] += c;
    return MN_OK;
  }
  for (size_t i = 0; i < d->n; i++) d->z[i] = c;
  return mn_gemv(ctx, false, d->n, d->p, 1, d->data->x.at, d->p, b, 1, d->z);
}

mn_status mn_descent_evaluate(mn_context *ctx, mn_descent *d, const double *u, double *value, double *gradient)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  double *b = MN_RAW(ctx, double, d->p, 1), c, loss, slope;
  MN_CHECK_ALLOC(b);
  mn_descent_to_coefficients(d, u, b, &c);
  MN_TRY(mn_descent_compute_scores(ctx, d, b, c));
  MN_TRY(mn_descent_compute_loss(ctx, d, &loss, &slope));
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

double mn_descent_max_subgradient(const mn_descent *d, const double *u, const double *gradient)
{
  double largest = fabs(gradient[d->p]);
  for (size_t j = 0; j < d->p; j++) {
    const double threshold = d->l1 / d->scale[j], g = gradient[j];
    const double subgradient = u[j] > 0   ? fabs(g + threshold)
                               : u[j] < 0 ? fabs(g - threshold)
                                          : fmax(fabs(g) - threshold, 0);
    largest = fmax(largest, subgradient);
  }
  return largest;
}

double mn_descent_l1_penalty(const mn_descent *d, const double *u)
{
  double sum = 0;
  for (size_t j = 0; j < d->p; j++) sum += fabs(u[j]) / d->scale[j];
  return d->l1 * sum;
}
