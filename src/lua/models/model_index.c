#include "../../core/nearest_name.h"
#include "../values/userdata.h"
#include "model_index.h"
#include "../../model/operation.h"
#include "model_userdata.h"
#include "operations.h"
#include "../params/params.h"
#include <math.h>
#include <string.h>

/* Whether the first dimension of the field is one target, the one decision between two classes, or the only one of
 * several possible binary problems. */
static bool has_one_row(const mn_estimator *model, const mn_field *f)
{
  if (strncmp(f->shape, "targets", 7) == 0) return model->one_target;
  if (strncmp(f->shape, "problems", 8) == 0 && f->kind == MN_KIND_VECTOR)
    return ((const mn_vector *)mn_member(model, f->offset))->size == 1;
  return strncmp(f->shape, "decisions", 9) == 0 && model->classes && mn_decisions(model) == 1;
}

/* Push a learned value. With one target or two classes, a matrix of shape targets (decisions) x features becomes a
 * Vector, and a vector of shape targets (decisions) a number. */
static void push_field(lua_State *L, mn_context *ctx, const mn_estimator *model, const mn_field *f)
{
  const void *value = mn_member(model, f->offset);
  const bool by_target = has_one_row(model, f);
  if (by_target && f->kind == MN_KIND_MATRIX) {
    const mn_matrix *matrix = value;
    mn_lua_push_value(L, ctx, MN_KIND_VECTOR, &(mn_vector){ .at = matrix->at, .size = matrix->cols });
  } else if (by_target && f->kind == MN_KIND_VECTOR && ((const mn_vector *)value)->size > 0) {
    mn_lua_push_value(L, ctx, MN_KIND_REAL, ((const mn_vector *)value)->at);
  } else if (f->optional && isnan(*(const double *)value)) {
    lua_pushnil(L);
  } else if (f->kind == MN_KIND_COUNT && *(const int64_t *)value == MN_UNSET) {
    lua_pushnil(L);
  } else {
    mn_lua_push_value(L, ctx, f->kind, value);
  }
}

/* Whether push_common_field knows the name once the model is fitted. */
static bool is_common_field(const mn_class *class, const char *name)
{
  static const char *const names[] = { "n_features", "feature_names", "n_targets", "classes",
                                       "n_iter",     "converged",     "objective", "trace" };
  const size_t n = class->capabilities & MN_ITERATE ? 8 : 4;
  for (size_t i = 0; i < n; i++)
    if (strcmp(name, names[i]) == 0) return true;
  return false;
}

/* Push a field that every fitted model has. */
static bool push_common_field(lua_State *L, const mn_estimator *model, const char *name)
{
  const mn_report *r = &model->report;
  if (strcmp(name, "n_features") == 0)
    lua_pushinteger(L, (lua_Integer)model->n_features);
  else if (strcmp(name, "feature_names") == 0 && model->feature_names.size > 0)
    mn_lua_push_value(L, NULL, MN_KIND_NAMES, &model->feature_names);
  else if (strcmp(name, "feature_names") == 0)
    lua_pushnil(L);
  else if (strcmp(name, "classes") == 0 && model->classes)
    mn_lua_push_levels(L, model->classes);
  else if (strcmp(name, "n_targets") == 0 && model->n_targets > 0)
    lua_pushinteger(L, (lua_Integer)model->n_targets);
  else if (!(model->class->capabilities & MN_ITERATE))
    return false;
  else if (strcmp(name, "n_iter") == 0)
    lua_pushinteger(L, r->n_iter);
  else if (strcmp(name, "converged") == 0 && isnan(r->change))
    lua_pushnil(L); /* unknown after partial_fit */
  else if (strcmp(name, "converged") == 0)
    lua_pushboolean(L, r->converged);
  else if (strcmp(name, "objective") == 0)
    lua_pushnumber(L, r->objective);
  else if (strcmp(name, "trace") == 0)
    mn_lua_push_value(L, NULL, MN_KIND_VECTOR, &r->trace);
  else
    return false;
  return true;
}

static const mn_field *find_field(const mn_class *class, const char *name)
{
  for (const mn_field *f = class->fields; f && f->name; f++)
    if (f->brief && strcmp(f->name, name) == 0) return f;
  return NULL;
}

/* The action of this name; MN_ACTIONS if there is none. */
static mn_action action_named(const char *name)
{
  mn_action a = MN_PREDICT;
  while (a < MN_ACTIONS && strcmp(name, mn_action_name(a)) != 0) a++;
  return a;
}

/* An action that the class does not have: name those that it has. */
static int no_action_error(lua_State *L, const mn_estimator *model, const char *name)
{
  luaL_Buffer list;
  bool first = true;
  luaL_buffinit(L, &list);
  for (mn_action a = MN_PREDICT; a < MN_ACTIONS; a++) {
    if (!mn_supports_action(model, a)) continue;
    if (!first) luaL_addstring(&list, ", ");
    luaL_addstring(&list, mn_action_name(a));
    first = false;
  }
  luaL_pushresult(&list);
  if (!first) return luaL_error(L, "%s has no '%s'; it has %s", model->class->name, name, lua_tostring(L, -1));
  return luaL_error(L, "%s has no '%s'; it has results for the rows of fit only%s", model->class->name, name,
                    find_field(model->class, "labels") ? ", as labels" : "");
}

static int no_member_error(lua_State *L, const mn_estimator *model, const char *name)
{
  const mn_class *class = model->class;
  const mn_action action = action_named(name);
  if (action < MN_ACTIONS && mn_class_supports(class, action) && !mn_supports_action(model, action))
    return luaL_error(L, "%s has no '%s' with these parameters; set %s", class->name, name,
                      class->supports_when ? class->supports_when : "others, see its help");
  if (action < MN_ACTIONS) return no_action_error(L, model, name);
  const char *names[160];
  size_t n = 0;
  for (const mn_param *p = class->params; p && p->name && n < 64; p++) names[n++] = p->name;
  for (const mn_field *f = class->fields; f && f->name && n < 96; f++)
    if (f->brief) names[n++] = f->name;
  for (const mn_operation *o = class->operations; o && o->name && n < 112; o++) names[n++] = o->name;
  for (mn_action a = MN_PREDICT; a < MN_ACTIONS; a++)
    if (mn_supports_action(model, a)) names[n++] = mn_action_name(a);
  names[n++] = "fit";
  names[n++] = "score";
  if (model->classes) names[n++] = "classes";
  const char *near = mn_nearest_name(name, names, n);
  if (near) return luaL_error(L, "%s has no '%s'; did you mean '%s'?", class->name, name, near);
  return luaL_error(L, "%s has no '%s'", class->name, name);
}

static bool is_unsupported_method(const mn_estimator *model, const char *name)
{
  for (mn_action a = MN_PREDICT; a < MN_ACTIONS; a++)
    if (strcmp(name, mn_action_name(a)) == 0) return !mn_supports_action(model, a);
  return strcmp(name, "partial_fit") == 0 && !model->class->partial_fit;
}

/* model.name: a method, parameter, operation or learned value */
int mn_lua_model_index(lua_State *L)
{
  const char *name = luaL_checkstring(L, 2);
  const mn_estimator *model = mn_lua_pin_model(L, 1);
  const mn_class *class = model->class;
  lua_pushvalue(L, 2);
  if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL && !is_unsupported_method(model, name)) return 1;
  lua_pop(L, 1);
  const mn_param *p = mn_param_named(class->params, name);
  const mn_field *f = p ? NULL : find_field(class, name);
  const mn_operation *o = p || f ? NULL : mn_operation_named(class, name);
  if (p) {
    mn_lua_push_param(L, mn_settings(model), p);
  } else if (o) {
    lua_pushlightuserdata(L, (void *)o);
    lua_pushlightuserdata(L, (void *)class);
    lua_pushcclosure(L, mn_lua_call_operation, 2);
  } else if (class->accepts & MN_CLASS_WEIGHT && strcmp(name, "class_weight") == 0) {
    mn_lua_push_class_weight(L, &mn_settings(model)->class_weight);
  } else if (!model->fitted && (f || is_common_field(class, name))) {
    return luaL_error(L, "%s: '%s' is learned by fit; call fit first", class->name, name);
  } else if (f) {
    push_field(L, f->kind == MN_KIND_CSR ? mn_lua_begin(L) : NULL, model, f);
  } else if (strcmp(name, "class") == 0) {
    lua_pushstring(L, class->name);
  } else if (strcmp(name, "fitted") == 0) {
    lua_pushboolean(L, model->fitted);
  } else if (!model->fitted || !push_common_field(L, model, name)) {
    return no_member_error(L, model, name);
  }
  return 1;
}

int mn_lua_model_newindex(lua_State *L)
{
  const mn_estimator *model = mn_lua_pin_model(L, 1);
  return luaL_error(L, "%s: '%s' cannot be assigned; use set_params{ ... }", model->class->name,
                    lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : mn_lua_type_name(L, 2));
}

/* pairs(model): parameters and learned values */
int mn_lua_model_pairs(lua_State *L)
{
  const mn_estimator *model = mn_lua_pin_model(L, 1);
  lua_getglobal(L, "next");
  mn_lua_push_params(L, mn_settings(model));
  for (const mn_field *f = model->class->fields; f && f->name; f++) {
    if (!f->brief || !model->fitted) continue;
    push_field(L, f->kind == MN_KIND_CSR ? mn_lua_begin(L) : NULL, model, f);
    lua_setfield(L, -2, f->name);
  }
  lua_pushnil(L);
  return 3;
}
