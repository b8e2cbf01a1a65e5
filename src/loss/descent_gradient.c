/* Linear models by gradient descent, with a proximal step for an L1 penalty: from u to
 *
 *     soft(u - t g, t l1 / scale),      soft(v, a) = sign(v) max(|v| - a, 0)
 *
 * The step length t is that of Barzilai and Borwein (IMA J. Numer. Anal. 8, 1988), halved until F falls sufficiently:
 * the rule of Armijo (Pacific J. Math. 16, 1966), in the form of Wright, Nowak & Figueiredo (IEEE Trans. Signal Proc.
 * 57, 2009) with an L1 term. So F never rises. */
#include "descent.h"
#include <math.h>
#include <string.h>

#define SUFFICIENT_DECREASE 1e-4 /* required share of the predicted decrease */

struct state {
  mn_descent *d;
  double *u, *gradient, objective;
  double *next, *next_gradient, next_objective;
  double length;
};

static double soft_threshold(double v, double threshold)
{
  return copysign(fmax(fabs(v) - threshold, 0), v);
}

static mn_status evaluate(mn_context *ctx, mn_descent *d, const double *u, double *objective, double *gradient)
{
  MN_TRY(mn_descent_evaluate(ctx, d, u, objective, gradient));
  *objective += mn_descent_l1_penalty(d, u);
  return MN_OK;
}

/* One step, halved until F falls; *decreased: it did. */
static mn_status line_search(mn_context *ctx, struct state *s, bool *decreased)
{
  enum { MAX_HALVINGS = 60 };
  const mn_descent *d = s->d;
  for (int k = 0; k < MAX_HALVINGS; k++, s->length /= 2) {
    double square = 0;
    for (size_t j = 0; j <= d->p; j++) {
      const double threshold = j < d->p ? d->l1 / d->scale[j] : 0;
      s->next[j] = soft_threshold(s->u[j] - s->length * s->gradient[j], s->length * threshold);
      square += (s->next[j] - s->u[j]) * (s->next[j] - s->u[j]);
    }
    MN_TRY(evaluate(ctx, s->d, s->next, &s->next_objective, s->next_gradient));
    *decreased = square > 0 && s->next_objective <= s->objective - SUFFICIENT_DECREASE / s->length * square;
    if (*decreased || !(square > 0)) return MN_OK;
  }
  return MN_OK;
}

/* The step lengths of Barzilai and Borwein from the last step: |du|^2 / du dg, or the shorter |du dg| / |dg|^2. */
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

static mn_status init_solver(mn_context *ctx, mn_descent *d, double *u, struct state *s)
{
  *s = (struct state){ .d = d, .u = u, .length = 1 };
  s->gradient = MN_RAW(ctx, double, d->p + 1, 1);
  s->next = MN_RAW(ctx, double, d->p + 1, 1);
  s->next_gradient = MN_RAW(ctx, double, d->p + 1, 1);
  if (!s->gradient || !s->next || !s->next_gradient) return MN_NO_MEMORY;
  return evaluate(ctx, d, u, &s->objective, s->gradient);
}

mn_status mn_descent_solve_gradient(mn_context *ctx, mn_descent *d, double *u, mn_descent_result *end)
{
  const size_t bytes = (d->p + 1) * sizeof *u;
  struct state s;
  bool keep_going = true, decreased = true;
  MN_TRY(init_solver(ctx, d, u, &s));
  end->max_subgradient = mn_descent_max_subgradient(d, u, s.gradient);
  end->converged = end->max_subgradient <= d->subgradient_tol;
  for (int64_t round = 0; keep_going && !end->converged && round < d->max_iter; round++) {
    MN_TRY(line_search(ctx, &s, &decreased));
    if (decreased) {
      s.length = next_length(&s, round % 2 == 1);
      memcpy(s.u, s.next, bytes);
      memcpy(s.gradient, s.next_gradient, bytes);
      s.objective = s.next_objective;
      end->max_subgradient = mn_descent_max_subgradient(d, u, s.gradient);
    }
    end->converged =
        !decreased || end->max_subgradient <= d->subgradient_tol; /* no decrease: at the limit of rounding */
    keep_going = d->progress(d->user, s.objective);
  }
  end->objective = s.objective;
  return MN_OK;
}
