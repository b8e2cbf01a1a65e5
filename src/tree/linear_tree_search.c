/* Looking for the split of a node. The rows are sorted by a column, and the sums from which the loss of either side
 * follows grow from row to row; the loss is taken at max_bins cuts at most. All is about the means of the node, so that
 * little cancels. Rows whose value is missing stand on the right of all cuts, then on the left.
 *
 * A factor of few levels is split in all ways there are. The levels of others are put in the order of what the model of
 * the node leaves of y in them, in the mean, and are cut as numbers are. */
#include "linear_tree_search.h"
#include "linear_tree_kernel.h"
#include <stdlib.h>

enum { SHARED = 1 << 14, MOST_CHOSEN = 10, WORK_A_POLL = 1 << 22 };

mn_status mn_linear_search_make(mn_context *ctx, mn_linear_growth *g, mn_linear_search *f)
{
  const size_t n = g->data->rows, s = g->numbers + 2, wide = s + g->gaps, workers = mn_threads(ctx);
  size_t most = 0; /* levels that a node can have */
  *f = (mn_linear_search){ .g = g, .s = s, .wide = wide };
  for (size_t j = 0; j < g->data->features; j++)
    if (g->columns.is_factor[j] && g->columns.distinct[j] > most) most = g->columns.distinct[j];
  most = most < n ? most : n;
  f->u = MN_RAW(ctx, double, n, wide);
  f->all = MN_RAW(ctx, double, wide, wide);
  f->weight = MN_RAW(ctx, double, n, 2);
  f->bench = MN_RAW(ctx, mn_linear_workspace, workers, 1);
  f->offer = MN_RAW(ctx, mn_linear_candidate, g->data->features, 1);
  if (!f->u || !f->all || !f->weight || !f->bench || !f->offer) return MN_NO_MEMORY;
  f->residual = f->weight + n;
  for (size_t w = 0; w < workers; w++) {
    mn_linear_workspace *b = &f->bench[w];
    b->token = (mn_cancel_token){ ctx, w };
    b->cases = MN_RAW(ctx, mn_weighted_row, n, 2);
    b->key = MN_RAW(ctx, uint32_t, n, 2);
    b->left = MN_RAW(ctx, double, wide * 3, wide);
    b->run = MN_RAW(ctx, mn_linear_level, most, 1);
    b->part = MN_RAW(ctx, double, wide *(most < MOST_CHOSEN ? most : MOST_CHOSEN), wide);
    if (!b->cases || !b->key || !b->left || !b->run || !b->part) return MN_NO_MEMORY;
    b->other = b->cases + n;
    b->key_other = b->key + n;
    b->room = b->left + wide * wide;
    b->whole = b->room + wide * wide;
  }
  return MN_OK;
}

double mn_linear_split_loss(const mn_linear_search *f, const mn_linear_workspace *b, const double *sums,
                            const double *without)
{
  const double alpha = f->g->m->alpha;
  if (f->g->gaps == 0) return mn_linear_rss(f->s, alpha, sums, without, b->room);
  mn_linear_fill_missing(f->s, f->g->gaps, f->g->gap, sums, without, b->room, b->whole);
  return mn_linear_rss(f->s, alpha, b->whole, NULL, b->room);
}

/* Sums and losses of many columns take long. work: multiplications since it was last asked. False: cancelled. */
static bool goes_on(const mn_linear_workspace *b, size_t more, size_t *work)
{
  *work += more;
  if (*work < WORK_A_POLL) return true;
  *work = 0;
  return mn_task_should_continue(&b->token);
}

static bool is_better(double loss, double than)
{
  return loss < than * (1 - MN_LINEAR_TOLERANCE);
}

/* --- the rows of a node by a column --- */

static int by_mean(const void *a, const void *b)
{
  const mn_linear_level *x = a, *y = b;
  if (x->mean < y->mean || x->mean > y->mean) return x->mean < y->mean ? -1 : 1;
  return x->code < y->code ? -1 : 1;
}

/* Are there so few levels that all ways to part them are tried? */
static bool are_few(const mn_linear_search *f, size_t runs)
{
  return runs <= MOST_CHOSEN && (int64_t)1 << (runs > 0 ? runs - 1 : 0) <= f->g->m->max_bins;
}

/* Levels, which stand in b->key by code; those of many are brought into their order, and are numbered by it. */
static void find_runs(const mn_linear_search *f, mn_linear_workspace *b)
{
  for (size_t i = 0; i < b->known;) {
    mn_linear_level *run = &b->run[b->runs++];
    double sum = 0, weight = 0;
    *run = (mn_linear_level){ .code = b->key[i], .begin = (uint32_t)i };
    for (; i < b->known && b->key[i] == run->code; i++) {
      sum += b->cases[i].weight * f->residual[b->cases[i].row];
      weight += b->cases[i].weight;
    }
    run->end = (uint32_t)i;
    run->mean = sum / weight;
  }
  if (are_few(f, b->runs)) return;
  qsort(b->run, b->runs, sizeof *b->run, by_mean);
  memcpy(b->other, b->cases, b->known * sizeof *b->cases);
  for (size_t r = 0, to = 0; r < b->runs; r++)
    for (size_t i = b->run[r].begin; i < b->run[r].end; i++, to++) {
      b->cases[to] = b->other[i];
      b->key[to] = (uint32_t)r;
    }
}

/* The rows of the node by column j, in the bench. *all: how many cuts there are. False: cancelled. */
static bool sort_rows(const mn_linear_search *f, mn_linear_workspace *b, size_t j, size_t *all)
{
  const mn_linear_growth *g = f->g;
  const size_t n = f->node->end - f->node->begin;
  const uint32_t none = g->columns.distinct[j];
  size_t cuts = 0;
  b->runs = 0;
  const mn_packed rank = g->columns.rank[j];
  mn_chunk p = { 0 };
  while (mn_next_chunk(&b->token, n, &p))
    for (size_t i = p.begin; i < p.end; i++) {
      b->cases[i] = (mn_weighted_row){ (uint32_t)i, f->weight[i] };
      b->key[i] = mn_packed_get(rank, g->at[f->node->begin + i]);
    }
  if (p.end < n || !mn_sort_weighted_rows(&b->token, n, b->cases, b->key, b->other, b->key_other)) return false;
  for (b->known = n; b->known > 0 && b->key[b->known - 1] == none;) b->known--;
  if (g->columns.is_factor[j]) find_runs(f, b);
  for (size_t i = 1; i < n; i++) cuts += b->key[i] != b->key[i - 1];
  *all = cuts;
  return true;
}

/* --- the best cut --- */

/* The rows whose value is missing, into zeroed sums. Returns their weight. */
static double add_missing(const mn_linear_search *f, const mn_linear_workspace *b, double *sums)
{
  double weight = 0;
  for (size_t i = b->known, n = f->node->end - f->node->begin; i < n; i++) {
    mn_linear_add_row(f->wide, b->cases[i].weight, f->u + b->cases[i].row * f->wide, sums);
    weight += b->cases[i].weight;
  }
  return weight;
}

/* The best of the cuts that leave a weight between `from` and `to` on the left, one in each `step` of it; 0: all. When
 * the fit is cancelled, of those so far, for nobody will have it. */
static void try_cuts(const mn_linear_search *f, mn_linear_workspace *b, bool missing_left, double from, double to,
                     double step, mn_linear_candidate *best)
{
  const mn_linear_growth *g = f->g;
  const size_t n = f->node->end - f->node->begin, stop = missing_left || b->known == n ? b->known : b->known + 1;
  double left = 0, next = from;
  size_t work = 0;
  *best = (mn_linear_candidate){ .loss = INFINITY, .missing_left = missing_left };
  memset(b->left, 0, f->wide * f->wide * sizeof *b->left);
  if (missing_left) left = add_missing(f, b, b->left);
  for (size_t i = 0; i + 1 < stop && left < to; i++) {
    if (!goes_on(b, f->wide * f->wide, &work)) return;
    mn_linear_add_row(f->wide, b->cases[i].weight, f->u + b->cases[i].row * f->wide, b->left);
    left += b->cases[i].weight;
    if (b->key[i] == b->key[i + 1] || left < fmax(g->min_leaf, next) - MN_LINEAR_TOLERANCE) continue;
    if (f->node->weight - left < g->min_leaf - MN_LINEAR_TOLERANCE) return;
    if (step > 0) next = step * (floor(left / step + MN_LINEAR_TOLERANCE) + 1);
    if (!goes_on(b, f->s * f->s * f->s, &work)) return;
    const double loss = mn_linear_split_loss(f, b, b->left, NULL) + mn_linear_split_loss(f, b, f->all, b->left);
    if (!is_better(loss, best->loss)) continue;
    best->loss = loss;
    best->left = left;
    best->rank = b->key[i];
    best->next = b->key[i + 1];
  }
}

/* --- factors of few levels --- */

/* All ways to part the levels, the last of which stays on the right; but all of them may be parted from the rows whose
 * level is missing. When the fit is cancelled, as in try_cuts. */
static void try_levels(const mn_linear_search *f, mn_linear_workspace *b, bool missing_left, mn_linear_candidate *best)
{
  const size_t n = f->node->end - f->node->begin, wide = f->wide, all = (size_t)1 << b->runs;
  const bool gaps = b->known < n;
  size_t work = 0;
  *best = (mn_linear_candidate){ .loss = INFINITY, .missing_left = missing_left };
  memset(b->part, 0, b->runs * wide * wide * sizeof *b->part);
  for (size_t r = 0; r < b->runs; r++)
    for (size_t i = b->run[r].begin; i < b->run[r].end; i++) {
      if (!goes_on(b, wide * wide, &work)) return;
      mn_linear_add_row(wide, b->cases[i].weight, f->u + b->cases[i].row * wide, b->part + r * wide * wide);
    }
  for (size_t chosen = 1; chosen < all; chosen++) {
    if (chosen >= all / 2 && !(gaps && !missing_left && chosen == all - 1)) continue;
    memset(b->left, 0, wide * wide * sizeof *b->left);
    if (missing_left) add_missing(f, b, b->left);
    for (size_t r = 0; r < b->runs; r++)
      for (size_t k = 0; chosen >> r & 1 && k < wide * wide; k++) b->left[k] += b->part[r * wide * wide + k];
    const double left = b->left[(f->s - 2) * wide + f->s - 2], least = f->g->min_leaf - MN_LINEAR_TOLERANCE;
    if (left < least || f->node->weight - left < least) continue;
    if (!goes_on(b, f->s * f->s * f->s, &work)) return;
    const double loss = mn_linear_split_loss(f, b, b->left, NULL) + mn_linear_split_loss(f, b, f->all, b->left);
    if (!is_better(loss, best->loss)) continue;
    best->loss = loss;
    best->left = left;
    best->chosen = (uint32_t)chosen;
  }
}

size_t mn_linear_split_levels(const mn_linear_search *f, size_t feature, uint32_t *code, size_t *here)
{
  const mn_linear_candidate *offer = &f->offer[feature];
  mn_linear_workspace *b = &f->bench[0];
  size_t left = 0, right = 0, cuts;
  if (!sort_rows(f, b, feature, &cuts)) return *here = 0; /* what follows asks */
  for (size_t r = 0; r < b->runs; r++)
    if (offer->chosen > 0 ? offer->chosen >> r & 1 : r <= offer->rank) code[left++] = b->run[r].code;
  for (size_t r = 0; r < b->runs; r++)
    if (!(offer->chosen > 0 ? offer->chosen >> r & 1 : r <= offer->rank)) code[left + right++] = b->run[r].code;
  *here = left + right;
  return left;
}

/* --- columns --- */

static void search_column(void *work, size_t j, size_t worker)
{
  const mn_linear_search *f = work;
  const double bins = (double)f->g->m->max_bins, weight = f->node->weight;
  mn_linear_workspace *b = &f->bench[worker];
  mn_linear_candidate *best = &f->offer[j], other;
  size_t cuts;
  *best = (mn_linear_candidate){ .loss = INFINITY };
  if (!sort_rows(f, b, j, &cuts)) return;
  const bool all = (double)cuts < bins;
  const bool few = f->g->columns.is_factor[j] && are_few(f, b->runs);
  const bool gaps = b->known < f->node->end - f->node->begin;
  for (int left = 0; left < (gaps ? 2 : 1); left++) {
    if (few)
      try_levels(f, b, left == 1, &other);
    else
      try_cuts(f, b, left == 1, 0, weight, all ? 0 : weight / bins, &other);
    if (left == 0 || is_better(other.loss, best->loss)) *best = other;
  }
  best->coarse = !all && !few;
  best->gaps = gaps;
}

/* Between the cuts that were tried beside the best one, all there are. */
static void refine(const mn_linear_search *f, size_t j)
{
  const double step = f->node->weight / (double)f->g->m->max_bins, left = f->offer[j].left;
  mn_linear_candidate finer;
  size_t cuts;
  if (!f->offer[j].coarse || !sort_rows(f, &f->bench[0], j, &cuts)) return;
  try_cuts(f, &f->bench[0], f->offer[j].missing_left, left - step, left + step, 0, &finer);
  finer.gaps = f->offer[j].gaps;
  if (finer.loss < f->offer[j].loss) f->offer[j] = finer;
}

mn_status mn_linear_find_split(mn_context *ctx, mn_linear_search *f, size_t *feature)
{
  const mn_linear_growth *g = f->g;
  const size_t columns = g->data->features, p = f->s - 2, n = f->node->end - f->node->begin;
  const double own = mn_linear_split_loss(f, &f->bench[0], f->all, NULL);
  *feature = SIZE_MAX;
  if (f->node->depth >= g->max_depth || f->node->weight < 2 * g->min_leaf) return MN_OK;
  if (n * columns * (p > 0 ? p : 1) >= SHARED)
    MN_TRY(mn_parallel(ctx, columns, search_column, f));
  else
    for (size_t j = 0; j < columns; j++) search_column(f, j, 0);
  for (size_t j = 0; j < columns; j++) {
    const double loss = f->offer[j].loss;
    if (!is_better(loss, own)) continue;
    if (*feature == SIZE_MAX || is_better(loss, f->offer[*feature].loss)) *feature = j;
  }
  if (*feature != SIZE_MAX) refine(f, *feature);
  return mn_error_status(ctx);
}
