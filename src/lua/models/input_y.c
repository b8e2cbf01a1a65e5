#include "input.h"
#include "../params/anchors.h"
#include "frame_table.h"
#include "../values/userdata.h"
#include <string.h>

/* The elements of a flat list of numbers or labels. */
struct elements {
  double *number;
  mn_label *label;
  size_t first_nan; /* index of the first NaN, or the length */
  bool numbers;     /* all are numbers */
  bool whole;       /* all numbers are Lua integers */
  bool exact;       /* doubles hold all integers */
};

/* Read element i of the list at `arg`, of length n. */
static void read_element(lua_State *L, int arg, size_t i, size_t n, struct elements *e)
{
  lua_rawgeti(L, arg, (lua_Integer)i + 1);
  const bool is_number = lua_type(L, -1) == LUA_TNUMBER;
  if (is_number) {
    e->number[i] = lua_tonumber(L, -1);
    e->whole = e->whole && lua_isinteger(L, -1);
    e->exact = e->exact && (!lua_isinteger(L, -1) || fabs(e->number[i]) <= 0x1p53);
  } else {
    e->numbers = false;
  }
  const bool is_label = mn_lua_to_label(L, -1, &e->label[i]);
  if (!is_label && !is_number)
    luaL_argerror(
        L, arg,
        lua_pushfstring(L, "at position %d is a %s, not a number or a label", (int)i + 1, luaL_typename(L, -1)));
  if (!is_label && e->first_nan == n) e->first_nan = i;
  lua_pop(L, 1);
}

static mn_target target_from_list(lua_State *L, mn_context *ctx, int arg)
{
  enum { POLL_EVERY = 1 << 16 };
  const int anchors = mn_lua_begin_anchors(L);
  const size_t n = lua_rawlen(L, arg);
  struct elements e = { .first_nan = n, .numbers = true, .whole = true, .exact = true };
  e.number = mn_lua_anchored_buffer(L, anchors, sizeof *e.number, n);
  e.label = mn_lua_anchored_buffer(L, anchors, sizeof *e.label, n);
  int32_t *code = mn_lua_anchored_buffer(L, anchors, sizeof *code, n);
  mn_factor *f = mn_lua_anchored_factor(L, anchors);
  for (size_t i = 0; i < n; i++) {
    if (i % POLL_EVERY == 0 && mn_poll(ctx) != MN_OK) mn_lua_raise(L, ctx);
    read_element(L, arg, i, n, &e);
  }
  if (!e.numbers && e.first_nan < n)
    luaL_argerror(L, arg, lua_pushfstring(L, "at position %d is nan, not a label", (int)e.first_nan + 1));
  mn_target y = {
    .kind = MN_TARGET_REALS, .reals = { .at = e.number, .rows = n, .cols = 1 }, .vector = true, .whole = e.whole
  };
  if (!e.numbers || !e.exact) { /* numbers are passed as reals too: the class decides whether they are labels */
    mn_lua_encode_labels(L, ctx, f, e.label, n, code);
    if (!e.numbers) y = (mn_target){ 0 };
    y.kind = MN_TARGET_LABELS;
    y.labels = (mn_factor){ .code = code, .size = n, .levels = f->levels };
  }
  mn_lua_end_anchors(L, anchors, arg);
  return y;
}

static mn_target target_from_frame(lua_State *L, int arg)
{
  const int anchors = mn_lua_begin_anchors(L);
  const mn_table t = mn_lua_frame_to_table(L, anchors, arg);
  if (t.levels) luaL_argerror(L, arg, "must be numbers or one Factor, got a Frame with factors");
  mn_lua_end_anchors(L, anchors, arg);
  return (mn_target){ .kind = MN_TARGET_REALS, .reals = t.dense };
}

bool mn_lua_is_flat_list(lua_State *L, int arg)
{
  if (lua_type(L, arg) != LUA_TTABLE) return false;
  const int first = lua_rawgeti(L, arg, 1);
  lua_pop(L, 1);
  return first != LUA_TTABLE && first != LUA_TUSERDATA;
}

/* Options passed in place of y would be ignored silently by a class that does not need y. */
static void check_no_keys(lua_State *L, int arg)
{
  if (lua_rawlen(L, arg) > 0) return;
  lua_pushnil(L);
  if (!lua_next(L, arg)) return;
  luaL_argerror(L, arg,
                lua_pushfstring(
                    L, "must be a list, got a table with the key '%s'; options are the third argument: (X, y, options)",
                    luaL_tolstring(L, -2, NULL)));
}

static mn_target target_from_vector(lua_State *L, mn_context *ctx, int arg, bool whole)
{
  const mn_vector y = mn_lua_check_vector(L, ctx, arg);
  return (mn_target){
    .kind = MN_TARGET_REALS, .reals = { .at = y.at, .rows = y.size, .cols = 1 }, .vector = true, .whole = whole
  };
}

static mn_target target_from_rows(lua_State *L, mn_context *ctx, int arg)
{
  if (!mn_lua_test_matrix(L, arg) && lua_type(L, arg) != LUA_TTABLE)
    luaL_argerror(
        L, arg,
        lua_pushfstring(L, "must be a Vector, Matrix, Factor, Frame or list, got %s", mn_lua_type_name(L, arg)));
  const mn_matrix m = mn_lua_check_matrix(L, ctx, arg);
  return (mn_target){ .kind = MN_TARGET_REALS, .reals = m, .vector = m.cols == 1 };
}

struct conversion {
  mn_context *ctx;
  mn_target y;
};

static int convert_y(lua_State *L)
{
  struct conversion *c = lua_touserdata(L, 2);
  const bool list = mn_lua_is_flat_list(L, 1) && !mn_lua_is_frame(L, 1);
  if (list) check_no_keys(L, 1);
  c->y = list                    ? target_from_list(L, c->ctx, 1)
         : mn_lua_is_frame(L, 1) ? target_from_frame(L, 1)
                                 : target_from_rows(L, c->ctx, 1);
  lua_settop(L, 1);
  return 1;
}

mn_target mn_lua_check_y(lua_State *L, mn_context *ctx, int arg, const mn_estimator *model)
{
  if (lua_isnoneornil(L, arg)) return (mn_target){ .kind = MN_TARGET_NONE };
  const mn_factor *f = mn_lua_test_factor(L, arg);
  if (f) return (mn_target){ .kind = MN_TARGET_LABELS, .labels = *f };
  const mn_lua_vector *v = mn_lua_test_vector(L, arg);
  if (v) return target_from_vector(L, ctx, arg, v->whole);
  struct conversion c = { .ctx = ctx };
  mn_lua_convert_argument_with(L, arg, convert_y, &c, model->class->name, "y");
  return c.y;
}
