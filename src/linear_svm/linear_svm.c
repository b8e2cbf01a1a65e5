#include "linear_svm.h"
#include "../linalg/product.h"
#include "../linear/linear.h"
#include "../stats/argsort.h"
#include "linear_svm_kernel.h"
#include <math.h>
#include <string.h>

static double row_dot(const mn_data *d, size_t i, const double *v)
{
  const mn_csr *s = d->sparse;
  if (!s) return mn_svm_row_dot(d->features, mn_row(&d->x, i), NULL, v);
  return mn_svm_row_dot(s->start[i + 1] - s->start[i], s->at + s->start[i], s->col + s->start[i], v);
}

static void row_add(const mn_data *d, size_t i, double a, double *v)
{
  const mn_csr *s = d->sparse;
  if (!s)
    mn_svm_row_add(d->features, a, mn_row(&d->x, i), NULL, v);
  else
    mn_svm_row_add(s->start[i + 1] - s->start[i], a, s->at + s->start[i], s->col + s->start[i], v);
}

double mn_svm_dot(const mn_linear_svm *s, size_t i, const double *v)
{
  if (!s->row) return row_dot(s->data, i, v);
  return row_dot(s->data, (size_t)s->row[i], v) - row_dot(s->data, (size_t)s->less[i], v);
}

void mn_svm_add(const mn_linear_svm *s, size_t i, double a, double *v)
{
  row_add(s->data, s->row ? (size_t)s->row[i] : i, a, v);
  if (s->row) row_add(s->data, (size_t)s->less[i], -a, v);
}

enum { MAX_PARTS = 8, BLOCK_VALUES = 1 << 15 };

struct product {
  const mn_csr *x;
  const double *in;
  double *out; /* of the transposed product: parts x columns */
  mn_blocks blocks;
};

static void scores_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct product *w = work;
  const mn_csr *x = w->x;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++)
    w->out[i] = mn_svm_row_dot(x->start[i + 1] - x->start[i], x->at + x->start[i], x->col + x->start[i], w->in);
}

static void transposed_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct product *w = work;
  const mn_csr *x = w->x;
  double *part = w->out + block * x->cols;
  memset(part, 0, x->cols * sizeof *part);
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++)
    if (w->in[i] > 0 || w->in[i] < 0)
      mn_svm_row_add(x->start[i + 1] - x->start[i], w->in[i], x->at + x->start[i], x->col + x->start[i], part);
}

static mn_blocks make_blocks(const mn_csr *x, size_t max_blocks)
{
  const size_t per_row = x->rows > 0 ? x->start[x->rows] / x->rows + 1 : 1;
  return mn_make_blocks(x->rows, BLOCK_VALUES / per_row + 1, max_blocks);
}

/* Small products run on the calling thread. */
static mn_status run_blocks(mn_context *ctx, struct product *w, mn_task task)
{
  if (w->x->start[w->x->rows] > BLOCK_VALUES) return mn_parallel(ctx, w->blocks.count, task, w);
  for (size_t block = 0; block < w->blocks.count; block++) task(w, block, 0);
  return MN_OK;
}

static mn_status row_scores(mn_context *ctx, const mn_data *d, const double *b, double *z)
{
  if (!d->sparse) return mn_gemv(ctx, false, d->rows, d->features, 1, d->x.at, d->features, b, 0, z);
  struct product w = { d->sparse, b, z, make_blocks(d->sparse, SIZE_MAX) };
  return run_blocks(ctx, &w, scores_block);
}

/* A part holds a value for every column, so there are few parts where X has few values. */
static mn_status row_transposed(mn_context *ctx, const mn_data *d, const double *g, double *out)
{
  if (!d->sparse) return mn_gemv(ctx, true, d->rows, d->features, 1, d->x.at, d->features, g, 0, out);
  const mn_mark mark = mn_scratch_mark(ctx);
  const size_t parts = d->sparse->start[d->rows] / (4 * d->features + 1) + 1;
  struct product w = { d->sparse, g, out, make_blocks(d->sparse, parts < MAX_PARTS ? parts : MAX_PARTS) };
  w.out = MN_RAW(ctx, double, w.blocks.count, d->features);
  MN_CHECK_ALLOC(w.out);
  MN_TRY(run_blocks(ctx, &w, transposed_block));
  mn_sum_blocks(w.blocks.count, d->features, w.out, out);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

mn_status mn_svm_scores(mn_context *ctx, const mn_linear_svm *s, const double *b, double *z)
{
  if (!s->row) return row_scores(ctx, s->data, b, z);
  const mn_mark mark = mn_scratch_mark(ctx);
  double *all = MN_RAW(ctx, double, s->data->rows, 1);
  MN_CHECK_ALLOC(all);
  MN_TRY(row_scores(ctx, s->data, b, all));
  for (size_t i = 0; i < s->n; i++) z[i] = all[s->row[i]] - all[s->less[i]];
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

mn_status mn_svm_transposed(mn_context *ctx, const mn_linear_svm *s, const double *g, double *out)
{
  if (!s->row) return row_transposed(ctx, s->data, g, out);
  const mn_mark mark = mn_scratch_mark(ctx);
  double *sum = MN_NEW(ctx, double, s->data->rows, 1);
  MN_CHECK_ALLOC(sum);
  for (size_t i = 0; i < s->n; i++) {
    sum[s->row[i]] += g[i];
    sum[s->less[i]] -= g[i];
  }
  MN_TRY(row_transposed(ctx, s->data, sum, out));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

mn_status mn_svm_center(mn_context *ctx, const mn_data *data, mn_data *out, double **mean)
{
  *out = *data;
  *mean = MN_NEW(ctx, double, data->features + data->y.cols, 1);
  out->x.at = MN_RAW(ctx, double, data->rows, data->features);
  if (!*mean || !out->x.at) return MN_NO_MEMORY;
  MN_TRY(mn_linear_means(ctx, data, *mean, NULL));
  for (size_t i = 0; i < data->rows; i++)
    for (size_t j = 0; j < data->features; j++) mn_row(&out->x, i)[j] = mn_row(&data->x, i)[j] - (*mean)[j];
  return MN_OK;
}

double mn_svm_loss(const mn_linear_svm *s, const double *z, double c)
{
  double sum = 0;
  for (size_t i = 0; i < s->n; i++) {
    const double r = s->target[i] - z[i] - c, below = fmax(r - s->tube, 0), above = fmax(-r - s->tube, 0);
    sum += s->squared ? s->up[i] * below * below + s->down[i] * above * above : s->up[i] * below + s->down[i] * above;
  }
  return sum;
}

double mn_svm_penalty(const mn_linear_svm *s, const double *b, double c)
{
  double square = mn_svm_intercept_penalty(s) * c * c;
  for (size_t j = 0; j < s->p; j++) square += b[j] * b[j];
  return square / 2;
}

/* The derivative of the loss by the intercept, piecewise constant or linear. A loss below the tube acts up to its
 * breakpoint, one above it from its breakpoint on, so that each breakpoint adds its cost to the derivative or to the
 * second derivative. */
struct sweep {
  size_t count;
  double *at, *cost;   /* count: breakpoints */
  bool *starts;        /* count: whether the loss acts from there on */
  size_t *order;       /* count: ascending */
  double total;        /* cost of the losses that act before the first one */
  double first_moment; /* sum of their cost times breakpoint */
};

static void add_breakpoint(struct sweep *w, double at, double cost, bool starts)
{
  if (!(cost > 0)) return;
  w->at[w->count] = at;
  w->cost[w->count] = cost;
  w->starts[w->count++] = starts;
  if (starts) return;
  w->total += cost;
  w->first_moment += cost * at;
}

/* Where the derivative passes 0; an interval where it is 0 to rounding. */
static double sweep_linear(const struct sweep *w)
{
  static const double rounding = 1e-12;
  double derivative = -w->total, all = 0, low = (double)NAN;
  for (size_t k = 0; k < w->count; k++) all += w->cost[k];
  for (size_t k = 0; k < w->count; k++) {
    const size_t e = w->order[k];
    derivative += w->cost[e];
    if (derivative < -rounding * all) continue;
    if (isnan(low)) low = w->at[e];
    if (derivative > rounding * all) return low + (w->at[e] - low) / 2;
  }
  return low;
}

static double sweep_squared(const struct sweep *w)
{
  double total = w->total, moment = w->first_moment, low = (double)NAN, last = 0;
  size_t acting = 0;
  for (size_t k = 0; k < w->count; k++) acting += !w->starts[k];
  for (size_t k = 0; k < w->count; k++) {
    const size_t e = w->order[k];
    const double high = last = w->at[e];
    if (acting == 0) return isnan(low) ? high : low + (high - low) / 2; /* no loss in between */
    const bool alone = acting == 1 && !w->starts[e]; /* the derivative is 0 at the end of a single loss */
    if (!alone && total * high - moment >= 0) return fmin(isnan(low) ? high : fmax(moment / total, low), high);
    low = high;
    acting = w->starts[e] ? acting + 1 : acting - 1;
    total += w->starts[e] ? w->cost[e] : -w->cost[e];
    moment += (w->starts[e] ? w->cost[e] : -w->cost[e]) * w->at[e];
  }
  return acting > 0 && total > 0 ? fmax(moment / total, last) : last;
}

/* A step that removes the rounding of the running sums. */
static double correct_intercept(const mn_linear_svm *s, const double *z, double c)
{
  double along[2];
  (void)mn_svm_squared_losses(s->n, s->tube, c, z, NULL, s->target, s->up, s->down, NULL, NULL, along);
  return along[1] > 0 ? c - along[0] / along[1] : c;
}

mn_status mn_svm_best_intercept(mn_context *ctx, const mn_linear_svm *s, const double *z, double *c)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct sweep w = { .at = MN_RAW(ctx, double, s->n, 2), .cost = MN_RAW(ctx, double, s->n, 2) };
  w.starts = MN_RAW(ctx, bool, s->n, 2);
  w.order = MN_RAW(ctx, size_t, s->n, 2);
  if (!w.at || !w.cost || !w.starts || !w.order) return MN_NO_MEMORY;
  for (size_t i = 0; i < s->n; i++) {
    add_breakpoint(&w, s->target[i] - z[i] - s->tube, s->up[i], false);
    add_breakpoint(&w, s->target[i] - z[i] + s->tube, s->down[i], true);
  }
  MN_TRY(mn_argsort(ctx, w.count, w.at, 1, w.order));
  *c = s->squared ? sweep_squared(&w) : sweep_linear(&w);
  if (s->squared) *c = correct_intercept(s, z, *c);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* Factors that make the sum of g zero. */
static void balance(const mn_linear_svm *s, const double *g, double *positive, double *negative)
{
  double up = 0, down = 0;
  *positive = *negative = 1;
  if (s->intercept != MN_SVM_FREE) return;
  for (size_t i = 0; i < s->n; i++) {
    up += fmax(g[i], 0);
    down += fmax(-g[i], 0);
  }
  if (up > down) *positive = down / up;
  if (down > up) *negative = up / down;
}

mn_status mn_svm_dual_value(mn_context *ctx, const mn_linear_svm *s, const double *g, double *value)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  double *feasible = MN_RAW(ctx, double, s->n, 1), *image = MN_RAW(ctx, double, s->p, 1);
  double positive, negative, sum = 0, gain = 0, square = 0;
  if (!feasible || !image) return MN_NO_MEMORY;
  balance(s, g, &positive, &negative);
  for (size_t i = 0; i < s->n; i++) {
    const double a = feasible[i] = g[i] * (g[i] > 0 ? positive : negative);
    sum += a;
    gain += s->target[i] * a - s->tube * fabs(a);
    if (s->squared) square += a * a / (2 * mn_svm_cost(s, i));
  }
  MN_TRY(mn_svm_transposed(ctx, s, feasible, image));
  for (size_t j = 0; j < s->p; j++) square += image[j] * image[j];
  if (s->intercept == MN_SVM_PENALIZED) square += s->scaling * s->scaling * sum * sum;
  *value = gain - square / 2;
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
