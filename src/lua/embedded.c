/* luaopen_manilius: the whole of `require "manilius"` out of the library, for hosts. No file is opened, and neither the
 * package library nor a global `require` is needed: the modules are given one of their own. */
#include "embedded.h"
#include "../manilius.h"
#include "module.h"
#include <lauxlib.h>
#include <lua.h>
#include <string.h>

struct piece {
  const mn_lua_source *source;
  int next;
};

/* The modules call `require`, which a host may have taken away: theirs is the argument of the chunk. Nothing is put on
 * a line of its own, so that messages keep their lines. */
static const char *read_piece(lua_State *L, void *user, size_t *size)
{
  static const char head[] = "local require = ... ";
  struct piece *p = user;
  (void)L;
  if (p->next == 0) {
    p->next = 1;
    *size = sizeof head - 1;
    return head;
  }
  if (p->next == 1) {
    p->next = 2;
    *size = p->source->size;
    return (const char *)p->source->text;
  }
  *size = 0;
  return NULL;
}

static const mn_lua_source *source_named(const char *name)
{
  for (size_t i = 0; i < mn_lua_source_count; i++)
    if (strcmp(mn_lua_sources[i].name, name) == 0) return &mn_lua_sources[i];
  return NULL;
}

static int require_embedded(lua_State *L);

/* The value of a module that has not been loaded yet, on the stack. */
static void load_module(lua_State *L, const char *name)
{
  if (strcmp(name, "manilius.core") == 0) {
    lua_pushcfunction(L, luaopen_manilius_core);
    lua_call(L, 0, 1);
    return;
  }
  const mn_lua_source *source = source_named(name);
  if (!source) luaL_error(L, "module '%s' is not a part of manilius", name);
  struct piece piece = { .source = source };
  if (lua_load(L, read_piece, &piece, source->chunk, "t") != LUA_OK) lua_error(L);
  lua_pushcfunction(L, require_embedded);
  lua_call(L, 1, 1);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    lua_pushboolean(L, 1);
  }
}

/* require(name): what is loaded already, of us or of the host, or one of our modules. */
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

/* For package.preload, so that the host's own `require "manilius.metrics"` works too. */
static int preloaded(lua_State *L)
{
  load_module(L, luaL_checkstring(L, 1));
  return 1;
}

int luaopen_manilius(lua_State *L)
{
  luaL_checkversion(L);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
  for (size_t i = 0; i < mn_lua_source_count; i++) {
    lua_pushcfunction(L, preloaded);
    lua_setfield(L, -2, mn_lua_sources[i].name);
  }
  lua_pushcfunction(L, preloaded);
  lua_setfield(L, -2, "manilius.core");
  lua_pop(L, 1);
  lua_pushcfunction(L, require_embedded);
  lua_pushliteral(L, "manilius");
  lua_call(L, 1, 1);
  return 1;
}
