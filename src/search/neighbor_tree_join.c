/* The nearest rows of all rows of a tree. The rows of a leaf are searched for together: one walk through the tree finds
 * the leaves that are near the box of theirs, and bounds from the box of such a leaf to all of them tell which rows
 * have to be compared with it. So a walk, whose branches are hard to predict, serves a leaf instead of a row.
 *
 * The result is that of one search for each row. Gray & Moore, NIPS 13 (2000), for searches by pairs of nodes. */
#include "neighbor_search.h"
#include <math.h>

enum { VISITS_PER_POLL = 64, LEAVES_PER_POLL = 8 };

struct join {
  const mn_neighbor_search *search;
  size_t levels;
  double *boxes; /* workers x 4 x width */
};

/* Rows of a leaf, at most MN_TREE_PIECE. */
struct piece {
  const mn_neighbor_search *search;
  size_t leaf, from, n;     /* of the leaf, and the place of the first row in it */
  const double *low, *high; /* box of the leaf                               */
  double *other_low, *other_high;
  double limit; /* the largest of the collectors */
  mn_collector collector[MN_TREE_PIECE];
};

static const double *row_of(const mn_collector *c)
{
  return c->search->embedded_queries + c->query * (size_t)c->search->tree->width;
}

static void update_limit(struct piece *p)
{
  p->limit = 0;
  for (size_t i = 0; i < p->n; i++) p->limit = p->collector[i].limit > p->limit ? p->collector[i].limit : p->limit;
}

/* Compare with the rows of another leaf. */
static void visit(struct piece *p, size_t leaf)
{
  const mn_neighbor_search *s = p->search;
  const mn_neighbor_tree *t = s->tree;
  const size_t capacity = (size_t)t->capacity, rest = capacity - p->from;
  double gap[MN_TREE_PIECE];
  mn_tree_leaf_box(t, leaf, p->other_low, p->other_high);
  mn_point_gaps((mn_distance_form)s->space->form, rest < MN_TREE_PIECE ? rest : MN_TREE_PIECE, capacity,
                (size_t)t->width, mn_tree_leaf(t, p->leaf) + p->from, p->other_low, p->other_high, gap);
  for (size_t i = 0; i < p->n; i++)
    if (!(gap[i] > p->collector[i].limit)) mn_collector_scan_leaf(&p->collector[i], row_of(&p->collector[i]), leaf);
  update_limit(p);
}

/* Push the children that are within the limit, the nearest last. */
static size_t push_children(const struct piece *p, mn_tree_node parent, mn_tree_node *stack, size_t size)
{
  double gap[MN_LANES];
  mn_tree_gaps(p->search->tree, p->search->space, parent.level, parent.index, p->low, p->high, gap);
  return mn_tree_push_within(p->search->tree, parent, gap, p->limit, stack, size);
}

static void search_piece(const struct join *w, struct piece *p, const mn_cancel_token *token)
{
  size_t visits = 0;
  mn_tree_node stack[MN_TREE_STACK] = { { 0, 0, 0 } };
  for (size_t i = 0; i < p->n; i++) mn_collector_scan_leaf(&p->collector[i], row_of(&p->collector[i]), p->leaf);
  update_limit(p);
  for (size_t size = 1; size > 0;) {
    const mn_tree_node node = stack[--size];
    if (node.bound > p->limit) continue;
    if (node.level < w->levels)
      size = push_children(p, node, stack, size);
    else if (node.index != p->leaf) {
      visit(p, node.index);
      if (++visits % VISITS_PER_POLL == 0 && !mn_task_should_continue(token)) return;
    }
  }
}

static void join_leaf(void *work, size_t leaf, size_t worker)
{
  const struct join *w = work;
  const mn_neighbor_search *s = w->search;
  const mn_cancel_token token = { s->ctx, worker };
  const size_t begin = mn_tree_begin(s->tree, w->levels, leaf), end = mn_tree_begin(s->tree, w->levels, leaf + 1);
  const size_t width = (size_t)s->tree->width;
  double *box = w->boxes + worker * 4 * width;
  struct piece p = { .search = s,
                     .leaf = leaf,
                     .low = box,
                     .high = box + width,
                     .other_low = box + 2 * width,
                     .other_high = box + 3 * width };
  if (leaf % LEAVES_PER_POLL == 0 && !mn_task_should_continue(&token)) return;
  mn_tree_leaf_box(s->tree, leaf, box, box + width);
  for (p.from = 0; begin + p.from < end; p.from += MN_TREE_PIECE) {
    const size_t rest = end - begin - p.from;
    p.n = rest < MN_TREE_PIECE ? rest : MN_TREE_PIECE;
    for (size_t i = 0; i < p.n; i++)
      p.collector[i] = mn_collector_begin(s, (size_t)s->tree->row.at[begin + p.from + i], NULL);
    search_piece(w, &p, &token);
    for (size_t i = 0; i < p.n; i++) mn_collector_end(&p.collector[i]);
  }
}

bool mn_can_join_rows(const mn_neighbor_search *s)
{
  return s->others && s->embedded_queries == s->embedded_rows && s->k > 0 && mn_collector_pool_size(s) == 0 &&
         !s->tree->balls && s->tree->depth > 0 && s->space->form != MN_FORM_POWERS;
}

mn_status mn_join_rows(mn_context *ctx, const mn_neighbor_search *s)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct join w = { .search = s,
                    .levels = mn_tree_levels(s->tree),
                    .boxes = MN_RAW(ctx, double, mn_threads(ctx), 4 * (size_t)s->tree->width) };
  MN_CHECK_ALLOC(w.boxes);
  MN_TRY(mn_parallel(ctx, (size_t)1 << s->tree->depth, join_leaf, &w));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
