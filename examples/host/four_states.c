/* Four threads with a Lua state each fit at the same time and get the same model. */
#include <lauxlib.h>
#include <lualib.h>
#include <manilius.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 4 };

static const char script[] = "local ml = ...\n"
                             "local X = ml.normal(2000, 8, 1)\n"
                             "local model = ml.KMeans{ n_clusters = 5, seed = 3 }:fit(X)\n"
                             "return ('%.12g after %d rounds'):format(model.inertia, model.n_iter)\n";

struct job {
  pthread_t thread;
  char result[200];
};

static void *fit(void *user)
{
  struct job *job = user;
  lua_State *L = luaL_newstate();
  if (!L) return NULL;
  luaL_openlibs(L);
  int status = luaL_loadstring(L, script);
  if (status == LUA_OK) {
    luaL_requiref(L, "manilius", luaopen_manilius, 0);
    status = lua_pcall(L, 1, 1, 0);
  }
  snprintf(job->result, sizeof job->result, "%s%s", status == LUA_OK ? "" : "failed: ", lua_tostring(L, -1));
  lua_close(L);
  return NULL;
}

int main(void)
{
  struct job job[THREADS] = { 0 };
  int started = 0, same = 1;
  while (started < THREADS && pthread_create(&job[started].thread, NULL, fit, &job[started]) == 0) started++;
  for (int i = 0; i < started; i++) pthread_join(job[i].thread, NULL);
  for (int i = 0; i < started; i++) {
    printf("state %d: %s\n", i + 1, job[i].result);
    same = same && strcmp(job[i].result, job[0].result) == 0;
  }
  return started < THREADS || !same || strncmp(job[0].result, "failed", 6) == 0;
}
