/* Logistic regression as its fit, inference and summary share it. */
#ifndef MN_LOGISTIC_LOGISTIC_MODEL_H
#define MN_LOGISTIC_LOGISTIC_MODEL_H
#include "../linear/linear.h"
#include "../model/operation.h"

struct mn_logistic {
  mn_linear linear;
  double C, l1_ratio, tol; /* parameters */
  int64_t penalty, solver, max_iter;
  bool fit_intercept, std_errors;
  double gap;           /* learned */
  mn_matrix covariance; /* of the contrasts with the first class: per class the intercept, then the columns. Absent with
                           a penalty or without std_errors, NaN for collinear X */
  mn_vector figures;    /* indexed by mn_logistic_figure; absent like covariance */
};

enum mn_logistic_penalty { MN_PENALTY_L2, MN_PENALTY_NONE, MN_PENALTY_L1, MN_PENALTY_ELASTICNET };

enum mn_logistic_figure {
  MN_LOGISTIC_LOGLIK,
  MN_LOGISTIC_NULL_LOGLIK, /* of the model with an intercept only, or without any coefficient */
  MN_LOGISTIC_TOTAL,       /* sum of the weights */
  MN_LOGISTIC_FIGURES
};

enum { MN_LOGISTIC_MAX_INFERENCE = 1000 }; /* coefficients; with more there are no standard errors */

/* Compute covariance and figures of a fit without a penalty, if std_errors asks for them. */
mn_status mn_logistic_inference(mn_context *ctx, struct mn_logistic *m, const mn_data *data);

extern const mn_operation mn_logistic_operations[];

#endif
