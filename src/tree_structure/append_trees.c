/* A tree is appended as soon as all trees before it are; until then a copy of it waits. So, with trees of similar size,
 * memory is hardly more than that of the model. */
#include "append_trees.h"
#include "../core/threads.h"

/* Numbers of elements in the arrays. */
struct offsets {
  size_t nodes, blocks, levels;
};

/* The arrays to which trees are appended. */
struct target {
  const char *who;
  mn_trees *out;
  size_t first, trees, width; /* first: number of trees at the beginning */
  bool impurities;
  struct offsets used; /* of the arrays, which are longer until the last tree */
  size_t next;         /* tree to be appended */
};

struct mn_tree_appender {
  struct target to;
  mn_grown_tree *waiting; /* trees: copies, each in one memory block that begins with its nodes */
  pthread_mutex_t lock;
};

static struct offsets offsets_after(struct offsets before, const mn_grown_tree *tree)
{
  return (struct offsets){ before.nodes + tree->nodes, before.blocks + tree->blocks, before.levels + tree->levels };
}

/* --- memory --- */

static mn_status resize(mn_context *ctx, const struct target *a, struct offsets all)
{
  mn_trees *out = a->out;
  if (all.nodes != out->cover.size) {
    MN_TRY(mn_indexes_resize(ctx, &out->node, all.nodes * MN_NODE_WORDS));
    MN_TRY(mn_vector_resize(ctx, &out->cover, all.nodes));
    if (a->impurities) MN_TRY(mn_vector_resize(ctx, &out->impurity, all.nodes));
  }
  if (all.blocks * a->width != out->value.size) MN_TRY(mn_vector_resize(ctx, &out->value, all.blocks * a->width));
  if (all.levels != out->subset.size) MN_TRY(mn_indexes_resize(ctx, &out->subset, all.levels));
  return MN_OK;
}

static mn_status check_size(mn_context *ctx, const struct target *a, struct offsets all)
{
  if (all.nodes <= INT32_MAX && all.blocks <= INT32_MAX && all.levels <= INT32_MAX) return MN_OK;
  return mn_fail(ctx, MN_BAD_DATA,
                 "%s: the trees must have fewer than 2^31 nodes in total; grow fewer or smaller trees", a->who);
}

static mn_status init_target(mn_context *ctx, const char *who, size_t trees, size_t width, bool impurities,
                             mn_trees *out, struct target *a)
{
  const size_t first = mn_trees_count(out);
  *a = (struct target){ .who = who, .out = out, .first = first, .trees = trees, .width = width };
  a->impurities = impurities && (first == 0 || out->impurity.at);
  a->used = (struct offsets){ out->cover.size, out->value.size / width, out->subset.size };
  MN_TRY(mn_indexes_resize(ctx, &out->root, first + trees + 1));
  out->root.at[0] = 0;
  return MN_OK;
}

/* --- one tree --- */

/* Copy the nodes of one tree, and shift their indexes of blocks and levels. */
static void copy_nodes(const mn_cancel_token *token, const mn_grown_tree *tree, struct offsets before, int32_t *to)
{
  mn_chunk p = { 0 };
  while (mn_next_chunk(token, tree->nodes, &p)) {
    const size_t first = MN_NODE_WORDS * p.begin, size = MN_NODE_WORDS * (p.end - p.begin);
    memcpy(to + first, tree->node + first, size * sizeof *to);
    for (int32_t *w = to + first; w < to + first + size; w += MN_NODE_WORDS) {
      if (mn_is_leaf_of(w, MN_LEAF_BLOCK)) w[MN_NODE_LOW] += (int32_t)before.blocks;
      if (mn_is_level_split(w)) w[MN_NODE_LOW] += (int32_t)before.levels;
    }
  }
}

/* Copy n values; zeros if `from` is NULL. */
static void copy_values(const mn_cancel_token *token, double *to, const double *from, size_t n)
{
  if (n == 0) return;
  if (from)
    (void)mn_copy_cancellable(token, to, from, n * sizeof *to);
  else
    memset(to, 0, n * sizeof *to);
}

/* Append a tree to arrays that are large enough. */
static mn_status append_reserved(mn_context *ctx, struct target *a, const mn_grown_tree *tree)
{
  const mn_cancel_token token = { .ctx = ctx };
  mn_trees *out = a->out;
  copy_nodes(&token, tree, a->used, out->node.at + a->used.nodes * MN_NODE_WORDS);
  copy_values(&token, out->cover.at + a->used.nodes, tree->cover, tree->nodes);
  if (a->impurities) copy_values(&token, out->impurity.at + a->used.nodes, tree->impurity, tree->nodes);
  copy_values(&token, out->value.at + a->used.blocks * a->width, tree->value, tree->blocks * a->width);
  if (tree->levels > 0) memcpy(out->subset.at + a->used.levels, tree->subset, tree->levels * sizeof *tree->subset);
  a->used = offsets_after(a->used, tree);
  out->root.at[a->first + ++a->next] = (int32_t)a->used.nodes;
  return mn_error_status(ctx);
}

/* --- trees that are complete --- */

mn_status mn_append_trees(mn_context *ctx, const char *who, const mn_grown_tree *tree, size_t trees, size_t width,
                          mn_trees *out)
{
  struct target a;
  MN_TRY(init_target(ctx, who, trees, width, trees > 0 && tree[0].impurity, out, &a));
  struct offsets all = a.used;
  for (size_t t = 0; t < trees; t++) all = offsets_after(all, &tree[t]);
  MN_TRY(check_size(ctx, &a, all));
  MN_TRY(resize(ctx, &a, all));
  for (size_t t = 0; t < trees; t++) MN_TRY(append_reserved(ctx, &a, &tree[t]));
  return MN_OK;
}

/* --- trees that come one by one --- */

/* The size needed by all trees if the others are like those so far, and a sixteenth more. */
static size_t estimate_size(const struct target *a, size_t needed, size_t capacity)
{
  const double each = (double)needed / (double)(a->next + 1), rest = (double)(a->trees - a->next - 1);
  return needed <= capacity ? capacity : needed + (size_t)(each * rest * 17 / 16);
}

static mn_status append(mn_context *ctx, struct target *a, const mn_grown_tree *tree)
{
  const mn_trees *out = a->out;
  const struct offsets needed = offsets_after(a->used, tree);
  MN_TRY(check_size(ctx, a, needed));
  MN_TRY(resize(ctx, a,
                (struct offsets){ .nodes = estimate_size(a, needed.nodes, out->cover.size),
                                  .blocks = estimate_size(a, needed.blocks, out->value.size / a->width),
                                  .levels = estimate_size(a, needed.levels, out->subset.size) }));
  return append_reserved(ctx, a, tree);
}

/* Copy a tree that comes before its turn. The doubles stand between the nodes and the levels, so that they are aligned.
 */
static mn_status keep_copy(mn_context *ctx, const mn_grown_tree *tree, size_t width, mn_grown_tree *copy)
{
  const size_t words = tree->nodes * MN_NODE_WORDS, reals = tree->nodes + tree->blocks * width;
  int32_t *node = mn_alloc(mn_context_memory(ctx), (words + tree->levels) * sizeof(int32_t) + reals * sizeof(double));
  if (!node) return mn_fail(ctx, MN_NO_MEMORY, "not enough memory for a tree of %zu nodes", tree->nodes);
  double *cover = (double *)(void *)(node + words);
  *copy = (mn_grown_tree){ .node = node,
                           .cover = cover,
                           .nodes = tree->nodes,
                           .value = cover + tree->nodes,
                           .blocks = tree->blocks,
                           .subset = (int32_t *)(void *)(cover + reals),
                           .levels = tree->levels };
  memcpy(copy->node, tree->node, words * sizeof *copy->node);
  const mn_cancel_token token = { .ctx = ctx };
  copy_values(&token, copy->cover, tree->cover, tree->nodes);
  copy_values(&token, copy->value, tree->value, tree->blocks * width);
  if (tree->levels > 0) memcpy(copy->subset, tree->subset, tree->levels * sizeof *copy->subset);
  return MN_OK;
}

static void free_copy(mn_context *ctx, mn_grown_tree *copy)
{
  mn_free(mn_context_memory(ctx), copy->node);
  copy->node = NULL;
}

static mn_status add(mn_context *ctx, mn_tree_appender *j, size_t t, const mn_grown_tree *tree)
{
  struct target *to = &j->to;
  if (t != to->next) return keep_copy(ctx, tree, to->width, &j->waiting[t]);
  MN_TRY(append(ctx, to, tree));
  while (to->next < to->trees && j->waiting[to->next].node) {
    mn_grown_tree *copy = &j->waiting[to->next];
    MN_TRY(append(ctx, to, copy));
    free_copy(ctx, copy);
  }
  return MN_OK;
}

mn_status mn_tree_appender_begin(mn_context *ctx, const char *who, size_t trees, size_t width, mn_trees *out,
                                 mn_tree_appender **appender)
{
  mn_tree_appender *j = MN_NEW(ctx, mn_tree_appender, 1, 1);
  MN_CHECK_ALLOC(j);
  j->waiting = MN_NEW(ctx, mn_grown_tree, trees, 1);
  MN_CHECK_ALLOC(j->waiting);
  MN_TRY(init_target(ctx, who, trees, width, false, out, &j->to));
  if (pthread_mutex_init(&j->lock, NULL) != 0) return mn_fail(ctx, MN_NO_MEMORY, "not enough memory for a lock");
  *appender = j;
  return MN_OK;
}

mn_status mn_tree_appender_add(mn_tree_appender *j, mn_context *ctx, size_t t, const mn_grown_tree *tree)
{
  pthread_mutex_lock(&j->lock);
  const mn_status status = add(ctx, j, t, tree);
  pthread_mutex_unlock(&j->lock);
  return status;
}

mn_status mn_tree_appender_end(mn_tree_appender *j, mn_context *ctx)
{
  for (size_t t = 0; t < j->to.trees; t++) free_copy(ctx, &j->waiting[t]);
  pthread_mutex_destroy(&j->lock);
  return j->to.next == j->to.trees ? resize(ctx, &j->to, j->to.used) : MN_OK;
}
