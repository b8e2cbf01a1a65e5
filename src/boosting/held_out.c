#include "held_out.h"
#include "../model/table.h"
#include <math.h>
#include <string.h>

static mn_status take_rows(mn_context *ctx, const mn_data *data, const size_t *row, size_t n, mn_data *out)
{
  const mn_table all = { .dense = data->x, .sparse = data->sparse, .rows = data->rows, .cols = data->features };
  mn_table taken;
  *out = *data;
  out->rows = n;
  out->original = NULL;
  MN_TRY(mn_table_rows(ctx, &all, row, n, &taken));
  out->x = taken.dense;
  out->sparse = taken.sparse;
  if (data->y.at) {
    out->y = (mn_matrix){ .at = MN_RAW(ctx, double, n, data->y.cols), .rows = n, .cols = data->y.cols };
    MN_CHECK_ALLOC(out->y.at);
    mn_gather_rows(&data->y, row, n, &out->y);
  }
  if (data->init_score.at) {
    out->init_score.at = MN_RAW(ctx, double, n, data->init_score.cols);
    MN_CHECK_ALLOC(out->init_score.at);
    out->init_score.rows = n;
    mn_gather_rows(&data->init_score, row, n, &out->init_score);
  }
  double *weight = data->weights ? MN_RAW(ctx, double, n, 1) : NULL;
  int32_t *code = data->code ? MN_RAW(ctx, int32_t, n, 1) : NULL;
  if ((data->weights && !weight) || (data->code && !code)) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++) {
    if (weight) weight[i] = data->weights[row[i]];
    if (code) code[i] = data->code[row[i]];
  }
  out->weights = weight;
  out->code = code;
  return MN_OK;
}

static size_t wanted_of(double share, size_t n)
{
  const size_t wanted = (size_t)(share * (double)n + 0.5);
  return wanted < n ? wanted : n > 0 ? n - 1 : 0;
}

mn_status mn_hold_out(mn_context *ctx, const mn_data *data, double share, mn_rng rng, mn_data *learned, mn_data *held)
{
  const size_t kinds = data->code ? data->classes : 1, units = data->lengths ? data->n_lengths : data->rows;
  size_t *left = MN_NEW(ctx, size_t, kinds, 2), *row = MN_RAW(ctx, size_t, data->rows, 2);
  int32_t *lengths = data->lengths ? MN_RAW(ctx, int32_t, units, 2) : NULL;
  size_t stay = 0, go = 0, units_go = 0;
  MN_CHECK_ALLOC(left);
  MN_CHECK_ALLOC(row);
  if (data->lengths) MN_CHECK_ALLOC(lengths);
  size_t *wanted = left + kinds;
  for (size_t u = 0; u < units; u++) left[data->code ? data->code[u] : 0]++;
  for (size_t c = 0; c < kinds; c++) wanted[c] = wanted_of(share, left[c]);
  for (size_t u = 0, i = 0; u < units; u++) {
    const size_t c = data->code ? (size_t)data->code[u] : 0;
    const size_t end = i + (data->lengths ? (size_t)data->lengths[u] : 1);
    const bool goes = mn_random_below(&rng, left[c]--) < wanted[c];
    wanted[c] -= goes;
    if (lengths) lengths[goes ? units + units_go : u - units_go] = data->lengths[u];
    units_go += goes;
    for (; i < end; i++) {
      if (goes)
        row[data->rows + go++] = i;
      else
        row[stay++] = i;
    }
  }
  *learned = *data;
  *held = (mn_data){ 0 };
  if (go == 0) return MN_OK;
  MN_TRY(take_rows(ctx, data, row, stay, learned));
  MN_TRY(take_rows(ctx, data, row + data->rows, go, held));
  if (!lengths) return MN_OK;
  learned->lengths = lengths;
  learned->n_lengths = units - units_go;
  held->lengths = lengths + units;
  held->n_lengths = units_go;
  return MN_OK;
}

mn_status mn_known_levels(mn_context *ctx, const mn_data *data, mn_data *known)
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
