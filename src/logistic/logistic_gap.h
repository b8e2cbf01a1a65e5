/* The duality gap of logistic regression: an upper bound on how far F is above its minimum. */
#ifndef MN_LOGISTIC_LOGISTIC_GAP_H
#define MN_LOGISTIC_LOGISTIC_GAP_H
#include "../loss/descent.h"
#include "logistic_problem.h"

/* F at b (decisions x p) and c minus the dual at a point derived from them; never negative. NaN without an L1 norm,
 * where Newton's decrement gives the same without a pass over X. */
mn_status mn_logistic_gap(mn_context *ctx, const mn_logistic_problem *o, const double *b, const double *c, double *gap);

/* The same for one score of descent.h with loss log_loss. */
mn_status mn_logistic_gap_of_score(mn_context *ctx, const mn_descent *d, const double *b, double c, double *gap);

#define MN_LOGISTIC_GAP(type)                                                                                          \
  MN_OPTIONAL_NUMBER(type, gap,                                                                                        \
                     "duality gap: the objective is at most this far above its minimum; nil without an L1 penalty")

#endif
