/* What linear models share: coefficients, intercept, and prediction by y = X b + c. */
#ifndef MN_LINEAR_LINEAR_H
#define MN_LINEAR_LINEAR_H
#include "../factorization/lapack.h"
#include "../model/class.h"
#include "../model/magnitudes.h"
#include "../model/program.h"

/* The struct of a linear model begins with this. */
typedef struct mn_linear {
  mn_estimator base;
  mn_matrix coef;      /* targets (or decisions) x features */
  mn_vector intercept; /* targets (or decisions)            */
} mn_linear;

/* The learned fields of a struct that begins with mn_linear; rows: "targets" or "decisions". */
#define MN_LINEAR_FIELDS(rows)                                                                                         \
  { .name = "coef",                                                                                                    \
    .kind = MN_KIND_MATRIX,                                                                                            \
    .offset = offsetof(mn_linear, coef),                                                                               \
    .shape = rows " x features",                                                                                       \
    .brief = "coefficients" },                                                                                         \
  {                                                                                                                    \
    .name = "intercept", .kind = MN_KIND_VECTOR, .offset = offsetof(mn_linear, intercept), .shape = rows,              \
    .brief = "intercept term"                                                                                          \
  }

/* predict of regressors and decision_function of classifiers: out = X coef' + intercept, for dense or sparse X. */
mn_status mn_linear_predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);

/* mn_linear_predict as an exported program (program.h). mn_linear_program adds only the coefficients, for models that
 * continue from there. */
mn_status mn_linear_export(mn_context *ctx, const void *self, mn_action action, mn_program *program);

/* Members of the class table of a regressor that predicts X coef' + intercept. */
#define MN_LINEAR_PREDICTION .predict = mn_linear_predict, .export = mn_linear_export
void mn_linear_program(const mn_linear *m, mn_program *program);

/* log_proba of classifiers whose decisions are log-odds, and its export together with decision_function. */
mn_status mn_linear_log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
mn_status mn_linear_export_proba(mn_context *ctx, const void *self, mn_action action, mn_program *program);

/* Allocate coef and intercept, filled with zeros. */
mn_status mn_linear_init(mn_context *ctx, mn_linear *m, size_t outputs, size_t features);

/* Weighted means of the columns of dense X, then of y, in two passes, which leaves an error of about one unit in the
 * last place: `mean` has features + targets values and is 0 on entry. `total`, unless NULL: the sum of the
 * weights. */
mn_status mn_linear_means(mn_context *ctx, const mn_data *data, double *mean, double *total);

/* The least squares problem of dense X and y about `mean` (features + targets), or about 0 if it is NULL. */
mn_rows mn_linear_problem(const mn_data *data, const double *mean);

/* One pass over the training rows, in parallel blocks whose sums are added in order: for target t with coefficients b
 * (p) of the centered columns, the residual sum of squares, the gradient sum_i w_i r_i (x_i - mean) and the residuals.
 *
 *   mean      p + targets values: of x, then of y
 *   residual  rows, out, may be NULL
 *   gradient  p, out, may be NULL
 *   rss       out */
mn_status mn_linear_gradient(mn_context *ctx, const mn_data *data, size_t target, const double *mean, const double *b,
                             double *residual, double *gradient, double *rss);

#endif
