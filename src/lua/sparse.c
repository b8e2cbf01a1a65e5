/* The userdata Sparse: compressed rows. */
#include "kinds.h"

mn_csr *mn_lua_push_sparse(lua_State *L)
{
  mn_csr *s = lua_newuserdatauv(L, sizeof *s, 0);
  *s = (mn_csr){ 0 };
  mn_lua_set_kind(L, MN_SPARSE, true);
  return s;
}

mn_csr *mn_lua_test_sparse(lua_State *L, int arg)
{
  return mn_lua_kind_of(L, arg) == MN_SPARSE ? lua_touserdata(L, arg) : NULL;
}

static void release(lua_State *L, bool by_collector)
{
  mn_csr *s = mn_lua_test_sparse(L, 1);
  mn_memory *memory = mn_lua_memory(L);
  if (s && memory && (by_collector || !mn_lua_running(L))) mn_csr_free(memory, s);
}

static int sparse_gc(lua_State *L)
{
  release(L, true);
  return 0;
}

static int sparse_close(lua_State *L)
{
  release(L, false);
  return 0;
}

void mn_lua_define_sparse(lua_State *L)
{
  static const luaL_Reg metamethods[] = { { "__close", sparse_close }, { NULL, NULL } };
  static const luaL_Reg access[] = { { NULL, NULL } };
  static const char *const properties[] = { "rows", "cols", "nnz", NULL };
  const luaL_Reg *const methods[] = { access, NULL };
  mn_lua_define(L, MN_SPARSE, metamethods, methods, properties, sparse_gc);
}
int mn_lua_sparse_mul(lua_State *L)
{
  return luaL_error(L, "later");
}
