/* The state behind every call, shared by state.c (begins and ends operations) and progress.c (interrupts, progress
 * functions and the bar in the middle of them). */
#ifndef MN_LUA_VALUES_STATE_H
#define MN_LUA_VALUES_STATE_H
#include "values.h"

/* Operations nest when Lua code that one of them calls begins another: a metric inside a fit inside a progress
 * function. Depths above two are rare.
 *
 * User values of the state: 2 * level + 1 holds the pending error of the operation at that level, 2 * level + 2 its
 * progress function. */
enum { MAX_NESTED = 8, EMPTY_FUNCTION = 2 * MAX_NESTED + 1, BAR_FUNCTION, STATE_SLOTS = BAR_FUNCTION };

struct state;

/* One operation. Those at level 1, 2, ... were begun by Lua code in a protected body of the operation below. An error
 * that leaves a level needs no cleanup by the function that raised it: the protected call restores the level. */
struct operation {
  struct state *state;
  mn_context *ctx;
  lua_State *L; /* the coroutine that began it */
  int hook_mask;
  bool active;            /* begun and not known to have ended */
  bool raised;            /* a Lua error is pending (user value 2 * level + 1) */
  bool has_progress;      /* it has a progress function (user value 2 * level + 2) */
  double start_time;      /* mn_seconds */
  const char *who, *what; /* its name, for the bar; constants, NULL when it is not shown */
  bool has_bar;           /* a bar was drawn and has to be erased at the end */
  mn_progress last;       /* the last tick; total is NaN before the first */
};

struct state {
  mn_memory *memory;
  lua_State *main;
  size_t threads;
  size_t live_before; /* bytes held after our last full collection */
  int level;
  bool has_bar_function; /* user value BAR_FUNCTION */
  double drawn_at;       /* time of its last call */
  struct operation operation[MAX_NESTED];
};

/* The operation of this context, or NULL. */
struct operation *mn_lua_state_find_operation(lua_State *L, const mn_context *ctx);
int mn_lua_state_level(const struct operation *operation);

/* Set user value `slot` of the state to the value on top of the stack and pop it; push it. Neither raises. */
void mn_lua_state_set_slot(lua_State *L, int slot);
void mn_lua_state_push_slot(lua_State *L, int slot);

/* lua_pcall with `arguments` and no results in the middle of an operation, whose other threads may be running. */
int mn_lua_state_pcall(struct state *s, lua_State *L, int arguments);

/* The progress callback of every context; `user` is the operation. */
mn_progress_reply mn_lua_progress_callback(void *user, const mn_progress *progress);

/* Whether Ctrl-C was pressed and not handled yet. */
bool mn_lua_is_interrupted(lua_State *main);

/* Pop the function on top of the stack, which draws the bar from now on; nil: no bar. */
void mn_lua_set_bar(lua_State *L);

/* Erase the bar of an operation that has ended. Does not raise. */
void mn_lua_erase_bar(lua_State *L, struct operation *op);

#endif
