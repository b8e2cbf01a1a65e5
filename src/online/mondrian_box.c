/* The box of a node: minimum and maximum of its rows in each feature.
 *
 * In a random tree grown to single rows, half of the nodes are leaves, and a third of the others have two rows. Boxes
 * of blocks of at most MN_UNBOXED_ROWS rows are not stored: they are computed from the rows below, which are as close
 * in memory. Blocks of n rows or more are a fraction of 2 / n of all nodes, so three quarters of the boxes are omitted.
 * Archives contain no boxes, because they follow from the rows. */
#include "mondrian_storage.h"
#include <string.h>

/* A row can be added to a block before its box is stored. */
enum { MAX_UNBOXED_ROWS = MN_UNBOXED_ROWS + 1 };
_Static_assert(MN_UNBOXED_ROWS == 3, "distance_to_rows handles three rows");

/* Collect the rows below a node without a stored box. Returns their number. */
static int32_t collect_rows(const mn_mondrian_tree *t, int32_t node, int32_t rows[MAX_UNBOXED_ROWS])
{
  int32_t stack[MAX_UNBOXED_ROWS], n = 0, stack_size = 1;
  stack[0] = node;
  while (stack_size > 0) {
    const int32_t at = stack[--stack_size];
    if (mn_mondrian_is_leaf(t, at)) {
      for (int32_t row = t->head[at]; row >= 0; row = t->next[row]) rows[n++] = row;
    } else {
      stack[stack_size++] = t->child[2 * at + 1];
      stack[stack_size++] = t->child[2 * at];
    }
  }
  return n;
}

static void extend_box(const double *x, size_t features, double *low, double *high)
{
  for (size_t j = 0; j < features; j++) {
    low[j] = x[j] < low[j] ? x[j] : low[j];
    high[j] = x[j] > high[j] ? x[j] : high[j];
  }
}

static void compute_box(const mn_mondrian_tree *t, const int32_t *rows, size_t n, double *low, double *high)
{
  const size_t p = t->features;
  memcpy(low, t->x + (size_t)rows[0] * p, p * sizeof *low);
  memcpy(high, low, p * sizeof *low);
  for (size_t i = 1; i < n; i++) extend_box(t->x + (size_t)rows[i] * p, p, low, high);
}

static double *lower_of(const mn_mondrian_tree *t, int32_t node)
{
  return t->lower + (size_t)t->box[node] * t->features;
}

static double *upper_of(const mn_mondrian_tree *t, int32_t node)
{
  return t->upper + (size_t)t->box[node] * t->features;
}

void mn_mondrian_box(const mn_mondrian_tree *t, int32_t node, double *low, double *high)
{
  int32_t rows[MAX_UNBOXED_ROWS];
  if (t->box[node] < 0) {
    const int32_t n = collect_rows(t, node, rows);
    compute_box(t, rows, (size_t)n, low, high);
    return;
  }
  memcpy(low, lower_of(t, node), t->features * sizeof *low);
  memcpy(high, upper_of(t, node), t->features * sizeof *high);
}

/* --- distance from a box --- */

static inline double distance(double x, double low, double high)
{
  return (x < low ? low - x : 0) + (x > high ? x - high : 0);
}

static inline double min_of(double a, double b)
{
  return a < b ? a : b;
}

static inline double max_of(double a, double b)
{
  return a > b ? a : b;
}

/* Distance from the box of three rows, of which two may be identical. */
static double distance_to_three(const double *a, const double *b, const double *c, size_t features, const double *x)
{
  double sum = 0;
  for (size_t j = 0; j < features; j++)
    sum += distance(x[j], min_of(min_of(a[j], b[j]), c[j]), max_of(max_of(a[j], b[j]), c[j]));
  return sum;
}

static double distance_to_rows(const mn_mondrian_tree *t, int32_t node, const double *x)
{
  int32_t rows[MAX_UNBOXED_ROWS];
  const size_t p = t->features;
  const int32_t n = collect_rows(t, node, rows);
  const double *first = t->x + (size_t)rows[0] * p, *last = t->x + (size_t)rows[n - 1] * p;
  double sum = 0;
  if (n > 1) return distance_to_three(first, last, t->x + (size_t)rows[1] * p, p, x);
  for (size_t j = 0; j < p; j++) sum += distance(x[j], first[j], first[j]);
  return sum;
}

double mn_mondrian_distance(const mn_mondrian_tree *t, int32_t node, const double *x)
{
  if (t->box[node] < 0) return distance_to_rows(t, node, x);
  const double *low = lower_of(t, node), *high = upper_of(t, node);
  double sum = 0;
  for (size_t j = 0; j < t->features; j++) sum += distance(x[j], low[j], high[j]);
  return sum;
}

double mn_mondrian_root_extent(const mn_mondrian_tree *t)
{
  int32_t rows[MAX_UNBOXED_ROWS];
  const int32_t root = *t->root, n = t->box[root] < 0 ? collect_rows(t, root, rows) : 0;
  double sum = 0;
  for (size_t j = 0; j < t->features; j++) {
    double low = n > 0 ? (double)INFINITY : lower_of(t, root)[j],
           high = n > 0 ? -(double)INFINITY : upper_of(t, root)[j];
    for (int32_t i = 0; i < n; i++) {
      low = fmin(low, t->x[(size_t)rows[i] * t->features + j]);
      high = fmax(high, t->x[(size_t)rows[i] * t->features + j]);
    }
    sum += high - low;
  }
  return sum;
}

/* --- storing boxes --- */

static void allocate_box(const mn_mondrian_tree *t, int32_t node)
{
  if (t->box[node] < 0) t->box[node] = (*t->box_count)++;
}

void mn_mondrian_box_leaf(const mn_mondrian_tree *t, int32_t leaf, const int32_t *rows, size_t n)
{
  if (n <= MN_UNBOXED_ROWS) return;
  allocate_box(t, leaf);
  compute_box(t, rows, n, lower_of(t, leaf), upper_of(t, leaf));
}

static void extend_by_child(const mn_mondrian_tree *t, int32_t child, double *low, double *high)
{
  int32_t rows[MAX_UNBOXED_ROWS];
  if (t->box[child] < 0) {
    const int32_t n = collect_rows(t, child, rows);
    for (int32_t i = 0; i < n; i++) extend_box(t->x + (size_t)rows[i] * t->features, t->features, low, high);
    return;
  }
  extend_box(lower_of(t, child), t->features, low, high);
  extend_box(upper_of(t, child), t->features, low, high);
}

void mn_mondrian_box_split(const mn_mondrian_tree *t, int32_t node, size_t n)
{
  if (n <= MN_UNBOXED_ROWS) return;
  allocate_box(t, node);
  mn_mondrian_box(t, t->child[2 * node], lower_of(t, node), upper_of(t, node));
  extend_by_child(t, t->child[2 * node + 1], lower_of(t, node), upper_of(t, node));
}

/* Ancestors of a stored box have stored boxes, so a new row can make at most one more necessary: that of the highest
 * node without one. */
void mn_mondrian_extend_boxes(const mn_mondrian_tree *t, const double *x)
{
  int32_t node = *t->root, rows[MAX_UNBOXED_ROWS];
  while (t->box[node] >= 0) {
    extend_box(x, t->features, lower_of(t, node), upper_of(t, node));
    if (mn_mondrian_is_leaf(t, node)) return;
    node = mn_mondrian_child(t, node, x);
  }
  const int32_t n = collect_rows(t, node, rows);
  mn_mondrian_box_leaf(t, node, rows, (size_t)n);
}

/* --- after loading --- */

/* Count the rows below each node; order[0..used-1] lists parents before children. Returns the number of nodes that
 * store their box. */
static size_t count_rows(const mn_mondrian_tree *t, const int32_t *order, int32_t *rows)
{
  size_t boxed = 0;
  for (int32_t k = *t->used; k-- > 0;) {
    const int32_t node = order[k], *child = t->child + 2 * node;
    rows[node] = mn_mondrian_is_leaf(t, node) ? t->row_count[node] : rows[child[0]] + rows[child[1]];
    boxed += rows[node] > MN_UNBOXED_ROWS;
  }
  return boxed;
}

/* list: capacity for all rows. */
static void derive_leaf_box(const mn_mondrian_tree *t, int32_t leaf, int32_t *list)
{
  size_t n = 0;
  if (t->row_count[leaf] <= MN_UNBOXED_ROWS) return;
  for (int32_t row = t->head[leaf]; row >= 0; row = t->next[row]) list[n++] = row;
  mn_mondrian_box_leaf(t, leaf, list, n);
}

static void derive_tree_boxes(const mn_mondrian_tree *t, const int32_t *order, const int32_t *rows, int32_t *list)
{
  for (size_t k = 0; k < t->slots; k++) t->box[k] = -1;
  for (int32_t k = *t->used; k-- > 0;) {
    const int32_t node = order[k];
    if (mn_mondrian_is_leaf(t, node))
      derive_leaf_box(t, node, list);
    else
      mn_mondrian_box_split(t, node, (size_t)rows[node]);
  }
}

mn_status mn_mondrian_derive(mn_context *ctx, void *self)
{
  mn_mondrian *m = self;
  const size_t trees = mn_mondrian_trees(m), slots = m->time.size / trees;
  int32_t *order = MN_RAW(ctx, int32_t, slots, 1), *rows = MN_RAW(ctx, int32_t, slots, 1);
  int32_t *list = MN_RAW(ctx, int32_t, (size_t)m->n_rows, 1);
  size_t max = 1;
  if (!order || !rows || !list) return MN_NO_MEMORY;
  for (size_t i = 0; i < trees; i++) {
    const mn_mondrian_tree t = mn_mondrian_tree_view(m, i);
    mn_mondrian_breadth_first(&t, order);
    const size_t boxed = count_rows(&t, order, rows);
    max = boxed > max ? boxed : max;
  }
  MN_TRY(mn_mondrian_alloc_boxes(ctx, m, max));
  for (size_t i = 0; i < trees; i++) {
    const mn_mondrian_tree t = mn_mondrian_tree_view(m, i);
    mn_mondrian_breadth_first(&t, order);
    (void)count_rows(&t, order, rows);
    derive_tree_boxes(&t, order, rows, list);
  }
  return MN_OK;
}
