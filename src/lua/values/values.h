/* Lua values <-> C values: the userdata Matrix, Vector, Factor and Sparse, and the state behind every call.
 *
 * A result is complete (metatable set, nothing owned) before it is given memory, so an error raised at any later point
 * frees what it holds by __gc. Small payloads live inside their userdata; of large ones the collector is told.
 *
 * Scratch and the Lua stack. What the binding itself holds while it makes or converts Lua values is a userdata on the
 * Lua stack, never scratch: making a value may run the collector, a finaliser of the user may then call any function of
 * ours, and that begins an operation anew. Scratch belongs to the C operation that runs once all Lua values are made.
 */
#ifndef MN_LUA_VALUES_VALUES_H
#define MN_LUA_VALUES_VALUES_H
#include "../../core/levels.h"
#include "../../core/matrix.h"
#include <lauxlib.h>
#include <lua.h>

/* --- the state behind every call (state.c) --- */

/* Make the context of this Lua state if there is none. Call it before any value is made: what is made first is
 * finalised last. */
void mn_lua_open_state(lua_State *L);

/* Begin an operation: the context, cleared of an earlier error, with all scratch given back. Called once, first thing,
 * by a C function that Lua has called; helpers are handed the context. Inside a protected body (below) this is another
 * context than that of the operation around it. */
mn_context *mn_lua_begin(lua_State *L);

/* The context of the running operation, not begun anew: for memory that a value being made needs. */
mn_context *mn_lua_current_context(lua_State *L);

/* The operation is over: give its scratch back. (Raising does so too, and so does the next operation.) */
void mn_lua_end(lua_State *L, mn_context *ctx);

/* The same, and return `results`: return mn_lua_finish(L, ctx, 1). */
int mn_lua_finish(lua_State *L, mn_context *ctx, int results);

/* Raise the text of `ctx` as a Lua error with the position of the caller, or the Lua error that a protected body, the
 * progress function or a debug hook has left. Never returns. */
int mn_lua_raise(lua_State *L, mn_context *ctx);

/* Tell the collector of `bytes` newly held outside of Lua. */
void mn_lua_charge(lua_State *L, size_t bytes);
/* Collect all garbage, finalisers included. False when that cannot be: the user has stopped the collector, or there is
 * no memory to call a finaliser. */
bool mn_lua_collect(lua_State *L);

/* Lua code in the middle of a C operation (a user's metric, kernel, estimator): run body(L) with `user` as light
 * userdata at index 1, in a protected call. It may raise and may call any function of ours. False when it raised: the
 * error value is kept, ctx is failed with MN_CANCELLED; return that status, and mn_lua_raise raises the value anew.
 * Calling thread only. */
bool mn_lua_call_protected(lua_State *L, mn_context *ctx, lua_CFunction body, void *user);

/* Have ticks of this operation call the Lua function at `index` with a state (below). It may return "stop" (keep what
 * there is) or "cancel" (raise an error), or nothing. */
void mn_lua_set_progress_function(lua_State *L, mn_context *ctx, int index);

/* What the operation that is about to run is ("KMeans", "fit"), for a bar of its progress. Constants. Called once all
 * Lua values are made. */
void mn_lua_set_operation_name(lua_State *L, mn_context *ctx, const char *who, const char *what);

/* Push a state: a new table (who is called may keep it) with done, total, objective (nil where there is none) and
 * elapsed, in seconds. What is NaN is left out. */
void mn_lua_push_progress(lua_State *L, const mn_progress *progress, double elapsed);

/* Does a finaliser of the user's run? One may in the middle of any call, wherever that makes a Lua value; no other code
 * of the user's runs there. */
bool mn_lua_in_finalizer(lua_State *L);

/* The account behind the state; NULL when the state is closing and the account is gone. */
mn_memory *mn_lua_memory(lua_State *L);

/* A metatable called `name` in the registry whose only work is to release what a userdata holds. */
void mn_lua_new_gc_metatable(lua_State *L, const char *name, lua_CFunction gc);

/* --- the values --- */

/* What stands behind a Matrix: a strided view of doubles, its own or another's. */
typedef struct mn_lua_matrix {
  double *at;
  size_t rows, cols;
  size_t row_step, col_step;  /* in elements; contiguous when col_step == 1 and row_step == cols */
  mn_matrix own;              /* memory to free, or empty: a view (owner in user value 1) or inline payload */
  bool released;              /* own was freed (__close, __gc): this is empty, and so are views of it */
  const bool *owner_released; /* of a view: that flag of its owner, else NULL */
} mn_lua_matrix;

/* What stands behind a Vector. */
typedef struct mn_lua_vector {
  double *at;
  size_t size, step;
  bool whole;    /* integers: Lua reads 3, not 3.0. Kept by copies and selections, lost in arithmetic */
  mn_vector own; /* as above */
  bool released;
  const bool *owner_released;
} mn_lua_vector;

/* New zeroed values on top of the stack. They raise "not enough memory" on failure. */
mn_lua_matrix *mn_lua_push_matrix(lua_State *L, size_t rows, size_t cols);
mn_lua_vector *mn_lua_push_vector(lua_State *L, size_t size);
/* The same, not cleared. */
mn_lua_matrix *mn_lua_push_raw_matrix(lua_State *L, size_t rows, size_t cols);
mn_lua_vector *mn_lua_push_raw_vector(lua_State *L, size_t size);
/* A Factor with its own codes (all missing) and a hold on `levels`. */
mn_factor *mn_lua_push_factor(lua_State *L, size_t size, const mn_levels *levels);
/* An empty Sparse to be filled by the caller (mn_csr_init into it, then mn_lua_charge). */
mn_csr *mn_lua_push_sparse(lua_State *L);

/* For results whose size the C operation decides: push an empty value, let the operation fill `own` by mn_matrix_init
 * or mn_vector_init, then settle it. What was filled is freed with the value, settled or not. */
mn_lua_matrix *mn_lua_push_empty_matrix(lua_State *L);
mn_lua_vector *mn_lua_push_empty_vector(lua_State *L);
void mn_lua_commit_matrix(lua_State *L, mn_lua_matrix *m);
void mn_lua_commit_vector(lua_State *L, mn_lua_vector *v);

/* Views into the Matrix or Vector (or a view of one) at `owner`. Steps in elements. */
mn_lua_matrix *mn_lua_push_matrix_view(lua_State *L, int owner, double *at, size_t rows, size_t cols, size_t row_step,
                                       size_t col_step);
mn_lua_vector *mn_lua_push_vector_view(lua_State *L, int owner, double *at, size_t size, size_t step);

/* The value at `arg`, or NULL when it is something else. */
mn_lua_matrix *mn_lua_test_matrix(lua_State *L, int arg);
mn_lua_vector *mn_lua_test_vector(lua_State *L, int arg);
mn_factor *mn_lua_test_factor(lua_State *L, int arg);
mn_csr *mn_lua_test_sparse(lua_State *L, int arg);

/* Is it a Frame? */
bool mn_lua_is_frame(lua_State *L, int index);

/* The argument as a contiguous matrix: a Matrix, a table of equal rows (tables of numbers or Vectors), a Frame of
 * numbers, a Vector (as one column). Where it had to be converted or copied, the stack slot is replaced by the new
 * Matrix, so it is valid until the C function returns. Raises with position and found type otherwise. */
mn_matrix mn_lua_check_matrix(lua_State *L, mn_context *ctx, int arg);

/* Raises: row `row` (from 0) of the table at `arg` has another size than row 1. */
int mn_lua_row_length_error(lua_State *L, int arg, size_t row, size_t size, size_t cols);

/* The argument as a contiguous vector: a Vector, an n x 1 or 1 x n Matrix, a flat table of numbers. A converted or
 * copied one replaces the stack slot by a Vector (whose flag `whole` says that all were Lua integers). */
mn_vector mn_lua_check_vector(lua_State *L, mn_context *ctx, int arg);

/* One label at `index` (string, integer, float, boolean); false when it is none of them (nil, NaN, table, ...). Text
 * points into the Lua string: keep that alive. */
bool mn_lua_to_label(lua_State *L, int index, mn_label *label);
void mn_lua_push_label(lua_State *L, mn_label label);
/* The labels as a list that prints as one; empty for NULL. */
void mn_lua_push_levels(lua_State *L, const mn_levels *levels);

/* The Factor at `arg`, or a table or Vector of labels, converted; the stack slot is replaced then. Raises otherwise. */
const mn_factor *mn_lua_check_factor(lua_State *L, mn_context *ctx, int arg);

/* Is the value at `arg` ml.unset, which stands for nil where a table shall hold one: { alpha = ml.unset }? */
bool mn_lua_is_unset(lua_State *L, int arg);

/* Give the table on top of the stack, a list of names or labels, the metatable that lets it print. */
void mn_lua_set_list_metatable(lua_State *L);

/* Register the metatables and leave the table of constructors (Matrix, Vector, Factor, Sparse, zeros, ones, eye, range,
 * random, ...) on the stack. */
int mn_lua_open_values(lua_State *L);

/* Adds set_bar and terminal to the table on top of the stack. */
void mn_lua_open_progress(lua_State *L);

/* Leave a table of functions that watch and set memory and threads on the stack: live, blocks, peak, limit, fail_after,
 * threads. */
int mn_lua_open_memory(lua_State *L);

#endif
