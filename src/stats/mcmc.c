#include "mcmc.h"
#include "argsort.h"
#include "quantile.h"
#include "special.h"
#include <math.h>
#include <string.h>

/* Halves of chains: `count` of `size` draws each. */
struct halves {
  size_t count, size;
  double *at; /* count x size */
};

/* Of a chain of odd length the draw in the middle belongs to neither half. */
static void cut(size_t chains, size_t length, const double *draws, struct halves *h)
{
  for (size_t c = 0; c < chains; c++) {
    const double *chain = draws + c * length;
    memcpy(h->at + 2 * c * h->size, chain, h->size * sizeof *chain);
    memcpy(h->at + (2 * c + 1) * h->size, chain + length - h->size, h->size * sizeof *chain);
  }
}

/* z = normal quantile of (rank - 3/8) / (n + 1/4), equal values sharing their mean rank (Blom). */
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

static double mean_of(size_t n, const double *x)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += x[i];
  return sum / (double)n;
}

/* Variances of halves: within them on average, and of the whole, their means taken in. mean: count, out. */
struct variances {
  double within, whole;
};

static struct variances variances_of(const struct halves *h, const double *x, double *mean)
{
  const double n = (double)h->size, m = (double)h->count;
  double within = 0, between = 0;
  for (size_t c = 0; c < h->count; c++) {
    double sum = 0;
    mean[c] = mean_of(h->size, x + c * h->size);
    for (size_t i = 0; i < h->size; i++) {
      const double off = x[c * h->size + i] - mean[c];
      sum += off * off;
    }
    within += sum / (n - 1) / m;
  }
  const double middle = mean_of(h->count, mean);
  for (size_t c = 0; c < h->count; c++) between += (mean[c] - middle) * (mean[c] - middle) / (m - 1);
  return (struct variances){ .within = within, .whole = (n - 1) / n * within + between };
}

static double r_hat_of(const struct halves *h, const double *x, double *mean)
{
  const struct variances v = variances_of(h, x, mean);
  return v.within > 0 ? sqrt(v.whole / v.within) : v.whole > 0 ? INFINITY : 1;
}

/* Autocovariance at a lag, the mean over halves: sums over size - lag products divided by size. */
static double covariance_at(const struct halves *h, const double *x, const double *mean, size_t lag)
{
  double all = 0;
  for (size_t c = 0; c < h->count; c++) {
    const double *chain = x + c * h->size;
    double sum = 0;
    for (size_t i = 0; i + lag < h->size; i++) sum += (chain[i] - mean[c]) * (chain[i + lag] - mean[c]);
    all += sum / (double)h->size;
  }
  return all / (double)h->count;
}

/* draws / tau with tau = -1 + 2 sum of the autocorrelations, as far as sums of pairs stay positive, and no larger than
 * those before them (Geyer, Statistical Science 7 (1992)); the last even one counts once, when positive. */
static double ess_of(const struct halves *h, const double *x, double *mean)
{
  const struct variances v = variances_of(h, x, mean);
  const double all = (double)(h->count * h->size);
  if (!(v.whole > 0)) return all;
  double even = 1, odd = 1 - (v.within - covariance_at(h, x, mean, 1)) / v.whole, sum = 0, before = INFINITY;
  size_t lag = 0;
  while (lag + 5 < h->size && even + odd > 0) {
    before = fmin(before, even + odd);
    sum += before;
    lag += 2;
    even = 1 - (v.within - covariance_at(h, x, mean, lag)) / v.whole;
    odd = 1 - (v.within - covariance_at(h, x, mean, lag + 1)) / v.whole;
  }
  const double tau = -1 + 2 * sum + fmax(even, 0);
  return all / fmax(tau, 1 / log10(all));
}

/* The smaller one for "no more than the quantile", at 5 and at 95 %. */
static double tail_of(const struct halves *h, const double *at, double *indicator, double *mean)
{
  const size_t n = h->count * h->size;
  double ess = INFINITY;
  for (size_t k = 0; k < 2; k++) {
    for (size_t i = 0; i < n; i++) indicator[i] = h->at[i] <= at[k];
    ess = fmin(ess, ess_of(h, indicator, mean));
  }
  return ess;
}

/* tail: the quantiles of 5 and 95 % of all draws. */
static mn_status agree(mn_context *ctx, struct halves *h, const double *tail, mn_chain_report *out)
{
  static const double half = 0.5;
  const size_t n = h->count * h->size;
  double *z = MN_RAW(ctx, double, n, 1), *folded = MN_RAW(ctx, double, n, 1), *mean = MN_RAW(ctx, double, h->count, 1);
  size_t *order = MN_RAW(ctx, size_t, n, 1);
  double median;
  if (!z || !folded || !mean || !order) return MN_NO_MEMORY;
  MN_TRY(mn_quantiles(ctx, n, h->at, NULL, 1, &half, &median));
  for (size_t i = 0; i < n; i++) folded[i] = fabs(h->at[i] - median);
  MN_TRY(normal_scores(ctx, n, folded, order, z));
  out->r_hat = r_hat_of(h, z, mean);
  MN_TRY(normal_scores(ctx, n, h->at, order, z));
  out->r_hat = fmax(out->r_hat, r_hat_of(h, z, mean));
  out->ess = ess_of(h, z, mean);
  out->ess_tail = tail_of(h, tail, z, mean);
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
  h.at = MN_RAW(ctx, double, h.count, h.size);
  MN_CHECK_ALLOC(h.at);
  cut(chains, length, draws, &h);
  MN_TRY(mn_quantiles(ctx, chains * length, draws, NULL, 2, level, tail));
  MN_TRY(agree(ctx, &h, tail, out));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
