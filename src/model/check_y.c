#include "check.h"
#include <float.h>
#include <stdio.h>
#include <string.h>

static mn_status check_rows(mn_context *ctx, const char *who, const char *what, size_t got, size_t rows)
{
  if (got == rows) return MN_OK;
  return mn_fail(ctx, MN_BAD_DATA, "%s: %s must have as many rows as X, %zu, got %zu", who, what, rows, got);
}

static mn_status check_finite_y(mn_context *ctx, const char *who, const mn_matrix *y)
{
  char number[MN_NUMBER_SIZE];
  for (size_t i = 0; i < y->rows * y->cols; i++)
    if (!isfinite(y->at[i]))
      return mn_fail(ctx, MN_BAD_DATA, "%s: y must be finite, got %s at row %zu", who,
                     mn_format_number(number, y->at[i]), i / y->cols + 1);
  return MN_OK;
}

/* What a model learns from: MN_Y_REALS, MN_Y_LABELS, MN_Y_COUNTS. */
static unsigned wants(const mn_estimator *model)
{
  const mn_class *class = model->class;
  if (class->target_kind) return class->target_kind(model);
  const bool reals = class->capabilities & MN_REGRESS || class->accepts & MN_Y_REALS;
  const bool labels = class->capabilities & MN_CLASSIFY || class->accepts & MN_Y_LABELS;
  return (reals ? MN_Y_REALS : 0) | (labels ? MN_Y_LABELS : 0);
}

/* Labels, where it may have numbers as well? */
static bool wants_labels(const mn_estimator *model, const mn_target *y)
{
  const unsigned want = wants(model);
  return want & MN_Y_LABELS && (!(want & MN_Y_REALS) || y->kind == MN_TARGET_LABELS);
}

static bool has_counts(const mn_estimator *model, const mn_target *y)
{
  return wants(model) & MN_Y_COUNTS && y->reals.cols == 2;
}

static mn_status check_reals(mn_context *ctx, const mn_estimator *model, const mn_target *y, size_t rows)
{
  const mn_class *class = model->class;
  const char *who = class->name;
  if (y->kind == MN_TARGET_LABELS && !y->reals.at)
    return mn_fail(ctx, MN_BAD_DATA, "%s: y must be numbers, got labels", who);
  MN_TRY(check_rows(ctx, who, "y", y->reals.rows, rows));
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

enum { MOST_SMALL = 4096 };

/* Are these whole numbers that lie close together, as the codes of classes do? Then *low .. *low + *span. */
static bool small_numbers(size_t n, const double *y, double *low, double *span)
{
  double least = y[0], most = y[0];
  for (size_t i = 0; i < n; i++) {
    if (!(fabs(y[i]) < INT32_MAX) || (double)(int32_t)y[i] != y[i]) return false;
    least = y[i] < least ? y[i] : least;
    most = y[i] > most ? y[i] : most;
  }
  *low = least;
  *span = most - least;
  return *span < MOST_SMALL;
}

/* The levels and codes of such numbers, by a table instead of a search for each. */
static mn_status levels_of_small(mn_context *ctx, const mn_target *y, size_t rows, double low, size_t span,
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

/* Labels as a Factor has them; numbers become labels, integers where they came as integers. */
static mn_status labels_of(mn_context *ctx, const mn_class *class, const mn_target *y, size_t rows, int32_t *code,
                           const mn_levels **levels)
{
  const char *who = class->name;
  if (y->kind == MN_TARGET_LABELS) {
    MN_TRY(check_rows(ctx, who, "y", y->labels.size, rows));
    for (size_t i = 0; i < rows; i++) {
      code[i] = y->labels.code[i];
      if (code[i] < 0)
        return mn_fail(ctx, MN_BAD_DATA, "%s: y must have no missing labels, got one at row %zu", who, i + 1);
    }
    *levels = mn_levels_retain(y->labels.levels);
    return MN_OK;
  }
  MN_TRY(check_rows(ctx, who, "y", y->reals.rows, rows));
  if (y->reals.cols != 1) return mn_fail(ctx, MN_BAD_DATA, "%s: y must have 1 column, got %zu", who, y->reals.cols);
  MN_TRY(check_finite_y(ctx, who, &y->reals));
  double low, span;
  if (small_numbers(rows, y->reals.at, &low, &span))
    return levels_of_small(ctx, y, rows, low, (size_t)span, code, levels);
  char number[MN_NUMBER_SIZE];
  mn_label *label = MN_RAW(ctx, mn_label, rows, 1);
  MN_CHECK_ALLOC(label);
  for (size_t i = 0; i < rows; i++) {
    const double value = y->reals.at[i];
    if (value != floor(value))
      return mn_fail(ctx, MN_BAD_DATA,
                     "%s: y must be class labels (text, whole numbers or booleans), got %s at row %zu", who,
                     mn_format_number(number, value), i + 1);
    label[i] = label_of(y, value);
  }
  *levels = mn_levels_new(ctx, label, rows, code);
  return *levels ? MN_OK : mn_error_status(ctx);
}

static mn_status recode(mn_context *ctx, const char *who, const mn_levels *from, const mn_levels *to, size_t rows,
                        int32_t *code)
{
  int32_t *map = MN_RAW(ctx, int32_t, mn_levels_size(from), 1);
  MN_CHECK_ALLOC(map);
  mn_levels_map(from, to, map);
  for (size_t i = 0; i < rows; i++) {
    const int32_t old = code[i];
    code[i] = map[old];
    if (code[i] < 0) {
      char text[64];
      return mn_fail(ctx, MN_BAD_DATA, "%s: y must be one of the %zu classes given first, got %s at row %zu", who,
                     mn_levels_size(to), mn_format_label(text, sizeof text, mn_levels_at(from, (size_t)old)), i + 1);
    }
  }
  return MN_OK;
}

/* One weight for each query, as one for each of its rows. */
static mn_status spread_weights(mn_context *ctx, mn_data *data)
{
  double *weight = MN_RAW(ctx, double, data->rows, 1);
  MN_CHECK_ALLOC(weight);
  size_t row = 0;
  for (size_t q = 0; q < data->n_lengths; q++)
    for (int32_t i = 0; i < data->lengths[q]; i++) weight[row++] = data->weights[q];
  data->weights = weight;
  return MN_OK;
}

static mn_status check_weights(mn_context *ctx, const mn_class *class, const mn_input *input, mn_data *data)
{
  if (!input->weights) return MN_OK;
  const char *who = class->name;
  if (!(class->accepts & MN_WEIGHTS)) return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: takes no weights", who);
  const bool of_queries = class->capabilities & MN_RANK && data->lengths && input->n_weights == data->n_lengths;
  if (!of_queries) MN_TRY(check_rows(ctx, who, "weights", input->n_weights, data->rows));
  char number[MN_NUMBER_SIZE];
  double sum = 0;
  for (size_t i = 0; i < input->n_weights; i++) sum += input->weights[i];
  for (size_t i = 0; i < input->n_weights; i++)
    if (!(input->weights[i] >= 0 && input->weights[i] < INFINITY))
      return mn_fail(ctx, MN_BAD_DATA, "%s: weights must be finite and >= 0, got %s at %s %zu", who,
                     mn_format_number(number, input->weights[i]), of_queries ? "query" : "row", i + 1);
  if (!(sum < INFINITY)) return mn_fail(ctx, MN_BAD_DATA, "%s: weights must have a finite sum, got inf", who);
  data->weights = input->weights;
  return of_queries ? spread_weights(ctx, data) : MN_OK;
}

/* The factor for each class code: 1, or as the user said, or when balanced W / (k W_c) of the sums of weights, as
 * scikit-learn's compute_class_weight has it where it is given weights. */
static mn_status class_factors(mn_context *ctx, const mn_estimator *draft, const mn_levels *levels, const mn_data *data,
                               double *factor)
{
  const mn_class_weight *w = &draft->class_weight;
  const size_t k = mn_levels_size(levels);
  for (size_t c = 0; c < k; c++) factor[c] = 1;
  if (w->balanced) {
    double *count = MN_NEW(ctx, double, k, 1);
    MN_CHECK_ALLOC(count);
    double total = 0, present = 0;
    for (size_t i = 0; i < data->rows; i++) {
      count[data->code[i]] += mn_weight(data, i);
      total += mn_weight(data, i);
    }
    for (size_t c = 0; c < k; c++) present += count[c] > 0;
    for (size_t c = 0; c < k; c++)
      if (count[c] > 0) factor[c] = total / (present * count[c]);
    return MN_OK;
  }
  for (size_t l = 0; w->labels && l < mn_levels_size(w->labels); l++) {
    const int32_t c = mn_levels_find(levels, mn_levels_at(w->labels, l));
    char text[64];
    if (c < 0)
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: class_weight must name classes of y, got %s", draft->class->name,
                     mn_format_label(text, sizeof text, mn_levels_at(w->labels, l)));
    factor[c] = w->weight.at[l];
  }
  return MN_OK;
}

static mn_status apply_class_weight(mn_context *ctx, const mn_estimator *draft, const mn_levels *levels, mn_data *data)
{
  if (!draft->class_weight.balanced && !draft->class_weight.labels) return MN_OK;
  double *factor = MN_RAW(ctx, double, mn_levels_size(levels), 1), *weight = MN_RAW(ctx, double, data->rows, 1);
  if (!factor || !weight) return MN_NO_MEMORY;
  MN_TRY(class_factors(ctx, draft, levels, data, factor));
  double sum = 0;
  for (size_t i = 0; i < data->rows; i++) sum += weight[i] = mn_weight(data, i) * factor[data->code[i]];
  data->weights = weight;
  if (sum < INFINITY) return MN_OK;
  return mn_fail(ctx, MN_BAD_DATA, "%s: weights times class_weight must have a finite sum, got inf",
                 draft->class->name);
}

static mn_status take_sparse_rows(mn_context *ctx, const mn_csr *from, const size_t *kept, size_t n, mn_csr *to)
{
  size_t nonzeros = 0;
  for (size_t i = 0; i < n; i++) nonzeros += from->start[kept[i] + 1] - from->start[kept[i]];
  *to = (mn_csr){ .rows = n, .cols = from->cols };
  to->start = MN_RAW(ctx, size_t, n + 1, 1);
  to->col = MN_RAW(ctx, int32_t, nonzeros, 1);
  to->at = MN_RAW(ctx, double, nonzeros, 1);
  if (!to->start || !to->col || !to->at) return MN_NO_MEMORY;
  to->start[0] = 0;
  for (size_t i = 0; i < n; i++) {
    const size_t first = from->start[kept[i]], size = from->start[kept[i] + 1] - first;
    memcpy(to->col + to->start[i], from->col + first, size * sizeof *to->col);
    memcpy(to->at + to->start[i], from->at + first, size * sizeof *to->at);
    to->start[i + 1] = to->start[i] + size;
  }
  return MN_OK;
}

/* The lengths of the sequences without the rows that are dropped; a sequence that loses all is none. */
static mn_status shorten(mn_context *ctx, const double *weights, mn_data *data)
{
  if (!data->lengths) return MN_OK;
  int32_t *lengths = MN_RAW(ctx, int32_t, data->n_lengths, 1);
  MN_CHECK_ALLOC(lengths);
  size_t row = 0, n = 0;
  for (size_t s = 0; s < data->n_lengths; s++) {
    int32_t kept = 0;
    for (int32_t i = 0; i < data->lengths[s]; i++) kept += weights[row++] > 0;
    if (kept > 0) lengths[n++] = kept;
  }
  data->lengths = lengths;
  data->n_lengths = n;
  return MN_OK;
}

/* Only the n rows `kept`, in X, y and codes. */
static mn_status keep_rows(mn_context *ctx, const size_t *kept, size_t n, mn_data *data)
{
  if (data->sparse) {
    mn_csr *sparse = MN_RAW(ctx, mn_csr, 1, 1);
    MN_CHECK_ALLOC(sparse);
    MN_TRY(take_sparse_rows(ctx, data->sparse, kept, n, sparse));
    data->sparse = sparse;
  } else {
    mn_matrix x = { .at = MN_RAW(ctx, double, n, data->features), .rows = n, .cols = data->features };
    MN_CHECK_ALLOC(x.at);
    mn_gather_rows(&data->x, kept, n, &x);
    data->x = x;
  }
  if (data->y.at) {
    mn_matrix y = { .at = MN_RAW(ctx, double, n, data->y.cols), .rows = n, .cols = data->y.cols };
    MN_CHECK_ALLOC(y.at);
    mn_gather_rows(&data->y, kept, n, &y);
    data->y = y;
  }
  if (data->code) {
    int32_t *code = MN_RAW(ctx, int32_t, n, 1);
    MN_CHECK_ALLOC(code);
    for (size_t i = 0; i < n; i++) code[i] = data->code[kept[i]];
    data->code = code;
  }
  if (data->init_score.at) {
    mn_matrix score = { .at = MN_RAW(ctx, double, n, data->init_score.cols), .rows = n, .cols = data->init_score.cols };
    MN_CHECK_ALLOC(score.at);
    mn_gather_rows(&data->init_score, kept, n, &score);
    data->init_score = score;
  }
  data->rows = n;
  return MN_OK;
}

/* Weight 0 means that the row is not there: it is taken out here, so that it holds for every estimator. Weights that
 * are all 1 are no weights. */
static mn_status drop_weightless(mn_context *ctx, const char *who, mn_data *data)
{
  if (!data->weights) return MN_OK;
  size_t n = 0;
  bool all_one = true;
  for (size_t i = 0; i < data->rows; i++) {
    n += data->weights[i] > 0;
    all_one = all_one && !(data->weights[i] < 1) && !(data->weights[i] > 1);
  }
  if (all_one) data->weights = NULL;
  if (n == data->rows) return MN_OK;
  if (n == 0) return mn_fail(ctx, MN_BAD_DATA, "%s: weights must have a value > 0, got only 0", who);
  MN_TRY(shorten(ctx, data->weights, data));
  size_t *kept = MN_RAW(ctx, size_t, n, 1);
  double *weight = MN_RAW(ctx, double, n, 1);
  mn_data *whole = MN_RAW(ctx, mn_data, 1, 1);
  if (!kept || !weight || !whole) return MN_NO_MEMORY;
  *whole = *data;
  size_t next = 0;
  for (size_t i = 0; i < data->rows; i++)
    if (data->weights[i] > 0) kept[next++] = i;
  for (size_t i = 0; i < n; i++) weight[i] = data->weights[kept[i]];
  MN_TRY(keep_rows(ctx, kept, n, data));
  data->weights = weight;
  data->unfiltered = whole;
  data->kept_rows = kept;
  return drop_weightless(ctx, who, data); /* what is left may be all ones */
}

/* By a power of two, which costs no digit: the largest weight then has an exponent from -160 to 160. None becomes 0. */
static mn_status moderate_weights(mn_context *ctx, const mn_class *class, mn_data *data)
{
  const int most = 160; /* so that penalties beside sums of weights keep their meaning up to there */
  double largest = 0;
  int exponent;
  if (!data->weights || !(class->accepts & MN_WEIGHTS_RATIO)) return MN_OK;
  for (size_t i = 0; i < data->rows; i++) largest = fmax(largest, data->weights[i]);
  (void)frexp(largest, &exponent);
  if (exponent >= -most && exponent <= most) return MN_OK;
  const int shift = (exponent > 0 ? most : -most) - exponent;
  double *weight = MN_RAW(ctx, double, data->rows, 1);
  MN_CHECK_ALLOC(weight);
  for (size_t i = 0; i < data->rows; i++) weight[i] = fmax(ldexp(data->weights[i], shift), DBL_MIN);
  data->weights = weight;
  return MN_OK;
}

static mn_status settle_weights(mn_context *ctx, const mn_class *class, mn_data *data)
{
  MN_TRY(drop_weightless(ctx, class->name, data));
  return moderate_weights(ctx, class, data);
}

/* Only the levels that occur stay classes, so that each class has rows. */
static mn_status keep_present(mn_context *ctx, const char *who, const mn_levels *levels, mn_data *data,
                              const mn_levels **classes)
{
  const size_t k = mn_levels_size(levels);
  mn_label *present = MN_RAW(ctx, mn_label, k, 1);
  int32_t *map = MN_RAW(ctx, int32_t, k, 1), *code = MN_RAW(ctx, int32_t, data->rows, 1);
  bool *seen = MN_NEW(ctx, bool, k, 1);
  if (!present || !map || !code || !seen) return MN_NO_MEMORY;
  for (size_t i = 0; i < data->rows; i++) seen[data->code[i]] = true;
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
  for (size_t i = 0; i < data->rows; i++) code[i] = map[data->code[i]];
  data->code = code;
  *classes = n == k ? mn_levels_retain(levels) : mn_levels_new(ctx, present, n, NULL);
  return *classes ? MN_OK : mn_error_status(ctx);
}

static mn_status check_labels(mn_context *ctx, mn_estimator *draft, const mn_input *input, const mn_levels *known,
                              mn_data *data)
{
  const mn_class *class = draft->class;
  int32_t *code = MN_RAW(ctx, int32_t, data->rows, 1);
  MN_CHECK_ALLOC(code);
  const mn_levels *levels = NULL, *classes = NULL;
  MN_TRY(labels_of(ctx, class, &input->y, data->rows, code, &levels));
  data->code = code;
  mn_status status = MN_OK;
  if (known && mn_levels_size(known) < 2)
    status = mn_fail(ctx, MN_BAD_ARGUMENT, "%s: classes must name at least 2 classes, got %zu", class->name,
                     mn_levels_size(known));
  if (status == MN_OK && known) {
    status = recode(ctx, class->name, levels, known, data->rows, code);
    mn_levels_release(mn_context_memory(ctx), levels);
    levels = mn_levels_retain(known);
  }
  if (status == MN_OK) status = apply_class_weight(ctx, draft, levels, data);
  if (status == MN_OK) status = settle_weights(ctx, class, data);
  if (status == MN_OK && known) classes = mn_levels_retain(known);
  if (status == MN_OK && !known) status = keep_present(ctx, class->name, levels, data, &classes);
  mn_levels_release(mn_context_memory(ctx), levels);
  if (status != MN_OK) return status;
  mn_levels_release(mn_context_memory(ctx), draft->classes);
  draft->classes = classes;
  data->classes = mn_levels_size(classes);
  if (class->accepts & MN_BINARY_ONLY && data->classes > 2)
    return mn_fail(ctx, MN_BAD_DATA, "%s: y must have 2 classes, got %zu; only binary classification is supported",
                   class->name, data->classes);
  return MN_OK;
}

/* The codes of two classes as the numbers 0 and 1. */
static mn_status codes_as_reals(mn_context *ctx, const char *who, mn_data *data)
{
  if (data->classes != 2)
    return mn_fail(ctx, MN_BAD_DATA, "%s: y must be numbers, or labels of 2 classes, got %zu classes", who,
                   data->classes);
  double *y = MN_RAW(ctx, double, data->rows, 1);
  MN_CHECK_ALLOC(y);
  for (size_t i = 0; i < data->rows; i++) y[i] = data->code[i];
  data->y = (mn_matrix){ .at = y, .rows = data->rows, .cols = 1 };
  return MN_OK;
}

mn_status mn_check_target(mn_context *ctx, mn_estimator *draft, const mn_input *input, const mn_levels *known,
                          mn_data *data)
{
  const mn_class *class = draft->class;
  const mn_target *y = &input->y;
  MN_TRY(check_weights(ctx, class, input, data));
  const bool wanted = wants(draft) != 0, both = wants(draft) & MN_Y_REALS;
  if (wanted && y->kind == MN_TARGET_NONE && !(class->accepts & MN_Y_OPTIONAL))
    return mn_fail(ctx, MN_BAD_DATA, "%s: y must be given, fit(X, y), got nil", class->name);
  if (!wanted || y->kind == MN_TARGET_NONE) return settle_weights(ctx, class, data);
  draft->n_targets = both ? 1 : draft->n_targets;
  draft->one_target = both || draft->one_target;
  if (wants_labels(draft, y)) {
    MN_TRY(check_labels(ctx, draft, input, known, data));
    return both ? codes_as_reals(ctx, class->name, data) : MN_OK;
  }
  MN_TRY(check_reals(ctx, draft, y, data->rows));
  data->y = y->reals;
  if (!has_counts(draft, y)) {
    draft->n_targets = y->reals.cols;
    draft->one_target = y->vector;
  }
  return settle_weights(ctx, class, data);
}

mn_status mn_check_target_like_fit(mn_context *ctx, const mn_estimator *model, const mn_target *y, mn_data *data)
{
  const mn_class *class = model->class;
  if (y->kind == MN_TARGET_NONE) return mn_fail(ctx, MN_BAD_DATA, "%s: y must be given, got nil", class->name);
  if (!(wants(model) & MN_Y_LABELS) || !model->classes) {
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
  MN_TRY(labels_of(ctx, class, y, data->rows, code, &levels));
  const mn_status status = recode(ctx, class->name, levels, model->classes, data->rows, code);
  mn_levels_release(mn_context_memory(ctx), levels);
  data->code = code;
  data->classes = mn_levels_size(model->classes);
  return status == MN_OK && wants(model) & MN_Y_REALS ? codes_as_reals(ctx, class->name, data) : status;
}

mn_status mn_check_lengths(mn_context *ctx, const mn_class *class, const mn_input *input, mn_data *data)
{
  if (!input->lengths) return MN_OK;
  if (!(class->accepts & MN_LENGTHS)) return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: takes no lengths", class->name);
  int64_t sum = 0;
  for (size_t i = 0; i < input->n_lengths; i++) {
    if (input->lengths[i] < 1)
      return mn_fail(ctx, MN_BAD_DATA, "%s: lengths must be >= 1, got %d at position %zu", class->name,
                     (int)input->lengths[i], i + 1);
    sum += input->lengths[i];
  }
  if (sum != (int64_t)data->rows)
    return mn_fail(ctx, MN_BAD_DATA, "%s: lengths must add up to the rows of X, %zu, got %lld", class->name, data->rows,
                   (long long)sum);
  data->lengths = input->lengths;
  data->n_lengths = input->n_lengths;
  return MN_OK;
}
