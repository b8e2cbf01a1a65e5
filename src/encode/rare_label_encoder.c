/* Merges rare levels of factor columns into one level. Factors stay factors. */
#include "../core/threads.h"
#include "../model/program.h"
#include "categories.h"

struct rare_label_encoder {
  mn_estimator base;
  double tol; /* parameters */
  int64_t n_categories, max_n_categories;
  mn_text replace_with;
  mn_levels_list levels; /* learned fields: the new levels of factor columns; NULL for numbers */
  mn_indexes map;        /* the new code of each level of fit, column after column             */
  mn_indexes rare;       /* features: the code of the rare level, -1 for none                  */
};

static mn_label rare_label(const struct rare_label_encoder *m)
{
  const char *bytes = m->replace_with.bytes ? m->replace_with.bytes : "Rare";
  const size_t size = m->replace_with.bytes ? m->replace_with.size : 4;
  return (mn_label){ .kind = MN_LABEL_TEXT, .as.text = { .bytes = bytes, .size = size } };
}

static const mn_levels *levels_of_fit(const struct rare_label_encoder *m, size_t j)
{
  return m->base.feature_levels.size > 0 ? m->base.feature_levels.at[j] : NULL;
}

/* Learn the levels and codes of factor column j. `group` says which levels are in group `infrequent`; to: their codes.
 */
static mn_status learn_column(mn_context *ctx, struct rare_label_encoder *m, size_t j, const int32_t *group,
                              int32_t infrequent, int32_t *to)
{
  const mn_levels *old = m->base.feature_levels.at[j];
  const size_t n = mn_levels_size(old);
  mn_label *label = MN_RAW(ctx, mn_label, n + 1, 1);
  int32_t *code = MN_RAW(ctx, int32_t, n + 1, 1);
  if (!label || !code) return MN_NO_MEMORY;
  const bool merges = n >= (size_t)m->n_categories;
  for (size_t k = 0; k < n; k++) label[k] = merges && group[k] == infrequent ? rare_label(m) : mn_levels_at(old, k);
  label[n] = rare_label(m);
  m->levels.at[j] = mn_levels_new(ctx, label, merges ? n + 1 : n, code);
  if (!m->levels.at[j]) return mn_error_status(ctx);
  for (size_t k = 0; k < n; k++) to[k] = code[k];
  m->rare.at[j] = merges ? code[n] : -1;
  return MN_OK;
}

/* Number of levels of the factor columns before column j. */
static size_t first_slot(const struct rare_label_encoder *m, size_t j)
{
  size_t slots = 0;
  for (size_t c = 0; c < j; c++)
    if (levels_of_fit(m, c)) slots += mn_levels_size(levels_of_fit(m, c));
  return slots;
}

static mn_status learn(mn_context *ctx, struct rare_label_encoder *m, const mn_data *data, struct mn_categories *c)
{
  const struct mn_category_options options = { .min_frequency = m->tol > 0 ? m->tol : MN_UNSET_REAL,
                                               .max_categories = m->max_n_categories };
  MN_TRY(mn_learn_categories(ctx, data, options, c));
  MN_TRY(mn_levels_list_init(ctx, &m->levels, data->features));
  MN_TRY(mn_indexes_init(ctx, &m->rare, data->features));
  const size_t slots = first_slot(m, data->features);
  if (slots > 0) MN_TRY(mn_indexes_init(ctx, &m->map, slots));
  for (size_t j = 0; j < data->features; j++) {
    m->rare.at[j] = -1;
    if (!levels_of_fit(m, j)) continue;
    MN_TRY(learn_column(ctx, m, j, mn_category_groups(c, j), c->infrequent.at[j], m->map.at + first_slot(m, j)));
  }
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct mn_categories c = { 0 };
  mn_memory *memory = mn_context_memory(ctx);
  const mn_status status = learn(ctx, self, data, &c);
  mn_value_free(memory, MN_KIND_LEVELS, &c.levels);
  mn_indexes_free(memory, &c.missing);
  mn_indexes_free(memory, &c.group);
  mn_indexes_free(memory, &c.groups);
  mn_indexes_free(memory, &c.infrequent);
  return status;
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct rare_label_encoder *m = self;
  const size_t p = data->features;
  size_t *first = MN_RAW(ctx, size_t, p, 1);
  MN_CHECK_ALLOC(first);
  for (size_t j = 0; j < p; j++) first[j] = first_slot(m, j);
  for (size_t i = 0; i < data->rows; i++) {
    const double *x = mn_row(&data->x, i);
    double *to = mn_row(out, i);
    if (i % 1024 == 0) MN_TRY(mn_poll(ctx));
    for (size_t j = 0; j < p; j++) {
      const bool factor = m->levels.at[j] && !isnan(x[j]);
      to[j] = !factor ? x[j] : x[j] < 0 ? m->rare.at[j] : m->map.at[first[j] + (size_t)x[j]];
    }
  }
  return MN_OK;
}

static const mn_levels *output_levels(const void *self, size_t j)
{
  const struct rare_label_encoder *m = self;
  return j < m->levels.size ? m->levels.at[j] : NULL;
}

static mn_status check(mn_context *ctx, const void *self)
{
  const struct rare_label_encoder *m = self;
  const size_t p = m->base.n_features;
  bool valid = m->levels.at && m->rare.at && m->map.size == first_slot(m, p);
  for (size_t j = 0, k = 0; valid && j < p; j++) {
    const mn_levels *old = levels_of_fit(m, j), *new = m->levels.at[j];
    const int32_t size = new ? (int32_t)mn_levels_size(new) : 0;
    valid = (old != NULL) == (new != NULL) && m->rare.at[j] >= -1 && m->rare.at[j] < (size > 0 ? size : 1) &&
            (new || m->rare.at[j] == -1);
    for (size_t n = old ? mn_levels_size(old) : 0; valid && n > 0; n--, k++)
      valid = m->map.at[k] >= 0 && m->map.at[k] < size;
  }
  return valid ? MN_OK : mn_fail(ctx, MN_BAD_FILE, "RareLabelEncoder: levels and codes are inconsistent");
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct rare_label_encoder *m = self;
  const size_t p = m->base.n_features;
  if (action != MN_TRANSFORM_X) return MN_OK;
  int32_t *begin = MN_RAW(ctx, int32_t, p, 1), *to = MN_NEW(ctx, int32_t, m->map.size + 1, 1);
  if (!begin || !to) return MN_NO_MEMORY;
  for (size_t j = 0; j < p; j++) begin[j] = m->levels.at[j] ? (int32_t)first_slot(m, j) : -1;
  for (size_t k = 0; k < m->map.size; k++) to[k] = m->map.at[k];
  mn_program_indexes(program, "begin", p, begin);
  mn_program_indexes(program, "to", m->map.size + 1, to);
  mn_program_indexes(program, "rare", p, m->rare.at);
  mn_program_code(program, "for j < features {"
                           "  out[j] = x[j]"
                           "  if begin[j] >= 0 and !isnan(x[j]) {"
                           "    int code = rare[j]"
                           "    if x[j] >= 0 { code = to[begin[j] + index(x[j])] }"
                           "    out[j] = code + 0.0"
                           "  }"
                           "}");
  return MN_OK;
}

static const mn_param params[] = {
  MN_REAL(struct rare_label_encoder, tol, 0.05, MN_CLOSED(0, 1), "levels with a smaller fraction of the rows are rare"),
  MN_COUNT(struct rare_label_encoder, n_categories, 10, MN_CLOSED(1, INT32_MAX),
           "factor columns with fewer levels are not changed"),
  MN_COUNT(struct rare_label_encoder, max_n_categories, MN_UNSET, MN_CLOSED(1, INT32_MAX),
           "maximum number of levels, including the rare one; nil: unlimited"),
  MN_STRING(struct rare_label_encoder, replace_with, "level that replaces rare levels; nil: Rare"),
  MN_END,
};

static const mn_field fields[] = {
  MN_LEVELS(struct rare_label_encoder, levels, "features", NULL),
  MN_INDEXES(struct rare_label_encoder, map, "slots?", NULL),
  MN_INDEXES(struct rare_label_encoder, rare, "features", NULL),
  MN_END,
};

const mn_class mn_rare_label_encoder = {
  .name = "RareLabelEncoder",
  .family = "preprocess",
  .brief = "Merges rare levels of factor columns into one level.",
  .objective = "z = x if fraction of rows with x >= tol, else \"Rare\"",
  .source = "Galli, Journal of Open Source Software 6 (2021)",
  .notes = "Factor columns remain factors, for trees and other encoders; numeric columns are not changed. "
           "Levels not seen in fit are rare, too; in a column that is not changed they become missing. "
           "OneHotEncoder and OrdinalEncoder can merge rare levels themselves, by min_frequency and "
           "max_categories. In feature_engine max_n_categories does not count the rare level, and columns of exactly "
           "n_categories levels are not changed.",
  .example = "local towns = ml.Frame{ { \"town\", { \"Ulm\", \"Ulm\", \"Bonn\", \"Jena\" } } }\n"
             "print(ml.RareLabelEncoder{ tol = 0.5, n_categories = 2 }:fit_transform(towns))",
  .capabilities = MN_TRANSFORM | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_MISSING | MN_FACTORS,
  .size = sizeof(struct rare_label_encoder),
  .params = params,
  .fields = fields,
  .fit = fit,
  .transform = transform,
  .overwrites = true,
  .output_levels = output_levels,
  .check = check,
  .export = export,
};
