/* The summary of a factor analysis, as R's factanal prints it: uniquenesses and loadings of columns scaled to variance
 * 1, what each factor explains, the test of the number of factors. */
#include "factor_analysis.h"
#include "../linalg/product.h"
#include "../linear/report.h"
#include <stdio.h>
#include <string.h>

enum { MAX_NAME = 20, WIDTH = 9, MAX_SHOWN = 12 };

/* Loadings of scaled columns (features x components), uniquenesses, and the sums of squares of the loadings. */
struct table {
  size_t p, k;
  double *loadings, *uniqueness, *squares;
};

static mn_status make_table(mn_context *ctx, const struct mn_factor_analysis *m, mn_results *results, struct table *t)
{
  mn_matrix *loadings;
  mn_vector *uniqueness, *squares;
  t->p = m->components.cols;
  t->k = m->components.rows;
  MN_TRY(mn_result_matrix(ctx, results, "loadings", t->p, t->k, &loadings));
  MN_TRY(mn_result_vector(ctx, results, "uniquenesses", t->p, &uniqueness));
  MN_TRY(mn_result_vector(ctx, results, "ss_loadings", t->k, &squares));
  t->loadings = loadings->at;
  t->uniqueness = uniqueness->at;
  t->squares = squares->at;
  for (size_t j = 0; j < t->p; j++) {
    double variance = m->noise_variance.at[j];
    for (size_t c = 0; c < t->k; c++) variance += m->components.at[c * t->p + j] * m->components.at[c * t->p + j];
    const double scale = m->scale.at ? m->scale.at[j] : sqrt(variance);
    t->uniqueness[j] = scale > 0 ? m->noise_variance.at[j] / (scale * scale) : 1;
    for (size_t c = 0; c < t->k; c++) {
      const double l = scale > 0 ? m->components.at[c * t->p + j] / scale : 0;
      t->loadings[j * t->k + c] = l;
      t->squares[c] += l * l;
    }
  }
  return MN_OK;
}

static void print_name(mn_text_page *page, const struct mn_factor_analysis *m, size_t j)
{
  char text[MAX_NAME + 1];
  if (m->base.feature_names.size > 0)
    snprintf(text, sizeof text, "%s", m->base.feature_names.at[j]);
  else
    snprintf(text, sizeof text, "x%zu", j + 1);
  mn_print(page, "%-*s", MAX_NAME, text);
}

static void print_header(mn_text_page *page, const char *title, size_t shown)
{
  char text[32];
  mn_print(page, "%-*s", MAX_NAME, title);
  for (size_t c = 0; c < shown; c++) {
    snprintf(text, sizeof text, "Factor%zu", c + 1);
    mn_print(page, " %*s", WIDTH, text);
  }
}

/* Loadings of magnitude below 0.1 are left out, as in R. */
static void print_loadings(mn_text_page *page, const struct mn_factor_analysis *m, const struct table *t, size_t shown)
{
  print_header(page, "Loadings", shown);
  mn_print(page, "  Uniqueness\n");
  for (size_t j = 0; j < t->p; j++) {
    print_name(page, m, j);
    for (size_t c = 0; c < shown; c++) {
      const double l = t->loadings[j * t->k + c];
      if (fabs(l) < 0.1)
        mn_print(page, " %*s", WIDTH, "");
      else
        mn_print(page, " %*.3f", WIDTH, l);
    }
    mn_print(page, " %*.3f\n", WIDTH + 2, t->uniqueness[j]);
  }
  if (shown < t->k) mn_print(page, "%zu more factors are not printed.\n", t->k - shown);
}

static void print_variance(mn_text_page *page, const struct table *t, size_t shown)
{
  double sum = 0;
  mn_print(page, "\n");
  print_header(page, "", shown);
  mn_print(page, "\n%-*s", MAX_NAME, "SS loadings");
  for (size_t c = 0; c < shown; c++) mn_print(page, " %*.3f", WIDTH, t->squares[c]);
  mn_print(page, "\n%-*s", MAX_NAME, "Proportion Var");
  for (size_t c = 0; c < shown; c++) mn_print(page, " %*.3f", WIDTH, t->squares[c] / (double)t->p);
  mn_print(page, "\n%-*s", MAX_NAME, "Cumulative Var");
  for (size_t c = 0; c < shown; c++) mn_print(page, " %*.3f", WIDTH, (sum += t->squares[c]) / (double)t->p);
  mn_print(page, "\n");
}

static void print_correlations(mn_text_page *page, const struct mn_factor_analysis *m, size_t k, size_t shown)
{
  if (!m->factor_correlation.at || m->rotation < MN_ROTATION_PROMAX) return;
  mn_print(page, "\n");
  print_header(page, "Factor correlations", shown);
  for (size_t a = 0; a < shown; a++) {
    mn_print(page, "\nFactor%-*zu", MAX_NAME - 6, a + 1);
    for (size_t b = 0; b < shown; b++) mn_print(page, " %*.3f", WIDTH, m->factor_correlation.at[a * k + b]);
  }
  mn_print(page, "\n");
}

static void print_test(mn_text_page *page, const struct mn_factor_analysis *m, size_t k)
{
  char p_value[32];
  if (isnan(m->p_value)) {
    if (m->degrees_of_freedom > 0)
      mn_print(page, "\nThe correlations are singular: there is no test.\n");
    else
      mn_print(page, "\nThe degrees of freedom for the model is %lld: there is no test.\n",
               (long long)m->degrees_of_freedom);
    return;
  }
  mn_print(page, "\nTest of the hypothesis that %zu factor%s sufficient.\n", k, k == 1 ? " is" : "s are");
  mn_print(page, "The chi square statistic is %.2f on %lld degrees of freedom.\nThe p-value is %s.\n", m->chi_squared,
           (long long)m->degrees_of_freedom, mn_format_p_value(p_value, m->p_value));
}

mn_status mn_factor_summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                            mn_results *results)
{
  (void)data, (void)options;
  const struct mn_factor_analysis *m = self;
  struct table t;
  mn_text_page page;
  MN_TRY(make_table(ctx, m, results, &t));
  const size_t shown = t.k < MAX_SHOWN ? t.k : MAX_SHOWN;
  MN_TRY(mn_page_begin(ctx, &page, 2048 + (t.p + shown + 10) * (MAX_NAME + 16 + shown * (WIDTH + 16))));
  print_loadings(&page, m, &t, shown);
  print_variance(&page, &t, shown);
  print_correlations(&page, m, t.k, shown);
  print_test(&page, m, t.k);
  return mn_result_text(ctx, results, "text", page.at, page.size);
}

static mn_status covariance(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                            mn_results *results)
{
  (void)data, (void)options;
  const struct mn_factor_analysis *m = self;
  const size_t k = m->components.rows, p = m->components.cols;
  double *turned = MN_RAW(ctx, double, k, p);
  mn_matrix *out;
  MN_CHECK_ALLOC(turned);
  MN_TRY(mn_result_matrix(ctx, results, "covariance", p, p, &out));
  memcpy(turned, m->components.at, k * p * sizeof *turned);
  if (m->factor_correlation.at)
    MN_TRY(mn_gemm(ctx, false, false, k, p, k, 1, m->factor_correlation.at, k, m->components.at, p, 0, turned, p));
  MN_TRY(mn_gemm(ctx, true, false, p, p, k, 1, m->components.at, p, turned, p, 0, out->at, p));
  for (size_t j = 0; j < p; j++) out->at[j * p + j] += m->noise_variance.at[j];
  return MN_OK;
}

const mn_operation mn_factor_operations[] = {
  { .name = "summary",
    .brief = "loadings and uniquenesses of scaled columns, explained variance, test of the number of factors",
    .returns = "loadings (Matrix: features x components), uniquenesses (Vector: features), ss_loadings (Vector: "
               "components); printing shows the text",
    .run = mn_factor_summary },
  { .name = "covariance",
    .brief = "covariance of the model, of factors and noise",
    .returns = "Matrix: features x features",
    .run = covariance },
  { .name = NULL },
};
