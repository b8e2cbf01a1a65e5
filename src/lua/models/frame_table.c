#include "frame_table.h"
#include "anchors.h"
#include "../values/values.h"
#include <math.h>

mn_table mn_lua_new_table(lua_State *L, int anchors, size_t rows, size_t cols)
{
  mn_table x = { .rows = rows, .cols = cols };
  x.dense = (mn_matrix){ .at = mn_lua_push_matrix(L, rows, cols)->at, .rows = rows, .cols = cols };
  mn_lua_anchor_top(L, anchors);
  return x;
}

static void fill_column(mn_table *x, size_t j, const mn_lua_vector *v)
{
  for (size_t i = 0; i < x->rows; i++) x->dense.at[i * x->cols + j] = v->at[i * v->step];
}

static void fill_codes(mn_table *x, size_t j, const mn_factor *f)
{
  for (size_t i = 0; i < x->rows; i++) x->dense.at[i * x->cols + j] = f->code[i] < 0 ? (double)NAN : f->code[i];
}

/* Push the list `name` of the Frame at `arg`. */
static void push_frame_list(lua_State *L, int arg, const char *name)
{
  lua_pushstring(L, name);
  if (lua_rawget(L, arg) != LUA_TTABLE) luaL_argerror(L, arg, "a Frame must have lists of names and columns");
}

/* Names and Factors are anchored too, because a finalizer may replace them in the Frame meanwhile. */
mn_table mn_lua_frame_to_table(lua_State *L, int anchors, int arg)
{
  push_frame_list(L, arg, "names");
  push_frame_list(L, arg, "columns");
  const size_t cols = lua_rawlen(L, -1);
  size_t rows = 0;
  const char **names = mn_lua_anchored_buffer(L, anchors, sizeof *names, cols);
  const mn_levels **levels = mn_lua_anchored_buffer(L, anchors, sizeof *levels, cols);
  mn_table x = { 0 };
  bool factors = false;
  for (size_t j = 0; j < cols; j++) {
    lua_rawgeti(L, -2, (lua_Integer)j + 1);
    names[j] = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1)
                                              : NULL; /* lua_tostring would convert a number to a new string */
    mn_lua_anchor_top(L, anchors);
    lua_rawgeti(L, -1, (lua_Integer)j + 1);
    const mn_lua_vector *v = mn_lua_test_vector(L, -1);
    const mn_factor *f = v ? NULL : mn_lua_test_factor(L, -1);
    const size_t size = v ? v->size : f ? f->size : 0;
    if (!names[j] || (!v && !f)) luaL_argerror(L, arg, "a Frame must have named Vector and Factor columns");
    if (j == 0) {
      rows = size;
      x = mn_lua_new_table(L, anchors, rows, cols);
    }
    if (size != rows) luaL_argerror(L, arg, "the columns of a Frame must have the same length");
    if (v) {
      fill_column(&x, j, v);
    } else {
      fill_codes(&x, j, f);
      levels[j] = f->levels;
      factors = true;
    }
    mn_lua_anchor_top(L, anchors);
  }
  lua_pop(L, 2);
  x.cols = cols;
  x.names = names;
  x.levels = factors ? levels : NULL;
  return x;
}
