/* Iterative scaling. A step d of one coefficient is the root of
 *
 *     sum_t w_t sum_y p(y | x_t) f(x_t, y) exp(d F) + 2 c2 (w + d) = observed f
 *
 * with F = the sum of the features of (x_t, y) in improved iterative scaling, and their maximum in generalized
 * iterative scaling. The left side is convex and increases with d, so Newton's method converges to the root, from
 * above. All coefficients take their steps at once, and the objective decreases: a correction feature is not necessary
 * (Curran & Clark, EACL 2003). */
#include "scaling_kernel.h"
#include "solve.h"

enum { NEWTON_STEPS = 100, ROWS = 256 };

struct scaling {
  const mn_tag_training *t;
  mn_likelihood *o;
  bool improved;
  const double *w;
  double most;                  /* the largest sum of features  */
  double *ones;                 /* n                            */
  double *step, *value, *slope; /* n                            */
  double *p, *total;            /* ROWS x ld                    */
};

static void sum_features(const struct scaling *s, size_t at, size_t n)
{
  const mn_tag_training *t = s->t;
  const mn_csr *x = &t->tokens.x;
  mn_chain_scores(n, x->start + at, t->col, x->at, t->first, t->label, s->ones, t->classes, s->o->chain.ld, s->total);
}

static mn_status check_features(mn_context *ctx, const mn_tag_training *t)
{
  const mn_csr *x = &t->tokens.x;
  for (size_t e = 0; e < x->start[x->rows]; e++)
    if (x->at[e] < 0) {
      char number[MN_NUMBER_SIZE];
      return mn_fail(ctx, MN_BAD_DATA, "LogLinear: gis and iis need features >= 0, got %s; use 'lbfgs'",
                     mn_format_number(number, x->at[e]));
    }
  for (size_t f = 0; f < t->pairs; f++)
    if (t->observed[f] <= 0 && t->l2[f] == 0)
      return mn_fail(
          ctx, MN_BAD_ARGUMENT,
          "LogLinear: gis and iis need c2 > 0 for pairs of a feature and a class that do not occur together; "
          "set c2, or all_possible_states = false");
  return MN_OK;
}

static mn_status find_most(mn_context *ctx, struct scaling *s)
{
  const mn_tag_training *t = s->t;
  const size_t rows = t->tokens.x.rows, ld = s->o->chain.ld;
  for (size_t at = 0; at < rows; at += ROWS) {
    const size_t n = rows - at < ROWS ? rows - at : ROWS;
    sum_features(s, at, n);
    for (size_t i = 0; i < n * ld; i++) s->most = fmax(s->most, s->total[i]);
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

/* The left sides without the penalty, and their derivatives, at s->step. */
static mn_status sum_improved(mn_context *ctx, const struct scaling *s)
{
  const mn_tag_training *t = s->t;
  const mn_csr *x = &t->tokens.x;
  const size_t ld = s->o->chain.ld;
  double loss[ROWS];
  memset(s->value, 0, t->n * sizeof *s->value);
  memset(s->slope, 0, t->n * sizeof *s->slope);
  for (size_t at = 0; at < x->rows; at += ROWS) {
    const size_t n = x->rows - at < ROWS ? x->rows - at : ROWS;
    const double *factor = t->data->weights ? t->data->weights + at : NULL;
    mn_chain_scores(n, x->start + at, t->col, x->at, t->first, t->label, s->w, t->classes, ld, s->p);
    mn_chain_softmax(n, t->classes, ld, NULL, false, NULL, s->p, loss);
    sum_features(s, at, n);
    mn_scaling_sums(n, x->start + at, t->col, x->at, t->first, t->label, s->p, s->total, factor, ld, s->step, s->value,
                    s->slope);
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

/* Newton's next step for coefficient f. */
static double newton(const struct scaling *s, size_t f, double value, double slope)
{
  const double l2 = 2 * s->t->l2[f], rest = value + l2 * (s->w[f] + s->step[f]) - s->t->observed[f];
  return slope + l2 > 0 ? rest / (slope + l2) : 0;
}

/* Newton's method for all coefficients at once. From below the root a step may be far too long; it is bounded. */
static mn_status improve(mn_context *ctx, struct scaling *s)
{
  double change = INFINITY;
  memset(s->step, 0, s->t->n * sizeof *s->step);
  for (int i = 0; i < NEWTON_STEPS && change > 1e-10; i++) {
    MN_TRY(sum_improved(ctx, s));
    change = 0;
    for (size_t f = 0; f < s->t->n; f++) {
      const double by = fmax(-1, fmin(1, newton(s, f, s->value[f], s->slope[f])));
      s->step[f] -= by;
      change = fmax(change, fabs(by));
    }
  }
  return MN_OK;
}

/* The same with F = s->most: expected[f] exp(d F). */
static void generalize(struct scaling *s, const double *expected)
{
  for (size_t f = 0; f < s->t->n; f++) {
    s->step[f] = 0;
    if (s->t->l2[f] == 0) {
      s->step[f] = expected[f] > 0 ? log(s->t->observed[f] / expected[f]) / s->most : 0;
      continue;
    }
    for (int i = 0; i < NEWTON_STEPS; i++) {
      const double value = expected[f] * exp(s->step[f] * s->most);
      const double by = fmax(-1, fmin(1, newton(s, f, value, value * s->most)));
      s->step[f] -= by;
      if (fabs(by) <= 1e-12) break;
    }
  }
}

static mn_status iterate(mn_context *ctx, struct scaling *s, double *w, double *expected)
{
  const mn_tag_training *t = s->t;
  mn_report *r = &t->model->base.report;
  double value = INFINITY;
  r->advice = "increase max_iter, or use the solver 'lbfgs'";
  for (;;) {
    const double before = value;
    MN_TRY(mn_likelihood_evaluate(ctx, s->o, w, &value, expected));
    value += mn_penalty(t, w);
    r->change = (before - value) / fmax(fabs(value), 1);
    if (before < INFINITY && !mn_round(ctx, r, t->model->max_iter, value)) return MN_OK;
    r->converged = r->change <= t->model->tol;
    if (r->converged || r->n_iter >= t->model->max_iter) return MN_OK;
    for (size_t f = 0; f < t->n; f++) expected[f] += t->observed[f];
    if (s->improved)
      MN_TRY(improve(ctx, s));
    else
      generalize(s, expected);
    for (size_t f = 0; f < t->n; f++) w[f] += s->step[f];
  }
}

mn_status mn_tagger_scaling(mn_context *ctx, const mn_tag_training *t, mn_likelihood *o, bool improved, double *w)
{
  const size_t n = t->n, ld = o->chain.ld;
  struct scaling s = { .t = t, .o = o, .improved = improved, .w = w };
  double *expected = MN_RAW(ctx, double, n, 1);
  s.ones = MN_RAW(ctx, double, n, 1);
  s.step = MN_RAW(ctx, double, n, 1);
  s.value = MN_RAW(ctx, double, n, 1);
  s.slope = MN_RAW(ctx, double, n, 1);
  s.p = MN_RAW(ctx, double, ROWS, ld);
  s.total = MN_RAW(ctx, double, ROWS, ld);
  if (!expected || !s.ones || !s.step || !s.value || !s.slope || !s.p || !s.total) return MN_NO_MEMORY;
  for (size_t f = 0; f < n; f++) s.ones[f] = 1;
  MN_TRY(check_features(ctx, t));
  MN_TRY(find_most(ctx, &s));
  return iterate(ctx, &s, w, expected);
}
