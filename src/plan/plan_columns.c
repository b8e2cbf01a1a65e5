/* The columns that the parts of a plan of kind COLUMNS or UNION see. */
#include "../model/table.h"
#include "plan.h"
#include <string.h>

/* Refuse a part that names a column twice, and mark its columns in `seen`. */
static mn_status mark_columns(mn_context *ctx, const mn_plan *plan, const mn_plan_part *part, const int32_t *col,
                              size_t n, size_t cols, bool *seen)
{
  bool *twice = MN_NEW(ctx, bool, cols, 1);
  MN_CHECK_ALLOC(twice);
  for (size_t i = 0; i < n; i++) {
    if (twice[col[i]])
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: part %s names column %d twice", mn_plan_name(plan), part->name.bytes,
                     (int)col[i] + 1);
    twice[col[i]] = seen[col[i]] = true;
  }
  return MN_OK;
}

/* Select the columns of a part, and mark them in `seen`. */
static mn_status select_columns(mn_context *ctx, const mn_plan *plan, mn_plan_part *part, const mn_table *x, bool *seen)
{
  int32_t *col = MN_RAW(ctx, int32_t, x->cols + part->index.size + part->names.size, 1);
  MN_CHECK_ALLOC(col);
  size_t n = 0;
  switch (part->by) {
  case MN_COLUMNS_INDEX:
    for (; n < part->index.size; n++) {
      col[n] = part->index.at[n];
      if (col[n] < 0 || (size_t)col[n] >= x->cols)
        return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: columns of %s must be from 1 to %zu, got %d", mn_plan_name(plan),
                       part->name.bytes, x->cols, (int)col[n] + 1);
    }
    break;
  case MN_COLUMNS_NAMES:
    for (; n < part->names.size; n++) {
      const size_t j = x->names ? mn_table_find_column(x, part->names.at[n]) : x->cols;
      if (j == x->cols)
        return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: X has no column '%s' (part %s)%s", mn_plan_name(plan),
                       part->names.at[n], part->name.bytes, x->names ? "" : "; X must be a Frame to have column names");
      col[n] = (int32_t)j;
    }
    break;
  case MN_COLUMNS_NUMERIC:
  case MN_COLUMNS_FACTOR:
    for (size_t j = 0; j < x->cols; j++)
      if ((x->levels && x->levels[j]) == (part->by == MN_COLUMNS_FACTOR)) col[n++] = (int32_t)j;
    break;
  case MN_COLUMNS_REST:
    for (size_t j = 0; j < x->cols; j++)
      if (!seen[j]) col[n++] = (int32_t)j;
    break;
  }
  MN_TRY(mark_columns(ctx, plan, part, col, n, x->cols, seen));
  MN_TRY(mn_indexes_init(ctx, &part->chosen, n));
  if (n > 0) memcpy(part->chosen.at, col, n * sizeof *col);
  return MN_OK;
}

mn_status mn_plan_learn_columns(mn_context *ctx, mn_plan *plan, const mn_table *x)
{
  bool *seen = MN_NEW(ctx, bool, x->cols, 1);
  MN_CHECK_ALLOC(seen);
  plan->n_features = x->cols;
  if (x->names) MN_TRY(mn_names_init(ctx, &plan->feature_names, x->names, x->cols));
  for (size_t p = 0; plan->kind == MN_PLAN_COLUMNS && p < plan->parts; p++)
    MN_TRY(select_columns(ctx, plan, &plan->part[p], x, seen));
  return MN_OK;
}

/* The column of x with the name of column j of fit. */
static mn_status find_column(mn_context *ctx, const mn_plan *plan, const mn_table *x, int32_t j, int32_t *column)
{
  const char *name = plan->feature_names.at[j];
  const size_t found = mn_table_find_column(x, name);
  if (found == x->cols)
    return mn_fail(ctx, MN_BAD_DATA, "%s: X must have the columns of fit; missing: %s", mn_plan_name(plan), name);
  *column = (int32_t)found;
  return MN_OK;
}

mn_status mn_plan_part_input(mn_context *ctx, const mn_plan *plan, size_t p, const mn_table *x, mn_table *out)
{
  if (plan->kind == MN_PLAN_UNION) {
    *out = *x;
    return MN_OK;
  }
  const mn_indexes *chosen = &plan->part[p].chosen;
  int32_t *col = MN_RAW(ctx, int32_t, chosen->size, 1);
  MN_CHECK_ALLOC(col);
  for (size_t i = 0; i < chosen->size; i++) {
    col[i] = chosen->at[i];
    if (x->names && plan->feature_names.size > 0) MN_TRY(find_column(ctx, plan, x, chosen->at[i], &col[i]));
  }
  return mn_table_columns(ctx, x, col, chosen->size, out);
}
