/* What may be believed of a loaded Mondrian forest: after this, every way down ends, and every row is in one leaf. */
#include "mondrian.h"

static bool in_range(int32_t value, int32_t below)
{
  return value >= 0 && value < below;
}

static bool is_sound_tally(const mn_mondrian_tree *t, int32_t node)
{
  const double *tally = mn_mondrian_tally(t, node);
  double sum = 0;
  if (!t->labels)
    return tally[0] > 0 && tally[0] < INFINITY && isfinite(tally[1]) && tally[2] > 0 && isfinite(tally[2]);
  for (size_t k = 0; k < t->values; k++) {
    if (!(tally[k] >= 0)) return false;
    sum += tally[k];
  }
  return sum > 0 && sum < INFINITY;
}

/* Its rows, each of which no other leaf has. */
static bool is_sound_leaf(const mn_mondrian_tree *t, int32_t node, int32_t rows, bool *seen)
{
  int32_t row = t->head[node];
  if (t->child[2 * node + 1] != -1 || !(t->held[node] > 0)) return false;
  for (int32_t i = 0; i < t->held[node]; i++, row = t->next[row]) {
    if (!in_range(row, rows) || seen[row]) return false;
    seen[row] = true;
  }
  return row == -1;
}

/* Each child has its parent: so nothing below the root is met twice. */
static bool is_sound_split(const mn_mondrian_tree *t, int32_t node)
{
  const int32_t left = t->child[2 * node], right = t->child[2 * node + 1];
  if (!in_range(left, *t->used) || !in_range(right, *t->used) || left == right) return false;
  if (t->parent[left] != node || t->parent[right] != node) return false;
  if (!(t->time[left] >= t->time[node] && t->time[right] >= t->time[node] && t->time[node] < INFINITY)) return false;
  return in_range(t->feature[node], (int32_t)t->features) && isfinite(t->cut[node]);
}

/* `order` has room for the nodes. Splits may have each other as parents: then they are not below the root. */
static bool is_sound_tree(const mn_mondrian_tree *t, int32_t rows, bool *seen, int32_t *order)
{
  int32_t held = 0;
  if (!(*t->used > 0 && (size_t)*t->used <= t->slots) || !in_range(*t->root, *t->used)) return false;
  if (t->parent[*t->root] != -1) return false;
  for (int32_t row = 0; row < rows; row++) seen[row] = false;
  for (int32_t node = 0; node < *t->used; node++) {
    if (!(t->time[node] >= 0) || !is_sound_tally(t, node)) return false;
    const bool leaf = t->child[2 * node] == -1;
    if (!(leaf ? is_sound_leaf(t, node, rows, seen) : is_sound_split(t, node))) return false;
    if (leaf) held += t->held[node];
  }
  return held == rows && mn_mondrian_order(t, order) == *t->used;
}

static bool are_sound_rows(const mn_mondrian *m, size_t values)
{
  const bool labels = m->base.classes != NULL;
  for (size_t i = 0; i < (size_t)m->n_rows; i++) {
    const double y = m->y.at[i];
    if (!(m->weight.at[i] > 0 && m->weight.at[i] < INFINITY && isfinite(y))) return false;
    if (labels && !(y >= 0 && y < (double)values && y == floor(y))) return false;
    for (size_t j = 0; j < m->x.cols; j++)
      if (!(fabs(mn_row(&m->x, i)[j]) < MN_MONDRIAN_LARGEST)) return false;
  }
  if (labels) return true;
  return m->slope >= 0 && m->slope < INFINITY && m->noise > 0 && m->noise < INFINITY && m->y_weight > 0 &&
         m->y_weight < INFINITY && isfinite(m->y_mean) && m->y_square >= 0 && m->y_square < INFINITY;
}

static bool are_sound_sizes(const mn_mondrian *m, size_t values)
{
  const size_t trees = m->root.size, slots = m->time.size, places = m->weight.size;
  if (trees == 0 || slots == 0 || slots % trees != 0 || slots / trees > (size_t)INT32_MAX / 2) return false;
  if (m->child.size != 2 * slots || m->tally.cols != values || m->next.size != trees * places) return false;
  if (places > (size_t)INT32_MAX) return false;
  return m->n_rows > 0 && (size_t)m->n_rows <= places && m->horizon > 0;
}

mn_status mn_mondrian_check(mn_context *ctx, const void *self)
{
  const mn_mondrian *m = self;
  const size_t values = m->base.classes ? mn_levels_size(m->base.classes) : 3;
  bool sound = are_sound_sizes(m, values) && are_sound_rows(m, values);
  bool *seen = sound ? MN_RAW(ctx, bool, (size_t)m->n_rows, 1) : NULL;
  int32_t *order = sound ? MN_RAW(ctx, int32_t, m->time.size / mn_mondrian_trees(m), 1) : NULL;
  if (sound && (!seen || !order)) return MN_NO_MEMORY;
  for (size_t i = 0; sound && i < mn_mondrian_trees(m); i++) {
    const mn_mondrian_tree t = mn_mondrian_tree_of(m, i);
    sound = is_sound_tree(&t, (int32_t)m->n_rows, seen, order);
  }
  return sound ? MN_OK : mn_fail(ctx, MN_BAD_FILE, "%s: its trees are not sound", m->base.class->name);
}

/* --- how large the trees are --- */

int32_t mn_mondrian_order(const mn_mondrian_tree *t, int32_t *order)
{
  int32_t known = 1;
  order[0] = *t->root;
  for (int32_t i = 0; i < known; i++) {
    if (mn_mondrian_is_leaf(t, order[i])) continue;
    order[known++] = t->child[2 * order[i]];
    order[known++] = t->child[2 * order[i] + 1];
  }
  return known;
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
    const mn_mondrian_tree t = mn_mondrian_tree_of(m, i);
    mn_mondrian_order(&t, order);
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
