#include "node.h"
#include "node_stats.h"
#include "quantized_columns.h"
#include "search.h"
#include "sparse_column.h"
#include "../core/rng.h"
#include "../core/threads.h"
#include "../stats/argsort.h"
#include <math.h>

/* Nodes with at least this many values are searched by one task for each feature, or for several if there are very
 * many.
 */
enum { PARALLEL_VALUES = 1 << 15, MAX_TASKS = 512 };

static uint64_t child_key(uint64_t key, uint64_t side)
{
  uint64_t x = (key << 1 | side) ^ 0x9E3779B97F4A7C15;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
  x = (x ^ x >> 27) * 0x94D049BB133111EB;
  return (x ^ x >> 31) + key;
}

/* True if interaction constraints allow a split by column j. */
static bool is_allowed(const struct mn_subtree_growth *p, const struct mn_open_node *open, size_t j)
{
  const uint64_t *groups = p->settings->split.groups;
  return !groups || (groups[j] & open->groups) != 0;
}

/* The best split by column j. A column that is not allowed counts as constant. */
static void search_feature(const struct mn_subtree_growth *p, const struct mn_open_node *open,
                           const mn_node_stats *stats, size_t j, mn_search_workspace *ws, mn_split *split,
                           bool *constant)
{
  *split = (mn_split){ .found = false };
  *constant = true;
  if (!is_allowed(p, open, j)) return;
  mn_search_feature(&p->settings->split, p->view, p->rows + open->begin, open->end - open->begin, stats, j,
                    child_key(open->key, j + 2), ws, split, constant);
}

struct features_work {
  const struct mn_subtree_growth *growth;
  const struct mn_open_node *open;
  const mn_node_stats *stats;
  mn_blocks blocks; /* of features */
};

static void search_task(void *work, size_t block, size_t worker)
{
  const struct features_work *w = work;
  const struct mn_subtree_growth *p = w->growth;
  for (size_t k = mn_block_begin(&w->blocks, block); k < mn_block_end(&w->blocks, block); k++)
    search_feature(p, w->open, w->stats, p->thread->feature[k], &p->ws->thread[worker].search, &p->ws->split[k],
                   &p->ws->constant[k]);
}

/* Draw features without replacement until there are `wanted`. If all may be tried, their order is kept. */
static void draw_features(const struct mn_subtree_growth *p, mn_rng *rng, size_t wanted, size_t *drawn)
{
  struct mn_thread_state *thread = p->thread;
  const size_t features = p->settings->split.columns->features;
  if (p->settings->max_features >= features) return;
  for (; *drawn < wanted; ++*drawn) {
    const size_t from = *drawn + mn_random_below(rng, features - *drawn);
    const uint32_t j = thread->feature[from];
    thread->swapped[*drawn] = (uint32_t)from;
    thread->feature[from] = thread->feature[*drawn];
    thread->feature[*drawn] = j;
  }
}

static void restore_features(struct mn_thread_state *thread, size_t drawn)
{
  while (drawn-- > 0) {
    const size_t from = thread->swapped[drawn];
    const uint32_t j = thread->feature[drawn];
    thread->feature[drawn] = thread->feature[from];
    thread->feature[from] = j;
  }
}

static void keep_better(const struct mn_subtree_growth *p, const mn_node_stats *stats, const mn_split *split,
                        mn_split *best)
{
  if (!split->found) return;
  if (!best->found || mn_is_better(&p->settings->split, stats, split->proxy, best->proxy)) *best = *split;
}

/* True if the other columns need not be searched, as in most small nodes. */
static bool is_perfect(const struct mn_subtree_growth *p, const mn_node_stats *stats, const mn_split *best)
{
  return best->found && mn_is_perfect(&p->settings->split, stats, best->proxy);
}

/* Before column `tried` is searched: draw it and, in a large node, gather its quantized values together with those of
 * the next columns. This overwrites what was gathered before, so a best split of an earlier column uses values. */
static void prepare_feature(struct mn_subtree_growth *p, const struct mn_open_node *open, mn_rng *rng, size_t tried,
                            size_t *drawn, mn_split *best)
{
  const mn_growth_settings *g = p->settings;
  const mn_tree_columns *c = g->split.columns;
  mn_search_workspace *ws = &p->thread->search;
  const size_t n = open->end - open->begin, slot = tried % MN_QUANTIZED_COLUMNS;
  const bool gather = c->quantized && p->ctx && n >= MN_QUANTIZED_MIN_ROWS && tried < g->max_features;
  size_t wanted = tried + 1;
  if (gather && slot == 0)
    wanted = tried + MN_QUANTIZED_COLUMNS < g->max_features ? tried + MN_QUANTIZED_COLUMNS : g->max_features;
  draw_features(p, rng, wanted, drawn);
  ws->quantized.column = NULL;
  if (!gather) return;
  if (slot == 0) {
    mn_gather_quantized(c, p->thread->feature + tried, wanted - tried, p->rows + open->begin, n, ws);
    best->quantized = NULL;
  }
  ws->quantized.column = mn_gathered_quantized(c, p->thread->feature[tried], slot, ws);
}

/* The best split of a node. max_features columns are tried, and then more until one is not constant. */
static mn_status find_split(struct mn_subtree_growth *p, const struct mn_open_node *open, const mn_node_stats *stats,
                            mn_split *best)
{
  const mn_growth_settings *g = p->settings;
  const size_t features = g->split.columns->features, n = open->end - open->begin;
  struct features_work w = {
    .growth = p, .open = open, .stats = stats, .blocks = mn_make_blocks(g->max_features, 1, MAX_TASKS)
  };
  mn_rng rng = mn_stream((int64_t)(open->key >> 1), 0);
  size_t drawn = 0, tried = 0;
  bool varied = false;
  mn_status status = MN_OK;
  *best = (mn_split){ .found = false };
  if (p->ctx && p->ws->workers > 1 && n * g->max_features >= PARALLEL_VALUES) {
    draw_features(p, &rng, g->max_features, &drawn);
    status = mn_parallel(p->ctx, w.blocks.count, search_task, &w);
    for (; status == MN_OK && tried < g->max_features; tried++) {
      if (is_perfect(p, stats, best)) break;
      keep_better(p, stats, &p->ws->split[tried], best);
      varied = varied || !p->ws->constant[tried];
    }
  }
  for (; status == MN_OK && tried < features && (tried < g->max_features || !varied); tried++) {
    if (is_perfect(p, stats, best)) break;
    mn_split split;
    bool constant;
    prepare_feature(p, open, &rng, tried, &drawn, best);
    search_feature(p, open, stats, p->thread->feature[tried], &p->thread->search, &split, &constant);
    keep_better(p, stats, &split, best);
    varied = varied || !constant;
  }
  p->thread->search.quantized.column = NULL;
  restore_features(p->thread, drawn);
  return status == MN_OK && p->ctx ? mn_error_status(p->ctx) : status;
}

static bool contains_level(const mn_search_workspace *b, size_t n, uint32_t code)
{
  const size_t at = mn_lower_bound(b->levels.left, n, code);
  return at < n && b->levels.left[at] == code;
}

static bool row_goes_left(const struct mn_subtree_growth *p, const mn_split *s, uint32_t rank, double value)
{
  const mn_split_settings *settings = &p->settings->split;
  if (rank == settings->columns->distinct[s->feature]) return s->missing_left;
  if (s->by_levels) return contains_level(&p->thread->search, s->levels, rank);
  return settings->random_thresholds ? value <= s->threshold : rank <= s->last_rank;
}

/* Stable partition of the rows: those that go left first. Returns where the right ones begin. */
static uint32_t partition_rows(struct mn_subtree_growth *p, const struct mn_open_node *open, const mn_split *s)
{
  const mn_tree_columns *c = p->settings->split.columns;
  const mn_training_view *g = p->view;
  const mn_packed rank = g->rank[s->feature];
  const uint32_t last = s->last_rank, n = open->end - open->begin;
  const double *value = p->settings->split.random_thresholds ? g->value[s->feature] : NULL, threshold = s->threshold;
  const bool plain = !s->by_levels && !c->has_missing[s->feature];
  uint32_t *rows = p->rows + open->begin, *buffer = p->buffer, left = 0;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t id = rows[i];
    bool go;
    if (s->quantized)
      go = s->quantized[i] <= s->last_quantized;
    else if (plain)
      go = value ? value[id] <= threshold : mn_packed_get(rank, id) <= last;
    else
      go = row_goes_left(p, s, mn_packed_get(rank, id), value ? value[id] : 0);
    rows[left] = id;
    buffer[i - left] = id;
    left += go;
  }
  memcpy(rows + left, buffer, (n - left) * sizeof *rows);
  return open->begin + left;
}

static uint32_t partition_by_sparse_column(struct mn_subtree_growth *p, const struct mn_open_node *open,
                                           const mn_split *s, const mn_sparse_column *column)
{
  const uint32_t n = open->end - open->begin;
  uint32_t *rows = p->rows + open->begin, *buffer = p->buffer, *left_mask = p->thread->search.raw_key, left = 0;
  mn_sparse_left_mask(column, p->view, rows, n, s, &p->thread->search, left_mask);
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t id = rows[i], go = left_mask[i];
    rows[left] = id;
    buffer[i - left] = id;
    left += go;
  }
  memcpy(rows + left, buffer, (n - left) * sizeof *rows);
  return open->begin + left;
}

static void update_positions(const struct mn_subtree_growth *p, const struct mn_open_node *open)
{
  for (uint32_t i = open->begin; p->ws->position && i < open->end; i++) p->ws->position[p->rows[i]] = i;
}

double mn_rows_weight(const struct mn_subtree_growth *p, uint32_t begin, uint32_t end)
{
  double sum = 0;
  if (!p->view->weight) return (double)(end - begin);
  for (uint32_t i = begin; i < end; i++) sum += p->view->weight[p->rows[i]];
  return sum;
}

/* Swap the sides of a split by levels if the left one is heavier: levels that the node did not see then go with most of
 * the weight. */
static uint32_t put_lighter_left(struct mn_subtree_growth *p, const struct mn_open_node *open, uint32_t split_at,
                                 mn_split *s)
{
  const uint32_t n = split_at - open->begin;
  if (!(mn_rows_weight(p, open->begin, split_at) > mn_rows_weight(p, split_at, open->end))) return split_at;
  memcpy(p->buffer, p->rows + open->begin, n * sizeof *p->rows);
  memmove(p->rows + open->begin, p->rows + split_at, (open->end - split_at) * sizeof *p->rows);
  memcpy(p->rows + open->end - n, p->buffer, n * sizeof *p->rows);
  s->missing_left = !s->missing_left;
  return open->end - n;
}

/* True if rows of the node have no value of feature j. */
static bool has_missing(const struct mn_subtree_growth *p, const struct mn_open_node *open, size_t j)
{
  const mn_tree_columns *c = p->settings->split.columns;
  if (!c->has_missing[j]) return false;
  for (uint32_t i = open->begin; i < open->end; i++)
    if (mn_packed_get(p->view->rank[j], p->rows[i]) == c->distinct[j]) return true;
  return false;
}

/* Bounds of the values of the children under a monotone constraint: the midpoint between their values. */
static void bound_children(struct mn_subtree_growth *p, const struct mn_open_node *open, uint32_t split_at, size_t j,
                           struct mn_open_node *child)
{
  const mn_split_settings *settings = &p->settings->split;
  double value[2];
  if (!settings->monotone || settings->monotone[j] == 0) return;
  for (int side = 0; side < 2; side++) {
    mn_node_stats t = { .sum = p->thread->sum };
    const uint32_t begin = side ? split_at : open->begin, end = side ? open->end : split_at;
    mn_compute_node_stats(settings, p->view, p->rows + begin, end - begin, &p->thread->search, &t);
    value[side] = fmin(fmax(t.value, open->low), open->high);
  }
  const double midpoint = value[0] / 2 + value[1] / 2;
  child[settings->monotone[j] < 0].high = midpoint;
  child[settings->monotone[j] > 0].low = midpoint;
}

static double row_value(const struct mn_subtree_growth *p, uint32_t row, size_t j)
{
  if (row == MN_ZERO_ROW) return 0;
  return mn_element(&p->settings->split.columns->data, p->view->row ? p->view->row[row] : row, j);
}

/* The midpoint of the largest value that goes left and the next one in the node, but less than that. */
static double compute_threshold(const struct mn_subtree_growth *p, const mn_split *s)
{
  if (p->settings->split.random_thresholds || s->next_row == MN_NO_NEXT_ROW) return s->threshold;
  const double low = row_value(p, s->last_row, s->feature), high = row_value(p, s->next_row, s->feature);
  const double midpoint = low / 2 + high / 2;
  return (midpoint < high && midpoint >= low ? midpoint : low) + 0.0;
}

static void set_rows(const struct mn_subtree_growth *p, int32_t *w, uint32_t begin, uint32_t end)
{
  w[MN_NODE_LOW] = (int32_t)(p->first_row + begin);
  w[MN_NODE_HIGH] = (int32_t)(p->first_row + end);
}

void mn_split_node(struct mn_subtree_growth *p, const struct mn_open_node *open, const mn_node_stats *stats,
                   mn_split *s, struct mn_open_node child[2])
{
  const mn_split_settings *settings = &p->settings->split;
  const size_t left = p->nodes;
  int32_t *w = p->node[open->node].word;
  if (s->by_levels) { /* find the levels that go left again: other searches have overwritten them */
    bool constant;
    search_feature(p, open, stats, s->feature, &p->thread->search, s, &constant);
  }
  const bool missing = has_missing(p, open, s->feature);
  const mn_sparse_column *column = mn_sparse_column_of(settings->columns, s->feature);
  uint32_t split_at = column ? partition_by_sparse_column(p, open, s, column) : partition_rows(p, open, s);
  if (s->by_levels) split_at = put_lighter_left(p, open, split_at, s);
  update_positions(p, open);
  if (!missing) s->missing_left = mn_rows_weight(p, open->begin, split_at) > mn_rows_weight(p, split_at, open->end);
  mn_node_set_split(w, s->feature, s->by_levels ? 0 : compute_threshold(p, s), left, s->missing_left);
  if (s->by_levels) {
    set_rows(p, w, open->begin, split_at);
    w[MN_NODE_LINK] |= MN_LEVEL_SPLIT;
  }
  p->nodes += 2;
  for (uint32_t side = 0; side < 2; side++)
    child[side] = (struct mn_open_node){ .begin = side ? split_at : open->begin,
                                         .end = side ? open->end : split_at,
                                         .depth = open->depth + 1,
                                         .node = (uint32_t)left + side,
                                         .key = child_key(open->key, side),
                                         .low = open->low,
                                         .high = open->high,
                                         .groups = open->groups &
                                                   (settings->groups ? settings->groups[s->feature] : UINT64_MAX) };
  bound_children(p, open, split_at, s->feature, child);
}

void mn_make_leaf(struct mn_subtree_growth *p, const struct mn_open_node *open, const mn_node_stats *stats)
{
  const mn_split_settings *settings = &p->settings->split;
  int32_t *w = p->node[open->node].word;
  const double value = fmin(fmax(stats->value, open->low), open->high);
  if (!p->view->code && settings->width == 1) {
    mn_node_set_leaf(w, value + settings->center[0]);
  } else if (p->view->code && settings->monotone) {
    mn_node_set_leaf(w, value); /* the share of the second class */
  } else if (p->view->code && stats->pure) {
    size_t c = 0;
    while (!(stats->sum[c] > 0)) c++;
    mn_node_set_leaf_index(w, MN_LEAF_PURE, c);
  } else {
    mn_node_set_leaf_index(w, MN_LEAF_BLOCK, 0);
    set_rows(p, w, open->begin, open->end);
  }
}

mn_status mn_examine_node(struct mn_subtree_growth *p, const struct mn_open_node *open, mn_node_stats *stats,
                          mn_split *s)
{
  const mn_growth_settings *g = p->settings;
  const uint32_t n = open->end - open->begin;
  stats->low = open->low;
  stats->high = open->high;
  mn_compute_node_stats(&g->split, p->view, p->rows + open->begin, n, &p->thread->search, stats);
  struct mn_growing_node *node = &p->node[open->node];
  node->cover = stats->weight;
  node->impurity = stats->impurity;
  node->value = fmin(fmax(stats->value, open->low), open->high) + (g->split.center ? g->split.center[0] : 0);
  s->found = false;
  if (stats->pure || n < 2 || open->depth >= g->max_depth || stats->count < g->min_split_rows ||
      stats->count < 2 * g->split.min_leaf_rows)
    return MN_OK;
  MN_TRY(find_split(p, open, stats, s));
  /* No split increases the impurity: a negative gain is rounding error. */
  if (s->found && fmax(0, mn_split_gain(&g->split, stats, s)) / p->total_weight + 1e-15 < g->min_decrease)
    s->found = false;
  return MN_OK;
}
