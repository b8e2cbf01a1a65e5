/* Encodes categories, numbered 1, 2, ..., as binary digits, one column for each digit. */
#include "categories.h"
#include "../preprocess/names.h"

struct binary_encoder {
  mn_estimator base;
  struct mn_categories categories; /* learned field */
};

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct binary_encoder *m = self;
  const struct mn_category_options options = { .min_frequency = MN_UNSET_REAL,
                                               .max_categories = MN_UNSET,
                                               .missing = true };
  return mn_learn_categories(ctx, data, options, &m->categories);
}

/* Digits of the number of categories; at least one. */
static size_t count_digits(const struct binary_encoder *m, size_t j)
{
  size_t digits = 1;
  for (size_t n = mn_category_count(&m->categories, j); n > 1; n /= 2) digits++;
  return digits;
}

static size_t outputs(const void *self)
{
  const struct binary_encoder *m = self;
  size_t n = 0;
  for (size_t j = 0; j < m->base.n_features; j++) n += count_digits(m, j);
  return n;
}

/* Lookups from values to category numbers; 0 for an unknown category. */
static mn_status make_lookups(mn_context *ctx, const struct binary_encoder *m, struct mn_lookup **out)
{
  *out = MN_RAW(ctx, struct mn_lookup, m->base.n_features, 1);
  MN_CHECK_ALLOC(*out);
  for (size_t j = 0; j < m->base.n_features; j++) {
    const size_t n = mn_category_count(&m->categories, j);
    double *number = MN_RAW(ctx, double, n, 1);
    MN_CHECK_ALLOC(number);
    for (size_t k = 0; k < n; k++) number[k] = (double)(k + 1);
    MN_TRY(mn_make_lookup(ctx, &m->categories, &m->base, j, number, 0, &(*out)[j]));
  }
  return MN_OK;
}

/* The first output column of each feature, and their number at the end. */
static mn_status first_columns(mn_context *ctx, const struct binary_encoder *m, int32_t **first)
{
  *first = MN_NEW(ctx, int32_t, m->base.n_features + 1, 1);
  MN_CHECK_ALLOC(*first);
  for (size_t j = 0; j < m->base.n_features; j++) (*first)[j + 1] = (*first)[j] + (int32_t)count_digits(m, j);
  return MN_OK;
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  struct mn_lookup *lookup;
  int32_t *first;
  MN_TRY(make_lookups(ctx, self, &lookup));
  MN_TRY(first_columns(ctx, self, &first));
  for (size_t i = 0; i < data->rows; i++) {
    if (i % 1024 == 0) MN_TRY(mn_poll(ctx));
    for (size_t j = 0; j < data->features; j++) {
      size_t rest = (size_t)mn_look_up(&lookup[j], mn_row(&data->x, i)[j]);
      for (int32_t c = first[j + 1]; c-- > first[j]; rest /= 2) mn_row(out, i)[c] = (double)(rest % 2);
    }
  }
  return MN_OK;
}

/* Digits above 0.5 count as 1. */
static mn_status inverse_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct binary_encoder *m = self;
  int32_t *first;
  MN_TRY(first_columns(ctx, m, &first));
  for (size_t i = 0; i < data->rows; i++) {
    if (i % 1024 == 0) MN_TRY(mn_poll(ctx));
    for (size_t j = 0; j < out->cols; j++) {
      size_t number = 0;
      for (int32_t c = first[j]; c < first[j + 1]; c++) number = 2 * number + (mn_row(&data->x, i)[c] > 0.5);
      const size_t n = mn_category_count(&m->categories, j);
      if (!(number > 0 && number <= n))
        return mn_fail(
            ctx, MN_BAD_DATA,
            "BinaryEncoder: X must have the digits of a number from 1 to %zu for feature %zu, got %zu in row %zu", n,
            j + 1, number, i + 1);
      mn_row(out, i)[j] = mn_category_value(&m->categories, &m->base, j, number - 1);
    }
  }
  return MN_OK;
}

static void output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size)
{
  const struct binary_encoder *m = self;
  char own[MN_INPUT_NAME_SIZE];
  size_t feature = 0;
  for (; j >= count_digits(m, feature); feature++) j -= count_digits(m, feature);
  snprintf(text, size, "%s_%zu", mn_input_name(inputs, feature, own), j + 1);
}

static mn_status check(mn_context *ctx, const void *self)
{
  const struct binary_encoder *m = self;
  if (mn_categories_are_valid(&m->categories, &m->base)) return MN_OK;
  return mn_fail(ctx, MN_BAD_FILE, "BinaryEncoder: the categories are inconsistent");
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct binary_encoder *m = self;
  struct mn_lookup *lookup;
  int32_t *first;
  if (action != MN_TRANSFORM_X) return mn_cannot_export(ctx, &m->base, "categories are found by their binary digits");
  MN_TRY(make_lookups(ctx, m, &lookup));
  MN_TRY(first_columns(ctx, m, &first));
  mn_program_indexes(program, "first", m->base.n_features + 1, first);
  MN_TRY(mn_lookup_program(ctx, lookup, m->base.n_features, program));
  mn_program_code(program, "int rest = index(found)"
                           "for i < first[j + 1] - first[j] {"
                           "  int c = first[j + 1] - 1 - i"
                           "  out[c] = rest % 2 == 1 ? 1.0 : 0.0"
                           "  rest = half(rest)"
                           "} }");
  return MN_OK;
}

static const mn_param params[] = { MN_END };

static const mn_field fields[] = {
  MN_CATEGORY_FIELDS(struct binary_encoder, categories),
  MN_END,
};

const mn_class mn_binary_encoder = {
  .name = "BinaryEncoder",
  .family = "preprocess",
  .brief = "Encodes categories as the binary digits of their index.",
  .objective = "z_jb = digit b of k, if x_j is category k",
  .source = "McGinnis et al., Journal of Open Source Software 3 (2018)",
  .notes = "Categories are numbered from 1 in ascending order (category_encoders: in order of appearance). The "
           "first column of a feature holds the most significant digit. Unknown categories become zeros, which "
           "inverse_transform rejects; missing values seen in fit form the last category.",
  .example = "local enc = ml.BinaryEncoder{}:fit{ {\"a\"}, {\"b\"}, {\"c\"}, {\"d\"} }\n"
             "print(enc:transform{ {\"a\"}, {\"d\"}, {\"e\"} })",
  .capabilities = MN_TRANSFORM | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_MISSING | MN_FACTORS,
  .size = sizeof(struct binary_encoder),
  .params = params,
  .fields = fields,
  .fit = fit,
  MN_TRANSFORM_PAIR(transform, inverse_transform),
  .outputs_whole = mn_all_outputs_whole,
  .outputs = outputs,
  .output_name = output_name,
  .check = check,
  .export = export,
};
