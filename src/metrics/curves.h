/* Measures of a score that should rank the rows of one class above all others. Rows of equal score are treated as one
 * group, so results do not depend on the order of rows. A weight k counts as k equal rows. */
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

/* For each distinct score in descending order, the weight of the negative and of the positive rows that score at least
 * that; preceded by the point 0, 0, inf.
 *
 *   corners                    omit points on a straight line between their neighbors
 *   negative, positive, score  out, r->n + 1 each
 *   count                      out: the number of points
 *
 * MN_NO_MEMORY for 40 n bytes of scratch, which is released. */
mn_status mn_ranking_curve(mn_context *ctx, const mn_ranking *r, bool corners, double *negative, double *positive,
                           double *score, size_t *count);

/* Area under the ROC curve, by the trapezoidal rule: the probability that a positive row scores above a negative one,
 * ties counted half. NaN unless there are rows of both kinds. */
mn_status mn_ranking_area(mn_context *ctx, const mn_ranking *r, double *area);

/* Average precision: sum over the distinct scores of (increase of recall) * precision. NaN without positive rows. */
mn_status mn_ranking_precision(mn_context *ctx, const mn_ranking *r, double *precision);

/* The area and the variance of its estimate (DeLong, DeLong & Clarke-Pearson, Biometrics 44, 1988), from the variances
 * of the placements of positive rows and of negative rows. NaN unless there are at least two rows of each kind. */
mn_status mn_ranking_delong(mn_context *ctx, const mn_ranking *r, double *area, double *variance);

/* A pointwise bootstrap band of the ROC curve: quantiles of the true positive rates at given false positive rates, over
 * curves of resampled rows (stratified: as many positive and negative rows as there are).
 *
 *   curves     number of resampled curves, at least 1; curve i uses stream i of `seed`
 *   points     number of false positive rates rate[k], ascending, from 0 to 1
 *   level      fraction of the curves between low and high at each rate
 *   low, high  out, points each
 *
 * With weights as many rows are drawn as they count, in proportion to them. Rows of both kinds must occur. MN_NO_MEMORY
 * for 40 n + 8 curves * points bytes of scratch, which is released; MN_CANCELLED; MN_BAD_ARGUMENT for weights that are
 * all 0 for one kind, or count more than 1e8 rows. */
typedef struct mn_roc_band {
  size_t curves, points;
  const double *rate;
  int64_t seed;
  double level;
} mn_roc_band;
mn_status mn_ranking_band(mn_context *ctx, const mn_ranking *r, const mn_roc_band *band, double *low, double *high);

/* One-vs-one area (Hand & Till, Machine Learning 45, 2001): on the rows of classes a and b, the mean of the area for a
 * by the scores of column a, and of that for b by column b.
 *
 *   k      score is n x k
 *   area   out; NaN unless there are rows of both classes
 *   mass   out: weight of the rows of both classes
 */
mn_status mn_pair_area(mn_context *ctx, size_t n, size_t k, const int32_t *code, const double *score, const double *w,
                       int32_t a, int32_t b, double *area, double *mass);

#endif
