#include "frame.h"
#include "../core/threads.h"
#include <math.h>
#include <string.h>

mn_status mn_frame_gather(mn_context *ctx, size_t n, size_t count, const int32_t *of, mn_groups *groups)
{
  *groups = (mn_groups){ .n = n, .count = count, .of = of };
  groups->start = MN_NEW(ctx, size_t, count + 2, 1);
  groups->row = MN_RAW(ctx, int32_t, n, 1);
  if (!groups->start || !groups->row) return MN_NO_MEMORY;
  size_t *place = groups->start + 1; /* place[g] becomes the end of group g, which is the start of the next */
  for (size_t i = 0; i < n; i++) place[of[i] + 1]++;
  for (size_t g = 0; g < count; g++) place[g + 1] += place[g];
  for (size_t i = 0; i < n; i++) groups->row[place[of[i]]++] = (int32_t)i;
  return MN_OK;
}

/* --- one group: x[0..n-1] are the values that are present, in the order of the rows --- */

/* Neumaier's compensated sum. */
static double sum_of(const double *x, size_t n)
{
  double sum = 0, lost = 0;
  for (size_t i = 0; i < n; i++) {
    const double next = sum + x[i];
    lost += fabs(sum) >= fabs(x[i]) ? (sum - next) + x[i] : (x[i] - next) + sum;
    sum = next;
  }
  return isfinite(lost) ? sum + lost : sum; /* an infinite sum has nothing to correct */
}

static double mean_of(const double *x, size_t n)
{
  return n > 0 ? sum_of(x, n) / (double)n : (double)NAN;
}

/* Two passes; the second sum takes back what the mean was rounded by. */
static double var_of(const double *x, size_t n)
{
  const double mean = mean_of(x, n);
  double squares = 0, rest = 0;
  if (n < 2) return (double)NAN;
  for (size_t i = 0; i < n; i++) {
    const double off = x[i] - mean;
    squares += off * off;
    rest += off;
  }
  return (squares - rest * rest / (double)n) / (double)(n - 1);
}

static double least_of(const double *x, size_t n)
{
  double least = n > 0 ? x[0] : (double)NAN;
  for (size_t i = 1; i < n; i++) least = x[i] < least ? x[i] : least;
  return least;
}

static double most_of(const double *x, size_t n)
{
  double most = n > 0 ? x[0] : (double)NAN;
  for (size_t i = 1; i < n; i++) most = x[i] > most ? x[i] : most;
  return most;
}

/* --- one group: x ascends --- */

static double quantile_of(const double *x, size_t n, double q)
{
  if (n == 0) return (double)NAN;
  const double place = q * (double)(n - 1);
  const size_t below = (size_t)place;
  const double part = place - (double)below;
  if (part <= 0 || x[below] == x[below + 1]) return x[below];
  return x[below] + part * (x[below + 1] - x[below]);
}

static double different_of(const double *x, size_t n)
{
  size_t count = n > 0;
  for (size_t i = 1; i < n; i++) count += x[i] != x[i - 1];
  return (double)count;
}

static bool needs_order(mn_summary what)
{
  return what == MN_SUM_UNIQUE || what == MN_SUM_Q25 || what == MN_SUM_MEDIAN || what == MN_SUM_Q75;
}

static double summary(mn_summary what, const double *x, size_t n, size_t rows)
{
  switch (what) {
  case MN_SUM_SIZE: return (double)rows;
  case MN_SUM_COUNT: return (double)n;
  case MN_SUM_UNIQUE: return different_of(x, n);
  case MN_SUM_FIRST: return n > 0 ? x[0] : (double)NAN;
  case MN_SUM_LAST: return n > 0 ? x[n - 1] : (double)NAN;
  case MN_SUM_MIN: return least_of(x, n);
  case MN_SUM_MAX: return most_of(x, n);
  case MN_SUM_SUM: return sum_of(x, n);
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
  const double *value; /* those of group g from start[g] on, size[g] of them */
  const size_t *size;
  bool ordered;
  size_t summaries;
  const mn_summary *what;
  double *const *out;
  mn_blocks cut;
};

static void summarise_block(void *work, size_t block, size_t worker)
{
  const struct work *w = work;
  (void)worker;
  for (size_t g = mn_block_begin(&w->cut, block); g < mn_block_end(&w->cut, block); g++) {
    const size_t start = w->groups->start[g], rows = w->groups->start[g + 1] - start;
    for (size_t s = 0; s < w->summaries; s++)
      if (needs_order(w->what[s]) == w->ordered) w->out[s][g] = summary(w->what[s], w->value + start, w->size[g], rows);
  }
}

static double value_at(const mn_view *view, size_t i)
{
  if (view->number) return view->number[i * view->step];
  return view->code[i] < 0 ? (double)NAN : view->code[i];
}

/* The values that are present, group by group, in the order in which `row` names them. */
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

static bool any(size_t summaries, const mn_summary *what, bool ordered)
{
  for (size_t s = 0; s < summaries; s++)
    if (needs_order(what[s]) == ordered) return true;
  return false;
}

static mn_status summarise(mn_context *ctx, const mn_view *values, const mn_groups *groups, struct work *w)
{
  enum { GROUPS = 64, MOST = 1 << 12 };
  double *value = MN_RAW(ctx, double, groups->n, 1);
  size_t *size = MN_RAW(ctx, size_t, groups->count, 1);
  if (!value || !size) return MN_NO_MEMORY;
  w->value = value;
  w->size = size;
  w->cut = mn_cut(groups->count, GROUPS, MOST);
  if (any(w->summaries, w->what, false)) {
    collect(values, groups, NULL, value, size);
    MN_TRY(mn_parallel(ctx, w->cut.count, summarise_block, w));
  }
  if (!any(w->summaries, w->what, true)) return MN_OK;
  int32_t *row = MN_RAW(ctx, int32_t, groups->n, 1); /* in the order of the values: so is each group, then */
  MN_NEED(row);
  MN_TRY(mn_frame_order(ctx, 1, values, NULL, groups->n, row));
  collect(values, groups, row, value, size);
  w->ordered = true;
  return mn_parallel(ctx, w->cut.count, summarise_block, w);
}

mn_status mn_frame_summarise(mn_context *ctx, const mn_view *values, const mn_groups *groups, size_t summaries,
                             const mn_summary *what, double *const *out)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct work w = { .groups = groups, .summaries = summaries, .what = what, .out = out };
  const mn_status status = summarise(ctx, values, groups, &w);
  mn_scratch_release(ctx, mark);
  return status;
}
