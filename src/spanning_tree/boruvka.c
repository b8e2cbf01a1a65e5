/* Boruvka's algorithm: in each round every component finds its least edge to another component, by searches from its
 * rows through the tree. Nodes are skipped that belong to the component as a whole, or whose edges are certainly not
 * less than one found before by any row of the component. A row keeps the edge it found: while that leads to another
 * component, it remains the least of the row, because the rows to choose from only become fewer. All rows of a leaf are
 * skipped at once if a ball around them is far from other components.
 *
 * Components above the mean size take no part in a round: a large one is mostly joined by the searches of small ones.
 * If that joins too few, all take part in the next round.
 *
 * Bounds are shared by threads, so how much is skipped depends on timing; the least edges do not. */
#include "boruvka.h"
#include "components.h"
#include <string.h>

enum { BLOCK_ROWS = 4096 };

/* The component of each row, and of nodes all of whose rows are in one. */
static void find_components(mn_boruvka_rounds *w)
{
  const mn_neighbor_tree *t = w->tree;
  const size_t leaves = (size_t)1 << t->depth, inner = mn_tree_above(t, w->levels);
  for (size_t p = 0; p < w->n; p++) w->component[p] = mn_component(w->parent, t->row.at[p]);
  for (size_t leaf = 0; leaf < leaves; leaf++) {
    const size_t begin = mn_tree_begin(t, w->levels, leaf), end = mn_tree_begin(t, w->levels, leaf + 1);
    int32_t same = begin < end ? w->component[begin] : -1;
    for (size_t p = begin; p < end; p++)
      if (w->component[p] != same) same = -1;
    w->node_component[inner + leaf] = same;
  }
  for (size_t level = w->levels; level-- > 0;) {
    const size_t children = mn_tree_children(t, level), nodes = (size_t)1 << mn_tree_depth(t, level);
    const int32_t *below = w->node_component + mn_tree_above(t, level + 1);
    for (size_t i = 0; i < nodes; i++) {
      int32_t same = below[i * children];
      for (size_t c = 1; c < children; c++)
        if (below[i * children + c] != same) same = -1;
      w->node_component[mn_tree_above(t, level) + i] = same;
    }
  }
}

static void find_node_cores(mn_boruvka_rounds *w)
{
  const mn_neighbor_tree *t = w->tree;
  const size_t leaves = (size_t)1 << t->depth, inner = mn_tree_above(t, w->levels);
  for (size_t leaf = 0; leaf < leaves; leaf++) {
    double least = INFINITY;
    for (size_t p = mn_tree_begin(t, w->levels, leaf); p < mn_tree_begin(t, w->levels, leaf + 1); p++)
      least = fmin(least, w->core[p]);
    w->node_core[inner + leaf] = least;
  }
  for (size_t level = w->levels; level-- > 0;) {
    const size_t children = mn_tree_children(t, level), nodes = (size_t)1 << mn_tree_depth(t, level);
    const double *below = w->node_core + mn_tree_above(t, level + 1);
    double *here = w->node_core + mn_tree_above(t, level);
    for (size_t i = 0; i < nodes; i++) {
      here[i] = below[i * children];
      for (size_t c = 1; c < children; c++) here[i] = fmin(here[i], below[i * children + c]);
    }
  }
}

/* The least edge of a row, from its known neighbors. Edges to other rows have at least the distance of the last known
 * one, and at least the weight of the core distance: so it is certain if its weight is below that distance, or is the
 * core distance and its distance is below. Otherwise only a lower bound is certain. */
static void look_up(mn_boruvka_rounds *w, size_t p)
{
  if (w->exhausted[p]) return;
  const size_t k = w->known.k, row = (size_t)w->tree->row.at[p];
  const int32_t *neighbor = w->known.row + row * k;
  const double *distance = w->known.distance + row * k, last = distance[k - 1];
  mn_row_edge best = { INFINITY, INFINITY, -1 };
  for (size_t j = 0; j < k && !(distance[j] > best.weight); j++) {
    const int32_t other = w->place[neighbor[j]];
    const double weight = mn_larger(distance[j], mn_larger(w->core[p], w->core[other]));
    if (w->component[other] == w->component[p] || weight > best.weight) continue;
    const mn_row_edge found = { weight, distance[j], other };
    if (best.target < 0 || mn_edge_is_less(mn_edge_of_row(w, p, &found), mn_edge_of_row(w, p, &best))) best = found;
  }
  if (best.target >= 0) mn_component_lower(w, w->component[p], best.weight);
  if (best.weight < last || (best.weight <= w->core[p] && best.distance < last))
    w->best[p] = best;
  else
    w->best[p].weight = mn_larger(w->best[p].weight, fmin(best.weight, mn_larger(w->core[p], last)));
  w->exhausted[p] = best.target < 0;
}

/* Rows near in the tree are not near in memory. */
static void prefetch(const mn_boruvka_rounds *w, size_t p)
{
  const size_t at = (size_t)w->tree->row.at[p] * w->known.k, line = 64;
  const char *row = (const char *)(w->known.row + at), *distance = (const char *)(w->known.distance + at);
  for (size_t byte = 0; byte < w->known.k * sizeof(int32_t); byte += line) __builtin_prefetch(row + byte);
  for (size_t byte = 0; byte < w->known.k * sizeof(double); byte += line) __builtin_prefetch(distance + byte);
}

static void look_up_block(void *work, size_t block, size_t worker)
{
  enum { AHEAD = 8 };
  mn_boruvka_rounds *w = work;
  const size_t end = mn_block_end(&w->blocks, block);
  (void)worker;
  for (size_t p = mn_block_begin(&w->blocks, block); p < end; p++) {
    mn_row_edge *b = &w->best[p];
    if (w->known.k > 0 && p + AHEAD < end && !w->exhausted[p + AHEAD]) prefetch(w, p + AHEAD);
    if (b->target >= 0 && w->component[b->target] == w->component[p]) b->target = -1;
    if (b->target >= 0)
      mn_component_lower(w, w->component[p], b->weight);
    else if (w->known.k > 0)
      look_up(w, p);
  }
}

static mn_status begin_round(mn_context *ctx, mn_boruvka_rounds *w)
{
  const double infinity = INFINITY;
  uint64_t unbounded;
  memcpy(&unbounded, &infinity, sizeof unbounded);
  find_components(w);
  memset(w->size, 0, w->n * sizeof *w->size);
  for (size_t i = 0; i < w->n; i++) {
    atomic_init(&w->bound[i], unbounded);
    w->size[w->component[i]]++;
  }
  return mn_parallel(ctx, w->blocks.count, look_up_block, w);
}

/* Join the components along their least edges; returns the number of edges so far. */
static size_t end_round(mn_boruvka_rounds *w, mn_edge *least, size_t count, mn_edge *edges)
{
  for (size_t i = 0; i < w->n; i++) least[i] = (mn_edge){ INFINITY, INFINITY, INT32_MAX, INT32_MAX };
  for (size_t p = 0; p < w->n; p++) {
    if (w->best[p].target < 0 || !mn_takes_part(w, w->component[p])) continue;
    const mn_edge edge = mn_edge_of_row(w, p, &w->best[p]);
    mn_edge *own = &least[w->component[p]];
    if (mn_edge_is_less(edge, *own)) *own = edge;
  }
  for (size_t i = 0; i < w->n; i++)
    if (least[i].a < INT32_MAX && mn_components_join(w->parent, least[i].a, least[i].b)) edges[count++] = least[i];
  return count;
}

static mn_status allocate(mn_context *ctx, mn_boruvka_rounds *w)
{
  const size_t nodes = mn_tree_above(w->tree, w->levels) + ((size_t)1 << w->tree->depth);
  w->core = MN_NEW(ctx, double, w->n, 1);
  w->node_core = MN_RAW(ctx, double, nodes, 1);
  w->node_component = MN_RAW(ctx, int32_t, nodes, 1);
  w->component = MN_RAW(ctx, int32_t, w->n, 1);
  w->parent = MN_RAW(ctx, int32_t, w->n, 1);
  w->best = MN_RAW(ctx, mn_row_edge, w->n, 1);
  w->exhausted = MN_NEW(ctx, bool, w->n, 1);
  w->place = MN_RAW(ctx, int32_t, w->n, 1);
  w->size = MN_RAW(ctx, int32_t, w->n, 1);
  w->bound = MN_RAW(ctx, _Atomic uint64_t, w->n, 1);
  const bool complete = w->core && w->node_core && w->node_component && w->component && w->parent && w->best &&
                        w->exhausted && w->place && w->size && w->bound;
  return complete ? MN_OK : MN_NO_MEMORY;
}

mn_status mn_boruvka(mn_context *ctx, const mn_neighbor_index *index, const mn_points *rows, const double *core,
                     mn_known_neighbors known, mn_edge *edges)
{
  mn_boruvka_rounds w = { .space = &index->space, .tree = &index->tree, .rows = rows, .ctx = ctx, .known = known };
  w.n = rows->n;
  w.blocks = mn_make_blocks(w.n, BLOCK_ROWS, SIZE_MAX);
  w.levels = mn_tree_levels(w.tree);
  w.embedded = index->embedded.at ? index->embedded.at : rows->x;
  w.exact = mn_space_scans_exactly(w.space);
  for (size_t level = 0; level <= w.levels; level++) w.above[level] = mn_tree_above(w.tree, level);
  MN_TRY(allocate(ctx, &w));
  mn_edge *least = MN_RAW(ctx, mn_edge, w.n, 1);
  MN_CHECK_ALLOC(least);
  mn_components_init(w.parent, w.n);
  for (size_t p = 0; p < w.n; p++) {
    if (core) w.core[p] = core[w.tree->row.at[p]];
    w.place[w.tree->row.at[p]] = (int32_t)p;
    w.best[p] = (mn_row_edge){ w.core[p], INFINITY, -1 };
  }
  find_node_cores(&w);
  for (size_t count = 0, before = 0; count + 1 < w.n;) {
    const size_t components = w.n - count;
    w.largest = count - before >= components / 16 ? (double)w.n / (double)components : INFINITY;
    before = count;
    MN_TRY(begin_round(ctx, &w));
    MN_TRY(mn_parallel(ctx, (size_t)1 << w.tree->depth, mn_boruvka_search_leaf, &w));
    count = end_round(&w, least, count, edges);
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}
