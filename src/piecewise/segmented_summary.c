/* The operation summary of segmented regression, as printed by R's segmented. */
#include "../stats/special.h"
#include "../linear/report.h"
#include "segmented.h"
#include "../linear/terms.h"

struct summary_options {
  double level;
};

static const mn_param summary_params[] = {
  MN_REAL(struct summary_options, level, 0.95, MN_OPEN(0, 1), "coverage of the confidence intervals"),
  MN_END,
};

/* Set the columns estimate, std_error, low and high of a Frame. */
static mn_status fill(mn_context *ctx, mn_results *results, const char *const names[4], const mn_vector *estimate,
                      const mn_vector *error, double quantile)
{
  mn_vector *column[4];
  for (size_t c = 0; c < 4; c++) MN_TRY(mn_result_vector(ctx, results, names[c], estimate->size, &column[c]));
  for (size_t k = 0; k < estimate->size; k++) {
    column[0]->at[k] = estimate->at[k];
    column[1]->at[k] = error->at[k];
    column[2]->at[k] = estimate->at[k] - quantile * error->at[k];
    column[3]->at[k] = estimate->at[k] + quantile * error->at[k];
  }
  return MN_OK;
}

static void print_rows(mn_text_page *page, const char *title, const char *of, const mn_vector *estimate,
                       const mn_vector *error, double quantile)
{
  mn_print(page, "%-14s %12s %12s %12s %12s\n", title, "Estimate", "Std. Error", "Low", "High");
  for (size_t k = 0; k < estimate->size; k++)
    mn_print(page, "%-10s %3zu %12.6g %12.6g %12.6g %12.6g\n", of, k + 1, estimate->at[k], mn_printable(error->at[k]),
             mn_printable(estimate->at[k] - quantile * error->at[k]),
             mn_printable(estimate->at[k] + quantile * error->at[k]));
  mn_print(page, "\n");
}

static mn_status print_all(mn_context *ctx, const mn_segmented *m, double quantile, double sigma, mn_results *results)
{
  char df[MN_NUMBER_SIZE];
  mn_text_page page;
  MN_TRY(mn_page_begin(ctx, &page, 1024 + 200 * m->slope.size));
  if (m->breakpoints.size > 0)
    print_rows(&page, "Breakpoints:", "breakpoint", &m->breakpoints, &m->breakpoint_se, quantile);
  print_rows(&page, "Slopes:", "segment", &m->slope, &m->slope_se, quantile);
  const mn_observations observations = {
    .type = m->weights_type, .rows = m->rows, .total = m->n, .log_sum = m->log_weights
  };
  mn_print_weights_type(&page, &observations);
  mn_print(&page, "Residual standard error: %.4g on %s degrees of freedom\n", mn_printable(sigma),
           mn_format_number(df, m->df));
  mn_print(&page, "Multiple R-squared: %.4f\n", mn_printable(1 - m->rss / m->tss));
  mn_print(&page, "Log-likelihood: %.4f, BIC: %.4f\n", m->loglik, m->bic);
  return mn_result_text(ctx, results, "text", page.at, page.size > 0 ? page.size - 1 : 0);
}

static mn_status summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                         mn_results *results)
{
  (void)data;
  const mn_segmented *m = self;
  const struct summary_options *o = options;
  const double quantile = m->df > 0 ? mn_t_isf((1 - o->level) / 2, m->df) : (double)NAN;
  const double sigma = m->df > 0 ? sqrt(m->rss / m->df) : (double)NAN;
  static const char *const breaks[] = { "breakpoints.estimate", "breakpoints.std_error", "breakpoints.low",
                                        "breakpoints.high" };
  static const char *const slopes[] = { "slopes.estimate", "slopes.std_error", "slopes.low", "slopes.high" };
  MN_TRY(fill(ctx, results, breaks, &m->breakpoints, &m->breakpoint_se, quantile));
  MN_TRY(fill(ctx, results, slopes, &m->slope, &m->slope_se, quantile));
  mn_result_real(results, "sigma", sigma);
  mn_result_real(results, "df", m->df);
  mn_result_real(results, "r2", 1 - m->rss / m->tss);
  mn_result_real(results, "loglik", m->loglik);
  mn_result_real(results, "bic", m->bic);
  return print_all(ctx, m, quantile, sigma, results);
}

const mn_operation mn_segmented_operations[] = {
  { .name = "summary",
    .brief = "breakpoints and slopes with standard errors, confidence intervals and goodness of fit",
    .returns = "breakpoints and slopes (Frames: estimate, std_error, low, high), sigma, df, r2, loglik, bic; prints as "
               "a table",
    .options = summary_params,
    .options_size = sizeof(struct summary_options),
    .run = summary },
  { .name = NULL },
};
