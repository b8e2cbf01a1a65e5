/* How far to shrink an empirical covariance S towards trace(S) / p times the identity:
 *
 *     (1 - shrinkage) S + shrinkage trace(S) / p I */
#ifndef MN_COVARIANCE_SHRINKAGE_H
#define MN_COVARIANCE_SHRINKAGE_H
#include <stddef.h>

/* Shrink s (p x p) in place. */
void mn_shrink_covariance(size_t p, double shrinkage, double *s);

/* The estimate of the optimal shrinkage for n rows z (n x p), whose covariance about `center` is s. center NULL: 0; w
 * NULL: weights 1; total: sum of the weights. Ledoit & Wolf, J. Multivariate Analysis 88 (2004). */
double mn_ledoit_wolf_shrinkage(size_t n, size_t p, const double *z, const double *center, const double *w,
                                double total, const double *s);

/* The same for normal rows. Chen, Wiesel, Eldar & Hero, IEEE Trans. Signal Processing 58 (2010). */
double mn_oas_shrinkage(size_t p, double total, const double *s);

#endif
