#include "softmax_fit.h"
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "../linalg/row_softmax.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_HALVINGS = 30 };

static void value_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const mn_softmax_fit *f = work;
  double value = 0;
  for (size_t i = mn_block_begin(&f->blocks, block); i < mn_block_end(&f->blocks, block); i++) {
    double *step_size = f->residual + i * f->k;
    mn_row_log_softmax(1, f->k, step_size);
    for (size_t j = 0; j < f->k; j++) {
      value -= f->target[i * f->k + j] * step_size[j];
      step_size[j] = exp(step_size[j]);
    }
  }
  f->part[block] = value;
}

static double squared_norm(const mn_softmax_fit *f)
{
  double sum = 0;
  for (size_t j = 0; j < f->k; j++)
    for (size_t c = f->unpenalized; c < f->q; c++) sum += f->v[j * f->q + c] * f->v[j * f->q + c];
  return sum;
}

/* Evaluate f at v; class probabilities go to f->residual. */
static mn_status evaluate(mn_context *ctx, mn_softmax_fit *f)
{
  MN_TRY(mn_gemm(ctx, false, true, f->n, f->k, f->q, 1, f->a, f->q, f->v, f->q, 0, f->residual, f->k));
  MN_TRY(mn_parallel(ctx, f->blocks.count, value_block, f));
  mn_sum_blocks(f->blocks.count, 1, f->part, &f->value);
  f->value += f->penalty / 2 * squared_norm(f);
  return MN_OK;
}

/* Block (i, j) of the Hessian and its transpose. In the differences d_j to the last class, sum_j |v_j|^2 is sum_j
 * |d_j|^2 - |sum_j d_j|^2 / k. */
static mn_status compute_hessian_block(mn_context *ctx, mn_softmax_fit *f, size_t i, size_t j)
{
  const size_t q = f->q, order = (f->k - 1) * q;
  const double same = i == j ? 1 : 0, penalty = f->penalty * (same - 1 / (double)f->k);
  for (size_t row = 0; row < f->n; row++) {
    const double *step_size = f->residual + row * f->k;
    f->u[row] = f->total[row] * step_size[i] * (same - step_size[j]);
  }
  MN_TRY(mn_syrk(ctx, f->n, q, f->a, q, f->u, NULL, f->square, q));
  for (size_t c = 0; c < q; c++)
    for (size_t d = 0; d < q; d++) {
      const double value = f->square[c * q + d] + (c == d && c >= f->unpenalized ? penalty : 0);
      f->hessian[(i * q + c) * order + j * q + d] = value;
      f->hessian[(j * q + d) * order + i * q + c] = value;
    }
  return MN_OK;
}

/* The gradient, sum_i (total_i g_ij - t_ij) a_i + penalty v_j; minus it goes to `step`. The mean of v_j over j is 0. */
static mn_status compute_gradient(mn_context *ctx, mn_softmax_fit *f)
{
  for (size_t j = 0; j + 1 < f->k; j++) {
    for (size_t i = 0; i < f->n; i++) f->u[i] = f->total[i] * f->residual[i * f->k + j] - f->target[i * f->k + j];
    double *part = f->gradient + j * f->q;
    MN_TRY(mn_gemv(ctx, true, f->n, f->q, 1, f->a, f->q, f->u, 0, part));
    for (size_t c = f->unpenalized; c < f->q; c++) part[c] += f->penalty * f->v[j * f->q + c];
  }
  for (size_t c = 0; c < (f->k - 1) * f->q; c++) f->step[c] = -f->gradient[c];
  return MN_OK;
}

/* Solve for the step, adding to the diagonal until the Hessian is positive definite. */
static mn_status solve_step(mn_context *ctx, mn_softmax_fit *f)
{
  const size_t order = (f->k - 1) * f->q;
  double largest = 0;
  size_t minor = 1;
  for (size_t c = 0; c < order; c++) largest = fmax(largest, f->hessian[c * order + c]);
  for (double jitter = 1e-12; minor > 0 && jitter < 1; jitter *= 1e3) {
    memcpy(f->factor, f->hessian, order * order * sizeof *f->factor);
    for (size_t c = 0; c < order; c++) f->factor[c * order + c] += jitter * largest + DBL_MIN;
    MN_TRY(mn_chol_try(ctx, order, f->factor, NULL, &minor));
  }
  if (minor == 0) return mn_chol_apply(ctx, order, 1, f->factor, f->step);
  memset(f->step, 0, order * sizeof *f->step);
  return MN_OK;
}

/* v = old + step_size * step, centered so that it sums to 0 over the classes. */
static void move_along_step(mn_softmax_fit *f, double step_size)
{
  for (size_t c = 0; c < f->q; c++) {
    double sum = 0;
    for (size_t j = 0; j + 1 < f->k; j++) sum += f->step[j * f->q + c];
    for (size_t j = 0; j < f->k; j++) {
      const double step = (j + 1 < f->k ? f->step[j * f->q + c] : 0) - sum / (double)f->k;
      f->v[j * f->q + c] = f->old[j * f->q + c] + step_size * step;
    }
  }
}

/* One Newton step. *done: f cannot decrease by more than rounding error. */
static mn_status newton_step(mn_context *ctx, mn_softmax_fit *f, bool *done)
{
  const double before = f->value;
  double slope = 0;
  MN_TRY(compute_gradient(ctx, f));
  for (size_t i = 0; i + 1 < f->k; i++)
    for (size_t j = 0; j <= i; j++) MN_TRY(compute_hessian_block(ctx, f, i, j));
  MN_TRY(solve_step(ctx, f));
  for (size_t c = 0; c < (f->k - 1) * f->q; c++) slope += f->gradient[c] * f->step[c];
  *done = true;
  if (!(-slope > 1e-13 * (fabs(before) + f->scale * 1e-3))) return MN_OK;
  memcpy(f->old, f->v, f->k * f->q * sizeof *f->v);
  double step_size = 1;
  for (size_t t = 0; t < MAX_HALVINGS; t++, step_size /= 2) {
    move_along_step(f, step_size);
    MN_TRY(evaluate(ctx, f));
    if (f->value <= before + 1e-4 * step_size * slope) {
      *done = !(before - f->value > 1e-10 * f->scale);
      return MN_OK;
    }
  }
  memcpy(f->v, f->old, f->k * f->q * sizeof *f->v);
  f->value = before;
  return MN_OK;
}

mn_status mn_softmax_prepare(mn_context *ctx, mn_softmax_fit *f)
{
  const size_t order = (f->k - 1) * f->q;
  f->total = MN_RAW(ctx, double, f->n, 1);
  f->old = MN_RAW(ctx, double, f->k, f->q);
  f->gradient = MN_RAW(ctx, double, order, 1);
  f->step = MN_RAW(ctx, double, order, 1);
  f->hessian = MN_RAW(ctx, double, order, order);
  f->factor = MN_RAW(ctx, double, order, order);
  f->square = MN_RAW(ctx, double, f->q, f->q);
  return f->total && f->old && f->gradient && f->step && f->hessian && f->factor && f->square ? MN_OK : MN_NO_MEMORY;
}

mn_status mn_softmax_steps(mn_context *ctx, mn_softmax_fit *f, size_t max_steps)
{
  bool done = f->k < 2;
  if (!done) MN_TRY(evaluate(ctx, f));
  for (size_t step = 0; step < max_steps && !done; step++) MN_TRY(newton_step(ctx, f, &done));
  return MN_OK;
}
