/* LambdaMART: gradients for rows that are ordered within groups.
 *
 * Of each pair of rows i, j of a group with y_i > y_j the logistic loss of s_i - s_j is lowered, as much as swapping
 * the two would change NDCG@k:
 *
 *     NDCG@k   sum over ranks r < k of (2^y - 1) / log2(2 + r), as a share of the best order's
 *     lambda   |NDCG@k - NDCG@k of the two swapped| / (1 + exp(s_i - s_j)): off g_i, and onto g_j
 *     h        twice what the Hessian has on its diagonal, which bounds all of it
 *
 * norm: pairs whose scores differ count less, by 1 / (0.01 + |s_i - s_j|), and the lambdas of a group that add up to L
 * are multiplied by log2(1 + L) / L, so that large groups do not drown the rest.
 *
 * A weight multiplies the lambda and h of its row, as in LightGBM; where all rows of a group have the same one, this is
 * XGBoost's weight of a group, which counts as if it came so many times.
 *
 * Burges, Microsoft Research MSR-TR-2010-82; norm is that of LightGBM and XGBoost. */
#ifndef MN_BOOSTING_LAMBDA_RANK_H
#define MN_BOOSTING_LAMBDA_RANK_H
#include "../core/threads.h"
#include "../model/data.h"

/* What rankers, structs with these fields, let their users set. */
#define MN_LAMBDA_RANK_PARAMS(ranker)                                                                                  \
  MN_COUNT(ranker, lambdarank_truncation_level, MN_UNSET, MN_CLOSED(1, 1 << 24),                                       \
           "ranks that count, the k of NDCG@k; nil: all"),                                                             \
      MN_FLAG(ranker, lambdarank_norm, true,                                                                           \
              "pairs whose scores are far apart count less, and so do the many pairs of a large group")

typedef struct mn_lambda_rank {
  size_t groups, largest;
  size_t *begin;    /* groups + 1: rows of a group                                                     */
  double *gain;     /* rows: 2^(y - m) - 2^-m, m the largest y of the group: so that none is too large */
  double *ideal;    /* groups: the best NDCG's sum; 0: all orders are alike                            */
  double *discount; /* largest: 1 / log2(2 + r), 0 from k on                                           */
  size_t k;
  bool norm;
  double *weight;         /* groups: mean weight of its rows; NULL: 1 */
  double *loss;           /* groups: 1 - NDCG@k                       */
  struct mn_ranked *room; /* workers x largest                        */
  double *places;         /* workers x 4 x largest: of the rows in their order score, gain, g and h */
} mn_lambda_rank;

/* Fails where a y is not >= 0. */
mn_status mn_lambda_rank_check(mn_context *ctx, const char *who, const mn_data *data);

/* y: rows, >= 0. data->lengths: NULL: all rows are one group. k: SIZE_MAX: all ranks. In scratch. */
mn_status mn_lambda_rank_make(mn_context *ctx, const mn_data *data, size_t k, bool norm, mn_lambda_rank **out);

/* g, h: rows; and the loss of each group, from the scores s. */
mn_status mn_lambda_rank_look(mn_context *ctx, mn_lambda_rank *rank, const double *s, double *g, double *h);

/* The mean loss, by their weights, of the groups for whose first row learns is `which` (learns NULL: of all). 0: no
 * order matters. */
double mn_lambda_rank_loss(const mn_lambda_rank *rank, const uint8_t *learns, uint8_t which);

#endif
