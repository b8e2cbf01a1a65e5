/* Metrics of spans and of sequences of tags. */
#include "../values/userdata.h"
#include "metrics.h"
#include "../../metrics/spans.h"
#include <string.h>

/* The rows of the sequences in the Vector at `arg`, a buffer on the stack; nil: one sequence of n rows. */
static size_t *check_lengths(lua_State *L, mn_context *ctx, int arg, size_t n, size_t *sequences)
{
  const bool one = lua_isnoneornil(L, arg);
  mn_vector v = { 0 };
  if (!one) v = mn_lua_check_vector(L, ctx, arg);
  size_t *lengths = mn_lua_push_buffer(L, sizeof *lengths, one ? 1 : v.size), sum = 0;
  *sequences = one ? n > 0 : v.size;
  if (one) lengths[0] = n;
  mn_lua_check_lengths(L, NULL, &v);
  for (size_t i = 0; i < v.size; i++) sum += lengths[i] = (size_t)v.at[i];
  if (!one && sum != n)
    luaL_error(L, "lengths must add up to the number of rows, %I, got %I", (lua_Integer)n, (lua_Integer)sum);
  return lengths;
}

static void refuse_missing(lua_State *L, const mn_lua_codes *codes)
{
  for (size_t i = 0; i < codes->n; i++)
    if (codes->y[i] < 0 || codes->predicted[i] < 0)
      luaL_error(L, "tags must not be missing, got nil at position %I", (lua_Integer)i + 1);
}

/* The number of the type in the list at `kinds`, where it is appended if it is new. */
static int32_t find_kind(lua_State *L, int kinds, const char *text, size_t size)
{
  const lua_Integer n = (lua_Integer)lua_rawlen(L, kinds);
  lua_pushlstring(L, text, size);
  for (lua_Integer i = 1; i <= n; i++) {
    lua_rawgeti(L, kinds, i);
    const bool same = lua_rawequal(L, -1, -2);
    lua_pop(L, 1);
    if (same) {
      lua_pop(L, 1);
      return (int32_t)(i - 1);
    }
  }
  lua_rawseti(L, kinds, n + 1);
  return (int32_t)n;
}

/* The tags of the labels in the list codes->names; their types are appended to the list at `kinds`. */
static mn_span_tag *read_tags(lua_State *L, const mn_lua_codes *codes, int kinds)
{
  mn_span_tag *tag = mn_lua_push_buffer(L, sizeof *tag, codes->k + 1);
  for (size_t i = 0; i < codes->k; i++) {
    const char *kind = NULL;
    mn_label label = { .kind = MN_LABEL_BOOLEAN };
    lua_rawgeti(L, codes->names, (lua_Integer)i + 1);
    if (lua_type(L, -1) == LUA_TSTRING) {
      label.kind = MN_LABEL_TEXT;
      label.as.text.bytes = lua_tolstring(L, -1, &label.as.text.size);
    }
    size_t size = 0;
    if (!mn_span_parse(label, &tag[i].letter, &kind, &size)) {
      const bool text = lua_type(L, -1) == LUA_TSTRING;
      luaL_error(L, "tags must be O, or a letter of B, I, E and S with a type, as in B-LOC; got %s%s%s",
                 text ? "'" : "", luaL_tolstring(L, -1, NULL), text ? "'" : "");
    }
    tag[i].kind = tag[i].letter == 'O' ? 0 : find_kind(L, kinds, kind, size);
    lua_pop(L, 1);
  }
  return tag;
}

/* spans(y, predicted, nil, lengths | nil) -> list of types, Matrix with a row for each: right spans, those of y, those
 * predicted */
static int spans(lua_State *L)
{
  mn_context *ctx = mn_lua_begin_metric(L, 4);
  size_t sequences;
  const mn_lua_codes codes = mn_lua_align_labels(L);
  const size_t *lengths = check_lengths(L, ctx, 4, codes.n, &sequences);
  refuse_missing(L, &codes);
  lua_newtable(L);
  const int kinds = lua_gettop(L);
  const mn_span_tag *tag = read_tags(L, &codes, kinds);
  const size_t n = lua_rawlen(L, kinds);
  mn_span_counts *counts = mn_lua_push_buffer(L, sizeof *counts, n + 1);
  memset(counts, 0, (n + 1) * sizeof *counts);
  mn_count_spans(codes.n, codes.y, codes.predicted, tag, sequences > 0 ? lengths : NULL, counts);
  lua_pushvalue(L, kinds);
  double *out = mn_lua_push_raw_matrix(L, n, 3)->at;
  for (size_t k = 0; k < n; k++) {
    out[3 * k] = counts[k].hits;
    out[3 * k + 1] = counts[k].y;
    out[3 * k + 2] = counts[k].predicted;
  }
  return mn_lua_finish(L, ctx, 2);
}

/* accuracy_by_sequence(y, predicted, nil, lengths | nil) -> Vector */
static int accuracy_by_sequence(lua_State *L)
{
  mn_context *ctx = mn_lua_begin_metric(L, 4);
  size_t sequences;
  const mn_lua_codes codes = mn_lua_align_labels(L);
  const size_t *lengths = check_lengths(L, ctx, 4, codes.n, &sequences);
  double *out = mn_lua_push_raw_vector(L, sequences)->at;
  mn_accuracy_by_sequence(codes.y, codes.predicted, sequences, lengths, out);
  return mn_lua_finish(L, ctx, 1);
}

const luaL_Reg mn_lua_metrics_spans[] = {
  { "spans", spans },
  { "accuracy_by_sequence", accuracy_by_sequence },
  { NULL, NULL },
};
