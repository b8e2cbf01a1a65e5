/* What Gaussian process regression says about its fit: hyperparameters with units and bounds, noise, warnings. */
#ifndef MN_GAUSSIAN_PROCESS_GP_REPORT_H
#define MN_GAUSSIAN_PROCESS_GP_REPORT_H
#include "gp_regressor.h"

/* What a summary reports of a fitted model. */
typedef struct mn_gp_account {
  const mn_estimator *model;
  const mn_kernel *kernel;
  mn_kernel_rows rows;    /* over which the noise is averaged: training rows, or inducing inputs */
  const char *row_name;   /* in the singular                           */
  const mn_matrix *x, *y; /* warn of their constant columns; or NULL   */
  mn_gp_mean mean;
  const mn_vector *y_mean, *y_scale; /* targets */
  const char *likelihood_name;
  double log_likelihood, jitter;
  double noise;            /* variance beside White, in normalized units  */
  const double *row_noise; /* rows: further variances, or NULL            */
  bool noise_process;      /* which another process has learned           */
  bool searched;           /* hyperparameters at a bound deserve a warning */
} mn_gp_account;

/* The account of a model for many rows: these models name their learned fields alike. Further members follow. */
#define MN_GP_ACCOUNT(m, likelihood, ...)                                                                              \
  {                                                                                                                    \
    .model = &(m)->base, .kernel = &(m)->fitted_kernel, .y_mean = &(m)->y_mean, .y_scale = &(m)->y_scale,              \
    .likelihood_name = (likelihood), .log_likelihood = (m)->log_likelihood, .searched = (m)->base.report.n_iter > 1,   \
    __VA_ARGS__                                                                                                        \
  }

mn_status mn_gp_summarize(mn_context *ctx, const mn_gp_account *account, mn_results *results);

/* A row of a table of operations. */
#define MN_GP_SUMMARY(function)                                                                                        \
  {                                                                                                                    \
    .name = "summary",                                                                                                 \
    .brief = "hyperparameters with units and bounds, likelihood, noise and warnings; prints as a table",               \
    .returns =                                                                                                         \
        "hyperparameters (Frame of name, value, unit, low, high, note), log_likelihood, noise_variance, jitter, "      \
        "warnings, text",                                                                                              \
    .run = function                                                                                                    \
  }

/* The operation `summary` of the dense model. */
mn_status mn_gp_summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                        mn_results *results);

/* `warning` of the class table: hyperparameters at a bound. Noise at its lower bound is not one of them, since it only
 * says that the data show no noise. */
void mn_gp_warning(const void *self, mn_text_buffer *text);

#endif
