/* A kernel function belongs to the registry, in a table from its address to its userdata, whose user value is the Lua
 * function. Kernels, which may be freed in C, count their uses; functions without uses are removed from the table when
 * another one is made or a Kernel is collected. */
#include "kernel_function.h"
#include "../../kernel/function.h"
#include "../values/userdata.h"
#include "../values/values.h"
#include <math.h>
#include <string.h>

static const char table_key = 'f';

struct function {
  mn_kernel_function base;
  const mn_lua_state *state;
  bool by_matrices;
};

/* One call: k of rows of a with rows of b; or of each row of a with itself. */
struct call {
  const struct function *function;
  const char *who; /* the estimator, for messages; may be NULL */
  mn_matrix a, b;
  double *out;
  size_t ldo;
  bool diagonal;
};

static void push_table(lua_State *L)
{
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &table_key) == LUA_TTABLE) return;
  lua_pop(L, 1);
  lua_newtable(L);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &table_key);
}

void mn_lua_sweep_kernel_functions(lua_State *L)
{
  if (!lua_checkstack(L, 5)) return;
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &table_key) == LUA_TTABLE) {
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
      struct function *f = lua_touserdata(L, -1);
      if (atomic_load(&f->base.users) > 0) continue;
      lua_pushnil(L);
      lua_rawsetp(L, -4, f);
    }
  }
  lua_pop(L, 1);
}

static void push_function(lua_State *L, const struct function *f)
{
  lua_rawgetp(L, LUA_REGISTRYINDEX, &table_key);
  lua_rawgetp(L, -1, f);
  lua_getiuservalue(L, -1, 1);
  lua_replace(L, -3);
  lua_pop(L, 1);
}

bool mn_lua_push_kernel_function(lua_State *L, const mn_kernel_function *f)
{
  push_function(L, (const struct function *)f);
  return ((const struct function *)f)->by_matrices;
}

static void push_row(lua_State *L, const mn_matrix *m, size_t i)
{
  mn_lua_vector *v = mn_lua_push_vector(L, m->cols);
  memcpy(v->at, mn_row(m, i), m->cols * sizeof *v->at);
}

static void push_rows(lua_State *L, const mn_matrix *m, size_t i, size_t n)
{
  mn_lua_matrix *out = mn_lua_push_matrix(L, n, m->cols);
  if (n * m->cols > 0) memcpy(out->at, mn_row(m, i), n * m->cols * sizeof *out->at);
}

/* The number on top of the stack, which the function has returned. */
static double check_number(lua_State *L)
{
  if (lua_type(L, -1) != LUA_TNUMBER)
    luaL_error(L, "kernel Function: the function must return a number, got %s", mn_lua_type_name(L, -1));
  const double value = lua_tonumber(L, -1);
  char number[MN_NUMBER_SIZE];
  if (!isfinite(value))
    luaL_error(L, "kernel Function: the function must return a finite number, got %s", mn_format_number(number, value));
  return value;
}

static void call_by_rows(lua_State *L, const struct call *c)
{
  const size_t n = c->diagonal ? 1 : c->b.rows;
  for (size_t i = 0; i < c->a.rows; i++) {
    push_row(L, &c->a, i);
    const int row = lua_gettop(L);
    for (size_t j = 0; j < n; j++) {
      push_function(L, c->function);
      lua_pushvalue(L, row);
      if (c->diagonal)
        lua_pushvalue(L, row);
      else
        push_row(L, &c->b, j);
      lua_call(L, 2, 1);
      c->out[i * c->ldo + j] = check_number(L);
      lua_settop(L, row);
    }
    lua_settop(L, row - 1);
  }
}

static void call_matrices(lua_State *L, const struct call *c, size_t a, size_t m, const mn_matrix *b, size_t from,
                          size_t n, double *out)
{
  const int top = lua_gettop(L);
  push_function(L, c->function);
  push_rows(L, &c->a, a, m);
  push_rows(L, b, from, n);
  lua_call(L, 2, 1);
  const mn_lua_matrix *made = mn_lua_test_matrix(L, -1);
  if (!made)
    luaL_error(L, "kernel Function: the function must return a Matrix of %d x %d, got %s", (int)m, (int)n,
               mn_lua_type_name(L, -1));
  else if (made->rows != m || made->cols != n)
    luaL_error(L, "kernel Function: the function must return a Matrix of %d x %d, got %d x %d", (int)m, (int)n,
               (int)made->rows, (int)made->cols);
  for (size_t i = 0; made && i < m; i++)
    for (size_t j = 0; j < n; j++) out[i * c->ldo + j] = made->at[i * made->row_step + j * made->col_step];
  lua_settop(L, top);
}

static int call_function(lua_State *L)
{
  const struct call *c = lua_touserdata(L, 1);
  luaL_checkstack(L, 10, NULL);
  if (!c->function->by_matrices)
    call_by_rows(L, c);
  else if (!c->diagonal)
    call_matrices(L, c, 0, c->a.rows, &c->b, 0, c->b.rows, c->out);
  else
    for (size_t i = 0; i < c->a.rows; i++) call_matrices(L, c, i, 1, &c->a, i, 1, c->out + i);
  return 0;
}

/* Messages begin with the estimator. */
static int call_body(lua_State *L)
{
  const struct call *c = lua_touserdata(L, 1);
  lua_pushcfunction(L, call_function);
  lua_pushvalue(L, 1);
  if (lua_pcall(L, 1, 0, 0) == LUA_OK) return 0;
  if (c->who && lua_type(L, -1) == LUA_TSTRING) lua_pushfstring(L, "%s: %s", c->who, lua_tostring(L, -1));
  return lua_error(L);
}

static mn_status run(mn_context *ctx, struct call *c)
{
  lua_State *L = mn_lua_operation_thread(c->function->state, ctx);
  if (!L)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "kernel Function: a Lua function cannot be called by other threads or in the background; "
                   "use its matrix with kernel = \"precomputed\"");
  c->who = mn_lua_operation_who(L, ctx);
  return mn_lua_call_protected(L, ctx, call_body, c) ? MN_OK : mn_error_status(ctx);
}

static mn_status call(mn_context *ctx, void *user, mn_matrix a, mn_matrix b, double *out, size_t ldo)
{
  return run(ctx, &(struct call){ .function = user, .a = a, .b = b, .out = out, .ldo = ldo });
}

static mn_status diagonal(mn_context *ctx, void *user, mn_matrix a, double *out)
{
  return run(ctx, &(struct call){ .function = user, .a = a, .out = out, .ldo = 1, .diagonal = true });
}

mn_kernel_function *mn_lua_new_kernel_function(lua_State *L, int index, bool by_matrices)
{
  index = lua_absindex(L, index);
  luaL_checkstack(L, 6, NULL);
  mn_lua_sweep_kernel_functions(L);
  push_table(L);
  struct function *f = lua_newuserdatauv(L, sizeof *f, 1);
  *f = (struct function){ .base = { .call = call, .diagonal = diagonal, .user = f },
                          .state = mn_lua_state_of(L),
                          .by_matrices = by_matrices };
  lua_pushvalue(L, index);
  lua_setiuservalue(L, -2, 1);
  lua_rawsetp(L, -2, f);
  lua_pop(L, 1);
  return &f->base;
}
