/* A host whose allocator fails. A script must then end in an error of Lua, leak nothing and leave existing values
 * unchanged.
 *
 *   failing_host SCRIPT [STEP]
 *
 * Functions for the script:
 *   fail_in_turn(f)      call f() with call n of the allocator and all later ones failing, for n = 1, 1 + STEP, ... until f
 *                        succeeds; then with only call n failing, upon which Lua runs a full collection and tries again;
 *                        then with calls n and n + 1 failing. Returns the number of permanent and of temporary failures.
 *   fail_from_call(f, n) call f() with call n of the allocator and all later ones failing. Returns the number of calls, and
 *                        the error message if it failed.
 *   collect_often(f, n)  call f() with a full collection at every n-th object that Lua allocates
 *   live()               allocated bytes after a full collection
 * Then opening a state and the library is tested likewise. Prints "points N", the number of failures, and "left 0", the
 * bytes that remain when all states are closed. */
#include <lauxlib.h>
#include <lualib.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_llong held, calls, fail_from = -1, fail_until = -1, points;
static long long step = 1, objects, collect_every;

/* For new objects Lua passes their type as the old size; size 0 may come from the library. When the allocation fails, Lua
 * runs a full collection and tries again. */
static int forces_collection(size_t old_size)
{
  return collect_every > 0 && old_size > 0 && ++objects % collect_every == 0;
}

static void *allocate(void *user, void *old, size_t old_size, size_t size)
{
  (void)user;
  if (size > (old ? old_size : 0) && forces_collection(old_size)) return NULL;
  if (!old) old_size = 0;
  if (size == 0) {
    atomic_fetch_sub(&held, (long long)old_size);
    free(old);
    return NULL;
  }
  if (size > old_size) {
    const long long call = atomic_fetch_add(&calls, 1);
    if (atomic_load(&fail_from) >= 0 && call >= atomic_load(&fail_from) && call < atomic_load(&fail_until)) return NULL;
  }
  void *block = realloc(old, size);
  if (block) atomic_fetch_add(&held, (long long)size - (long long)old_size);
  return block;
}

static void fail_calls(long long from, long long count)
{
  atomic_store(&calls, 0);
  atomic_store(&fail_from, from);
  atomic_store(&fail_until, from < 0 || count < 0 ? INT64_MAX : from + count);
}

static long long live_bytes(lua_State *L)
{
  lua_gc(L, LUA_GCCOLLECT);
  lua_gc(L, LUA_GCCOLLECT);
  return atomic_load(&held);
}

static int live(lua_State *L)
{
  lua_pushinteger(L, live_bytes(L));
  return 1;
}

/* Call the function at 1 with failing allocations. Returns 1 when it makes no more than `from` of them, else 0. Raises for
 * another error. */
static int try(lua_State *L, long long from, long long count)
{
  lua_pushvalue(L, 1);
  lua_checkstack(L, LUA_MINSTACK);
  fail_calls(from, count);
  const int status = lua_pcall(L, 0, 0, 0);
  const long long requests = atomic_load(&calls);
  fail_calls(-1, 0);
  if (status == LUA_OK) return requests <= from; /* Lua can do without some, such as a larger string table */
  atomic_fetch_add(&points, 1);
  const char *text = luaL_tolstring(L, -1, NULL);
  if (!strstr(text, "not enough memory")) luaL_error(L, "call %d fails with: %s", (int)from + 1, text);
  lua_pop(L, 2);
  return 0;
}

static int fail_in_turn(lua_State *L)
{
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_settop(L, 1);
  const long long before_points = atomic_load(&points);
  for (long long n = 0; !try(L, n, -1); n += step) continue;
  const long long failed = atomic_load(&points) - before_points;
  long long forced = 0;
  for (long long count = 1; count <= 2; count++)
    for (long long n = 0; !try(L, n, count); n += count > 1 && step > 1 ? 5 * step : step) forced++;
  atomic_fetch_add(&points, forced);
  lua_pushinteger(L, failed);
  lua_pushinteger(L, forced);
  return 2;
}

static int fail_from_call(lua_State *L)
{
  const long long from = luaL_checkinteger(L, 2);
  lua_settop(L, 1);
  fail_calls(from, -1);
  const int status = lua_pcall(L, 0, 0, 0);
  const long long requests = atomic_load(&calls);
  fail_calls(-1, 0);
  lua_pushinteger(L, requests);
  if (status == LUA_OK) return 1;
  lua_insert(L, -2);
  return 2;
}

static int collect_often(lua_State *L)
{
  lua_settop(L, 2);
  objects = 0;
  collect_every = luaL_checkinteger(L, 2) + 1; /* the second attempt counts too */
  lua_pushvalue(L, 1);
  const int status = lua_pcall(L, 0, 0, 0);
  collect_every = 0;
  if (status != LUA_OK) return lua_error(L);
  lua_pushinteger(L, objects);
  return 1;
}

static int open_all(lua_State *L)
{
  luaL_openlibs(L);
  lua_register(L, "fail_in_turn", fail_in_turn);
  lua_register(L, "fail_from_call", fail_from_call);
  lua_register(L, "collect_often", collect_often);
  lua_register(L, "live", live);
  if (luaL_loadfile(L, lua_touserdata(L, 1)) != LUA_OK) lua_error(L);
  lua_call(L, 0, 0);
  return 0;
}

static int require_all(lua_State *L)
{
  luaL_openlibs(L);
  if (luaL_loadstring(L, "local ml = require 'manilius' ml.Ridge{}:fit({ {1}, {2}, {4} }, { 1, 2, 4 })") != LUA_OK)
    lua_error(L);
  lua_call(L, 0, 0);
  return 0;
}

/* Open, use and close a state with allocations failing from `from` on. Returns 1 when all succeed. */
static int run_state(long long from)
{
  fail_calls(from, -1);
  lua_State *L = lua_newstate(allocate, NULL);
  int done = 0;
  if (L) {
    lua_pushcfunction(L, require_all);
    done = lua_pcall(L, 0, 0, 0) == LUA_OK;
    if (!done && !strstr(lua_tostring(L, -1), "not enough memory")) {
      fprintf(stderr, "opening, call %lld: %s\n", from, lua_tostring(L, -1));
      exit(1);
    }
    lua_close(L);
  }
  fail_calls(-1, 0);
  atomic_fetch_add(&points, !done);
  if (atomic_load(&held) != 0) {
    fprintf(stderr, "opening, call %lld: %lld bytes are leaked\n", from, atomic_load(&held));
    exit(1);
  }
  return done;
}

int main(int argc, char **argv)
{
  if (argc < 2) return 2;
  if (argc > 2) step = atoll(argv[2]);
  lua_State *L = lua_newstate(allocate, NULL);
  if (!L) return 2;
  lua_pushcfunction(L, open_all);
  lua_pushlightuserdata(L, argv[1]);
  const int status = lua_pcall(L, 1, 0, 0);
  if (status != LUA_OK) fprintf(stderr, "%s\n", lua_tostring(L, -1));
  lua_close(L);
  if (status != LUA_OK) return 1;
  printf("left %lld\n", atomic_load(&held));
  fflush(stdout);
  for (long long n = 0; !run_state(n); n += step > 1 ? step * 29 : 1) continue;
  printf("points %lld\n", atomic_load(&points));
  return 0;
}
