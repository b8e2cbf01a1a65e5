/* Distributions of several variables as rows of a table: the normal, Dirichlet and multinomial.
 *
 * Values are rows of a matrix. Outside the support densities are 0 (their logarithm -inf); NaN gives NaN. */
#ifndef MN_STATS_MULTIVARIATE_H
#define MN_STATS_MULTIVARIATE_H
#include "../core/context.h"
#include "../core/rng.h"

/* One distribution. */
typedef struct mn_multi {
  size_t size;          /* variables                                                              */
  const double *vector; /* size: mean of the normal, alpha of Dirichlet, p of the multinomial     */
  const double *factor; /* size x size, of the normal: L with L L' = covariance; NULL otherwise   */
  double trials;        /* of the multinomial                                                     */
} mn_multi;

typedef struct mn_multi_kind {
  const char *name;
  /* out: n, at the rows of x (n x size) */
  mn_status (*log_density)(mn_context *ctx, const mn_multi *d, size_t n, const double *x, double *out);
  void (*mean)(const mn_multi *d, double *out);
  void (*covariance)(const mn_multi *d, double *out);                                  /* size x size */
  double (*entropy)(const mn_multi *d);                                                /* in nats */
  mn_status (*kl)(mn_context *ctx, const mn_multi *p, const mn_multi *q, double *out); /* of one size */
  void (*sample)(const mn_multi *d, mn_rng *rng, double *row);
  /* Maximum likelihood for n rows with weights > 0 (NULL: all 1): vector and, of the normal, covariance; trials. */
  mn_status (*fit)(mn_context *ctx, size_t n, size_t size, const double *x, const double *w, double *vector,
                   double *covariance, double *trials);
} mn_multi_kind;

extern const mn_multi_kind mn_multi_kinds[]; /* ends with name == NULL */

/* For the multinomial, from the table of the binomial (distribution_discrete.c): a draw, and the mean of what(k). */
double mn_binomial_draw(double n, double p, mn_rng *rng);
double mn_binomial_mean_of(double n, double p, double (*what)(double k));

#endif
