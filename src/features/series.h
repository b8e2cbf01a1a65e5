/* Rows in time order: one series, or several whose numbers of rows are given by the option lengths. */
#ifndef MN_FEATURES_SERIES_H
#define MN_FEATURES_SERIES_H
#include "../model/class.h"

/* first[i]: the first row of the series of row i; in scratch. */
mn_status mn_series_begins(mn_context *ctx, const mn_data *data, size_t **first);

/* Copy a parameter that is a vector of distinct integers >= 1 to a learned field; the number `initial` if it is unset.
 */
mn_status mn_series_counts(mn_context *ctx, const char *who, const char *param, const mn_vector *given, double initial,
                           mn_vector *counts);
bool mn_series_counts_are_valid(const mn_vector *counts);

#endif
