#include "output_frame.h"
#include "../data/frame_columns.h"
#include <math.h>
#include <stdio.h>

static const mn_levels *output_levels(const mn_estimator *model, mn_action action, size_t j)
{
  if (action == MN_TRANSFORM_X) return mn_output_levels(model, j);
  return model->feature_levels.size > 0 ? model->feature_levels.at[j] : NULL;
}

bool mn_lua_output_has_factors(const mn_estimator *model, mn_action action)
{
  if (action == MN_TRANSFORM_X) return mn_has_output_levels(model);
  if (action != MN_INVERSE_TRANSFORM) return false;
  for (size_t j = 0; j < model->feature_levels.size; j++)
    if (model->feature_levels.at[j]) return true;
  return false;
}

static void push_name(lua_State *L, const mn_estimator *model, mn_action action, size_t j)
{
  char name[256];
  if (action == MN_TRANSFORM_X)
    mn_output_name(model, j, name, sizeof name);
  else if (model->feature_names.size > 0)
    snprintf(name, sizeof name, "%s", model->feature_names.at[j]);
  else
    snprintf(name, sizeof name, "x%zu", j + 1);
  lua_pushstring(L, name);
}

static void push_codes(lua_State *L, const mn_matrix *values, size_t j, const mn_levels *levels)
{
  const double size = (double)mn_levels_size(levels);
  mn_factor *f = mn_lua_push_factor(L, values->rows, levels);
  for (size_t i = 0; i < values->rows; i++) {
    const double code = mn_row(values, i)[j];
    f->code[i] = code >= 0 && code < size ? (int32_t)code : -1;
  }
}

/* Whether all values are integers that Lua represents exactly, or missing. */
static bool holds_whole(const mn_lua_vector *v)
{
  for (size_t i = 0; i < v->size; i++)
    if (!isnan(v->at[i]) && !(fabs(v->at[i]) <= 0x1p53 && v->at[i] == floor(v->at[i]))) return false;
  return true;
}

/* Mark the columns of the table on the top of the stack that contain whole numbers by definition. Parameters such as
 * weights and codes of unknown categories can make them fractions, so the values are checked. */
static void mark_whole_columns(lua_State *L, const mn_estimator *model, size_t cols)
{
  for (size_t j = 0; j < cols; j++) {
    if (!mn_output_is_whole(model, j)) continue;
    lua_rawgeti(L, -1, (lua_Integer)j + 1);
    mn_lua_vector *v = mn_lua_test_vector(L, -1);
    if (v) v->whole = holds_whole(v);
    lua_pop(L, 1);
  }
}

void mn_lua_push_output_frame(lua_State *L, const mn_estimator *model, mn_action action, const mn_matrix *values)
{
  mn_context *ctx = mn_lua_current_context(L);
  double **numbers = mn_lua_push_zeroed_buffer(L, sizeof *numbers, values->cols);
  lua_createtable(L, 0, 2);
  lua_createtable(L, (int)values->cols, 0);
  lua_createtable(L, (int)values->cols, 0);
  for (size_t j = 0; j < values->cols; j++) {
    const mn_levels *levels = output_levels(model, action, j);
    if (mn_poll(ctx) != MN_OK) mn_lua_raise(L, ctx);
    push_name(L, model, action, j);
    lua_rawseti(L, -3, (lua_Integer)j + 1);
    if (levels)
      push_codes(L, values, j, levels);
    else
      numbers[j] = mn_lua_push_raw_vector(L, values->rows)->at;
    lua_rawseti(L, -2, (lua_Integer)j + 1);
  }
  if (mn_frame_from_rows(ctx, values->rows, values->cols, values->at, numbers) != MN_OK) mn_lua_raise(L, ctx);
  if (action == MN_TRANSFORM_X) mark_whole_columns(L, model, values->cols);
  lua_setfield(L, -3, "columns");
  lua_setfield(L, -2, "names");
  mn_lua_set_frame_metatable(L);
  lua_remove(L, -2); /* the buffer */
}
