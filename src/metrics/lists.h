/* Measures of ranked lists: for each query, items with a relevance and a score by which they are put in order. */
#ifndef MN_METRICS_LISTS_H
#define MN_METRICS_LISTS_H
#include "../core/context.h"

/* Items of equal score: each counts by its mean over all their orders, unless said otherwise. An item is relevant when
 * its relevance is > 0. */
typedef enum mn_list_measure {
  MN_LIST_DCG,       /* sum over the first k of gain / log2(1 + rank)                                        */
  MN_LIST_NDCG,      /* as a share of the best that is possible                                              */
  MN_LIST_AP,        /* mean over relevant items of the precision down to them, tied ones taken as a whole   */
  MN_LIST_PRECISION, /* relevant ones among the first k, divided by k                                        */
  MN_LIST_RECALL,    /* relevant ones among the first k, divided by all relevant ones                        */
  MN_LIST_RECIPROCAL /* 1 / rank of the first relevant item, which among tied ones comes last                */
} mn_list_measure;

typedef struct mn_lists {
  size_t queries;
  const size_t *start; /* queries + 1: items of query q are start[q] .. start[q + 1] - 1 */
  const double *relevance, *score;
  size_t k;         /* ranks that count; SIZE_MAX: all                 */
  bool exponential; /* gain 2^relevance - 1 rather than the relevance  */
  bool keep_order;  /* of DCG: tied items in the order given, at once  */
} mn_lists;

/* out: queries; NaN where nothing is relevant (DCG and precision: 0). MN_NO_MEMORY for the longest list. */
mn_status mn_measure_lists(mn_context *ctx, const mn_lists *lists, mn_list_measure measure, double *out);

#endif
