#include "mcmc.h"
#include "argsort.h"
#include "quantile.h"
#include "special.h"
#include <math.h>
#include <string.h>

/* Halves of chains: `count` of `size` draws each. */
struct halves {
  size_t count, size;
  double *draws; /* count x size */
};

/* Split each chain into halves; the middle draw of a chain of odd length is dropped. */
static void split_chains(size_t chains, size_t length, const double *draws, struct halves *h)
{
  for (size_t c = 0; c < chains; c++) {
    const double *chain = draws + c * length;
    memcpy(h->draws + 2 * c * h->size, chain, h->size * sizeof *chain);
    memcpy(h->draws + (2 * c + 1) * h->size, chain + length - h->size, h->size * sizeof *chain);
  }
}

/* z = normal quantile of (rank - 3/8) / (n + 1/4); ties share their mean rank (Blom). */
static mn_status normal_scores(mn_context *ctx, size_t n, const double *x, size_t *order, double *z)
{
  MN_TRY(mn_argsort(ctx, n, x, 1, order));
  for (size_t i = 0, end; i < n; i = end) {
    for (end = i + 1; end < n && x[order[end]] == x[order[i]];) end++;
    const double rank = (double)(i + 1 + end) / 2, score = mn_normal_quantile((rank - 0.375) / ((double)n + 0.25));
    for (size_t k = i; k < end; k++) z[order[k]] = score;
  }
  return MN_OK;
}

static double mean_value(size_t n, const double *x)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += x[i];
  return sum / (double)n;
}

/* Mean variance within halves, and overall variance including that between their means. mean: count, out. */
struct variances {
  double within, overall;
};

static struct variances compute_variances(const struct halves *h, const double *x, double *mean)
{
  const double n = (double)h->size, m = (double)h->count;
  double within = 0, between = 0;
  for (size_t c = 0; c < h->count; c++) {
    double sum = 0;
    mean[c] = mean_value(h->size, x + c * h->size);
    for (size_t i = 0; i < h->size; i++) {
      const double deviation = x[c * h->size + i] - mean[c];
      sum += deviation * deviation;
    }
    within += sum / (n - 1) / m;
  }
  const double grand_mean = mean_value(h->count, mean);
  for (size_t c = 0; c < h->count; c++) between += (mean[c] - grand_mean) * (mean[c] - grand_mean) / (m - 1);
  return (struct variances){ .within = within, .overall = (n - 1) / n * within + between };
}

static double compute_r_hat(const struct halves *h, const double *x, double *mean)
{
  const struct variances v = compute_variances(h, x, mean);
  return v.within > 0 ? sqrt(v.overall / v.within) : v.overall > 0 ? INFINITY : 1;
}

/* Autocovariance at a lag, averaged over halves: the sum of size - lag products divided by size. */
static double covariance_at(const struct halves *h, const double *x, const double *mean, size_t lag)
{
  double total = 0;
  for (size_t c = 0; c < h->count; c++) {
    const double *chain = x + c * h->size;
    double sum = 0;
    for (size_t i = 0; i + lag < h->size; i++) sum += (chain[i] - mean[c]) * (chain[i + lag] - mean[c]);
    total += sum / (double)h->size;
  }
  return total / (double)h->count;
}

/* draws / tau, tau = -1 + 2 sum of the autocorrelations, truncated where the sum of a pair is not positive and made
 * non-increasing (initial monotone sequence of Geyer, Statistical Science 7 (1992)); the last even term counts once if
 * positive. */
static double compute_ess(const struct halves *h, const double *x, double *mean)
{
  const struct variances v = compute_variances(h, x, mean);
  const double total = (double)(h->count * h->size);
  if (!(v.overall > 0)) return total;
  double even = 1, odd = 1 - (v.within - covariance_at(h, x, mean, 1)) / v.overall, sum = 0, before = INFINITY;
  size_t lag = 0;
  while (lag + 5 < h->size && even + odd > 0) {
    before = fmin(before, even + odd);
    sum += before;
    lag += 2;
    even = 1 - (v.within - covariance_at(h, x, mean, lag)) / v.overall;
    odd = 1 - (v.within - covariance_at(h, x, mean, lag + 1)) / v.overall;
  }
  const double tau = -1 + 2 * sum + fmax(even, 0);
  return total / fmax(tau, 1 / log10(total));
}

/* The smaller effective sample size of the indicators x <= quantile, at 5% and at 95%. */
static double compute_tail_ess(const struct halves *h, const double *threshold, double *indicator, double *mean)
{
  const size_t n = h->count * h->size;
  double ess = INFINITY;
  for (size_t k = 0; k < 2; k++) {
    for (size_t i = 0; i < n; i++) indicator[i] = h->draws[i] <= threshold[k];
    ess = fmin(ess, compute_ess(h, indicator, mean));
  }
  return ess;
}

/* tail: the 5% and 95% quantiles of all draws. */
static mn_status diagnose(mn_context *ctx, struct halves *h, const double *tail, mn_chain_report *out)
{
  static const double half = 0.5;
  const size_t n = h->count * h->size;
  double *z = MN_RAW(ctx, double, n, 1), *folded = MN_RAW(ctx, double, n, 1), *mean = MN_RAW(ctx, double, h->count, 1);
  size_t *order = MN_RAW(ctx, size_t, n, 1);
  double median;
  if (!z || !folded || !mean || !order) return MN_NO_MEMORY;
  MN_TRY(mn_quantiles(ctx, n, h->draws, NULL, 1, &half, &median));
  for (size_t i = 0; i < n; i++) folded[i] = fabs(h->draws[i] - median);
  MN_TRY(normal_scores(ctx, n, folded, order, z));
  out->r_hat = compute_r_hat(h, z, mean);
  MN_TRY(normal_scores(ctx, n, h->draws, order, z));
  out->r_hat = fmax(out->r_hat, compute_r_hat(h, z, mean));
  out->ess = compute_ess(h, z, mean);
  out->ess_tail = compute_tail_ess(h, tail, z, mean);
  return MN_OK;
}

mn_status mn_mcmc_diagnostics(mn_context *ctx, size_t chains, size_t length, const double *draws, mn_chain_report *out)
{
  *out = (mn_chain_report){ .r_hat = NAN, .ess = NAN, .ess_tail = NAN };
  if (length < 4 || chains == 0) return MN_OK;
  static const double level[] = { 0.05, 0.95 };
  const mn_mark mark = mn_scratch_mark(ctx);
  double tail[2];
  struct halves h = { .count = 2 * chains, .size = length / 2 };
  h.draws = MN_RAW(ctx, double, h.count, h.size);
  MN_CHECK_ALLOC(h.draws);
  split_chains(chains, length, draws, &h);
  MN_TRY(mn_quantiles(ctx, chains * length, draws, NULL, 2, level, tail));
  MN_TRY(diagnose(ctx, &h, tail, out));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
