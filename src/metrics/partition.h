/* Two partitions of the same rows against each other: pairs of rows, and information. Codes are 0-based parts. */
#ifndef MN_METRICS_PARTITION_H
#define MN_METRICS_PARTITION_H
#include "../core/context.h"

/* All that the measures are made of. Logarithms are natural. */
typedef struct mn_agreement {
  double total;            /* weight of the rows                                                */
  size_t a_parts, b_parts; /* parts of a weight > 0                                             */
  double cells;            /* sum over pairs of parts of (weight in both)^2                     */
  double a_cells, b_cells; /* sums over parts of weight^2                                       */
  double information;      /* mutual information                                                */
  double a_entropy, b_entropy;
} mn_agreement;

/* n codes below a_size and b_size; weights NULL: all 1. Time n + a_size + b_size, whatever their product.
 * MN_NO_MEMORY for as many values. */
mn_status mn_agree(mn_context *ctx, size_t n, const int32_t *a, size_t a_size, const int32_t *b, size_t b_size,
                   const double *w, mn_agreement *out);

/* Mutual information to be expected of two random partitions with these sizes of parts (Vinh, Epps & Bailey, JMLR 11,
 * 2010, equation 24a). The sizes must be whole. Each hypergeometric distribution is walked from its mode outwards and
 * divided by its own sum, so that no factorial, and no cancellation between factorials, occurs; equal sizes are
 * computed once. */
mn_status mn_expected_information(mn_context *ctx, size_t n, const int32_t *a, size_t a_size, const int32_t *b,
                                  size_t b_size, const double *w, double *expected);

#endif
