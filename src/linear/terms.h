/* The coefficient table of a summary: made, filled and printed alike by all models that have one. */
#ifndef MN_LINEAR_TERMS_H
#define MN_LINEAR_TERMS_H
#include "../model/operation.h"
#include "report.h"

typedef struct mn_term_table {
  size_t rows;
  const char **names;
  mn_vector *estimate, *std_error, *statistic, *p, *low, *high;
} mn_term_table;

/* Names (scratch) of the constant, where there is one, and of `count` features: those of `columns`, or NULL: all. */
mn_status mn_term_names(mn_context *ctx, const mn_estimator *model, const int32_t *columns, size_t count, bool constant,
                        const char ***names);

/* Columns of the Frame `coefficients`.
 *
 *   columns    the features that have a coefficient, in order; NULL: all of them
 *   count      how many
 *   constant   there is a row (Intercept) before them
 *   statistic  "coefficients.t" or "coefficients.z" */
mn_status mn_terms_make(mn_context *ctx, const mn_estimator *model, mn_results *results, const int32_t *columns,
                        size_t count, bool constant, const char *statistic, mn_term_table *t);

/* df: degrees of freedom of t, infinite for z; quantile: half the width of an interval in standard errors. */
void mn_terms_fill(const mn_term_table *t, size_t row, double estimate, double std_error, double df, double quantile);

/* statistic: 't' or 'z'. */
void mn_terms_print(mn_text_page *page, const mn_term_table *t, char statistic);

/* Minimum, quartiles and maximum under a title. */
void mn_print_quartiles(mn_text_page *page, const char *title, const double *q);

/* Without its sign, which printf would show as "-nan". */
double mn_plain(double x);

#endif
