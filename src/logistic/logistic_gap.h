/* How far a logistic regression may be above its minimum: the duality gap. */
#ifndef MN_LOGISTIC_LOGISTIC_GAP_H
#define MN_LOGISTIC_LOGISTIC_GAP_H
#include "../loss/descent.h"
#include "logistic_cd.h"

/* F of b (decisions x p) and c, less the dual at a point made of them; never below 0. NaN without an L1 norm, where
 * Newton's decrement says as much and costs no pass over X. */
mn_status mn_logistic_gap(mn_context *ctx, const mn_logistic_cd *o, const double *b, const double *c, double *gap);

/* The same of a score of descent.h whose loss is log_loss. */
mn_status mn_logistic_gap_of_score(mn_context *ctx, const mn_descent *d, const double *b, double c, double *gap);

#define MN_LOGISTIC_GAP(type)                                                                                          \
  MN_OPTIONAL_NUMBER(type, gap,                                                                                        \
                     "with an L1 norm in the penalty, the duality gap, a number: the objective is above its minimum "  \
                     "by no more; else nil")

#endif
