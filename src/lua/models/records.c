#include "records.h"
#include "../../model/named_value.h"
#include "../params/anchors.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The values of one row, in an anchored buffer. */
struct row {
  mn_named_value *value;
  size_t size, capacity;
  size_t number; /* of the row, for messages */
};

static int refuse(lua_State *L, const struct row *row, const char *name, const char *what)
{
  return luaL_argerror(L, 1,
                       lua_pushfstring(L,
                                       "row %d: '%s' must be a finite number, a boolean, a string or a list of "
                                       "strings, got %s",
                                       (int)row->number, name, what));
}

/* The bytes of the string at `index`, which must not contain zeros. */
static const char *check_bytes(lua_State *L, int index, const struct row *row, size_t *size)
{
  const char *bytes = lua_tolstring(L, index, size);
  if (memchr(bytes, 0, *size)) refuse(L, row, bytes, "a string with a zero byte");
  return bytes;
}

static void add(lua_State *L, struct row *row, mn_named_value value)
{
  if (row->size == row->capacity) mn_lua_modified_error(L, 1);
  row->value[row->size++] = value;
}

static void add_number(lua_State *L, struct row *row, const char *name, size_t size, double number)
{
  add(L, row, (mn_named_value){ .name = name, .name_size = size, .number = number });
}

/* The strings of the list at `index`, each a text of `name`; name NULL: a name with the value 1. */
static void add_list(lua_State *L, int index, const char *name, size_t name_size, struct row *row)
{
  for (size_t i = 0, n = lua_rawlen(L, index); i < n; i++) {
    size_t size;
    if (lua_rawgeti(L, index, (lua_Integer)i + 1) != LUA_TSTRING) {
      if (name) refuse(L, row, name, luaL_typename(L, -1));
      luaL_argerror(L, 1,
                    lua_pushfstring(L, "row %d: the features of its list must be strings, got %s at position %d",
                                    (int)row->number, luaL_typename(L, -1), (int)i + 1));
    }
    const char *bytes = check_bytes(L, lua_gettop(L), row, &size);
    if (name)
      add(L, row, (mn_named_value){ .name = name, .name_size = name_size, .text = bytes, .text_size = size });
    else
      add_number(L, row, bytes, size, 1);
    lua_pop(L, 1); /* the table keeps the string alive */
  }
}

/* Refuse the table at `index` if it is not a list. */
static void check_list(lua_State *L, int index, const char *name, const struct row *row)
{
  const lua_Integer n = (lua_Integer)lua_rawlen(L, index);
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1))
    if (!lua_isinteger(L, -2) || lua_tointeger(L, -2) < 1 || lua_tointeger(L, -2) > n)
      refuse(L, row, name, lua_pushfstring(L, "a table with the key %s", luaL_tolstring(L, -2, NULL)));
}

/* The value on top of the stack, whose name is below. */
static void add_value(lua_State *L, struct row *row)
{
  size_t size, text_size;
  const int top = lua_gettop(L);
  const char *name = check_bytes(L, top - 1, row, &size);
  switch (lua_type(L, top)) {
  case LUA_TNUMBER:
    if (!isfinite(lua_tonumber(L, top))) refuse(L, row, name, "nan or infinity");
    add_number(L, row, name, size, lua_tonumber(L, top));
    break;
  case LUA_TBOOLEAN: add_number(L, row, name, size, lua_toboolean(L, top)); break;
  case LUA_TSTRING: {
    const char *text = check_bytes(L, top, row, &text_size);
    add(L, row, (mn_named_value){ .name = name, .name_size = size, .text = text, .text_size = text_size });
    break;
  }
  case LUA_TTABLE:
    check_list(L, top, name, row);
    add_list(L, top, name, size, row);
    break;
  default: refuse(L, row, name, luaL_typename(L, top));
  }
}

static int compare_bytes(const char *a, size_t a_size, const char *b, size_t b_size)
{
  const int order = memcmp(a, b, a_size < b_size ? a_size : b_size);
  return order != 0 ? order : (a_size > b_size) - (a_size < b_size);
}

/* By name, then text: the order of a Lua table may differ from run to run. */
static int by_name(const void *left, const void *right)
{
  const mn_named_value *a = left, *b = right;
  const int order = compare_bytes(a->name, a->name_size, b->name, b->name_size);
  if (order != 0) return order;
  if (a->text && b->text) return compare_bytes(a->text, a->text_size, b->text, b->text_size);
  return (a->text != NULL) - (b->text != NULL);
}

/* Upper bound of the number of values in the table on top of the stack. */
static size_t count_values(lua_State *L)
{
  const int top = lua_gettop(L);
  size_t n = lua_rawlen(L, top);
  for (lua_pushnil(L); lua_next(L, top); lua_pop(L, 1)) n += lua_type(L, -1) == LUA_TTABLE ? lua_rawlen(L, -1) : 1;
  return n;
}

/* Read the table on top of the stack. */
static void read_row(lua_State *L, struct row *row)
{
  const int top = lua_gettop(L);
  row->size = 0;
  add_list(L, top, NULL, 0, row);
  const size_t listed = row->size;
  for (lua_pushnil(L); lua_next(L, top); lua_pop(L, 1)) {
    const lua_Integer key = lua_isinteger(L, -2) ? lua_tointeger(L, -2) : 0;
    if (key >= 1 && (size_t)key <= listed) continue;
    if (lua_type(L, -2) != LUA_TSTRING)
      luaL_argerror(
          L, 1,
          lua_pushfstring(L, "row %d: a name must be a string, got a %s", (int)row->number, luaL_typename(L, -2)));
    add_value(L, row);
  }
  if (row->size > 0) qsort(row->value, row->size, sizeof *row->value, by_name);
}

/* The size of the encoded row on top of the stack. */
static size_t encoded_size(lua_State *L, struct row *row)
{
  size_t size = 0;
  read_row(L, row);
  for (size_t k = 0; k < row->size; k++) size += mn_named_value_size(&row->value[k]);
  return size;
}

/* Push row i of the list at `index`. */
static void push_row(lua_State *L, int index, size_t i)
{
  if (lua_rawgeti(L, index, (lua_Integer)i + 1) != LUA_TTABLE)
    luaL_argerror(
        L, 1, lua_pushfstring(L, "row %d must be a table of named values, got a %s", (int)i + 1, luaL_typename(L, -1)));
}

void mn_lua_records_to_factor(lua_State *L, mn_context *ctx, int index)
{
  const size_t n = lua_rawlen(L, index);
  size_t most = 0, bytes = 0;
  const int anchors = mn_lua_begin_anchors(L);
  size_t *size = mn_lua_anchored_buffer(L, anchors, sizeof *size, n);
  for (size_t i = 0; i < n; i++) {
    push_row(L, index, i);
    const size_t values = count_values(L);
    most = values > most ? values : most;
    lua_pop(L, 1);
  }
  struct row row = { .value = mn_lua_anchored_buffer(L, anchors, sizeof *row.value, most), .capacity = most };
  for (size_t i = 0; i < n; i++) {
    push_row(L, index, i);
    row.number = i + 1;
    bytes += size[i] = encoded_size(L, &row);
    lua_pop(L, 1);
  }
  char *text = mn_lua_anchored_buffer(L, anchors, 1, bytes), *next = text;
  mn_label *label = mn_lua_anchored_buffer(L, anchors, sizeof *label, n);
  int32_t *code = mn_lua_anchored_buffer(L, anchors, sizeof *code, n);
  mn_factor *f = mn_lua_anchored_factor(L, anchors);
  for (size_t i = 0; i < n; i++) {
    label[i] = (mn_label){ .kind = MN_LABEL_TEXT, .as.text = { .bytes = next, .size = size[i] } };
    push_row(L, index, i);
    if (encoded_size(L, &row) != size[i]) mn_lua_modified_error(L, 1);
    for (size_t k = 0; k < row.size; k++) next = mn_named_value_write(&row.value[k], next);
    lua_pop(L, 1);
  }
  mn_lua_encode_labels(L, ctx, f, label, n, code);
  mn_factor *out = mn_lua_push_factor(L, n, f->levels);
  if (n > 0) memcpy(out->code, code, n * sizeof *code);
  lua_replace(L, index);
  lua_settop(L, index);
}

static int convert(lua_State *L)
{
  luaL_checktype(L, 1, LUA_TTABLE);
  mn_lua_records_to_factor(L, lua_touserdata(L, 2), 1);
  lua_settop(L, 1);
  return 1;
}

/* records(list of tables of named values) -> Factor of their encodings */
static int records(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  lua_settop(L, 1);
  mn_lua_convert_argument_with(L, 1, convert, ctx, "records", "X");
  return mn_lua_finish(L, ctx, 1);
}

void mn_lua_open_records(lua_State *L)
{
  lua_pushcfunction(L, records);
  lua_setfield(L, -2, "records");
}
