/* The likelihood of cumulative link models: P(y <= k | x) = F(theta_k - eta), eta = x b, for classes 0 .. K - 1 in
 * order, with theta_0 < ... < theta_{K-2}. */
#ifndef MN_LOGISTIC_ORDINAL_LIKELIHOOD_H
#define MN_LOGISTIC_ORDINAL_LIKELIHOOD_H
#include <stdbool.h>
#include <stddef.h>

enum mn_ordinal_link { MN_ORDINAL_LOGIT, MN_ORDINAL_PROBIT, MN_ORDINAL_CLOGLOG };

/* The quantile function of F. */
double mn_ordinal_quantile(int link, double p);

/* log P(y = k | eta), without cancellation in the tails. */
double mn_ordinal_log_proba(int link, size_t classes, const double *theta, size_t k, double eta);

/* log P(y = k | eta) and its derivatives by eta and by the thresholds above (k) and below (k - 1), which are 0 where
 * there is no such threshold. */
typedef struct mn_ordinal_row {
  double log_proba;
  double eta, above, below; /* first derivatives */
  double eta_eta, above_above, below_below, above_below, eta_above, eta_below;
} mn_ordinal_row;

mn_ordinal_row mn_ordinal_derivatives(int link, size_t classes, const double *theta, size_t k, double eta);

#endif
