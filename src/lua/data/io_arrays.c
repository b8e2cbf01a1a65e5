#include "io_arrays.h"
#include "io_bytes.h"
#include "../values/options.h"
#include "../values/userdata.h"
#include "../../io/npy.h"
#include "../../io/npz.h"
#include "../../io/svmlight.h"
#include <string.h>

#define NPZ "manilius.Npz"
#define SVMLIGHT "manilius.Svmlight"

/* --- NPY --- */

static int finish_matrix(lua_State *L, mn_context *ctx, mn_lua_matrix *m)
{
  mn_lua_end(L, ctx);
  mn_lua_commit_matrix(L, m);
  return 1;
}

/* read_npy(path) -> Matrix; a vector is one column */
static int read_npy(lua_State *L)
{
  lua_settop(L, 2);
  const mn_lua_call call = mn_lua_begin_call(L, "read_npy", 2);
  const char *path = mn_lua_check_path(L, &call, 1);
  mn_lua_matrix *m = mn_lua_push_empty_matrix(L);
  mn_context *ctx = mn_lua_begin(L);
  if (mn_read_npy(ctx, path, &m->own) != MN_OK) return mn_lua_raise(L, ctx);
  return finish_matrix(L, ctx, m);
}

/* parse_npy(bytes) -> Matrix */
static int parse_npy(lua_State *L)
{
  size_t size;
  lua_settop(L, 2);
  const mn_lua_call call = mn_lua_begin_call(L, "parse_npy", 2);
  const char *bytes = mn_lua_check_string(L, &call, "bytes", 1, &size);
  mn_lua_matrix *m = mn_lua_push_empty_matrix(L);
  mn_context *ctx = mn_lua_begin(L);
  if (mn_parse_npy(ctx, bytes, size, "bytes", &m->own) != MN_OK) return mn_lua_raise(L, ctx);
  return finish_matrix(L, ctx, m);
}

/* write_npy(path, X) */
static int write_npy(lua_State *L)
{
  lua_settop(L, 2);
  lua_pushnil(L);
  const mn_lua_call call = mn_lua_begin_call(L, "write_npy", 3);
  const char *path = mn_lua_check_path(L, &call, 1);
  mn_context *ctx = mn_lua_begin(L);
  const mn_matrix x = mn_lua_check_matrix(L, ctx, 2);
  if (mn_write_npy(ctx, path, &x) != MN_OK) return mn_lua_raise(L, ctx);
  mn_lua_end(L, ctx);
  return 0;
}

/* format_npy(X) -> bytes */
static int format_npy(lua_State *L)
{
  lua_settop(L, 1);
  mn_context *ctx = mn_lua_begin(L);
  const mn_matrix x = mn_lua_check_matrix(L, ctx, 1);
  mn_lua_bytes *bytes = mn_lua_push_bytes(L);
  if (mn_format_npy(ctx, &x, &bytes->at, &bytes->size) != MN_OK) return mn_lua_raise(L, ctx);
  mn_lua_end(L, ctx);
  return mn_lua_bytes_to_string(L, bytes);
}

static int free_npz(lua_State *L)
{
  mn_npz *npz = lua_touserdata(L, 1);
  mn_memory *memory = mn_lua_memory(L);
  if (memory) mn_npz_free(memory, npz);
  return 0;
}

static mn_npz *push_npz(lua_State *L)
{
  mn_npz *npz = lua_newuserdatauv(L, sizeof *npz, 0);
  *npz = (mn_npz){ 0 };
  luaL_setmetatable(L, NPZ);
  return npz;
}

static int push_arrays(lua_State *L, mn_context *ctx, mn_npz *npz)
{
  mn_lua_end(L, ctx);
  lua_newtable(L);
  for (size_t i = 0; i < npz->size; i++) {
    mn_lua_matrix *m = mn_lua_push_empty_matrix(L);
    m->own = npz->at[i].value;
    npz->at[i].value = (mn_matrix){ 0 };
    mn_lua_commit_matrix(L, m);
    lua_setfield(L, -2, npz->at[i].name);
  }
  return 1;
}

/* read_npz(path) -> table of Matrix by name */
static int read_npz(lua_State *L)
{
  lua_settop(L, 2);
  const mn_lua_call call = mn_lua_begin_call(L, "read_npz", 2);
  const char *path = mn_lua_check_path(L, &call, 1);
  mn_npz *npz = push_npz(L);
  mn_context *ctx = mn_lua_begin(L);
  if (mn_read_npz(ctx, path, npz) != MN_OK) return mn_lua_raise(L, ctx);
  return push_arrays(L, ctx, npz);
}

/* write_npz(path, arrays): a table of matrices by name, written in the order of their names */
static int write_npz(lua_State *L)
{
  lua_settop(L, 4);
  const mn_lua_call call = mn_lua_begin_call(L, "write_npz", 4);
  const char *path = mn_lua_check_path(L, &call, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  luaL_checktype(L, 3, LUA_TTABLE);
  const size_t size = lua_rawlen(L, 3);
  mn_npz_array *arrays = mn_lua_push_zeroed_buffer(L, sizeof *arrays, size);
  luaL_checkstack(L, LUA_MINSTACK + 2 * (size < 30000 ? (int)size : 0), "too many arrays");
  mn_context *ctx = mn_lua_begin(L);
  for (size_t i = 0; i < size; i++) {
    lua_rawgeti(L, 3, (lua_Integer)i + 1);
    arrays[i].name = (char *)(uintptr_t)luaL_checkstring(L, -1); /* only read */
    lua_pushvalue(L, -1);
    lua_rawget(L, 2);
    arrays[i].value = mn_lua_check_matrix(L, ctx, lua_gettop(L));
  }
  const mn_npz npz = { .at = arrays, .size = size };
  if (mn_write_npz(ctx, path, &npz) != MN_OK) return mn_lua_raise(L, ctx);
  mn_lua_end(L, ctx);
  return 0;
}

/* parse_npz(bytes) -> table of Matrix by name */
static int parse_npz(lua_State *L)
{
  size_t size;
  lua_settop(L, 2);
  const mn_lua_call call = mn_lua_begin_call(L, "parse_npz", 2);
  const char *bytes = mn_lua_check_string(L, &call, "bytes", 1, &size);
  mn_npz *npz = push_npz(L);
  mn_context *ctx = mn_lua_begin(L);
  if (mn_parse_npz(ctx, bytes, size, "bytes", npz) != MN_OK) return mn_lua_raise(L, ctx);
  return push_arrays(L, ctx, npz);
}

/* --- svmlight --- */

/* The number of the first column: 0 or 1. */
static mn_svmlight_base check_base(lua_State *L, const mn_lua_call *call)
{
  const lua_Number base = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : -1;
  const bool zero = base >= 0 && base <= 0, one = base >= 1 && base <= 1;
  if (!zero && !one) mn_lua_option_error(L, call, "base", "0 or 1");
  return zero ? MN_SVMLIGHT_ZERO : MN_SVMLIGHT_ONE;
}

static mn_svmlight_options check_svmlight_options(lua_State *L, const mn_lua_call *call)
{
  static const char *const known[] = { "base", "cols", NULL };
  mn_svmlight_options o = { 0 };
  mn_lua_check_option_names(L, call, known);
  if (mn_lua_push_option(L, call, "base")) o.base = check_base(L, call);
  if (mn_lua_push_option(L, call, "cols")) o.cols = mn_lua_check_whole(L, call, "cols", 1);
  return o;
}

static int free_svmlight(lua_State *L)
{
  mn_svmlight *s = lua_touserdata(L, 1);
  mn_memory *memory = mn_lua_memory(L);
  if (memory) mn_svmlight_free(memory, s);
  return 0;
}

static mn_svmlight *push_svmlight(lua_State *L)
{
  mn_svmlight *s = lua_newuserdatauv(L, sizeof *s, 0);
  *s = (mn_svmlight){ 0 };
  luaL_setmetatable(L, SVMLIGHT);
  return s;
}

static bool all_whole(const mn_vector *v)
{
  for (size_t i = 0; i < v->size; i++)
    if (!mn_lua_is_whole(v->at[i])) return false;
  return true;
}

/* Push X, y and, when there are queries, their lengths. */
static int push_parts(lua_State *L, mn_svmlight *s)
{
  mn_csr *x = mn_lua_push_sparse(L);
  *x = s->x;
  s->x = (mn_csr){ 0 };
  mn_lua_charge(L, x->start[x->rows] * (sizeof *x->col + sizeof *x->at));
  mn_lua_vector *y = mn_lua_push_empty_vector(L);
  y->own = s->y;
  s->y = (mn_vector){ 0 };
  mn_lua_commit_vector(L, y);
  y->whole = all_whole(&y->own);
  if (s->lengths.size == 0) return 2;
  mn_lua_vector *lengths = mn_lua_push_raw_vector(L, s->lengths.size);
  lengths->whole = true;
  for (size_t i = 0; i < s->lengths.size; i++) lengths->at[i] = s->lengths.at[i];
  return 3;
}

/* read_svmlight(path, { base = 0 | 1, cols = }) -> Sparse, Vector of labels [, Vector of the rows of each query] */
static int read_svmlight(lua_State *L)
{
  lua_settop(L, 2);
  const mn_lua_call call = mn_lua_begin_call(L, "read_svmlight", 2);
  const char *path = mn_lua_check_path(L, &call, 1);
  const mn_svmlight_options options = check_svmlight_options(L, &call);
  mn_svmlight *s = push_svmlight(L);
  mn_context *ctx = mn_lua_begin(L);
  if (mn_read_svmlight(ctx, path, &options, s) != MN_OK) return mn_lua_raise(L, ctx);
  mn_lua_end(L, ctx);
  return push_parts(L, s);
}

/* parse_svmlight(text, options) -> as above */
static int parse_svmlight(lua_State *L)
{
  size_t size;
  lua_settop(L, 2);
  const mn_lua_call call = mn_lua_begin_call(L, "parse_svmlight", 2);
  const char *text = mn_lua_check_string(L, &call, "text", 1, &size);
  const mn_svmlight_options options = check_svmlight_options(L, &call);
  mn_svmlight *s = push_svmlight(L);
  mn_context *ctx = mn_lua_begin(L);
  if (mn_parse_svmlight(ctx, text, size, "text", &options, s) != MN_OK) return mn_lua_raise(L, ctx);
  mn_lua_end(L, ctx);
  return push_parts(L, s);
}

struct data {
  const mn_csr *x;
  mn_vector y;
  mn_indexes lengths;
  mn_svmlight_base base;
};

static void check_lengths(lua_State *L, const mn_lua_call *call, mn_context *ctx, struct data *d)
{
  const int top = lua_gettop(L);
  const mn_vector v = mn_lua_check_vector(L, ctx, top);
  mn_lua_anchor_in_call(L, call);
  d->lengths = (mn_indexes){ .at = mn_lua_call_buffer(L, call, sizeof(int32_t), v.size), .size = v.size };
  for (size_t i = 0; i < v.size; i++) {
    const bool valid = v.at[i] >= 1 && v.at[i] <= INT32_MAX && mn_lua_is_whole(v.at[i]);
    if (!valid) luaL_error(L, "%s: lengths must be whole numbers >= 1", call->who);
    d->lengths.at[i] = (int32_t)v.at[i];
  }
}

/* X at `arg`, y or nil at the next, then the options. */
static struct data check_data(lua_State *L, const mn_lua_call *call, mn_context *ctx, int arg)
{
  static const char *const known[] = { "base", "lengths", NULL };
  struct data d = { .base = MN_SVMLIGHT_ONE };
  d.x = mn_lua_test_sparse(L, arg);
  if (!d.x) luaL_error(L, "%s: X must be a Sparse, got %s", call->who, mn_lua_type_name(L, arg));
  if (!lua_isnil(L, arg + 1)) d.y = mn_lua_check_vector(L, ctx, arg + 1);
  mn_lua_check_option_names(L, call, known);
  if (mn_lua_push_option(L, call, "base")) d.base = check_base(L, call);
  if (mn_lua_push_option(L, call, "lengths")) check_lengths(L, call, ctx, &d);
  return d;
}

/* write_svmlight(path, X, y, { base = 1, lengths = }) */
static int write_svmlight(lua_State *L)
{
  lua_settop(L, 4);
  const mn_lua_call call = mn_lua_begin_call(L, "write_svmlight", 4);
  const char *path = mn_lua_check_path(L, &call, 1);
  mn_context *ctx = mn_lua_begin(L);
  const struct data d = check_data(L, &call, ctx, 2);
  const mn_status status =
      mn_write_svmlight(ctx, path, d.x, d.y.at ? &d.y : NULL, d.lengths.at ? &d.lengths : NULL, d.base);
  if (status != MN_OK) return mn_lua_raise(L, ctx);
  mn_lua_end(L, ctx);
  return 0;
}

/* format_svmlight(X, y, options) -> text */
static int format_svmlight(lua_State *L)
{
  lua_settop(L, 3);
  const mn_lua_call call = mn_lua_begin_call(L, "format_svmlight", 3);
  mn_context *ctx = mn_lua_begin(L);
  const struct data d = check_data(L, &call, ctx, 1);
  mn_lua_bytes *bytes = mn_lua_push_bytes(L);
  const mn_status status = mn_format_svmlight(ctx, d.x, d.y.at ? &d.y : NULL, d.lengths.at ? &d.lengths : NULL, d.base,
                                              &bytes->at, &bytes->size);
  if (status != MN_OK) return mn_lua_raise(L, ctx);
  mn_lua_end(L, ctx);
  return mn_lua_bytes_to_string(L, bytes);
}

void mn_lua_open_io_arrays(lua_State *L)
{
  static const luaL_Reg functions[] = {
    { "read_npy", read_npy },
    { "parse_npy", parse_npy },
    { "write_npy", write_npy },
    { "format_npy", format_npy },
    { "read_npz", read_npz },
    { "parse_npz", parse_npz },
    { "write_npz", write_npz },
    { "read_svmlight", read_svmlight },
    { "parse_svmlight", parse_svmlight },
    { "write_svmlight", write_svmlight },
    { "format_svmlight", format_svmlight },
    { NULL, NULL },
  };
  mn_lua_new_gc_metatable(L, NPZ, free_npz);
  mn_lua_new_gc_metatable(L, SVMLIGHT, free_svmlight);
  luaL_setfuncs(L, functions, 0);
}
