/* Growing by depth, without recursion: the cases of nodes that wait lie on a stack, those of the next one on top. */
#include "multiway_grow.h"

/* Cases of all nodes that wait, and of all leaves: parts of rows with missing values among thousands of levels. */
enum { MOST_CASES = 1 << 27, SHARED = 20000 };

struct waiting {
  size_t at, begin, depth;
};

struct growth {
  mn_bush *bush;
  mn_judge *judge; /* workers  */
  mn_offer *offer; /* features */
  struct waiting *waiting;
  size_t waits, room;
  size_t begin, at; /* of the node that is judged */
  bool all_of_many; /* all columns are factors with a level for every few rows */
};

/* --- arrays that grow --- */

mn_status mn_cases_room(mn_context *ctx, const mn_bush *b, mn_cases *cases, size_t size)
{
  if (size <= cases->room) return MN_OK;
  if (size > MOST_CASES)
    return mn_fail(
        ctx, MN_BAD_DATA,
        "%s: rows with missing values must come to at most %d branches in all; fill them in first (SimpleImputer)",
        b->who, MOST_CASES);
  const size_t room = size + size / 2 + 64;
  mn_weighted_row *at = MN_RAW(ctx, mn_weighted_row, room, 1);
  MN_CHECK_ALLOC(at);
  if (!mn_copy_cancellable(&(mn_cancel_token){ .ctx = ctx }, at, cases->at, cases->size * sizeof *at))
    return mn_poll(ctx);
  cases->at = at;
  cases->room = room;
  return MN_OK;
}

mn_status mn_bush_add(mn_context *ctx, mn_bush *b, size_t *at)
{
  if (b->size == b->room) {
    const size_t room = 2 * b->room + 16;
    mn_stem *stem = MN_GROW(ctx, b->stem, b->size, room);
    double *counts = mn_scratch_grow(ctx, b->counts, b->classes * sizeof *counts, b->size, room);
    if (!stem || !counts) return MN_NO_MEMORY;
    b->stem = stem;
    b->counts = counts;
    b->room = room;
  }
  if (b->size >= INT32_MAX) return mn_fail(ctx, MN_BAD_DATA, "%s: the tree must have fewer than 2^31 nodes", b->who);
  *at = b->size++;
  b->stem[*at] = (mn_stem){ .first = MN_NO_STEM, .next = MN_NO_STEM, .share = 1 };
  memset(mn_stem_counts(b, *at), 0, b->classes * sizeof(double));
  return MN_OK;
}

static mn_status wait_for(mn_context *ctx, struct growth *g, struct waiting one)
{
  if (g->waits == g->room) {
    const size_t room = 2 * g->room + 16;
    struct waiting *waiting = MN_GROW(ctx, g->waiting, g->waits, room);
    MN_CHECK_ALLOC(waiting);
    g->waiting = waiting;
    g->room = room;
  }
  g->waiting[g->waits++] = one;
  return MN_OK;
}

/* --- the rows of a node by branches --- */

/* Known cases to b->sorted with their branch as key, the missing ones behind them. *sorted: how many are known. */
static mn_status sort_by_branch(mn_context *ctx, mn_bush *b, const mn_stem *s, size_t begin, size_t *sorted)
{
  const mn_packed rank = b->columns->rank[s->feature];
  const uint32_t missing = b->columns->distinct[s->feature];
  const size_t n = b->stack.size - begin;
  size_t known = 0, behind = n;
  size_t left = b->columns->has_missing[s->feature] ? n : 0;
  while (left-- > 0) { /* from the end, so that missing ones keep their order */
    const mn_weighted_row c = b->stack.at[begin + left];
    if (mn_packed_get(rank, c.row) == missing) b->sorted[--behind] = c;
  }
  const mn_cancel_token token = { .ctx = ctx };
  mn_chunk p = { 0 };
  while (mn_next_chunk(&token, n, &p))
    for (size_t i = p.begin; i < p.end; i++) {
      const mn_weighted_row c = b->stack.at[begin + i];
      const uint32_t r = mn_packed_get(rank, c.row);
      if (r == missing) continue;
      b->sorted[known] = c;
      b->key[known++] = isnan(s->cut) ? r : r > s->cut_rank;
    }
  MN_TRY(mn_error_status(ctx));
  *sorted = known;
  return mn_sort_weighted_rows(&token, known, b->sorted, b->key, b->other, b->key_other) ? MN_OK : mn_poll(ctx);
}

/* The branches of node `at` that have some of the known cases in b->sorted, or of those that are there: by level, with
 * their weight; begin and end are places in b->sorted. */
static size_t find_branches(mn_bush *b, size_t at, size_t known, const double *there, double *total)
{
  int32_t child = there ? b->stem[at].first : MN_NO_STEM;
  size_t count = 0, i = 0;
  *total = 0;
  while (i < known || child != MN_NO_STEM) {
    const bool by_child = child != MN_NO_STEM && (i == known || b->stem[child].level < b->key[i]);
    mn_branch branch = { .level = by_child ? b->stem[child].level : b->key[i], .begin = i };
    if (child != MN_NO_STEM && b->stem[child].level == branch.level) {
      branch.weight = there[child];
      *total += branch.weight;
      child = b->stem[child].next;
    }
    for (; i < known && b->key[i] == branch.level; i++) {
      branch.weight += b->sorted[i].weight;
      *total += b->sorted[i].weight;
    }
    branch.end = i;
    if (branch.end > branch.begin || branch.weight > 0) b->branch[count++] = branch;
  }
  return count;
}

mn_status mn_bush_divide(mn_context *ctx, mn_bush *b, size_t at, size_t begin, const double *there, size_t *branches)
{
  const size_t n = b->stack.size - begin;
  size_t known;
  MN_TRY(sort_by_branch(ctx, b, &b->stem[at], begin, &known));
  const size_t missing = n - known;
  double total;
  const size_t count = *branches = find_branches(b, at, known, there, &total);
  MN_TRY(mn_cases_room(ctx, b, &b->stack, begin + known + missing * count));
  size_t to = begin;
  for (size_t v = 0; v < count; v++) {
    mn_branch *branch = &b->branch[v];
    const size_t size = branch->end - branch->begin;
    if (size > 0) memcpy(b->stack.at + to, b->sorted + branch->begin, size * sizeof(mn_weighted_row));
    for (size_t i = 0; i < missing; i++) {
      mn_weighted_row c = b->sorted[known + i];
      c.weight *= branch->weight / total;
      b->stack.at[to + size + i] = c;
    }
    branch->begin = to;
    branch->end = to += size + missing;
    branch->weight /= total;
  }
  b->stack.size = to;
  return MN_OK;
}

/* --- which column --- */

static void judge_one(void *work, size_t j, size_t worker)
{
  const struct growth *g = work;
  const mn_bush *b = g->bush;
  mn_judge_column(b, &g->judge[worker], b->stack.at + g->begin, b->stack.size - g->begin, mn_stem_counts(b, g->at), j,
                  &g->offer[j]);
}

/* A factor with so many levels that its gain says little. */
static bool has_many(const mn_bush *b, size_t j)
{
  return b->columns->is_factor[j] && b->columns->distinct[j] >= 0.3 * b->total;
}

static size_t choose_by_gain(const mn_offer *offer, size_t features)
{
  size_t best = SIZE_MAX;
  for (size_t j = 0; j < features; j++)
    if (offer[j].valid && (best == SIZE_MAX || offer[j].gain > offer[best].gain + 1e-9)) best = j;
  return best;
}

/* The best ratio among those whose gain is that of the mean, or larger. */
static size_t choose_by_ratio(const struct growth *g, const mn_offer *offer, size_t features)
{
  const double near = 1e-3; /* as in C4.5 */
  double sum = 0, count = 0, ratio = 1e-9;
  size_t best = SIZE_MAX;
  for (size_t j = 0; j < features; j++) {
    if (!offer[j].valid || (has_many(g->bush, j) && !g->all_of_many)) continue;
    sum += offer[j].gain;
    count++;
  }
  for (size_t j = 0; j < features; j++) {
    const bool enough = count > 0 ? offer[j].gain >= sum / count - near : offer[j].valid;
    if (!offer[j].valid || !enough || !(offer[j].ratio > ratio + 1e-9)) continue;
    ratio = offer[j].ratio;
    best = j;
  }
  return best;
}

static bool may_split(const struct growth *g, const struct waiting *node)
{
  const mn_bush *b = g->bush;
  const double *counts = mn_stem_counts(b, node->at);
  double sum = 0, most = 0;
  for (size_t c = 0; c < b->classes; c++) {
    sum += counts[c];
    most = fmax(most, counts[c]);
  }
  return node->depth < b->way->max_depth && most < sum && sum >= 2 * b->way->min_cases - 1e-6;
}

static mn_status choose(mn_context *ctx, struct growth *g, const struct waiting *node, size_t *feature)
{
  const mn_bush *b = g->bush;
  const size_t features = b->columns->features;
  *feature = SIZE_MAX;
  if (!may_split(g, node)) return MN_OK;
  g->begin = node->begin;
  g->at = node->at;
  if ((b->stack.size - node->begin) * features >= SHARED)
    MN_TRY(mn_parallel(ctx, features, judge_one, g));
  else
    for (size_t j = 0; j < features; j++) judge_one(g, j, 0);
  *feature = b->way->by_ratio ? choose_by_ratio(g, g->offer, features) : choose_by_gain(g->offer, features);
  return MN_OK;
}

/* --- nodes --- */

static mn_status end_leaf(mn_context *ctx, mn_bush *b, const struct waiting *node)
{
  const size_t n = b->stack.size - node->begin;
  mn_stem *s = &b->stem[node->at];
  if (b->way->keep) {
    MN_TRY(mn_cases_room(ctx, b, &b->kept, b->kept.size + n));
    s->begin = b->kept.size;
    s->end = s->begin + n;
    memcpy(b->kept.at + s->begin, b->stack.at + node->begin, n * sizeof(mn_weighted_row));
    b->kept.size += n;
  }
  b->stack.size = node->begin;
  return MN_OK;
}

static mn_status split(mn_context *ctx, struct growth *g, const struct waiting *node, size_t feature)
{
  mn_bush *b = g->bush;
  const mn_offer *offer = &g->offer[feature];
  mn_stem *s = &b->stem[node->at];
  size_t branches, last = SIZE_MAX;
  s->feature = feature;
  s->cut = b->columns->is_factor[feature] ? (double)NAN : offer->cut;
  s->cut_rank = offer->cut_rank;
  s->gain = offer->gain;
  MN_TRY(mn_bush_divide(ctx, b, node->at, node->begin, NULL, &branches));
  for (size_t v = 0; v < branches; v++) {
    size_t child = 0;
    MN_TRY(mn_bush_add(ctx, b, &child));
    b->stem[child].level = b->branch[v].level;
    b->stem[child].share = b->branch[v].weight;
    for (size_t i = b->branch[v].begin; i < b->branch[v].end; i++)
      mn_stem_counts(b, child)[b->code[b->stack.at[i].row]] += b->stack.at[i].weight;
    if (last == SIZE_MAX)
      b->stem[node->at].first = (int32_t)child;
    else
      b->stem[last].next = (int32_t)child;
    last = child;
    MN_TRY(wait_for(ctx, g, (struct waiting){ child, b->branch[v].begin, node->depth + 1 }));
  }
  return MN_OK;
}

static mn_status begin_growth(mn_context *ctx, mn_bush *b, const mn_data *data, struct growth *g)
{
  const size_t n = b->rows, workers = mn_threads(ctx);
  size_t root;
  *g = (struct growth){ .bush = b, .judge = MN_RAW(ctx, mn_judge, workers, 1), .all_of_many = true };
  g->offer = MN_RAW(ctx, mn_offer, data->features, 1);
  b->sorted = MN_RAW(ctx, mn_weighted_row, n, 2);
  b->key = MN_RAW(ctx, uint32_t, n, 2);
  b->branch = MN_RAW(ctx, mn_branch, n + 2, 1);
  if (!g->judge || !g->offer || !b->sorted || !b->key || !b->branch) return MN_NO_MEMORY;
  b->other = b->sorted + n;
  b->key_other = b->key + n;
  for (size_t w = 0; w < workers; w++) MN_TRY(mn_judge_make(ctx, w, n, b->classes, &g->judge[w]));
  MN_TRY(mn_bush_add(ctx, b, &root));
  MN_TRY(mn_cases_room(ctx, b, &b->stack, n));
  for (size_t i = 0; i < n; i++) {
    b->stack.at[b->stack.size++] = (mn_weighted_row){ (uint32_t)i, mn_weight(data, i) };
    mn_stem_counts(b, root)[data->code[i]] += mn_weight(data, i);
    b->total += mn_weight(data, i);
  }
  MN_TRY(mn_bush_know(ctx, b));
  for (size_t j = 0; j < data->features; j++) g->all_of_many = g->all_of_many && has_many(b, j);
  return wait_for(ctx, g, (struct waiting){ root, 0, 0 });
}

mn_status mn_bush_grow(mn_context *ctx, mn_bush *b, const mn_data *data)
{
  struct growth g;
  MN_TRY(begin_growth(ctx, b, data, &g));
  while (g.waits > 0) {
    const struct waiting node = g.waiting[--g.waits];
    size_t feature;
    MN_TRY(choose(ctx, &g, &node, &feature));
    if (feature == SIZE_MAX)
      MN_TRY(end_leaf(ctx, b, &node));
    else
      MN_TRY(split(ctx, &g, &node, feature));
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}
