#include "temperature.h"
#include "../optim/brent.h"
#include <math.h>

static const double most_log = 10; /* of the inverse temperature, as in scikit-learn */

struct rows {
  mn_context *ctx;
  size_t n, k;
  const double *x, *weights;
  const int32_t *code;
};

/* The derivative of the loss of a row by b: the mean of the scores under softmax(b x), minus that of the true class. */
static double row_slope(size_t k, const double *x, size_t code, double b)
{
  double most = x[0], mass = 0, sum = 0;
  for (size_t c = 1; c < k; c++) most = fmax(most, x[c]);
  for (size_t c = 0; c < k; c++) {
    const double p = exp(b * (x[c] - most));
    mass += p;
    sum += p * (x[c] - x[code]);
  }
  return sum / mass;
}

static double slope_at(void *user, double log_inverse)
{
  const struct rows *r = user;
  double sum = 0;
  for (size_t i = 0; i < r->n; i++) {
    if (i % 8192 == 8191 && mn_poll(r->ctx) != MN_OK) return 0;
    sum += (r->weights ? r->weights[i] : 1) * row_slope(r->k, r->x + i * r->k, (size_t)r->code[i], exp(log_inverse));
  }
  return sum;
}

mn_status mn_fit_temperature(mn_context *ctx, size_t n, size_t k, const double *x, const int32_t *code,
                             const double *weights, double *inverse)
{
  struct rows r = { ctx, n, k, x, weights, code };
  const double first = slope_at(&r, -most_log), last = slope_at(&r, most_log);
  double root = 0;
  if (first > 0)
    root = -most_log;
  else if (last < 0)
    root = most_log;
  else if (first < 0 || last > 0)
    MN_TRY(mn_brent_root(ctx, slope_at, &r, -most_log, most_log, 0, &root));
  MN_TRY(mn_poll(ctx));
  *inverse = exp(root);
  return MN_OK;
}
