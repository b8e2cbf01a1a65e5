/* The Bayesian Gaussian process latent variable model. Positions have the posterior distribution q(z_i) = N(mu_i,
 * diag(s_i)), and each column is a Gaussian process with kernel
 *
 *     k(z, z') = signal exp(-1/2 sum_c relevance_c (z_c - z'_c)^2)
 *
 * and noise of variance `noise`. With m inducing positions and the expectations psi of kernel values under q, the bound
 * on the log likelihood of the columns of a group (same missing values) is
 *
 *     F = sum over columns of  -n/2 log(2 pi noise) + 1/2 log|K| - 1/2 log|A| - b/2 y'y + b^2/2 c' inv(A) c
 *         - b/2 psi0 + b/2 tr(inv(K) psi2),    A = K + b psi2,  c = psi1' y,  b = 1 / noise,
 *
 * minus the Kullback-Leibler divergence of q from N(0, I). Titsias & Lawrence, AISTATS (2010). */
#ifndef MN_LATENT_GAUSSIAN_PROCESS_BAYESIAN_GPLVM_H
#define MN_LATENT_GAUSSIAN_PROCESS_BAYESIAN_GPLVM_H
#include "gplvm.h"

struct mn_bayesian_gplvm {
  mn_estimator base;
  int64_t n_components, n_inducing, max_iter; /* parameters */
  double tol;
  bool normalize;
  mn_matrix start;
  mn_matrix embedding, embedding_variance; /* learned fields: rows x components   */
  mn_matrix inducing;                      /* inducing x components               */
  mn_vector relevance;                     /* components                          */
  mn_matrix training_rows;                 /* rows x features; may have NaN       */
  mn_vector mean;                          /* features                            */
  double signal, noise, unit, lower_bound;
};

/* The variables of the optimization, and their places in one array. */
typedef struct mn_psi_layout {
  size_t n, q, m;
  size_t mu, log_s, z, log_signal, log_relevance, log_noise, size;
} mn_psi_layout;
mn_psi_layout mn_psi_make_layout(size_t n, size_t q, size_t m);

/* The data and a workspace, in scratch. */
typedef struct mn_psi_problem {
  mn_psi_layout at;
  size_t p, groups;
  double *y;                        /* n x p: (x - mean) / unit, 0 where missing              */
  size_t *group;                    /* p: of each column                                      */
  bool *present;                    /* groups x n                                             */
  double *columns;                  /* groups: number of columns                              */
  double values;                    /* that are present                                       */
  double *k, *psi1;                 /* m x m; n x m                                           */
  double *psi2;                     /* groups x m x m                                         */
  double *root;                     /* m x m: L of K                                          */
  double *k_inverse;                /* m x m                                                  */
  double *a_inverse;                /* groups x m x m                                         */
  double *e;                        /* m x p: inv(A) psi1' y                                  */
  double *by_psi1, *by_psi2, *by_k; /* n x m; groups x m x m; m x m               */
} mn_psi_problem;

mn_status mn_psi_problem_init(mn_context *ctx, const mn_matrix *x, const double *mean, double unit, size_t q, size_t m,
                              mn_psi_problem *s);

/* The bound in units of `unit`, and its gradient by the variables v (may be NULL); NaN if K is singular. */
mn_status mn_psi_bound(mn_context *ctx, mn_psi_problem *s, const double *v, double *value, double *gradient);

/* The variables of a fitted model. */
void mn_psi_variables(const struct mn_bayesian_gplvm *m, const mn_psi_layout *at, double *v);

mn_status mn_bayesian_gplvm_fit(mn_context *ctx, void *self, const mn_data *data);
mn_status mn_bayesian_gplvm_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);

/* Mean and variance of all columns at n positions, in the units of X. */
mn_status mn_bayesian_gplvm_predict(mn_context *ctx, const struct mn_bayesian_gplvm *m, size_t n, const double *z,
                                    double *mean, double *variance);

#endif
