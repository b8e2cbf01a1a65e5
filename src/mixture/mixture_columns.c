/* The families of columns, for MixtureModel and models whose states are like its components. */
#include "mixture_model.h"
#include <string.h>

static mn_status find_family(mn_context *ctx, const char *param, const char *name, int32_t *out)
{
  for (*out = 0; mn_mixture_families[*out]; ++*out)
    if (strcmp(mn_mixture_families[*out]->name, name) == 0) return MN_OK;
  return mn_fail(ctx, MN_BAD_ARGUMENT,
                 "%s must be gaussian, poisson, bernoulli, categorical, exponential, gamma, multinomial, student_t or "
                 "von_mises_fisher, got '%s'",
                 param, name);
}

mn_status mn_mixture_choose_families(mn_context *ctx, const char *param, const mn_names *given, const mn_data *data,
                                     mn_indexes *column_family, mn_vector *column_levels)
{
  const size_t p = data->features;
  int32_t categorical;
  MN_TRY(mn_indexes_init(ctx, column_family, p));
  MN_TRY(mn_vector_init(ctx, column_levels, p));
  MN_TRY(find_family(ctx, param, "categorical", &categorical));
  if (given->size > 1 && given->size != p)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s must have 1 name or one for each of %zu columns, got %zu", param, p,
                   given->size);
  for (size_t j = 0; j < p; j++) {
    const mn_levels *levels = data->levels ? data->levels[j] : NULL;
    double largest = 0;
    if (given->size > 0)
      MN_TRY(find_family(ctx, param, given->at[given->size > 1 ? j : 0], &column_family->at[j]));
    else
      column_family->at[j] = levels ? categorical : 0;
    if (levels && column_family->at[j] != categorical)
      return mn_fail(ctx, MN_BAD_DATA, "column %zu of X is a factor, which requires the family categorical", j + 1);
    if (column_family->at[j] != categorical) continue;
    for (size_t i = 0; i < data->rows; i++) largest = fmax(largest, mn_row(&data->x, i)[j]);
    column_levels->at[j] = levels ? (double)mn_levels_size(levels) : largest + 1;
    if (!(column_levels->at[j] <= 1e6))
      return mn_fail(ctx, MN_BAD_DATA,
                     "column %zu of X has codes up to %g; a categorical column has at most 1e6 levels", j + 1, largest);
  }
  return MN_OK;
}

/* The value number `at` of the block is outside the support, or the row as a whole if `at` is the number of columns. */
static mn_status fail_value(mn_context *ctx, const mn_mixture_block *block, const char *wanted, const double *value,
                            size_t row, size_t at)
{
  const char *family = block->family->name;
  char number[MN_NUMBER_SIZE];
  double square = 0;
  for (size_t j = 0; j < block->d; j++) square += value[j] * value[j];
  if (at == block->d)
    return mn_fail(ctx, MN_BAD_DATA, "X must have %s for the family %s, got length %s in row %zu", wanted, family,
                   mn_format_number(number, sqrt(square)), row + 1);
  return mn_fail(ctx, MN_BAD_DATA, "X must be %s for the family %s, got %s in row %zu, column %zu", wanted, family,
                 mn_format_number(number, value[at]), row + 1, block->column[at] + 1);
}

/* Values must be in the support of their family. */
mn_status mn_mixture_check_values(mn_context *ctx, const mn_mixture_layout *l, const mn_data *data)
{
  double *value = MN_RAW(ctx, double, l->p, 1);
  MN_CHECK_ALLOC(value);
  for (size_t b = 0; b < l->blocks; b++) {
    const mn_mixture_block *block = l->block + b;
    if (block->family == &mn_family_student_t && block->d > MN_MAX_STUDENT_COLUMNS)
      return mn_fail(ctx, MN_BAD_DATA, "student_t supports at most %d columns, got %zu", MN_MAX_STUDENT_COLUMNS,
                     block->d);
    for (size_t i = 0; i < data->rows; i++) {
      bool missing = false;
      size_t at = 0; /* the value that the message names */
      for (size_t j = 0; j < block->d; j++) {
        value[j] = mn_row(&data->x, i)[block->column[j]];
        if (!missing && isnan(value[j])) missing = true, at = j;
      }
      if (missing && !block->family->joint) continue;
      const char *wanted = missing ? "complete" : block->family->refuse(block, value, &at);
      if (wanted) return fail_value(ctx, block, wanted, value, i, at);
    }
  }
  return MN_OK;
}
