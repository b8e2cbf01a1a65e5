#include "feature_counts.h"
#include "../core/threads.h"
#include "../linalg/row_softmax.h"
#include "../linear/linear.h"
#include <string.h>

enum { BLOCK_VALUES = 1 << 16, MAX_BLOCKS = 64 };

/* Stored values of X. */
static size_t value_count(const mn_data *data)
{
  return data->sparse ? data->sparse->start[data->rows] : data->rows * data->features;
}

/* The values of row i; *col is NULL if they are those of all features. Returns their number. */
static size_t row_values(const mn_data *data, size_t i, const int32_t **col, const double **x)
{
  const mn_csr *s = data->sparse;
  *col = s ? s->col + s->start[i] : NULL;
  *x = s ? s->at + s->start[i] : mn_row(&data->x, i);
  return s ? s->start[i + 1] - s->start[i] : data->features;
}

struct counting {
  const mn_data *data;
  mn_counting what;
  double threshold, *part; /* blocks x classes x features */
  mn_blocks blocks;
};

static double added(const struct counting *w, double x)
{
  return w->what == MN_COUNT_ABOVE ? x > w->threshold : isnan(x);
}

static void count_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct counting *w = work;
  const size_t p = w->data->features;
  double *part = w->part + block * w->data->classes * p;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    const int32_t *col;
    const double *x, weight = mn_weight(w->data, i);
    const size_t n = row_values(w->data, i, &col, &x);
    double *to = part + (size_t)w->data->code[i] * p;
    if (w->what != MN_COUNT_VALUES)
      for (size_t e = 0; e < n; e++) to[col ? (size_t)col[e] : e] += weight * added(w, x[e]);
    else if (col)
      for (size_t e = 0; e < n; e++) to[col[e]] += weight * x[e];
    else
      for (size_t e = 0; e < n; e++) to[e] += weight * x[e];
  }
}

/* A threshold below 0 is exceeded by the zeros that a sparse X does not store. */
static void count_absent(const mn_data *data, mn_matrix *part)
{
  const mn_csr *s = data->sparse;
  for (size_t i = 0; i < data->rows; i++) {
    double *to = mn_row(part, (size_t)data->code[i]);
    const double weight = mn_weight(data, i);
    for (size_t j = 0; j < data->features; j++) to[j] += weight;
    for (size_t e = s->start[i]; e < s->start[i + 1]; e++) to[s->col[e]] -= weight;
  }
}

mn_status mn_count_features(mn_context *ctx, const mn_data *data, mn_counting what, double threshold, mn_matrix *count)
{
  const size_t size = count->rows * count->cols, values = value_count(data);
  const size_t most = values / size / 32 + 1; /* sums that no block has used before are slow: they are not in a cache */
  const mn_mark mark = mn_scratch_mark(ctx);
  struct counting w = { .data = data, .what = what, .threshold = threshold };
  w.blocks =
      mn_make_blocks(data->rows, BLOCK_VALUES / (values / data->rows + 1) + 1, most < MAX_BLOCKS ? most : MAX_BLOCKS);
  w.part = MN_NEW(ctx, double, w.blocks.count, size);
  double *sum = w.blocks.count > 1 ? MN_RAW(ctx, double, size, 1) : w.part;
  if (!w.part || !sum) return MN_NO_MEMORY;
  MN_TRY(mn_parallel(ctx, w.blocks.count, count_block, &w));
  if (w.blocks.count > 1) mn_sum_blocks(w.blocks.count, size, w.part, sum);
  for (size_t i = 0; i < size; i++) count->at[i] += sum[i];
  if (data->sparse && what == MN_COUNT_ABOVE && threshold < 0) count_absent(data, count);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

void mn_sum_classes(const mn_matrix *count, double *total)
{
  memset(total, 0, count->cols * sizeof *total);
  for (size_t c = 0; c < count->rows; c++)
    for (size_t j = 0; j < count->cols; j++) total[j] += mn_row(count, c)[j];
}

struct scoring {
  const mn_data *data;
  const double *start, *table; /* element (c, j) of the table is at c * class_step + j * feature_step */
  size_t class_step, feature_step;
  bool finite;
  mn_matrix *out;
  mn_blocks blocks;
};

static void score_row(const struct scoring *w, size_t n, const int32_t *col, const double *x, double *out)
{
  const size_t k = w->out->cols, step = w->class_step;
  for (size_t e = 0; e < n; e++) {
    if (!(x[e] != 0)) continue;
    const double *t = w->table + (col ? (size_t)col[e] : e) * w->feature_step, value = x[e];
    for (size_t c = 0; c < k; c++) out[c] += value * t[c * step];
  }
}

typedef double pair __attribute__((vector_size(16), aligned(8), may_alias));

/* A sparse row and two classes, whose elements of the table are adjacent: even and odd entries have sums of their own,
 * which do not wait for each other. */
static void score_pair(const struct scoring *w, size_t n, const int32_t *col, const double *x, double *out)
{
  const pair *table = (const pair *)w->table;
  pair even = { 0, 0 }, odd = { 0, 0 };
  for (size_t e = 0; e + 1 < n; e += 2) {
    even += x[e] * table[col[e]];
    odd += x[e + 1] * table[col[e + 1]];
  }
  even += odd;
  if (n % 2) even += x[n - 1] * table[col[n - 1]];
  out[0] += even[0];
  out[1] += even[1];
}

static void score_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct scoring *w = work;
  const size_t k = w->out->cols, begin = mn_block_begin(&w->blocks, block), end = mn_block_end(&w->blocks, block);
  for (size_t i = begin; i < end; i++) {
    const int32_t *col;
    const double *x;
    const size_t n = row_values(w->data, i, &col, &x);
    double *out = mn_row(w->out, i);
    memcpy(out, w->start, k * sizeof *out);
    if (k == 2 && col && w->finite && w->class_step == 1)
      score_pair(w, n, col, x, out);
    else
      score_row(w, n, col, x, out);
  }
  mn_row_log_softmax(end - begin, k, mn_row(w->out, begin));
}

/* The table by features, if X has so many values that the copy pays. */
static mn_status arrange(mn_context *ctx, const mn_matrix *table, struct scoring *w)
{
  const size_t k = table->rows, p = table->cols;
  w->table = table->at;
  w->class_step = p;
  w->feature_step = 1;
  if (value_count(w->data) < 2 * p) return MN_OK;
  double *copy = MN_RAW(ctx, double, p, k);
  MN_CHECK_ALLOC(copy);
  for (size_t c = 0; c < k; c++)
    for (size_t j = 0; j < p; j++) copy[j * k + c] = mn_row(table, c)[j];
  w->table = copy;
  w->class_step = 1;
  w->feature_step = k;
  return MN_OK;
}

static bool is_finite(const mn_matrix *m)
{
  bool finite = true;
  for (size_t i = 0; i < m->rows * m->cols; i++) finite = finite && isfinite(m->at[i]);
  return finite;
}

static mn_linear linear_of(const mn_linear_scores *s)
{
  return (mn_linear){ .coef = *s->table, .intercept = { .at = s->start, .size = s->table->rows } };
}

mn_status mn_linear_score_proba(mn_context *ctx, const mn_linear_scores *s, const mn_data *data, mn_matrix *out)
{
  struct scoring w = { .data = data, .start = s->start, .finite = is_finite(s->table), .out = out };
  if (!data->sparse && w.finite) {
    const mn_linear linear = linear_of(s);
    MN_TRY(mn_linear_predict(ctx, &linear, data, out));
    mn_row_log_softmax(out->rows, out->cols, out->at);
    return MN_OK;
  }
  MN_TRY(arrange(ctx, s->table, &w));
  w.blocks = mn_make_blocks(data->rows, BLOCK_VALUES / (value_count(data) / data->rows + out->cols) + 1, SIZE_MAX);
  return mn_parallel(ctx, w.blocks.count, score_block, &w);
}

mn_status mn_linear_score_export(mn_context *ctx, const mn_linear_scores *s, mn_program *program)
{
  const mn_linear linear = linear_of(s);
  if (is_finite(s->table)) {
    MN_TRY(mn_linear_export(ctx, &linear, MN_PREDICT_LOG_PROBA, program));
  } else {
    mn_linear_program(&linear, program);
    mn_program_code(program, "for c < outputs { out[c] = intercept[c] }"
                             "for j < features { if x[j] != 0.0 {"
                             "  for c < outputs { out[c] += x[j] * coef[c * features + j] }"
                             "} }");
  }
  mn_program_code(program, "log_softmax(outputs, out)");
  return MN_OK;
}
