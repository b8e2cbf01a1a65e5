#include "series.h"
#include "../model/program.h"

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
                           mn_vector *counts)
{
  char number[MN_NUMBER_SIZE];
  const size_t n = given->at ? given->size : 1;
  if (n == 0) return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must have at least one number, got none", who, param);
  MN_TRY(mn_vector_init(ctx, counts, n));
  counts->at[0] = initial;
  for (size_t k = 0; given->at && k < n; k++) {
    const double value = counts->at[k] = given->at[k];
    bool valid = value >= 1 && value <= INT32_MAX && value == floor(value);
    for (size_t l = 0; l < k; l++) valid = valid && (given->at[l] < value || given->at[l] > value);
    if (!valid)
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must be distinct integers >= 1, got %s", who, param,
                     mn_format_number(number, value));
  }
  return MN_OK;
}

bool mn_series_counts_are_valid(const mn_vector *counts)
{
  bool valid = counts->at && counts->size > 0;
  for (size_t k = 0; valid && k < counts->size; k++) valid = counts->at[k] >= 1 && counts->at[k] <= INT32_MAX;
  return valid;
}
