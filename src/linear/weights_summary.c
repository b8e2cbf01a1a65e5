#include "weights_summary.h"
#include "linear.h"
#include "report.h"
#include "terms.h"
#include <string.h>

const mn_param mn_weights_summary_params[] = {
  MN_COUNT(mn_weights_summary_options, target, 1, MN_FROM(1),
           "which column of y, or which class, where each has weights of its own"),
  MN_END,
};

const mn_operation mn_weights_operations[] = { MN_WEIGHTS_SUMMARY, { .name = NULL } };

static const char why[] =
    "A penalty, or a rule that chooses among the columns, draws weights towards 0 on purpose, so that their\n"
    "distances from 0 in standard errors would mean nothing: there are no standard errors and p-values.\n";

static void print_weights(mn_text_page *page, const mn_linear *m, const char *const *names, const double *estimate,
                          size_t rows, size_t nonzero)
{
  size_t width = 8;
  for (size_t i = 0; i < rows; i++) width = strlen(names[i]) > width ? strlen(names[i]) : width;
  if (width > 40) width = 40;
  mn_print(page, "Coefficients:\n%-*s %12s\n", (int)width, "", "Estimate");
  for (size_t i = 0; i < rows; i++)
    mn_print(page, "%-*.*s %12.6g\n", (int)width, (int)width, names[i], mn_plain(estimate[i]));
  mn_print(page, "---\n%zu of %zu weights %s not 0.\n\n%s", nonzero, m->coef.cols, nonzero == 1 ? "is" : "are", why);
  if (m->base.class->does & MN_CLASSIFY)
    mn_print(page, "ml.GLM{ family = 'binomial' } has them, for two classes and alpha = 0.");
  else
    mn_print(page, "ml.LinearRegression has them.");
}

mn_status mn_weights_summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                             mn_results *results)
{
  (void)data;
  const mn_linear *m = self;
  const mn_weights_summary_options *o = options;
  const size_t p = m->coef.cols, rows = p + 1;
  if ((uint64_t)o->target > m->coef.rows)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: target must be from 1 to %zu, got %lld", m->base.class->name,
                   m->coef.rows, (long long)o->target);
  const size_t target = (size_t)o->target - 1;
  const char **names;
  size_t nonzero = 0;
  mn_vector *estimate;
  mn_text_page page;
  MN_TRY(mn_term_names(ctx, &m->base, NULL, p, true, &names));
  MN_TRY(mn_result_names(ctx, results, "coefficients.term", names, rows));
  MN_TRY(mn_result_vector(ctx, results, "coefficients.estimate", rows, &estimate));
  estimate->at[0] = m->intercept.at[target];
  memcpy(estimate->at + 1, mn_row(&m->coef, target), p * sizeof *estimate->at);
  for (size_t j = 1; j < rows; j++) nonzero += estimate->at[j] != 0;
  mn_result_count(results, "nonzero", (int64_t)nonzero);
  MN_TRY(mn_page_begin(ctx, &page, 1024 + 80 * rows));
  print_weights(&page, m, names, estimate->at, rows, nonzero);
  return mn_result_text(ctx, results, "text", page.at, page.size);
}
