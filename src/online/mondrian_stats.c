/* Statistics of y in the nodes of a Mondrian tree.
 *
 * Classification, one value per class (interpolated Kneser-Ney, NIPS 2014, section 4): c_jk is the weight of the rows
 * of class k in a leaf, and in an inner node the sum of min(c, 1) of both children. Predictions smooth them towards
 * those of the parent, see mondrian_forest_classifier.c.
 *
 * Regression, three values: the weight of the rows below, and mean and precision of the message that they send about
 * the mean of the node (Lakshminarayanan, Roy & Teh, Mondrian Forests for Large-Scale Regression when Uncertainty
 * Matters, AISTATS 2016). The means of the nodes form a Gaussian tree: the mean of a node is normal about that of its
 * parent, with variance s(time) - s(time of the parent), s(t) = 2 / (1 + exp(-slope t)), and y is normal about the mean
 * of its leaf with variance noise, both in units of the variance of y. Messages are passed up from child to parent.
 *
 * slope and noise depend on the number of rows and the extent of the box of all rows. They are restricted to powers of
 * two, so that the statistics are recomputed only a few times while rows are added. */
#include "mondrian.h"

/* --- pausing --- */

bool mn_mondrian_is_paused(const mn_mondrian_tree *t, int32_t leaf)
{
  const double *stats = mn_mondrian_stats(t, leaf);
  size_t classes = 0;
  if (!t->is_classifier) return stats[0] < t->min_weight;
  for (size_t k = 0; k < t->values; k++) classes += stats[k] > 0;
  return classes < 2;
}

bool mn_mondrian_stays_paused(const mn_mondrian_tree *t, int32_t leaf, size_t row)
{
  const double *stats = mn_mondrian_stats(t, leaf);
  if (!t->is_classifier) return stats[0] + t->weight[row] < t->min_weight;
  return stats[(size_t)t->y[row]] > 0;
}

bool mn_mondrian_rows_are_paused(const mn_mondrian_tree *t, const int32_t *rows, size_t n)
{
  double weight = 0;
  if (t->is_classifier) {
    for (size_t i = 1; i < n; i++)
      if (t->y[rows[i]] != t->y[rows[0]]) return false;
    return true;
  }
  for (size_t i = 0; i < n; i++) weight += t->weight[rows[i]];
  return weight < t->min_weight;
}

/* --- one node --- */

void mn_mondrian_add_row_stats(const mn_mondrian_tree *t, int32_t leaf, size_t row)
{
  double *stats = mn_mondrian_stats(t, leaf);
  const double w = t->weight[row];
  if (t->is_classifier) {
    stats[(size_t)t->y[row]] += w;
    return;
  }
  stats[0] += w;
  stats[1] += w / stats[0] * (t->y[row] - stats[1]);
  stats[2] = stats[0] / t->noise;
}

double mn_mondrian_variance(double slope, double time)
{
  return time < (double)INFINITY ? 2 / (1 + exp(-slope * time)) : 2; /* slope may be 0 */
}

static double node_variance(const mn_mondrian_tree *t, double time)
{
  return mn_mondrian_variance(t->slope, time);
}

void mn_mondrian_merge_stats(const mn_mondrian_tree *t, int32_t node)
{
  double *stats = mn_mondrian_stats(t, node);
  const double *left = mn_mondrian_stats(t, t->child[2 * node]), *right = mn_mondrian_stats(t, t->child[2 * node + 1]);
  if (t->is_classifier) {
    for (size_t k = 0; k < t->values; k++) stats[k] = fmin(left[k], 1) + fmin(right[k], 1);
    return;
  }
  const double own = node_variance(t, t->time[node]);
  const double a = 1 / (node_variance(t, t->time[t->child[2 * node]]) - own + 1 / left[2]);
  const double b = 1 / (node_variance(t, t->time[t->child[2 * node + 1]]) - own + 1 / right[2]);
  stats[0] = left[0] + right[0];
  stats[1] = left[1] + b / (a + b) * (right[1] - left[1]);
  stats[2] = a + b;
}

void mn_mondrian_update_ancestors(const mn_mondrian_tree *t, int32_t node)
{
  for (node = t->parent[node]; node >= 0; node = t->parent[node]) mn_mondrian_merge_stats(t, node);
}

/* The order of a post-order traversal: the leftmost leaf first; after a left child the leftmost leaf of its sibling,
 * after a right child the parent. */
static int32_t first_leaf(const mn_mondrian_tree *t, int32_t node)
{
  while (!mn_mondrian_is_leaf(t, node)) node = t->child[2 * node];
  return node;
}

void mn_mondrian_recompute_stats(const mn_mondrian_tree *t)
{
  int32_t node = first_leaf(t, *t->root);
  for (;;) {
    double *stats = mn_mondrian_stats(t, node);
    if (mn_mondrian_is_leaf(t, node))
      stats[2] = stats[0] / t->noise;
    else
      mn_mondrian_merge_stats(t, node);
    const int32_t above = t->parent[node];
    if (above < 0) return;
    node = t->child[2 * above] == node ? first_leaf(t, t->child[2 * above + 1]) : above;
  }
}

/* --- scales --- */

void mn_mondrian_add_y(mn_mondrian *m, double y, double weight)
{
  const double delta = y - m->y_mean;
  m->y_weight += weight;
  m->y_mean += weight / m->y_weight * delta;
  m->y_square += weight * delta * (y - m->y_mean);
}

/* As in the authors' program, where features are scaled to [0, 1]: slope = features / (2 log2 rows), noise = 1 / (1 +
 * rows) for at most 1000 rows; here rounded to powers of two, and with the extent of the box of all rows in place of
 * the number of features. */
bool mn_mondrian_update_scale(mn_mondrian *m)
{
  const mn_mondrian_tree t = mn_mondrian_tree_view(m, 0);
  const double log_rows = fmin(fmax(1, logb(m->y_weight)), 62);
  const double target = mn_mondrian_root_extent(&t) / (2 * log_rows);
  const double slope = target > 0 ? ldexp(1, (int)logb(target)) : 0, noise = 1 / (1 + fmin(exp2(log_rows), 1024));
  const bool changed = slope != m->slope || noise != m->noise;
  m->slope = slope;
  m->noise = noise;
  return changed;
}
