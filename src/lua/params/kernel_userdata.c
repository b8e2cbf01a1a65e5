#include "kernel_userdata.h"
#include "../values/userdata.h"
#include "kernel_function.h"

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

const mn_kernel *mn_lua_check_kernel(lua_State *L, int arg)
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

void mn_lua_define_kernel(lua_State *L)
{
  mn_lua_new_gc_metatable(L, KERNEL, kernel_gc);
  luaL_getmetatable(L, KERNEL);
  lua_pushliteral(L, "Kernel");
  lua_setfield(L, -2, "__name");
  lua_pushliteral(L, KERNEL);
  lua_setfield(L, -2, "__metatable"); /* scripts must not reach __gc */
}
