#include "correlation.h"
#include "argsort.h"
#include <math.h>
#include <string.h>

mn_status mn_rank_average(mn_context *ctx, size_t n, const double *x, size_t step, double *rank, double *ties)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  size_t *order = MN_RAW(ctx, size_t, n, 1);
  if (!order) return MN_NO_MEMORY;
  MN_TRY(mn_argsort(ctx, n, x, step, order));
  double sum = 0;
  for (size_t i = 0, end; i < n; i = end) {
    for (end = i + 1; end < n && x[order[end] * step] <= x[order[i] * step];) end++;
    const double t = (double)(end - i);
    sum += t * t * t - t;
    for (size_t k = i; k < end; k++) rank[order[k]] = ((double)i + (double)end + 1) / 2;
  }
  if (ties) *ties = sum;
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static double mean_of(size_t n, const double *x)
{
  double mean = 0;
  for (size_t i = 0; i < n; i++) mean += (x[i] - mean) / (double)(i + 1);
  return mean;
}

double mn_pearson(size_t n, const double *x, const double *y)
{
  const double mx = mean_of(n, x), my = mean_of(n, y);
  double xx = 0, yy = 0, xy = 0;
  for (size_t i = 0; i < n; i++) {
    xx += (x[i] - mx) * (x[i] - mx);
    yy += (y[i] - my) * (y[i] - my);
    xy += (x[i] - mx) * (y[i] - my);
  }
  const double r = xx > 0 && yy > 0 ? xy / sqrt(xx) / sqrt(yy) : (double)NAN;
  return fabs(r) > 1 ? copysign(1, r) : r;
}

/* Sums over the groups of tied values of sorted x: pairs t (t - 1) / 2, t (t - 1) (t - 2), t (t - 1) (2 t + 5). */
typedef struct tie_sums {
  double pairs, triples, weighted;
} tie_sums;

static void add_group(tie_sums *sums, double t)
{
  sums->pairs += t * (t - 1) / 2;
  sums->triples += t * (t - 1) * (t - 2);
  sums->weighted += t * (t - 1) * (2 * t + 5);
}

static tie_sums count_ties(size_t n, const double *sorted)
{
  tie_sums sums = { 0 };
  for (size_t i = 0, end; i < n; i = end) {
    for (end = i + 1; end < n && sorted[end] <= sorted[i];) end++;
    add_group(&sums, (double)(end - i));
  }
  return sums;
}

/* Sort y by merging; returns the number of inversions. */
static double merge_sort(size_t n, double *y, double *buffer)
{
  double inversions = 0;
  for (size_t width = 1; width < n; width *= 2) {
    for (size_t from = 0; from < n; from += 2 * width) {
      const size_t middle = from + width < n ? from + width : n, end = middle + width < n ? middle + width : n;
      size_t i = from, j = middle;
      for (size_t k = from; k < end; k++) {
        const bool left = i < middle && (j >= end || y[i] <= y[j]);
        if (!left) inversions += (double)(middle - i);
        buffer[k] = left ? y[i++] : y[j++];
      }
    }
    memcpy(y, buffer, n * sizeof *y);
  }
  return inversions;
}

/* Order by x, and by y where x is tied. */
static mn_status sort_pairs(mn_context *ctx, size_t n, const double *x, const double *y, double *xs, double *ys)
{
  size_t *by_y = MN_RAW(ctx, size_t, n, 1), *by_x = MN_RAW(ctx, size_t, n, 1);
  if (!by_y || !by_x) return MN_NO_MEMORY;
  MN_TRY(mn_argsort(ctx, n, y, 1, by_y));
  for (size_t i = 0; i < n; i++) xs[i] = x[by_y[i]];
  MN_TRY(mn_argsort(ctx, n, xs, 1, by_x));
  for (size_t i = 0; i < n; i++) {
    xs[i] = x[by_y[by_x[i]]];
    ys[i] = y[by_y[by_x[i]]];
  }
  return MN_OK;
}

static double count_joint_ties(size_t n, const double *xs, const double *ys)
{
  double pairs = 0;
  for (size_t i = 0, end; i < n; i = end) {
    for (end = i + 1; end < n && xs[end] <= xs[i] && ys[end] <= ys[i];) end++;
    pairs += (double)(end - i) * (double)(end - i - 1) / 2;
  }
  return pairs;
}

mn_status mn_kendall_tau(mn_context *ctx, size_t size, const double *x, const double *y, mn_kendall *out)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const double n = (double)size, total = n * (n - 1) / 2;
  double *xs = MN_RAW(ctx, double, size, 1), *ys = MN_RAW(ctx, double, size, 1), *buffer = MN_RAW(ctx, double, size, 1);
  if (!xs || !ys || !buffer) return MN_NO_MEMORY;
  MN_TRY(sort_pairs(ctx, size, x, y, xs, ys));
  const tie_sums tx = count_ties(size, xs);
  const double joint = count_joint_ties(size, xs, ys), discordant = merge_sort(size, ys, buffer);
  const tie_sums ty = count_ties(size, ys);
  out->s = total - tx.pairs - ty.pairs + joint - 2 * discordant;
  out->tau = out->s / sqrt(total - tx.pairs) / sqrt(total - ty.pairs);
  if (!(total > tx.pairs) || !(total > ty.pairs)) out->tau = (double)NAN;
  out->tied = tx.pairs > 0 || ty.pairs > 0;
  out->variance = (2 * total * (2 * n + 5) - tx.weighted - ty.weighted) / 18 + tx.pairs * ty.pairs / total;
  if (size > 2) out->variance += tx.triples * ty.triples / (18 * total * (n - 2));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

double mn_kendall_upper_tail(mn_context *ctx, size_t n, double s)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const size_t pairs = n * (n - 1) / 2;
  double *p = MN_NEW(ctx, double, pairs + 1, 2);
  if (!p) return (double)NAN;
  double *next = p + pairs + 1;
  p[0] = 1;
  /* p[k]: probability of k inversions in permutations of m elements */
  for (size_t m = 2, max = 0; m <= n; m++) {
    max += m - 1;
    double window = 0;
    for (size_t k = 0; k <= max; k++) {
      window += p[k];
      if (k >= m) window -= p[k - m];
      next[k] = window / (double)m;
    }
    memcpy(p, next, (max + 1) * sizeof *p);
  }
  double tail = 0;
  for (size_t k = 0; k <= pairs && (double)pairs - 2 * (double)k >= s; k++) tail += p[k];
  mn_scratch_release(ctx, mark);
  return fmin(tail, 1);
}

mn_status mn_correlate(mn_context *ctx, mn_correlation kind, size_t n, const double *x, const double *y, double *out)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_kendall kendall = { .tau = (double)NAN };
  double *ranks = kind == MN_SPEARMAN ? MN_RAW(ctx, double, n, 2) : NULL;
  if (kind == MN_SPEARMAN && !ranks) return MN_NO_MEMORY;
  if (kind == MN_KENDALL && n > 1) MN_TRY(mn_kendall_tau(ctx, n, x, y, &kendall));
  if (kind == MN_SPEARMAN) {
    MN_TRY(mn_rank_average(ctx, n, x, 1, ranks, NULL));
    MN_TRY(mn_rank_average(ctx, n, y, 1, ranks + n, NULL));
  }
  *out = kind == MN_KENDALL ? kendall.tau : kind == MN_SPEARMAN ? mn_pearson(n, ranks, ranks + n) : mn_pearson(n, x, y);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

mn_status mn_correlation_matrix(mn_context *ctx, mn_correlation kind, size_t n, size_t p, const double *x, double *out)
{
  double *a = MN_RAW(ctx, double, n, 1), *b = MN_RAW(ctx, double, n, 1);
  if (!a || !b) return MN_NO_MEMORY;
  for (size_t j = 0; j < p; j++)
    for (size_t k = 0; k <= j; k++) {
      size_t count = 0;
      for (size_t i = 0; i < n; i++) {
        a[count] = x[i * p + j];
        b[count] = x[i * p + k];
        count += !isnan(a[count]) && !isnan(b[count]);
      }
      MN_TRY(mn_correlate(ctx, kind, count, a, b, &out[j * p + k]));
      if (j == k && !isnan(out[j * p + j])) out[j * p + j] = 1;
      out[k * p + j] = out[j * p + k];
      MN_TRY(mn_poll(ctx));
    }
  return MN_OK;
}
