/* Rows in the order of time: one series, or several with lengths. */
#ifndef MN_PREPROCESS_SERIES_H
#define MN_PREPROCESS_SERIES_H
#include "../model/class.h"

/* first[i]: the first row of the series of row i; in scratch. */
mn_status mn_series_begins(mn_context *ctx, const mn_data *data, size_t **first);

/* Whether the values of a parameter, a vector, are different whole numbers of at least `low`; 1 number `initial` if it
 * is unset. The result is in scratch. */
mn_status mn_series_counts(mn_context *ctx, const char *who, const char *param, const mn_vector *given, double initial,
                           double low, const double **counts, size_t *n);

#endif
