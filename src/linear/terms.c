#include "terms.h"
#include "../stats/special.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

mn_status mn_term_names(mn_context *ctx, const mn_estimator *model, const int32_t *columns, size_t count,
                        bool intercept, const char ***names)
{
  enum { NAME_SIZE = 24 };
  const mn_names *given = &model->feature_names;
  *names = MN_RAW(ctx, const char *, count + 1, 1);
  char *buffer = given->size > 0 ? NULL : MN_RAW(ctx, char, count + 1, NAME_SIZE);
  if (!*names || (given->size == 0 && !buffer)) return MN_NO_MEMORY;
  (*names)[0] = "(Intercept)";
  for (size_t t = 0; t < count; t++) {
    const size_t j = columns ? (size_t)columns[t] : t;
    if (buffer) snprintf(buffer + t * NAME_SIZE, NAME_SIZE, "x%zu", j + 1);
    (*names)[intercept + t] = buffer ? buffer + t * NAME_SIZE : given->at[j];
  }
  return MN_OK;
}

mn_status mn_term_table_init(mn_context *ctx, const mn_estimator *model, mn_results *results, const int32_t *columns,
                             size_t count, bool intercept, const char *statistic, mn_term_table *t)
{
  t->rows = count + intercept;
  MN_TRY(mn_term_names(ctx, model, columns, count, intercept, &t->names));
  return mn_term_table_columns(ctx, results, statistic, t);
}

mn_status mn_term_table_columns(mn_context *ctx, mn_results *results, const char *statistic, mn_term_table *t)
{
  const size_t rows = t->rows;
  MN_TRY(mn_result_names(ctx, results, "coefficients.term", t->names, rows));
  MN_TRY(mn_result_vector(ctx, results, "coefficients.estimate", rows, &t->estimate));
  MN_TRY(mn_result_vector(ctx, results, "coefficients.std_error", rows, &t->std_error));
  MN_TRY(mn_result_vector(ctx, results, statistic, rows, &t->statistic));
  MN_TRY(mn_result_vector(ctx, results, "coefficients.p", rows, &t->p));
  MN_TRY(mn_result_vector(ctx, results, "coefficients.low", rows, &t->low));
  return mn_result_vector(ctx, results, "coefficients.high", rows, &t->high);
}

void mn_term_table_set(const mn_term_table *t, size_t row, double estimate, double std_error, double df,
                       double quantile)
{
  t->estimate->at[row] = estimate;
  t->std_error->at[row] = std_error;
  t->statistic->at[row] = estimate / std_error;
  t->p->at[row] = 2 * mn_t_sf(fabs(estimate / std_error), df);
  t->low->at[row] = estimate - quantile * std_error;
  t->high->at[row] = estimate + quantile * std_error;
}

double mn_printable(double x)
{
  return isnan(x) ? (double)NAN : x;
}

void mn_print_aliased(mn_text_page *page, const mn_indexes *dependent, const char *const *names, size_t rank,
                      size_t columns)
{
  if (dependent->size == 0) return;
  mn_print(page,
           "\nX is rank-deficient: rank %zu of %zu columns. Aliased, because they depend on columns before them:", rank,
           columns);
  for (size_t j = 0; j < dependent->size; j++)
    mn_print(page, "%s %s", j > 0 ? "," : "", names[(size_t)dependent->at[j]]);
  mn_print(page, ".\nThe table is that of the model without them. The fields coef and intercept hold the minimum-norm\n"
                 "coefficients, which give the same fitted values.\n");
}

void mn_print_quartiles(mn_text_page *page, const char *title, const double *q)
{
  mn_print(page, "%s:\n", title);
  mn_print(page, "%10s %10s %10s %10s %10s\n", "Min", "1Q", "Median", "3Q", "Max");
  for (size_t k = 0; k < MN_QUARTILES; k++) mn_print(page, "%s%10.4g", k > 0 ? " " : "", q[k]);
  mn_print(page, "\n\n");
}

static size_t name_width(const mn_term_table *t)
{
  enum { MIN_WIDTH = 8, MAX_WIDTH = 40 };
  size_t width = MIN_WIDTH;
  for (size_t i = 0; i < t->rows; i++) width = strlen(t->names[i]) > width ? strlen(t->names[i]) : width;
  return width < MAX_WIDTH ? width : MAX_WIDTH;
}

void mn_term_rows_print(mn_text_page *page, const mn_term_table *t, size_t first, size_t count, char statistic)
{
  const int width = (int)name_width(t);
  char value[8], probability[16];
  snprintf(value, sizeof value, "%c value", statistic);
  snprintf(probability, sizeof probability, "Pr(>|%c|)", statistic);
  mn_print(page, "%-*s %12s %12s %9s %10s\n", width, "", "Estimate", "Std. Error", value, probability);
  for (size_t i = first; i < first + count; i++) {
    char p[32];
    const char *stars = mn_significance_stars(t->p->at[i]);
    if (isnan(t->estimate->at[i])) {
      mn_print(page, "%-*.*s %12s\n", width, width, t->names[i], "aliased");
      continue;
    }
    mn_print(page, "%-*.*s %12.6g %12.6g %9.3f %10s%s%s\n", width, width, t->names[i], mn_printable(t->estimate->at[i]),
             mn_printable(t->std_error->at[i]), mn_printable(t->statistic->at[i]), mn_format_p_value(p, t->p->at[i]),
             *stars ? " " : "", stars);
  }
}

void mn_print_stars(mn_text_page *page)
{
  mn_print(page, "---\nSignif. codes:  0 '***' 0.001 '**' 0.01 '*' 0.05 '.' 0.1 ' ' 1\n\n");
}

void mn_term_table_print(mn_text_page *page, const mn_term_table *t, char statistic)
{
  mn_print(page, "Coefficients:\n");
  mn_term_rows_print(page, t, 0, t->rows, statistic);
  mn_print_stars(page);
}
