/* Searches from one row, or from the rows of a leaf together. */
#include "boruvka.h"

enum { SEGMENT = 64 };
#define BEYOND_ERROR 1e-11 /* relative, of distances that were not measured exactly */

/* --- the search from one row --- */

struct search {
  const mn_boruvka_rounds *w;
  size_t position;
  const double *q;
  int32_t component;
  double core;
  mn_row_edge best;
  double beyond; /* rows of other components that are not the best have at least this scanned distance */
};

/* The largest distance at which an edge with at least this core weight can be less than the best one; negative: none.
 */
static double distance_limit(const mn_row_edge *best, double core)
{
  if (core > best->weight) return -1;
  return core < best->weight ? best->weight : best->distance;
}

static double smaller(double a, double b)
{
  return a < b ? a : b;
}

static double exact_distance(const mn_boruvka_rounds *w, const struct search *s, int32_t row, double scanned)
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
  const mn_boruvka_rounds *w = s->w;
  const double core = mn_larger(s->core, w->core[position]);
  if (core > s->best.weight) return;
  const double distance = exact_distance(w, s, w->tree->row.at[position], scanned);
  mn_row_edge found = { mn_larger(distance, core), distance, (int32_t)position };
  if (found.weight > s->best.weight) return;
  if (s->best.target >= 0 &&
      !mn_edge_is_less(mn_edge_of_row(w, s->position, &found), mn_edge_of_row(w, s->position, &s->best)))
    return;
  if (found.weight < s->best.weight) {
    mn_component_lower(w, s->component, found.weight);
    mn_component_lower(w, w->component[position], found.weight);
  }
  s->best = found;
}

/* Scanned distances above this are not within a distance. */
static double scan_limit(const mn_boruvka_rounds *w, double distance)
{
  return mn_space_scan_limit(w->space, mn_space_reduce(w->space, distance));
}

static void scan_leaf(struct search *s, size_t leaf)
{
  const mn_boruvka_rounds *w = s->w;
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

static bool is_skipped(struct search *s, mn_tree_node node)
{
  const mn_boruvka_rounds *w = s->w;
  const size_t at = w->above[node.level] + node.index;
  if (w->node_component[at] == s->component) return true;
  const double limit = distance_limit(&s->best, mn_larger(s->core, w->node_core[at]));
  if (limit >= 0 && !(node.bound > mn_space_reduce(w->space, limit))) return false;
  s->beyond = smaller(s->beyond, node.bound);
  return true;
}

/* Push the children that are not skipped, the nearest last. */
static size_t push_children(struct search *s, mn_tree_node parent, mn_tree_node *stack, size_t size)
{
  const mn_neighbor_tree *t = s->w->tree;
  const size_t children = mn_tree_children(t, parent.level), bottom = size;
  double bound[MN_LANES];
  mn_tree_lower_bounds(t, s->w->space, parent.level, parent.index, s->q, bound);
  for (size_t i = 0; i < children; i++) {
    const mn_tree_node child = mn_tree_child(t, parent, i, bound[i]);
    if (!is_skipped(s, child)) size = mn_tree_push(stack, bottom, size, child);
  }
  return size;
}

static struct search begin_search(const mn_boruvka_rounds *w, size_t position)
{
  const int32_t component = w->component[position];
  return (struct search){ .w = w,
                          .position = position,
                          .q = w->embedded + (size_t)w->tree->row.at[position] * (size_t)w->space->width,
                          .component = component,
                          .core = w->core[position],
                          .best = { mn_component_bound(w, component), INFINITY, -1 },
                          .beyond = INFINITY };
}

/* Only edges below the bound of the component matter. False: the row has none. */
static bool can_improve(struct search *s)
{
  const double bound = mn_component_bound(s->w, s->component);
  if (bound < s->best.weight) s->best = (mn_row_edge){ bound, INFINITY, -1 };
  if (!(s->core > s->best.weight)) return true;
  s->beyond = 0;
  return false;
}

static void end_search(struct search *s)
{
  const mn_boruvka_rounds *w = s->w;
  if (s->best.target < 0) {
    const double distance = mn_space_distance(w->space, s->beyond) * (1 - BEYOND_ERROR);
    s->best.weight = mn_larger(s->best.weight, mn_larger(s->core, distance));
  }
  w->best[s->position] = s->best;
}

static void search_from(const mn_boruvka_rounds *w, size_t position)
{
  struct search s = begin_search(w, position);
  mn_tree_node stack[MN_TREE_STACK] = { { 0, 0, 0 } };
  for (size_t size = 1; size > 0;) {
    const mn_tree_node node = stack[--size];
    if (!can_improve(&s)) break;
    if (is_skipped(&s, node)) continue;
    if (node.level == w->levels)
      scan_leaf(&s, node.index);
    else
      size = push_children(&s, node, stack, size);
  }
  end_search(&s);
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

static const double *row_at(const mn_boruvka_rounds *w, size_t position)
{
  return w->embedded + (size_t)w->tree->row.at[position] * (size_t)w->tree->width;
}

static void find_ball(const mn_boruvka_rounds *w, size_t begin, size_t end, struct ball *ball)
{
  const size_t width = (size_t)w->tree->width;
  for (size_t j = 0; j < width; j++) ball->center[j] = 0;
  for (size_t p = begin; p < end; p++)
    for (size_t j = 0; j < width; j++) ball->center[j] += row_at(w, p)[j] / (double)(end - begin);
  ball->radius = 0;
  for (size_t p = begin; p < end; p++)
    ball->radius = mn_larger(ball->radius, squared_distance(width, row_at(w, p), ball->center));
  ball->radius = sqrt(ball->radius);
}

/* Whether a leaf has a row of another component within a squared distance of the center. */
static bool is_near(const mn_boruvka_rounds *w, const struct ball *ball, size_t leaf, double limit)
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
static bool is_isolated(const mn_boruvka_rounds *w, const struct ball *ball, double limit)
{
  const mn_neighbor_tree *t = w->tree;
  mn_tree_node stack[MN_TREE_STACK] = { { 0, 0, 0 } };
  double bound[MN_LANES];
  for (size_t size = 1; size > 0;) {
    const mn_tree_node node = stack[--size];
    if (node.level == w->levels) {
      if (is_near(w, ball, node.index, limit)) return false;
      continue;
    }
    const size_t children = mn_tree_children(t, node.level), bottom = size;
    const int32_t *component = w->node_component + w->above[node.level + 1] + node.index * children;
    mn_tree_lower_bounds(t, w->space, node.level, node.index, ball->center, bound);
    for (size_t i = 0; i < children; i++)
      if (component[i] != ball->component && !(bound[i] > limit))
        size = mn_tree_push(stack, bottom, size, mn_tree_child(t, node, i, bound[i]));
  }
  return true;
}

/* Raise the bounds of all rows of a leaf at once if they are far from other components, by the triangle inequality. */
static void bound_leaf(const mn_boruvka_rounds *w, size_t leaf)
{
  const size_t begin = mn_tree_begin(w->tree, w->levels, leaf), end = mn_tree_begin(w->tree, w->levels, leaf + 1);
  struct ball ball = { .component = w->node_component[w->above[w->levels] + leaf] };
  if (ball.component < 0 || w->space->form != MN_FORM_SQUARES) return;
  const double weight = mn_component_bound(w, ball.component) * (1 + BEYOND_ERROR);
  if (!(weight < INFINITY)) return;
  find_ball(w, begin, end, &ball);
  const double limit = (sqrt(mn_space_reduce(w->space, weight)) + ball.radius) * (1 + BEYOND_ERROR);
  if (!is_isolated(w, &ball, limit * limit)) return;
  for (size_t p = begin; p < end; p++)
    if (w->best[p].target < 0) w->best[p].weight = mn_larger(w->best[p].weight, weight);
}

/* --- one search for the rows of a leaf --- */

struct group {
  const mn_boruvka_rounds *w;
  size_t leaf;
  int32_t component;
  uint64_t active; /* the searches that may improve */
  double beyond;   /* as that of each search        */
  double low[MN_SPANNING_TREE_WIDTH], high[MN_SPANNING_TREE_WIDTH];
  struct search search[SEGMENT]; /* by place in the leaf */
};

/* Whether no edge to a node can improve any search. */
static bool is_far(struct group *g, mn_tree_node node)
{
  const mn_boruvka_rounds *w = g->w;
  const size_t at = w->above[node.level] + node.index;
  const double weight = mn_component_bound(w, g->component) * (1 + BEYOND_ERROR);
  if (w->node_component[at] == g->component) return true;
  if (!(w->node_core[at] > weight) && !(node.bound > scan_limit(w, weight))) return false;
  g->beyond = smaller(g->beyond, node.bound);
  return true;
}

static size_t push_near_children(struct group *g, mn_tree_node parent, mn_tree_node *stack, size_t size)
{
  const mn_neighbor_tree *t = g->w->tree;
  const size_t children = mn_tree_children(t, parent.level), bottom = size;
  double gap[MN_LANES];
  mn_tree_gaps(t, g->w->space, parent.level, parent.index, g->low, g->high, gap);
  for (size_t i = 0; i < children; i++) {
    const mn_tree_node child = mn_tree_child(t, parent, i, gap[i]);
    if (!is_far(g, child)) size = mn_tree_push(stack, bottom, size, child);
  }
  return size;
}

static void visit_leaf(struct group *g, size_t leaf)
{
  const mn_boruvka_rounds *w = g->w;
  const mn_neighbor_tree *t = w->tree;
  const size_t capacity = (size_t)t->capacity;
  double low[MN_SPANNING_TREE_WIDTH], high[MN_SPANNING_TREE_WIDTH], gap[SEGMENT];
  mn_tree_leaf_box(t, leaf, low, high);
  mn_point_gaps((mn_distance_form)w->space->form, capacity, capacity, (size_t)t->width, mn_tree_leaf(t, g->leaf), low,
                high, gap);
  for (uint64_t rest = g->active; rest; rest &= rest - 1) {
    const size_t i = (size_t)__builtin_ctzll(rest);
    struct search *s = &g->search[i];
    if (!can_improve(s))
      g->active &= ~((uint64_t)1 << i);
    else if (!is_skipped(s, (mn_tree_node){ gap[i], (uint32_t)w->levels, (uint32_t)leaf }))
      scan_leaf(s, leaf);
  }
}

static bool can_group(const mn_boruvka_rounds *w, size_t leaf)
{
  return w->node_component[w->above[w->levels] + leaf] >= 0 && w->levels > 0 && w->space->form != MN_FORM_POWERS &&
         w->tree->capacity <= SEGMENT;
}

/* The same as search_from for each row whose bit is set. */
static void search_group(const mn_boruvka_rounds *w, size_t leaf, uint64_t rows)
{
  const size_t begin = mn_tree_begin(w->tree, w->levels, leaf);
  mn_tree_node stack[MN_TREE_STACK] = { { 0, 0, 0 } };
  struct group g;
  g.w = w;
  g.leaf = leaf;
  g.component = w->component[begin];
  g.active = rows;
  g.beyond = INFINITY;
  mn_tree_leaf_box(w->tree, leaf, g.low, g.high);
  for (uint64_t rest = rows; rest; rest &= rest - 1) {
    const size_t i = (size_t)__builtin_ctzll(rest);
    g.search[i] = begin_search(w, begin + i);
  }
  for (size_t size = 1; size > 0 && g.active;) {
    const mn_tree_node node = stack[--size];
    if (is_far(&g, node)) continue;
    if (node.level == w->levels)
      visit_leaf(&g, node.index);
    else
      size = push_near_children(&g, node, stack, size);
  }
  for (uint64_t rest = rows; rest; rest &= rest - 1) {
    struct search *s = &g.search[__builtin_ctzll(rest)];
    s->beyond = smaller(s->beyond, g.beyond);
    end_search(s);
  }
}

static bool is_to_be_searched(const mn_boruvka_rounds *w, size_t position)
{
  const mn_row_edge *b = &w->best[position];
  return b->target < 0 && mn_takes_part(w, w->component[position]) &&
         !(b->weight > mn_component_bound(w, w->component[position]));
}

void mn_boruvka_search_leaf(void *work, size_t leaf, size_t worker)
{
  enum { MIN_GROUP = 4 };
  const mn_boruvka_rounds *w = work;
  const mn_cancel_token token = { w->ctx, worker };
  const size_t end = mn_tree_begin(w->tree, w->levels, leaf + 1);
  size_t p = mn_tree_begin(w->tree, w->levels, leaf);
  const size_t begin = p;
  uint64_t rows = 0;
  while (p < end && !is_to_be_searched(w, p)) p++;
  if (p < end) bound_leaf(w, leaf);
  for (size_t i = p; i < end && end - begin <= SEGMENT; i++)
    if (is_to_be_searched(w, i)) rows |= (uint64_t)1 << (i - begin);
  if (__builtin_popcountll(rows) >= MIN_GROUP && can_group(w, leaf)) {
    search_group(w, leaf, rows);
    return;
  }
  for (; p < end && mn_task_should_continue(&token); p++)
    if (is_to_be_searched(w, p)) search_from(w, p);
}
