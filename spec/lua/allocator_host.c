/* A host whose allocator is not thread-safe, and whose timer runs Lua code in the middle of calls.
 *
 *   allocator_host SCRIPT
 *
 * Every 2 ms a hook calls the function `busy` of the script, as Ctrl-C does in lua.c. Prints the number of calls ("hooks
 * 12") and how often a thread entered the allocator while another was in it ("clashes 0"). */
#include <lauxlib.h>
#include <lualib.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

static atomic_int inside, clashes, hooks;
static lua_State *state;

static void *allocate(void *user, void *old, size_t old_size, size_t size)
{
  (void)user;
  (void)old_size;
  void *block = NULL;
  if (atomic_fetch_add(&inside, 1) != 0) atomic_fetch_add(&clashes, 1);
  for (volatile int i = 0; i < 100; i++) continue; /* a slow allocator makes clashes more likely */
  if (size > 0)
    block = realloc(old, size);
  else
    free(old);
  atomic_fetch_sub(&inside, 1);
  return block;
}

static void run_busy(lua_State *L, lua_Debug *where)
{
  (void)where;
  lua_sethook(L, NULL, 0, 0);
  atomic_fetch_add(&hooks, 1);
  lua_getglobal(L, "busy");
  lua_call(L, 0, 0);
}

static void on_alarm(int signal)
{
  (void)signal;
  lua_sethook(state, run_busy, LUA_MASKCALL | LUA_MASKRET | LUA_MASKLINE | LUA_MASKCOUNT, 1);
}

int main(int argc, char **argv)
{
  const struct itimerval every = { .it_interval = { .tv_usec = 2000 }, .it_value = { .tv_usec = 2000 } }, never = { 0 };
  if (argc != 2) return 2;
  state = lua_newstate(allocate, NULL);
  if (!state) return 2;
  luaL_openlibs(state);
  if (luaL_loadfile(state, argv[1]) != LUA_OK || lua_pcall(state, 0, 1, 0) != LUA_OK) {
    fprintf(stderr, "%s\n", lua_tostring(state, -1));
    return 1;
  }
  struct sigaction action = { .sa_handler = on_alarm, .sa_flags = SA_RESTART };
  sigaction(SIGALRM, &action, NULL);
  setitimer(ITIMER_REAL, &every, NULL); /* the script has returned a function */
  const int status = lua_pcall(state, 0, 0, 0);
  setitimer(ITIMER_REAL, &never, NULL);
  if (status != LUA_OK) fprintf(stderr, "%s\n", lua_tostring(state, -1));
  lua_sethook(state, NULL, 0, 0);
  lua_close(state);
  printf("hooks %d\nclashes %d\n", atomic_load(&hooks), atomic_load(&clashes));
  return status != LUA_OK;
}
