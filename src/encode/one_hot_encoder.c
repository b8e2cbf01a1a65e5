/* Encodes each category of each column as an indicator column. */
#include "../core/threads.h"
#include "categories.h"
#include <string.h>

enum drop { DROP_NONE, DROP_FIRST, DROP_IF_BINARY };
enum handle_unknown { UNKNOWN_ERROR, UNKNOWN_IGNORE, UNKNOWN_INFREQUENT };
enum { BLOCK_VALUES = 1 << 16 };

struct one_hot_encoder {
  mn_estimator base;
  int64_t drop, handle_unknown, max_categories; /* parameters */
  double min_frequency;
  bool sparse_output;
  struct mn_categories categories; /* learned fields */
  mn_indexes dropped;              /* features: the group without a column, -1 for none */
};

static size_t count_columns(const struct one_hot_encoder *m, size_t j)
{
  return (size_t)m->categories.groups.at[j] - (m->dropped.at[j] >= 0);
}

static size_t outputs(const void *self)
{
  const struct one_hot_encoder *m = self;
  size_t n = 0;
  for (size_t j = 0; j < m->base.n_features; j++) n += count_columns(m, j);
  return n;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct one_hot_encoder *m = self;
  const struct mn_category_options options = { .min_frequency = m->min_frequency,
                                               .max_categories = m->max_categories,
                                               .missing = true };
  MN_TRY(mn_learn_categories(ctx, data, options, &m->categories));
  MN_TRY(mn_indexes_init(ctx, &m->dropped, data->features));
  for (size_t j = 0; j < data->features; j++) {
    const int32_t groups = m->categories.groups.at[j];
    const bool drop = m->drop == DROP_FIRST ? groups > 0 : m->drop == DROP_IF_BINARY && groups == 2;
    m->dropped.at[j] = drop ? 0 : -1;
  }
  const size_t n = outputs(m);
  if (n == 0)
    return mn_fail(ctx, MN_BAD_DATA,
                   "OneHotEncoder: X must have a column with two categories if the first is dropped, got none");
  if (n > INT32_MAX)
    return mn_fail(ctx, MN_BAD_DATA, "OneHotEncoder: X must have at most %d categories, got %zu", INT32_MAX, n);
  return MN_OK;
}

/* Results of a lookup other than the index of an output column. */
#define NO_COLUMN (-1.0)
#define IS_UNKNOWN (-2.0)

struct work {
  const struct one_hot_encoder *model;
  const mn_data *data;
  const struct mn_lookup *lookup; /* features: index of the output column, or one of the above */
  mn_matrix *dense;               /* result, or NULL */
  mn_csr *sparse;                 /* result, or NULL */
  size_t *bad_row;                /* blocks: first row with an unknown category, or the number of rows */
  mn_blocks blocks;
};

/* Lookup of the output columns of the categories of column j, the first of which is `first`. */
static mn_status make_lookup(mn_context *ctx, const struct one_hot_encoder *m, size_t j, size_t first,
                             struct mn_lookup *lookup)
{
  const struct mn_categories *c = &m->categories;
  const size_t n = mn_category_count(c, j);
  const int32_t *group = mn_category_groups(c, j), dropped = m->dropped.at[j], rare = c->infrequent.at[j];
  double *column = MN_RAW(ctx, double, n, 1);
  MN_CHECK_ALLOC(column);
  for (size_t k = 0; k < n; k++) {
    const int32_t place = group[k] - (dropped >= 0 && group[k] > dropped);
    column[k] = group[k] == dropped ? NO_COLUMN : (double)(first + (size_t)place);
  }
  double unknown = m->handle_unknown == UNKNOWN_ERROR ? IS_UNKNOWN : NO_COLUMN;
  if (m->handle_unknown == UNKNOWN_INFREQUENT && rare >= 0 && rare != dropped)
    unknown = (double)(first + (size_t)(rare - (dropped >= 0)));
  return mn_make_lookup(ctx, c, &m->base, j, column, unknown, lookup);
}

static mn_status make_lookups(mn_context *ctx, const struct one_hot_encoder *m, const struct mn_lookup **out)
{
  const size_t p = m->base.n_features;
  struct mn_lookup *lookup = MN_RAW(ctx, struct mn_lookup, p, 1);
  MN_CHECK_ALLOC(lookup);
  size_t first = 0;
  for (size_t j = 0; j < p; first += count_columns(m, j++)) MN_TRY(make_lookup(ctx, m, j, first, &lookup[j]));
  *out = lookup;
  return MN_OK;
}

static mn_status init_work(mn_context *ctx, const struct one_hot_encoder *m, const mn_data *data, struct work *w)
{
  const size_t p = data->features;
  *w = (struct work){ .model = m, .data = data };
  MN_TRY(make_lookups(ctx, m, &w->lookup));
  w->blocks = mn_make_blocks(data->rows, BLOCK_VALUES / (p + outputs(m)), SIZE_MAX);
  w->bad_row = MN_RAW(ctx, size_t, w->blocks.count, 1);
  MN_CHECK_ALLOC(w->bad_row);
  return MN_OK;
}

static void encode_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct work *w = work;
  const size_t p = w->data->features;
  w->bad_row[block] = w->data->rows;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    const double *x = mn_row(&w->data->x, i);
    double *out = mn_row(w->dense, i);
    for (size_t j = 0; j < p; j++) {
      const double column = mn_look_up(&w->lookup[j], x[j]);
      if (column >= 0)
        out[(size_t)column] = 1;
      else if (column <= IS_UNKNOWN && w->bad_row[block] == w->data->rows)
        w->bad_row[block] = i;
    }
  }
}

static mn_status report_unknown(mn_context *ctx, const struct work *w)
{
  for (size_t b = 0; b < w->blocks.count; b++) {
    const size_t i = w->bad_row[b];
    if (i == w->data->rows) continue;
    size_t j = 0;
    while (mn_look_up(&w->lookup[j], mn_row(&w->data->x, i)[j]) > IS_UNKNOWN) j++;
    return mn_unknown_category(ctx, &w->model->base, w->data, i, j);
  }
  return MN_OK;
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  struct work w;
  MN_TRY(init_work(ctx, self, data, &w));
  w.dense = out;
  MN_TRY(mn_parallel(ctx, w.blocks.count, encode_block, &w));
  return report_unknown(ctx, &w);
}

/* Count the ones of each row, into start[i + 1]. */
static void count_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct work *w = work;
  w->bad_row[block] = w->data->rows;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    const double *x = mn_row(&w->data->x, i);
    size_t ones = 0;
    for (size_t j = 0; j < w->data->features; j++) {
      const double column = mn_look_up(&w->lookup[j], x[j]);
      ones += column >= 0;
      if (column <= IS_UNKNOWN && w->bad_row[block] == w->data->rows) w->bad_row[block] = i;
    }
    w->sparse->start[i + 1] = ones;
  }
}

static void fill_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct work *w = work;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    const double *x = mn_row(&w->data->x, i);
    size_t at = w->sparse->start[i];
    for (size_t j = 0; j < w->data->features; j++) { /* columns are ascending: those of feature j + 1 come later */
      const double column = mn_look_up(&w->lookup[j], x[j]);
      if (!(column >= 0)) continue;
      w->sparse->col[at] = (int32_t)column;
      w->sparse->at[at++] = 1;
    }
  }
}

static mn_status transform_sparse(mn_context *ctx, const void *self, const mn_data *data, mn_csr *out)
{
  struct work w;
  MN_TRY(init_work(ctx, self, data, &w));
  size_t *start = MN_NEW(ctx, size_t, data->rows + 1, 1);
  MN_CHECK_ALLOC(start);
  mn_csr counts = { .start = start };
  w.sparse = &counts;
  MN_TRY(mn_parallel(ctx, w.blocks.count, count_block, &w));
  MN_TRY(report_unknown(ctx, &w));
  for (size_t i = 0; i < data->rows; i++) start[i + 1] += start[i];
  MN_TRY(mn_csr_init(ctx, out, data->rows, outputs(self), start[data->rows]));
  memcpy(out->start, start, (data->rows + 1) * sizeof *start);
  w.sparse = out;
  return mn_parallel(ctx, w.blocks.count, fill_block, &w);
}

static bool outputs_sparse(const void *self)
{
  return ((const struct one_hot_encoder *)self)->sparse_output;
}

/* Values of the groups of column j in X; NaN for missing and infrequent ones. */
static mn_status group_values(mn_context *ctx, const struct one_hot_encoder *m, size_t j, double **value)
{
  const struct mn_categories *c = &m->categories;
  const size_t groups = (size_t)c->groups.at[j];
  *value = MN_RAW(ctx, double, groups, 1);
  MN_CHECK_ALLOC(*value);
  const int32_t *group = mn_category_groups(c, j);
  for (size_t k = mn_category_count(c, j); k-- > 0;) {
    const bool rare = group[k] == c->infrequent.at[j];
    (*value)[group[k]] = rare ? (double)NAN : mn_category_value(c, &m->base, j, k);
  }
  return MN_OK;
}

/* The group with the largest value in a row's block, ties by lowest index; -1 if none is above 0. */
static ptrdiff_t largest_group(const double *block, size_t width)
{
  ptrdiff_t best = -1;
  double max = 0;
  for (size_t g = 0; g < width; g++) {
    if (!(block[g] > max)) continue;
    max = block[g];
    best = (ptrdiff_t)g;
  }
  return best;
}

static mn_status decode_column(mn_context *ctx, const struct one_hot_encoder *m, const mn_data *data, size_t j,
                               size_t first, mn_matrix *out)
{
  const int32_t dropped = m->dropped.at[j];
  const size_t width = count_columns(m, j);
  double *value;
  MN_TRY(group_values(ctx, m, j, &value));
  for (size_t i = 0; i < data->rows; i++) {
    const ptrdiff_t place = largest_group(mn_row(&data->x, i) + first, width);
    double x = (double)NAN;
    if (place >= 0)
      x = value[place + (dropped >= 0 && place >= dropped)];
    else if (dropped >= 0)
      x = value[dropped];
    else if (m->handle_unknown == UNKNOWN_ERROR && width > 0)
      return mn_fail(
          ctx, MN_BAD_DATA,
          "OneHotEncoder: X must have a value > 0 for each feature in every row, got none for feature %zu in row %zu",
          j + 1, i + 1);
    mn_row(out, i)[j] = x;
  }
  return MN_OK;
}

static mn_status inverse_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct one_hot_encoder *m = self;
  size_t first = 0;
  for (size_t j = 0; j < out->cols; first += count_columns(m, j++)) MN_TRY(decode_column(ctx, m, data, j, first, out));
  return MN_OK;
}

static void output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size)
{
  const struct one_hot_encoder *m = self;
  size_t feature = 0;
  for (; j >= count_columns(m, feature); feature++) j -= count_columns(m, feature);
  const int32_t dropped = m->dropped.at[feature];
  mn_group_name(&m->categories, inputs, feature, j + (dropped >= 0 && j >= (size_t)dropped), text, size);
}

static mn_status check(mn_context *ctx, const void *self)
{
  const struct one_hot_encoder *m = self;
  bool valid = mn_categories_are_valid(&m->categories, &m->base) && m->dropped.at;
  for (size_t j = 0; valid && j < m->dropped.size; j++)
    valid = m->dropped.at[j] >= -1 && m->dropped.at[j] < m->categories.groups.at[j];
  valid = valid && outputs(m) > 0 && outputs(m) <= INT32_MAX;
  return valid ? MN_OK : mn_fail(ctx, MN_BAD_FILE, "OneHotEncoder: categories and columns are inconsistent");
}

static const char *const drops[] = { "none", "first", "if_binary", NULL };
static const char *const unknowns[] = { "error", "ignore", "infrequent_if_exist", NULL };

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct one_hot_encoder *m = self;
  const struct mn_lookup *lookup;
  if (action != MN_TRANSFORM_X) return MN_OK;
  MN_TRY(make_lookups(ctx, m, &lookup));
  mn_program_code(program, "for c < outputs { out[c] = 0.0 }");
  MN_TRY(mn_lookup_program(ctx, lookup, m->base.n_features, program));
  mn_program_code(program, "if found < -1.5 { refuse \"X must have categories that fit saw\" }"
                           "if found >= 0 { out[index(found)] = 1.0 }"
                           "}");
  return MN_OK;
}

static const mn_param params[] = {
  MN_CHOICE(
      struct one_hot_encoder, drop, DROP_NONE, drops,
      "first: drop the first category of each column, so that the columns are not collinear; if_binary: only of columns with two categories"),
  MN_CHOICE(
      struct one_hot_encoder, handle_unknown, UNKNOWN_ERROR, unknowns,
      "categories not seen in fit: raise an error, encode as zeros (ignore) or as the infrequent group (infrequent_if_exist)"),
  MN_REAL(
      struct one_hot_encoder, min_frequency, MN_UNSET_REAL, MN_GREATER_THAN(0),
      "merge categories rarer than this: a number of rows if at least 1, a fraction of the rows below 1; nil: none"),
  MN_COUNT(struct one_hot_encoder, max_categories, MN_UNSET, MN_CLOSED(1, INT32_MAX),
           "maximum number of output columns per column; the rarest categories are merged; nil: unlimited"),
  MN_FLAG(struct one_hot_encoder, sparse_output, false, "return a Sparse instead of a Matrix"),
  MN_END,
};

static const mn_field fields[] = {
  MN_CATEGORY_FIELDS(struct one_hot_encoder, categories),
  MN_INDEXES(struct one_hot_encoder, dropped, "features", NULL),
  MN_END,
};

const mn_class mn_one_hot_encoder = {
  .name = "OneHotEncoder",
  .family = "preprocess",
  .brief = "Encodes categories as indicator columns of 0 and 1.",
  .objective = "z_jk = 1 if x_j is category k else 0",
  .source = "Suits, Journal of the American Statistical Association 52 (1957)",
  .notes = "The categories of a factor column are its levels, including levels without rows; those of a numeric "
           "column are its distinct values. Missing values seen in fit form a category. The result is dense unless "
           "sparse_output is set (sparse in scikit-learn). If no column has more than max_categories, no group is "
           "formed (scikit-learn then calls the rarest category infrequent). inverse_transform returns missing "
           "values for infrequent and unknown categories.",
  .example = "local enc = ml.OneHotEncoder{}:fit{ {\"red\", 1}, {\"blue\", 2}, {\"red\", 2} }\n"
             "print(table.concat(enc:output_names(), \", \"))\n"
             "print(enc:transform{ {\"blue\", 1} })",
  .capabilities = MN_TRANSFORM | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_MISSING | MN_FACTORS,
  .size = sizeof(struct one_hot_encoder),
  .params = params,
  .fields = fields,
  .fit = fit,
  .transform = transform,
  .outputs_whole = mn_all_outputs_whole,
  .transform_sparse = transform_sparse,
  .outputs_sparse = outputs_sparse,
  .inverse_transform = inverse_transform,
  .outputs = outputs,
  .output_name = output_name,
  .check = check,
  .export = export,
};
