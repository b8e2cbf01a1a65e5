#include "gp_sparse_steps.h"
#include "../kernel/prior.h"
#include "../core/rng.h"
#include "../factorization/lapack.h"
#include <math.h>
#include <string.h>

size_t mn_sparse_step_variables(const mn_kernel *kernel, size_t m, size_t d, bool learned)
{
  return mn_kernel_free_count(kernel) + (learned ? m * d : 0);
}

/* to = (1 - rate) to + rate from */
static void move(size_t n, double rate, const double *from, double *to)
{
  for (size_t i = 0; i < n; i++) to[i] += rate * (from[i] - to[i]);
}

/* The sums of the batch, then the natural gradient step. *failed: a matrix is not positive definite. */
static mn_status move_sums(mn_context *ctx, mn_sparse_steps *s, const mn_sparse_problem *batch, bool *failed)
{
  mn_sparse_state *state = s->state, step;
  mn_sparse_sums *to = &state->sums, *from = &step.sums;
  const double rate = s->started ? s->natural_rate : 1;
  MN_TRY(mn_sparse_prior(ctx, s->kernel, state, failed));
  if (*failed) return MN_OK;
  MN_TRY(mn_sparse_new(ctx, batch, &state->z, &step));
  step.l = state->l;
  mn_sparse_clear(&step);
  MN_TRY(mn_sparse_add(ctx, s->kernel, batch, &step));
  move(state->m * state->m, rate, from->gram, to->gram);
  move(state->m * state->columns, rate, from->cross, to->cross);
  move(state->columns * state->columns, rate, from->square, to->square);
  move(1, rate, &from->weight, &to->weight);
  move(1, rate, &from->log_noise, &to->log_noise);
  move(1, rate, &from->trace, &to->trace);
  move(1, rate, &from->slack, &to->slack);
  to->least_noise = from->least_noise;
  to->most_noise = from->most_noise;
  *failed = !(to->least_noise > 0);
  if (!*failed) MN_TRY(mn_sparse_solve(ctx, state));
  *failed = *failed || !isfinite(state->log_likelihood);
  return MN_OK;
}

/* Minus the Kullback-Leibler divergence of the posterior of inv(L) u from its prior, for all targets. */
static mn_status divergence(mn_context *ctx, const mn_sparse_state *s, double *out)
{
  const size_t m = s->m;
  double *inverse = MN_RAW(ctx, double, m, m), trace = 0, square = 0;
  MN_CHECK_ALLOC(inverse);
  memcpy(inverse, s->factor, m * m * sizeof *inverse);
  MN_TRY(mn_chol_inverse(ctx, m, inverse));
  for (size_t i = 0; i < m; i++) trace += inverse[i * m + i];
  for (size_t i = 0; i < m * s->q; i++) square += s->mean[i] * s->mean[i];
  *out = -0.5 * (square + (double)s->q * (trace - (double)m + mn_chol_logdet(m, s->factor)));
  return MN_OK;
}

static void adam(mn_sparse_steps *s, size_t n, const double *gradient, double *change)
{
  static const double decay = 0.9, square_decay = 0.999, small = 1e-8;
  const double steps = (double)s->steps;
  for (size_t j = 0; j < n; j++) {
    double *first = &s->moment[j], *second = &s->moment[n + j];
    *first = decay * *first + (1 - decay) * gradient[j];
    *second = square_decay * *second + (1 - square_decay) * gradient[j] * gradient[j];
    const double mean = *first / (1 - pow(decay, steps)), square = *second / (1 - pow(square_decay, steps));
    change[j] = s->rate * mean / (sqrt(square) + small);
  }
}

mn_status mn_sparse_step(mn_context *ctx, mn_sparse_steps *s, const mn_sparse_problem *batch, double *bound)
{
  const size_t d = batch->rows.d, thetas = mn_kernel_free_count(s->kernel), n = s->variables;
  const mn_mark mark = mn_scratch_mark(ctx);
  double *gradient = MN_RAW(ctx, double, n, 1), *change = MN_RAW(ctx, double, n, 1), *theta = MN_RAW(ctx, double, n, 1),
         *low = MN_RAW(ctx, double, n, 1), *high = MN_RAW(ctx, double, n, 1), expected;
  bool failed;
  if (!gradient || !change || !theta || !low || !high) return MN_NO_MEMORY;
  *bound = (double)NAN;
  MN_TRY(move_sums(ctx, s, batch, &failed));
  s->steps++;
  s->started = true;
  if (!failed) {
    MN_TRY(mn_sparse_batch_gradient(ctx, s->kernel, batch, s->state, &expected, gradient,
                                    s->learned ? gradient + thetas : NULL));
    MN_TRY(divergence(ctx, s->state, bound));
    *bound += expected;
    mn_kernel_add_priors(s->kernel, bound, gradient);
    for (size_t e = thetas; e < n; e++) gradient[e] *= s->scale[(e - thetas) % d];
    adam(s, n, gradient, change);
    mn_kernel_theta(s->kernel, theta);
    mn_kernel_bounds(s->kernel, low, high);
    for (size_t j = 0; j < thetas; j++) theta[j] = fmin(fmax(theta[j] + change[j], low[j]), high[j]);
    mn_kernel_set_theta(s->kernel, theta);
    for (size_t e = thetas; e < n; e++) s->z[e - thetas] += change[e] * s->scale[(e - thetas) % d];
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* --- passes --- */

struct batch {
  const mn_sparse_problem *all;
  double total;
  size_t *order; /* rows in the order of the pass */
  double *x, *y, *weights;
};

static mn_status new_batch(mn_context *ctx, const mn_sparse_problem *all, size_t size, struct batch *b)
{
  *b = (struct batch){ .all = all,
                       .order = MN_RAW(ctx, size_t, all->rows.n, 1),
                       .x = MN_RAW(ctx, double, size, all->rows.d),
                       .y = MN_RAW(ctx, double, size, all->q),
                       .weights = MN_RAW(ctx, double, size, 1) };
  for (size_t i = 0; i < all->rows.n; i++) b->total += all->weights ? all->weights[i] : 1;
  return b->order && b->x && b->y && b->weights ? MN_OK : MN_NO_MEMORY;
}

static void shuffle(struct batch *b, int64_t seed, size_t pass)
{
  mn_rng random = mn_stream(seed, pass + 1);
  const size_t n = b->all->rows.n;
  for (size_t i = 0; i < n; i++) b->order[i] = i;
  for (size_t i = n; i > 1; i--) {
    const size_t j = mn_random_below(&random, i), other = b->order[j];
    b->order[j] = b->order[i - 1];
    b->order[i - 1] = other;
  }
}

/* Rows begin .. begin + n - 1 of the order, with weights whose sum is that of all rows. */
static mn_sparse_problem read_batch(struct batch *b, size_t begin, size_t n)
{
  const mn_sparse_problem *all = b->all;
  const size_t d = all->rows.d;
  double sum = 0;
  for (size_t i = 0; i < n; i++) {
    const size_t row = b->order[begin + i];
    memcpy(b->x + i * d, all->rows.x + row * d, d * sizeof *b->x);
    memcpy(b->y + i * all->q, all->y + row * all->q, all->q * sizeof *b->y);
    b->weights[i] = all->weights ? all->weights[row] : 1;
    sum += b->weights[i];
  }
  for (size_t i = 0; i < n; i++) b->weights[i] *= b->total / sum;
  mn_sparse_problem batch = *all;
  batch.rows = (mn_kernel_rows){ .n = n, .d = d, .x = b->x };
  batch.y = b->y;
  batch.weights = b->weights;
  return batch;
}

mn_status mn_sparse_run_passes(mn_context *ctx, mn_sparse_steps *s, const mn_sparse_problem *all,
                               mn_sparse_passes *passes)
{
  enum { PATIENCE = 5 };
  const size_t n = all->rows.n, size = passes->batch_size < n ? passes->batch_size : n, batches = n / size;
  double best = -INFINITY;
  size_t worse = 0;
  struct batch b;
  MN_TRY(new_batch(ctx, all, size, &b));
  for (size_t pass = 0; pass < passes->max_passes && !passes->converged; pass++) {
    double sum = 0;
    shuffle(&b, passes->seed, pass);
    for (size_t i = 0; i < batches; i++) { /* fewer than a batch are left out of this pass */
      double bound;
      const size_t begin = i * size;
      const mn_sparse_problem batch = read_batch(&b, begin, size);
      MN_TRY(mn_sparse_step(ctx, s, &batch, &bound));
      sum += bound / (double)batches;
      MN_TRY(mn_poll(ctx));
    }
    passes->change = pass == 0 ? INFINITY : (sum - best) / fmax(fabs(best), 1);
    worse = sum > best + passes->tol * fmax(fabs(best), 1) || pass == 0 ? 0 : worse + 1;
    best = pass == 0 ? sum : fmax(best, sum);
    passes->converged = worse >= PATIENCE;
    if (!passes->note(passes->user, sum)) break;
  }
  return mn_error_status(ctx);
}
