#include "model.h"
#include "../../model/operation.h"
#include "../../model/save.h"
#include "archive.h"
#include "async.h"
#include "fit.h"
#include "model_index.h"
#include "model_output.h"
#include "model_userdata.h"
#include "operations.h"
#include "records.h"
#include "../params/params.h"
#include "../values/userdata.h"
#include <string.h>

/* __close: the estimator is freed when no call pins it any more. */
static int model_close(lua_State *L)
{
  luaL_checkudata(L, 1, MN_LUA_MODEL_METATABLE);
  lua_pushnil(L);
  lua_setiuservalue(L, 1, 1);
  return 0;
}

/* constructor(parameters) -> model */
static int model_new(lua_State *L)
{
  const mn_class *class = lua_touserdata(L, lua_upvalueindex(1));
  if (!lua_isnoneornil(L, 1) && lua_type(L, 1) != LUA_TTABLE)
    return luaL_error(L, "%s: parameters must be a table, got %s", class->name, luaL_typename(L, 1));
  mn_context *ctx = mn_lua_begin(L);
  mn_estimator **estimator = mn_lua_push_model(L);
  *estimator = mn_estimator_new(ctx, class);
  if (!*estimator) return mn_lua_raise(L, ctx);
  const int result = lua_gettop(L);
  if (lua_istable(L, 1) && mn_lua_set_params(L, ctx, 1, class->name, class->params, *estimator, *estimator) != MN_OK)
    return mn_lua_raise(L, ctx);
  lua_settop(L, result);
  mn_lua_end(L, ctx);
  return 1;
}

/* The parameters are set on a copy, which replaces the estimator when all of them are valid. A fitted model keeps those
 * of its fit until the next one. */
static int model_set_params(lua_State *L)
{
  enum { SELF = 1, VALUES, PINNED, COPY };
  mn_lua_check_receiver(L, "set_params");
  lua_settop(L, VALUES);
  const char *name = mn_lua_pin_model(L, SELF)->class->name;
  if (lua_type(L, VALUES) != LUA_TTABLE)
    return luaL_error(L, "%s: set_params requires a table of parameters, got %s", name, mn_lua_type_name(L, VALUES));
  mn_lua_check_idle_model(L, SELF, "given other settings");
  lua_settop(L, VALUES);
  mn_context *ctx = mn_lua_begin(L);
  const mn_estimator *model = mn_lua_pin_model(L, SELF);
  mn_estimator **estimator = mn_lua_push_estimator(L);
  *estimator = mn_estimator_copy(ctx, model);
  mn_estimator *settings = *estimator ? mn_settings_to_change(ctx, *estimator) : NULL;
  if (!settings ||
      mn_lua_set_params(L, ctx, VALUES, settings->class->name, settings->class->params, settings, settings) != MN_OK)
    return mn_lua_raise(L, ctx);
  mn_lua_end(L, ctx);
  mn_lua_check_idle_model(L, SELF, "given other settings")->warned = false; /* a finalizer may have begun a job */
  mn_lua_replace_estimator(L, SELF, PINNED, COPY);
  lua_settop(L, SELF);
  return 1;
}

static int model_get_params(lua_State *L)
{
  mn_lua_check_receiver(L, "get_params");
  mn_lua_push_params(L, mn_settings(mn_lua_pin_model(L, 1)));
  return 1;
}

static int model_clone(lua_State *L)
{
  mn_lua_check_receiver(L, "clone");
  const mn_estimator *model = mn_lua_pin_model(L, 1);
  mn_context *ctx = mn_lua_begin(L);
  mn_estimator **estimator = mn_lua_push_model(L);
  *estimator = mn_estimator_clone(ctx, model);
  if (!*estimator) return mn_lua_raise(L, ctx);
  mn_lua_end(L, ctx);
  return 1;
}

/* model:can(name) -> whether the model supports the method of that name */
static int model_can(lua_State *L)
{
  mn_lua_check_receiver(L, "can");
  lua_settop(L, 2);
  const mn_estimator *model = mn_lua_pin_model(L, 1);
  if (lua_type(L, 2) != LUA_TSTRING)
    return luaL_error(L, "%s: can requires the name of a method, got %s", model->class->name, mn_lua_type_name(L, 2));
  const char *name = lua_tostring(L, 2);
  bool can = strcmp(name, "partial_fit") == 0 ? model->class->partial_fit != NULL
                                              : mn_operation_named(model->class, name) != NULL;
  can = can || (strcmp(name, "fit") == 0 && model->class->fit);
  can = can || (strcmp(name, "fit_resample") == 0 && model->class->resample);
  for (mn_action a = MN_PREDICT; a < MN_ACTIONS; a++)
    if (strcmp(name, mn_action_name(a)) == 0) can = mn_supports_action(model, a);
  lua_pushboolean(L, can);
  return 1;
}

static int model_output_names(lua_State *L)
{
  mn_lua_check_receiver(L, "output_names");
  const mn_estimator *model = mn_lua_pin_model(L, 1);
  mn_context *ctx = mn_lua_begin(L);
  if (!mn_class_supports(model->class, MN_TRANSFORM_X))
    return luaL_error(L, "%s does not support transform", model->class->name);
  if (mn_require_fitted(ctx, model, "output_names") != MN_OK) return mn_lua_raise(L, ctx);
  const size_t n = mn_width(model, MN_TRANSFORM_X);
  lua_createtable(L, (int)n, 0);
  for (size_t j = 0; j < n; j++) {
    char name[256];
    if (mn_poll(ctx) != MN_OK) return mn_lua_raise(L, ctx);
    mn_output_name(model, j, name, sizeof name);
    lua_pushstring(L, name);
    lua_rawseti(L, -2, (lua_Integer)j + 1);
  }
  return mn_lua_finish(L, ctx, 1);
}

/* model:dump() -> bytes of an archive */
static int model_dump(lua_State *L)
{
  mn_lua_check_receiver(L, "dump");
  const mn_estimator *model = mn_lua_pin_model(L, 1);
  mn_context *ctx = mn_lua_begin(L);
  mn_writer w = mn_write_begin(ctx);
  mn_save_estimator(&w, "model", model);
  if (mn_write_finish(&w) != MN_OK) {
    mn_write_free(&w);
    return mn_lua_raise(L, ctx);
  }
  return mn_lua_push_archive(L, ctx, &w);
}

/* load_model(bytes, label) -> model */
static int load_model(lua_State *L)
{
  size_t size;
  const char *bytes = luaL_checklstring(L, 1, &size), *label = luaL_optstring(L, 2, "archive");
  mn_context *ctx = mn_lua_begin(L);
  mn_estimator **estimator = mn_lua_push_model(L);
  mn_reader r;
  if (mn_read_begin(ctx, label, bytes, size, &r) != MN_OK) return mn_lua_raise(L, ctx);
  const mn_record *group = mn_find_record(&r, SIZE_MAX, "model");
  if (!group || group->kind != MN_RECORD_GROUP) return luaL_error(L, "%s: contains no model", label);
  *estimator = mn_load_estimator(&r, (size_t)(group - r.record));
  if (!*estimator) return mn_lua_raise(L, ctx);
  mn_lua_end(L, ctx);
  return 1;
}

static const luaL_Reg methods[] = {
  { "fit", mn_lua_fit },
  { "partial_fit", mn_lua_partial_fit },
  { "fit_async", mn_lua_fit_async },
  { "set_params", model_set_params },
  { "get_params", model_get_params },
  { "clone", model_clone },
  { "can", model_can },
  { "output_names", model_output_names },
  { "dump", model_dump },
  { NULL, NULL },
};

static void push_methods(lua_State *L)
{
  lua_newtable(L);
  luaL_setfuncs(L, methods, 0);
  for (mn_action a = MN_PREDICT; a < MN_ACTIONS; a++) {
    lua_pushinteger(L, a);
    lua_pushcclosure(L, mn_lua_apply, 1);
    lua_setfield(L, -2, mn_action_name(a));
  }
}

void mn_lua_open_model(lua_State *L)
{
  static const luaL_Reg meta[] = { { "__close", model_close },
                                   { "__newindex", mn_lua_model_newindex },
                                   { "__pairs", mn_lua_model_pairs },
                                   { NULL, NULL } };
  mn_lua_open_model_userdata(L);
  push_methods(L); /* lua/manilius adds score, save, ... */
  luaL_newmetatable(L, MN_LUA_MODEL_METATABLE);
  luaL_setfuncs(L, meta, 0);
  lua_pushliteral(L, "Model");
  lua_setfield(L, -2, "__name");
  lua_pushliteral(L, MN_LUA_MODEL_METATABLE);
  lua_setfield(L, -2, "__metatable");
  lua_pushvalue(L, -2);
  lua_pushcclosure(L, mn_lua_model_index, 1);
  lua_setfield(L, -2, "__index");
  lua_setfield(L, -3, "model_meta"); /* lua/manilius adds __tostring and __pairs and removes the field */
  lua_setfield(L, -2, "model_methods");
  lua_createtable(L, 0, (int)mn_class_count());
  for (size_t i = 0; i < mn_class_count(); i++) {
    lua_pushlightuserdata(L, (void *)mn_class_at(i));
    lua_pushcclosure(L, model_new, 1);
    lua_setfield(L, -2, mn_class_at(i)->name);
  }
  lua_setfield(L, -2, "constructors");
  lua_pushcfunction(L, mn_lua_fit_with_cache);
  lua_setfield(L, -2, "fit_with_cache");
  lua_pushcfunction(L, mn_lua_fit_transform);
  lua_setfield(L, -2, "fit_transform");
  lua_pushcfunction(L, mn_lua_transform_training);
  lua_setfield(L, -2, "transform_training");
  lua_pushcfunction(L, mn_lua_fit_resample);
  lua_setfield(L, -2, "fit_resample");
  lua_pushcfunction(L, load_model);
  lua_setfield(L, -2, "load_model");
  mn_lua_open_operations(L);
  mn_lua_open_records(L);
}
