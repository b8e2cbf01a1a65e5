#include "kernel.h"
#include "../../kernel/function.h"
#include "../../model/model.h"
#include "../values/userdata.h"
#include "anchors.h"
#include "kernel_function.h"
#include "model_userdata.h"
#include <math.h>
#include <string.h>

#define KERNEL "manilius.Kernel"

static int kernel_gc(lua_State *L)
{
  mn_kernel *k = luaL_testudata(L, 1, KERNEL);
  mn_memory *memory = mn_lua_memory(L);
  if (!k || !memory) return 0;
  const bool swept = mn_kernel_has(k, MN_KERNEL_FUNCTION);
  mn_kernel_free(memory, k);
  if (swept) mn_lua_sweep_kernel_functions(L);
  return 0;
}

const mn_kernel *mn_lua_test_kernel(lua_State *L, int arg)
{
  const mn_kernel *k = luaL_testudata(L, arg, KERNEL);
  return k && k->nodes > 0 ? k : NULL;
}

static const mn_kernel *check_kernel(lua_State *L, int arg)
{
  const mn_kernel *k = mn_lua_test_kernel(L, arg);
  if (!k) luaL_argerror(L, arg, lua_pushfstring(L, "must be a kernel, got %s", mn_lua_type_name(L, arg)));
  return k;
}

mn_kernel *mn_lua_push_kernel(lua_State *L)
{
  mn_kernel *k = lua_newuserdatauv(L, sizeof *k, 0);
  *k = (mn_kernel){ 0 };
  luaL_setmetatable(L, KERNEL);
  return k;
}

void mn_lua_push_kernel_copy(lua_State *L, const mn_kernel *from)
{
  mn_kernel *k = mn_lua_push_kernel(L);
  mn_context *ctx = mn_lua_current_context(L);
  if (mn_kernel_copy(ctx, from, k) != MN_OK) mn_lua_raise(L, ctx);
}

/* --- nodes: a list of { part =, exponent =, values =, low =, high =, fixed =, columns =, func =, by_matrices = } ---
 */

enum { LIST = 1, RESULT, NODE }; /* indices on the stack while nodes are read */
enum { VALUES, LOW, HIGH, FIXED, COLUMNS, LISTS };
static const char *const list_names[LISTS] = { "values", "low", "high", "fixed", "columns" };

static void push_field(lua_State *L, const char *name)
{
  lua_pushstring(L, name);
  lua_rawget(L, NODE);
}

/* Push the list `which` of the node; returns its length. */
static size_t push_list(lua_State *L, int which)
{
  push_field(L, list_names[which]);
  if (lua_type(L, -1) != LUA_TTABLE) luaL_error(L, "kernel: '%s' must be a list", list_names[which]);
  return lua_rawlen(L, -1);
}

static void push_node(lua_State *L, size_t i)
{
  lua_settop(L, RESULT);
  if (lua_rawgeti(L, LIST, (lua_Integer)i + 1) != LUA_TTABLE)
    luaL_error(L, "kernel: part %d must be a table", (int)i + 1);
}

/* Sizes of all nodes: hyperparameters, columns, bytes of names. */
static void measure(lua_State *L, size_t nodes, size_t *hypers, size_t *columns, size_t *names)
{
  *hypers = *columns = *names = 0;
  for (size_t i = 0; i < nodes; i++) {
    push_node(L, i);
    *hypers += push_list(L, VALUES);
    const size_t n = push_list(L, COLUMNS);
    *columns += n;
    for (size_t j = 0; j < n; j++, lua_pop(L, 1))
      if (lua_rawgeti(L, -1, (lua_Integer)j + 1) == LUA_TSTRING) *names += lua_rawlen(L, -1) + 1;
  }
  if (*hypers > INT32_MAX || *columns > INT32_MAX || *names > INT32_MAX) luaL_error(L, "kernel: too many values");
}

static mn_kernel_op read_op(lua_State *L, double *exponent)
{
  push_field(L, "exponent");
  *exponent = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : 0;
  push_field(L, "part");
  const char *part = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
  return mn_kernel_find_part(part, strlen(part), exponent);
}

/* Number j of a list of the node. */
static double list_number(lua_State *L, int which, size_t j)
{
  push_list(L, which);
  lua_rawgeti(L, -1, (lua_Integer)j + 1);
  const double value = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : (double)NAN;
  lua_pop(L, 2);
  return value;
}

static void read_hypers(lua_State *L, mn_kernel *k, const mn_kernel_node *node)
{
  for (size_t j = 0; j < node->count; j++) {
    mn_hyperparameter *h = &k->hyper[node->first + j];
    h->value = list_number(L, VALUES, j);
    h->low = list_number(L, LOW, j);
    h->high = list_number(L, HIGH, j);
    push_list(L, FIXED);
    lua_rawgeti(L, -1, (lua_Integer)j + 1);
    h->fixed = lua_toboolean(L, -1);
    lua_pop(L, 2);
  }
}

static void read_columns(lua_State *L, mn_kernel *k, const mn_kernel_node *node, size_t *names)
{
  push_list(L, COLUMNS);
  for (size_t j = 0; j < node->columns; j++, lua_pop(L, 1)) {
    int32_t *column = &k->column[node->first_column + j];
    const int type = lua_rawgeti(L, -1, (lua_Integer)j + 1);
    if (type == LUA_TSTRING) {
      size_t size;
      const char *name = lua_tolstring(L, -1, &size);
      if (size == 0 || strlen(name) != size || *names + size >= k->names_size)
        luaL_error(L, "kernel: the name of a column must not be empty or contain a zero byte");
      *column = -1 - (int32_t)*names;
      memcpy(k->names + *names, name, size + 1);
      *names += size + 1;
      continue;
    }
    const double value = type == LUA_TNUMBER ? lua_tonumber(L, -1) : 0;
    if (!(value >= 1 && value <= INT32_MAX && mn_lua_is_whole(value)))
      luaL_error(L, "kernel: columns must be given by number, from 1, or by name");
    *column = (int32_t)value - 1;
  }
}

static void read_function(lua_State *L, mn_kernel_node *node)
{
  push_field(L, "by_matrices");
  const bool by_matrices = lua_toboolean(L, -1);
  push_field(L, "func");
  if (lua_type(L, -1) != LUA_TFUNCTION) luaL_error(L, "kernel: func must be a function, got %s", luaL_typename(L, -1));
  node->function = mn_lua_new_kernel_function(L, -1, by_matrices);
  mn_kernel_function_retain(node->function);
}

static void read_nodes(lua_State *L, mn_kernel *k)
{
  size_t hypers = 0, columns = 0, names = 0;
  for (size_t i = 0; i < k->nodes; i++) {
    mn_kernel_node *node = &k->node[i];
    push_node(L, i);
    node->op = read_op(L, &node->exponent);
    node->first = hypers;
    node->count = push_list(L, VALUES);
    node->first_column = columns;
    node->columns = push_list(L, COLUMNS);
    hypers += node->count;
    columns += node->columns;
    if (hypers > k->hypers || columns > k->columns) luaL_error(L, "kernel: the table has changed while it was read");
    read_hypers(L, k, node);
    read_columns(L, k, node, &names);
    if (node->op == MN_KERNEL_FUNCTION) read_function(L, node);
  }
}

/* build(nodes) -> Kernel */
static int build(lua_State *L)
{
  size_t hypers, columns, names;
  luaL_checktype(L, LIST, LUA_TTABLE);
  lua_settop(L, RESULT);
  luaL_checkstack(L, 20, NULL);
  mn_context *ctx = mn_lua_begin(L);
  const size_t nodes = lua_rawlen(L, LIST);
  if (nodes < 1 || nodes > MN_KERNEL_MAX_NODES)
    return luaL_error(L, "kernel: from 1 to %d parts are allowed, got %d", MN_KERNEL_MAX_NODES, (int)nodes);
  measure(L, nodes, &hypers, &columns, &names);
  lua_settop(L, LIST);
  mn_kernel *k = mn_lua_push_kernel(L);
  if (mn_kernel_init(ctx, k, nodes, hypers, columns, names) != MN_OK) return mn_lua_raise(L, ctx);
  read_nodes(L, k);
  lua_settop(L, RESULT);
  if (mn_kernel_validate(ctx, "kernel", k) != MN_OK) return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 1);
}

static void set_list(lua_State *L, const mn_kernel *k, const mn_kernel_node *node, int which)
{
  const size_t n = which == COLUMNS ? node->columns : node->count;
  lua_createtable(L, (int)n, 0);
  for (size_t j = 0; j < n; j++) {
    const mn_hyperparameter *h = &k->hyper[node->first + j];
    const int32_t column = which == COLUMNS ? k->column[node->first_column + j] : 0;
    if (which == FIXED)
      lua_pushboolean(L, h->fixed);
    else if (which != COLUMNS)
      lua_pushnumber(L, which == VALUES ? h->value : which == LOW ? h->low : h->high);
    else if (column < 0)
      lua_pushstring(L, k->names + (-1 - column));
    else
      lua_pushinteger(L, (lua_Integer)column + 1);
    lua_rawseti(L, -2, (lua_Integer)j + 1);
  }
  lua_setfield(L, -2, list_names[which]);
}

/* nodes(k) -> the list from which build makes it */
static int nodes_of(lua_State *L)
{
  const mn_kernel *k = check_kernel(L, 1);
  luaL_checkstack(L, 10, NULL);
  lua_createtable(L, (int)k->nodes, 0);
  for (size_t i = 0; i < k->nodes; i++) {
    const mn_kernel_node *node = &k->node[i];
    lua_newtable(L);
    lua_pushstring(L, mn_kernel_types[node->op].label);
    lua_setfield(L, -2, "part");
    lua_pushnumber(L, mn_kernel_part_exponent(node));
    lua_setfield(L, -2, "exponent");
    for (int which = 0; which < LISTS; which++) set_list(L, k, node, which);
    if (node->function) {
      lua_pushboolean(L, mn_lua_push_kernel_function(L, node->function));
      lua_setfield(L, -3, "by_matrices");
      lua_setfield(L, -2, "func");
    }
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  return 1;
}

/* text(k) -> its formula */
static int text_of(lua_State *L)
{
  const mn_kernel *k = check_kernel(L, 1);
  const size_t size = mn_kernel_text(k, NULL, 0) + 1;
  char *text = mn_lua_push_buffer(L, 1, size);
  mn_kernel_text(k, text, size);
  lua_pushstring(L, text);
  return 1;
}

static int equal(lua_State *L)
{
  const mn_kernel *a = mn_lua_test_kernel(L, 1), *b = mn_lua_test_kernel(L, 2);
  lua_pushboolean(L, a && b && mn_kernel_equal(a, b));
  return 1;
}

/* theta_names(k) -> names of the elements of theta */
static int theta_names(lua_State *L)
{
  const mn_kernel *k = check_kernel(L, 1);
  const size_t n = mn_kernel_free_count(k);
  char text[96];
  lua_createtable(L, (int)n, 0);
  for (size_t j = 0; j < n; j++) {
    lua_pushstring(L, mn_kernel_theta_name(k, j, text, sizeof text));
    lua_rawseti(L, -2, (lua_Integer)j + 1);
  }
  mn_lua_set_list_metatable(L);
  return 1;
}

/* --- evaluation --- */

/* The rows at `arg`: a Sparse, or what converts to a Matrix, of finite numbers. */
static mn_kernel_rows check_rows(lua_State *L, mn_context *ctx, int arg, const char *what)
{
  char number[MN_NUMBER_SIZE];
  const mn_csr *s = mn_lua_test_sparse(L, arg);
  mn_kernel_rows rows;
  if (s) {
    rows = (mn_kernel_rows){ .n = s->rows, .d = s->cols, .sparse = s };
  } else {
    mn_lua_convert_argument(L, arg, MN_KIND_MATRIX, "kernel", what);
    const mn_matrix x = mn_lua_check_matrix(L, ctx, arg);
    rows = (mn_kernel_rows){ .n = x.rows, .d = x.cols, .x = x.at };
  }
  const size_t n = s ? s->start[s->rows] : rows.n * rows.d;
  const double *values = s ? s->at : rows.x;
  for (size_t i = 0; i < n; i++)
    if (!isfinite(values[i])) {
      const size_t row = s ? 0 : i / rows.d + 1, column = s ? (size_t)s->col[i] + 1 : i % rows.d + 1;
      if (s)
        luaL_error(L, "kernel: %s must be finite, got %s in column %d", what, mn_format_number(number, values[i]),
                   (int)column);
      luaL_error(L, "kernel: %s must be finite, got %s in row %d, column %d", what, mn_format_number(number, values[i]),
                 (int)row, (int)column);
    }
  if (rows.d == 0) luaL_error(L, "kernel: %s must have columns", what);
  return rows;
}

/* Push a copy of the kernel at 1 that fits d columns with the names in the list at `arg`, or nil. */
static const mn_kernel *fit_columns(lua_State *L, mn_context *ctx, int arg, size_t d)
{
  const mn_kernel *k = check_kernel(L, 1);
  const char **names = NULL;
  mn_kernel *copy = mn_lua_push_kernel(L);
  if (lua_istable(L, arg)) {
    names = mn_lua_push_buffer(L, sizeof *names, d);
    for (size_t j = 0; j < d; j++) {
      if (lua_rawgeti(L, arg, (lua_Integer)j + 1) != LUA_TSTRING) luaL_error(L, "kernel: X has too few column names");
      names[j] = lua_tostring(L, -1); /* kept by the list */
      lua_pop(L, 1);
    }
  }
  if (mn_kernel_copy(ctx, k, copy) != MN_OK || mn_kernel_find_columns(ctx, "kernel", copy, names, d) != MN_OK ||
      mn_kernel_check(ctx, "kernel", copy, d) != MN_OK)
    mn_lua_raise(L, ctx);
  return copy;
}

/* matrix(k, X, Y or nil, names or nil) -> Matrix */
static int matrix(lua_State *L)
{
  lua_settop(L, 4);
  check_kernel(L, 1);
  mn_context *ctx = mn_lua_begin(L);
  const bool cross = !lua_isnil(L, 3);
  const mn_kernel_rows a = check_rows(L, ctx, 2, "X"), b = cross ? check_rows(L, ctx, 3, "Y") : a;
  const mn_kernel *k = fit_columns(L, ctx, 4, a.d);
  const bool precomputed = mn_kernel_has(k, MN_KERNEL_PRECOMPUTED);
  if (a.d != b.d) return luaL_error(L, "kernel: X and Y must have the same columns, got %d and %d", (int)a.d, (int)b.d);
  if (precomputed && !cross && a.n != a.d)
    return luaL_error(L, "kernel Precomputed: X must be square, got %d x %d", (int)a.n, (int)a.d);
  mn_lua_matrix *out = mn_lua_push_matrix(L, a.n, b.n);
  const mn_status status =
      cross ? mn_kernel_cross(ctx, k, &a, &b, out->at, b.n) : mn_kernel_matrix(ctx, k, &a, out->at, b.n);
  if (status != MN_OK) return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 1);
}

/* diagonal(k, X, names or nil) -> Vector */
static int diagonal(lua_State *L)
{
  lua_settop(L, 3);
  check_kernel(L, 1);
  mn_context *ctx = mn_lua_begin(L);
  const mn_kernel_rows rows = check_rows(L, ctx, 2, "X");
  const mn_kernel *k = fit_columns(L, ctx, 3, rows.d);
  mn_lua_vector *out = mn_lua_push_vector(L, rows.n);
  if (mn_kernel_diagonal(ctx, k, &rows, out->at) != MN_OK) return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 1);
}

/* gradient(k, X, names or nil) -> list of Matrix, one for each element of theta */
static int gradient(lua_State *L)
{
  lua_settop(L, 3);
  check_kernel(L, 1);
  mn_context *ctx = mn_lua_begin(L);
  const mn_kernel_rows rows = check_rows(L, ctx, 2, "X");
  const mn_kernel *k = fit_columns(L, ctx, 3, rows.d);
  const size_t n = rows.n, thetas = mn_kernel_free_count(k);
  mn_lua_matrix *all = mn_lua_push_matrix(L, thetas * n, n);
  const int owner = lua_gettop(L);
  lua_createtable(L, (int)thetas, 0);
  for (size_t j = 0; j < thetas; j++) {
    mn_lua_push_matrix_view(L, owner, all->at + j * n * n, n, n, n, 1);
    lua_rawseti(L, -2, (lua_Integer)j + 1);
  }
  if (mn_kernel_gradient(ctx, k, &rows, all->at) != MN_OK) return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 1);
}

/* gradient_dot(k, X, W, names or nil) -> Vector of sum_ab W_ab dK_ab / dtheta_j */
static int gradient_dot(lua_State *L)
{
  lua_settop(L, 4);
  check_kernel(L, 1);
  mn_context *ctx = mn_lua_begin(L);
  const mn_kernel_rows rows = check_rows(L, ctx, 2, "X");
  mn_lua_convert_argument(L, 3, MN_KIND_MATRIX, "kernel", "W");
  const mn_matrix w = mn_lua_check_matrix(L, ctx, 3);
  const mn_kernel *k = fit_columns(L, ctx, 4, rows.d);
  if (w.rows != rows.n || w.cols != rows.n)
    return luaL_error(L, "gradient_dot: W must be %d x %d, got %d x %d", (int)rows.n, (int)rows.n, (int)w.rows,
                      (int)w.cols);
  mn_lua_vector *out = mn_lua_push_vector(L, mn_kernel_free_count(k));
  if (mn_kernel_gradient_dot(ctx, k, &rows, w.at, w.cols, out->at) != MN_OK) return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 1);
}

/* is_lua(model) -> whether a kernel among its parameters is a Lua function */
static int is_lua(lua_State *L)
{
  bool found = false;
  if (mn_lua_is_model(L, 1)) {
    const mn_estimator *model = mn_lua_pin_model(L, 1);
    for (const mn_param *p = model->class->params; p && p->name; p++)
      if (p->kind == MN_KIND_KERNEL)
        found = found || mn_kernel_has((const mn_kernel *)mn_member(model, p->offset), MN_KERNEL_FUNCTION);
  }
  lua_pushboolean(L, found);
  return 1;
}

void mn_lua_open_kernel(lua_State *L)
{
  static const luaL_Reg functions[] = { { "build", build },
                                        { "nodes", nodes_of },
                                        { "text", text_of },
                                        { "equal", equal },
                                        { "theta_names", theta_names },
                                        { "matrix", matrix },
                                        { "diagonal", diagonal },
                                        { "gradient", gradient },
                                        { "gradient_dot", gradient_dot },
                                        { "is_lua", is_lua },
                                        { NULL, NULL } };
  mn_lua_new_gc_metatable(L, KERNEL, kernel_gc);
  luaL_newlib(L, functions);
  luaL_getmetatable(L, KERNEL);
  lua_pushliteral(L, "Kernel");
  lua_setfield(L, -2, "__name");
  lua_pushliteral(L, KERNEL);
  lua_setfield(L, -2, "__metatable"); /* scripts must not reach __gc */
  lua_setfield(L, -2, "metatable");   /* lua/manilius/init.lua fills it and removes the field */
  lua_setfield(L, -2, "kernel");
}
