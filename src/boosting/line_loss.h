/* Losses as gradient boosting over exact trees (Friedman 2001) takes them: the negative gradient that a tree is fitted
 * to, and the value of each leaf that lowers the loss most (his line search, one for each leaf). */
#ifndef MN_BOOSTING_LINE_LOSS_H
#define MN_BOOSTING_LINE_LOSS_H
#include "../model/data.h"
#include "lambda_rank.h"

typedef enum mn_line_kind {
  MN_LINE_SQUARED,
  MN_LINE_ABSOLUTE,
  MN_LINE_HUBER,
  MN_LINE_QUANTILE,
  MN_LINE_POISSON, /* from here to tweedie the prediction is exp of the raw one */
  MN_LINE_GAMMA,
  MN_LINE_TWEEDIE,
  MN_LINE_LOG_LOSS, /* two classes, or more where there are several outputs */
  MN_LINE_EXPONENTIAL,
  MN_LINE_RANK /* pairs of rows: lambda_rank.h */
} mn_line_kind;

/* Rows, and where their raw predictions stand. */
typedef struct mn_line {
  mn_line_kind kind;
  double shape; /* of quantile the level; of huber the share of rows that are no outliers; of tweedie the power */
  double delta; /* of huber, in this round */
  size_t n, outputs;
  const double *y;       /* n: reals, or 0 and 1; NULL where there are more classes */
  const int32_t *code;   /* n: classes */
  const double *weight;  /* n, or NULL */
  double *score, *slope; /* outputs x n: raw predictions, negative gradients */
  double *loss, *room;   /* n; 2 n */
  mn_lambda_rank *rank;  /* of rank, as is */
  double *curve;         /* n: its Hessians */
} mn_line;

/* Room for the rows of data, whose y are `y` (or codes of more than two classes). In scratch. */
mn_status mn_line_make(mn_context *ctx, mn_line_kind kind, double shape, size_t outputs, const mn_data *data,
                       mn_line *line);

/* The groups of data, of which ranks up to k count. */
mn_status mn_line_rank(mn_context *ctx, const mn_data *data, size_t k, bool norm, mn_line *line);

/* The best constants. */
mn_status mn_line_start(mn_context *ctx, const mn_line *line, double *start);

/* The delta of huber for this round. */
mn_status mn_line_tune(mn_context *ctx, mn_line *line);

/* Slopes and losses at the scores. */
mn_status mn_line_look(mn_context *ctx, mn_line *line);

/* The mean loss of the rows where used[i] is `which`; used NULL: of all. */
double mn_line_mean(const mn_line *line, const uint8_t *used, uint8_t which);

/* The value of a leaf of output k, whose rows are row[0..count-1]; mean: of their slopes. */
mn_status mn_line_leaf(mn_context *ctx, const mn_line *line, size_t k, const uint32_t *row, size_t count, double mean,
                       double *value);

#endif
