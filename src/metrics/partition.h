/* The agreement of two partitions of the same rows, by pairs of rows and by information. Codes are 0-based parts. */
#ifndef MN_METRICS_PARTITION_H
#define MN_METRICS_PARTITION_H
#include "../core/context.h"

/* The quantities from which the measures are computed. Logarithms are natural. */
typedef struct mn_agreement {
  double total;            /* weight of the rows                                                */
  size_t a_parts, b_parts; /* parts of a weight > 0                                             */
  double cells;            /* sum over pairs of parts of (common weight)^2                      */
  double a_cells, b_cells; /* sums over parts of weight^2                                       */
  double information;      /* mutual information                                                */
  double a_entropy, b_entropy;
} mn_agreement;

/* n codes below a_size and b_size; w NULL: all 1. Time and memory O(n + a_size + b_size). */
mn_status mn_agree(mn_context *ctx, size_t n, const int32_t *a, size_t a_size, const int32_t *b, size_t b_size,
                   const double *w, mn_agreement *out);

/* The expected mutual information of two random partitions with these sizes of parts (Vinh, Epps & Bailey, JMLR 11,
 * 2010, equation 24a). The sizes must be whole numbers. Each hypergeometric distribution is summed from its mode
 * outwards and normalized by its own sum, which avoids factorials and their cancellation; equal sizes are computed
 * once. */
mn_status mn_expected_information(mn_context *ctx, size_t n, const int32_t *a, size_t a_size, const int32_t *b,
                                  size_t b_size, const double *w, double *expected);

#endif
