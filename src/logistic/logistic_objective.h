/* Objective and gradient of logistic regression with an L2 penalty, in one pass over X.
 *
 *     F(B, c) = C sum_i w_i loss(y_i, x_i B + c) + penalty / 2 |B|^2
 *
 * loss is that of the softmax over k classes, or with two classes that of the logistic function of one score. */
#ifndef MN_LOGISTIC_LOGISTIC_OBJECTIVE_H
#define MN_LOGISTIC_LOGISTIC_OBJECTIVE_H
#include "../model/data.h"
#include "../core/threads.h"

typedef struct mn_logistic_objective {
  const mn_data *data;
  double C, penalty; /* penalty: 1 for L2, 0 for none */
  bool fit_intercept;
  size_t p, decisions; /* decisions: 1 for two classes, else k         */
  size_t width;        /* row width of the scores: decisions, padded to a multiple of 4 when above 1 */
  double *curvature;   /* rows, filled by mn_logistic_evaluate when not NULL (two classes only) */
  /* Workspace. */
  mn_blocks blocks;
  double *padded, *start; /* p x width, width: B and c, padded           */
  double *score;          /* workers x chunk rows x width */
  double *gradient;       /* blocks x (p + 1) x width                    */
  double *loss;           /* blocks                                      */
} mn_logistic_objective;

/* Allocate the workspace (scratch). data, C, penalty, fit_intercept and decisions must be set. */
mn_status mn_logistic_objective_init(mn_context *ctx, mn_logistic_objective *o);

/* F and its gradient.
 *
 *   b, c    p x decisions, decisions: coefficients as columns, and intercepts
 *   gb, gc  p x decisions, decisions, out; gc is 0 without an intercept */
mn_status mn_logistic_evaluate(mn_context *ctx, mn_logistic_objective *o, const double *b, const double *c,
                               double *value, double *gb, double *gc);

#endif
