/* Minimal cost-complexity pruning: Breiman, Friedman, Olshen & Stone, Classification and Regression Trees (1984),
 * section 3.3.
 *
 *     alpha(t) = (R(t) - R(T_t)) / (leaves of T_t - 1),     R(t) = impurity of t * its share of the weight
 *
 * The subtree T_t of the node t with the smallest alpha is pruned repeatedly. This node is found in a tree of minima
 * over the nodes, so that a step takes time proportional to the path to the root. */
#include "model.h"

struct cost_pruning {
  const mn_grown_tree *tree;
  size_t leaf_base;  /* index of the first node in `weakest` */
  double *risk;      /* nodes: R(t)                   */
  double *branch;    /* nodes: R(T_t)                 */
  int32_t *leaves;   /* nodes: number of leaves of T_t */
  int32_t *parent;   /* nodes: -1 the root            */
  bool *removed;     /* nodes: no longer split        */
  uint32_t *weakest; /* 2 * leaf_base: node with the smallest alpha below; UINT32_MAX: none */
  double *alpha;     /* nodes: infinity for leaves    */
};

static const int32_t *node_at(const mn_grown_tree *tree, size_t i)
{
  return tree->node + MN_NODE_WORDS * i;
}

static uint32_t weaker(const struct cost_pruning *p, uint32_t a, uint32_t b)
{
  if (a == UINT32_MAX || b == UINT32_MAX) return a == UINT32_MAX ? b : a;
  return p->alpha[b] < p->alpha[a] ? b : a;
}

static void set_alpha(struct cost_pruning *p, size_t i)
{
  const bool leaf = p->removed[i] || mn_node_left(node_at(p->tree, i)) == 0;
  p->alpha[i] = leaf ? INFINITY : (p->risk[i] - p->branch[i]) / (p->leaves[i] - 1);
  size_t at = p->leaf_base + i;
  p->weakest[at] = leaf ? UINT32_MAX : (uint32_t)i;
  for (at /= 2; at > 0; at /= 2) p->weakest[at] = weaker(p, p->weakest[2 * at], p->weakest[2 * at + 1]);
}

static mn_status init_pruning(mn_context *ctx, const mn_grown_tree *tree, struct cost_pruning *p)
{
  const size_t n = tree->nodes;
  *p = (struct cost_pruning){ .tree = tree, .leaf_base = 1 };
  while (p->leaf_base < n) p->leaf_base *= 2;
  p->risk = MN_RAW(ctx, double, n, 3);
  p->leaves = MN_RAW(ctx, int32_t, n, 2);
  p->removed = MN_NEW(ctx, bool, n, 1);
  p->weakest = MN_RAW(ctx, uint32_t, p->leaf_base, 2);
  if (!p->risk || !p->leaves || !p->removed || !p->weakest) return MN_NO_MEMORY;
  p->branch = p->risk + n;
  p->alpha = p->branch + n;
  p->parent = p->leaves + n;
  p->parent[0] = -1;
  for (size_t i = 0; i < 2 * p->leaf_base; i++) p->weakest[i] = UINT32_MAX;
  for (size_t i = n; i-- > 0;) { /* children follow their parents */
    const size_t left = mn_node_left(node_at(tree, i));
    p->risk[i] = p->branch[i] = tree->impurity[i] * tree->cover[i] / tree->cover[0];
    p->leaves[i] = 1;
    if (left == 0) continue;
    p->branch[i] = p->branch[left] + p->branch[left + 1];
    p->leaves[i] = p->leaves[left] + p->leaves[left + 1];
    p->parent[left] = p->parent[left + 1] = (int32_t)i;
  }
  for (size_t i = 0; i < n; i++) set_alpha(p, i);
  return MN_OK;
}

/* Remove the nodes below i, so that none of them is chosen later. Each is visited once in total. */
static void remove_below(struct cost_pruning *p, size_t i, uint32_t *stack)
{
  size_t stacked = 0;
  stack[stacked++] = (uint32_t)i;
  while (stacked > 0) {
    const size_t at = stack[--stacked], left = mn_node_left(node_at(p->tree, at));
    const bool inner = !p->removed[at] && left > 0;
    p->removed[at] = true;
    if (!inner) continue;
    set_alpha(p, at);
    stack[stacked++] = (uint32_t)left;
    stack[stacked++] = (uint32_t)left + 1;
  }
}

static void prune_node(struct cost_pruning *p, size_t i, uint32_t *stack)
{
  const double change = p->risk[i] - p->branch[i];
  const int32_t removed_leaves = p->leaves[i] - 1;
  remove_below(p, i, stack);
  p->leaves[i] = 1;
  p->branch[i] = p->risk[i];
  for (int32_t at = p->parent[i]; at >= 0; at = p->parent[at]) {
    p->leaves[at] -= removed_leaves;
    p->branch[at] += change;
    set_alpha(p, (size_t)at);
  }
}

mn_status mn_pruning_path(mn_context *ctx, const mn_grown_tree *tree, double *alpha, double *impurity, size_t *steps)
{
  struct cost_pruning p;
  uint32_t *stack = MN_RAW(ctx, uint32_t, tree->nodes + 1, 1);
  MN_CHECK_ALLOC(stack);
  MN_TRY(init_pruning(ctx, tree, &p));
  alpha[0] = 0;
  impurity[0] = p.branch[0];
  *steps = 1;
  while (p.weakest[1] != UINT32_MAX) {
    const size_t i = p.weakest[1];
    const double cost = p.alpha[i];
    prune_node(&p, i, stack);
    /* Subtrees pruned at the same alpha, up to rounding of differences of risks, are one step. */
    const bool same = cost <= alpha[*steps - 1] + 1e-15 * p.risk[0];
    if (!same) {
      alpha[*steps] = cost;
      ++*steps;
    }
    impurity[*steps - 1] = p.branch[0];
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

/* --- the pruned tree --- */

/* Values of node i: the mean of its children, weighted by cover. */
static void average_children(const mn_grown_tree *tree, size_t width, size_t i, double *value)
{
  const size_t left = mn_node_left(node_at(tree, i));
  const double l = tree->cover[left], r = tree->cover[left + 1];
  for (size_t k = 0; k < width; k++)
    value[i * width + k] = (l * value[left * width + k] + r * value[(left + 1) * width + k]) / (l + r);
}

static void read_leaf(const mn_grown_tree *tree, size_t width, const int32_t *w, double *value)
{
  const size_t index = (uint32_t)w[MN_NODE_LOW];
  if (mn_is_leaf_of(w, MN_LEAF_VALUE)) value[0] = mn_node_real(w);
  if (mn_is_leaf_of(w, MN_LEAF_PURE)) value[index] = 1;
  if (mn_is_leaf_of(w, MN_LEAF_BLOCK)) memcpy(value, tree->value + index * width, width * sizeof *value);
}

/* Write node i of the old tree as a leaf of the new one. */
static void write_leaf(const mn_grown_tree *tree, size_t width, size_t i, bool numbers, const double *value,
                       mn_grown_tree *out, int32_t *w)
{
  if (numbers && width == 1) {
    mn_node_set_leaf(w, tree->mean[i]);
    return;
  }
  for (size_t k = 0; !numbers && k < width; k++)
    if (value[i * width + k] >= 1) {
      mn_node_set_leaf_index(w, MN_LEAF_PURE, k);
      return;
    }
  memcpy(out->value + out->blocks * width, value + i * width, width * sizeof *value);
  mn_node_set_leaf_index(w, MN_LEAF_BLOCK, out->blocks++);
}

/* Copy the kept nodes in their order, in which siblings stay together and follow their parents. */
static void copy_kept(const mn_grown_tree *tree, size_t width, bool numbers, const bool *removed, const bool *kept,
                      const double *value, mn_grown_tree *out)
{
  size_t at = 0;
  for (size_t i = 0; i < tree->nodes; i++) {
    if (!kept[i]) continue;
    int32_t *w = out->node + MN_NODE_WORDS * at;
    const size_t left = mn_node_left(node_at(tree, i));
    memcpy(w, node_at(tree, i), MN_NODE_WORDS * sizeof *w);
    out->cover[at] = tree->cover[i];
    out->impurity[at] = tree->impurity[i];
    out->mean[at] = tree->mean[i];
    if (left == 0 || removed[i]) write_leaf(tree, width, i, numbers, value, out, w);
    at++;
  }
  out->nodes = at;
}

/* The values of each node as a leaf. *numbers: leaves have one number, not shares of classes. */
static void node_values(const mn_grown_tree *tree, size_t width, double *value, bool *numbers)
{
  *numbers = false;
  for (size_t i = tree->nodes; i-- > 0;) { /* children follow their parents */
    const int32_t *w = node_at(tree, i);
    if (mn_node_left(w) > 0) {
      average_children(tree, width, i, value);
      continue;
    }
    *numbers = *numbers || mn_is_leaf_of(w, MN_LEAF_VALUE);
    read_leaf(tree, width, w, value + i * width);
  }
}

/* Find the kept nodes and their new numbers. */
static void number_kept(const mn_grown_tree *tree, const bool *removed, bool *kept, uint32_t *number)
{
  kept[0] = true;
  for (size_t i = 0, next = 0; i < tree->nodes; i++) {
    const size_t left = mn_node_left(node_at(tree, i));
    if (!kept[i]) continue;
    number[i] = (uint32_t)next++;
    if (left > 0 && !removed[i]) kept[left] = kept[left + 1] = true;
  }
}

static void link_kept(const mn_grown_tree *tree, const bool *removed, const bool *kept, const uint32_t *number,
                      mn_grown_tree *out)
{
  for (size_t i = 0; i < tree->nodes; i++) {
    const size_t left = mn_node_left(node_at(tree, i));
    if (!kept[i] || left == 0 || removed[i]) continue;
    mn_node_set_left(out->node + MN_NODE_WORDS * number[i], number[left]);
  }
}

mn_status mn_prune(mn_context *ctx, double ccp_alpha, size_t width, mn_grown_tree *tree)
{
  const size_t n = tree->nodes;
  struct cost_pruning p;
  uint32_t *stack = MN_RAW(ctx, uint32_t, n + 1, 1), *number = MN_NEW(ctx, uint32_t, n, 1);
  bool *kept = MN_NEW(ctx, bool, n, 1), numbers;
  double *value = MN_NEW(ctx, double, n, width);
  mn_grown_tree out = { .node = MN_RAW(ctx, int32_t, n, MN_NODE_WORDS),
                        .cover = MN_RAW(ctx, double, n, 1),
                        .value = MN_RAW(ctx, double, n, width),
                        .subset = tree->subset,
                        .levels = tree->levels };
  if (!stack || !number || !kept || !value || !out.node || !out.cover || !out.value) return MN_NO_MEMORY;
  out.impurity = MN_RAW(ctx, double, n, 2);
  MN_CHECK_ALLOC(out.impurity);
  out.mean = out.impurity + n;
  MN_TRY(init_pruning(ctx, tree, &p));
  while (p.weakest[1] != UINT32_MAX && p.alpha[p.weakest[1]] <= ccp_alpha) {
    prune_node(&p, p.weakest[1], stack);
    MN_TRY(mn_poll(ctx));
  }
  node_values(tree, width, value, &numbers);
  number_kept(tree, p.removed, kept, number);
  copy_kept(tree, width, numbers, p.removed, kept, value, &out);
  link_kept(tree, p.removed, kept, number, &out);
  *tree = out;
  return MN_OK;
}
