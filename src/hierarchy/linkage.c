/* Complete, average, weighted and ward by the nearest-neighbor chain, centroid and median by the generic algorithm,
 * both of Muellner, arXiv:1109.2378 (2011), on a condensed matrix of distances that is updated by the formulas of Lance
 * & Williams, Computer Journal 9 (1967). Ties are broken by the lowest index. */
#include "linkage.h"
#include "../core/threads.h"
#include "../search/row_distances.h"
#include "../spanning_tree/spanning_tree.h"
#include <math.h>
#include <string.h>

const char *const mn_linkage_names[] = {
  "ward", "complete", "average", "single", "weighted", "centroid", "median", NULL
};

/* Clusters are named by one of their rows, their slot. Distances of pairs i < j, row after row. */
struct clusters {
  mn_linkage linkage;
  size_t n, active;
  double *distance; /* n (n - 1) / 2; squared for ward, centroid and median */
  double *size;     /* n */
  int32_t *slot;    /* active: the slots in ascending order */
};

static double *pair(const struct clusters *c, size_t i, size_t j)
{
  const size_t low = i < j ? i : j, high = i < j ? j : i;
  return c->distance + low * c->n - low * (low + 1) / 2 + (high - low - 1);
}

static bool is_squared(mn_linkage linkage)
{
  return linkage == MN_LINKAGE_WARD || linkage == MN_LINKAGE_CENTROID || linkage == MN_LINKAGE_MEDIAN;
}

/* --- distances --- */

struct filling {
  const mn_row_distances *from;
  const struct clusters *c;
};

static void fill_row(void *work, size_t i, size_t worker)
{
  (void)worker;
  const struct filling *w = work;
  const size_t n = w->c->n;
  double *out = pair(w->c, i, i + 1);
  mn_measure_row(w->from, i, i + 1, n, out);
  for (size_t j = i + 1; is_squared(w->c->linkage) && j < n; j++) out[j - i - 1] *= out[j - i - 1];
}

static mn_status init_clusters(mn_context *ctx, const char *who, mn_linkage linkage, mn_metric metric,
                               const mn_points *rows, struct clusters *c)
{
  const size_t n = rows->n;
  mn_row_distances from;
  *c = (struct clusters){ .linkage = linkage, .n = n, .active = n };
  MN_TRY(mn_row_distances_init(ctx, who, &from, metric, rows));
  c->distance = n % 2 ? MN_RAW(ctx, double, n, (n - 1) / 2) : MN_RAW(ctx, double, n / 2, n - 1);
  c->size = MN_RAW(ctx, double, n, 1);
  c->slot = MN_RAW(ctx, int32_t, n, 1);
  if (!c->distance || !c->size || !c->slot) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++) {
    c->size[i] = 1;
    c->slot[i] = (int32_t)i;
  }
  struct filling w = { &from, c };
  return mn_parallel(ctx, n - 1, fill_row, &w);
}

/* The distance of cluster i from the merger of x and y. */
static double merged_distance(const struct clusters *c, double ix, double iy, double xy, double ni, double nx,
                              double ny)
{
  switch (c->linkage) {
  case MN_LINKAGE_SINGLE: return fmin(ix, iy);
  case MN_LINKAGE_COMPLETE: return fmax(ix, iy);
  case MN_LINKAGE_AVERAGE: return (nx * ix + ny * iy) / (nx + ny);
  case MN_LINKAGE_WEIGHTED: return (ix + iy) / 2;
  case MN_LINKAGE_CENTROID: return fmax((nx * ix + ny * iy - nx * ny * xy / (nx + ny)) / (nx + ny), 0);
  case MN_LINKAGE_MEDIAN: return fmax((ix + iy) / 2 - xy / 4, 0);
  case MN_LINKAGE_WARD: return fmax(((nx + ni) * ix + (ny + ni) * iy - ni * xy) / (nx + ny + ni), 0);
  }
  return 0;
}

/* Merge x < y: slot x is removed, and slot y becomes the new cluster. */
static mn_merge merge_slots(struct clusters *c, size_t x, size_t y)
{
  const double xy = *pair(c, x, y), nx = c->size[x], ny = c->size[y];
  size_t kept = 0;
  for (size_t k = 0; k < c->active; k++) {
    const size_t i = (size_t)c->slot[k];
    if (i == x) continue;
    c->slot[kept++] = (int32_t)i;
    if (i == y) continue;
    double *iy = pair(c, i, y);
    *iy = merged_distance(c, *pair(c, i, x), *iy, xy, c->size[i], nx, ny);
  }
  c->active = kept;
  c->size[y] = nx + ny;
  return (mn_merge){ .a = (int32_t)x, .b = (int32_t)y, .height = is_squared(c->linkage) ? sqrt(xy) : xy };
}

/* --- the nearest-neighbor chain --- */

/* The nearest cluster of x: `before`, if no other is nearer. */
static size_t nearest_slot(const struct clusters *c, size_t x, size_t before)
{
  size_t nearest = before, k = 0;
  double least = before == x ? INFINITY : *pair(c, x, before);
  const double *row = c->distance + x;
  for (; k < c->active && (size_t)c->slot[k] < x; k++) {
    const size_t i = (size_t)c->slot[k];
    const double d = row[i * c->n - i * (i + 1) / 2 - i - 1];
    if (d < least || nearest == x) {
      least = d;
      nearest = i;
    }
  }
  row = c->distance + x * c->n - x * (x + 1) / 2 - x - 1;
  for (; k < c->active; k++) {
    const size_t i = (size_t)c->slot[k];
    if (i == x || !(row[i] < least || nearest == x)) continue;
    least = row[i];
    nearest = i;
  }
  return nearest;
}

/* Follow nearest neighbors until two are nearest to each other; merge them, and continue with the chain before them. */
static mn_status follow_chain(mn_context *ctx, struct clusters *c, mn_merge *merges)
{
  size_t *chain = MN_RAW(ctx, size_t, c->n, 1), length = 0;
  MN_CHECK_ALLOC(chain);
  for (size_t made = 0; made + 1 < c->n;) {
    MN_TRY(mn_poll(ctx));
    if (length == 0) chain[length++] = (size_t)c->slot[0];
    const size_t x = chain[length - 1], before = length > 1 ? chain[length - 2] : x;
    const size_t y = nearest_slot(c, x, before);
    if (length > 1 && y == before) {
      merges[made++] = merge_slots(c, x < y ? x : y, x < y ? y : x);
      length -= 2;
    } else {
      chain[length++] = y;
    }
  }
  return MN_OK;
}

/* --- the generic algorithm --- */

struct nearest_above {
  size_t *slot;  /* n: of each slot, the nearest one above it, when it was last looked for */
  double *least; /* n: lower bound on the distance to the slots above; INFINITY for the last */
};

static void look_above(const struct clusters *c, size_t i, struct nearest_above *near)
{
  near->least[i] = INFINITY;
  near->slot[i] = i;
  for (size_t k = 0; k < c->active; k++) {
    const size_t j = (size_t)c->slot[k];
    if (j <= i) continue;
    const double d = *pair(c, i, j);
    if (!(d < near->least[i] || near->slot[i] == i)) continue;
    near->least[i] = d;
    near->slot[i] = j;
  }
}

/* The slot whose distance to the nearest one above is least, once that is known to be its true distance. */
static size_t least_slot(const struct clusters *c, struct nearest_above *near)
{
  for (;;) {
    size_t x = (size_t)c->slot[0];
    for (size_t k = 1; k + 1 < c->active; k++)
      if (near->least[c->slot[k]] < near->least[x]) x = (size_t)c->slot[k];
    const size_t y = near->slot[x];
    if (y != x && !(*pair(c, x, y) > near->least[x])) return x;
    look_above(c, x, near);
  }
}

static mn_status merge_least(mn_context *ctx, struct clusters *c, mn_merge *merges)
{
  struct nearest_above near = { MN_RAW(ctx, size_t, c->n, 1), MN_RAW(ctx, double, c->n, 1) };
  if (!near.slot || !near.least) return MN_NO_MEMORY;
  for (size_t i = 0; i < c->n; i++) look_above(c, i, &near);
  for (size_t made = 0; made + 1 < c->n; made++) {
    MN_TRY(mn_poll(ctx));
    const size_t x = least_slot(c, &near), y = near.slot[x];
    merges[made] = merge_slots(c, x, y);
    for (size_t k = 0; k < c->active && (size_t)c->slot[k] < y; k++) {
      const size_t i = (size_t)c->slot[k];
      const double d = *pair(c, i, y);
      if (i < x && near.slot[i] == x) near.slot[i] = y;
      if (!(d < near.least[i])) continue;
      near.least[i] = d;
      near.slot[i] = y;
    }
    look_above(c, y, &near);
  }
  return MN_OK;
}

/* --- all linkages --- */

static mn_status link_single(mn_context *ctx, const char *who, mn_metric metric, const mn_points *rows,
                             mn_merge *merges)
{
  mn_edge *edges = MN_RAW(ctx, mn_edge, rows->n, 1);
  MN_CHECK_ALLOC(edges);
  MN_TRY(mn_spanning_tree(ctx, who, metric, rows, NULL, NULL, (mn_known_neighbors){ 0 }, edges));
  for (size_t i = 0; i + 1 < rows->n; i++)
    merges[i] = (mn_merge){ .a = edges[i].a, .b = edges[i].b, .height = edges[i].distance };
  return mn_number_merges(ctx, rows->n, false, merges);
}

static bool is_euclidean(mn_metric metric)
{
  return metric.kind == MN_METRIC_EUCLIDEAN || (metric.kind == MN_METRIC_MINKOWSKI && metric.p == 2);
}

static mn_status link_pairs(mn_context *ctx, const char *who, mn_linkage linkage, mn_metric metric,
                            const mn_points *rows, mn_merge *merges)
{
  const bool chained = linkage != MN_LINKAGE_CENTROID && linkage != MN_LINKAGE_MEDIAN;
  struct clusters c;
  MN_TRY(init_clusters(ctx, who, linkage, metric, rows, &c));
  MN_TRY((chained ? follow_chain : merge_least)(ctx, &c, merges));
  return mn_number_merges(ctx, rows->n, chained, merges);
}

mn_status mn_link(mn_context *ctx, const char *who, mn_linkage linkage, mn_metric metric, const mn_points *rows,
                  mn_merge *merges)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  if (is_squared(linkage) && !is_euclidean(metric) && metric.kind != MN_METRIC_PRECOMPUTED)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "%s: linkage '%s' requires the metric euclidean, or precomputed Euclidean distances, got %s", who,
                   mn_linkage_names[linkage], mn_metric_names[metric.kind]);
  if (rows->n < 2) return MN_OK;
  if (linkage == MN_LINKAGE_SINGLE) {
    MN_TRY(link_single(ctx, who, metric, rows, merges));
  } else if (linkage == MN_LINKAGE_WARD && rows->x && metric.kind != MN_METRIC_PRECOMPUTED) {
    MN_TRY(mn_link_ward_rows(ctx, rows, merges));
    MN_TRY(mn_number_merges(ctx, rows->n, true, merges));
  } else {
    MN_TRY(link_pairs(ctx, who, linkage, metric, rows, merges));
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
