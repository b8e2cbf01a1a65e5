#include "convert.h"
#include "../core/text.h"
#include <string.h>

bool mn_lua_is_frame(lua_State *L, int index)
{
  if (lua_type(L, index) != LUA_TTABLE || !lua_getmetatable(L, index)) return false;
  luaL_getmetatable(L, MN_LUA_FRAME);
  const bool same = lua_rawequal(L, -1, -2);
  lua_pop(L, 2);
  return same;
}

/* What is made on the way is kept in a table at stack index `keep`, which takes the place of the argument in the end.
 * Scratch would not do: making Lua values may run the collector, and with it a finaliser that calls us. */
static int begin_keeping(lua_State *L)
{
  luaL_checkstack(L, 16, NULL);
  lua_newtable(L);
  return lua_gettop(L);
}

/* Keep the value on top of the stack, and take it off. */
static void keep_top(lua_State *L, int keep)
{
  lua_rawseti(L, keep, (lua_Integer)lua_rawlen(L, keep) + 1);
}

static void end_keeping(lua_State *L, int keep, int arg)
{
  lua_settop(L, keep);
  lua_pushvalue(L, arg);
  keep_top(L, keep);
  lua_replace(L, arg);
}

/* Zeroed memory, kept. */
static void *buffer(lua_State *L, int keep, size_t size, size_t n)
{
  size_t bytes;
  if (!mn_size(size, n, 1, &bytes)) luaL_error(L, "not enough memory");
  void *taken = lua_newuserdatauv(L, bytes > 0 ? bytes : 1, 0);
  memset(taken, 0, bytes);
  keep_top(L, keep);
  return taken;
}

static mn_table new_table(lua_State *L, int keep, size_t rows, size_t cols)
{
  mn_table x = { .rows = rows, .cols = cols };
  x.dense = (mn_matrix){ .at = mn_lua_push_matrix(L, rows, cols)->at, .rows = rows, .cols = cols };
  keep_top(L, keep);
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
static mn_table from_frame(lua_State *L, int keep, int arg)
{
  push_list_of_frame(L, arg, "names");
  push_list_of_frame(L, arg, "columns");
  const size_t cols = lua_rawlen(L, -1);
  size_t rows = 0;
  const char **names = buffer(L, keep, sizeof *names, cols);
  const mn_levels **levels = buffer(L, keep, sizeof *levels, cols);
  mn_table x = { 0 };
  bool factors = false;
  for (size_t j = 0; j < cols; j++) {
    lua_rawgeti(L, -2, (lua_Integer)j + 1);
    names[j] = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL; /* a number would become another string */
    keep_top(L, keep);
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
    keep_top(L, keep);
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

/* A Factor, kept, that will own the levels of labels. It is made before the labels are read: from then on no Lua value
 * may be made before find_levels, for a finaliser could take the strings away that the labels point to. */
static mn_factor *keep_factor(lua_State *L, int keep)
{
  mn_factor *f = mn_lua_push_factor(L, 0, NULL);
  keep_top(L, keep);
  return f;
}

static void find_levels(lua_State *L, mn_context *ctx, mn_factor *f, const mn_label *label, size_t n, int32_t *code)
{
  f->levels = mn_levels_of(ctx, label, n, code);
  if (!f->levels) mn_lua_raise(L, ctx);
}

static int changed_meanwhile(lua_State *L, int arg)
{
  return luaL_argerror(L, arg, "was changed by other code while it was read");
}

/* Column j of a table of rows. */
static void label_column(lua_State *L, mn_context *ctx, int keep, int arg, mn_table *x, size_t j,
                         const mn_levels **levels)
{
  mn_label *label = buffer(L, keep, sizeof *label, x->rows);
  size_t *row = buffer(L, keep, sizeof *row, x->rows), n = 0;
  int32_t *code = buffer(L, keep, sizeof *code, x->rows);
  mn_factor *f = keep_factor(L, keep);
  for (size_t i = 0; i < x->rows; i++) {
    x->dense.at[i * x->cols + j] = (double)NAN;
    if (lua_rawgeti(L, arg, (lua_Integer)i + 1) != LUA_TTABLE) changed_meanwhile(L, arg);
    lua_rawgeti(L, -1, (lua_Integer)j + 1);
    if (mn_lua_to_label(L, -1, &label[n])) row[n++] = i; /* a string stays alive in its row */
    lua_pop(L, 2);
  }
  find_levels(L, ctx, f, label, n, code);
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
  const mn_levels **levels = buffer(L, keep, sizeof *levels, cols);
  bool *is_label = buffer(L, keep, sizeof *is_label, cols), any = false;
  for (size_t i = 0; i < rows; i++) {
    if (lua_rawgeti(L, arg, (lua_Integer)i + 1) != LUA_TTABLE)
      luaL_argerror(L, arg, lua_pushfstring(L, "row %d is a %s, not a table", (int)i + 1, luaL_typename(L, -1)));
    if (lua_rawlen(L, -1) != cols)
      luaL_argerror(
          L, arg,
          lua_pushfstring(L, "row %d has %d values, row 1 has %d", (int)i + 1, (int)lua_rawlen(L, -1), (int)cols));
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
    luaL_argerror(L, arg, "X must be a table of rows, got a flat table; one row is { {...} }");
  const bool mixed = first == LUA_TTABLE && model->class->takes & MN_FACTORS;
  const bool frame = mn_lua_is_frame(L, arg);
  if (!frame && !one && !list && !mixed) return dense_table(L, ctx, arg);
  const int keep = begin_keeping(L);
  const mn_table x = frame         ? from_frame(L, keep, arg)
                     : one || list ? from_named_rows(L, keep, arg, model, list)
                                   : from_mixed_rows(L, ctx, keep, arg);
  end_keeping(L, keep, arg);
  return x;
}

mn_table mn_lua_check_x(lua_State *L, mn_context *ctx, int arg, const mn_estimator *model)
{
  const mn_csr *sparse = mn_lua_test_sparse(L, arg);
  if (sparse) return (mn_table){ .sparse = sparse, .rows = sparse->rows, .cols = sparse->cols };
  if (lua_type(L, arg) == LUA_TTABLE) return from_table(L, ctx, arg, model);
  if (mn_lua_test_vector(L, arg))
    luaL_argerror(L, arg, "X must be a matrix, got a Vector; one row is { {...} }, one column X:reshape(#X, 1)");
  if (!mn_lua_test_matrix(L, arg)) luaL_typeerror(L, arg, "Matrix, Frame, Sparse or table of rows");
  return dense_table(L, ctx, arg);
}

/* A flat list: numbers, or labels of any kind. */
static mn_answers answers_of_list(lua_State *L, mn_context *ctx, int arg)
{
  const int keep = begin_keeping(L);
  const size_t n = lua_rawlen(L, arg);
  double *number = buffer(L, keep, sizeof *number, n);
  mn_label *label = buffer(L, keep, sizeof *label, n);
  int32_t *code = buffer(L, keep, sizeof *code, n);
  mn_factor *f = keep_factor(L, keep);
  bool numbers = true, whole = true, exact = true; /* exact: a double holds each integer */
  size_t nan_at = n;
  for (size_t i = 0; i < n; i++) {
    lua_rawgeti(L, arg, (lua_Integer)i + 1);
    const bool is_number = lua_type(L, -1) == LUA_TNUMBER;
    if (is_number) {
      number[i] = lua_tonumber(L, -1);
      whole = whole && lua_isinteger(L, -1);
      exact = exact && (!lua_isinteger(L, -1) || fabs(number[i]) <= 0x1p53);
    } else {
      numbers = false;
    }
    const bool is_label = mn_lua_to_label(L, -1, &label[i]);
    if (!is_label && !is_number)
      luaL_argerror(
          L, arg,
          lua_pushfstring(L, "y at position %d is a %s, not a number or a label", (int)i + 1, luaL_typename(L, -1)));
    if (!is_label && nan_at == n) nan_at = i;
    lua_pop(L, 1);
  }
  if (!numbers && nan_at < n)
    luaL_argerror(L, arg, lua_pushfstring(L, "y at position %d is no label, but nan", (int)nan_at + 1));
  mn_answers y = {
    .kind = MN_REAL_ANSWERS, .reals = { .at = number, .rows = n, .cols = 1 }, .vector = true, .whole = whole
  };
  if (!numbers || !exact) { /* reals too where all are numbers: what is a label to one class is a number to another */
    find_levels(L, ctx, f, label, n, code);
    if (!numbers) y = (mn_answers){ 0 };
    y.kind = MN_LABEL_ANSWERS;
    y.labels = (mn_factor){ .code = code, .size = n, .levels = f->levels };
  }
  end_keeping(L, keep, arg);
  return y;
}

static mn_answers answers_of_frame(lua_State *L, int arg)
{
  const int keep = begin_keeping(L);
  const mn_table t = from_frame(L, keep, arg);
  if (t.levels) luaL_argerror(L, arg, "y must be numbers or one Factor, got a Frame with factors");
  end_keeping(L, keep, arg);
  return (mn_answers){ .kind = MN_REAL_ANSWERS, .reals = t.dense };
}

static bool is_flat_list(lua_State *L, int arg)
{
  if (lua_type(L, arg) != LUA_TTABLE) return false;
  const int first = lua_rawgeti(L, arg, 1);
  lua_pop(L, 1);
  return first != LUA_TTABLE && first != LUA_TUSERDATA;
}

/* { weights = w } in the place of y would go unheard where y is not needed. */
static void refuse_named(lua_State *L, int arg)
{
  if (lua_rawlen(L, arg) > 0) return;
  lua_pushnil(L);
  if (!lua_next(L, arg)) return;
  luaL_argerror(L, arg,
                lua_pushfstring(L,
                                "y must be a list, got a table with the key '%s'; options come third: (X, y, options)",
                                luaL_tolstring(L, -2, NULL)));
}

mn_answers mn_lua_check_y(lua_State *L, mn_context *ctx, int arg)
{
  if (lua_isnoneornil(L, arg)) return (mn_answers){ .kind = MN_NO_ANSWERS };
  const mn_factor *f = mn_lua_test_factor(L, arg);
  if (f) return (mn_answers){ .kind = MN_LABEL_ANSWERS, .labels = *f };
  const mn_lua_vector *v = mn_lua_test_vector(L, arg);
  if (v) {
    const bool whole = v->whole;
    const mn_vector y = mn_lua_check_vector(L, ctx, arg);
    return (mn_answers){
      .kind = MN_REAL_ANSWERS, .reals = { .at = y.at, .rows = y.size, .cols = 1 }, .vector = true, .whole = whole
    };
  }
  if (mn_lua_is_frame(L, arg)) return answers_of_frame(L, arg);
  if (is_flat_list(L, arg)) {
    refuse_named(L, arg);
    return answers_of_list(L, ctx, arg);
  }
  const mn_matrix m = mn_lua_check_matrix(L, ctx, arg);
  return (mn_answers){ .kind = MN_REAL_ANSWERS, .reals = m, .vector = m.cols == 1 };
}

static bool is_one_of(const char *name, const char *const *names)
{
  for (; names && *names; names++)
    if (strcmp(*names, name) == 0) return true;
  return false;
}

static int convert_vector(lua_State *L)
{
  mn_lua_check_vector(L, mn_lua_current_context(L), 1);
  lua_settop(L, 1);
  return 1;
}

static int convert_matrix(lua_State *L)
{
  mn_lua_check_matrix(L, mn_lua_current_context(L), 1);
  lua_settop(L, 1);
  return 1;
}

/* Convert the value at `index`, which is no argument but part of a table: an error says who wanted what, rather than
 * the position of an argument. */
static void convert_named(lua_State *L, int index, lua_CFunction convert, const char *who, const char *what)
{
  luaL_checkstack(L, 8, NULL);
  lua_pushcfunction(L, convert);
  lua_pushvalue(L, index);
  if (lua_pcall(L, 1, 1, 0) == LUA_OK) {
    lua_replace(L, index);
    return;
  }
  const char *text = lua_tostring(L, -1), *inside = text ? strchr(text, '(') : NULL; /* bad argument #1 to '?' (...) */
  if (!inside) {
    lua_error(L);
    return;
  }
  lua_pushlstring(L, inside + 1, strlen(inside) - 2);
  luaL_error(L, "%s: %s: %s", who, what, lua_tostring(L, -1));
}

static void check_lengths(lua_State *L, mn_context *ctx, int keep, int index, mn_input *input)
{
  const mn_vector v = mn_lua_check_vector(L, ctx, index);
  int32_t *lengths = buffer(L, keep, sizeof *lengths, v.size);
  for (size_t i = 0; i < v.size; i++) {
    if (!(v.at[i] >= 1 && v.at[i] <= INT32_MAX && v.at[i] == floor(v.at[i])))
      luaL_error(L, "lengths must be whole numbers >= 1, got %f at position %d", v.at[i], (int)i + 1);
    lengths[i] = (int32_t)v.at[i];
  }
  input->lengths = lengths;
  input->n_lengths = v.size;
}

static int no_option(lua_State *L, const char *who, const char *const *names, const char *name)
{
  size_t n = 0;
  luaL_Buffer all;
  luaL_buffinit(L, &all);
  for (; names[n]; n++) {
    if (n > 0) luaL_addstring(&all, ", ");
    luaL_addstring(&all, names[n]);
  }
  luaL_pushresult(&all);
  const char *near = mn_nearest_name(name, names, n);
  if (near)
    return luaL_error(L, "%s: options are %s, got '%s'; did you mean '%s'?", who, lua_tostring(L, -1), name, near);
  return luaL_error(L, "%s: options are %s, got '%s'", who, lua_tostring(L, -1), name);
}

void mn_lua_check_options(lua_State *L, mn_context *ctx, int arg, const mn_estimator *model, const char *const *names,
                          mn_input *input)
{
  const char *who = model->class->name;
  if (lua_isnoneornil(L, arg)) return;
  luaL_checktype(L, arg, LUA_TTABLE);
  const int keep = begin_keeping(L);
  lua_pushnil(L);
  while (lua_next(L, arg)) {
    const int value = lua_gettop(L);
    const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : luaL_tolstring(L, -2, NULL);
    lua_settop(L, value);
    if (!is_one_of(name, names)) no_option(L, who, names, name);
    if (strcmp(name, "weights") == 0) {
      convert_named(L, value, convert_vector, who, name);
      const mn_vector w = mn_lua_check_vector(L, ctx, value);
      input->weights = w.at;
      input->n_weights = w.size;
    } else if (strcmp(name, "lengths") == 0) {
      convert_named(L, value, convert_vector, who, name);
      check_lengths(L, ctx, keep, value, input);
    } else if (strcmp(name, "target") == 0) {
      input->target_x = mn_lua_check_x(L, ctx, value, model);
    }
    lua_settop(L, value);
    keep_top(L, keep); /* a converted value took the place of what was there */
  }
  end_keeping(L, keep, arg);
}

static mn_status set_param(lua_State *L, mn_context *ctx, const char *who, void *base, const mn_param *p)
{
  const int top = lua_gettop(L);
  char got[64];
  switch (lua_type(L, top)) {
  case LUA_TNIL: return mn_unset(ctx, who, base, p);
  case LUA_TBOOLEAN: return mn_set_flag(ctx, who, base, p, lua_toboolean(L, top));
  case LUA_TNUMBER: return mn_set_number(ctx, who, base, p, lua_tonumber(L, top));
  case LUA_TSTRING: {
    size_t size;
    const char *bytes = lua_tolstring(L, top, &size);
    return mn_set_text(ctx, who, base, p, bytes, size);
  }
  default: break;
  }
  if (mn_lua_is_unset(L, top)) return mn_unset(ctx, who, base, p);
  if (p->kind == MN_KIND_VECTOR && (lua_istable(L, top) || lua_isuserdata(L, top))) {
    convert_named(L, top, convert_vector, who, p->name);
    return mn_set_vector(ctx, who, base, p, mn_lua_check_vector(L, ctx, top));
  }
  if (p->kind == MN_KIND_MATRIX && (lua_istable(L, top) || lua_isuserdata(L, top))) {
    convert_named(L, top, convert_matrix, who, p->name);
    return mn_set_matrix(ctx, who, base, p, mn_lua_check_matrix(L, ctx, top));
  }
  const char *type = luaL_typename(L, top);
  strncpy(got, type, sizeof got - 1);
  got[sizeof got - 1] = '\0';
  return mn_wrong_type(ctx, who, p, got);
}

/* "balanced", nil, or a table label -> weight, on top of the stack. */
static mn_status set_class_weight(lua_State *L, mn_context *ctx, mn_estimator *model)
{
  const int top = lua_gettop(L);
  const char *who = model->class->name;
  if (lua_isnil(L, top) || mn_lua_is_unset(L, top)) return mn_set_class_weight(ctx, model, false, NULL, NULL);
  if (lua_type(L, top) == LUA_TSTRING && strcmp(lua_tostring(L, top), "balanced") == 0)
    return mn_set_class_weight(ctx, model, true, NULL, NULL);
  if (lua_type(L, top) != LUA_TTABLE)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "%s: class_weight must be 'balanced', nil or a table from class to weight, "
                   "got %s",
                   who, luaL_tolstring(L, top, NULL));
  const int keep = begin_keeping(L);
  size_t n = 0, i = 0;
  for (lua_pushnil(L); lua_next(L, top); lua_pop(L, 1)) n++;
  mn_label *label = buffer(L, keep, sizeof *label, n);
  double *weight = buffer(L, keep, sizeof *weight, n), *sorted = buffer(L, keep, sizeof *sorted, n);
  int32_t *code = buffer(L, keep, sizeof *code, n);
  mn_factor *f = keep_factor(L, keep);
  for (lua_pushnil(L); lua_next(L, top); lua_pop(L, 1)) {
    if (i == n) changed_meanwhile(L, top);
    if (!mn_lua_to_label(L, -2, &label[i]) || lua_type(L, -1) != LUA_TNUMBER)
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: class_weight must map labels to numbers, got %s for %s", who,
                     luaL_typename(L, -1), luaL_typename(L, -2));
    weight[i++] = lua_tonumber(L, -1);
  }
  n = i;
  find_levels(L, ctx, f, label, n, code);
  for (i = 0; i < n; i++) sorted[code[i]] = weight[i];
  return mn_set_class_weight(ctx, model, false, f->levels, sorted);
}

mn_status mn_lua_set_params(lua_State *L, mn_context *ctx, int index, const char *who, const mn_param *params,
                            void *base, mn_estimator *model)
{
  index = lua_absindex(L, index);
  luaL_checkstack(L, 8, NULL);
  lua_pushnil(L);
  while (lua_next(L, index)) {
    const int top = lua_gettop(L);
    if (lua_type(L, -2) != LUA_TSTRING) return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: parameters are given by name", who);
    const char *name = lua_tostring(L, -2);
    const mn_param *p = mn_param_named(params, name);
    mn_status status;
    if (p)
      status = set_param(L, ctx, who, base, p);
    else if (model && strcmp(name, "class_weight") == 0)
      status = set_class_weight(L, ctx, model);
    else
      status = mn_no_param(ctx, who, params, name);
    if (status != MN_OK) return status;
    lua_settop(L, top - 1);
  }
  return MN_OK;
}

void mn_lua_push_param(lua_State *L, const void *base, const mn_param *p)
{
  const void *value = mn_member(base, p->offset);
  if (!mn_param_is_set(base, p))
    lua_pushnil(L);
  else if (p->kind == MN_KIND_CHOICE)
    lua_pushstring(L, p->choices[*(const int64_t *)value]);
  else
    mn_lua_push_value(L, NULL, p->kind, value);
}

static void push_vector(lua_State *L, const mn_vector *v)
{
  const mn_lua_vector *out = mn_lua_push_vector(L, v->size);
  if (v->size > 0) memcpy(out->at, v->at, v->size * sizeof *v->at);
}

static void push_matrix(lua_State *L, const mn_matrix *m)
{
  const mn_lua_matrix *out = mn_lua_push_matrix(L, m->rows, m->cols);
  if (m->rows * m->cols > 0) memcpy(out->at, m->at, m->rows * m->cols * sizeof *m->at);
}

static void push_indexes(lua_State *L, const mn_indexes *v)
{
  mn_lua_vector *out = mn_lua_push_vector(L, v->size);
  out->whole = true;
  for (size_t i = 0; i < v->size; i++) out->at[i] = v->at[i] < 0 ? v->at[i] : v->at[i] + 1;
}

static void push_levels_list(lua_State *L, const mn_levels_list *list)
{
  lua_createtable(L, (int)list->size, 0);
  for (size_t i = 0; i < list->size; i++) {
    const size_t n = list->at[i] ? mn_levels_size(list->at[i]) : 0;
    lua_createtable(L, (int)n, 0);
    for (size_t l = 0; l < n; l++) {
      mn_lua_push_label(L, mn_levels_at(list->at[i], l));
      lua_rawseti(L, -2, (lua_Integer)l + 1);
    }
    mn_lua_set_list(L);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  mn_lua_set_list(L);
}

static void push_names(lua_State *L, const mn_names *names)
{
  lua_createtable(L, (int)names->size, 0);
  for (size_t i = 0; i < names->size; i++) {
    lua_pushstring(L, names->at[i]);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  mn_lua_set_list(L);
}

void mn_lua_push_value(lua_State *L, mn_context *ctx, mn_kind kind, const void *value)
{
  luaL_checkstack(L, 8, NULL);
  switch (kind) {
  case MN_KIND_REAL: lua_pushnumber(L, *(const double *)value); break;
  case MN_KIND_COUNT:
  case MN_KIND_CHOICE: lua_pushinteger(L, *(const int64_t *)value); break;
  case MN_KIND_FLAG: lua_pushboolean(L, *(const bool *)value); break;
  case MN_KIND_VECTOR: push_vector(L, value); break;
  case MN_KIND_MATRIX: push_matrix(L, value); break;
  case MN_KIND_INDEXES: push_indexes(L, value); break;
  case MN_KIND_CSR: {
    const mn_csr *s = value;
    mn_csr *out = mn_lua_push_sparse(L);
    if (s->start && mn_value_copy(ctx, kind, s, out) != MN_OK) mn_lua_raise(L, ctx);
    break;
  }
  case MN_KIND_LEVELS: push_levels_list(L, value); break;
  case MN_KIND_NAMES: push_names(L, value); break;
  case MN_KIND_TEXT: lua_pushlstring(L, ((const mn_text *)value)->bytes, ((const mn_text *)value)->size); break;
  }
}
