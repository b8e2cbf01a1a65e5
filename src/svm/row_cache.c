#include "row_cache.h"
#include <string.h>

enum { ALIGN = 16 }; /* values */

static size_t value_size(const mn_row_cache *c)
{
  return c->single ? sizeof(float) : sizeof(double);
}

/* The number of slots for rows of this many columns in the memory there is. */
static void set_columns(mn_row_cache *c, size_t columns)
{
  c->columns = columns;
  c->stride = (columns + ALIGN - 1) / ALIGN * ALIGN;
  c->slots = c->bytes / (c->stride * value_size(c));
  if (c->slots > columns) c->slots = columns;
  if (c->slots > c->capacity) c->slots = c->capacity;
}

mn_status mn_row_cache_init(mn_context *ctx, mn_row_cache *c, size_t n, double bytes, size_t least)
{
  const size_t stride = (n + ALIGN - 1) / ALIGN * ALIGN;
  const double all = (double)n * (double)stride;
  *c = (mn_row_cache){ .single = all * sizeof(double) > bytes, .capacity = n };
  const double most = all * (double)value_size(c), fewest = (double)(least * stride * value_size(c));
  double size = bytes < most ? bytes : most;
  if (size < fewest) size = fewest < most ? fewest : most;
  c->bytes = (size_t)size;
  c->at = MN_RAW(ctx, char, c->bytes, 1);
  c->slot_of = MN_RAW(ctx, size_t, n, 1);
  c->row_of = MN_RAW(ctx, size_t, n, 1);
  c->used = MN_NEW(ctx, uint64_t, n, 1);
  if (!c->at || !c->slot_of || !c->row_of || !c->used) return MN_NO_MEMORY;
  mn_row_cache_clear(c, n);
  return MN_OK;
}

void mn_row_cache_clear(mn_row_cache *c, size_t n)
{
  for (size_t i = 0; i < c->capacity; i++) c->slot_of[i] = c->row_of[i] = SIZE_MAX;
  c->next = 0;
  set_columns(c, n);
}

/* A slot whose row is not part of the current request, in turn. */
static size_t free_slot(mn_row_cache *c)
{
  for (;;) {
    const size_t slot = c->next;
    c->next = (slot + 1) % c->slots;
    if (c->row_of[slot] == SIZE_MAX) return slot;
    if (c->used[slot] == c->request) continue;
    c->slot_of[c->row_of[slot]] = SIZE_MAX;
    return slot;
  }
}

static mn_status compute(mn_context *ctx, mn_row_cache *c, const mn_kernel_plan *plan, size_t count, const size_t *row,
                         size_t slot)
{
  const size_t offset = slot * c->stride;
  return mn_kernel_plan_rows(ctx, plan, count, row, c->columns, NULL, c->single ? NULL : (double *)c->at + offset,
                             c->single ? (float *)c->at + offset : NULL, c->stride);
}

mn_status mn_row_cache_fetch(mn_context *ctx, mn_row_cache *c, const mn_kernel_plan *plan, size_t count,
                             const size_t *row)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  size_t *missing = MN_RAW(ctx, size_t, count, 1), *slot = MN_RAW(ctx, size_t, count, 1), n = 0;
  if (!missing || !slot) return MN_NO_MEMORY;
  c->request++;
  for (size_t k = 0; k < count; k++) {
    if (c->slot_of[row[k]] != SIZE_MAX)
      c->used[c->slot_of[row[k]]] = c->request;
    else
      missing[n++] = row[k];
  }
  for (size_t k = 0; k < n; k++) {
    slot[k] = free_slot(c);
    c->slot_of[missing[k]] = slot[k];
    c->row_of[slot[k]] = missing[k];
    c->used[slot[k]] = c->request;
  }
  for (size_t k = 0, run; k < n; k += run) { /* rows whose slots follow each other are computed as one block */
    for (run = 1; k + run < n && slot[k + run] == slot[k] + run;) run++;
    MN_TRY(compute(ctx, c, plan, run, missing + k, slot[k]));
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static void take_columns(const mn_row_cache *c, size_t from, size_t to, size_t count, const size_t *keep)
{
  if (c->single) {
    const float *source = (const float *)c->at + from;
    float *target = (float *)c->at + to;
    for (size_t k = 0; k < count; k++) target[k] = source[keep[k]];
  } else {
    const double *source = (const double *)c->at + from;
    double *target = (double *)c->at + to;
    for (size_t k = 0; k < count; k++) target[k] = source[keep[k]];
  }
}

/* In place: values move to the front only, so that none is overwritten before it is read. */
void mn_row_cache_take(mn_row_cache *c, size_t count, const size_t *keep)
{
  const size_t old_slots = c->slots, old_stride = c->stride;
  for (size_t i = 0; i < c->capacity; i++) c->slot_of[i] = SIZE_MAX;
  for (size_t k = 0; k < count; k++) c->slot_of[keep[k]] = k; /* the new number of each row */
  set_columns(c, count);
  size_t filled = 0;
  for (size_t slot = 0; slot < old_slots; slot++) {
    const size_t row = c->row_of[slot] == SIZE_MAX ? SIZE_MAX : c->slot_of[c->row_of[slot]];
    c->row_of[slot] = SIZE_MAX;
    if (row == SIZE_MAX || filled == c->slots) continue;
    take_columns(c, slot * old_stride, filled * c->stride, count, keep);
    c->row_of[filled] = row;
    c->used[filled] = 0;
    filled++;
  }
  for (size_t i = 0; i < c->capacity; i++) c->slot_of[i] = SIZE_MAX;
  for (size_t slot = 0; slot < filled; slot++) c->slot_of[c->row_of[slot]] = slot;
  c->next = filled < c->slots ? filled : 0;
}
