#include "columns.h"
#include "../core/hash.h"
#include <math.h>

static bool row_is_used(const mn_matrix *rows, const double *weights, size_t i, size_t *incomplete)
{
  if (weights && !(weights[i] > 0)) return false;
  for (size_t v = 0; v < rows->cols; v++) {
    if (!isnan(mn_row(rows, i)[v])) continue;
    ++*incomplete;
    return false;
  }
  return true;
}

static mn_status allocate(mn_context *ctx, const mn_net_columns *c)
{
  for (size_t v = 0; v < c->nodes; v++) {
    if (c->card[v] > 0)
      MN_CHECK_ALLOC(c->code[v] = MN_RAW(ctx, uint16_t, c->rows + 1, 1));
    else
      MN_CHECK_ALLOC(c->value[v] = MN_RAW(ctx, double, c->rows + 1, 1));
  }
  return MN_OK;
}

mn_status mn_make_net_columns(mn_context *ctx, const mn_matrix *rows, const int32_t *card, const double *weights,
                              mn_net_columns *out)
{
  *out = (mn_net_columns){ .rows = rows->rows, .nodes = rows->cols, .card = card };
  out->code = MN_NEW(ctx, uint16_t *, rows->cols + 1, 1);
  out->value = MN_NEW(ctx, double *, rows->cols + 1, 1);
  out->weights = weights ? MN_RAW(ctx, double, rows->rows + 1, 1) : NULL;
  if (!out->code || !out->value || (weights && !out->weights)) return MN_NO_MEMORY;
  MN_TRY(allocate(ctx, out));
  size_t n = 0;
  for (size_t i = 0; i < rows->rows; i++) {
    if (i % 4096 == 0) MN_TRY(mn_poll(ctx));
    if (!row_is_used(rows, weights, i, &out->incomplete)) continue;
    const double *row = mn_row(rows, i);
    for (size_t v = 0; v < rows->cols; v++) {
      if (card[v] > 0)
        out->code[v][n] = (uint16_t)row[v];
      else
        out->value[v][n] = row[v];
    }
    if (weights) out->weights[n] = weights[i];
    out->total += weights ? weights[i] : 1;
    n++;
  }
  out->rows = n;
  return MN_OK;
}

mn_status mn_configs_new(mn_context *ctx, size_t rows, mn_configs *out)
{
  *out = (mn_configs){ .slots = 64 };
  while (out->slots < 2 * rows) out->slots *= 2;
  out->id = MN_RAW(ctx, uint32_t, rows + 1, 1);
  out->key = MN_RAW(ctx, uint64_t, out->slots, 1);
  out->slot = MN_RAW(ctx, uint32_t, out->slots, 1);
  return out->id && out->key && out->slot ? MN_OK : MN_NO_MEMORY;
}

void mn_configs_reset(mn_configs *c, size_t rows)
{
  memset(c->id, 0, rows * sizeof *c->id);
  c->size = 1;
  c->full = 1;
}

/* Number the distinct keys id + size * code of the rows in order of their first rows. */
static void renumber(mn_configs *c, size_t rows, const uint16_t *code)
{
  uint32_t next = 0;
  memset(c->slot, 0xff, c->slots * sizeof *c->slot);
  for (size_t i = 0; i < rows; i++) {
    const uint64_t key = c->id[i] + (uint64_t)c->size * code[i];
    size_t at = mn_hash_step(0, key) & (c->slots - 1);
    while (c->slot[at] != UINT32_MAX && c->key[at] != key) at = (at + 1) & (c->slots - 1);
    if (c->slot[at] == UINT32_MAX) {
      c->key[at] = key;
      c->slot[at] = next++;
    }
    c->id[i] = c->slot[at];
  }
  c->size = next;
}

void mn_configs_add(mn_configs *c, const mn_net_columns *data, size_t u)
{
  const uint16_t *code = data->code[u];
  const size_t card = (size_t)data->card[u];
  c->full *= (double)card;
  if (c->size * card > data->rows + 4096) {
    renumber(c, data->rows, code);
    return;
  }
  const uint32_t size = (uint32_t)c->size;
  for (size_t i = 0; i < data->rows; i++) c->id[i] += size * code[i];
  c->size *= card;
}
