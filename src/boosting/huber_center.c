#include "huber_center.h"
#include <math.h>

/* Negative derivative of the loss at v, and the weight of the residuals within delta, above and below it. */
struct huber_sums {
  double gradient, within, above, below;
};

static struct huber_sums sum_at(const mn_cancel_token *token, size_t n, const double *r, const double *w, double delta,
                                double v)
{
  struct huber_sums p = { .gradient = 0 };
  mn_chunk chunk = { 0 };
  while (mn_next_chunk(token, n, &chunk))
    for (size_t i = chunk.begin; i < chunk.end; i++) {
      const double residual = r[i] - v, weight = w ? w[i] : 1;
      if (residual > delta)
        p.above += weight;
      else if (residual < -delta)
        p.below += weight;
      else {
        p.within += weight;
        p.gradient += weight * residual;
      }
    }
  p.gradient += delta * (p.above - p.below);
  return p;
}

static bool same_partition(const struct huber_sums *a, const struct huber_sums *b)
{
  return a->above == b->above && a->below == b->below && a->within == b->within;
}

/* The derivative is piecewise linear in v, with one piece for each partition of the residuals. Newton's method ends in
 * the right piece; a step that leaves the bracket, or is more than half as long as the one before it, is replaced by
 * bisection. */
double mn_huber_center(const mn_cancel_token *token, size_t n, const double *r, const double *w, double delta,
                       double l1, double l2)
{
  struct huber_sums p = sum_at(token, n, r, w, delta, 0);
  double low = 0, high = 0, v = 0;
  if (!(fabs(p.gradient) > l1)) return 0;
  const bool up = p.gradient > 0;
  for (size_t i = 0; i < n; i++) {
    if (up && r[i] > high) high = r[i];
    if (!up && r[i] < low) low = r[i];
  }
  double last = high - low;
  if (!(last < INFINITY)) return 0;
  for (;;) {
    const double gradient = p.gradient - l2 * v - (up ? l1 : -l1), slope = p.within + l2;
    const double step = slope > 0 ? gradient / slope : INFINITY;
    if (gradient == 0) return v;
    if (gradient > 0)
      low = v;
    else
      high = v;
    const bool newton = v + step > low && v + step < high && 2 * fabs(step) <= last;
    const double next = newton ? v + step : low + (high - low) / 2;
    if (!(next > low && next < high)) return next;
    if (n > MN_CHUNK && !mn_task_should_continue(token)) return 0;
    const struct huber_sums at_next = sum_at(token, n, r, w, delta, next);
    if (newton && same_partition(&p, &at_next)) return next;
    last = fabs(next - v);
    p = at_next;
    v = next;
  }
}
