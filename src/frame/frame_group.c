#include "frame.h"
#include "../core/threads.h"
#include <math.h>
#include <string.h>

void mn_frame_group_starts(size_t n, size_t count, const int32_t *of, size_t *start)
{
  memset(start, 0, (count + 1) * sizeof *start);
  for (size_t i = 0; i < n; i++) start[of[i] + 1]++;
  for (size_t g = 0; g < count; g++) start[g + 1] += start[g];
}

mn_status mn_frame_group_rows(mn_context *ctx, const mn_groups *groups, int32_t *row)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  size_t *next = MN_RAW(ctx, size_t, groups->count, 1);
  MN_CHECK_ALLOC(next);
  memcpy(next, groups->start, groups->count * sizeof *next);
  for (size_t i = 0; i < groups->n; i++) row[next[groups->of[i]]++] = (int32_t)i;
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* --- one group: x[0..n-1] are the values that are present, in the order of the rows --- */

/* Pairwise, so the error grows with log n: Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., 4.2. */
static double pairwise_sum(const double *x, size_t n)
{
  enum { BLOCK = 256, LANES = 8 };
  if (n > BLOCK) {
    const size_t half = n / 2 / LANES * LANES;
    return pairwise_sum(x, half) + pairwise_sum(x + half, n - half);
  }
  double sum[LANES] = { 0 };
  size_t i = 0;
  for (; i + LANES <= n; i += LANES)
    for (size_t l = 0; l < LANES; l++) sum[l] += x[i + l];
  for (; i < n; i++) sum[0] += x[i];
  return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

static double mean_of(const double *x, size_t n)
{
  return n > 0 ? pairwise_sum(x, n) / (double)n : (double)NAN;
}

/* Two passes, the second by blocks of its own. */
static double sum_squared_deviations(const double *x, size_t n, double mean)
{
  enum { BLOCK = 256, LANES = 8 };
  if (n > BLOCK) {
    const size_t half = n / 2 / LANES * LANES;
    return sum_squared_deviations(x, half, mean) + sum_squared_deviations(x + half, n - half, mean);
  }
  double sum[LANES] = { 0 };
  for (size_t i = 0; i < n; i++) {
    const double off = x[i] - mean;
    sum[i % LANES] += off * off;
  }
  return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

static double var_of(const double *x, size_t n)
{
  return n < 2 ? (double)NAN : sum_squared_deviations(x, n, mean_of(x, n)) / (double)(n - 1);
}

static double min_of(const double *x, size_t n)
{
  double min = n > 0 ? x[0] : (double)NAN;
  for (size_t i = 1; i < n; i++) min = x[i] < min ? x[i] : min;
  return min;
}

static double max_of(const double *x, size_t n)
{
  double max = n > 0 ? x[0] : (double)NAN;
  for (size_t i = 1; i < n; i++) max = x[i] > max ? x[i] : max;
  return max;
}

/* --- one group, reordered in place --- */

static void swap(double *x, size_t i, size_t j)
{
  const double kept = x[i];
  x[i] = x[j];
  x[j] = kept;
}

static void sift(double *x, size_t root, size_t n)
{
  for (size_t child; (child = 2 * root + 1) < n; root = child) {
    if (child + 1 < n && x[child] < x[child + 1]) child++;
    if (x[root] >= x[child]) return;
    swap(x, root, child);
  }
}

static void heap_sort(double *x, size_t n)
{
  for (size_t root = n / 2; root-- > 0;) sift(x, root, n);
  for (size_t end = n; end-- > 1;) {
    swap(x, 0, end);
    sift(x, 0, end);
  }
}

static double median_of_three(double a, double b, double c)
{
  return a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);
}

/* Partition x[0..n-1] so that x[k] is the value of rank k. Hoare's FIND (CACM 4, 1961), with heapsort as the
 * fallback, so that the time is never quadratic. */
static void quickselect(double *x, size_t n, size_t k)
{
  size_t low = 0, high = n, work = 0;
  while (high - low > 1) {
    const size_t size = high - low;
    work += size;
    if (work > 16 * n) {
      heap_sort(x + low, size);
      return;
    }
    const double pivot = median_of_three(x[low], x[low + size / 2], x[high - 1]);
    size_t i = low, j = high - 1;
    for (;; i++, j--) {
      while (x[i] < pivot) i++;
      while (x[j] > pivot) j--;
      if (i >= j) break;
      swap(x, i, j);
      if (j == i + 1) { /* i and j are adjacent */
        i++;
        j--;
        break;
      }
    }
    /* x[low..i-1] <= pivot <= x[j+1..high-1]; when i == j, x[i] is the pivot */
    if (i == j && k == i) return;
    if (k < i)
      high = i;
    else
      low = i == j ? i + 1 : i;
  }
}

/* Type 7 of Hyndman & Fan, The American Statistician 50 (1996). */
static double quantile_of(double *x, size_t n, double q)
{
  if (n == 0) return (double)NAN;
  const double position = q * (double)(n - 1);
  const size_t below = (size_t)position;
  const double part = position - (double)below;
  quickselect(x, n, below);
  if (!(part > 0)) return x[below];
  const double next = min_of(x + below + 1, n - below - 1);
  return x[below] == next ? next : x[below] + part * (next - x[below]);
}

/* --- one group, sorted --- */

static double count_distinct(const double *x, size_t n)
{
  size_t count = n > 0;
  for (size_t i = 1; i < n; i++) count += x[i] != x[i - 1];
  return (double)count;
}

/* The order of values that a summary needs. */
enum order { BY_ROW, BY_NONE, BY_VALUE };

static enum order order_for(mn_summary what)
{
  if (what == MN_SUM_UNIQUE) return BY_VALUE;
  return what == MN_SUM_Q25 || what == MN_SUM_MEDIAN || what == MN_SUM_Q75 ? BY_NONE : BY_ROW;
}

static double summary(mn_summary what, double *x, size_t n, size_t rows)
{
  switch (what) {
  case MN_SUM_SIZE: return (double)rows;
  case MN_SUM_COUNT: return (double)n;
  case MN_SUM_UNIQUE: return count_distinct(x, n);
  case MN_SUM_FIRST: return n > 0 ? x[0] : (double)NAN;
  case MN_SUM_LAST: return n > 0 ? x[n - 1] : (double)NAN;
  case MN_SUM_MIN: return min_of(x, n);
  case MN_SUM_MAX: return max_of(x, n);
  case MN_SUM_SUM: return pairwise_sum(x, n);
  case MN_SUM_MEAN: return mean_of(x, n);
  case MN_SUM_VAR: return var_of(x, n);
  case MN_SUM_STD: return sqrt(var_of(x, n));
  case MN_SUM_Q25: return quantile_of(x, n, 0.25);
  case MN_SUM_MEDIAN: return quantile_of(x, n, 0.5);
  case MN_SUM_Q75: return quantile_of(x, n, 0.75);
  case MN_SUMMARIES: break;
  }
  return (double)NAN;
}

/* --- all groups --- */

struct work {
  const mn_groups *groups;
  double *value; /* values of group g: size[g] of them from start[g] on */
  const size_t *size;
  enum order order;
  size_t summaries;
  const mn_summary *what;
  double *const *out;
  mn_blocks blocks;
};

static void summarize_block(void *work, size_t block, size_t worker)
{
  const struct work *w = work;
  (void)worker;
  for (size_t g = mn_block_begin(&w->blocks, block); g < mn_block_end(&w->blocks, block); g++) {
    const size_t start = w->groups->start[g], rows = w->groups->start[g + 1] - start;
    for (size_t s = 0; s < w->summaries; s++)
      if (order_for(w->what[s]) == w->order) w->out[s][g] = summary(w->what[s], w->value + start, w->size[g], rows);
  }
}

static double value_at(const mn_view *view, size_t i)
{
  if (view->number) return view->number[i * view->step];
  return view->code[i] < 0 ? (double)NAN : view->code[i];
}

/* The values that are not missing, by group, in the order of `row`. */
static void collect(const mn_view *view, const mn_groups *groups, const int32_t *row, double *value, size_t *size)
{
  memset(size, 0, groups->count * sizeof *size);
  for (size_t i = 0; i < groups->n; i++) {
    const size_t r = row ? (size_t)row[i] : i;
    const int32_t g = groups->of[r];
    const double x = value_at(view, r);
    if (!isnan(x)) value[groups->start[g] + size[g]++] = x;
  }
}

static bool needs(const struct work *w, enum order order)
{
  for (size_t s = 0; s < w->summaries; s++)
    if (order_for(w->what[s]) == order) return true;
  return false;
}

static mn_status summarize_order(mn_context *ctx, struct work *w, enum order order)
{
  if (!needs(w, order)) return MN_OK;
  w->order = order;
  return mn_parallel(ctx, w->blocks.count, summarize_block, w);
}

static mn_status summarize(mn_context *ctx, const mn_view *values, const mn_groups *groups, struct work *w)
{
  enum { GROUPS = 64, MAX_BLOCKS = 1 << 12 };
  double *value = MN_RAW(ctx, double, groups->n, 1);
  size_t *size = MN_RAW(ctx, size_t, groups->count, 1);
  if (!value || !size) return MN_NO_MEMORY;
  w->value = value;
  w->size = size;
  w->blocks = mn_make_blocks(groups->count, GROUPS, MAX_BLOCKS);
  if (needs(w, BY_ROW) || needs(w, BY_NONE)) collect(values, groups, NULL, value, size);
  MN_TRY(summarize_order(ctx, w, BY_ROW));
  MN_TRY(summarize_order(ctx, w, BY_NONE)); /* destroys the row order */
  if (!needs(w, BY_VALUE)) return MN_OK;
  int32_t *row = MN_RAW(ctx, int32_t, groups->n, 1); /* sorted by value, so that each group is sorted */
  MN_CHECK_ALLOC(row);
  MN_TRY(mn_frame_argsort(ctx, 1, values, NULL, groups->n, row));
  collect(values, groups, row, value, size);
  return summarize_order(ctx, w, BY_VALUE);
}

mn_status mn_frame_summarize(mn_context *ctx, const mn_view *values, const mn_groups *groups, size_t summaries,
                             const mn_summary *what, double *const *out)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct work w = { .groups = groups, .summaries = summaries, .what = what, .out = out };
  const mn_status status = summarize(ctx, values, groups, &w);
  mn_scratch_release(ctx, mark);
  return status;
}
