/* Runs a Lua script in several Lua states concurrently, each in its own thread.
 *
 *   threads_host THREADS SCRIPT
 *
 * Prints the result of each, one per line. */
#include <lauxlib.h>
#include <lualib.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_THREADS = 64 };

struct run {
  const char *script;
  char *result;
  int failed;
};

static void *run_script(void *user)
{
  struct run *run = user;
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
  run->failed = luaL_dofile(L, run->script) != LUA_OK;
  run->result = strdup(luaL_tolstring(L, -1, NULL));
  lua_close(L);
  return NULL;
}

int main(int argc, char **argv)
{
  struct run run[MAX_THREADS];
  pthread_t thread[MAX_THREADS];
  int failed = 0;
  const int n = argc == 3 ? atoi(argv[1]) : 0;
  if (n < 1 || n > MAX_THREADS) return 2;
  for (int i = 0; i < n; i++) {
    run[i] = (struct run){ .script = argv[2] };
    if (pthread_create(&thread[i], NULL, run_script, &run[i]) != 0) return 2;
  }
  for (int i = 0; i < n; i++) {
    pthread_join(thread[i], NULL);
    printf("%s\n", run[i].result);
    failed |= run[i].failed;
    free(run[i].result);
  }
  return failed;
}
