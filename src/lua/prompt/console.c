/* The Lua module manilius.console: what the program `manilius` needs of the terminal and the operating system. It is a
 * library of its own, because its signal handler and its terminal belong to a process and not to a Lua state. */
#include "editor.h"
#include "signals.h"
#include <lauxlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* make_directory(path): create a directory that only the user can read, unless it exists */
static int make_directory(lua_State *L)
{
  mkdir(luaL_checkstring(L, 1), S_IRWXU);
  return 0;
}

/* is_terminal() -> whether standard input is a terminal */
static int is_terminal(lua_State *L)
{
  lua_pushboolean(L, isatty(STDIN_FILENO));
  return 1;
}

__attribute__((visibility("default"))) int luaopen_manilius_console(lua_State *L);

int luaopen_manilius_console(lua_State *L)
{
  static const luaL_Reg functions[] = { { "make_directory", make_directory },
                                        { "is_terminal", is_terminal },
                                        { NULL, NULL } };
  luaL_newlib(L, functions);
  mn_signals_open(L);
  mn_editor_open(L);
  return 1;
}
