/* Scales each column to median 0 and quantile range 1; outliers have little effect.
 *
 *     z_j = (x_j - center_j) / scale_j,   scale_j = Q_high(x_j) - Q_low(x_j)
 *
 * Missing values are ignored and stay missing. */
#include "../linalg/csr.h"
#include "../model/class.h"
#include "../stats/quantile.h"
#include "../stats/special.h"
#include "column_values.h"
#include "rescale.h"
#include "sparse_values.h"

struct robust_scaler {
  mn_estimator base;
  bool with_centering, with_scaling, unit_variance; /* parameters */
  mn_vector quantile_range;
  mn_vector center, scale; /* learned fields */
};

struct work {
  struct robust_scaler *model;
  double q[3];    /* low, median, high                                     */
  double divisor; /* quantile range of the standard normal distribution, or 1 */
};

static void scale_column(void *work, size_t j, struct mn_column_values *values)
{
  const struct work *w = work;
  double quantile[3];
  mn_column_quantiles(values, 3, w->q, quantile);
  const double range = (quantile[2] - quantile[0]) / w->divisor;
  w->model->center.at[j] = quantile[1];
  w->model->scale.at[j] = w->model->with_scaling && range > 0 ? range : 1;
}

/* --- sparse X --- */

/* The columns of a sparse X. Weights are in units of the smallest, so that none is below 1. */
struct sparse_columns {
  mn_csr columns; /* X transposed */
  double *weight; /* rows */
  double total;   /* their sum */
};

static mn_status make_sparse_columns(mn_context *ctx, const mn_data *data, struct sparse_columns *s)
{
  const double unit = data->weights ? mn_weight_unit(data->rows, data->weights) : 1;
  MN_CHECK_ALLOC(s->weight = MN_RAW(ctx, double, data->rows, 1));
  s->total = 0;
  for (size_t i = 0; i < data->rows; i++) s->total += s->weight[i] = mn_weight(data, i) / unit;
  return mn_csr_transpose_scratch(ctx, data->sparse, &s->columns);
}

/* The stored values of a column that are not missing, and a single 0 with the weight of all rows without a value. */
static void gather_sparse(const struct sparse_columns *s, size_t j, struct mn_column_values *c)
{
  const size_t first = s->columns.start[j], last = s->columns.start[j + 1];
  double stored = 0;
  c->size = 0;
  for (size_t k = first; k < last; k++) {
    const double x = s->columns.at[k], w = s->weight[s->columns.col[k]];
    stored += w;
    if (isnan(x)) continue;
    c->at[c->size] = x;
    c->weight[c->size++] = w;
  }
  const size_t zeros = s->columns.cols - (last - first);
  if (zeros == 0) return;
  c->at[c->size] = 0;
  c->weight[c->size++] = fmax(s->total - stored, (double)zeros); /* each weight is at least 1 */
}

static mn_status scale_sparse_columns(mn_context *ctx, const mn_data *data, struct work *w)
{
  struct sparse_columns s;
  MN_TRY(make_sparse_columns(ctx, data, &s));
  struct mn_column_values c = { .token = { .ctx = ctx } };
  c.at = MN_RAW(ctx, double, data->rows, 1);
  c.weight = MN_RAW(ctx, double, data->rows, 1);
  if (!c.at || !c.weight) return MN_NO_MEMORY;
  for (size_t j = 0; j < data->features; j++) {
    MN_TRY(mn_poll(ctx));
    gather_sparse(&s, j, &c);
    scale_column(w, j, &c);
  }
  return MN_OK;
}

/* --- fit and transform --- */

static mn_status check_quantile_range(mn_context *ctx, const mn_vector *r)
{
  char low[MN_NUMBER_SIZE], high[MN_NUMBER_SIZE];
  if (!r->at || (r->size == 2 && r->at[0] < r->at[1])) return MN_OK;
  if (r->size != 2)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "RobustScaler: quantile_range must be two percentages, got %zu", r->size);
  return mn_fail(ctx, MN_BAD_ARGUMENT,
                 "RobustScaler: quantile_range must be two percentages, the smaller first, got %s, %s",
                 mn_format_number(low, r->at[0]), mn_format_number(high, r->at[1]));
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct robust_scaler *m = self;
  const mn_vector *r = &m->quantile_range;
  MN_TRY(check_quantile_range(ctx, r));
  MN_TRY(mn_check_sparse_centering(ctx, "RobustScaler", "with_centering", m->with_centering, data));
  MN_TRY(mn_vector_init(ctx, &m->center, data->features));
  MN_TRY(mn_vector_init(ctx, &m->scale, data->features));
  struct work w = { .model = m, .q = { 0.25, 0.5, 0.75 }, .divisor = 1 };
  if (r->at) {
    w.q[0] = r->at[0] / 100;
    w.q[2] = r->at[1] / 100;
  }
  if (m->unit_variance) w.divisor = mn_normal_quantile(w.q[2]) - mn_normal_quantile(w.q[0]);
  if (!isfinite(w.divisor))
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "RobustScaler: quantile_range must be between 0 and 100, exclusive, for unit_variance");
  return data->sparse ? scale_sparse_columns(ctx, data, &w) : mn_for_each_column(ctx, data, scale_column, NULL, &w);
}

/* Centers, with 0 for a column without values. */
static mn_status make_centers(mn_context *ctx, const struct robust_scaler *m, double **center)
{
  *center = MN_NEW(ctx, double, m->base.n_features, 1);
  MN_CHECK_ALLOC(*center);
  for (size_t j = 0; m->with_centering && j < m->base.n_features; j++)
    if (!isnan(m->center.at[j])) (*center)[j] = m->center.at[j];
  return MN_OK;
}

static mn_status transform_sparse(mn_context *ctx, const void *self, const mn_data *data, mn_csr *out)
{
  const struct robust_scaler *m = self;
  MN_TRY(mn_check_sparse_centering(ctx, "RobustScaler", "with_centering", m->with_centering, data));
  return mn_divide_sparse(ctx, data->sparse, m->scale.at, out);
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct robust_scaler *m = self;
  if (data->sparse) return mn_dense_transform(ctx, self, data, transform_sparse, out);
  double *center;
  MN_TRY(make_centers(ctx, m, &center));
  return mn_rescale(ctx, &data->x, (struct mn_rescaling){ .from = center, .by = m->scale.at }, out);
}

static mn_status inverse_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct robust_scaler *m = self;
  double *center;
  MN_TRY(make_centers(ctx, m, &center));
  return mn_rescale(ctx, &data->x, (struct mn_rescaling){ .times = m->scale.at, .to = center }, out);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct robust_scaler *m = self;
  double *center;
  MN_TRY(make_centers(ctx, m, &center));
  if (action == MN_TRANSFORM_X)
    mn_rescale_program(program, m->scale.size, (struct mn_rescaling){ .from = center, .by = m->scale.at });
  if (action == MN_INVERSE_TRANSFORM)
    mn_rescale_program(program, m->scale.size, (struct mn_rescaling){ .times = m->scale.at, .to = center });
  return MN_OK;
}

static const mn_param params[] = {
  MN_FLAG(struct robust_scaler, with_centering, true, "subtract the median"),
  MN_FLAG(struct robust_scaler, with_scaling, true, "divide by the quantile range"),
  MN_REALS(struct robust_scaler, quantile_range, MN_CLOSED(0, 100),
           "quantile range in percent, { low, high }; nil: { 25, 75 }"),
  MN_FLAG(struct robust_scaler, unit_variance, false,
          "divide by the quantile range of the normal distribution too, so that normal data get variance 1"),
  MN_END,
};

static const mn_field fields[] = {
  MN_VECTOR(struct robust_scaler, center, "features", "median of each column; NaN for a column without values"),
  MN_VECTOR(struct robust_scaler, scale, "features", "divisor of each column; 1 if the quantiles are equal"),
  MN_END,
};

const mn_class mn_robust_scaler = {
  .name = "RobustScaler",
  .family = "preprocess",
  .brief = "Scales each column to median 0 and interquartile range 1.",
  .objective = "z = (x - median) / (Q75 - Q25)",
  .source = "Hyndman & Fan, The American Statistician 50 (1996), type 7",
  .notes = "Quantiles are interpolated between order statistics, as in NumPy and R by default. Weights are "
           "frequencies, counted in units of the smallest weight if that is below 1. fit ignores missing values; "
           "they stay missing. Sparse X requires with_centering = false and stays sparse.",
  .example = "local scaler = ml.RobustScaler{}:fit{ {1}, {2}, {3}, {4}, {1000} }\n"
             "print(scaler.center, scaler.scale)",
  .capabilities = MN_TRANSFORM | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_MISSING | MN_SPARSE,
  .size = sizeof(struct robust_scaler),
  .params = params,
  .fields = fields,
  .fit = fit,
  MN_TRANSFORM_PAIR(transform, inverse_transform),
  .transform_sparse = transform_sparse,
  .keeps_sparse = true,
  .export = export,
};
