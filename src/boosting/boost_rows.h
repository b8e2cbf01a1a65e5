/* The rows of a fit: raw predictions, their gradients, and what part they take in the rounds. */
#ifndef MN_BOOSTING_BOOST_ROWS_H
#define MN_BOOSTING_BOOST_ROWS_H
#include "boost_grow.h"
#include "boosting.h"
#include "lambda_rank.h"

typedef struct mn_boost_rows {
  const mn_data *data;
  mn_boost_loss_kind loss;
  double shape;
  size_t n, outputs;
  const double *y; /* n; NULL: classes, data->code                              */
  double *score;   /* outputs x n                                               */
  double *level;   /* n, of softmax: log sum exp(score) as the round begins     */
  double *g, *h;   /* n, of the loss rank; others' are made from the scores     */
  int64_t *times;  /* n: what a row counts, in count_unit; NULL: 1              */
  bool whole;      /* weights are whole: gradients are taken `times`            */
  int64_t total;   /* sum of times                                              */
  double count_unit;
  uint8_t *learns;      /* n: 0 for a row held out; NULL: none is                    */
  uint8_t *used;        /* n: 1 for a row that this round learns from; NULL: all are */
  double learned, held; /* mean loss of either kind of rows; held is NaN without any */
  mn_loss_sizes *size;  /* outputs                                                  */
  int64_t *gh;          /* 2 n */
  mn_lambda_rank *rank; /* of the loss rank */
  mn_blocks blocks;
  double *sums;             /* blocks x 4: loss and weight of rows that learn, and of those held out */
  mn_loss_sizes *size_part; /* blocks x outputs */
  double *room;             /* workers x 4 blocks: see struct block_room */
} mn_boost_rows;

mn_status mn_boost_rows_make(mn_context *ctx, const mn_data *data, mn_boost_loss_kind loss, double shape,
                             size_t outputs, mn_boost_rows *rows);

/* What output k of row i begins with, where the caller said so. */
static inline double mn_boost_init(const mn_boost_rows *rows, size_t i, size_t k)
{
  return rows->data->init_score.at ? mn_row(&rows->data->init_score, i)[k] : 0;
}

/* Hold out a share of the rows; where they are ranked, of the groups. */
mn_status mn_boost_hold_out(mn_context *ctx, mn_boost_rows *rows, double share, int64_t seed);

/* The best constants, into start and score. */
mn_status mn_boost_start(mn_context *ctx, mn_boost_rows *rows, double *start);

/* Gradients and losses at the scores. */
mn_status mn_boost_look(mn_context *ctx, mn_boost_rows *rows);

/* Draw the rows of a round. */
mn_status mn_boost_draw(mn_context *ctx, mn_boost_rows *rows, double share, int64_t seed, uint64_t round);

/* Gradients of an output in fixed point. */
mn_status mn_boost_fix(mn_context *ctx, mn_boost_rows *rows, size_t output, mn_boost_gradients *out);

/* Leaves of quantile losses and of huber: their values by line search. Then all leaves into the scores; these overflow
 * where the steps are far too long. */
mn_status mn_boost_search(mn_context *ctx, const mn_boost_rows *rows, const mn_grower *grower,
                          const struct mn_boosting *m, mn_boost_builder *trees);
mn_status mn_boost_add(mn_context *ctx, mn_boost_rows *rows, size_t output, const mn_grower *grower,
                       const mn_boost_builder *trees, bool *overflows);

#endif
