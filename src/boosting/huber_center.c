#include "huber_center.h"
#include <math.h>

/* Of the numbers less v: how much they pull upwards, and the weight of those within delta, above and below it. */
struct pull {
  double force, within, above, below;
};

static struct pull pull_at(const mn_cancel_token *token, size_t n, const double *r, const double *w, double delta,
                           double v)
{
  struct pull p = { .force = 0 };
  mn_chunk piece = { 0 };
  while (mn_next_chunk(token, n, &piece))
    for (size_t i = piece.begin; i < piece.end; i++) {
      const double rest = r[i] - v, weight = w ? w[i] : 1;
      if (rest > delta)
        p.above += weight;
      else if (rest < -delta)
        p.below += weight;
      else {
        p.within += weight;
        p.force += weight * rest;
      }
    }
  p.force += delta * (p.above - p.below);
  return p;
}

static bool same_parts(const struct pull *a, const struct pull *b)
{
  return a->above == b->above && a->below == b->below && a->within == b->within;
}

/* The force falls with v in straight pieces, one for each parting of the numbers. Newton's steps end in the right one;
 * where a step leads out of what is left, or is not half the one before it at most, what is left is halved. */
double mn_huber_center(const mn_cancel_token *token, size_t n, const double *r, const double *w, double delta,
                       double l1, double l2)
{
  struct pull p = pull_at(token, n, r, w, delta, 0);
  double low = 0, high = 0, v = 0;
  if (!(fabs(p.force) > l1)) return 0;
  const bool up = p.force > 0;
  for (size_t i = 0; i < n; i++) {
    if (up && r[i] > high) high = r[i];
    if (!up && r[i] < low) low = r[i];
  }
  double last = high - low;
  if (!(last < INFINITY)) return 0;
  for (;;) {
    const double force = p.force - l2 * v - (up ? l1 : -l1), slope = p.within + l2;
    const double step = slope > 0 ? force / slope : INFINITY;
    if (force == 0) return v;
    if (force > 0)
      low = v;
    else
      high = v;
    const bool newton = v + step > low && v + step < high && 2 * fabs(step) <= last;
    const double next = newton ? v + step : low + (high - low) / 2;
    if (!(next > low && next < high)) return next;
    if (n > MN_CHUNK && !mn_task_should_continue(token)) return 0;
    const struct pull there = pull_at(token, n, r, w, delta, next);
    if (newton && same_parts(&p, &there)) return next;
    last = fabs(next - v);
    p = there;
    v = next;
  }
}
