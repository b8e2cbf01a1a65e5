#include "groups.h"
#include <string.h>

mn_status mn_groups_make(mn_context *ctx, const char *who, const mn_matrix *given, size_t features, mn_matrix *groups)
{
  if (given->cols != features)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: interaction_cst must have %zu columns, as X, got %zu", who, features,
                   given->cols);
  *groups = (mn_matrix){ .rows = given->rows + 1, .cols = given->cols };
  groups->at = MN_NEW(ctx, double, groups->rows, groups->cols);
  MN_NEED(groups->at);
  memcpy(groups->at, given->at, given->rows * given->cols * sizeof *given->at);
  double *rest = mn_row(groups, given->rows);
  for (size_t f = 0; f < given->cols; f++) {
    rest[f] = 1;
    for (size_t g = 0; g < given->rows; g++)
      if (mn_row(given, g)[f] > 0) rest[f] = 0;
  }
  return MN_OK;
}

mn_status mn_groups_bits(mn_context *ctx, const char *who, const mn_matrix *groups, const uint64_t **bits)
{
  if (groups->rows > MN_MOST_GROUPS)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: interaction_cst must have at most %d groups, got %zu", who,
                   MN_MOST_GROUPS - 1, groups->rows - 1);
  uint64_t *out = MN_NEW(ctx, uint64_t, groups->cols, 1);
  MN_NEED(out);
  for (size_t g = 0; g < groups->rows; g++)
    for (size_t f = 0; f < groups->cols; f++)
      if (mn_row(groups, g)[f] > 0) out[f] |= UINT64_C(1) << g;
  *bits = out;
  return MN_OK;
}
