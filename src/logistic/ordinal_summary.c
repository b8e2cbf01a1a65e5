/* `summary` and `vcov` of ordinal regression. */
#include "../linear/terms.h"
#include "../stats/special.h"
#include "ordinal_regression.h"
#include <stdio.h>

struct summary_options {
  double level;
};

static const mn_param summary_params[] = {
  MN_REAL(struct summary_options, level, 0.95, MN_OPEN(0, 1), "coverage of the intervals, between 0 and 1"),
  MN_END,
};

/* The label of the class at a position in the order. */
static const char *label_at(const struct mn_ordinal *m, size_t position, char *text, size_t size)
{
  for (size_t c = 0; c < m->ranks.size; c++)
    if ((size_t)m->ranks.at[c] == position) return mn_format_label(text, size, mn_levels_at(m->base.classes, c));
  return "";
}

/* Names of the columns, then of the thresholds: "low|high". */
static mn_status term_names(mn_context *ctx, const struct mn_ordinal *m, const char ***out)
{
  enum { LABEL_SIZE = 64, NAME_SIZE = 2 * LABEL_SIZE + 2 };
  const size_t p = m->coef.size, t = m->thresholds.size;
  const char **columns;
  char *buffer = MN_RAW(ctx, char, t, NAME_SIZE), low[LABEL_SIZE], high[LABEL_SIZE];
  *out = MN_RAW(ctx, const char *, p + t, 1);
  if (!buffer || !*out) return MN_NO_MEMORY;
  MN_TRY(mn_term_names(ctx, &m->base, NULL, p, false, &columns));
  for (size_t j = 0; j < p; j++) (*out)[j] = columns[j];
  for (size_t k = 0; k < t; k++) {
    char *name = buffer + k * NAME_SIZE;
    snprintf(name, NAME_SIZE, "%s|%s", label_at(m, k, low, sizeof low), label_at(m, k + 1, high, sizeof high));
    (*out)[p + k] = name;
  }
  return MN_OK;
}

struct statistics {
  double lr, lr_p, pseudo_r2, aic, bic;
};

static struct statistics compute_statistics(const struct mn_ordinal *m)
{
  const double *figure = m->figures.at, count = (double)(m->coef.size + m->thresholds.size);
  struct statistics s = { .lr = 2 * (figure[MN_ORDINAL_LOGLIK] - figure[MN_ORDINAL_NULL_LOGLIK]) };
  s.lr_p = m->alpha > 0 ? (double)NAN : mn_chi2_sf(fmax(s.lr, 0), (double)m->coef.size);
  s.pseudo_r2 = 1 - figure[MN_ORDINAL_LOGLIK] / figure[MN_ORDINAL_NULL_LOGLIK];
  s.aic = 2 * (count - figure[MN_ORDINAL_LOGLIK]);
  s.bic = log(figure[MN_ORDINAL_TOTAL]) * count - 2 * figure[MN_ORDINAL_LOGLIK];
  return s;
}

static void print_footer(mn_text_page *page, const struct mn_ordinal *m, const struct statistics *s)
{
  char p[32], number[MN_NUMBER_SIZE];
  const double *figure = m->figures.at;
  mn_print(page, "Log-likelihood: %.4f, of the thresholds alone: %.4f\n", figure[MN_ORDINAL_LOGLIK],
           figure[MN_ORDINAL_NULL_LOGLIK]);
  mn_print(page, "Pseudo R-squared: %.4f", mn_printable(s->pseudo_r2));
  if (!(m->alpha > 0))
    mn_print(page, ", likelihood ratio: %.4g on %zu DF, p-value: %s", s->lr, m->coef.size,
             mn_format_p_value(p, s->lr_p));
  mn_print(page, "\nAIC: %.4f, BIC: %.4f\n", s->aic, s->bic);
  if (m->alpha > 0)
    mn_print(page, "\nThe penalty alpha = %s shrinks the coefficients on purpose: there are no standard errors.\n",
             mn_format_number(number, m->alpha));
  else if (!m->covariance.at || isnan(m->covariance.at[0]))
    mn_print(page, "\nThe columns of X are collinear, or the classes are separable: there are no standard errors.\n");
  if (!m->base.report.converged)
    mn_print(page, "\nNot converged: %s.\n", m->base.report.advice ? m->base.report.advice : "raise max_iter");
}

static mn_status write_text(mn_context *ctx, const struct mn_ordinal *m, const mn_term_table *t,
                            const struct statistics *s, mn_results *results)
{
  const size_t p = m->coef.size;
  mn_text_page page;
  MN_TRY(mn_page_begin(ctx, &page, 2048 + 250 * t->rows));
  mn_print(&page, "Coefficients:\n");
  mn_term_rows_print(&page, t, 0, p, 'z');
  mn_print(&page, "\nThresholds:\n");
  mn_term_rows_print(&page, t, p, t->rows - p, 'z');
  mn_print_stars(&page);
  print_footer(&page, m, s);
  return mn_result_text(ctx, results, "text", page.at, page.size - 1); /* without the last newline */
}

static mn_status summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                         mn_results *results)
{
  (void)data;
  const struct mn_ordinal *m = self;
  const struct summary_options *o = options;
  const size_t p = m->coef.size, k = p + m->thresholds.size;
  const double quantile = mn_normal_isf((1 - o->level) / 2);
  const struct statistics s = compute_statistics(m);
  mn_term_table t = { .rows = k };
  MN_TRY(term_names(ctx, m, &t.names));
  MN_TRY(mn_term_table_columns(ctx, results, "coefficients.z", &t));
  for (size_t i = 0; i < k; i++) {
    const double error = m->covariance.at ? sqrt(m->covariance.at[i * k + i]) : (double)NAN;
    mn_term_table_set(&t, i, i < p ? m->coef.at[i] : m->thresholds.at[i - p], error, INFINITY, quantile);
  }
  mn_result_real(results, "loglik", m->figures.at[MN_ORDINAL_LOGLIK]);
  mn_result_real(results, "null_loglik", m->figures.at[MN_ORDINAL_NULL_LOGLIK]);
  mn_result_real(results, "pseudo_r2", s.pseudo_r2);
  mn_result_real(results, "lr", s.lr);
  mn_result_real(results, "lr_p", s.lr_p);
  mn_result_real(results, "aic", s.aic);
  mn_result_real(results, "bic", s.bic);
  mn_result_real(results, "n", m->figures.at[MN_ORDINAL_TOTAL]);
  return write_text(ctx, m, &t, &s, results);
}

static mn_status vcov(mn_context *ctx, const void *self, const mn_data *data, const void *options, mn_results *results)
{
  (void)data;
  (void)options;
  const struct mn_ordinal *m = self;
  mn_matrix *v;
  if (!m->covariance.at) return mn_fail(ctx, MN_BAD_ARGUMENT, "OrdinalRegression: vcov requires alpha = 0");
  MN_TRY(mn_result_matrix(ctx, results, "vcov", m->covariance.rows, m->covariance.rows, &v));
  for (size_t i = 0; i < v->rows * v->cols; i++) v->at[i] = m->covariance.at[i];
  return MN_OK;
}

const mn_operation mn_ordinal_operations[] = {
  { .name = "summary",
    .brief = "coefficients and thresholds with standard errors and z tests, and a likelihood ratio test of all columns",
    .returns =
        "coefficients (Frame: term, estimate, std_error, z, p, low, high; thresholds last), loglik, null_loglik, "
        "pseudo_r2 (McFadden), lr, lr_p, aic, bic, n; prints as a table",
    .options = summary_params,
    .options_size = sizeof(struct summary_options),
    .run = summary },
  { .name = "vcov",
    .brief = "covariance matrix of the coefficients and thresholds, without a penalty",
    .returns = "Matrix (coefficients x coefficients, the thresholds last)",
    .run = vcov },
  { .name = NULL },
};
