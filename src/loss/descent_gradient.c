/* Linear models by gradient descent, with an L1 penalty by the proximal step: from u to
 *
 *     soft(u - t g, t l1 / scale),      soft(v, a) = sign(v) max(|v| - a, 0)
 *
 * The length t is that of Barzilai and Borwein (IMA J. Numer. Anal. 8, 1988), halved until F falls by as much as the
 * step promises: the rule of Armijo (Pacific J. Math. 16, 1966), in the form of Wright, Nowak & Figueiredo (IEEE Trans.
 * Signal Proc. 57, 2009) where there is an L1 term. So F never rises. */
#include "descent.h"
#include <math.h>
#include <string.h>

#define PROMISE 1e-4 /* the share of what a step of the model would gain that it has to */

struct state {
  mn_descent *d;
  double *u, *gradient, objective;
  double *next, *next_gradient, next_objective;
  double length;
};

static double soft(double v, double by)
{
  return copysign(fmax(fabs(v) - by, 0), v);
}

static mn_status evaluate(mn_context *ctx, mn_descent *d, const double *u, double *objective, double *gradient)
{
  MN_TRY(mn_descent_value(ctx, d, u, objective, gradient));
  *objective += mn_descent_l1(d, u);
  return MN_OK;
}

/* One step of a length at which F falls; *falls: there was one. */
static mn_status step(mn_context *ctx, struct state *s, bool *falls)
{
  enum { HALVINGS = 60 };
  const mn_descent *d = s->d;
  for (int k = 0; k < HALVINGS; k++, s->length /= 2) {
    double square = 0;
    for (size_t j = 0; j <= d->p; j++) {
      const double pull = j < d->p ? d->l1 / d->scale[j] : 0;
      s->next[j] = soft(s->u[j] - s->length * s->gradient[j], s->length * pull);
      square += (s->next[j] - s->u[j]) * (s->next[j] - s->u[j]);
    }
    MN_TRY(evaluate(ctx, s->d, s->next, &s->next_objective, s->next_gradient));
    *falls = square > 0 && s->next_objective <= s->objective - PROMISE / s->length * square;
    if (*falls || !(square > 0)) return MN_OK;
  }
  return MN_OK;
}

/* |du|^2 / du dg of the last step, by turns |du dg| / |dg|^2: the two lengths of Barzilai and Borwein. */
static double next_length(const struct state *s, bool shorter)
{
  double square = 0, change = 0, product = 0;
  for (size_t j = 0; j <= s->d->p; j++) {
    const double du = s->next[j] - s->u[j], dg = s->next_gradient[j] - s->gradient[j];
    square += du * du;
    change += dg * dg;
    product += du * dg;
  }
  if (!(product > 0)) return 2 * s->length;
  return shorter ? product / change : square / product;
}

static mn_status make(mn_context *ctx, mn_descent *d, double *u, struct state *s)
{
  *s = (struct state){ .d = d, .u = u, .length = 1 };
  s->gradient = MN_RAW(ctx, double, d->p + 1, 1);
  s->next = MN_RAW(ctx, double, d->p + 1, 1);
  s->next_gradient = MN_RAW(ctx, double, d->p + 1, 1);
  if (!s->gradient || !s->next || !s->next_gradient) return MN_NO_MEMORY;
  return evaluate(ctx, d, u, &s->objective, s->gradient);
}

mn_status mn_descent_by_gradient(mn_context *ctx, mn_descent *d, double *u, mn_descent_end *end)
{
  const size_t bytes = (d->p + 1) * sizeof *u;
  struct state s;
  bool go_on = true, falls = true;
  MN_TRY(make(ctx, d, u, &s));
  end->steepest = mn_descent_steepest(d, u, s.gradient);
  end->converged = end->steepest <= d->wanted;
  for (int64_t round = 0; go_on && !end->converged && round < d->max_iter; round++) {
    MN_TRY(step(ctx, &s, &falls));
    if (falls) {
      s.length = next_length(&s, round % 2 == 1);
      memcpy(s.u, s.next, bytes);
      memcpy(s.gradient, s.next_gradient, bytes);
      s.objective = s.next_objective;
      end->steepest = mn_descent_steepest(d, u, s.gradient);
    }
    end->converged = !falls || end->steepest <= d->wanted; /* rounding is an end, too */
    go_on = d->note(d->user, s.objective);
  }
  end->objective = s.objective;
  return MN_OK;
}
