/* Check a loaded Mondrian forest: every path ends in a leaf, and every row is in exactly one leaf. */
#include "mondrian.h"

static bool in_range(int32_t value, int32_t below)
{
  return value >= 0 && value < below;
}

static bool stats_are_valid(const mn_mondrian_tree *t, int32_t node)
{
  const double *stats = mn_mondrian_stats(t, node);
  double sum = 0;
  if (!t->is_classifier)
    return stats[0] > 0 && stats[0] < INFINITY && isfinite(stats[1]) && stats[2] > 0 && isfinite(stats[2]);
  for (size_t k = 0; k < t->values; k++) {
    if (!(stats[k] >= 0)) return false;
    sum += stats[k];
  }
  return sum > 0 && sum < INFINITY;
}

/* The leaf has rows that are in no other leaf. */
static bool leaf_is_valid(const mn_mondrian_tree *t, int32_t node, int32_t rows, bool *seen)
{
  int32_t row = t->head[node];
  if (t->child[2 * node + 1] != -1 || !(t->row_count[node] > 0)) return false;
  for (int32_t i = 0; i < t->row_count[node]; i++, row = t->next[row]) {
    if (!in_range(row, rows) || seen[row]) return false;
    seen[row] = true;
  }
  return row == -1;
}

/* Each child has the node as its parent, so no node is reached twice from the root. */
static bool split_is_valid(const mn_mondrian_tree *t, int32_t node)
{
  const int32_t left = t->child[2 * node], right = t->child[2 * node + 1];
  if (!in_range(left, *t->used) || !in_range(right, *t->used) || left == right) return false;
  if (t->parent[left] != node || t->parent[right] != node) return false;
  if (!(t->time[left] >= t->time[node] && t->time[right] >= t->time[node] && t->time[node] < INFINITY)) return false;
  return in_range(t->feature[node], (int32_t)t->features) && isfinite(t->threshold[node]);
}

/* order: capacity for all nodes. Nodes that form a cycle of parents are not reached from the root. */
static bool tree_is_valid(const mn_mondrian_tree *t, int32_t rows, bool *seen, int32_t *order)
{
  int32_t row_count = 0;
  if (!(*t->used > 0 && (size_t)*t->used <= t->slots) || !in_range(*t->root, *t->used)) return false;
  if (t->parent[*t->root] != -1) return false;
  for (int32_t row = 0; row < rows; row++) seen[row] = false;
  for (int32_t node = 0; node < *t->used; node++) {
    if (!(t->time[node] >= 0) || !stats_are_valid(t, node)) return false;
    const bool leaf = t->child[2 * node] == -1;
    if (!(leaf ? leaf_is_valid(t, node, rows, seen) : split_is_valid(t, node))) return false;
    if (leaf) row_count += t->row_count[node];
  }
  return row_count == rows && mn_mondrian_breadth_first(t, order) == *t->used;
}

static bool rows_are_valid(const mn_mondrian *m, size_t values)
{
  const bool is_classifier = m->base.classes != NULL;
  for (size_t i = 0; i < (size_t)m->n_rows; i++) {
    const double y = m->y.at[i];
    if (!(m->weight.at[i] > 0 && m->weight.at[i] < INFINITY && isfinite(y))) return false;
    if (is_classifier && !(y >= 0 && y < (double)values && y == floor(y))) return false;
    for (size_t j = 0; j < m->x.cols; j++)
      if (!(fabs(mn_row(&m->x, i)[j]) < MN_MONDRIAN_MAX_X)) return false;
  }
  if (is_classifier) return true;
  return m->slope >= 0 && m->slope < INFINITY && m->noise > 0 && m->noise < INFINITY && m->y_weight > 0 &&
         m->y_weight < INFINITY && isfinite(m->y_mean) && m->y_square >= 0 && m->y_square < INFINITY;
}

static bool sizes_are_valid(const mn_mondrian *m, size_t values)
{
  const size_t trees = m->root.size, slots = m->time.size, row_capacity = m->weight.size;
  if (trees == 0 || slots == 0 || slots % trees != 0 || slots / trees > (size_t)INT32_MAX / 2) return false;
  if (m->child.size != 2 * slots || m->stats.cols != values || m->next.size != trees * row_capacity) return false;
  if (row_capacity > (size_t)INT32_MAX) return false;
  return m->n_rows > 0 && (size_t)m->n_rows <= row_capacity && m->horizon > 0;
}

mn_status mn_mondrian_check(mn_context *ctx, const void *self)
{
  const mn_mondrian *m = self;
  const size_t values = m->base.classes ? mn_levels_size(m->base.classes) : 3;
  bool valid = sizes_are_valid(m, values) && rows_are_valid(m, values);
  bool *seen = valid ? MN_RAW(ctx, bool, (size_t)m->n_rows, 1) : NULL;
  int32_t *order = valid ? MN_RAW(ctx, int32_t, m->time.size / mn_mondrian_trees(m), 1) : NULL;
  if (valid && (!seen || !order)) return MN_NO_MEMORY;
  for (size_t i = 0; valid && i < mn_mondrian_trees(m); i++) {
    const mn_mondrian_tree t = mn_mondrian_tree_view(m, i);
    valid = tree_is_valid(&t, (int32_t)m->n_rows, seen, order);
  }
  return valid ? MN_OK : mn_fail(ctx, MN_BAD_FILE, "%s: the trees are invalid", m->base.class->name);
}

/* --- structure --- */

int32_t mn_mondrian_breadth_first(const mn_mondrian_tree *t, int32_t *order)
{
  int32_t count = 1;
  order[0] = *t->root;
  for (int32_t i = 0; i < count; i++) {
    if (mn_mondrian_is_leaf(t, order[i])) continue;
    order[count++] = t->child[2 * order[i]];
    order[count++] = t->child[2 * order[i] + 1];
  }
  return count;
}

mn_status mn_mondrian_structure(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                mn_results *results)
{
  (void)data;
  (void)options;
  const mn_mondrian *m = self;
  const size_t trees = mn_mondrian_trees(m), slots = m->time.size / trees;
  mn_vector *leaves, *depth;
  int32_t *order = MN_RAW(ctx, int32_t, slots, 2);
  MN_CHECK_ALLOC(order);
  int32_t *at = order + slots;
  MN_TRY(mn_result_vector(ctx, results, "leaves", trees, &leaves));
  MN_TRY(mn_result_vector(ctx, results, "depth", trees, &depth));
  for (size_t i = 0; i < trees; i++) {
    const mn_mondrian_tree t = mn_mondrian_tree_view(m, i);
    mn_mondrian_breadth_first(&t, order);
    for (int32_t k = 0; k < *t.used; k++) {
      const int32_t node = order[k];
      at[node] = k == 0 ? 0 : at[t.parent[node]] + 1;
      if (!mn_mondrian_is_leaf(&t, node)) continue;
      leaves->at[i]++;
      depth->at[i] = fmax(depth->at[i], at[node]);
    }
  }
  return MN_OK;
}
