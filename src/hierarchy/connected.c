/* Linkage under connectivity constraints: a heap of the links between clusters, least first. Merging two clusters makes
 * new links to the neighbors of both; old ones stay in the heap and are skipped when they come out. */
#include "../search/row_distances.h"
#include "../spanning_tree/components.h"
#include "../spanning_tree/spanning_tree.h"
#include "linkage.h"
#include <math.h>
#include <string.h>

struct link {
  double value;
  int32_t other;
};

/* The links of one cluster, also to clusters that no longer exist. */
struct neighbors {
  struct link *at;
  size_t size, capacity;
};

/* Clusters are numbered as in merges.h. */
struct graph {
  mn_linkage linkage;
  size_t n, d;
  struct neighbors *neighbors; /* 2 n - 1 */
  bool *joined;                /* 2 n - 1 */
  double *count;               /* 2 n - 1 */
  double *mean;                /* ward: (2 n - 1) x d */
  double *value;               /* 2 n - 1: of new links; negative: none yet */
  mn_edge *heap;
  size_t size, capacity;
};

/* --- the heap --- */

static mn_status push(mn_context *ctx, struct graph *g, mn_edge edge)
{
  if (g->size == g->capacity) {
    g->capacity *= 2;
    g->heap = MN_GROW(ctx, g->heap, g->size, g->capacity);
    MN_CHECK_ALLOC(g->heap);
  }
  size_t i = g->size++;
  for (; i > 0 && mn_edge_is_less(edge, g->heap[(i - 1) / 2]); i = (i - 1) / 2) g->heap[i] = g->heap[(i - 1) / 2];
  g->heap[i] = edge;
  return MN_OK;
}

static mn_edge pop(struct graph *g)
{
  const mn_edge top = g->heap[0], last = g->heap[--g->size];
  size_t i = 0;
  for (size_t child; (child = 2 * i + 1) < g->size; i = child) {
    if (child + 1 < g->size && mn_edge_is_less(g->heap[child + 1], g->heap[child])) child++;
    if (!mn_edge_is_less(g->heap[child], last)) break;
    g->heap[i] = g->heap[child];
  }
  g->heap[i] = last;
  return top;
}

/* --- links --- */

static mn_status append(mn_context *ctx, struct neighbors *list, struct link link)
{
  if (list->size == list->capacity) {
    list->capacity = list->capacity > 0 ? 2 * list->capacity : 4;
    list->at = MN_GROW(ctx, list->at, list->size, list->capacity);
    MN_CHECK_ALLOC(list->at);
  }
  list->at[list->size++] = link;
  return MN_OK;
}

static mn_status add_link(mn_context *ctx, struct graph *g, int32_t a, int32_t b, double value)
{
  MN_TRY(append(ctx, &g->neighbors[a], (struct link){ value, b }));
  MN_TRY(append(ctx, &g->neighbors[b], (struct link){ value, a }));
  return push(ctx, g, mn_edge_between(value, value, a, b));
}

/* The height at which Ward's linkage merges two clusters. */
static double ward_height(const struct graph *g, size_t a, size_t b)
{
  double sum = 0;
  for (size_t j = 0; j < g->d; j++) {
    const double difference = g->mean[a * g->d + j] - g->mean[b * g->d + j];
    sum += difference * difference;
  }
  return sqrt(2 * g->count[a] * g->count[b] / (g->count[a] + g->count[b]) * sum);
}

/* The value of a link from a new cluster, from those of its two parts to the same neighbor. */
static double joined_value(const struct graph *g, double one, double two, double n1, double n2)
{
  if (g->linkage == MN_LINKAGE_SINGLE) return fmin(one, two);
  return g->linkage == MN_LINKAGE_COMPLETE ? fmax(one, two) : (n1 * one + n2 * two) / (n1 + n2);
}

/* Collect the neighbors of a part: values for those seen first, joined values for those seen with the other part. */
static mn_status collect(mn_context *ctx, struct graph *g, int32_t part, int32_t other, struct neighbors *found)
{
  const struct neighbors *list = &g->neighbors[part];
  for (size_t i = 0; i < list->size; i++) {
    const int32_t to = list->at[i].other;
    if (g->joined[to]) continue;
    if (g->value[to] < 0) {
      g->value[to] = list->at[i].value;
      MN_TRY(append(ctx, found, (struct link){ 0, to }));
    } else {
      g->value[to] = joined_value(g, g->value[to], list->at[i].value, g->count[other], g->count[part]);
    }
  }
  return MN_OK;
}

static mn_status merge_linked(mn_context *ctx, struct graph *g, mn_edge edge, int32_t made)
{
  const int32_t a = edge.a, b = edge.b;
  struct neighbors found = { 0 };
  g->joined[a] = g->joined[b] = true;
  g->count[made] = g->count[a] + g->count[b];
  for (size_t j = 0; g->mean && j < g->d; j++) {
    const double x = g->mean[(size_t)a * g->d + j], y = g->mean[(size_t)b * g->d + j];
    g->mean[(size_t)made * g->d + j] = x + g->count[b] / g->count[made] * (y - x);
  }
  MN_TRY(collect(ctx, g, a, b, &found));
  MN_TRY(collect(ctx, g, b, a, &found));
  for (size_t i = 0; i < found.size; i++) {
    const int32_t to = found.at[i].other;
    const double value = g->mean ? ward_height(g, (size_t)made, (size_t)to) : g->value[to];
    g->value[to] = -1;
    MN_TRY(add_link(ctx, g, made, to, value));
  }
  return MN_OK;
}

/* --- the given links --- */

static mn_status init_graph(mn_context *ctx, mn_linkage linkage, const mn_points *rows, size_t links, struct graph *g)
{
  const size_t n = rows->n;
  *g = (struct graph){ .linkage = linkage, .n = n, .d = rows->d, .capacity = links + n };
  g->neighbors = MN_NEW(ctx, struct neighbors, n, 2);
  g->joined = MN_NEW(ctx, bool, n, 2);
  g->count = MN_RAW(ctx, double, n, 2);
  g->value = MN_RAW(ctx, double, n, 2);
  g->heap = MN_RAW(ctx, mn_edge, g->capacity, 1);
  if (!g->neighbors || !g->joined || !g->count || !g->value || !g->heap) return MN_NO_MEMORY;
  for (size_t i = 0; i < 2 * n; i++) {
    g->count[i] = 1;
    g->value[i] = -1;
  }
  if (linkage != MN_LINKAGE_WARD) return MN_OK;
  g->mean = MN_RAW(ctx, double, 2 * n, rows->d);
  MN_CHECK_ALLOC(g->mean);
  memcpy(g->mean, rows->x, n * rows->d * sizeof *g->mean);
  return MN_OK;
}

/* Sort the links by row, and measure each once. */
static mn_status add_given(mn_context *ctx, struct graph *g, const mn_row_distances *from, mn_links links,
                           int32_t *parent)
{
  mn_edge *edge = MN_RAW(ctx, mn_edge, links.size, 1);
  MN_CHECK_ALLOC(edge);
  for (size_t i = 0; i < links.size; i++) edge[i] = mn_edge_between(0, 0, links.a[i], links.b[i]);
  MN_TRY(mn_sort_edges(ctx, links.size, edge));
  for (size_t i = 0; i < links.size; i++) {
    const int32_t a = edge[i].a, b = edge[i].b;
    double value;
    if (a == b || (i > 0 && a == edge[i - 1].a && b == edge[i - 1].b)) continue;
    mn_measure_row(from, (size_t)a, (size_t)b, (size_t)b + 1, &value);
    MN_TRY(add_link(ctx, g, a, b, value));
    mn_components_join(parent, a, b);
  }
  return MN_OK;
}

/* Number the components 0 .. count - 1. */
static mn_status number_components(mn_context *ctx, size_t n, int32_t *parent, int32_t **number, size_t *count)
{
  *number = MN_RAW(ctx, int32_t, n, 1);
  MN_CHECK_ALLOC(*number);
  *count = 0;
  for (size_t i = 0; i < n; i++) { /* a root is the lowest row of its component */
    const int32_t root = mn_component(parent, (int32_t)i);
    (*number)[i] = (size_t)root == i ? (int32_t)(*count)++ : (*number)[root];
  }
  return MN_OK;
}

/* Add the shortest pair of rows between each two components. */
static mn_status connect(mn_context *ctx, struct graph *g, const mn_row_distances *from, int32_t *parent)
{
  const size_t n = g->n;
  int32_t *component;
  size_t count;
  MN_TRY(number_components(ctx, n, parent, &component, &count));
  if (count < 2) return MN_OK;
  mn_edge *shortest = MN_RAW(ctx, mn_edge, count, count);
  double *distance = MN_RAW(ctx, double, n, 1);
  if (!shortest || !distance) return MN_NO_MEMORY;
  for (size_t i = 0; i < count * count; i++) shortest[i] = (mn_edge){ INFINITY, INFINITY, INT32_MAX, INT32_MAX };
  for (size_t i = 0; i < n; i++) {
    MN_TRY(mn_poll(ctx));
    mn_measure_row(from, i, 0, i, distance);
    for (size_t j = 0; j < i; j++) {
      const size_t a = (size_t)component[i], b = (size_t)component[j];
      if (a == b) continue;
      mn_edge *best = &shortest[a < b ? a * count + b : b * count + a];
      const mn_edge edge = mn_edge_between(distance[j], distance[j], (int32_t)i, (int32_t)j);
      if (mn_edge_is_less(edge, *best)) *best = edge;
    }
  }
  for (size_t i = 0; i < count * count; i++)
    if (shortest[i].a < INT32_MAX) MN_TRY(add_link(ctx, g, shortest[i].a, shortest[i].b, shortest[i].weight));
  return MN_OK;
}

static mn_status check_linkage(mn_context *ctx, const char *who, mn_linkage linkage, mn_metric metric,
                               const mn_points *rows)
{
  if (linkage == MN_LINKAGE_WEIGHTED || linkage == MN_LINKAGE_CENTROID || linkage == MN_LINKAGE_MEDIAN)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "%s: connectivity requires the linkage ward, complete, average or single, got '%s'", who,
                   mn_linkage_names[linkage]);
  if (linkage == MN_LINKAGE_WARD && (!rows->x || metric.kind != MN_METRIC_EUCLIDEAN))
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "%s: linkage 'ward' with connectivity requires a dense X and the metric euclidean", who);
  return MN_OK;
}

mn_status mn_link_connected(mn_context *ctx, const char *who, mn_linkage linkage, mn_metric metric,
                            const mn_points *rows, mn_links links, mn_merge *merges)
{
  const size_t n = rows->n;
  const mn_mark mark = mn_scratch_mark(ctx);
  struct graph g;
  mn_row_distances from;
  MN_TRY(check_linkage(ctx, who, linkage, metric, rows));
  MN_TRY(mn_row_distances_init(ctx, who, &from, metric, rows));
  MN_TRY(init_graph(ctx, linkage, rows, links.size, &g));
  int32_t *parent = MN_RAW(ctx, int32_t, n, 1);
  MN_CHECK_ALLOC(parent);
  mn_components_init(parent, n);
  MN_TRY(add_given(ctx, &g, &from, links, parent));
  MN_TRY(connect(ctx, &g, &from, parent));
  for (size_t made = 0; made + 1 < n;) {
    MN_TRY(mn_poll(ctx));
    const mn_edge edge = pop(&g);
    if (g.joined[edge.a] || g.joined[edge.b]) continue;
    MN_TRY(merge_linked(ctx, &g, edge, (int32_t)(n + made)));
    merges[made] = (mn_merge){ edge.a, edge.b, edge.weight, g.count[n + made] };
    made++;
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
