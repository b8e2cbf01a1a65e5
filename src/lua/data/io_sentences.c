#include "io_sentences.h"
#include "../../io/conll.h"
#include "../values/userdata.h"

/* conll_columns(text, label, delimiter | nil, comment | nil) -> list of Factors, Vector of the rows of the sentences */
static int conll_columns(lua_State *L)
{
  lua_settop(L, 4);
  mn_context *ctx = mn_lua_begin(L);
  mn_conll t = { .label = luaL_checkstring(L, 2) };
  t.bytes = luaL_checklstring(L, 1, &t.size);
  t.delimiter = luaL_optlstring(L, 3, NULL, &t.delimiter_size);
  t.comment = luaL_optlstring(L, 4, NULL, &t.comment_size);
  if (mn_conll_measure(ctx, &t) != MN_OK) return mn_lua_raise(L, ctx);
  mn_factor **factor = mn_lua_push_buffer(L, sizeof *factor, t.cols);
  mn_conll_line *line = mn_lua_push_buffer(L, sizeof *line, t.rows);
  mn_label *cell = mn_lua_push_buffer(L, sizeof *cell, t.rows);
  lua_createtable(L, (int)t.cols, 0);
  for (size_t j = 0; j < t.cols; j++) {
    factor[j] = mn_lua_push_factor(L, t.rows, NULL);
    lua_rawseti(L, -2, (lua_Integer)j + 1);
  }
  double *lengths = mn_lua_push_raw_vector(L, t.sentences)->at;
  if (mn_conll_read(ctx, &t, line, cell, factor, lengths) != MN_OK) return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 2);
}

void mn_lua_open_sentences(lua_State *L)
{
  static const luaL_Reg functions[] = { { "conll_columns", conll_columns }, { NULL, NULL } };
  luaL_setfuncs(L, functions, 0);
}
