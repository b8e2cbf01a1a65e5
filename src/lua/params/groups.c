#include "groups.h"
#include "../../model/model.h"
#include "anchors.h"
#include "../values/userdata.h"
#include <string.h>

/* What a table contains. */
struct content {
  bool rows;        /* only tables */
  bool names;       /* some strings */
  bool rectangular; /* rows of equal length, at least 2 */
  double below_one; /* the first number in [0, 1), or -1 */
  double above_one; /* the first number above 1, or -1 */
  size_t entries;
};

static struct content inspect(lua_State *L, int index)
{
  struct content s = { .rows = true, .rectangular = true, .below_one = -1, .above_one = -1 };
  const size_t n = lua_rawlen(L, index);
  size_t length = 0;
  for (size_t g = 1; g <= n && s.rows; g++) {
    s.rows = lua_rawgeti(L, index, (lua_Integer)g) == LUA_TTABLE;
    const size_t size = s.rows ? lua_rawlen(L, -1) : 0;
    if (g == 1) length = size;
    s.rectangular = s.rectangular && size == length && size > 1;
    s.entries += size;
    for (size_t k = 1; k <= size; k++) {
      const int type = lua_rawgeti(L, -1, (lua_Integer)k);
      const double value = type == LUA_TNUMBER ? lua_tonumber(L, -1) : 1;
      s.names = s.names || type == LUA_TSTRING;
      if (value >= 0 && value < 1 && s.below_one < 0) s.below_one = value;
      if (value > 1 && s.above_one < 0) s.above_one = value;
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
  }
  return s;
}

/* 0 is not a column number and lists have no repeated columns, so numbers with either are a table of 0 and 1. */
static bool are_lists(const struct content *s)
{
  return s->rows && (s->names || (s->below_one < 0 && (s->above_one > 1 || !s->rectangular)));
}

/* Read the entry on top of the stack: a column by number, returned 0-based, or by name. */
static bool read_entry(lua_State *L, int32_t *column, const char **name)
{
  size_t size;
  *column = -1;
  *name = "";
  if (lua_type(L, -1) == LUA_TSTRING) {
    *name = lua_tolstring(L, -1, &size);
    return size > 0 && strlen(*name) == size;
  }
  const double value = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : 0;
  if (!(value >= 1 && value <= INT32_MAX && mn_lua_is_whole(value))) return false;
  *column = (int32_t)value - 1;
  return true;
}

/* Fail because of the entry on top of the stack. */
static mn_status entry_error(lua_State *L, mn_context *ctx, const char *who, const mn_param *p, size_t list)
{
  char number[MN_NUMBER_SIZE];
  const char *expected = "columns by number, from 1, or by name";
  switch (lua_type(L, -1)) {
  case LUA_TNUMBER:
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must contain %s, got %s in list %zu", who, p->name, expected,
                   mn_format_number(number, lua_tonumber(L, -1)), list);
  case LUA_TSTRING:
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must contain %s, got '%s' in list %zu", who, p->name, expected,
                   lua_tostring(L, -1), list);
  default:
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must contain %s, got %s in list %zu", who, p->name, expected,
                   mn_lua_type_name(L, -1), list);
  }
}

static mn_status set_lists(lua_State *L, mn_context *ctx, const char *who, void *base, const mn_param *p,
                           size_t capacity)
{
  const int top = lua_gettop(L), anchors = mn_lua_begin_anchors(L);
  int32_t *group = mn_lua_anchored_buffer(L, anchors, sizeof *group, capacity);
  int32_t *column = mn_lua_anchored_buffer(L, anchors, sizeof *column, capacity);
  const char **name =
      mn_lua_anchored_buffer(L, anchors, sizeof *name, capacity); /* strings that the lists keep alive */
  const size_t lists = lua_rawlen(L, top);
  size_t n = 0;
  for (size_t g = 0; g < lists; g++) {
    if (lua_rawgeti(L, top, (lua_Integer)g + 1) != LUA_TTABLE) mn_lua_modified_error(L, top);
    const size_t size = lua_rawlen(L, -1);
    if (size == 0)
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must contain columns in each list, got none in list %zu", who,
                     p->name, g + 1);
    for (size_t k = 0; k < size; k++, n++) {
      lua_rawgeti(L, -1, (lua_Integer)k + 1);
      if (n == capacity) mn_lua_modified_error(L, top);
      if (!read_entry(L, &column[n], &name[n])) return entry_error(L, ctx, who, p, g + 1);
      group[n] = (int32_t)g;
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
  }
  const mn_feature_groups value = { .group = { .at = group, .size = n },
                                    .column = { .at = column, .size = n },
                                    .name = { .at = (char **)name, .size = n } };
  return mn_set_lists(ctx, who, base, p, &value);
}

mn_status mn_lua_set_groups(lua_State *L, mn_context *ctx, const char *who, void *base, const mn_param *p)
{
  const int top = lua_gettop(L);
  char first[MN_NUMBER_SIZE], second[MN_NUMBER_SIZE];
  if (lua_istable(L, top) && !mn_lua_is_frame(L, top)) {
    const struct content s = inspect(L, top);
    if (lua_rawlen(L, top) == 0) return mn_wrong_type(ctx, who, p, "an empty table");
    if (are_lists(&s)) return set_lists(L, ctx, who, base, p, s.entries);
    if (s.rows && s.below_one >= 0 && s.above_one > 1)
      return mn_fail(ctx, MN_BAD_ARGUMENT,
                     "%s: %s must be lists of columns, from 1, or a table of 0 and 1, got %s and %s", who, p->name,
                     mn_format_number(first, s.below_one), mn_format_number(second, s.above_one));
  }
  mn_lua_convert_argument(L, top, MN_KIND_MATRIX, who, p->name);
  return mn_set_matrix(ctx, who, base, p, mn_lua_check_matrix(L, ctx, top));
}

void mn_lua_push_lists(lua_State *L, const mn_feature_groups *groups)
{
  const size_t n = groups->group.size;
  lua_createtable(L, n > 0 ? groups->group.at[n - 1] + 1 : 0, 0);
  for (size_t i = 0; i < n;) {
    const int32_t group = groups->group.at[i];
    lua_newtable(L);
    for (lua_Integer k = 1; i < n && groups->group.at[i] == group; i++, k++) {
      if (groups->column.at[i] < 0)
        lua_pushstring(L, groups->name.at[i]);
      else
        lua_pushinteger(L, (lua_Integer)groups->column.at[i] + 1);
      lua_rawseti(L, -2, k);
    }
    mn_lua_set_list_metatable(L);
    lua_rawseti(L, -2, (lua_Integer)group + 1);
  }
  mn_lua_set_list_metatable(L);
}
