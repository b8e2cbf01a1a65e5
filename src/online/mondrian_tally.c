/* What a node of a Mondrian tree knows of y.
 *
 * Labels, one number for each class (interpolated Kneser-Ney, NIPS 2014, section 4): c_jk is the weight of the rows of
 * class k in a leaf, and min(c, 1) of both children added up in a node above. A node smooths its own towards its
 * parent's, see mondrian_forest_classifier.c.
 *
 * Reals, three numbers: the weight of the rows below, and mean and precision of what they tell of the mean of the node
 * (Lakshminarayanan, Roy & Teh, Mondrian Forests for Large-Scale Regression when Uncertainty Matters, AISTATS 2016).
 * The means of the nodes are a Gaussian tree: that of a node is normal about that of its parent, with variance s(time)
 * - s(time of the parent), s(t) = 2 / (1 + exp(-slope t)), and y is normal about that of its leaf with variance noise,
 * both in units of the variance of y. What the rows below tell is passed up from child to parent.
 *
 * slope and noise depend on the number of rows and the size of the box of all; they are taken from a grid of powers of
 * two, so that all is added up anew a few times only while rows come one by one. */
#include "mondrian.h"

/* --- pausing --- */

bool mn_mondrian_paused(const mn_mondrian_tree *t, int32_t leaf)
{
  const double *tally = mn_mondrian_tally(t, leaf);
  size_t classes = 0;
  if (!t->labels) return tally[0] < t->min_weight;
  for (size_t k = 0; k < t->values; k++) classes += tally[k] > 0;
  return classes < 2;
}

bool mn_mondrian_paused_with(const mn_mondrian_tree *t, int32_t leaf, size_t row)
{
  const double *tally = mn_mondrian_tally(t, leaf);
  if (!t->labels) return tally[0] + t->weight[row] < t->min_weight;
  return tally[(size_t)t->y[row]] > 0;
}

bool mn_mondrian_rows_pause(const mn_mondrian_tree *t, const int32_t *rows, size_t n)
{
  double weight = 0;
  if (t->labels) {
    for (size_t i = 1; i < n; i++)
      if (t->y[rows[i]] != t->y[rows[0]]) return false;
    return true;
  }
  for (size_t i = 0; i < n; i++) weight += t->weight[rows[i]];
  return weight < t->min_weight;
}

/* --- one node --- */

void mn_mondrian_tally_row(const mn_mondrian_tree *t, int32_t leaf, size_t row)
{
  double *tally = mn_mondrian_tally(t, leaf);
  const double w = t->weight[row];
  if (t->labels) {
    tally[(size_t)t->y[row]] += w;
    return;
  }
  tally[0] += w;
  tally[1] += w / tally[0] * (t->y[row] - tally[1]);
  tally[2] = tally[0] / t->noise;
}

double mn_mondrian_spread(double slope, double time)
{
  return time < (double)INFINITY ? 2 / (1 + exp(-slope * time)) : 2; /* the slope may be 0 */
}

static double spread(const mn_mondrian_tree *t, double time)
{
  return mn_mondrian_spread(t->slope, time);
}

void mn_mondrian_tally_children(const mn_mondrian_tree *t, int32_t node)
{
  double *tally = mn_mondrian_tally(t, node);
  const double *left = mn_mondrian_tally(t, t->child[2 * node]), *right = mn_mondrian_tally(t, t->child[2 * node + 1]);
  if (t->labels) {
    for (size_t k = 0; k < t->values; k++) tally[k] = fmin(left[k], 1) + fmin(right[k], 1);
    return;
  }
  const double here = spread(t, t->time[node]);
  const double a = 1 / (spread(t, t->time[t->child[2 * node]]) - here + 1 / left[2]);
  const double b = 1 / (spread(t, t->time[t->child[2 * node + 1]]) - here + 1 / right[2]);
  tally[0] = left[0] + right[0];
  tally[1] = left[1] + b / (a + b) * (right[1] - left[1]);
  tally[2] = a + b;
}

void mn_mondrian_tally_up(const mn_mondrian_tree *t, int32_t node)
{
  for (node = t->parent[node]; node >= 0; node = t->parent[node]) mn_mondrian_tally_children(t, node);
}

/* Down to the first leaf; from a left child over to the leaf furthest left beside it, from a right one up. */
static int32_t first_leaf(const mn_mondrian_tree *t, int32_t node)
{
  while (!mn_mondrian_is_leaf(t, node)) node = t->child[2 * node];
  return node;
}

void mn_mondrian_tally_all(const mn_mondrian_tree *t)
{
  int32_t node = first_leaf(t, *t->root);
  for (;;) {
    double *tally = mn_mondrian_tally(t, node);
    if (mn_mondrian_is_leaf(t, node))
      tally[2] = tally[0] / t->noise;
    else
      mn_mondrian_tally_children(t, node);
    const int32_t above = t->parent[node];
    if (above < 0) return;
    node = t->child[2 * above] == node ? first_leaf(t, t->child[2 * above + 1]) : above;
  }
}

/* --- scales --- */

void mn_mondrian_count_y(mn_mondrian *m, double y, double weight)
{
  const double delta = y - m->y_mean;
  m->y_weight += weight;
  m->y_mean += weight / m->y_weight * delta;
  m->y_square += weight * delta * (y - m->y_mean);
}

/* As in the authors' program (columns from 0 to 1 there): slope = features / (2 log2 rows), noise = 1 / (1 + rows), of
 * at most 1000 rows; here to the next power of two, and the sides of the box of all rows in place of the features. */
bool mn_mondrian_new_scale(mn_mondrian *m)
{
  const mn_mondrian_tree t = mn_mondrian_tree_of(m, 0);
  const double log_rows = fmin(fmax(1, logb(m->y_weight)), 62);
  const double wanted = mn_mondrian_sides(&t) / (2 * log_rows);
  const double slope = wanted > 0 ? ldexp(1, (int)logb(wanted)) : 0, noise = 1 / (1 + fmin(exp2(log_rows), 1024));
  const bool other = slope != m->slope || noise != m->noise;
  m->slope = slope;
  m->noise = noise;
  return other;
}
