/* Losses of gradient boosting over exact trees (Friedman 2001): the negative gradient, to which a tree is fitted, and
 * the value of each leaf that minimizes the loss of its rows (one line search per leaf). */
#ifndef MN_GRADIENT_BOOSTING_GRADIENT_BOOSTING_LOSS_H
#define MN_GRADIENT_BOOSTING_GRADIENT_BOOSTING_LOSS_H
#include "../model/data.h"
#include "../boosting/lambda_rank.h"

typedef enum mn_gradient_loss_kind {
  MN_GRADIENT_SQUARED,
  MN_GRADIENT_ABSOLUTE,
  MN_GRADIENT_HUBER,
  MN_GRADIENT_QUANTILE,
  MN_GRADIENT_POISSON, /* from here to tweedie the prediction is exp of the raw prediction */
  MN_GRADIENT_GAMMA,
  MN_GRADIENT_TWEEDIE,
  MN_GRADIENT_LOG_LOSS, /* two classes, or more if there are several outputs */
  MN_GRADIENT_EXPONENTIAL,
  MN_GRADIENT_RANK /* pairs of rows: lambda_rank.h */
} mn_gradient_loss_kind;

/* A set of rows with their raw predictions and gradients. */
typedef struct mn_gradient_loss {
  mn_gradient_loss_kind kind;
  double shape; /* quantile: the level; huber: the fraction of rows that are not outliers; tweedie: the power */
  double delta; /* huber: threshold in this round */
  size_t n, outputs;
  const double *y;                   /* n: real numbers, or 0 and 1; NULL for more than two classes */
  const int32_t *code;               /* n: classes */
  const double *weight;              /* n, or NULL */
  double *score, *negative_gradient; /* outputs x n; score: raw predictions */
  double *row_loss, *workspace;      /* n; 2 n */
  mn_lambda_rank *rank;              /* loss rank */
  double *hessian;                   /* n, loss rank */
} mn_gradient_loss;

/* For the rows of data, whose targets are data->y (or data->code for more than two classes). In scratch. */
mn_status mn_gradient_loss_make(mn_context *ctx, mn_gradient_loss_kind kind, double shape, size_t outputs,
                                const mn_data *data, mn_gradient_loss *loss);

/* Set the groups of a ranking loss, of which ranks up to k count. */
mn_status mn_gradient_loss_set_ranking(mn_context *ctx, const mn_data *data, size_t k, bool norm,
                                       mn_gradient_loss *loss);

/* The constants with the lowest loss. */
mn_status mn_gradient_loss_initial(mn_context *ctx, const mn_gradient_loss *loss, double *start);

/* Set delta of the Huber loss for this round. */
mn_status mn_gradient_loss_update_delta(mn_context *ctx, mn_gradient_loss *loss);

/* Compute negative gradients and losses at the scores. */
mn_status mn_gradient_loss_update(mn_context *ctx, mn_gradient_loss *loss);

/* Mean loss of the rows with used[i] == which; used NULL: of all rows. */
double mn_gradient_loss_mean(const mn_gradient_loss *loss, const uint8_t *used, uint8_t which);

/* Value of a leaf of output k with rows row[0..count-1]; mean: of their negative gradients. */
mn_status mn_gradient_loss_leaf_value(mn_context *ctx, const mn_gradient_loss *loss, size_t k, const uint32_t *row,
                                      size_t count, double mean, double *value);

#endif
