#include "model_parts.h"
#include "../../model/save.h"
#include "async.h"
#include "describe.h"
#include "output_frame.h"
#include <string.h>

#define MODEL "manilius.Model"
#define BOX "manilius.Model.box"

/* A model owns nothing itself. What it has learned lies in a box, user value 1 (none: it was closed), which does not
 * change once it is filled: a fit fills another and puts it in its place. A call keeps the box that it began with on
 * its stack, so whatever a finaliser or a callback does to the model meanwhile, nothing that is in use goes away. */
struct box {
  mn_estimator *at;
};

static int box_gc(lua_State *L)
{
  struct box *box = lua_touserdata(L, 1);
  mn_memory *memory = mn_lua_memory(L);
  if (memory) {
    mn_estimator_free(memory, box->at);
    box->at = NULL;
  }
  return 0;
}

mn_estimator **mn_lua_push_estimator(lua_State *L)
{
  struct box *box = lua_newuserdatauv(L, sizeof *box, 0);
  box->at = NULL;
  luaL_setmetatable(L, BOX);
  return &box->at;
}

mn_estimator **mn_lua_push_model(lua_State *L)
{
  mn_lua_model *m = lua_newuserdatauv(L, sizeof *m, 1);
  *m = (mn_lua_model){ 0 };
  luaL_setmetatable(L, MODEL);
  mn_estimator **made = mn_lua_push_estimator(L);
  lua_setiuservalue(L, -2, 1);
  return made;
}

bool mn_lua_is_model(lua_State *L, int arg)
{
  return luaL_testudata(L, arg, MODEL) != NULL;
}

const mn_estimator *mn_lua_pin_model(lua_State *L, int arg)
{
  luaL_checkudata(L, arg, MODEL);
  luaL_checkstack(L, 2, NULL);
  lua_getiuservalue(L, arg, 1);
  const struct box *box = lua_touserdata(L, -1);
  if (!box || !box->at) luaL_error(L, "the model was closed");
  return box->at;
}

mn_lua_model *mn_lua_check_idle_model(lua_State *L, int arg, const char *what)
{
  mn_lua_model *m = luaL_checkudata(L, arg, MODEL);
  const char *name = mn_lua_pin_model(L, arg)->class->name;
  lua_pop(L, 1);
  if (m->in_job) luaL_error(L, "%s: cannot be %s while its job runs; wait() for that, or cancel() it", name, what);
  if (m->in_fit) luaL_error(L, "%s: cannot be %s while it is in use by its own fit", name, what);
  return m;
}

/* A finaliser that ran while arguments were read may have given the model another box: then what was read, and what is
 * being made, belongs to a model that is no more. */
void mn_lua_check_same_estimator(lua_State *L, int arg, int box)
{
  lua_getiuservalue(L, arg, 1);
  if (!lua_rawequal(L, -1, box))
    luaL_error(L, "the model was changed by other code while this call read its arguments");
  lua_pop(L, 1);
}

void mn_lua_replace_estimator(lua_State *L, int arg, int held, int made)
{
  mn_lua_check_same_estimator(L, arg, held);
  lua_pushvalue(L, made);
  lua_setiuservalue(L, arg, 1);
}

/* For __close: the box goes when nobody holds it any more. */
static int model_close(lua_State *L)
{
  luaL_checkudata(L, 1, MODEL);
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
  mn_estimator **made = mn_lua_push_model(L);
  *made = mn_estimator_new(ctx, class);
  if (!*made) return mn_lua_raise(L, ctx);
  const int result = lua_gettop(L);
  if (lua_istable(L, 1) && mn_lua_set_params(L, ctx, 1, class->name, class->params, *made, *made) != MN_OK)
    return mn_lua_raise(L, ctx);
  lua_settop(L, result);
  mn_lua_end(L, ctx);
  return 1;
}

/* A copy with other parameters replaces the model's settings only when all of them are right. */
static int model_set_params(lua_State *L)
{
  enum { SELF = 1, VALUES, OLD, MADE };
  mn_lua_check_idle_model(L, SELF, "given other settings");
  luaL_checktype(L, VALUES, LUA_TTABLE);
  lua_settop(L, VALUES);
  mn_context *ctx = mn_lua_begin(L);
  const mn_estimator *model = mn_lua_pin_model(L, SELF);
  mn_estimator **made = mn_lua_push_estimator(L);
  *made = mn_estimator_copy(ctx, model);
  if (!*made || mn_lua_set_params(L, ctx, VALUES, model->class->name, model->class->params, *made, *made) != MN_OK)
    return mn_lua_raise(L, ctx);
  mn_lua_end(L, ctx);
  mn_lua_check_idle_model(L, SELF, "given other settings"); /* a finaliser may have begun a job meanwhile */
  mn_lua_replace_estimator(L, SELF, OLD, MADE);
  lua_settop(L, SELF);
  return 1;
}

void mn_lua_push_class_weight(lua_State *L, const mn_class_weight *w)
{
  if (w->balanced) {
    lua_pushliteral(L, "balanced");
  } else if (!w->labels) {
    lua_pushnil(L);
  } else {
    lua_newtable(L);
    for (size_t i = 0; i < mn_levels_size(w->labels); i++) {
      mn_lua_push_label(L, mn_levels_at(w->labels, i));
      lua_pushnumber(L, w->weight.at[i]);
      lua_rawset(L, -3);
    }
  }
}

int mn_lua_get_params(lua_State *L)
{
  const mn_estimator *model = mn_lua_pin_model(L, 1);
  lua_newtable(L);
  for (const mn_param *p = model->class->params; p && p->name; p++) {
    mn_lua_push_param(L, model, p);
    lua_setfield(L, -2, p->name);
  }
  if (model->class->accepts & MN_CLASS_WEIGHT) {
    mn_lua_push_class_weight(L, &model->class_weight);
    lua_setfield(L, -2, "class_weight");
  }
  return 1;
}

static int model_clone(lua_State *L)
{
  const mn_estimator *model = mn_lua_pin_model(L, 1);
  mn_context *ctx = mn_lua_begin(L);
  mn_estimator **made = mn_lua_push_model(L);
  *made = mn_estimator_clone(ctx, model);
  if (!*made) return mn_lua_raise(L, ctx);
  mn_lua_end(L, ctx);
  return 1;
}

/* Codes in a column of doubles, as the labels that fit was given. */
static void push_labels(lua_State *L, const mn_estimator *model, const mn_matrix *codes)
{
  mn_factor *f = mn_lua_push_factor(L, codes->rows, model->classes);
  for (size_t i = 0; i < codes->rows; i++) f->code[i] = (int32_t)codes->at[i];
}

void mn_lua_shift_cluster_labels(mn_lua_vector *v)
{
  v->whole = true;
  for (size_t i = 0; i < v->size; i++)
    if (v->at[i] >= 0) v->at[i] += 1;
}

bool mn_lua_output_is_vector(const mn_class *class, bool one_target, mn_action action, size_t width)
{
  switch (action) {
  case MN_PREDICT: return !(class->capabilities & MN_REGRESS) || (width == 1 && one_target);
  case MN_DECISION_FUNCTION: return width == 1;
  case MN_SCORE_SAMPLES: return true;
  case MN_PREDICT_PROBA:
  case MN_PREDICT_LOG_PROBA:
  case MN_TRANSFORM_X:
  case MN_INVERSE_TRANSFORM:
  case MN_ACTIONS: break;
  }
  return false;
}

static int act_sparse(lua_State *L, mn_context *ctx, const mn_estimator *model, const mn_input *input)
{
  mn_csr *out = mn_lua_push_sparse(L);
  if (mn_apply_sparse(ctx, model, input, out) != MN_OK) return mn_lua_raise(L, ctx);
  mn_lua_end(L, ctx);
  mn_lua_charge(L, out->start[out->rows] * (sizeof *out->at + sizeof *out->col));
  return 1;
}

static int model_act(lua_State *L)
{
  static const char *const options[] = { "lengths", NULL };
  const mn_action action = (mn_action)lua_tointeger(L, lua_upvalueindex(1));
  lua_settop(L, 3);
  const mn_estimator *model = mn_lua_pin_model(L, 1);
  mn_context *ctx = mn_lua_begin(L);
  if (mn_require_fitted(ctx, model, mn_action_name(action)) != MN_OK) return mn_lua_raise(L, ctx);
  mn_input input = { 0 };
  const bool names = action == MN_TRANSFORM_X && mn_lua_is_frame(L, 2); /* a Frame gives a Frame */
  input.x = mn_lua_check_x(L, ctx, 2, model, "X");
  mn_lua_check_options(L, ctx, 3, model, options, &input);
  mn_lua_set_operation_name(L, ctx, model->class->name, mn_action_name(action));
  if (action == MN_TRANSFORM_X && mn_outputs_sparse(model)) return act_sparse(L, ctx, model, &input);
  const size_t known = mn_width(model, action), width = known > 0 ? known : input.x.cols, rows = input.x.rows;
  if (action == MN_PREDICT && model->class->capabilities & MN_CLASSIFY) {
    mn_matrix codes = { .at = mn_lua_push_raw_vector(L, rows)->at, .rows = rows, .cols = 1 };
    if (mn_apply(ctx, model, action, &input, &codes) != MN_OK) return mn_lua_raise(L, ctx);
    push_labels(L, model, &codes);
  } else if (mn_lua_output_is_vector(model->class, model->one_target, action, width)) {
    mn_lua_vector *v = mn_lua_push_raw_vector(L, rows);
    mn_matrix out = { .at = v->at, .rows = rows, .cols = 1 };
    if (mn_apply(ctx, model, action, &input, &out) != MN_OK) return mn_lua_raise(L, ctx);
    if (action == MN_PREDICT && model->class->capabilities & MN_CLUSTER) mn_lua_shift_cluster_labels(v);
  } else {
    mn_matrix out = { .at = mn_lua_push_raw_matrix(L, rows, width)->at, .rows = rows, .cols = width };
    if (mn_apply(ctx, model, action, &input, &out) != MN_OK) return mn_lua_raise(L, ctx);
    if (names || mn_lua_output_has_factors(model, action)) mn_lua_push_output_frame(L, model, action, &out);
  }
  mn_lua_end(L, ctx);
  return 1;
}

/* Has this model the operation of that name? */
static int model_can(lua_State *L)
{
  const mn_estimator *model = mn_lua_pin_model(L, 1);
  const char *name = luaL_checkstring(L, 2);
  bool can = strcmp(name, "partial_fit") == 0 ? model->class->partial_fit != NULL
                                              : mn_operation_named(model->class, name) != NULL;
  can = can || (strcmp(name, "fit") == 0 && model->class->fit);
  for (mn_action a = MN_PREDICT; a < MN_ACTIONS; a++)
    if (strcmp(name, mn_action_name(a)) == 0) can = mn_supports_action(model, a);
  lua_pushboolean(L, can);
  return 1;
}

static int model_output_names(lua_State *L)
{
  const mn_estimator *model = mn_lua_pin_model(L, 1);
  mn_context *ctx = mn_lua_begin(L);
  if (!mn_class_supports(model->class, MN_TRANSFORM_X)) return luaL_error(L, "%s has no transform", model->class->name);
  if (mn_require_fitted(ctx, model, "output_names") != MN_OK) return mn_lua_raise(L, ctx);
  const size_t n = mn_width(model, MN_TRANSFORM_X);
  lua_createtable(L, (int)n, 0);
  for (size_t j = 0; j < n; j++) {
    char name[256];
    mn_output_name(model, j, name, sizeof name);
    lua_pushstring(L, name);
    lua_rawseti(L, -2, (lua_Integer)j + 1);
  }
  return 1;
}

/* dump() -> bytes of an archive */
static int model_dump(lua_State *L)
{
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
  mn_estimator **made = mn_lua_push_model(L);
  mn_reader r;
  if (mn_read_begin(ctx, label, bytes, size, &r) != MN_OK) return mn_lua_raise(L, ctx);
  const mn_record *group = mn_find_record(&r, SIZE_MAX, "model");
  if (!group || group->kind != MN_RECORD_GROUP) return luaL_error(L, "%s: holds no model", label);
  *made = mn_load_estimator(&r, (size_t)(group - r.record));
  if (!*made) return mn_lua_raise(L, ctx);
  mn_lua_end(L, ctx);
  return 1;
}

static const luaL_Reg methods[] = {
  { "fit", mn_lua_fit },
  { "partial_fit", mn_lua_partial_fit },
  { "fit_async", mn_lua_fit_async },
  { "set_params", model_set_params },
  { "get_params", mn_lua_get_params },
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
    lua_pushcclosure(L, model_act, 1);
    lua_setfield(L, -2, mn_action_name(a));
  }
}

void mn_lua_open_model(lua_State *L)
{
  static const luaL_Reg meta[] = { { "__close", model_close },
                                   { "__newindex", mn_lua_model_newindex },
                                   { "__pairs", mn_lua_model_pairs },
                                   { NULL, NULL } };
  mn_lua_new_gc_metatable(L, BOX, box_gc);
  mn_lua_open_operations(L);
  push_methods(L); /* shared: the Lua layer adds score, save, ... to it */
  luaL_newmetatable(L, MODEL);
  luaL_setfuncs(L, meta, 0);
  lua_pushliteral(L, "Model");
  lua_setfield(L, -2, "__name");
  lua_pushliteral(L, "manilius.Model");
  lua_setfield(L, -2, "__metatable");
  lua_pushvalue(L, -2);
  lua_pushcclosure(L, mn_lua_model_index, 1);
  lua_setfield(L, -2, "__index");
  lua_setfield(L, -3, "model_meta"); /* the Lua layer adds __tostring, then forgets it */
  lua_setfield(L, -2, "model_methods");
  lua_createtable(L, 0, (int)mn_class_count());
  for (size_t i = 0; i < mn_class_count(); i++) {
    lua_pushlightuserdata(L, (void *)mn_class_at(i));
    lua_pushcclosure(L, model_new, 1);
    lua_setfield(L, -2, mn_class_at(i)->name);
  }
  lua_setfield(L, -2, "constructors");
  lua_pushcfunction(L, load_model);
  lua_setfield(L, -2, "load_model");
  lua_pushcfunction(L, mn_lua_set_results_function);
  lua_setfield(L, -2, "set_results_function");
}
