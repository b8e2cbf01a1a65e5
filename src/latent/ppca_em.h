/* Linear models of latent variables with missing values: x = mean + W z + e, e ~ N(0, noise I), of which some elements
 * are observed; those that are missing are integrated out. z ~ N(0, I): probabilistic PCA; or independent z of Laplace
 * distributions with variance 1: probabilistic ICA.
 *
 * Laplace densities are bounded from below by normal ones, exp(-sqrt(2) |z|) >= exp(-(z^2 / xi + xi) / sqrt(2)), with
 * equality at z = xi, so that given xi all is normal. Girolami, Neural Computation 13 (2001). */
#ifndef MN_LATENT_PPCA_EM_H
#define MN_LATENT_PPCA_EM_H
#include "../model/class.h"

/* Views of one array of mn_ppca_size doubles. */
typedef struct mn_ppca {
  size_t p, k;
  double *w;     /* p x k    */
  double *mean;  /* p        */
  double *noise; /* variance */
} mn_ppca;

size_t mn_ppca_size(size_t p, size_t k);
mn_ppca mn_ppca_view(size_t p, size_t k, double *state);

/* What the observed values of a row say about z. */
typedef struct mn_ppca_posterior {
  size_t observed;
  double *chol;       /* k x k: Cholesky factor of noise I + W_o' W_o              */
  double *covariance; /* k x k: of z                                               */
  double *z;          /* k: mean                                       */
  double *precision;  /* k: workspace                                  */
  double log_density; /* of the observed values                                    */
} mn_ppca_posterior;

/* `at`: room for 2 (k + 1) k doubles. */
mn_ppca_posterior mn_ppca_posterior_view(size_t k, double *at);

/* Whether a row has all values. */
bool mn_ppca_is_complete(size_t p, const double *x);

/* For z ~ N(0, I). NaN is missing. May be called from tasks. */
void mn_ppca_row(const mn_ppca *m, const double *x, mn_ppca_posterior *posterior);

/* For Laplace z: `rounds` times the posterior for the bound at xi (k), then the xi that it gives; and the posterior at
 * the last one, with the bound of the log density. */
void mn_ppca_laplace_row(const mn_ppca *m, const double *x, int rounds, double *xi, mn_ppca_posterior *posterior);

/* A copy of X with the mean of the column in place of missing values. *missing: whether there are any. `who` for the
 * message about a column without values. */
mn_status mn_ppca_fill(mn_context *ctx, const char *who, const mn_data *data, mn_data *filled, bool *missing);

/* EM from the parameters in `state`, the noise variance of which stays at least `floor`. Sets the report; its objective
 * is minus the log likelihood, or minus its bound. xi (rows x k): of Laplace z, in and out; NULL: normal z. */
mn_status mn_ppca_fit(mn_context *ctx, const mn_data *data, size_t k, double tol, double floor, int64_t max_iter,
                      double *xi, double *state, mn_report *report);

#endif
