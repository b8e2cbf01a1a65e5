/* Depth-first growth without recursion: the cases of nodes still to be split are on a stack, those of the next node on
 * top. */
#include "multiway_grow.h"

/* Bound on the fractional cases of all pending nodes, or of all leaves: rows with missing values in splits with
 * thousands of levels. */
enum { MAX_CASES = 1 << 27, MIN_PARALLEL_WORK = 20000 };

struct waiting {
  size_t at, begin, depth;
};

struct growth {
  mn_multiway_growth *tree;
  mn_feature_search *searches; /* workers */
  mn_feature_split *splits;    /* features */
  struct waiting *waiting;
  size_t n_waiting, capacity;
  size_t begin, at;        /* node that is being evaluated */
  bool only_large_factors; /* all features are factors with a level for every few rows */
};

/* --- arrays that grow --- */

mn_status mn_cases_reserve(mn_context *ctx, const mn_multiway_growth *tree, mn_cases *cases, size_t size)
{
  if (size <= cases->capacity) return MN_OK;
  if (size > MAX_CASES)
    return mn_fail(ctx, MN_BAD_DATA,
                   "%s: rows with missing values need more than %d fractional cases; impute them first (SimpleImputer)",
                   tree->who, MAX_CASES);
  const size_t capacity = size + size / 2 + 64;
  mn_weighted_row *at = MN_RAW(ctx, mn_weighted_row, capacity, 1);
  MN_CHECK_ALLOC(at);
  if (!mn_copy_cancellable(&(mn_cancel_token){ .ctx = ctx }, at, cases->at, cases->size * sizeof *at))
    return mn_poll(ctx);
  cases->at = at;
  cases->capacity = capacity;
  return MN_OK;
}

mn_status mn_growing_tree_add(mn_context *ctx, mn_multiway_growth *tree, size_t *at)
{
  if (tree->size == tree->capacity) {
    const size_t capacity = 2 * tree->capacity + 16;
    mn_multiway_node *node = MN_GROW(ctx, tree->node, tree->size, capacity);
    double *counts = mn_scratch_grow(ctx, tree->counts, tree->classes * sizeof *counts, tree->size, capacity);
    if (!node || !counts) return MN_NO_MEMORY;
    tree->node = node;
    tree->counts = counts;
    tree->capacity = capacity;
  }
  if (tree->size >= INT32_MAX)
    return mn_fail(ctx, MN_BAD_DATA, "%s: the tree needs more than 2^31 - 1 nodes", tree->who);
  *at = tree->size++;
  tree->node[*at] = (mn_multiway_node){ .first = MN_NO_NODE, .next = MN_NO_NODE, .share = 1 };
  memset(mn_growing_counts(tree, *at), 0, tree->classes * sizeof(double));
  return MN_OK;
}

static mn_status push_waiting(mn_context *ctx, struct growth *g, struct waiting one)
{
  if (g->n_waiting == g->capacity) {
    const size_t capacity = 2 * g->capacity + 16;
    struct waiting *waiting = MN_GROW(ctx, g->waiting, g->n_waiting, capacity);
    MN_CHECK_ALLOC(waiting);
    g->waiting = waiting;
    g->capacity = capacity;
  }
  g->waiting[g->n_waiting++] = one;
  return MN_OK;
}

/* --- partitioning the cases of a node --- */

/* Sort the known cases by branch into tree->sorted, with the missing ones after them. *sorted: number of known cases.
 */
static mn_status sort_by_branch(mn_context *ctx, mn_multiway_growth *tree, const mn_multiway_node *s, size_t begin,
                                size_t *sorted)
{
  const mn_packed rank = tree->columns->rank[s->feature];
  const uint32_t missing = tree->columns->distinct[s->feature];
  const size_t n = tree->stack.size - begin;
  size_t n_known = 0, missing_at = n;
  size_t remaining = tree->columns->has_missing[s->feature] ? n : 0;
  while (remaining-- > 0) { /* from the end, so that missing cases keep their order */
    const mn_weighted_row c = tree->stack.at[begin + remaining];
    if (mn_packed_get(rank, c.row) == missing) tree->sorted[--missing_at] = c;
  }
  const mn_cancel_token token = { .ctx = ctx };
  mn_chunk p = { 0 };
  while (mn_next_chunk(&token, n, &p))
    for (size_t i = p.begin; i < p.end; i++) {
      const mn_weighted_row c = tree->stack.at[begin + i];
      const uint32_t r = mn_packed_get(rank, c.row);
      if (r == missing) continue;
      tree->sorted[n_known] = c;
      tree->key[n_known++] = isnan(s->threshold) ? r : r > s->threshold_rank;
    }
  MN_TRY(mn_error_status(ctx));
  *sorted = n_known;
  return mn_sort_weighted_rows(&token, n_known, tree->sorted, tree->key, tree->sort_buffer, tree->key_buffer)
             ? MN_OK
             : mn_poll(ctx);
}

/* Find the branches of node `at` with known cases in tree->sorted, or with extra_weight: sorted by level, with their
 * weights; begin and end are positions in tree->sorted. */
static size_t find_branches(mn_multiway_growth *tree, size_t at, size_t n_known, const double *extra_weight,
                            double *total)
{
  int32_t child = extra_weight ? tree->node[at].first : MN_NO_NODE;
  size_t count = 0, i = 0;
  *total = 0;
  while (i < n_known || child != MN_NO_NODE) {
    const bool by_child = child != MN_NO_NODE && (i == n_known || tree->node[child].level < tree->key[i]);
    mn_branch branch = { .level = by_child ? tree->node[child].level : tree->key[i], .begin = i };
    if (child != MN_NO_NODE && tree->node[child].level == branch.level) {
      branch.weight = extra_weight[child];
      *total += branch.weight;
      child = tree->node[child].next;
    }
    for (; i < n_known && tree->key[i] == branch.level; i++) {
      branch.weight += tree->sorted[i].weight;
      *total += tree->sorted[i].weight;
    }
    branch.end = i;
    if (branch.end > branch.begin || branch.weight > 0) tree->branch[count++] = branch;
  }
  return count;
}

mn_status mn_growing_tree_partition(mn_context *ctx, mn_multiway_growth *tree, size_t at, size_t begin,
                                    const double *extra_weight, size_t *branches)
{
  const size_t n = tree->stack.size - begin;
  size_t n_known;
  MN_TRY(sort_by_branch(ctx, tree, &tree->node[at], begin, &n_known));
  const size_t missing = n - n_known;
  double total;
  const size_t count = *branches = find_branches(tree, at, n_known, extra_weight, &total);
  MN_TRY(mn_cases_reserve(ctx, tree, &tree->stack, begin + n_known + missing * count));
  size_t end = begin;
  for (size_t v = 0; v < count; v++) {
    mn_branch *branch = &tree->branch[v];
    const size_t size = branch->end - branch->begin;
    if (size > 0) memcpy(tree->stack.at + end, tree->sorted + branch->begin, size * sizeof(mn_weighted_row));
    for (size_t i = 0; i < missing; i++) {
      mn_weighted_row c = tree->sorted[n_known + i];
      c.weight *= branch->weight / total;
      tree->stack.at[end + size + i] = c;
    }
    branch->begin = end;
    branch->end = end += size + missing;
    branch->weight /= total;
  }
  tree->stack.size = end;
  return MN_OK;
}

/* --- choosing the feature --- */

static void evaluate_feature(void *work, size_t j, size_t worker)
{
  const struct growth *g = work;
  const mn_multiway_growth *tree = g->tree;
  mn_evaluate_feature(tree, &g->searches[worker], tree->stack.at + g->begin, tree->stack.size - g->begin,
                      mn_growing_counts(tree, g->at), j, &g->splits[j]);
}

/* A factor with so many levels that its gain is meaningless. */
static bool is_large_factor(const mn_multiway_growth *tree, size_t j)
{
  return tree->columns->is_factor[j] && tree->columns->distinct[j] >= 0.3 * tree->total;
}

static size_t choose_by_gain(const mn_feature_split *splits, size_t features)
{
  size_t best = SIZE_MAX;
  for (size_t j = 0; j < features; j++)
    if (splits[j].valid && (best == SIZE_MAX || splits[j].gain > splits[best].gain + 1e-9)) best = j;
  return best;
}

/* The best gain ratio among splits whose gain is at least the mean. */
static size_t choose_by_ratio(const struct growth *g, const mn_feature_split *splits, size_t features)
{
  const double tolerance = 1e-3; /* as in C4.5 */
  double sum = 0, count = 0, ratio = 1e-9;
  size_t best = SIZE_MAX;
  for (size_t j = 0; j < features; j++) {
    if (!splits[j].valid || (is_large_factor(g->tree, j) && !g->only_large_factors)) continue;
    sum += splits[j].gain;
    count++;
  }
  for (size_t j = 0; j < features; j++) {
    const bool enough = count > 0 ? splits[j].gain >= sum / count - tolerance : splits[j].valid;
    if (!splits[j].valid || !enough || !(splits[j].ratio > ratio + 1e-9)) continue;
    ratio = splits[j].ratio;
    best = j;
  }
  return best;
}

static bool can_split(const struct growth *g, const struct waiting *node)
{
  const mn_multiway_growth *tree = g->tree;
  const double *counts = mn_growing_counts(tree, node->at);
  double sum = 0, max = 0;
  for (size_t c = 0; c < tree->classes; c++) {
    sum += counts[c];
    max = fmax(max, counts[c]);
  }
  return node->depth < tree->settings->max_depth && max < sum && sum >= 2 * tree->settings->min_cases - 1e-6;
}

static mn_status choose_feature(mn_context *ctx, struct growth *g, const struct waiting *node, size_t *feature)
{
  const mn_multiway_growth *tree = g->tree;
  const size_t features = tree->columns->features;
  *feature = SIZE_MAX;
  if (!can_split(g, node)) return MN_OK;
  g->begin = node->begin;
  g->at = node->at;
  if ((tree->stack.size - node->begin) * features >= MIN_PARALLEL_WORK)
    MN_TRY(mn_parallel(ctx, features, evaluate_feature, g));
  else
    for (size_t j = 0; j < features; j++) evaluate_feature(g, j, 0);
  *feature =
      tree->settings->by_gain_ratio ? choose_by_ratio(g, g->splits, features) : choose_by_gain(g->splits, features);
  return MN_OK;
}

/* --- nodes --- */

static mn_status finish_leaf(mn_context *ctx, mn_multiway_growth *tree, const struct waiting *node)
{
  const size_t n = tree->stack.size - node->begin;
  mn_multiway_node *s = &tree->node[node->at];
  if (tree->settings->keep_cases) {
    MN_TRY(mn_cases_reserve(ctx, tree, &tree->leaf_cases, tree->leaf_cases.size + n));
    s->begin = tree->leaf_cases.size;
    s->end = s->begin + n;
    memcpy(tree->leaf_cases.at + s->begin, tree->stack.at + node->begin, n * sizeof(mn_weighted_row));
    tree->leaf_cases.size += n;
  }
  tree->stack.size = node->begin;
  return MN_OK;
}

static mn_status split(mn_context *ctx, struct growth *g, const struct waiting *node, size_t feature)
{
  mn_multiway_growth *tree = g->tree;
  const mn_feature_split *splits = &g->splits[feature];
  mn_multiway_node *s = &tree->node[node->at];
  size_t branches, last = SIZE_MAX;
  s->feature = feature;
  s->threshold = tree->columns->is_factor[feature] ? (double)NAN : splits->threshold;
  s->threshold_rank = splits->threshold_rank;
  s->gain = splits->gain;
  MN_TRY(mn_growing_tree_partition(ctx, tree, node->at, node->begin, NULL, &branches));
  for (size_t v = 0; v < branches; v++) {
    size_t child = 0;
    MN_TRY(mn_growing_tree_add(ctx, tree, &child));
    tree->node[child].level = tree->branch[v].level;
    tree->node[child].share = tree->branch[v].weight;
    for (size_t i = tree->branch[v].begin; i < tree->branch[v].end; i++)
      mn_growing_counts(tree, child)[tree->code[tree->stack.at[i].row]] += tree->stack.at[i].weight;
    if (last == SIZE_MAX)
      tree->node[node->at].first = (int32_t)child;
    else
      tree->node[last].next = (int32_t)child;
    last = child;
    MN_TRY(push_waiting(ctx, g, (struct waiting){ child, tree->branch[v].begin, node->depth + 1 }));
  }
  return MN_OK;
}

static mn_status prepare(mn_context *ctx, mn_multiway_growth *tree, const mn_data *data, struct growth *g)
{
  const size_t n = tree->rows, workers = mn_threads(ctx);
  size_t root;
  *g = (struct growth){ .tree = tree,
                        .searches = MN_RAW(ctx, mn_feature_search, workers, 1),
                        .only_large_factors = true };
  g->splits = MN_RAW(ctx, mn_feature_split, data->features, 1);
  tree->sorted = MN_RAW(ctx, mn_weighted_row, n, 2);
  tree->key = MN_RAW(ctx, uint32_t, n, 2);
  tree->branch = MN_RAW(ctx, mn_branch, n + 2, 1);
  if (!g->searches || !g->splits || !tree->sorted || !tree->key || !tree->branch) return MN_NO_MEMORY;
  tree->sort_buffer = tree->sorted + n;
  tree->key_buffer = tree->key + n;
  for (size_t w = 0; w < workers; w++) MN_TRY(mn_feature_search_make(ctx, w, n, tree->classes, &g->searches[w]));
  MN_TRY(mn_growing_tree_add(ctx, tree, &root));
  MN_TRY(mn_cases_reserve(ctx, tree, &tree->stack, n));
  for (size_t i = 0; i < n; i++) {
    tree->stack.at[tree->stack.size++] = (mn_weighted_row){ (uint32_t)i, mn_weight(data, i) };
    mn_growing_counts(tree, root)[data->code[i]] += mn_weight(data, i);
    tree->total += mn_weight(data, i);
  }
  MN_TRY(mn_growing_tree_tabulate_logs(ctx, tree));
  for (size_t j = 0; j < data->features; j++) g->only_large_factors = g->only_large_factors && is_large_factor(tree, j);
  return push_waiting(ctx, g, (struct waiting){ root, 0, 0 });
}

mn_status mn_growing_tree_grow(mn_context *ctx, mn_multiway_growth *tree, const mn_data *data)
{
  struct growth g;
  MN_TRY(prepare(ctx, tree, data, &g));
  while (g.n_waiting > 0) {
    const struct waiting node = g.waiting[--g.n_waiting];
    size_t feature;
    MN_TRY(choose_feature(ctx, &g, &node, &feature));
    if (feature == SIZE_MAX)
      MN_TRY(finish_leaf(ctx, tree, &node));
    else
      MN_TRY(split(ctx, &g, &node, feature));
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}
