#include "coloring.h"
#include "../stats/argsort.h"
#include "color_messages.h"
#include <math.h>
#include <string.h>

struct coloring {
  const mn_edges *g;
  const mn_coloring_settings *s;
  mn_color_messages q;
  double *strength;
  size_t *variable, *order;
  int32_t *color;            /* of this attempt */
  int32_t *count;            /* n x colors: neighbors of each color */
  size_t *list, *at, listed; /* vertices with a neighbor of their color; SIZE_MAX: not listed */
};

static mn_status coloring_new(mn_context *ctx, const mn_edges *g, const mn_coloring_settings *s, struct coloring *d)
{
  *d = (struct coloring){ .g = g, .s = s };
  MN_TRY(mn_color_messages_new(ctx, g, s, &d->q));
  d->strength = MN_RAW(ctx, double, g->n, 1);
  d->variable = MN_RAW(ctx, size_t, g->n, 1);
  d->order = MN_RAW(ctx, size_t, g->n, 1);
  d->color = MN_RAW(ctx, int32_t, g->n, 1);
  d->count = MN_RAW(ctx, int32_t, g->n, s->colors);
  d->list = MN_RAW(ctx, size_t, g->n, 1);
  d->at = MN_RAW(ctx, size_t, g->n, 1);
  return d->strength && d->variable && d->order && d->color && d->count && d->list && d->at ? MN_OK : MN_NO_MEMORY;
}

/* --- decimation --- */

/* For the free vertices: their best color, and minus the distance of its probability from that of the second best.
 * Returns the largest probability of a color. */
static double preferences(struct coloring *d, size_t *free)
{
  double largest = 0, bias[MN_MOST_COLORS + 1];
  *free = 0;
  for (size_t v = 0; v < d->g->n; v++) {
    if (d->q.fixed[v] >= 0) continue;
    mn_color_bias(&d->q, v, bias);
    size_t best = 0;
    double second = 0;
    for (size_t c = 1; c < d->s->colors; c++)
      if (bias[c] > bias[best]) best = c;
    for (size_t c = 0; c < d->s->colors; c++)
      if (c != best) second = fmax(second, bias[c]);
    largest = fmax(largest, bias[best]);
    d->strength[*free] = second - bias[best];
    d->variable[(*free)++] = v;
    d->color[v] = (int32_t)best;
  }
  return largest;
}

static bool has_fixed_neighbor(const struct coloring *d, size_t v, int32_t color)
{
  for (size_t k = d->q.first[v]; k < d->q.first[v + 1]; k++)
    if (d->q.fixed[d->q.neighbor[k]] == color) return true;
  return false;
}

/* Fix the most certain vertices: those at least half as certain as the first; while colors are equivalent, one.
 * *done: their number. */
static mn_status fix_vertices(mn_context *ctx, struct coloring *d, size_t free, size_t *done)
{
  size_t wanted = (size_t)fmax(1, floor(d->s->fraction * (double)free));
  const mn_mark mark = mn_scratch_mark(ctx);
  *done = 0;
  MN_TRY(mn_argsort(ctx, free, d->strength, 1, d->order));
  const double enough = d->strength[d->order[0]] / 2;
  if (enough > -0.005) wanted = 1;
  for (size_t k = 0; k < free && *done < wanted; k++) {
    const size_t v = d->variable[d->order[k]];
    if (d->strength[d->order[k]] > enough) break;
    if (has_fixed_neighbor(d, v, d->color[v])) continue;
    d->q.fixed[v] = d->color[v];
    ++*done;
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static mn_status decimate_colors(mn_context *ctx, struct coloring *d, mn_rng *rng, double *bias, mn_coloring_report *r)
{
  for (;;) {
    bool converged;
    size_t free, done;
    MN_TRY(mn_color_messages_run(ctx, &d->q, rng, &r->sweeps, &converged));
    if (bias && r->rounds == 0)
      for (size_t v = 0; v < d->g->n; v++) mn_color_bias(&d->q, v, bias + v * (d->s->colors + 1));
    r->rounds++;
    if (!converged) r->unconverged++;
    const double largest = preferences(d, &free);
    if (free == 0) return MN_OK;
    if (d->q.survey && (largest < 0.01 || !converged)) { /* surveys force nothing more: go on with beliefs */
      d->q.survey = false;
      mn_color_messages_draw(&d->q, rng);
      continue;
    }
    MN_TRY(fix_vertices(ctx, d, free, &done));
    if (done == 0) return MN_OK;
    r->fixed += done;
  }
}

/* --- local search --- */

static void update_listed(struct coloring *d, size_t v)
{
  const bool conflict = d->count[v * d->s->colors + (size_t)d->color[v]] > 0;
  if (conflict && d->at[v] == SIZE_MAX) {
    d->at[v] = d->listed;
    d->list[d->listed++] = v;
  } else if (!conflict && d->at[v] != SIZE_MAX) {
    const size_t last = d->list[--d->listed];
    d->list[d->at[v]] = last;
    d->at[last] = d->at[v];
    d->at[v] = SIZE_MAX;
  }
}

/* Counts of the colors of neighbors; returns the number of violated edges. */
static size_t count_colors(struct coloring *d)
{
  size_t violated = 0;
  memset(d->count, 0, d->g->n * d->s->colors * sizeof *d->count);
  for (size_t e = 0; e < d->g->m; e++) {
    const size_t a = (size_t)d->g->from[e] - 1, b = (size_t)d->g->to[e] - 1;
    d->count[a * d->s->colors + (size_t)d->color[b]]++;
    d->count[b * d->s->colors + (size_t)d->color[a]]++;
    violated += d->color[a] == d->color[b];
  }
  d->listed = 0;
  for (size_t v = 0; v < d->g->n; v++) d->at[v] = SIZE_MAX;
  for (size_t v = 0; v < d->g->n; v++) update_listed(d, v);
  return violated;
}

static void recolor(struct coloring *d, size_t v, int32_t color)
{
  const int32_t old = d->color[v];
  d->color[v] = color;
  for (size_t k = d->q.first[v]; k < d->q.first[v + 1]; k++) {
    int32_t *count = d->count + d->q.neighbor[k] * d->s->colors;
    count[old]--;
    count[color]++;
    update_listed(d, d->q.neighbor[k]);
  }
  update_listed(d, v);
}

/* Another color for v: of those that violate the fewest edges, or now and then any. */
static int32_t another(const struct coloring *d, size_t v, mn_rng *rng)
{
  const int32_t *count = d->count + v * d->s->colors;
  const bool any = mn_random_uniform(rng) < 0.005;
  size_t chosen = (size_t)d->color[v], ties = 0;
  for (size_t c = 0; c < d->s->colors; c++) {
    if (c == (size_t)d->color[v] || (!any && ties > 0 && count[c] > count[chosen])) continue;
    ties = !any && ties > 0 && count[c] < count[chosen] ? 1 : ties + 1;
    if (mn_random_below(rng, ties) == 0) chosen = c;
  }
  return (int32_t)chosen;
}

/* Recolor vertices that have a neighbor of their color (min-conflicts). color: the best found. */
static mn_status search_colors(mn_context *ctx, struct coloring *d, mn_rng *rng, int32_t *color, mn_coloring_report *r)
{
  size_t violated = count_colors(d);
  for (uint64_t i = 0;; i++) {
    if (violated < r->violated) {
      r->violated = violated;
      memcpy(color, d->color, d->g->n * sizeof *color);
    }
    if (i == d->s->max_moves || violated == 0 || d->s->colors == 1) return MN_OK;
    const size_t v = d->list[mn_random_below(rng, d->listed)];
    const int32_t *count = d->count + v * d->s->colors, old = d->color[v], new = another(d, v, rng);
    violated = violated + (size_t)count[new] - (size_t)count[old];
    recolor(d, v, new);
    r->moves++;
    if (i % 4096 == 0) MN_TRY(mn_poll(ctx));
  }
}

mn_status mn_color_graph(mn_context *ctx, const mn_edges *g, const mn_coloring_settings *s, int32_t *color,
                         double *bias, mn_coloring_report *report)
{
  struct coloring d;
  *report = (mn_coloring_report){ .violated = SIZE_MAX };
  MN_TRY(coloring_new(ctx, g, s, &d));
  for (size_t i = 0; i < s->restarts && report->violated > 0; i++) {
    mn_rng rng = mn_stream(s->seed, i);
    report->attempts = i + 1;
    report->rounds = report->unconverged = report->fixed = report->sweeps = 0;
    report->moves = 0;
    d.q.survey = s->survey;
    for (size_t v = 0; v < g->n; v++) d.q.fixed[v] = -1;
    mn_color_messages_draw(&d.q, &rng);
    MN_TRY(decimate_colors(ctx, &d, &rng, i == 0 ? bias : NULL, report));
    for (size_t v = 0; v < g->n; v++)
      if (d.q.fixed[v] >= 0) d.color[v] = d.q.fixed[v];
    MN_TRY(search_colors(ctx, &d, &rng, color, report));
  }
  return MN_OK;
}
