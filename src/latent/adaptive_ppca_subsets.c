#include "adaptive_ppca.h"
#include "../factorization/lapack.h"
#include "../linalg/ordered.h"
#include "../stats/special.h"
#include <string.h>

size_t mn_subset_count(size_t k, size_t active)
{
  size_t count = 1;
  if (active > k - active) active = k - active;
  for (size_t i = 1; i <= active; i++) {
    count = count * (k - active + i) / i; /* exact: a binomial coefficient after each step */
    if (count > MN_MAX_SUBSETS) return MN_MAX_SUBSETS + 1;
  }
  return count;
}

mn_status mn_subsets_init(mn_context *ctx, size_t k, size_t active, mn_subsets *s)
{
  *s = (mn_subsets){ .k = k, .active = active, .count = mn_subset_count(k, active) };
  s->member = MN_RAW(ctx, int32_t, s->count, active);
  s->inverse = MN_RAW(ctx, double, s->count *active, active);
  s->log = MN_RAW(ctx, double, s->count, 1);
  if (!s->member || !s->inverse || !s->log) return MN_NO_MEMORY;
  for (size_t a = 0; a < active; a++) s->member[a] = (int32_t)a;
  for (size_t i = 1; i < s->count; i++) {
    int32_t *now = s->member + i * active;
    size_t a = active - 1;
    memcpy(now, now - active, active * sizeof *now);
    while ((size_t)now[a] == k - active + a) a--;
    for (now[a]++; a + 1 < active; a++) now[a + 1] = now[a] + 1;
  }
  return MN_OK;
}

size_t mn_subset_rank(const mn_subsets *s, const int32_t *members)
{
  size_t low = 0, high = s->count;
  while (high - low > 1) {
    const size_t middle = (low + high) / 2;
    const int32_t *at = s->member + middle * s->active;
    size_t a = 0;
    while (a < s->active && at[a] == members[a]) a++;
    if (a == s->active || at[a] < members[a])
      low = middle;
    else
      high = middle;
  }
  return low;
}

mn_status mn_subsets_prepare(mn_context *ctx, const mn_subsets *s, size_t p, const double *w, double noise,
                             const double *weight)
{
  const size_t q = s->active;
  const mn_mark mark = mn_scratch_mark(ctx);
  double *gram = MN_RAW(ctx, double, s->k, s->k);
  MN_CHECK_ALLOC(gram);
  for (size_t c = 0; c < s->k; c++)
    for (size_t d = 0; d <= c; d++)
      gram[c * s->k + d] = gram[d * s->k + c] = mn_ordered_dot(p, w + c * p, w + d * p) + (c == d ? noise : 0);
  for (size_t i = 0; i < s->count; i++) {
    const int32_t *member = s->member + i * q;
    double *m = s->inverse + i * q * q;
    for (size_t a = 0; a < q; a++)
      for (size_t b = 0; b < q; b++) m[a * q + b] = gram[(size_t)member[a] * s->k + (size_t)member[b]];
    MN_TRY(mn_chol(ctx, q, m, NULL));
    s->log[i] =
        log(weight[i]) - ((double)p * MN_LOG_2PI + ((double)p - (double)q) * log(noise) + mn_chol_logdet(q, m)) / 2;
    MN_TRY(mn_chol_inverse(ctx, q, m));
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

double mn_subsets_row(const mn_subsets *s, double noise, const double *b, double square, double *log_proba)
{
  const size_t q = s->active;
  double largest = -INFINITY, sum = 0;
  for (size_t i = 0; i < s->count; i++) {
    const int32_t *member = s->member + i * q;
    const double *inverse = s->inverse + i * q * q;
    double along = 0;
    for (size_t a = 0; a < q; a++) {
      double z = inverse[a * q + a] * b[member[a]] / 2;
      for (size_t c = 0; c < a; c++) z += inverse[a * q + c] * b[member[c]];
      along += 2 * z * b[member[a]];
    }
    log_proba[i] = s->log[i] - fmax(square - along, 0) / (2 * noise);
    largest = fmax(largest, log_proba[i]);
  }
  for (size_t i = 0; i < s->count; i++) sum += exp(log_proba[i] - largest);
  const double density = largest + log(fmax(sum, 1)); /* the largest term is 1 */
  for (size_t i = 0; i < s->count; i++) log_proba[i] -= density;
  return density;
}

void mn_subset_mean(const mn_subsets *s, size_t subset, const double *b, double *z)
{
  const size_t q = s->active;
  const int32_t *member = s->member + subset * q;
  for (size_t a = 0; a < q; a++) {
    z[a] = 0;
    for (size_t c = 0; c < q; c++) z[a] += s->inverse[(subset * q + a) * q + c] * b[member[c]];
  }
}
