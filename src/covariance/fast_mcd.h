/* The h of n rows whose covariance has the smallest determinant (MCD), by the algorithm FastMCD: from random subsets of
 * p + 1 rows, concentration steps take the h rows nearest to the mean in the metric of the covariance, which never
 * increases the determinant. With more than 600 rows, most of the work is done on subsets of 300 rows and on their
 * union.
 *
 * Rousseeuw & Van Driessen, Technometrics 41 (1999). */
#ifndef MN_COVARIANCE_FAST_MCD_H
#define MN_COVARIANCE_FAST_MCD_H
#include "../model/data.h"

/* support (rows): 1 for the h rows, else 0. One column: the exact optimum. MN_SINGULAR if more than h rows lie on a
 * hyperplane. */
mn_status mn_fast_mcd(mn_context *ctx, const mn_data *data, size_t h, size_t starts, int64_t seed, double *support);

#endif
