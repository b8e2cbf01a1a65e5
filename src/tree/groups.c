#include "groups.h"
#include <string.h>

static bool holds_lists(const mn_matrix *given)
{
  for (size_t i = 0; i < given->rows * given->cols; i++)
    if (given->at[i] < 0) return true;
  return false;
}

static mn_status take_lists(mn_context *ctx, const char *who, const mn_matrix *given, size_t features,
                            const mn_matrix *groups)
{
  for (size_t g = 0; g < given->rows; g++)
    for (size_t k = 0; k < given->cols && mn_row(given, g)[k] < 0; k++) {
      const double column = -mn_row(given, g)[k];
      if (!(column >= 1 && column <= (double)features))
        return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: interaction_cst: group %zu has column %.0f, but X has %zu columns",
                       who, g + 1, column, features);
      mn_row(groups, g)[(size_t)column - 1] = 1;
    }
  return MN_OK;
}

static mn_status take_table(mn_context *ctx, const char *who, const mn_matrix *given, size_t features,
                            const mn_matrix *groups)
{
  if (given->cols != features)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: interaction_cst must have %zu columns, as X, got %zu", who, features,
                   given->cols);
  for (size_t i = 0; i < given->rows * given->cols; i++)
    if (!(given->at[i] <= 1))
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: interaction_cst must be from 0 to 1, got %g at row %zu, column %zu",
                     who, given->at[i], i / given->cols + 1, i % given->cols + 1);
  memcpy(groups->at, given->at, given->rows * given->cols * sizeof *given->at);
  return MN_OK;
}

mn_status mn_groups_make(mn_context *ctx, const char *who, const mn_matrix *given, size_t features, mn_matrix *groups)
{
  *groups = (mn_matrix){ .rows = given->rows + 1, .cols = features };
  groups->at = MN_NEW(ctx, double, groups->rows, groups->cols);
  MN_NEED(groups->at);
  MN_TRY(holds_lists(given) ? take_lists(ctx, who, given, features, groups)
                            : take_table(ctx, who, given, features, groups));
  double *rest = mn_row(groups, given->rows);
  for (size_t f = 0; f < features; f++) {
    rest[f] = 1;
    for (size_t g = 0; g < given->rows; g++)
      if (mn_row(groups, g)[f] > 0) rest[f] = 0;
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
