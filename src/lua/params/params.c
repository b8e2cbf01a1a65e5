#include "params.h"
#include "../../model/kernel_param.h"
#include "anchors.h"
#include "columns.h"
#include "groups.h"
#include "kernel_userdata.h"
#include <stdio.h>
#include <string.h>

/* Set a vector from a Factor or a list of labels, by their codes. */
static mn_status set_codes(lua_State *L, mn_context *ctx, const char *who, void *base, const mn_param *p)
{
  const int top = lua_gettop(L);
  const mn_factor *f = mn_lua_check_factor(L, ctx, top);
  const mn_lua_vector *codes = mn_lua_push_vector(L, f->size);
  for (size_t i = 0; i < f->size; i++) {
    if (f->code[i] < 0)
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must not have missing values, got one at position %zu", who, p->name,
                     i + 1);
    codes->at[i] = f->code[i];
  }
  return mn_set_vector(ctx, who, base, p, (mn_vector){ .at = codes->at, .size = f->size });
}

static bool has_choice(const mn_param *p, const char *name)
{
  for (const char *const *c = p->choices; c && *c; c++)
    if (strcmp(*c, name) == 0) return true;
  return false;
}

static mn_status wrong_type(lua_State *L, mn_context *ctx, const char *who, const mn_param *p)
{
  char got[128];
  const char *remedy = "";
  if (lua_isfunction(L, -1) && p->kind == MN_KIND_KERNEL) remedy = "; pass ml.kernel.Function(f)";
  if (lua_isfunction(L, -1) && strcmp(p->name, "metric") == 0 && has_choice(p, "precomputed"))
    remedy = "; a function can only be given to the constructor";
  if (lua_istable(L, -1) && strcmp(p->name, "cv") == 0)
    remedy = "; pass splits as the option folds of fit, { folds = splitter:split(X, y) }";
  snprintf(got, sizeof got, "%s%s", luaL_typename(L, -1), remedy);
  return mn_wrong_type(ctx, who, p, got);
}

/* Set a matrix from the positions of the values of a Sparse matrix. */
static mn_status set_pairs(lua_State *L, mn_context *ctx, const char *who, void *base, const mn_param *p)
{
  const mn_csr *s = mn_lua_test_sparse(L, lua_gettop(L));
  const mn_lua_matrix *out = mn_lua_push_matrix(L, s->start[s->rows], 2);
  for (size_t i = 0; i < s->rows; i++)
    for (size_t k = s->start[i]; k < s->start[i + 1]; k++) {
      out->at[2 * k] = (double)i + 1;
      out->at[2 * k + 1] = s->col[k] + 1;
    }
  return mn_set_matrix(ctx, who, base, p, (mn_matrix){ .at = out->at, .rows = s->start[s->rows], .cols = 2 });
}

/* Set the parameter from the table or userdata on top of the stack. */
static mn_status set_object(lua_State *L, mn_context *ctx, const char *who, void *base, const mn_param *p)
{
  const int top = lua_gettop(L);
  switch (p->kind) {
  case MN_KIND_VECTOR:
    if (p->labels) return set_codes(L, ctx, who, base, p);
    mn_lua_convert_argument(L, top, MN_KIND_VECTOR, who, p->name);
    return mn_set_vector(ctx, who, base, p, mn_lua_check_vector(L, ctx, top));
  case MN_KIND_MATRIX:
    if (p->pairs && mn_lua_test_sparse(L, top)) return set_pairs(L, ctx, who, base, p);
    mn_lua_convert_argument(L, top, MN_KIND_MATRIX, who, p->name);
    return mn_set_matrix(ctx, who, base, p, mn_lua_check_matrix(L, ctx, top));
  case MN_KIND_COLUMNS:
  case MN_KIND_COLUMN_VALUES: return mn_lua_set_columns(L, ctx, who, base, p);
  case MN_KIND_GROUPS: return mn_lua_set_groups(L, ctx, who, base, p);
  case MN_KIND_KERNEL: {
    const mn_kernel *kernel = mn_lua_test_kernel(L, top);
    return kernel ? mn_set_kernel(ctx, who, base, p, kernel) : wrong_type(L, ctx, who, p);
  }
  default: return wrong_type(L, ctx, who, p);
  }
}

static mn_status set_param(lua_State *L, mn_context *ctx, const char *who, void *base, const mn_param *p)
{
  const int top = lua_gettop(L);
  size_t size;
  if (lua_isnil(L, top) || mn_lua_is_unset(L, top)) return mn_unset(ctx, who, base, p);
  switch (lua_type(L, top)) {
  case LUA_TBOOLEAN: return mn_set_flag(ctx, who, base, p, lua_toboolean(L, top));
  case LUA_TNUMBER: return mn_set_number(ctx, who, base, p, lua_tonumber(L, top));
  case LUA_TSTRING: {
    const char *bytes = lua_tolstring(L, top, &size);
    return mn_set_text(ctx, who, base, p, bytes, size);
  }
  case LUA_TTABLE:
  case LUA_TUSERDATA: return set_object(L, ctx, who, base, p);
  default: return wrong_type(L, ctx, who, p);
  }
}

/* Set class_weight from "balanced", nil, or a table from label to weight, on top of the stack. */
static mn_status set_class_weight(lua_State *L, mn_context *ctx, mn_estimator *model)
{
  const int top = lua_gettop(L);
  const char *who = model->class->name;
  if (lua_isnil(L, top) || mn_lua_is_unset(L, top)) return mn_set_class_weight(ctx, model, false, NULL, NULL);
  if (lua_type(L, top) == LUA_TSTRING && strcmp(lua_tostring(L, top), "balanced") == 0)
    return mn_set_class_weight(ctx, model, true, NULL, NULL);
  if (lua_type(L, top) != LUA_TTABLE)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "%s: class_weight must be 'balanced', nil or a table from class to weight, got %s", who,
                   luaL_tolstring(L, top, NULL));
  const int anchors = mn_lua_begin_anchors(L);
  size_t n = 0, i = 0;
  for (lua_pushnil(L); lua_next(L, top); lua_pop(L, 1)) n++;
  mn_label *label = mn_lua_anchored_buffer(L, anchors, sizeof *label, n);
  double *weight = mn_lua_anchored_buffer(L, anchors, sizeof *weight, n),
         *sorted = mn_lua_anchored_buffer(L, anchors, sizeof *sorted, n);
  int32_t *code = mn_lua_anchored_buffer(L, anchors, sizeof *code, n);
  mn_factor *f = mn_lua_anchored_factor(L, anchors);
  for (lua_pushnil(L); lua_next(L, top); lua_pop(L, 1)) {
    if (i == n) mn_lua_modified_error(L, top);
    if (!mn_lua_to_label(L, -2, &label[i]) || lua_type(L, -1) != LUA_TNUMBER)
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: class_weight must map labels to numbers, got %s for %s", who,
                     luaL_typename(L, -1), luaL_typename(L, -2));
    weight[i++] = lua_tonumber(L, -1);
  }
  n = i;
  mn_lua_encode_labels(L, ctx, f, label, n, code);
  for (i = 0; i < n; i++) sorted[code[i]] = weight[i];
  return mn_set_class_weight(ctx, model, false, f->levels, sorted);
}

mn_status mn_lua_set_params(lua_State *L, mn_context *ctx, int index, const char *who, const mn_param *params,
                            void *base, mn_estimator *model)
{
  index = lua_absindex(L, index);
  luaL_checkstack(L, 8, NULL);
  lua_pushnil(L);
  while (lua_next(L, index)) {
    const int top = lua_gettop(L);
    if (lua_type(L, -2) != LUA_TSTRING)
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: parameters must be given by name", who);
    const char *name = lua_tostring(L, -2);
    const mn_param *p = mn_param_named(params, name);
    mn_status status;
    if (p)
      status = set_param(L, ctx, who, base, p);
    else if (model && strcmp(name, "class_weight") == 0)
      status = set_class_weight(L, ctx, model);
    else
      status = mn_unknown_param(ctx, who, params, name);
    if (status != MN_OK) return status;
    lua_settop(L, top - 1);
  }
  return MN_OK;
}

void mn_lua_push_param(lua_State *L, const void *base, const mn_param *p)
{
  const void *value = mn_member(base, p->offset);
  if (!mn_param_is_set(base, p))
    lua_pushnil(L);
  else if (p->kind == MN_KIND_CHOICE)
    lua_pushstring(L, p->choices[*(const int64_t *)value]);
  else
    mn_lua_push_value(L, NULL, p->kind, value);
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

void mn_lua_push_params(lua_State *L, const mn_estimator *model)
{
  lua_newtable(L);
  for (const mn_param *p = model->class->params; p && p->name; p++) {
    mn_lua_push_param(L, model, p);
    lua_setfield(L, -2, p->name);
  }
  if (model->class->accepts & MN_CLASS_WEIGHT) {
    mn_lua_push_class_weight(L, &model->class_weight);
    lua_setfield(L, -2, "class_weight");
  }
}

static void push_vector(lua_State *L, const mn_vector *v, bool whole)
{
  mn_lua_vector *out = mn_lua_push_vector(L, v->size);
  out->whole = whole;
  if (v->size > 0) memcpy(out->at, v->at, v->size * sizeof *v->at);
}

static void push_matrix(lua_State *L, const mn_matrix *m)
{
  const mn_lua_matrix *out = mn_lua_push_matrix(L, m->rows, m->cols);
  if (m->rows * m->cols > 0) memcpy(out->at, m->at, m->rows * m->cols * sizeof *m->at);
}

static void push_indexes(lua_State *L, const mn_indexes *v)
{
  mn_lua_vector *out = mn_lua_push_vector(L, v->size);
  out->whole = true;
  for (size_t i = 0; i < v->size; i++) out->at[i] = v->at[i] < 0 ? v->at[i] : v->at[i] + 1;
}

static void push_levels_list(lua_State *L, const mn_levels_list *list)
{
  lua_createtable(L, (int)list->size, 0);
  for (size_t i = 0; i < list->size; i++) {
    mn_lua_push_levels(L, list->at[i]);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  mn_lua_set_list_metatable(L);
}

static void push_kernel(lua_State *L, const mn_kernel *k)
{
  if (k->nodes > 0)
    mn_lua_push_kernel_copy(L, k);
  else
    lua_pushstring(L, mn_kernel_name(k->name));
}

static void push_names(lua_State *L, const mn_names *names)
{
  lua_createtable(L, (int)names->size, 0);
  for (size_t i = 0; i < names->size; i++) {
    lua_pushstring(L, names->at[i]);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  mn_lua_set_list_metatable(L);
}

static void push_column(lua_State *L, const mn_feature *column)
{
  if (column->name.bytes)
    lua_pushlstring(L, column->name.bytes, column->name.size);
  else
    lua_pushinteger(L, column->number);
}

static bool has_nan(const mn_vector *v)
{
  bool found = false;
  for (size_t i = 0; i < v->size; i++) found = found || isnan(v->at[i]);
  return found;
}

static void push_columns(lua_State *L, mn_kind kind, const mn_feature_list *columns)
{
  if (columns->name.size == 0 && !(kind == MN_KIND_COLUMN_VALUES && has_nan(&columns->value)))
    push_vector(L, &columns->value, kind == MN_KIND_COLUMNS);
  else if (kind == MN_KIND_COLUMNS)
    push_names(L, &columns->name);
  else
    mn_lua_push_column_values(L, columns);
}

void mn_lua_push_value(lua_State *L, mn_context *ctx, mn_kind kind, const void *value)
{
  luaL_checkstack(L, 8, NULL);
  switch (kind) {
  case MN_KIND_REAL: lua_pushnumber(L, *(const double *)value); break;
  case MN_KIND_COUNT:
  case MN_KIND_CHOICE: lua_pushinteger(L, *(const int64_t *)value); break;
  case MN_KIND_FLAG: lua_pushboolean(L, *(const bool *)value); break;
  case MN_KIND_VECTOR: push_vector(L, value, false); break;
  case MN_KIND_MATRIX: push_matrix(L, value); break;
  case MN_KIND_INDEXES: push_indexes(L, value); break;
  case MN_KIND_CSR: {
    const mn_csr *s = value;
    mn_csr *out = mn_lua_push_sparse(L);
    const mn_status status = s->start ? mn_value_copy(ctx, kind, s, out) : mn_csr_init(ctx, out, 0, 0, 0);
    if (status != MN_OK) mn_lua_raise(L, ctx);
    break;
  }
  case MN_KIND_LEVELS: push_levels_list(L, value); break;
  case MN_KIND_NAMES: push_names(L, value); break;
  case MN_KIND_TEXT: lua_pushlstring(L, ((const mn_text *)value)->bytes, ((const mn_text *)value)->size); break;
  case MN_KIND_KERNEL: push_kernel(L, value); break;
  case MN_KIND_COLUMN: push_column(L, value); break;
  case MN_KIND_COLUMNS:
  case MN_KIND_COLUMN_VALUES: push_columns(L, kind, value); break;
  case MN_KIND_GROUPS:
    if (((const mn_feature_groups *)value)->table.at)
      push_matrix(L, &((const mn_feature_groups *)value)->table);
    else
      mn_lua_push_lists(L, value);
    break;
  }
}
