/* A smooth line through points. */
#ifndef MN_STATS_LOWESS_H
#define MN_STATS_LOWESS_H
#include "../core/context.h"

/* How LOWESS smooths. */
typedef struct mn_lowess {
  double fraction; /* of the points that each local line takes into account, above 0 up to 1 */
  size_t rounds;   /* of fitting again with less weight for points that lie far off           */
  double delta;    /* lines are fitted this far apart and joined in between; 0: at every x    */
} mn_lowess;

/* fitted[i] = value of the smooth at x[i].
 *
 *   n       points, at least 1
 *   x       n, ascending, finite
 *   y       n, finite
 *   fitted  out: n
 *
 * MN_NO_MEMORY for 24 n bytes of scratch; MN_CANCELLED. */
mn_status mn_lowess_fit(mn_context *ctx, const mn_lowess *how, size_t n, const double *x, const double *y,
                        double *fitted);

#endif
