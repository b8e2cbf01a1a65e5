/* Adds the values of earlier rows of a series. */
#include "../preprocess/names.h"
#include "../sequence/sequences.h"
#include "series.h"

struct lag_features {
  mn_estimator base;
  mn_vector periods; /* parameters */
  double fill_value;
  bool drop_original;
  mn_series_columns series;
  mn_vector lags; /* learned fields */
  int64_t originals;
};

static mn_status derive(mn_context *ctx, void *self)
{
  struct lag_features *m = self;
  return mn_series_learn(ctx, &m->base, &m->series, m->originals == 0);
}

/* A lag is one row or none. */
static mn_status check_distinct(mn_context *ctx, const mn_series *s, size_t n)
{
  for (size_t k = 1; s->time && k < n; k++)
    if (s->first[k] == s->first[k - 1] && !(s->time[k - 1] < s->time[k]))
      return mn_fail(ctx, MN_BAD_DATA,
                     "LagFeatures: the times of a series must be distinct, got the same in rows %zu and %zu; set group "
                     "if they belong to different series",
                     s->row[k - 1] + 1, s->row[k] + 1);
  return MN_OK;
}

static mn_status read_series(mn_context *ctx, const struct lag_features *m, const mn_data *data, mn_series *s)
{
  MN_TRY(mn_series_read(ctx, &m->base, &m->series, data, s));
  return check_distinct(ctx, s, data->rows);
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct lag_features *m = self;
  mn_series series;
  m->originals = !m->drop_original;
  MN_TRY(mn_series_counts(ctx, "LagFeatures", "periods", &m->periods, 1, &m->lags));
  MN_TRY(derive(ctx, m));
  return read_series(ctx, m, data, &series);
}

static size_t outputs(const void *self)
{
  const struct lag_features *m = self;
  return m->series.kept.size + m->series.lagged.size * m->lags.size;
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct lag_features *m = self;
  const mn_indexes *lagged = &m->series.lagged;
  mn_series s;
  MN_TRY(read_series(ctx, m, data, &s));
  for (size_t i = 0; i < data->rows; i++) {
    double *to = mn_series_write_kept(&s, &m->series, data, i, mn_row(out, s.row[i]));
    if (i % 1024 == 0) MN_TRY(mn_poll(ctx));
    for (size_t k = 0; k < m->lags.size; k++) {
      const size_t place = mn_series_lag(&s, i, m->lags.at[k]);
      const double *from = place != SIZE_MAX ? mn_row(&data->x, s.row[place]) : NULL;
      for (size_t j = 0; j < lagged->size; j++) *to++ = from ? from[lagged->at[j]] : m->fill_value;
    }
  }
  return MN_OK;
}

static const mn_levels *output_levels(const void *self, size_t j)
{
  const struct lag_features *m = self;
  return mn_series_output_levels(&m->base, &m->series, j);
}

static bool outputs_whole(const void *self, size_t j)
{
  const struct lag_features *m = self;
  return mn_series_output_is_whole(&m->series, j);
}

static void output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size)
{
  const struct lag_features *m = self;
  const mn_indexes *lagged = &m->series.lagged, *kept = &m->series.kept;
  char own[MN_INPUT_NAME_SIZE];
  if (j < kept->size) {
    snprintf(text, size, "%s", mn_input_name(inputs, (size_t)kept->at[j], own));
    return;
  }
  const size_t k = (j - kept->size) / lagged->size, column = (j - kept->size) % lagged->size;
  snprintf(text, size, "%s_lag_%.0f", mn_input_name(inputs, (size_t)lagged->at[column], own), m->lags.at[k]);
}

static mn_status check(mn_context *ctx, const void *self)
{
  const struct lag_features *m = self;
  const bool valid = mn_series_counts_are_valid(&m->lags) && m->originals >= 0 && m->originals <= 1;
  return valid ? MN_OK : mn_fail(ctx, MN_BAD_FILE, "LagFeatures: the lags are inconsistent");
}

static const mn_param params[] = {
  MN_NUMBER_OR_REALS(struct lag_features, periods, MN_AT_LEAST(1),
                     "lag in rows, or in units of time; or a list of lags; nil: 1"),
  MN_REAL(struct lag_features, fill_value, MN_UNSET_REAL, MN_NO_LIMITS(),
          "value used before the start of a series, or if no row has that time; nil: a missing value"),
  MN_FLAG(struct lag_features, drop_original, false, "omit the columns that are lagged"),
  MN_SERIES_PARAMS(struct lag_features, series),
  MN_END,
};

static const mn_field fields[] = {
  MN_VECTOR(struct lag_features, lags, "lags", "the lags, in the order of the output columns"),
  MN_INTEGER(struct lag_features, originals, NULL),
  MN_SERIES_FIELDS(struct lag_features, series),
  MN_END,
};

const mn_class mn_lag_features = {
  .name = "LagFeatures",
  .family = "preprocess",
  .brief = "Adds the values of earlier rows of a time series.",
  .objective = "z_t = x_t, x_{t-1}, x_{t-2}, ...",
  .source = "Box & Jenkins, Time Series Analysis (1970)",
  .notes =
      "Without time, rows must be in time order, and a lag is a number of rows. With time, rows may be in any order, "
      "and a lag is missing if no row of the series has that time. group, or the option lengths, separates series. "
      "group, time and factor columns are not lagged; dates as text become Unix seconds. transform does not use the "
      "rows of fit, so include enough earlier rows in X.",
  .example = "print(ml.LagFeatures{ periods = { 1, 2 } }:fit_transform{ {10}, {20}, {40}, {70} })\n"
             "local sales = ml.Frame{ { \"day\", { \"2024-05-01\", \"2024-05-02\", \"2024-05-04\" } }, "
             "{ \"sold\", { 5, 7, 9 } } }\n"
             "print(ml.LagFeatures{ time = \"day\", unit = \"day\" }:fit_transform(sales))",
  .capabilities = MN_TRANSFORM | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_MISSING | MN_FACTORS | MN_LENGTHS,
  .size = sizeof(struct lag_features),
  .params = params,
  .fields = fields,
  .fit = fit,
  .transform = transform,
  .overwrites = true,
  .outputs = outputs,
  .output_levels = output_levels,
  .outputs_whole = outputs_whole,
  .output_name = output_name,
  .check = check,
  .derive = derive,
  .export = mn_sequence_export,
};
