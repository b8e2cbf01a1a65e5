/* Missing values replaced by one value per column: mean, median, most frequent value, or a constant.
 *
 * A factor column stays a factor: missing values become its most frequent level, or a constant level, which is added to
 * its levels if necessary. */
#include "../core/threads.h"
#include "../model/class.h"
#include "../model/program.h"
#include "column_values.h"
#include "moments.h"
#include "names.h"
#include <string.h>

enum strategy { MEAN, MEDIAN, MOST_FREQUENT, CONSTANT };
enum { BLOCK_VALUES = 1 << 16 };

struct simple_imputer {
  mn_estimator base;
  int64_t strategy; /* parameters */
  double fill_value, missing_values;
  mn_text fill_level;
  bool add_indicator, keep_empty_features;
  mn_vector statistics; /* learned fields: values for the numeric columns, */
  mn_indexes fill_code; /* codes for the factor columns within `levels`, else -1 */
  mn_levels_list levels;
  mn_indexes indicator_features;
};

struct work {
  struct simple_imputer *model;
  const mn_data *data;
  enum strategy strategy;
  double *value;   /* features: mean, median or most frequent value (a code for a factor column) */
  double *missing; /* features: weight or number of the missing values, for indicators */
  bool *empty;     /* features: no values */
};

static bool is_factor(const mn_data *data, size_t j)
{
  return data->levels && data->levels[j];
}

/* The most frequent value; ties are broken by the smallest value. */
static double most_frequent(struct mn_column_values *c)
{
  double best = (double)NAN, max_weight = 0, value, weight;
  mn_group_column(c);
  for (size_t i = 0; mn_next_distinct(c, &i, &value, &weight);) {
    if (!(weight > max_weight)) continue;
    max_weight = weight;
    best = value;
  }
  return best;
}

static void summarize_column(void *work, size_t j, struct mn_column_values *values)
{
  const struct work *w = work;
  const double half = 0.5;
  w->missing[j] = values->missing;
  w->empty[j] = values->size == 0;
  if (w->empty[j] || w->strategy == CONSTANT) return;
  if (w->strategy == MOST_FREQUENT || is_factor(w->data, j))
    w->value[j] = most_frequent(values);
  else if (w->strategy == MEDIAN)
    mn_column_quantiles(values, 1, &half, &w->value[j]);
}

/* Count the rows with missing values. Sums of weights are rounded, and a small weight may be lost in them. */
static mn_status find_missing(mn_context *ctx, struct work *w, const struct mn_moments *weighted)
{
  struct mn_moments rows = *weighted;
  if (w->data->weights) {
    mn_data data = *w->data;
    data.weights = NULL;
    MN_TRY(mn_moments_init(ctx, data.features, &rows));
    MN_TRY(mn_moments_add(ctx, &data, &rows));
  }
  for (size_t j = 0; j < w->data->features; j++) w->missing[j] = (double)w->data->rows - rows.count[j];
  return MN_OK;
}

/* Means are computed without gathering columns. */
static mn_status summarize_means(mn_context *ctx, struct work *w)
{
  struct mn_moments sum;
  MN_TRY(mn_moments_init(ctx, w->data->features, &sum));
  MN_TRY(mn_moments_add(ctx, w->data, &sum));
  for (size_t j = 0; j < w->data->features; j++) {
    w->value[j] = sum.mean[j];
    w->empty[j] = !(sum.count[j] > 0);
  }
  return w->model->add_indicator ? find_missing(ctx, w, &sum) : MN_OK;
}

static mn_status summarize(mn_context *ctx, struct work *w)
{
  bool factors = false;
  for (size_t j = 0; j < w->data->features; j++) factors = factors || is_factor(w->data, j);
  if (w->strategy == MEAN) MN_TRY(summarize_means(ctx, w));
  if (w->strategy == MEAN && !factors) return MN_OK;
  return mn_for_each_column(ctx, w->data, summarize_column, NULL, w);
}

/* The levels of a factor plus one. */
static mn_status add_level(mn_context *ctx, const mn_levels *levels, mn_label label, const mn_levels **out)
{
  const size_t n = mn_levels_size(levels);
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_label *all = MN_RAW(ctx, mn_label, n + 1, 1);
  MN_CHECK_ALLOC(all);
  for (size_t i = 0; i < n; i++) all[i] = mn_levels_at(levels, i);
  all[n] = label;
  *out = mn_levels_new(ctx, all, n + 1, NULL);
  mn_scratch_release(ctx, mark);
  return *out ? MN_OK : MN_NO_MEMORY;
}

static mn_label fill_label(const struct simple_imputer *m)
{
  static const char default_level[] = "missing_value";
  const mn_text *t = &m->fill_level;
  return (mn_label){ .kind = MN_LABEL_TEXT,
                     .as.text = { .bytes = t->bytes ? t->bytes : default_level,
                                  .size = t->bytes ? t->size : sizeof default_level - 1 } };
}

static mn_status store_factor(mn_context *ctx, const struct work *w, size_t j, bool constant)
{
  struct simple_imputer *m = w->model;
  const mn_levels *levels = w->data->levels[j];
  m->statistics.at[j] = (double)NAN;
  if (!constant) {
    m->levels.at[j] = mn_levels_retain(levels);
    m->fill_code.at[j] = (int32_t)w->value[j];
    return MN_OK;
  }
  const mn_label label = fill_label(m);
  if (mn_levels_find(levels, label) >= 0)
    m->levels.at[j] = mn_levels_retain(levels);
  else
    MN_TRY(add_level(ctx, levels, label, &m->levels.at[j]));
  m->fill_code.at[j] = mn_levels_find(m->levels.at[j], label);
  return MN_OK;
}

static mn_status fail_no_values(mn_context *ctx, const struct simple_imputer *m, size_t j)
{
  char name[MN_INPUT_NAME_SIZE];
  const char *const *inputs = m->base.feature_names.size > 0 ? (const char *const *)m->base.feature_names.at : NULL;
  return mn_fail(
      ctx, MN_BAD_DATA,
      "SimpleImputer: column %zu ('%.60s') of X has missing values only; remove it or set keep_empty_features", j + 1,
      mn_input_name(inputs, j, name));
}

static mn_status store_indicators(mn_context *ctx, const struct work *w)
{
  struct simple_imputer *m = w->model;
  size_t n = 0;
  for (size_t j = 0; j < w->data->features; j++) n += w->missing[j] > 0;
  if (!m->add_indicator || n == 0) return MN_OK;
  MN_TRY(mn_indexes_init(ctx, &m->indicator_features, n));
  n = 0;
  for (size_t j = 0; j < w->data->features; j++)
    if (w->missing[j] > 0) m->indicator_features.at[n++] = (int32_t)j;
  return MN_OK;
}

static mn_status store_fields(mn_context *ctx, const struct work *w)
{
  struct simple_imputer *m = w->model;
  const size_t p = w->data->features;
  MN_TRY(mn_vector_init(ctx, &m->statistics, p));
  MN_TRY(mn_indexes_init(ctx, &m->fill_code, p));
  MN_TRY(mn_levels_list_init(ctx, &m->levels, p));
  for (size_t j = 0; j < p; j++) {
    const bool constant = w->strategy == CONSTANT || w->empty[j];
    if (w->strategy != CONSTANT && w->empty[j] && !m->keep_empty_features) return fail_no_values(ctx, m, j);
    m->fill_code.at[j] = -1;
    m->statistics.at[j] = constant ? m->fill_value : w->value[j];
    if (is_factor(w->data, j)) MN_TRY(store_factor(ctx, w, j, constant));
  }
  return store_indicators(ctx, w);
}

/* Copy X with the values that represent missing ones replaced by NaN. */
static mn_status mark_missing(mn_context *ctx, const struct simple_imputer *m, const mn_data *data, mn_data *out)
{
  *out = *data;
  if (isnan(m->missing_values)) return MN_OK;
  const size_t n = data->rows * data->features;
  out->x.at = MN_RAW(ctx, double, data->rows, data->features);
  MN_CHECK_ALLOC(out->x.at);
  for (size_t i = 0; i < n; i++) {
    const double x = data->x.at[i];
    const bool equal = x >= m->missing_values && x <= m->missing_values && !is_factor(data, i % data->features);
    out->x.at[i] = equal ? (double)NAN : x;
  }
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *given)
{
  struct simple_imputer *m = self;
  mn_data data;
  MN_TRY(mark_missing(ctx, m, given, &data));
  struct work w = { .model = m, .data = &data, .strategy = (enum strategy)m->strategy };
  w.value = MN_NEW(ctx, double, data.features, 1);
  w.missing = MN_NEW(ctx, double, data.features, 1);
  w.empty = MN_NEW(ctx, bool, data.features, 1);
  if (!w.value || !w.missing || !w.empty) return MN_NO_MEMORY;
  MN_TRY(summarize(ctx, &w));
  return store_fields(ctx, &w);
}

/* The task of transform. */
struct filling {
  const struct simple_imputer *model;
  const mn_matrix *x;
  mn_matrix *out;
  const double *fill;  /* features: a value or a code */
  int32_t *const *map; /* features: from codes of fit to codes of `levels`; NULL if unchanged */
  mn_blocks blocks;
};

static void fill_row(const struct filling *w, const double *x, double *out)
{
  const size_t p = w->x->cols;
  const mn_indexes *flags = &w->model->indicator_features;
  for (size_t j = 0; j < p; j++) out[j] = isnan(x[j]) ? w->fill[j] : x[j];
  for (size_t j = 0; w->map && j < p; j++)
    if (w->map[j] && x[j] >= 0) out[j] = w->map[j][(size_t)x[j]];
  for (size_t k = 0; k < flags->size; k++) out[p + k] = isnan(x[flags->at[k]]) ? 1 : 0;
}

static void fill_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct filling *w = work;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++)
    fill_row(w, mn_row(w->x, i), mn_row(w->out, i));
}

/* For columns whose levels have changed: the code in `to` of each code of `from`. NULL if there are none. */
static mn_status make_code_maps(mn_context *ctx, const mn_levels_list *from, const mn_levels_list *to, int32_t ***map)
{
  bool any = false;
  *map = NULL;
  if (from->size == 0 || to->size == 0) return MN_OK; /* no factors */
  for (size_t j = 0; j < from->size; j++) any = any || from->at[j] != to->at[j];
  if (!any) return MN_OK;
  *map = MN_NEW(ctx, int32_t *, to->size, 1);
  MN_CHECK_ALLOC(*map);
  for (size_t j = 0; j < from->size; j++) {
    if (from->at[j] == to->at[j]) continue;
    (*map)[j] = MN_RAW(ctx, int32_t, mn_levels_size(from->at[j]), 1);
    MN_CHECK_ALLOC((*map)[j]);
    mn_levels_map(from->at[j], to->at[j], (*map)[j]);
  }
  return MN_OK;
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *given, mn_matrix *out)
{
  const struct simple_imputer *m = self;
  const size_t p = given->features;
  mn_data data;
  int32_t **map;
  double *fill = MN_RAW(ctx, double, p, 1);
  MN_CHECK_ALLOC(fill);
  for (size_t j = 0; j < p; j++) fill[j] = m->fill_code.at[j] >= 0 ? m->fill_code.at[j] : m->statistics.at[j];
  MN_TRY(mark_missing(ctx, m, given, &data));
  MN_TRY(make_code_maps(ctx, &m->base.feature_levels, &m->levels, &map));
  struct filling w = { .model = m, .x = &data.x, .out = out, .fill = fill, .map = map };
  w.blocks = mn_make_blocks(data.rows, BLOCK_VALUES / p, SIZE_MAX);
  return mn_parallel(ctx, w.blocks.count, fill_block, &w);
}

static mn_status inverse_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct simple_imputer *m = self;
  const mn_indexes *flags = &m->indicator_features;
  const size_t p = out->cols;
  int32_t **map;
  if (!flags->at && !m->add_indicator)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "SimpleImputer: inverse_transform requires add_indicator = true in fit");
  MN_TRY(make_code_maps(ctx, &m->levels, &m->base.feature_levels, &map));
  for (size_t i = 0; i < data->rows; i++) {
    const double *x = mn_row(&data->x, i);
    double *to = mn_row(out, i);
    memcpy(to, x, p * sizeof *to);
    for (size_t j = 0; map && j < p; j++)
      if (map[j] && x[j] >= 0) to[j] = map[j][(size_t)x[j]];
    for (size_t k = 0; k < flags->size; k++)
      if (x[p + k] > 0.5) to[flags->at[k]] = m->missing_values;
  }
  return MN_OK;
}

static size_t outputs(const void *self)
{
  const struct simple_imputer *m = self;
  return m->base.n_features + m->indicator_features.size;
}

static const mn_levels *output_levels(const void *self, size_t j)
{
  const struct simple_imputer *m = self;
  return j < m->levels.size ? m->levels.at[j] : NULL;
}

static void output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size)
{
  const struct simple_imputer *m = self;
  char own[MN_INPUT_NAME_SIZE];
  const size_t p = m->base.n_features;
  if (j < p)
    snprintf(text, size, "%s", mn_input_name(inputs, j, own));
  else
    snprintf(text, size, "missingindicator_%s", mn_input_name(inputs, (size_t)m->indicator_features.at[j - p], own));
}

/* Check a loaded model: codes and levels must be consistent. */
static mn_status check(mn_context *ctx, const void *self)
{
  const struct simple_imputer *m = self;
  const mn_levels_list *fit = &m->base.feature_levels;
  bool valid = m->statistics.at && m->fill_code.at && m->levels.at;
  for (size_t j = 0; valid && j < m->levels.size; j++) {
    const mn_levels *before = fit->size > 0 ? fit->at[j] : NULL, *after = m->levels.at[j];
    const int32_t code = m->fill_code.at[j];
    valid = after ? before && code >= 0 && (size_t)code < mn_levels_size(after) : !before && code == -1;
  }
  for (size_t k = 0; valid && k < m->indicator_features.size; k++) valid = m->indicator_features.at[k] >= 0;
  return valid ? MN_OK : mn_fail(ctx, MN_BAD_FILE, "SimpleImputer: levels and fill values are inconsistent");
}

static const char *const strategies[] = { "mean", "median", "most_frequent", "constant", NULL };

/* Export the maps from codes of fit to codes of transform, column after column. */
static mn_status export_code_maps(mn_context *ctx, const struct simple_imputer *m, mn_program *program)
{
  int32_t **map;
  const mn_levels_list *fit = &m->base.feature_levels;
  MN_TRY(make_code_maps(ctx, fit, &m->levels, &map));
  if (!map) return MN_OK;
  size_t slots = 0;
  for (size_t j = 0; j < fit->size; j++) slots += map[j] ? mn_levels_size(fit->at[j]) : 0;
  int32_t *begin = MN_RAW(ctx, int32_t, fit->size, 1), *to = MN_RAW(ctx, int32_t, slots, 1);
  if (!begin || !to) return MN_NO_MEMORY;
  slots = 0;
  for (size_t j = 0; j < fit->size; j++) {
    begin[j] = map[j] ? (int32_t)slots : -1;
    for (size_t k = 0; map[j] && k < mn_levels_size(fit->at[j]); k++) to[slots++] = map[j][k];
  }
  mn_program_indexes(program, "begin", fit->size, begin);
  mn_program_indexes(program, "to", slots, to);
  mn_program_code(program, "for j < features {"
                           "  if begin[j] >= 0 and x[j] >= 0 { out[j] = to[begin[j] + index(x[j])] + 0.0 }"
                           "}");
  return MN_OK;
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct simple_imputer *m = self;
  const size_t p = m->base.n_features;
  if (action != MN_TRANSFORM_X) return MN_OK;
  double *fill = MN_RAW(ctx, double, p, 1), *sentinel = MN_RAW(ctx, double, p, 1);
  if (!fill || !sentinel) return MN_NO_MEMORY;
  for (size_t j = 0; j < p; j++) {
    fill[j] = m->fill_code.at[j] >= 0 ? m->fill_code.at[j] : m->statistics.at[j];
    sentinel[j] = m->fill_code.at[j] >= 0 ? (double)NAN : m->missing_values;
  }
  mn_program_reals(program, "fill", p, fill);
  mn_program_reals(program, "stands", p, sentinel); /* represents a missing value, in addition to NaN */
  mn_program_code(program, "for j < features { out[j] = isnan(x[j]) or x[j] == stands[j] ? fill[j] : x[j] }");
  MN_TRY(export_code_maps(ctx, m, program));
  if (m->indicator_features.size == 0) return MN_OK;
  mn_program_indexes(program, "flagged", m->indicator_features.size, m->indicator_features.at);
  mn_program_count(program, "flags", m->indicator_features.size);
  mn_program_code(program, "for i < flags {"
                           "  int j = flagged[i]"
                           "  out[features + i] = isnan(x[j]) or x[j] == stands[j] ? 1.0 : 0.0"
                           "}");
  return MN_OK;
}

static const mn_param params[] = {
  MN_CHOICE(struct simple_imputer, strategy, MEAN, strategies,
            "value to insert; factor columns use their most frequent level unless it is constant"),
  MN_REAL(struct simple_imputer, fill_value, 0, MN_NO_LIMITS(), "constant for numeric columns"),
  MN_STRING(struct simple_imputer, fill_level, "constant level for factor columns; nil means missing_value"),
  MN_REAL(struct simple_imputer, missing_values, MN_UNSET_REAL, MN_NO_LIMITS(),
          "number that represents a missing value in numeric columns, in addition to NaN; nil means none"),
  MN_FLAG(struct simple_imputer, add_indicator, false,
          "add an indicator column for each column with missing values in fit"),
  MN_FLAG(struct simple_imputer, keep_empty_features, false,
          "fill a column without values in fit with the constant instead of raising an error"),
  MN_END,
};

static const mn_field fields[] = {
  MN_VECTOR(struct simple_imputer, statistics, "features", "value inserted in each column; NaN for a factor column"),
  MN_INDEXES(struct simple_imputer, fill_code, "features", "index of the level inserted; -1 for numbers"),
  MN_LEVELS(struct simple_imputer, levels, "features", NULL),
  MN_INDEXES(struct simple_imputer, indicator_features, "indicators? < features", "columns with an indicator"),
  MN_END,
};

const mn_class mn_simple_imputer = {
  .name = "SimpleImputer",
  .family = "preprocess",
  .brief = "Replaces missing values by a statistic of their column or a constant.",
  .objective = "z = x if x is not missing, else the statistic of its column",
  .source = "Little & Rubin, Statistical Analysis with Missing Data (2019), section 4.2",
  .notes =
      "A factor column stays a factor, so that an encoder may follow; a level not seen in fit becomes missing. "
      "Weights are frequencies. "
      "Ties of most_frequent are broken by the smallest value. "
      "A column without values is an error (scikit-learn drops it), or gets the constant with keep_empty_features.",
  .example = "local nan = 0 / 0\n"
             "print(ml.SimpleImputer{ strategy = \"median\" }:fit_transform{ {1, nan}, {2, 5}, {nan, 7} })",
  .capabilities = MN_TRANSFORM | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_MISSING | MN_FACTORS,
  .size = sizeof(struct simple_imputer),
  .params = params,
  .fields = fields,
  .fit = fit,
  MN_TRANSFORM_PAIR(transform, inverse_transform),
  .outputs = outputs,
  .output_levels = output_levels,
  .output_name = output_name,
  .check = check,
  .export = export,
};
