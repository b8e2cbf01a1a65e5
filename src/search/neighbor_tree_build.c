/* Building trees: every binary level sorts the rows of each node about the median of its widest column. Upper levels
 * are built node by node, then each thread completes subtrees that fit its cache. */
#include "../core/threads.h"
#include "neighbor_tree.h"
#include <math.h>
#include <string.h>

enum {
  SUBTREE_DEPTH = 10, /* of subtrees that are built by one task */
  MIN_UPPER = 4,      /* upper levels, for enough subtrees to share */
  SAMPLED_SIZE = 600  /* from which select() samples */
};

/* The value by which rows are compared, and the position of the row, which breaks ties. */
struct key {
  double value;
  uint32_t position;
};

struct build {
  mn_neighbor_tree *tree;
  const mn_space *space;
  size_t upper, depth; /* the level that is being built or where subtrees begin */
  double *rows[2];     /* n x width: at even and odd levels */
  int32_t *index[2];   /* n */
  struct key *keys;    /* n */
  double *extent;      /* workers x 2 width: a box */
  double *center;      /* workers x width */
};

static inline bool before(struct key a, struct key b)
{
  return (a.value < b.value) | ((a.value == b.value) & (a.position < b.position));
}

/* Move the keys before keys[pivot] to the front and the pivot behind them; its new place. Without branches on data. */
static size_t partition(struct key *keys, size_t n, size_t pivot)
{
  const struct key by = keys[pivot];
  size_t smaller = 0;
  keys[pivot] = keys[n - 1];
  for (size_t i = 0; i + 1 < n; i++) {
    const struct key key = keys[i];
    keys[i] = keys[smaller];
    keys[smaller] = key;
    smaller += before(key, by);
  }
  keys[n - 1] = keys[smaller];
  keys[smaller] = by;
  return smaller;
}

/* Order keys such that keys[k] has its place in sorted order, smaller ones before it. Floyd & Rivest, CACM 18 (1975):
 * the pivot is the k-th of a sample, shifted so that k is probably in the smaller part. */
static void select_key(struct key *keys, size_t n, size_t k)
{
  while (n > 1) {
    size_t pivot = k;
    if (n > SAMPLED_SIZE) {
      const double z = log((double)n), s = 0.5 * exp(2 * z / 3), i = (double)k - (double)n / 2;
      const double sd = 0.5 * sqrt(z * s * ((double)n - s) / (double)n) * (i < 0 ? -1 : 1);
      const double low = fmax(0, (double)k - (double)k * s / (double)n + sd);
      const double high = fmin((double)(n - 1), (double)k + (double)(n - k) * s / (double)n + sd);
      const size_t from = (size_t)fmin(low, (double)k), to = (size_t)fmax(high, (double)k);
      if (to - from + 1 < n) select_key(keys + from, to - from + 1, k - from);
    }
    const size_t at = partition(keys, n, pivot);
    if (at == k) return;
    if (k < at) {
      n = at;
    } else {
      keys += at + 1;
      n -= at + 1;
      k -= at + 1;
    }
  }
}

/* The box of n > 0 rows: width lower, then width upper ends. */
static void find_extent(size_t n, size_t width, const double *rows, double *extent)
{
  double *low = extent, *high = extent + width;
  memcpy(low, rows, width * sizeof *low);
  memcpy(high, rows, width * sizeof *high);
  for (size_t i = 1; i < n; i++, rows += width)
    for (size_t j = 0; j < width; j++) {
      const double value = rows[width + j];
      low[j] = value < low[j] ? value : low[j];
      high[j] = value > high[j] ? value : high[j];
    }
}

static size_t widest_column(size_t width, const double *extent)
{
  size_t widest = 0;
  double spread = -1;
  for (size_t j = 0; j < width; j++) {
    const double here = extent[width + j] - extent[j];
    if (!(here > spread)) continue;
    spread = here;
    widest = j;
  }
  return widest;
}

/* The mean of the rows, and the largest distance of a row from it, rounded up. */
static double find_ball(const struct build *b, size_t n, const double *rows, double *center)
{
  const size_t width = (size_t)b->tree->width;
  const mn_space flat = {
    .kind = MN_METRIC_EUCLIDEAN, .form = b->space->form, .width = b->space->width, .p = b->space->p
  };
  double radius = 0;
  memset(center, 0, width * sizeof *center);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < width; j++) center[j] += (rows[i * width + j] - center[j]) / (double)(i + 1);
  for (size_t i = 0; i < n; i++) radius = fmax(radius, mn_space_measure(&flat, rows + i * width, center));
  if (flat.form == MN_FORM_SQUARES) radius = sqrt(radius);
  if (flat.form == MN_FORM_POWERS) radius = pow(radius, 1 / flat.p);
  return radius * (1 + 1e-12);
}

/* Store the bounds of a node of level `level` > 0 in its lane of the parent. */
static void store_bounds(const struct build *b, size_t level, size_t node, size_t n, const double *rows,
                         const double *extent, double *center)
{
  const mn_neighbor_tree *t = b->tree;
  const size_t width = (size_t)t->width, children = mn_tree_children(t, level - 1);
  const size_t values = t->balls ? width + 1 : 2 * width;
  double *at = t->bounds.at + (mn_tree_above(t, level - 1) + node / children) * values * MN_LANES + node % children;
  if (t->balls) {
    at[width * MN_LANES] = find_ball(b, n, rows, center);
    for (size_t j = 0; j < width; j++) at[j * MN_LANES] = center[j];
    return;
  }
  for (size_t j = 0; j < width; j++) {
    at[2 * j * MN_LANES] = extent[j];
    at[(2 * j + 1) * MN_LANES] = extent[width + j];
  }
}

static void store_leaf(const struct build *b, size_t leaf, size_t begin, size_t n, const double *rows,
                       const int32_t *index)
{
  const size_t width = (size_t)b->tree->width, capacity = (size_t)b->tree->capacity;
  double *points = b->tree->points.at + leaf * width * capacity;
  for (size_t j = 0; j < width; j++) {
    for (size_t i = 0; i < n; i++) points[j * capacity + i] = rows[i * width + j];
    for (size_t i = n; i < capacity; i++) points[j * capacity + i] = 0;
  }
  memcpy(b->tree->row.at + begin, index, n * sizeof *index);
}

/* Sort the rows of a node about the median of column `column`, from the buffers of its level to those of the next. */
static void split_node(const struct build *b, size_t depth, size_t begin, size_t middle, size_t end, size_t column)
{
  const size_t width = (size_t)b->tree->width, n = end - begin;
  const double *from = b->rows[depth % 2] + begin * width;
  const int32_t *index = b->index[depth % 2] + begin;
  double *to = b->rows[1 - depth % 2] + begin * width;
  int32_t *to_index = b->index[1 - depth % 2] + begin;
  struct key *keys = b->keys + begin;
  for (size_t i = 0; i < n; i++) keys[i] = (struct key){ from[i * width + column], (uint32_t)i };
  select_key(keys, n, middle - begin);
  for (size_t i = 0; i < n; i++) {
    const size_t at = keys[i].position;
    for (size_t j = 0; j < width; j++) to[i * width + j] = from[at * width + j];
    to_index[i] = index[at];
  }
}

/* Compute the bounds of a binary node, and split or store it. */
static void build_node(const struct build *b, size_t depth, size_t node, size_t worker)
{
  const mn_neighbor_tree *t = b->tree;
  const size_t width = (size_t)t->width, total = (size_t)t->depth, above = total - depth;
  const size_t begin = node * (size_t)t->n >> depth, end = (node + 1) * (size_t)t->n >> depth;
  const double *rows = b->rows[depth % 2] + begin * width;
  double *extent = b->extent + worker * 2 * width;
  if (depth < total || !t->balls) find_extent(end - begin, width, rows, extent);
  if (depth > 0 && above % 3 == 0)
    store_bounds(b, mn_tree_levels(t) - above / 3, node, end - begin, rows, extent, b->center + worker * width);
  if (depth == total)
    store_leaf(b, node, begin, end - begin, rows, b->index[depth % 2] + begin);
  else
    split_node(b, depth, begin, (2 * node + 1) * (size_t)t->n >> (depth + 1), end, widest_column(width, extent));
}

static void build_upper(void *work, size_t node, size_t worker)
{
  const struct build *b = work;
  build_node(b, b->depth, node, worker);
}

static void build_subtree(void *work, size_t node, size_t worker)
{
  const struct build *b = work;
  for (size_t depth = b->upper; depth <= (size_t)b->tree->depth; depth++) {
    const size_t nodes = (size_t)1 << (depth - b->upper);
    for (size_t i = 0; i < nodes; i++) build_node(b, depth, node * nodes + i, worker);
  }
}

/* The arrays of the tree, in scratch or owned. */
static mn_status allocate_tree(mn_context *ctx, mn_neighbor_tree *t, bool scratch)
{
  const size_t n = (size_t)t->n, width = (size_t)t->width, leaves = (size_t)1 << t->depth;
  const size_t inner = mn_tree_above(t, mn_tree_levels(t)), values = (t->balls ? width + 1 : 2 * width) * MN_LANES;
  size_t bytes, points = leaves * (size_t)t->capacity;
  if (!mn_checked_size(sizeof(double), points, width, &bytes) ||
      !mn_checked_size(sizeof(double), inner, values, &bytes))
    return mn_fail(ctx, MN_NO_MEMORY, "not enough memory for a tree of %zu rows and %zu columns", n, width);
  points *= width;
  if (!scratch) {
    MN_TRY(mn_vector_resize(ctx, &t->points, points));
    MN_TRY(mn_vector_init(ctx, &t->bounds, inner * values));
    return mn_indexes_resize(ctx, &t->row, n);
  }
  t->points = (mn_vector){ MN_RAW(ctx, double, points, 1), points };
  t->bounds = (mn_vector){ MN_NEW(ctx, double, inner, values), inner * values };
  t->row = (mn_indexes){ MN_RAW(ctx, int32_t, n, 1), n };
  return t->points.at && t->bounds.at && t->row.at ? MN_OK : MN_NO_MEMORY;
}

static mn_status allocate_work(mn_context *ctx, struct build *b, const double *rows)
{
  const size_t n = (size_t)b->tree->n, width = (size_t)b->tree->width;
  for (int side = 0; side < 2; side++) {
    b->rows[side] = MN_RAW(ctx, double, n, width);
    b->index[side] = MN_RAW(ctx, int32_t, n, 1);
    if (!b->rows[side] || !b->index[side]) return MN_NO_MEMORY;
  }
  b->keys = MN_RAW(ctx, struct key, n, 1);
  b->extent = MN_RAW(ctx, double, mn_threads(ctx), 2 * width);
  b->center = MN_RAW(ctx, double, mn_threads(ctx), width);
  if (!b->keys || !b->extent || !b->center) return MN_NO_MEMORY;
  memcpy(b->rows[0], rows, n * width * sizeof *rows);
  for (size_t i = 0; i < n; i++) b->index[0][i] = (int32_t)i;
  return MN_OK;
}

mn_status mn_tree_init(mn_context *ctx, mn_neighbor_tree *t, const mn_space *space, size_t n, const double *rows,
                       size_t leaf_size, bool balls, bool scratch)
{
  *t = (mn_neighbor_tree){ .n = (int64_t)n, .width = space->width, .balls = balls };
  while (n >> t->depth > leaf_size) t->depth++;
  const size_t leaves = (size_t)1 << t->depth, largest = (n + leaves - 1) / leaves;
  t->capacity = (int64_t)((largest + MN_LANES - 1) / MN_LANES * MN_LANES);
  MN_TRY(allocate_tree(ctx, t, scratch));
  const mn_mark mark = mn_scratch_mark(ctx);
  struct build b = { .tree = t, .space = space };
  MN_TRY(allocate_work(ctx, &b, rows));
  const size_t depth = (size_t)t->depth, few = depth < MIN_UPPER ? depth : MIN_UPPER;
  b.upper = depth > SUBTREE_DEPTH + few ? depth - SUBTREE_DEPTH : few;
  for (b.depth = 0; b.depth < b.upper; b.depth++) MN_TRY(mn_parallel(ctx, (size_t)1 << b.depth, build_upper, &b));
  MN_TRY(mn_parallel(ctx, (size_t)1 << b.upper, build_subtree, &b));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
