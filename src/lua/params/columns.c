#include "columns.h"
#include "anchors.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Whether the table at `index` has a string among its keys or, of a list, its values. */
static bool has_name(lua_State *L, int index, bool list)
{
  bool found = false;
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) found = found || lua_type(L, list ? -1 : -2) == LUA_TSTRING;
  return found;
}

/* Whether some key of the table at `index` is a number outside its list 1, 2, ... */
static bool has_scattered_key(lua_State *L, int index)
{
  const lua_Unsigned list = lua_rawlen(L, index);
  lua_Unsigned entries = 0;
  bool scattered = false;
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    entries++;
    scattered = scattered || (lua_type(L, -2) == LUA_TNUMBER && !lua_isinteger(L, -2));
    scattered =
        scattered || (lua_isinteger(L, -2) && (lua_tointeger(L, -2) < 1 || lua_tointeger(L, -2) > (lua_Integer)list));
  }
  return scattered || entries < list;
}

/* A list of names. */
static mn_status set_names(lua_State *L, mn_context *ctx, const char *who, void *base, const mn_param *p)
{
  const int top = lua_gettop(L), anchors = mn_lua_begin_anchors(L);
  const size_t n = lua_rawlen(L, top);
  const char **name = mn_lua_anchored_buffer(L, anchors, sizeof *name, n); /* strings that the table keeps alive */
  for (size_t i = 0; i < n; i++) {
    size_t size = 0;
    const int type = lua_rawgeti(L, top, (lua_Integer)i + 1);
    if (type == LUA_TSTRING) name[i] = lua_tolstring(L, -1, &size);
    if (p->words && type != LUA_TSTRING)
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must be a list of strings, got a %s at position %zu", who, p->name,
                     lua_typename(L, type), i + 1);
    if (size == 0 || strlen(name[i]) != size)
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must have only numbers or only names, got %s \"%s\" at position %zu",
                     who, p->name, lua_typename(L, type), luaL_tolstring(L, -1, NULL), i + 1);
    lua_pop(L, 1);
  }
  return mn_set_columns(ctx, who, base, p, &(mn_feature_list){ .name = { .at = (char **)name, .size = n } });
}

struct entry {
  const char *name;
  double value;
};

static int by_name(const void *a, const void *b)
{
  return strcmp(((const struct entry *)a)->name, ((const struct entry *)b)->name);
}

/* The key of an entry as text. That of a label may be a number, whose text is kept alive by the anchors. NULL for keys
 * of other types, and for text that is empty or has zero bytes. */
static const char *key_text(lua_State *L, const mn_param *p, int anchors)
{
  size_t size = 0;
  const char *text = NULL;
  if (lua_type(L, -2) == LUA_TSTRING) {
    text = lua_tolstring(L, -2, &size);
  } else if (p->labels && lua_type(L, -2) == LUA_TNUMBER) {
    const double number = lua_tonumber(L, -2);
    const bool whole = number == floor(number) && fabs(number) < 1e15;
    text = whole ? lua_pushfstring(L, "%I", (LUAI_UACINT)number) : luaL_tolstring(L, -2, NULL);
    size = strlen(text);
    mn_lua_anchor_top(L, anchors);
  }
  return size > 0 && strlen(text) == size ? text : NULL;
}

/* A table from name to number, which is stored in the order of the names. */
static mn_status set_values(lua_State *L, mn_context *ctx, const char *who, void *base, const mn_param *p)
{
  const int top = lua_gettop(L), anchors = mn_lua_begin_anchors(L);
  size_t n = 0, i = 0;
  for (lua_pushnil(L); lua_next(L, top); lua_pop(L, 1)) n++;
  struct entry *entry = mn_lua_anchored_buffer(L, anchors, sizeof *entry, n);
  const char **name = mn_lua_anchored_buffer(L, anchors, sizeof *name, n); /* strings that the table keeps alive */
  double *number = mn_lua_anchored_buffer(L, anchors, sizeof *number, n);
  for (lua_pushnil(L); lua_next(L, top); lua_pop(L, 1)) {
    if (i == n) mn_lua_modified_error(L, top);
    entry[i].name = key_text(L, p, anchors);
    if (!entry[i].name || lua_type(L, -1) != LUA_TNUMBER) {
      const char *value = luaL_tolstring(L, -1, NULL), *key = luaL_tolstring(L, -3, NULL);
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must map %s to numbers, got %s for %s", who, p->name,
                     p->labels ? "labels" : "names of columns", value, key);
    }
    entry[i++].value = lua_tonumber(L, -1);
  }
  if (i > 0) qsort(entry, i, sizeof *entry, by_name);
  for (size_t k = 0; k < i; k++) {
    name[k] = entry[k].name;
    number[k] = entry[k].value;
  }
  return mn_set_columns(
      ctx, who, base, p,
      &(mn_feature_list){ .value = { .at = number, .size = i }, .name = { .at = (char **)name, .size = i } });
}

enum { MAX_COLUMN = 1 << 24 }; /* a number for each column up to the last one is stored */

/* A table from the numbers of some columns to numbers. */
static mn_status set_scattered(lua_State *L, mn_context *ctx, const char *who, void *base, const mn_param *p)
{
  const int top = lua_gettop(L), anchors = mn_lua_begin_anchors(L);
  lua_Integer last = 0;
  for (lua_pushnil(L); lua_next(L, top); lua_pop(L, 1)) {
    const lua_Integer column = lua_isinteger(L, -2) ? lua_tointeger(L, -2) : 0;
    if (column < 1 || column > MAX_COLUMN || lua_type(L, -1) != LUA_TNUMBER || isnan(lua_tonumber(L, -1))) {
      char number[MN_NUMBER_SIZE];
      const char *value = luaL_tolstring(L, -1, NULL), *key = luaL_tolstring(L, -3, NULL);
      if (lua_type(L, -3) == LUA_TNUMBER) value = mn_format_number(number, lua_tonumber(L, -3));
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must map names or numbers of columns to numbers, got %s for %s", who,
                     p->name, value, key);
    }
    if (column > last) last = column;
  }
  double *number = mn_lua_anchored_buffer(L, anchors, sizeof *number, (size_t)last);
  for (lua_Integer j = 0; j < last; j++) {
    number[j] = lua_rawgeti(L, top, j + 1) == LUA_TNUMBER ? lua_tonumber(L, -1) : (double)NAN;
    lua_pop(L, 1);
  }
  return mn_set_columns(ctx, who, base, p, &(mn_feature_list){ .value = { .at = number, .size = (size_t)last } });
}

mn_status mn_lua_set_columns(lua_State *L, mn_context *ctx, const char *who, void *base, const mn_param *p)
{
  const int top = lua_gettop(L);
  luaL_checkstack(L, 8, NULL);
  if (lua_istable(L, top)) {
    const bool list = p->kind == MN_KIND_COLUMNS;
    if (p->words || has_name(L, top, list))
      return list ? set_names(L, ctx, who, base, p) : set_values(L, ctx, who, base, p);
    if (!list && has_scattered_key(L, top))
      return p->labels ? set_values(L, ctx, who, base, p) : set_scattered(L, ctx, who, base, p);
  }
  mn_lua_convert_argument(L, top, MN_KIND_VECTOR, who, p->name);
  return mn_set_vector(ctx, who, base, p, mn_lua_check_vector(L, ctx, top));
}

void mn_lua_push_column_values(lua_State *L, const mn_feature_list *columns)
{
  lua_createtable(L, 0, (int)columns->name.size);
  for (size_t i = 0; i < columns->name.size; i++) {
    lua_pushnumber(L, columns->value.at[i]);
    lua_setfield(L, -2, columns->name.at[i]);
  }
  for (size_t i = 0; columns->name.size == 0 && i < columns->value.size; i++) {
    if (isnan(columns->value.at[i])) continue;
    lua_pushnumber(L, columns->value.at[i]);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
}
