/* Selects the rows of large classes that a nearest-neighbor classifier needs besides the smallest class. */
#ifndef MN_RESAMPLE_CONDENSED_H
#define MN_RESAMPLE_CONDENSED_H
#include "row_subset.h"

typedef struct mn_condensed {
  mn_resampler resampler;
  int64_t n_seeds_S, seed;
} mn_condensed;

/* Entries for the tables of an estimator that begins with mn_condensed. */
#define MN_CONDENSED_PARAMS                                                                                            \
  MN_CLEANER_PARAM(mn_condensed),                                                                                      \
      MN_COUNT(mn_condensed, n_seeds_S, 1, MN_CLOSED(1, INT32_MAX),                                                    \
               "number of rows of each large class to start with, drawn at random"),                                   \
      MN_SEED(mn_condensed, seed)

/* *keep marks all rows of the smallest class and of the classes that may not lose rows. Of every other class it marks
 * n_seeds_S rows drawn at random, and each row whose nearest row among these and the smallest class is of the smallest
 * class; ties count as the smallest class. grow: the nearest row is also sought among the rows marked so far. */
mn_status mn_condense(mn_context *ctx, const mn_condensed *m, const mn_data *data, bool grow, bool **keep);

#endif
