#include "coef_summary.h"
#include "../model/model.h"
#include "linear.h"
#include "report.h"
#include "terms.h"
#include <string.h>

const mn_param mn_coef_summary_params[] = {
  MN_COUNT(
      mn_coef_summary_options, target, MN_UNSET, MN_AT_LEAST(1),
      "column of y, or class, where each has its own coefficients; from 1. nil: the first column, or all classes, named in the column class"),
  MN_END,
};

/* Why there are no standard errors. */
static const char penalty_reason[] =
    "There are no standard errors or p-values: a penalty, or a rule that selects columns, shrinks coefficients\n"
    "towards 0 on purpose, so their distances from 0 in standard errors would be meaningless.\n";
static const char unpenalized_reason[] =
    "There are no standard errors or p-values: this estimator does not compute them.\n";
static const char unpenalized_sgd_reason[] =
    "There are no standard errors or p-values: the loss need not be a likelihood, and the fit\n"
    "may stop before the minimum.\n";
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
  return !param || *(const bool *)mn_member(m, param->offset);
}

/* Whether nothing is penalized: penalty = 'none', or alpha = 0. */
static bool is_unpenalized(const mn_linear *m)
{
  const mn_param *penalty = mn_param_named(m->base.class->params, "penalty");
  const mn_param *alpha = mn_param_named(m->base.class->params, "alpha");
  if (penalty && strcmp(penalty->choices[*(const int64_t *)mn_member(m, penalty->offset)], "none") == 0) return true;
  return alpha && alpha->kind == MN_KIND_REAL && *(const double *)mn_member(m, alpha->offset) <= 0;
}

/* The coefficients to show: those of the targets or classes first .. first + count - 1. */
struct shown {
  const mn_linear *m;
  size_t first, count, intercept, terms;
  const char **names;  /* terms */
  const char **labels; /* count: class labels; NULL for regressors */
};

/* Labels as text, in scratch. Of two classes, the second is that of the coefficients. */
static mn_status class_labels(mn_context *ctx, struct shown *s)
{
  enum { LABEL_SIZE = 64 };
  const mn_levels *classes = s->m->base.classes;
  char *buffer = MN_RAW(ctx, char, s->count, LABEL_SIZE);
  s->labels = MN_RAW(ctx, const char *, s->count, 1);
  if (!buffer || !s->labels) return MN_NO_MEMORY;
  for (size_t c = 0; c < s->count; c++) {
    const size_t code = s->m->coef.rows == 1 ? 1 : s->first + c;
    s->labels[c] = mn_format_label(buffer + c * LABEL_SIZE, LABEL_SIZE, mn_levels_at(classes, code));
  }
  return MN_OK;
}

static double coefficient(const struct shown *s, size_t c, size_t term)
{
  return term < s->intercept ? s->m->intercept.at[s->first + c]
                             : mn_row(&s->m->coef, s->first + c)[term - s->intercept];
}

/* The Frame: one row per term, for each class in turn. */
static mn_status add_frame(mn_context *ctx, const struct shown *s, mn_results *results, size_t *nonzero)
{
  const size_t rows = s->terms * s->count;
  const char **term = MN_RAW(ctx, const char *, rows, 1), **label = MN_RAW(ctx, const char *, rows, 1);
  mn_vector *estimate;
  if (!term || !label) return MN_NO_MEMORY;
  *nonzero = 0;
  for (size_t i = 0; i < rows; i++) {
    term[i] = s->names[i % s->terms];
    label[i] = s->labels ? s->labels[i / s->terms] : "";
  }
  if (s->count > 1) MN_TRY(mn_result_names(ctx, results, "coefficients.class", label, rows));
  MN_TRY(mn_result_names(ctx, results, "coefficients.term", term, rows));
  MN_TRY(mn_result_vector(ctx, results, "coefficients.estimate", rows, &estimate));
  for (size_t i = 0; i < rows; i++) {
    estimate->at[i] = coefficient(s, i / s->terms, i % s->terms);
    *nonzero += i % s->terms >= s->intercept && (estimate->at[i] < 0 || estimate->at[i] > 0);
  }
  return MN_OK;
}

/* What the coefficients decide. */
static void print_title(mn_text_page *page, const struct shown *s)
{
  char other[64];
  mn_print(page, "Coefficients");
  if (s->labels && s->m->coef.rows == 1)
    mn_print(page, " of class %s against %s", s->labels[0],
             mn_format_label(other, sizeof other, mn_levels_at(s->m->base.classes, 0)));
  else if (s->labels && s->count == 1)
    mn_print(page, " of class %s (target %zu of %zu)", s->labels[0], s->first + 1, s->m->coef.rows);
  else if (s->labels)
    mn_print(page, " of each class");
  mn_print(page, ":\n");
}

static void print_coefs(mn_text_page *page, const struct shown *s, size_t nonzero)
{
  enum { MAX_COLUMNS = 8, MAX_NAME = 40, WIDTH = 12 };
  const size_t columns = s->count < MAX_COLUMNS ? s->count : MAX_COLUMNS, p = s->m->coef.cols;
  size_t width = 8;
  for (size_t i = 0; i < s->terms; i++) width = strlen(s->names[i]) > width ? strlen(s->names[i]) : width;
  if (width > MAX_NAME) width = MAX_NAME;
  print_title(page, s);
  mn_print(page, "%-*s", (int)width, "");
  for (size_t c = 0; c < columns; c++) mn_print(page, " %*.*s", WIDTH, WIDTH, s->count > 1 ? s->labels[c] : "Estimate");
  mn_print(page, "\n");
  for (size_t i = 0; i < s->terms; i++) {
    mn_print(page, "%-*.*s", (int)width, (int)width, s->names[i]);
    for (size_t c = 0; c < columns; c++) mn_print(page, " %*.6g", WIDTH, mn_printable(coefficient(s, c, i)));
    mn_print(page, "\n");
  }
  if (columns < s->count) mn_print(page, "%zu more classes are in the Frame.\n", s->count - columns);
  mn_print(page, "---\n%zu of %zu coefficients %s nonzero.\n\n", nonzero, p * s->count, nonzero == 1 ? "is" : "are");
}

static mn_status summarize(mn_context *ctx, const mn_linear *m, const mn_coef_summary_options *o, mn_results *results,
                           const char *reason, const char *alternative)
{
  const bool classifies = m->base.classes != NULL, all = o->target == MN_UNSET && classifies;
  struct shown s = { .m = m, .count = all ? m->coef.rows : 1, .intercept = has_intercept(m) };
  s.terms = m->coef.cols + s.intercept;
  s.first = o->target == MN_UNSET ? 0 : (size_t)o->target - 1;
  if (s.first >= m->coef.rows)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: target must be from 1 to %zu, got %lld", m->base.class->name,
                   m->coef.rows, (long long)o->target);
  size_t nonzero;
  mn_text_page page;
  MN_TRY(mn_term_names(ctx, &m->base, NULL, m->coef.cols, s.intercept, &s.names));
  if (classifies) MN_TRY(class_labels(ctx, &s));
  MN_TRY(add_frame(ctx, &s, results, &nonzero));
  mn_result_count(results, "nonzero", (int64_t)nonzero);
  MN_TRY(mn_page_begin(ctx, &page, 2048 + 160 * s.terms));
  print_coefs(&page, &s, nonzero);
  mn_print(&page, "%s%s", reason, alternative);
  return mn_result_text(ctx, results, "text", page.at, page.size);
}

/* Which model has standard errors instead. */
static const char *alternative_to(const mn_linear *m)
{
  return m->base.class->capabilities & MN_CLASSIFY ? "ml.LogisticRegression{ penalty = 'none' } computes them."
                                                   : "ml.LinearRegression computes them.";
}

mn_status mn_coef_summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                          mn_results *results)
{
  (void)data;
  return summarize(ctx, self, options, results, is_unpenalized(self) ? unpenalized_reason : penalty_reason,
                   alternative_to(self));
}

mn_status mn_coef_summary_because(mn_context *ctx, const void *self, const mn_coef_summary_options *options,
                                  const char *reason, mn_results *results)
{
  return summarize(ctx, self, options, results, reason, "");
}

static mn_status glm_summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                             mn_results *results)
{
  (void)data;
  return summarize(ctx, self, options, results, is_unpenalized(self) ? unpenalized_reason : penalty_reason,
                   "ml.GLM with the same family and link computes them for alpha = 0.");
}

static mn_status sgd_summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                             mn_results *results)
{
  (void)data;
  return summarize(ctx, self, options, results, is_unpenalized(self) ? unpenalized_sgd_reason : sgd_reason,
                   alternative_to(self));
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
