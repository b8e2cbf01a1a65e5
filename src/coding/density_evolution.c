#include "density_evolution.h"
#include <math.h>
#include <string.h>

static double polynomial(size_t n, const double *coef, double x)
{
  double sum = 0;
  for (size_t i = n; i-- > 0;) sum = sum * x + coef[i];
  return sum;
}

/* min over x in (0, 1] of x / lambda(1 - rho(1 - x)): on a grid, then around its best point. */
static double erasure_threshold(const mn_ldpc_ensemble *e)
{
  enum { POINTS = 20000, ROUNDS = 4 };
  double low = 0, high = 1, best = 1;
  for (int round = 0; round < ROUNDS; round++) {
    double at = high;
    const double step = (high - low) / POINTS;
    for (size_t i = 1; i <= POINTS; i++) {
      const double x = low + step * (double)i;
      const double ratio = x / polynomial(e->n_lambda, e->lambda, 1 - polynomial(e->n_rho, e->rho, 1 - x));
      if (!(ratio < best)) continue;
      best = ratio;
      at = x;
    }
    low = fmax(at - step, 0);
    high = fmin(at + step, 1);
  }
  return best;
}

/* --- densities on a grid --- */

/* Log odds -HALF * STEP .. HALF * STEP, given the bit 0. Values beyond are at the ends. */
enum { HALF = 300, CELLS = 2 * HALF + 1 };
static const double STEP = 25.0 / HALF;

struct evolution {
  mn_context *ctx;
  const mn_ldpc_ensemble *e;
  int16_t *table; /* (HALF + 1)^2: the cell of 2 atanh(tanh(a / 2) tanh(b / 2)) for cells a, b >= 0 */
  double *channel, *bits, *checks, *power, *next;
};

static int clamp_cell(double value)
{
  const double cell = rint(value / STEP);
  return (int)fmax(fmin(cell, HALF), -HALF);
}

/* Density of the channel: each cell has the probability of the log odds that round to it. */
static void set_channel(const mn_channel *channel, double *density)
{
  memset(density, 0, CELLS * sizeof *density);
  if (channel->kind == MN_CHANNEL_BSC) {
    const int cell = clamp_cell(log((1 - channel->level) / channel->level));
    density[HALF + cell] += 1 - channel->level;
    density[HALF - cell] += channel->level;
    return;
  }
  /* 2 y / s^2 ~ N(2 / s^2, 4 / s^2) */
  const double mean = 2 / (channel->level * channel->level), scale = 1 / (sqrt(2 * mean) * sqrt(2));
  double before = 0;
  for (int i = -HALF; i <= HALF; i++) {
    const double upto = i == HALF ? 1 : 0.5 * erfc((mean - ((double)i + 0.5) * STEP) * scale);
    density[HALF + i] = upto - before;
    before = upto;
  }
}

/* out := density of the sum of independent values of a and b. */
static void add_densities(const double *a, const double *b, double *out)
{
  memset(out, 0, CELLS * sizeof *out);
  for (int i = -HALF; i <= HALF; i++) {
    const double share = a[HALF + i];
    if (share < 1e-300) continue;
    const int low = i - HALF < -HALF ? -HALF - i : -HALF, high = i + HALF > HALF ? HALF - i : HALF;
    for (int j = -HALF; j < low; j++) out[0] += share * b[HALF + j];
    for (int j = low; j <= high; j++) out[HALF + i + j] += share * b[HALF + j];
    for (int j = high + 1; j <= HALF; j++) out[CELLS - 1] += share * b[HALF + j];
  }
}

/* out := density of the message of a check given independent messages of a and b. */
static void check_densities(const struct evolution *s, const double *a, const double *b, double *out)
{
  memset(out, 0, CELLS * sizeof *out);
  for (int i = 0; i <= HALF; i++) {
    const double plus = a[HALF + i], minus = i > 0 ? a[HALF - i] : 0;
    const int16_t *cells = s->table + i * (HALF + 1);
    if (plus + minus < 1e-300) continue;
    for (int j = 0; j <= HALF; j++) {
      const double same = b[HALF + j], other = j > 0 ? b[HALF - j] : 0;
      out[HALF + cells[j]] += plus * same + minus * other;
      out[HALF - cells[j]] += plus * other + minus * same;
    }
  }
}

static mn_status start_evolution(mn_context *ctx, struct evolution *s)
{
  s->ctx = ctx;
  s->table = MN_RAW(ctx, int16_t, HALF + 1, HALF + 1);
  s->channel = MN_RAW(ctx, double, CELLS, 1);
  s->bits = MN_RAW(ctx, double, CELLS, 1);
  s->checks = MN_RAW(ctx, double, CELLS, 1);
  s->power = MN_RAW(ctx, double, CELLS, 1);
  s->next = MN_RAW(ctx, double, CELLS, 1);
  if (!s->table || !s->channel || !s->bits || !s->checks || !s->power || !s->next) return MN_NO_MEMORY;
  for (int i = 0; i <= HALF; i++)
    for (int j = 0; j <= HALF; j++) {
      const double product = tanh(i * STEP / 2) * tanh(j * STEP / 2);
      s->table[i * (HALF + 1) + j] = (int16_t)clamp_cell(product < 1 ? 2 * atanh(product) : HALF * STEP);
    }
  return MN_OK;
}

static void add_scaled(double scale, const double *a, double *to)
{
  for (size_t i = 0; i < CELLS; i++) to[i] += scale * a[i];
}

/* to := sum_i share_i (density of i combined messages of from), i = 0 .. n - 1 beside `first`. */
static mn_status mix(struct evolution *s, size_t n, const double *share, bool at_checks, const double *first,
                     const double *from, double *to)
{
  memset(to, 0, CELLS * sizeof *to);
  memcpy(s->power, first, CELLS * sizeof *first);
  for (size_t i = 0; i < n; i++) {
    if (i > 0) {
      if (at_checks)
        check_densities(s, s->power, from, s->next);
      else
        add_densities(s->power, from, s->next);
      double *kept = s->power;
      s->power = s->next;
      s->next = kept;
      MN_TRY(mn_poll(s->ctx));
    }
    if (share[i] > 0) add_scaled(share[i], s->power, to);
  }
  return MN_OK;
}

static double error_of(const double *density)
{
  double sum = 0.5 * density[HALF];
  for (size_t i = 0; i < HALF; i++) sum += density[i];
  return sum;
}

/* Rounding errors of the sum would grow tenfold with each iteration. */
static void normalize(double *density)
{
  double sum = 0;
  for (size_t i = 0; i < CELLS; i++) sum += density[i];
  for (size_t i = 0; i < CELLS; i++) density[i] /= sum;
}

/* Whether the error falls to 0. It does not if 10 iterations change it by less than a ten thousandth. */
static mn_status decodes(struct evolution *s, const mn_channel *channel, bool *yes)
{
  enum { MOST = 2000, PACE = 10 };
  const mn_ldpc_ensemble *e = s->e;
  set_channel(channel, s->channel);
  memcpy(s->bits, s->channel, CELLS * sizeof *s->bits);
  double error = error_of(s->bits);
  *yes = false;
  for (size_t i = 0; i < MOST && !*yes; i++) {
    double certain[CELLS] = { 0 };
    certain[CELLS - 1] = 1;
    MN_TRY(mix(s, e->n_rho, e->rho, true, certain, s->bits, s->checks));
    MN_TRY(mix(s, e->n_lambda, e->lambda, false, s->channel, s->checks, s->bits));
    normalize(s->bits);
    const double now = error_of(s->bits);
    *yes = now < 1e-6;
    if (i % PACE != PACE - 1) continue;
    if (now > error * (1 - 1e-4)) return MN_OK;
    error = now;
  }
  return MN_OK;
}

mn_status mn_density_evolution(mn_context *ctx, const mn_ldpc_ensemble *e, mn_channel_kind kind, double *threshold)
{
  struct evolution s = { .e = e };
  if (kind == MN_CHANNEL_BEC) {
    *threshold = erasure_threshold(e);
    return MN_OK;
  }
  MN_TRY(start_evolution(ctx, &s));
  double low = kind == MN_CHANNEL_BSC ? 0 : 0.1, high = kind == MN_CHANNEL_BSC ? 0.5 : 4;
  while (high - low > 2e-4 * high) {
    const mn_channel channel = { .kind = kind, .level = 0.5 * (low + high) };
    bool yes;
    MN_TRY(decodes(&s, &channel, &yes));
    if (yes)
      low = channel.level;
    else
      high = channel.level;
  }
  *threshold = 0.5 * (low + high);
  return MN_OK;
}
