/* Indicators of missing values, one column of 0 and 1 for each of some features. */
#ifndef MN_IMPUTE_INDICATOR_H
#define MN_IMPUTE_INDICATOR_H
#include "../model/class.h"
#include "../model/program.h"

/* Copy the data with the number that represents missing values in numeric columns replaced by NaN; NaN: there is none,
 * and `out` shares the rows of `data`. */
mn_status mn_mark_missing(mn_context *ctx, double missing_values, const mn_data *data, mn_data *out);

/* The parameter. */
#define MN_MISSING_VALUES(type, member)                                                                                \
  MN_REAL(type, member, MN_UNSET_REAL, MN_NO_LIMITS(),                                                                 \
          "number that represents a missing value in numeric columns, in addition to NaN; nil: none")

/* missing[j] = the sum of the weights of the rows where feature j is missing. */
mn_status mn_count_missing(mn_context *ctx, const mn_data *data, double *missing);

/* Set `flags` to the features with missing[j] > 0, ascending. */
mn_status mn_flags_init(mn_context *ctx, size_t p, const double *missing, mn_indexes *flags);

/* out[k] = 1 if feature flags[k] of the row is missing, else 0. */
void mn_flags_fill(const mn_indexes *flags, const double *x, double *out);

/* The name of indicator k: "missingindicator_" and the name of its feature. */
void mn_flag_name(const mn_indexes *flags, size_t k, const char *const *inputs, char *text, size_t size);

/* The same as an exported program, which writes to out[first + k]. sentinel[j]: a number of the program that represents
 * a missing value of feature j, in addition to NaN. */
void mn_flags_export(const mn_indexes *flags, size_t first, mn_program *program);

#endif
