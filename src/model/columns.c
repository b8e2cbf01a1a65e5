#include "columns.h"
#include "../core/nearest_name.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

mn_status mn_column_named(mn_context *ctx, const mn_estimator *model, const char *param, const char *name,
                          const char *where, size_t *out)
{
  const mn_names *names = &model->feature_names;
  const char *who = model->class->name;
  for (size_t j = 0; j < model->n_features; j++) {
    char default_name[24];
    snprintf(default_name, sizeof default_name, "x%zu", j + 1);
    if (strcmp(names->size > 0 ? names->at[j] : default_name, name) != 0) continue;
    *out = j;
    return MN_OK;
  }
  if (names->size == 0)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "%s: %s must give columns by number, or as x1, x2, ..., because X has no column names, got '%s'%s",
                   who, param, name, where);
  const char *near = mn_nearest_name(name, (const char *const *)names->at, names->size);
  return near ? mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must name columns of X, got '%s'%s; did you mean '%s'?", who,
                        param, name, where, near)
              : mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must name columns of X, got '%s'%s", who, param, name, where);
}

static mn_status check_number(mn_context *ctx, const mn_estimator *model, const char *param, double number)
{
  char text[MN_NUMBER_SIZE];
  if (number <= (double)model->n_features) return MN_OK;
  return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must be from 1 to %zu, the number of columns, got %s",
                 model->class->name, param, model->n_features, mn_format_number(text, number));
}

mn_status mn_find_column(mn_context *ctx, const mn_estimator *model, const char *param, const mn_feature *column,
                         size_t *out)
{
  if (column->name.bytes) return mn_column_named(ctx, model, param, column->name.bytes, "", out);
  MN_TRY(check_number(ctx, model, param, (double)column->number));
  *out = (size_t)column->number - 1;
  return MN_OK;
}

mn_status mn_find_columns(mn_context *ctx, const mn_estimator *model, const char *param, const mn_feature_list *columns,
                          bool *out)
{
  for (size_t i = 0; i < columns->value.size; i++) {
    MN_TRY(check_number(ctx, model, param, columns->value.at[i]));
    out[(size_t)columns->value.at[i] - 1] = true;
  }
  for (size_t i = 0; i < columns->name.size; i++) {
    size_t j;
    MN_TRY(mn_column_named(ctx, model, param, columns->name.at[i], "", &j));
    out[j] = true;
  }
  return MN_OK;
}

/* The last number belongs to a column of X. A list has a number for each column, unless NaN stands for some. */
static mn_status check_length(mn_context *ctx, const mn_estimator *model, const char *param, const mn_vector *value)
{
  bool holes = false;
  for (size_t j = 0; j < value->size; j++) holes = holes || isnan(value->at[j]);
  if (holes) return check_number(ctx, model, param, (double)value->size);
  if (value->size == model->n_features) return MN_OK;
  return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must have one number for each of the %zu columns of X, got %zu",
                 model->class->name, param, model->n_features, value->size);
}

mn_status mn_find_column_values(mn_context *ctx, const mn_estimator *model, const char *param,
                                const mn_feature_list *columns, double unnamed, const double **out)
{
  const size_t features = model->n_features;
  *out = NULL;
  if (!mn_columns_are_set(columns)) return MN_OK;
  if (columns->name.size == 0) MN_TRY(check_length(ctx, model, param, &columns->value));
  double *value = MN_RAW(ctx, double, features, 1);
  MN_CHECK_ALLOC(value);
  for (size_t j = 0; j < features; j++) value[j] = unnamed;
  for (size_t j = 0; columns->name.size == 0 && j < columns->value.size; j++)
    if (!isnan(columns->value.at[j])) value[j] = columns->value.at[j];
  for (size_t i = 0; i < columns->name.size; i++) {
    size_t j;
    MN_TRY(mn_column_named(ctx, model, param, columns->name.at[i], "", &j));
    value[j] = columns->value.at[i];
  }
  *out = value;
  return MN_OK;
}
