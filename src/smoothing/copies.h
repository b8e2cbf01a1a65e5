/* Sample weights as numbers of copies of rows. */
#ifndef MN_SMOOTHING_COPIES_H
#define MN_SMOOTHING_COPIES_H
#include "../core/matrix.h"
#include <stdbool.h>

/* Whether such weights (n, or NULL: all 1) are numbers of copies: whole numbers up to 1000. */
bool mn_weights_are_counts(size_t n, const double *weights);

/* Divide the weights by that of a single row (mn_weight_unit) if this makes them counts, which then stand for copies
 * also if they were normalized; otherwise by their mean. Weights below 1 are such multiples only if at least a tenth of
 * the rows have the smallest one. If all are then 1, the vector is freed. */
void mn_weights_as_copies(mn_context *ctx, mn_vector *weights);

/* What leaving out one row takes from its weight: one copy if the weights are counts, otherwise all of it. */
static inline double mn_left_out(double weight, bool counts)
{
  return counts && weight > 1 ? 1 : weight;
}

/* The number of rows that such weights (n, or NULL: all 1) stand for: their sum if they are counts; otherwise Kish's
 * effective number of rows, (sum w)^2 / sum w^2, which rows of little weight hardly change. Kish, Survey Sampling
 * (1965), section 11.7. place: where the weight of row i is, NULL: at i. */
double mn_effective_rows(size_t n, const double *weights, const size_t *place);

#endif
