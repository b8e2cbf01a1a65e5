#include "cf_tree.h"
#include <string.h>

enum { FIRST_CAPACITY = 64 };

mn_status mn_cf_init(mn_context *ctx, size_t d, size_t branching, double threshold, mn_cf_tree *t)
{
  *t = (mn_cf_tree){ .d = d, .branching = branching, .threshold = threshold, .root = -1 };
  t->entry_capacity = t->node_capacity = FIRST_CAPACITY;
  t->entry = MN_RAW(ctx, mn_cf_entry, t->entry_capacity, 1);
  t->sum = MN_RAW(ctx, double, t->entry_capacity, d);
  t->member = MN_RAW(ctx, int32_t, t->node_capacity, branching + 1);
  t->size = MN_RAW(ctx, int32_t, t->node_capacity, 1);
  return t->entry && t->sum && t->member && t->size ? MN_OK : MN_NO_MEMORY;
}

mn_status mn_cf_new_node(mn_context *ctx, mn_cf_tree *t, int32_t *node)
{
  if (t->nodes == t->node_capacity) {
    const size_t width = t->branching + 1, capacity = 2 * t->node_capacity;
    t->member = MN_GROW(ctx, t->member, t->nodes * width, capacity * width);
    t->size = MN_GROW(ctx, t->size, t->nodes, capacity);
    if (!t->member || !t->size) return MN_NO_MEMORY;
    t->node_capacity = capacity;
  }
  *node = (int32_t)t->nodes++;
  t->size[*node] = 0;
  return MN_OK;
}

static void add_member(mn_cf_tree *t, int32_t node, int32_t entry)
{
  t->member[(size_t)node * (t->branching + 1) + (size_t)t->size[node]++] = entry;
}

mn_status mn_cf_new_entry(mn_context *ctx, mn_cf_tree *t, int32_t node, int32_t *entry)
{
  if (t->entries == t->entry_capacity) {
    const size_t capacity = 2 * t->entry_capacity;
    t->entry = MN_GROW(ctx, t->entry, t->entries, capacity);
    t->sum = MN_GROW(ctx, t->sum, t->entries * t->d, capacity * t->d);
    if (!t->entry || !t->sum) return MN_NO_MEMORY;
    t->entry_capacity = capacity;
  }
  *entry = (int32_t)t->entries++;
  t->entry[*entry] = (mn_cf_entry){ .child = -1 };
  memset(t->sum + (size_t)*entry * t->d, 0, t->d * sizeof *t->sum);
  add_member(t, node, *entry);
  return MN_OK;
}

static void add_row(mn_cf_tree *t, int32_t entry, const double *x)
{
  double *sum = t->sum + (size_t)entry * t->d;
  t->entry[entry].count += 1;
  for (size_t j = 0; j < t->d; j++) {
    sum[j] += x[j];
    t->entry[entry].square += x[j] * x[j];
  }
}

static void add_entry(mn_cf_tree *t, int32_t to, int32_t from)
{
  t->entry[to].count += t->entry[from].count;
  t->entry[to].square += t->entry[from].square;
  for (size_t j = 0; j < t->d; j++) t->sum[(size_t)to * t->d + j] += t->sum[(size_t)from * t->d + j];
}

/* The entry of a node whose mean is nearest to x; ties are broken by the lowest place. */
static int32_t nearest(const mn_cf_tree *t, int32_t node, const double *x)
{
  const int32_t *member = t->member + (size_t)node * (t->branching + 1);
  double best = 0;
  int32_t found = -1;
  for (int32_t i = 0; i < t->size[node]; i++) {
    const double *sum = t->sum + (size_t)member[i] * t->d, count = t->entry[member[i]].count;
    double distance = 0;
    for (size_t j = 0; j < t->d; j++) distance += (sum[j] / count - x[j]) * (sum[j] / count - x[j]);
    if (found >= 0 && !(distance < best)) continue;
    best = distance;
    found = member[i];
  }
  return found;
}

/* Whether x may join an entry: the squared radius would stay within the squared threshold. */
static bool fits(const mn_cf_tree *t, int32_t entry, const double *x)
{
  const double *sum = t->sum + (size_t)entry * t->d, count = t->entry[entry].count + 1;
  double square = t->entry[entry].square, mean_square = 0;
  for (size_t j = 0; j < t->d; j++) {
    const double mean = (sum[j] + x[j]) / count;
    square += x[j] * x[j];
    mean_square += mean * mean;
  }
  return square / count - mean_square <= t->threshold * t->threshold;
}

static double mean_distance2(const mn_cf_tree *t, int32_t a, int32_t b)
{
  const double *x = t->sum + (size_t)a * t->d, *y = t->sum + (size_t)b * t->d;
  double distance = 0;
  for (size_t j = 0; j < t->d; j++) {
    const double delta = x[j] / t->entry[a].count - y[j] / t->entry[b].count;
    distance += delta * delta;
  }
  return distance;
}

/* Divide the entries of a node between it and *other, each to the nearer of the two that are farthest apart. */
static mn_status split(mn_context *ctx, mn_cf_tree *t, int32_t node, int32_t *other)
{
  MN_TRY(mn_cf_new_node(ctx, t, other));
  const mn_mark mark = mn_scratch_mark(ctx);
  const size_t size = (size_t)t->size[node];
  int32_t *member = MN_RAW(ctx, int32_t, size, 1);
  MN_CHECK_ALLOC(member);
  memcpy(member, t->member + (size_t)node * (t->branching + 1), size * sizeof *member);
  size_t first = 0, second = 1;
  double farthest = -1;
  for (size_t i = 0; i < size; i++)
    for (size_t k = i + 1; k < size; k++) {
      const double distance = mean_distance2(t, member[i], member[k]);
      if (!(distance > farthest)) continue;
      farthest = distance;
      first = i;
      second = k;
    }
  t->size[node] = 0;
  for (size_t i = 0; i < size; i++) {
    const bool stays = i == first || (i != second && mean_distance2(t, member[i], member[first]) <
                                                         mean_distance2(t, member[i], member[second]));
    add_member(t, stays ? node : *other, member[i]);
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* Make an entry the summary of its child. */
static void summarize(mn_cf_tree *t, int32_t entry, int32_t child)
{
  t->entry[entry] = (mn_cf_entry){ .child = child };
  memset(t->sum + (size_t)entry * t->d, 0, t->d * sizeof *t->sum);
  for (int32_t i = 0; i < t->size[child]; i++)
    add_entry(t, entry, t->member[(size_t)child * (t->branching + 1) + (size_t)i]);
}

/* *full: the node now has one entry too many. The depth of the tree bounds the recursion. */
static mn_status insert(mn_context *ctx, mn_cf_tree *t, int32_t node, const double *x, bool *full)
{
  const int32_t entry = nearest(t, node, x);
  const int32_t child = entry < 0 ? -1 : t->entry[entry].child;
  int32_t fresh, other;
  *full = false;
  if (child >= 0) {
    MN_TRY(insert(ctx, t, child, x, full));
    if (!*full) {
      add_row(t, entry, x);
      return MN_OK;
    }
    MN_TRY(split(ctx, t, child, &other));
    MN_TRY(mn_cf_new_entry(ctx, t, node, &fresh));
    summarize(t, entry, child);
    summarize(t, fresh, other);
  } else if (entry >= 0 && fits(t, entry, x)) {
    add_row(t, entry, x);
  } else {
    MN_TRY(mn_cf_new_entry(ctx, t, node, &fresh));
    add_row(t, fresh, x);
  }
  *full = (size_t)t->size[node] > t->branching;
  return MN_OK;
}

mn_status mn_cf_insert(mn_context *ctx, mn_cf_tree *t, const double *x)
{
  bool full;
  int32_t old = t->root, other, left, right;
  if (old < 0) MN_TRY(mn_cf_new_node(ctx, t, &t->root));
  MN_TRY(insert(ctx, t, t->root, x, &full));
  if (!full) return MN_OK;
  old = t->root;
  MN_TRY(split(ctx, t, old, &other));
  MN_TRY(mn_cf_new_node(ctx, t, &t->root));
  MN_TRY(mn_cf_new_entry(ctx, t, t->root, &left));
  MN_TRY(mn_cf_new_entry(ctx, t, t->root, &right));
  summarize(t, left, old);
  summarize(t, right, other);
  return MN_OK;
}
