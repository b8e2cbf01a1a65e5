#include "line_loss.h"
#include "../stats/argsort.h"
#include "../stats/quantile.h"
#include "boost_loss_kernel.h"
#include <math.h>
#include <string.h>

/* The most that one leaf may add to a logarithm, also of odds: counts that are all 0 ask for less than any number. */
static const double largest_log_step = 10;

mn_status mn_line_make(mn_context *ctx, mn_line_kind kind, double shape, size_t outputs, const mn_data *data,
                       mn_line *line)
{
  const size_t n = data->rows;
  *line = (mn_line){ .kind = kind, .shape = shape, .delta = 1, .n = n, .outputs = outputs };
  line->code = data->code;
  line->weight = data->weights;
  line->score = MN_NEW(ctx, double, outputs, n);
  line->slope = MN_RAW(ctx, double, outputs, n);
  line->loss = MN_RAW(ctx, double, n, 1);
  line->room = MN_RAW(ctx, double, 2, n);
  if (!line->score || !line->slope || !line->loss || !line->room) return MN_NO_MEMORY;
  line->y = data->y.at;
  if (!data->code || outputs > 1) return MN_OK;
  double *second = MN_RAW(ctx, double, n, 1);
  MN_CHECK_ALLOC(second);
  for (size_t i = 0; i < n; i++) second[i] = data->code[i];
  line->y = second;
  return MN_OK;
}

mn_status mn_line_rank(mn_context *ctx, const mn_data *data, size_t k, bool norm, mn_line *line)
{
  line->curve = MN_RAW(ctx, double, line->n, 1);
  MN_CHECK_ALLOC(line->curve);
  return mn_lambda_rank_make(ctx, data, k, norm, &line->rank);
}

static double weight_of(const mn_line *line, size_t i)
{
  return line->weight ? line->weight[i] : 1;
}

/* --- quantiles: the least value that has `level` of the weight at or below it --- */

struct weighed {
  double value, weight;
};

/* order: n, the places in `at` by value. */
static mn_status quantile_of(mn_context *ctx, const struct weighed *at, size_t n, double level, size_t *order,
                             double *quantile)
{
  double total = 0, below = 0;
  size_t i = 0;
  MN_TRY(mn_argsort(ctx, n, &at->value, 2, order));
  for (size_t k = 0; k < n; k++) total += at[order[k]].weight;
  MN_TRY(mn_poll(ctx));
  for (; i + 1 < n; i++) {
    below += at[order[i]].weight;
    if (below >= level * total * (1 - 1e-12)) break; /* sums of weights round */
  }
  *quantile = at[order[i]].value;
  return MN_OK;
}

mn_status mn_line_tune(mn_context *ctx, mn_line *line)
{
  if (line->kind != MN_LINE_HUBER) return MN_OK;
  const mn_mark mark = mn_scratch_mark(ctx);
  struct weighed *rest = MN_RAW(ctx, struct weighed, line->n, 1);
  size_t *order = MN_RAW(ctx, size_t, line->n, 1);
  if (!rest || !order) return MN_NO_MEMORY;
  for (size_t i = 0; i < line->n; i++)
    rest[i] = (struct weighed){ fabs(line->y[i] - line->score[i]), weight_of(line, i) };
  MN_TRY(quantile_of(ctx, rest, line->n, line->shape, order, &line->delta));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* --- the best constants --- */

static void class_shares(const mn_line *line, double *start)
{
  const double tiny = 0x1p-52;
  double total = 0, mean = 0;
  memset(start, 0, line->outputs * sizeof *start);
  for (size_t i = 0; i < line->n; i++) {
    if (line->outputs > 1) start[line->code[i]] += weight_of(line, i);
    if (line->outputs == 1) start[0] += weight_of(line, i) * line->y[i];
    total += weight_of(line, i);
  }
  for (size_t c = 0; c < line->outputs; c++) start[c] = fmin(fmax(start[c] / total, tiny), 1 - tiny);
  if (line->outputs == 1) {
    start[0] = log(start[0] / (1 - start[0])) * (line->kind == MN_LINE_EXPONENTIAL ? 0.5 : 1);
    return;
  }
  for (size_t c = 0; c < line->outputs; c++) {
    start[c] = log(start[c]);
    mean += start[c] / (double)line->outputs;
  }
  for (size_t c = 0; c < line->outputs; c++) start[c] -= mean;
}

mn_status mn_line_start(mn_context *ctx, const mn_line *line, double *start)
{
  const double level = line->kind == MN_LINE_QUANTILE ? line->shape : 0.5;
  double total = 0, mean = 0;
  switch (line->kind) {
  case MN_LINE_ABSOLUTE:
  case MN_LINE_HUBER:
  case MN_LINE_QUANTILE: return mn_quantiles(ctx, line->n, line->y, line->weight, 1, &level, start);
  case MN_LINE_LOG_LOSS:
  case MN_LINE_EXPONENTIAL: class_shares(line, start); return MN_OK;
  case MN_LINE_RANK: *start = 0; return MN_OK; /* no order depends on it */
  case MN_LINE_SQUARED:
  case MN_LINE_POISSON:
  case MN_LINE_GAMMA:
  case MN_LINE_TWEEDIE: break;
  }
  for (size_t i = 0; i < line->n; i++) {
    total += weight_of(line, i);
    mean += weight_of(line, i) / total * (line->y[i] - mean);
  }
  *start = line->kind == MN_LINE_SQUARED ? mean : log(mean);
  return MN_OK;
}

/* --- slopes --- */

static void look_exponential(mn_line *line)
{
  for (size_t i = 0; i < line->n; i++) {
    const double own = line->y[i] > 0 ? exp(-line->score[i]) : exp(line->score[i]);
    line->slope[i] = line->y[i] > 0 ? own : -own;
    line->loss[i] = own;
  }
}

static mn_boost_loss_kind kernel_of(mn_line_kind kind)
{
  switch (kind) {
  case MN_LINE_ABSOLUTE: return MN_BOOST_ABSOLUTE;
  case MN_LINE_HUBER: return MN_BOOST_HUBER;
  case MN_LINE_QUANTILE: return MN_BOOST_QUANTILE;
  case MN_LINE_POISSON: return MN_BOOST_POISSON;
  case MN_LINE_GAMMA: return MN_BOOST_GAMMA;
  case MN_LINE_TWEEDIE: return MN_BOOST_TWEEDIE;
  case MN_LINE_LOG_LOSS: return MN_BOOST_LOGISTIC;
  case MN_LINE_SQUARED:
  case MN_LINE_EXPONENTIAL:
  case MN_LINE_RANK: break;
  }
  return MN_BOOST_SQUARED;
}

/* Where a row is met exactly both slopes of a corner will do; this is the one on the side of larger y. */
static void look_at_corners(mn_line *line)
{
  const double up = line->kind == MN_LINE_QUANTILE ? line->shape : 1;
  for (size_t i = 0; i < line->n; i++)
    if (!(line->y[i] < line->score[i]) && !(line->y[i] > line->score[i])) line->slope[i] = up;
}

static void look_softmax(mn_line *line)
{
  double *level = line->room, *h = line->room + line->n;
  mn_loss_softmax(line->n, line->outputs, line->n, line->code, line->score, level, line->loss);
  for (size_t c = 0; c < line->outputs; c++) {
    const size_t from = c * line->n;
    mn_loss_softmax_class(line->n, (int32_t)c, line->code, line->score + from, level, line->slope + from, h);
  }
}

mn_status mn_line_look(mn_context *ctx, mn_line *line)
{
  const double shape = line->kind == MN_LINE_HUBER ? line->delta : line->shape;
  if (line->kind == MN_LINE_EXPONENTIAL) {
    look_exponential(line);
    return MN_OK;
  }
  if (line->rank)
    MN_TRY(mn_lambda_rank_look(ctx, line->rank, line->score, line->slope, line->curve));
  else if (line->outputs > 1)
    look_softmax(line);
  else
    mn_loss_rows(kernel_of(line->kind), shape, line->n, line->y, line->score, line->slope, line->room, line->loss, 1);
  for (size_t i = 0; i < line->n * line->outputs; i++) line->slope[i] = -line->slope[i];
  if (line->kind == MN_LINE_ABSOLUTE || line->kind == MN_LINE_QUANTILE) look_at_corners(line);
  return MN_OK;
}

double mn_line_mean(const mn_line *line, const uint8_t *used, uint8_t which)
{
  double total = 0, sum = 0;
  if (line->rank) return mn_lambda_rank_loss(line->rank, used, which);
  for (size_t i = 0; i < line->n; i++) {
    if (used && used[i] != which) continue;
    sum += weight_of(line, i) * line->loss[i];
    total += weight_of(line, i);
  }
  return sum / total;
}

/* --- leaves --- */

static double ratio(double above, double below)
{
  return fabs(below) < 1e-150 ? 0 : above / below;
}

static double bounded(double step)
{
  return fmin(fmax(step, -largest_log_step), largest_log_step);
}

/* The second derivative of the loss of row i by its output k. */
static double curve_of(const mn_line *line, size_t k, size_t i)
{
  const double g = line->slope[k * line->n + i];
  if (line->curve) return line->curve[i];
  if (line->kind == MN_LINE_EXPONENTIAL) return fabs(g);
  const double y = line->outputs > 1 ? line->code[i] == (int32_t)k : line->y[i];
  return (y - g) * (1 - y + g);
}

/* One step of Newton's method, for which there is no closed form. */
static double newton(const mn_line *line, size_t k, const uint32_t *row, size_t count)
{
  const double *slope = line->slope + k * line->n, classes = (double)line->outputs;
  double first = 0, second = 0, total = 0;
  for (size_t i = 0; i < count; i++) {
    const double w = weight_of(line, row[i]);
    total += w;
    first += w * slope[row[i]];
    second += w * curve_of(line, k, row[i]);
  }
  return ratio((line->outputs > 1 ? (classes - 1) / classes : 1) * first / total, second / total);
}

/* Where the variance is mean^p, the minimum of sum w (exp((2 - p) (F + v)) / (2 - p) - y exp((1 - p) (F + v)) / (1 -
 * p)), and of what this tends to for p = 1 (poisson) and p = 2 (gamma). */
static double log_ratio(const mn_line *line, const uint32_t *row, size_t count)
{
  const double p = line->kind == MN_LINE_POISSON ? 1 : line->kind == MN_LINE_GAMMA ? 2 : line->shape;
  double above = 0, below = 0;
  for (size_t i = 0; i < count; i++) {
    const double w = weight_of(line, row[i]), y = line->y[row[i]], score = line->score[row[i]];
    if (y > 0) above += w * y * exp((1 - p) * score);
    below += w * exp((2 - p) * score);
  }
  return bounded(log(above / below));
}

/* The median and, of huber, the mean of what is bounded about it (Friedman, before algorithm 4). */
static mn_status central(mn_context *ctx, const mn_line *line, const uint32_t *row, size_t count, double *value)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct weighed *rest = MN_RAW(ctx, struct weighed, count, 1);
  size_t *order = MN_RAW(ctx, size_t, count, 1);
  double total = 0, sum = 0;
  if (!rest || !order) return MN_NO_MEMORY;
  for (size_t i = 0; i < count; i++)
    rest[i] = (struct weighed){ line->y[row[i]] - line->score[row[i]], weight_of(line, row[i]) };
  MN_TRY(quantile_of(ctx, rest, count, line->kind == MN_LINE_QUANTILE ? line->shape : 0.5, order, value));
  for (size_t i = 0; line->kind == MN_LINE_HUBER && i < count; i++) {
    const struct weighed *one = &rest[order[i]];
    total += one->weight;
    sum += one->weight * fmin(fmax(one->value - *value, -line->delta), line->delta);
  }
  if (total > 0) *value += sum / total;
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

mn_status mn_line_leaf(mn_context *ctx, const mn_line *line, size_t k, const uint32_t *row, size_t count, double mean,
                       double *value)
{
  switch (line->kind) {
  case MN_LINE_SQUARED: *value = mean; return MN_OK;
  case MN_LINE_POISSON:
  case MN_LINE_GAMMA:
  case MN_LINE_TWEEDIE: *value = log_ratio(line, row, count); return MN_OK;
  case MN_LINE_LOG_LOSS:
  case MN_LINE_EXPONENTIAL: *value = newton(line, k, row, count); return MN_OK;
  case MN_LINE_RANK: *value = bounded(newton(line, k, row, count)); return MN_OK;
  case MN_LINE_ABSOLUTE:
  case MN_LINE_HUBER:
  case MN_LINE_QUANTILE: break;
  }
  return central(ctx, line, row, count, value);
}
