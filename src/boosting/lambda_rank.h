/* LambdaMART: gradients for rows ranked within groups.
 *
 * For each pair of rows i, j of a group with y_i > y_j the logistic loss of s_i - s_j is lowered, weighted by the
 * change of NDCG@k if the two were swapped:
 *
 *     NDCG@k   sum over ranks r < k of (2^y - 1) / log2(2 + r), divided by that of the ideal order
 *     lambda   |NDCG@k - NDCG@k after the swap| / (1 + exp(s_i - s_j)): subtracted from g_i, added to g_j
 *     h        twice the diagonal of the Hessian, which bounds the full Hessian
 *
 * norm: a pair is divided by 0.01 + |s_i - s_j|, and if the lambdas of a group add up to L they are multiplied by
 * log2(1 + L) / L, so that large groups do not dominate.
 *
 * A weight multiplies lambda and h of its row, as in LightGBM; if all rows of a group have the same weight, this is
 * XGBoost's group weight, equivalent to repeating the group.
 *
 * Burges, Microsoft Research MSR-TR-2010-82; norm follows LightGBM and XGBoost. */
#ifndef MN_BOOSTING_LAMBDA_RANK_H
#define MN_BOOSTING_LAMBDA_RANK_H
#include "../core/threads.h"
#include "../model/data.h"

/* Parameters of rankers, for structs with these fields. */
#define MN_LAMBDA_RANK_PARAMS(ranker)                                                                                  \
  MN_COUNT(ranker, lambdarank_truncation_level, MN_UNSET, MN_CLOSED(1, 1 << 24),                                       \
           "number of top ranks that count, the k of NDCG@k; nil: all"),                                               \
      MN_FLAG(ranker, lambdarank_norm, true,                                                                           \
              "reduce the weight of pairs with distant scores, and of groups with many pairs")

typedef struct mn_lambda_rank {
  size_t groups, largest;
  size_t *begin;    /* groups + 1: first row of each group */
  double *gain;     /* rows: 2^(y - m) - 2^-m with m the largest y of the group, so that it does not overflow */
  double *ideal;    /* groups: DCG of the ideal order; 0: all orders are equal */
  double *discount; /* largest: 1 / log2(2 + r), 0 for r >= k */
  size_t k;
  bool norm;
  double *weight;          /* groups: mean weight of its rows; NULL: 1 */
  double *loss;            /* groups: 1 - NDCG@k */
  struct mn_ranked *order; /* workers x largest */
  double *workspace;       /* workers x 4 x largest: score, gain, g and h of the rows in ranked order */
} mn_lambda_rank;

/* Check that every y is >= 0. */
mn_status mn_lambda_rank_check(mn_context *ctx, const char *who, const mn_data *data);

/* y: rows, >= 0. data->lengths NULL: all rows are one group. k SIZE_MAX: all ranks count. In scratch. */
mn_status mn_lambda_rank_make(mn_context *ctx, const mn_data *data, size_t k, bool norm, mn_lambda_rank **out);

/* Compute g and h of the rows, and the loss of each group, at the scores s. */
mn_status mn_lambda_rank_gradients(mn_context *ctx, mn_lambda_rank *rank, const double *s, double *g, double *h);

/* Weighted mean loss of the groups whose first row has in_training == which (in_training NULL: of all groups); 0 if in
 * no group the order matters. */
double mn_lambda_rank_loss(const mn_lambda_rank *rank, const uint8_t *in_training, uint8_t which);

#endif
