/* The rows of the data that a job reads.
 *
 * The arrays of a subset are kept for the following jobs of the same worker: the first write to fresh memory is as
 * expensive as a simple fit. Jobs with the same rows do not copy X again. */
#ifndef MN_PLAN_JOB_ROWS_H
#define MN_PLAN_JOB_ROWS_H
#include "../model/data.h"

typedef struct mn_subset {
  size_t max_rows;     /* capacity of the arrays, in rows                 */
  double *x, *weights; /* in scratch                                      */
  const size_t *rows;  /* the rows that they hold; NULL: none             */
  size_t n;
  mn_input input;
} mn_subset;

/* Whether these rows must be copied. Consecutive rows are read in place if they begin where a copy could begin, so that
 * results are the same to the last bit. */
bool mn_subset_needs_copy(const mn_input *from, const size_t *rows, size_t n);

/* Allocate the arrays for max_rows rows. */
mn_status mn_subset_reserve(mn_context *ctx, mn_subset *subset, const mn_input *from);

/* Let subset->input hold rows[0..n-1] of X and weights of `from`, and of y. Sparse X and y are copied to new scratch.
 */
mn_status mn_subset_read(mn_context *ctx, mn_subset *subset, const mn_input *from, const mn_target *y,
                         const size_t *rows, size_t n);

#endif
