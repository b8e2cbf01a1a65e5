/* Measures of a score that should put the rows of one class above all others. Rows of equal score are taken together:
 * no result depends on their order. A weight stands for as many equal rows. */
#ifndef MN_METRICS_CURVES_H
#define MN_METRICS_CURVES_H
#include "../core/context.h"

typedef struct mn_ranking {
  size_t n;
  const int32_t *code; /* n: class of each row                    */
  int32_t positive;    /* the class that should score high        */
  const double *score; /* score[i * step] of row i, without NaN   */
  size_t step;
  const double *w; /* n, or NULL: all 1                           */
} mn_ranking;

/* Weight of the negative and positive rows that score at least each of the distinct scores, from the largest down,
 * behind a first point 0, 0, inf.
 *
 *   corners                    leave out points that lie halfway between their neighbours, and so draw nothing
 *   negative, positive, score  out: r->n + 1 each
 *   count                      out: how many were filled
 *
 * MN_NO_MEMORY for 40 n bytes of scratch, which is given back. */
mn_status mn_ranking_curve(mn_context *ctx, const mn_ranking *r, bool corners, double *negative, double *positive,
                           double *score, size_t *count);

/* Area under the ROC curve, by trapezoids over the distinct scores: the chance that a positive row scores above a
 * negative one, ties counted half. NaN unless there are rows of both kinds. */
mn_status mn_ranking_area(mn_context *ctx, const mn_ranking *r, double *area);

/* Average precision: sum over the distinct scores of (rise of recall) * precision. NaN without positive rows. */
mn_status mn_ranking_precision(mn_context *ctx, const mn_ranking *r, double *precision);

/* The area and the variance of its estimate, after DeLong, DeLong & Clarke-Pearson, Biometrics 44 (1988): from how much
 * the chance differs from one positive row, and from one negative row, to another. NaN unless
 * there is more than one row of either kind. */
mn_status mn_ranking_delong(mn_context *ctx, const mn_ranking *r, double *area, double *variance);

/* Where the ROC curve could as well lie: quantiles of the true positive rates that curves of resampled rows reach at
 * given false positive rates (bootstrap; positive and negative rows are drawn apart, each as many as there are).
 *
 *   curves     how many are drawn, at least 1; curve i from stream i of `seed`
 *   points     false positive rates rate[k], ascending, from 0 to 1
 *   level      share of the curves between low and high at each rate
 *   low, high  out: points each
 *
 * Weights are not looked at. Both kinds of rows must occur. MN_NO_MEMORY for 24 n + 8 curves * points bytes of scratch,
 * which is given back; MN_CANCELLED. */
typedef struct mn_roc_band {
  size_t curves, points;
  const double *rate;
  int64_t seed;
  double level;
} mn_roc_band;
mn_status mn_ranking_band(mn_context *ctx, const mn_ranking *r, const mn_roc_band *band, double *low, double *high);

/* One class against another, by the scores for each of them, as Hand & Till, Machine Learning 45 (2001): the mean of
 * the areas for `a` by column a and for `b` by column b, over rows of the two classes alone.
 *
 *   k      score is n x k
 *   area   out: NaN unless there are rows of both
 *   mass   out: weight of the rows of both
 */
mn_status mn_pair_area(mn_context *ctx, size_t n, size_t k, const int32_t *code, const double *score, const double *w,
                       int32_t a, int32_t b, double *area, double *mass);

#endif
