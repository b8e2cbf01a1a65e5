/* Generalized linear models: the struct that fit fills and inference reads. */
#ifndef MN_GLM_GLM_H
#define MN_GLM_GLM_H
#include "../model/operation.h"
#include "glm_problem.h"
#include "../linear/information.h"
#include "../linear/linear.h"
#include "../linear/observations.h"

struct mn_glm {
  mn_linear linear;
  int64_t family, link, max_iter, weights_type; /* parameters */
  double power, theta, link_power, alpha, l1_ratio, tol;
  bool fit_intercept, inference, quasi;
  mn_feature offset, trials;
  int64_t family_code, link_code; /* learned; auto resolved */
  double parameter, exponent;     /* of the fitted family and link */
  double theta_estimate;          /* NaN unless negative_binomial */
  double n, rows, log_weights;    /* sum of the sample weights; number of rows, and sum of the logarithms; NaN in
                                     archives without them */
  int64_t rank;
  int64_t offset_column, trials_column; /* 0-based; -1: none */
  mn_indexes terms;                     /* the features: all other columns, in order */
  double deviance, null_deviance, pearson_chi2, dispersion, df_residual, df_null, loglik, aic, bic;
  double total;           /* sum of the working weights at the solution: the information on the intercept */
  mn_vector mean, spread; /* terms: means with these weights, and norms about them */
  mn_matrix unscaled;     /* terms x terms: inverse of the information of the independent columns scaled to norm 1, 0
                             elsewhere; NaN with a penalty */
  mn_indexes dependent;   /* terms that are combinations of terms before them; empty at full rank */
  mn_matrix alias;        /* dependent x terms: these combinations of the centered columns */
  mn_vector residuals;    /* 5: minimum, quartiles, maximum of the deviance residuals */
};

/* Find the offset, the trials and the features among the columns of X (glm_columns.c). */
mn_status mn_glm_find_columns(mn_context *ctx, struct mn_glm *m);
/* Targets and trials of the rows: from two columns of counts, or a column of X; *trials is NULL where all are 1. */
mn_status mn_glm_targets(mn_context *ctx, const struct mn_glm *m, const mn_data *data, const double **y,
                         const double **trials);
/* Set x, y, w, trials and offset of the problem. */
mn_status mn_glm_set_data(mn_context *ctx, const struct mn_glm *m, const mn_data *data, mn_glm_problem *problem);

/* Compute what inference needs: deviances, dispersion, likelihood, information. */
mn_status mn_glm_finalize(mn_context *ctx, struct mn_glm *m, const mn_data *data, const mn_glm_problem *problem,
                          const mn_glm_state *state);

/* Maximum likelihood estimate of theta of the negative binomial, given the means. *finite is false when the counts are
 * not overdispersed; then theta is set to an upper limit. */
mn_status mn_glm_estimate_theta(mn_context *ctx, const mn_glm_problem *problem, const double *mu, double *theta,
                                bool *finite);

/* The mean at a linear predictor (glm_mean.c). */
double mn_glm_mean(const struct mn_glm *m, double eta);
mn_status mn_glm_export(mn_context *ctx, const void *self, mn_action action, mn_program *program);

mn_observations mn_glm_observations(const struct mn_glm *m);
mn_information mn_glm_information(const struct mn_glm *m);
bool mn_glm_estimates_dispersion(const struct mn_glm *m);

/* MN_BAD_ARGUMENT if the model has no fields for inference. */
mn_status mn_glm_require(mn_context *ctx, const struct mn_glm *m, const char *operation);

/* One row at the fitted coefficients; derivatives and variance without sample weight and dispersion. */
typedef struct mn_glm_row {
  double eta, mu, complement, dmu, variance, trials, y;
} mn_glm_row;
mn_glm_row mn_glm_row_at(const struct mn_glm *m, const double *row, double y, double trials);

/* Rows as an operation reads them: targets, trials, sample weights and workspace. */
typedef struct mn_glm_rows {
  const double *y, *trials, *weights; /* trials and weights may be NULL: all 1 */
  bool frequency;
  double *workspace, *buffer; /* 2 terms; features */
} mn_glm_rows;
mn_status mn_glm_rows_init(mn_context *ctx, const struct mn_glm *m, const mn_data *data, const mn_vector *weights,
                           const char *operation, mn_glm_rows *rows);

/* Options of operations on rows (glm_diagnostics.c). */
typedef struct mn_glm_row_options {
  mn_vector weights;
} mn_glm_row_options;
extern const mn_param mn_glm_row_params[];
mn_status mn_glm_diagnostics(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                             mn_results *results);
mn_status mn_glm_dfbetas(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                         mn_results *results);

/* Analysis of deviance (glm_anova.c). */
typedef struct mn_glm_anova_options {
  mn_vector terms, weights;
} mn_glm_anova_options;
extern const mn_param mn_glm_anova_params[];
mn_status mn_glm_anova(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                       mn_results *results);

/* All operations (glm_inference.c). */
extern const mn_operation mn_glm_operations[];

#endif
