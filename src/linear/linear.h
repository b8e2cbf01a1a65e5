/* What linear models share: weights, a constant, and y = X b + c. */
#ifndef MN_LINEAR_LINEAR_H
#define MN_LINEAR_LINEAR_H
#include "../model/class.h"
#include "../model/program.h"

/* A linear model begins with this. */
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
    .brief = "weights" },                                                                                              \
  {                                                                                                                    \
    .name = "intercept", .kind = MN_KIND_VECTOR, .offset = offsetof(mn_linear, intercept), .shape = rows,              \
    .brief = "constant term"                                                                                           \
  }

/* predict of regressors and decision_function of classifiers: out = X coef' + intercept; dense or sparse X. */
mn_status mn_linear_predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);

/* What mn_linear_predict does, for program.h; the two parts of it for those who go on from there. */
mn_status mn_linear_export(mn_context *ctx, const void *self, mn_action action, mn_program *program);
void mn_linear_program(const mn_linear *m, mn_program *program);

/* log_proba of classifiers whose decisions are logarithms of odds, and decision_function and it for program.h. */
mn_status mn_linear_log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
mn_status mn_linear_export_proba(mn_context *ctx, const void *self, mn_action action, mn_program *program);

/* coef and intercept, made and zeroed. */
mn_status mn_linear_init(mn_context *ctx, mn_linear *m, size_t outputs, size_t features);

/* MN_BAD_DATA, with the place, when a number of X or of a y of numbers is so large that sums of products with it would
 * not be finite (1e100 and more): for fits that go by squares. */
mn_status mn_need_squares(mn_context *ctx, const mn_estimator *model, const mn_data *data);
/* The same of y alone: for trees, that compare X but add up y. */
mn_status mn_need_y_squares(mn_context *ctx, const mn_estimator *model, const mn_data *data);

/* Weighted means of the columns of dense X, then of y: mean has features + targets values, 0 on entry. Returns the sum
 * of the weights. */
double mn_linear_means(const mn_data *data, double *mean);

/* A pass over the rows of a fit, in parallel blocks whose sums are added in order: for target t with weights b (p)
 * about the means, the residual sum of squares, the gradient sum_i w_i r_i (x_i - mean) and the residuals themselves.
 *
 *   mean      p + targets values: of x, then of y
 *   residual  rows, out, may be NULL
 *   gradient  p, out, may be NULL
 *   rss       out */
mn_status mn_linear_pass(mn_context *ctx, const mn_data *data, size_t target, const double *mean, const double *b,
                         double *residual, double *gradient, double *rss);

#endif
