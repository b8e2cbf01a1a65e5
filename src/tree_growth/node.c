/* One node: its sums, its best split, its two sides. */
#include "quantized_columns.h"
#include "sparse_column.h"
#include "grow_parts.h"
#include "../core/threads.h"
#include "../stats/argsort.h"
#include <math.h>

/* From so many values on, a thread for each feature. */
enum { PARALLEL_VALUES = 1 << 15, MOST_TASKS = 512 };

static uint64_t child_key(uint64_t key, uint64_t side)
{
  uint64_t x = (key << 1 | side) ^ 0x9E3779B97F4A7C15;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
  x = (x ^ x >> 27) * 0x94D049BB133111EB;
  return (x ^ x >> 31) + key;
}

/* May the node be split by column j? */
static bool is_allowed(const struct mn_subtree_growth *p, const struct mn_open_node *item, size_t j)
{
  const uint64_t *groups = p->growth->rules.groups;
  return !groups || (groups[j] & item->groups) != 0;
}

/* The best split by column j; one that is not allowed is as good as constant. */
static void search(const struct mn_subtree_growth *p, const struct mn_open_node *item, const mn_node_stats *t, size_t j,
                   mn_search_workspace *bench, mn_split *split, bool *constant)
{
  *split = (mn_split){ .found = false };
  *constant = true;
  if (!is_allowed(p, item, j)) return;
  mn_search_feature(&p->growth->rules, p->ground, p->at + item->begin, item->end - item->begin, t, j,
                    child_key(item->key, j + 2), bench, split, constant);
}

struct features_work {
  const struct mn_subtree_growth *plot;
  const struct mn_open_node *item;
  const mn_node_stats *tally;
  mn_blocks blocks; /* of features, one each unless there are very many */
};

static void search_task(void *work, size_t block, size_t worker)
{
  const struct features_work *w = work;
  const struct mn_subtree_growth *p = w->plot;
  for (size_t k = mn_block_begin(&w->blocks, block); k < mn_block_end(&w->blocks, block); k++)
    search(p, w->item, w->tally, p->gear->feature[k], &p->room->gear[worker].bench, &p->room->split[k],
           &p->room->constant[k]);
}

/* Draw features of the node, until there are `wanted`. All are there where all may be tried. */
static void draw(const struct mn_subtree_growth *p, mn_rng *rng, size_t wanted, size_t *drawn)
{
  struct mn_thread_state *gear = p->gear;
  const size_t features = p->growth->rules.columns->features;
  if (p->growth->max_features >= features) return;
  for (; *drawn < wanted; ++*drawn) {
    const size_t from = *drawn + mn_random_below(rng, features - *drawn);
    const uint32_t j = gear->feature[from];
    gear->swapped[*drawn] = (uint32_t)from;
    gear->feature[from] = gear->feature[*drawn];
    gear->feature[*drawn] = j;
  }
}

static void put_back(struct mn_thread_state *gear, size_t drawn)
{
  while (drawn-- > 0) {
    const size_t from = gear->swapped[drawn];
    const uint32_t j = gear->feature[drawn];
    gear->feature[drawn] = gear->feature[from];
    gear->feature[from] = j;
  }
}

static void keep_better(const struct mn_subtree_growth *p, const mn_node_stats *t, const mn_split *split,
                        mn_split *best)
{
  if (!split->found) return;
  if (!best->found || mn_is_better(&p->growth->rules, t, split->proxy, best->proxy)) *best = *split;
}

/* Most small nodes are parted at once: the other columns need not be looked at. */
static bool is_perfect(const struct mn_subtree_growth *p, const mn_node_stats *t, const mn_split *best)
{
  return best->found && mn_is_perfect(&p->growth->rules, t, best->proxy);
}

/* Before column `tried` is searched: draw it, and in a large node, as many with it as can be gathered at once. What was
 * gathered before is then gone, so the rows are parted by values where a column of before stays the best. */
static void prepare(struct mn_subtree_growth *p, const struct mn_open_node *item, mn_rng *rng, size_t tried,
                    size_t *drawn, mn_split *best)
{
  const mn_growth_settings *g = p->growth;
  const mn_tree_columns *c = g->rules.columns;
  mn_search_workspace *b = &p->gear->bench;
  const size_t n = item->end - item->begin, slot = tried % MN_QUANTIZED_COLUMNS;
  const bool coarse = c->coarse && p->ctx && n >= MN_QUANTIZED_MIN_ROWS && tried < g->max_features;
  size_t wanted = tried + 1;
  if (coarse && slot == 0)
    wanted = tried + MN_QUANTIZED_COLUMNS < g->max_features ? tried + MN_QUANTIZED_COLUMNS : g->max_features;
  draw(p, rng, wanted, drawn);
  b->step = NULL;
  if (!coarse) return;
  if (slot == 0) {
    mn_gather_quantized(c, p->gear->feature + tried, wanted - tried, p->at + item->begin, n, b);
    best->step = NULL;
  }
  b->step = mn_gathered_quantized(c, p->gear->feature[tried], slot, b);
}

/* The best split of a node; max_features columns are tried, and more until one is not constant. */
static mn_status find(struct mn_subtree_growth *p, const struct mn_open_node *item, const mn_node_stats *t,
                      mn_split *best)
{
  const mn_growth_settings *g = p->growth;
  const size_t features = g->rules.columns->features, n = item->end - item->begin;
  struct features_work w = {
    .plot = p, .item = item, .tally = t, .blocks = mn_make_blocks(g->max_features, 1, MOST_TASKS)
  };
  mn_rng rng = mn_stream((int64_t)(item->key >> 1), 0);
  size_t drawn = 0, tried = 0;
  bool varied = false;
  mn_status status = MN_OK;
  *best = (mn_split){ .found = false };
  if (p->ctx && p->room->workers > 1 && n * g->max_features >= PARALLEL_VALUES) {
    draw(p, &rng, g->max_features, &drawn);
    status = mn_parallel(p->ctx, w.blocks.count, search_task, &w);
    for (; status == MN_OK && tried < g->max_features; tried++) {
      if (is_perfect(p, t, best)) break;
      keep_better(p, t, &p->room->split[tried], best);
      varied = varied || !p->room->constant[tried];
    }
  }
  for (; status == MN_OK && tried < features && (tried < g->max_features || !varied); tried++) {
    if (is_perfect(p, t, best)) break;
    mn_split split;
    bool constant;
    prepare(p, item, &rng, tried, &drawn, best);
    search(p, item, t, p->gear->feature[tried], &p->gear->bench, &split, &constant);
    keep_better(p, t, &split, best);
    varied = varied || !constant;
  }
  p->gear->bench.step = NULL;
  put_back(p->gear, drawn);
  return status == MN_OK && p->ctx ? mn_error_status(p->ctx) : status;
}

static bool among(const mn_search_workspace *b, size_t n, uint32_t code)
{
  const size_t at = mn_first_from(b->levels, n, code);
  return at < n && b->levels[at] == code;
}

static bool goes_left(const struct mn_subtree_growth *p, const mn_split *s, uint32_t rank, double value)
{
  const mn_split_settings *rules = &p->growth->rules;
  if (rank == rules->columns->distinct[s->feature]) return s->missing_left;
  if (s->by_levels) return among(&p->gear->bench, s->levels, rank);
  return rules->random ? value <= s->threshold : rank <= s->rank;
}

/* The rows that go left before those that go right, each in their order. Returns where the right ones begin. */
static uint32_t part_rows(struct mn_subtree_growth *p, const struct mn_open_node *item, const mn_split *s)
{
  const mn_tree_columns *c = p->growth->rules.columns;
  const mn_training_view *g = p->ground;
  const mn_packed rank = g->rank[s->feature];
  const uint32_t last = s->rank, n = item->end - item->begin;
  const double *value = p->growth->rules.random ? g->value[s->feature] : NULL, threshold = s->threshold;
  const bool plain = !s->by_levels && !c->missing[s->feature];
  uint32_t *at = p->at + item->begin, *spare = p->spare, left = 0;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t id = at[i];
    bool go;
    if (s->step)
      go = s->step[i] <= s->last_step;
    else if (plain)
      go = value ? value[id] <= threshold : mn_packed_get(rank, id) <= last;
    else
      go = goes_left(p, s, mn_packed_get(rank, id), value ? value[id] : 0);
    at[left] = id;
    spare[i - left] = id;
    left += go;
  }
  memcpy(at + left, spare, (n - left) * sizeof *at);
  return item->begin + left;
}

static uint32_t part_by_few(struct mn_subtree_growth *p, const struct mn_open_node *item, const mn_split *s,
                            const mn_sparse_column *few)
{
  const uint32_t n = item->end - item->begin;
  uint32_t *at = p->at + item->begin, *spare = p->spare, *goes_left = p->gear->bench.raw_key, left = 0;
  mn_sparse_left_mask(few, p->ground, at, n, s, &p->gear->bench, goes_left);
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t id = at[i], go = goes_left[i];
    at[left] = id;
    spare[i - left] = id;
    left += go;
  }
  memcpy(at + left, spare, (n - left) * sizeof *at);
  return item->begin + left;
}

/* Where the rows of the node stand now. */
static void note_places(const struct mn_subtree_growth *p, const struct mn_open_node *item)
{
  for (uint32_t i = item->begin; p->room->place && i < item->end; i++) p->room->place[p->at[i]] = i;
}

double mn_rows_weight(const struct mn_subtree_growth *p, uint32_t begin, uint32_t end)
{
  double sum = 0;
  if (!p->ground->weight) return (double)(end - begin);
  for (uint32_t i = begin; i < end; i++) sum += p->ground->weight[p->at[i]];
  return sum;
}

/* The lighter side of a split by levels goes left, so that levels which the node did not see go with most rows. */
static uint32_t lighter_left(struct mn_subtree_growth *p, const struct mn_open_node *item, uint32_t middle, mn_split *s)
{
  const uint32_t n = middle - item->begin;
  if (!(mn_rows_weight(p, item->begin, middle) > mn_rows_weight(p, middle, item->end))) return middle;
  memcpy(p->spare, p->at + item->begin, n * sizeof *p->at);
  memmove(p->at + item->begin, p->at + middle, (item->end - middle) * sizeof *p->at);
  memcpy(p->at + item->end - n, p->spare, n * sizeof *p->at);
  s->missing_left = !s->missing_left;
  return item->end - n;
}

/* Did rows without a value of the feature pass the node? */
static bool saw_missing(const struct mn_subtree_growth *p, const struct mn_open_node *item, size_t j)
{
  const mn_tree_columns *c = p->growth->rules.columns;
  if (!c->missing[j]) return false;
  for (uint32_t i = item->begin; i < item->end; i++)
    if (mn_packed_get(p->ground->rank[j], p->at[i]) == c->distinct[j]) return true;
  return false;
}

static void bound_children(struct mn_subtree_growth *p, const struct mn_open_node *item, uint32_t middle, size_t j,
                           struct mn_open_node *child)
{
  const mn_split_settings *rules = &p->growth->rules;
  double value[2];
  if (!rules->monotone || rules->monotone[j] == 0) return;
  for (int side = 0; side < 2; side++) {
    mn_node_stats t = { .sum = p->gear->sum };
    const uint32_t begin = side ? middle : item->begin, end = side ? item->end : middle;
    mn_compute_node_stats(rules, p->ground, p->at + begin, end - begin, &p->gear->bench, &t);
    value[side] = fmin(fmax(t.value, item->low), item->high);
  }
  const double between = value[0] / 2 + value[1] / 2;
  child[rules->monotone[j] < 0].high = between;
  child[rules->monotone[j] > 0].low = between;
}

/* Of a row of the ground, or of what stands for one. */
static double value_of(const struct mn_subtree_growth *p, uint32_t row, size_t j)
{
  if (row == MN_ZERO_ROW) return 0;
  return mn_element(&p->growth->rules.columns->data, p->ground->row ? p->ground->row[row] : row, j);
}

/* Halfway between the greatest value that goes left and the next one of the node, but below that. */
static double threshold_of(const struct mn_subtree_growth *p, const mn_split *s)
{
  if (p->growth->rules.random || s->next == MN_NO_NEXT_ROW) return s->threshold;
  const double low = value_of(p, s->last, s->feature), high = value_of(p, s->next, s->feature);
  const double middle = low / 2 + high / 2;
  return (middle < high && middle >= low ? middle : low) + 0.0;
}

/* Split the node; child: its two sides, whose nodes are made. */
void mn_split_node(struct mn_subtree_growth *p, const struct mn_open_node *item, const mn_node_stats *t, mn_split *s,
                   struct mn_open_node child[2])
{
  const mn_split_settings *rules = &p->growth->rules;
  const size_t left = p->nodes;
  int32_t *w = p->node[item->node].word;
  if (s->by_levels) { /* the levels that go left, which other searches have overwritten */
    bool constant;
    search(p, item, t, s->feature, &p->gear->bench, s, &constant);
  }
  const bool missing = saw_missing(p, item, s->feature);
  const mn_sparse_column *few = mn_sparse_column_of(rules->columns, s->feature);
  uint32_t middle = few ? part_by_few(p, item, s, few) : part_rows(p, item, s);
  if (s->by_levels) middle = lighter_left(p, item, middle, s);
  note_places(p, item);
  if (!missing) s->missing_left = mn_rows_weight(p, item->begin, middle) > mn_rows_weight(p, middle, item->end);
  mn_node_set_split(w, s->feature, s->by_levels ? 0 : threshold_of(p, s), left, s->missing_left);
  if (s->by_levels) {
    w[0] = (int32_t)(p->base + item->begin);
    w[1] = (int32_t)(p->base + middle);
    w[3] |= MN_LEVEL_SPLIT;
  }
  p->nodes += 2;
  for (uint32_t side = 0; side < 2; side++)
    child[side] =
        (struct mn_open_node){ .begin = side ? middle : item->begin,
                               .end = side ? item->end : middle,
                               .depth = item->depth + 1,
                               .node = (uint32_t)left + side,
                               .key = child_key(item->key, side),
                               .low = item->low,
                               .high = item->high,
                               .groups = item->groups & (rules->groups ? rules->groups[s->feature] : UINT64_MAX) };
  bound_children(p, item, middle, s->feature, child);
}

void mn_make_leaf(struct mn_subtree_growth *p, const struct mn_open_node *item, const mn_node_stats *t)
{
  const mn_split_settings *rules = &p->growth->rules;
  int32_t *w = p->node[item->node].word;
  const double value = fmin(fmax(t->value, item->low), item->high);
  if (!p->ground->code && rules->width == 1) {
    mn_node_set_leaf(w, value + rules->center[0]);
  } else if (p->ground->code && rules->monotone) {
    mn_node_set_leaf(w, value); /* the share of the second class */
  } else if (p->ground->code && t->pure) {
    size_t c = 0;
    while (!(t->sum[c] > 0)) c++;
    mn_node_set_leaf_index(w, MN_LEAF_PURE, c);
  } else {
    mn_node_set_leaf_index(w, MN_LEAF_BLOCK, p->base + item->begin);
    w[1] = (int32_t)(p->base + item->end);
  }
}

/* Sum up the node, and look for its split if it may have one. */
mn_status mn_examine_node(struct mn_subtree_growth *p, const struct mn_open_node *item, mn_node_stats *t, mn_split *s)
{
  const mn_growth_settings *g = p->growth;
  const uint32_t n = item->end - item->begin;
  t->low = item->low;
  t->high = item->high;
  mn_compute_node_stats(&g->rules, p->ground, p->at + item->begin, n, &p->gear->bench, t);
  struct mn_growing_node *node = &p->node[item->node];
  node->cover = t->weight;
  node->impurity = t->impurity;
  node->value = fmin(fmax(t->value, item->low), item->high) + (g->rules.center ? g->rules.center[0] : 0);
  s->found = false;
  if (t->pure || n < 2 || item->depth >= g->max_depth || t->count < g->min_split || t->count < 2 * g->rules.min_leaf)
    return MN_OK;
  MN_TRY(find(p, item, t, s));
  /* No split makes a node less pure: a gain below 0 is rounding, and grows with the units of y. */
  if (s->found && fmax(0, mn_split_gain(&g->rules, t, s)) / p->total + 1e-15 < g->min_decrease) s->found = false;
  return MN_OK;
}
