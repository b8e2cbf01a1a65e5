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
  mn_series_columns series;
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

/* drop_original is that of fit, as every parameter of a fitted model. */
static mn_status derive(mn_context *ctx, void *self)
{
  struct window_features *m = self;
  return mn_series_learn(ctx, &m->base, &m->series, m->drop_original);
}

static mn_status check_periods(mn_context *ctx, const struct window_features *m)
{
  double smallest = INFINITY;
  char window[MN_NUMBER_SIZE];
  for (size_t k = 0; k < m->windows.size; k++) smallest = fmin(smallest, m->windows.at[k]);
  if (mn_column_is_set(&m->series.time) || m->min_periods == MN_UNSET || (double)m->min_periods <= smallest)
    return MN_OK;
  return mn_fail(ctx, MN_BAD_ARGUMENT, "WindowFeatures: min_periods must be at most the smallest window, %s, got %lld",
                 mn_format_number(window, smallest), (long long)m->min_periods);
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct window_features *m = self;
  mn_series series;
  MN_TRY(mn_series_counts(ctx, "WindowFeatures", "window", &m->window, 3, &m->windows));
  MN_TRY(check_periods(ctx, m));
  MN_TRY(learn_columns(ctx, m));
  MN_TRY(derive(ctx, m));
  return mn_series_read(ctx, &m->base, &m->series, data, &series);
}

static size_t outputs(const void *self)
{
  const struct window_features *m = self;
  return m->series.kept.size + m->series.lagged.size * m->windows.size * m->columns.size;
}

struct work {
  const struct window_features *model;
  const mn_data *data;
  mn_series series;
  mn_matrix *out;
  mn_blocks blocks;
};

/* The values of column j at the places begin .. end-1. */
static struct window read_window(const struct work *w, size_t begin, size_t end, size_t j)
{
  struct window v = { .min = INFINITY, .max = -INFINITY };
  for (size_t place = begin; place < end; place++) {
    const double x = mn_row(&w->data->x, w->series.row[place])[j];
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

static double *write_windows(const struct work *w, size_t place, size_t k, double *out)
{
  const struct window_features *m = w->model;
  const mn_indexes *lagged = &m->series.lagged;
  const double size = m->windows.at[k];
  const double all = w->series.time ? 1 : size, needed = m->min_periods == MN_UNSET ? all : (double)m->min_periods;
  size_t begin, end;
  mn_series_window(&w->series, place, size, (double)m->periods, &begin, &end);
  for (size_t j = 0; j < lagged->size; j++) {
    const struct window v = read_window(w, begin, end, (size_t)lagged->at[j]);
    const bool enough = (double)v.n >= needed && v.n > 0;
    for (size_t s = 0; s < m->columns.size; s++)
      out[s * lagged->size + j] = enough ? statistics[m->columns.at[s]].value(&v) : (double)NAN;
  }
  return out + lagged->size * m->columns.size;
}

static void transform_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct work *w = work;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    double *out = mn_row(w->out, w->series.row[i]);
    out = mn_series_write_kept(&w->series, &w->model->series, w->data, i, out);
    for (size_t k = 0; k < w->model->windows.size; k++) out = write_windows(w, i, k, out);
  }
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct window_features *m = self;
  struct work w = { .model = m, .data = data, .out = out };
  MN_TRY(mn_series_read(ctx, &m->base, &m->series, data, &w.series));
  w.blocks = mn_make_blocks(data->rows, BLOCK_VALUES / data->features, SIZE_MAX);
  return mn_parallel(ctx, w.blocks.count, transform_block, &w);
}

static const mn_levels *output_levels(const void *self, size_t j)
{
  const struct window_features *m = self;
  return mn_series_output_levels(&m->base, &m->series, j);
}

static bool outputs_whole(const void *self, size_t j)
{
  const struct window_features *m = self;
  return mn_series_output_is_whole(&m->series, j);
}

static void output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size)
{
  const struct window_features *m = self;
  const mn_indexes *lagged = &m->series.lagged, *kept = &m->series.kept;
  char own[MN_INPUT_NAME_SIZE];
  if (j < kept->size) {
    snprintf(text, size, "%s", mn_input_name(inputs, (size_t)kept->at[j], own));
    return;
  }
  const size_t group = (j - kept->size) / lagged->size, column = (j - kept->size) % lagged->size;
  const size_t k = group / m->columns.size, s = group % m->columns.size;
  snprintf(text, size, "%s_window_%.0f_%s", mn_input_name(inputs, (size_t)lagged->at[column], own), m->windows.at[k],
           statistics[m->columns.at[s]].name);
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
                     "length of the window in rows, or in units of time; or a list of several; nil: 3"),
  MN_COUNT(struct window_features, periods, 1, MN_CLOSED(0, INT32_MAX),
           "rows or units of time by which the window ends before the row; 0 includes the row itself"),
  MN_COUNT(
      struct window_features, min_periods, MN_UNSET, MN_CLOSED(1, INT32_MAX),
      "minimum number of values in a window, else the result is missing; nil: all rows of the window, or 1 if time is set"),
  MN_FLAG(struct window_features, mean, true, "the mean"),
  MN_FLAG(struct window_features, std, false, "the standard deviation, with divisor n - 1"),
  MN_FLAG(struct window_features, min, false, "the smallest value"),
  MN_FLAG(struct window_features, max, false, "the largest value"),
  MN_FLAG(struct window_features, sum, false, "the sum"),
  MN_FLAG(struct window_features, drop_original, false, "omit the columns that have statistics"),
  MN_SERIES_PARAMS(struct window_features, series),
  MN_END,
};

static const mn_field fields[] = {
  MN_VECTOR(struct window_features, windows, "windows", "length of each window"),
  MN_INDEXES(struct window_features, columns, "statistics", NULL),
  MN_SERIES_FIELDS(struct window_features, series),
  MN_END,
};

const mn_class mn_window_features = {
  .name = "WindowFeatures",
  .family = "preprocess",
  .brief = "Adds means and other statistics of the preceding rows of a time series.",
  .objective = "z_t = mean(x_{t-w}, ..., x_{t-1})",
  .source = "Box & Jenkins, Time Series Analysis (1970)",
  .notes =
      "Without time, rows must be in time order. With time, rows may be in any order, and the window of a row at t "
      "contains the times in [t - window, t) if periods is 1, and in (t - window, t] if it is 0. group, or the "
      "option lengths, separates series. group, time and factor columns get no statistics; dates as text become "
      "Unix seconds. Missing values are ignored. transform does not use the rows of fit.",
  .example = "print(ml.WindowFeatures{ window = 2, max = true }:fit_transform{ {10}, {20}, {40}, {70} })",
  .capabilities = MN_TRANSFORM | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_MISSING | MN_FACTORS | MN_LENGTHS,
  .size = sizeof(struct window_features),
  .params = params,
  .fields = fields,
  .fit = fit,
  .transform = transform,
  .overwrites = true,
  .outputs = outputs,
  .output_levels = output_levels,
  .outputs_whole = outputs_whole,
  .output_name = output_name,
  .check = check,
  .derive = derive,
  .export = mn_sequence_export,
};
