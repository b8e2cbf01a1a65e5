/* Linear models by SAGA: one random row at a time; its new gradient replaces its stored one in the mean of all:
 *
 *     u := prox(u - rate ((g_i(u) - g_i) + mean_k g_k)),      then g_i := g_i(u),
 *
 * where prox is that of the penalties and rate is 1 / (3 L), L the largest curvature of the loss of a row. The gradient
 * of a row is a number times the row, so one number per row is stored. A step touches only the columns of its row; what
 * the mean and the penalties do to the others is applied in closed form when they are next touched. After each round
 * all gradients are recomputed and the stopping test is made.
 *
 * Defazio, Bach & Lacoste-Julien, NIPS 2014; lagged updates: Schmidt, Le Roux & Bach, Math. Programming 162 (2017),
 * section 4.1. */
#include "../core/rng.h"
#include "descent.h"
#include <math.h>
#include <string.h>

enum { VALUES_PER_POLL = 1 << 15 };

struct state {
  mn_descent *d;
  double *u;
  double *x;         /* values over scales; of dense rows centered, too */
  double c, c_value; /* the intercept; in u it is multiplied by scale: c_value is 1 / scale, its column */
  double *row_slope; /* n: loss slope of each row when last visited, times n weight */
  double *mean;      /* p + 1: mean of the stored gradients */
  double *last_step; /* p: steps of this round already applied to coefficient j */
  double *l1, *l2;   /* p: penalties by u                                             */
  double rate;
};

/* Apply `steps` steps with only the mean gradient g to u. As long as the sign is constant they are one affine map. */
static double advance(double u, double g, double l1, double l2, double rate, double steps)
{
  const double shrink = 1 / (1 + rate * l2);
  while (steps > 0) {
    const double side = u > 0 ? 1 : -1, shift = rate * (g + side * l1);
    double done = 0, count = steps;
    while (u != 0 && count >= 1) { /* as many steps as leave the sign unchanged: all, or found by halving */
      const double kept = l2 > 0 ? pow(shrink, count) : 1;
      const double after = l2 > 0 ? kept * u - shift * shrink * (1 - kept) / (1 - shrink) : u - shift * count;
      if (after * side > 0) {
        u = after;
        done += count;
        if (done >= steps) return u;
      }
      count = floor(fmin(count / 2, steps - done));
    }
    const double unpenalized = u - rate * g;
    u = copysign(fmax(fabs(unpenalized) - rate * l1, 0), unpenalized) * shrink;
    steps -= done + 1;
    if (u == 0 && fabs(g) <= l1) return 0;
  }
  return u;
}

static void scale_rows(const mn_descent *d, double *x)
{
  const mn_csr *s = d->data->sparse;
  for (size_t e = 0; s && e < s->start[d->n]; e++) x[e] = s->at[e] / d->scale[s->col[e]];
  for (size_t i = 0; !s && i < d->n; i++)
    for (size_t j = 0; j < d->p; j++) x[i * d->p + j] = (mn_row(&d->data->x, i)[j] - d->mean[j]) / d->scale[j];
}

/* Largest curvature of the loss of a row. */
static double largest_curvature(const struct state *s)
{
  const mn_descent *d = s->d;
  double largest = 0;
  for (size_t i = 0; i < d->n; i++) {
    const size_t begin = d->data->sparse ? d->data->sparse->start[i] : i * d->p,
                 end = d->data->sparse ? d->data->sparse->start[i + 1] : begin + d->p;
    double square = s->c_value * s->c_value;
    for (size_t e = begin; e < end; e++) square += s->x[e] * s->x[e];
    largest = fmax(largest, (double)d->n * d->weight[i] * square);
  }
  return largest * d->loss->max_curvature;
}

static mn_status init_solver(mn_context *ctx, struct state *s)
{
  const mn_descent *d = s->d;
  const size_t values = d->data->sparse ? d->data->sparse->start[d->n] : d->n * d->p;
  s->x = MN_RAW(ctx, double, values, 1);
  s->row_slope = MN_RAW(ctx, double, d->n, 1);
  s->mean = MN_RAW(ctx, double, d->p + 1, 1);
  s->last_step = MN_RAW(ctx, double, d->p, 1);
  s->l1 = MN_RAW(ctx, double, d->p, 1);
  s->l2 = MN_RAW(ctx, double, d->p, 1);
  if (!s->x || !s->row_slope || !s->mean || !s->last_step || !s->l1 || !s->l2) return MN_NO_MEMORY;
  scale_rows(d, s->x);
  s->c_value = d->fit_intercept ? 1 / d->scale[d->p] : 0;
  s->rate = 1 / (3 * largest_curvature(s));
  for (size_t j = 0; j < d->p; j++) {
    s->l1[j] = d->l1 / d->scale[j];
    s->l2[j] = d->l2 / (d->scale[j] * d->scale[j]);
  }
  return MN_OK;
}

/* Evaluate the stopping test and recompute all gradients. Sparse columns are not centered, and the intercept is
 * adjusted to that. */
static mn_status refresh_gradients(mn_context *ctx, struct state *s, double *gradient, mn_descent_result *end)
{
  mn_descent *d = s->d;
  MN_TRY(mn_descent_evaluate(ctx, d, s->u, &end->objective, gradient));
  end->objective += mn_descent_l1_penalty(d, s->u);
  end->max_subgradient = mn_descent_max_subgradient(d, s->u, gradient);
  end->converged = end->max_subgradient <= d->subgradient_tol;
  double sum = 0, means = 0;
  for (size_t i = 0; i < d->n; i++) {
    s->row_slope[i] = (double)d->n * d->slope[i];
    sum += d->slope[i];
  }
  for (size_t j = 0; j < d->p; j++) {
    s->mean[j] = gradient[j] - s->l2[j] * s->u[j] + (d->data->sparse ? d->mean[j] * sum / d->scale[j] : 0);
    means += d->data->sparse ? d->mean[j] * s->u[j] / d->scale[j] : 0;
  }
  s->mean[d->p] = sum * s->c_value;
  s->c = s->u[d->p] / d->scale[d->p] - means;
  return MN_OK;
}

static void step(struct state *s, size_t i, double steps)
{
  const mn_descent *d = s->d;
  const mn_csr *rows = d->data->sparse;
  const size_t begin = rows ? rows->start[i] : i * d->p, end = rows ? rows->start[i + 1] : begin + d->p;
  double z = s->c;
  for (size_t e = begin; e < end; e++) {
    const size_t j = rows ? (size_t)rows->col[e] : e - begin;
    if (s->last_step[j] < steps)
      s->u[j] = advance(s->u[j], s->mean[j], s->l1[j], s->l2[j], s->rate, steps - s->last_step[j]);
    z += s->x[e] * s->u[j];
  }
  const double n = (double)d->n, slope = n * d->weight[i] * d->loss->slope(d->y[i], z, d->parameter),
               change = slope - s->row_slope[i];
  s->row_slope[i] = slope;
  for (size_t e = begin; e < end; e++) {
    const size_t j = rows ? (size_t)rows->col[e] : e - begin;
    const double unpenalized = s->u[j] - s->rate * (s->mean[j] + change * s->x[e]), l1 = s->rate * s->l1[j];
    s->u[j] = copysign(fmax(fabs(unpenalized) - l1, 0), unpenalized) / (1 + s->rate * s->l2[j]);
    s->last_step[j] = steps + 1;
    s->mean[j] += change * s->x[e] / n;
  }
  s->c -= s->rate * s->c_value * (s->mean[d->p] + change * s->c_value);
  s->mean[d->p] += change * s->c_value / n;
}

/* n steps, then bring every coefficient up to date. */
static mn_status run_round(mn_context *ctx, struct state *s, mn_rng *rng)
{
  const mn_descent *d = s->d;
  const size_t values = d->data->sparse ? d->data->sparse->start[d->n] : d->n * d->p;
  const size_t poll_interval = VALUES_PER_POLL / (values / d->n + 1) + 1;
  double means = 0;
  memset(s->last_step, 0, d->p * sizeof *s->last_step);
  for (size_t k = 0; k < d->n; k++) {
    step(s, mn_random_below(rng, d->n), (double)k);
    if (k % poll_interval == poll_interval - 1) MN_TRY(mn_poll(ctx));
  }
  for (size_t j = 0; j < d->p; j++) {
    s->u[j] = advance(s->u[j], s->mean[j], s->l1[j], s->l2[j], s->rate, (double)d->n - s->last_step[j]);
    means += d->data->sparse ? d->mean[j] * s->u[j] / d->scale[j] : 0;
  }
  s->u[d->p] = (s->c + means) * d->scale[d->p];
  return MN_OK;
}

mn_status mn_descent_solve_saga(mn_context *ctx, mn_descent *d, double *u, mn_descent_result *end)
{
  struct state s = { .d = d, .u = u };
  double *gradient = MN_RAW(ctx, double, d->p + 1, 1);
  bool keep_going = true;
  MN_CHECK_ALLOC(gradient);
  MN_TRY(init_solver(ctx, &s));
  MN_TRY(refresh_gradients(ctx, &s, gradient, end));
  for (int64_t round = 0; keep_going && !end->converged && round < d->max_iter; round++) {
    mn_rng rng = mn_stream(d->seed, (uint64_t)round);
    MN_TRY(run_round(ctx, &s, &rng));
    MN_TRY(refresh_gradients(ctx, &s, gradient, end));
    keep_going = d->progress(d->user, end->objective);
  }
  return MN_OK;
}
