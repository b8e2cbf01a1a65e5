/* Conformal prediction: quantiles of scores, scores of labels, intervals of cross-validation.
 *
 * Vovk, Gammerman & Shafer, Algorithmic Learning in a Random World (2005); Lei et al., JASA 113 (2018). */
#ifndef MN_CALIBRATION_CONFORMAL_H
#define MN_CALIBRATION_CONFORMAL_H
#include "../core/context.h"

/* The smallest score q with sum_i w_i [score_i <= q] >= level (sum_i w_i + 1), where 1 is the weight of a new row;
 * infinity if there is none: n is too small for the level. Scores may be infinite.
 *
 *   weights  n, or NULL: all 1 */
mn_status mn_conformal_quantile(mn_context *ctx, size_t n, const double *score, const double *weights, double level,
                                double *q);

/* Cross-validated predictions: member[i] is the model that was fitted without row i of fit. */
typedef struct mn_held_out {
  size_t n, members;
  const double *member;   /* n: from 1 to members                  */
  const double *residual; /* n: |y_i - prediction of member[i]|    */
  const double *weights;  /* n, or NULL                            */
} mn_held_out;

/* Intervals of CV+ and of the jackknife+: low and high are the conformal quantiles, from below and from above, of
 * prediction -+ residual_i with the prediction of member[i].
 *
 *   prediction  tests x members
 *   low, high   out, tests
 *
 * Barber, Candes, Ramdas & Tibshirani, Annals of Statistics 49 (2021), equations 2 and 11. */
mn_status mn_held_out_intervals(mn_context *ctx, const mn_held_out *h, size_t tests, const double *prediction,
                                double level, double *low, double *high);

/* Scores of all labels, high for improbable ones; n x k.
 *
 *   MN_LAC       1 - p_c                                                   Sadinle, Lei & Wasserman, JASA 114 (2019)
 *   MN_ADAPTIVE  sum of the probabilities above p_c + u p_c + penalty max(rank of p_c - free_rank, 0)
 *                APS: Romano, Sesia & Candes, NeurIPS (2020); RAPS: Angelopoulos et al., ICLR (2021)
 *
 * Equal probabilities are ranked by column. */
enum mn_label_score { MN_LAC, MN_ADAPTIVE };

typedef struct mn_label_scores {
  enum mn_label_score form;
  double penalty, free_rank;
  const double *u; /* n values from 0 to 1, or NULL: all 1 */
} mn_label_scores;

mn_status mn_score_labels(mn_context *ctx, const mn_label_scores *s, size_t n, size_t k, const double *p, double *out);

#endif
