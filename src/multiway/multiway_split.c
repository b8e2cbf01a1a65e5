/* What a column says of the classes of a node: Quinlan, C4.5: Programs for Machine Learning (1993), chapters 2 and 3.
 *
 *     gain = known (H(S) - sum_v W_v / W H(S_v)),     H(S) = - sum_c p_c log2 p_c
 *     ratio = gain / - sum_v s_v log2 s_v,            s_v: shares of the branches and of the missing values
 *
 * known is the share of the weight whose value is not missing, over which W and H are. C4.5 takes log2(cuts) / weight
 * off the gain of the best of several cuts. */
#include "multiway_grow.h"

enum { MOST_KNOWN = 1 << 20 };

/* Gains that differ by less are equal: the first column wins. */
static const double TINY = 1e-9;

mn_status mn_judge_make(mn_context *ctx, size_t worker, size_t rows, size_t classes, mn_judge *out)
{
  out->token = (mn_cancel_token){ ctx, worker };
  out->sorted = MN_RAW(ctx, mn_weighted_row, rows, 2);
  out->key = MN_RAW(ctx, uint32_t, rows, 2);
  out->left = MN_RAW(ctx, double, classes, 3);
  if (!out->sorted || !out->key || !out->left) return MN_NO_MEMORY;
  out->other = out->sorted + rows;
  out->key_other = out->key + rows;
  out->right = out->left + classes;
  out->sides = out->right + classes;
  return MN_OK;
}

/* --- sums of x log2 x --- */

static double work_out(double x)
{
  return x > 0 ? x * log2(x) : 0;
}

/* The logarithms of all whole numbers that nodes can count up to, as rows without weights make them: a cut then costs
 * no logarithm. In a chain, where every node has nearly all the rows of its parent, that is most of the time. */
mn_status mn_bush_know(mn_context *ctx, mn_bush *b)
{
  const size_t n = (size_t)fmin(b->total, MOST_KNOWN - 1) + 1;
  double *known = MN_RAW(ctx, double, n, 1);
  MN_CHECK_ALLOC(known);
  known[0] = 0;
  for (size_t k = 1; k < n; k++) known[k] = work_out((double)k);
  b->x_log_x = known;
  b->known = (double)n;
  return MN_OK;
}

static inline double x_log_x(const mn_bush *b, double x)
{
  if (x >= 0 && x < b->known) {
    const uint32_t whole = (uint32_t)x;
    if (!((double)whole < x)) return b->x_log_x[whole];
  }
  return work_out(x);
}

static double sum_x_log_x(const mn_bush *b, const double *x)
{
  double sum = 0;
  for (size_t c = 0; c < b->classes; c++) sum += x_log_x(b, x[c]);
  return sum;
}

/* The cases whose value is known, sorted, with counts of their classes in judge->right. Returns how many; none where
 * the operation was cancelled. */
static size_t known_cases(const mn_bush *b, mn_judge *judge, const mn_weighted_row *cases, size_t n, size_t j,
                          double *weight)
{
  const uint32_t missing = b->columns->distinct[j];
  size_t known = 0;
  *weight = 0;
  memset(judge->left, 0, b->classes * sizeof *judge->left);
  memset(judge->right, 0, b->classes * sizeof *judge->right);
  const mn_packed ranks = b->columns->rank[j];
  mn_chunk p = { 0 };
  while (mn_next_chunk(&judge->token, n, &p))
    for (size_t i = p.begin; i < p.end; i++) {
      const uint32_t rank = mn_packed_get(ranks, cases[i].row);
      if (rank == missing) continue;
      judge->sorted[known] = cases[i];
      judge->key[known++] = rank;
      judge->right[b->code[cases[i].row]] += cases[i].weight;
      *weight += cases[i].weight;
    }
  if (p.end < n) return 0;
  return mn_sort_weighted_rows(&judge->token, known, judge->sorted, judge->key, judge->other, judge->key_other) ? known
                                                                                                                : 0;
}

/* --- factors --- */

static void judge_factor(const mn_bush *b, mn_judge *judge, size_t known, double weight, double total, mn_offer *offer)
{
  double within = 0, parts = 0, best[2] = { 0, 0 };
  size_t branches = 0;
  for (size_t begin = 0, end; begin < known; begin = end) {
    double sum = 0;
    for (end = begin; end < known && judge->key[end] == judge->key[begin]; end++) {
      judge->left[b->code[judge->sorted[end].row]] += judge->sorted[end].weight;
      sum += judge->sorted[end].weight;
    }
    for (size_t i = begin; i < end; i++) { /* each class once, so that levels with few rows cost little */
      double *count = &judge->left[b->code[judge->sorted[i].row]];
      within += x_log_x(b, *count);
      *count = 0;
    }
    parts += x_log_x(b, sum);
    best[1] = sum > best[1] ? sum : best[1];
    if (best[1] > best[0]) {
      const double swap = best[0];
      best[0] = best[1];
      best[1] = swap;
    }
    branches++;
  }
  const double apart = x_log_x(b, total) - parts - x_log_x(b, total - weight);
  offer->gain = (x_log_x(b, weight) - sum_x_log_x(b, judge->right) - parts + within) / total;
  offer->ratio = apart > 0 ? offer->gain / (apart / total) : 0;
  offer->valid = branches > 1 && best[1] >= b->way->min_cases;
}

/* --- numbers --- */

/* The least weight on either side of a cut: C4.5's tenth of a class's mean, between min_cases and 25. */
static double least_side(const mn_bush *b, double weight)
{
  if (!b->way->by_ratio) return 0;
  return fmax(b->way->min_cases, fmin(25, 0.1 * weight / (double)b->classes));
}

/* Rows of one class move to the left side: the sum of both sides' x log x changes by that class alone. */
static double move_case(const mn_bush *b, mn_judge *judge, const mn_weighted_row *c)
{
  const int32_t class = b->code[c->row];
  double *left = &judge->left[class], *right = &judge->right[class];
  const double before = judge->sides[class];
  *left += c->weight;
  *right -= c->weight;
  judge->sides[class] = x_log_x(b, *left) + x_log_x(b, *right);
  return judge->sides[class] - before;
}

/* Halfway between two values of the node; for C4.5 the greatest value of all rows up to there. */
static void set_cut(const mn_bush *b, size_t j, uint32_t low, uint32_t high, mn_offer *offer)
{
  const double *sorted = b->columns->sorted[j];
  offer->cut = (sorted[low] + sorted[high]) / 2;
  if (isinf(offer->cut)) offer->cut = sorted[low] / 2 + sorted[high] / 2;
  if (!(offer->cut < sorted[high])) offer->cut = sorted[low];
  const double halfway = offer->cut + 1e-9 * (sorted[high] / 2 - sorted[low] / 2); /* whatever the last digit says */
  while (low + 1 < high) { /* binary search among the values between them, which other nodes have */
    const uint32_t middle = low + (high - low) / 2;
    if (sorted[middle] <= halfway)
      low = middle;
    else
      high = middle;
  }
  offer->cut_rank = low;
  if (b->way->by_ratio || sorted[low] > offer->cut) offer->cut = sorted[low];
}

static void judge_numbers(const mn_bush *b, mn_judge *judge, size_t known, double weight, double total, size_t j,
                          mn_offer *offer)
{
  const double least = least_side(b, weight), whole = x_log_x(b, weight) - sum_x_log_x(b, judge->right);
  double sides = sum_x_log_x(b, judge->right), left = 0, cut_left = 0;
  double most = -INFINITY; /* gain of the best cut, times total */
  size_t cuts = 0, best = 0;
  offer->gain = -INFINITY;
  if (weight < 2 * least) return;
  for (size_t c = 0; c < b->classes; c++) judge->sides[c] = x_log_x(b, judge->right[c]);
  mn_chunk p = { 0 };
  while (mn_next_chunk(&judge->token, known - 1, &p))
    for (size_t i = p.begin; i < p.end; i++) {
      sides += move_case(b, judge, &judge->sorted[i]);
      left += judge->sorted[i].weight;
      if (judge->key[i] == judge->key[i + 1] || left < least - TINY || weight - left < least - TINY) continue;
      const double gain = whole - x_log_x(b, left) - x_log_x(b, weight - left) + sides;
      cuts++;
      if (!(gain > most && gain / total > offer->gain + TINY)) continue;
      most = gain;
      offer->gain = gain / total;
      best = i;
      cut_left = left;
    }
  if (cuts == 0) return;
  if (b->way->by_ratio) offer->gain -= log2((double)cuts) / total;
  const double apart =
      x_log_x(b, total) - x_log_x(b, cut_left) - x_log_x(b, weight - cut_left) - x_log_x(b, total - weight);
  offer->ratio = apart > 0 ? offer->gain / (apart / total) : 0;
  offer->valid = !b->way->by_ratio || offer->gain > TINY;
  set_cut(b, j, judge->key[best], judge->key[best + 1], offer);
}

void mn_judge_column(const mn_bush *b, mn_judge *judge, const mn_weighted_row *cases, size_t n, const double *counts,
                     size_t j, mn_offer *offer)
{
  double weight, total = 0;
  for (size_t c = 0; c < b->classes; c++) total += counts[c];
  const size_t known = known_cases(b, judge, cases, n, j, &weight);
  if (known == n) weight = total;
  *offer = (mn_offer){ .valid = false };
  if (known < 2) return;
  if (b->columns->is_factor[j])
    judge_factor(b, judge, known, weight, total, offer);
  else
    judge_numbers(b, judge, known, weight, total, j, offer);
}
