/* Nodes are split depth first from a stack or, if the number of leaves is limited, best first from a heap.
 *
 * A large node is searched with one task for each feature. Small nodes become subtrees, one task each: their rows are
 * copied, so that all columns stay in cache. Random numbers are selected by the path to a node. So a tree does not
 * depend on the number of threads. */
#include "grow.h"
#include "../core/threads.h"
#include "finalize.h"
#include "node.h"
#include "node_stats.h"
#include <math.h>

/* --- depth first --- */

/* Grow the node array of the upper tree geometrically. In a subtree it is large enough. */
static mn_status reserve_children(struct mn_subtree_growth *p)
{
  mn_grow_workspace *ws = p->ws;
  if (!p->ctx || p->nodes + 2 <= ws->upper_capacity) return MN_OK;
  struct mn_growing_node *node = MN_GROW(p->ctx, p->node, p->nodes, 2 * ws->upper_capacity);
  MN_CHECK_ALLOC(node);
  p->node = ws->upper = node;
  ws->upper_capacity *= 2;
  return MN_OK;
}

static mn_status add_subtree(mn_context *ctx, mn_grow_workspace *ws, const struct mn_open_node *root)
{
  if (ws->subtrees == ws->subtrees_capacity) {
    struct mn_subtree *subtree = MN_GROW(ctx, ws->subtree, ws->subtrees, 2 * ws->subtrees_capacity);
    MN_CHECK_ALLOC(subtree);
    ws->subtree = subtree;
    ws->subtrees_capacity *= 2;
  }
  ws->subtree[ws->subtrees++] = (struct mn_subtree){ .root = *root };
  return MN_OK;
}

/* Grow the stack of the upper tree geometrically. In a chain to the left each node leaves its right child there. */
static mn_status reserve_stack(struct mn_subtree_growth *p, struct mn_open_node **stack, size_t size, size_t *capacity)
{
  if (!p->ctx || size + 2 <= *capacity) return MN_OK;
  struct mn_open_node *larger = MN_GROW(p->ctx, *stack, size, 2 * *capacity);
  MN_CHECK_ALLOC(larger);
  *stack = larger;
  *capacity *= 2;
  return MN_OK;
}

/* Grow all nodes on the stack of the thread. Small nodes of the upper tree become subtrees. */
static mn_status grow_stack(struct mn_subtree_growth *p, size_t size)
{
  struct mn_open_node *stack = p->thread->stack, child[2];
  size_t capacity = p->thread->stack_capacity;
  while (size > 0) {
    const struct mn_open_node open = stack[--size];
    mn_node_stats stats = { .sum = p->thread->sum };
    mn_split s;
    if (p->ctx) MN_TRY(mn_poll(p->ctx));
    if (p->ctx && open.end - open.begin <= p->ws->max_subtree_rows) {
      MN_TRY(add_subtree(p->ctx, p->ws, &open));
      continue;
    }
    MN_TRY(mn_examine_node(p, &open, &stats, &s));
    if (!s.found) {
      mn_make_leaf(p, &open, &stats);
      continue;
    }
    MN_TRY(reserve_children(p));
    MN_TRY(reserve_stack(p, &stack, size, &capacity));
    mn_split_node(p, &open, &stats, &s, child);
    stack[size++] = child[1];
    stack[size++] = child[0];
  }
  return MN_OK;
}

/* --- subtrees --- */

struct subtrees_work {
  const mn_growth_settings *settings;
  const mn_training_view *view;
  mn_grow_workspace *ws;
  const double *weight;
  double total_weight;
};

/* Copy the values of the given rows, column after column. From a row-major X a row at a time: a row is a few cache
 * lines, while of a column almost every value is a line of its own. */
static void copy_values(const mn_tree_columns *c, double *const *value, const uint32_t *rows, size_t n, double *to)
{
  enum { AHEAD = 8, LINE = 8 };
  const size_t p = c->features;
  const double *x = c->data.x.at;
  if (!x) {
    for (size_t j = 0; j < p; j++)
      for (size_t i = 0; i < n; i++) to[j * n + i] = value[j][rows[i]];
    return;
  }
  for (size_t i = 0; i < n; i++) {
    const double *row = x + rows[i] * p, *ahead = x + rows[i + AHEAD < n ? i + AHEAD : i] * p;
    for (size_t j = 0; j < p; j += LINE) __builtin_prefetch(ahead + j);
    for (size_t j = 0; j < p; j++) to[j * n + i] = row[j];
  }
}

static void copy_columns(const mn_split_settings *settings, const mn_training_view *from, const uint32_t *rows,
                         size_t n, struct mn_thread_state *thread)
{
  const mn_tree_columns *c = settings->columns;
  const size_t p = c->features;
  for (size_t j = 0; j < p; j++) {
    const bool needs_ranks = !settings->random_thresholds || c->is_factor[j] || c->has_missing[j];
    const mn_packed rank = from->rank[j], to = mn_packed_view(thread->ranks + j * n * sizeof(uint32_t), UINT32_MAX);
    thread->rank[j] = to;
    for (size_t i = 0; needs_ranks && i < n; i++) mn_packed_set(to, i, mn_packed_get(rank, rows[i]));
  }
  if (from->value) copy_values(c, from->value, rows, n, thread->values);
  for (size_t j = 0; from->value && j < p; j++) thread->value[j] = thread->values + j * n;
}

/* A compact copy of the rows of a subtree. */
static mn_training_view copy_rows(const struct subtrees_work *w, const struct mn_subtree *subtree,
                                  struct mn_thread_state *thread)
{
  const mn_training_view *from = w->view;
  const size_t n = subtree->root.end - subtree->root.begin, width = w->settings->split.width;
  const uint32_t *rows = w->ws->rows + subtree->root.begin;
  for (size_t i = 0; i < n; i++) {
    thread->id[i] = rows[i];
    thread->rows[i] = (uint32_t)i;
  }
  copy_columns(&w->settings->split, from, rows, n, thread);
  for (size_t i = 0; i < n; i++) {
    if (w->weight) thread->weight[i] = w->weight[rows[i]];
    if (from->code) thread->code[i] = from->code[rows[i]];
    if (from->y) memcpy(thread->y + i * width, from->y + rows[i] * width, width * sizeof *thread->y);
    if (from->y_rank) thread->y_rank[i] = from->y_rank[rows[i]];
  }
  return (mn_training_view){ .row = thread->id,
                             .rank = thread->rank,
                             .value = from->value ? thread->value : NULL,
                             .stride = n,
                             .weight = w->weight ? thread->weight : NULL,
                             .code = from->code ? thread->code : NULL,
                             .y = from->y ? thread->y : NULL,
                             .y_rank = from->y_rank ? thread->y_rank : NULL };
}

static void grow_subtree(void *work, size_t block, size_t worker)
{
  const struct subtrees_work *w = work;
  struct mn_subtree *subtree = &w->ws->subtree[block];
  struct mn_thread_state *thread = &w->ws->thread[worker];
  const mn_training_view view = copy_rows(w, subtree, thread);
  const size_t n = subtree->root.end - subtree->root.begin;
  struct mn_subtree_growth p = { .settings = w->settings,
                                 .view = &view,
                                 .thread = thread,
                                 .ws = w->ws,
                                 .rows = thread->rows,
                                 .buffer = w->ws->buffer + subtree->root.begin,
                                 .first_row = subtree->root.begin,
                                 .node = thread->node,
                                 .nodes = 1,
                                 .total_weight = w->total_weight };
  thread->stack[0] = subtree->root;
  thread->stack[0].begin = thread->stack[0].node = 0;
  thread->stack[0].end = (uint32_t)n;
  (void)grow_stack(&p, 1); /* without a context it cannot fail */
  subtree->nodes = p.nodes;
  subtree->first = atomic_fetch_add(&w->ws->lower_size, p.nodes);
  memcpy(w->ws->lower + subtree->first, p.node, p.nodes * sizeof *p.node);
  for (size_t i = 0; i < n; i++) w->ws->rows[subtree->root.begin + i] = thread->id[thread->rows[i]];
}

/* --- best first --- */

struct candidate {
  struct mn_open_node open;
  mn_split split;
  double gain;
  size_t order; /* ties are broken by the lowest */
};

static bool precedes(const struct candidate *a, const struct candidate *b)
{
  return a->gain > b->gain || (!(a->gain < b->gain) && a->order < b->order);
}

static void heap_push(struct candidate *heap, size_t n, const struct candidate *new)
{
  size_t at = n;
  for (; at > 0 && precedes(new, &heap[(at - 1) / 2]); at = (at - 1) / 2) heap[at] = heap[(at - 1) / 2];
  heap[at] = *new;
}

/* n: size after the removal */
static void heap_pop(struct candidate *heap, size_t n)
{
  const struct candidate last = heap[n];
  size_t at = 0;
  for (size_t child; (child = 2 * at + 1) < n; at = child) {
    if (child + 1 < n && precedes(&heap[child + 1], &heap[child])) child++;
    if (!precedes(&heap[child], &last)) break;
    heap[at] = heap[child];
  }
  heap[at] = last;
}

/* Make the node a leaf for now, and a candidate if it can be split. */
static mn_status add_candidate(struct mn_subtree_growth *p, const struct mn_open_node *open, struct candidate *heap,
                               size_t *n, size_t *order)
{
  mn_node_stats stats = { .sum = p->thread->sum };
  struct candidate c = { .open = *open, .order = (*order)++ };
  MN_TRY(mn_poll(p->ctx));
  MN_TRY(mn_examine_node(p, open, &stats, &c.split));
  mn_make_leaf(p, open, &stats);
  if (!c.split.found) return MN_OK;
  c.split.quantized = NULL; /* overwritten before the node is split */
  c.gain = mn_split_gain(&p->settings->split, &stats, &c.split);
  heap_push(heap, (*n)++, &c);
  return MN_OK;
}

static mn_status grow_best_first(struct mn_subtree_growth *p, const struct mn_open_node *root)
{
  const size_t rows = root->end - root->begin;
  const size_t max_leaves = p->settings->max_leaves < rows ? p->settings->max_leaves : rows;
  struct candidate *heap = MN_RAW(p->ctx, struct candidate, max_leaves + 1, 1);
  size_t n = 0, order = 0, leaves = 1;
  MN_CHECK_ALLOC(heap);
  MN_TRY(add_candidate(p, root, heap, &n, &order));
  while (n > 0 && leaves < max_leaves) {
    struct candidate c = heap[0];
    struct mn_open_node child[2];
    mn_node_stats stats = { .sum = p->thread->sum, .low = c.open.low, .high = c.open.high };
    heap_pop(heap, --n);
    mn_compute_node_stats(&p->settings->split, p->view, p->rows + c.open.begin, c.open.end - c.open.begin,
                          &p->thread->search, &stats);
    MN_TRY(reserve_children(p));
    mn_split_node(p, &c.open, &stats, &c.split, child);
    leaves++;
    for (int side = 0; side < 2; side++) MN_TRY(add_candidate(p, &child[side], heap, &n, &order));
  }
  return MN_OK;
}

/* --- a tree --- */

/* Collect the rows with positive weight, and their positions. Returns how many. */
static uint32_t collect_rows(mn_grow_workspace *ws, size_t rows, const double *weight)
{
  uint32_t n = 0;
  for (size_t i = 0; i < rows; i++) {
    const bool used = !weight || weight[i] > 0;
    if (ws->position) ws->position[i] = used ? n : MN_NO_POSITION;
    if (used) ws->rows[n++] = (uint32_t)i;
  }
  return n;
}

static void reset_workspace(mn_grow_workspace *ws)
{
  ws->upper = ws->initial_nodes;
  ws->subtree = ws->initial_subtrees;
  ws->subtrees = 0;
  ws->upper_capacity = ws->subtrees_capacity = MN_INITIAL_NODES;
  atomic_store(&ws->lower_size, 0);
}

mn_status mn_grow(mn_context *ctx, const mn_growth_settings *settings, mn_grow_workspace *ws,
                  const mn_training_view *view, const double *weight, uint64_t seed, mn_grown_tree *out)
{
  mn_training_view weighted = *view;
  struct mn_open_node root = { .key = seed, .low = -INFINITY, .high = INFINITY, .groups = UINT64_MAX };
  struct mn_subtree_growth p = { .settings = settings,
                                 .view = &weighted,
                                 .thread = ws->thread,
                                 .ws = ws,
                                 .ctx = ctx,
                                 .rows = ws->rows,
                                 .buffer = ws->buffer,
                                 .node = ws->initial_nodes,
                                 .nodes = 1 };
  weighted.weight = weight;
  weighted.position = ws->position;
  root.end = collect_rows(ws, settings->split.columns->rows, weight);
  reset_workspace(ws);
  p.total_weight = mn_rows_weight(&p, 0, root.end);
  mn_grow_workspace_attach(&settings->split, ws, true);
  if (settings->max_leaves > 0) {
    MN_TRY(grow_best_first(&p, &root));
  } else {
    p.thread->stack[0] = root;
    MN_TRY(grow_stack(&p, 1));
  }
  ws->upper_size = p.nodes;
  if (ws->subtrees > 0) mn_grow_workspace_attach(&settings->split, ws, false);
  struct subtrees_work w = {
    .settings = settings, .view = view, .ws = ws, .weight = weight, .total_weight = p.total_weight
  };
  MN_TRY(mn_parallel(ctx, ws->subtrees, grow_subtree, &w));
  return mn_finalize_tree(ctx, settings, ws, &weighted, out);
}
