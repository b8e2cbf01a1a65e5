/* Sequential analysis of variance of least squares, as R's anova: the sum of squares of a column is the square of its
 * effect, the component of Q'y that it adds to the columns before it. */
#include "anova.h"
#include "../stats/special.h"
#include "linear_regression.h"
#include "terms.h"
#include <stdio.h>
#include <string.h>

const mn_param mn_ols_anova_params[] = {
  MN_COUNT(mn_ols_anova_options, target, 1, MN_AT_LEAST(1), "column of y, from 1"),
  MN_TERMS_PARAM(mn_ols_anova_options),
  MN_END,
};

mn_status mn_anova_terms(mn_context *ctx, const char *who, const mn_vector *terms, size_t columns, size_t **first,
                         size_t *count)
{
  *first = MN_NEW(ctx, size_t, columns + 1, 1);
  MN_CHECK_ALLOC(*first);
  *count = 0;
  if (terms->at && terms->size != columns)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: terms must have one number for each of the %zu columns, got %zu", who,
                   columns, terms->size);
  for (size_t j = 0; j < columns; j++) {
    const double before = j > 0 && terms->at ? terms->at[j - 1] : 0;
    if (terms->at && terms->at[j] < before)
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: terms must ascend, got %g after %g at position %zu", who, terms->at[j],
                     before, j + 1);
    if (!terms->at || terms->at[j] > before) (*first)[(*count)++] = j;
  }
  (*first)[*count] = columns;
  return MN_OK;
}

mn_status mn_anova_names(mn_context *ctx, const mn_estimator *model, const int32_t *columns, size_t p,
                         const size_t *first, size_t count, const char *last, const char ***names)
{
  const char **column;
  MN_TRY(mn_term_names(ctx, model, columns, p, false, &column));
  *names = MN_RAW(ctx, const char *, count + 1, 1);
  MN_CHECK_ALLOC(*names);
  for (size_t t = 0; t < count; t++) {
    const char *from = column[first[t]], *to = column[first[t + 1] - 1];
    const size_t size = strlen(from) + strlen(to) + 3;
    char *text = MN_RAW(ctx, char, size, 1);
    MN_CHECK_ALLOC(text);
    snprintf(text, size, first[t] + 1 == first[t + 1] ? "%s" : "%s..%s", from, to);
    (*names)[t] = text;
  }
  (*names)[count] = last;
  return MN_OK;
}

struct table {
  mn_vector *df, *sum_sq, *mean_sq, *f, *p;
};

static mn_status table_init(mn_context *ctx, mn_results *results, size_t rows, struct table *t)
{
  MN_TRY(mn_result_vector(ctx, results, "anova.df", rows, &t->df));
  MN_TRY(mn_result_vector(ctx, results, "anova.sum_sq", rows, &t->sum_sq));
  MN_TRY(mn_result_vector(ctx, results, "anova.mean_sq", rows, &t->mean_sq));
  MN_TRY(mn_result_vector(ctx, results, "anova.f", rows, &t->f));
  return mn_result_vector(ctx, results, "anova.p", rows, &t->p);
}

mn_status mn_ols_anova(mn_context *ctx, const void *self, const mn_data *data, const void *options, mn_results *results)
{
  (void)data;
  const struct mn_ols *m = self;
  const mn_ols_anova_options *o = options;
  MN_TRY(mn_ols_require(ctx, m, "anova", o->target));
  const mn_information information = mn_ols_information(m);
  const size_t target = (size_t)o->target - 1, p = m->mean.size;
  const mn_ols_statistics s = mn_ols_compute_statistics(m, target);
  size_t *first, count;
  const char **names;
  struct table t;
  if (p > 0 && !m->effects.at)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "LinearRegression: anova requires a model fitted by this version or later; fit it again");
  MN_TRY(mn_anova_terms(ctx, "LinearRegression", &o->terms, p, &first, &count));
  MN_TRY(mn_anova_names(ctx, &m->linear.base, NULL, p, first, count, "Residuals", &names));
  MN_TRY(mn_result_names(ctx, results, "anova.term", names, count + 1));
  MN_TRY(table_init(ctx, results, count + 1, &t));
  const double error = s.sigma * s.sigma;
  for (size_t k = 0; k < count; k++) {
    for (size_t j = first[k]; j < first[k + 1]; j++) {
      const double effect = m->effects.at[target * p + j];
      t.df->at[k] += !mn_is_dependent(&information, j);
      t.sum_sq->at[k] += effect * effect;
    }
    t.mean_sq->at[k] = t.sum_sq->at[k] / t.df->at[k];
    t.f->at[k] = t.mean_sq->at[k] / error;
    t.p->at[k] = mn_f_sf(t.f->at[k], t.df->at[k], s.df);
  }
  t.df->at[count] = s.df;
  t.sum_sq->at[count] = m->rss.at[target];
  t.mean_sq->at[count] = error;
  t.f->at[count] = t.p->at[count] = (double)NAN;
  return MN_OK;
}
