/* Readers and writers of tables. They are called by the user directly, so that errors carry the user's line. */
#include "frame.h"
#include "options.h"
#include "../data/csv.h"
#include <string.h>

/* --- options of the CSV readers --- */

static void set_types(lua_State *L, const mn_lua_call *call, mn_csv_options *o)
{
  const int table = lua_gettop(L);
  if (lua_type(L, table) != LUA_TTABLE) mn_lua_refuse(L, call, "types", "a table from column to 'number' or 'factor'");
  size_t n = 0, numbers = 0, factors = 0;
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) n++;
  const char **number = mn_lua_buffer(L, call, sizeof *number, n), **factor = mn_lua_buffer(L, call, sizeof *factor, n);
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
    const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL;
    const char *type = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
    if (name && strcmp(type, "number") == 0)
      number[numbers++] = name;
    else if (name && strcmp(type, "factor") == 0)
      factor[factors++] = name;
    else
      mn_lua_refuse(L, call, name ? name : "types", "'number' or 'factor'");
  }
  o->number = (mn_csv_names){ .at = number, .size = numbers };
  o->factor = (mn_csv_names){ .at = factor, .size = factors };
}

static mn_csv_header check_header(lua_State *L, const mn_lua_call *call)
{
  if (lua_isboolean(L, -1)) return lua_toboolean(L, -1) ? MN_CSV_HEADER_YES : MN_CSV_HEADER_NO;
  if (lua_type(L, -1) == LUA_TSTRING && strcmp(lua_tostring(L, -1), "auto") == 0) return MN_CSV_HEADER_AUTO;
  mn_lua_refuse(L, call, "header", "true, false or 'auto'");
  return MN_CSV_HEADER_AUTO;
}

static mn_csv_names check_names(lua_State *L, const mn_lua_call *call, const char *name)
{
  mn_csv_names names = { 0 };
  names.at = mn_lua_check_texts(L, call, name, &names.size);
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
  if (mn_lua_option(L, call, "header")) o.header = check_header(L, call);
  if (mn_lua_option(L, call, "delimiter")) o.delimiter = mn_lua_check_character(L, call, "delimiter");
  if (mn_lua_option(L, call, "quote")) o.quote = mn_lua_check_character(L, call, "quote");
  if (mn_lua_option(L, call, "comment")) o.comment = mn_lua_check_character(L, call, "comment");
  if (mn_lua_option(L, call, "decimal")) o.decimal = mn_lua_check_character(L, call, "decimal");
  if (mn_lua_option(L, call, "keep_blanks")) o.keep_blanks = mn_lua_check_flag(L, call, "keep_blanks");
  if (mn_lua_option(L, call, "strict")) o.strict = mn_lua_check_flag(L, call, "strict");
  if (mn_lua_option(L, call, "na")) o.missing = check_names(L, call, "na");
  if (mn_lua_option(L, call, "types")) set_types(L, call, &o);
  if (mn_lua_option(L, call, "columns")) o.select = check_names(L, call, "columns");
  if (mn_lua_option(L, call, "skip")) o.skip = mn_lua_check_whole(L, call, "skip", 0);
  if (mn_lua_option(L, call, "rows")) o.max_rows = mn_lua_check_whole(L, call, "rows", 1);
  return o;
}

/* --- reading --- */

static int read_table(lua_State *L, const char *who, char delimiter)
{
  lua_settop(L, 2);
  const mn_lua_call call = mn_lua_begin_call(L, who, 2);
  const char *path = mn_lua_check_text(L, &call, "path", 1, NULL);
  const mn_csv_options options = check_csv_options(L, &call, delimiter);
  mn_columns *columns = mn_lua_push_columns(L);
  mn_context *ctx = mn_lua_context(L);
  if (mn_read_csv(ctx, path, &options, columns) != MN_OK) return mn_lua_raise(L, ctx);
  mn_lua_end(L, ctx);
  mn_lua_push_frame(L, path, columns);
  return 1;
}

/* read_csv(path, { header = true | false | "auto", delimiter =, quote =, comment =, decimal =, keep_blanks =, strict =,
 * na = { text, ... }, types = { column = "number" | "factor" }, columns = { name, ... }, skip = lines, rows = most })
 * -> Frame. gzip is read as it is. */
static int read_csv(lua_State *L)
{
  return read_table(L, "read_csv", 0);
}

/* read_tsv(path, options) -> Frame: the same with tabs */
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
  const char *text = mn_lua_check_text(L, &call, "text", 1, &size);
  const mn_csv_options options = check_csv_options(L, &call, 0);
  mn_columns *columns = mn_lua_push_columns(L);
  mn_context *ctx = mn_lua_context(L);
  if (mn_parse_csv(ctx, text, size, "text", &options, columns) != MN_OK) return mn_lua_raise(L, ctx);
  mn_lua_end(L, ctx);
  mn_lua_push_frame(L, "text", columns);
  return 1;
}

void mn_lua_open_io(lua_State *L)
{
  static const luaL_Reg functions[] = {
    { "read_csv", read_csv }, { "read_tsv", read_tsv }, { "parse_csv", parse_csv }, { NULL, NULL }
  };
  luaL_newlib(L, functions);
  lua_setfield(L, -2, "io");
}
