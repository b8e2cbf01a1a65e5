/* Gaussian process regression as its fit and its operations share it. */
#ifndef MN_GAUSSIAN_PROCESS_GP_REGRESSOR_H
#define MN_GAUSSIAN_PROCESS_GP_REGRESSOR_H
#include "../model/operation.h"
#include "gp_regression.h"

struct mn_gp_regressor {
  mn_estimator base;
  mn_kernel kernel; /* parameters */
  double alpha, tol;
  int64_t mean, optimizer, n_restarts, max_iter, seed;
  bool normalize_y;
  mn_kernel fitted_kernel; /* learned */
  mn_matrix x;             /* rows x features                             */
  mn_matrix y;             /* rows x targets, normalized                  */
  mn_vector y_mean, y_scale;
  mn_matrix dual_coef; /* rows x targets: c                           */
  mn_matrix mean_coef; /* columns of the mean function x targets: b   */
  double log_likelihood, jitter;
  double noise;               /* alpha and mean of the fit, */
  int64_t mean_kind;          /* since parameters may change */
  mn_matrix factor;           /* derived: L, n x n                           */
  mn_matrix basis, precision; /* derived: inv(L) H, and the factor of H' inv(A) H */
};

static inline mn_gp_problem mn_gp_problem_of(const struct mn_gp_regressor *m)
{
  return (mn_gp_problem){ .rows = { .n = m->x.rows, .d = m->x.cols, .x = m->x.at },
                          .y = m->y.at,
                          .q = m->y.cols,
                          .noise = m->noise,
                          .mean = (mn_gp_mean)m->mean_kind };
}

mn_status mn_gp_predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);

extern const mn_operation mn_gp_operations[];

#endif
