#include "special.h"
#include "../../core/cpu.h"
#include "../../core/threads.h"
#include "../../factorization/lapack.h"
#include "../../linalg/product.h"
#include "../../stats/special.h"
#include "../values/values.h"
#if defined(__unix__) || defined(__APPLE__)
#include <sys/ioctl.h>
#include <unistd.h>
#define MN_HAS_TERMINAL 1
#endif

enum { POLL_EVERY = 1024 };

static double call_special(const mn_special_function *f, double a, double b, double c)
{
  switch (f->arguments) {
  case 1: return f->of.one(a);
  case 2: return f->of.two(a, b);
  default: return f->of.three(a, b, c);
  }
}

/* f(x, ...): x is a number or a Vector, the other arguments are numbers */
static int special(lua_State *L)
{
  const mn_special_function *f = lua_touserdata(L, lua_upvalueindex(1));
  double other[2] = { 0 };
  if (lua_gettop(L) != f->arguments)
    return luaL_error(L, "special.%s takes %d arguments (%s), got %d", f->name, f->arguments, f->parameters,
                      lua_gettop(L));
  for (int i = 1; i < f->arguments; i++) other[i - 1] = luaL_checknumber(L, i + 1);
  const mn_lua_vector *v = mn_lua_test_vector(L, 1);
  if (!v) {
    lua_pushnumber(L, call_special(f, luaL_checknumber(L, 1), other[0], other[1]));
    return 1;
  }
  mn_context *ctx = mn_lua_begin(L);
  const mn_lua_vector *out = mn_lua_push_raw_vector(L, v->size);
  for (size_t i = 0; i < v->size; i++) {
    if (i % POLL_EVERY == 0 && mn_poll(ctx) != MN_OK) return mn_lua_raise(L, ctx);
    out->at[i] = call_special(f, v->at[i * v->step], other[0], other[1]);
  }
  return mn_lua_finish(L, ctx, 1);
}

/* special_help() -> list of { name, parameters, brief } */
static int special_help(lua_State *L)
{
  lua_newtable(L);
  for (lua_Integer i = 0; mn_special_functions[i].name; i++) {
    const mn_special_function *f = &mn_special_functions[i];
    const char *const texts[] = { f->name, f->parameters, f->brief };
    lua_createtable(L, 3, 0);
    for (int k = 0; k < 3; k++) {
      lua_pushstring(L, texts[k]);
      lua_rawseti(L, -2, k + 1);
    }
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* about() -> { product, lapack, cores, wanted }; wanted: the value of MANILIUS_CPU if this CPU does not support it */
static int about(lua_State *L)
{
  const char *lapack = mn_lapack_name();
  int requested;
  lua_createtable(L, 0, 4);
  if (mn_cpu_requested(&requested) && requested > mn_cpu()) {
    lua_pushstring(L, mn_cpu_name(requested));
    lua_setfield(L, -2, "wanted");
  }
  lua_pushstring(L, mn_product_variant());
  lua_setfield(L, -2, "product");
  lua_pushstring(L, lapack ? lapack : "none found");
  lua_setfield(L, -2, "lapack");
  lua_pushinteger(L, (lua_Integer)mn_cores());
  lua_setfield(L, -2, "cores");
  return 1;
}

/* product_peak([order [, single]]) -> GFLOP/s of a product of square matrices on this machine */
static int product_peak(lua_State *L)
{
  const lua_Integer order = luaL_optinteger(L, 1, 768);
  const bool single = lua_toboolean(L, 2);
  luaL_argcheck(L, order >= 1 && order <= 20000, 1, "must be from 1 to 20000");
  mn_context *ctx = mn_lua_begin(L);
  double gflops;
  if (mn_product_peak(ctx, (size_t)order, single, &gflops) != MN_OK) return mn_lua_raise(L, ctx);
  lua_pushnumber(L, gflops);
  return mn_lua_finish(L, ctx, 1);
}

/* terminal([stream]) -> columns, rows of the terminal on "stdout" (default) or "stderr" (0, 0 when unknown); nil when
 * the stream is not a terminal */
static int terminal(lua_State *L)
{
  static const char *const streams[] = { "stdout", "stderr", NULL };
  const int stream = luaL_checkoption(L, 1, "stdout", streams);
#ifdef MN_HAS_TERMINAL
  const int fd = stream == 0 ? STDOUT_FILENO : STDERR_FILENO;
  struct winsize size = { 0 };
  if (isatty(fd)) {
    if (ioctl(fd, TIOCGWINSZ, &size) != 0) size.ws_col = size.ws_row = 0;
    lua_pushinteger(L, size.ws_col);
    lua_pushinteger(L, size.ws_row);
    return 2;
  }
#else
  (void)stream;
#endif
  lua_pushnil(L);
  return 1;
}

void mn_lua_open_special(lua_State *L)
{
  lua_newtable(L);
  for (const mn_special_function *f = mn_special_functions; f->name; f++) {
    lua_pushlightuserdata(L, (void *)f);
    lua_pushcclosure(L, special, 1);
    lua_setfield(L, -2, f->name);
  }
  lua_setfield(L, -2, "special");
  lua_pushcfunction(L, special_help);
  lua_setfield(L, -2, "special_help");
  lua_pushcfunction(L, about);
  lua_setfield(L, -2, "about");
  lua_pushcfunction(L, product_peak);
  lua_setfield(L, -2, "product_peak");
  lua_pushcfunction(L, terminal);
  lua_setfield(L, -2, "terminal");
}
