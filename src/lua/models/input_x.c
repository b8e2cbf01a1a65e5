#include "anchors.h"
#include "../values/userdata.h"
#include <string.h>

bool mn_lua_is_frame(lua_State *L, int index)
{
  if (lua_type(L, index) != LUA_TTABLE || !lua_getmetatable(L, index)) return false;
  luaL_getmetatable(L, MN_LUA_FRAME_METATABLE);
  const bool same = lua_rawequal(L, -1, -2);
  lua_pop(L, 2);
  return same;
}

static mn_table new_table(lua_State *L, int keep, size_t rows, size_t cols)
{
  mn_table x = { .rows = rows, .cols = cols };
  x.dense = (mn_matrix){ .at = mn_lua_push_matrix(L, rows, cols)->at, .rows = rows, .cols = cols };
  mn_lua_anchor_top(L, keep);
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

/* The table `name` in the Frame at `arg`. */
static void push_list_of_frame(lua_State *L, int arg, const char *name)
{
  lua_pushstring(L, name);
  if (lua_rawget(L, arg) != LUA_TTABLE) luaL_argerror(L, arg, "a Frame must have lists of names and columns");
}

/* A Frame. Its names and Factors are kept too: a finaliser that runs meanwhile may put others in their place. */
mn_table mn_lua_frame_to_table(lua_State *L, int keep, int arg)
{
  push_list_of_frame(L, arg, "names");
  push_list_of_frame(L, arg, "columns");
  const size_t cols = lua_rawlen(L, -1);
  size_t rows = 0;
  const char **names = mn_lua_anchored_buffer(L, keep, sizeof *names, cols);
  const mn_levels **levels = mn_lua_anchored_buffer(L, keep, sizeof *levels, cols);
  mn_table x = { 0 };
  bool factors = false;
  for (size_t j = 0; j < cols; j++) {
    lua_rawgeti(L, -2, (lua_Integer)j + 1);
    names[j] = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL; /* a number would become another string */
    mn_lua_anchor_top(L, keep);
    lua_rawgeti(L, -1, (lua_Integer)j + 1);
    const mn_lua_vector *v = mn_lua_test_vector(L, -1);
    const mn_factor *f = v ? NULL : mn_lua_test_factor(L, -1);
    const size_t size = v ? v->size : f ? f->size : 0;
    if (!names[j] || (!v && !f)) luaL_argerror(L, arg, "a Frame must have named Vector and Factor columns");
    if (j == 0) {
      rows = size;
      x = new_table(L, keep, rows, cols);
    }
    if (size != rows) luaL_argerror(L, arg, "the columns of a Frame must have the same length");
    if (v) {
      fill_column(&x, j, v);
    } else {
      fill_codes(&x, j, f);
      levels[j] = f->levels;
      factors = true;
    }
    mn_lua_anchor_top(L, keep);
  }
  lua_pop(L, 2);
  x.cols = cols;
  x.names = names;
  x.levels = factors ? levels : NULL;
  return x;
}

/* One cell of a table of rows is on top of the stack. */
static bool is_label_cell(lua_State *L)
{
  const int type = lua_type(L, -1);
  return type == LUA_TSTRING || type == LUA_TBOOLEAN;
}

/* Column j of a table of rows. */
static void label_column(lua_State *L, mn_context *ctx, int keep, int arg, mn_table *x, size_t j,
                         const mn_levels **levels)
{
  mn_label *label = mn_lua_anchored_buffer(L, keep, sizeof *label, x->rows);
  size_t *row = mn_lua_anchored_buffer(L, keep, sizeof *row, x->rows), n = 0;
  int32_t *code = mn_lua_anchored_buffer(L, keep, sizeof *code, x->rows);
  mn_factor *f = mn_lua_anchored_factor(L, keep);
  for (size_t i = 0; i < x->rows; i++) {
    x->dense.at[i * x->cols + j] = (double)NAN;
    if (lua_rawgeti(L, arg, (lua_Integer)i + 1) != LUA_TTABLE) mn_lua_modified_error(L, arg);
    lua_rawgeti(L, -1, (lua_Integer)j + 1);
    if (mn_lua_to_label(L, -1, &label[n])) row[n++] = i; /* a string stays alive in its row */
    lua_pop(L, 2);
  }
  mn_lua_encode_labels(L, ctx, f, label, n, code);
  levels[j] = f->levels;
  for (size_t i = 0; i < n; i++) x->dense.at[row[i] * x->cols + j] = code[i];
}

/* A table of rows with text or booleans in it, for a class that takes factors. */
static mn_table from_mixed_rows(lua_State *L, mn_context *ctx, int keep, int arg)
{
  const size_t rows = lua_rawlen(L, arg);
  lua_rawgeti(L, arg, 1);
  const size_t cols = lua_rawlen(L, -1);
  lua_pop(L, 1);
  mn_table x = new_table(L, keep, rows, cols);
  const mn_levels **levels = mn_lua_anchored_buffer(L, keep, sizeof *levels, cols);
  bool *is_label = mn_lua_anchored_buffer(L, keep, sizeof *is_label, cols), any = false;
  for (size_t i = 0; i < rows; i++) {
    if (lua_rawgeti(L, arg, (lua_Integer)i + 1) != LUA_TTABLE)
      luaL_argerror(L, arg, lua_pushfstring(L, "row %d is a %s, not a table", (int)i + 1, luaL_typename(L, -1)));
    if (lua_rawlen(L, -1) != cols) mn_lua_row_length_error(L, arg, i, lua_rawlen(L, -1), cols);
    for (size_t j = 0; j < cols; j++) {
      int is_number = 1;
      lua_rawgeti(L, -1, (lua_Integer)j + 1);
      if (is_label_cell(L)) {
        is_label[j] = any = true;
      } else {
        x.dense.at[i * cols + j] = lua_tonumberx(L, -1, &is_number);
        if (!is_number)
          luaL_argerror(L, arg,
                        lua_pushfstring(L, "row %d, column %d is a %s, not a number", (int)i + 1, (int)j + 1,
                                        luaL_typename(L, -1)));
      }
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
  }
  for (size_t j = 0; j < cols; j++)
    if (is_label[j]) label_column(L, ctx, keep, arg, &x, j, levels);
  x.levels = any ? levels : NULL;
  return x;
}

/* The value of one name of a row given by names, into row i, column j. */
static void named_cell(lua_State *L, const mn_estimator *model, mn_table *x, size_t i, size_t j)
{
  double *cell = &x->dense.at[i * x->cols + j];
  const mn_levels *levels = model->feature_levels.size > 0 ? model->feature_levels.at[j] : NULL;
  const char *name = model->feature_names.at[j];
  int is_number = 0;
  mn_label label;
  if (lua_isnil(L, -1)) {
    *cell = (double)NAN;
  } else if (levels) {
    if (!mn_lua_to_label(L, -1, &label))
      luaL_error(L, "%s: %s must be a label, got %s", model->class->name, name, luaL_typename(L, -1));
    *cell = mn_levels_find(levels, label);
  } else {
    *cell = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumberx(L, -1, &is_number) : 0;
    if (!is_number) luaL_error(L, "%s: %s must be a number, got %s", model->class->name, name, luaL_typename(L, -1));
  }
}

static void check_names_of_row(lua_State *L, int row, const mn_estimator *model)
{
  lua_pushnil(L);
  while (lua_next(L, row)) {
    lua_pop(L, 1);
    const char *name = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
    size_t j = 0;
    while (name && j < model->feature_names.size && strcmp(model->feature_names.at[j], name) != 0) j++;
    if (!name || j == model->feature_names.size)
      luaL_error(L, "%s: X has no column '%s' in fit", model->class->name, name ? name : luaL_typename(L, -1));
  }
}

static void fill_named_row(lua_State *L, int row, const mn_estimator *model, mn_table *x, size_t i)
{
  check_names_of_row(L, row, model);
  for (size_t j = 0; j < x->cols; j++) {
    lua_pushstring(L, model->feature_names.at[j]);
    lua_rawget(L, row); /* an __index of the user's might refit or close the model meanwhile */
    named_cell(L, model, x, i, j);
    lua_pop(L, 1);
  }
}

/* One row by names, or a list of them. */
static mn_table from_named_rows(lua_State *L, int keep, int arg, const mn_estimator *model, bool list)
{
  const size_t rows = list ? lua_rawlen(L, arg) : 1;
  mn_table x = new_table(L, keep, rows, model->n_features);
  for (size_t i = 0; i < rows; i++) {
    if (list) {
      if (lua_rawgeti(L, arg, (lua_Integer)i + 1) != LUA_TTABLE)
        luaL_argerror(L, arg, lua_pushfstring(L, "row %d is a %s, not a table", (int)i + 1, luaL_typename(L, -1)));
      fill_named_row(L, lua_gettop(L), model, &x, i);
      lua_pop(L, 1);
    } else {
      fill_named_row(L, arg, model, &x, i);
    }
  }
  x.names = (const char *const *)model->feature_names.at;
  x.levels = model->feature_levels.size > 0 ? model->feature_levels.at : NULL;
  return x;
}

/* Does the table at `index` have string keys and no list part? */
static bool is_named_row(lua_State *L, int index)
{
  if (lua_type(L, index) != LUA_TTABLE || lua_rawlen(L, index) > 0) return false;
  index = lua_absindex(L, index);
  lua_pushnil(L);
  if (!lua_next(L, index)) return false;
  const bool named = lua_type(L, -2) == LUA_TSTRING;
  lua_pop(L, 2);
  return named;
}

static bool first_is_named_row(lua_State *L, int arg)
{
  lua_rawgeti(L, arg, 1);
  const bool named = is_named_row(L, -1);
  lua_pop(L, 1);
  return named;
}

static mn_table dense_table(lua_State *L, mn_context *ctx, int arg)
{
  const mn_matrix m = mn_lua_check_matrix(L, ctx, arg);
  return (mn_table){ .dense = m, .rows = m.rows, .cols = m.cols };
}

static mn_table from_table(lua_State *L, mn_context *ctx, int arg, const mn_estimator *model)
{
  const int first = lua_rawgeti(L, arg, 1);
  lua_pop(L, 1);
  const bool by_name = model->fitted && model->feature_names.size > 0;
  const bool one = by_name && is_named_row(L, arg), list = by_name && !one && first_is_named_row(L, arg);
  if (!one && first != LUA_TNIL && first != LUA_TTABLE && first != LUA_TUSERDATA)
    luaL_argerror(L, arg, "must be a table of rows, got a flat table; one row is { {...} }");
  const bool mixed = first == LUA_TTABLE && model->class->accepts & MN_FACTORS;
  const bool frame = mn_lua_is_frame(L, arg);
  if (!frame && !one && !list && !mixed) return dense_table(L, ctx, arg);
  const int keep = mn_lua_begin_anchors(L);
  const mn_table x = frame         ? mn_lua_frame_to_table(L, keep, arg)
                     : one || list ? from_named_rows(L, keep, arg, model, list)
                                   : from_mixed_rows(L, ctx, keep, arg);
  mn_lua_end_anchors(L, keep, arg);
  return x;
}

struct reading {
  mn_context *ctx;
  const mn_estimator *model;
  mn_table x;
};

static int read_x(lua_State *L)
{
  struct reading *r = lua_touserdata(L, 2);
  if (mn_lua_test_vector(L, 1))
    luaL_argerror(L, 1, "must be a matrix, got a Vector; one row is { {...} }, one column X:reshape(#X, 1)");
  if (lua_type(L, 1) != LUA_TTABLE)
    luaL_argerror(
        L, 1, lua_pushfstring(L, "must be a Matrix, Frame, Sparse or table of rows, got %s", mn_lua_type_name(L, 1)));
  r->x = from_table(L, r->ctx, 1, r->model);
  lua_settop(L, 1);
  return 1;
}

mn_table mn_lua_check_x(lua_State *L, mn_context *ctx, int arg, const mn_estimator *model, const char *what)
{
  const mn_csr *sparse = mn_lua_test_sparse(L, arg);
  if (sparse) return (mn_table){ .sparse = sparse, .rows = sparse->rows, .cols = sparse->cols };
  if (mn_lua_test_matrix(L, arg)) return dense_table(L, ctx, arg);
  struct reading r = { .ctx = ctx, .model = model };
  mn_lua_convert_argument_with(L, arg, read_x, &r, model->class->name, what);
  return r.x;
}
