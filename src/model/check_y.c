#include "check.h"
#include <string.h>

mn_status mn_check_rows(mn_context *ctx, const char *who, const char *what, size_t got, size_t rows)
{
  if (got == rows) return MN_OK;
  return mn_fail(ctx, MN_BAD_DATA, "%s: %s must have as many rows as X, %zu, got %zu", who, what, rows, got);
}

static mn_status check_finite_y(mn_context *ctx, const char *who, const mn_matrix *y)
{
  char number[MN_NUMBER_SIZE];
  for (size_t i = 0; i < y->rows * y->cols; i++)
    if (!isfinite(y->at[i]))
      return mn_fail(ctx, MN_BAD_DATA, "%s: y must be finite, got %s in row %zu%s", who,
                     mn_format_number(number, y->at[i]), i / y->cols + 1,
                     isnan(y->at[i]) ? "; drop rows with a missing target" : "");
  return MN_OK;
}

/* The kinds of y that a model accepts: MN_Y_REALS, MN_Y_LABELS, MN_Y_COUNTS. */
static unsigned target_kinds(const mn_estimator *model)
{
  const mn_class *class = model->class;
  if (class->target_kind) return class->target_kind(model);
  const bool reals = class->capabilities & MN_REGRESS || class->accepts & MN_Y_REALS;
  const bool labels = class->capabilities & MN_CLASSIFY || class->accepts & MN_Y_LABELS;
  return (reals ? MN_Y_REALS : 0) | (labels ? MN_Y_LABELS : 0);
}

/* Whether y is used as labels; a model that accepts reals, too, does so for labels only. */
static bool uses_labels(const mn_estimator *model, const mn_target *y)
{
  const unsigned kinds = target_kinds(model);
  return kinds & MN_Y_LABELS && (!(kinds & MN_Y_REALS) || y->kind == MN_TARGET_LABELS);
}

static bool has_counts(const mn_estimator *model, const mn_target *y)
{
  return target_kinds(model) & MN_Y_COUNTS && y->reals.cols == 2;
}

static mn_status check_reals(mn_context *ctx, const mn_estimator *model, const mn_target *y, size_t rows)
{
  const mn_class *class = model->class;
  const char *who = class->name;
  if (y->kind == MN_TARGET_LABELS && !y->reals.at)
    return mn_fail(ctx, MN_BAD_DATA, "%s: y must be numeric, got labels%s", who,
                   class->capabilities & MN_REGRESS ? "; for labels use a classifier" : "");
  MN_TRY(mn_check_rows(ctx, who, "y", y->reals.rows, rows));
  if (y->reals.cols == 0) return mn_fail(ctx, MN_BAD_DATA, "%s: y must have at least 1 column, got 0", who);
  if (y->reals.cols > 1 && !(class->accepts & MN_MULTITARGET) && !has_counts(model, y))
    return mn_fail(ctx, MN_BAD_DATA, "%s: y must have 1 column, got %zu", who, y->reals.cols);
  return check_finite_y(ctx, who, &y->reals);
}

/* A number as a label: an integer where it came as one. */
static mn_label label_of(const mn_target *y, double value)
{
  return y->whole && fabs(value) <= 0x1p53 ? (mn_label){ .kind = MN_LABEL_INTEGER, .as.integer = (int64_t)value }
                                           : (mn_label){ .kind = MN_LABEL_FLOAT, .as.number = value };
}

enum { MAX_SPAN = 4096 };

/* Whether all y are integers in a small range, as class codes are: *low .. *low + *span. */
static bool are_small_integers(size_t n, const double *y, double *low, double *span)
{
  double min = y[0], max = y[0];
  for (size_t i = 0; i < n; i++) {
    if (!(fabs(y[i]) < INT32_MAX) || (double)(int32_t)y[i] != y[i]) return false;
    min = y[i] < min ? y[i] : min;
    max = y[i] > max ? y[i] : max;
  }
  *low = min;
  *span = max - min;
  return *span < MAX_SPAN;
}

/* Their levels and codes, by a table instead of a search for each. */
static mn_status encode_small_integers(mn_context *ctx, const mn_target *y, size_t rows, double low, size_t span,
                                       int32_t *code, const mn_levels **levels)
{
  int32_t *rank = MN_NEW(ctx, int32_t, span + 1, 1), size = 0;
  mn_label *label = MN_RAW(ctx, mn_label, span + 1, 1);
  if (!rank || !label) return MN_NO_MEMORY;
  for (size_t i = 0; i < rows; i++) rank[code[i] = (int32_t)(y->reals.at[i] - low)] = 1;
  for (size_t v = 0; v <= span; v++) {
    if (!rank[v]) continue;
    label[size] = label_of(y, low + (double)v);
    rank[v] = size++;
  }
  for (size_t i = 0; i < rows; i++) code[i] = rank[code[i]];
  *levels = mn_levels_new(ctx, label, (size_t)size, NULL);
  return *levels ? MN_OK : mn_error_status(ctx);
}

static mn_status encode_factor(mn_context *ctx, const mn_class *class, const mn_factor *labels, int32_t *code,
                               const mn_levels **levels)
{
  for (size_t i = 0; i < labels->size; i++) {
    code[i] = labels->code[i];
    if (code[i] < 0 && !(class->accepts & MN_UNLABELLED))
      return mn_fail(ctx, MN_BAD_DATA, "%s: y must not have missing labels, got one in row %zu", class->name, i + 1);
  }
  *levels = mn_levels_retain(labels->levels);
  return MN_OK;
}

static mn_status encode_numbers(mn_context *ctx, const char *who, const mn_target *y, size_t rows, int32_t *code,
                                const mn_levels **levels)
{
  char number[MN_NUMBER_SIZE];
  mn_label *label = MN_RAW(ctx, mn_label, rows, 1);
  MN_CHECK_ALLOC(label);
  for (size_t i = 0; i < rows; i++) {
    const double value = y->reals.at[i];
    if (value != floor(value))
      return mn_fail(
          ctx, MN_BAD_DATA,
          "%s: y must be class labels (text, whole numbers or booleans), got %s in row %zu; for real numbers use a regressor",
          who, mn_format_number(number, value), i + 1);
    label[i] = label_of(y, value);
  }
  *levels = mn_levels_new(ctx, label, rows, code);
  return *levels ? MN_OK : mn_error_status(ctx);
}

static mn_status encode_labels(mn_context *ctx, const mn_class *class, const mn_target *y, size_t rows, int32_t *code,
                               const mn_levels **levels);

/* The same for numbers some of which are NaN, the missing labels: their code is -1. */
static mn_status encode_partly_labelled(mn_context *ctx, const mn_class *class, const mn_target *y, size_t rows,
                                        int32_t *code, const mn_levels **levels)
{
  mn_target known = *y;
  double *value = MN_RAW(ctx, double, rows, 1);
  int32_t *known_code = MN_RAW(ctx, int32_t, rows, 1);
  if (!value || !known_code) return MN_NO_MEMORY;
  size_t n = 0, next = 0;
  for (size_t i = 0; i < rows; i++)
    if (!isnan(y->reals.at[i])) value[n++] = y->reals.at[i];
  if (n == 0) return mn_fail(ctx, MN_BAD_DATA, "%s: y must have labels, got only missing ones", class->name);
  known.reals = (mn_matrix){ .at = value, .rows = n, .cols = 1 };
  MN_TRY(encode_labels(ctx, class, &known, n, known_code, levels));
  for (size_t i = 0; i < rows; i++) code[i] = isnan(y->reals.at[i]) ? -1 : known_code[next++];
  return MN_OK;
}

static bool has_nan(const mn_matrix *y)
{
  for (size_t i = 0; i < y->rows; i++)
    if (isnan(y->at[i])) return true;
  return false;
}

/* The codes of y and their levels: those of a Factor, or the distinct numbers. */
static mn_status encode_labels(mn_context *ctx, const mn_class *class, const mn_target *y, size_t rows, int32_t *code,
                               const mn_levels **levels)
{
  const char *who = class->name;
  double low, span;
  MN_TRY(mn_check_rows(ctx, who, "y", y->kind == MN_TARGET_LABELS ? y->labels.size : y->reals.rows, rows));
  if (y->kind == MN_TARGET_LABELS) return encode_factor(ctx, class, &y->labels, code, levels);
  if (y->reals.cols != 1) return mn_fail(ctx, MN_BAD_DATA, "%s: y must have 1 column, got %zu", who, y->reals.cols);
  if (class->accepts & MN_UNLABELLED && has_nan(&y->reals))
    return encode_partly_labelled(ctx, class, y, rows, code, levels);
  MN_TRY(check_finite_y(ctx, who, &y->reals));
  if (are_small_integers(rows, y->reals.at, &low, &span))
    return encode_small_integers(ctx, y, rows, low, (size_t)span, code, levels);
  return encode_numbers(ctx, who, y, rows, code, levels);
}

/* Map codes from the levels of y to the known classes. */
static mn_status recode(mn_context *ctx, const char *who, const mn_levels *from, const mn_levels *to, size_t rows,
                        int32_t *code)
{
  int32_t *map = MN_RAW(ctx, int32_t, mn_levels_size(from), 1);
  MN_CHECK_ALLOC(map);
  mn_levels_map(from, to, map);
  for (size_t i = 0; i < rows; i++) {
    const int32_t old = code[i];
    if (old < 0) continue;
    code[i] = map[old];
    if (code[i] < 0) {
      char text[64];
      return mn_fail(ctx, MN_BAD_DATA, "%s: y must be one of the %zu classes known to the model, got %s in row %zu",
                     who, mn_levels_size(to), mn_format_label(text, sizeof text, mn_levels_at(from, (size_t)old)),
                     i + 1);
    }
  }
  return MN_OK;
}

/* Make classes of the levels that occur, so that each class has rows. */
static mn_status find_classes(mn_context *ctx, const char *who, const mn_levels *levels, mn_data *data,
                              const mn_levels **classes)
{
  const size_t k = mn_levels_size(levels);
  mn_label *present = MN_RAW(ctx, mn_label, k, 1);
  int32_t *map = MN_RAW(ctx, int32_t, k, 1), *code = MN_RAW(ctx, int32_t, data->rows, 1);
  bool *seen = MN_NEW(ctx, bool, k, 1);
  if (!present || !map || !code || !seen) return MN_NO_MEMORY;
  for (size_t i = 0; i < data->rows; i++)
    if (data->code[i] >= 0) seen[data->code[i]] = true;
  size_t n = 0;
  for (size_t c = 0; c < k; c++) {
    map[c] = (int32_t)n;
    if (seen[c]) present[n++] = mn_levels_at(levels, c);
  }
  if (n < 2) {
    char text[64];
    return mn_fail(ctx, MN_BAD_DATA, "%s: y must have at least 2 classes, got %zu class (%s)", who, n,
                   n ? mn_format_label(text, sizeof text, present[0]) : "none");
  }
  for (size_t i = 0; i < data->rows; i++) code[i] = data->code[i] < 0 ? -1 : map[data->code[i]];
  data->code = code;
  *classes = n == k ? mn_levels_retain(levels) : mn_levels_new(ctx, present, n, NULL);
  return *classes ? MN_OK : mn_error_status(ctx);
}

static mn_status check_labels(mn_context *ctx, mn_estimator *model, const mn_input *input, const mn_levels *known,
                              mn_data *data)
{
  const mn_class *class = model->class;
  int32_t *code = MN_RAW(ctx, int32_t, data->rows, 1);
  MN_CHECK_ALLOC(code);
  const mn_levels *levels = NULL, *classes = NULL;
  MN_TRY(encode_labels(ctx, class, &input->y, data->rows, code, &levels));
  data->code = code;
  mn_status status = MN_OK;
  if (known && mn_levels_size(known) < 2)
    status = mn_fail(ctx, MN_BAD_ARGUMENT, "%s: classes must list at least 2 labels, got %zu", class->name,
                     mn_levels_size(known));
  if (status == MN_OK && known) {
    status = recode(ctx, class->name, levels, known, data->rows, code);
    mn_levels_release(mn_context_memory(ctx), levels);
    levels = mn_levels_retain(known);
  }
  if (status == MN_OK) status = mn_apply_class_weight(ctx, model, levels, data);
  if (status == MN_OK) status = mn_finish_weights(ctx, class, data);
  if (status == MN_OK && known) classes = mn_levels_retain(known);
  if (status == MN_OK && !known) status = find_classes(ctx, class->name, levels, data, &classes);
  mn_levels_release(mn_context_memory(ctx), levels);
  if (status != MN_OK) return status;
  mn_levels_release(mn_context_memory(ctx), model->classes);
  model->classes = classes;
  data->classes = mn_levels_size(classes);
  if (class->accepts & MN_BINARY_ONLY && data->classes > 2)
    return mn_fail(ctx, MN_BAD_DATA, "%s: y must have 2 classes, got %zu%s", class->name, data->classes,
                   class->capabilities & MN_CLASSIFY
                       ? "; only binary classification is supported, so wrap it in OneVsRestClassifier"
                   : class->capabilities & MN_TRANSFORM
                       ? "; only binary classification is supported; for several classes use TargetEncoder"
                       : "");
  return MN_OK;
}

/* The codes of two classes as the numbers 0 and 1. */
static mn_status codes_as_reals(mn_context *ctx, const char *who, mn_data *data)
{
  if (data->classes != 2)
    return mn_fail(ctx, MN_BAD_DATA, "%s: y must be numeric, or labels of 2 classes, got %zu classes", who,
                   data->classes);
  double *y = MN_RAW(ctx, double, data->rows, 1);
  MN_CHECK_ALLOC(y);
  for (size_t i = 0; i < data->rows; i++) y[i] = data->code[i];
  data->y = (mn_matrix){ .at = y, .rows = data->rows, .cols = 1 };
  return MN_OK;
}

mn_status mn_check_target(mn_context *ctx, mn_estimator *model, const mn_input *input, const mn_levels *known,
                          mn_data *data)
{
  const mn_class *class = model->class;
  const mn_target *y = &input->y;
  MN_TRY(mn_check_weights(ctx, class, input, data));
  const bool needs_y = target_kinds(model) != 0, reals = target_kinds(model) & MN_Y_REALS;
  if (needs_y && y->kind == MN_TARGET_NONE && !(class->accepts & MN_Y_OPTIONAL))
    return mn_fail(ctx, MN_BAD_DATA, "%s: y must be given as in fit(X, y), got nil", class->name);
  if (!needs_y || y->kind == MN_TARGET_NONE) return mn_finish_weights(ctx, class, data);
  model->n_targets = reals ? 1 : model->n_targets;
  model->one_target = reals || model->one_target;
  if (uses_labels(model, y)) {
    if (!reals) model->one_target = y->reals.at != NULL;
    MN_TRY(check_labels(ctx, model, input, known, data));
    return reals && !(class->accepts & MN_Y_CLASSES) ? codes_as_reals(ctx, class->name, data) : MN_OK;
  }
  MN_TRY(check_reals(ctx, model, y, data->rows));
  data->y = y->reals;
  if (!has_counts(model, y)) {
    model->n_targets = y->reals.cols;
    model->one_target = y->vector;
  }
  return mn_finish_weights(ctx, class, data);
}

mn_status mn_check_target_like_fit(mn_context *ctx, const mn_estimator *model, const mn_target *y, mn_data *data)
{
  const mn_class *class = model->class;
  if (y->kind == MN_TARGET_NONE) return mn_fail(ctx, MN_BAD_DATA, "%s: y must be given, got nil", class->name);
  if (!(target_kinds(model) & MN_Y_LABELS) || !model->classes) {
    MN_TRY(check_reals(ctx, model, y, data->rows));
    if (y->reals.cols != model->n_targets && !has_counts(model, y))
      return mn_fail(ctx, MN_BAD_DATA, "%s: y must have %zu columns, as in fit, got %zu", class->name, model->n_targets,
                     y->reals.cols);
    data->y = y->reals;
    return MN_OK;
  }
  int32_t *code = MN_RAW(ctx, int32_t, data->rows, 1);
  MN_CHECK_ALLOC(code);
  const mn_levels *levels = NULL;
  MN_TRY(encode_labels(ctx, class, y, data->rows, code, &levels));
  const mn_status status = recode(ctx, class->name, levels, model->classes, data->rows, code);
  mn_levels_release(mn_context_memory(ctx), levels);
  data->code = code;
  data->classes = mn_levels_size(model->classes);
  const bool as_reals = target_kinds(model) & MN_Y_REALS && !(class->accepts & MN_Y_CLASSES);
  return status == MN_OK && as_reals ? codes_as_reals(ctx, class->name, data) : status;
}

mn_status mn_check_lengths(mn_context *ctx, const mn_class *class, const mn_input *input, mn_data *data)
{
  if (!input->lengths) return MN_OK;
  if (!(class->accepts & MN_LENGTHS))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s does not support the option 'lengths'", class->name);
  int64_t sum = 0;
  for (size_t i = 0; i < input->n_lengths; i++) {
    if (input->lengths[i] < 1)
      return mn_fail(ctx, MN_BAD_DATA, "%s: lengths must be >= 1, got %d at position %zu", class->name,
                     (int)input->lengths[i], i + 1);
    sum += input->lengths[i];
  }
  if (sum != (int64_t)data->rows)
    return mn_fail(ctx, MN_BAD_DATA, "%s: lengths must add up to the number of rows of X, %zu, got %lld", class->name,
                   data->rows, (long long)sum);
  data->lengths = input->lengths;
  data->n_lengths = input->n_lengths;
  return MN_OK;
}
