/* luaopen_manilius: `require "manilius"` from the library itself, for hosts. It opens no file and needs neither the
 * package library nor a global `require`: the modules get their own. */
#include "embedded.h"
#include "../manilius.h"
#include "module.h"
#include <lauxlib.h>
#include <lua.h>
#include <string.h>

struct chunk_reader {
  const mn_lua_source *source;
  int next; /* part: 0 the prefix, 1 the text */
};

/* The modules call `require`, which a host may have removed, so theirs is the argument of the chunk. The prefix has no
 * line of its own, so line numbers in messages are right. */
static const char *read_chunk(lua_State *L, void *user, size_t *size)
{
  static const char prefix[] = "local require = ... ";
  struct chunk_reader *r = user;
  (void)L;
  if (r->next == 0) {
    r->next = 1;
    *size = sizeof prefix - 1;
    return prefix;
  }
  if (r->next == 1) {
    r->next = 2;
    *size = r->source->size;
    return (const char *)r->source->text;
  }
  *size = 0;
  return NULL;
}

static const mn_lua_source *find_source(const char *name)
{
  for (size_t i = 0; i < mn_lua_source_count; i++)
    if (strcmp(mn_lua_sources[i].name, name) == 0) return &mn_lua_sources[i];
  return NULL;
}

static int require_embedded(lua_State *L);

/* Load a module and push its value. */
static void load_module(lua_State *L, const char *name)
{
  if (strcmp(name, "manilius.core") == 0) {
    lua_pushcfunction(L, luaopen_manilius_core);
    lua_call(L, 0, 1);
    return;
  }
  const mn_lua_source *source = find_source(name);
  if (!source) luaL_error(L, "module '%s' is not part of manilius", name);
  struct chunk_reader reader = { .source = source };
  if (lua_load(L, read_chunk, &reader, source->chunk, "t") != LUA_OK) lua_error(L);
  lua_pushcfunction(L, require_embedded);
  lua_call(L, 1, 1);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    lua_pushboolean(L, 1);
  }
}

/* require(name): a module that is loaded already, of manilius or of the host, or one of manilius. */
static int require_embedded(lua_State *L)
{
  const char *name = luaL_checkstring(L, 1);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  if (lua_getfield(L, 2, name) != LUA_TNIL) return 1;
  lua_pop(L, 1);
  load_module(L, name);
  lua_pushvalue(L, -1);
  lua_setfield(L, 2, name);
  return 1;
}

/* For package.preload, so that the `require` of the host works too. */
static int preload(lua_State *L)
{
  load_module(L, luaL_checkstring(L, 1));
  return 1;
}

int luaopen_manilius(lua_State *L)
{
  luaL_checkversion(L);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
  for (size_t i = 0; i < mn_lua_source_count; i++) {
    lua_pushcfunction(L, preload);
    lua_setfield(L, -2, mn_lua_sources[i].name);
  }
  lua_pushcfunction(L, preload);
  lua_setfield(L, -2, "manilius.core");
  lua_pop(L, 1);
  lua_pushcfunction(L, require_embedded);
  lua_pushliteral(L, "manilius");
  lua_call(L, 1, 1);
  return 1;
}
