/* Sample weights as numbers of copies of rows. */
#ifndef MN_SMOOTHING_COPIES_H
#define MN_SMOOTHING_COPIES_H
#include "../core/matrix.h"

/* Divide the weights by that of a single row (mn_weight_unit), so that leaving out one copy is defined for normalized
 * weights, too. If all are then 1, the vector is freed. */
void mn_weights_as_copies(mn_context *ctx, mn_vector *weights);

#endif
