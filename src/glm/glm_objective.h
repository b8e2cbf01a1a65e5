/* Objective and gradient of a generalized linear model, in parallel blocks of rows. */
#ifndef MN_GLM_GLM_OBJECTIVE_H
#define MN_GLM_GLM_OBJECTIVE_H
#include "glm_problem.h"

typedef struct mn_glm_objective {
  const mn_glm_problem *problem;
  mn_blocks blocks;
  size_t chunk;      /* rows processed at a time, so that they stay in cache */
  double *buffers;   /* workers x 5 x chunk */
  double *gradients; /* blocks x (p + 1) */
  double *stats;     /* blocks x STATS */
  const double *b;   /* where to evaluate */
  double c;
  double *curvature;        /* n */
  double *score;            /* implicit_hessian with l1: n, derivative of half the deviance by eta; else NULL */
  const mn_csr *transposed; /* with it: X' */
  double *gb, gc;           /* out: gradient, penalty included */
  double min_mean, min_complement, mean_mu; /* out: smallest mu and 1 - mu, and the mean of mu */
  double mean_y;                            /* 1 when it is 0 */
  double weight_sum;
} mn_glm_objective;

mn_status mn_glm_objective_init(mn_context *ctx, const mn_glm_problem *problem, mn_glm_objective *o);

/* Evaluate at s->b, s->c: s->value (INFINITY when a mean is out of range), s->deviance, s->curvature and the gradient.
 */
mn_status mn_glm_evaluate(mn_context *ctx, mn_glm_objective *o, mn_glm_state *s);

/* Linear predictors of all rows, offset included. */
mn_status mn_glm_linear_predictor(mn_context *ctx, const mn_glm_problem *problem, const double *b, double c,
                                  double *eta);

#endif
