#include "rng.h"
#include <Random123/philox.h>
#include <math.h>

mn_rng mn_stream(int64_t seed, uint64_t stream)
{
  return (mn_rng){ .seed = (uint64_t)seed, .stream = stream };
}

static void refill(mn_rng *r)
{
  const philox4x32_key_t key = { { (uint32_t)r->seed, (uint32_t)(r->seed >> 32) } };
  const philox4x32_ctr_t counter = { { (uint32_t)r->counter, (uint32_t)(r->counter >> 32), (uint32_t)r->stream,
                                       (uint32_t)(r->stream >> 32) } };
  const philox4x32_ctr_t word = philox4x32(counter, key);
  for (unsigned i = 0; i < 4; i++) r->word[i] = word.v[i];
  r->left = 4;
  r->counter++;
}

uint32_t mn_random_u32(mn_rng *r)
{
  if (r->left == 0) refill(r);
  return r->word[4 - r->left--];
}

uint64_t mn_random_u64(mn_rng *r)
{
  const uint64_t high = mn_random_u32(r);
  return high << 32 | mn_random_u32(r);
}

double mn_random_uniform(mn_rng *r)
{
  return (double)(mn_random_u64(r) >> 11) * 0x1p-53;
}

size_t mn_random_below(mn_rng *r, size_t n)
{
  __uint128_t product = (__uint128_t)mn_random_u64(r) * n;
  uint64_t low = (uint64_t)product;
  if (low < n) {
    const uint64_t threshold = (0 - (uint64_t)n) % n;
    while (low < threshold) {
      product = (__uint128_t)mn_random_u64(r) * n;
      low = (uint64_t)product;
    }
  }
  return (size_t)(product >> 64);
}

double mn_random_normal(mn_rng *r)
{
  if (r->has_spare) {
    r->has_spare = 0;
    return r->spare;
  }
  double u, v, s;
  do {
    u = 2 * mn_random_uniform(r) - 1;
    v = 2 * mn_random_uniform(r) - 1;
    s = u * u + v * v;
  } while (s >= 1 || s == 0);
  const double scale = sqrt(-2 * log(s) / s);
  r->spare = v * scale;
  r->has_spare = 1;
  return u * scale;
}

double mn_random_exponential(mn_rng *r)
{
  return -log1p(-mn_random_uniform(r));
}

double mn_random_gamma(mn_rng *r, double shape)
{
  if (shape < 1) { /* Gamma(shape + 1) times U^(1 / shape) */
    const double power = -mn_random_exponential(r) / shape;
    return mn_random_gamma(r, shape + 1) * exp(power);
  }
  const double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);
  for (;;) {
    const double z = mn_random_normal(r), t = 1 + c * z;
    if (t <= 0) continue;
    const double v = t * t * t;
    if (-mn_random_exponential(r) < z * z / 2 + d - d * v + d * log(v)) return d * v;
  }
}

/* The smaller root of the paper, written as mean / (1 + w + sqrt(w (w + 2))) with w = mean z^2 / (2 shape), which has
 * no cancellation for large means. */
double mn_random_inverse_gaussian(mn_rng *r, double mean, double shape)
{
  const double z = mn_random_normal(r), w = mean * z * z / (2 * shape), u = mn_random_uniform(r);
  if (!(w < 1e100)) return shape / (z * z);
  const double share = 1 / (1 + w + sqrt(w * (w + 2)));
  return u * (1 + share) <= 1 ? mean * share : mean / share;
}

void mn_shuffle(mn_rng *r, size_t *v, size_t n)
{
  for (size_t i = n; i > 1; i--) {
    const size_t j = mn_random_below(r, i);
    const size_t swapped = v[i - 1];
    v[i - 1] = v[j];
    v[j] = swapped;
  }
}

size_t mn_random_weighted(mn_rng *r, const double *weight, size_t n)
{
  double total = 0;
  for (size_t i = 0; i < n; i++) total += weight[i];
  double left = mn_random_uniform(r) * total;
  size_t last = n - 1;
  for (size_t i = 0; i < n; i++) {
    if (!(weight[i] > 0)) continue;
    last = i;
    left -= weight[i];
    if (left < 0) break;
  }
  return last;
}

size_t mn_random_cumulative(mn_rng *r, const double *cumulative, size_t n)
{
  const double u = mn_random_uniform(r) * cumulative[n - 1];
  size_t low = 0, high = n - 1;
  while (low < high) {
    const size_t mid = low + (high - low) / 2;
    if (cumulative[mid] > u)
      high = mid;
    else
      low = mid + 1;
  }
  return low;
}
