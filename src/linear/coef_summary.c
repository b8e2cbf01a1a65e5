#include "coef_summary.h"
#include "../model/model.h"
#include "linear.h"
#include "report.h"
#include "terms.h"
#include <string.h>

const mn_param mn_coef_summary_params[] = {
  MN_COUNT(mn_coef_summary_options, target, 1, MN_AT_LEAST(1),
           "column of y, or class, where each has its own coefficients; from 1"),
  MN_END,
};

/* Why there are no standard errors. */
static const char penalty_reason[] =
    "There are no standard errors or p-values: a penalty, or a rule that selects columns, shrinks coefficients\n"
    "towards 0 on purpose, so their distances from 0 in standard errors would be meaningless.\n";
static const char sgd_reason[] =
    "There are no standard errors or p-values: the loss need not be a likelihood, a penalty shrinks coefficients\n"
    "towards 0 on purpose, and the fit may stop before the minimum.\n";
static const char quantile_reason[] =
    "There are no standard errors or p-values: they would depend on the density of the errors at the fit, which is\n"
    "not estimated. Refit bootstrap samples of the rows to see how much the coefficients vary.\n";

/* Whether the model has an intercept; without a parameter fit_intercept it does. */
static bool has_intercept(const mn_linear *m)
{
  const mn_param *param = mn_param_named(m->base.class->params, "fit_intercept");
  return !param || *(const bool *)((const char *)m + param->offset);
}

static void print_coefs(mn_text_page *page, const mn_linear *m, const char *const *names, const mn_vector *estimate,
                        size_t nonzero)
{
  size_t width = 8;
  for (size_t i = 0; i < estimate->size; i++) width = strlen(names[i]) > width ? strlen(names[i]) : width;
  if (width > 40) width = 40;
  mn_print(page, "Coefficients:\n%-*s %12s\n", (int)width, "", "Estimate");
  for (size_t i = 0; i < estimate->size; i++)
    mn_print(page, "%-*.*s %12.6g\n", (int)width, (int)width, names[i], mn_printable(estimate->at[i]));
  mn_print(page, "---\n%zu of %zu coefficients %s nonzero.\n\n", nonzero, m->coef.cols, nonzero == 1 ? "is" : "are");
}

static mn_status summarize(mn_context *ctx, const mn_linear *m, const mn_coef_summary_options *o, mn_results *results,
                           const char *reason, const char *alternative)
{
  const size_t p = m->coef.cols, intercept = has_intercept(m), target = (size_t)o->target - 1;
  if ((uint64_t)o->target > m->coef.rows)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: target must be from 1 to %zu, got %lld", m->base.class->name,
                   m->coef.rows, (long long)o->target);
  const char **names;
  size_t nonzero = 0;
  mn_vector *estimate;
  mn_text_page page;
  MN_TRY(mn_term_names(ctx, &m->base, NULL, p, intercept, &names));
  MN_TRY(mn_result_names(ctx, results, "coefficients.term", names, p + intercept));
  MN_TRY(mn_result_vector(ctx, results, "coefficients.estimate", p + intercept, &estimate));
  if (intercept) estimate->at[0] = m->intercept.at[target];
  for (size_t j = 0; j < p; j++) {
    estimate->at[intercept + j] = mn_row(&m->coef, target)[j];
    nonzero += estimate->at[intercept + j] != 0;
  }
  mn_result_count(results, "nonzero", (int64_t)nonzero);
  MN_TRY(mn_page_begin(ctx, &page, 1024 + 80 * (p + intercept)));
  print_coefs(&page, m, names, estimate, nonzero);
  mn_print(&page, "%s%s", reason, alternative);
  return mn_result_text(ctx, results, "text", page.at, page.size);
}

/* Which model has standard errors instead. */
static const char *alternative_to(const mn_linear *m)
{
  return m->base.class->capabilities & MN_CLASSIFY
             ? "ml.GLM{ family = 'binomial' } computes them for two classes and alpha = 0."
             : "ml.LinearRegression computes them.";
}

mn_status mn_coef_summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                          mn_results *results)
{
  (void)data;
  return summarize(ctx, self, options, results, penalty_reason, alternative_to(self));
}

static mn_status glm_summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                             mn_results *results)
{
  (void)data;
  return summarize(ctx, self, options, results, penalty_reason,
                   "ml.GLM with the same family and link computes them for alpha = 0.");
}

static mn_status sgd_summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                             mn_results *results)
{
  (void)data;
  return summarize(ctx, self, options, results, sgd_reason, alternative_to(self));
}

static mn_status quantile_summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                  mn_results *results)
{
  (void)data;
  return summarize(ctx, self, options, results, quantile_reason, "ml.RobustRegression computes standard errors.");
}

const mn_operation mn_coef_operations[] = { MN_COEF_SUMMARY(mn_coef_summary), { .name = NULL } };
const mn_operation mn_glm_coef_operations[] = { MN_COEF_SUMMARY(glm_summary), { .name = NULL } };
const mn_operation mn_sgd_coef_operations[] = { MN_COEF_SUMMARY(sgd_summary), { .name = NULL } };
const mn_operation mn_quantile_coef_operations[] = { MN_COEF_SUMMARY(quantile_summary), { .name = NULL } };
