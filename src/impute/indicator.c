#include "indicator.h"
#include "../preprocess/names.h"

mn_status mn_mark_missing(mn_context *ctx, double missing_values, const mn_data *data, mn_data *out)
{
  *out = *data;
  if (isnan(missing_values)) return MN_OK;
  const size_t n = data->rows * data->features;
  out->x.at = MN_RAW(ctx, double, data->rows, data->features);
  MN_CHECK_ALLOC(out->x.at);
  for (size_t i = 0; i < n; i++) {
    const double x = data->x.at[i];
    const bool factor = data->levels && data->levels[i % data->features];
    out->x.at[i] = x >= missing_values && x <= missing_values && !factor ? (double)NAN : x;
  }
  return MN_OK;
}

mn_status mn_count_missing(mn_context *ctx, const mn_data *data, double *missing)
{
  enum { POLL_ROWS = 1 << 12 };
  for (size_t j = 0; j < data->features; j++) missing[j] = 0;
  for (size_t i = 0; i < data->rows; i++) {
    const double *x = mn_row(&data->x, i), w = mn_weight(data, i);
    if (i % POLL_ROWS == 0) MN_TRY(mn_poll(ctx));
    for (size_t j = 0; j < data->features; j++) missing[j] += isnan(x[j]) ? w : 0;
  }
  return MN_OK;
}

mn_status mn_flags_init(mn_context *ctx, size_t p, const double *missing, mn_indexes *flags)
{
  size_t n = 0;
  for (size_t j = 0; j < p; j++) n += missing[j] > 0;
  if (n == 0) return MN_OK;
  MN_TRY(mn_indexes_init(ctx, flags, n));
  n = 0;
  for (size_t j = 0; j < p; j++)
    if (missing[j] > 0) flags->at[n++] = (int32_t)j;
  return MN_OK;
}

void mn_flags_fill(const mn_indexes *flags, const double *x, double *out)
{
  for (size_t k = 0; k < flags->size; k++) out[k] = isnan(x[flags->at[k]]) ? 1 : 0;
}

void mn_flag_name(const mn_indexes *flags, size_t k, const char *const *inputs, char *text, size_t size)
{
  char own[MN_INPUT_NAME_SIZE];
  snprintf(text, size, "missingindicator_%s", mn_input_name(inputs, (size_t)flags->at[k], own));
}

void mn_flags_export(const mn_indexes *flags, size_t first, mn_program *program)
{
  if (flags->size == 0) return;
  mn_program_indexes(program, "flagged", flags->size, flags->at);
  mn_program_count(program, "flags", flags->size);
  mn_program_count(program, "first_flag", first);
  mn_program_code(program, "for i < flags {"
                           "  int j = flagged[i]"
                           "  out[first_flag + i] = isnan(x[j]) or x[j] == sentinel[j] ? 1.0 : 0.0"
                           "}");
}
