#include "held_out.h"
#include "../model/table.h"
#include <math.h>
#include <string.h>

static size_t held_out_count(double share, size_t n)
{
  const size_t wanted = (size_t)(share * (double)n + 0.5);
  return wanted < n ? wanted : n > 0 ? n - 1 : 0;
}

mn_status mn_hold_out(mn_context *ctx, const mn_data *data, double share, mn_rng rng, mn_data *train, mn_data *held_out)
{
  const size_t classes = data->code ? data->classes : 1, units = data->lengths ? data->n_lengths : data->rows;
  size_t *left = MN_NEW(ctx, size_t, classes, 2), *row = MN_RAW(ctx, size_t, data->rows, 2);
  int32_t *lengths = data->lengths ? MN_RAW(ctx, int32_t, units, 2) : NULL;
  size_t n_train = 0, n_held = 0, held_units = 0;
  MN_CHECK_ALLOC(left);
  MN_CHECK_ALLOC(row);
  if (data->lengths) MN_CHECK_ALLOC(lengths);
  size_t *wanted = left + classes;
  for (size_t u = 0; u < units; u++) left[data->code ? data->code[u] : 0]++;
  for (size_t c = 0; c < classes; c++) wanted[c] = held_out_count(share, left[c]);
  for (size_t u = 0, i = 0; u < units; u++) {
    const size_t c = data->code ? (size_t)data->code[u] : 0;
    const size_t end = i + (data->lengths ? (size_t)data->lengths[u] : 1);
    const bool is_held = mn_random_below(&rng, left[c]--) < wanted[c];
    wanted[c] -= is_held;
    if (lengths) lengths[is_held ? units + held_units : u - held_units] = data->lengths[u];
    held_units += is_held;
    for (; i < end; i++) {
      if (is_held)
        row[data->rows + n_held++] = i;
      else
        row[n_train++] = i;
    }
  }
  *train = *data;
  *held_out = (mn_data){ 0 };
  if (n_held == 0) return MN_OK;
  MN_TRY(mn_data_rows(ctx, data, row, n_train, train));
  MN_TRY(mn_data_rows(ctx, data, row + data->rows, n_held, held_out));
  if (!lengths) return MN_OK;
  train->lengths = lengths;
  train->n_lengths = units - held_units;
  held_out->lengths = lengths + units;
  held_out->n_lengths = held_units;
  return MN_OK;
}

mn_status mn_mask_unknown_levels(mn_context *ctx, const mn_data *data, mn_data *known)
{
  *known = *data;
  if (!data->levels || data->sparse) return MN_OK;
  known->x.at = MN_RAW(ctx, double, data->rows, data->features);
  MN_CHECK_ALLOC(known->x.at);
  memcpy(known->x.at, data->x.at, data->rows * data->features * sizeof *known->x.at);
  for (size_t i = 0; i < data->rows; i++)
    for (size_t j = 0; j < data->features; j++) {
      double *x = &mn_row(&known->x, i)[j];
      if (data->levels[j] && *x < 0) *x = (double)NAN;
    }
  return MN_OK;
}
