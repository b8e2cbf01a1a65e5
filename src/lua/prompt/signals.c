/* The only C with signal handlers and state outside a Lua state: both belong to the process that runs the prompt.
 *
 * As in lua.c, the handler of SIGINT sets a hook that raises the error; operations of the library look for this hook.
 * Unlike lua.c, the handler stays installed, and it sets the hook in all coroutines that are running, too. */
#include "signals.h"
#include <lauxlib.h>
#include <signal.h>
#include <sys/select.h>
#include <unistd.h>

/* A coroutine that is running, and the one that has resumed it. */
struct resumed {
  lua_State *coroutine;
  struct resumed *caller;
};

static lua_State *main_state;
static struct resumed *volatile innermost;
static volatile sig_atomic_t running, idle_interrupt, resized, continued;

/* --- Ctrl-C --- */

static void raise_interrupted(lua_State *L, lua_Debug *ar)
{
  (void)ar;
  lua_sethook(L, NULL, 0, 0);
  luaL_error(L, "interrupted!");
}

static void set_hook(lua_State *L)
{
  lua_sethook(L, raise_interrupted, LUA_MASKCALL | LUA_MASKRET | LUA_MASKLINE | LUA_MASKCOUNT, 1);
}

static void clear_hook(lua_State *L)
{
  if (lua_gethook(L) == raise_interrupted) lua_sethook(L, NULL, 0, 0);
}

static void on_interrupt(int number)
{
  (void)number;
  if (!running) {
    idle_interrupt = 1;
    return;
  }
  set_hook(main_state);
  for (const struct resumed *r = innermost; r; r = r->caller) set_hook(r->coroutine);
}

/* SIGINT is blocked between the check and the wait, so that none is missed. */
enum mn_input mn_interrupt_wait(void)
{
  sigset_t interrupt, mask;
  fd_set input;
  enum mn_input result = MN_INTERRUPTED;
  FD_ZERO(&input);
  FD_SET(STDIN_FILENO, &input);
  sigemptyset(&interrupt);
  sigaddset(&interrupt, SIGINT);
  sigprocmask(SIG_BLOCK, &interrupt, &mask);
  if (!idle_interrupt) result = pselect(STDIN_FILENO + 1, &input, NULL, NULL, NULL, &mask) > 0 ? MN_INPUT : MN_NO_INPUT;
  sigprocmask(SIG_SETMASK, &mask, NULL);
  if (idle_interrupt) result = MN_INTERRUPTED;
  idle_interrupt = 0;
  return result;
}

/* --- the terminal --- */

static void on_resize(int number)
{
  (void)number;
  resized = 1;
}

static void on_continue(int number)
{
  (void)number;
  continued = 1;
}

void mn_watch_terminal(bool on)
{
  static struct sigaction before[2];
  struct sigaction resize = { .sa_handler = on_resize }, resume = { .sa_handler = on_continue };
  sigemptyset(&resize.sa_mask);
  sigemptyset(&resume.sa_mask);
  if (on) {
    sigaction(SIGWINCH, &resize, &before[0]);
    sigaction(SIGCONT, &resume, &before[1]);
  } else {
    sigaction(SIGWINCH, &before[0], NULL);
    sigaction(SIGCONT, &before[1], NULL);
  }
}

struct mn_terminal_signals mn_terminal_signals(void)
{
  const struct mn_terminal_signals seen = { .resized = resized, .continued = continued };
  resized = continued = 0;
  return seen;
}

/* --- functions of the module --- */

/* wait() -> whether Ctrl-C was pressed before there was a line to read */
static int wait(lua_State *L)
{
  enum mn_input input;
  do input = mn_interrupt_wait();
  while (input == MN_NO_INPUT);
  lua_pushboolean(L, input == MN_INTERRUPTED);
  return 1;
}

/* catch_interrupts(): handle Ctrl-C from now on. Reads are not restarted, so that io.read ends. */
static int catch_interrupts(lua_State *L)
{
  struct sigaction action = { .sa_handler = on_interrupt };
  sigemptyset(&action.sa_mask);
  lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_MAINTHREAD);
  main_state = lua_tothread(L, -1);
  sigaction(SIGINT, &action, NULL);
  return 0;
}

/* call(function, message_handler, ...): like xpcall, but Ctrl-C interrupts the function. */
static int call(lua_State *L)
{
  luaL_checktype(L, 1, LUA_TFUNCTION);
  luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_pushvalue(L, 2);
  lua_remove(L, 2);
  lua_pushboolean(L, 1); /* the first result */
  lua_rotate(L, 1, 2);   /* message handler, true, function, arguments */
  running = 1;
  const int status = lua_pcall(L, lua_gettop(L) - 3, LUA_MULTRET, 1);
  running = 0;
  innermost = NULL;
  clear_hook(L);
  if (status != LUA_OK) {
    lua_pushboolean(L, 0);
    lua_replace(L, 2);
  }
  return lua_gettop(L) - 1;
}

/* resume(coroutine, ...): coroutine.resume, which is the upvalue, for a coroutine that Ctrl-C interrupts. */
static int resume(lua_State *L)
{
  luaL_checktype(L, 1, LUA_TTHREAD);
  struct resumed here = { .coroutine = lua_tothread(L, 1), .caller = innermost };
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  innermost = &here;
  const int status = lua_pcall(L, lua_gettop(L) - 1, LUA_MULTRET, 0);
  innermost = here.caller;
  clear_hook(here.coroutine);
  return status == LUA_OK ? lua_gettop(L) : lua_error(L);
}

void mn_signals_open(lua_State *L)
{
  static const luaL_Reg functions[] = {
    { "catch_interrupts", catch_interrupts }, { "call", call }, { "wait", wait }, { NULL, NULL }
  };
  luaL_setfuncs(L, functions, 0);
  lua_getglobal(L, "coroutine");
  lua_getfield(L, -1, "resume");
  lua_remove(L, -2);
  lua_pushcclosure(L, resume, 1);
  lua_setfield(L, -2, "resume");
}
