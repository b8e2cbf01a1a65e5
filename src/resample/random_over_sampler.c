/* Adds random copies of the rows of small classes, exact or with noise.
 *
 *     x' = x_i + shrinkage h_c s_c z,      z standard normal,      h_c = (4 / ((p + 2) n_c))^(1 / (p + 4))
 *
 * s_c: standard deviations of the columns in class c, which has n_c rows. So x' is drawn from a kernel density estimate
 * with Silverman's bandwidth. */
#include "../core/rng.h"
#include "resampler.h"
#include <string.h>

struct random_over_sampler {
  mn_resampler resampler;
  double shrinkage;
  int64_t seed;
};

/* scale[j] = shrinkage h_c s_j, from the values that are present. Factor columns have no noise. */
static void noise_scale(double shrinkage, const mn_data *data, const size_t *row, size_t n, double *scale)
{
  const double p = (double)data->features, h = pow(4 / ((p + 2) * (double)n), 1 / (p + 4));
  for (size_t j = 0; j < data->features; j++) {
    double mean = 0, square = 0, present = 0;
    for (size_t i = 0; i < n; i++) present += !isnan(mn_row(&data->x, row[i])[j]);
    for (size_t i = 0; i < n; i++) {
      const double x = mn_row(&data->x, row[i])[j];
      if (!isnan(x)) mean += x / present;
    }
    for (size_t i = 0; i < n; i++) {
      const double d = mn_row(&data->x, row[i])[j] - mean;
      if (!isnan(d)) square += d * d / present;
    }
    scale[j] = data->levels && data->levels[j] ? 0 : shrinkage * h * sqrt(square);
  }
}

/* Draw the rows of class c that are to be repeated into out->source. */
static mn_status draw_class(mn_context *ctx, const struct random_over_sampler *m, const mn_data *data, size_t c,
                            mn_resampled *out)
{
  const mn_resampler *r = &m->resampler;
  const size_t more = (size_t)(r->target_counts.at[c] - r->class_counts.at[c]);
  mn_rng rng = mn_stream(m->seed, c);
  size_t *row, n;
  MN_TRY(mn_rows_of_class(ctx, data, c, &row, &n));
  for (size_t k = 0; k < more; k++) {
    if (k % MN_POLL_ROWS == 0) MN_TRY(mn_poll(ctx));
    out->source[out->rows++] = row[mn_random_below(&rng, n)];
  }
  return MN_OK;
}

/* The same, as made rows with noise. */
static mn_status make_class(mn_context *ctx, const struct random_over_sampler *m, const mn_data *data, size_t c,
                            mn_resampled *out)
{
  const mn_resampler *r = &m->resampler;
  const size_t more = (size_t)(r->target_counts.at[c] - r->class_counts.at[c]);
  mn_rng rng = mn_stream(m->seed, c);
  size_t *row, n;
  double *scale = MN_RAW(ctx, double, data->features, 1);
  MN_CHECK_ALLOC(scale);
  MN_TRY(mn_rows_of_class(ctx, data, c, &row, &n));
  noise_scale(m->shrinkage, data, row, n, scale);
  for (size_t k = 0; k < more; k++) {
    const size_t source = row[mn_random_below(&rng, n)];
    if (k % MN_POLL_ROWS == 0) MN_TRY(mn_poll(ctx));
    double *x = mn_add_row(out, source);
    memcpy(x, mn_row(&data->x, source), data->features * sizeof *x);
    for (size_t j = 0; j < data->features; j++)
      if (scale[j] > 0) x[j] += scale[j] * mn_random_normal(&rng);
  }
  return MN_OK;
}

static mn_status resample(mn_context *ctx, const void *self, const mn_data *data, mn_resampled *out)
{
  const struct random_over_sampler *m = self;
  const bool noise = m->shrinkage > 0;
  if (noise && data->sparse)
    return mn_fail(
        ctx, MN_BAD_ARGUMENT,
        "RandomOverSampler: shrinkage must be nil for a sparse X, as noise would change every zero; convert X "
        "by todense()");
  MN_TRY(mn_begin_more_rows(ctx, data, mn_missing_rows(&m->resampler), noise, out));
  for (size_t c = 0; c < data->classes; c++) MN_TRY((noise ? make_class : draw_class)(ctx, m, data, c, out));
  return MN_OK;
}

static const mn_param params[] = {
  MN_OVERSAMPLER_PARAMS(struct random_over_sampler),
  MN_REAL(struct random_over_sampler, shrinkage, MN_UNSET_REAL, MN_AT_LEAST(0),
          "standard deviation of noise added to new rows, in units of Silverman's bandwidth; nil: exact copies"),
  MN_SEED(struct random_over_sampler, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_RESAMPLER_FIELDS(struct random_over_sampler),
  MN_END,
};

const mn_class mn_random_over_sampler = {
  .name = "RandomOverSampler",
  .brief = "Oversamples small classes by repeating random rows.",
  .objective = "x' = x_i, or x_i + shrinkage h_c s_c z (smoothed bootstrap)",
  .source = "Menardi & Torelli, Data Mining and Knowledge Discovery 28 (2014)",
  .notes = MN_RESAMPLER_NOTE "A number for sampling_strategy in imbalanced-learn is ratio here, and a dict is "
                             "counts. Factor columns get no noise.",
  .example = "local X, y = { {1}, {2}, {3}, {9} }, { \"a\", \"a\", \"a\", \"b\" }\n"
             "print(ml.RandomOverSampler{}:fit_resample(X, y))",
  .capabilities = MN_TRANSFORM | MN_RANDOM,
  .accepts = MN_Y_LABELS | MN_SPARSE | MN_FACTORS | MN_MISSING,
  .size = sizeof(struct random_over_sampler),
  .params = params,
  .fields = fields,
  .fit = mn_oversampler_fit,
  .resample = resample,
  .resamples_sparse = true,
  MN_RESAMPLER_CLASS,
};
