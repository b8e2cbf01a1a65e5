/* Elementwise comparison of labels: f:eq(other), f:ne(other). */
#include "userdata.h"

/* Whether each element of f is this label: 1 and 0, or the opposite when !equal. A missing element equals nothing. */
static int compare_with_label(lua_State *L, mn_context *ctx, const mn_factor *f, mn_label label, bool equal)
{
  const int32_t code = f->levels ? mn_levels_find(f->levels, label) : -1;
  mn_lua_vector *out = mn_lua_push_raw_vector(L, f->size);
  for (size_t i = 0; i < f->size; i++) out->at[i] = (code >= 0 && f->code[i] == code) == equal;
  out->whole = true;
  return mn_lua_finish(L, ctx, 1);
}

static int compare_factors(lua_State *L, mn_context *ctx, const mn_factor *a, const mn_factor *b, bool equal)
{
  if (a->size != b->size)
    return luaL_error(L, "Factor of %I %s Factor of %I: sizes do not match", (lua_Integer)a->size, equal ? "eq" : "ne",
                      (lua_Integer)b->size);
  const size_t levels = b->levels ? mn_levels_size(b->levels) : 0;
  mn_lua_vector *out = mn_lua_push_raw_vector(L, a->size);
  int32_t *map = MN_RAW(ctx, int32_t, levels, 1); /* from codes of b to those of a */
  if (!map) return mn_lua_raise(L, ctx);
  if (a->levels && b->levels)
    mn_levels_map(b->levels, a->levels, map);
  else
    for (size_t c = 0; c < levels; c++) map[c] = -1;
  for (size_t i = 0; i < a->size; i++)
    out->at[i] = (a->code[i] >= 0 && b->code[i] >= 0 && map[b->code[i]] == a->code[i]) == equal;
  out->whole = true;
  return mn_lua_finish(L, ctx, 1);
}

int mn_lua_compare_labels(lua_State *L, bool equal)
{
  mn_context *ctx = mn_lua_begin(L);
  mn_label label;
  lua_settop(L, 2);
  if (mn_lua_to_label(L, 2, &label)) return compare_with_label(L, ctx, mn_lua_checkudata_factor(L, 1), label, equal);
  const bool comparable = mn_lua_test_factor(L, 2) || mn_lua_test_vector(L, 2) || lua_type(L, 2) == LUA_TTABLE;
  if (!comparable)
    return luaL_argerror(L, 2,
                         lua_pushfstring(L,
                                         "label (string, number or boolean), Factor, Vector or table expected, got %s",
                                         mn_lua_type_name(L, 2)));
  const mn_factor *a = mn_lua_check_factor(L, ctx, 1), *b = mn_lua_check_factor(L, ctx, 2);
  return compare_factors(L, ctx, a, b, equal);
}
