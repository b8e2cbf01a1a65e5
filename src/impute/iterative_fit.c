/* The rounds of IterativeImputer: X is filled with initial values, then each column in turn is regressed on the others
 * over the rows that have its value, and its missing values are replaced by predictions.
 *
 * A regression needs the moments of its training rows only. G = sum_i w_i z_i z_i' over all rows, z = (x - center, 1),
 * is computed once a round; the moments of a column are G minus those of the rows where it is missing, and new values
 * of the column change one row and column of G. Columns that are mostly missing use their training rows directly. */
#include "../core/threads.h"
#include "../linalg/product.h"
#include "../linear/linear.h"
#include "iterative.h"
#include <stdlib.h>
#include <string.h>

enum { BLOCK_VALUES = 1 << 15 };

struct rounds {
  mn_iterative *model;
  const mn_data *data;       /* missing values are NaN */
  size_t n, p, steps;        /* steps of one round */
  double *z;                 /* n x (p + 1): X - center, completed, and a column of ones */
  double *g;                 /* (p + 1) x (p + 1): moments of z; used if all predictors are */
  double *correlation;       /* p x p, >= 0: probabilities of nearest features; or NULL */
  uint32_t *row;             /* rows where column j is missing: row[start[j]] .. row[start[j + 1] - 1] */
  size_t *start;             /* p + 1 */
  size_t *column;            /* steps: in the order of imputation */
  size_t *used;              /* p + 1: predictors of the current step, its target, and the column of ones */
  double *gathered, *weight; /* rows of the current step, n x (p + 2) at most; their weights */
  mn_training training;
  double *coef; /* p: of the current predictors */
  mn_rng rng;
};

/* --- start --- */

static mn_status set_limits(mn_context *ctx, const mn_iterative *m, const mn_vector *from, const char *name,
                            mn_vector *to)
{
  const size_t p = m->imputer.base.n_features;
  if (from->size == 0) return MN_OK;
  if (from->size != 1 && from->size != p)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "IterativeImputer: %s must be a number or %zu numbers, one for each column, "
                   "got %zu",
                   name, p, from->size);
  MN_TRY(mn_vector_init(ctx, to, p));
  for (size_t j = 0; j < p; j++) to->at[j] = from->at[from->size == 1 ? 0 : j];
  return MN_OK;
}

static mn_status check_limits(mn_context *ctx, mn_iterative *m)
{
  MN_TRY(set_limits(ctx, m, &m->min_value, "min_value", &m->low));
  MN_TRY(set_limits(ctx, m, &m->max_value, "max_value", &m->high));
  for (size_t j = 0; m->low.at && m->high.at && j < m->low.size; j++)
    if (!(m->low.at[j] < m->high.at[j])) {
      char low[MN_NUMBER_SIZE], high[MN_NUMBER_SIZE];
      return mn_fail(ctx, MN_BAD_ARGUMENT,
                     "IterativeImputer: min_value must be less than max_value, got %s and %s for "
                     "column %zu",
                     mn_format_number(low, m->low.at[j]), mn_format_number(high, m->high.at[j]), j + 1);
    }
  return MN_OK;
}

static mn_status learn_columns(mn_context *ctx, mn_iterative *m, const mn_data *data, bool *empty)
{
  const size_t p = data->features;
  mn_column_fill fill, mean;
  MN_TRY(mn_summarize_columns(ctx, data, (mn_fill)m->initial_strategy, &fill));
  MN_TRY(mn_summarize_columns(ctx, data, MN_FILL_MEAN, &mean));
  MN_TRY(mn_imputer_refuse_empty(ctx, &m->imputer, &mean));
  MN_TRY(mn_vector_init(ctx, &m->statistics, p));
  MN_TRY(mn_vector_init(ctx, &m->center, p));
  for (size_t j = 0; j < p; j++) {
    const bool constant = mean.empty[j] || m->initial_strategy == MN_FILL_CONSTANT;
    m->statistics.at[j] = constant ? m->fill_value : fill.value[j];
    m->center.at[j] = mean.empty[j] ? m->statistics.at[j] : mean.value[j];
    empty[j] = mean.empty[j];
  }
  return mn_imputer_learn_flags(ctx, &m->imputer, &mean);
}

/* Lists of the rows where each column is missing; none for a column without values, which keeps its constant. */
static mn_status list_missing(mn_context *ctx, struct rounds *r, const bool *empty)
{
  r->start = MN_NEW(ctx, size_t, r->p + 1, 1);
  MN_CHECK_ALLOC(r->start);
  for (size_t i = 0; i < r->n; i++)
    for (size_t j = 0; j < r->p; j++) r->start[j + 1] += isnan(mn_row(&r->data->x, i)[j]) && !empty[j];
  for (size_t j = 0; j < r->p; j++) r->start[j + 1] += r->start[j];
  size_t *next = MN_RAW(ctx, size_t, r->p, 1);
  r->row = MN_RAW(ctx, uint32_t, r->start[r->p] + 1, 1);
  if (!next || !r->row) return MN_NO_MEMORY;
  memcpy(next, r->start, r->p * sizeof *next);
  for (size_t i = 0; i < r->n; i++)
    for (size_t j = 0; j < r->p; j++)
      if (isnan(mn_row(&r->data->x, i)[j]) && !empty[j]) r->row[next[j]++] = (uint32_t)i;
  return MN_OK;
}

static void fill_start(struct rounds *r)
{
  const mn_iterative *m = r->model;
  for (size_t i = 0; i < r->n; i++) {
    const double *x = mn_row(&r->data->x, i);
    double *z = r->z + i * (r->p + 1);
    for (size_t j = 0; j < r->p; j++) z[j] = (isnan(x[j]) ? m->statistics.at[j] : x[j]) - m->center.at[j];
    z[r->p] = 1;
  }
}

static size_t missing_in(const struct rounds *r, size_t j)
{
  return r->start[j + 1] - r->start[j];
}

/* The columns of one round in order of imputation, ties in the order of the columns. */
static mn_status make_order(mn_context *ctx, struct rounds *r, const bool *empty)
{
  const mn_iterative *m = r->model;
  const bool by_count = m->imputation_order == MN_ORDER_ASCENDING || m->imputation_order == MN_ORDER_DESCENDING;
  r->column = MN_RAW(ctx, size_t, r->p, 1);
  MN_CHECK_ALLOC(r->column);
  for (size_t j = 0; j < r->p; j++) {
    if (empty[j] || (m->skip_complete && missing_in(r, j) == 0)) continue;
    size_t at = r->steps++;
    for (; by_count && at > 0 && missing_in(r, r->column[at - 1]) > missing_in(r, j); at--)
      r->column[at] = r->column[at - 1];
    r->column[at] = j;
  }
  const bool reversed = m->imputation_order == MN_ORDER_DESCENDING || m->imputation_order == MN_ORDER_ARABIC;
  for (size_t a = 0, b = r->steps; reversed && a + 1 < b; a++) {
    const size_t column = r->column[a];
    r->column[a] = r->column[--b];
    r->column[b] = column;
  }
  return MN_OK;
}

/* |correlations| of the initial values, at least 1e-6 so that every column may be drawn. */
static mn_status correlate(mn_context *ctx, struct rounds *r)
{
  const size_t p = r->p, order = p + 1;
  const double least = 1e-6;
  r->correlation = MN_RAW(ctx, double, p, p);
  double *g = MN_RAW(ctx, double, order, order);
  if (!r->correlation || !g) return MN_NO_MEMORY;
  MN_TRY(mn_gram(ctx, r->n, order, r->z, order, 0, NULL, 0, r->data->weights, true, NULL, NULL, g, order));
  for (size_t j = 0; j < p; j++)
    for (size_t k = 0; k < p; k++) {
      const double scale = sqrt(g[j * order + j]) * sqrt(g[k * order + k]);
      const double value = scale > 0 ? fabs(g[j * order + k]) / scale : 0;
      r->correlation[j * p + k] = j == k ? 0 : fmax(value, least);
    }
  return MN_OK;
}

/* --- one regression --- */

static int compare_columns(const void *a, const void *b)
{
  const size_t x = *(const size_t *)a, y = *(const size_t *)b;
  return (x > y) - (x < y);
}

/* Columns drawn without replacement, with probabilities proportional to their correlation with column j. */
static void draw_predictors(struct rounds *r, size_t j, size_t k)
{
  double *left = r->coef; /* free until the regression */
  memcpy(left, r->correlation + j * r->p, r->p * sizeof *left);
  for (size_t i = 0; i < k; i++) {
    r->used[i] = mn_random_weighted(&r->rng, left, r->p);
    left[r->used[i]] = 0;
  }
  qsort(r->used, k, sizeof *r->used, compare_columns);
}

static void choose_predictors(struct rounds *r, size_t j)
{
  size_t k = 0;
  if (r->correlation)
    draw_predictors(r, j, k = (size_t)r->model->n_nearest_features);
  else
    for (size_t c = 0; c < r->p; c++)
      if (c != j) r->used[k++] = c;
  r->training.predictors = k;
  r->used[k] = j;
  r->used[k + 1] = r->p;
}

/* Copy the used columns of the rows where column j is missing, or of the others. Returns their number. */
static size_t gather(struct rounds *r, size_t j, bool missing)
{
  const size_t width = r->training.predictors + 2;
  const uint32_t *skip = r->row + r->start[j], *end = r->row + r->start[j + 1];
  size_t count = 0;
  for (size_t i = 0; i < r->n; i++) {
    const bool found = skip < end && *skip == i;
    skip += found ? 1 : 0;
    if (found != missing) continue;
    const double *z = r->z + i * (r->p + 1);
    double *to = r->gathered + count * width;
    for (size_t c = 0; c < width; c++) to[c] = z[r->used[c]];
    r->weight[count++] = mn_weight(r->data, i);
  }
  return count;
}

/* The training rows of column j: their moments, from all rows where most have the column, or themselves if there are
 * fewer than predictors. */
static mn_status find_training(mn_context *ctx, struct rounds *r, size_t j)
{
  const size_t width = r->training.predictors + 2, order = r->p + 1, missing = missing_in(r, j);
  const bool wide = r->n - missing < r->training.predictors;
  const bool subtract = !wide && !r->correlation && missing <= r->n / 2;
  double *s = r->training.moments;
  const size_t rows = subtract && missing == 0 ? 0 : gather(r, j, subtract);
  r->training.rows = r->gathered;
  r->training.weights = r->data->weights ? r->weight : NULL;
  r->training.n_rows = wide ? rows : 0;
  if (wide) return MN_OK;
  memset(s, 0, width * width * sizeof *s);
  if (rows > 0) MN_TRY(mn_syrk(ctx, rows, width, r->gathered, width, r->training.weights, NULL, s, width));
  for (size_t a = 0; subtract && a < width; a++)
    for (size_t b = 0; b < width; b++) s[a * width + b] = r->g[r->used[a] * order + r->used[b]] - s[a * width + b];
  return MN_OK;
}

/* --- new values --- */

struct filling {
  const struct rounds *r;
  size_t j, step;
  mn_blocks blocks; /* of the rows where column j is missing */
  double *part;     /* blocks x (p + 1): changes of row j of G */
  double *change;   /* blocks: largest change of a value */
};

static void fill_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct filling *w = work;
  const struct rounds *r = w->r;
  const size_t order = r->p + 1, j = w->j;
  double *part = w->part + block * order, largest = 0;
  for (size_t k = mn_block_begin(&w->blocks, block); k < mn_block_end(&w->blocks, block); k++) {
    const size_t i = r->row[r->start[j] + k];
    double *z = r->z + i * order;
    const double before = z[j], value = mn_iterative_value(r->model, w->step, i, z), change = value - before;
    const double weighted = mn_weight(r->data, i) * change;
    for (size_t c = 0; c < order; c++) part[c] += weighted * z[c];
    part[j] += weighted * value;
    z[j] = value;
    largest = fmax(largest, fabs(change));
  }
  w->change[block] = largest;
}

static mn_status fill_column(mn_context *ctx, struct rounds *r, size_t j, size_t step, double *change)
{
  const size_t order = r->p + 1;
  struct filling w = { .r = r, .j = j, .step = step };
  w.blocks = mn_make_blocks(missing_in(r, j), BLOCK_VALUES / order + 1, 64);
  w.part = MN_NEW(ctx, double, w.blocks.count, order);
  w.change = MN_NEW(ctx, double, w.blocks.count, 1);
  double *sum = MN_NEW(ctx, double, order, 1);
  if (!w.part || !w.change || !sum) return MN_NO_MEMORY;
  MN_TRY(mn_parallel(ctx, w.blocks.count, fill_block, &w));
  mn_sum_blocks(w.blocks.count, order, w.part, sum);
  for (size_t c = 0; c < order; c++) {
    r->g[j * order + c] += sum[c];
    if (c != j) r->g[c * order + j] += sum[c];
  }
  for (size_t b = 0; b < w.blocks.count; b++) *change = fmax(*change, w.change[b]);
  return MN_OK;
}

/* --- rounds --- */

static uint64_t stream_of(size_t step)
{
  return (uint64_t)(step + 1) << 32;
}

static mn_status run_step(mn_context *ctx, struct rounds *r, size_t j, size_t step, double *change)
{
  mn_iterative *m = r->model;
  mn_rng rng = mn_stream(m->seed, stream_of(step));
  double noise;
  choose_predictors(r, j);
  MN_TRY(find_training(ctx, r, j));
  MN_TRY(mn_ridge_step(ctx, &r->training, m->sample_posterior ? &rng : NULL, r->coef, &m->intercept.at[step], &noise));
  m->order.at[step] = (int32_t)j;
  if (m->sample_posterior) m->noise.at[step] = noise;
  for (size_t k = 0; k < r->training.predictors; k++) mn_row(&m->coef, step)[r->used[k]] = r->coef[k];
  return missing_in(r, j) > 0 ? fill_column(ctx, r, j, step, change) : MN_OK;
}

/* Make the tables of steps large enough for another round. */
static mn_status extend(mn_context *ctx, mn_iterative *m, size_t steps)
{
  const size_t p = m->imputer.base.n_features;
  mn_vector flat = { m->coef.at, m->coef.rows * m->coef.cols };
  const size_t before = flat.size;
  MN_TRY(mn_vector_resize(ctx, &flat, steps * p));
  m->coef = (mn_matrix){ flat.at, steps, p };
  memset(flat.at + before, 0, (steps * p - before) * sizeof *flat.at);
  MN_TRY(mn_vector_resize(ctx, &m->intercept, steps));
  MN_TRY(mn_indexes_resize(ctx, &m->order, steps));
  return m->sample_posterior ? mn_vector_resize(ctx, &m->noise, steps) : MN_OK;
}

static mn_status run_round(mn_context *ctx, struct rounds *r, size_t first, double *change)
{
  const size_t order = r->p + 1;
  *change = 0;
  MN_TRY(extend(ctx, r->model, first + r->steps));
  if (r->model->imputation_order == MN_ORDER_RANDOM) mn_shuffle(&r->rng, r->column, r->steps);
  if (!r->correlation) MN_TRY(mn_syrk(ctx, r->n, order, r->z, order, r->data->weights, NULL, r->g, order));
  for (size_t s = 0; s < r->steps; s++) {
    const mn_mark mark = mn_scratch_mark(ctx);
    MN_TRY(mn_poll(ctx));
    MN_TRY(run_step(ctx, r, r->column[s], first + s, change));
    mn_scratch_release(ctx, mark);
  }
  return MN_OK;
}

static double largest_value(const mn_data *data)
{
  double largest = 0;
  for (size_t i = 0; i < data->rows * data->features; i++)
    if (fabs(data->x.at[i]) > largest) largest = fabs(data->x.at[i]);
  return largest;
}

static mn_status run_rounds(mn_context *ctx, struct rounds *r)
{
  mn_iterative *m = r->model;
  mn_report *report = &m->imputer.base.report;
  const double scale = largest_value(r->data);
  const bool done_at_once = r->p == 1 || r->steps == 0;
  report->advice = m->sample_posterior ? NULL : "increase max_iter or tol";
  for (bool proceed = true; proceed && !report->converged && report->n_iter < m->max_iter;) {
    double change = 0;
    if (!done_at_once) MN_TRY(run_round(ctx, r, (size_t)report->n_iter * r->steps, &change));
    report->change = scale > 0 ? change / scale : 0;
    report->converged = done_at_once || (!m->sample_posterior && (report->change < m->tol || !(change > 0)));
    proceed = mn_round(ctx, report, m->max_iter, report->change);
  }
  if (m->sample_posterior) report->change = (double)NAN; /* draws do not converge */
  return mn_error_status(ctx);
}

static mn_status allocate(mn_context *ctx, struct rounds *r)
{
  const size_t n = r->n, p = r->p;
  r->z = MN_RAW(ctx, double, n, p + 1);
  r->g = MN_NEW(ctx, double, p + 1, p + 1);
  r->used = MN_RAW(ctx, size_t, p + 1, 1);
  r->gathered = MN_RAW(ctx, double, n, p + 1);
  r->weight = MN_RAW(ctx, double, n, 1);
  r->training.moments = MN_RAW(ctx, double, p + 1, p + 1);
  r->coef = MN_RAW(ctx, double, p, 1);
  return r->z && r->g && r->used && r->gathered && r->weight && r->training.moments && r->coef ? MN_OK : MN_NO_MEMORY;
}

mn_status mn_iterative_fit(mn_context *ctx, void *self, const mn_data *given)
{
  mn_iterative *m = self;
  mn_data data;
  MN_TRY(check_limits(ctx, m));
  MN_TRY(mn_mark_missing(ctx, m->imputer.missing_values, given, &data));
  MN_TRY(mn_check_magnitudes(ctx, &m->imputer.base, &data));
  struct rounds r = { .model = m, .data = &data, .n = data.rows, .p = data.features, .rng = mn_stream(m->seed, 0) };
  bool *empty = MN_NEW(ctx, bool, r.p, 1);
  MN_CHECK_ALLOC(empty);
  MN_TRY(learn_columns(ctx, m, &data, empty));
  MN_TRY(list_missing(ctx, &r, empty));
  MN_TRY(make_order(ctx, &r, empty));
  MN_TRY(allocate(ctx, &r));
  fill_start(&r);
  if (m->n_nearest_features != MN_UNSET && (size_t)m->n_nearest_features < r.p - 1) MN_TRY(correlate(ctx, &r));
  return run_rounds(ctx, &r);
}
