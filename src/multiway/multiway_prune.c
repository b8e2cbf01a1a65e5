/* Collapsing and pruning: Quinlan, C4.5 (1993), chapter 4, with the constants of the program in that book.
 *
 * E of the N rows of a leaf are not of its majority class. The estimated number of errors among N new rows is N U(E,
 * N), where U is the upper limit, at level `confidence`, of the error rate given E of N. From the leaves up, a subtree
 * becomes a leaf, or is replaced by its largest branch, if the estimated errors do not increase. */
#include "multiway_prune.h"
#include "../stats/special.h"

static const double TOLERANCE = 0.1; /* tolerated increase of the estimated errors */

static double training_errors(size_t classes, const double *counts, double *total)
{
  double max = 0;
  *total = 0;
  for (size_t c = 0; c < classes; c++) {
    *total += counts[c];
    max = fmax(max, counts[c]);
  }
  return fmax(0, *total - max);
}

/* Estimated errors in addition to the e of n; z: quantile of the normal distribution. */
static double extra_errors(double n, double e, double confidence, double z)
{
  const double zero_errors = n * (1 - pow(confidence, 1 / n));
  if (e < 1e-9) return zero_errors;
  if (e < 1) return zero_errors + e * (extra_errors(n, 1, confidence, z) - zero_errors);
  if (e + 0.5 >= n) return fmax(n - e, 0);
  const double f = (e + 0.5) / n, z2 = z * z;
  return n * (f + z2 / (2 * n) + z * sqrt(f / n - f * f / n + z2 / (4 * n * n))) / (1 + z2 / n) - e;
}

double mn_expected_errors(const struct mn_pruning *p, const double *counts)
{
  double total;
  const double errors = training_errors(p->tree->classes, counts, &total);
  return total > 0 ? errors + extra_errors(total, errors, p->confidence, p->z) : 0;
}

/* --- collapse --- */

/* The cases of a subtree are contiguous, because growth is depth-first. */
static void merge_ranges(mn_multiway_growth *tree, size_t i)
{
  mn_multiway_node *s = &tree->node[i];
  s->begin = SIZE_MAX;
  s->end = 0;
  for (int32_t c = s->first; c != MN_NO_NODE; c = tree->node[c].next) {
    s->begin = tree->node[c].begin < s->begin ? tree->node[c].begin : s->begin;
    s->end = tree->node[c].end > s->end ? tree->node[c].end : s->end;
  }
}

mn_status mn_growing_tree_collapse(mn_context *ctx, mn_multiway_growth *tree)
{
  const double tolerance = 1e-3; /* as in C4.5 */
  double *subtree_errors = MN_RAW(ctx, double, tree->size, 1), *leaf_errors = MN_RAW(ctx, double, tree->size, 1), total;
  if (!subtree_errors || !leaf_errors) return MN_NO_MEMORY;
  for (size_t i = tree->size; i-- > 0;) { /* children follow their parents */
    subtree_errors[i] = leaf_errors[i] = training_errors(tree->classes, mn_growing_counts(tree, i), &total);
    if (tree->node[i].first == MN_NO_NODE) continue;
    merge_ranges(tree, i);
    subtree_errors[i] = 0;
    for (int32_t c = tree->node[i].first; c != MN_NO_NODE; c = tree->node[c].next)
      subtree_errors[i] += subtree_errors[c];
  }
  for (size_t i = 0; i < tree->size; i++)
    if (subtree_errors[i] >= leaf_errors[i] - tolerance) tree->node[i].first = MN_NO_NODE;
  return MN_OK;
}

/* --- cases of a subtree --- */

size_t mn_subtree_nodes(struct mn_pruning *p, size_t at, size_t excluded)
{
  const mn_multiway_growth *tree = p->tree;
  size_t n = 0;
  p->subtree[n++] = (uint32_t)at;
  for (size_t k = 0; k < n; k++)
    for (int32_t c = tree->node[p->subtree[k]].first; c != MN_NO_NODE; c = tree->node[c].next)
      if ((size_t)c != excluded) p->subtree[n++] = (uint32_t)c;
  return n;
}

/* Collect the cases of node `at` on the stack, each row once, excluding those of the subtree `excluded`. */
static mn_status gather(mn_context *ctx, struct mn_pruning *p, size_t at, size_t excluded)
{
  mn_multiway_growth *tree = p->tree;
  const size_t n = mn_subtree_nodes(p, at, excluded);
  tree->stack.size = 0;
  for (size_t k = 0; k < n; k++) {
    const mn_multiway_node *s = &tree->node[p->subtree[k]];
    for (size_t i = s->begin; s->first == MN_NO_NODE && i < s->end; i++) {
      const mn_weighted_row c = tree->leaf_cases.at[i];
      if (!(p->row_weight[c.row] > 0))
        tree->stack.at[tree->stack.size++] = c; /* the capacity for all rows was reserved while growing */
      p->row_weight[c.row] += c.weight;
    }
  }
  for (size_t i = 0; i < tree->stack.size; i++) {
    double *row_weight = &p->row_weight[tree->stack.at[i].row];
    tree->stack.at[i].weight = *row_weight;
    *row_weight = 0;
  }
  return mn_poll(ctx);
}

/* Store the cases on the stack from `begin` on as those of leaf `at`. */
static mn_status keep_cases(mn_context *ctx, mn_multiway_growth *tree, size_t at, size_t begin)
{
  const size_t n = tree->stack.size - begin;
  MN_TRY(mn_cases_reserve(ctx, tree, &tree->leaf_cases, tree->leaf_cases.size + n));
  tree->node[at].begin = tree->leaf_cases.size;
  tree->node[at].end = tree->leaf_cases.size + n;
  const size_t bytes = n * sizeof(mn_weighted_row);
  if (!mn_copy_cancellable(&(mn_cancel_token){ .ctx = ctx }, tree->leaf_cases.at + tree->leaf_cases.size,
                           tree->stack.at + begin, bytes))
    return mn_poll(ctx);
  tree->leaf_cases.size += n;
  return MN_OK;
}

/* --- passing other cases through a subtree --- */

mn_status mn_push_pending(mn_context *ctx, struct mn_pruning *p, size_t *n_pending, struct mn_pending one)
{
  if (*n_pending == p->pending_capacity) {
    const size_t stack_capacity = 2 * p->pending_capacity + 16;
    struct mn_pending *at = MN_GROW(ctx, p->pending, *n_pending, stack_capacity);
    MN_CHECK_ALLOC(at);
    p->pending = at;
    p->pending_capacity = stack_capacity;
  }
  p->pending[(*n_pending)++] = one;
  return MN_OK;
}

/* Add a child of `at` after `previous` (MN_NO_NODE: as the first), for a level without one. */
static mn_status add_child(mn_context *ctx, mn_multiway_growth *tree, size_t at, int32_t previous, uint32_t level,
                           size_t *child)
{
  MN_TRY(mn_growing_tree_add(ctx, tree, child));
  int32_t *link = previous == MN_NO_NODE ? &tree->node[at].first : &tree->node[previous].next;
  tree->node[*child].level = level;
  tree->node[*child].next = *link;
  *link = (int32_t)*child;
  return MN_OK;
}

/* Push the branches of node `at`, each with the child of its level. A level without a child is a leaf of its own:
 * SIZE_MAX, or a new leaf if the cases are replaced. */
static mn_status push_branches(mn_context *ctx, struct mn_pruning *p, size_t at, size_t branches, bool replace,
                               size_t *n_pending)
{
  mn_multiway_growth *tree = p->tree;
  int32_t child = tree->node[at].first, previous = MN_NO_NODE;
  for (size_t v = 0; v < branches; v++) {
    const mn_branch branch = tree->branch[v];
    for (; child != MN_NO_NODE && tree->node[child].level < branch.level; child = tree->node[child].next)
      previous = child;
    size_t target = SIZE_MAX;
    if (child != MN_NO_NODE && tree->node[child].level == branch.level) {
      target = (size_t)child;
    } else if (replace) {
      MN_TRY(add_child(ctx, tree, at, previous, branch.level, &target));
      previous = (int32_t)target;
    }
    if (replace) tree->node[target].share = branch.weight;
    MN_TRY(mn_push_pending(ctx, p, n_pending, (struct mn_pending){ target, branch.begin }));
  }
  return MN_OK;
}

/* What happens to cases that are passed through a subtree. */
enum distribute_mode {
  ADD,    /* they are added to the present cases */
  REPLACE /* they replace the present cases */
};

/* Pass the cases on the stack through the subtree of `at`. *errors: the estimated errors; for ADD, their increase. */
static mn_status distribute(mn_context *ctx, struct mn_pruning *p, size_t at, enum distribute_mode mode, double *errors)
{
  mn_multiway_growth *tree = p->tree;
  const bool replace = mode == REPLACE;
  size_t n_pending = 0, branches;
  *errors = 0;
  MN_TRY(mn_push_pending(ctx, p, &n_pending, (struct mn_pending){ at, 0 }));
  while (n_pending > 0) {
    const struct mn_pending one = p->pending[--n_pending];
    memset(p->class_weights, 0, tree->classes * sizeof *p->class_weights);
    for (size_t i = one.begin; i < tree->stack.size; i++)
      p->class_weights[tree->code[tree->stack.at[i].row]] += tree->stack.at[i].weight;
    if (replace) memcpy(mn_growing_counts(tree, one.at), p->class_weights, tree->classes * sizeof *p->class_weights);
    if (one.at != SIZE_MAX && tree->node[one.at].first != MN_NO_NODE) {
      MN_TRY(mn_growing_tree_partition(ctx, tree, one.at, one.begin, NULL, &branches));
      MN_TRY(push_branches(ctx, p, one.at, branches, replace, &n_pending));
      continue;
    }
    if (mode == ADD && one.at != SIZE_MAX) {
      for (size_t c = 0; c < tree->classes; c++) p->class_weights[c] += mn_growing_counts(tree, one.at)[c];
      *errors -= tree->node[one.at].errors;
    }
    *errors += mn_expected_errors(p, p->class_weights);
    if (replace) MN_TRY(keep_cases(ctx, tree, one.at, one.begin));
    tree->stack.size = one.begin;
  }
  return mn_poll(ctx);
}

/* --- pruning --- */

/* Schedule node `at` and its descendants, children before their parents. */
static mn_status push_subtree(mn_context *ctx, struct mn_pruning *p, size_t at)
{
  const size_t max = p->stack_size + p->tree->size + 1;
  if (max > p->stack_capacity) {
    uint32_t *stack = MN_RAW(ctx, uint32_t, 2 * max, 2);
    MN_CHECK_ALLOC(stack);
    if (p->stack_size > 0) memcpy(stack, p->stack, p->stack_size * sizeof *stack);
    p->stack = stack;
    p->subtree = stack + 2 * max;
    p->stack_capacity = 2 * max;
  }
  const size_t n = mn_subtree_nodes(p, at, SIZE_MAX);
  memcpy(p->stack + p->stack_size, p->subtree, n * sizeof *p->subtree);
  p->stack_size += n;
  return MN_OK;
}

static size_t largest_branch(const mn_multiway_growth *tree, size_t at, double *errors)
{
  size_t largest = 0;
  double max = -1;
  *errors = 0;
  for (int32_t c = tree->node[at].first; c != MN_NO_NODE; c = tree->node[c].next) {
    double sum = 0;
    for (size_t k = 0; k < tree->classes; k++) sum += mn_growing_counts(tree, (size_t)c)[k];
    *errors += tree->node[c].errors;
    if (sum < max - 1e-6) continue;
    max = sum;
    largest = (size_t)c;
  }
  return largest;
}

/* Replace node `at` by its branch, which receives all of its cases; then visit all of it again. */
static mn_status raise_branch(mn_context *ctx, struct mn_pruning *p, size_t at, size_t branch)
{
  mn_multiway_node *s = &p->tree->node[at];
  const mn_multiway_node *from = &p->tree->node[branch];
  double errors;
  MN_TRY(gather(ctx, p, at, SIZE_MAX));
  s->first = from->first;
  s->feature = from->feature;
  s->threshold = from->threshold;
  s->threshold_rank = from->threshold_rank;
  s->gain = from->gain;
  MN_TRY(distribute(ctx, p, at, REPLACE, &errors));
  return push_subtree(ctx, p, at);
}

/* First position of the cases of the leaves below `at`, if they are contiguous; otherwise SIZE_MAX. */
static size_t contiguous_begin(struct mn_pruning *p, size_t at)
{
  const size_t n = mn_subtree_nodes(p, at, SIZE_MAX);
  size_t begin = SIZE_MAX, end = 0, sum = 0;
  for (size_t k = 0; k < n; k++) {
    const mn_multiway_node *s = &p->tree->node[p->subtree[k]];
    if (s->first != MN_NO_NODE || s->begin == s->end) continue;
    begin = s->begin < begin ? s->begin : begin;
    end = s->end > end ? s->end : end;
    sum += s->end - s->begin;
  }
  return begin != SIZE_MAX && end - begin == sum ? begin : SIZE_MAX;
}

/* A new leaf reuses the range of the leaves below it, if possible: otherwise a chain of leaves would need memory
 * quadratic in the rows. */
static mn_status become_leaf(mn_context *ctx, struct mn_pruning *p, size_t at)
{
  mn_multiway_growth *tree = p->tree;
  mn_multiway_node *s = &tree->node[at];
  if (tree->settings->keep_cases) {
    const size_t begin = contiguous_begin(p, at);
    MN_TRY(gather(ctx, p, at, SIZE_MAX));
    if (begin == SIZE_MAX) {
      MN_TRY(keep_cases(ctx, tree, at, 0));
    } else {
      memcpy(tree->leaf_cases.at + begin, tree->stack.at, tree->stack.size * sizeof(mn_weighted_row));
      s->begin = begin;
      s->end = begin + tree->stack.size;
    }
    tree->stack.size = 0;
  }
  s->first = MN_NO_NODE;
  return MN_OK;
}

/* Whether nodes below `at` have fractional cases. */
static bool has_fractional_cases(const mn_multiway_growth *tree, size_t at)
{
  bool has_fractional_cases = tree->columns->has_missing[tree->node[at].feature];
  for (int32_t c = tree->node[at].first; c != MN_NO_NODE; c = tree->node[c].next)
    has_fractional_cases = has_fractional_cases || tree->node[c].has_fractional_cases;
  return has_fractional_cases;
}

/* Estimated errors of the branch with all cases of its parent `at`. Without fractional cases its own cases stay where
 * they are, and only the others, which are fewer, are passed through it. */
static mn_status branch_errors(mn_context *ctx, struct mn_pruning *p, size_t at, size_t branch, double *errors)
{
  const mn_multiway_node *s = &p->tree->node[branch];
  if (s->has_fractional_cases) return mn_raised_errors(ctx, p, at, branch, errors);
  MN_TRY(gather(ctx, p, at, branch));
  MN_TRY(distribute(ctx, p, branch, ADD, errors));
  *errors += s->errors;
  return MN_OK;
}

static mn_status visit(mn_context *ctx, struct mn_pruning *p, size_t at)
{
  mn_multiway_growth *tree = p->tree;
  const double as_leaf = mn_expected_errors(p, mn_growing_counts(tree, at));
  double subtree_errors, raised_errors = INFINITY;
  tree->node[at].errors = as_leaf;
  tree->node[at].has_fractional_cases = tree->node[at].first != MN_NO_NODE && has_fractional_cases(tree, at);
  if (tree->node[at].first == MN_NO_NODE) return MN_OK;
  const size_t branch = largest_branch(tree, at, &subtree_errors);
  tree->node[at].errors = subtree_errors;
  if (tree->settings->keep_cases) MN_TRY(branch_errors(ctx, p, at, branch, &raised_errors));
  if (as_leaf <= subtree_errors + TOLERANCE && as_leaf <= raised_errors + TOLERANCE) {
    tree->node[at].errors = as_leaf;
    tree->node[at].has_fractional_cases = false;
    return become_leaf(ctx, p, at);
  }
  return raised_errors <= subtree_errors + TOLERANCE ? raise_branch(ctx, p, at, branch) : MN_OK;
}

mn_status mn_growing_tree_prune(mn_context *ctx, mn_multiway_growth *tree, double confidence)
{
  struct mn_pruning p = { .tree = tree, .confidence = confidence, .z = mn_normal_quantile(1 - confidence) };
  p.row_weight = MN_NEW(ctx, double, tree->rows, 1);
  p.class_weights = MN_NEW(ctx, double, tree->classes, 1);
  if (!p.row_weight || !p.class_weights) return MN_NO_MEMORY;
  if (tree->settings->keep_cases) MN_TRY(mn_subtree_raising_make(ctx, &p));
  MN_TRY(push_subtree(ctx, &p, 0));
  while (p.stack_size > 0) MN_TRY(visit(ctx, &p, p.stack[--p.stack_size]));
  return MN_OK;
}
