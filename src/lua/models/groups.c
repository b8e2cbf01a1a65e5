#include "groups.h"
#include "../../core/nearest_name.h"
#include "../../model/model.h"
#include "anchors.h"
#include "../values/userdata.h"
#include <string.h>

/* What the rows of a table hold. */
struct sight {
  bool rows;            /* tables, all of them                           */
  bool names;           /* a name somewhere                              */
  bool even;            /* rows of one length, of two values or more     */
  double share, column; /* the first number from 0 to below 1, and the first above 1; -1: none */
  size_t entries;
};

static struct sight look(lua_State *L, int index)
{
  struct sight s = { .rows = true, .even = true, .share = -1, .column = -1 };
  const size_t n = lua_rawlen(L, index);
  size_t length = 0;
  for (size_t g = 1; g <= n && s.rows; g++) {
    s.rows = lua_rawgeti(L, index, (lua_Integer)g) == LUA_TTABLE;
    const size_t size = s.rows ? lua_rawlen(L, -1) : 0;
    if (g == 1) length = size;
    s.even = s.even && size == length && size > 1;
    s.entries += size;
    for (size_t k = 1; k <= size; k++) {
      const int type = lua_rawgeti(L, -1, (lua_Integer)k);
      const double value = type == LUA_TNUMBER ? lua_tonumber(L, -1) : 1;
      s.names = s.names || type == LUA_TSTRING;
      if (value >= 0 && value < 1 && s.share < 0) s.share = value;
      if (value > 1 && s.column < 0) s.column = value;
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
  }
  return s;
}

/* A 0 is no column, and no list has a column twice: with either, numbers are a table of 0 and 1. */
static bool are_lists(const struct sight *s)
{
  return s->rows && (s->names || (s->share < 0 && (s->column > 1 || !s->even)));
}

/* The entry on top of the stack: a column by number, counted from 0, or by name. */
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

/* Of the entry on top of the stack. */
static mn_status wrong_entry(lua_State *L, mn_context *ctx, const char *who, const mn_param *p, size_t list)
{
  char number[MN_NUMBER_SIZE];
  const char *wanted = "columns by number, from 1, or by name";
  switch (lua_type(L, -1)) {
  case LUA_TNUMBER:
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must have %s, got %s in list %zu", who, p->name, wanted,
                   mn_format_number(number, lua_tonumber(L, -1)), list);
  case LUA_TSTRING:
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must have %s, got '%s' in list %zu", who, p->name, wanted,
                   lua_tostring(L, -1), list);
  default:
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must have %s, got %s in list %zu", who, p->name, wanted,
                   mn_lua_type_name(L, -1), list);
  }
}

static mn_status set_lists(lua_State *L, mn_context *ctx, const char *who, void *base, const mn_param *p, size_t room)
{
  const int top = lua_gettop(L), keep = mn_lua_begin_anchors(L);
  int32_t *group = mn_lua_anchored_buffer(L, keep, sizeof *group, room);
  int32_t *column = mn_lua_anchored_buffer(L, keep, sizeof *column, room);
  const char **name = mn_lua_anchored_buffer(L, keep, sizeof *name, room); /* of strings that the lists hold */
  const size_t lists = lua_rawlen(L, top);
  size_t n = 0;
  for (size_t g = 0; g < lists; g++) {
    if (lua_rawgeti(L, top, (lua_Integer)g + 1) != LUA_TTABLE) mn_lua_modified_error(L, top);
    const size_t size = lua_rawlen(L, -1);
    if (size == 0)
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must have columns in each list, got none in list %zu", who, p->name,
                     g + 1);
    for (size_t k = 0; k < size; k++, n++) {
      lua_rawgeti(L, -1, (lua_Integer)k + 1);
      if (n == room) mn_lua_modified_error(L, top);
      if (!read_entry(L, &column[n], &name[n])) return wrong_entry(L, ctx, who, p, g + 1);
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
  char share[MN_NUMBER_SIZE], column[MN_NUMBER_SIZE];
  if (lua_istable(L, top) && !mn_lua_is_frame(L, top)) {
    const struct sight s = look(L, top);
    if (lua_rawlen(L, top) == 0) return mn_wrong_type(ctx, who, p, "an empty table");
    if (are_lists(&s)) return set_lists(L, ctx, who, base, p, s.entries);
    if (s.rows && s.share >= 0 && s.column > 1)
      return mn_fail(ctx, MN_BAD_ARGUMENT,
                     "%s: %s must be lists of columns, counted from 1, or a table of 0 and 1, got %s and %s", who,
                     p->name, mn_format_number(share, s.share), mn_format_number(column, s.column));
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
