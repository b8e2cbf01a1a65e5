#include "semidefinite.h"
#include "lapack.h"
#include <math.h>
#include <string.h>

mn_status mn_semidefinite_factor(mn_context *ctx, size_t n, const double *a, const char *what, double *l)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  double *copy = MN_RAW(ctx, double, n, n), *values = MN_RAW(ctx, double, n, 1), *vectors = MN_RAW(ctx, double, n, n);
  if (!copy || !values || !vectors) return MN_NO_MEMORY;
  memcpy(copy, a, n * n * sizeof *copy);
  MN_TRY(mn_eigh(ctx, n, n, MN_LARGEST, copy, values, vectors));
  if (n > 0 && values[n - 1] < -1e-9 * fabs(values[0]) - 1e-300) {
    char number[MN_NUMBER_SIZE];
    return mn_fail(ctx, MN_BAD_DATA, "%s must be a covariance matrix, but has the eigenvalue %s", what,
                   mn_format_number(number, values[n - 1]));
  }
  for (size_t i = 0; i < n; i++)
    for (size_t c = 0; c < n; c++) l[i * n + c] = vectors[c * n + i] * sqrt(fmax(values[c], 0));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
