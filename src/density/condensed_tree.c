#include "condensed_tree.h"
#include <math.h>
#include <string.h>

static double lambda_of(double distance)
{
  return distance > 0 ? 1 / distance : INFINITY;
}

/* --- condensing --- */

/* What becomes of a cluster of the hierarchy: it is a node, or its rows leave one. */
struct fate {
  int32_t node;
  bool leaves;
  double lambda; /* if it leaves */
};

static int32_t add_node(mn_condensed_tree *t, int32_t parent, double birth, double size)
{
  const size_t node = t->nodes++;
  t->parent[node] = parent;
  t->birth[node] = birth;
  t->size[node] = size;
  return (int32_t)node;
}

/* The fates of the two parts of a cluster that is a node. Rows at distance 0 from each other are not split. */
static void split(mn_condensed_tree *t, const mn_merge *m, const double *size, double least, struct fate *fate,
                  int32_t node)
{
  const double lambda = lambda_of(m->height);
  const bool a = size[m->a] >= least, b = size[m->b] >= least, apart = m->height > 0;
  const struct fate leaves = { node, true, lambda }, stays = { node, false, 0 };
  fate[m->a] = apart && a ? stays : leaves;
  fate[m->b] = apart && b ? stays : leaves;
  if (!(apart && a && b)) return;
  fate[m->a].node = add_node(t, node, lambda, size[m->a]);
  fate[m->b].node = add_node(t, node, lambda, size[m->b]);
}

static void add_stabilities(mn_condensed_tree *t, const double *weights)
{
  for (size_t i = 0; i < t->rows; i++) {
    const int32_t node = t->node[i];
    t->stability[node] += (weights ? weights[i] : 1) * (t->lambda[i] - t->birth[node]);
    t->death[node] = fmax(t->death[node], t->lambda[i]);
  }
  for (size_t node = 1; node < t->nodes; node++) {
    const int32_t parent = t->parent[node];
    t->stability[parent] += t->size[node] * (t->birth[node] - t->birth[parent]);
    t->death[parent] = fmax(t->death[parent], t->birth[node]);
  }
}

static mn_status allocate(mn_context *ctx, size_t n, mn_condensed_tree *t)
{
  *t = (mn_condensed_tree){ .rows = n, .parent = MN_RAW(ctx, int32_t, n, 2), .birth = MN_RAW(ctx, double, n, 2) };
  t->size = MN_RAW(ctx, double, n, 2);
  t->stability = MN_NEW(ctx, double, n, 2);
  t->death = MN_NEW(ctx, double, n, 2);
  t->node = MN_RAW(ctx, int32_t, n, 1);
  t->lambda = MN_RAW(ctx, double, n, 1);
  const bool complete = t->parent && t->birth && t->size && t->stability && t->death && t->node && t->lambda;
  return complete ? MN_OK : MN_NO_MEMORY;
}

mn_status mn_condense_tree(mn_context *ctx, size_t n, const mn_merge *merges, const double *weights, const double *core,
                           double min_cluster_size, mn_condensed_tree *tree)
{
  MN_TRY(allocate(ctx, n, tree));
  const mn_mark mark = mn_scratch_mark(ctx);
  double *size = MN_RAW(ctx, double, n, 2);
  struct fate *fate = MN_RAW(ctx, struct fate, n, 2);
  if (!size || !fate) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++) size[i] = weights ? weights[i] : 1;
  for (size_t i = 0; i + 1 < n; i++) size[n + i] = size[merges[i].a] + size[merges[i].b];
  fate[2 * n - 2] = (struct fate){ add_node(tree, -1, 0, size[2 * n - 2]), false, 0 };
  for (size_t i = n - 1; i-- > 0;) {
    const struct fate own = fate[n + i];
    if (own.leaves)
      fate[merges[i].a] = fate[merges[i].b] = own;
    else
      split(tree, &merges[i], size, min_cluster_size, fate, own.node);
  }
  for (size_t i = 0; i < n; i++) { /* a row that is a node by its weight alone lasts to its core distance */
    tree->node[i] = fate[i].node;
    tree->lambda[i] = fate[i].leaves ? fate[i].lambda : lambda_of(core[i]);
  }
  add_stabilities(tree, weights);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* --- selection --- */

/* Drop the selected nodes that are descendants of others. */
static mn_status drop_descendants(mn_context *ctx, const mn_condensed_tree *t, bool *selected)
{
  bool *covered = MN_NEW(ctx, bool, t->nodes, 1);
  MN_CHECK_ALLOC(covered);
  for (size_t node = 1; node < t->nodes; node++) {
    const int32_t parent = t->parent[node];
    covered[node] = covered[parent] || selected[parent];
    if (covered[node]) selected[node] = false;
  }
  return MN_OK;
}

/* Excess of mass: from the leaves up, select a node unless its descendants are more stable together. */
static mn_status select_by_mass(mn_context *ctx, const mn_condensed_tree *t, mn_cluster_selection selection,
                                bool *selected)
{
  double *below = MN_NEW(ctx, double, t->nodes, 1); /* stability of what is selected below each node */
  MN_CHECK_ALLOC(below);
  for (size_t node = t->nodes; node-- > 0;) {
    const bool allowed = (node > 0 || selection.allow_single) && t->size[node] <= selection.max_size;
    selected[node] = allowed && !(below[node] > t->stability[node]);
    if (node > 0) below[t->parent[node]] += selected[node] ? t->stability[node] : below[node];
  }
  return drop_descendants(ctx, t, selected);
}

static void select_leaves(const mn_condensed_tree *t, bool *selected)
{
  for (size_t node = 0; node < t->nodes; node++) selected[node] = true;
  for (size_t node = 1; node < t->nodes; node++) selected[t->parent[node]] = false;
}

/* The ancestor with which a selected node is joined because it splits off below epsilon. */
static int32_t ancestor_above(const mn_condensed_tree *t, mn_cluster_selection selection, int32_t node)
{
  for (;;) {
    const int32_t parent = t->parent[node];
    if (parent <= 0) return selection.allow_single ? 0 : node;
    if (1 / t->birth[parent] > selection.epsilon) return parent;
    node = parent;
  }
}

/* Replace nodes that split off below epsilon by an ancestor, and drop the descendants of what is then selected. */
static mn_status join_below_epsilon(mn_context *ctx, const mn_condensed_tree *t, mn_cluster_selection selection,
                                    bool *selected)
{
  bool *joined = MN_NEW(ctx, bool, t->nodes, 1);
  MN_CHECK_ALLOC(joined);
  for (size_t node = 0; node < t->nodes; node++) {
    if (!selected[node]) continue;
    if (node == 0 || 1 / t->birth[node] >= selection.epsilon)
      joined[node] = true;
    else
      joined[ancestor_above(t, selection, (int32_t)node)] = true;
  }
  memcpy(selected, joined, t->nodes * sizeof *selected);
  return drop_descendants(ctx, t, selected);
}

mn_status mn_select_clusters(mn_context *ctx, const mn_condensed_tree *tree, mn_cluster_selection selection,
                             int32_t *label, size_t *clusters)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  bool *selected = MN_NEW(ctx, bool, tree->nodes, 1);
  MN_CHECK_ALLOC(selected);
  if (selection.leaves)
    select_leaves(tree, selected);
  else
    MN_TRY(select_by_mass(ctx, tree, selection, selected));
  if (selection.epsilon > 0) MN_TRY(join_below_epsilon(ctx, tree, selection, selected));
  if (!selection.allow_single) selected[0] = false;
  *clusters = 0;
  for (size_t node = 0; node < tree->nodes; node++) label[node] = selected[node] ? (int32_t)(*clusters)++ : -1;
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* --- rows --- */

double mn_root_lambda(const mn_condensed_tree *tree, mn_cluster_selection selection)
{
  return selection.epsilon > 0 ? 1 / selection.epsilon : tree->death[0];
}

int32_t mn_selected_node(const mn_condensed_tree *tree, const int32_t *label, double root_lambda, int32_t node,
                         double lambda)
{
  while (node > 0 && label[node] < 0) node = tree->parent[node];
  return label[node] >= 0 && (node > 0 || lambda >= root_lambda) ? node : -1;
}

double mn_membership(const mn_condensed_tree *tree, int32_t node, double lambda)
{
  const double death = tree->death[node];
  if (!(death > 0) || !(lambda < INFINITY)) return 1;
  return fmin(lambda, death) / death;
}

mn_status mn_outlier_scores(mn_context *ctx, const mn_condensed_tree *tree, double *score)
{
  double *most = MN_RAW(ctx, double, tree->nodes, 1);
  MN_CHECK_ALLOC(most);
  memcpy(most, tree->death, tree->nodes * sizeof *most);
  for (size_t node = tree->nodes; node-- > 1;) {
    double *above = &most[tree->parent[node]];
    *above = fmax(*above, most[node]);
  }
  for (size_t i = 0; i < tree->rows; i++) {
    const double death = most[tree->node[i]], lambda = tree->lambda[i];
    score[i] = !(death > 0) || !(lambda < INFINITY) ? 0 : death < INFINITY ? (death - lambda) / death : 1;
  }
  return MN_OK;
}
