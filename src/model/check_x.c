#include "../core/finite.h"
#include "check.h"
#include "table.h"
#include <stdio.h>
#include <string.h>

/* " ('age')", or "" if columns have no names. Returns `text`. */
static const char *column_name(const mn_table *x, size_t col, char *text, size_t size)
{
  if (x->names)
    snprintf(text, size, " ('%.60s')", x->names[col]);
  else
    text[0] = '\0';
  return text;
}

static mn_status bad_value(mn_context *ctx, const mn_class *class, const mn_table *x, const char *must, size_t row,
                           size_t col, double value)
{
  char number[MN_NUMBER_SIZE], name[80], remedy[200] = "";
  if (isnan(value) && class->missing_alternatives)
    snprintf(remedy, sizeof remedy, "; impute missing values (SimpleImputer), or use %s, which accept%s them",
             class->missing_alternatives, strstr(class->missing_alternatives, " and ") ? "" : "s");
  else if (isnan(value))
    snprintf(remedy, sizeof remedy, "; impute missing values (SimpleImputer) or drop them");
  return mn_fail(ctx, MN_BAD_DATA, "%s: X must be %s, got %s in row %zu, column %zu%s%s", class->name, must,
                 mn_format_number(number, value), row + 1, col + 1, column_name(x, col, name, sizeof name), remedy);
}

static bool is_accepted(const mn_class *class, double value)
{
  return isfinite(value) || (isnan(value) && class->accepts & MN_MISSING) ||
         (isinf(value) && class->accepts & MN_INFINITE);
}

/* data->moderate is set where all values are found to be below MN_MODERATE. */
static mn_status check_finite(mn_context *ctx, const mn_class *class, const mn_table *x, mn_data *data)
{
  const mn_matrix *m = &x->dense;
  const size_t n = m->rows * m->cols;
  const bool any = class->accepts & MN_MISSING && class->accepts & MN_INFINITE;
  size_t i = n;
  if (!any) MN_TRY(mn_find_beyond(ctx, n, m->at, MN_MODERATE, &i));
  if (!any && i == n) data->moderate = m->at;
  for (; i < n; i++)
    if (!is_accepted(class, m->at[i])) return bad_value(ctx, class, x, "finite", i / m->cols, i % m->cols, m->at[i]);
  return MN_OK;
}

static mn_status check_dense_values(mn_context *ctx, const mn_class *class, const mn_table *x, mn_data *data)
{
  const mn_matrix *m = &x->dense;
  bool good = x->moderate == m->at && !(class->accepts & MN_NON_NEGATIVE);
  data->moderate = x->moderate == m->at ? m->at : NULL;
  if (class->accepts & MN_NON_NEGATIVE) MN_TRY(mn_are_non_negative(ctx, m->rows * m->cols, m->at, &good));
  if (good) return MN_OK;
  MN_TRY(check_finite(ctx, class, x, data));
  if (class->accepts & MN_NON_NEGATIVE)
    for (size_t i = 0; i < m->rows * m->cols; i++)
      if (m->at[i] < 0) return bad_value(ctx, class, x, ">= 0", i / m->cols, i % m->cols, m->at[i]);
  return MN_OK;
}

static mn_status check_sparse_values(mn_context *ctx, const mn_class *class, const mn_table *x, const mn_csr *s)
{
  const size_t n = s->start[s->rows];
  size_t bad;
  bool good;
  if (class->accepts & MN_NON_NEGATIVE) {
    MN_TRY(mn_are_non_negative(ctx, n, s->at, &good));
  } else {
    MN_TRY(mn_find_beyond(ctx, n, s->at, (double)INFINITY, &bad));
    good = bad == n;
  }
  if (good) return MN_OK;
  for (size_t i = 0; i < s->rows; i++)
    for (size_t e = s->start[i]; e < s->start[i + 1]; e++) {
      const size_t col = (size_t)s->col[e];
      if (!is_accepted(class, s->at[e])) return bad_value(ctx, class, x, "finite", i, col, s->at[e]);
      if (class->accepts & MN_NON_NEGATIVE && s->at[e] < 0) return bad_value(ctx, class, x, ">= 0", i, col, s->at[e]);
    }
  return MN_OK;
}

static mn_status check_not_empty(mn_context *ctx, const mn_class *class, const mn_table *x)
{
  if (x->rows == 0) return mn_fail(ctx, MN_BAD_DATA, "%s: X must have at least 1 row, got 0", class->name);
  if (x->cols == 0 && !(class->accepts & MN_NO_COLUMNS))
    return mn_fail(ctx, MN_BAD_DATA, "%s: X must have at least 1 column, got 0", class->name);
  return MN_OK;
}

static mn_status check_kind(mn_context *ctx, const mn_class *class, const mn_table *x)
{
  char name[80];
  if (x->sparse && !(class->accepts & MN_SPARSE))
    return mn_fail(ctx, MN_BAD_DATA, "%s: X must be dense, got a sparse matrix; convert it with X:todense()",
                   class->name);
  for (size_t j = 0; x->levels && j < x->cols; j++)
    if (x->levels[j] && !(class->accepts & (MN_FACTORS | MN_TEXTS)))
      return mn_fail(
          ctx, MN_BAD_DATA,
          "%s: X must be numeric, got a factor in column %zu%s; encode it with OneHotEncoder or OrdinalEncoder",
          class->name, j + 1, column_name(x, j, name, sizeof name));
  return MN_OK;
}

/* X is a factor column of texts without missing ones. */
static mn_status check_texts(mn_context *ctx, const mn_class *class, const mn_table *x)
{
  const mn_levels *levels = x->levels ? x->levels[0] : NULL;
  const char *must = class->accepts & MN_RECORDS ? "a list of tables, as { { city = \"Oslo\", age = 31 } }"
                                                 : "a list of strings, a Factor, or a Frame with one factor column";
  char name[80], text[64];
  if (x->cols != 1)
    return mn_fail(ctx, MN_BAD_DATA, "%s: X must have 1 column, got %zu; select the texts with ColumnTransformer",
                   class->name, x->cols);
  if (!levels) return mn_fail(ctx, MN_BAD_DATA, "%s: X must be %s, got numbers", class->name, must);
  for (size_t i = 0; i < x->rows; i++) {
    if (!(x->dense.at[i] >= 0))
      return mn_fail(ctx, MN_BAD_DATA,
                     "%s: X must have a text in every row, got nil in row %zu, column 1%s; replace it by ''",
                     class->name, i + 1, column_name(x, 0, name, sizeof name));
    const mn_label label = mn_levels_at(levels, (size_t)x->dense.at[i]);
    if (label.kind != MN_LABEL_TEXT)
      return mn_fail(ctx, MN_BAD_DATA, "%s: X must hold texts, got %s in row %zu, column 1%s; convert it with tostring",
                     class->name, mn_format_label(text, sizeof text, label), i + 1,
                     column_name(x, 0, name, sizeof name));
  }
  return MN_OK;
}

static mn_status check_values(mn_context *ctx, const mn_class *class, const mn_table *x, mn_data *data)
{
  if (class->accepts & MN_TEXTS || x->records)
    MN_TRY(check_texts(ctx, class, x));
  else if (x->sparse)
    MN_TRY(check_sparse_values(ctx, class, x, x->sparse));
  else
    MN_TRY(check_dense_values(ctx, class, x, data));
  data->x = x->dense;
  data->sparse = x->sparse;
  data->rows = x->rows;
  data->features = x->cols;
  data->levels = x->levels;
  data->records = x->records;
  return MN_OK;
}

mn_status mn_check_fit_x(mn_context *ctx, const mn_class *class, const mn_table *x, mn_data *data)
{
  MN_TRY(check_not_empty(ctx, class, x));
  MN_TRY(check_kind(ctx, class, x));
  if (class->accepts & MN_SQUARE && x->rows != x->cols)
    return mn_fail(ctx, MN_BAD_DATA, "%s: X must be square, got %zu x %zu", class->name, x->rows, x->cols);
  if (class->accepts & MN_ONE_COLUMN && x->cols != 1)
    return mn_fail(ctx, MN_BAD_DATA, "%s: X must have 1 column, got %zu", class->name, x->cols);
  return check_values(ctx, class, x, data);
}

static bool same_names(const mn_names *fit, const mn_table *x)
{
  if (fit->size != x->cols) return false;
  for (size_t j = 0; j < fit->size; j++)
    if (strcmp(fit->at[j], x->names[j]) != 0) return false;
  return true;
}

static mn_status wrong_width(mn_context *ctx, const mn_estimator *model, size_t expected, const mn_table *x)
{
  char missing[256] = "";
  size_t used = 0;
  if (x->names)
    for (size_t j = 0; j < model->feature_names.size && used < sizeof missing; j++)
      if (mn_table_find_column(x, model->feature_names.at[j]) == x->cols)
        used += (size_t)snprintf(missing + used, sizeof missing - used, "%s%s",
                                 used ? ", " : "; missing: ", model->feature_names.at[j]);
  return mn_fail(ctx, MN_BAD_DATA, "%s: X must have %zu column%s, as in fit, got %zu%s", model->class->name, expected,
                 expected == 1 ? "" : "s", x->cols, missing);
}

/* (*from)[j]: the column of x with the name of feature j. */
static mn_status match_names(mn_context *ctx, const mn_estimator *model, const mn_table *x, size_t **from)
{
  const size_t p = model->n_features;
  *from = MN_RAW(ctx, size_t, p, 1);
  MN_CHECK_ALLOC(*from);
  for (size_t j = 0; j < p; j++) {
    (*from)[j] = mn_table_find_column(x, model->feature_names.at[j]);
    if ((*from)[j] == x->cols) {
      if (x->cols != p) return wrong_width(ctx, model, p, x);
      return mn_fail(ctx, MN_BAD_DATA, "%s: X must have the columns of fit; missing: %s", model->class->name,
                     model->feature_names.at[j]);
    }
  }
  return MN_OK;
}

static mn_status reorder_columns(mn_context *ctx, const mn_table *x, const size_t *from, size_t p, mn_table *out)
{
  double *at = MN_RAW(ctx, double, x->rows, p);
  const mn_levels **levels = x->levels ? MN_RAW(ctx, const mn_levels *, p, 1) : NULL;
  if (!at || (x->levels && !levels)) return MN_NO_MEMORY;
  for (size_t i = 0; i < x->rows; i++)
    for (size_t j = 0; j < p; j++) at[i * p + j] = x->dense.at[i * x->cols + from[j]];
  for (size_t j = 0; levels && j < p; j++) levels[j] = x->levels[from[j]];
  *out = (mn_table){ .dense = { .at = at, .rows = x->rows, .cols = p }, .rows = x->rows, .cols = p, .levels = levels };
  return MN_OK;
}

/* Map the codes of column j from the levels of X to those of fit. */
static mn_status recode_column(mn_context *ctx, mn_matrix *m, size_t j, const mn_levels *from, const mn_levels *to)
{
  int32_t *map = MN_RAW(ctx, int32_t, mn_levels_size(from), 1);
  MN_CHECK_ALLOC(map);
  mn_levels_map(from, to, map);
  for (size_t i = 0; i < m->rows; i++) {
    double *value = m->at + i * m->cols + j;
    if (*value >= 0) *value = map[(size_t)*value];
  }
  return MN_OK;
}

/* Map the codes of x to the levels `expected` of each column (entries NULL for numbers; or NULL). */
static mn_status align_levels(mn_context *ctx, const mn_estimator *model, const mn_levels *const *expected, mn_table *x)
{
  if (!x->levels && !expected) return MN_OK;
  char name[80];
  bool copied = false;
  for (size_t j = 0; j < x->cols; j++) {
    const mn_levels *from = x->levels ? x->levels[j] : NULL, *to = expected ? expected[j] : NULL;
    if (from == to) continue;
    if (!from || !to)
      return mn_fail(ctx, MN_BAD_DATA, "%s: column %zu%s of X must be %s, as in fit, got %s", model->class->name, j + 1,
                     column_name(x, j, name, sizeof name), to ? "a factor" : "numeric", from ? "a factor" : "numbers");
    if (!copied) {
      double *at = MN_RAW(ctx, double, x->rows, x->cols);
      MN_CHECK_ALLOC(at);
      memcpy(at, x->dense.at, x->rows * x->cols * sizeof *at);
      x->dense.at = at;
      copied = true;
    }
    MN_TRY(recode_column(ctx, &x->dense, j, from, to));
  }
  x->levels = expected;
  return MN_OK;
}

mn_status mn_check_apply_x(mn_context *ctx, const mn_estimator *model, const char *action, const mn_table *x,
                           mn_data *data)
{
  const mn_class *class = model->class;
  MN_TRY(mn_require_fitted(ctx, model, action));
  MN_TRY(check_not_empty(ctx, class, x));
  mn_table aligned = *x;
  const bool by_name = x->names && !x->sparse && model->feature_names.size > 0;
  if (by_name && !same_names(&model->feature_names, x)) {
    size_t *from;
    MN_TRY(match_names(ctx, model, x, &from));
    MN_TRY(reorder_columns(ctx, x, from, model->n_features, &aligned));
    aligned.names = (const char *const *)model->feature_names.at;
  }
  if (model->fitted && aligned.cols != model->n_features) return wrong_width(ctx, model, model->n_features, x);
  MN_TRY(check_kind(ctx, class, &aligned));
  const mn_levels *const *levels = model->feature_levels.size > 0 ? model->feature_levels.at : NULL;
  const mn_table original = aligned;
  if (!aligned.sparse && !(class->accepts & MN_TEXTS) && !aligned.records)
    MN_TRY(align_levels(ctx, model, levels, &aligned));
  if (aligned.dense.at != original.dense.at) {
    data->original = original.dense.at;
    data->original_levels = original.levels;
  }
  return check_values(ctx, class, &aligned, data);
}

/* The levels of the columns of transform; NULL if all are numeric. */
static mn_status output_levels(mn_context *ctx, const mn_estimator *model, size_t width, const mn_levels ***levels)
{
  *levels = NULL;
  if (!mn_has_output_levels(model)) return MN_OK;
  *levels = MN_RAW(ctx, const mn_levels *, width, 1);
  MN_CHECK_ALLOC(*levels);
  for (size_t j = 0; j < width; j++) (*levels)[j] = mn_output_levels(model, j);
  return MN_OK;
}

mn_status mn_check_inverse_x(mn_context *ctx, const mn_estimator *model, const mn_table *x, mn_data *data)
{
  const mn_class *class = model->class;
  MN_TRY(mn_require_fitted(ctx, model, "inverse_transform"));
  MN_TRY(check_not_empty(ctx, class, x));
  const size_t width = model->fitted ? mn_width(model, MN_TRANSFORM_X) : x->cols;
  if (x->cols != width)
    return mn_fail(ctx, MN_BAD_DATA, "%s: X must have %zu columns, as transform returns, got %zu", class->name, width,
                   x->cols);
  if (x->sparse)
    return mn_fail(ctx, MN_BAD_DATA, "%s: X must be dense, got a sparse matrix; convert it with X:todense()",
                   class->name);
  const mn_levels **levels;
  mn_table aligned = *x;
  MN_TRY(output_levels(ctx, model, width, &levels));
  MN_TRY(align_levels(ctx, model, levels, &aligned));
  data->x = aligned.dense;
  data->rows = x->rows;
  data->features = x->cols;
  data->levels = aligned.levels;
  return check_finite(ctx, class, x, data);
}
