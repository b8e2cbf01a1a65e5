/* Lua values <-> C values: the userdata Matrix, Vector, Factor and Sparse, and the state that every call uses.
 *
 * Ownership. A userdata gets its metatable while it is still empty, and only then memory, so an error raised at any
 * later point frees what it holds through __gc. Small payloads live inside their userdata; large ones are charged to
 * the collector (mn_lua_charge).
 *
 * Scratch and the Lua stack. While the binding creates or converts Lua values, its own temporary memory is a userdata
 * on the Lua stack and never scratch: creating a value may run the collector, and a finalizer of the user may then call
 * any function of the library, which begins an operation and resets the scratch. Scratch belongs to the C operation
 * that runs once all Lua values exist.
 */
#ifndef MN_LUA_VALUES_VALUES_H
#define MN_LUA_VALUES_VALUES_H
#include "../../core/levels.h"
#include "../../core/matrix.h"
#include <lauxlib.h>
#include <lua.h>

/* --- operations (state.c, progress.c) --- */

/* Create the state of the library in this Lua state, unless it exists. Call it before any value is created: objects are
 * finalized in the reverse order of their creation. */
void mn_lua_open_state(lua_State *L);

/* Begin an operation: returns the context, with its error cleared and all scratch released. A C function that Lua calls
 * does so once, first, and hands the context to its helpers. Inside a protected body (below) this is another context
 * than that of the surrounding operation. */
mn_context *mn_lua_begin(lua_State *L);

/* The context of the running operation, unchanged: for the memory of a value that is being created. */
mn_context *mn_lua_current_context(lua_State *L);

/* End the operation and release its scratch. Raising an error and beginning the next operation do so too. */
void mn_lua_end(lua_State *L, mn_context *ctx);

/* The same; returns `results`, as in: return mn_lua_finish(L, ctx, 1). */
int mn_lua_finish(lua_State *L, mn_context *ctx, int results);

/* Raise the error text of `ctx` with the position of the caller, or the Lua error that a protected body, the progress
 * function or a debug hook has left. Never returns. */
int mn_lua_raise(lua_State *L, mn_context *ctx);

/* Tell the collector that `bytes` more are held outside of Lua. */
void mn_lua_charge(lua_State *L, size_t bytes);

/* Run a full collection, finalizers included. False when that is impossible: the user has stopped the collector, or
 * there is no memory to call a finalizer. */
bool mn_lua_collect(lua_State *L);

/* Call Lua code in the middle of a C operation (a metric, kernel or estimator of the user): body(L) runs in a protected
 * call with `user` as light userdata at index 1. It may raise and may call any function of the library. If it raises,
 * the error value is kept, ctx fails with MN_CANCELLED and the result is false; return that status, and mn_lua_raise
 * raises the value again. Calling thread only. */
bool mn_lua_call_protected(lua_State *L, mn_context *ctx, lua_CFunction body, void *user);

/* The state of the library in this Lua state; and the coroutine in which the operation of `ctx` runs, or NULL if ctx
 * belongs to a worker or to a fit in the background: then Lua must not be called. Safe on any thread. */
typedef struct state mn_lua_state;
const mn_lua_state *mn_lua_state_of(lua_State *L);
lua_State *mn_lua_operation_thread(const mn_lua_state *state, const mn_context *ctx);

/* Have the Lua function at `index` called with the progress of this operation (mn_lua_push_progress). It returns
 * nothing, "stop" (keep the result so far) or "cancel" (raise an error). */
void mn_lua_set_progress_function(lua_State *L, mn_context *ctx, int index);

/* Name the operation that is about to run, as "KMeans", "fit", for its progress bar. Both strings are constants. Call
 * it once all Lua values exist. */
void mn_lua_set_operation_name(lua_State *L, mn_context *ctx, const char *who, const char *what);
const char *mn_lua_operation_who(lua_State *L, const mn_context *ctx); /* NULL: not named */

/* Push a new table with the fields done, total, objective (when there is one) and elapsed (seconds). NaN fields are
 * left out. */
void mn_lua_push_progress(lua_State *L, const mn_progress *progress, double elapsed);

/* Whether a finalizer of the user is running. Finalizers may run wherever a Lua value is created. */
bool mn_lua_in_finalizer(lua_State *L);

/* The memory account; NULL when the Lua state is closing and the account is gone. */
mn_memory *mn_lua_memory(lua_State *L);

/* Register the metatable `name` with the finalizer `gc`, for userdata that scripts do not see. */
void mn_lua_new_gc_metatable(lua_State *L, const char *name, lua_CFunction gc);

/* --- values --- */

/* The payload of a Matrix: a strided view of doubles, its own or those of another value. */
typedef struct mn_lua_matrix {
  double *at;
  size_t rows, cols;
  size_t row_step, col_step;  /* in elements; contiguous when col_step == 1 and row_step == cols */
  mn_matrix own;              /* memory to free; empty for views (owner in user value 1) and inline payloads */
  bool released;              /* `own` was freed by __close or __gc: this Matrix and its views are empty */
  const bool *owner_released; /* of a view: `released` of its owner, else NULL */
  bool closes_owner;          /* of a view: its __close releases the owner */
} mn_lua_matrix;

/* The payload of a Vector. */
typedef struct mn_lua_vector {
  double *at;
  size_t size, step;
  bool whole;    /* elements read as Lua integers: 3, not 3.0. Kept by copies and selections, not by arithmetic */
  mn_vector own; /* as above */
  bool released;
  const bool *owner_released;
} mn_lua_vector;

/* Push a new zeroed value. Raises "not enough memory". */
mn_lua_matrix *mn_lua_push_matrix(lua_State *L, size_t rows, size_t cols);
mn_lua_vector *mn_lua_push_vector(lua_State *L, size_t size);
/* The same, with uninitialized elements. */
mn_lua_matrix *mn_lua_push_raw_matrix(lua_State *L, size_t rows, size_t cols);
/* Push the list of the names of the columns of the Matrix at `arg` and return true; or push nil. */
bool mn_lua_push_column_names(lua_State *L, int arg);
/* Push a view of the Matrix at `owner` whose columns are named by the levels, one for each. */
mn_lua_matrix *mn_lua_push_named_matrix(lua_State *L, int owner, const mn_levels *names);
mn_lua_vector *mn_lua_push_raw_vector(lua_State *L, size_t size);
/* Push a Factor with all codes missing that shares `levels`. */
mn_factor *mn_lua_push_factor(lua_State *L, size_t size, const mn_levels *levels);
/* Push an empty Sparse, to be filled by the caller (mn_csr_init, then mn_lua_charge). */
mn_csr *mn_lua_push_sparse(lua_State *L);

/* For results whose size the C operation determines: push an empty value, let the operation fill `own` (mn_matrix_init,
 * mn_vector_init), then commit it. `own` is freed with the value in any case. */
mn_lua_matrix *mn_lua_push_empty_matrix(lua_State *L);
mn_lua_vector *mn_lua_push_empty_vector(lua_State *L);
void mn_lua_commit_matrix(lua_State *L, mn_lua_matrix *m);
void mn_lua_commit_vector(lua_State *L, mn_lua_vector *v);

/* Push a view of the Matrix or Vector (or view) at `owner`. Steps in elements. */
mn_lua_matrix *mn_lua_push_matrix_view(lua_State *L, int owner, double *at, size_t rows, size_t cols, size_t row_step,
                                       size_t col_step);
mn_lua_vector *mn_lua_push_vector_view(lua_State *L, int owner, double *at, size_t size, size_t step);

/* The value at `arg`, or NULL when it has another type. */
mn_lua_matrix *mn_lua_test_matrix(lua_State *L, int arg);
mn_lua_vector *mn_lua_test_vector(lua_State *L, int arg);
mn_factor *mn_lua_test_factor(lua_State *L, int arg);
mn_csr *mn_lua_test_sparse(lua_State *L, int arg);

/* Registry name of the metatable of Frames. A Frame is a Lua table { names = list, columns = list of Vector and Factor
 * }; lua/manilius/frame.lua fills the metatable. */
#define MN_LUA_FRAME_METATABLE "manilius.Frame"
bool mn_lua_is_frame(lua_State *L, int index);

/* Convert the argument to a contiguous matrix: a Matrix, a table of equal rows (tables of numbers or Vectors), a Frame
 * of numbers, or a Vector (as one column). A converted or copied value replaces the argument on the stack, so the
 * result is valid until the C function returns. Raises an error with the position and the type found. */
mn_matrix mn_lua_check_matrix(lua_State *L, mn_context *ctx, int arg);

/* Raise: row `row` (from 0) of the table at `arg` has `size` values, row 1 has `cols`. */
int mn_lua_row_length_error(lua_State *L, int arg, size_t row, size_t size, size_t cols);

/* Convert the argument to a contiguous vector: a Vector, an n x 1 or 1 x n Matrix, or a flat table of numbers. A
 * converted or copied value replaces the argument by a Vector (whose `whole` tells whether all were Lua integers). */
mn_vector mn_lua_check_vector(lua_State *L, mn_context *ctx, int arg);

/* Convert the value at `index` (string, integer, float, boolean) to a label; false for other values (nil, NaN, table,
 * ...). Text points into the Lua string, which the caller keeps alive. */
bool mn_lua_to_label(lua_State *L, int index, mn_label *label);
void mn_lua_push_label(lua_State *L, mn_label label);
/* Push the labels as a list with the List metatable; an empty list for NULL. */
void mn_lua_push_levels(lua_State *L, const mn_levels *levels);

/* Convert the argument to a Factor: a Factor, or a table or Vector of labels, whose Factor replaces the argument. */
const mn_factor *mn_lua_check_factor(lua_State *L, mn_context *ctx, int arg);

/* Whether the value at `arg` is ml.unset, which stands for nil where a table has to hold one: { alpha = ml.unset }. */
bool mn_lua_is_unset(lua_State *L, int arg);

/* Give the table on top of the stack, a list of names or labels, the List metatable, by which it prints. */
void mn_lua_set_list_metatable(lua_State *L);

/* Push a new buffer of size * n bytes: a userdata that lives as long as it stays on the stack. Raises "not enough
 * memory". */
void *mn_lua_push_buffer(lua_State *L, size_t size, size_t n);
/* The same, zeroed. */
void *mn_lua_push_zeroed_buffer(lua_State *L, size_t size, size_t n);

/* Register the metatables and push the table of constructors (Matrix, Vector, Factor, Sparse, zeros, ones, eye, range,
 * random, ...). */
int mn_lua_open_values(lua_State *L);

/* Add set_bar to the table on top of the stack. */
void mn_lua_open_progress(lua_State *L);

/* Push a table of functions that observe and limit memory and threads: live, blocks, peak, limit, fail_after, threads.
 */
int mn_lua_open_memory(lua_State *L);

#endif
