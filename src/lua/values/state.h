/* The state behind every call, as its two files see it: state.c begins and ends operations, watch.c is what happens in
 * the middle of them. */
#ifndef MN_LUA_VALUES_STATE_H
#define MN_LUA_VALUES_STATE_H
#include "values.h"

/* Nesting is a metric inside a fit inside a progress function, ...: rare beyond two. */
enum { MOST_NESTED = 8, EMPTY_FUNCTION = 2 * MOST_NESTED + 1, BAR_FUNCTION, STATE_VALUES = BAR_FUNCTION };

struct state;

/* One operation. Those at level 1, 2, ... were begun by Lua code that the operation below runs in a protected body, so
 * leaving a level needs no clean-up by the one who raised: the protected call puts the level back. */
struct operation {
  struct state *state;
  mn_context *ctx;
  lua_State *L; /* the coroutine that began it */
  int hook_mask;
  bool active;            /* begun and, as far as is known, not over */
  bool raised;            /* a Lua error waits in user value 2 level + 1 */
  bool has_progress;      /* its function waits in user value 2 level + 2 */
  double began;           /* mn_seconds */
  const char *who, *what; /* what it is, for the bar; NULL: not to be shown. Constants */
  bool has_bar;           /* drawn, and to be erased in the end                    */
  mn_progress last;       /* total NaN: no tick yet                                */
};

struct state {
  mn_memory *memory;
  lua_State *main;
  size_t threads;
  size_t live_before; /* bytes that were held after the last full collection of ours */
  int level;
  bool bar;        /* its function is in user value BAR_FUNCTION */
  double drawn_at; /* when that was called last                  */
  struct operation operation[MOST_NESTED];
};

/* The operation whose context this is, or NULL. */
struct operation *mn_lua_state_find_operation(lua_State *L, const mn_context *ctx);
int mn_lua_state_level(const struct operation *operation);

/* Set user value `slot` of the state to the value on top of the stack, which is popped; push it. They raise nothing. */
void mn_lua_state_set_slot(lua_State *L, int slot);
void mn_lua_state_push_slot(lua_State *L, int slot);

/* Call the function below `arguments` in the middle of an operation, whose other threads may be at work; keeps as many
 * results as lua_pcall is asked for. Returns what lua_pcall does. */
int mn_lua_state_pcall(struct state *s, lua_State *L, int arguments);

/* The watcher of every context; `user` is the operation. */
mn_progress_reply mn_lua_progress_callback(void *user, const mn_progress *progress);

/* Has Ctrl-C been pressed, and not been heard yet? */
bool mn_lua_is_interrupted(lua_State *main);

/* The function on top of the stack, which is popped, draws the bar from now on; nil: none does. */
void mn_lua_set_bar(lua_State *L);

/* Erase the bar of an operation that is over. Raises nothing. */
void mn_lua_erase_bar(lua_State *L, struct operation *op);

#endif
