/* Replaces missing values with one value per column: mean, median, most frequent value, or a constant.
 *
 * A factor column stays a factor: missing values become its most frequent level, or a constant level, which is added to
 * its levels if necessary. */
#include "../core/threads.h"
#include "../preprocess/names.h"
#include "imputer.h"
#include <string.h>

enum { BLOCK_VALUES = 1 << 16 };

struct simple_imputer {
  mn_imputer imputer;
  int64_t strategy; /* parameters */
  double fill_value;
  mn_text fill_level;
  mn_vector statistics; /* learned fields: values for the numeric columns, */
  mn_indexes fill_code; /* codes for the factor columns within `levels`, else -1 */
  mn_levels_list levels;
};

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

static mn_status store_factor(mn_context *ctx, struct simple_imputer *m, const mn_levels *levels, size_t j,
                              const double *code)
{
  m->statistics.at[j] = (double)NAN;
  if (code) {
    m->levels.at[j] = mn_levels_retain(levels);
    m->fill_code.at[j] = (int32_t)*code;
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

static mn_status store_fields(mn_context *ctx, struct simple_imputer *m, const mn_data *data,
                              const mn_column_fill *fill)
{
  const size_t p = data->features;
  MN_TRY(mn_vector_init(ctx, &m->statistics, p));
  MN_TRY(mn_indexes_init(ctx, &m->fill_code, p));
  MN_TRY(mn_levels_list_init(ctx, &m->levels, p));
  for (size_t j = 0; j < p; j++) {
    const bool constant = m->strategy == MN_FILL_CONSTANT || fill->empty[j];
    m->fill_code.at[j] = -1;
    m->statistics.at[j] = constant ? m->fill_value : fill->value[j];
    if (data->levels && data->levels[j])
      MN_TRY(store_factor(ctx, m, data->levels[j], j, constant ? NULL : &fill->value[j]));
  }
  return mn_imputer_learn_flags(ctx, &m->imputer, fill);
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *given)
{
  struct simple_imputer *m = self;
  mn_data data;
  mn_column_fill fill;
  MN_TRY(mn_mark_missing(ctx, m->imputer.missing_values, given, &data));
  MN_TRY(mn_summarize_columns(ctx, &data, (mn_fill)m->strategy, &fill));
  if (m->strategy != MN_FILL_CONSTANT) MN_TRY(mn_imputer_refuse_empty(ctx, &m->imputer, &fill));
  return store_fields(ctx, m, &data, &fill);
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
  for (size_t j = 0; j < p; j++) out[j] = isnan(x[j]) ? w->fill[j] : x[j];
  for (size_t j = 0; w->map && j < p; j++)
    if (w->map[j] && x[j] >= 0) out[j] = w->map[j][(size_t)x[j]];
  mn_flags_fill(&w->model->imputer.indicator_features, x, out + p);
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
  MN_TRY(mn_mark_missing(ctx, m->imputer.missing_values, given, &data));
  MN_TRY(make_code_maps(ctx, &m->imputer.base.feature_levels, &m->levels, &map));
  struct filling w = { .model = m, .x = &data.x, .out = out, .fill = fill, .map = map };
  w.blocks = mn_make_blocks(data.rows, BLOCK_VALUES / p, SIZE_MAX);
  return mn_parallel(ctx, w.blocks.count, fill_block, &w);
}

static mn_status inverse_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct simple_imputer *m = self;
  const mn_indexes *flags = &m->imputer.indicator_features;
  const size_t p = out->cols;
  int32_t **map;
  if (!flags->at && !m->imputer.add_indicator)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "SimpleImputer: inverse_transform requires add_indicator = true in fit");
  MN_TRY(make_code_maps(ctx, &m->levels, &m->imputer.base.feature_levels, &map));
  for (size_t i = 0; i < data->rows; i++) {
    const double *x = mn_row(&data->x, i);
    double *to = mn_row(out, i);
    memcpy(to, x, p * sizeof *to);
    for (size_t j = 0; map && j < p; j++)
      if (map[j] && x[j] >= 0) to[j] = map[j][(size_t)x[j]];
    for (size_t k = 0; k < flags->size; k++)
      if (x[p + k] > 0.5) to[flags->at[k]] = m->imputer.missing_values;
  }
  return MN_OK;
}

static const mn_levels *output_levels(const void *self, size_t j)
{
  const struct simple_imputer *m = self;
  return j < m->levels.size ? m->levels.at[j] : NULL;
}

/* Check a loaded model: codes and levels must be consistent. */
static mn_status check(mn_context *ctx, const void *self)
{
  const struct simple_imputer *m = self;
  const mn_levels_list *fit = &m->imputer.base.feature_levels;
  bool valid = m->statistics.at && m->fill_code.at && m->levels.at;
  for (size_t j = 0; valid && j < m->levels.size; j++) {
    const mn_levels *before = fit->size > 0 ? fit->at[j] : NULL, *after = m->levels.at[j];
    const int32_t code = m->fill_code.at[j];
    valid = after ? before && code >= 0 && (size_t)code < mn_levels_size(after) : !before && code == -1;
  }
  for (size_t k = 0; valid && k < m->imputer.indicator_features.size; k++)
    valid = m->imputer.indicator_features.at[k] >= 0;
  return valid ? MN_OK : mn_fail(ctx, MN_BAD_FILE, "SimpleImputer: levels and fill values are inconsistent");
}

/* Export the maps from codes of fit to codes of transform, column after column. */
static mn_status export_code_maps(mn_context *ctx, const struct simple_imputer *m, mn_program *program)
{
  int32_t **map;
  const mn_levels_list *fit = &m->imputer.base.feature_levels;
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
  const size_t p = m->imputer.base.n_features;
  if (action != MN_TRANSFORM_X) return MN_OK;
  double *fill = MN_RAW(ctx, double, p, 1), *sentinel = MN_RAW(ctx, double, p, 1);
  if (!fill || !sentinel) return MN_NO_MEMORY;
  for (size_t j = 0; j < p; j++) {
    fill[j] = m->fill_code.at[j] >= 0 ? m->fill_code.at[j] : m->statistics.at[j];
    sentinel[j] = m->fill_code.at[j] >= 0 ? (double)NAN : m->imputer.missing_values;
  }
  mn_program_reals(program, "fill", p, fill);
  mn_program_reals(program, "sentinel", p, sentinel); /* represents a missing value, in addition to NaN */
  mn_program_code(program, "for j < features { out[j] = isnan(x[j]) or x[j] == sentinel[j] ? fill[j] : x[j] }");
  MN_TRY(export_code_maps(ctx, m, program));
  mn_flags_export(&m->imputer.indicator_features, p, program);
  return MN_OK;
}

static const mn_param params[] = {
  MN_CHOICE(struct simple_imputer, strategy, MN_FILL_MEAN, mn_fills,
            "value to insert; factor columns use their most frequent level unless it is constant"),
  MN_REAL(struct simple_imputer, fill_value, 0, MN_NO_LIMITS(), "constant for numeric columns"),
  MN_STRING(struct simple_imputer, fill_level, "constant level for factor columns; nil: missing_value"),
  MN_MISSING_VALUES(mn_imputer, missing_values),
  MN_ADD_INDICATOR,
  MN_KEEP_EMPTY("fill a column without values in fit with the constant instead of raising an error"),
  MN_END,
};

static const mn_field fields[] = {
  MN_VECTOR(struct simple_imputer, statistics, "features", "value inserted in each column; NaN for a factor column"),
  MN_INDEXES(struct simple_imputer, fill_code, "features", "index of the level inserted; -1 for numbers"),
  MN_LEVELS(struct simple_imputer, levels, "features", NULL),
  MN_INDICATOR_FIELD,
  MN_END,
};

const mn_class mn_simple_imputer = {
  .name = "SimpleImputer",
  .family = "preprocess",
  .brief = "Replaces missing values with a statistic of their column or a constant.",
  .objective = "z = x if x is not missing, else the statistic of its column",
  .source = "Little & Rubin, Statistical Analysis with Missing Data (2019), section 4.2",
  .notes =
      "A factor column stays a factor, so that an encoder may follow; a level not seen in fit becomes missing. "
      "Sample weights are frequencies. "
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
  .outputs = mn_imputer_outputs,
  .output_levels = output_levels,
  .outputs_whole = mn_imputer_outputs_whole,
  .output_name = mn_imputer_output_name,
  .check = check,
  .export = export,
};
