#include "input.h"
#include "../params/anchors.h"
#include "frame_table.h"
#include "records.h"
#include "../values/userdata.h"
#include <string.h>

/* Whether the cell on top of the stack is a label. */
static bool is_label_cell(lua_State *L)
{
  const int type = lua_type(L, -1);
  return type == LUA_TSTRING || type == LUA_TBOOLEAN;
}

/* Encode column j of a table of rows. */
static void encode_column(lua_State *L, mn_context *ctx, int anchors, int arg, mn_table *x, size_t j,
                          const mn_levels **levels)
{
  mn_label *label = mn_lua_anchored_buffer(L, anchors, sizeof *label, x->rows);
  size_t *row = mn_lua_anchored_buffer(L, anchors, sizeof *row, x->rows), n = 0;
  int32_t *code = mn_lua_anchored_buffer(L, anchors, sizeof *code, x->rows);
  mn_factor *f = mn_lua_anchored_factor(L, anchors);
  for (size_t i = 0; i < x->rows; i++) {
    x->dense.at[i * x->cols + j] = (double)NAN;
    if (lua_rawgeti(L, arg, (lua_Integer)i + 1) != LUA_TTABLE) mn_lua_modified_error(L, arg);
    lua_rawgeti(L, -1, (lua_Integer)j + 1);
    if (mn_lua_to_label(L, -1, &label[n])) row[n++] = i; /* the row keeps the string alive */
    lua_pop(L, 2);
  }
  mn_lua_encode_labels(L, ctx, f, label, n, code);
  levels[j] = f->levels;
  for (size_t i = 0; i < n; i++) x->dense.at[row[i] * x->cols + j] = code[i];
}

/* A table of rows in which some columns are labels, for a class that accepts factors. */
static mn_table table_from_mixed_rows(lua_State *L, mn_context *ctx, int anchors, int arg)
{
  const size_t rows = lua_rawlen(L, arg);
  lua_rawgeti(L, arg, 1);
  const size_t cols = lua_rawlen(L, -1);
  lua_pop(L, 1);
  mn_table x = mn_lua_new_table(L, anchors, rows, cols);
  const mn_levels **levels = mn_lua_anchored_buffer(L, anchors, sizeof *levels, cols);
  bool *is_label = mn_lua_anchored_buffer(L, anchors, sizeof *is_label, cols), any = false;
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
    if (is_label[j]) encode_column(L, ctx, anchors, arg, &x, j, levels);
  x.levels = any ? levels : NULL;
  return x;
}

/* Store the value of a named row, on top of the stack, in row i, column j. */
static void set_cell(lua_State *L, const mn_estimator *model, mn_table *x, size_t i, size_t j)
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

static void check_row_names(lua_State *L, int row, const mn_estimator *model)
{
  lua_pushnil(L);
  while (lua_next(L, row)) {
    lua_pop(L, 1);
    const char *name = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
    size_t j = 0;
    while (name && j < model->feature_names.size && strcmp(model->feature_names.at[j], name) != 0) j++;
    if (!name || j == model->feature_names.size)
      luaL_error(L, "%s: X had no column '%s' in fit", model->class->name, name ? name : luaL_typename(L, -1));
  }
}

static void fill_named_row(lua_State *L, int row, const mn_estimator *model, mn_table *x, size_t i)
{
  check_row_names(L, row, model);
  for (size_t j = 0; j < x->cols; j++) {
    lua_pushstring(L, model->feature_names.at[j]);
    lua_rawget(L, row); /* raw: an __index of the user could fit or close the model */
    set_cell(L, model, x, i, j);
    lua_pop(L, 1);
  }
}

/* One named row, or a list of them. */
static mn_table table_from_named_rows(lua_State *L, int anchors, int arg, const mn_estimator *model, bool list)
{
  const size_t rows = list ? lua_rawlen(L, arg) : 1;
  mn_table x = mn_lua_new_table(L, anchors, rows, model->n_features);
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

/* Whether the table at `index` has string keys and no list part. */
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

/* The column of a Factor. */
static mn_table table_from_factor(lua_State *L, int anchors, const mn_factor *f)
{
  mn_table x = mn_lua_new_table(L, anchors, f->size, 1);
  const mn_levels **levels = mn_lua_anchored_buffer(L, anchors, sizeof *levels, 1);
  for (size_t i = 0; i < f->size; i++) x.dense.at[i] = f->code[i] < 0 ? (double)NAN : f->code[i];
  levels[0] = f->levels;
  x.levels = levels;
  return x;
}

/* A Factor, a list of texts or, for a class that takes records, of tables of named values. */
static mn_table convert_texts(lua_State *L, mn_context *ctx, int arg, const mn_class *class)
{
  const bool records = class->accepts & MN_RECORDS && lua_type(L, arg) == LUA_TTABLE;
  const int anchors = mn_lua_begin_anchors(L);
  lua_pushvalue(L, arg);
  if (records) mn_lua_records_to_factor(L, ctx, lua_gettop(L));
  const mn_factor *f = mn_lua_check_factor(L, ctx, lua_gettop(L));
  mn_lua_anchor_top(L, anchors);
  mn_table x = table_from_factor(L, anchors, f);
  x.records = class->accepts & MN_RECORDS && !(class->accepts & MN_TEXTS);
  mn_lua_end_anchors(L, anchors, arg);
  return x;
}

/* Whether the row at `index` is named values: it begins with a string, or has no list part but names. */
static bool is_record(lua_State *L, int index)
{
  if (lua_type(L, index) != LUA_TTABLE) return false;
  const int first = lua_rawgeti(L, index, 1);
  lua_pop(L, 1);
  return first == LUA_TSTRING || is_named_row(L, index);
}

/* Whether a list is of records, not of rows of columns: by the first row that is not empty. A model that was fitted to
 * named columns takes named rows as such. */
static bool is_list_of_records(lua_State *L, int arg, const mn_estimator *model)
{
  if (lua_type(L, arg) != LUA_TTABLE || mn_lua_is_frame(L, arg)) return false;
  if (model->fitted && model->feature_names.size > 0) return false;
  bool empty = true, record = false;
  for (size_t i = 0, n = lua_rawlen(L, arg); empty && i < n; i++) {
    lua_rawgeti(L, arg, (lua_Integer)i + 1);
    record = is_record(L, -1);
    empty = lua_type(L, -1) == LUA_TTABLE && !record && lua_rawlen(L, -1) == 0;
    lua_pop(L, 1);
  }
  return record;
}

/* A class for which a Factor, or a list of texts, is a sequence of categories. */
static bool takes_categories(const mn_class *class)
{
  return class->accepts & MN_FACTORS && class->accepts & MN_LENGTHS;
}

/* Whether the argument is texts or categories: for a class that takes them, a list that is no table of rows. */
static bool is_texts(lua_State *L, int arg, const mn_estimator *model)
{
  const mn_class *class = model->class;
  if (mn_lua_test_factor(L, arg)) return true;
  if (class->accepts & MN_RECORDS && !(class->accepts & MN_TEXTS)) return is_list_of_records(L, arg, model);
  if (takes_categories(class) && lua_type(L, arg) == LUA_TTABLE && !mn_lua_is_frame(L, arg)) {
    const bool texts = lua_rawgeti(L, arg, 1) == LUA_TSTRING;
    lua_pop(L, 1);
    if (texts) return true;
  }
  if (!(class->accepts & MN_TEXTS) || lua_type(L, arg) != LUA_TTABLE || mn_lua_is_frame(L, arg)) return false;
  const int first = lua_rawgeti(L, arg, 1);
  lua_pop(L, 1);
  return class->accepts & MN_RECORDS ? first == LUA_TTABLE : first != LUA_TTABLE && lua_rawlen(L, arg) > 0;
}

static mn_table convert_table(lua_State *L, mn_context *ctx, int arg, const mn_estimator *model)
{
  if (is_texts(L, arg, model)) return convert_texts(L, ctx, arg, model->class);
  const bool frame = mn_lua_is_frame(L, arg);
  const int first = lua_rawgeti(L, arg, 1);
  lua_pop(L, 1);
  const bool has_names = model->fitted && model->feature_names.size > 0;
  const bool one = has_names && is_named_row(L, arg), list = has_names && !one && first_is_named_row(L, arg);
  if (!one && first != LUA_TNIL && first != LUA_TTABLE && first != LUA_TUSERDATA)
    luaL_argerror(L, arg, "must be a table of rows, got a flat table; one row is { {...} }");
  if (!one && !list && !frame && (is_named_row(L, arg) || first_is_named_row(L, arg)))
    luaL_argerror(L, arg,
                  "must be a table of rows of numbers, got named values; convert them with DictVectorizer, or give a "
                  "Frame");
  const bool mixed = first == LUA_TTABLE && model->class->accepts & (MN_FACTORS | MN_TEXTS);
  if (!frame && !one && !list && !mixed) return dense_table(L, ctx, arg);
  const int anchors = mn_lua_begin_anchors(L);
  const mn_table x = frame         ? mn_lua_frame_to_table(L, anchors, arg)
                     : one || list ? table_from_named_rows(L, anchors, arg, model, list)
                                   : table_from_mixed_rows(L, ctx, anchors, arg);
  mn_lua_end_anchors(L, anchors, arg);
  return x;
}

struct conversion {
  mn_context *ctx;
  const mn_estimator *model;
  mn_table x;
};

static int convert_x(lua_State *L)
{
  struct conversion *c = lua_touserdata(L, 2);
  if (mn_lua_test_vector(L, 1))
    luaL_argerror(L, 1, "must be a matrix, got a Vector; one row is { {...} }, one column X:reshape(#X, 1)");
  const bool texts = (c->model->class->accepts & (MN_TEXTS | MN_RECORDS)) != 0;
  const bool factor = texts || takes_categories(c->model->class);
  if (lua_type(L, 1) != LUA_TTABLE && !(factor && mn_lua_test_factor(L, 1)))
    luaL_argerror(L, 1,
                  lua_pushfstring(L, "must be a %s, got %s",
                                  !texts                                   ? "Matrix, Frame, Sparse or table of rows"
                                  : !(c->model->class->accepts & MN_TEXTS) ? "Matrix, Frame, Sparse or table of rows"
                                  : c->model->class->accepts & MN_RECORDS
                                      ? "list of tables"
                                      : "list of strings, Factor or Frame (one document is { text })",
                                  mn_lua_type_name(L, 1)));
  c->x = convert_table(L, c->ctx, 1, c->model);
  lua_settop(L, 1);
  return 1;
}

mn_table mn_lua_check_x(lua_State *L, mn_context *ctx, int arg, const mn_estimator *model, const char *what)
{
  const mn_csr *sparse = mn_lua_test_sparse(L, arg);
  if (sparse) return (mn_table){ .sparse = sparse, .rows = sparse->rows, .cols = sparse->cols };
  if (mn_lua_test_matrix(L, arg)) return dense_table(L, ctx, arg);
  struct conversion c = { .ctx = ctx, .model = model };
  mn_lua_convert_argument_with(L, arg, convert_x, &c, model->class->name, what);
  return c.x;
}
