#include "copies.h"
#include "../stats/quantile.h"
#include <float.h>
#include <math.h>

bool mn_weights_are_counts(size_t n, const double *weights)
{
  static const double most_copies = 1000, rounding = 1e-9;
  for (size_t i = 0; weights && i < n; i++)
    if (!(weights[i] <= most_copies && fabs(weights[i] - round(weights[i])) <= rounding * weights[i])) return false;
  return true;
}

/* Multiplies by powers of two first, so that sums do not overflow. */
static void divide_by_mean(size_t n, double *weights)
{
  double largest = 0, mean = 0;
  for (size_t i = 0; i < n; i++) largest = fmax(largest, weights[i]);
  const int exponent = ilogb(largest);
  for (size_t i = 0; i < n; i++) {
    weights[i] = scalbn(weights[i], -exponent);
    mean += weights[i] / (double)n;
  }
  for (size_t i = 0; i < n; i++) weights[i] /= mean;
}

/* Is `unit` the weight of a single row? A few rows of less weight than the others can make these whole multiples of
 * their weight too, and would then multiply the number of rows. */
static bool is_unit(size_t n, const double *weights, double unit)
{
  static const double least_share = 0.1, rounding = 1e-9;
  size_t single = 0;
  if (unit == 1) return true;
  for (size_t i = 0; i < n; i++) single += weights[i] <= unit * (1 + rounding);
  return (double)single >= least_share * (double)n;
}

void mn_weights_as_copies(mn_context *ctx, mn_vector *weights)
{
  const size_t n = weights->size;
  double *at = weights->at;
  bool equal = true;
  const double unit = n > 0 ? mn_weight_unit(n, at) : 1;
  const bool counts = is_unit(n, at, unit);
  for (size_t i = 0; i < n; i++) at[i] /= unit;
  if (n > 0 && !(counts && mn_weights_are_counts(n, at))) divide_by_mean(n, at);
  for (size_t i = 0; i < n; i++) equal = equal && fabs(at[i] - 1) <= (double)n * DBL_EPSILON;
  if (!equal) return;
  mn_vector_free(mn_context_memory(ctx), weights);
  *weights = (mn_vector){ 0 };
}

double mn_effective_rows(size_t n, const double *weights, const size_t *place)
{
  double largest = 0, total = 0, sum = 0, squares = 0;
  for (size_t i = 0; i < n; i++) {
    const double w = !weights ? 1 : weights[place ? place[i] : i];
    largest = fmax(largest, w);
    total += w;
  }
  if (mn_weights_are_counts(n, weights)) return total;
  for (size_t i = 0; i < n; i++) {
    const double w = weights[place ? place[i] : i] / largest;
    sum += w;
    squares += w * w;
  }
  return sum * sum / squares;
}
