/* Sample weights as numbers of copies of rows. */
#ifndef MN_SMOOTHING_COPIES_H
#define MN_SMOOTHING_COPIES_H
#include "../core/matrix.h"

/* Divide the weights by that of a single row (mn_weight_unit), so that leaving out one copy is defined for normalized
 * weights, too. If all are then 1, the vector is freed. */
void mn_weights_as_copies(mn_context *ctx, mn_vector *weights);

/* The number of rows that such weights (n, or NULL: all 1) stand for: their sum if they are counts; otherwise Kish's
 * effective number of rows, (sum w)^2 / sum w^2, which rows of little weight hardly change. Kish, Survey Sampling
 * (1965), section 11.7. place: where the weight of row i is, NULL: at i. */
double mn_effective_rows(size_t n, const double *weights, const size_t *place);

#endif
