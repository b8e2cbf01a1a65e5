#include "frame_table.h"
#include "../params/anchors.h"
#include "../../frame/frame.h"
#include "../values/values.h"

mn_table mn_lua_new_table(lua_State *L, int anchors, size_t rows, size_t cols)
{
  mn_table x = { .rows = rows, .cols = cols };
  x.dense = (mn_matrix){ .at = mn_lua_push_matrix(L, rows, cols)->at, .rows = rows, .cols = cols };
  mn_lua_anchor_top(L, anchors);
  return x;
}

/* A column of a Frame: one of the two. */
struct column {
  const mn_lua_vector *vector;
  const mn_factor *factor;
};

static size_t column_size(const struct column *c)
{
  return c->vector ? c->vector->size : c->factor->size;
}

static mn_view view_of(const struct column *c)
{
  if (c->factor) return (mn_view){ .code = c->factor->code };
  return (mn_view){ .number = c->vector->at, .step = c->vector->step };
}

/* Push the list `name` of the Frame at `arg`. */
static void push_frame_list(lua_State *L, int arg, const char *name)
{
  lua_pushstring(L, name);
  if (lua_rawget(L, arg) != LUA_TTABLE) luaL_argerror(L, arg, "a Frame must have lists of names and columns");
}

/* The column on top of the stack, which is anchored: a finalizer may replace it in the Frame meanwhile. */
static struct column check_column(lua_State *L, int anchors, int arg)
{
  struct column c = { .vector = mn_lua_test_vector(L, -1) };
  if (!c.vector) c.factor = mn_lua_test_factor(L, -1);
  if (!c.vector && !c.factor) luaL_argerror(L, arg, "a Frame must have named Vector and Factor columns");
  mn_lua_anchor_top(L, anchors);
  return c;
}

/* The name on top of the stack, which is anchored too. */
static const char *check_name(lua_State *L, int anchors, int arg)
{
  if (lua_type(L, -1) != LUA_TSTRING) luaL_argerror(L, arg, "a Frame must have named Vector and Factor columns");
  const char *name = lua_tostring(L, -1);
  mn_lua_anchor_top(L, anchors);
  return name;
}

mn_table mn_lua_frame_to_table(lua_State *L, int anchors, int arg)
{
  push_frame_list(L, arg, "names");
  push_frame_list(L, arg, "columns");
  const int lists = lua_gettop(L) - 1;
  const size_t cols = lua_rawlen(L, -1);
  const char **names = mn_lua_anchored_buffer(L, anchors, sizeof *names, cols);
  const mn_levels **levels = mn_lua_anchored_buffer(L, anchors, sizeof *levels, cols);
  struct column *column = mn_lua_anchored_buffer(L, anchors, sizeof *column, cols);
  mn_view *view = mn_lua_anchored_buffer(L, anchors, sizeof *view, cols);
  bool factors = false;
  for (size_t j = 0; j < cols; j++) {
    lua_rawgeti(L, lists, (lua_Integer)j + 1);
    names[j] = check_name(L, anchors, arg);
    lua_rawgeti(L, lists + 1, (lua_Integer)j + 1);
    column[j] = check_column(L, anchors, arg);
    if (column_size(&column[j]) != column_size(column))
      luaL_argerror(L, arg, "the columns of a Frame must have the same length");
    levels[j] = column[j].factor ? column[j].factor->levels : NULL;
    factors = factors || column[j].factor;
  }
  lua_settop(L, lists - 1);
  mn_table x = { 0 };
  if (cols > 0) x = mn_lua_new_table(L, anchors, column_size(column), cols);
  for (size_t j = 0; j < cols; j++) view[j] = view_of(&column[j]);
  mn_frame_to_rows(x.rows, cols, view, x.dense.at);
  x.names = names;
  x.levels = factors ? levels : NULL;
  return x;
}
