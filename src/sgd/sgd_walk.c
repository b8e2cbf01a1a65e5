#include "sgd_walk.h"
#include "sgd_kernel.h"
#include <math.h>

/* A row as it lies in memory; col is NULL for a dense one. */
struct row {
  const double *at;
  const int32_t *col;
  size_t size;
};

static struct row row_of(const mn_data *data, size_t i)
{
  const mn_csr *s = data->sparse;
  if (!s) return (struct row){ .at = mn_row(&data->x, i), .size = data->features };
  return (struct row){ .at = s->at + s->start[i], .col = s->col + s->start[i], .size = s->start[i + 1] - s->start[i] };
}

/* Does the L1 penalty wait until a weight is visited? Only where no average has to know of it at once. */
static bool is_lazy(const mn_sgd_rule *rule, const mn_sgd_walk *walk, const struct row *x)
{
  return rule->pulls && x->col && !walk->average && walk->seen;
}

/* What a weight of this size in v, last seen at `seen`, has paid when it comes to 0. With the scale fixed its own size
 * is what it pays from there on; otherwise, all that was due until the step before the one that took the rest. */
static double last_payment(const mn_sgd_walk *w, double size, double seen, double paid)
{
  size_t before = 0, after = w->steps;
  if (!w->past) return paid + w->scale * size;
  while (after - before > 1) {
    const size_t middle = before + (after - before) / 2;
    if (w->past[middle].way - seen >= size)
      after = middle;
    else
      before = middle;
  }
  return w->past[before].due + w->past[after].scale * (size - (w->past[before].way - seen));
}

/* What weight j has not paid while no row came by. */
static void catch_up(mn_sgd_walk *w, size_t j)
{
  const double before = w->v[j], seen = w->seen[j], way = w->way - seen, sign = before > 0 ? 1 : -1;
  w->seen[j] = w->way;
  if (!(way > 0) || (!(before > 0) && !(before < 0))) return;
  if (fabs(before) > way) {
    w->v[j] -= sign * way;
    w->paid[j] = -sign * w->due;
  } else {
    w->v[j] = 0;
    w->paid[j] = -sign * last_payment(w, fabs(before), seen, -sign * w->paid[j]);
  }
  w->absolute += w->scale * (fabs(w->v[j]) - fabs(before));
  w->square += w->scale * w->scale * (w->v[j] * w->v[j] - before * before);
}

static void catch_up_all(const mn_sgd_rule *rule, mn_sgd_walk *w)
{
  for (size_t j = 0; j < rule->p; j++) catch_up(w, j);
  for (size_t j = 0; j < rule->p; j++) w->seen[j] = 0;
  w->way = 0;
  w->steps = 0;
  if (w->past) w->past[0] = (mn_sgd_past){ .due = w->due };
}

/* A step has made due and way what they are. */
static void remember(const mn_sgd_rule *rule, mn_sgd_walk *w)
{
  w->past[++w->steps] = (mn_sgd_past){ .way = w->way, .due = w->due, .scale = w->scale };
  if (w->steps + 1 == w->room) catch_up_all(rule, w);
}

void mn_sgd_settle(const mn_sgd_rule *rule, mn_sgd_walk *w)
{
  const size_t p = rule->p;
  if (w->seen) catch_up_all(rule, w);
  if (w->average) {
    for (size_t j = 0; j < p; j++) w->average[j] = (w->average[j] + w->part * w->v[j]) / w->share;
    w->part = 0;
    w->share = 1;
  }
  w->square = w->absolute = 0;
  for (size_t j = 0; j < p; j++) {
    w->v[j] *= w->scale;
    w->square += w->v[j] * w->v[j];
    w->absolute += fabs(w->v[j]);
  }
  w->scale = 1;
}

static void shrink(const mn_sgd_rule *rule, mn_sgd_walk *w)
{
  static const double least_scale = 1e-9;
  const double factor = fmax(0, 1 - (1 - rule->l1) * w->rate * rule->alpha);
  w->scale *= factor;
  w->square *= factor * factor;
  w->absolute *= factor;
  if (w->scale < least_scale) mn_sgd_settle(rule, w);
}

static double dot(const struct row *x, const double *v)
{
  if (!x->col) return mn_sgd_dot(x->size, x->at, v);
  double sum = 0;
  for (size_t e = 0; e < x->size; e++) sum += x->at[e] * v[x->col[e]];
  return sum;
}

double mn_sgd_score(const mn_sgd_walk *walk, const mn_data *data, size_t i)
{
  const struct row x = row_of(data, i);
  return walk->scale * dot(&x, walk->v) + walk->intercept;
}

/* Over all weights, where all have been pulled. */
static void measure(const mn_sgd_rule *rule, mn_sgd_walk *w)
{
  w->square = w->absolute = 0;
  for (size_t j = 0; j < rule->p; j++) {
    w->square += w->scale * w->scale * w->v[j] * w->v[j];
    w->absolute += w->scale * fabs(w->v[j]);
  }
}

static void move(const mn_sgd_rule *rule, mn_sgd_walk *w, const struct row *x, double step)
{
  const double c = step / w->scale;
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
  if (rule->pulls && !w->seen) measure(rule, w);
}

/* What v has gained by a step must not count for the steps before. */
static void forget_gain(mn_sgd_walk *w, const struct row *x, double step)
{
  const double c = -w->part * step / w->scale;
  if (!x->col) mn_sgd_add_only(x->size, c, x->at, w->average);
  for (size_t e = 0; x->col && e < x->size; e++) w->average[x->col[e]] += c * x->at[e];
}

/* The mean of the weights after this and all steps that count. */
static void take_average(const mn_sgd_rule *rule, mn_sgd_walk *w)
{
  const double count = w->t - rule->average + 1;
  if (count > 1) w->share /= 1 - 1 / count;
  w->part += w->share * w->scale / count;
  w->average_intercept += (w->intercept - w->average_intercept) / count;
}

/* One weight, as mn_sgd_pull does it. */
static void pull_one(mn_sgd_walk *w, size_t j)
{
  const double before = w->v[j];
  if (before > 0)
    w->v[j] = fmax(0, before - (w->due + w->paid[j]) / w->scale);
  else if (before < 0)
    w->v[j] = fmin(0, before + (w->due - w->paid[j]) / w->scale);
  w->paid[j] += w->scale * (w->v[j] - before);
  w->absolute += w->scale * (fabs(w->v[j]) - fabs(before));
  w->square += w->scale * w->scale * (w->v[j] * w->v[j] - before * before);
  if (w->average) w->average[j] -= w->part * (w->v[j] - before);
}

/* Tsuruoka, Tsujii & Ananiadou, ACL 2009: the cumulative penalty. */
static void pull(const mn_sgd_rule *rule, mn_sgd_walk *w, const struct row *x)
{
  const double due = rule->l1 * w->rate * rule->alpha;
  w->due += due;
  if (is_lazy(rule, w, x)) {
    w->way += due / w->scale;
    for (size_t e = 0; e < x->size; e++) {
      pull_one(w, (size_t)x->col[e]);
      w->seen[x->col[e]] = w->way;
    }
    if (w->past) remember(rule, w);
  } else if (w->average) {
    for (size_t j = 0; j < rule->p; j++) pull_one(w, j);
  } else {
    mn_sgd_pull(rule->p, w->due, w->scale, w->v, w->paid);
  }
}

static double rate_of(const mn_sgd_rule *rule, const mn_sgd_walk *w)
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

/* How far to go along x. Passive-aggressive: just as far as the loss of the row wants, and eta0 allows: Crammer et al.,
 * JMLR 7 (2006). There the weight of the row multiplies eta0 and not the step, which would go beyond what is right. */
static double step_of(const mn_sgd_rule *rule, const mn_sgd_walk *w, const struct row *x, double y, double z,
                      double weight)
{
  static const double steepest = 1e12;
  if (rule->schedule != MN_SGD_PA1 && rule->schedule != MN_SGD_PA2) {
    const double slope = rule->loss->slope(y, z, rule->epsilon);
    return -weight * w->rate * fmin(fmax(slope, -steepest), steepest);
  }
  const bool classifies = rule->loss == &mn_linear_losses[MN_LOSS_HINGE];
  const double loss = rule->loss->value(y, z, rule->epsilon), way = classifies ? y : y < z ? -1 : 1;
  const double most = weight * rule->eta0;
  double square = 0;
  for (size_t e = 0; e < x->size; e++) square += x->at[e] * x->at[e];
  if (rule->schedule == MN_SGD_PA2) return most > 0 ? way * loss / (square + 0.5 / most) : 0;
  return square > 0 ? way * fmin(most, loss / square) : 0;
}

static void step(const mn_sgd_rule *rule, mn_sgd_walk *w, const struct row *x, double y, double weight)
{
  if (is_lazy(rule, w, x))
    for (size_t e = 0; e < x->size; e++) catch_up(w, (size_t)x->col[e]);
  const double z = w->scale * dot(x, w->v) + w->intercept;
  w->rate = rate_of(rule, w);
  w->loss += weight * rule->loss->value(y, z, rule->epsilon);
  if ((rule->shrinks || rule->pulls) && rule->schedule < MN_SGD_PA1)
    w->loss += rule->alpha * ((1 - rule->l1) / 2 * w->square + rule->l1 * w->absolute);
  const double length = step_of(rule, w, x, y, z, weight);
  if (rule->shrinks) shrink(rule, w);
  const bool moves = length > 0 || length < 0;
  if (moves) move(rule, w, x, length);
  if (moves && rule->fit_intercept) w->intercept += length;
  if (w->average && w->t >= rule->average) forget_gain(w, x, length);
  if (rule->pulls) pull(rule, w, x);
  if (w->average && w->t >= rule->average) take_average(rule, w);
  w->t++;
}

/* Rows come in random order, so that no processor guesses which is next: ask for it some steps before. */
#if defined(__GNUC__)
enum { SOON = 4, LATER = 12, LINE = 8 }; /* steps, steps, values that memory gives at a time */

static void ask_for(const mn_data *data, const double *y, const size_t *order, size_t k, size_t end)
{
  if (k + LATER < end) {
    const size_t i = order[k + LATER];
    __builtin_prefetch(y + i);
    if (data->weights) __builtin_prefetch(data->weights + i);
    if (data->sparse) __builtin_prefetch(data->sparse->start + i);
  }
  if (k + SOON >= end) return;
  const struct row x = row_of(data, order[k + SOON]);
  for (size_t e = 0; e < x.size; e += LINE) __builtin_prefetch(x.at + e);
  for (size_t e = 0; x.col && e < x.size; e += 2 * LINE) __builtin_prefetch(x.col + e);
}
#else
static void ask_for(const mn_data *data, const double *y, const size_t *order, size_t k, size_t end)
{
  (void)data, (void)y, (void)order, (void)k, (void)end;
}
#endif

void mn_sgd_steps(const mn_sgd_rule *rule, mn_sgd_walk *walk, const mn_data *data, const double *y, const size_t *order,
                  size_t begin, size_t end)
{
  for (size_t k = begin; k < end; k++) {
    const size_t i = order[k];
    const struct row x = row_of(data, i);
    ask_for(data, y, order, k, end);
    step(rule, walk, &x, y[i], mn_weight(data, i));
  }
}
