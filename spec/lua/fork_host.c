/* Runs a Lua script that may fork: fork() returns 0 in the child, join() waits for the child in the parent. */
#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static int fork_(lua_State *L)
{
  fflush(NULL);
  lua_pushinteger(L, fork());
  return 1;
}

static int join(lua_State *L)
{
  int status;
  lua_pushboolean(L, wait(&status) > 0 && status == 0);
  return 1;
}

int main(int argc, char **argv)
{
  lua_State *L = luaL_newstate();
  if (argc != 2 || !L) return 2;
  luaL_openlibs(L);
  lua_register(L, "fork", fork_);
  lua_register(L, "join", join);
  const int status = luaL_dofile(L, argv[1]);
  if (status != LUA_OK) fprintf(stderr, "%s\n", lua_tostring(L, -1));
  lua_close(L);
  return status != LUA_OK;
}
