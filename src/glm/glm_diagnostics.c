/* Residuals, leverage and influence of rows of a generalized linear model. With precision weights w the variance of a
 * row is divided by w; with frequency weights the values are those of one copy of a row. Williams, Appl. Statist. 36
 * (1987); Pregibon, Annals of Statistics 9 (1981). */
#include "glm.h"

const mn_param mn_glm_row_params[] = {
  MN_REALS(mn_glm_row_options, weights, MN_AT_LEAST(0),
           "sample weights of the rows; required if fit had precision weights"),
  MN_END,
};

struct columns {
  mn_vector *fitted, *link, *response, *pearson, *deviance, *leverage, *standardized, *studentized, *cooks, *dffits;
};

static mn_status init_columns(mn_context *ctx, mn_results *results, size_t n, struct columns *f)
{
  MN_TRY(mn_result_vector(ctx, results, "rows.fitted", n, &f->fitted));
  MN_TRY(mn_result_vector(ctx, results, "rows.link", n, &f->link));
  MN_TRY(mn_result_vector(ctx, results, "rows.response", n, &f->response));
  MN_TRY(mn_result_vector(ctx, results, "rows.pearson", n, &f->pearson));
  MN_TRY(mn_result_vector(ctx, results, "rows.deviance", n, &f->deviance));
  MN_TRY(mn_result_vector(ctx, results, "rows.leverage", n, &f->leverage));
  MN_TRY(mn_result_vector(ctx, results, "rows.standardized", n, &f->standardized));
  MN_TRY(mn_result_vector(ctx, results, "rows.studentized", n, &f->studentized));
  MN_TRY(mn_result_vector(ctx, results, "rows.cooks_distance", n, &f->cooks));
  return mn_result_vector(ctx, results, "rows.dffits", n, &f->dffits);
}

/* Row i, and its precision: trials times the sample weight, unless that is a frequency. */
static mn_glm_row row_at(const struct mn_glm *m, const mn_glm_rows *rows, const double *row, size_t i,
                         double *precision)
{
  const mn_glm_row r = mn_glm_row_at(m, row, rows->y[i], rows->trials ? rows->trials[i] : 1);
  *precision = r.trials * (rows->weights && !rows->frequency ? rows->weights[i] : 1);
  return r;
}

/* The estimate of sqrt(dispersion) without a row of deviance residual d and leverage h, as if the model were linear. */
static double sigma_without(const struct mn_glm *m, double d, double h)
{
  return sqrt((m->deviance - d * d / (1 - h)) / (m->df_residual - 1));
}

static void fill_row(const struct mn_glm *m, const mn_information *f, const mn_glm_rows *rows, const double *row,
                     size_t i, const struct columns *c)
{
  const double parameters = (double)m->rank + m->fit_intercept;
  double w;
  const mn_glm_row r = row_at(m, rows, row, i, &w);
  const double unit = mn_glm_families[m->family_code].unit_deviance(m->parameter, r.y, r.mu, r.complement);
  const double h = w * r.dmu * r.dmu / r.variance * mn_information_row(f, row, rows->workspace, NULL);
  c->fitted->at[i] = r.mu;
  c->link->at[i] = r.eta;
  c->response->at[i] = r.y - r.mu;
  c->pearson->at[i] = (r.y - r.mu) * sqrt(w / r.variance);
  c->deviance->at[i] = copysign(sqrt(w * unit), r.y - r.mu);
  c->leverage->at[i] = h;
  c->standardized->at[i] = c->deviance->at[i] / sqrt(m->dispersion * (1 - h));
  const double d = c->deviance->at[i], pearson = c->pearson->at[i], sigma = sigma_without(m, d, h);
  c->studentized->at[i] = copysign(sqrt(d * d + h / (1 - h) * pearson * pearson), r.y - r.mu) /
                          (mn_glm_estimates_dispersion(m) ? sigma : 1);
  c->dffits->at[i] = d * sqrt(h) / (sigma * (1 - h));
  c->cooks->at[i] = c->pearson->at[i] * c->pearson->at[i] / m->dispersion * h / (1 - h) / (1 - h) / parameters;
}

mn_status mn_glm_diagnostics(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                             mn_results *results)
{
  const struct mn_glm *m = self;
  const mn_glm_row_options *o = options;
  const mn_information f = mn_glm_information(m);
  struct columns c;
  mn_glm_rows rows;
  MN_TRY(mn_glm_require(ctx, m, "diagnostics"));
  MN_TRY(init_columns(ctx, results, data->rows, &c));
  MN_TRY(mn_glm_rows_init(ctx, m, data, &o->weights, "diagnostics", &rows));
  for (size_t i = 0; i < data->rows; i++) {
    MN_TRY(mn_poll(ctx));
    fill_row(m, &f, &rows, mn_dense_row(data, i, rows.buffer), i, &c);
  }
  return MN_OK;
}

/* Without row i the coefficients change by C x_i u_i / (1 - h_i) in one step of Fisher scoring, u_i its score. */
mn_status mn_glm_dfbetas(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                         mn_results *results)
{
  const struct mn_glm *m = self;
  const mn_glm_row_options *o = options;
  const mn_information f = mn_glm_information(m);
  mn_glm_rows rows;
  mn_matrix *out;
  MN_TRY(mn_glm_require(ctx, m, "dfbetas"));
  const size_t k = mn_information_size(&f);
  double *c = MN_RAW(ctx, double, k, k), *direction = MN_RAW(ctx, double, k, 1);
  if (!c || !direction) return MN_NO_MEMORY;
  MN_TRY(mn_result_matrix(ctx, results, "dfbetas", data->rows, k, &out));
  MN_TRY(mn_glm_rows_init(ctx, m, data, &o->weights, "dfbetas", &rows));
  MN_TRY(mn_information_inverse(ctx, &f, c));
  for (size_t i = 0; i < data->rows; i++) {
    MN_TRY(mn_poll(ctx));
    const double *row = mn_dense_row(data, i, rows.buffer);
    double w;
    const mn_glm_row r = row_at(m, &rows, row, i, &w);
    const double h = w * r.dmu * r.dmu / r.variance * mn_information_row(&f, row, rows.workspace, direction);
    const double change = w * (r.y - r.mu) * r.dmu / r.variance / (1 - h);
    for (size_t j = 0; j < k; j++) out->at[i * k + j] = change * direction[j] / sqrt(m->dispersion * c[j * k + j]);
  }
  return MN_OK;
}
