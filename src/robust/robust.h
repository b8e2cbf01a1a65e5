/* Shared by the fit of robust regression and its summary. */
#ifndef MN_ROBUST_ROBUST_H
#define MN_ROBUST_ROBUST_H
#include "../model/operation.h"
#include "../linear/linear.h"
#include "../linear/observations.h"

struct mn_robust {
  mn_linear linear;
  int64_t loss, max_iter, weights_type; /* parameters */
  double tuning, tol;
  bool fit_intercept;
  double scale;        /* learned */
  mn_vector std_error; /* of the coefficients, the intercept first where there is one; absent without coefficients */
  mn_vector aliased; /* of rank-deficient X: the coefficients of the model without the dependent columns, whose own are
                        NaN, the intercept first; otherwise absent */
  mn_vector figures; /* other numbers of the summary, indexed by mn_robust_figure */
};

enum mn_robust_figure {
  MN_ROBUST_QUARTILES,  /* minimum, quartiles and maximum of the residuals */
  MN_ROBUST_SPREAD = 5, /* unit of the standard errors */
  MN_ROBUST_DF,         /* number of observations minus the number of coefficients */
  MN_ROBUST_RANK,       /* number of independent columns of X */
  MN_ROBUST_EARLY_FIGURES,
  MN_ROBUST_ROWS = MN_ROBUST_EARLY_FIGURES, /* absent in archives of version 0.1: number of rows, */
  MN_ROBUST_TOTAL,                          /* sum of the weights,                                 */
  MN_ROBUST_LOG_WEIGHTS,                    /* sum of their logarithms                             */
  MN_ROBUST_FIGURES
};

enum mn_robust_loss { MN_ROBUST_HUBER, MN_ROBUST_BISQUARE, MN_ROBUST_ANDREWS, MN_ROBUST_ABSOLUTE };

/* psi(u) / u of a residual in units of the scale, and the derivative of psi. Not called for loss absolute. */
double mn_robust_weight(const struct mn_robust *m, double u);
double mn_robust_slope(const struct mn_robust *m, double u);

/* Standard errors and quartiles, from the residuals of the last round. */
mn_status mn_robust_inference(mn_context *ctx, struct mn_robust *m, const mn_data *data, const double *residual);

/* The operation summary. */
mn_status mn_robust_summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                            mn_results *results);

#endif
