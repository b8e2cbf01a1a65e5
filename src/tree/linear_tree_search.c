/* Search of the split of a node. The rows are sorted by a column, and the sums from which the loss of both sides is
 * computed are updated from row to row. The loss is computed at no more than max_bins thresholds. All sums are about
 * the means of the node, to avoid cancellation. Rows with a missing value are tried on the right of all thresholds,
 * then on the left.
 *
 * For a factor with few levels all subsets are tried. The levels of others are sorted by their mean residual of the
 * model of the node, and then split like numbers. */
#include "linear_tree_search.h"
#include "linear_tree_kernel.h"
#include <stdlib.h>

enum { MIN_PARALLEL_VALUES = 1 << 14, MAX_ENUMERATED_LEVELS = 10, WORK_PER_POLL = 1 << 22 };

mn_status mn_linear_search_make(mn_context *ctx, mn_linear_growth *g, mn_linear_search *f)
{
  const size_t n = g->data->rows, s = g->numbers + 2, full = s + g->gaps, workers = mn_threads(ctx);
  size_t max_levels = 0; /* of a node */
  *f = (mn_linear_search){ .g = g, .s = s, .full = full };
  for (size_t j = 0; j < g->data->features; j++)
    if (g->columns.is_factor[j] && g->columns.distinct[j] > max_levels) max_levels = g->columns.distinct[j];
  max_levels = max_levels < n ? max_levels : n;
  f->u = MN_RAW(ctx, double, n, full);
  f->all = MN_RAW(ctx, double, full, full);
  f->weight = MN_RAW(ctx, double, n, 2);
  f->ws = MN_RAW(ctx, mn_linear_workspace, workers, 1);
  f->candidate = MN_RAW(ctx, mn_linear_candidate, g->data->features, 1);
  if (!f->u || !f->all || !f->weight || !f->ws || !f->candidate) return MN_NO_MEMORY;
  f->residual = f->weight + n;
  for (size_t w = 0; w < workers; w++) {
    mn_linear_workspace *ws = &f->ws[w];
    ws->token = (mn_cancel_token){ ctx, w };
    ws->rows = MN_RAW(ctx, mn_weighted_row, n, 2);
    ws->key = MN_RAW(ctx, uint32_t, n, 2);
    ws->left = MN_RAW(ctx, double, full * 3, full);
    ws->level = MN_RAW(ctx, mn_linear_level, max_levels, 1);
    ws->part =
        MN_RAW(ctx, double, full *(max_levels < MAX_ENUMERATED_LEVELS ? max_levels : MAX_ENUMERATED_LEVELS), full);
    if (!ws->rows || !ws->key || !ws->left || !ws->level || !ws->part) return MN_NO_MEMORY;
    ws->other = ws->rows + n;
    ws->key_other = ws->key + n;
    ws->buffer = ws->left + full * full;
    ws->imputed = ws->buffer + full * full;
  }
  return MN_OK;
}

double mn_linear_split_loss(const mn_linear_search *f, const mn_linear_workspace *ws, const double *sums,
                            const double *without)
{
  const double alpha = f->g->m->alpha;
  if (f->g->gaps == 0) return mn_linear_rss(f->s, alpha, sums, without, ws->buffer);
  mn_linear_fill_missing(f->s, f->g->gaps, f->g->gap, sums, without, ws->buffer, ws->imputed);
  return mn_linear_rss(f->s, alpha, ws->imputed, NULL, ws->buffer);
}

/* Check for cancellation from time to time. work: multiplications since the last check. False: cancelled. */
static bool should_continue(const mn_linear_workspace *ws, size_t more, size_t *work)
{
  *work += more;
  if (*work < WORK_PER_POLL) return true;
  *work = 0;
  return mn_task_should_continue(&ws->token);
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

/* True if there are so few levels that all subsets are tried. */
static bool enumerates_subsets(const mn_linear_search *f, size_t levels)
{
  return levels <= MAX_ENUMERATED_LEVELS && (int64_t)1 << (levels > 0 ? levels - 1 : 0) <= f->g->m->max_bins;
}

/* Find the levels in ws->key, which is sorted by code. If there are many, sort them and use their rank as the key. */
static void find_levels(const mn_linear_search *f, mn_linear_workspace *ws)
{
  for (size_t i = 0; i < ws->known;) {
    mn_linear_level *level = &ws->level[ws->levels++];
    double sum = 0, weight = 0;
    *level = (mn_linear_level){ .code = ws->key[i], .begin = (uint32_t)i };
    for (; i < ws->known && ws->key[i] == level->code; i++) {
      sum += ws->rows[i].weight * f->residual[ws->rows[i].row];
      weight += ws->rows[i].weight;
    }
    level->end = (uint32_t)i;
    level->mean = sum / weight;
  }
  if (enumerates_subsets(f, ws->levels)) return;
  qsort(ws->level, ws->levels, sizeof *ws->level, by_mean);
  memcpy(ws->other, ws->rows, ws->known * sizeof *ws->rows);
  for (size_t r = 0, to = 0; r < ws->levels; r++)
    for (size_t i = ws->level[r].begin; i < ws->level[r].end; i++, to++) {
      ws->rows[to] = ws->other[i];
      ws->key[to] = (uint32_t)r;
    }
}

/* Sort the rows of the node by column j. *all: number of thresholds. False: cancelled. */
static bool sort_rows(const mn_linear_search *f, mn_linear_workspace *ws, size_t j, size_t *all)
{
  const mn_linear_growth *g = f->g;
  const size_t n = f->node->end - f->node->begin;
  const uint32_t none = g->columns.distinct[j];
  size_t thresholds = 0;
  ws->levels = 0;
  const mn_packed rank = g->columns.rank[j];
  mn_chunk p = { 0 };
  while (mn_next_chunk(&ws->token, n, &p))
    for (size_t i = p.begin; i < p.end; i++) {
      ws->rows[i] = (mn_weighted_row){ (uint32_t)i, f->weight[i] };
      ws->key[i] = mn_packed_get(rank, g->rows[f->node->begin + i]);
    }
  if (p.end < n || !mn_sort_weighted_rows(&ws->token, n, ws->rows, ws->key, ws->other, ws->key_other)) return false;
  for (ws->known = n; ws->known > 0 && ws->key[ws->known - 1] == none;) ws->known--;
  if (g->columns.is_factor[j]) find_levels(f, ws);
  for (size_t i = 1; i < n; i++) thresholds += ws->key[i] != ws->key[i - 1];
  *all = thresholds;
  return true;
}

/* --- numbers --- */

/* Add the rows with a missing value to the sums. Returns their weight. */
static double add_missing(const mn_linear_search *f, const mn_linear_workspace *ws, double *sums)
{
  double weight = 0;
  for (size_t i = ws->known, n = f->node->end - f->node->begin; i < n; i++) {
    mn_linear_add_row(f->full, ws->rows[i].weight, f->u + ws->rows[i].row * f->full, sums);
    weight += ws->rows[i].weight;
  }
  return weight;
}

/* The best of the thresholds with a left weight between `from` and `to`, one for each `step` of weight; 0: all.
 * Incomplete if cancelled. */
static void try_thresholds(const mn_linear_search *f, mn_linear_workspace *ws, bool missing_left, double from,
                           double to, double step, mn_linear_candidate *best)
{
  const mn_linear_growth *g = f->g;
  const size_t n = f->node->end - f->node->begin, stop = missing_left || ws->known == n ? ws->known : ws->known + 1;
  double left = 0, next = from;
  size_t work = 0;
  *best = (mn_linear_candidate){ .loss = INFINITY, .missing_left = missing_left };
  memset(ws->left, 0, f->full * f->full * sizeof *ws->left);
  if (missing_left) left = add_missing(f, ws, ws->left);
  for (size_t i = 0; i + 1 < stop && left < to; i++) {
    if (!should_continue(ws, f->full * f->full, &work)) return;
    mn_linear_add_row(f->full, ws->rows[i].weight, f->u + ws->rows[i].row * f->full, ws->left);
    left += ws->rows[i].weight;
    if (ws->key[i] == ws->key[i + 1] || left < fmax(g->min_leaf_weight, next) - MN_LINEAR_TOLERANCE) continue;
    if (f->node->weight - left < g->min_leaf_weight - MN_LINEAR_TOLERANCE) return;
    if (step > 0) next = step * (floor(left / step + MN_LINEAR_TOLERANCE) + 1);
    if (!should_continue(ws, f->s * f->s * f->s, &work)) return;
    const double loss = mn_linear_split_loss(f, ws, ws->left, NULL) + mn_linear_split_loss(f, ws, f->all, ws->left);
    if (!is_better(loss, best->loss)) continue;
    best->loss = loss;
    best->left = left;
    best->rank = ws->key[i];
    best->next = ws->key[i + 1];
  }
}

/* --- factors with few levels --- */

/* The best of all subsets of levels, the last of which stays on the right, except that all levels may be separated from
 * the rows with a missing level. Incomplete if cancelled. */
static void try_subsets(const mn_linear_search *f, mn_linear_workspace *ws, bool missing_left,
                        mn_linear_candidate *best)
{
  const size_t n = f->node->end - f->node->begin, full = f->full, all = (size_t)1 << ws->levels;
  const bool has_missing = ws->known < n;
  size_t work = 0;
  *best = (mn_linear_candidate){ .loss = INFINITY, .missing_left = missing_left };
  memset(ws->part, 0, ws->levels * full * full * sizeof *ws->part);
  for (size_t r = 0; r < ws->levels; r++)
    for (size_t i = ws->level[r].begin; i < ws->level[r].end; i++) {
      if (!should_continue(ws, full * full, &work)) return;
      mn_linear_add_row(full, ws->rows[i].weight, f->u + ws->rows[i].row * full, ws->part + r * full * full);
    }
  for (size_t chosen = 1; chosen < all; chosen++) {
    if (chosen >= all / 2 && !(has_missing && !missing_left && chosen == all - 1)) continue;
    memset(ws->left, 0, full * full * sizeof *ws->left);
    if (missing_left) add_missing(f, ws, ws->left);
    for (size_t r = 0; r < ws->levels; r++)
      for (size_t k = 0; chosen >> r & 1 && k < full * full; k++) ws->left[k] += ws->part[r * full * full + k];
    const double left = ws->left[(f->s - 2) * full + f->s - 2],
                 min_weight = f->g->min_leaf_weight - MN_LINEAR_TOLERANCE;
    if (left < min_weight || f->node->weight - left < min_weight) continue;
    if (!should_continue(ws, f->s * f->s * f->s, &work)) return;
    const double loss = mn_linear_split_loss(f, ws, ws->left, NULL) + mn_linear_split_loss(f, ws, f->all, ws->left);
    if (!is_better(loss, best->loss)) continue;
    best->loss = loss;
    best->left = left;
    best->left_levels = (uint32_t)chosen;
  }
}

size_t mn_linear_split_levels(const mn_linear_search *f, size_t feature, uint32_t *code, size_t *present)
{
  const mn_linear_candidate *candidate = &f->candidate[feature];
  mn_linear_workspace *ws = &f->ws[0];
  size_t left = 0, right = 0, thresholds;
  if (!sort_rows(f, ws, feature, &thresholds)) return *present = 0; /* cancelled */
  for (size_t r = 0; r < ws->levels; r++)
    if (candidate->left_levels > 0 ? candidate->left_levels >> r & 1 : r <= candidate->rank)
      code[left++] = ws->level[r].code;
  for (size_t r = 0; r < ws->levels; r++)
    if (!(candidate->left_levels > 0 ? candidate->left_levels >> r & 1 : r <= candidate->rank))
      code[left + right++] = ws->level[r].code;
  *present = left + right;
  return left;
}

/* --- columns --- */

static void search_column(void *work, size_t j, size_t worker)
{
  const mn_linear_search *f = work;
  const double bins = (double)f->g->m->max_bins, weight = f->node->weight;
  mn_linear_workspace *ws = &f->ws[worker];
  mn_linear_candidate *best = &f->candidate[j], other;
  size_t thresholds;
  *best = (mn_linear_candidate){ .loss = INFINITY };
  if (!sort_rows(f, ws, j, &thresholds)) return;
  const bool all = (double)thresholds < bins;
  const bool enumerate = f->g->columns.is_factor[j] && enumerates_subsets(f, ws->levels);
  const bool has_missing = ws->known < f->node->end - f->node->begin;
  for (int left = 0; left < (has_missing ? 2 : 1); left++) {
    if (enumerate)
      try_subsets(f, ws, left == 1, &other);
    else
      try_thresholds(f, ws, left == 1, 0, weight, all ? 0 : weight / bins, &other);
    if (left == 0 || is_better(other.loss, best->loss)) *best = other;
  }
  best->is_approximate = !all && !enumerate;
  best->has_missing = has_missing;
}

/* Try all thresholds between the neighbors of the best one. */
static void refine(const mn_linear_search *f, size_t j)
{
  const double step = f->node->weight / (double)f->g->m->max_bins, left = f->candidate[j].left;
  mn_linear_candidate finer;
  size_t thresholds;
  if (!f->candidate[j].is_approximate || !sort_rows(f, &f->ws[0], j, &thresholds)) return;
  try_thresholds(f, &f->ws[0], f->candidate[j].missing_left, left - step, left + step, 0, &finer);
  finer.has_missing = f->candidate[j].has_missing;
  if (finer.loss < f->candidate[j].loss) f->candidate[j] = finer;
}

mn_status mn_linear_find_split(mn_context *ctx, mn_linear_search *f, size_t *feature)
{
  const mn_linear_growth *g = f->g;
  const size_t columns = g->data->features, p = f->s - 2, n = f->node->end - f->node->begin;
  const double node_loss = mn_linear_split_loss(f, &f->ws[0], f->all, NULL);
  *feature = SIZE_MAX;
  if (f->node->depth >= g->max_depth || f->node->weight < 2 * g->min_leaf_weight) return MN_OK;
  if (n * columns * (p > 0 ? p : 1) >= MIN_PARALLEL_VALUES)
    MN_TRY(mn_parallel(ctx, columns, search_column, f));
  else
    for (size_t j = 0; j < columns; j++) search_column(f, j, 0);
  for (size_t j = 0; j < columns; j++) {
    const double loss = f->candidate[j].loss;
    if (!is_better(loss, node_loss)) continue;
    if (*feature == SIZE_MAX || is_better(loss, f->candidate[*feature].loss)) *feature = j;
  }
  if (*feature != SIZE_MAX) refine(f, *feature);
  return mn_error_status(ctx);
}
