#include "gradient_boosting_loss.h"
#include "../stats/argsort.h"
#include "../stats/quantile.h"
#include "../boosting/boost_loss_kernel.h"
#include <math.h>
#include <string.h>

/* Bound on the change of a logarithm by one leaf: a leaf whose counts are all 0 would have the value -infinity. */
static const double max_log_step = 10;

mn_status mn_gradient_loss_make(mn_context *ctx, mn_gradient_loss_kind kind, double shape, size_t outputs,
                                const mn_data *data, mn_gradient_loss *loss)
{
  const size_t n = data->rows;
  *loss = (mn_gradient_loss){ .kind = kind, .shape = shape, .delta = 1, .n = n, .outputs = outputs };
  loss->code = data->code;
  loss->weight = data->weights;
  loss->score = MN_NEW(ctx, double, outputs, n);
  loss->negative_gradient = MN_RAW(ctx, double, outputs, n);
  loss->row_loss = MN_RAW(ctx, double, n, 1);
  loss->workspace = MN_RAW(ctx, double, 2, n);
  if (!loss->score || !loss->negative_gradient || !loss->row_loss || !loss->workspace) return MN_NO_MEMORY;
  loss->y = data->y.at;
  if (!data->code || outputs > 1) return MN_OK;
  double *target = MN_RAW(ctx, double, n, 1);
  MN_CHECK_ALLOC(target);
  for (size_t i = 0; i < n; i++) target[i] = data->code[i];
  loss->y = target;
  return MN_OK;
}

mn_status mn_gradient_loss_set_ranking(mn_context *ctx, const mn_data *data, size_t k, bool norm,
                                       mn_gradient_loss *loss)
{
  loss->hessian = MN_RAW(ctx, double, loss->n, 1);
  MN_CHECK_ALLOC(loss->hessian);
  return mn_lambda_rank_make(ctx, data, k, norm, &loss->rank);
}

static double weight_of(const mn_gradient_loss *loss, size_t i)
{
  return loss->weight ? loss->weight[i] : 1;
}

/* --- quantiles: the smallest value with at least a fraction `level` of the weight at or below it --- */

struct weighted_value {
  double value, weight;
};

/* order: n, filled with the positions in `at` sorted by value. */
static mn_status weighted_quantile(mn_context *ctx, const struct weighted_value *at, size_t n, double level,
                                   size_t *order, double *quantile)
{
  double total = 0, below = 0;
  size_t i = 0;
  MN_TRY(mn_argsort(ctx, n, &at->value, 2, order));
  for (size_t k = 0; k < n; k++) total += at[order[k]].weight;
  MN_TRY(mn_poll(ctx));
  for (; i + 1 < n; i++) {
    below += at[order[i]].weight;
    if (below >= level * total * (1 - 1e-12)) break; /* tolerance for rounding in the sums of weights */
  }
  *quantile = at[order[i]].value;
  return MN_OK;
}

mn_status mn_gradient_loss_update_delta(mn_context *ctx, mn_gradient_loss *loss)
{
  if (loss->kind != MN_GRADIENT_HUBER) return MN_OK;
  const mn_mark mark = mn_scratch_mark(ctx);
  struct weighted_value *residual = MN_RAW(ctx, struct weighted_value, loss->n, 1);
  size_t *order = MN_RAW(ctx, size_t, loss->n, 1);
  if (!residual || !order) return MN_NO_MEMORY;
  for (size_t i = 0; i < loss->n; i++)
    residual[i] = (struct weighted_value){ fabs(loss->y[i] - loss->score[i]), weight_of(loss, i) };
  MN_TRY(weighted_quantile(ctx, residual, loss->n, loss->shape, order, &loss->delta));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* --- initial constants --- */

static void initial_log_odds(const mn_gradient_loss *loss, double *start)
{
  const double tiny = 0x1p-52;
  double total = 0, mean = 0;
  memset(start, 0, loss->outputs * sizeof *start);
  for (size_t i = 0; i < loss->n; i++) {
    if (loss->outputs > 1) start[loss->code[i]] += weight_of(loss, i);
    if (loss->outputs == 1) start[0] += weight_of(loss, i) * loss->y[i];
    total += weight_of(loss, i);
  }
  for (size_t c = 0; c < loss->outputs; c++) start[c] = fmin(fmax(start[c] / total, tiny), 1 - tiny);
  if (loss->outputs == 1) {
    start[0] = log(start[0] / (1 - start[0])) * (loss->kind == MN_GRADIENT_EXPONENTIAL ? 0.5 : 1);
    return;
  }
  for (size_t c = 0; c < loss->outputs; c++) {
    start[c] = log(start[c]);
    mean += start[c] / (double)loss->outputs;
  }
  for (size_t c = 0; c < loss->outputs; c++) start[c] -= mean;
}

mn_status mn_gradient_loss_initial(mn_context *ctx, const mn_gradient_loss *loss, double *start)
{
  const double level = loss->kind == MN_GRADIENT_QUANTILE ? loss->shape : 0.5;
  double total = 0, mean = 0;
  switch (loss->kind) {
  case MN_GRADIENT_ABSOLUTE:
  case MN_GRADIENT_HUBER:
  case MN_GRADIENT_QUANTILE: return mn_quantiles(ctx, loss->n, loss->y, loss->weight, 1, &level, start);
  case MN_GRADIENT_LOG_LOSS:
  case MN_GRADIENT_EXPONENTIAL: initial_log_odds(loss, start); return MN_OK;
  case MN_GRADIENT_RANK: *start = 0; return MN_OK; /* the order does not depend on a constant */
  case MN_GRADIENT_SQUARED:
  case MN_GRADIENT_POISSON:
  case MN_GRADIENT_GAMMA:
  case MN_GRADIENT_TWEEDIE: break;
  }
  for (size_t i = 0; i < loss->n; i++) {
    total += weight_of(loss, i);
    mean += weight_of(loss, i) / total * (loss->y[i] - mean);
  }
  *start = loss->kind == MN_GRADIENT_SQUARED ? mean : log(mean);
  return MN_OK;
}

/* --- negative gradients --- */

static void update_exponential(mn_gradient_loss *loss)
{
  for (size_t i = 0; i < loss->n; i++) {
    const double row_loss = loss->y[i] > 0 ? exp(-loss->score[i]) : exp(loss->score[i]);
    loss->negative_gradient[i] = loss->y[i] > 0 ? row_loss : -row_loss;
    loss->row_loss[i] = row_loss;
  }
}

static mn_boost_loss_kind kernel_kind(mn_gradient_loss_kind kind)
{
  switch (kind) {
  case MN_GRADIENT_ABSOLUTE: return MN_BOOST_ABSOLUTE;
  case MN_GRADIENT_HUBER: return MN_BOOST_HUBER;
  case MN_GRADIENT_QUANTILE: return MN_BOOST_QUANTILE;
  case MN_GRADIENT_POISSON: return MN_BOOST_POISSON;
  case MN_GRADIENT_GAMMA: return MN_BOOST_GAMMA;
  case MN_GRADIENT_TWEEDIE: return MN_BOOST_TWEEDIE;
  case MN_GRADIENT_LOG_LOSS: return MN_BOOST_LOGISTIC;
  case MN_GRADIENT_SQUARED:
  case MN_GRADIENT_EXPONENTIAL:
  case MN_GRADIENT_RANK: break;
  }
  return MN_BOOST_SQUARED;
}

/* At a residual of 0 the loss has a kink and any subgradient will do; this is the one of a positive residual. */
static void update_kinks(mn_gradient_loss *loss)
{
  const double up = loss->kind == MN_GRADIENT_QUANTILE ? loss->shape : 1;
  for (size_t i = 0; i < loss->n; i++)
    if (!(loss->y[i] < loss->score[i]) && !(loss->y[i] > loss->score[i])) loss->negative_gradient[i] = up;
}

static void update_softmax(mn_gradient_loss *loss)
{
  double *log_sum_exp = loss->workspace, *h = loss->workspace + loss->n;
  mn_loss_softmax(loss->n, loss->outputs, loss->n, loss->code, loss->score, log_sum_exp, loss->row_loss);
  for (size_t c = 0; c < loss->outputs; c++) {
    const size_t from = c * loss->n;
    mn_loss_softmax_class(loss->n, (int32_t)c, loss->code, loss->score + from, log_sum_exp,
                          loss->negative_gradient + from, h);
  }
}

mn_status mn_gradient_loss_update(mn_context *ctx, mn_gradient_loss *loss)
{
  const double shape = loss->kind == MN_GRADIENT_HUBER ? loss->delta : loss->shape;
  if (loss->kind == MN_GRADIENT_EXPONENTIAL) {
    update_exponential(loss);
    return MN_OK;
  }
  if (loss->rank)
    MN_TRY(mn_lambda_rank_gradients(ctx, loss->rank, loss->score, loss->negative_gradient, loss->hessian));
  else if (loss->outputs > 1)
    update_softmax(loss);
  else
    mn_loss_rows(kernel_kind(loss->kind), shape, loss->n, loss->y, loss->score, loss->negative_gradient,
                 loss->workspace, loss->row_loss, 1);
  for (size_t i = 0; i < loss->n * loss->outputs; i++) loss->negative_gradient[i] = -loss->negative_gradient[i];
  if (loss->kind == MN_GRADIENT_ABSOLUTE || loss->kind == MN_GRADIENT_QUANTILE) update_kinks(loss);
  return MN_OK;
}

double mn_gradient_loss_mean(const mn_gradient_loss *loss, const uint8_t *used, uint8_t which)
{
  double total = 0, sum = 0;
  if (loss->rank) return mn_lambda_rank_loss(loss->rank, used, which);
  for (size_t i = 0; i < loss->n; i++) {
    if (used && used[i] != which) continue;
    sum += weight_of(loss, i) * loss->row_loss[i];
    total += weight_of(loss, i);
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
  return fmin(fmax(step, -max_log_step), max_log_step);
}

/* Second derivative of the loss of row i with respect to output k. */
static double hessian_of(const mn_gradient_loss *loss, size_t k, size_t i)
{
  const double g = loss->negative_gradient[k * loss->n + i];
  if (loss->hessian) return loss->hessian[i];
  if (loss->kind == MN_GRADIENT_EXPONENTIAL) return fabs(g);
  const double y = loss->outputs > 1 ? loss->code[i] == (int32_t)k : loss->y[i];
  return (y - g) * (1 - y + g);
}

/* One Newton step, for losses without a closed form. */
static double newton_step(const mn_gradient_loss *loss, size_t k, const uint32_t *row, size_t count)
{
  const double *slope = loss->negative_gradient + k * loss->n, classes = (double)loss->outputs;
  double first = 0, second = 0, total = 0;
  for (size_t i = 0; i < count; i++) {
    const double w = weight_of(loss, row[i]);
    total += w;
    first += w * slope[row[i]];
    second += w * hessian_of(loss, k, row[i]);
  }
  return ratio((loss->outputs > 1 ? (classes - 1) / classes : 1) * first / total, second / total);
}

/* The minimum of sum w (exp((2 - p) (F + v)) / (2 - p) - y exp((1 - p) (F + v)) / (1 - p)) over v, for variance mean^p,
 * with its limits p = 1 (Poisson) and p = 2 (gamma). */
static double log_ratio(const mn_gradient_loss *loss, const uint32_t *row, size_t count)
{
  const double p = loss->kind == MN_GRADIENT_POISSON ? 1 : loss->kind == MN_GRADIENT_GAMMA ? 2 : loss->shape;
  double above = 0, below = 0;
  for (size_t i = 0; i < count; i++) {
    const double w = weight_of(loss, row[i]), y = loss->y[row[i]], score = loss->score[row[i]];
    if (y > 0) above += w * y * exp((1 - p) * score);
    below += w * exp((2 - p) * score);
  }
  return bounded(log(above / below));
}

/* The quantile or median; for Huber, plus the mean of the clipped deviations from it (Friedman, before algorithm 4). */
static mn_status central_value(mn_context *ctx, const mn_gradient_loss *loss, const uint32_t *row, size_t count,
                               double *value)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct weighted_value *residual = MN_RAW(ctx, struct weighted_value, count, 1);
  size_t *order = MN_RAW(ctx, size_t, count, 1);
  double total = 0, sum = 0;
  if (!residual || !order) return MN_NO_MEMORY;
  for (size_t i = 0; i < count; i++)
    residual[i] = (struct weighted_value){ loss->y[row[i]] - loss->score[row[i]], weight_of(loss, row[i]) };
  MN_TRY(weighted_quantile(ctx, residual, count, loss->kind == MN_GRADIENT_QUANTILE ? loss->shape : 0.5, order, value));
  for (size_t i = 0; loss->kind == MN_GRADIENT_HUBER && i < count; i++) {
    const struct weighted_value *one = &residual[order[i]];
    total += one->weight;
    sum += one->weight * fmin(fmax(one->value - *value, -loss->delta), loss->delta);
  }
  if (total > 0) *value += sum / total;
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

mn_status mn_gradient_loss_leaf_value(mn_context *ctx, const mn_gradient_loss *loss, size_t k, const uint32_t *row,
                                      size_t count, double mean, double *value)
{
  switch (loss->kind) {
  case MN_GRADIENT_SQUARED: *value = mean; return MN_OK;
  case MN_GRADIENT_POISSON:
  case MN_GRADIENT_GAMMA:
  case MN_GRADIENT_TWEEDIE: *value = log_ratio(loss, row, count); return MN_OK;
  case MN_GRADIENT_LOG_LOSS:
  case MN_GRADIENT_EXPONENTIAL: *value = newton_step(loss, k, row, count); return MN_OK;
  case MN_GRADIENT_RANK: *value = bounded(newton_step(loss, k, row, count)); return MN_OK;
  case MN_GRADIENT_ABSOLUTE:
  case MN_GRADIENT_HUBER:
  case MN_GRADIENT_QUANTILE: break;
  }
  return central_value(ctx, loss, row, count, value);
}
