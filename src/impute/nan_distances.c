#include "nan_distances.h"
#include "../core/clones.h"
#include <math.h>
#include <string.h>

size_t mn_nan_size(const mn_matrix *x)
{
  return (x->rows + MN_NAN_LANES - 1) / MN_NAN_LANES * MN_NAN_LANES * x->cols;
}

void mn_nan_pack(const mn_matrix *x, double *out)
{
  const size_t groups = (x->rows + MN_NAN_LANES - 1) / MN_NAN_LANES;
  for (size_t g = 0; g < groups; g++)
    for (size_t j = 0; j < x->cols; j++)
      for (size_t lane = 0; lane < MN_NAN_LANES; lane++) {
        const size_t i = g * MN_NAN_LANES + lane;
        out[(g * x->cols + j) * MN_NAN_LANES + lane] = i < x->rows ? mn_row(x, i)[j] : (double)NAN;
      }
}

MN_EXACT_BEGIN

/* Eight numbers, and the masks that comparisons of them give. */
typedef double lanes __attribute__((vector_size(64), aligned(8), may_alias));
typedef int64_t mask __attribute__((vector_size(64), may_alias));

#define SET(value)                                                                                                     \
  {                                                                                                                    \
    (value), (value), (value), (value), (value), (value), (value), (value)                                             \
  }
#define WHERE(test, x) ((lanes)((mask)(test) & (mask)(x)))

/* Sum the terms of x, the difference of eight rows from the query, and count them; NaN differs from itself. */
#define OVER_GROUPS(term)                                                                                              \
  for (size_t g = 0; g < groups; g++, rows += MN_NAN_LANES * cols) {                                                   \
    lanes sum = SET(0), count = SET(0);                                                                                \
    for (size_t k = 0; k < n_present; k++) {                                                                           \
      const size_t j = (size_t)present[k];                                                                             \
      const lanes query = SET(q[j]);                                                                                   \
      const lanes x = *(const lanes *)(rows + MN_NAN_LANES * j) - query;                                               \
      const mask both = x == x;                                                                                        \
      sum += WHERE(both, (term));                                                                                      \
      count += WHERE(both, one);                                                                                       \
    }                                                                                                                  \
    sum /= count;                                                                                                      \
    memcpy(out + MN_NAN_LANES * g, &sum, sizeof sum);                                                                  \
  }

static MN_CLONES(void, distances,
                 (mn_nan_metric metric, size_t groups, size_t cols, const double *rows, const double *q,
                  size_t n_present, const int32_t *present, double *out),
                 (metric, groups, cols, rows, q, n_present, present, out))
{
  MN_EXACT
  const lanes one = SET(1);
  if (metric == MN_NAN_MANHATTAN)
    OVER_GROUPS((lanes)((mask)x & INT64_MAX))
  else
    OVER_GROUPS(x * x)
}

MN_EXACT_END

void mn_nan_distances(mn_nan_metric metric, size_t groups, size_t cols, const double *rows, const double *q,
                      size_t n_present, const int32_t *present, double *out)
{
  distances(metric, groups, cols, rows, q, n_present, present, out);
}
