/* The evidence of Bayesian linear regression, y = X b + noise of precision alpha, b ~ N(0, I / lambda), with Gamma
 * priors on alpha and lambda, in the basis of the eigenvectors of X'X:
 *
 *     log p(y | alpha, lambda) = 1/2 (p log lambda + n log alpha - alpha |y - X b|^2 - lambda |b|^2 - log |A|
 *                                     - n log 2 pi),      A = alpha X'X + lambda I,  b = alpha inv(A) X'y
 *
 * plus the log priors. There every term is a sum over the eigenvalues e_k. */
#ifndef MN_BAYESIAN_EVIDENCE_H
#define MN_BAYESIAN_EVIDENCE_H
#include <stddef.h>

typedef struct mn_evidence {
  size_t p, kept;                              /* columns of X; eigenvalues above rounding error                    */
  double n, rest;                              /* sum of sample weights; residual sum of squares of least squares   */
  const double *value;                         /* kept: eigenvalues of X'X                                          */
  const double *b_ls;                          /* kept: least-squares coefficients in the basis of the eigenvectors */
  double alpha_1, alpha_2, lambda_1, lambda_2; /* shape and rate of the Gamma priors */
} mn_evidence;

/* Two precisions and what follows from them: gamma = sum_k alpha e_k / (lambda + alpha e_k), the residual sum of
 * squares, |b|^2 and the negative log evidence, log priors included. */
typedef struct mn_precisions {
  double alpha, lambda, gamma, rss, norm2, objective;
} mn_precisions;

mn_precisions mn_precisions_at(const mn_evidence *s, double alpha, double lambda);

/* One iteration towards the maximum:
 *
 *     lambda = (gamma + 2 lambda_1) / (|b|^2 + 2 lambda_2),    alpha = (n - gamma + 2 alpha_1) / (rss + 2 alpha_2).
 *
 * They are ascent directions in log lambda and log alpha; the step is halved there until the evidence does not
 * decrease. MacKay, Neural Computation 4 (1992); Tipping, JMLR 1 (2001), appendix A. */
mn_precisions mn_precisions_step(const mn_evidence *s, const mn_precisions *from);

/* The change of the coefficients between two steps, relative to their norm. */
double mn_precisions_change(const mn_evidence *s, const mn_precisions *from, const mn_precisions *to);

/* Coefficient k in the basis. */
static inline double mn_evidence_coef(const mn_evidence *s, const mn_precisions *at, size_t k)
{
  const double e = at->alpha * s->value[k];
  return e / (at->lambda + e) * s->b_ls[k];
}

#endif
