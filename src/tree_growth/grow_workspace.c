#include "grow_workspace.h"

enum { SUBTREE_VALUES = 1 << 16, MAX_SUBTREE_ROWS = 4096, MIN_SUBTREE_ROWS = 64 };

/* Arrays for the compact copy of a subtree of n rows. */
static mn_status make_subtree_arrays(mn_context *ctx, const mn_split_settings *settings, size_t n,
                                     struct mn_thread_state *thread)
{
  const mn_tree_columns *c = settings->columns;
  const size_t p = c->features;
  thread->pairs = MN_RAW(ctx, uint64_t, mn_search_pairs_size(n), 1);
  MN_CHECK_ALLOC(thread->pairs);
  uint32_t *ranks = MN_RAW(ctx, uint32_t, p + 3, n);
  thread->rank = MN_RAW(ctx, mn_packed, p, 1);
  thread->value = MN_RAW(ctx, double *, p, 1);
  thread->values = MN_RAW(ctx, double, (c->value ? p : 0) + settings->width + 1, n);
  thread->code = MN_RAW(ctx, int32_t, n, 1);
  thread->node = MN_RAW(ctx, struct mn_growing_node, n, 2);
  if (!ranks || !thread->rank || !thread->value || !thread->values || !thread->code || !thread->node)
    return MN_NO_MEMORY;
  thread->ranks = (uint8_t *)ranks;
  thread->id = ranks + p * n;
  thread->rows = thread->id + n;
  thread->y_rank = thread->rows + n;
  thread->weight = thread->values + (c->value ? p * n : 0);
  thread->y = thread->weight + n;
  return MN_OK;
}

/* The stack never holds more than one open node for each max_subtree_rows + 1 rows, except in chains to the left, for
 * which it is enlarged. */
static mn_status make_thread(mn_context *ctx, const mn_split_settings *settings, size_t max_subtree_rows,
                             struct mn_thread_state *thread)
{
  const size_t p = settings->columns->features, n = settings->columns->rows;
  const size_t upper = n / (max_subtree_rows + 1) + 2, lower = max_subtree_rows + 2;
  MN_TRY(mn_search_workspace_make(ctx, settings, n, n, &thread->search));
  thread->stack_capacity = upper > lower ? upper : lower;
  thread->sum = MN_RAW(ctx, double, settings->width, 1);
  thread->feature = MN_RAW(ctx, uint32_t, p, 2);
  thread->stack = MN_RAW(ctx, struct mn_open_node, thread->stack_capacity, 1);
  if (!thread->sum || !thread->feature || !thread->stack) return MN_NO_MEMORY;
  thread->swapped = thread->feature + p;
  for (size_t j = 0; j < p; j++) thread->feature[j] = (uint32_t)j;
  return max_subtree_rows > 0 ? make_subtree_arrays(ctx, settings, max_subtree_rows, thread) : MN_OK;
}

/* Rows of subtrees are copied only where most of the copy is read, and not with sparse columns. */
static size_t choose_subtree_rows(const mn_growth_settings *g)
{
  const size_t p = g->split.columns->features, rows = SUBTREE_VALUES / p;
  if (g->max_leaves > 0 || p / 16 > g->max_features || g->split.columns->sparse) return 0;
  return rows < MIN_SUBTREE_ROWS ? MIN_SUBTREE_ROWS : rows > MAX_SUBTREE_ROWS ? MAX_SUBTREE_ROWS : rows;
}

/* The nodes of the subtrees share memory with the pairs for all rows: the upper tree is complete before them. */
static mn_status make_lower(mn_context *ctx, mn_grow_workspace *ws, size_t n)
{
  const size_t pairs = ws->workers * mn_search_pairs_size(n) * sizeof(uint64_t);
  const size_t nodes = ws->max_subtree_rows > 0 ? 2 * n * sizeof(struct mn_growing_node) : 0;
  char *both = MN_RAW(ctx, char, pairs > nodes ? pairs : nodes, 1);
  MN_CHECK_ALLOC(both);
  ws->pairs = (uint64_t *)(void *)both;
  ws->lower = (struct mn_growing_node *)(void *)both;
  return MN_OK;
}

void mn_grow_workspace_attach(const mn_split_settings *settings, mn_grow_workspace *ws, bool upper)
{
  const size_t n = settings->columns->rows;
  for (size_t w = 0; w < ws->workers; w++) {
    struct mn_thread_state *thread = &ws->thread[w];
    if (upper)
      mn_search_workspace_attach(settings, ws->pairs + w * mn_search_pairs_size(n), n, &thread->search);
    else
      mn_search_workspace_attach(settings, thread->pairs, ws->max_subtree_rows, &thread->search);
  }
}

mn_status mn_grow_workspace_make(mn_context *ctx, const mn_growth_settings *g, mn_grow_workspace **out)
{
  const size_t n = g->split.columns->rows, p = g->split.columns->features;
  mn_grow_workspace *ws = MN_NEW(ctx, mn_grow_workspace, 1, 1);
  MN_CHECK_ALLOC(ws);
  ws->max_subtree_rows = choose_subtree_rows(g);
  ws->workers = mn_threads(ctx);
  ws->thread = MN_NEW(ctx, struct mn_thread_state, ws->workers, 1);
  ws->rows = MN_RAW(ctx, uint32_t, n, 2);
  ws->split = MN_RAW(ctx, mn_split, p, 1);
  ws->constant = MN_RAW(ctx, bool, p, 1);
  ws->initial_nodes = MN_RAW(ctx, struct mn_growing_node, MN_INITIAL_NODES, 1);
  ws->initial_subtrees = MN_RAW(ctx, struct mn_subtree, MN_INITIAL_NODES, 1);
  if (!ws->thread || !ws->rows || !ws->split || !ws->constant || !ws->initial_nodes || !ws->initial_subtrees)
    return MN_NO_MEMORY;
  ws->buffer = ws->rows + n;
  if (g->split.columns->sparse) {
    ws->position = MN_RAW(ctx, uint32_t, n, 1);
    MN_CHECK_ALLOC(ws->position);
  }
  MN_TRY(make_lower(ctx, ws, n));
  for (size_t w = 0; w < ws->workers; w++) {
    MN_TRY(make_thread(ctx, &g->split, ws->max_subtree_rows, &ws->thread[w]));
    ws->thread[w].search.token.worker = w;
  }
  *out = ws;
  return MN_OK;
}
