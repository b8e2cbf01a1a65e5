/* The struct of LinearRegression, shared by fitting (linear_regression.c) and inference (inference.c). */
#ifndef MN_LINEAR_LINEAR_REGRESSION_H
#define MN_LINEAR_LINEAR_REGRESSION_H
#include "../model/operation.h"
#include "linear.h"
#include "qr_accumulator.h"

struct mn_ols {
  mn_linear linear;
  bool fit_intercept, inference; /* parameters */
  int64_t rank;
  double rcond;         /* 1 / condition number of the columns scaled to norm 1                              */
  double n;             /* sum of the sample weights                                                         */
  mn_vector mean;       /* features: column means of X; 0 without an intercept                               */
  mn_vector rss, tss;   /* targets: residual and total sum of squares (about the mean with an intercept)     */
  mn_vector scale;      /* features: norms of the centered columns                                           */
  mn_matrix unscaled;   /* features x features: inverse of the Gram matrix of the columns scaled to norm 1; NaN if
                           rank-deficient */
  mn_matrix residuals;  /* targets x 5: minimum, quartiles and maximum of the residuals; NaN after partial_fit */
  mn_indexes dependent; /* columns that are combinations of the others, in pivot order; empty at full rank   */
  mn_qr_accumulator accumulator; /* of partial_fit */
};

/* summary, intervals and diagnostics (inference.c) */
extern const mn_operation mn_ols_operations[];

#endif
