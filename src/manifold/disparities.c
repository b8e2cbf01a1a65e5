#include "disparities.h"
#include "../stats/argsort.h"
#include "../stats/pool_violators.h"
#include <math.h>
#include <string.h>

static double weight_of(const mn_disparities *s, size_t pair)
{
  return s->weights ? s->weights[pair] : 1;
}

mn_status mn_disparities_init(mn_context *ctx, size_t n, const double *delta, const double *weights, bool split_ties,
                              mn_disparities *s)
{
  const size_t most = n * (n - 1) / 2 + 1;
  *s = (mn_disparities){ .n = n, .delta = delta, .weights = weights, .split_ties = split_ties };
  s->pair = MN_RAW(ctx, size_t, most, 1);
  s->sorted = MN_RAW(ctx, size_t, most, 1);
  s->order = MN_RAW(ctx, size_t, most, 1);
  s->end = MN_RAW(ctx, size_t, most, 1);
  s->value = MN_RAW(ctx, double, most, 1);
  s->weight = MN_RAW(ctx, double, most, 1);
  if (!s->pair || !s->sorted || !s->order || !s->end || !s->value || !s->weight) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++)
    for (size_t j = i + 1; j < n; j++)
      if (weight_of(s, i * n + j) > 0) {
        s->value[s->count] = delta[i * n + j];
        s->sorted[s->count++] = i * n + j;
        s->total += weight_of(s, i * n + j);
      }
  MN_TRY(mn_argsort(ctx, s->count, s->value, 1, s->order));
  for (size_t p = 0; p < s->count; p++) s->pair[p] = s->sorted[s->order[p]];
  return MN_OK;
}

/* The end of the pairs with the same delta as pair p. */
static size_t tie_end(const mn_disparities *s, size_t p)
{
  size_t end = p + 1;
  while (end < s->count && s->delta[s->pair[end]] <= s->delta[s->pair[p]]) end++;
  return end;
}

/* sorted = the pairs in ascending order of delta, then of d. */
static mn_status sort_ties(mn_context *ctx, mn_disparities *s, const double *d)
{
  memcpy(s->sorted, s->pair, s->count * sizeof *s->pair);
  for (size_t p = 0, end; p < s->count; p = end) {
    end = tie_end(s, p);
    if (end - p == 1) continue;
    for (size_t q = p; q < end; q++) s->value[q] = d[s->pair[q]];
    MN_TRY(mn_argsort(ctx, end - p, s->value + p, 1, s->order + p));
    for (size_t q = p; q < end; q++) s->sorted[q] = s->pair[p + s->order[q]];
  }
  return MN_OK;
}

/* Groups of pairs with the same delta, or single ones if `split`: their mean d and weight, and in `order` where they
 * end. Returns the number of groups. */
static size_t group_pairs(mn_disparities *s, const double *d, bool split)
{
  size_t groups = 0;
  for (size_t p = 0, end; p < s->count; p = end, groups++) {
    double weight = 0, mean = 0;
    end = split ? p + 1 : tie_end(s, p);
    for (size_t q = p; q < end; q++) {
      const double w = weight_of(s, s->sorted[q]);
      weight += w;
      mean += w / weight * (d[s->sorted[q]] - mean);
    }
    s->value[groups] = mean;
    s->weight[groups] = weight;
    s->order[groups] = end;
  }
  return groups;
}

/* The factor that gives blocks of the monotone regression the sum of squares s->total; if all are 0, 1. */
static double scale_of(const mn_disparities *s, size_t blocks)
{
  double squares = 0;
  for (size_t b = 0; b < blocks; b++) squares += s->weight[b] * s->value[b] * s->value[b];
  return squares > 0 ? sqrt(s->total / squares) : 1;
}

mn_status mn_compute_disparities(mn_context *ctx, mn_disparities *s, const double *d, double *out)
{
  if (s->split_ties)
    MN_TRY(sort_ties(ctx, s, d));
  else
    memcpy(s->sorted, s->pair, s->count * sizeof *s->pair);
  const size_t groups = group_pairs(s, d, s->split_ties),
               blocks = mn_pool_violators(groups, s->value, s->weight, s->end);
  const double scale = scale_of(s, blocks);
  memset(out, 0, s->n * s->n * sizeof *out);
  for (size_t b = 0, p = 0; b < blocks; b++)
    for (; p < s->order[s->end[b] - 1]; p++) {
      const size_t i = s->sorted[p] / s->n, j = s->sorted[p] % s->n;
      out[i * s->n + j] = out[j * s->n + i] = scale * s->value[b];
    }
  return mn_poll(ctx);
}

mn_status mn_disparity_knots(mn_context *ctx, mn_disparities *s, const double *d, size_t *count, double **at,
                             double **value)
{
  *count = 0;
  memcpy(s->sorted, s->pair, s->count * sizeof *s->pair);
  const size_t groups = group_pairs(s, d, false), blocks = mn_pool_violators(groups, s->value, s->weight, s->end);
  const double scale = scale_of(s, blocks);
  *at = MN_RAW(ctx, double, 2 * blocks + 1, 1);
  *value = MN_RAW(ctx, double, 2 * blocks + 1, 1);
  if (!*at || !*value) return MN_NO_MEMORY;
  for (size_t b = 0; b < blocks; b++) {
    const size_t first = b > 0 ? s->order[s->end[b - 1] - 1] : 0, last = s->order[s->end[b] - 1] - 1;
    const double low = s->delta[s->pair[first]], high = s->delta[s->pair[last]];
    (*at)[*count] = low;
    (*value)[(*count)++] = scale * s->value[b];
    if (!(high > low)) continue;
    (*at)[*count] = high;
    (*value)[(*count)++] = scale * s->value[b];
  }
  return MN_OK;
}
