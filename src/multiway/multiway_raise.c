/* Estimated errors of a branch in the place of its parent, if some cases below have fractional weights.
 *
 * Fractional weights depend on the weight of the known rows at each split, and so change with each added row. But a row
 * whose value is known at all splits on its path is fixed: it is counted where it is, and only the others are passed
 * through the branch. Of these, rows that lack all features tested further down go to all branches, whichever rows they
 * are: they are pooled, as one weight per class. So a split in a chain costs one pass over the cases below it and one
 * step per node, instead of their product.
 *
 * Features are bits modulo 64. With more features, those that share a bit are treated as one: as missing where rows are
 * to be fixed, as present where they are to be pooled. That costs time only. */
#include "multiway_prune.h"

static uint64_t feature_bit(size_t column)
{
  return UINT64_C(1) << column % 64;
}

mn_status mn_subtree_raising_make(mn_context *ctx, struct mn_pruning *p)
{
  const mn_tree_columns *c = p->tree->columns;
  const size_t rows = p->tree->rows;
  struct mn_subtree_raising *r = &p->raising;
  r->missing_any = MN_RAW(ctx, uint64_t, rows, 2);
  MN_CHECK_ALLOC(r->missing_any);
  r->missing_all = r->missing_any + rows;
  for (size_t i = 0; i < rows; i++) {
    if (i % MN_CHUNK == 0) MN_TRY(mn_poll(ctx));
    r->missing_any[i] = 0;
    r->missing_all[i] = UINT64_MAX;
  }
  for (size_t j = 0; j < c->features; j++) {
    for (size_t i = 0; i < rows; i++) {
      if (i % MN_CHUNK == 0) MN_TRY(mn_poll(ctx));
      if (c->has_missing[j] && mn_packed_get(c->rank[j], i) == c->distinct[j])
        r->missing_any[i] |= feature_bit(j);
      else
        r->missing_all[i] &= ~feature_bit(j);
    }
  }
  return MN_OK;
}

static mn_status reserve_nodes(mn_context *ctx, struct mn_pruning *p)
{
  struct mn_subtree_raising *r = &p->raising;
  const size_t capacity = 2 * p->tree->size;
  if (p->tree->size <= r->node_capacity) return MN_OK;
  r->above = MN_RAW(ctx, uint64_t, capacity, 2);
  r->known_weight = MN_RAW(ctx, double, capacity, p->tree->classes + 1);
  if (!r->above || !r->known_weight) return MN_NO_MEMORY;
  r->below = r->above + capacity;
  r->fixed_counts = r->known_weight + capacity;
  r->node_capacity = capacity;
  return MN_OK;
}

/* --- fixed rows --- */

/* above: features tested above each node, from `at` on; below: those tested in it and further down. */
static void mark_features(struct mn_pruning *p, size_t at, size_t n)
{
  const mn_multiway_growth *tree = p->tree;
  struct mn_subtree_raising *r = &p->raising;
  r->above[at] = 0;
  for (size_t k = 0; k < n; k++) {
    const size_t node = p->subtree[k];
    for (int32_t c = tree->node[node].first; c != MN_NO_NODE; c = tree->node[c].next)
      r->above[c] = r->above[node] | feature_bit(tree->node[node].feature);
  }
  for (size_t k = n; k-- > 0;) {
    const size_t node = p->subtree[k];
    const int32_t first = tree->node[node].first;
    r->below[node] = first == MN_NO_NODE ? 0 : feature_bit(tree->node[node].feature);
    for (int32_t c = first; c != MN_NO_NODE; c = tree->node[c].next) r->below[node] |= r->below[c];
  }
}

/* Count the cases of a leaf that are fixed, and put the others on the stack, each row once. */
static void split_cases(struct mn_pruning *p, size_t leaf, bool in_branch)
{
  mn_multiway_growth *tree = p->tree;
  const mn_multiway_node *s = &tree->node[leaf];
  double *fixed_counts = p->raising.fixed_counts + leaf * tree->classes;
  memset(fixed_counts, 0, tree->classes * sizeof *fixed_counts);
  for (size_t i = s->begin; i < s->end; i++) {
    const mn_weighted_row c = tree->leaf_cases.at[i];
    if (in_branch && !(p->raising.missing_any[c.row] & p->raising.above[leaf])) {
      fixed_counts[tree->code[c.row]] += c.weight;
      continue;
    }
    if (!(p->row_weight[c.row] > 0))
      tree->stack.at[tree->stack.size++] = c; /* the capacity for all rows was reserved while growing */
    p->row_weight[c.row] += c.weight;
  }
}

static void set_row_weights(struct mn_pruning *p)
{
  mn_multiway_growth *tree = p->tree;
  for (size_t i = 0; i < tree->stack.size; i++) {
    double *row_weight = &p->row_weight[tree->stack.at[i].row];
    tree->stack.at[i].weight = *row_weight;
    *row_weight = 0;
  }
}

/* Count the fixed rows of the leaves of the branch, and sum them up to the branch; put the other cases of `at` on the
 * stack. */
static mn_status prepare_cases(mn_context *ctx, struct mn_pruning *p, size_t at, size_t branch)
{
  mn_multiway_growth *tree = p->tree;
  struct mn_subtree_raising *r = &p->raising;
  MN_TRY(reserve_nodes(ctx, p));
  size_t n = mn_subtree_nodes(p, at, SIZE_MAX);
  mark_features(p, at, n);
  tree->stack.size = 0;
  n = mn_subtree_nodes(p, at, branch);
  for (size_t k = 0; k < n; k++)
    if (tree->node[p->subtree[k]].first == MN_NO_NODE) split_cases(p, p->subtree[k], false);
  n = mn_subtree_nodes(p, branch, SIZE_MAX);
  for (size_t k = n; k-- > 0;) {
    const size_t node = p->subtree[k];
    r->known_weight[node] = 0;
    if (tree->node[node].first == MN_NO_NODE) {
      split_cases(p, node, true);
      for (size_t c = 0; c < tree->classes; c++) r->known_weight[node] += r->fixed_counts[node * tree->classes + c];
    }
    for (int32_t c = tree->node[node].first; c != MN_NO_NODE; c = tree->node[c].next)
      r->known_weight[node] += r->known_weight[c];
  }
  set_row_weights(p);
  return MN_OK;
}

/* --- passing the other cases through the branch --- */

static double *pooled_of(const struct mn_pruning *p, size_t item)
{
  return p->raising.pooled + item * p->tree->classes;
}

static mn_status reserve_pooled(mn_context *ctx, struct mn_pruning *p, size_t n_pending)
{
  struct mn_subtree_raising *r = &p->raising;
  if (n_pending <= r->pooled_capacity) return MN_OK;
  double *pooled =
      mn_scratch_grow(ctx, r->pooled, p->tree->classes * sizeof *pooled, r->pooled_capacity, 2 * n_pending);
  MN_CHECK_ALLOC(pooled);
  r->pooled = pooled;
  r->pooled_capacity = 2 * n_pending;
  return MN_OK;
}

/* Pool the cases that lack all of the features. */
static void pool_cases(struct mn_pruning *p, size_t begin, uint64_t columns, double *pooled)
{
  mn_multiway_growth *tree = p->tree;
  size_t remaining = begin;
  for (size_t i = begin; i < tree->stack.size; i++) {
    const mn_weighted_row c = tree->stack.at[i];
    if (columns & ~p->raising.missing_all[c.row])
      tree->stack.at[remaining++] = c;
    else
      pooled[tree->code[c.row]] += c.weight;
  }
  tree->stack.size = remaining;
}

/* Push the branches of the node, each with its share of the pooled weights. */
static mn_status push_branches(mn_context *ctx, struct mn_pruning *p, size_t at, size_t begin, const double *pooled,
                               size_t *n_pending)
{
  mn_multiway_growth *tree = p->tree;
  size_t branches;
  MN_TRY(mn_growing_tree_partition(ctx, tree, at, begin, p->raising.known_weight, &branches));
  MN_TRY(reserve_pooled(ctx, p, *n_pending + branches));
  int32_t child = tree->node[at].first;
  for (size_t v = 0; v < branches; v++) {
    const mn_branch branch = tree->branch[v];
    while (child != MN_NO_NODE && tree->node[child].level < branch.level) child = tree->node[child].next;
    const bool has_child = child != MN_NO_NODE && tree->node[child].level == branch.level;
    MN_TRY(
        mn_push_pending(ctx, p, n_pending, (struct mn_pending){ has_child ? (size_t)child : SIZE_MAX, branch.begin }));
    double *target = pooled_of(p, *n_pending - 1);
    for (size_t c = 0; c < tree->classes; c++) target[c] = branch.weight * pooled[c];
  }
  return MN_OK;
}

mn_status mn_raised_errors(mn_context *ctx, struct mn_pruning *p, size_t at, size_t branch, double *errors)
{
  mn_multiway_growth *tree = p->tree;
  size_t n_pending = 0;
  *errors = 0;
  MN_TRY(prepare_cases(ctx, p, at, branch));
  MN_TRY(reserve_pooled(ctx, p, 1));
  memset(pooled_of(p, 0), 0, tree->classes * sizeof(double));
  MN_TRY(mn_push_pending(ctx, p, &n_pending, (struct mn_pending){ branch, 0 }));
  while (n_pending > 0) {
    const struct mn_pending one = p->pending[--n_pending];
    const bool inner = one.at != SIZE_MAX && tree->node[one.at].first != MN_NO_NODE;
    pool_cases(p, one.begin, inner ? p->raising.below[one.at] : 0, pooled_of(p, n_pending));
    memcpy(p->class_weights, pooled_of(p, n_pending), tree->classes * sizeof *p->class_weights);
    if (inner) {
      MN_TRY(push_branches(ctx, p, one.at, one.begin, p->class_weights, &n_pending));
      continue;
    }
    for (size_t c = 0; one.at != SIZE_MAX && c < tree->classes; c++)
      p->class_weights[c] += p->raising.fixed_counts[one.at * tree->classes + c];
    *errors += mn_expected_errors(p, p->class_weights);
    tree->stack.size = one.begin;
  }
  return mn_poll(ctx);
}
