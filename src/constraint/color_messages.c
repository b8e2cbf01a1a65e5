#include "color_messages.h"
#include <math.h>
#include <string.h>

static mn_status allocate(mn_context *ctx, const mn_edges *g, mn_color_messages *q)
{
  q->first = MN_NEW(ctx, size_t, g->n + 2, 1);
  q->neighbor = MN_RAW(ctx, size_t, g->m + 1, 2);
  q->back = MN_RAW(ctx, size_t, g->m + 1, 2);
  q->fixed = MN_RAW(ctx, int32_t, g->n, 1);
  q->in = MN_NEW(ctx, double, 2 * g->m + 1, q->colors);
  q->order = MN_RAW(ctx, size_t, g->n, 1);
  return q->first && q->neighbor && q->back && q->fixed && q->in && q->order ? MN_OK : MN_NO_MEMORY;
}

mn_status mn_color_messages_new(mn_context *ctx, const mn_edges *g, const mn_coloring_settings *s, mn_color_messages *q)
{
  size_t largest = 0;
  *q = (mn_color_messages){
    .n = g->n, .colors = s->colors, .max_iter = s->decimation.max_iter, .survey = s->survey, .tol = s->decimation.tol
  };
  MN_TRY(allocate(ctx, g, q));
  for (size_t e = 0; e < g->m; e++) {
    q->first[g->from[e] + 1]++;
    q->first[g->to[e] + 1]++;
  }
  for (size_t v = 0; v < g->n; v++) {
    if (q->first[v + 2] > largest) largest = q->first[v + 2];
    q->first[v + 2] += q->first[v + 1];
  }
  for (size_t e = 0; e < g->m; e++) {
    const size_t a = q->first[g->from[e]]++, b = q->first[g->to[e]]++;
    q->neighbor[a] = (size_t)g->to[e] - 1;
    q->neighbor[b] = (size_t)g->from[e] - 1;
    q->back[a] = b;
    q->back[b] = a;
  }
  q->work = MN_RAW(ctx, double, largest + 1, q->colors + 3);
  return q->work ? MN_OK : MN_NO_MEMORY;
}

void mn_color_messages_draw(mn_color_messages *q, mn_rng *rng)
{
  for (size_t k = 0; k < q->first[q->n]; k++) {
    double *m = q->in + k * q->colors, sum = q->survey ? mn_random_uniform(rng) : 0;
    for (size_t c = 0; c < q->colors; c++) sum += m[c] = mn_random_uniform(rng);
    for (size_t c = 0; c < q->colors && sum > 0; c++) m[c] /= sum;
  }
}

/* 1 - the probability that the neighbor forces a color of the set; 0 for rounding errors below. */
static double open_probability(const mn_color_messages *q, const double *m, unsigned set)
{
  double sum = 0;
  for (size_t c = 0; c < q->colors; c++)
    if (set >> c & 1) sum += m[c];
  return sum < 1 ? 1 - sum : 0;
}

static size_t set_size(unsigned set)
{
  size_t count = 0;
  for (; set > 0; set &= set - 1) count++;
  return count;
}

/* Add the term of one set to the sums of the colors and of all (last). */
static void add_term(const mn_color_messages *q, unsigned set, double product, double *sums)
{
  const double term = set_size(set) % 2 ? product : -product;
  for (size_t c = 0; c < q->colors; c++)
    if (set >> c & 1) sums[c] += term;
  sums[q->colors] += term;
}

/* Probabilities of the colors from their sums; the last becomes that of none. */
static void normalize(const mn_color_messages *q, double *sums)
{
  const double all = sums[q->colors];
  double rest = 1;
  for (size_t c = 0; c < q->colors; c++) {
    sums[c] = all > 0 ? fmin(1, fmax(0, sums[c] / all)) : 1 / (double)q->colors;
    rest -= sums[c];
  }
  sums[q->colors] = q->survey ? fmax(0, rest) : 0;
}

static bool used(const mn_color_messages *q, unsigned set)
{
  return q->survey || set_size(set) == 1;
}

void mn_color_bias(const mn_color_messages *q, size_t v, double *bias)
{
  memset(bias, 0, (q->colors + 1) * sizeof *bias);
  for (unsigned set = 1; set < 1u << q->colors; set++) {
    double product = 1;
    if (!used(q, set)) continue;
    for (size_t k = q->first[v]; k < q->first[v + 1]; k++) product *= open_probability(q, q->in + k * q->colors, set);
    add_term(q, set, product, bias);
  }
  normalize(q, bias);
}

/* The sums of all outgoing messages of vertex v: products without one neighbor from those before and after it. */
static void outgoing(mn_color_messages *q, size_t v, double *sums)
{
  const size_t begin = q->first[v], degree = q->first[v + 1] - begin, width = q->colors + 1;
  double *factor = sums + degree * width, *after = factor + degree;
  memset(sums, 0, degree * width * sizeof *sums);
  for (unsigned set = 1; set < 1u << q->colors; set++) {
    double before = 1;
    if (!used(q, set)) continue;
    for (size_t k = degree; k-- > 0;) {
      factor[k] = open_probability(q, q->in + (begin + k) * q->colors, set);
      after[k] = k + 1 < degree ? after[k + 1] * factor[k + 1] : 1;
    }
    for (size_t k = 0; k < degree; k++) {
      add_term(q, set, before * after[k], sums + k * width);
      before *= factor[k];
    }
  }
}

/* New messages of vertex v to its neighbors; returns the largest change. */
static double update_vertex(mn_color_messages *q, size_t v)
{
  const size_t begin = q->first[v], degree = q->first[v + 1] - begin, width = q->colors + 1;
  double change = 0;
  if (q->fixed[v] < 0) outgoing(q, v, q->work);
  for (size_t k = 0; k < degree; k++) {
    double *message = q->in + q->back[begin + k] * q->colors, *sums = q->work + k * width;
    if (q->fixed[v] < 0) normalize(q, sums);
    for (size_t c = 0; c < q->colors; c++) {
      const double value = q->fixed[v] < 0 ? sums[c] : (size_t)q->fixed[v] == c;
      change = fmax(change, fabs(value - message[c]));
      message[c] = value;
    }
  }
  return change;
}

mn_status mn_color_messages_run(mn_context *ctx, mn_color_messages *q, mn_rng *rng, size_t *sweeps, bool *converged)
{
  for (size_t v = 0; v < q->n; v++) q->order[v] = v;
  *converged = false;
  for (size_t i = 0; i < q->max_iter && !*converged; i++) {
    double change = 0;
    mn_shuffle(rng, q->order, q->n);
    for (size_t k = 0; k < q->n; k++) change = fmax(change, update_vertex(q, q->order[k]));
    ++*sweeps;
    *converged = change <= q->tol;
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}
