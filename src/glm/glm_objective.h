/* The objective of a generalised linear model with its derivatives, in parallel blocks of rows. */
#ifndef MN_GLM_GLM_OBJECTIVE_H
#define MN_GLM_GLM_OBJECTIVE_H
#include "glm_engine.h"

typedef struct mn_glm_objective {
  const mn_glm_problem *problem;
  mn_blocks blocks;
  size_t piece;    /* rows that are worked on at a time, while they are in cache */
  double *work;    /* workers x 5 x piece                                        */
  double *sums;    /* blocks x (p + 1): gradients                                 */
  double *facts;   /* blocks x FACTS                                              */
  const double *b; /* where */
  double c;
  double *curvature;    /* n */
  double *score;        /* by products with l1: n, the derivative of half the deviance by eta; else NULL */
  const mn_csr *turned; /* with it: X' */
  double *gb, gc;       /* out: the gradient, penalty included */
  double least_mean, least_rest, mean_of_means;
  double mean_answer; /* of y; 1 when that is 0 */
  double weights;     /* sum of the weights */
} mn_glm_objective;

mn_status mn_glm_prepare(mn_context *ctx, const mn_glm_problem *problem, mn_glm_objective *o);

/* At s->b, s->c: s->value (INFINITY when a mean is out of range), s->deviance, s->curvature; and the gradient. */
mn_status mn_glm_value(mn_context *ctx, mn_glm_objective *o, mn_glm_state *s);

#endif
