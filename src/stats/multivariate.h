/* Multivariate distributions: normal, Dirichlet, multinomial.
 *
 * Values are rows of a matrix. Outside the support the density is 0 (its logarithm -inf); NaN gives NaN. */
#ifndef MN_STATS_MULTIVARIATE_H
#define MN_STATS_MULTIVARIATE_H
#include "../core/context.h"
#include "../core/rng.h"

/* A distribution with its parameters. */
typedef struct mn_multivariate {
  size_t size;          /* variables                                                              */
  const double *vector; /* size: mean of the normal, alpha of Dirichlet, p of the multinomial     */
  const double *factor; /* size x size, of the normal: L with L L' = covariance; NULL otherwise   */
  double trials;        /* of the multinomial                                                     */
} mn_multivariate;

typedef struct mn_multivariate_kind {
  const char *name;
  /* out: n log densities, of the rows of x (n x size) */
  mn_status (*log_density)(mn_context *ctx, const mn_multivariate *d, size_t n, const double *x, double *out);
  void (*mean)(const mn_multivariate *d, double *out);
  void (*covariance)(const mn_multivariate *d, double *out); /* size x size */
  double (*entropy)(const mn_multivariate *d);               /* in nats */
  mn_status (*kl)(mn_context *ctx, const mn_multivariate *p, const mn_multivariate *q,
                  double *out); /* of the same size */
  mn_status (*sample)(mn_context *ctx, const mn_multivariate *d, size_t n, mn_rng *rng, double *out); /* n rows */
  /* Maximum likelihood for n rows with weights > 0 (NULL: all 1). Sets vector, covariance (normal) and trials
   * (multinomial). */
  mn_status (*fit)(mn_context *ctx, size_t n, size_t size, const double *x, const double *w, double *vector,
                   double *covariance, double *trials);
} mn_multivariate_kind;

extern const mn_multivariate_kind mn_multivariate_kinds[]; /* ends with name == NULL */

/* The binomial distribution, for the multinomial (distribution_discrete.c): a random draw, and the expectation of
 * function(k). */
double mn_binomial_draw(double n, double p, mn_rng *rng);
double mn_binomial_expectation(double n, double p, double (*function)(double k));

#endif
