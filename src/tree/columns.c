#include "columns.h"
#include "../core/threads.h"
#include "../math/csr.h"
#include "../model/shelf.h"
#include <math.h>
#include <string.h>

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

struct work {
  const mn_data *data;
  mn_tree_columns *out;
  mn_csr turned;    /* sparse X: features x rows */
  double *value;    /* workers x rows        */
  double *present;  /* workers x rows        */
  double *sorted;   /* the distinct values of one column after the other */
  size_t *first;    /* features: where those of a column begin           */
  uint64_t *keys;   /* workers x 2 rows      */
  uint32_t *places; /* workers x 2 rows      */
};

/* Bits that are ordered as the number is; -0 is 0. */
static uint64_t key_of(double v)
{
  const double plain = v + 0.0;
  uint64_t bits;
  memcpy(&bits, &plain, sizeof bits);
  return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

/* One pass by digit; false: all rows have the same one. */
static bool sort_digit(size_t n, unsigned shift, const uint64_t *key, const uint32_t *place, uint64_t *to_key,
                       uint32_t *to_place)
{
  size_t start[DIGITS + 1] = { 0 };
  for (size_t i = 0; i < n; i++) start[(key[i] >> shift & (DIGITS - 1)) + 1]++;
  if (start[(key[0] >> shift & (DIGITS - 1)) + 1] == n) return false;
  for (size_t d = 0; d < DIGITS; d++) start[d + 1] += start[d];
  for (size_t i = 0; i < n; i++) {
    const size_t at = start[key[i] >> shift & (DIGITS - 1)]++;
    to_key[at] = key[i];
    to_place[at] = place[i];
  }
  return true;
}

void mn_order_doubles(size_t n, const double *v, uint32_t *order, uint64_t *room_keys, uint32_t *room_places)
{
  uint64_t *key = room_keys, *other_key = room_keys + n;
  uint32_t *place = room_places, *other_place = room_places + n;
  for (size_t i = 0; i < n; i++) {
    key[i] = key_of(v[i]);
    place[i] = (uint32_t)i;
  }
  for (unsigned shift = 0; n > 1 && shift < 64; shift += DIGIT_BITS) {
    if (!sort_digit(n, shift, key, place, other_key, other_place)) continue;
    uint64_t *k = key;
    uint32_t *p = place;
    key = other_key;
    other_key = k;
    place = other_place;
    other_place = p;
  }
  for (size_t i = 0; i < n; i++) order[i] = place[i];
}

static void read_column(const struct work *w, size_t j, double *v)
{
  const mn_csr *s = &w->turned;
  if (w->data->sparse) {
    memset(v, 0, w->data->rows * sizeof *v);
    for (size_t k = s->start[j]; k < s->start[j + 1]; k++) v[s->col[k]] = s->at[k];
    return;
  }
  for (size_t i = 0; i < w->data->rows; i++) v[i] = mn_row(&w->data->x, i)[j];
}

static void rank_factor(const mn_levels *levels, size_t n, const double *v, uint32_t *rank, uint32_t *distinct,
                        bool *missing)
{
  *distinct = (uint32_t)mn_levels_size(levels);
  for (size_t i = 0; i < n; i++) {
    const bool here = v[i] >= 0;
    rank[i] = here ? (uint32_t)v[i] : *distinct;
    *missing = *missing || !here;
  }
}

static void rank_numbers(struct work *w, size_t j, size_t worker, double *v)
{
  const size_t n = w->data->rows;
  uint64_t *keys = w->keys + worker * 2 * n;
  uint32_t *places = w->places + worker * 2 * n, *rank = w->out->rank + j * n;
  double *sorted = w->sorted + w->first[j], *kept = v, *values = w->present + worker * n;
  size_t present = 0, distinct = 0;
  for (size_t i = 0; i < n; i++) {
    rank[i] = UINT32_MAX;
    if (!isnan(v[i])) values[present++] = v[i];
  }
  /* rows with a value, in their order */
  mn_order_doubles(present, values, places, keys, places); /* the result overwrites the room it was made in */
  uint32_t *row = places + n;
  for (size_t i = 0, at = 0; i < n; i++)
    if (!isnan(kept[i])) row[at++] = (uint32_t)i;
  double last = 0;
  for (size_t s = 0; s < present; s++) {
    const double value = kept[row[places[s]]] + 0.0;
    if (s == 0 || value > last) sorted[distinct++] = last = value;
    rank[row[places[s]]] = (uint32_t)distinct - 1;
    if (!w->out->order) continue;
    w->out->order[j * n + s] = row[places[s]];
    w->out->ordered_rank[j * n + s] = (uint32_t)distinct - 1;
  }
  w->out->distinct[j] = (uint32_t)distinct;
  w->out->missing[j] = present < n;
  for (size_t i = 0; present < n && i < n; i++)
    if (rank[i] == UINT32_MAX) rank[i] = (uint32_t)distinct;
}

static bool has_missing(size_t n, const double *v)
{
  for (size_t i = 0; i < n; i++)
    if (isnan(v[i])) return true;
  return false;
}

static void rank_column(void *work, size_t j, size_t worker)
{
  struct work *w = work;
  const size_t n = w->data->rows;
  double *v = w->value + (w->out->value ? j : worker) * n;
  const mn_levels *levels = w->data->levels ? w->data->levels[j] : NULL;
  read_column(w, j, v);
  w->out->by_levels[j] = levels != NULL;
  w->out->sorted[j] = levels ? NULL : w->sorted + w->first[j];
  if (levels)
    rank_factor(levels, n, v, w->out->rank + j * n, &w->out->distinct[j], &w->out->missing[j]);
  else if (w->out->value && !has_missing(n, v))
    w->out->distinct[j] = 0; /* where cuts are drawn, ranks are read only beside missing values */
  else
    rank_numbers(w, j, worker, v);
}

/* Where the distinct values of each column begin, and how much room they need: a sparse column has no more than it
 * stores, and 0. */
static mn_status place_values(mn_context *ctx, struct work *w, size_t *room)
{
  const mn_csr *s = w->data->sparse;
  const size_t n = w->data->rows, p = w->data->features;
  w->first = MN_NEW(ctx, size_t, p, 1);
  MN_NEED(w->first);
  for (size_t k = 0; s && k < s->start[s->rows]; k++) w->first[s->col[k]]++;
  *room = 0;
  for (size_t j = 0; j < p; j++) {
    const size_t most = s && w->first[j] < n ? w->first[j] + 1 : n;
    w->first[j] = *room;
    *room += most;
  }
  return MN_OK;
}

static mn_status make_arrays(mn_context *ctx, bool values, struct work *w)
{
  mn_tree_columns *out = w->out;
  const size_t n = out->rows, p = out->features;
  size_t room;
  MN_TRY(place_values(ctx, w, &room));
  out->rank = MN_RAW(ctx, uint32_t, p, n);
  out->distinct = MN_RAW(ctx, uint32_t, p, 1);
  out->sorted = MN_RAW(ctx, double *, p, 1);
  out->missing = MN_NEW(ctx, bool, p, 1);
  out->by_levels = MN_NEW(ctx, bool, p, 1);
  w->sorted = MN_RAW(ctx, double, room, 1);
  out->value = w->value = values ? MN_RAW(ctx, double, p, n) : NULL;
  if (!out->rank || !out->distinct || !out->sorted || !out->missing || !out->by_levels || !w->sorted)
    return MN_NO_MEMORY;
  if (values && !w->value) return MN_NO_MEMORY;
  if (!w->data->shelf || values) return MN_OK;
  out->order = MN_NEW(ctx, uint32_t, p, n);
  out->ordered_rank = MN_NEW(ctx, uint32_t, p, n);
  return out->order && out->ordered_rank ? MN_OK : MN_NO_MEMORY;
}

/* --- kept for further fits --- */

static const char *const kind_of_item = "tree columns";

/* The arrays of `from` behind each other in `block`, larger elements first; `to` gets where they are. */
static void copy_arrays(const mn_tree_columns *from, char *block, mn_tree_columns *to)
{
  const size_t n = from->rows, p = from->features;
  double *numbers = (double *)(void *)block;
  *to = *from;
  to->sorted = (double **)(void *)(numbers + p * n);
  for (size_t j = 0; j < p; j++) {
    to->sorted[j] = from->sorted[j] ? numbers + j * n : NULL;
    if (from->sorted[j]) memcpy(to->sorted[j], from->sorted[j], from->distinct[j] * sizeof *numbers);
  }
  to->rank = (uint32_t *)(void *)(to->sorted + p);
  to->order = to->rank + p * n;
  to->ordered_rank = to->order + p * n;
  to->distinct = to->ordered_rank + p * n;
  to->missing = (bool *)(to->distinct + p);
  to->by_levels = to->missing + p;
  memcpy(to->rank, from->rank, p * n * sizeof *to->rank);
  memcpy(to->order, from->order, p * n * sizeof *to->order);
  memcpy(to->ordered_rank, from->ordered_rank, p * n * sizeof *to->ordered_rank);
  memcpy(to->distinct, from->distinct, p * sizeof *to->distinct);
  memcpy(to->missing, from->missing, p * sizeof *to->missing);
  memcpy(to->by_levels, from->by_levels, p * sizeof *to->by_levels);
}

static mn_status keep(mn_context *ctx, const struct work *w)
{
  const mn_tree_columns *made = w->out;
  const size_t n = made->rows, p = made->features;
  const size_t arrays = p * n * (sizeof(double) + 3 * sizeof(uint32_t)), /* no overflow: they are in scratch already */
      columns = p * (sizeof(double *) + sizeof(uint32_t) + 2 * sizeof(bool));
  void *item;
  MN_TRY(mn_shelf_make(ctx, w->data->shelf, kind_of_item, w->data, sizeof *made + arrays + columns, &item));
  copy_arrays(made, (char *)item + sizeof *made, item);
  return MN_OK;
}

mn_status mn_columns_make(mn_context *ctx, const mn_data *data, bool values, mn_tree_columns *out)
{
  const size_t n = data->rows, p = data->features, workers = mn_threads(ctx);
  const size_t most = 1 << 28; /* two nodes for each row can be counted */
  if (n > most) return mn_fail(ctx, MN_BAD_DATA, "X must have at most %zu rows for trees, got %zu", most, n);
  const mn_tree_columns *kept = values ? NULL : mn_shelf_find(data->shelf, kind_of_item, data);
  if (kept) {
    *out = *kept;
    out->x = data->x.at;
    return MN_OK;
  }
  *out = (mn_tree_columns){ .rows = n, .features = p, .x = data->x.at };
  struct work w = { .data = data, .out = out };
  MN_TRY(make_arrays(ctx, values, &w));
  const mn_mark mark = mn_scratch_mark(ctx);
  if (!values) w.value = MN_RAW(ctx, double, workers, n);
  w.present = MN_RAW(ctx, double, workers, n);
  w.keys = MN_RAW(ctx, uint64_t, workers, 2 * n);
  w.places = MN_RAW(ctx, uint32_t, workers, 2 * n);
  if (!w.value || !w.present || !w.keys || !w.places) return MN_NO_MEMORY;
  if (data->sparse) MN_TRY(mn_csr_turn(ctx, data->sparse, &w.turned));
  MN_TRY(mn_parallel(ctx, p, rank_column, &w));
  mn_scratch_release(ctx, mark);
  return out->order ? keep(ctx, &w) : MN_OK;
}
