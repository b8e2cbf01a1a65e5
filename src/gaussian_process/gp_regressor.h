/* Gaussian process regression as its fit and its operations share it. */
#ifndef MN_GAUSSIAN_PROCESS_GP_REGRESSOR_H
#define MN_GAUSSIAN_PROCESS_GP_REGRESSOR_H
#include "../model/operation.h"
#include "gp_factor.h"
#include "gp_regression.h"

struct mn_gp_regressor {
  mn_estimator base;
  mn_kernel kernel, noise_kernel; /* parameters; noise_kernel: of the logarithm of the noise, or unset */
  double alpha, tol;
  mn_vector noise_variance; /* one value for all rows, one for each, or empty */
  int64_t mean, optimizer, n_restarts, max_iter, seed, window, max_rows;
  bool normalize_y;
  mn_kernel fitted_kernel; /* learned */
  mn_matrix x;             /* rows x features                             */
  mn_matrix y;             /* rows x targets, normalized                  */
  mn_vector y_mean, y_scale;
  mn_matrix dual_coef; /* rows x targets: c                           */
  mn_matrix mean_coef; /* columns of the mean function x targets: b   */
  double log_likelihood, jitter;
  double noise;                  /* alpha and mean of the fit, */
  int64_t mean_kind;             /* since parameters may change */
  mn_vector row_noise;           /* rows, or empty: variances of the noise beyond alpha */
  mn_kernel fitted_noise_kernel; /* of learned noise (gp_noise.h), or unset */
  mn_matrix noise_x;             /* rows of the fit x features, or empty       */
  mn_vector noise_coef;          /* rows of the fit, or empty: l - q / 2       */
  mn_vector noise_root;          /* rows of the fit, or empty: square root of l */
  double noise_offset;           /* NaN: none                                  */
  mn_vector factor;              /* derived: L, packed                                   */
  mn_matrix basis, precision;    /* derived: inv(L) H, and the factor of H' inv(A) H */
  mn_matrix solved;              /* derived: inv(L) y, rows x targets, once rows were added */
  mn_matrix noise_factor;        /* derived: L of B of the noise, or empty           */
};

static inline bool mn_gp_has_noise_process(const struct mn_gp_regressor *m)
{
  return m->fitted_noise_kernel.nodes > 0;
}

static inline mn_kernel_rows mn_gp_stored_rows(const struct mn_gp_regressor *m)
{
  return (mn_kernel_rows){ .n = m->x.rows, .d = m->x.cols, .x = m->x.at };
}

static inline mn_gp_problem mn_gp_problem_of(const struct mn_gp_regressor *m)
{
  return (mn_gp_problem){ .rows = mn_gp_stored_rows(m),
                          .y = m->y.at,
                          .q = m->y.cols,
                          .noise = m->noise,
                          .row_noise = m->row_noise.at,
                          .mean = (mn_gp_mean)m->mean_kind };
}

static inline size_t mn_gp_columns(const struct mn_gp_regressor *m)
{
  return mn_gp_mean_columns((mn_gp_mean)m->mean_kind, m->x.cols);
}

mn_status mn_gp_predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);

/* Solve at the hyperparameters of the fit; MN_SINGULAR if no jitter suffices. Keep L and what belongs to it. */
mn_status mn_gp_regressor_solve(mn_context *ctx, const struct mn_gp_regressor *m, mn_gp_solution *s);
mn_status mn_gp_keep_solution(mn_context *ctx, struct mn_gp_regressor *m, const mn_gp_solution *s);
mn_status mn_gp_keep_factors(mn_context *ctx, struct mn_gp_regressor *m, const mn_gp_solution *s);

/* L, n x n with zeros above its diagonal, in scratch. */
mn_status mn_gp_unpack(mn_context *ctx, const struct mn_gp_regressor *m, double **l);

/* The variances of noise_variance for the rows of data; NULL if it is not set. */
mn_status mn_gp_given_noise(mn_context *ctx, const struct mn_gp_regressor *m, const mn_data *data, double **noise);

/* Mean and variance of the logarithm of the learned noise variance at rows. */
mn_status mn_gp_log_noise(mn_context *ctx, const struct mn_gp_regressor *m, const mn_kernel_rows *rows, double *mean,
                          double *variance);

extern const mn_operation mn_gp_operations[];

#endif
