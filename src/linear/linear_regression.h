/* Ordinary least squares: the struct that fitting fills and inference reads. */
#ifndef MN_LINEAR_LINEAR_REGRESSION_H
#define MN_LINEAR_LINEAR_REGRESSION_H
#include "../model/operation.h"
#include "linear.h"
#include "stream.h"

struct mn_ols {
  mn_linear linear;
  bool fit_intercept, inference; /* what the user sets */
  int64_t rank;
  double rcond;            /* 1 / cond of the columns scaled to norm 1                                     */
  double n;                /* sum of the weights                                                           */
  mn_vector mean;          /* features: of X; 0 without an intercept                                       */
  mn_vector rss, tss;      /* targets: residual and total sum of squares (about the mean with an intercept) */
  mn_vector scale;         /* features: norms of the columns of X about their means                         */
  mn_matrix unscaled;      /* features x features: inverse of the Gram matrix of the columns scaled to norm 1; NaN when
                              rank-deficient */
  mn_matrix residuals;     /* targets x 5: minimum, quartiles, maximum of the residuals; NaN of rows in batches */
  mn_indexes dependent;    /* columns that follow from the others, in order of discovery; empty at full rank */
  mn_linear_stream stream; /* of partial_fit */
};

/* summary, intervals, diagnostics: src/linear/inference.c */
extern const mn_operation mn_ols_operations[];

#endif
