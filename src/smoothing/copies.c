#include "copies.h"
#include "../stats/quantile.h"

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
