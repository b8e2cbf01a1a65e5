/* Linear models by SAGA: a random row at a time, whose gradient takes the place of the one it had when it was seen last
 * in the mean of all:
 *
 *     u := prox(u - rate ((g_i(u) - g_i) + mean_k g_k)),      then g_i := g_i(u),
 *
 * prox being that of the penalties, rate 1 / (3 L), L the largest curvature of the loss of a row. The gradient of a row
 * is a number times the row, so that one number a row is kept. A step touches the columns of its row only; what the
 * mean and the penalties have done to the others meanwhile is made up for when they are touched, in closed form. After
 * each round the gradients of all rows are made anew: the round's end is tested with them.
 *
 * Defazio, Bach & Lacoste-Julien, NIPS 2014; lagged updates: Schmidt, Le Roux & Bach, Math. Programming 162 (2017),
 * section 4.1. */
#include "../core/rng.h"
#include "descent.h"
#include <math.h>
#include <string.h>

enum { VALUES_BETWEEN_POLLS = 1 << 15 };

struct state {
  mn_descent *d;
  double *u;
  double *x;         /* values over scales; of dense rows about their means, too */
  double c, c_value; /* the constant over c_value, which is its column, is in u   */
  double *known;     /* n: the loss' of each row when it was seen last, times n share */
  double *mean;      /* p + 1: of the gradients known                                 */
  double *seen;      /* p: steps that weight j has been through in this round         */
  double *pull, *l2; /* p: penalties by u                                             */
  double rate;
};

/* `u` after `steps` steps that only the mean gradient g takes part in. Between signs they are one affine map. */
static double settle(double u, double g, double pull, double l2, double rate, double steps)
{
  const double shrink = 1 / (1 + rate * l2);
  while (steps > 0) {
    const double side = u > 0 ? 1 : -1, by = rate * (g + side * pull);
    double alone = 0, many = steps;
    while (u != 0 && many >= 1) { /* the most steps that leave the sign as it is: all, or found by halving */
      const double kept = l2 > 0 ? pow(shrink, many) : 1;
      const double after = l2 > 0 ? kept * u - by * shrink * (1 - kept) / (1 - shrink) : u - by * many;
      if (after * side > 0) {
        u = after;
        alone += many;
        if (alone >= steps) return u;
      }
      many = floor(fmin(many / 2, steps - alone));
    }
    const double free = u - rate * g;
    u = copysign(fmax(fabs(free) - rate * pull, 0), free) * shrink;
    steps -= alone + 1;
    if (u == 0 && fabs(g) <= pull) return 0;
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

/* L of the row that has most of it. */
static double largest_curvature(const struct state *s)
{
  const mn_descent *d = s->d;
  double largest = 0;
  for (size_t i = 0; i < d->n; i++) {
    const size_t begin = d->data->sparse ? d->data->sparse->start[i] : i * d->p,
                 end = d->data->sparse ? d->data->sparse->start[i + 1] : begin + d->p;
    double square = s->c_value * s->c_value;
    for (size_t e = begin; e < end; e++) square += s->x[e] * s->x[e];
    largest = fmax(largest, (double)d->n * d->share[i] * square);
  }
  return largest * d->loss->steepest;
}

static mn_status make(mn_context *ctx, struct state *s)
{
  const mn_descent *d = s->d;
  const size_t values = d->data->sparse ? d->data->sparse->start[d->n] : d->n * d->p;
  s->x = MN_RAW(ctx, double, values, 1);
  s->known = MN_RAW(ctx, double, d->n, 1);
  s->mean = MN_RAW(ctx, double, d->p + 1, 1);
  s->seen = MN_RAW(ctx, double, d->p, 1);
  s->pull = MN_RAW(ctx, double, d->p, 1);
  s->l2 = MN_RAW(ctx, double, d->p, 1);
  if (!s->x || !s->known || !s->mean || !s->seen || !s->pull || !s->l2) return MN_NO_MEMORY;
  scale_rows(d, s->x);
  s->c_value = d->fit_intercept ? 1 / d->scale[d->p] : 0;
  s->rate = 1 / (3 * largest_curvature(s));
  for (size_t j = 0; j < d->p; j++) {
    s->pull[j] = d->l1 / d->scale[j];
    s->l2[j] = d->l2 / (d->scale[j] * d->scale[j]);
  }
  return MN_OK;
}

/* The test, and all gradients anew. Sparse columns lie where they are, not about their means: so does the constant. */
static mn_status look(mn_context *ctx, struct state *s, double *gradient, mn_descent_end *end)
{
  mn_descent *d = s->d;
  MN_TRY(mn_descent_value(ctx, d, s->u, &end->objective, gradient));
  end->objective += mn_descent_l1(d, s->u);
  end->steepest = mn_descent_steepest(d, s->u, gradient);
  end->converged = end->steepest <= d->wanted;
  double sum = 0, means = 0;
  for (size_t i = 0; i < d->n; i++) {
    s->known[i] = (double)d->n * d->slope[i];
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
    if (s->seen[j] < steps) s->u[j] = settle(s->u[j], s->mean[j], s->pull[j], s->l2[j], s->rate, steps - s->seen[j]);
    z += s->x[e] * s->u[j];
  }
  const double n = (double)d->n, now = n * d->share[i] * d->loss->slope(d->y[i], z, d->parameter),
               change = now - s->known[i];
  s->known[i] = now;
  for (size_t e = begin; e < end; e++) {
    const size_t j = rows ? (size_t)rows->col[e] : e - begin;
    const double free = s->u[j] - s->rate * (s->mean[j] + change * s->x[e]), pull = s->rate * s->pull[j];
    s->u[j] = copysign(fmax(fabs(free) - pull, 0), free) / (1 + s->rate * s->l2[j]);
    s->seen[j] = steps + 1;
    s->mean[j] += change * s->x[e] / n;
  }
  s->c -= s->rate * s->c_value * (s->mean[d->p] + change * s->c_value);
  s->mean[d->p] += change * s->c_value / n;
}

/* n steps, after which every weight is up to date. */
static mn_status walk_round(mn_context *ctx, struct state *s, mn_rng *rng)
{
  const mn_descent *d = s->d;
  const size_t values = d->data->sparse ? d->data->sparse->start[d->n] : d->n * d->p;
  const size_t between = VALUES_BETWEEN_POLLS / (values / d->n + 1) + 1;
  double means = 0;
  memset(s->seen, 0, d->p * sizeof *s->seen);
  for (size_t k = 0; k < d->n; k++) {
    step(s, mn_random_below(rng, d->n), (double)k);
    if (k % between == between - 1) MN_TRY(mn_poll(ctx));
  }
  for (size_t j = 0; j < d->p; j++) {
    s->u[j] = settle(s->u[j], s->mean[j], s->pull[j], s->l2[j], s->rate, (double)d->n - s->seen[j]);
    means += d->data->sparse ? d->mean[j] * s->u[j] / d->scale[j] : 0;
  }
  s->u[d->p] = (s->c + means) * d->scale[d->p];
  return MN_OK;
}

mn_status mn_descent_by_saga(mn_context *ctx, mn_descent *d, double *u, mn_descent_end *end)
{
  struct state s = { .d = d, .u = u };
  double *gradient = MN_RAW(ctx, double, d->p + 1, 1);
  bool go_on = true;
  MN_CHECK_ALLOC(gradient);
  MN_TRY(make(ctx, &s));
  MN_TRY(look(ctx, &s, gradient, end));
  for (int64_t round = 0; go_on && !end->converged && round < d->max_iter; round++) {
    mn_rng rng = mn_stream(d->seed, (uint64_t)round);
    MN_TRY(walk_round(ctx, &s, &rng));
    MN_TRY(look(ctx, &s, gradient, end));
    go_on = d->note(d->user, end->objective);
  }
  return MN_OK;
}
