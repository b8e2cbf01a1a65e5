/* A sweep of collapsed Gibbs sampling: A is integrated out. What a row adds to M and to the mean of A is removed before
 * its features are drawn and added again afterwards, by updates of rank one, so that a row costs K (K + p) operations.
 *
 * Griffiths & Ghahramani, JMLR 12 (2011); Doshi-Velez & Ghahramani, ICML (2009). */
#include "../factorization/lapack.h"
#include "../linalg/ordered.h"
#include "../linalg/product.h"
#include "../stats/special.h"
#include "indian_buffet.h"
#include <string.h>

enum { MAX_NEW = 10 };

/* Priors: alpha ~ Gamma(1, 1); variances ~ inverse Gamma(1, share of the mean square of X). */
static const double noise_share = 1e-3, feature_share = 1e-1, least_factor = 1e-10;

mn_status mn_buffet_chain_init(mn_context *ctx, const mn_buffet *b, int64_t seed, size_t index, mn_buffet_chain *c)
{
  const size_t cap = b->capacity;
  *c = (mn_buffet_chain){ .random = mn_stream(seed, index),
                          .z = MN_NEW(ctx, double, b->n, cap),
                          .count = MN_NEW(ctx, double, cap, 1),
                          .m = MN_NEW(ctx, double, cap, cap),
                          .mean = MN_NEW(ctx, double, cap, b->p),
                          .h = MN_NEW(ctx, double, cap, 1),
                          .g = MN_NEW(ctx, double, cap, 1),
                          .rest = MN_NEW(ctx, double, b->p, 1),
                          .order = MN_NEW(ctx, size_t, cap, 1),
                          .draws_early = index % 2 == 0 };
  if (!c->order || !c->z || !c->count || !c->m || !c->mean || !c->h || !c->g || !c->rest) return MN_NO_MEMORY;
  c->alpha = isnan(b->concentration) ? 1 : b->concentration;
  c->feature = b->mean_square;
  c->noise = b->mean_square * (0.05 + 0.45 * mn_random_uniform(&c->random));
  return MN_OK;
}

/* h = M z of row i, and rest = x - z' mean. Returns z' M z. */
static double project(const mn_buffet *b, mn_buffet_chain *c, size_t i, double *h)
{
  const double *z = c->z + i * b->capacity;
  double square = 0;
  memset(h, 0, c->k * sizeof *h);
  memcpy(c->rest, b->x + i * b->p, b->p * sizeof *c->rest);
  for (size_t f = 0; f < c->k; f++) {
    if (z[f] == 0) continue;
    for (size_t d = 0; d < c->k; d++) h[d] += c->m[f * b->capacity + d];
    for (size_t j = 0; j < b->p; j++) c->rest[j] -= c->mean[f * b->p + j];
  }
  for (size_t f = 0; f < c->k; f++) square += z[f] * h[f];
  return square;
}

/* Add row i to M, mean and counts (sign 1), or remove it (-1). */
static void update(const mn_buffet *b, mn_buffet_chain *c, size_t i, double sign)
{
  const double *z = c->z + i * b->capacity, square = project(b, c, i, c->h);
  const double factor = sign / fmax(1 + sign * square, least_factor);
  for (size_t f = 0; f < c->k; f++) {
    const double step = factor * c->h[f];
    c->count[f] += sign * z[f];
    for (size_t d = 0; d < c->k; d++) c->m[f * b->capacity + d] -= step * c->h[d];
    for (size_t j = 0; j < b->p; j++) c->mean[f * b->p + j] += step * c->rest[j];
  }
}

/* Move the last feature into the place of feature f, which no row has. */
static void drop(const mn_buffet *b, mn_buffet_chain *c, size_t f)
{
  const size_t cap = b->capacity, last = --c->k;
  for (size_t i = 0; i < c->rows; i++) {
    c->z[i * cap + f] = c->z[i * cap + last];
    c->z[i * cap + last] = 0;
  }
  c->count[f] = c->count[last];
  memmove(c->mean + f * b->p, c->mean + last * b->p, b->p * sizeof *c->mean);
  for (size_t d = 0; d <= last; d++) c->m[f * cap + d] = c->m[last * cap + d];
  for (size_t d = 0; d < last; d++) c->m[d * cap + f] = c->m[d * cap + last];
  c->m[f * cap + f] = c->m[last * cap + last];
}

/* Features that row i alone has are drawn again by add_features. */
static void drop_own(const mn_buffet *b, mn_buffet_chain *c, size_t i)
{
  for (size_t f = c->k; f-- > 0;) {
    if (c->count[f] > 0.5) continue;
    c->z[i * b->capacity + f] = 0;
    drop(b, c, f);
  }
}

/* Draw z_if given the rest, for the features that other rows have, in random order: features have no order, and the one
 * in which they are stored depends on the rows. */
static void draw_features(const mn_buffet *b, mn_buffet_chain *c, size_t i, double rows)
{
  const size_t cap = b->capacity, p = b->p;
  double *z = c->z + i * cap, square = project(b, c, i, c->g), length = mn_ordered_dot(p, c->rest, c->rest);
  for (size_t f = 0; f < c->k; f++) c->order[f] = f;
  mn_shuffle(&c->random, c->order, c->k);
  for (size_t at = 0; at < c->k; at++) {
    const size_t f = c->order[at];
    if (c->count[f] < 0.5) continue;                                /* a feature that row i alone has */
    const double *mean = c->mean + f * p, sign = z[f] > 0 ? -1 : 1; /* of the change */
    const double other = square + 2 * sign * c->g[f] + c->m[f * cap + f];
    const double along = mn_ordered_dot(p, c->rest, mean);
    const double other_length = fmax(length - 2 * sign * along + mn_ordered_dot(p, mean, mean), 0);
    const double odds = sign * (log(c->count[f]) - log(rows - c->count[f])) -
                        (double)p / 2 * (log1p(other) - log1p(square)) -
                        (other_length / (1 + other) - length / (1 + square)) / (2 * c->noise);
    if (!(mn_random_uniform(&c->random) * (1 + exp(-odds)) < 1)) continue;
    z[f] += sign;
    square = fmax(other, 0);
    length = other_length;
    for (size_t d = 0; d < c->k; d++) c->g[d] += sign * c->m[f * cap + d];
    for (size_t j = 0; j < p; j++) c->rest[j] -= sign * mean[j];
  }
}

/* Features that only row i has: Poisson(alpha / rows), given x. They add their variance to that of the row. */
static void add_features(const mn_buffet *b, mn_buffet_chain *c, size_t i, double rows)
{
  const size_t cap = b->capacity, room = cap - c->k, most = room < MAX_NEW ? room : MAX_NEW;
  const double square = project(b, c, i, c->g), length = mn_ordered_dot(b->p, c->rest, c->rest);
  double weight[MAX_NEW + 1], largest = -INFINITY;
  for (size_t j = 0; j <= most; j++) {
    const double variance = (1 + square) * c->noise + (double)j * c->feature;
    weight[j] = (double)j * log(c->alpha / rows) - mn_lgamma((double)j + 1) - (double)b->p / 2 * log(variance) -
                length / (2 * variance);
    largest = fmax(largest, weight[j]);
  }
  for (size_t j = 0; j <= most; j++) weight[j] = exp(weight[j] - largest);
  const size_t more = mn_random_weighted(&c->random, weight, most + 1);
  for (size_t j = 0; j < more; j++) {
    const size_t f = c->k++;
    for (size_t d = 0; d <= f; d++) c->m[f * cap + d] = c->m[d * cap + f] = 0;
    c->m[f * cap + f] = c->feature / c->noise;
    memset(c->mean + f * b->p, 0, b->p * sizeof *c->mean);
    c->count[f] = 0;
    c->z[i * cap + f] = 1;
  }
}

/* A pass over the rows so far and `more` new ones. */
static mn_status pass(mn_context *ctx, const mn_buffet *b, mn_buffet_chain *c, size_t more)
{
  const size_t old = c->rows, rows = old + more;
  for (size_t i = 0; i < rows; i++) {
    if (i < old)
      update(b, c, i, -1);
    else {
      c->rows = i + 1;
      c->square += mn_ordered_dot(b->p, b->x + i * b->p, b->x + i * b->p);
    }
    draw_features(b, c, i, (double)c->rows);
    drop_own(b, c, i);
    add_features(b, c, i, (double)c->rows);
    update(b, c, i, 1);
    if (i % 64 == 0) MN_TRY(mn_poll(ctx));
  }
  return mn_buffet_refresh(ctx, b, c, c->rows == b->n || c->draws_early);
}

/* Passes before the first sweep over all rows, each with a tenth more rows. Of few rows, a feature that stands for the
 * sum of two, or for one in a part of its rows, is soon replaced; of many rows, it is not. Every other chain keeps its
 * first variances until all rows are in: that finds many features more often, and few less often. */
static mn_status add_rows(mn_context *ctx, const mn_buffet *b, mn_buffet_chain *c)
{
  for (size_t more = 1; c->rows + more < b->n; more = 1 + c->rows / 10) MN_TRY(pass(ctx, b, c, more));
  return MN_OK;
}

mn_status mn_buffet_sweep(mn_context *ctx, const mn_buffet *b, mn_buffet_chain *c)
{
  if (c->rows == 0) MN_TRY(add_rows(ctx, b, c));
  return pass(ctx, b, c, b->n - c->rows);
}

/* log P(Z) of the class of matrices that differ in the order of their columns. */
static double log_prior(const mn_buffet *b, const mn_buffet_chain *c, double harmonic)
{
  double sum = (double)c->k * log(c->alpha) - c->alpha * harmonic;
  for (size_t f = 0; f < c->k; f++) {
    size_t equal = 1;
    for (size_t d = 0; d < f; d++) {
      size_t i = c->count[f] == c->count[d] ? 0 : c->rows + 1;
      while (i < c->rows && c->z[i * b->capacity + f] == c->z[i * b->capacity + d]) i++;
      equal += i == c->rows;
    }
    sum += mn_lgamma((double)c->rows - c->count[f] + 1) + mn_lgamma(c->count[f]) - mn_lgamma((double)c->rows + 1) -
           log((double)equal);
  }
  return sum;
}

/* log of the density of inverse Gamma(1, scale). */
static double log_inverse_gamma(double x, double scale)
{
  return log(scale) - 2 * log(x) - scale / x;
}

static double log_joint(const mn_buffet *b, const mn_buffet_chain *c, double log_det, double explained, double harmonic)
{
  const double p = (double)b->p, n = (double)c->rows, k = (double)c->k, v = b->mean_square;
  double sum = -n * p / 2 * (MN_LOG_2PI + log(c->noise)) + k * p / 2 * log(c->noise / c->feature) - p / 2 * log_det -
               (c->square - explained) / (2 * c->noise);
  sum += log_prior(b, c, harmonic) + log_inverse_gamma(c->noise, noise_share * v) +
         log_inverse_gamma(c->feature, feature_share * v);
  return isnan(b->concentration) ? sum - c->alpha : sum;
}

/* What a draw and the density need: Z'Z, Z'X, the factor of Z'Z + ratio I. */
struct products {
  double *gram, *cross, *chol, *mean; /* k x k, k x p, k x k, k x p */
};

static mn_status factor(mn_context *ctx, const mn_buffet *b, const mn_buffet_chain *c, const struct products *s)
{
  const size_t k = c->k;
  memcpy(s->chol, s->gram, k * k * sizeof *s->chol);
  memcpy(s->mean, s->cross, k * b->p * sizeof *s->mean);
  for (size_t f = 0; f < k; f++) s->chol[f * k + f] += c->noise / c->feature;
  MN_TRY(mn_chol(ctx, k, s->chol, NULL));
  return mn_chol_apply(ctx, k, b->p, s->chol, s->mean);
}

/* Draw A, then the variances given A. |X - Z A|^2 = |X|^2 - 2 trace(A' Z'X) + trace(A' Z'Z A). */
static mn_status draw_variances(mn_context *ctx, const mn_buffet *b, mn_buffet_chain *c, const struct products *s)
{
  const size_t k = c->k, p = b->p;
  double *a = MN_RAW(ctx, double, k, p), *ga = MN_RAW(ctx, double, k, p);
  double rest = c->square, length = 0;
  if (!a || !ga) return MN_NO_MEMORY;
  for (size_t i = 0; i < k * p; i++) a[i] = sqrt(c->noise) * mn_random_normal(&c->random);
  MN_TRY(mn_chol_upper(ctx, k, p, s->chol, a));
  for (size_t i = 0; i < k * p; i++) a[i] += s->mean[i];
  MN_TRY(mn_gemm(ctx, false, false, k, p, k, 1, s->gram, k, a, p, 0, ga, p));
  for (size_t i = 0; i < k * p; i++) {
    rest += a[i] * (ga[i] - 2 * s->cross[i]);
    length += a[i] * a[i];
  }
  const double noise = noise_share * b->mean_square + fmax(rest, 0) / 2;
  const double feature = feature_share * b->mean_square + length / 2;
  c->noise = noise / mn_random_gamma(&c->random, 1 + (double)(c->rows * p) / 2);
  if (k > 0) c->feature = feature / mn_random_gamma(&c->random, 1 + (double)(k * p) / 2);
  return MN_OK;
}

mn_status mn_buffet_refresh(mn_context *ctx, const mn_buffet *b, mn_buffet_chain *c, bool draw)
{
  const size_t k = c->k, p = b->p, cap = b->capacity;
  const mn_mark mark = mn_scratch_mark(ctx);
  const struct products s = { MN_RAW(ctx, double, k, k), MN_RAW(ctx, double, k, p), MN_RAW(ctx, double, k, k),
                              MN_RAW(ctx, double, k, p) };
  double harmonic = 0, explained = 0;
  if (!s.gram || !s.cross || !s.chol || !s.mean) return MN_NO_MEMORY;
  for (size_t i = 1; i <= c->rows; i++) harmonic += 1 / (double)i;
  MN_TRY(mn_gemm(ctx, true, false, k, k, b->n, 1, c->z, cap, c->z, cap, 0, s.gram, k));
  MN_TRY(mn_gemm(ctx, true, false, k, p, b->n, 1, c->z, cap, b->x, p, 0, s.cross, p));
  if (draw) {
    MN_TRY(factor(ctx, b, c, &s));
    MN_TRY(draw_variances(ctx, b, c, &s));
    if (isnan(b->concentration)) c->alpha = mn_random_gamma(&c->random, 1 + (double)k) / (1 + harmonic);
  }
  MN_TRY(factor(ctx, b, c, &s));
  for (size_t i = 0; i < k * p; i++) explained += s.mean[i] * s.cross[i];
  c->log_joint = log_joint(b, c, mn_chol_logdet(k, s.chol), explained, harmonic);
  MN_TRY(mn_chol_inverse(ctx, k, s.chol));
  for (size_t f = 0; f < k; f++) memcpy(c->m + f * cap, s.chol + f * k, k * sizeof *c->m);
  memcpy(c->mean, s.mean, k * p * sizeof *c->mean);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
