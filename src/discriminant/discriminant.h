/* Shared parts of the discriminant analyzes: class means, priors and covariances. */
#ifndef MN_DISCRIMINANT_DISCRIMINANT_H
#define MN_DISCRIMINANT_DISCRIMINANT_H
#include "../model/class.h"

enum { MN_EMPIRICAL, MN_LEDOIT_WOLF };
extern const char *const mn_covariance_estimators[]; /* for MN_CHOICE */

/* The rows grouped by class; scratch. */
typedef struct mn_class_rows {
  const mn_data *data;
  size_t classes;
  size_t *row;   /* rows: indices, ordered by class            */
  size_t *first; /* classes + 1: where each class begins in row */
  double *count; /* classes: sum of the weights                 */
  double *mean;  /* classes x features                          */
  double total;  /* sum of count                                */
} mn_class_rows;

mn_status mn_sort_by_class(mn_context *ctx, const mn_data *data, mn_class_rows *groups);

/* How to estimate a covariance. */
typedef struct mn_covariance_rule {
  int64_t estimator;
  double shrinkage; /* s in (1 - s) S + s trace(S) / p I for the empirical covariance S; NaN: none */
} mn_covariance_rule;

/* Covariance of the n rows `row` of data about `mean`, with divisor the sum of the weights; out is p x p. Ledoit-Wolf
 * shrinkage is computed on columns scaled to unit variance: Ledoit & Wolf, J. Multivariate Analysis 88 (2004). */
mn_status mn_class_covariance(mn_context *ctx, const mn_data *data, size_t n, const size_t *row, const double *mean,
                              const mn_covariance_rule *rule, double *out);

/* Make the element of largest magnitude in each column positive, so that signs do not depend on rounding. */
void mn_fix_column_signs(size_t rows, size_t cols, double *v);

#endif
