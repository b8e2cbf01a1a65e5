#include "posterior_summary.h"
#include "../actions/interval.h"
#include "../stats/special.h"
#include "../linear/terms.h"
#include <string.h>

const mn_param mn_posterior_params[] = {
  MN_REAL(mn_posterior_options, level, 0.95, MN_OPEN(0, 1), "posterior probability between low and high"),
  MN_END,
};

mn_status mn_posterior_make(mn_context *ctx, const mn_linear *m, const void *options, bool intercept, bool sampled,
                            mn_results *results, mn_posterior_table *t)
{
  const size_t p = m->coef.cols, rows = p + intercept;
  *t = (mn_posterior_table){ .rows = rows, .level = ((const mn_posterior_options *)options)->level };
  MN_TRY(mn_term_names(ctx, &m->base, NULL, p, intercept, &t->names));
  MN_TRY(mn_result_names(ctx, results, "coefficients.term", t->names, rows));
  MN_TRY(mn_result_vector(ctx, results, "coefficients.estimate", rows, &t->estimate));
  MN_TRY(mn_result_vector(ctx, results, "coefficients.std", rows, &t->std));
  MN_TRY(mn_result_vector(ctx, results, "coefficients.low", rows, &t->low));
  MN_TRY(mn_result_vector(ctx, results, "coefficients.high", rows, &t->high));
  if (!sampled) return MN_OK;
  MN_TRY(mn_result_vector(ctx, results, "coefficients.ess", rows, &t->ess));
  return mn_result_vector(ctx, results, "coefficients.r_hat", rows, &t->r_hat);
}

mn_status mn_posterior_print(mn_context *ctx, const mn_posterior_table *t, mn_text_page *page)
{
  size_t width = 8;
  for (size_t i = 0; i < t->rows; i++) width = strlen(t->names[i]) > width ? strlen(t->names[i]) : width;
  if (width > 40) width = 40;
  MN_TRY(mn_page_begin(ctx, page, 1024 + 160 * t->rows));
  mn_print(page, "Coefficients:\n%-*s %12s %12s %12s %12s", (int)width, "", "Mean", "Std. Dev.", "Low", "High");
  mn_print(page, t->ess ? " %8s %7s\n" : "\n", "ESS", "R-hat");
  for (size_t i = 0; i < t->rows; i++) {
    mn_print(page, "%-*.*s %12.6g %12.6g %12.6g %12.6g", (int)width, (int)width, t->names[i],
             mn_printable(t->estimate->at[i]), mn_printable(t->std->at[i]), mn_printable(t->low->at[i]),
             mn_printable(t->high->at[i]));
    if (t->ess) mn_print(page, " %8.0f %7.4f", mn_printable(t->ess->at[i]), mn_printable(t->r_hat->at[i]));
    mn_print(page, "\n");
  }
  mn_print(page,
           "---\nEach coefficient lies between Low and High with posterior probability %.4g.\n"
           "There are no p-values: they belong to estimates without a prior.\n\n",
           t->level);
  return MN_OK;
}

/* Fill a row whose posterior is normal. */
static void fill_normal(const mn_posterior_table *t, size_t row, double mean, double variance)
{
  const double std = sqrt(variance), half = mn_normal_quantile((1 + t->level) / 2) * std;
  t->estimate->at[row] = mean;
  t->std->at[row] = std;
  t->low->at[row] = mean - half;
  t->high->at[row] = mean + half;
}

mn_status mn_posterior_normal(mn_context *ctx, const mn_linear *m, const void *options, bool intercept,
                              const double *variance, mn_results *results, mn_text_page *page)
{
  mn_posterior_table t;
  MN_TRY(mn_posterior_make(ctx, m, options, intercept, false, results, &t));
  if (intercept) fill_normal(&t, 0, m->intercept.at[0], variance[0]);
  for (size_t row = intercept; row < t.rows; row++) fill_normal(&t, row, m->coef.at[row - intercept], variance[row]);
  return mn_posterior_print(ctx, &t, page);
}

mn_status mn_posterior_interval(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                double noise, double (*variance)(const void *self, const double *row),
                                mn_results *results)
{
  const size_t n = data->rows;
  mn_intervals out;
  MN_TRY(mn_intervals_make(ctx, results, n, &out));
  MN_TRY(mn_linear_predict(ctx, self, data, &(mn_matrix){ .at = out.mean->at, .rows = n, .cols = 1 }));
  for (size_t i = 0; i < n; i++) out.std->at[i] = sqrt(noise + variance(self, mn_row(&data->x, i)));
  mn_intervals_normal(&out, ((const mn_interval_options *)options)->level);
  return mn_poll(ctx);
}
