#include "sgd_steps.h"
#include "sgd_kernel.h"
#include <math.h>

/* A row; col is NULL for a dense one. */
struct row {
  const double *at;
  const int32_t *col;
  size_t size;
};

static struct row get_row(const mn_data *data, size_t i)
{
  const mn_csr *s = data->sparse;
  if (!s) return (struct row){ .at = mn_row(&data->x, i), .size = data->features };
  return (struct row){ .at = s->at + s->start[i], .col = s->col + s->start[i], .size = s->start[i + 1] - s->start[i] };
}

/* Whether the L1 penalty of a coefficient is delayed until a row uses it. An average needs it immediately. */
static bool uses_lazy_l1(const mn_sgd_rule *rule, const mn_sgd_state *w, const struct row *x)
{
  return rule->has_l1 && x->col && !w->average && w->last_shift;
}

/* Penalty paid by a coefficient of magnitude `size` in v when it reaches 0. With a constant scale it pays its own size;
 * otherwise, all that was due before the step that took the rest, which the history gives. */
static double penalty_at_zero(const mn_sgd_state *w, double size, double last_shift, double paid)
{
  size_t before = 0, after = w->steps;
  if (!w->history) return paid + w->scale * size;
  while (after - before > 1) {
    const size_t midpoint = before + (after - before) / 2;
    if (w->history[midpoint].shift - last_shift >= size)
      after = midpoint;
    else
      before = midpoint;
  }
  return w->history[before].due + w->history[after].scale * (size - (w->history[before].shift - last_shift));
}

/* Apply the delayed penalty to coefficient j. */
static void apply_lazy_l1(mn_sgd_state *w, size_t j)
{
  const double before = w->v[j], last_shift = w->last_shift[j], shift = w->shift - last_shift,
               sign = before > 0 ? 1 : -1;
  w->last_shift[j] = w->shift;
  if (!(shift > 0) || (!(before > 0) && !(before < 0))) return;
  if (fabs(before) > shift) {
    w->v[j] -= sign * shift;
    w->paid[j] = -sign * w->due;
  } else {
    w->v[j] = 0;
    w->paid[j] = -sign * penalty_at_zero(w, fabs(before), last_shift, -sign * w->paid[j]);
  }
  w->absolute += w->scale * (fabs(w->v[j]) - fabs(before));
  w->square += w->scale * w->scale * (w->v[j] * w->v[j] - before * before);
}

static void apply_all_lazy_l1(const mn_sgd_rule *rule, mn_sgd_state *w)
{
  for (size_t j = 0; j < rule->p; j++) apply_lazy_l1(w, j);
  for (size_t j = 0; j < rule->p; j++) w->last_shift[j] = 0;
  w->shift = 0;
  w->steps = 0;
  if (w->history) w->history[0] = (mn_sgd_history){ .due = w->due };
}

/* Record due and shift after a step. */
static void record_history(const mn_sgd_rule *rule, mn_sgd_state *w)
{
  w->history[++w->steps] = (mn_sgd_history){ .shift = w->shift, .due = w->due, .scale = w->scale };
  if (w->steps + 1 == w->capacity) apply_all_lazy_l1(rule, w);
}

void mn_sgd_normalize(const mn_sgd_rule *rule, mn_sgd_state *w)
{
  const size_t p = rule->p;
  if (w->last_shift) apply_all_lazy_l1(rule, w);
  if (w->average) {
    for (size_t j = 0; j < p; j++) w->average[j] = (w->average[j] + w->v_factor * w->v[j]) / w->average_scale;
    w->v_factor = 0;
    w->average_scale = 1;
  }
  w->square = w->absolute = 0;
  for (size_t j = 0; j < p; j++) {
    w->v[j] *= w->scale;
    w->square += w->v[j] * w->v[j];
    w->absolute += fabs(w->v[j]);
  }
  w->scale = 1;
}

static void apply_l2(const mn_sgd_rule *rule, mn_sgd_state *w)
{
  static const double min_scale = 1e-9;
  const double factor = fmax(0, 1 - (1 - rule->l1) * w->rate * rule->alpha);
  w->scale *= factor;
  w->square *= factor * factor;
  w->absolute *= factor;
  if (w->scale < min_scale) mn_sgd_normalize(rule, w);
}

static double dot(const struct row *x, const double *v)
{
  if (!x->col) return mn_sgd_dot(x->size, x->at, v);
  double sum = 0;
  for (size_t e = 0; e < x->size; e++) sum += x->at[e] * v[x->col[e]];
  return sum;
}

double mn_sgd_score(const mn_sgd_state *state, const mn_data *data, size_t i)
{
  const struct row x = get_row(data, i);
  return state->scale * dot(&x, state->v) + state->intercept;
}

/* Recompute the norms over all coefficients. */
static void compute_norms(const mn_sgd_rule *rule, mn_sgd_state *w)
{
  w->square = w->absolute = 0;
  for (size_t j = 0; j < rule->p; j++) {
    w->square += w->scale * w->scale * w->v[j] * w->v[j];
    w->absolute += w->scale * fabs(w->v[j]);
  }
}

static void add_row(const mn_sgd_rule *rule, mn_sgd_state *w, const struct row *x, double update)
{
  const double c = update / w->scale;
  if (!x->col) {
    mn_sgd_add(x->size, c, x->at, w->v, &w->square, &w->absolute);
    w->square *= w->scale * w->scale;
    w->absolute *= w->scale;
    return;
  }
  double square = 0, absolute = 0;
  for (size_t e = 0; e < x->size; e++) {
    double *v = &w->v[x->col[e]];
    const double before = *v;
    *v += c * x->at[e];
    square += *v * *v - before * before;
    absolute += fabs(*v) - fabs(before);
  }
  w->square += w->scale * w->scale * square;
  w->absolute += w->scale * absolute;
  if (rule->has_l1 && !w->last_shift) compute_norms(rule, w);
}

/* Exclude the change of v in this step from the averages of earlier steps. */
static void correct_average(mn_sgd_state *w, const struct row *x, double update)
{
  const double c = -w->v_factor * update / w->scale;
  if (!x->col) mn_sgd_axpy(x->size, c, x->at, w->average);
  for (size_t e = 0; x->col && e < x->size; e++) w->average[x->col[e]] += c * x->at[e];
}

/* Update the average of the coefficients over all steps since `average`. */
static void update_average(const mn_sgd_rule *rule, mn_sgd_state *w)
{
  const double count = w->t - rule->average + 1;
  if (count > 1) w->average_scale /= 1 - 1 / count;
  w->v_factor += w->average_scale * w->scale / count;
  w->average_intercept += (w->intercept - w->average_intercept) / count;
}

/* The cumulative penalty of one coefficient, as mn_sgd_l1_step. */
static void l1_step_one(mn_sgd_state *w, size_t j)
{
  const double before = w->v[j];
  if (before > 0)
    w->v[j] = fmax(0, before - (w->due + w->paid[j]) / w->scale);
  else if (before < 0)
    w->v[j] = fmin(0, before + (w->due - w->paid[j]) / w->scale);
  w->paid[j] += w->scale * (w->v[j] - before);
  w->absolute += w->scale * (fabs(w->v[j]) - fabs(before));
  w->square += w->scale * w->scale * (w->v[j] * w->v[j] - before * before);
  if (w->average) w->average[j] -= w->v_factor * (w->v[j] - before);
}

/* The cumulative L1 penalty of Tsuruoka, Tsujii & Ananiadou, ACL 2009. */
static void apply_l1(const mn_sgd_rule *rule, mn_sgd_state *w, const struct row *x)
{
  const double due = rule->l1 * w->rate * rule->alpha;
  w->due += due;
  if (uses_lazy_l1(rule, w, x)) {
    w->shift += due / w->scale;
    for (size_t e = 0; e < x->size; e++) {
      l1_step_one(w, (size_t)x->col[e]);
      w->last_shift[x->col[e]] = w->shift;
    }
    if (w->history) record_history(rule, w);
  } else if (w->average) {
    for (size_t j = 0; j < rule->p; j++) l1_step_one(w, j);
  } else {
    mn_sgd_l1_step(rule->p, w->due, w->scale, w->v, w->paid);
  }
}

static double learning_rate(const mn_sgd_rule *rule, const mn_sgd_state *w)
{
  switch (rule->schedule) {
  case MN_SGD_OPTIMAL: return 1 / (rule->alpha * (rule->optimal_start + w->t - 1));
  case MN_SGD_INVSCALING: return rule->eta0 / pow(w->t, rule->power_t);
  case MN_SGD_CONSTANT:
  case MN_SGD_ADAPTIVE:
  case MN_SGD_PA1:
  case MN_SGD_PA2: break;
  }
  return w->rate;
}

/* Step length along x. Passive-aggressive steps are as long as the loss of the row requires and eta0 allows: Crammer et
 * al., JMLR 7 (2006). There the row weight multiplies eta0, not the step, which would overshoot. */
static double step_length(const mn_sgd_rule *rule, const mn_sgd_state *w, const struct row *x, double y, double z,
                          double weight)
{
  static const double max_slope = 1e12;
  if (rule->schedule != MN_SGD_PA1 && rule->schedule != MN_SGD_PA2) {
    const double slope = rule->loss->slope(y, z, rule->epsilon);
    return -weight * w->rate * fmin(fmax(slope, -max_slope), max_slope);
  }
  const bool classifies = rule->loss == &mn_linear_losses[MN_LOSS_HINGE];
  const double loss = rule->loss->value(y, z, rule->epsilon), shift = classifies ? y : y < z ? -1 : 1;
  const double max_length = weight * rule->eta0;
  double square = 0;
  for (size_t e = 0; e < x->size; e++) square += x->at[e] * x->at[e];
  if (rule->schedule == MN_SGD_PA2) return max_length > 0 ? shift * loss / (square + 0.5 / max_length) : 0;
  return square > 0 ? shift * fmin(max_length, loss / square) : 0;
}

static void update(const mn_sgd_rule *rule, mn_sgd_state *w, const struct row *x, double y, double weight)
{
  if (uses_lazy_l1(rule, w, x))
    for (size_t e = 0; e < x->size; e++) apply_lazy_l1(w, (size_t)x->col[e]);
  const double z = w->scale * dot(x, w->v) + w->intercept;
  w->rate = learning_rate(rule, w);
  w->loss += weight * rule->loss->value(y, z, rule->epsilon);
  if ((rule->has_l2 || rule->has_l1) && rule->schedule < MN_SGD_PA1)
    w->loss += rule->alpha * ((1 - rule->l1) / 2 * w->square + rule->l1 * w->absolute);
  const double length = step_length(rule, w, x, y, z, weight);
  if (rule->has_l2) apply_l2(rule, w);
  const bool moves = length > 0 || length < 0;
  if (moves) add_row(rule, w, x, length);
  if (moves && rule->fit_intercept) w->intercept += length;
  if (w->average && w->t >= rule->average) correct_average(w, x, length);
  if (rule->has_l1) apply_l1(rule, w, x);
  if (w->average && w->t >= rule->average) update_average(rule, w);
  w->t++;
}

/* Rows come in random order, which hardware does not predict, so prefetch them some steps ahead. */
#if defined(__GNUC__)
enum { PREFETCH_NEAR = 4, PREFETCH_FAR = 12, CACHE_LINE = 8 }; /* steps, steps, values per cache line */

static void prefetch_rows(const mn_data *data, const double *y, const size_t *order, size_t k, size_t end)
{
  if (k + PREFETCH_FAR < end) {
    const size_t i = order[k + PREFETCH_FAR];
    __builtin_prefetch(y + i);
    if (data->weights) __builtin_prefetch(data->weights + i);
    if (data->sparse) __builtin_prefetch(data->sparse->start + i);
  }
  if (k + PREFETCH_NEAR >= end) return;
  const struct row x = get_row(data, order[k + PREFETCH_NEAR]);
  for (size_t e = 0; e < x.size; e += CACHE_LINE) __builtin_prefetch(x.at + e);
  for (size_t e = 0; x.col && e < x.size; e += 2 * CACHE_LINE) __builtin_prefetch(x.col + e);
}
#else
static void prefetch_rows(const mn_data *data, const double *y, const size_t *order, size_t k, size_t end)
{
  (void)data, (void)y, (void)order, (void)k, (void)end;
}
#endif

void mn_sgd_steps(const mn_sgd_rule *rule, mn_sgd_state *state, const mn_data *data, const double *y,
                  const size_t *order, size_t begin, size_t end)
{
  for (size_t k = begin; k < end; k++) {
    const size_t i = order[k];
    const struct row x = get_row(data, i);
    prefetch_rows(data, y, order, k, end);
    update(rule, state, &x, y[i], mn_weight(data, i));
  }
}
