#include "interaction_groups.h"
#include "../model/columns.h"
#include <stdio.h>
#include <string.h>

static mn_status copy_table(mn_context *ctx, const char *who, const mn_matrix *given, size_t features,
                            const mn_matrix *groups)
{
  if (given->cols != features)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "%s: interaction_cst must have %zu columns like X, got %zu; lists number columns from 1", who,
                   features, given->cols);
  memcpy(groups->at, given->at, given->rows * given->cols * sizeof *given->at);
  return MN_OK;
}

static mn_status copy_lists(mn_context *ctx, const mn_estimator *model, const mn_feature_groups *given, size_t features,
                            const mn_matrix *groups)
{
  const char *who = model->class->name;
  for (size_t i = 0; i < given->group.size; i++) {
    const int32_t list = given->group.at[i] + 1;
    size_t f = (size_t)given->column.at[i];
    char where[32];
    snprintf(where, sizeof where, " in list %d", list);
    if (given->column.at[i] < 0) MN_TRY(mn_column_named(ctx, model, "interaction_cst", given->name.at[i], where, &f));
    if (f >= features)
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: interaction_cst must give columns from 1 to %zu, got %zu in list %d",
                     who, features, f + 1, list);
    double *at = mn_row(groups, (size_t)given->group.at[i]) + f;
    if (*at > 0)
      return mn_fail(ctx, MN_BAD_ARGUMENT,
                     "%s: interaction_cst must not repeat a column within a list, got column %zu twice in list %d", who,
                     f + 1, list);
    *at = 1;
  }
  return MN_OK;
}

mn_status mn_interaction_groups_make(mn_context *ctx, const mn_estimator *model, const mn_feature_groups *given,
                                     size_t features, mn_matrix *groups)
{
  const size_t n = given->table.at ? given->table.rows : (size_t)given->group.at[given->group.size - 1] + 1;
  *groups = (mn_matrix){ .rows = n + 1, .cols = features };
  groups->at = MN_NEW(ctx, double, groups->rows, groups->cols);
  MN_CHECK_ALLOC(groups->at);
  if (given->table.at)
    MN_TRY(copy_table(ctx, model->class->name, &given->table, features, groups));
  else
    MN_TRY(copy_lists(ctx, model, given, features, groups));
  double *rest = mn_row(groups, n);
  for (size_t f = 0; f < features; f++) {
    rest[f] = 1;
    for (size_t g = 0; g < n; g++)
      if (mn_row(groups, g)[f] > 0) rest[f] = 0;
  }
  return MN_OK;
}

mn_status mn_interaction_group_bits(mn_context *ctx, const char *who, const mn_matrix *groups, const uint64_t **bits)
{
  if (groups->rows > MN_MAX_GROUPS)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: interaction_cst must have at most %d groups, got %zu", who,
                   MN_MAX_GROUPS - 1, groups->rows - 1);
  uint64_t *out = MN_NEW(ctx, uint64_t, groups->cols, 1);
  MN_CHECK_ALLOC(out);
  for (size_t g = 0; g < groups->rows; g++)
    for (size_t f = 0; f < groups->cols; f++)
      if (mn_row(groups, g)[f] > 0) out[f] |= UINT64_C(1) << g;
  *bits = out;
  return MN_OK;
}
