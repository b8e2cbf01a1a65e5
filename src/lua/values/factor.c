/* The userdata Factor: labels as codes into a table of levels in ascending order (booleans, numbers, text by bytes). */
#include "userdata.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- creation --- */

static mn_factor *push_userdata(lua_State *L)
{
  mn_factor *f = lua_newuserdatauv(L, sizeof *f, 0);
  *f = (mn_factor){ 0 };
  mn_lua_set_metatable(L, MN_LUA_FACTOR, true);
  return f;
}

/* Allocate missing codes for `size` elements of a Factor on the stack, which shares `levels`. Raises. */
static void init(lua_State *L, mn_factor *f, size_t size, const mn_levels *levels)
{
  f->code = mn_lua_alloc(L, sizeof *f->code, size, 1);
  f->size = size;
  f->levels = mn_levels_retain(levels);
  for (size_t i = 0; i < size; i++) f->code[i] = -1;
  mn_lua_charge(L, size * sizeof *f->code);
}

mn_factor *mn_lua_push_factor(lua_State *L, size_t size, const mn_levels *levels)
{
  mn_factor *f = push_userdata(L);
  init(L, f, size, levels);
  return f;
}

mn_factor *mn_lua_test_factor(lua_State *L, int arg)
{
  return mn_lua_userdata_kind(L, arg) == MN_LUA_FACTOR ? lua_touserdata(L, arg) : NULL;
}

static void release(lua_State *L, bool collected)
{
  mn_factor *f = mn_lua_test_factor(L, 1);
  mn_memory *memory = mn_lua_memory(L);
  if (f && memory && (collected || !mn_lua_operation_running(L))) mn_factor_free(memory, f);
}

static int factor_gc(lua_State *L)
{
  release(L, true);
  return 0;
}

static int factor_close(lua_State *L)
{
  release(L, false);
  return 0;
}

/* --- from labels --- */

/* Element i of the table or Vector at `arg`; false when it is missing. */
static bool read_label(lua_State *L, int arg, const mn_lua_vector *v, size_t i, mn_label *label)
{
  if (v) {
    const double value = v->at[i * v->step];
    if (v->whole && mn_lua_is_whole(value))
      *label = (mn_label){ .kind = MN_LABEL_INTEGER, .as.integer = (int64_t)value };
    else
      *label = (mn_label){ .kind = MN_LABEL_FLOAT, .as.number = value };
    return !isnan(value);
  }
  const int type = lua_rawgeti(L, arg, (lua_Integer)i + 1);
  const bool is_label = mn_lua_to_label(L, -1, label);
  if (!is_label && type != LUA_TNIL && type != LUA_TNUMBER)
    luaL_argerror(L, arg,
                  lua_pushfstring(L, "element %I is a %s, not a label (string, number or boolean)", (lua_Integer)i + 1,
                                  mn_lua_type_name(L, -1)));
  lua_pop(L, 1); /* the table keeps the string alive */
  return is_label;
}

/* Encode the labels 1..size of the table or Vector at `arg` into *f, with the levels that are given or else found. No
 * Lua value is created here, so scratch stays valid. */
static mn_status encode(lua_State *L, mn_context *ctx, int arg, size_t size, const mn_levels *given, mn_factor *f)
{
  enum { POLL_EVERY = 1 << 16 };
  const mn_lua_vector *v = mn_lua_test_vector(L, arg);
  mn_label *label = MN_RAW(ctx, mn_label, size, 1);
  MN_CHECK_ALLOC(label);
  size_t *position = MN_RAW(ctx, size_t, size, 1);
  MN_CHECK_ALLOC(position);
  int32_t *code = MN_RAW(ctx, int32_t, size, 1);
  MN_CHECK_ALLOC(code);
  size_t n = 0;
  for (size_t i = 0; i < size; i++) {
    if (i % POLL_EVERY == 0) MN_TRY(mn_poll(ctx));
    if (read_label(L, arg, v, i, &label[n])) position[n++] = i;
  }
  const mn_levels *levels = given ? mn_levels_retain(given) : mn_levels_new(ctx, label, n, code);
  MN_CHECK_ALLOC(levels);
  const mn_status status = mn_factor_init(ctx, f, size, levels);
  mn_levels_release(mn_context_memory(ctx), levels);
  MN_TRY(status);
  for (size_t i = 0; i < size; i++) f->code[i] = -1;
  for (size_t i = 0; i < n; i++) {
    f->code[position[i]] = given ? mn_levels_find(levels, label[i]) : code[i];
    if (f->code[position[i]] >= 0) continue;
    char text[64];
    return mn_fail(ctx, MN_BAD_DATA, "Factor: element %zu is '%s', which is none of the levels", position[i] + 1,
                   mn_format_label(text, sizeof text, label[i]));
  }
  return MN_OK;
}

static mn_factor *push_encoded(lua_State *L, mn_context *ctx, int arg, size_t size, const mn_levels *given)
{
  mn_factor *f = push_userdata(L);
  luaL_checkstack(L, 8, "too many values");
  if (encode(L, ctx, arg, size, given, f) != MN_OK) mn_lua_raise(L, ctx);
  mn_scratch_release(ctx, (mn_mark){ 0 });
  mn_lua_charge(L, size * sizeof *f->code);
  return f;
}

const mn_factor *mn_lua_check_factor(lua_State *L, mn_context *ctx, int arg)
{
  const mn_factor *f = mn_lua_test_factor(L, arg);
  if (f) return f;
  const mn_lua_vector *v = mn_lua_test_vector(L, arg);
  if (!v && lua_type(L, arg) != LUA_TTABLE)
    luaL_argerror(L, arg, lua_pushfstring(L, "Factor or table of labels expected, got %s", mn_lua_type_name(L, arg)));
  f = push_encoded(L, ctx, arg, v ? v->size : lua_rawlen(L, arg), NULL);
  lua_replace(L, arg);
  return f;
}

/* The size of the Factor (option n, or the length of the table at 1) and its levels, NULL when not given. Pushes the
 * Factor that owns them, or nil. */
static size_t check_options(lua_State *L, mn_context *ctx, const mn_levels **levels)
{
  size_t size = lua_rawlen(L, 1);
  *levels = NULL;
  lua_pushnil(L);
  while (lua_next(L, 1)) {
    const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL;
    if (key && strcmp(key, "n") != 0 && strcmp(key, "levels") != 0)
      luaL_error(L, "Factor has no option '%s'; there are levels and n", key);
    lua_pop(L, 1);
  }
  if (lua_getfield(L, 1, "n") != LUA_TNIL) size = mn_lua_check_size(L, lua_gettop(L));
  lua_pop(L, 1);
  if (lua_getfield(L, 1, "levels") != LUA_TNIL) *levels = mn_lua_check_factor(L, ctx, lua_gettop(L))->levels;
  return size;
}

/* Factor{ label, ..., n = , levels = } or Factor(Vector): strings, numbers, booleans; nil and NaN are missing */
static int factor_new(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  lua_settop(L, 1);
  const mn_levels *levels = NULL;
  if (lua_type(L, 1) != LUA_TTABLE) {
    mn_lua_check_factor(L, ctx, 1);
    return mn_lua_finish(L, ctx, 1);
  }
  const size_t size = check_options(L, ctx, &levels);
  push_encoded(L, ctx, 1, size, levels);
  return mn_lua_finish(L, ctx, 1);
}

/* --- elements --- */

static void push_element(lua_State *L, const mn_factor *f, size_t i)
{
  if (f->code[i] < 0)
    lua_pushnil(L);
  else
    mn_lua_push_label(L, mn_levels_at(f->levels, (size_t)f->code[i]));
}

static size_t level_count(const mn_factor *f)
{
  return f->levels ? mn_levels_size(f->levels) : 0;
}

void mn_lua_push_levels(lua_State *L, const mn_levels *levels)
{
  const size_t n = levels ? mn_levels_size(levels) : 0;
  lua_createtable(L, mn_lua_table_size(n), 0);
  for (size_t i = 0; i < n; i++) {
    mn_lua_push_label(L, mn_levels_at(levels, i));
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  mn_lua_set_list_metatable(L);
}

/* f[i]: the label as it was given, nil when missing or outside 1..#f; f.levels, f.size; methods */
static int factor_index(lua_State *L)
{
  const mn_factor *f = mn_lua_checkudata_factor(L, 1);
  int whole = 0;
  if (lua_type(L, 2) == LUA_TNUMBER) {
    const lua_Integer i = lua_tointegerx(L, 2, &whole);
    if (!whole) return luaL_error(L, "Factor: an index must be a whole number, got %f", lua_tonumber(L, 2));
    if (i < 1 || (size_t)i > f->size)
      lua_pushnil(L);
    else
      push_element(L, f, (size_t)i - 1);
    return 1;
  }
  const int property = mn_lua_push_member(L, MN_LUA_FACTOR);
  if (property == 0) lua_pushinteger(L, (lua_Integer)f->size);
  if (property == 1) mn_lua_push_levels(L, f->levels);
  return 1;
}

static int factor_newindex(lua_State *L)
{
  return luaL_error(L, "Factor: elements cannot be set; create a new one with recode, take or Factor{...}");
}

static int factor_len(lua_State *L)
{
  lua_pushinteger(L, (lua_Integer)mn_lua_checkudata_factor(L, 1)->size);
  return 1;
}

static int next_element(lua_State *L)
{
  const mn_factor *f = mn_lua_checkudata_factor(L, 1);
  size_t i;
  if (!mn_lua_push_next(L, f->size, &i)) return 0;
  push_element(L, f, i);
  return 2;
}

static int factor_pairs(lua_State *L)
{
  mn_lua_checkudata_factor(L, 1);
  return mn_lua_push_pairs(L, next_element);
}

/* f:totable() -> table of labels, nil where missing */
static int factor_totable(lua_State *L)
{
  const mn_factor *f = mn_lua_checkudata_factor(L, 1);
  lua_createtable(L, mn_lua_table_size(f->size), 0);
  for (size_t i = 0; i < f->size; i++) {
    if (i % MN_LUA_POLL_EVERY == 0) mn_lua_check_interrupt(L);
    push_element(L, f, i);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  return 1;
}

/* f:codes() -> Vector of 1-based positions in f.levels, NaN where missing */
static int factor_codes(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  const mn_factor *f = mn_lua_checkudata_factor(L, 1);
  mn_lua_vector *out = mn_lua_push_raw_vector(L, f->size);
  for (size_t i = 0; i < f->size; i++) out->at[i] = f->code[i] < 0 ? (double)NAN : f->code[i] + 1;
  out->whole = true;
  return mn_lua_finish(L, ctx, 1);
}

/* f:counts() -> Vector of the number of elements of each level, number of missing elements */
static int factor_counts(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  const mn_factor *f = mn_lua_checkudata_factor(L, 1);
  mn_lua_vector *out = mn_lua_push_vector(L, level_count(f));
  size_t missing = 0;
  for (size_t i = 0; i < f->size; i++)
    if (f->code[i] < 0)
      missing++;
    else
      out->at[f->code[i]]++;
  out->whole = true;
  lua_pushinteger(L, (lua_Integer)missing);
  return mn_lua_finish(L, ctx, 2);
}

/* f:eq(other), f:ne(other) -> Vector: 1 where the elements are equal (differ), 0 elsewhere; other: a label, a Factor, a
 * Vector or a table of labels */
static int factor_each_eq(lua_State *L)
{
  mn_lua_checkudata_factor(L, 1);
  return mn_lua_compare_labels(L, true);
}

static int factor_each_ne(lua_State *L)
{
  mn_lua_checkudata_factor(L, 1);
  return mn_lua_compare_labels(L, false);
}

/* f:ismissing() -> Vector: 1 where missing, 0 elsewhere */
static int factor_ismissing(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  const mn_factor *f = mn_lua_checkudata_factor(L, 1);
  mn_lua_vector *out = mn_lua_push_raw_vector(L, f->size);
  for (size_t i = 0; i < f->size; i++) out->at[i] = f->code[i] < 0;
  out->whole = true;
  return mn_lua_finish(L, ctx, 1);
}

/* --- new factors --- */

/* f:take(indices) -> Factor with the same levels */
static int factor_take(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  const mn_factor *f = mn_lua_checkudata_factor(L, 1);
  const size_t n = mn_lua_count_indices(L, 2);
  const mn_lua_vector *at = mn_lua_test_vector(L, 2);
  const mn_factor *out = mn_lua_push_factor(L, n, f->levels);
  const double *valid = mn_lua_valid_indices(L, 2, f->size); /* after the push, whose finalizers may change them */
  for (size_t i = 0; valid && i < n; i++) out->code[i] = f->code[(size_t)valid[i] - 1];
  for (size_t i = 0; !valid && i < n; i++) out->code[i] = f->code[mn_lua_check_index_at(L, 2, at, i, f->size, "index")];
  return mn_lua_finish(L, ctx, 1);
}

/* f:slice(first, last) -> Factor with the same levels, a copy */
static int factor_slice(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  const mn_factor *f = mn_lua_checkudata_factor(L, 1);
  size_t first;
  lua_settop(L, 3);
  const size_t n = mn_lua_opt_range(L, 2, f->size, "index", &first);
  const mn_factor *out = mn_lua_push_factor(L, n, f->levels);
  if (n > 0) memcpy(out->code, f->code + first, n * sizeof *f->code);
  return mn_lua_finish(L, ctx, 1);
}

/* The new label of each level into label[]. That must be a userdata, because pushing strings may run the collector. */
static void read_recoding(lua_State *L, const mn_factor *f, mn_label *label)
{
  for (size_t i = 0; i < level_count(f); i++) {
    mn_lua_push_label(L, mn_levels_at(f->levels, i));
    if (lua_rawget(L, 2) == LUA_TNIL)
      label[i] = mn_levels_at(f->levels, i);
    else if (!mn_lua_to_label(L, -1, &label[i]))
      luaL_argerror(
          L, 2, lua_pushfstring(L, "a new label must be a string, number or boolean, got %s", mn_lua_type_name(L, -1)));
    lua_pop(L, 1); /* the table keeps the string alive */
  }
}

static void check_recoded_levels(lua_State *L, const mn_factor *f)
{
  lua_pushnil(L);
  while (lua_next(L, 2)) {
    mn_label label;
    if (!mn_lua_to_label(L, -2, &label) || !f->levels || mn_levels_find(f->levels, label) < 0) {
      lua_pop(L, 1);
      luaL_argerror(L, 2, lua_pushfstring(L, "'%s' is none of the levels", luaL_tolstring(L, -1, NULL)));
    }
    lua_pop(L, 1);
  }
}

/* f:recode{ [old] = new, ... } -> Factor; other levels stay, levels with the same new label are merged */
static int factor_recode(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  const mn_factor *f = mn_lua_checkudata_factor(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  check_recoded_levels(L, f);
  const size_t n = level_count(f);
  mn_label *label = lua_newuserdatauv(L, n * sizeof *label + 1, 0);
  read_recoding(L, f, label);
  mn_factor *out = mn_lua_push_factor(L, f->size, NULL);
  int32_t *code = MN_RAW(ctx, int32_t, n, 1);
  out->levels = code ? mn_levels_new(ctx, label, n, code) : NULL;
  if (!out->levels) return mn_lua_raise(L, ctx);
  for (size_t i = 0; i < f->size; i++) out->code[i] = f->code[i] < 0 ? -1 : code[f->code[i]];
  return mn_lua_finish(L, ctx, 1);
}

/* f:drop_levels() -> Factor with the levels that occur */
static int factor_drop_levels(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  const mn_factor *f = mn_lua_checkudata_factor(L, 1);
  const size_t n = level_count(f);
  mn_factor *out = mn_lua_push_factor(L, f->size, NULL);
  mn_label *label = MN_RAW(ctx, mn_label, n, 1);
  int32_t *code = label ? MN_NEW(ctx, int32_t, n, 1) : NULL;
  if (!code) return mn_lua_raise(L, ctx);
  for (size_t i = 0; i < f->size; i++)
    if (f->code[i] >= 0) code[f->code[i]] = 1;
  int32_t kept = 0;
  for (size_t i = 0; i < n; i++) {
    if (!code[i]) continue;
    label[kept] = mn_levels_at(f->levels, i); /* in ascending order as before, so the new codes are too */
    code[i] = kept++;
  }
  out->levels = mn_levels_new(ctx, label, (size_t)kept, NULL);
  if (!out->levels) return mn_lua_raise(L, ctx);
  for (size_t i = 0; i < f->size; i++) out->code[i] = f->code[i] < 0 ? -1 : code[f->code[i]];
  return mn_lua_finish(L, ctx, 1);
}

/* The same labels and missing elements at the same positions; levels that do not occur are ignored */
static int factor_eq(lua_State *L)
{
  const mn_factor *a = mn_lua_test_factor(L, 1), *b = mn_lua_test_factor(L, 2);
  bool equal = a && b && a->size == b->size;
  for (size_t i = 0; equal && i < a->size; i++) {
    equal = (a->code[i] < 0) == (b->code[i] < 0);
    if (!equal || a->code[i] < 0) continue;
    equal = a->levels == b->levels ? a->code[i] == b->code[i]
                                   : mn_label_compare(mn_levels_at(a->levels, (size_t)a->code[i]),
                                                      mn_levels_at(b->levels, (size_t)b->code[i])) == 0;
  }
  lua_pushboolean(L, equal);
  return 1;
}

void mn_lua_define_factor(lua_State *L)
{
  static const luaL_Reg metamethods[] = {
    { "__index", factor_index },
    { "__newindex", factor_newindex },
    { "__len", factor_len },
    { "__pairs", factor_pairs },
    { "__eq", factor_eq },
    { "__tostring", mn_lua_factor_tostring },
    { "__concat", mn_lua_concat_error },
    { "__close", factor_close },
    { NULL, NULL },
  };
  static const luaL_Reg access[] = {
    { "codes", factor_codes },
    { "counts", factor_counts },
    { "eq", factor_each_eq },
    { "ne", factor_each_ne },
    { "ismissing", factor_ismissing },
    { "take", factor_take },
    { "slice", factor_slice },
    { "recode", factor_recode },
    { "drop_levels", factor_drop_levels },
    { "totable", factor_totable },
    { NULL, NULL },
  };
  static const char *const properties[] = { "size", "levels", NULL };
  const luaL_Reg *const methods[] = { access, NULL };
  mn_lua_define_metatables(L, MN_LUA_FACTOR, metamethods, methods, properties, factor_gc);
  lua_pushcfunction(L, factor_new);
  lua_setfield(L, -2, "Factor");
}
