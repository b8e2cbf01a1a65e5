#include "userdata.h"
#include "../../core/nearest_name.h"
#include <string.h>

static const char *const names[MN_LUA_KIND_COUNT] = { "no value", "Matrix", "Vector", "Factor", "Sparse" };
static const char *const registered[MN_LUA_KIND_COUNT][2] = {
  { NULL, NULL },
  { "manilius.Matrix.view", "manilius.Matrix" },
  { "manilius.Vector.view", "manilius.Vector" },
  { "manilius.Factor.view", "manilius.Factor" },
  { "manilius.Sparse.view", "manilius.Sparse" },
};

/* The addresses are keys: of the kind in a metatable, of the metatables and members in the registry. */
static const char kind_key = 'k';
static const char metatable_key[MN_LUA_KIND_COUNT][2];
static const char members_key[MN_LUA_KIND_COUNT];

/* Push the table of members: methods by name, properties as their position in the list. */
static void push_members(lua_State *L, const luaL_Reg *const *methods, const char *const *properties)
{
  lua_newtable(L);
  for (; *methods; methods++)
    for (const luaL_Reg *m = *methods; m->name; m++) {
      lua_pushvalue(L, -1);
      lua_pushcclosure(L, m->func, 1);
      lua_setfield(L, -2, m->name);
    }
  for (int i = 0; properties[i]; i++) {
    lua_pushinteger(L, i);
    lua_setfield(L, -2, properties[i]);
  }
}

/* Put the methods into package.loaded as "manilius.Matrix", ...: error messages of Lua search it for the name of a
 * function that was not called by name, as in pcall(X.row, X, 0). */
static void name_methods(lua_State *L, mn_lua_kind kind, const luaL_Reg *const *methods)
{
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  luaL_getsubtable(L, -1, registered[kind][true]);
  for (; *methods; methods++)
    for (const luaL_Reg *m = *methods; m->name; m++) {
      lua_getfield(L, -3, m->name);
      lua_setfield(L, -2, m->name);
    }
  lua_pop(L, 2);
}

void mn_lua_define_metatables(lua_State *L, mn_lua_kind kind, const luaL_Reg *metamethods,
                              const luaL_Reg *const *methods, const char *const *properties, lua_CFunction gc)
{
  push_members(L, methods, properties);
  name_methods(L, kind, methods);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &members_key[kind]);
  for (int owns = 0; owns <= 1; owns++) {
    luaL_newmetatable(L, registered[kind][owns]);
    lua_pushstring(L, names[kind]);
    lua_pushvalue(L, -1);
    lua_setfield(L, -3, "__name");
    lua_setfield(L, -2, "__metatable"); /* scripts must not reach __gc */
    lua_pushvalue(L, -2);
    luaL_setfuncs(L, metamethods, 1);
    if (owns) {
      lua_pushcfunction(L, gc);
      lua_setfield(L, -2, "__gc");
    }
    lua_pushinteger(L, kind);
    lua_rawsetp(L, -2, &kind_key);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &metatable_key[kind][owns]);
  }
  lua_pop(L, 1);
}

void mn_lua_define_private_class(lua_State *L, const char *name, const luaL_Reg *methods, lua_CFunction gc)
{
  luaL_newmetatable(L, name);
  if (gc) {
    lua_pushcfunction(L, gc);
    lua_setfield(L, -2, "__gc");
  }
  lua_newtable(L);
  luaL_setfuncs(L, methods, 0);
  lua_setfield(L, -2, "__index");
  lua_pushliteral(L, "private");
  lua_setfield(L, -2, "__metatable");
  lua_pop(L, 1);
}

/* member_names(kind) -> table from the name of a method to "method", of a property to "property" */
int mn_lua_member_names(lua_State *L)
{
  static const char *const known[] = { "no value", "Matrix", "Vector", "Factor", "Sparse", NULL };
  lua_rawgetp(L, LUA_REGISTRYINDEX, &members_key[luaL_checkoption(L, 1, NULL, known)]);
  lua_newtable(L);
  if (!lua_istable(L, -2)) return 1;
  for (lua_pushnil(L); lua_next(L, -3);) {
    lua_pushstring(L, lua_isfunction(L, -1) ? "method" : "property");
    lua_replace(L, -2);
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, -4);
  }
  return 1;
}

void mn_lua_set_metatable(lua_State *L, mn_lua_kind kind, bool owns)
{
  lua_rawgetp(L, LUA_REGISTRYINDEX, &metatable_key[kind][owns]);
  lua_setmetatable(L, -2);
}

mn_lua_kind mn_lua_userdata_kind(lua_State *L, int arg)
{
  if (lua_type(L, arg) != LUA_TUSERDATA || !lua_getmetatable(L, arg)) return MN_LUA_NONE;
  lua_rawgetp(L, -1, &kind_key);
  const mn_lua_kind kind = (mn_lua_kind)lua_tointeger(L, -1);
  lua_pop(L, 2);
  return kind;
}

int mn_lua_push_pairs(lua_State *L, lua_CFunction next)
{
  lua_pushcfunction(L, next);
  lua_pushvalue(L, 1);
  lua_pushinteger(L, 0);
  return 3;
}

bool mn_lua_push_next(lua_State *L, size_t size, size_t *i)
{
  const lua_Integer before = luaL_checkinteger(L, 2);
  if (before < 0 || (size_t)before >= size) return false;
  lua_pushinteger(L, before + 1);
  *i = (size_t)before;
  return true;
}

const char *mn_lua_type_name(lua_State *L, int arg)
{
  const mn_lua_kind kind = mn_lua_userdata_kind(L, arg);
  return kind != MN_LUA_NONE ? names[kind] : luaL_typename(L, arg);
}

static int no_member_error(lua_State *L, mn_lua_kind kind)
{
  enum { MAX_KNOWN = 256 };
  const char *known[MAX_KNOWN];
  size_t n = 0;
  const char *name = lua_tostring(L, 2);
  lua_pushnil(L);
  while (lua_next(L, lua_upvalueindex(1)) && n < MAX_KNOWN) {
    known[n++] = lua_tostring(L, -2); /* the table keeps it alive */
    lua_pop(L, 1);
  }
  const char *near = mn_nearest_name(name, known, n);
  if (near) return luaL_error(L, "%s has no '%s'; did you mean '%s'?", names[kind], name, near);
  return luaL_error(L, "%s has no '%s'", names[kind], name);
}

int mn_lua_push_member(lua_State *L, mn_lua_kind kind)
{
  if (lua_type(L, 2) != LUA_TSTRING)
    luaL_error(L, "%s: an index must be a whole number or a name, got %s", names[kind], mn_lua_type_name(L, 2));
  lua_pushvalue(L, 2);
  switch (lua_rawget(L, lua_upvalueindex(1))) {
  case LUA_TFUNCTION: return -1;
  case LUA_TNUMBER: return (int)lua_tointeger(L, -1);
  default: return no_member_error(L, kind);
  }
}

const bool *mn_lua_anchor_owner(lua_State *L, int index)
{
  if (lua_getiuservalue(L, index, 1) != LUA_TUSERDATA) {
    lua_pop(L, 1);
    lua_pushvalue(L, index);
  }
  const mn_lua_matrix *m = mn_lua_test_matrix(L, -1);
  const mn_lua_vector *v = mn_lua_test_vector(L, -1);
  lua_setiuservalue(L, -2, 1);
  return m ? &m->released : v ? &v->released : NULL;
}

void *mn_lua_alloc(lua_State *L, size_t size, size_t rows, size_t cols)
{
  mn_context *ctx = mn_lua_current_context(L);
  mn_memory *memory = mn_context_memory(ctx);
  size_t bytes;
  void *block = NULL;
  if (mn_checked_size(size, rows, cols, &bytes)) {
    block = mn_alloc(memory, bytes);
    if (!block && mn_lua_collect(L)) block = mn_alloc(memory, bytes);
  }
  if (!block) {
    mn_clear(ctx);
    mn_fail(ctx, MN_NO_MEMORY, "not enough memory for %zu x %zu values of %zu bytes", rows, cols, size);
    mn_lua_raise(L, ctx);
  }
  return block;
}

void mn_lua_init_sparse(lua_State *L, mn_csr *s, size_t rows, size_t cols, size_t nonzeros)
{
  mn_context *ctx = mn_lua_current_context(L);
  if (mn_csr_init(ctx, s, rows, cols, nonzeros) != MN_OK) {
    if (!mn_lua_collect(L)) mn_lua_raise(L, ctx);
    mn_clear(ctx);
    if (mn_csr_init(ctx, s, rows, cols, nonzeros) != MN_OK) mn_lua_raise(L, ctx);
  }
  mn_lua_charge(L, rows * sizeof *s->start + nonzeros * (sizeof *s->col + sizeof *s->at));
}
