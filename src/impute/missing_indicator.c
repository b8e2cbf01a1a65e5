/* Indicators of missing values: a column of 0 and 1 for each feature, or for those with missing values in fit. */
#include "../preprocess/names.h"
#include "indicator.h"

enum { MISSING_ONLY, ALL };

struct missing_indicator {
  mn_estimator base;
  double missing_values; /* parameters */
  int64_t features;
  bool error_on_new;
  mn_indexes indicator_features; /* learned */
  mn_vector missing_fraction;
};

static mn_status fit(mn_context *ctx, void *self, const mn_data *given)
{
  struct missing_indicator *m = self;
  mn_data data;
  const size_t p = given->features;
  const double total = mn_total_weight(given);
  double *missing = MN_RAW(ctx, double, p, 1);
  MN_CHECK_ALLOC(missing);
  MN_TRY(mn_vector_init(ctx, &m->missing_fraction, p));
  MN_TRY(mn_mark_missing(ctx, m->missing_values, given, &data));
  MN_TRY(mn_count_missing(ctx, &data, missing));
  for (size_t j = 0; j < p; j++) {
    m->missing_fraction.at[j] = missing[j] / total;
    if (m->features == ALL) missing[j] = 1;
  }
  return mn_flags_init(ctx, p, missing, &m->indicator_features);
}

/* An error if a feature without missing values in fit has some now. */
static mn_status check_new(mn_context *ctx, const struct missing_indicator *m, const mn_data *data)
{
  char name[MN_INPUT_NAME_SIZE];
  const char *const *inputs = m->base.feature_names.size > 0 ? (const char *const *)m->base.feature_names.at : NULL;
  double *missing = MN_RAW(ctx, double, data->features, 1);
  MN_CHECK_ALLOC(missing);
  MN_TRY(mn_count_missing(ctx, data, missing));
  for (size_t k = 0; k < m->indicator_features.size; k++) missing[m->indicator_features.at[k]] = 0;
  for (size_t j = 0; j < data->features; j++)
    if (missing[j] > 0)
      return mn_fail(ctx, MN_BAD_DATA,
                     "MissingIndicator: column %zu ('%.60s') of X has missing values, but had none in fit; set "
                     "error_on_new = false or features = \"all\"",
                     j + 1, mn_input_name(inputs, j, name));
  return MN_OK;
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *given, mn_matrix *out)
{
  const struct missing_indicator *m = self;
  mn_data data;
  MN_TRY(mn_mark_missing(ctx, m->missing_values, given, &data));
  if (m->error_on_new && m->features == MISSING_ONLY) MN_TRY(check_new(ctx, m, &data));
  for (size_t i = 0; i < data.rows; i++) mn_flags_fill(&m->indicator_features, mn_row(&data.x, i), mn_row(out, i));
  return MN_OK;
}

static size_t outputs(const void *self)
{
  const struct missing_indicator *m = self;
  return m->indicator_features.size;
}

static void output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size)
{
  const struct missing_indicator *m = self;
  mn_flag_name(&m->indicator_features, j, inputs, text, size);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct missing_indicator *m = self;
  const size_t p = m->base.n_features;
  if (action != MN_TRANSFORM_X) return MN_OK;
  double *sentinel = MN_RAW(ctx, double, p, 1), *known = MN_NEW(ctx, double, p, 1);
  if (!sentinel || !known) return MN_NO_MEMORY;
  for (size_t j = 0; j < p; j++)
    sentinel[j] = m->base.feature_levels.size > 0 && m->base.feature_levels.at[j] ? (double)NAN : m->missing_values;
  for (size_t k = 0; k < m->indicator_features.size; k++) known[m->indicator_features.at[k]] = 1;
  mn_program_reals(program, "sentinel", p, sentinel);
  if (m->error_on_new && m->features == MISSING_ONLY) {
    mn_program_reals(program, "known", p, known);
    mn_program_code(program, "for j < features {"
                             "  if known[j] < 1.0 and (isnan(x[j]) or x[j] == sentinel[j]) {"
                             "    refuse \"a column without missing values in fit has some\""
                             "  }"
                             "}");
  }
  if (m->indicator_features.size == 0) mn_program_code(program, "for i < outputs { out[i] = 0.0 }"); /* no columns */
  mn_flags_export(&m->indicator_features, 0, program);
  return MN_OK;
}

static const char *const choices[] = { "missing-only", "all", NULL };

static const mn_param params[] = {
  MN_MISSING_VALUES(struct missing_indicator, missing_values),
  MN_CHOICE(struct missing_indicator, features, MISSING_ONLY, choices,
            "features with an indicator: those with missing values in fit, or all"),
  MN_FLAG(struct missing_indicator, error_on_new, true,
          "raise an error if a feature without missing values in fit has some later; ignored for all"),
  MN_END,
};

static const mn_field fields[] = {
  MN_INDEXES(struct missing_indicator, indicator_features, "indicators? < features", "columns with an indicator"),
  MN_VECTOR(struct missing_indicator, missing_fraction, "features", "fraction of missing values in each column in fit"),
  MN_END,
};

const mn_class mn_missing_indicator = {
  .name = "MissingIndicator",
  .family = "preprocess",
  .brief = "Marks missing values in columns of 0 and 1.",
  .objective = "z_j = 1 if x_j is missing, else 0",
  .source = "Little & Rubin, Statistical Analysis with Missing Data (2019), section 1.2",
  .notes = "Combine it with an imputer in a FeatureUnion if the fact that a value is missing helps to predict "
           "y; add_indicator of the imputers does the same. A feature without missing values in fit gets no "
           "column unless features is all. In a factor column, levels not seen in fit do not count as missing.",
  .example = "local nan = 0 / 0\n"
             "print(ml.MissingIndicator{}:fit_transform{ {1, nan, 3}, {2, 5, 1}, {nan, 7, 2} })",
  .capabilities = MN_TRANSFORM,
  .accepts = MN_WEIGHTS | MN_MISSING | MN_FACTORS,
  .size = sizeof(struct missing_indicator),
  .params = params,
  .fields = fields,
  .fit = fit,
  .transform = transform,
  .outputs_whole = mn_all_outputs_whole,
  .overwrites = true,
  .outputs = outputs,
  .output_name = output_name,
  .export = export,
};
