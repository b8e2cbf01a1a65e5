/* Generalised linear models: the struct that fitting fills and inference reads. */
#ifndef MN_GLM_GLM_H
#define MN_GLM_GLM_H
#include "../model/operation.h"
#include "glm_engine.h"
#include "../linear/linear.h"

struct mn_glm {
  mn_linear linear;
  int64_t family, link, max_iter; /* what the user sets */
  double power, theta, link_power, alpha, l1_ratio, tol;
  bool fit_intercept, inference, quasi;
  mn_text offset, trials;
  int64_t family_code, link_code; /* what was fitted: auto resolved                                        */
  double parameter, exponent;     /* of the family and of the link that were fitted                        */
  double theta_estimate;          /* of the negative binomial; else NaN                                     */
  double n;                       /* sum of the weights                                                     */
  int64_t rank;
  int64_t offset_column, trials_column; /* 0-based; -1: none                                                */
  mn_indexes terms;                     /* the other columns, in order                                      */
  double deviance, null_deviance, pearson_chi2, dispersion, df_residual, df_null, loglik, aic, bic;
  double total;           /* sum of the weights of the last step: the information on the constant */
  mn_vector mean, spread; /* terms: means by those weights, and norms about them               */
  mn_matrix unscaled;     /* terms x terms: inverse of the information of columns of norm 1; NaN where
                             there is a penalty or the columns determine each other           */
  mn_vector residuals;    /* 5: minimum, quartiles, maximum of the deviance residuals         */
};

/* Which columns of X are the offset, the trials and the features; and what a fit needs of them.
 * src/glm/glm_columns.c */
mn_status mn_glm_split(mn_context *ctx, struct mn_glm *m);
/* The answers of the rows, and their trials: from two columns of counts, or a column of X, or NULL: 1 each. */
mn_status mn_glm_answers(mn_context *ctx, const struct mn_glm *m, const mn_data *data, const double **y,
                         const double **trials);
mn_status mn_glm_take(mn_context *ctx, const struct mn_glm *m, const mn_data *data, mn_glm_problem *problem);

/* What fitting leaves for inference: deviances, dispersion, likelihood, information. */
mn_status mn_glm_finish(mn_context *ctx, struct mn_glm *m, const mn_data *data, const mn_glm_problem *problem,
                        const mn_glm_state *state);

/* Theta of the negative binomial at these means, by maximum likelihood. *finite is false when the counts vary no more
 * than those of Poisson: then theta is as large as one can tell from infinity. */
mn_status mn_glm_theta(mn_context *ctx, const mn_glm_problem *problem, const double *mu, double *theta, bool *finite);

/* The mean of a row whose linear predictor is eta: src/glm/glm_mean.c */
double mn_glm_mean(const struct mn_glm *m, double eta);
mn_status mn_glm_export(mn_context *ctx, const void *self, mn_action action, mn_program *program);

/* summary, intervals, diagnostics: src/glm/glm_inference.c */
extern const mn_operation mn_glm_operations[];

#endif
