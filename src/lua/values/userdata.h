/* What the files of the four values share: metatables, members by name, checks of sizes and indices. */
#ifndef MN_LUA_VALUES_USERDATA_H
#define MN_LUA_VALUES_USERDATA_H
#include "values.h"

typedef enum mn_lua_kind {
  MN_LUA_NONE,
  MN_LUA_MATRIX,
  MN_LUA_VECTOR,
  MN_LUA_FACTOR,
  MN_LUA_SPARSE,
  MN_LUA_KIND_COUNT
} mn_lua_kind;

/* Payloads up to this many bytes live inside their userdata, which then needs no finaliser. */
enum { MN_INLINE_BYTES = 1024 };

/* True when an operation may be reading its arguments: then a value must not be emptied by __close, but left to the
 * collector. (After an error it stays true until the next operation is over.) */
bool mn_lua_operation_running(lua_State *L);

/* True when no other operation is under way below the one that is beginning, and no finaliser runs: nobody but the
 * caller can be using what a model holds. */
bool mn_lua_has_exclusive_access(lua_State *L);

/* --- kinds.c --- */

/* Two metatables of one look: values that own memory have a finaliser, inline ones and views need none, which makes
 * X[i][j] cheap. `metamethods` and `methods` end with a NULL name; `properties` (ends with NULL) are read as X.name.
 * All functions get the table of members as upvalue 1. `collect` is the idempotent __gc. */
void mn_lua_define_metatables(lua_State *L, mn_lua_kind kind, const luaL_Reg *metamethods,
                              const luaL_Reg *const *methods, const char *const *properties, lua_CFunction collect);

/* Give the userdata on top of the stack the metatable of its kind. */
void mn_lua_set_metatable(lua_State *L, mn_lua_kind kind, bool owns);

int mn_lua_member_names(lua_State *L);
mn_lua_kind mn_lua_userdata_kind(lua_State *L, int arg);

/* For __index in a function with the members as upvalue 1, key (a string) at index 2: pushes a method and returns -1,
 * or returns the place of the name in `properties`, or raises with the nearest name. */
int mn_lua_push_member(lua_State *L, mn_lua_kind kind);

/* Like luaL_typename, but names our own values. */
const char *mn_lua_type_name(lua_State *L, int arg);

/* Make the new view on top of the stack hold the value at `index` (absolute), or its owner when that is a view itself.
 * Returns where to read whether the owner has been released. */
const bool *mn_lua_anchor_owner(lua_State *L, int index);

/* `bytes` of lasting memory; after a failure the collector runs and it is tried once more. Raises. */
void *mn_lua_alloc(lua_State *L, size_t size, size_t rows, size_t cols);

/* mn_csr_init into a Sparse on the stack, tried twice likewise, charged. Raises. */
void mn_lua_init_sparse(lua_State *L, mn_csr *s, size_t rows, size_t cols, size_t nonzeros);

/* --- args.c --- */

/* The value at `arg` of exactly this kind; raises a type error otherwise. */
mn_lua_matrix *mn_lua_checkudata_matrix(lua_State *L, int arg);
mn_lua_vector *mn_lua_checkudata_vector(lua_State *L, int arg);
mn_factor *mn_lua_checkudata_factor(lua_State *L, int arg);
mn_csr *mn_lua_checkudata_sparse(lua_State *L, int arg);

/* A whole number from 0 to 2^53: a count of rows, values, ... */
size_t mn_lua_check_size(lua_State *L, int arg);

/* A whole number from 1 to n, returned 0-based. `what` names it in the message ("row"). */
size_t mn_lua_check_index(lua_State *L, int arg, size_t n, const char *what);

/* 1-based indices up to n at `arg` (a Vector, or a table of whole numbers): their number; then number i, 0-based, by
 * mn_lua_check_index_at. Reading raises on an index out of 1..n. */
size_t mn_lua_count_indices(lua_State *L, int arg);
size_t mn_lua_check_index_at(lua_State *L, int arg, size_t i, size_t n, const char *what);

/* The optional whole numbers first, last at `arg` and the next, 1 <= first, first - 1 <= last <= n (absent: 1, n): how
 * many there are, and the first, 0-based. */
size_t mn_lua_opt_range(lua_State *L, int arg, size_t n, const char *what, size_t *first);

/* A seed: any integer; 0 when absent. */
int64_t mn_lua_opt_seed(lua_State *L, int arg);

/* True for a Lua integer, or a float with the same value, within +-2^53. */
bool mn_lua_is_whole(double value);

/* Room to ask of lua_createtable. */
int mn_lua_table_size(size_t n);

/* n values, `step` elements apart in either; the two may overlap only by being the same. */
void mn_lua_copy_strided(const double *from, size_t from_step, double *to, size_t to_step, size_t n);

/* All values, row by row. */
void mn_lua_copy_matrix(const mn_lua_matrix *m, double *out);

/* --- the definitions, and what Matrix and Vector share --- */

void mn_lua_define_matrix(lua_State *L); /* matrix.c */
void mn_lua_define_vector(lua_State *L); /* vector.c */
void mn_lua_define_factor(lua_State *L); /* factor.c */
void mn_lua_define_sparse(lua_State *L); /* sparse.c */

int mn_lua_matrix_tostring(lua_State *L); /* show.c */
int mn_lua_screen_width(lua_State *L);
int mn_lua_vector_tostring(lua_State *L);
int mn_lua_sparse_mul(lua_State *L); /* sparse.c */
int mn_lua_factor_tostring(lua_State *L);
int mn_lua_sparse_tostring(lua_State *L);
int mn_lua_concat_error(lua_State *L);

extern const luaL_Reg mn_lua_elementwise[]; /* arithmetic.c */
int mn_lua_add(lua_State *L);
int mn_lua_sub(lua_State *L);
int mn_lua_mul(lua_State *L);
int mn_lua_div(lua_State *L);
int mn_lua_pow(lua_State *L);
int mn_lua_unm(lua_State *L);

extern const luaL_Reg mn_lua_statistics[]; /* statistics.c */
extern const luaL_Reg mn_lua_matrix_statistics[];
extern const luaL_Reg mn_lua_vector_statistics[];

#endif
