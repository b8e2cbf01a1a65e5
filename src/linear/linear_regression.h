/* The struct of LinearRegression, shared by fitting (linear_regression.c) and inference (inference.c, diagnostics.c,
 * anova.c). */
#ifndef MN_LINEAR_LINEAR_REGRESSION_H
#define MN_LINEAR_LINEAR_REGRESSION_H
#include "../model/operation.h"
#include "information.h"
#include "linear.h"
#include "observations.h"
#include "qr_accumulator.h"

struct mn_ols {
  mn_linear linear;
  bool fit_intercept, inference; /* parameters */
  int64_t weights_type;
  int64_t rank;
  double rcond;         /* 1 / condition number of the columns scaled to norm 1                              */
  double n, rows;       /* sum of the sample weights; number of rows, NaN in archives without it             */
  double log_weights;   /* sum of the logarithms of the sample weights                                       */
  mn_vector mean;       /* features: column means of X; 0 without an intercept                               */
  mn_vector rss, tss;   /* targets: residual and total sum of squares (about the mean with an intercept)     */
  mn_vector scale;      /* features: norms of the centered columns                                           */
  mn_matrix unscaled;   /* features x features: inverse of the Gram matrix of the independent columns scaled to norm 1,
                           0 elsewhere; NaN in archives without `alias` if X is rank-deficient */
  mn_matrix effects;    /* targets x features: square roots of the sequential sums of squares, with a sign   */
  mn_matrix residuals;  /* targets x 5: minimum, quartiles and maximum of the residuals; NaN after partial_fit */
  mn_indexes dependent; /* columns that are combinations of columns before them; empty at full rank         */
  mn_matrix alias;      /* dependent x features: these combinations                                         */
  mn_qr_accumulator accumulator; /* of partial_fit */
};

/* Goodness of fit of one target. */
typedef struct mn_ols_statistics {
  double n, df, model_df, sigma, r2, adjusted_r2, f, f_p, loglik, aic, bic;
} mn_ols_statistics;

mn_ols_statistics mn_ols_compute_statistics(const struct mn_ols *m, size_t target);
mn_observations mn_ols_observations(const struct mn_ols *m);
mn_information mn_ols_information(const struct mn_ols *m);

/* MN_BAD_ARGUMENT if the model has no fields for inference, or not so many targets. */
mn_status mn_ols_require(mn_context *ctx, const struct mn_ols *m, const char *operation, int64_t target);

/* Prediction of a row. */
double mn_ols_fitted(const struct mn_ols *m, size_t target, const double *row);

/* Their options are described by the tables mn_ols_..._params, to which structs of these types belong. */
typedef struct mn_ols_row_options {
  int64_t target;
  mn_vector weights;
} mn_ols_row_options;
extern const mn_param mn_ols_row_params[];

/* Operations (diagnostics.c, anova.c). */
mn_status mn_ols_diagnostics(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                             mn_results *results);
mn_status mn_ols_dfbetas(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                         mn_results *results);

/* All operations (inference.c). */
extern const mn_operation mn_ols_operations[];

#endif
