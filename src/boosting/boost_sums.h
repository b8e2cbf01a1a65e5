/* The histogram of one node, summed by several workers at once: each sums its blocks of rows in its own room, and all
 * rooms come together column by column. */
#ifndef MN_BOOSTING_BOOST_SUMS_H
#define MN_BOOSTING_BOOST_SUMS_H
#include "boost_grow.h"

struct mn_boost_room;

typedef struct mn_boost_sums {
  const mn_bins *bins;
  const mn_boost_gradients *unit;
  size_t workers;
  struct mn_boost_room *room; /* workers */
  int64_t *hist;              /* that is being made: two values a cell           */
  bool direct;                /* there is one block, which is summed in `hist`   */
} mn_boost_sums;

/* For nodes of up to `blocks` blocks. */
mn_status mn_boost_sums_make(mn_context *ctx, const mn_bins *bins, size_t blocks, mn_boost_sums *sums);

/* Begin the histogram `hist` of a node whose rows come in `blocks` blocks. */
void mn_boost_sums_begin(mn_boost_sums *sums, const mn_boost_gradients *unit, size_t blocks, int64_t *hist);

/* Add rows[0..n-1], or rows begin .. begin + n - 1 where `rows` is NULL; at most MN_NARROW_ROWS at once. */
void mn_boost_sums_add(mn_boost_sums *sums, size_t worker, size_t begin, size_t n, const uint32_t *rows);

/* When all are added: the histogram of the columns first .. last - 1. */
void mn_boost_sums_finish(mn_boost_sums *sums, size_t first, size_t last);

#endif
