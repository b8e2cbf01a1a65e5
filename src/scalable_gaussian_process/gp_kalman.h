/* Kalman filter and smoother of a kernel in state-space form (gp_state_space.h), for columns r = [y h] of targets and
 * mean function that share their gains. Each takes O(n states^3) time. Saerkkae & Solin, Applied Stochastic
 * Differential Equations (2019), chapter 12. */
#ifndef MN_SCALABLE_GAUSSIAN_PROCESS_GP_KALMAN_H
#define MN_SCALABLE_GAUSSIAN_PROCESS_GP_KALMAN_H
#include "gp_state_space.h"

typedef struct mn_kalman_problem {
  size_t n, columns;
  const double *x;       /* n, ascending               */
  const double *r;       /* n x columns                */
  const double *weights; /* n, which count rows        */
  double noise;          /* beside White               */
} mn_kalman_problem;

/* What the likelihood follows from, with the innovations v_i and their variances s_i. */
typedef struct mn_kalman_sums {
  double *square;  /* columns x columns: sum_i v_i v_i' / s_i              */
  double log_det;  /* sum_i log(2 pi s_i), and what weights add            */
  double *dsquare; /* free hyperparameters x columns x columns             */
  double *dlog;    /* free hyperparameters                                 */
  bool failed;     /* a variance s_i is 0: equal x without noise           */
} mn_kalman_sums;

/* square and log_det; dsquare and dlog unless they are NULL. */
mn_status mn_kalman_run(mn_context *ctx, const mn_ss_model *m, const mn_kalman_problem *p, mn_kalman_sums *sums);

/* For predictions: of each row the mean and covariance of the state given the rows up to it, and what the row and those
 * after it say about the state before it. */
typedef struct mn_kalman_states {
  double *mean;        /* n x states x columns */
  double *covariance;  /* n x states x states  */
  double *lambda;      /* n x states x columns */
  double *information; /* n x states x states */
} mn_kalman_states;
mn_status mn_kalman_smooth(mn_context *ctx, const mn_ss_model *m, const mn_kalman_problem *p, mn_kalman_states *s);

/* The mean of each column and the variance of the function at x. `work`: mn_kalman_work_size(m, columns) values. */
size_t mn_kalman_work_size(const mn_ss_model *m, size_t columns);
void mn_kalman_predict(const mn_ss_model *m, const mn_kalman_problem *p, const mn_kalman_states *s, double x,
                       double *work, double *mean, double *variance);

#endif
