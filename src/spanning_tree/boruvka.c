/* Boruvka's algorithm: in each round every component finds its least edge to another component, by searches from its
 * rows through the tree. Nodes are skipped that belong to the component as a whole, or whose edges are certainly not
 * less than one found before by any row of the component. A row keeps the edge it found: while that leads to another
 * component, it remains the least of the row, because the rows to choose from only become fewer. All rows of a leaf are
 * skipped at once if a ball around them is far from other components.
 *
 * Components above the mean size take no part in a round: a large one is mostly joined by the searches of small ones.
 * If that joins too few, all take part in the next round.
 *
 * Bounds are shared by threads, so how much is skipped depends on timing; the least edges do not. */
#include "../core/threads.h"
#include "components.h"
#include "spanning_tree.h"
#include <stdatomic.h>
#include <string.h>

enum { SEGMENT = 64 };
#define BEYOND_ERROR 1e-11 /* relative, of distances that were not measured exactly */

/* The least edge of a row, from the row at one position to that at another. */
struct best {
  double weight, distance;
  int32_t target; /* a position; -1: none known, and no edge is below `weight` */
};

struct rounds {
  const mn_space *space;
  const mn_neighbor_tree *tree;
  const mn_points *rows;
  const double *embedded;
  mn_context *ctx;
  bool exact;
  size_t n, levels;
  double *core;                     /* n, by position                                                          */
  double *node_core;                /* by node: the least core distance                                        */
  size_t above[MN_TREE_LEVELS + 1]; /* by level: mn_tree_above                                          */
  int32_t *node_component;          /* by node: the component of all its rows, or -1                           */
  int32_t *component;               /* n, by position                                                          */
  int32_t *parent;                  /* n, by row: disjoint sets                                                */
  struct best *best;                /* n, by position                                                          */
  mn_known_neighbors known;
  bool *exhausted;         /* n, by position: all known neighbors are in its component                */
  int32_t *place;          /* n, by row: its position                                                 */
  _Atomic uint64_t *bound; /* by component: bits of a weight that its least edge does not exceed      */
  int32_t *size;           /* by component                                                            */
  double largest;          /* size of a component that takes part in the round                        */
};

static uint64_t bits_of(double value)
{
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* Bits of numbers >= 0 are ordered as the numbers. */
static double bound_of(const struct rounds *w, int32_t component)
{
  const uint64_t bits = atomic_load_explicit(&w->bound[component], memory_order_relaxed);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static void lower_bound(const struct rounds *w, int32_t component, double weight)
{
  const uint64_t bits = bits_of(weight);
  uint64_t old = atomic_load_explicit(&w->bound[component], memory_order_relaxed);
  while (bits < old && !atomic_compare_exchange_weak(&w->bound[component], &old, bits)) {
  }
}

static mn_edge edge_of(const struct rounds *w, size_t position, const struct best *b)
{
  return mn_edge_between(b->weight, b->distance, w->tree->row.at[position], w->tree->row.at[b->target]);
}

static bool takes_part(const struct rounds *w, int32_t component)
{
  return w->size[component] <= w->largest;
}

/* --- the search from one row --- */

struct search {
  const struct rounds *w;
  size_t position;
  const double *q;
  int32_t component;
  double core;
  struct best best;
  double beyond; /* rows of other components that are not the best have at least this scanned distance */
};

/* The largest distance at which an edge with at least this core weight can be less than the best one; negative: none.
 */
static double distance_limit(const struct best *best, double core)
{
  if (core > best->weight) return -1;
  return core < best->weight ? best->weight : best->distance;
}

static double larger(double a, double b)
{
  return a > b ? a : b;
}

static double smaller(double a, double b)
{
  return a < b ? a : b;
}

static double exact_distance(const struct rounds *w, const struct search *s, int32_t row, double scanned)
{
  const size_t width = (size_t)w->space->width;
  if (w->exact) return mn_space_distance(w->space, scanned);
  if (w->space->kind == MN_METRIC_HAVERSINE) {
    const double *q = w->rows->x + 2 * (size_t)w->tree->row.at[s->position];
    return mn_space_distance(w->space, mn_space_measure(w->space, q, w->rows->x + 2 * (size_t)row));
  }
  return mn_space_distance(w->space, mn_space_measure(w->space, s->q, w->embedded + width * (size_t)row));
}

static void consider(struct search *s, size_t position, double scanned)
{
  const struct rounds *w = s->w;
  const double core = larger(s->core, w->core[position]);
  if (core > s->best.weight) return;
  const double distance = exact_distance(w, s, w->tree->row.at[position], scanned);
  struct best found = { larger(distance, core), distance, (int32_t)position };
  if (found.weight > s->best.weight) return;
  if (s->best.target >= 0 && !mn_edge_is_less(edge_of(w, s->position, &found), edge_of(w, s->position, &s->best)))
    return;
  if (found.weight < s->best.weight) {
    lower_bound(w, s->component, found.weight);
    lower_bound(w, w->component[position], found.weight);
  }
  s->best = found;
}

/* Scanned distances above this are not within a distance. */
static double scan_limit(const struct rounds *w, double distance)
{
  return mn_space_scan_limit(w->space, mn_space_reduce(w->space, distance));
}

static void scan_leaf(struct search *s, size_t leaf)
{
  const struct rounds *w = s->w;
  const mn_neighbor_tree *t = w->tree;
  const size_t begin = mn_tree_begin(t, w->levels, leaf), n = mn_tree_begin(t, w->levels, leaf + 1) - begin;
  const size_t capacity = (size_t)t->capacity;
  double value[SEGMENT], limit = scan_limit(w, s->best.weight);
  for (size_t from = 0; from < n; from += SEGMENT) {
    const size_t padded = capacity - from < SEGMENT ? capacity - from : SEGMENT;
    const size_t count = n - from < SEGMENT ? n - from : SEGMENT;
    mn_block_distances((mn_distance_form)w->space->form, w->space->p, padded, capacity, (size_t)t->width,
                       mn_tree_leaf(t, leaf) + from, s->q, value);
    for (size_t i = 0; i < count; i++) {
      if (value[i] > limit && !(value[i] < s->beyond)) continue;
      if (w->component[begin + from + i] == s->component) continue;
      s->beyond = smaller(s->beyond, value[i]);
      if (value[i] > limit) continue;
      const double before = s->best.weight;
      consider(s, begin + from + i, value[i]);
      if (s->best.weight < before) limit = scan_limit(w, s->best.weight);
    }
  }
}

struct node {
  double bound; /* on the reduced distance */
  uint32_t level, index;
};

static bool is_skipped(struct search *s, struct node node)
{
  const struct rounds *w = s->w;
  const size_t at = w->above[node.level] + node.index;
  if (w->node_component[at] == s->component) return true;
  const double limit = distance_limit(&s->best, larger(s->core, w->node_core[at]));
  if (limit >= 0 && !(node.bound > mn_space_reduce(w->space, limit))) return false;
  s->beyond = smaller(s->beyond, node.bound);
  return true;
}

/* Push the children that are not skipped, the nearest last. */
static size_t push_children(struct search *s, struct node parent, struct node *stack, size_t size)
{
  const mn_neighbor_tree *t = s->w->tree;
  const size_t children = mn_tree_children(t, parent.level), bottom = size;
  double bound[MN_LANES];
  mn_tree_lower_bounds(t, s->w->space, parent.level, parent.index, s->q, bound);
  for (size_t i = 0; i < children; i++) {
    const struct node child = { bound[i], parent.level + 1, (uint32_t)(parent.index * children + i) };
    if (is_skipped(s, child)) continue;
    size_t at = size++;
    for (; at > bottom && stack[at - 1].bound < child.bound; at--) stack[at] = stack[at - 1];
    stack[at] = child;
  }
  return size;
}

static void search_from(const struct rounds *w, size_t position)
{
  const int32_t component = w->component[position];
  struct search s = {
    .w = w, .position = position, .component = component, .core = w->core[position], .beyond = INFINITY
  };
  struct node stack[MN_TREE_STACK] = { { 0, 0, 0 } };
  s.q = w->embedded + (size_t)w->tree->row.at[position] * (size_t)w->space->width;
  s.best = (struct best){ bound_of(w, component), INFINITY, -1 };
  for (size_t size = 1; size > 0;) {
    const struct node node = stack[--size];
    const double bound = bound_of(w, component);
    if (bound < s.best.weight) s.best = (struct best){ bound, INFINITY, -1 };
    if (s.core > s.best.weight) {
      s.beyond = 0;
      break;
    }
    if (is_skipped(&s, node)) continue;
    if (node.level == w->levels)
      scan_leaf(&s, node.index);
    else
      size = push_children(&s, node, stack, size);
  }
  if (s.best.target < 0) {
    const double distance = mn_space_distance(w->space, s.beyond) * (1 - BEYOND_ERROR);
    s.best.weight = larger(s.best.weight, larger(s.core, distance));
  }
  w->best[position] = s.best;
}

/* --- searches from the rows of a leaf --- */

/* A ball around the rows of a leaf, all of one component. Distances are those of embedded rows. */
struct ball {
  int32_t component;
  double center[MN_SPANNING_TREE_WIDTH], radius;
};

static double squared_distance(size_t width, const double *x, const double *y)
{
  double sum = 0;
  for (size_t j = 0; j < width; j++) sum += (x[j] - y[j]) * (x[j] - y[j]);
  return sum;
}

static const double *row_at(const struct rounds *w, size_t position)
{
  return w->embedded + (size_t)w->tree->row.at[position] * (size_t)w->tree->width;
}

static void find_ball(const struct rounds *w, size_t begin, size_t end, struct ball *ball)
{
  const size_t width = (size_t)w->tree->width;
  for (size_t j = 0; j < width; j++) ball->center[j] = 0;
  for (size_t p = begin; p < end; p++)
    for (size_t j = 0; j < width; j++) ball->center[j] += row_at(w, p)[j] / (double)(end - begin);
  ball->radius = 0;
  for (size_t p = begin; p < end; p++)
    ball->radius = larger(ball->radius, squared_distance(width, row_at(w, p), ball->center));
  ball->radius = sqrt(ball->radius);
}

/* Whether a leaf has a row of another component within a squared distance of the center. */
static bool is_near(const struct rounds *w, const struct ball *ball, size_t leaf, double limit)
{
  const mn_neighbor_tree *t = w->tree;
  const size_t begin = mn_tree_begin(t, w->levels, leaf), n = mn_tree_begin(t, w->levels, leaf + 1) - begin;
  const size_t capacity = (size_t)t->capacity;
  double value[SEGMENT];
  for (size_t from = 0; from < n; from += SEGMENT) {
    const size_t padded = capacity - from < SEGMENT ? capacity - from : SEGMENT;
    const size_t count = n - from < SEGMENT ? n - from : SEGMENT;
    mn_block_distances(MN_FORM_SQUARES, 2, padded, capacity, (size_t)t->width, mn_tree_leaf(t, leaf) + from,
                       ball->center, value);
    for (size_t i = 0; i < count; i++)
      if (value[i] <= limit && w->component[begin + from + i] != ball->component) return true;
  }
  return false;
}

/* Whether all rows of other components are farther from the center. */
static bool is_isolated(const struct rounds *w, const struct ball *ball, double limit)
{
  const mn_neighbor_tree *t = w->tree;
  struct node stack[MN_TREE_STACK] = { { 0, 0, 0 } };
  double bound[MN_LANES];
  for (size_t size = 1; size > 0;) {
    const struct node node = stack[--size];
    if (node.level == w->levels) {
      if (is_near(w, ball, node.index, limit)) return false;
      continue;
    }
    const size_t children = mn_tree_children(t, node.level), bottom = size;
    const int32_t *component = w->node_component + w->above[node.level + 1] + node.index * children;
    mn_tree_lower_bounds(t, w->space, node.level, node.index, ball->center, bound);
    for (size_t i = 0; i < children; i++) {
      if (component[i] == ball->component || bound[i] > limit) continue;
      size_t at = size++;
      for (; at > bottom && stack[at - 1].bound < bound[i]; at--) stack[at] = stack[at - 1];
      stack[at] = (struct node){ bound[i], node.level + 1, (uint32_t)(node.index * children + i) };
    }
  }
  return true;
}

/* Raise the bounds of all rows of a leaf at once if they are far from other components, by the triangle inequality. */
static void bound_leaf(const struct rounds *w, size_t leaf)
{
  const size_t begin = mn_tree_begin(w->tree, w->levels, leaf), end = mn_tree_begin(w->tree, w->levels, leaf + 1);
  struct ball ball = { .component = w->node_component[w->above[w->levels] + leaf] };
  if (ball.component < 0 || w->space->form != MN_FORM_SQUARES) return;
  const double weight = bound_of(w, ball.component) * (1 + BEYOND_ERROR);
  if (!(weight < INFINITY)) return;
  find_ball(w, begin, end, &ball);
  const double limit = (sqrt(mn_space_reduce(w->space, weight)) + ball.radius) * (1 + BEYOND_ERROR);
  if (!is_isolated(w, &ball, limit * limit)) return;
  for (size_t p = begin; p < end; p++)
    if (w->best[p].target < 0) w->best[p].weight = larger(w->best[p].weight, weight);
}

static bool is_to_be_searched(const struct rounds *w, size_t position)
{
  const struct best *b = &w->best[position];
  return b->target < 0 && takes_part(w, w->component[position]) && !(b->weight > bound_of(w, w->component[position]));
}

static void search_leaf(void *work, size_t leaf, size_t worker)
{
  const struct rounds *w = work;
  const mn_cancel_token token = { w->ctx, worker };
  const size_t end = mn_tree_begin(w->tree, w->levels, leaf + 1);
  size_t p = mn_tree_begin(w->tree, w->levels, leaf);
  while (p < end && !is_to_be_searched(w, p)) p++;
  if (p < end) bound_leaf(w, leaf);
  for (; p < end && mn_task_should_continue(&token); p++)
    if (is_to_be_searched(w, p)) search_from(w, p);
}

/* --- rounds --- */

/* The component of each row, and of nodes all of whose rows are in one. */
static void find_components(struct rounds *w)
{
  const mn_neighbor_tree *t = w->tree;
  const size_t leaves = (size_t)1 << t->depth, inner = mn_tree_above(t, w->levels);
  for (size_t p = 0; p < w->n; p++) w->component[p] = mn_component(w->parent, t->row.at[p]);
  for (size_t leaf = 0; leaf < leaves; leaf++) {
    const size_t begin = mn_tree_begin(t, w->levels, leaf), end = mn_tree_begin(t, w->levels, leaf + 1);
    int32_t same = begin < end ? w->component[begin] : -1;
    for (size_t p = begin; p < end; p++)
      if (w->component[p] != same) same = -1;
    w->node_component[inner + leaf] = same;
  }
  for (size_t level = w->levels; level-- > 0;) {
    const size_t children = mn_tree_children(t, level), nodes = (size_t)1 << mn_tree_depth(t, level);
    const int32_t *below = w->node_component + mn_tree_above(t, level + 1);
    for (size_t i = 0; i < nodes; i++) {
      int32_t same = below[i * children];
      for (size_t c = 1; c < children; c++)
        if (below[i * children + c] != same) same = -1;
      w->node_component[mn_tree_above(t, level) + i] = same;
    }
  }
}

static void find_node_cores(struct rounds *w)
{
  const mn_neighbor_tree *t = w->tree;
  const size_t leaves = (size_t)1 << t->depth, inner = mn_tree_above(t, w->levels);
  for (size_t leaf = 0; leaf < leaves; leaf++) {
    double least = INFINITY;
    for (size_t p = mn_tree_begin(t, w->levels, leaf); p < mn_tree_begin(t, w->levels, leaf + 1); p++)
      least = fmin(least, w->core[p]);
    w->node_core[inner + leaf] = least;
  }
  for (size_t level = w->levels; level-- > 0;) {
    const size_t children = mn_tree_children(t, level), nodes = (size_t)1 << mn_tree_depth(t, level);
    const double *below = w->node_core + mn_tree_above(t, level + 1);
    double *here = w->node_core + mn_tree_above(t, level);
    for (size_t i = 0; i < nodes; i++) {
      here[i] = below[i * children];
      for (size_t c = 1; c < children; c++) here[i] = fmin(here[i], below[i * children + c]);
    }
  }
}

/* The least edge of a row, from its known neighbors. Edges to other rows have at least the distance of the last known
 * one, and at least the weight of the core distance: so it is certain if its weight is below that distance, or is the
 * core distance and its distance is below. Otherwise only a lower bound is certain. */
static void look_up(struct rounds *w, size_t p)
{
  if (w->exhausted[p]) return;
  const size_t k = w->known.k, row = (size_t)w->tree->row.at[p];
  const int32_t *neighbor = w->known.row + row * k;
  const double *distance = w->known.distance + row * k, last = distance[k - 1];
  struct best best = { INFINITY, INFINITY, -1 };
  for (size_t j = 0; j < k && !(distance[j] > best.weight); j++) {
    const int32_t other = w->place[neighbor[j]];
    const double weight = larger(distance[j], larger(w->core[p], w->core[other]));
    if (w->component[other] == w->component[p] || weight > best.weight) continue;
    const struct best found = { weight, distance[j], other };
    if (best.target < 0 || mn_edge_is_less(edge_of(w, p, &found), edge_of(w, p, &best))) best = found;
  }
  if (best.target >= 0) lower_bound(w, w->component[p], best.weight);
  if (best.weight < last || (best.weight <= w->core[p] && best.distance < last))
    w->best[p] = best;
  else
    w->best[p].weight = fmax(w->best[p].weight, fmin(best.weight, fmax(w->core[p], last)));
  w->exhausted[p] = best.target < 0;
}

static void begin_round(struct rounds *w)
{
  find_components(w);
  memset(w->size, 0, w->n * sizeof *w->size);
  for (size_t i = 0; i < w->n; i++) {
    atomic_init(&w->bound[i], bits_of(INFINITY));
    w->size[w->component[i]]++;
  }
  for (size_t p = 0; p < w->n; p++) {
    struct best *b = &w->best[p];
    if (b->target >= 0 && w->component[b->target] == w->component[p]) b->target = -1;
    if (b->target >= 0)
      lower_bound(w, w->component[p], b->weight);
    else if (w->known.k > 0)
      look_up(w, p);
  }
}

/* Join the components along their least edges; returns the number of edges so far. */
static size_t end_round(struct rounds *w, mn_edge *least, size_t count, mn_edge *edges)
{
  for (size_t i = 0; i < w->n; i++) least[i] = (mn_edge){ INFINITY, INFINITY, INT32_MAX, INT32_MAX };
  for (size_t p = 0; p < w->n; p++) {
    if (w->best[p].target < 0 || !takes_part(w, w->component[p])) continue;
    const mn_edge edge = edge_of(w, p, &w->best[p]);
    mn_edge *own = &least[w->component[p]];
    if (mn_edge_is_less(edge, *own)) *own = edge;
  }
  for (size_t i = 0; i < w->n; i++)
    if (least[i].a < INT32_MAX && mn_components_join(w->parent, least[i].a, least[i].b)) edges[count++] = least[i];
  return count;
}

static mn_status allocate(mn_context *ctx, struct rounds *w)
{
  const size_t nodes = mn_tree_above(w->tree, w->levels) + ((size_t)1 << w->tree->depth);
  w->core = MN_NEW(ctx, double, w->n, 1);
  w->node_core = MN_RAW(ctx, double, nodes, 1);
  w->node_component = MN_RAW(ctx, int32_t, nodes, 1);
  w->component = MN_RAW(ctx, int32_t, w->n, 1);
  w->parent = MN_RAW(ctx, int32_t, w->n, 1);
  w->best = MN_RAW(ctx, struct best, w->n, 1);
  w->exhausted = MN_NEW(ctx, bool, w->n, 1);
  w->place = MN_RAW(ctx, int32_t, w->n, 1);
  w->size = MN_RAW(ctx, int32_t, w->n, 1);
  w->bound = MN_RAW(ctx, _Atomic uint64_t, w->n, 1);
  const bool complete = w->core && w->node_core && w->node_component && w->component && w->parent && w->best &&
                        w->exhausted && w->place && w->size && w->bound;
  return complete ? MN_OK : MN_NO_MEMORY;
}

mn_status mn_boruvka(mn_context *ctx, const mn_neighbor_index *index, const mn_points *rows, const double *core,
                     mn_known_neighbors known, mn_edge *edges)
{
  struct rounds w = { .space = &index->space, .tree = &index->tree, .rows = rows, .ctx = ctx, .known = known };
  w.n = rows->n;
  w.levels = mn_tree_levels(w.tree);
  w.embedded = index->embedded.at ? index->embedded.at : rows->x;
  w.exact = mn_space_scans_exactly(w.space);
  for (size_t level = 0; level <= w.levels; level++) w.above[level] = mn_tree_above(w.tree, level);
  MN_TRY(allocate(ctx, &w));
  mn_edge *least = MN_RAW(ctx, mn_edge, w.n, 1);
  MN_CHECK_ALLOC(least);
  mn_components_init(w.parent, w.n);
  for (size_t p = 0; p < w.n; p++) {
    if (core) w.core[p] = core[w.tree->row.at[p]];
    w.place[w.tree->row.at[p]] = (int32_t)p;
    w.best[p] = (struct best){ w.core[p], INFINITY, -1 };
  }
  find_node_cores(&w);
  for (size_t count = 0, before = 0; count + 1 < w.n;) {
    const size_t components = w.n - count;
    w.largest = count - before >= components / 16 ? (double)w.n / (double)components : INFINITY;
    before = count;
    begin_round(&w);
    MN_TRY(mn_parallel(ctx, (size_t)1 << w.tree->depth, search_leaf, &w));
    count = end_round(&w, least, count, edges);
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}
