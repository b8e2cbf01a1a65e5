/* A host that runs an untrusted script with manilius: memory and instructions are limited, and io, os, debug, package
 * and load are not available.
 *
 *   ./sandbox script.lua [MEGABYTES [MILLIONS OF INSTRUCTIONS]] */
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <manilius.h>
#include <stdio.h>
#include <stdlib.h>

struct budget {
  size_t used, limit;
};

/* Lua and manilius both allocate here, so one limit covers them. */
static void *limited(void *user, void *block, size_t old_size, size_t size)
{
  struct budget *b = user;
  const size_t held = block ? old_size : 0;
  if (size == 0) {
    free(block);
    b->used -= held;
    return NULL;
  }
  if (size > held && size - held > b->limit - b->used) return NULL;
  void *made = realloc(block, size);
  if (made) b->used += size - held;
  return made;
}

static void too_long(lua_State *L, lua_Debug *where)
{
  (void)where;
  luaL_error(L, "the script exceeded its limit of instructions");
}

static void open_sandbox(lua_State *L)
{
  static const luaL_Reg libraries[] = { { "_G", luaopen_base },
                                        { LUA_TABLIBNAME, luaopen_table },
                                        { LUA_STRLIBNAME, luaopen_string },
                                        { LUA_MATHLIBNAME, luaopen_math },
                                        { LUA_COLIBNAME, luaopen_coroutine },
                                        { LUA_UTF8LIBNAME, luaopen_utf8 },
                                        { NULL, NULL } };
  static const char *const unsafe[] = { "load", "loadfile", "dofile", "collectgarbage", NULL };
  for (const luaL_Reg *l = libraries; l->name; l++) {
    luaL_requiref(L, l->name, l->func, 1);
    lua_pop(L, 1);
  }
  for (const char *const *name = unsafe; *name; name++) {
    lua_pushnil(L);
    lua_setglobal(L, *name);
  }
  luaL_requiref(L, "manilius", luaopen_manilius, 0);
  lua_setglobal(L, "ml");
}

/* In protected mode, since opening libraries may run out of memory, too. */
static int run(lua_State *L)
{
  const char *script = lua_touserdata(L, 1);
  const int instructions = (int)lua_tointeger(L, 2);
  open_sandbox(L);
  if (luaL_loadfilex(L, script, "t") != LUA_OK) return lua_error(L);
  lua_sethook(L, too_long, LUA_MASKCOUNT, instructions);
  lua_call(L, 0, 0);
  return 0;
}

int main(int count, char **argument)
{
  struct budget budget = { .limit = (count > 2 ? strtoul(argument[2], NULL, 10) : 64) << 20 };
  if (count < 2) {
    fprintf(stderr, "usage: sandbox SCRIPT [MEGABYTES [MILLIONS]]\n");
    return 2;
  }
  lua_State *L = lua_newstate(limited, &budget);
  if (!L) return 1;
  lua_pushcfunction(L, run);
  lua_pushlightuserdata(L, argument[1]);
  lua_pushinteger(L, (count > 3 ? strtol(argument[3], NULL, 10) : 100) * 1000000);
  const int failed = lua_pcall(L, 2, 0, 0) != LUA_OK;
  if (failed) fprintf(stderr, "%s\n", lua_tostring(L, -1));
  lua_close(L);
  if (budget.used > 0) fprintf(stderr, "%zu bytes were not freed\n", budget.used);
  return failed || budget.used > 0;
}
