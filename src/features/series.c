#include "series.h"

mn_status mn_series_begins(mn_context *ctx, const mn_data *data, size_t **first)
{
  *first = MN_NEW(ctx, size_t, data->rows, 1);
  MN_CHECK_ALLOC(*first);
  for (size_t s = 0, row = 0; s < data->n_lengths; s++) {
    const size_t begin = row;
    for (int32_t i = 0; i < data->lengths[s]; i++) (*first)[row++] = begin;
  }
  return MN_OK;
}

mn_status mn_series_counts(mn_context *ctx, const char *who, const char *param, const mn_vector *given, double initial,
                           double low, const double **counts, size_t *n)
{
  char number[MN_NUMBER_SIZE], least[MN_NUMBER_SIZE];
  double *made = MN_RAW(ctx, double, given->at ? given->size : 1, 1);
  MN_CHECK_ALLOC(made);
  *n = given->at ? given->size : 1;
  made[0] = initial;
  for (size_t k = 0; given->at && k < *n; k++) {
    const double value = made[k] = given->at[k];
    bool valid = value >= low && value <= INT32_MAX && value == floor(value);
    for (size_t l = 0; l < k; l++) valid = valid && (given->at[l] < value || given->at[l] > value);
    if (!valid)
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must be different whole numbers >= %s, got %s", who, param,
                     mn_format_number(least, low), mn_format_number(number, value));
  }
  *counts = made;
  return *n > 0 ? MN_OK : mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must have at least one number, got none", who, param);
}
