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
  uint64_t *until;           /* n x colors: the number of the move from which the vertex may take the color again */
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
  d->until = MN_RAW(ctx, uint64_t, g->n, s->colors);
  if (!d->strength || !d->variable || !d->order || !d->color || !d->count || !d->list || !d->at || !d->until)
    return MN_NO_MEMORY;
  return MN_OK;
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
  size_t wanted = (size_t)fmax(1, floor(d->s->decimation.fraction * (double)free));
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

static mn_status decimate_colors(mn_context *ctx, struct coloring *d, mn_rng *rng, double *bias,
                                 mn_decimation_report *r)
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

struct move {
  size_t vertex;
  int32_t color;
};

/* The color change of a vertex in conflict that leaves the fewest violated edges. A vertex may take a color that it
 * gave up lately only if this leaves fewer than ever before. If no change is allowed: any. */
static struct move best_move(const struct coloring *d, uint64_t now, size_t violated, size_t fewest, mn_rng *rng)
{
  const size_t colors = d->s->colors, v = d->list[mn_random_below(rng, d->listed)];
  struct move best = { v, (int32_t)(((size_t)d->color[v] + 1 + mn_random_below(rng, colors - 1)) % colors) };
  int64_t least = INT64_MAX;
  size_t ties = 0;
  for (size_t k = 0; k < d->listed; k++) {
    const size_t u = d->list[k], own = (size_t)d->color[u];
    const int32_t *count = d->count + u * colors;
    for (size_t c = 0; c < colors; c++) {
      const int64_t change = count[c] - count[own];
      if (c == own || change > least) continue;
      if (d->until[u * colors + c] > now && (int64_t)violated + change >= (int64_t)fewest) continue;
      ties = change < least ? 1 : ties + 1;
      least = change;
      if (mn_random_below(rng, ties) == 0) best = (struct move){ u, (int32_t)c };
    }
  }
  return best;
}

/* Tabu search (Hertz & de Werra 1987; the number of moves for which a color is forbidden is that of Galinier & Hao
 * 1999). color: the best found. */
static mn_status search_colors(mn_context *ctx, struct coloring *d, mn_rng *rng, int32_t *color,
                               mn_decimation_report *r)
{
  size_t violated = count_colors(d);
  memset(d->until, 0, d->g->n * d->s->colors * sizeof *d->until);
  for (uint64_t i = 0;; i++) {
    if (violated < r->violated) {
      r->violated = violated;
      memcpy(color, d->color, d->g->n * sizeof *color);
    }
    if (i == d->s->decimation.max_moves || violated == 0 || d->s->colors == 1) return MN_OK;
    const struct move m = best_move(d, i, violated, r->violated, rng);
    const int32_t *count = d->count + m.vertex * d->s->colors, old = d->color[m.vertex];
    violated = violated + (size_t)count[m.color] - (size_t)count[old];
    d->until[m.vertex * d->s->colors + (size_t)old] =
        i + 1 + (uint64_t)(0.6 * (double)d->listed) + mn_random_below(rng, 10);
    recolor(d, m.vertex, m.color);
    r->moves++;
    if (i % 1024 == 0) MN_TRY(mn_poll(ctx));
  }
}

mn_status mn_color_graph(mn_context *ctx, const mn_edges *g, const mn_coloring_settings *s, int32_t *color,
                         double *bias, mn_decimation_report *report)
{
  struct coloring d;
  *report = (mn_decimation_report){ .violated = SIZE_MAX };
  MN_TRY(coloring_new(ctx, g, s, &d));
  for (size_t i = 0; i < s->decimation.restarts && report->violated > 0; i++) {
    mn_rng rng = mn_stream(s->decimation.seed, i);
    mn_begin_attempt(report, i);
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
