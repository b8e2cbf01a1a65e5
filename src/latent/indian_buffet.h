/* The linear Gaussian latent feature model with an Indian buffet process as prior: a row is the sum of the features
 * that it has, plus noise, and the number of features is found.
 *
 *     X = Z A + E,   Z ~ IBP(alpha), 0 or 1,   a_kj ~ N(0, feature_variance),   e_ij ~ N(0, noise_variance).
 *
 * Given Z, with ratio = noise_variance / feature_variance and M = inv(Z'Z + ratio I),
 *
 *     A | X, Z ~ N(M Z'X, noise_variance M) in each column;
 *     x | z, the other rows ~ N(z' mean of A, noise_variance (1 + z' M z) I). */
#ifndef MN_LATENT_INDIAN_BUFFET_H
#define MN_LATENT_INDIAN_BUFFET_H
#include "../core/rng.h"
#include "../model/class.h"

struct indian_buffet {
  mn_estimator base;
  int64_t max_components, max_iter, n_iter_no_change, n_init, seed; /* parameters */
  double concentration, tol;
  mn_matrix components, assignments, covariance; /* learned fields */
  mn_vector counts, count_distribution;
  double alpha, noise_variance, feature_variance, log_joint;
  int64_t n;
};

/* The data, and what a sweep needs from the parameters. */
typedef struct mn_buffet {
  const double *x; /* n x p */
  size_t n, p, capacity;
  double square, mean_square; /* sum of x^2; its mean */
  double concentration;       /* NaN: alpha is sampled */
} mn_buffet;

/* A state of Gibbs sampling, and its workspace. Only the first k of `capacity` features are used. */
typedef struct mn_buffet_chain {
  mn_rng random;
  size_t k, rows;   /* rows: the first so many are in */
  double *z;        /* n x capacity                  */
  double *count;    /* capacity: column sums of z    */
  double *m;        /* capacity x capacity: M        */
  double *mean;     /* capacity x p: M Z'X           */
  double square;    /* sum of x^2 of these rows     */
  bool draws_early; /* draw the variances and alpha also before all rows are in */
  double alpha, noise, feature;
  double log_joint; /* at the end of the sweep: log p(X, Z, alpha, noise, feature) */
  double *h, *g;    /* capacity                                                    */
  double *rest;     /* p                                                           */
  size_t *order;    /* capacity                                                    */
} mn_buffet_chain;

mn_status mn_buffet_chain_init(mn_context *ctx, const mn_buffet *b, int64_t seed, size_t index, mn_buffet_chain *c);

/* Draw the features of each row given all else, then A, the variances and alpha. The first sweep begins with
 * passes over some of the rows. */
mn_status mn_buffet_sweep(mn_context *ctx, const mn_buffet *b, mn_buffet_chain *c);

/* Set m and mean from z and the variances, and log_joint. A is drawn with `random`, and the variances and alpha after
 * it, if `draw`. */
mn_status mn_buffet_refresh(mn_context *ctx, const mn_buffet *b, mn_buffet_chain *c, bool draw);

mn_status mn_buffet_fit(mn_context *ctx, void *self, const mn_data *data);
mn_status mn_buffet_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
mn_status mn_buffet_inverse(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);

#endif
