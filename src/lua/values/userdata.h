/* What the files of the four userdata share: metatables, members by name, checks of sizes and indices. */
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

/* Payloads of at most this many bytes live inside their userdata, which then needs no finalizer. */
enum { MN_INLINE_BYTES = 1024 };

/* --- state.c --- */

/* Whether an operation may be reading its arguments: then __close must not empty a value but leave it to the collector.
 * (After an error it stays true until the next operation ends.) */
bool mn_lua_operation_running(lua_State *L);

/* Whether the operation that is beginning is the only one and no finalizer runs, so that nobody else can be using what
 * a model holds. */
bool mn_lua_has_exclusive_access(lua_State *L);

/* Handle Ctrl-C in a long loop outside of mn_poll: every MN_LUA_POLL_EVERY steps. May raise. */
enum { MN_LUA_POLL_EVERY = 1 << 16 };
void mn_lua_check_interrupt(lua_State *L);

/* Set bytes to 0, in pieces: the first write to fresh memory is slow. May raise on Ctrl-C. */
void mn_lua_zero(lua_State *L, void *at, size_t bytes);

/* --- userdata.c --- */

/* Register the two metatables of a kind: values that own memory need a finalizer; inline values and views need none,
 * which makes X[i][j] cheap. `metamethods` and `methods` end with a NULL name; `properties` (NULL-terminated) are read
 * as X.name. All functions get the table of members as upvalue 1. `gc` is the idempotent __gc. */
void mn_lua_define_metatables(lua_State *L, mn_lua_kind kind, const luaL_Reg *metamethods,
                              const luaL_Reg *const *methods, const char *const *properties, lua_CFunction gc);

/* Register the metatable `name` of userdata with these methods, which scripts cannot reach. `gc` may be NULL. */
void mn_lua_define_private_class(lua_State *L, const char *name, const luaL_Reg *methods, lua_CFunction gc);

/* Set the metatable of the userdata on top of the stack. */
void mn_lua_set_metatable(lua_State *L, mn_lua_kind kind, bool owns);

int mn_lua_member_names(lua_State *L);
mn_lua_kind mn_lua_userdata_kind(lua_State *L, int arg);

/* For __index in a function with the members as upvalue 1 and a string key at index 2: push the method and return -1,
 * or return the position of the name in `properties`, or raise an error with the nearest name. */
int mn_lua_push_member(lua_State *L, mn_lua_kind kind);

/* For __pairs: push next, the value at index 1, and 0. */
int mn_lua_push_pairs(lua_State *L, lua_CFunction next);

/* For such a function: push the position after the one at index 2, *i counted from 0, unless that is the last. */
bool mn_lua_push_next(lua_State *L, size_t size, size_t *i);

/* Like luaL_typename, but names our own values. */
const char *mn_lua_type_name(lua_State *L, int arg);

/* Anchor the value at `index` (absolute), or its owner when that is a view, in the new view on top of the stack.
 * Returns the flag that tells whether the owner has been released. */
const bool *mn_lua_anchor_owner(lua_State *L, int index);

/* Allocate memory; after a failure, collect garbage and try again. Raises. */
void *mn_lua_alloc(lua_State *L, size_t size, size_t rows, size_t cols);

/* mn_csr_init for a Sparse on the stack, with a second attempt and a charge likewise. Raises. */
void mn_lua_init_sparse(lua_State *L, mn_csr *s, size_t rows, size_t cols, size_t nonzeros);

/* --- arguments.c --- */

/* The userdata of this type at `arg`, without conversion; raises a type error otherwise. */
mn_lua_matrix *mn_lua_checkudata_matrix(lua_State *L, int arg);
mn_lua_vector *mn_lua_checkudata_vector(lua_State *L, int arg);
mn_factor *mn_lua_checkudata_factor(lua_State *L, int arg);

/* x:eq(y) or x:ne(y) of labels, at least one of them a Factor: push a Vector of 1 and 0. */
int mn_lua_compare_labels(lua_State *L, bool equal);
mn_csr *mn_lua_checkudata_sparse(lua_State *L, int arg);

/* A number of rows, values, ...: a whole number from 0 to 2^53. */
size_t mn_lua_check_size(lua_State *L, int arg);

/* A whole number from 1 to n, returned 0-based. `what` names it in the message ("row"). */
size_t mn_lua_check_index(lua_State *L, int arg, size_t n, const char *what);

/* The number of indices at `arg` (a Vector, or a table of whole numbers); then index i of them, from 1 to n, returned
 * 0-based. Both raise. v: the Vector at `arg`, NULL for a table. */
size_t mn_lua_count_indices(lua_State *L, int arg);
size_t mn_lua_check_index_at(lua_State *L, int arg, const mn_lua_vector *v, size_t i, size_t n, const char *what);

/* Whether all values are whole numbers from 1 to n. */
bool mn_lua_are_indices(size_t count, const double *value, size_t n);

/* The indices of a contiguous Vector at `arg`, if all are whole numbers from 1 to n; NULL for others, which
 * mn_lua_check_index_at reads one by one, or whose first error it finds. */
const double *mn_lua_valid_indices(lua_State *L, int arg, size_t n);

/* The optional whole numbers first, last at `arg` and the next, with 1 <= first and first - 1 <= last <= n (default: 1,
 * n). Returns the length of the range and its 0-based beginning. */
size_t mn_lua_opt_range(lua_State *L, int arg, size_t n, const char *what, size_t *first);

/* A seed: any integer, 0 by default. */
int64_t mn_lua_opt_seed(lua_State *L, int arg);

/* Replace the list at `list` by a copy, which no finalizer can change while its elements are in use. Raises, with the
 * name `what`, for another value. */
void mn_lua_copy_list(lua_State *L, int list, const char *what);

/* Whether the value is an integer from -2^53 to 2^53. */
bool mn_lua_is_whole(double value);

/* A size as lua_createtable takes it. */
int mn_lua_table_size(size_t n);

/* Raises if a value is not a whole number from 1 to INT32_MAX: the rows of a sequence. who begins the message; NULL:
 * nothing does. */
void mn_lua_check_lengths(lua_State *L, const char *who, const mn_vector *lengths);

/* Copy n values, spaced by the steps. Source and target must be the same or not overlap. */
void mn_lua_copy_strided(const double *from, size_t from_step, double *to, size_t to_step, size_t n);

/* Copy all values row by row. */
void mn_lua_copy_matrix(const mn_lua_matrix *m, double *out);

/* --- registration, and what Matrix and Vector share --- */

void mn_lua_define_matrix(lua_State *L); /* matrix.c */
void mn_lua_define_vector(lua_State *L); /* vector.c */
void mn_lua_define_factor(lua_State *L); /* factor.c */
void mn_lua_define_sparse(lua_State *L); /* sparse.c */

int mn_lua_matrix_tostring(lua_State *L); /* tostring.c */
int mn_lua_vector_tostring(lua_State *L);
int mn_lua_factor_tostring(lua_State *L);
int mn_lua_sparse_tostring(lua_State *L);
int mn_lua_screen_width(lua_State *L);
int mn_lua_concat_error(lua_State *L);

extern const luaL_Reg mn_lua_elementwise[]; /* arithmetic.c */
int mn_lua_add(lua_State *L);
int mn_lua_sub(lua_State *L);
int mn_lua_mul(lua_State *L);
int mn_lua_div(lua_State *L);
int mn_lua_pow(lua_State *L);
int mn_lua_unm(lua_State *L);
int mn_lua_sparse_mul(lua_State *L); /* sparse.c */

extern const luaL_Reg mn_lua_statistics[]; /* statistics.c */
extern const luaL_Reg mn_lua_matrix_statistics[];
extern const luaL_Reg mn_lua_linear_algebra[]; /* linear_algebra.c */
extern const luaL_Reg mn_lua_vector_statistics[];

#endif
