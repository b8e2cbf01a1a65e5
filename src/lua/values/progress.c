/* In the middle of an operation: handle Ctrl-C, call on_iter, draw the progress bar. */
#include "state.h"
#include <math.h>
#include <string.h>

static const double draw_interval = 0.1; /* seconds */

/* On Ctrl-C, lua.c sets a hook for all events with count 1 on the main thread, which no debugger does. */
bool mn_lua_is_interrupted(lua_State *main)
{
  return lua_gethookmask(main) == (LUA_MASKCALL | LUA_MASKRET | LUA_MASKLINE | LUA_MASKCOUNT) &&
         lua_gethookcount(main) == 1;
}

/* A hook would run at the next instruction of the main thread; a changed mask means that one is pending. Run it now by
 * calling an empty function: it may raise its error there, or belong to a debugger and be harmless. In a coroutine it
 * cannot run before the coroutine ends, so fail with the error it would raise; it runs itself when the main thread
 * continues. */
static bool run_pending_hook(struct operation *op)
{
  const int mask = lua_gethookmask(op->state->main);
  if (mask == op->hook_mask) return true;
  op->hook_mask = mask;
  if (mask == 0) return true;
  if (op->L != op->state->main) {
    if (!mn_lua_is_interrupted(op->state->main)) return true;
    mn_fail(op->ctx, MN_CANCELLED, "interrupted!");
    return false;
  }
  if (op->state->level + 1 >= MAX_NESTED || !lua_checkstack(op->L, LUA_MINSTACK)) return true;
  mn_lua_state_push_slot(op->L, EMPTY_FUNCTION);
  const int status = mn_lua_state_pcall(op->state, op->L, 0);
  if (status == LUA_OK) return true;
  op->raised = true;
  mn_lua_state_set_slot(op->L, 2 * mn_lua_state_level(op) + 1);
  mn_fail(op->ctx, MN_CANCELLED, "interrupted!");
  return false;
}

struct progress_call {
  const mn_progress *progress;
  double elapsed;
  int slot;
  mn_progress_reply reply;
};

static void set_number(lua_State *L, const char *name, double value)
{
  if (value != value) return;
  lua_pushnumber(L, value);
  lua_setfield(L, -2, name);
}

/* A whole number becomes an integer. */
static void set_count(lua_State *L, const char *name, double value)
{
  if (!(value == floor(value) && fabs(value) <= 0x1p53)) {
    set_number(L, name, value);
    return;
  }
  lua_pushinteger(L, (lua_Integer)value);
  lua_setfield(L, -2, name);
}

void mn_lua_push_progress(lua_State *L, const mn_progress *progress, double elapsed)
{
  lua_createtable(L, 0, 4);
  set_count(L, "done", progress->done);
  set_count(L, "total", progress->total);
  set_number(L, "objective", progress->objective);
  set_number(L, "elapsed", elapsed);
}

static int call_progress(lua_State *L)
{
  struct progress_call *call = lua_touserdata(L, 1);
  mn_lua_state_push_slot(L, call->slot);
  mn_lua_push_progress(L, call->progress, call->elapsed);
  lua_call(L, 1, 1);
  const char *word = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
  if (lua_isnil(L, -1))
    call->reply = MN_CONTINUE;
  else if (strcmp(word, "stop") == 0)
    call->reply = MN_STOP;
  else if (strcmp(word, "cancel") == 0)
    call->reply = MN_CANCEL;
  else
    return luaL_error(L, "on_iter must return nil, \"stop\" or \"cancel\", got %s", luaL_tolstring(L, -1, NULL));
  return 0;
}

/* --- the bar --- */

struct bar_call {
  struct operation *op;
  double elapsed;
};

/* The bar function returns whether it has drawn anything. */
static int call_bar(lua_State *L)
{
  struct bar_call *call = lua_touserdata(L, 1);
  mn_lua_state_push_slot(L, BAR_FUNCTION);
  mn_lua_push_progress(L, &call->op->last, call->elapsed);
  lua_pushfstring(L, "%s %s", call->op->who, call->op->what);
  lua_setfield(L, -2, "label");
  lua_call(L, 1, 1);
  if (lua_toboolean(L, -1)) call->op->has_bar = true;
  return 0;
}

/* Only for outermost operations, and at most once per interval. False when the function raised, by Ctrl-C for example.
 */
static bool draw_bar(struct operation *op)
{
  struct state *s = op->state;
  if (!s->has_bar_function || !op->who || s->level > 0) return true;
  const double now = mn_seconds();
  if (now - s->drawn_at < draw_interval) return true;
  s->drawn_at = now;
  struct bar_call call = { .op = op, .elapsed = now - op->start_time };
  return mn_lua_call_protected(op->L, op->ctx, call_bar, &call);
}

void mn_lua_erase_bar(lua_State *L, struct operation *op)
{
  struct state *s = op->state;
  op->has_bar = false;
  if (!s->has_bar_function || s->level + 1 >= MAX_NESTED || !lua_checkstack(L, LUA_MINSTACK)) return;
  mn_lua_state_push_slot(L, BAR_FUNCTION);
  lua_pushnil(L);
  if (mn_lua_state_pcall(s, L, 1) != LUA_OK) lua_pop(L, 1);
}

void mn_lua_set_operation_name(lua_State *L, mn_context *ctx, const char *who, const char *what)
{
  struct operation *op = mn_lua_state_find_operation(L, ctx);
  if (!op) return;
  op->L = L; /* a finalizer may have begun an operation in another coroutine since */
  op->who = who;
  op->what = what;
}

const char *mn_lua_operation_who(lua_State *L, const mn_context *ctx)
{
  const struct operation *op = mn_lua_state_find_operation(L, ctx);
  return op ? op->who : NULL;
}

/* set_bar(function or nil): the function is called with the progress and a field `label` at most every 0.1 s while an
 * operation runs, and with nil when an operation ends that it has drawn a bar for */
static int set_bar(lua_State *L)
{
  lua_settop(L, 1);
  if (!lua_isnil(L, 1)) luaL_checktype(L, 1, LUA_TFUNCTION);
  mn_lua_set_bar(L);
  return 0;
}

void mn_lua_open_progress(lua_State *L)
{
  static const luaL_Reg functions[] = { { "set_bar", set_bar }, { NULL, NULL } };
  luaL_setfuncs(L, functions, 0);
}

/* --- the callback --- */

mn_progress_reply mn_lua_progress_callback(void *user, const mn_progress *progress)
{
  struct operation *op = user;
  if (!run_pending_hook(op)) return MN_CANCEL;
  if (progress) op->last = *progress;
  if (!draw_bar(op)) return MN_CANCEL;
  if (!progress || !op->has_progress) return MN_CONTINUE;
  struct progress_call call = { .progress = progress,
                                .elapsed = mn_seconds() - op->start_time,
                                .slot = 2 * mn_lua_state_level(op) + 2,
                                .reply = MN_CONTINUE };
  if (!mn_lua_call_protected(op->L, op->ctx, call_progress, &call)) return MN_CANCEL;
  if (call.reply == MN_CANCEL) mn_fail(op->ctx, MN_CANCELLED, "cancelled by the progress function");
  return call.reply;
}

void mn_lua_set_progress_function(lua_State *L, mn_context *ctx, int index)
{
  struct operation *op = mn_lua_state_find_operation(L, ctx);
  luaL_checktype(L, index, LUA_TFUNCTION);
  if (!op) return;
  lua_pushvalue(L, index);
  mn_lua_state_set_slot(L, 2 * mn_lua_state_level(op) + 2);
  op->L = L; /* a finalizer may have begun an operation in another coroutine since */
  op->has_progress = true;
}
