/* Ranking measures: for each query, items with a relevance are ranked by a score. */
#ifndef MN_METRICS_LISTS_H
#define MN_METRICS_LISTS_H
#include "../core/context.h"

/* Measures are averaged over all orders of items with equal scores, unless noted. An item is relevant if its relevance
 * is > 0. */
typedef enum mn_list_measure {
  MN_LIST_DCG,       /* sum over the first k of gain / log2(1 + rank)                                        */
  MN_LIST_NDCG,      /* DCG divided by the largest possible DCG                                              */
  MN_LIST_AP,        /* mean over relevant items of the precision at their rank, the lowest rank for ties    */
  MN_LIST_PRECISION, /* number of relevant items among the first k, divided by k                             */
  MN_LIST_RECALL,    /* number of relevant items among the first k, divided by that of all relevant items    */
  MN_LIST_RECIPROCAL /* 1 / rank of the first relevant item, ranked last among ties                          */
} mn_list_measure;

typedef struct mn_lists {
  size_t queries;
  const size_t *start; /* queries + 1: items of query q are start[q] .. start[q + 1] - 1 */
  const double *relevance, *score;
  size_t k;         /* number of ranks that count; SIZE_MAX: all       */
  bool exponential; /* gain is 2^relevance - 1 instead of relevance    */
  bool keep_order;  /* DCG: rank ties in the given order, no averaging */
} mn_lists;

/* out: queries; NaN if no item is relevant (DCG and precision: 0). MN_NO_MEMORY for the longest list. */
mn_status mn_measure_lists(mn_context *ctx, const mn_lists *lists, mn_list_measure measure, double *out);

#endif
