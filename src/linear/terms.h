/* The coefficient table of a summary, shared by all models that have one. */
#ifndef MN_LINEAR_TERMS_H
#define MN_LINEAR_TERMS_H
#include "../model/operation.h"
#include "report.h"

typedef struct mn_term_table {
  size_t rows;
  const char **names;
  mn_vector *estimate, *std_error, *statistic, *p, *low, *high;
} mn_term_table;

/* Names (scratch) of the intercept, if any, and of `count` features: those of `columns`, or all if NULL. */
mn_status mn_term_names(mn_context *ctx, const mn_estimator *model, const int32_t *columns, size_t count,
                        bool intercept, const char ***names);

/* Allocate the Frame `coefficients` and set the names of its rows.
 *
 *   columns    the features with a coefficient, in order; NULL: all
 *   count      number of them
 *   intercept  whether a row (Intercept) precedes them
 *   statistic  "coefficients.t" or "coefficients.z" */
mn_status mn_term_table_init(mn_context *ctx, const mn_estimator *model, mn_results *results, const int32_t *columns,
                             size_t count, bool intercept, const char *statistic, mn_term_table *t);

/* The same for a table whose rows and names are set. */
mn_status mn_term_table_columns(mn_context *ctx, mn_results *results, const char *statistic, mn_term_table *t);

/* Fill a row. df: degrees of freedom of t, infinite for z; quantile: half-width of the interval in standard errors. */
void mn_term_table_set(const mn_term_table *t, size_t row, double estimate, double std_error, double df,
                       double quantile);

/* Print the table, "aliased" in rows whose estimate is NaN; statistic: 't' or 'z'. */
void mn_term_table_print(mn_text_page *page, const mn_term_table *t, char statistic);

/* Its parts, for tables of several blocks: a header with some of the rows, and the legend of the stars. */
void mn_term_rows_print(mn_text_page *page, const mn_term_table *t, size_t first, size_t count, char statistic);
void mn_print_stars(mn_text_page *page);

/* Print the aliased columns of a rank-deficient X, if any. names: of the columns. */
void mn_print_aliased(mn_text_page *page, const mn_indexes *dependent, const char *const *names, size_t rank,
                      size_t columns);

/* Print minimum, quartiles and maximum under a title. */
enum { MN_QUARTILES = 5 };
void mn_print_quartiles(mn_text_page *page, const char *title, const double *q);

/* Removes the sign of NaN, which printf would show as "-nan". */
double mn_printable(double x);

#endif
