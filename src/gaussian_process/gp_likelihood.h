/* Likelihoods p(y | f) of one observation given the latent value f of a Gaussian process.
 *
 *   logit    1 / (1 + exp(-y f)),  y = -1 or 1
 *   probit   Phi(y f),             y = -1 or 1
 *   Poisson  mean exp(f),          y >= 0
 *   Student  t with df degrees of freedom around f, with a scale
 *
 * Rasmussen & Williams, Gaussian Processes for Machine Learning (2006), section 3.4; for Student's t the Fisher
 * information takes the place of the second derivative, which may be positive: Hartmann & Vanhatalo, Statistics and
 * Computing 29 (2019). */
#ifndef MN_GAUSSIAN_PROCESS_GP_LIKELIHOOD_H
#define MN_GAUSSIAN_PROCESS_GP_LIKELIHOOD_H

typedef enum mn_gp_family { MN_GP_LOGIT, MN_GP_PROBIT, MN_GP_POISSON, MN_GP_STUDENT } mn_gp_family;

typedef struct mn_gp_likelihood {
  mn_gp_family family;
  double df, scale; /* of Student */
} mn_gp_likelihood;

/* The log likelihood as a function of f. */
typedef struct mn_gp_terms {
  double value, slope;   /* and its derivative                                                         */
  double precision;      /* >= 0: minus its second derivative, or the expectation of that              */
  double relative_slope; /* derivative of log(precision) by f                                          */
  double by_scale;       /* of Student: derivative of value by log(scale); that of precision is -2 precision */
} mn_gp_terms;

mn_gp_terms mn_gp_likelihood_terms(const mn_gp_likelihood *likelihood, double y, double f);

#endif
