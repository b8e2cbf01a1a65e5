/* The box of a node: the least and the largest value of its rows in each column.
 *
 * Of the nodes of a random tree that was grown to single rows, half are leaves, and a third of the others hold two
 * rows. Blocks of at most MN_FEW_ROWS rows have no box in memory: it is read off the rows below, which lie as near. A
 * block of n rows or more is one in n / 2, so three quarters of the boxes are not there. Nor are boxes in archives:
 * they are what the rows say. */
#include "mondrian_store.h"
#include <string.h>

/* A row can come into a block before its box is made. */
enum { MOST_ROWS = MN_FEW_ROWS + 1 };
_Static_assert(MN_FEW_ROWS == 3, "outside_few knows of three rows");

/* The rows below a node without a box. Returns how many. */
static int32_t rows_below(const mn_mondrian_tree *t, int32_t node, int32_t rows[MOST_ROWS])
{
  int32_t waiting[MOST_ROWS], n = 0, waits = 1;
  waiting[0] = node;
  while (waits > 0) {
    const int32_t at = waiting[--waits];
    if (mn_mondrian_is_leaf(t, at)) {
      for (int32_t row = t->head[at]; row >= 0; row = t->next[row]) rows[n++] = row;
    } else {
      waiting[waits++] = t->child[2 * at + 1];
      waiting[waits++] = t->child[2 * at];
    }
  }
  return n;
}

static void widen(const double *x, size_t features, double *low, double *high)
{
  for (size_t j = 0; j < features; j++) {
    low[j] = x[j] < low[j] ? x[j] : low[j];
    high[j] = x[j] > high[j] ? x[j] : high[j];
  }
}

static void span(const mn_mondrian_tree *t, const int32_t *rows, size_t n, double *low, double *high)
{
  const size_t p = t->features;
  memcpy(low, t->x + (size_t)rows[0] * p, p * sizeof *low);
  memcpy(high, low, p * sizeof *low);
  for (size_t i = 1; i < n; i++) widen(t->x + (size_t)rows[i] * p, p, low, high);
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
  int32_t rows[MOST_ROWS];
  if (t->box[node] < 0) {
    const int32_t n = rows_below(t, node, rows);
    span(t, rows, (size_t)n, low, high);
    return;
  }
  memcpy(low, lower_of(t, node), t->features * sizeof *low);
  memcpy(high, upper_of(t, node), t->features * sizeof *high);
}

/* --- how far outside --- */

static inline double beyond(double x, double low, double high)
{
  return (x < low ? low - x : 0) + (x > high ? x - high : 0);
}

static inline double lesser(double a, double b)
{
  return a < b ? a : b;
}

static inline double greater(double a, double b)
{
  return a > b ? a : b;
}

/* The box that three rows span, of which two may be one. */
static double outside_three(const double *a, const double *b, const double *c, size_t features, const double *x)
{
  double sum = 0;
  for (size_t j = 0; j < features; j++)
    sum += beyond(x[j], lesser(lesser(a[j], b[j]), c[j]), greater(greater(a[j], b[j]), c[j]));
  return sum;
}

static double outside_few(const mn_mondrian_tree *t, int32_t node, const double *x)
{
  int32_t rows[MOST_ROWS];
  const size_t p = t->features;
  const int32_t n = rows_below(t, node, rows);
  const double *first = t->x + (size_t)rows[0] * p, *last = t->x + (size_t)rows[n - 1] * p;
  double sum = 0;
  if (n > 1) return outside_three(first, last, t->x + (size_t)rows[1] * p, p, x);
  for (size_t j = 0; j < p; j++) sum += beyond(x[j], first[j], first[j]);
  return sum;
}

double mn_mondrian_outside(const mn_mondrian_tree *t, int32_t node, const double *x)
{
  if (t->box[node] < 0) return outside_few(t, node, x);
  const double *low = lower_of(t, node), *high = upper_of(t, node);
  double sum = 0;
  for (size_t j = 0; j < t->features; j++) sum += beyond(x[j], low[j], high[j]);
  return sum;
}

double mn_mondrian_sides(const mn_mondrian_tree *t)
{
  int32_t rows[MOST_ROWS];
  const int32_t root = *t->root, n = t->box[root] < 0 ? rows_below(t, root, rows) : 0;
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

/* --- making them --- */

static void take_box(const mn_mondrian_tree *t, int32_t node)
{
  if (t->box[node] < 0) t->box[node] = (*t->boxed)++;
}

void mn_mondrian_box_leaf(const mn_mondrian_tree *t, int32_t leaf, const int32_t *rows, size_t n)
{
  if (n <= MN_FEW_ROWS) return;
  take_box(t, leaf);
  span(t, rows, n, lower_of(t, leaf), upper_of(t, leaf));
}

static void widen_by(const mn_mondrian_tree *t, int32_t child, double *low, double *high)
{
  int32_t rows[MOST_ROWS];
  if (t->box[child] < 0) {
    const int32_t n = rows_below(t, child, rows);
    for (int32_t i = 0; i < n; i++) widen(t->x + (size_t)rows[i] * t->features, t->features, low, high);
    return;
  }
  widen(lower_of(t, child), t->features, low, high);
  widen(upper_of(t, child), t->features, low, high);
}

void mn_mondrian_box_split(const mn_mondrian_tree *t, int32_t node, size_t n)
{
  if (n <= MN_FEW_ROWS) return;
  take_box(t, node);
  mn_mondrian_box(t, t->child[2 * node], lower_of(t, node), upper_of(t, node));
  widen_by(t, t->child[2 * node + 1], lower_of(t, node), upper_of(t, node));
}

/* What has a box stands above what has none; one row more can be too many for the highest of these only. */
void mn_mondrian_box_way(const mn_mondrian_tree *t, const double *x)
{
  int32_t node = *t->root, rows[MOST_ROWS];
  while (t->box[node] >= 0) {
    widen(x, t->features, lower_of(t, node), upper_of(t, node));
    if (mn_mondrian_is_leaf(t, node)) return;
    node = mn_mondrian_goes_to(t, node, x);
  }
  const int32_t n = rows_below(t, node, rows);
  mn_mondrian_box_leaf(t, node, rows, (size_t)n);
}

/* --- after loading --- */

/* Rows below each node, order[0..used-1] being parents before children. Returns how many nodes have more than a few. */
static size_t count_rows(const mn_mondrian_tree *t, const int32_t *order, int32_t *rows)
{
  size_t large = 0;
  for (int32_t k = *t->used; k-- > 0;) {
    const int32_t node = order[k], *child = t->child + 2 * node;
    rows[node] = mn_mondrian_is_leaf(t, node) ? t->held[node] : rows[child[0]] + rows[child[1]];
    large += rows[node] > MN_FEW_ROWS;
  }
  return large;
}

/* The rows of the leaf, at the end of `list`, which has room for them. */
static void box_loaded_leaf(const mn_mondrian_tree *t, int32_t leaf, int32_t *list)
{
  size_t n = 0;
  if (t->held[leaf] <= MN_FEW_ROWS) return;
  for (int32_t row = t->head[leaf]; row >= 0; row = t->next[row]) list[n++] = row;
  mn_mondrian_box_leaf(t, leaf, list, n);
}

static void box_tree(const mn_mondrian_tree *t, const int32_t *order, const int32_t *rows, int32_t *list)
{
  for (size_t k = 0; k < t->slots; k++) t->box[k] = -1;
  for (int32_t k = *t->used; k-- > 0;) {
    const int32_t node = order[k];
    if (mn_mondrian_is_leaf(t, node))
      box_loaded_leaf(t, node, list);
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
  size_t most = 1;
  if (!order || !rows || !list) return MN_NO_MEMORY;
  for (size_t i = 0; i < trees; i++) {
    const mn_mondrian_tree t = mn_mondrian_tree_of(m, i);
    mn_mondrian_order(&t, order);
    const size_t large = count_rows(&t, order, rows);
    most = large > most ? large : most;
  }
  MN_TRY(mn_mondrian_make_boxes(ctx, m, most));
  for (size_t i = 0; i < trees; i++) {
    const mn_mondrian_tree t = mn_mondrian_tree_of(m, i);
    mn_mondrian_order(&t, order);
    (void)count_rows(&t, order, rows);
    box_tree(&t, order, rows, list);
  }
  return MN_OK;
}
