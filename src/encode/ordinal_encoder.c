/* Encodes categories as integers: 1 for the first category of a column, 2 for the second, ... */
#include "../core/threads.h"
#include "categories.h"

enum handle_unknown { UNKNOWN_ERROR, UNKNOWN_VALUE };
enum { BLOCK_VALUES = 1 << 16 };

struct ordinal_encoder {
  mn_estimator base;
  int64_t handle_unknown, max_categories; /* parameters */
  double unknown_value, encoded_missing_value, min_frequency;
  struct mn_categories categories; /* learned fields */
};

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct ordinal_encoder *m = self;
  const struct mn_category_options options = { .min_frequency = m->min_frequency, .max_categories = m->max_categories };
  return mn_learn_categories(ctx, data, options, &m->categories);
}

struct work {
  const struct ordinal_encoder *model;
  const mn_data *data;
  const struct mn_lookup *lookup; /* features: 1-based code, 0 for an unknown category */
  double missing, unknown;
  mn_matrix *out;
  size_t *bad_row; /* blocks: first row with an unknown category, or the number of rows */
  mn_blocks blocks;
};

static void encode_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct work *w = work;
  w->bad_row[block] = w->data->rows;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    const double *x = mn_row(&w->data->x, i);
    double *out = mn_row(w->out, i);
    for (size_t j = 0; j < w->data->features; j++) {
      const double code = isnan(x[j]) ? w->missing : mn_look_up(&w->lookup[j], x[j]);
      const bool unknown = !isnan(x[j]) && code < 1;
      out[j] = unknown ? w->unknown : code;
      if (unknown && w->bad_row[block] == w->data->rows) w->bad_row[block] = i;
    }
  }
}

static mn_status report_unknown(mn_context *ctx, const struct work *w)
{
  if (w->model->handle_unknown == UNKNOWN_VALUE) return MN_OK;
  for (size_t b = 0; b < w->blocks.count; b++) {
    const size_t i = w->bad_row[b];
    if (i == w->data->rows) continue;
    const double *x = mn_row(&w->data->x, i);
    size_t j = 0;
    while (isnan(x[j]) || mn_look_up(&w->lookup[j], x[j]) >= 1) j++;
    return mn_unknown_category(ctx, &w->model->base, w->data, i, j);
  }
  return MN_OK;
}

static mn_status make_lookups(mn_context *ctx, const struct ordinal_encoder *m, const struct mn_lookup **out)
{
  const size_t p = m->base.n_features;
  struct mn_lookup *lookup = MN_RAW(ctx, struct mn_lookup, p, 1);
  MN_CHECK_ALLOC(lookup);
  for (size_t j = 0; j < p; j++) {
    const size_t n = mn_category_count(&m->categories, j);
    const int32_t *group = mn_category_groups(&m->categories, j);
    double *code = MN_RAW(ctx, double, n, 1);
    MN_CHECK_ALLOC(code);
    for (size_t k = 0; k < n; k++) code[k] = group[k] + 1;
    MN_TRY(mn_make_lookup(ctx, &m->categories, &m->base, j, code, 0, &lookup[j]));
  }
  *out = lookup;
  return MN_OK;
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct ordinal_encoder *m = self;
  struct work w = {
    .model = m, .data = data, .out = out, .missing = m->encoded_missing_value, .unknown = m->unknown_value
  };
  MN_TRY(make_lookups(ctx, m, &w.lookup));
  w.blocks = mn_make_blocks(data->rows, BLOCK_VALUES / data->features, SIZE_MAX);
  w.bad_row = MN_RAW(ctx, size_t, w.blocks.count, 1);
  MN_CHECK_ALLOC(w.bad_row);
  MN_TRY(mn_parallel(ctx, w.blocks.count, encode_block, &w));
  return report_unknown(ctx, &w);
}

static bool same(double a, double b)
{
  return a >= b && a <= b;
}

static mn_status decode_column(mn_context *ctx, const struct ordinal_encoder *m, const mn_data *data, size_t j,
                               mn_matrix *out)
{
  const struct mn_categories *c = &m->categories;
  char number[MN_NUMBER_SIZE];
  const int32_t groups = c->groups.at[j];
  double *value = MN_RAW(ctx, double, (size_t)groups, 1);
  MN_CHECK_ALLOC(value);
  const int32_t *group = mn_category_groups(c, j);
  for (size_t k = 0; k < mn_category_count(c, j); k++)
    value[group[k]] = group[k] == c->infrequent.at[j] ? (double)NAN : mn_category_value(c, &m->base, j, k);
  for (size_t i = 0; i < data->rows; i++) {
    const double code = mn_row(&data->x, i)[j];
    const bool is_missing = isnan(code) || same(code, m->encoded_missing_value),
               is_unknown = same(code, m->unknown_value);
    if (code >= 1 && code <= groups && same(code, floor(code)))
      mn_row(out, i)[j] = value[(size_t)code - 1];
    else if (is_missing || (is_unknown && m->handle_unknown == UNKNOWN_VALUE))
      mn_row(out, i)[j] = (double)NAN;
    else
      return mn_fail(ctx, MN_BAD_DATA, "OrdinalEncoder: X must have codes from 1 to %d, got %s in row %zu, column %zu",
                     (int)groups, mn_format_number(number, code), i + 1, j + 1);
  }
  return MN_OK;
}

static mn_status inverse_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  for (size_t j = 0; j < out->cols; j++) MN_TRY(decode_column(ctx, self, data, j, out));
  return MN_OK;
}

static mn_status check(mn_context *ctx, const void *self)
{
  const struct ordinal_encoder *m = self;
  if (mn_categories_are_valid(&m->categories, &m->base)) return MN_OK;
  return mn_fail(ctx, MN_BAD_FILE, "OrdinalEncoder: categories and codes are inconsistent");
}

static const char *const unknowns[] = { "error", "use_encoded_value", NULL };

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct ordinal_encoder *m = self;
  const struct mn_lookup *lookup;
  if (action != MN_TRANSFORM_X) return MN_OK;
  MN_TRY(make_lookups(ctx, m, &lookup));
  MN_TRY(mn_lookup_program(ctx, lookup, m->base.n_features, program));
  mn_program_real(program, "unknown_value", m->unknown_value);
  mn_program_real(program, "missing_value", m->encoded_missing_value);
  mn_program_code(program, "if isnan(x[j]) { out[j] = missing_value } else { if found >= 1 { out[j] = found } else {");
  mn_program_code(program, m->handle_unknown == UNKNOWN_ERROR ? "refuse \"X must have categories that fit saw\" } } }"
                                                              : "out[j] = unknown_value } } }");
  return MN_OK;
}

static const mn_param params[] = {
  MN_CHOICE(struct ordinal_encoder, handle_unknown, UNKNOWN_ERROR, unknowns,
            "categories not seen in fit: raise an error, or encode as unknown_value"),
  MN_REAL(struct ordinal_encoder, unknown_value, MN_UNSET_REAL, MN_NO_LIMITS(),
          "code of unknown categories; nil: missing"),
  MN_REAL(struct ordinal_encoder, encoded_missing_value, MN_UNSET_REAL, MN_NO_LIMITS(),
          "code of missing values; nil: they stay missing"),
  MN_REAL(
      struct ordinal_encoder, min_frequency, MN_UNSET_REAL, MN_GREATER_THAN(0),
      "merge categories rarer than this into the last code: a number of rows if at least 1, a fraction of the rows below 1; nil: none"),
  MN_COUNT(struct ordinal_encoder, max_categories, MN_UNSET, MN_CLOSED(1, INT32_MAX),
           "maximum number of codes per column; the rarest categories share the last; nil: unlimited"),
  MN_END,
};

static const mn_field fields[] = {
  MN_CATEGORY_FIELDS(struct ordinal_encoder, categories),
  MN_END,
};

const mn_class mn_ordinal_encoder = {
  .name = "OrdinalEncoder",
  .family = "preprocess",
  .brief = "Encodes categories as the integers 1, 2, ...",
  .objective = "z = k where x is category k",
  .source = "Pedregosa et al., JMLR 12 (2011)",
  .notes = "The categories of a factor column are its levels, including levels without rows; those of a numeric "
           "column are its distinct values, ascending. Codes start at 1, so encoder.categories[j][code] is the "
           "category (scikit-learn starts at 0). Missing values are never infrequent.",
  .example = "local enc = ml.OrdinalEncoder{}:fit{ {\"red\", 10}, {\"blue\", 20}, {\"red\", 20} }\n"
             "print(enc:transform{ {\"blue\", 10} })",
  .capabilities = MN_TRANSFORM | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_MISSING | MN_FACTORS,
  .size = sizeof(struct ordinal_encoder),
  .params = params,
  .fields = fields,
  .fit = fit,
  MN_TRANSFORM_PAIR(transform, inverse_transform),
  .outputs_whole = mn_all_outputs_whole,
  .check = check,
  .export = export,
};
