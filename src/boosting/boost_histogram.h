/* Build the histogram of one node in parallel: each worker sums its blocks of rows into a partial histogram, and the
 * partial histograms are then added feature by feature. */
#ifndef MN_BOOSTING_BOOST_HISTOGRAM_H
#define MN_BOOSTING_BOOST_HISTOGRAM_H
#include "../core/threads.h"
#include "boost_node.h"

struct mn_histogram_partial;

typedef struct mn_histogram_builder {
  const mn_bins *bins;
  const mn_boost_gradients *gradients;
  size_t workers;
  struct mn_histogram_partial *partial; /* workers */
  int64_t *hist;                        /* the result: two values per cell */
  bool direct;                          /* there is one block, summed into `hist` without a partial histogram */
} mn_histogram_builder;

/* For nodes of at most `blocks` blocks. */
mn_status mn_histogram_builder_make(mn_context *ctx, const mn_bins *bins, size_t blocks, mn_histogram_builder *builder);

/* Begin the histogram `hist` of a node whose rows come in `blocks` blocks. */
void mn_histogram_builder_begin(mn_histogram_builder *builder, const mn_boost_gradients *gradients, size_t blocks,
                                int64_t *hist);

/* Add rows[0..n-1], or rows begin .. begin + n - 1 if `rows` is NULL; at most MN_NARROW_ROWS per call. */
void mn_histogram_builder_add(mn_histogram_builder *builder, size_t worker, size_t begin, size_t n,
                              const uint32_t *rows);

/* After all rows were added: the histogram of the features first .. last - 1. */
void mn_histogram_builder_finish(mn_histogram_builder *builder, size_t first, size_t last);

#endif
