/* A writer that takes one value at a time, and a reader that returns all records as a tree. */
#include "archive.h"
#include "../../io/output.h"
#include "../../model/kernel_param.h"
#include "../../model/save.h"
#include "../params/kernel_userdata.h"
#include "model_userdata.h"
#include "../values/options.h"
#include "../values/userdata.h"
#include <math.h>
#include <string.h>

#define WRITER "manilius.Writer"

static int writer_gc(lua_State *L)
{
  mn_writer *w = lua_touserdata(L, 1);
  if (mn_lua_memory(L) && w->at) mn_write_free(w);
  return 0;
}

/* archive_writer() -> Writer */
static int writer_new(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  mn_writer *w = lua_newuserdatauv(L, sizeof *w, 0);
  *w = mn_write_begin(ctx);
  luaL_setmetatable(L, WRITER);
  if (w->status != MN_OK) return mn_lua_raise(L, ctx);
  mn_lua_end(L, ctx);
  return 1;
}

/* The writer at 1, in a new operation. */
static mn_writer *check_writer(lua_State *L)
{
  mn_writer *w = luaL_checkudata(L, 1, WRITER);
  if (!w->at) luaL_error(L, "the archive is finished");
  w->ctx = mn_lua_begin(L);
  return w;
}

/* End the operation and return the writer. */
static int finish(lua_State *L, mn_writer *w)
{
  if (w->status != MN_OK) return mn_lua_raise(L, w->ctx);
  mn_lua_end(L, w->ctx);
  lua_settop(L, 1);
  return 1;
}

/* Names are C strings in the archive, with a 16-bit length. */
static const char *check_name(lua_State *L)
{
  size_t size;
  const char *name = luaL_checklstring(L, 2, &size);
  luaL_argcheck(L, size == strlen(name) && size < UINT16_MAX, 2,
                "a name must be shorter than 65535 bytes and contain no zero byte");
  return name;
}

static int writer_group(lua_State *L)
{
  mn_writer *w = check_writer(L);
  mn_write_group(w, check_name(L));
  return finish(L, w);
}

static int writer_end(lua_State *L)
{
  mn_writer *w = check_writer(L);
  mn_write_end(w);
  return finish(L, w);
}

static void write_type(mn_writer *w, const char *type)
{
  mn_write_text(w, "type", type, strlen(type));
}

static int write_vector(lua_State *L, mn_writer *w, const char *name)
{
  const bool whole = mn_lua_test_vector(L, 3)->whole;
  const mn_vector v = mn_lua_check_vector(L, w->ctx, 3);
  if (!whole) {
    mn_write_vector(w, name, &v);
    return finish(L, w);
  }
  mn_write_group(w, name);
  write_type(w, "integers");
  mn_write_vector(w, "values", &v);
  mn_write_end(w);
  return finish(L, w);
}

static int write_factor(lua_State *L, mn_writer *w, const char *name)
{
  const mn_factor *f = mn_lua_test_factor(L, 3);
  mn_write_group(w, name);
  write_type(w, "factor");
  if (f->levels) mn_write_levels(w, "levels", f->levels);
  mn_write_indexes(w, "codes", &(mn_indexes){ .at = f->code, .size = f->size });
  mn_write_end(w);
  return finish(L, w);
}

static int write_userdata(lua_State *L, mn_writer *w, const char *name)
{
  if (mn_lua_test_matrix(L, 3)) {
    const mn_matrix m = mn_lua_check_matrix(L, w->ctx, 3);
    mn_write_matrix(w, name, &m);
  } else if (mn_lua_test_vector(L, 3)) {
    return write_vector(L, w, name);
  } else if (mn_lua_test_factor(L, 3)) {
    return write_factor(L, w, name);
  } else if (mn_lua_test_sparse(L, 3)) {
    mn_write_csr(w, name, mn_lua_test_sparse(L, 3));
  } else if (mn_lua_test_kernel(L, 3)) {
    mn_write_kernel(w, name, mn_lua_test_kernel(L, 3));
  } else if (mn_lua_is_model(L, 3)) {
    mn_save_estimator(w, name, mn_lua_pin_model(L, 3));
  } else {
    return luaL_error(L, "'%s' cannot be saved: it is a %s", name, luaL_typename(L, 3));
  }
  return finish(L, w);
}

/* writer:value(name, value): a number, string, boolean, Matrix, Vector, Factor, Sparse or model of the core */
static int writer_value(lua_State *L)
{
  lua_settop(L, 3);
  mn_writer *w = check_writer(L);
  const char *name = check_name(L);
  size_t size;
  switch (lua_type(L, 3)) {
  case LUA_TBOOLEAN: mn_write_flag(w, name, lua_toboolean(L, 3)); break;
  case LUA_TNUMBER:
    if (lua_isinteger(L, 3))
      mn_write_count(w, name, lua_tointeger(L, 3));
    else
      mn_write_real(w, name, lua_tonumber(L, 3));
    break;
  case LUA_TSTRING: {
    const char *bytes = lua_tolstring(L, 3, &size);
    mn_write_text(w, name, bytes, size);
    break;
  }
  case LUA_TUSERDATA: return write_userdata(L, w, name);
  default: return luaL_error(L, "'%s' cannot be saved: it is a %s", name, luaL_typename(L, 3));
  }
  return finish(L, w);
}

/* Raises when there is no memory for the string. */
static int push_bytes(lua_State *L)
{
  const mn_writer *w = lua_touserdata(L, 1);
  lua_pushlstring(L, (const char *)w->at, w->size);
  return 1;
}

int mn_lua_push_archive(lua_State *L, mn_context *ctx, mn_writer *w)
{
  luaL_checkstack(L, 4, NULL);
  lua_pushcfunction(L, push_bytes);
  lua_pushlightuserdata(L, w);
  const int status = lua_pcall(L, 1, 1, 0);
  mn_write_free(w);
  mn_lua_end(L, ctx);
  return status == LUA_OK ? 1 : lua_error(L);
}

/* writer:finish() -> bytes; the writer is empty afterwards */
static int writer_finish(lua_State *L)
{
  mn_writer *w = check_writer(L);
  if (mn_write_finish(w) != MN_OK) return mn_lua_raise(L, w->ctx);
  mn_context *ctx = w->ctx;
  mn_writer finished = *w; /* moved, because mn_lua_push_archive frees it */
  *w = (mn_writer){ .ctx = ctx };
  return mn_lua_push_archive(L, ctx, &finished);
}

/* write_bytes(path, bytes): replaces the file atomically */
static int write_bytes(lua_State *L)
{
  size_t size;
  mn_lua_check_io_library(L, "save");
  const char *path = luaL_checklstring(L, 1, &size);
  luaL_argcheck(L, strlen(path) == size, 1, "a path must not contain a zero byte");
  const char *bytes = luaL_checklstring(L, 2, &size);
  mn_context *ctx = mn_lua_begin(L);
  mn_output o;
  mn_status status = mn_output_open_raw(ctx, path, &o);
  if (status == MN_OK) status = mn_output_write(ctx, &o, bytes, size);
  if (mn_output_close(ctx, &o, status) != MN_OK) return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 0);
}

/* --- reading --- */

/* Whether the group has this type. */
static bool has_type(const mn_reader *r, size_t group, const char *type)
{
  const mn_record *record = mn_find_record(r, group, "type");
  const char *bytes;
  size_t size;
  if (!record || record->kind != MN_RECORD_TEXT) return false;
  if (mn_record_text(r, record, &bytes, &size) != MN_OK) return false;
  return size == strlen(type) && memcmp(bytes, type, size) == 0;
}

static mn_status read_codes(const mn_reader *r, size_t group, mn_factor *f)
{
  const mn_record *levels = mn_find_record(r, group, "levels"), *codes = mn_find_record(r, group, "codes");
  mn_indexes code = { 0 };
  if (!codes) return mn_fail(r->ctx, MN_BAD_FILE, "%s: a factor has no codes", r->label);
  if (levels) MN_TRY(mn_record_levels(r, levels, &f->levels));
  MN_TRY(mn_record_indexes(r, codes, &code));
  f->code = code.at;
  f->size = code.size;
  const size_t n = f->levels ? mn_levels_size(f->levels) : 0;
  for (size_t i = 0; i < f->size; i++)
    if (f->code[i] < -1 || (f->code[i] >= 0 && (size_t)f->code[i] >= n))
      return mn_fail(r->ctx, MN_BAD_FILE, "%s: a factor has code %d of %zu levels", r->label, (int)f->code[i], n);
  return MN_OK;
}

static void push_factor(lua_State *L, const mn_reader *r, size_t group)
{
  mn_factor *f = mn_lua_push_factor(L, 0, NULL);
  mn_factor_free(mn_context_memory(r->ctx), f);
  *f = (mn_factor){ 0 };
  if (read_codes(r, group, f) != MN_OK) mn_lua_raise(L, r->ctx);
}

static void push_integers(lua_State *L, const mn_reader *r, size_t group)
{
  const mn_record *values = mn_find_record(r, group, "values");
  if (!values) luaL_error(L, "%s: a vector has no values", r->label);
  mn_lua_vector *v = mn_lua_push_empty_vector(L);
  if (mn_record_vector(r, values, &v->own) != MN_OK) mn_lua_raise(L, r->ctx);
  mn_lua_commit_vector(L, v);
  v->whole = true;
  for (size_t i = 0; i < v->size; i++) /* a damaged archive may contain other numbers */
    if (!(fabs(v->at[i]) <= 0x1p53 && v->at[i] == (double)(int64_t)v->at[i])) v->whole = false;
}

static void push_model(lua_State *L, const mn_reader *r, size_t group)
{
  mn_estimator **estimator = mn_lua_push_model(L);
  *estimator = mn_load_estimator(r, group);
  if (!*estimator) mn_lua_raise(L, r->ctx);
}

static void push_kernel(lua_State *L, const mn_reader *r, size_t group)
{
  mn_kernel *k = mn_lua_push_kernel(L);
  if (mn_record_kernel(r, &r->record[group], k) != MN_OK) mn_lua_raise(L, r->ctx);
}

static mn_status push_scalar(lua_State *L, const mn_reader *r, const mn_record *record)
{
  if (record->kind == MN_RECORD_REAL) {
    double value = 0;
    MN_TRY(mn_record_real(r, record, &value));
    lua_pushnumber(L, value);
  } else if (record->kind == MN_RECORD_COUNT) {
    int64_t value = 0;
    MN_TRY(mn_record_count(r, record, &value));
    lua_pushinteger(L, value);
  } else if (record->kind == MN_RECORD_FLAG) {
    bool value = false;
    MN_TRY(mn_record_flag(r, record, &value));
    lua_pushboolean(L, value);
  } else {
    const char *bytes = NULL;
    size_t size = 0;
    MN_TRY(mn_record_text(r, record, &bytes, &size));
    lua_pushlstring(L, bytes, size);
  }
  return MN_OK;
}

static mn_status push_vector(lua_State *L, const mn_reader *r, const mn_record *record)
{
  mn_lua_vector *v = mn_lua_push_empty_vector(L);
  MN_TRY(mn_record_vector(r, record, &v->own));
  mn_lua_commit_vector(L, v);
  return MN_OK;
}

static mn_status push_matrix(lua_State *L, const mn_reader *r, const mn_record *record)
{
  mn_lua_matrix *m = mn_lua_push_empty_matrix(L);
  MN_TRY(mn_record_matrix(r, record, &m->own));
  mn_lua_commit_matrix(L, m);
  return MN_OK;
}

/* Push a record that is not a group. */
static mn_status push_leaf(lua_State *L, const mn_reader *r, const mn_record *record)
{
  switch (record->kind) {
  case MN_RECORD_REAL:
  case MN_RECORD_COUNT:
  case MN_RECORD_FLAG:
  case MN_RECORD_TEXT: return push_scalar(L, r, record);
  case MN_RECORD_VECTOR: return push_vector(L, r, record);
  case MN_RECORD_MATRIX: return push_matrix(L, r, record);
  case MN_RECORD_CSR: return mn_record_csr(r, record, mn_lua_push_sparse(L));
  case MN_RECORD_INDEXES:
  case MN_RECORD_LEVELS:
  case MN_RECORD_GROUP:
  case MN_RECORD_END: break;
  }
  return mn_fail(r->ctx, MN_BAD_FILE, "%s: unexpected record", r->label);
}

static void push_record(lua_State *L, const mn_reader *r, size_t at);

/* Push a group as { names = { ... }, values = { ... } }, in the order of the records. */
static void push_tree(lua_State *L, const mn_reader *r, size_t group)
{
  const size_t end = r->record[group].after - 1;
  lua_Integer n = 0;
  luaL_checkstack(L, 8, "nested too deeply");
  lua_createtable(L, 0, 2);
  lua_newtable(L);
  lua_newtable(L);
  for (size_t i = group + 1; i < end;) {
    const mn_record *record = &r->record[i];
    n++;
    lua_pushlstring(L, record->name, record->name_size);
    lua_rawseti(L, -3, n);
    push_record(L, r, i);
    lua_rawseti(L, -2, n);
    i = record->kind == MN_RECORD_GROUP ? record->after : i + 1;
  }
  lua_setfield(L, -3, "values");
  lua_setfield(L, -2, "names");
}

static void push_record(lua_State *L, const mn_reader *r, size_t at)
{
  luaL_checkstack(L, 8, "nested too deeply");
  if (r->record[at].kind != MN_RECORD_GROUP) {
    if (push_leaf(L, r, &r->record[at]) != MN_OK) mn_lua_raise(L, r->ctx);
  } else if (mn_holds_estimator(r, at)) {
    push_model(L, r, at);
  } else if (has_type(r, at, "kernel")) {
    push_kernel(L, r, at);
  } else if (has_type(r, at, "factor")) {
    push_factor(L, r, at);
  } else if (has_type(r, at, "integers")) {
    push_integers(L, r, at);
  } else {
    push_tree(L, r, at);
  }
}

/* archive_read(bytes, label) -> the value of the record "model": a value, a model, or a tree of groups
 *
 * The table of records is scratch, which a finalizer may reset while Lua values are created. So it is built twice: to
 * learn its size, and to be copied into a userdata. */
static int archive_read(lua_State *L)
{
  size_t size;
  const char *bytes = luaL_checklstring(L, 1, &size), *label = luaL_optstring(L, 2, "archive");
  mn_context *ctx = mn_lua_begin(L);
  mn_reader r;
  if (mn_read_begin(ctx, label, bytes, size, &r) != MN_OK) return mn_lua_raise(L, ctx);
  mn_record *records = lua_newuserdatauv(L, r.size * sizeof *records + 1, 0);
  ctx = mn_lua_begin(L);
  if (mn_read_begin(ctx, label, bytes, size, &r) != MN_OK) return mn_lua_raise(L, ctx);
  if (r.size > 0) memcpy(records, r.record, r.size * sizeof *records);
  r.record = records;
  const mn_record *found = mn_find_record(&r, SIZE_MAX, "model");
  if (!found) return luaL_error(L, "%s: contains no model", label);
  push_record(L, &r, (size_t)(found - records));
  mn_lua_end(L, ctx);
  return 1;
}

void mn_lua_open_archive(lua_State *L)
{
  static const luaL_Reg methods[] = { { "group", writer_group },
                                      { "close", writer_end },
                                      { "value", writer_value },
                                      { "finish", writer_finish },
                                      { NULL, NULL } };
  static const luaL_Reg functions[] = {
    { "archive_writer", writer_new }, { "archive_read", archive_read }, { "write_bytes", write_bytes }, { NULL, NULL }
  };
  mn_lua_define_private_class(L, WRITER, methods, writer_gc);
  luaL_setfuncs(L, functions, 0);
}
