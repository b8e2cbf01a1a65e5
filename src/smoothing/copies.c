#include "copies.h"
#include "../stats/quantile.h"
#include <math.h>

void mn_weights_as_copies(mn_context *ctx, mn_vector *weights)
{
  bool equal = true;
  const double unit = weights->size > 0 ? mn_weight_unit(weights->size, weights->at) : 1;
  for (size_t i = 0; i < weights->size; i++) {
    weights->at[i] /= unit;
    equal = equal && weights->at[i] == 1;
  }
  if (!equal) return;
  mn_vector_free(mn_context_memory(ctx), weights);
  *weights = (mn_vector){ 0 };
}

double mn_effective_rows(size_t n, const double *weights, const size_t *place)
{
  static const double most_copies = 1000, rounding = 1e-9;
  double largest = 0, total = 0, sum = 0, squares = 0;
  bool counts = true;
  for (size_t i = 0; i < n; i++) {
    const double w = !weights ? 1 : weights[place ? place[i] : i];
    largest = fmax(largest, w);
    total += w;
    counts = counts && w <= most_copies && fabs(w - round(w)) <= rounding * w;
  }
  if (counts) return total;
  for (size_t i = 0; i < n; i++) {
    const double w = weights[place ? place[i] : i] / largest;
    sum += w;
    squares += w * w;
  }
  return sum * sum / squares;
}
