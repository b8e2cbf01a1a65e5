#include "kinds.h"
int mn_lua_show_matrix(lua_State *L)
{
  const mn_lua_matrix *m = mn_lua_need_matrix(L, 1);
  lua_pushfstring(L, "Matrix %I x %I", (lua_Integer)m->rows, (lua_Integer)m->cols);
  return 1;
}
int mn_lua_show_vector(lua_State *L)
{
  lua_pushfstring(L, "Vector of %I", (lua_Integer)mn_lua_need_vector(L, 1)->size);
  return 1;
}
int mn_lua_show_factor(lua_State *L)
{
  lua_pushfstring(L, "Factor of %I", (lua_Integer)mn_lua_need_factor(L, 1)->size);
  return 1;
}
int mn_lua_show_sparse(lua_State *L)
{
  lua_pushfstring(L, "Sparse");
  return 1;
}
int mn_lua_no_concat(lua_State *L)
{
  return luaL_error(L, "a %s cannot be joined to text; use tostring", mn_lua_type_name(L, mn_lua_kind_of(L, 1) ? 1 : 2));
}
