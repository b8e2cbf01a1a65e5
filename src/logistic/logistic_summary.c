/* `summary` and `vcov` of logistic regression: with a penalty the coefficients alone, without one a table of the
 * coefficients of each class against the first, with z tests. */
#include "../linear/coef_summary.h"
#include "../linear/terms.h"
#include "../stats/special.h"
#include "logistic_model.h"
#include <stdio.h>

struct summary_options {
  int64_t target;
  double level;
};

static const mn_param summary_params[] = {
  MN_COUNT(struct summary_options, target, MN_UNSET, MN_AT_LEAST(1),
           "class whose coefficients to show, from 1; nil: all, named in the column class"),
  MN_REAL(struct summary_options, level, 0.95, MN_OPEN(0, 1), "coverage of the intervals, between 0 and 1"),
  MN_END,
};

static size_t coefs_of_class(const struct mn_logistic *m)
{
  return m->linear.base.n_features + m->fit_intercept;
}

/* Coefficient `term` of contrast c, from 0: of class c + 1 minus that of class 0. */
static double contrast(const struct mn_logistic *m, size_t c, size_t term)
{
  const mn_linear *l = &m->linear;
  const bool is_intercept = m->fit_intercept && term == 0;
  const size_t j = is_intercept ? 0 : term - m->fit_intercept;
  if (l->coef.rows == 1) return is_intercept ? l->intercept.at[0] : l->coef.at[j];
  return is_intercept ? l->intercept.at[c + 1] - l->intercept.at[0] : mn_row(&l->coef, c + 1)[j] - l->coef.at[j];
}

struct classes {
  size_t first, count; /* contrasts to show                 */
  const char **labels; /* of the classes that they describe */
  const char *reference;
};

static mn_status choose_classes(mn_context *ctx, const struct mn_logistic *m, int64_t target, struct classes *s)
{
  enum { LABEL_SIZE = 64 };
  const mn_levels *levels = m->linear.base.classes;
  const size_t classes = mn_levels_size(levels);
  *s = (struct classes){ .count = classes - 1 };
  if (target != MN_UNSET && classes > 2) {
    if (target < 2 || target > (int64_t)classes)
      return mn_fail(ctx, MN_BAD_ARGUMENT,
                     "LogisticRegression: target must be from 2 to %zu, because class 1 is the reference, got %lld",
                     classes, (long long)target);
    s->first = (size_t)target - 2;
    s->count = 1;
  } else if (target != MN_UNSET && target > 1) {
    return mn_fail(ctx, MN_BAD_ARGUMENT, "LogisticRegression: target must be 1 for two classes, got %lld",
                   (long long)target);
  }
  char *buffer = MN_RAW(ctx, char, s->count + 1, LABEL_SIZE);
  s->labels = MN_RAW(ctx, const char *, s->count, 1);
  if (!buffer || !s->labels) return MN_NO_MEMORY;
  for (size_t c = 0; c < s->count; c++)
    s->labels[c] = mn_format_label(buffer + c * LABEL_SIZE, LABEL_SIZE, mn_levels_at(levels, s->first + c + 1));
  s->reference = mn_format_label(buffer + s->count * LABEL_SIZE, LABEL_SIZE, mn_levels_at(levels, 0));
  return MN_OK;
}

static mn_status fill_table(mn_context *ctx, const struct mn_logistic *m, const struct classes *s, double level,
                            mn_results *results, mn_term_table *t)
{
  const size_t k = coefs_of_class(m), q = m->covariance.rows;
  const double quantile = mn_normal_isf((1 - level) / 2);
  const char **names, **label;
  t->rows = k * s->count;
  t->names = MN_RAW(ctx, const char *, t->rows, 1);
  label = MN_RAW(ctx, const char *, t->rows, 1);
  if (!t->names || !label) return MN_NO_MEMORY;
  MN_TRY(mn_term_names(ctx, &m->linear.base, NULL, m->linear.base.n_features, m->fit_intercept, &names));
  for (size_t i = 0; i < t->rows; i++) {
    t->names[i] = names[i % k];
    label[i] = s->labels[i / k];
  }
  if (s->count > 1) MN_TRY(mn_result_names(ctx, results, "coefficients.class", label, t->rows));
  MN_TRY(mn_term_table_columns(ctx, results, "coefficients.z", t));
  for (size_t i = 0; i < t->rows; i++) {
    const size_t place = s->first * k + i;
    mn_term_table_set(t, i, contrast(m, place / k, place % k), sqrt(m->covariance.at[place * q + place]), INFINITY,
                      quantile);
  }
  return MN_OK;
}

struct statistics {
  double loglik, null_loglik, pseudo_r2, lr, lr_df, lr_p, aic, bic, n;
};

static struct statistics compute_statistics(const struct mn_logistic *m)
{
  const double *figure = m->figures.at, count = (double)m->covariance.rows;
  const double contrasts = count / (double)coefs_of_class(m);
  struct statistics s = { .loglik = figure[MN_LOGISTIC_LOGLIK],
                          .null_loglik = figure[MN_LOGISTIC_NULL_LOGLIK],
                          .n = figure[MN_LOGISTIC_TOTAL] };
  s.pseudo_r2 = 1 - s.loglik / s.null_loglik;
  s.lr = 2 * (s.loglik - s.null_loglik);
  s.lr_df = count - (m->fit_intercept ? contrasts : 0);
  s.lr_p = mn_chi2_sf(fmax(s.lr, 0), s.lr_df);
  s.aic = 2 * (count - s.loglik);
  s.bic = log(s.n) * count - 2 * s.loglik;
  return s;
}

static void set_results(mn_results *results, const struct statistics *s)
{
  mn_result_real(results, "loglik", s->loglik);
  mn_result_real(results, "null_loglik", s->null_loglik);
  mn_result_real(results, "pseudo_r2", s->pseudo_r2);
  mn_result_real(results, "lr", s->lr);
  mn_result_real(results, "lr_df", s->lr_df);
  mn_result_real(results, "lr_p", s->lr_p);
  mn_result_real(results, "aic", s->aic);
  mn_result_real(results, "bic", s->bic);
  mn_result_real(results, "n", s->n);
}

static void print_footer(mn_text_page *page, const struct mn_logistic *m, const struct statistics *s)
{
  char df[MN_NUMBER_SIZE], p[32];
  const mn_report *report = &m->linear.base.report;
  mn_print(page, "Log-likelihood: %.4f, of the model without columns: %.4f\n", s->loglik, s->null_loglik);
  mn_print(page, "Pseudo R-squared: %.4f, likelihood ratio: %.4g on %s DF, p-value: %s\n", mn_printable(s->pseudo_r2),
           s->lr, mn_format_number(df, s->lr_df), mn_format_p_value(p, s->lr_p));
  mn_print(page, "AIC: %.4f, BIC: %.4f\n", s->aic, s->bic);
  if (isnan(m->covariance.at[0]))
    mn_print(page, "\nThe columns of X are collinear, or the classes are separable: there are no standard errors.\n"
                   "Remove the columns that depend on others.\n");
  if (!report->converged) mn_print(page, "\nNot converged: %s.\n", report->advice ? report->advice : "raise max_iter");
}

static mn_status write_text(mn_context *ctx, const struct mn_logistic *m, const struct classes *s,
                            const mn_term_table *t, const struct statistics *statistics, mn_results *results)
{
  const size_t k = coefs_of_class(m);
  mn_text_page page;
  MN_TRY(mn_page_begin(ctx, &page, 2048 + 300 * s->count + 200 * t->rows));
  for (size_t c = 0; c < s->count; c++) {
    mn_print(&page, "%sCoefficients of class %s against %s:\n", c > 0 ? "\n" : "", s->labels[c], s->reference);
    mn_term_rows_print(&page, t, c * k, k, 'z');
  }
  mn_print_stars(&page);
  print_footer(&page, m, statistics);
  return mn_result_text(ctx, results, "text", page.at, page.size - 1); /* without the last newline */
}

/* Coefficients of the contrasts of all classes with the first. */
static size_t count_contrasts(const struct mn_logistic *m)
{
  return coefs_of_class(m) * (mn_levels_size(m->linear.base.classes) - 1);
}

/* Why a fit without a penalty has no covariance. */
static void explain_absence(const struct mn_logistic *m, size_t size, char *text)
{
  const size_t q = count_contrasts(m);
  if (q > MN_LOGISTIC_MAX_INFERENCE)
    snprintf(text, size,
             "standard errors are computed for at most %d coefficients, since their covariance takes time with the "
             "cube of their number, and the model has %zu; select columns, or refit on resampled rows",
             MN_LOGISTIC_MAX_INFERENCE, q);
  else if (!m->std_errors)
    snprintf(text, size, "the model was fitted with std_errors = false");
  else
    snprintf(text, size, "the model has no coefficients, or an earlier version saved it without them; fit it again");
}

static mn_status summary_without_errors(mn_context *ctx, const struct mn_logistic *m,
                                        const mn_coef_summary_options *options, mn_results *results)
{
  char why[256], text[300];
  if (m->penalty != MN_PENALTY_NONE) return mn_coef_summary(ctx, m, NULL, options, results);
  explain_absence(m, sizeof why, why);
  snprintf(text, sizeof text, "There are no standard errors: %s.", why);
  return mn_coef_summary_because(ctx, m, options, text, results);
}

static mn_status summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                         mn_results *results)
{
  const struct mn_logistic *m = self;
  const struct summary_options *o = options;
  const mn_coef_summary_options coefs = { .target = o->target };
  (void)data;
  if (!m->covariance.at) return summary_without_errors(ctx, m, &coefs, results);
  const struct statistics statistics = compute_statistics(m);
  struct classes s;
  mn_term_table t;
  MN_TRY(choose_classes(ctx, m, o->target, &s));
  MN_TRY(fill_table(ctx, m, &s, o->level, results, &t));
  set_results(results, &statistics);
  return write_text(ctx, m, &s, &t, &statistics, results);
}

static mn_status vcov(mn_context *ctx, const void *self, const mn_data *data, const void *options, mn_results *results)
{
  (void)data;
  (void)options;
  const struct mn_logistic *m = self;
  mn_matrix *v;
  if (!m->covariance.at && m->penalty != MN_PENALTY_NONE)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "LogisticRegression: vcov requires penalty = 'none'");
  if (!m->covariance.at) {
    char why[256];
    explain_absence(m, sizeof why, why);
    return mn_fail(ctx, MN_BAD_ARGUMENT, "LogisticRegression: there is no vcov: %s", why);
  }
  const size_t q = m->covariance.rows;
  MN_TRY(mn_result_matrix(ctx, results, "vcov", q, q, &v));
  for (size_t i = 0; i < q * q; i++) v->at[i] = m->covariance.at[i];
  return MN_OK;
}

const mn_operation mn_logistic_operations[] = {
  { .name = "summary",
    .brief = "coefficients; without a penalty those of each class against the first, with standard errors and z tests",
    .returns = "with a penalty: coefficients (Frame: term, estimate), nonzero; without: coefficients (Frame: class, "
               "term, estimate, std_error, z, p, low, high), loglik, null_loglik, pseudo_r2 (McFadden), lr, lr_df, "
               "lr_p (likelihood ratio test of all columns), aic, bic, n; prints as a table",
    .options = summary_params,
    .options_size = sizeof(struct summary_options),
    .run = summary },
  { .name = "vcov",
    .brief = "covariance matrix of the coefficients of each class against the first, without a penalty",
    .returns = "Matrix (coefficients x coefficients): for each class the intercept, then the columns of X",
    .run = vcov },
  { .name = NULL },
};
