#include "export.h"
#include "../../model/model.h"
#include "../../model/program.h"
#include "model_userdata.h"
#include "../values/values.h"
#include <string.h>

static void push_table(lua_State *L, const mn_program_table *t)
{
  lua_createtable(L, 0, 3);
  lua_pushstring(L, t->name);
  lua_setfield(L, -2, "name");
  lua_pushstring(L, t->reals ? "reals" : "ints");
  lua_setfield(L, -2, "kind");
  lua_createtable(L, t->size < INT32_MAX ? (int)t->size : 0, 0);
  for (size_t i = 0; i < t->size; i++) {
    if (t->reals)
      lua_pushnumber(L, t->reals[i]);
    else
      lua_pushinteger(L, t->indexes[i]);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  lua_setfield(L, -2, "values");
}

static void push_numbers(lua_State *L, const mn_program *p)
{
  lua_createtable(L, 0, (int)p->numbers);
  for (size_t i = 0; i < p->numbers; i++) {
    if (p->number[i].whole)
      lua_pushinteger(L, (lua_Integer)p->number[i].value);
    else
      lua_pushnumber(L, p->number[i].value);
    lua_setfield(L, -2, p->number[i].name);
  }
}

static void push_code(lua_State *L, const mn_program *p)
{
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  for (size_t i = 0; i < p->pieces; i++) {
    luaL_addstring(&b, p->piece[i]);
    luaL_addchar(&b, '\n');
  }
  luaL_pushresult(&b);
}

struct push_state {
  const mn_program *program;
  const mn_estimator *model;
  mn_action action;
  int result; /* registry reference */
};

/* The tables are scratch, so this runs under mn_lua_call_protected, where a finalizer that begins an operation gets
 * another context. */
static int push_program(lua_State *L)
{
  struct push_state *s = lua_touserdata(L, 1);
  const mn_program *p = s->program;
  lua_createtable(L, 0, 5);
  lua_createtable(L, (int)p->tables, 0);
  for (size_t i = 0; i < p->tables; i++) {
    push_table(L, &p->table[i]);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  lua_setfield(L, -2, "tables");
  push_numbers(L, p);
  lua_setfield(L, -2, "numbers");
  push_code(L, p);
  lua_setfield(L, -2, "code");
  lua_pushinteger(L, (lua_Integer)mn_width(s->model, s->action));
  lua_setfield(L, -2, "outputs");
  s->result = luaL_ref(L, LUA_REGISTRYINDEX);
  return 0;
}

/* program(model, action) -> { tables = { { name, kind, values } }, numbers, code, outputs }; nothing when the action
 * cannot be exported */
static int program(lua_State *L)
{
  mn_program p;
  const char *name = luaL_checkstring(L, 2);
  const mn_estimator *model = mn_lua_pin_model(L, 1);
  mn_action action = MN_PREDICT;
  while (action < MN_ACTIONS && strcmp(name, mn_action_name(action)) != 0) action++;
  luaL_argcheck(L, action < MN_ACTIONS, 2, "there is no such action");
  mn_context *ctx = mn_lua_begin(L);
  if (mn_describe_action(ctx, model, action, &p) != MN_OK) return mn_lua_raise(L, ctx);
  if (p.pieces == 0) {
    mn_lua_end(L, ctx);
    return 0;
  }
  struct push_state s = { .program = &p, .model = model, .action = action };
  if (!mn_lua_call_protected(L, ctx, push_program, &s)) return mn_lua_raise(L, ctx);
  mn_lua_end(L, ctx);
  lua_rawgeti(L, LUA_REGISTRYINDEX, s.result);
  luaL_unref(L, LUA_REGISTRYINDEX, s.result);
  return 1;
}

/* factor_levels(model) -> { [j] = labels of column j of X }, for the columns that are factors */
static int factor_levels(lua_State *L)
{
  const mn_estimator *model = mn_lua_pin_model(L, 1);
  lua_newtable(L);
  for (size_t j = 0; j < model->feature_levels.size; j++) {
    if (!model->feature_levels.at[j]) continue;
    mn_lua_push_levels(L, model->feature_levels.at[j]);
    lua_rawseti(L, -2, (lua_Integer)j + 1);
  }
  return 1;
}

void mn_lua_open_export(lua_State *L)
{
  static const luaL_Reg functions[] = { { "program", program }, { "factor_levels", factor_levels }, { NULL, NULL } };
  luaL_setfuncs(L, functions, 0);
}
