/* Lua values <-> C values: the userdata Matrix, Vector, Factor and Sparse, and the state behind every call.
 *
 * A result is complete (metatable set, nothing owned) before it is given memory, so an error raised at any later point
 * frees what it holds by __gc. Small payloads live inside their userdata; of large ones the collector is told. */
#ifndef MN_LUA_VALUES_H
#define MN_LUA_VALUES_H
#include "../core/levels.h"
#include "../core/matrix.h"
#include <lauxlib.h>
#include <lua.h>

/* The context of this Lua state, cleared of an earlier error. One per state, made when the module is opened. */
mn_context *mn_lua_context(lua_State *L);

/* Raise the text of `ctx` as a Lua error with the position of the caller. Never returns. */
int mn_lua_raise(lua_State *L, mn_context *ctx);

/* Tell the collector of `bytes` newly held outside of Lua. */
void mn_lua_charge(lua_State *L, size_t bytes);

/* What stands behind a Matrix: a strided view of doubles, its own or another's. */
typedef struct mn_lua_matrix {
  double *at;
  size_t rows, cols;
  size_t row_step, col_step; /* in elements; contiguous when col_step == 1 and row_step == cols */
  mn_matrix own;             /* memory to free, or empty: a view (owner in user value 1) or inline payload */
} mn_lua_matrix;

/* What stands behind a Vector. */
typedef struct mn_lua_vector {
  double *at;
  size_t size, step;
  bool whole;    /* integers: Lua reads 3, not 3.0. Kept by copies and selections, lost in arithmetic */
  mn_vector own; /* as above */
} mn_lua_vector;

/* New zeroed values on top of the stack. They raise "not enough memory" on failure. */
mn_lua_matrix *mn_lua_push_matrix(lua_State *L, size_t rows, size_t cols);
mn_lua_vector *mn_lua_push_vector(lua_State *L, size_t size);
/* A Factor with its own codes (all missing) and a hold on `levels`. */
mn_factor *mn_lua_push_factor(lua_State *L, size_t size, const mn_levels *levels);
/* An empty Sparse to be filled by the caller (mn_csr_init into it). */
mn_csr *mn_lua_push_sparse(lua_State *L);

/* The value at `arg`, or NULL when it is something else. */
mn_lua_matrix *mn_lua_test_matrix(lua_State *L, int arg);
mn_lua_vector *mn_lua_test_vector(lua_State *L, int arg);
mn_factor *mn_lua_test_factor(lua_State *L, int arg);
mn_csr *mn_lua_test_sparse(lua_State *L, int arg);

/* The argument as a contiguous matrix: a Matrix (copied to scratch only when strided), a table of equal rows of numbers
 * (converted once), a Vector (as one column). Raises with position and found type otherwise. Valid until the operation
 * ends. */
mn_matrix mn_lua_check_matrix(lua_State *L, mn_context *ctx, int arg);

/* The argument as a contiguous vector: a Vector, an n x 1 or 1 x n Matrix, a flat table of numbers. */
mn_vector mn_lua_check_vector(lua_State *L, mn_context *ctx, int arg);

/* One label at `index` (string, integer, float, boolean); false when it is none of them (nil, NaN, table, ...). Text
 * points into the Lua string: keep that alive. */
bool mn_lua_to_label(lua_State *L, int index, mn_label *label);
void mn_lua_push_label(lua_State *L, mn_label label);

/* Register the metatables and leave the table of constructors (Matrix, Vector, Factor, Sparse, zeros, ones, eye, range,
 * random, ...) on the stack. */
int mn_lua_open_values(lua_State *L);

#endif
