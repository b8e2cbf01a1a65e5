/* Special functions and probability distributions for statistical inference.
 *
 * All are pure functions of doubles: no state, no allocation, thread-safe. Both tails and their logarithms keep their
 * relative accuracy over the whole range of doubles, typically 1e-15 and at worst 1e-12 (the error of a logarithm near
 * -700). So use sf, the upper tail ("survival function"), and its inverse isf instead of 1 - cdf. The errors were
 * measured against 60-digit arithmetic for shapes from 1e-4 to 1e9; for a shape of 1e-6 they reach 4e-12.
 *
 * Arguments outside the domain, and NaN, give NaN; infinities give their limits. Parameters (degrees of freedom,
 * shapes, scales) are real numbers > 0, shapes from 1e-100 to 1e100. The first argument is the point or the
 * probability, followed by the parameters, except for the classical functions (gamma_p, beta_i and their inverses),
 * which have the parameters first as in the literature. */
#ifndef MN_STATS_SPECIAL_H
#define MN_STATS_SPECIAL_H

/* log(2 pi) */
#define MN_LOG_2PI 1.83787706640934548356

/* The gamma function, its logarithm and derivatives. lgamma is log |gamma|: relative accuracy for x > 0, absolute
 * accuracy near its zeros on the negative axis. digamma and trigamma likewise. At the poles 0, -1, -2 .. lgamma gives
 * inf, the others NaN. */
double mn_lgamma(double x);
double mn_gamma(double x);
double mn_digamma(double x);
double mn_trigamma(double x);

/* log B(a, b), a > 0, b > 0. */
double mn_lbeta(double a, double b);

/* Regularized incomplete gamma functions P(a, x) and Q(a, x) = 1 - P(a, x), a > 0, x >= 0; and
 * their inverses in x. */
double mn_gamma_p(double a, double x);
double mn_gamma_q(double a, double x);
double mn_gamma_p_inverse(double a, double p);
double mn_gamma_q_inverse(double a, double q);

/* Regularized incomplete beta function I_x(a, b) and its complement 1 - I_x(a, b), a > 0, b > 0, x in 0..1; and
 * their inverses in x. */
double mn_beta_i(double a, double b, double x);
double mn_beta_ic(double a, double b, double x);
double mn_beta_i_inverse(double a, double b, double p);
double mn_beta_ic_inverse(double a, double b, double q);

/* Standard normal. */
double mn_normal_pdf(double x);
double mn_normal_logpdf(double x);
double mn_normal_cdf(double x);
double mn_normal_sf(double x);
double mn_normal_logcdf(double x);
double mn_normal_logsf(double x);
double mn_normal_quantile(double p);
double mn_normal_isf(double q);

/* Student's t with df > 0 degrees of freedom; df = inf is the normal. */
double mn_t_pdf(double x, double df);
double mn_t_logpdf(double x, double df);
double mn_t_cdf(double x, double df);
double mn_t_sf(double x, double df);
double mn_t_logcdf(double x, double df);
double mn_t_logsf(double x, double df);
double mn_t_quantile(double p, double df);
double mn_t_isf(double q, double df);

/* F with d1 and d2 degrees of freedom; one of them may be inf in cdf, sf, quantile and isf. */
double mn_f_pdf(double x, double d1, double d2);
double mn_f_logpdf(double x, double d1, double d2);
double mn_f_cdf(double x, double d1, double d2);
double mn_f_sf(double x, double d1, double d2);
double mn_f_logcdf(double x, double d1, double d2);
double mn_f_logsf(double x, double d1, double d2);
double mn_f_quantile(double p, double d1, double d2);
double mn_f_isf(double q, double d1, double d2);

/* Chi-square with df degrees of freedom. */
double mn_chi2_pdf(double x, double df);
double mn_chi2_logpdf(double x, double df);
double mn_chi2_cdf(double x, double df);
double mn_chi2_sf(double x, double df);
double mn_chi2_logcdf(double x, double df);
double mn_chi2_logsf(double x, double df);
double mn_chi2_quantile(double p, double df);
double mn_chi2_isf(double q, double df);

/* Gamma with the given shape and scale (mean shape * scale). */
double mn_gamma_pdf(double x, double shape, double scale);
double mn_gamma_logpdf(double x, double shape, double scale);
double mn_gamma_cdf(double x, double shape, double scale);
double mn_gamma_sf(double x, double shape, double scale);
double mn_gamma_logcdf(double x, double shape, double scale);
double mn_gamma_logsf(double x, double shape, double scale);
double mn_gamma_quantile(double p, double shape, double scale);
double mn_gamma_isf(double q, double shape, double scale);

/* Beta with shapes a and b (mean a / (a + b)). */
double mn_beta_pdf(double x, double a, double b);
double mn_beta_logpdf(double x, double a, double b);
double mn_beta_cdf(double x, double a, double b);
double mn_beta_sf(double x, double a, double b);
double mn_beta_logcdf(double x, double a, double b);
double mn_beta_logsf(double x, double a, double b);
double mn_beta_quantile(double p, double a, double b);
double mn_beta_isf(double q, double a, double b);

/* Binomial: k successes among n (a whole number >= 0) trials of probability p. cdf is P(K <= k), sf is P(K > k). */
double mn_binomial_pmf(double k, double n, double p);
double mn_binomial_logpmf(double k, double n, double p);
double mn_binomial_cdf(double k, double n, double p);
double mn_binomial_sf(double k, double n, double p);

/* Poisson with the given mean >= 0. */
double mn_poisson_pmf(double k, double mean);
double mn_poisson_logpmf(double k, double mean);
double mn_poisson_cdf(double k, double mean);
double mn_poisson_sf(double k, double mean);

/* Sigmoid functions and their derivatives: 1 / (1 + e^-x), tanh, arctan, and (1 + e^-x)^-a with a > 0. */
double mn_logistic(double x);
double mn_logistic_slope(double x);
double mn_tanh(double x);
double mn_tanh_slope(double x);
double mn_arctan(double x);
double mn_arctan_slope(double x);
double mn_generalized_logistic(double x, double a);
double mn_generalized_logistic_slope(double x, double a);

/* All functions above by name, for generic bindings. `arguments` (1 to 3) selects the member of `of`. */
typedef struct mn_special_function {
  const char *name;       /* "t_cdf": the C name without mn_   */
  int arguments;          /* 1, 2 or 3                         */
  const char *parameters; /* "x, df": for help                 */
  const char *brief;      /* one line                          */
  union {
    double (*one)(double);
    double (*two)(double, double);
    double (*three)(double, double, double);
  } of;
} mn_special_function;

extern const mn_special_function mn_special_functions[]; /* ends with name == NULL */

#endif
