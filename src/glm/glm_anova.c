/* Analysis of deviance, as R's anova of a glm: the models of the first columns are fitted one after the other. Theta of
 * the negative binomial and the dispersion are those of the whole model. McCullagh & Nelder, section 2.3. */
#include "../linear/anova.h"
#include "../model/table.h"
#include "../stats/special.h"
#include "glm.h"
#include "glm_engine.h"

const mn_param mn_glm_anova_params[] = {
  MN_TERMS_PARAM(mn_glm_anova_options),
  MN_REALS(mn_glm_anova_options, weights, MN_AT_LEAST(0), "sample weights of fit, if there were any"),
  MN_END,
};

/* The rows with a weight > 0, with their weights. */
static mn_status select_rows(mn_context *ctx, const mn_data *data, const double *weights, mn_data *out)
{
  mn_data weighted = *data;
  size_t *row = MN_RAW(ctx, size_t, data->rows, 1), n = 0;
  MN_CHECK_ALLOC(row);
  weighted.weights = weights;
  for (size_t i = 0; i < data->rows; i++)
    if (!weights || weights[i] > 0) row[n++] = i;
  return mn_data_rows(ctx, &weighted, row, n, out);
}

/* Deviance of the model of the first `columns` terms. */
static mn_status fit_part(mn_context *ctx, const struct mn_glm *m, const mn_data *data, size_t columns,
                          double *deviance)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct mn_glm part = *m;
  part.terms.size = columns;
  mn_glm_problem problem = { .n = data->rows,
                             .fit_intercept = m->fit_intercept,
                             .family = &mn_glm_families[m->family_code],
                             .link = &mn_glm_links[m->link_code],
                             .parameter = m->parameter,
                             .link_power = m->exponent };
  mn_glm_state state;
  bool converged;
  MN_TRY(mn_glm_set_data(ctx, &part, data, &problem));
  MN_TRY(mn_glm_state_init(ctx, &problem, &state));
  MN_TRY(mn_glm_minimize(ctx, &problem, fmin(m->tol, 1e-9), m->max_iter, NULL, &state, &converged));
  *deviance = state.deviance;
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

struct table {
  mn_vector *df, *deviance, *df_residual, *residual_deviance, *statistic, *p;
};

static mn_status table_init(mn_context *ctx, mn_results *results, size_t rows, struct table *t)
{
  MN_TRY(mn_result_vector(ctx, results, "anova.df", rows, &t->df));
  MN_TRY(mn_result_vector(ctx, results, "anova.deviance", rows, &t->deviance));
  MN_TRY(mn_result_vector(ctx, results, "anova.df_residual", rows, &t->df_residual));
  MN_TRY(mn_result_vector(ctx, results, "anova.residual_deviance", rows, &t->residual_deviance));
  MN_TRY(mn_result_vector(ctx, results, "anova.statistic", rows, &t->statistic));
  return mn_result_vector(ctx, results, "anova.p", rows, &t->p);
}

/* Row k > 0 of the table, given the residual deviances of the models k - 1 and k. */
static void fill_row(const struct mn_glm *m, const struct table *t, size_t k)
{
  const double df = t->df->at[k], scaled = t->deviance->at[k] / m->dispersion;
  const bool estimated = mn_glm_estimates_dispersion(m);
  t->statistic->at[k] = df > 0 ? estimated ? scaled / df : scaled : (double)NAN;
  t->p->at[k] = !(df > 0)   ? (double)NAN
                : estimated ? mn_f_sf(fmax(t->statistic->at[k], 0), df, m->df_residual)
                            : mn_chi2_sf(fmax(scaled, 0), df);
}

static mn_status fill_table(mn_context *ctx, const struct mn_glm *m, const mn_data *data, const size_t *first,
                            size_t count, const struct table *t)
{
  const mn_information f = mn_glm_information(m);
  for (size_t k = 0; k <= count; k++) {
    double *deviance = t->residual_deviance->at;
    MN_TRY(fit_part(ctx, m, data, first[k], &deviance[k]));
    t->df_residual->at[k] = k > 0 ? t->df_residual->at[k - 1] : m->df_null;
    for (size_t j = k > 0 ? first[k - 1] : 0; j < first[k]; j++) t->df->at[k] += !mn_is_dependent(&f, j);
    t->df_residual->at[k] -= t->df->at[k];
    if (k > 0) t->deviance->at[k] = t->df->at[k] > 0 ? deviance[k - 1] - deviance[k] : 0;
    if (k > 0) fill_row(m, t, k);
  }
  t->df->at[0] = t->deviance->at[0] = t->statistic->at[0] = t->p->at[0] = (double)NAN;
  return MN_OK;
}

mn_status mn_glm_anova(mn_context *ctx, const void *self, const mn_data *data, const void *options, mn_results *results)
{
  const struct mn_glm *m = self;
  const mn_glm_anova_options *o = options;
  const size_t p = m->terms.size;
  size_t *first, count;
  const char **names;
  mn_glm_rows rows;
  mn_data fitted;
  struct table t;
  MN_TRY(mn_glm_require(ctx, m, "anova"));
  if (m->alpha > 0)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "GLM: anova requires a model fitted with alpha = 0, got %g", m->alpha);
  MN_TRY(mn_glm_rows_init(ctx, m, data, &o->weights, "anova", &rows));
  MN_TRY(select_rows(ctx, data, rows.weights, &fitted));
  MN_TRY(mn_anova_terms(ctx, "GLM", &o->terms, p, &first, &count));
  MN_TRY(mn_anova_names(ctx, &m->linear.base, m->terms.at, p, first, count, "", &names));
  const char **rows_names = MN_RAW(ctx, const char *, count + 1, 1);
  MN_CHECK_ALLOC(rows_names);
  rows_names[0] = "NULL";
  for (size_t k = 0; k < count; k++) rows_names[k + 1] = names[k];
  MN_TRY(mn_result_names(ctx, results, "anova.term", rows_names, count + 1));
  MN_TRY(table_init(ctx, results, count + 1, &t));
  MN_TRY(fill_table(ctx, m, &fitted, first, count, &t));
  const double deviance = t.residual_deviance->at[count];
  if (fabs(deviance - m->deviance) <= 1e-6 * m->deviance + 1e-9 * fabs(m->null_deviance)) return MN_OK;
  return mn_fail(
      ctx, MN_BAD_ARGUMENT,
      "GLM: X, y and weights must be those of fit for anova; the deviance of the whole model is %g, that of fit is %g",
      deviance, m->deviance);
}
