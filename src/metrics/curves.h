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
