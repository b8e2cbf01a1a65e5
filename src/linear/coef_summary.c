#include "coef_summary.h"
#include "../model/model.h"
#include "linear.h"
#include "report.h"
#include "terms.h"
#include <string.h>

const mn_param mn_weights_summary_params[] = {
  MN_COUNT(mn_weights_summary_options, target, 1, MN_AT_LEAST(1),
           "which column of y, or which class, where each has weights of its own"),
  MN_END,
};

/* Why there are no standard errors, and where they are. */
static const char by_penalty[] =
    "Where a penalty, or a rule that chooses among the columns, draws weights towards 0 on purpose, their distances\n"
    "from 0 in standard errors would mean nothing: there are no standard errors and p-values.\n";
static const char by_steps[] =
    "The loss need not be a likelihood, a penalty draws weights towards 0 on purpose, and steps may end before\n"
    "the minimum: there are no standard errors and p-values.\n";
static const char by_density[] =
    "Standard errors would depend on how dense the errors are about the fit, which is not estimated: there are\n"
    "no standard errors and p-values. Fits to rows drawn anew tell how far the weights spread.\n";

/* Has the model a constant? Where no setting says so it has one. */
static bool has_constant(const mn_linear *m)
{
  const mn_param *param = mn_param_named(m->base.class->params, "fit_intercept");
  return !param || *(const bool *)((const char *)m + param->offset);
}

static void print_weights(mn_text_page *page, const mn_linear *m, const char *const *names, const mn_vector *estimate,
                          size_t nonzero)
{
  size_t width = 8;
  for (size_t i = 0; i < estimate->size; i++) width = strlen(names[i]) > width ? strlen(names[i]) : width;
  if (width > 40) width = 40;
  mn_print(page, "Coefficients:\n%-*s %12s\n", (int)width, "", "Estimate");
  for (size_t i = 0; i < estimate->size; i++)
    mn_print(page, "%-*.*s %12.6g\n", (int)width, (int)width, names[i], mn_plain(estimate->at[i]));
  mn_print(page, "---\n%zu of %zu weights %s not 0.\n\n", nonzero, m->coef.cols, nonzero == 1 ? "is" : "are");
}

static mn_status summarise(mn_context *ctx, const mn_linear *m, const mn_weights_summary_options *o,
                           mn_results *results, const char *why, const char *where)
{
  const size_t p = m->coef.cols, constant = has_constant(m), target = (size_t)o->target - 1;
  if ((uint64_t)o->target > m->coef.rows)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: target must be from 1 to %zu, got %lld", m->base.class->name,
                   m->coef.rows, (long long)o->target);
  const char **names;
  size_t nonzero = 0;
  mn_vector *estimate;
  mn_text_page page;
  MN_TRY(mn_term_names(ctx, &m->base, NULL, p, constant, &names));
  MN_TRY(mn_result_names(ctx, results, "coefficients.term", names, p + constant));
  MN_TRY(mn_result_vector(ctx, results, "coefficients.estimate", p + constant, &estimate));
  if (constant) estimate->at[0] = m->intercept.at[target];
  for (size_t j = 0; j < p; j++) {
    estimate->at[constant + j] = mn_row(&m->coef, target)[j];
    nonzero += estimate->at[constant + j] != 0;
  }
  mn_result_count(results, "nonzero", (int64_t)nonzero);
  MN_TRY(mn_page_begin(ctx, &page, 1024 + 80 * (p + constant)));
  print_weights(&page, m, names, estimate, nonzero);
  mn_print(&page, "%s%s", why, where);
  return mn_result_text(ctx, results, "text", page.at, page.size);
}

/* For two classes, or of y. */
static const char *where_of(const mn_linear *m)
{
  return m->base.class->capabilities & MN_CLASSIFY
             ? "ml.GLM{ family = 'binomial' } has them, for two classes and alpha = 0."
             : "ml.LinearRegression has them.";
}

mn_status mn_weights_summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                             mn_results *results)
{
  (void)data;
  return summarise(ctx, self, options, results, by_penalty, where_of(self));
}

static mn_status glm_summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                             mn_results *results)
{
  (void)data;
  return summarise(ctx, self, options, results, by_penalty,
                   "ml.GLM of the same family and link has them, for alpha = 0.");
}

static mn_status steps_summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                               mn_results *results)
{
  (void)data;
  return summarise(ctx, self, options, results, by_steps, where_of(self));
}

static mn_status density_summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                 mn_results *results)
{
  (void)data;
  return summarise(ctx, self, options, results, by_density, "ml.RobustRegression has standard errors.");
}

const mn_operation mn_weights_operations[] = { MN_WEIGHTS_SUMMARY(mn_weights_summary), { .name = NULL } };
const mn_operation mn_glm_weights_operations[] = { MN_WEIGHTS_SUMMARY(glm_summary), { .name = NULL } };
const mn_operation mn_steps_operations[] = { MN_WEIGHTS_SUMMARY(steps_summary), { .name = NULL } };
const mn_operation mn_density_operations[] = { MN_WEIGHTS_SUMMARY(density_summary), { .name = NULL } };
