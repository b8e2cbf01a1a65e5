/* The state of the library in a Lua state: a userdata in the registry that holds the memory account and the contexts.
 *
 * It is the first object of the library that gets a finalizer, so lua_close finalizes it last. A finalizer of the user
 * that runs even later finds no account: creating a value raises an error, freeing one does nothing. */
#include "state.h"
#include "../../core/threads.h"
#include "userdata.h"
#include <math.h>
#include <string.h>

enum { TEXT_SIZE = 512 };

static const char state_key = 's'; /* its address is the key in the registry */

/* NULL when the Lua state is closing. The registry keeps the state alive. */
static struct state *find_state(lua_State *L)
{
  lua_rawgetp(L, LUA_REGISTRYINDEX, &state_key);
  struct state *s = lua_touserdata(L, -1);
  lua_pop(L, 1);
  return s;
}

static struct state *check_state(lua_State *L)
{
  struct state *s = find_state(L);
  if (!s) luaL_error(L, "manilius: this Lua state is closing");
  return s;
}

int mn_lua_state_level(const struct operation *operation)
{
  return (int)(operation - operation->state->operation);
}

void mn_lua_state_set_slot(lua_State *L, int slot)
{
  lua_rawgetp(L, LUA_REGISTRYINDEX, &state_key);
  lua_insert(L, -2);
  lua_setiuservalue(L, -2, slot);
  lua_pop(L, 1);
}

void mn_lua_state_push_slot(lua_State *L, int slot)
{
  lua_rawgetp(L, LUA_REGISTRYINDEX, &state_key);
  lua_getiuservalue(L, -1, slot);
  lua_remove(L, -2);
}

void mn_lua_set_bar(lua_State *L)
{
  struct state *s = check_state(L);
  s->has_bar_function = !lua_isnil(L, -1);
  mn_lua_state_set_slot(L, BAR_FUNCTION);
}

static int close_state(lua_State *L)
{
  struct state *s = lua_touserdata(L, 1);
  if (find_state(L) == s) { /* else opening it has failed */
    lua_pushnil(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &state_key);
  }
  for (int level = 0; level < MAX_NESTED; level++) {
    mn_context_free(s->operation[level].ctx);
    s->operation[level].ctx = NULL;
  }
  mn_memory_free(s->memory);
  s->memory = NULL;
  return 0;
}

/* Lua code in the middle of an operation may close the state, with os.exit, while other threads work for
 * the operation. A guard lives as long as that code. Closing the state calls its __close before those of the variables
 * below it, and its __gc before those of older objects, which the operation may be using; in a coroutine, which it
 * keeps alive, only the latter. */
#define GUARD "manilius.Guard"

struct guard {
  bool armed;
};

static int guard_close(lua_State *L)
{
  struct guard *guard = lua_touserdata(L, 1);
  struct state *s = find_state(L);
  if (!guard->armed || !s) return 0;
  guard->armed = false;
  for (int level = 0; level < s->level; level++)
    if (s->operation[level].ctx) mn_cancel(s->operation[level].ctx);
  mn_parallel_abandon(s->memory);
  return 0;
}

static void define_guard(lua_State *L)
{
  mn_lua_new_gc_metatable(L, GUARD, guard_close);
  luaL_getmetatable(L, GUARD);
  lua_pushcfunction(L, guard_close);
  lua_setfield(L, -2, "__close");
  lua_pop(L, 1);
}

void mn_lua_open_state(lua_State *L)
{
  if (find_state(L)) return;
  void *user;
  const lua_Alloc allocator = lua_getallocf(L, &user);
  struct state *s = lua_newuserdatauv(L, sizeof *s, STATE_SLOTS);
  *s = (struct state){ 0 };
  for (int level = 0; level < MAX_NESTED; level++) s->operation[level].state = s;
  lua_createtable(L, 0, 2);
  lua_pushcfunction(L, close_state);
  lua_setfield(L, -2, "__gc");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, -2);
  if (luaL_loadstring(L, "") != LUA_OK) lua_error(L); /* a call of the empty function runs a pending hook */
  lua_setiuservalue(L, -2, EMPTY_FUNCTION);
  lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_MAINTHREAD);
  s->main = lua_tothread(L, -1);
  lua_pop(L, 1);
  s->memory = mn_memory_new(allocator, user);
  if (!s->memory) luaL_error(L, "manilius: not enough memory");
  lua_rawsetp(L, LUA_REGISTRYINDEX, &state_key);
  define_guard(L);
}

mn_memory *mn_lua_memory(lua_State *L)
{
  const struct state *s = find_state(L);
  return s ? s->memory : NULL;
}

/* Call the function at 1 with the arguments above it. An error passes the guard when it is disarmed. */
static int call_guarded(lua_State *L)
{
  struct guard *guard = lua_newuserdatauv(L, sizeof *guard, 1);
  guard->armed = false;
  luaL_setmetatable(L, GUARD);
  lua_pushthread(L);
  lua_setiuservalue(L, -2, 1);
  lua_insert(L, 1);
  lua_toclose(L, 1);
  guard->armed = true;
  const int status = lua_pcall(L, lua_gettop(L) - 2, 0, 0);
  guard->armed = false;
  return status == LUA_OK ? 0 : lua_error(L);
}

int mn_lua_state_pcall(struct state *s, lua_State *L, int arguments)
{
  s->level++;
  mn_memory_lock(s->memory);
  lua_pushcfunction(L, call_guarded); /* neither allocates nor raises */
  lua_insert(L, -2 - arguments);
  const int status = lua_pcall(L, arguments + 1, 0, 0);
  mn_memory_unlock(s->memory);
  s->level--;
  return status;
}

/* Contexts are created on first use. */
static void create_context(lua_State *L, struct operation *op)
{
  op->ctx = mn_context_new(op->state->memory, op->state->threads);
  if (!op->ctx) luaL_error(L, "manilius: not enough memory");
  mn_set_progress_callback(op->ctx, mn_lua_progress_callback, op);
}

static struct operation *current_operation(lua_State *L)
{
  struct state *s = check_state(L);
  struct operation *op = &s->operation[s->level];
  if (!op->ctx) create_context(L, op);
  return op;
}

static int do_nothing(lua_State *L)
{
  (void)L;
  return 0;
}

/* Make sure that a finalizer can be called. One that cannot be called for lack of memory is never called again, and its
 * object would keep its memory until the state closes. Lua keeps the record of the next deeper call (CallInfo) once it
 * exists, so an empty call creates it before anything is collected. False when there is no memory for it. Raises only
 * what a hook raises: the call runs a hook that Ctrl-C has just set, but not one of a debugger. */
static bool can_finalize(lua_State *L)
{
  if (lua_gethookmask(L) != 0) return true;
  if (!lua_checkstack(L, LUA_MINSTACK)) return false;
  lua_pushcfunction(L, do_nothing);
  const int status = lua_pcall(L, 0, 0, 0);
  if (status == LUA_OK) return true;
  if (status != LUA_ERRMEM) lua_error(L);
  lua_pop(L, 1);
  return false;
}

bool mn_lua_collect(lua_State *L)
{
  if (!lua_gc(L, LUA_GCISRUNNING) || !can_finalize(L)) return false;
  lua_gc(L, LUA_GCCOLLECT);
  return true;
}

mn_context *mn_lua_begin(lua_State *L)
{
  if (!can_finalize(L)) luaL_error(L, "manilius: not enough memory");
  struct operation *op = current_operation(L);
  if (L != op->state->main && mn_lua_is_interrupted(op->state->main)) luaL_error(L, "interrupted!");
  op->L = L;
  op->hook_mask = lua_gethookmask(op->state->main);
  op->raised = op->has_progress = false;
  op->active = true;
  op->start_time = mn_seconds();
  op->who = NULL;
  op->last.total = (double)NAN;
  mn_clear(op->ctx);
  mn_scratch_release(op->ctx, (mn_mark){ 0 });
  return op->ctx;
}

void mn_lua_check_interrupt(lua_State *L)
{
  lua_State *main = current_operation(L)->state->main;
  if (!mn_lua_is_interrupted(main)) return;
  if (L != main) luaL_error(L, "interrupted!");
  luaL_checkstack(L, 2, NULL);
  mn_lua_state_push_slot(L, EMPTY_FUNCTION);
  lua_call(L, 0, 0);
}

void mn_lua_zero(lua_State *L, void *at, size_t bytes)
{
  enum { PIECE = 1 << 23 };
  for (char *p = at; bytes > 0;) {
    const size_t size = bytes < PIECE ? bytes : PIECE;
    memset(p, 0, size);
    p += size;
    bytes -= size;
    if (bytes > 0) mn_lua_check_interrupt(L);
  }
}

mn_context *mn_lua_current_context(lua_State *L)
{
  return current_operation(L)->ctx;
}

/* In a finalizer lua_gc returns -1 (Lua 5.4.4 and later) or reports a stopped collector (earlier versions). */
bool mn_lua_in_finalizer(lua_State *L)
{
  const int running = lua_gc(L, LUA_GCISRUNNING);
  return running < 0 || (running == 0 && LUA_VERSION_RELEASE_NUM < 50404);
}

bool mn_lua_operation_running(lua_State *L)
{
  const struct state *s = find_state(L);
  return s && (s->level > 0 || s->operation[0].active || mn_lua_in_finalizer(L));
}

bool mn_lua_has_exclusive_access(lua_State *L)
{
  const struct state *s = find_state(L);
  return s && s->level == 0 && !mn_lua_in_finalizer(L);
}

/* Does not raise. */
static void clear_progress_function(lua_State *L, struct operation *op)
{
  if (!op->has_progress || !lua_checkstack(L, 2)) return;
  op->has_progress = false;
  lua_pushnil(L);
  mn_lua_state_set_slot(L, 2 * mn_lua_state_level(op) + 2);
}

struct operation *mn_lua_state_find_operation(lua_State *L, const mn_context *ctx)
{
  struct state *s = check_state(L);
  for (int level = 0; level < MAX_NESTED; level++)
    if (s->operation[level].ctx == ctx) return &s->operation[level];
  return NULL;
}

const mn_lua_state *mn_lua_state_of(lua_State *L)
{
  return check_state(L);
}

lua_State *mn_lua_operation_thread(const mn_lua_state *s, const mn_context *ctx)
{
  for (int level = 0; level < MAX_NESTED; level++)
    if (s->operation[level].ctx == ctx) return s->operation[level].L;
  return NULL;
}

void mn_lua_end(lua_State *L, mn_context *ctx)
{
  struct operation *op = mn_lua_state_find_operation(L, ctx);
  if (op) {
    op->active = false;
    clear_progress_function(L, op);
  }
  mn_scratch_release(ctx, (mn_mark){ 0 });
  if (op && op->has_bar) mn_lua_erase_bar(L, op); /* last, because it runs Lua */
}

int mn_lua_finish(lua_State *L, mn_context *ctx, int results)
{
  mn_lua_end(L, ctx);
  return results;
}

int mn_lua_raise(lua_State *L, mn_context *ctx)
{
  struct operation *op = mn_lua_state_find_operation(L, ctx);
  char text[TEXT_SIZE]; /* a copy: creating strings may run a finalizer that begins an operation in ctx */
  strncpy(text, mn_error_text(ctx), sizeof text - 1);
  text[sizeof text - 1] = '\0';
  mn_lua_end(L, ctx);
  if (op && op->raised) {
    const int slot = 2 * mn_lua_state_level(op) + 1;
    op->raised = false;
    mn_lua_state_push_slot(L, slot);
    lua_pushnil(L);
    mn_lua_state_set_slot(L, slot);
    return lua_error(L);
  }
  luaL_where(L, 1);
  lua_pushstring(L, text[0] ? text : "cancelled");
  lua_concat(L, 2);
  return lua_error(L);
}

bool mn_lua_call_protected(lua_State *L, mn_context *ctx, lua_CFunction body, void *user)
{
  struct operation *op = mn_lua_state_find_operation(L, ctx);
  struct state *s = op ? op->state : NULL;
  if (!s || s->level + 1 >= MAX_NESTED || !lua_checkstack(L, LUA_MINSTACK)) {
    mn_fail(ctx, MN_CANCELLED, "calls from C to Lua nested too deeply");
    return false;
  }
  lua_pushcfunction(L, body); /* neither this nor the next raises: light values, checked stack */
  lua_pushlightuserdata(L, user);
  const int status = mn_lua_state_pcall(s, L, 1);
  if (status == LUA_OK) return true;
  op->raised = true;
  mn_lua_state_set_slot(L, 2 * mn_lua_state_level(op) + 1);
  mn_fail(ctx, MN_CANCELLED, "a function called by the operation raised an error");
  return false;
}

/* Lua 5.4 counts kilobytes, Lua 5.5 bytes. 0 would force a basic step, so the caller skips small sizes. */
static void collector_step(lua_State *L, size_t bytes)
{
#if LUA_VERSION_NUM >= 505
  lua_gc(L, LUA_GCSTEP, bytes);
#else
  const size_t kilobytes = bytes >> 10;
  lua_gc(L, LUA_GCSTEP, kilobytes < (1 << 30) ? (int)kilobytes : 1 << 30);
#endif
}

/* A step would run even when the user has stopped the collector, hence the test.
 *
 * Steps are not enough in generational mode, which lua.c uses. In `local z = X + i` the variable holds the previous z
 * while the next one is created, so every z survives two young collections, becomes old, and is freed by full
 * collections only. Lua runs one when its own memory has doubled, but it sees only the handles of our memory. So run a
 * full collection when our memory has grown by half, and by at least what Lua itself holds and has to traverse. */
void mn_lua_charge(lua_State *L, size_t bytes)
{
  enum { MIN_GROWTH = 8 << 20 };
  struct state *s = find_state(L);
  if (bytes < 1024 || !s || !lua_gc(L, LUA_GCISRUNNING) || !can_finalize(L)) return;
  collector_step(L, bytes);
  const size_t live = mn_memory_usage(s->memory).live;
  if (live < s->live_before) s->live_before = live;
  const size_t lua_bytes = (size_t)lua_gc(L, LUA_GCCOUNT) << 10;
  size_t growth = s->live_before / 2 > MIN_GROWTH ? s->live_before / 2 : MIN_GROWTH;
  if (growth < lua_bytes) growth = lua_bytes;
  if (live - s->live_before <= growth) return;
  lua_gc(L, LUA_GCCOLLECT);
  s->live_before = mn_memory_usage(s->memory).live;
}

/* --- memory and threads --- */

static int memory_live(lua_State *L)
{
  mn_lua_end(L, mn_lua_begin(L));
  lua_pushinteger(L, (lua_Integer)mn_memory_usage(check_state(L)->memory).live);
  return 1;
}

static int memory_blocks(lua_State *L)
{
  mn_lua_end(L, mn_lua_begin(L));
  lua_pushinteger(L, (lua_Integer)mn_memory_usage(check_state(L)->memory).blocks);
  return 1;
}

/* peak([reset]) -> maximum number of bytes held since the last reset */
static int memory_peak(lua_State *L)
{
  mn_memory *memory = check_state(L)->memory;
  lua_pushinteger(L, (lua_Integer)mn_memory_usage(memory).peak);
  if (lua_toboolean(L, 1)) mn_memory_reset_peak(memory);
  return 1;
}

/* limit([bytes]) -> the previous limit; 0: none */
static int memory_limit(lua_State *L)
{
  mn_memory *memory = check_state(L)->memory;
  const lua_Integer before = (lua_Integer)mn_memory_usage(memory).limit;
  if (!lua_isnoneornil(L, 1)) {
    const lua_Integer bytes = luaL_checkinteger(L, 1);
    luaL_argcheck(L, bytes >= 0, 1, "must be at least 0 (no limit)");
    mn_memory_limit(memory, (size_t)bytes);
  }
  lua_pushinteger(L, before);
  return 1;
}

/* fail_after(n [, times]) -> number of failures that were still to come. The next n allocations succeed and the `times`
 * after them fail (default: all); n < 0 ends the failures. */
static int memory_fail_after(lua_State *L)
{
  const lua_Integer n = luaL_checkinteger(L, 1), times = luaL_optinteger(L, 2, -1);
  lua_pushinteger(L, (lua_Integer)mn_memory_fail_after(check_state(L)->memory, n, times));
  return 1;
}

/* threads([n]) -> number of threads of an operation; n = 0: the cores available to this process */
static int memory_threads(lua_State *L)
{
  struct state *s = check_state(L);
  if (!lua_isnoneornil(L, 1)) {
    const lua_Integer threads = luaL_checkinteger(L, 1);
    luaL_argcheck(L, threads >= 0 && threads <= 1024, 1, "must be from 0 (all cores) to 1024");
    s->threads = (size_t)threads;
    for (int level = 0; level < MAX_NESTED; level++)
      if (s->operation[level].ctx) mn_set_threads(s->operation[level].ctx, s->threads);
  }
  lua_pushinteger(L, (lua_Integer)mn_threads(current_operation(L)->ctx));
  return 1;
}

int mn_lua_open_memory(lua_State *L)
{
  static const luaL_Reg functions[] = {
    { "live", memory_live },
    { "blocks", memory_blocks },
    { "peak", memory_peak },
    { "limit", memory_limit },
    { "fail_after", memory_fail_after },
    { "threads", memory_threads },
    { NULL, NULL },
  };
  mn_lua_open_state(L);
  luaL_newlib(L, functions);
  return 1;
}

void mn_lua_new_gc_metatable(lua_State *L, const char *name, lua_CFunction gc)
{
  luaL_newmetatable(L, name);
  lua_pushcfunction(L, gc);
  lua_setfield(L, -2, "__gc");
  lua_pushliteral(L, "private");
  lua_setfield(L, -2, "__metatable");
  lua_pop(L, 1);
}
