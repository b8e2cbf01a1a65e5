#include "describe.h"
#include "../../model/model.h"
#include "../../model/operation.h"
#include "../values/values.h"
#include <string.h>

static void set_text(lua_State *L, const char *key, const char *text)
{
  if (!text) return;
  lua_pushstring(L, text);
  lua_setfield(L, -2, key);
}

static void set_flag(lua_State *L, const char *key, bool value)
{
  lua_pushboolean(L, value);
  lua_setfield(L, -2, key);
}

static const char *const kind_names[] = {
  [MN_KIND_REAL] = "number",    [MN_KIND_COUNT] = "integer",   [MN_KIND_FLAG] = "boolean",
  [MN_KIND_CHOICE] = "choice",  [MN_KIND_VECTOR] = "Vector",   [MN_KIND_MATRIX] = "Matrix",
  [MN_KIND_INDEXES] = "Vector", [MN_KIND_CSR] = "Sparse",      [MN_KIND_LEVELS] = "labels",
  [MN_KIND_NAMES] = "names",    [MN_KIND_TEXT] = "string",     [MN_KIND_GROUPS] = "groups",
  [MN_KIND_COLUMN] = "column",  [MN_KIND_COLUMNS] = "columns", [MN_KIND_COLUMN_VALUES] = "column values",
  [MN_KIND_KERNEL] = "kernel",
};

static void push_default(lua_State *L, const mn_param *p)
{
  switch (p->kind) {
  case MN_KIND_REAL:
    if (isnan(p->initial))
      lua_pushnil(L);
    else
      lua_pushnumber(L, p->initial);
    break;
  case MN_KIND_COUNT:
    if (p->initial <= (double)MN_UNSET)
      lua_pushnil(L);
    else
      lua_pushinteger(L, (lua_Integer)p->initial);
    break;
  case MN_KIND_COLUMN:
    if (isnan(p->initial))
      lua_pushnil(L);
    else
      lua_pushinteger(L, (lua_Integer)p->initial);
    break;
  case MN_KIND_FLAG: lua_pushboolean(L, p->initial > 0); break;
  case MN_KIND_CHOICE: lua_pushstring(L, p->choices[(size_t)p->initial]); break;
  case MN_KIND_KERNEL: lua_pushstring(L, mn_kernel_name((mn_kernel_op)p->initial)); break;
  case MN_KIND_VECTOR:
  case MN_KIND_MATRIX:
  case MN_KIND_INDEXES:
  case MN_KIND_CSR:
  case MN_KIND_LEVELS:
  case MN_KIND_NAMES:
  case MN_KIND_TEXT:
  case MN_KIND_COLUMNS:
  case MN_KIND_COLUMN_VALUES:
  case MN_KIND_GROUPS: lua_pushnil(L); break;
  }
}

static void push_choices(lua_State *L, const char *const *choices)
{
  lua_newtable(L);
  for (lua_Integer i = 0; choices[i]; i++) {
    lua_pushstring(L, choices[i]);
    lua_rawseti(L, -2, i + 1);
  }
}

static void push_param(lua_State *L, const mn_param *p)
{
  char expected[256];
  lua_createtable(L, 0, 10);
  set_text(L, "name", p->name);
  set_text(L, "kind", p->words ? "strings" : kind_names[p->kind]);
  set_text(L, "brief", p->brief);
  set_text(L, "wanted", mn_param_expected(p, expected, sizeof expected));
  set_flag(L, "penalty", p->penalty);
  set_flag(L, "or_number", p->or_number);
  push_default(L, p);
  lua_setfield(L, -2, "default");
  if (p->choices) {
    push_choices(L, p->choices);
    lua_setfield(L, -2, "choices");
    return;
  }
  lua_pushnumber(L, p->low);
  lua_setfield(L, -2, "low");
  lua_pushnumber(L, p->high);
  lua_setfield(L, -2, "high");
  set_flag(L, "open_low", p->open_low);
  set_flag(L, "open_high", p->open_high);
}

static void push_params(lua_State *L, const mn_param *params)
{
  lua_Integer n = 0;
  lua_newtable(L);
  for (const mn_param *p = params; p && p->name; p++) {
    push_param(L, p);
    lua_rawseti(L, -2, ++n);
  }
}

static void push_fields(lua_State *L, const mn_field *fields)
{
  lua_Integer n = 0;
  lua_newtable(L);
  for (const mn_field *f = fields; f && f->name; f++) {
    if (!f->brief) continue;
    lua_createtable(L, 0, 4);
    set_text(L, "name", f->name);
    set_text(L, "kind", kind_names[f->kind]);
    set_text(L, "shape", f->shape);
    set_text(L, "brief", f->brief);
    if (f->derived) {
      lua_pushboolean(L, true);
      lua_setfield(L, -2, "derived");
    }
    lua_rawseti(L, -2, ++n);
  }
}

static void push_operations(lua_State *L, const mn_operation *operations)
{
  lua_Integer n = 0;
  lua_newtable(L);
  for (const mn_operation *o = operations; o && o->name; o++) {
    lua_createtable(L, 0, 9);
    set_text(L, "name", o->name);
    set_text(L, "brief", o->brief);
    set_text(L, "returns", o->returns);
    set_flag(L, "needs_x", o->needs & MN_NEEDS_X);
    set_flag(L, "needs_y", o->needs & MN_NEEDS_Y);
    set_flag(L, "takes_rows", o->needs & MN_TAKES_ROWS);
    set_flag(L, "works_unfitted", o->needs & MN_WORKS_UNFITTED);
    set_flag(L, "modifies", o->modify != NULL);
    push_params(L, o->options);
    lua_setfield(L, -2, "options");
    lua_rawseti(L, -2, ++n);
  }
}

struct flag_name {
  unsigned bit;
  const char *name;
};

static void push_flags(lua_State *L, unsigned bits, const struct flag_name *names)
{
  lua_newtable(L);
  for (; names->name; names++) set_flag(L, names->name, (bits & names->bit) != 0);
}

static const struct flag_name capability_names[] = {
  { MN_REGRESS, "regress" },
  { MN_CLASSIFY, "classify" },
  { MN_CLUSTER, "cluster" },
  { MN_TRANSFORM, "transform" },
  { MN_OUTLIERS, "outliers" },
  { MN_DENSITY, "density" },
  { MN_ITERATE, "iterate" },
  { MN_RANDOM, "random" },
  { MN_ADDITIVE, "add_up" },
  { MN_NOISY_OBJECTIVE, "noisy" },
  { MN_SCALE_EQUIVARIANT, "unit_free" },
  { MN_RANK, "rank" },
  { MN_IGNORES_X, "ignores_x" },
  { MN_APPROXIMATE_INVERSE, "approximate_inverse" },
  { MN_FINE_CLUSTERS, "fine_clusters" },
  { 0, NULL },
};

static const struct flag_name accepts_names[] = {
  { MN_WEIGHTS, "weights" },
  { MN_SPARSE, "sparse" },
  { MN_MULTITARGET, "multitarget" },
  { MN_JOINT_TARGETS, "joint_targets" },
  { MN_MISSING, "missing" },
  { MN_FACTORS, "factors" },
  { MN_NON_NEGATIVE, "non_negative" },
  { MN_CLASS_WEIGHT, "class_weight" },
  { MN_BINARY_ONLY, "binary_only" },
  { MN_LENGTHS, "lengths" },
  { MN_TARGET_X, "target_x" },
  { MN_INIT_SCORE, "init_score" },
  { MN_EVAL, "eval" },
  { MN_FOLDS, "folds" },
  { MN_SQUARE, "square" },
  { MN_STATELESS, "stateless" },
  { MN_Y_REALS, "y_reals" },
  { MN_Y_LABELS, "y_labels" },
  { MN_Y_OPTIONAL, "y_optional" },
  { MN_Y_CLASSES, "y_classes" },
  { MN_UNLABELLED, "unlabelled" },
  { MN_INFINITE, "infinite" },
  { MN_ONE_COLUMN, "one_column" },
  { MN_TEXTS, "texts" },
  { MN_RECORDS, "records" },
  { MN_NO_COLUMNS, "no_columns" },
  { MN_WEIGHTS_SCALE, "weights_scale" },
  { MN_WEIGHTS_RATIO, "weights_ratio" },
  { 0, NULL },
};

/* Push which methods a model with default parameters supports. */
static void push_supported(lua_State *L, const mn_class *class)
{
  mn_context *ctx = mn_lua_begin(L);
  mn_estimator *model = mn_estimator_new(ctx, class);
  bool supported[MN_ACTIONS];
  if (!model) {
    mn_lua_raise(L, ctx);
    return;
  }
  for (mn_action a = MN_PREDICT; a < MN_ACTIONS; a++) supported[a] = mn_supports_action(model, a);
  mn_estimator_free(mn_context_memory(ctx), model);
  mn_lua_end(L, ctx);
  lua_newtable(L);
  for (mn_action a = MN_PREDICT; a < MN_ACTIONS; a++) set_flag(L, mn_action_name(a), supported[a]);
  set_flag(L, "fit", class->fit != NULL);
  set_flag(L, "partial_fit", class->partial_fit != NULL);
}

/* describe(name) -> the class table as a Lua table */
static int describe(lua_State *L)
{
  const mn_class *class = mn_class_named(luaL_checkstring(L, 1));
  if (!class) return luaL_error(L, "there is no estimator '%s'", lua_tostring(L, 1));
  lua_createtable(L, 0, 16);
  set_text(L, "name", class->name);
  set_text(L, "family", class->family);
  set_text(L, "brief", class->brief);
  set_text(L, "objective", class->objective);
  set_text(L, "source", class->source);
  set_text(L, "notes", class->notes);
  lua_pushnumber(L, class->export_tolerance);
  lua_setfield(L, -2, "export_tolerance");
  set_flag(L, "cross_fitted", class->training_transform != NULL);
  set_flag(L, "resamples_rows", class->resample != NULL);
  set_text(L, "example", class->example);
  push_params(L, class->params);
  lua_setfield(L, -2, "params");
  push_fields(L, class->fields);
  lua_setfield(L, -2, "fields");
  push_operations(L, class->operations);
  lua_setfield(L, -2, "operations");
  push_flags(L, class->capabilities, capability_names);
  lua_setfield(L, -2, "does");
  push_flags(L, class->accepts, accepts_names);
  lua_setfield(L, -2, "takes");
  push_supported(L, class);
  lua_setfield(L, -2, "can");
  return 1;
}

/* class_names() -> list of names, list of families */
static int class_names(lua_State *L)
{
  lua_newtable(L);
  lua_newtable(L);
  for (size_t i = 0; i < mn_class_count(); i++) {
    lua_pushstring(L, mn_class_at(i)->name);
    lua_rawseti(L, -3, (lua_Integer)i + 1);
    lua_pushstring(L, mn_class_at(i)->family);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  return 2;
}

void mn_lua_open_describe(lua_State *L)
{
  static const luaL_Reg functions[] = { { "describe", describe }, { "class_names", class_names }, { NULL, NULL } };
  luaL_setfuncs(L, functions, 0);
}
