/* Probability distributions of one variable as rows of a table: for each its densities, tails, quantiles, moments,
 * information, samples and maximum likelihood.
 *
 * Parameters are an array in the order of `parameters`. Outside the support densities are 0 (their logarithm -inf); NaN
 * gives NaN. */
#ifndef MN_STATS_DISTRIBUTION_H
#define MN_STATS_DISTRIBUTION_H
#include "../core/context.h"
#include "../core/rng.h"

enum { MN_MOST_PARAMETERS = 3 };

typedef struct mn_parameter {
  const char *name, *brief;
  double initial;   /* NaN: must be given                                            */
  double low, high; /* may take values between these                                 */
  bool open, whole; /* open: not `low` (or `high`) itself; whole: a whole number     */
  enum { MN_FITTED, MN_MAY_BE_KNOWN, MN_MUST_BE_KNOWN } known; /* when the others are fitted */
} mn_parameter;

typedef struct mn_distribution {
  const char *name, *brief;
  mn_parameter parameters[MN_MOST_PARAMETERS]; /* ends with a NULL name if there are fewer */
  bool discrete;
  double (*log_density)(const double *p, double x);
  double (*cdf)(const double *p, double x);      /* P(X <= x) */
  double (*sf)(const double *p, double x);       /* P(X > x)  */
  double (*quantile)(const double *p, double q); /* smallest x with cdf >= q */
  double (*isf)(const double *p, double q);
  double (*mean)(const double *p);
  double (*variance)(const double *p);
  double (*entropy)(const double *p);             /* in nats */
  double (*kl)(const double *p, const double *q); /* of p from q, the same family */
  double (*sample)(const double *p, mn_rng *rng);
  /* The parameters of largest likelihood for n values, finite and within the support, with weights > 0 (NULL: all 1).
   * In p are those that are known, and NaN for the others; out: all. */
  mn_status (*fit)(mn_context *ctx, size_t n, const double *x, const double *w, double *p);
} mn_distribution;

/* Each ends with name == NULL. */
extern const mn_distribution mn_continuous_distributions[], mn_discrete_distributions[], mn_circular_distributions[];

/* Weighted count, mean and variance (dividing by the count). */
void mn_distribution_moments(size_t n, const double *x, const double *w, double *count, double *mean, double *variance);

/* Fits that are searches (distribution_fit.c). */
mn_status mn_gamma_fit(mn_context *ctx, size_t n, const double *x, const double *w, double *p);
mn_status mn_beta_fit(mn_context *ctx, size_t n, const double *x, const double *w, double *p);
mn_status mn_student_fit(mn_context *ctx, size_t n, const double *x, const double *w, double *p);

/* The divergence of one Student's t from another, by quadrature. */
double mn_student_kl(const double *p, const double *q);

#endif
