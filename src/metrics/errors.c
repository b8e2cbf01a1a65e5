#include "errors.h"
#include "../core/threads.h"
#include "../stats/argsort.h"
#include "../stats/quantile.h"
#include <float.h>
#include <math.h>

static double tweedie(double power, double y, double p)
{
  if (power == 0) return (y - p) * (y - p);
  if (power == 1) return 2 * ((y > 0 ? y * log(y / p) : 0) - y + p);
  if (power == 2) return 2 * (log(p / y) + y / p - 1);
  const double positive = y > 0 ? y : 0; /* a power below 0 allows y < 0 */
  return 2 * (pow(positive, 2 - power) / ((1 - power) * (2 - power)) - y * pow(p, 1 - power) / (1 - power) +
              pow(p, 2 - power) / (2 - power));
}

static double loss_of(mn_loss loss, double parameter, double y, double p)
{
  switch (loss) {
  case MN_LOSS_SQUARED: return (y - p) * (y - p);
  case MN_LOSS_ABSOLUTE: return fabs(y - p);
  case MN_LOSS_RELATIVE: return fabs(y - p) / (fabs(y) > DBL_EPSILON ? fabs(y) : DBL_EPSILON);
  case MN_LOSS_LOG_SQUARED: {
    const double off = log1p(y) - log1p(p);
    return off * off;
  }
  case MN_LOSS_PINBALL: return y > p ? parameter * (y - p) : (1 - parameter) * (p - y);
  case MN_LOSS_TWEEDIE: return tweedie(parameter, y, p);
  }
  return (double)NAN;
}

/* What y and p must be for the loss to be defined; NULL: it is. */
static const char *unmet_requirement(mn_loss loss, double power, double y, double p)
{
  if (loss == MN_LOSS_LOG_SQUARED) return y > -1 && p > -1 ? NULL : "y and predicted must be > -1";
  if (loss != MN_LOSS_TWEEDIE || power == 0) return NULL;
  if (!(p > 0)) return "predicted must be > 0";
  if (power >= 2) return y > 0 ? NULL : "y must be > 0";
  return power < 0 || y >= 0 ? NULL : "y must be >= 0";
}

mn_status mn_check_loss(mn_context *ctx, mn_loss loss, double parameter, size_t n, size_t q, const double *y,
                        const double *p)
{
  char a[MN_NUMBER_SIZE], b[MN_NUMBER_SIZE];
  if (loss == MN_LOSS_TWEEDIE && !(parameter <= 0 || parameter >= 1))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "power must be <= 0 or >= 1, got %s", mn_format_number(a, parameter));
  if (loss != MN_LOSS_TWEEDIE && loss != MN_LOSS_LOG_SQUARED) return MN_OK;
  for (size_t i = 0; i < n * q; i++) {
    const char *requirement = unmet_requirement(loss, parameter, y[i], p[i]);
    if (requirement)
      return mn_fail(ctx, MN_BAD_DATA, "%s, got y = %s, predicted = %s in row %zu", requirement,
                     mn_format_number(a, y[i]), mn_format_number(b, p[i]), i / q + 1);
  }
  return MN_OK;
}

struct task {
  mn_loss loss;
  double parameter;
  size_t q;
  const double *y, *p, *w;
  mn_blocks blocks;
  double *part; /* blocks x (q + 1): sums of the targets, and of the weights */
};

/* Unweighted squared or absolute errors of one target, in four sums, so that additions do not wait for each other. */
static double sum_unweighted(bool squared, size_t n, const double *y, const double *p)
{
  double sum[4] = { 0, 0, 0, 0 };
  size_t i = 0;
  for (; i + 4 <= n; i += 4)
    for (size_t l = 0; l < 4; l++) {
      const double off = y[i + l] - p[i + l];
      sum[l] += squared ? off * off : fabs(off);
    }
  for (; i < n; i++) sum[0] += squared ? (y[i] - p[i]) * (y[i] - p[i]) : fabs(y[i] - p[i]);
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static void add_block(void *work, size_t block, size_t worker)
{
  const struct task *t = work;
  const size_t q = t->q;
  double *sum = t->part + block * (q + 1);
  const size_t begin = mn_block_begin(&t->blocks, block), end = mn_block_end(&t->blocks, block);
  (void)worker;
  if (q == 1 && !t->w && (t->loss == MN_LOSS_SQUARED || t->loss == MN_LOSS_ABSOLUTE)) {
    sum[0] = sum_unweighted(t->loss == MN_LOSS_SQUARED, end - begin, t->y + begin, t->p + begin);
    sum[1] = (double)(end - begin);
    return;
  }
  for (size_t i = begin; i < end; i++) {
    const double weight = t->w ? t->w[i] : 1;
    for (size_t j = 0; j < q; j++) sum[j] += weight * loss_of(t->loss, t->parameter, t->y[i * q + j], t->p[i * q + j]);
    sum[q] += weight;
  }
}

mn_status mn_mean_loss(mn_context *ctx, mn_loss loss, double parameter, size_t n, size_t q, const double *y,
                       const double *p, const double *w, double *mean)
{
  const mn_blocks blocks = mn_make_blocks(n, 8192, 1024);
  struct task t = { loss, parameter, q, y, p, w, blocks, MN_NEW(ctx, double, blocks.count, q + 1) };
  double *sum = MN_RAW(ctx, double, q + 1, 1);
  MN_CHECK_ALLOC(t.part);
  MN_CHECK_ALLOC(sum);
  MN_TRY(mn_parallel(ctx, blocks.count, add_block, &t));
  mn_sum_blocks(blocks.count, q + 1, t.part, sum);
  for (size_t j = 0; j < q; j++) mean[j] = sum[j] / sum[q];
  return MN_OK;
}

/* The weighted median, given the order of the errors; the sum of weights is > 0. */
static double weighted_median(size_t n, const double *error, const size_t *order, const double *w)
{
  double total = 0, below = 0;
  for (size_t i = 0; i < n; i++) total += w[order[i]];
  for (size_t i = 0; i < n; i++) {
    below += w[order[i]];
    if (2 * below < total) continue;
    size_t next = i;
    if (2 * below == total) /* the median lies between this value and the next of weight > 0 */
      do next++;
      while (next + 1 < n && !(w[order[next]] > 0));
    return (error[order[i]] + error[order[next]]) / 2;
  }
  return (double)NAN;
}

mn_status mn_median_error(mn_context *ctx, size_t n, size_t q, const double *y, const double *p, const double *w,
                          double *median)
{
  static const double half = 0.5;
  double *error = MN_RAW(ctx, double, n, 1);
  size_t *order = MN_RAW(ctx, size_t, w ? n : 0, 1);
  MN_CHECK_ALLOC(error);
  MN_CHECK_ALLOC(order);
  for (size_t j = 0; j < q; j++) {
    for (size_t i = 0; i < n; i++) error[i] = fabs(y[i * q + j] - p[i * q + j]);
    if (!w) {
      MN_TRY(mn_quantiles(ctx, n, error, NULL, 1, &half, &median[j]));
      continue;
    }
    MN_TRY(mn_argsort(ctx, n, error, 1, order));
    median[j] = weighted_median(n, error, order, w);
  }
  return MN_OK;
}

void mn_max_error(size_t n, size_t q, const double *y, const double *p, const double *w, double *max)
{
  for (size_t j = 0; j < q; j++) max[j] = 0;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < q && (!w || w[i] > 0); j++) {
      const double error = fabs(y[i * q + j] - p[i * q + j]);
      if (error > max[j]) max[j] = error;
    }
}

/* The corrected two-pass formula removes the rounding errors of the means: Chan, Golub & LeVeque, The American
 * Statistician 37 (1983), equation 1.7. */
static void target_sums(size_t n, size_t q, const double *y, const double *p, const double *w, bool centered,
                        double *residual, double *total_square)
{
  double total = 0, y_sum = 0, error_sum = 0;
  for (size_t i = 0; i < n; i++) {
    const double weight = w ? w[i] : 1;
    total += weight;
    y_sum += weight * y[i * q];
    error_sum += weight * (y[i * q] - p[i * q]);
  }
  const double y_mean = y_sum / total, error_mean = centered ? error_sum / total : 0;
  double off_sum = 0;
  error_sum = *residual = *total_square = 0;
  for (size_t i = 0; i < n; i++) {
    const double weight = w ? w[i] : 1, off = y[i * q] - y_mean, error = y[i * q] - p[i * q] - error_mean;
    *residual += weight * error * error;
    *total_square += weight * off * off;
    error_sum += weight * error;
    off_sum += weight * off;
  }
  *total_square -= off_sum * (off_sum / total);
  if (centered) *residual -= error_sum * (error_sum / total);
}

void mn_sums_of_squares(size_t n, size_t q, const double *y, const double *p, const double *w, bool centered,
                        double *residual, double *total_square)
{
  for (size_t j = 0; j < q; j++) target_sums(n, q, y + j, p + j, w, centered, &residual[j], &total_square[j]);
}
