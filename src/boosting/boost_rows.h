/* Training rows of histogram boosting: raw predictions, gradients, and the rows used in each round. */
#ifndef MN_BOOSTING_BOOST_ROWS_H
#define MN_BOOSTING_BOOST_ROWS_H
#include "boost_grow.h"
#include "boost_loss_kernel.h"
#include "lambda_rank.h"

struct mn_hist_gradient_boosting;

typedef struct mn_boost_rows {
  const mn_data *data;
  mn_boost_loss_kind loss;
  double shape;
  size_t n, outputs;
  const double *y;        /* n; NULL: classes, data->code */
  const double *monotone; /* features: the monotonic constraints; or NULL */
  double *score;          /* outputs x n: raw predictions */
  double *log_sum_exp;    /* n, loss softmax: of the scores at the beginning of the round */
  double *g, *h;          /* n, loss rank; other losses recompute them from the scores */
  int64_t *counts;        /* n: row weights in count_unit; NULL: 1 */
  bool integral_weights;  /* gradients are multiplied by counts */
  bool exact;             /* gradients are never narrow */
  int64_t total_count;
  double count_unit;
  uint8_t *in_training;               /* n: 0 for a held-out row; NULL: all are training rows */
  uint8_t *in_round;                  /* n: 1 for a row used in this round; NULL: all are */
  double train_loss, validation_loss; /* means; the latter of eval or of the held-out rows, else NaN */
  mn_loss_stats *stats;               /* outputs */
  int64_t *gh;                        /* 2 n */
  mn_lambda_rank *rank;               /* loss rank */
  struct mn_boost_rows *eval;         /* the evaluation set, of which only scores and losses are used; or NULL */
  mn_blocks blocks;
  double *loss_sums;          /* blocks x 4: loss and weight of training rows, and of held-out rows */
  mn_loss_stats *block_stats; /* blocks x outputs */
  double *workspace;          /* workers x 4 blocks: see struct block_buffers */
} mn_boost_rows;

mn_status mn_boost_rows_make(mn_context *ctx, const mn_data *data, mn_boost_loss_kind loss, double shape,
                             size_t outputs, mn_boost_rows *rows);

/* The user's initial raw prediction of row i, output k; 0 if none was given. */
static inline double mn_boost_init_score(const mn_boost_rows *rows, size_t i, size_t k)
{
  return rows->data->init_score.at ? mn_row(&rows->data->init_score, i)[k] : 0;
}

/* Hold out a fraction of the rows, or of the groups for ranking. */
mn_status mn_boost_hold_out(mn_context *ctx, mn_boost_rows *rows, double share, int64_t seed);

/* Set start to the raw predictions of base_score (NaN: to the constants with the lowest loss), and the scores to it. */
mn_status mn_boost_init_scores(mn_context *ctx, mn_boost_rows *rows, double base_score, double *start);

/* Set the scores to start, plus init_score. */
mn_status mn_boost_set_scores(mn_context *ctx, mn_boost_rows *rows, const double *start);

/* Compute gradients and losses at the scores. */
mn_status mn_boost_update_gradients(mn_context *ctx, mn_boost_rows *rows);

/* Draw the rows of a round. */
mn_status mn_boost_sample_rows(mn_context *ctx, mn_boost_rows *rows, double share, int64_t seed, uint64_t round);

/* Convert the gradients of an output to fixed point. */
mn_status mn_boost_quantize_gradients(mn_context *ctx, mn_boost_rows *rows, size_t output, mn_boost_gradients *out);

/* Replace leaf values of quantile and Huber losses by the result of a line search. */
mn_status mn_boost_optimize_leaves(mn_context *ctx, const mn_boost_rows *rows, const mn_grower *grower,
                                   const struct mn_hist_gradient_boosting *m, mn_boost_builder *trees);

/* Add the last tree to the scores of the evaluation set. */
mn_status mn_boost_update_eval(mn_context *ctx, mn_boost_rows *eval, size_t output, const mn_boost_builder *trees);

/* Add the leaf values to the scores; *overflows: the predictions diverge. */
mn_status mn_boost_update_scores(mn_context *ctx, mn_boost_rows *rows, size_t output, const mn_grower *grower,
                                 const mn_boost_builder *trees, bool *overflows);

#endif
