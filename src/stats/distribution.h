/* Univariate probability distributions: a table with the density, tails, quantiles, moments, entropy, divergence,
 * sampling and maximum likelihood of each.
 *
 * Parameters are an array in the order of `parameters`. Outside the support the density is 0 (its logarithm -inf); NaN
 * gives NaN. */
#ifndef MN_STATS_DISTRIBUTION_H
#define MN_STATS_DISTRIBUTION_H
#include "../core/context.h"
#include "../core/rng.h"

enum { MN_MAX_PARAMETERS = 3 };

typedef struct mn_parameter {
  const char *name, *brief;
  double initial;   /* default; NaN: required */
  double low, high; /* bounds */
  bool open, whole; /* open: the bounds themselves are excluded; whole: an integer */
  enum { MN_ALWAYS_FITTED, MN_KNOWN_OPTIONAL, MN_KNOWN_REQUIRED } known; /* may be fixed by the caller of fit? */
} mn_parameter;

typedef struct mn_distribution {
  const char *name, *brief;
  mn_parameter parameters[MN_MAX_PARAMETERS]; /* ends with a NULL name if there are fewer */
  bool discrete;
  double (*log_density)(const double *p, double x);
  double (*cdf)(const double *p, double x);      /* P(X <= x) */
  double (*sf)(const double *p, double x);       /* P(X > x)  */
  double (*quantile)(const double *p, double q); /* smallest x with cdf >= q */
  double (*isf)(const double *p, double q);
  double (*mean)(const double *p);
  double (*variance)(const double *p);
  double (*entropy)(const double *p);             /* in nats */
  double (*kl)(const double *p, const double *q); /* KL(p || q), in the same family */
  double (*sample)(const double *p, mn_rng *rng);
  /* Maximum likelihood for n values, finite and within the support, with weights > 0 (NULL: all 1). On entry p holds
   * the known parameters and NaN for the others; on return it holds all. */
  mn_status (*fit)(mn_context *ctx, size_t n, const double *x, const double *w, double *p);
} mn_distribution;

/* Each table ends with name == NULL. */
extern const mn_distribution mn_continuous_distributions[], mn_discrete_distributions[], mn_circular_distributions[];

/* Weighted count, mean and variance (dividing by the count). */
void mn_distribution_moments(size_t n, const double *x, const double *w, double *count, double *mean, double *variance);

/* Fits that need an iterative search (distribution_fit.c). */
mn_status mn_gamma_fit(mn_context *ctx, size_t n, const double *x, const double *w, double *p);
mn_status mn_beta_fit(mn_context *ctx, size_t n, const double *x, const double *w, double *p);
mn_status mn_student_fit(mn_context *ctx, size_t n, const double *x, const double *w, double *p);

/* KL(p || q) of two Student's t distributions, by quadrature. */
double mn_student_kl(const double *p, const double *q);

#endif
