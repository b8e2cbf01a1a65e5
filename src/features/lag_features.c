/* Adds the values of earlier rows of a series. */
#include "../preprocess/names.h"
#include "../sequence/sequences.h"
#include "series.h"

struct lag_features {
  mn_estimator base;
  mn_vector periods; /* parameters */
  double fill_value;
  bool drop_original;
  mn_vector lags; /* learned fields */
  int64_t originals;
};

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct lag_features *m = self;
  (void)data;
  m->originals = !m->drop_original;
  return mn_series_counts(ctx, "LagFeatures", "periods", &m->periods, 1, &m->lags);
}

static size_t outputs(const void *self)
{
  const struct lag_features *m = self;
  return m->base.n_features * (m->lags.size + (size_t)m->originals);
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct lag_features *m = self;
  const size_t p = data->features;
  size_t *first;
  MN_TRY(mn_series_begins(ctx, data, &first));
  for (size_t i = 0; i < data->rows; i++) {
    double *to = mn_row(out, i);
    if (i % 1024 == 0) MN_TRY(mn_poll(ctx));
    for (size_t j = 0; m->originals && j < p; j++) *to++ = mn_row(&data->x, i)[j];
    for (size_t k = 0; k < m->lags.size; k++) {
      const size_t lag = (size_t)m->lags.at[k];
      const double *from = i - first[i] >= lag ? mn_row(&data->x, i - lag) : NULL;
      for (size_t j = 0; j < p; j++) *to++ = from ? from[j] : m->fill_value;
    }
  }
  return MN_OK;
}

static void output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size)
{
  const struct lag_features *m = self;
  const size_t p = m->base.n_features, group = j / p;
  char own[MN_INPUT_NAME_SIZE];
  const char *column = mn_input_name(inputs, j % p, own);
  if (group < (size_t)m->originals)
    snprintf(text, size, "%s", column);
  else
    snprintf(text, size, "%s_lag_%.0f", column, m->lags.at[group - (size_t)m->originals]);
}

static mn_status check(mn_context *ctx, const void *self)
{
  const struct lag_features *m = self;
  const bool valid = mn_series_counts_are_valid(&m->lags) && m->originals >= 0 && m->originals <= 1;
  return valid ? MN_OK : mn_fail(ctx, MN_BAD_FILE, "LagFeatures: the lags are inconsistent");
}

static const mn_param params[] = {
  MN_NUMBER_OR_REALS(struct lag_features, periods, MN_AT_LEAST(1), "lag in rows, or a list of lags; nil: 1"),
  MN_REAL(struct lag_features, fill_value, MN_UNSET_REAL, MN_NO_LIMITS(),
          "value used before the start of a series; nil: a missing value"),
  MN_FLAG(struct lag_features, drop_original, false, "omit the original columns"),
  MN_END,
};

static const mn_field fields[] = {
  MN_VECTOR(struct lag_features, lags, "lags", "lags in rows, in the order of the output columns"),
  MN_INTEGER(struct lag_features, originals, NULL),
  MN_END,
};

const mn_class mn_lag_features = {
  .name = "LagFeatures",
  .family = "preprocess",
  .brief = "Adds the values of earlier rows of a time series.",
  .objective = "z_t = x_t, x_{t-1}, x_{t-2}, ...",
  .source = "Box & Jenkins, Time Series Analysis (1970)",
  .notes = "Rows must be in time order; for several series, the option lengths of fit and transform gives the "
           "number of rows of each. No row is dropped: the first rows have missing values or fill_value. "
           "transform does not use the rows of fit, so include enough earlier rows in X.",
  .example = "print(ml.LagFeatures{ periods = { 1, 2 } }:fit_transform{ {10}, {20}, {40}, {70} })",
  .capabilities = MN_TRANSFORM | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_MISSING | MN_LENGTHS,
  .size = sizeof(struct lag_features),
  .params = params,
  .fields = fields,
  .fit = fit,
  .transform = transform,
  .overwrites = true,
  .outputs = outputs,
  .output_name = output_name,
  .check = check,
  .export = mn_sequence_export,
};
