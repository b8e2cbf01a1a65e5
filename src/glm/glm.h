/* Generalized linear models: the struct that fit fills and inference reads. */
#ifndef MN_GLM_GLM_H
#define MN_GLM_GLM_H
#include "../model/operation.h"
#include "glm_problem.h"
#include "../linear/linear.h"

struct mn_glm {
  mn_linear linear;
  int64_t family, link, max_iter; /* parameters */
  double power, theta, link_power, alpha, l1_ratio, tol;
  bool fit_intercept, inference, quasi;
  mn_text offset, trials;
  int64_t family_code, link_code; /* learned; auto resolved */
  double parameter, exponent;     /* of the fitted family and link */
  double theta_estimate;          /* NaN unless negative_binomial */
  double n;                       /* sum of the sample weights */
  int64_t rank;
  int64_t offset_column, trials_column; /* 0-based; -1: none */
  mn_indexes terms;                     /* the features: all other columns, in order */
  double deviance, null_deviance, pearson_chi2, dispersion, df_residual, df_null, loglik, aic, bic;
  double total;           /* sum of the working weights at the solution: the information on the intercept */
  mn_vector mean, spread; /* terms: means with these weights, and norms about them */
  mn_matrix unscaled;  /* terms x terms: inverse of the information with columns scaled to norm 1; NaN with a penalty or
                          collinear columns */
  mn_vector residuals; /* 5: minimum, quartiles, maximum of the deviance residuals */
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

/* summary, intervals, diagnostics (glm_inference.c) */
extern const mn_operation mn_glm_operations[];

#endif
