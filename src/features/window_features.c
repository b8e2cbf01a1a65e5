/* Adds statistics of the preceding rows of a series. */
#include "../core/threads.h"
#include "../preprocess/names.h"
#include "../sequence/sequences.h"
#include "series.h"

enum { STATISTICS = 5, BLOCK_VALUES = 1 << 12 };

struct window_features {
  mn_estimator base;
  mn_vector window; /* parameters */
  int64_t periods, min_periods;
  bool mean, std, min, max, sum, drop_original;
  mn_vector windows; /* learned fields */
  mn_indexes columns;
};

/* The values of a window, without missing ones. */
struct window {
  size_t n;
  double sum, min, max, mean, square;
};

static double mean_of(const struct window *w)
{
  return w->mean;
}
static double std_of(const struct window *w)
{
  return w->n > 1 ? sqrt(w->square / (double)(w->n - 1)) : (double)NAN;
}
static double min_of(const struct window *w)
{
  return w->min;
}
static double max_of(const struct window *w)
{
  return w->max;
}
static double sum_of(const struct window *w)
{
  return w->sum;
}

static const struct statistic {
  const char *name;
  size_t flag;
  double (*value)(const struct window *w);
} statistics[STATISTICS] = {
  { "mean", offsetof(struct window_features, mean), mean_of }, { "std", offsetof(struct window_features, std), std_of },
  { "min", offsetof(struct window_features, min), min_of },    { "max", offsetof(struct window_features, max), max_of },
  { "sum", offsetof(struct window_features, sum), sum_of },
};

/* The statistics that were chosen. */
static mn_status learn_columns(mn_context *ctx, struct window_features *m)
{
  size_t n = 0;
  MN_TRY(mn_indexes_init(ctx, &m->columns, STATISTICS));
  for (size_t s = 0; s < STATISTICS; s++)
    if (*(const bool *)((const char *)m + statistics[s].flag)) m->columns.at[n++] = (int32_t)s;
  if (n == 0)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "WindowFeatures: at least one of mean, std, min, max and sum must be true");
  m->columns.size = n;
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct window_features *m = self;
  (void)data;
  MN_TRY(mn_series_counts(ctx, "WindowFeatures", "window", &m->window, 3, &m->windows));
  return learn_columns(ctx, m);
}

static size_t outputs(const void *self)
{
  const struct window_features *m = self;
  return m->base.n_features * (m->windows.size * m->columns.size + !m->drop_original);
}

struct work {
  const struct window_features *model;
  const mn_data *data;
  const size_t *first;
  mn_matrix *out;
  mn_blocks blocks;
};

/* The rows of the window that ends `periods` rows before row i. */
static struct window read_window(const struct work *w, size_t i, size_t j, size_t size)
{
  const size_t before = i - w->first[i] + 1, skipped = (size_t)w->model->periods;
  struct window v = { .min = INFINITY, .max = -INFINITY };
  if (before <= skipped) return v;
  const size_t end = i + 1 - skipped, rows = before - skipped < size ? before - skipped : size;
  for (size_t r = end - rows; r < end; r++) {
    const double x = mn_row(&w->data->x, r)[j];
    if (isnan(x)) continue;
    v.n++;
    v.sum += x;
    v.min = x < v.min ? x : v.min;
    v.max = x > v.max ? x : v.max;
    const double d = x - v.mean;
    v.mean += d / (double)v.n;
    v.square += d * (x - v.mean);
  }
  return v;
}

static double *write_windows(const struct work *w, size_t i, size_t k, double *out)
{
  const struct window_features *m = w->model;
  const size_t size = (size_t)m->windows.at[k], p = w->data->features;
  const size_t needed = m->min_periods == MN_UNSET ? size : (size_t)m->min_periods;
  for (size_t j = 0; j < p; j++) {
    const struct window v = read_window(w, i, j, size);
    const bool enough = v.n >= needed && v.n > 0;
    for (size_t s = 0; s < m->columns.size; s++)
      out[s * p + j] = enough ? statistics[m->columns.at[s]].value(&v) : (double)NAN;
  }
  return out + p * m->columns.size;
}

static void transform_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct work *w = work;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    double *out = mn_row(w->out, i);
    for (size_t j = 0; !w->model->drop_original && j < w->data->features; j++) *out++ = mn_row(&w->data->x, i)[j];
    for (size_t k = 0; k < w->model->windows.size; k++) out = write_windows(w, i, k, out);
  }
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  struct work w = { .model = self, .data = data, .out = out };
  size_t *first;
  MN_TRY(mn_series_begins(ctx, data, &first));
  w.first = first;
  w.blocks = mn_make_blocks(data->rows, BLOCK_VALUES / data->features, SIZE_MAX);
  return mn_parallel(ctx, w.blocks.count, transform_block, &w);
}

static void output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size)
{
  const struct window_features *m = self;
  const size_t p = m->base.n_features, group = j / p, first = !m->drop_original;
  char own[MN_INPUT_NAME_SIZE];
  const char *column = mn_input_name(inputs, j % p, own);
  if (group < first) {
    snprintf(text, size, "%s", column);
    return;
  }
  const size_t k = (group - first) / m->columns.size, s = (group - first) % m->columns.size;
  snprintf(text, size, "%s_window_%.0f_%s", column, m->windows.at[k], statistics[m->columns.at[s]].name);
}

static mn_status check(mn_context *ctx, const void *self)
{
  const struct window_features *m = self;
  bool valid =
      mn_series_counts_are_valid(&m->windows) && m->columns.at && m->columns.size > 0 && m->columns.size <= STATISTICS;
  for (size_t s = 0; valid && s < m->columns.size; s++) valid = m->columns.at[s] >= 0 && m->columns.at[s] < STATISTICS;
  return valid ? MN_OK : mn_fail(ctx, MN_BAD_FILE, "WindowFeatures: the windows are inconsistent");
}

static const mn_param params[] = {
  MN_NUMBER_OR_REALS(struct window_features, window, MN_AT_LEAST(1),
                     "number of rows in the window, or a list of several; nil: 3"),
  MN_COUNT(struct window_features, periods, 1, MN_CLOSED(0, INT32_MAX),
           "number of rows by which the window ends before the row; 0 includes the row itself"),
  MN_COUNT(struct window_features, min_periods, MN_UNSET, MN_CLOSED(1, INT32_MAX),
           "minimum number of values in a window, else the result is missing; nil: all of its rows"),
  MN_FLAG(struct window_features, mean, true, "the mean"),
  MN_FLAG(struct window_features, std, false, "the standard deviation, with divisor n - 1"),
  MN_FLAG(struct window_features, min, false, "the smallest value"),
  MN_FLAG(struct window_features, max, false, "the largest value"),
  MN_FLAG(struct window_features, sum, false, "the sum"),
  MN_FLAG(struct window_features, drop_original, false, "omit the original columns"),
  MN_END,
};

static const mn_field fields[] = {
  MN_VECTOR(struct window_features, windows, "windows", "rows of each window"),
  MN_INDEXES(struct window_features, columns, "statistics", NULL),
  MN_END,
};

const mn_class mn_window_features = {
  .name = "WindowFeatures",
  .family = "preprocess",
  .brief = "Adds means and other statistics of the preceding rows of a time series.",
  .objective = "z_t = mean(x_{t-w}, ..., x_{t-1})",
  .source = "Box & Jenkins, Time Series Analysis (1970)",
  .notes = "The window ends before the row itself unless periods is 0. Rows must be in time order; for several "
           "series, the option lengths of fit and transform gives the number of rows of each. No row is "
           "dropped: the first rows have missing values. Missing values are ignored. transform does not use "
           "the rows of fit.",
  .example = "print(ml.WindowFeatures{ window = 2, max = true }:fit_transform{ {10}, {20}, {40}, {70} })",
  .capabilities = MN_TRANSFORM | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_MISSING | MN_LENGTHS,
  .size = sizeof(struct window_features),
  .params = params,
  .fields = fields,
  .fit = fit,
  .transform = transform,
  .overwrites = true,
  .outputs = outputs,
  .output_name = output_name,
  .check = check,
  .export = mn_sequence_export,
};
