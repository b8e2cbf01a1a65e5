/* With a tree: a search from a row ends as soon as it is known to be core; then each core row is joined with those
 * after it in the tree. Nodes all of whose rows are within the radius are joined as a whole, once. Otherwise lists of
 * all neighbors, for blocks of rows. */
#include "dense_rows.h"
#include "../core/threads.h"
#include <stdatomic.h>
#include <math.h>

enum { STRIP = 64, SEGMENT = 64 };

struct dense {
  mn_context *ctx;
  const mn_space *space;
  const mn_neighbor_tree *tree;
  const mn_points *rows;
  const double *embedded, *weights;
  double radius, least;
  double limit;  /* scanned distances above this are beyond the radius         */
  double within; /* scanned distances up to this are within it; negative: none */
  bool exact;
  size_t levels;
  mn_blocks strips;
  bool *core;              /* by row */
  _Atomic int32_t *parent; /* by row: disjoint sets, joined by several threads */
  _Atomic uint8_t *joined; /* by node: all its core rows are in one set        */
};

/* --- disjoint sets --- */

static int32_t find(_Atomic int32_t *parent, int32_t i)
{
  for (;;) {
    int32_t above = atomic_load_explicit(&parent[i], memory_order_relaxed);
    if (above == i) return i;
    const int32_t top = atomic_load_explicit(&parent[above], memory_order_relaxed);
    if (top != above) atomic_compare_exchange_weak(&parent[i], &above, top);
    i = top;
  }
}

/* The root is the lowest row of a set, whatever the order of the joins. */
static void join(_Atomic int32_t *parent, int32_t a, int32_t b)
{
  for (;;) {
    a = find(parent, a);
    b = find(parent, b);
    if (a == b) return;
    const int32_t low = a < b ? a : b;
    int32_t high = a < b ? b : a;
    if (atomic_compare_exchange_strong(&parent[high], &high, low)) return;
  }
}

/* --- distances --- */

static bool is_within(const struct dense *w, int32_t query, const double *q, int32_t row, double scanned)
{
  const size_t width = (size_t)w->space->width;
  double reduced = scanned;
  if (scanned > w->limit) return false;
  if (scanned <= w->within) return true;
  if (!w->exact && w->space->kind == MN_METRIC_HAVERSINE)
    reduced = mn_space_measure(w->space, w->rows->x + 2 * (size_t)query, w->rows->x + 2 * (size_t)row);
  else if (!w->exact)
    reduced = mn_space_measure(w->space, q, w->embedded + width * (size_t)row);
  return mn_space_distance(w->space, reduced) <= w->radius;
}

static const double *query_of(const struct dense *w, int32_t row)
{
  return w->embedded + (size_t)row * (size_t)w->space->width;
}

/* --- core rows --- */

static double count_leaf(const struct dense *w, int32_t query, const double *q, size_t leaf, double sum)
{
  const mn_neighbor_tree *t = w->tree;
  const size_t begin = mn_tree_begin(t, w->levels, leaf), n = mn_tree_begin(t, w->levels, leaf + 1) - begin;
  const size_t capacity = (size_t)t->capacity;
  double value[SEGMENT];
  for (size_t from = 0; from < n && sum < w->least; from += SEGMENT) {
    const size_t padded = capacity - from < SEGMENT ? capacity - from : SEGMENT;
    const size_t count = n - from < SEGMENT ? n - from : SEGMENT;
    mn_block_distances((mn_distance_form)w->space->form, w->space->p, padded, capacity, (size_t)t->width,
                       mn_tree_leaf(t, leaf) + from, q, value);
    for (size_t i = 0; i < count; i++) {
      const int32_t row = t->row.at[begin + from + i];
      if (is_within(w, query, q, row, value[i])) sum += w->weights ? w->weights[row] : 1;
    }
  }
  return sum;
}

/* Push the children within the limit, the nearest last. */
static size_t push_children(const struct dense *w, const double *q, mn_tree_node parent, mn_tree_node *stack,
                            size_t size)
{
  double bound[MN_LANES];
  mn_tree_lower_bounds(w->tree, w->space, parent.level, parent.index, q, bound);
  return mn_tree_push_within(w->tree, parent, bound, w->limit, stack, size);
}

static void find_core(void *work, size_t strip, size_t worker)
{
  const struct dense *w = work;
  const mn_cancel_token token = { w->ctx, worker };
  const size_t end = mn_block_end(&w->strips, strip);
  for (size_t p = mn_block_begin(&w->strips, strip); p < end && mn_task_should_continue(&token); p++) {
    const int32_t query = w->tree->row.at[p];
    const double *q = query_of(w, query);
    mn_tree_node stack[MN_TREE_STACK] = { { 0, 0, 0 } };
    double sum = 0;
    for (size_t size = 1; size > 0 && sum < w->least;) {
      const mn_tree_node node = stack[--size];
      if (node.level == w->levels)
        sum = count_leaf(w, query, q, node.index, sum);
      else
        size = push_children(w, q, node, stack, size);
    }
    w->core[query] = sum >= w->least;
  }
}

/* --- components --- */

static void join_leaf(const struct dense *w, int32_t query, const double *q, size_t position, size_t leaf)
{
  const mn_neighbor_tree *t = w->tree;
  const size_t begin = mn_tree_begin(t, w->levels, leaf), n = mn_tree_begin(t, w->levels, leaf + 1) - begin;
  const size_t capacity = (size_t)t->capacity;
  double value[SEGMENT];
  for (size_t from = 0; from < n; from += SEGMENT) {
    const size_t padded = capacity - from < SEGMENT ? capacity - from : SEGMENT;
    const size_t count = n - from < SEGMENT ? n - from : SEGMENT;
    if (begin + from + count <= position) continue;
    mn_block_distances((mn_distance_form)w->space->form, w->space->p, padded, capacity, (size_t)t->width,
                       mn_tree_leaf(t, leaf) + from, q, value);
    for (size_t i = 0; i < count; i++) {
      const int32_t row = t->row.at[begin + from + i];
      if (!w->core[row] || !is_within(w, query, q, row, value[i])) continue;
      if (atomic_load_explicit(&w->parent[row], memory_order_relaxed) !=
          atomic_load_explicit(&w->parent[query], memory_order_relaxed))
        join(w->parent, query, row);
    }
  }
}

/* Join the core rows of a node that is within the radius as a whole. */
static void join_node(const struct dense *w, int32_t query, mn_tree_node node)
{
  const mn_neighbor_tree *t = w->tree;
  const size_t begin = mn_tree_begin(t, node.level, node.index), end = mn_tree_begin(t, node.level, node.index + 1);
  _Atomic uint8_t *joined = &w->joined[mn_tree_above(t, node.level) + node.index];
  const bool once = atomic_load_explicit(joined, memory_order_acquire);
  for (size_t p = begin; p < end; p++) {
    const int32_t row = t->row.at[p];
    if (!w->core[row]) continue;
    join(w->parent, query, row);
    if (once) return;
  }
  atomic_store_explicit(joined, 1, memory_order_release);
}

/* Push the children with rows after `position` that are not within the radius as a whole; join those that are. */
static size_t push_or_join(const struct dense *w, int32_t query, const double *q, size_t position, mn_tree_node parent,
                           mn_tree_node *stack, size_t size)
{
  const mn_neighbor_tree *t = w->tree;
  const size_t children = mn_tree_children(t, parent.level);
  double lower[MN_LANES], upper[MN_LANES];
  mn_tree_lower_bounds(t, w->space, parent.level, parent.index, q, lower);
  mn_tree_upper_bounds(t, w->space, parent.level, parent.index, q, upper);
  for (size_t i = 0; i < children; i++) {
    const mn_tree_node child = mn_tree_child(t, parent, i, lower[i]);
    if (lower[i] > w->limit || mn_tree_begin(t, child.level, child.index + 1) <= position) continue;
    if (w->exact && upper[i] <= w->within)
      join_node(w, query, child);
    else
      stack[size++] = child;
  }
  return size;
}

static void join_cores(void *work, size_t strip, size_t worker)
{
  const struct dense *w = work;
  const mn_cancel_token token = { w->ctx, worker };
  const size_t end = mn_block_end(&w->strips, strip);
  for (size_t p = mn_block_begin(&w->strips, strip); p < end && mn_task_should_continue(&token); p++) {
    const int32_t query = w->tree->row.at[p];
    mn_tree_node stack[MN_TREE_STACK] = { { 0, 0, 0 } };
    if (!w->core[query]) continue;
    const double *q = query_of(w, query);
    for (size_t size = 1; size > 0;) {
      const mn_tree_node node = stack[--size];
      if (node.level == w->levels)
        join_leaf(w, query, q, p, node.index);
      else
        size = push_or_join(w, query, q, p, node, stack, size);
    }
  }
}

static mn_status search_tree(mn_context *ctx, struct dense *w)
{
  const size_t nodes = mn_tree_above(w->tree, w->levels) + ((size_t)1 << w->tree->depth);
  w->joined = MN_RAW(ctx, _Atomic uint8_t, nodes, 1);
  MN_CHECK_ALLOC(w->joined);
  for (size_t i = 0; i < nodes; i++) atomic_init(&w->joined[i], 0);
  MN_TRY(mn_parallel(ctx, w->strips.count, find_core, w));
  return mn_parallel(ctx, w->strips.count, join_cores, w);
}

/* --- without a tree --- */

static mn_status list_block(mn_context *ctx, const mn_neighbor_index *index, const mn_points *rows, double radius,
                            size_t begin, size_t end, mn_neighbor_lists *lists)
{
  mn_points queries = { .n = end - begin, .d = rows->d, .x = rows->x ? rows->x + begin * rows->d : NULL };
  mn_csr part;
  if (rows->sparse) {
    part = *rows->sparse;
    part.rows = end - begin;
    part.start += begin;
    queries.sparse = &part;
  }
  return mn_neighbor_within(ctx, index, rows, &queries, radius, false, lists);
}

/* The neighbors of all rows, a block at a time: to count them, or to join core rows. */
static mn_status search_lists(mn_context *ctx, const mn_neighbor_index *index, struct dense *w, bool joins)
{
  enum { MAX_NEIGHBORS = 1 << 22, MIN_ROWS = 64 };
  const size_t fitting = MAX_NEIGHBORS / w->rows->n;
  const mn_blocks blocks = mn_make_blocks(w->rows->n, fitting > MIN_ROWS ? fitting : MIN_ROWS, SIZE_MAX);
  for (size_t b = 0; b < blocks.count; b++) {
    const mn_mark mark = mn_scratch_mark(ctx);
    const size_t begin = mn_block_begin(&blocks, b), end = mn_block_end(&blocks, b);
    mn_neighbor_lists lists;
    MN_TRY(list_block(ctx, index, w->rows, w->radius, begin, end, &lists));
    for (size_t i = begin; i < end; i++) {
      double sum = 0;
      for (size_t k = lists.start[i - begin]; k < lists.start[i - begin + 1]; k++) {
        const int32_t row = lists.at[k].index;
        sum += w->weights ? w->weights[row] : 1;
        if (joins && w->core[i] && w->core[row]) join(w->parent, (int32_t)i, row);
      }
      if (!joins) w->core[i] = sum >= w->least;
    }
    mn_scratch_release(ctx, mark);
  }
  return MN_OK;
}

/* Number the components by their roots, which are their first rows. */
static void number(const struct dense *w, int32_t *component, size_t *count)
{
  *count = 0;
  for (size_t i = 0; i < w->rows->n; i++) {
    component[i] = -1;
    if (!w->core[i]) continue;
    const int32_t root = find(w->parent, (int32_t)i);
    component[i] = (size_t)root == i ? (int32_t)(*count)++ : component[root];
  }
}

mn_status mn_find_dense(mn_context *ctx, const mn_neighbor_index *index, const mn_points *rows, double radius,
                        const double *weights, double least, bool *core, int32_t *component, size_t *count)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct dense w = { .ctx = ctx, .space = &index->space, .tree = &index->tree, .rows = rows, .weights = weights };
  w.radius = radius;
  w.least = least;
  w.core = core;
  w.embedded = index->embedded.at ? index->embedded.at : rows->x;
  w.exact = mn_space_scans_exactly(w.space);
  w.limit = mn_space_scan_limit(w.space, mn_space_reduce(w.space, radius));
  const bool root = w.space->kind == MN_METRIC_EUCLIDEAN || w.space->kind == MN_METRIC_MAHALANOBIS;
  w.within = root && w.exact ? radius * radius * (1 - 1e-12) : -1;
  w.strips = mn_make_blocks(rows->n, STRIP, SIZE_MAX);
  w.parent = MN_RAW(ctx, _Atomic int32_t, rows->n, 1);
  MN_CHECK_ALLOC(w.parent);
  for (size_t i = 0; i < rows->n; i++) atomic_init(&w.parent[i], (int32_t)i);
  if (index->tree.n > 0) {
    w.levels = mn_tree_levels(w.tree);
    MN_TRY(search_tree(ctx, &w));
  } else {
    MN_TRY(search_lists(ctx, index, &w, false));
    MN_TRY(search_lists(ctx, index, &w, true));
  }
  number(&w, component, count);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
