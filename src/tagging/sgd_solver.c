/* Stochastic gradient descent for CRF. Sequence s of pass e takes the step
 *
 *     w -= eta gradient of -log p(y_s | x_s) + (c2 |w|^2) / N,      eta = eta0 (1 + lambda eta0 steps so far)^-0.75
 *
 * with lambda = 2 c2 / N, or without an L2 penalty eta = eta0 (1 + passes so far)^-0.75. The L2 penalty is a common
 * factor of all coefficients. The result is an average over the steps (Xu 2011) in which a step of pass e has the
 * weight (e + 1)^3, so that the first steps are forgotten (Shamir & Zhang 2013). With an L1 penalty it is the last w,
 * because an average has no zeros, and the power is -1. The L1 penalty is applied to a coefficient when its feature
 * occurs: up to the total that it owes (Tsuruoka et al. 2009). */
#include "../core/rng.h"
#include "solve.h"

enum { CALIBRATION = 1000, PATIENCE = 5 };

struct descent {
  const mn_tag_training *t;
  mn_likelihood *o;
  mn_chain_workspace *ws;
  double *w, factor;   /* coefficients are factor w */
  double *sum, held;   /* the weighted sum of the coefficients after all steps is sum + held w; sum NULL: no average */
  double total;        /* of its weights */
  double owed, *paid;  /* L1 penalty in total, and of each coefficient; paid NULL: none */
  double *transitions; /* classes x classes, scaled */
  double *sums;        /* padded classes x ld       */
  double *expected;    /* n: of features of transitions, 0 between sequences; NULL: there are none */
};

static void change(struct descent *d, size_t f, double by)
{
  d->w[f] += by;
  if (d->sum) d->sum[f] -= d->held * by;
}

/* Move one coefficient towards 0 by the penalty that it owes, without crossing 0. */
static void pay(struct descent *d, size_t f)
{
  const double before = d->w[f] * d->factor, debt = d->owed - d->paid[f];
  if (!(debt > 0)) return;
  const bool crosses = fabs(before) <= debt;
  d->paid[f] = crosses ? d->paid[f] + fabs(before) : d->owed;
  d->w[f] = crosses ? 0 : (before - copysign(debt, before)) / d->factor;
}

/* Multiply w by the common factor. */
static void apply_factor(struct descent *d)
{
  for (size_t f = 0; f < d->t->n; f++) d->w[f] *= d->factor;
  d->held /= d->factor;
  d->factor = 1;
}

static void update_states(struct descent *d, size_t at, size_t n, double eta)
{
  const mn_tag_training *t = d->t;
  const mn_csr *x = &t->tokens.x;
  const double step = eta / d->factor;
  for (size_t i = 0; i < n; i++)
    for (size_t e = x->start[at + i]; e < x->start[at + i + 1]; e++)
      for (int32_t f = t->first[t->col[e]]; f < t->first[t->col[e] + 1]; f++) {
        const int32_t l = t->label[f];
        const double expected = d->ws->p[i * d->o->chain.ld + (size_t)l], observed = l == t->data->code[at + i];
        change(d, (size_t)f, -step * x->at[e] * (expected - observed));
        if (d->paid) pay(d, (size_t)f);
      }
}

static void update_transitions(struct descent *d, size_t at, size_t n, double eta)
{
  const mn_tag_training *t = d->t;
  const size_t k = t->classes, ld = d->o->chain.ld;
  const double step = eta / d->factor;
  const int32_t *tag = t->data->code + at;
  if (n < 2) return;
  for (size_t i = 0; i < k * k; i++)
    if (t->may_follow[i]) {
      const size_t j = i / k * ld + i % k;
      change(d, t->pairs + i, -step * d->sums[j] * (d->expected ? 1 : d->o->chain.exponentials[j]));
    }
  for (size_t i = 1; i < n; i++) {
    const size_t observed = (size_t)tag[i - 1] * k + (size_t)tag[i];
    if (t->may_follow[observed]) change(d, t->pairs + observed, step); /* not if it is rarer than min_freq */
  }
  for (size_t i = 0; d->paid && i < k * k; i++) pay(d, t->pairs + i);
}

static void update_features(struct descent *d, size_t at, size_t n, double eta)
{
  const mn_tag_training *t = d->t;
  const mn_csr *x = &t->tokens.of_transitions;
  const size_t k = t->classes;
  const double step = eta / d->factor;
  const int32_t *tag = t->data->code + at;
  for (size_t i = 1; i < n; i++)
    for (size_t e = x->start[at + i]; e < x->start[at + i + 1]; e++)
      for (int32_t f = t->first[t->transition_col[e]]; f < t->first[t->transition_col[e] + 1]; f++) {
        const bool observed = (size_t)t->label[f] == k + (size_t)tag[i - 1] * k + (size_t)tag[i];
        change(d, (size_t)f, -step * (d->expected[f] - (observed ? x->at[e] : 0)));
        d->expected[f] = 0;
        if (d->paid) pay(d, (size_t)f);
      }
}

/* One step along the gradient of sequence s. */
static void step_along(struct descent *d, size_t s, double eta, double decay)
{
  const mn_tag_training *t = d->t;
  const mn_csr *x = &t->tokens.x;
  const size_t at = t->tokens.begin[s], n = t->tokens.begin[s + 1] - at, k = t->classes, ld = d->o->chain.ld;
  mn_chain_scores(n, x->start + at, t->col, x->at, t->first, t->label, d->w, k, ld, d->ws->score);
  for (size_t i = 0; i < n * ld; i++) d->ws->score[i] *= d->factor;
  for (size_t i = 0; i < k * k; i++) d->transitions[i] = d->w[t->pairs + i] * d->factor;
  mn_chain_set(&d->o->chain, d->transitions);
  d->o->chain.features.w = d->w;
  d->o->chain.features.factor = d->factor;
  memset(d->sums, 0, (k + 3) / 4 * 4 * ld * sizeof *d->sums);
  mn_chain_add_expectations(&d->o->chain, at, n, d->ws, d->expected, d->sums);
  d->factor *= 1 - eta * decay;
  d->owed += eta * t->model->c1 / (double)t->tokens.sequences;
  update_states(d, at, n, eta);
  update_transitions(d, at, n, eta);
  if (d->expected) update_features(d, at, n, eta);
  if (d->factor < 1e-6) apply_factor(d);
}

static mn_status descend(mn_context *ctx, struct descent *d, const size_t *order, size_t n, double decay, double eta0,
                         size_t passed)
{
  for (size_t i = 0; i < n; i++) {
    const double steps = (double)(passed + i), passes = steps / (double)d->t->tokens.sequences;
    const double weight = (passes + 1) * (passes + 1) * (passes + 1);
    const double power = d->sum ? 0.75 : 1;
    const double eta = decay > 0 ? eta0 * pow(1 + decay * eta0 * steps, -power) : eta0 * pow(1 + passes, -power);
    step_along(d, order[i], eta, decay);
    d->held += weight * d->factor;
    d->total += weight;
    MN_TRY(mn_poll(ctx));
  }
  for (size_t f = 0; d->paid && f < d->t->n; f++) pay(d, f);
  apply_factor(d);
  return MN_OK;
}

/* The objective of the sequences order[0..n-1], up to a constant factor of the penalties. */
static double value_of(struct descent *d, const size_t *order, size_t n)
{
  const mn_tag_training *t = d->t;
  const mn_csr *x = &t->tokens.x;
  const size_t k = t->classes;
  double sum = 0, penalty = mn_penalty(t, d->w);
  mn_chain_set(&d->o->chain, d->w + t->pairs);
  d->o->chain.features.w = d->w;
  d->o->chain.features.factor = 1;
  for (size_t i = 0; i < n; i++) {
    const size_t at = t->tokens.begin[order[i]], rows = t->tokens.begin[order[i] + 1] - at;
    const int32_t *tag = t->data->code + at;
    mn_chain_scores(rows, x->start + at, t->col, x->at, t->first, t->label, d->w, k, d->o->chain.ld, d->ws->score);
    for (size_t j = 0; j < rows; j++) sum -= d->ws->score[j * d->o->chain.ld + (size_t)tag[j]];
    for (size_t j = 1; j < rows; j++) {
      const double *to = mn_chain_transitions_to(&d->o->chain, at + j, d->o->chain.transitions, d->ws);
      sum -= to[(size_t)tag[j - 1] * d->o->chain.ld + (size_t)tag[j]];
    }
    sum += mn_chain_log_sum(&d->o->chain, at, rows, d->ws);
  }
  for (size_t f = 0; t->l1 && f < t->n; f++) penalty += t->l1[f] * fabs(d->w[f]);
  return sum + penalty * (double)n / (double)t->tokens.sequences;
}

static void start_again(struct descent *d)
{
  memset(d->w, 0, d->t->n * sizeof *d->w);
  if (d->paid) memset(d->paid, 0, d->t->n * sizeof *d->paid);
  d->owed = 0;
}

/* The learning rate among eta0 2^i whose pass over a sample decreases the objective most (Bottou's calibration). */
static mn_status calibrate(mn_context *ctx, struct descent *d, const size_t *order, size_t n, double decay, double *eta)
{
  const double start = value_of(d, order, n);
  double best = INFINITY, rate = d->t->model->eta0;
  int tried = 0, worse = 0;
  for (bool up = true; tried < 20; tried++) {
    start_again(d);
    MN_TRY(descend(ctx, d, order, n, decay, rate, 0));
    const double value = value_of(d, order, n);
    if (value < best) {
      best = value;
      *eta = rate;
      worse = 0;
    } else if (isfinite(best) && best < start && ++worse > 2 && !up) {
      break;
    }
    if (up && !(value <= best && value < start)) {
      up = false;
      rate = d->t->model->eta0;
    }
    rate = up ? rate * 2 : rate / 2;
  }
  start_again(d);
  return isfinite(best) ? MN_OK : mn_fail(ctx, MN_BAD_DATA, "CRF: sgd diverges; decrease eta0 or scale X");
}

static mn_status run_passes(mn_context *ctx, struct descent *d, size_t *order, double eta, double decay, double *best)
{
  const mn_tag_training *t = d->t;
  mn_report *r = &t->model->base.report;
  const size_t n = t->tokens.sequences;
  double least = INFINITY, history[PATIENCE], *gradient = MN_RAW(ctx, double, t->n, 1);
  double *average = t->l1 ? d->w : MN_RAW(ctx, double, t->n, 1);
  if (!gradient || !average) return MN_NO_MEMORY;
  d->held = d->total = 0;
  if (!t->l1) {
    d->sum = MN_NEW(ctx, double, t->n, 1);
    MN_CHECK_ALLOC(d->sum);
  }
  r->advice = t->l1 ? "sgd with an L1 penalty ends a few percent above the minimum; use the solver 'owlqn'"
                    : "increase max_iter, or use the solver 'lbfgs'";
  for (size_t pass = 0; pass < (size_t)t->model->max_iter; pass++) {
    mn_rng rng = mn_stream(t->model->seed, pass + 1);
    double value;
    mn_shuffle(&rng, order, n);
    MN_TRY(descend(ctx, d, order, n, decay, eta, pass * n));
    for (size_t f = 0; d->sum && f < t->n; f++) average[f] = (d->sum[f] + d->held * d->w[f]) / d->total;
    MN_TRY(mn_penalized_value(ctx, d->o, average, &value, gradient));
    for (size_t f = 0; t->l1 && f < t->n; f++) value += t->l1[f] * fabs(d->w[f]);
    if (value < least) memcpy(best, average, t->n * sizeof *best);
    least = fmin(least, value);
    if (pass >= PATIENCE) r->change = (history[pass % PATIENCE] - least) / fmax(fabs(least), 1);
    history[pass % PATIENCE] = least;
    const bool stands = pass >= PATIENCE && r->change <= PATIENCE * t->model->tol;
    r->converged = stands && !t->l1; /* without an average it stands because of the noise of the steps */
    if (!mn_round(ctx, r, t->model->max_iter, value) || stands) break;
  }
  r->objective = least;
  return MN_OK;
}

mn_status mn_tagger_sgd(mn_context *ctx, const mn_tag_training *t, mn_likelihood *o, double *w)
{
  const size_t n = t->tokens.sequences, sample = n < CALIBRATION ? n : CALIBRATION;
  struct descent d = { .t = t, .o = o, .ws = o->workspace, .factor = 1 };
  size_t *order = MN_RAW(ctx, size_t, n, 1);
  d.w = MN_NEW(ctx, double, t->n, 1);
  d.paid = t->l1 ? MN_NEW(ctx, double, t->n, 1) : NULL;
  d.transitions = MN_RAW(ctx, double, t->classes, t->classes);
  d.sums = MN_RAW(ctx, double, (t->classes + 3) / 4 * 4, o->chain.ld);
  d.expected = o->chain.features.x ? MN_NEW(ctx, double, t->n, 1) : NULL;
  if (o->chain.features.x && !d.expected) return MN_NO_MEMORY;
  if (!order || !d.w || (t->l1 && !d.paid) || !d.transitions || !d.sums) return MN_NO_MEMORY;
  for (size_t s = 0; s < n; s++) order[s] = s;
  mn_rng rng = mn_stream(t->model->seed, 0);
  mn_shuffle(&rng, order, n);
  const double decay = 2 * t->model->c2 / (double)n;
  double eta = t->model->eta0;
  MN_TRY(calibrate(ctx, &d, order, sample, decay, &eta));
  return run_passes(ctx, &d, order, eta, decay, w);
}
