/* Readers and writers of tables. Users call them directly, so errors carry the user's line. */
#include "io.h"
#include "frame_columns.h"
#include "io_arrays.h"
#include "io_sentences.h"
#include "io_bytes.h"
#include "../values/options.h"
#include "../../io/csv.h"
#include "../../io/jsonl.h"
#include <string.h>

#define STREAM "manilius.CsvStream"

/* --- options of the CSV readers --- */

static void set_types(lua_State *L, const mn_lua_call *call, mn_csv_options *o)
{
  const int table = lua_gettop(L);
  if (lua_type(L, table) != LUA_TTABLE)
    mn_lua_option_error(L, call, "types", "a table from column names to 'number' or 'factor'");
  size_t n = 0, numbers = 0, factors = 0;
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) n++;
  const char **number = mn_lua_call_buffer(L, call, sizeof *number, n),
             **factor = mn_lua_call_buffer(L, call, sizeof *factor, n);
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
    const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL;
    const char *type = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
    if (name && strcmp(type, "number") == 0)
      number[numbers++] = name;
    else if (name && strcmp(type, "factor") == 0)
      factor[factors++] = name;
    else
      mn_lua_option_error(L, call, name ? name : "types", "'number' or 'factor'");
  }
  o->number = (mn_csv_names){ .at = number, .size = numbers };
  o->factor = (mn_csv_names){ .at = factor, .size = factors };
}

static mn_csv_header check_header(lua_State *L, const mn_lua_call *call)
{
  if (lua_isboolean(L, -1)) return lua_toboolean(L, -1) ? MN_CSV_HEADER_YES : MN_CSV_HEADER_NO;
  if (lua_type(L, -1) == LUA_TSTRING && strcmp(lua_tostring(L, -1), "auto") == 0) return MN_CSV_HEADER_AUTO;
  mn_lua_option_error(L, call, "header", "true, false or 'auto'");
  return MN_CSV_HEADER_AUTO;
}

static mn_csv_names check_names(lua_State *L, const mn_lua_call *call, const char *name)
{
  mn_csv_names names = { 0 };
  names.at = mn_lua_check_strings(L, call, name, &names.size);
  return names;
}

static const char *const csv_options[] = { "header",      "delimiter", "quote", "comment", "decimal",
                                           "keep_blanks", "strict",    "na",    "types",   "columns",
                                           "skip",        "rows",      NULL };

static mn_csv_options check_csv_options(lua_State *L, const mn_lua_call *call, char delimiter)
{
  mn_csv_options o = mn_csv_defaults();
  if (delimiter) o.delimiter = delimiter;
  mn_lua_check_option_names(L, call, csv_options);
  if (mn_lua_push_option(L, call, "header")) o.header = check_header(L, call);
  if (mn_lua_push_option(L, call, "delimiter")) o.delimiter = mn_lua_check_character(L, call, "delimiter");
  if (mn_lua_push_option(L, call, "quote")) o.quote = mn_lua_check_character(L, call, "quote");
  if (mn_lua_push_option(L, call, "comment")) o.comment = mn_lua_check_character(L, call, "comment");
  if (mn_lua_push_option(L, call, "decimal")) o.decimal = mn_lua_check_character(L, call, "decimal");
  if (!o.decimal) mn_lua_option_error(L, call, "decimal", "a text of one character");
  if (mn_lua_push_option(L, call, "keep_blanks")) o.keep_blanks = mn_lua_check_boolean(L, call, "keep_blanks");
  if (mn_lua_push_option(L, call, "strict")) o.strict = mn_lua_check_boolean(L, call, "strict");
  if (mn_lua_push_option(L, call, "na")) o.missing = check_names(L, call, "na");
  if (mn_lua_push_option(L, call, "types")) set_types(L, call, &o);
  if (mn_lua_push_option(L, call, "columns")) o.select = check_names(L, call, "columns");
  if (mn_lua_push_option(L, call, "skip")) o.skip = mn_lua_check_whole(L, call, "skip", 0);
  if (mn_lua_push_option(L, call, "rows")) o.max_rows = mn_lua_check_whole(L, call, "rows", 1);
  return o;
}

/* --- reading --- */

static int read_table(lua_State *L, const char *who, char delimiter)
{
  lua_settop(L, 2);
  const mn_lua_call call = mn_lua_begin_call(L, who, 2);
  const char *path = mn_lua_check_path(L, &call, 1);
  const mn_csv_options options = check_csv_options(L, &call, delimiter);
  mn_columns *columns = mn_lua_push_columns(L);
  mn_context *ctx = mn_lua_begin(L);
  if (mn_read_csv(ctx, path, &options, columns) != MN_OK) return mn_lua_raise(L, ctx);
  mn_lua_end(L, ctx);
  mn_lua_push_frame(L, path, columns);
  return 1;
}

/* read_csv(path, { header = true | false | "auto", delimiter =, quote =, comment =, decimal =, keep_blanks =, strict =,
 * na = { text, ... }, types = { column = "number" | "factor" }, columns = { name, ... }, skip = lines, rows = maximum
 * }) -> Frame. Files may be compressed with gzip. */
static int read_csv(lua_State *L)
{
  return read_table(L, "read_csv", 0);
}

/* read_tsv(path, options) -> Frame: the same for tab-separated values */
static int read_tsv(lua_State *L)
{
  return read_table(L, "read_tsv", '\t');
}

/* parse_csv(text, options) -> Frame */
static int parse_csv(lua_State *L)
{
  size_t size;
  lua_settop(L, 2);
  const mn_lua_call call = mn_lua_begin_call(L, "parse_csv", 2);
  const char *text = mn_lua_check_string(L, &call, "text", 1, &size);
  const mn_csv_options options = check_csv_options(L, &call, 0);
  mn_columns *columns = mn_lua_push_columns(L);
  mn_context *ctx = mn_lua_begin(L);
  if (mn_parse_csv(ctx, text, size, "text", &options, columns) != MN_OK) return mn_lua_raise(L, ctx);
  mn_lua_end(L, ctx);
  mn_lua_push_frame(L, "text", columns);
  return 1;
}

/* read_jsonl(path) -> Frame: a flat JSON object on each line */
static int read_jsonl(lua_State *L)
{
  lua_settop(L, 2);
  const mn_lua_call call = mn_lua_begin_call(L, "read_jsonl", 2);
  const char *path = mn_lua_check_path(L, &call, 1);
  mn_columns *columns = mn_lua_push_columns(L);
  mn_context *ctx = mn_lua_begin(L);
  if (mn_read_jsonl(ctx, path, columns) != MN_OK) return mn_lua_raise(L, ctx);
  mn_lua_end(L, ctx);
  mn_lua_push_frame(L, path, columns);
  return 1;
}

/* parse_jsonl(text) -> Frame */
static int parse_jsonl(lua_State *L)
{
  size_t size;
  lua_settop(L, 2);
  const mn_lua_call call = mn_lua_begin_call(L, "parse_jsonl", 2);
  const char *text = mn_lua_check_string(L, &call, "text", 1, &size);
  mn_columns *columns = mn_lua_push_columns(L);
  mn_context *ctx = mn_lua_begin(L);
  if (mn_parse_jsonl(ctx, text, size, "text", columns) != MN_OK) return mn_lua_raise(L, ctx);
  mn_lua_end(L, ctx);
  mn_lua_push_frame(L, "text", columns);
  return 1;
}

/* --- reading in chunks --- */

static int close_stream(lua_State *L)
{
  mn_csv **csv = lua_touserdata(L, 1);
  mn_memory *memory = mn_lua_memory(L);
  if (memory && csv && *csv) mn_csv_close(memory, *csv);
  if (csv) *csv = NULL;
  return 0;
}

static mn_csv **push_stream(lua_State *L)
{
  mn_csv **csv = lua_newuserdatauv(L, sizeof(mn_csv *), 0);
  *csv = NULL;
  luaL_setmetatable(L, STREAM);
  return csv;
}

/* Upvalues: the stream, the number of rows of a chunk, the path. */
static int next_chunk(lua_State *L)
{
  mn_csv **csv = lua_touserdata(L, lua_upvalueindex(1));
  if (!*csv) return 0;
  const size_t rows = (size_t)lua_tointeger(L, lua_upvalueindex(2));
  mn_columns *columns = mn_lua_push_columns(L);
  mn_context *ctx = mn_lua_begin(L);
  if (mn_csv_next(ctx, *csv, rows, columns) != MN_OK) return mn_lua_raise(L, ctx);
  mn_lua_end(L, ctx);
  if (columns->rows > 0) {
    mn_lua_push_frame(L, lua_tostring(L, lua_upvalueindex(3)), columns);
    return 1;
  }
  mn_csv_close(mn_lua_memory(L), *csv);
  *csv = NULL;
  return 0;
}

/* for frame in csv_chunks(path, { rows = 100000 (of a chunk), and the options of read_csv }) do ... end. The first
 * chunk determines the types of the columns; a later field that is not a number in a column of numbers raises an error.
 */
static int csv_chunks(lua_State *L)
{
  lua_settop(L, 2);
  const mn_lua_call call = mn_lua_begin_call(L, "csv_chunks", 2);
  const char *path = mn_lua_check_path(L, &call, 1);
  mn_csv_options options = check_csv_options(L, &call, 0);
  const size_t rows = options.max_rows > 0 ? options.max_rows : 100000;
  options.max_rows = 0;
  lua_settop(L, call.anchors);
  mn_csv **csv = push_stream(L);
  const int stream = lua_gettop(L);
  mn_context *ctx = mn_lua_begin(L);
  if (mn_csv_open(ctx, path, &options, csv) != MN_OK) return mn_lua_raise(L, ctx);
  mn_lua_end(L, ctx);
  lua_pushvalue(L, stream);
  lua_pushinteger(L, (lua_Integer)rows);
  lua_pushvalue(L, 1);
  lua_pushcclosure(L, next_chunk, 3);
  lua_pushnil(L);
  lua_pushnil(L);
  lua_pushvalue(L, stream); /* closed when the loop ends */
  return 4;
}

/* --- writing --- */

static mn_csv_format check_format(lua_State *L, const mn_lua_call *call)
{
  static const char *const known[] = { "delimiter", "na", "header", "quote_all", NULL };
  mn_csv_format format = mn_csv_format_defaults();
  mn_lua_check_option_names(L, call, known);
  if (mn_lua_push_option(L, call, "delimiter")) format.delimiter = mn_lua_check_character(L, call, "delimiter");
  if (!format.delimiter) mn_lua_option_error(L, call, "delimiter", "a text of one character");
  if (mn_lua_push_option(L, call, "na")) format.missing = mn_lua_check_string(L, call, "na", lua_gettop(L), NULL);
  if (mn_lua_push_option(L, call, "header")) format.header = mn_lua_check_boolean(L, call, "header");
  if (mn_lua_push_option(L, call, "quote_all")) format.quote_all = mn_lua_check_boolean(L, call, "quote_all");
  return format;
}

/* f:write_csv(path, { delimiter = ",", na = "", header = true, quote_all = false }) -> f */
static int write_csv(lua_State *L)
{
  lua_settop(L, 3);
  const mn_lua_call call = mn_lua_begin_call(L, "write_csv", 3);
  const mn_columns columns = mn_lua_check_frame(L, &call, 1);
  const char *path = mn_lua_check_path(L, &call, 2);
  const mn_csv_format format = check_format(L, &call);
  mn_context *ctx = mn_lua_begin(L);
  if (mn_write_csv(ctx, path, &columns, &format) != MN_OK) return mn_lua_raise(L, ctx);
  mn_lua_end(L, ctx);
  lua_settop(L, 1);
  return 1;
}

/* f:write_jsonl(path) -> f */
static int write_jsonl(lua_State *L)
{
  lua_settop(L, 2);
  lua_pushnil(L);
  const mn_lua_call call = mn_lua_begin_call(L, "write_jsonl", 3);
  const mn_columns columns = mn_lua_check_frame(L, &call, 1);
  const char *path = mn_lua_check_path(L, &call, 2);
  mn_context *ctx = mn_lua_begin(L);
  if (mn_write_jsonl(ctx, path, &columns) != MN_OK) return mn_lua_raise(L, ctx);
  mn_lua_end(L, ctx);
  lua_settop(L, 1);
  return 1;
}

/* f:to_jsonl() -> the string that write_jsonl writes */
static int to_jsonl(lua_State *L)
{
  lua_settop(L, 1);
  lua_pushnil(L);
  const mn_lua_call call = mn_lua_begin_call(L, "to_jsonl", 2);
  const mn_columns columns = mn_lua_check_frame(L, &call, 1);
  mn_lua_bytes *bytes = mn_lua_push_bytes(L);
  mn_context *ctx = mn_lua_begin(L);
  if (mn_format_jsonl(ctx, &columns, &bytes->at, &bytes->size) != MN_OK) return mn_lua_raise(L, ctx);
  mn_lua_end(L, ctx);
  return mn_lua_bytes_to_string(L, bytes);
}

/* f:to_csv(options) -> the string that write_csv writes */
static int to_csv(lua_State *L)
{
  lua_settop(L, 2);
  const mn_lua_call call = mn_lua_begin_call(L, "to_csv", 2);
  const mn_columns columns = mn_lua_check_frame(L, &call, 1);
  const mn_csv_format format = check_format(L, &call);
  mn_lua_bytes *bytes = mn_lua_push_bytes(L);
  mn_context *ctx = mn_lua_begin(L);
  if (mn_format_csv(ctx, &columns, &format, &bytes->at, &bytes->size) != MN_OK) return mn_lua_raise(L, ctx);
  mn_lua_end(L, ctx);
  return mn_lua_bytes_to_string(L, bytes);
}

void mn_lua_open_io(lua_State *L)
{
  static const luaL_Reg functions[] = { { "read_csv", read_csv },
                                        { "read_tsv", read_tsv },
                                        { "parse_csv", parse_csv },
                                        { "read_jsonl", read_jsonl },
                                        { "parse_jsonl", parse_jsonl },
                                        { "csv_chunks", csv_chunks },
                                        { NULL, NULL } };
  static const luaL_Reg methods[] = { { "write_csv", write_csv },
                                      { "to_csv", to_csv },
                                      { "write_jsonl", write_jsonl },
                                      { "to_jsonl", to_jsonl },
                                      { NULL, NULL } };
  mn_lua_open_columns(L);
  mn_lua_open_bytes(L);
  mn_lua_new_gc_metatable(L, STREAM, close_stream);
  luaL_getmetatable(L, STREAM);
  lua_pushcfunction(L, close_stream);
  lua_setfield(L, -2, "__close");
  lua_pop(L, 1);
  luaL_newlib(L, functions);
  mn_lua_open_io_arrays(L);
  lua_setfield(L, -2, "io");
  mn_lua_open_sentences(L);
  luaL_newlib(L, methods);
  lua_setfield(L, -2, "frame_methods");
}
