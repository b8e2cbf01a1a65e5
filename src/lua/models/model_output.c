#include "model_output.h"
#include "../../model/operation.h"
#include "../../preprocess/sparse_values.h"
#include "fit.h"
#include "input.h"
#include "model_userdata.h"
#include "output_frame.h"
#include <math.h>

static double number_of(mn_label label)
{
  return label.kind == MN_LABEL_INTEGER ? (double)label.as.integer : label.as.number;
}

/* Whether a Vector can hold all labels. *whole: they are integers. */
static bool are_numbers(const mn_levels *classes, bool *whole)
{
  *whole = true;
  for (size_t c = 0; c < mn_levels_size(classes); c++) {
    const mn_label label = mn_levels_at(classes, c);
    if (label.kind != MN_LABEL_INTEGER && label.kind != MN_LABEL_FLOAT) return false;
    if (fabs(number_of(label)) > 0x1p53) return false;
    *whole &= label.kind == MN_LABEL_INTEGER;
  }
  return true;
}

bool mn_lua_predicts_labels(const mn_class *class, const mn_levels *classes)
{
  return class->capabilities & MN_CLASSIFY || (classes && class->accepts & MN_LENGTHS);
}

void mn_lua_push_class_labels(lua_State *L, size_t n, const double *code, const mn_levels *classes, bool numbers)
{
  bool whole;
  if (numbers && are_numbers(classes, &whole)) {
    mn_lua_vector *v = mn_lua_push_raw_vector(L, n);
    v->whole = whole;
    for (size_t i = 0; i < n; i++) v->at[i] = number_of(mn_levels_at(classes, (size_t)code[i]));
    return;
  }
  const mn_factor *f = mn_lua_push_factor(L, n, classes);
  for (size_t i = 0; i < n; i++) f->code[i] = (int32_t)code[i];
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

static int push_sparse_output(lua_State *L, mn_context *ctx, const mn_estimator *model, const mn_input *input)
{
  mn_csr *out = mn_lua_push_sparse(L);
  if (mn_apply_sparse(ctx, model, input, out) != MN_OK) return mn_lua_raise(L, ctx);
  mn_lua_end(L, ctx);
  mn_lua_charge(L, out->start[out->rows] * (sizeof *out->at + sizeof *out->col));
  return 1;
}

static int push_vector_output(lua_State *L, mn_context *ctx, const mn_estimator *model, mn_action action,
                              const mn_input *input)
{
  mn_lua_vector *v = mn_lua_push_raw_vector(L, input->x.rows);
  mn_matrix out = { .at = v->at, .rows = v->size, .cols = 1 };
  if (mn_apply(ctx, model, action, input, &out) != MN_OK) return mn_lua_raise(L, ctx);
  if (action == MN_PREDICT && mn_lua_predicts_labels(model->class, model->classes))
    mn_lua_push_class_labels(L, v->size, v->at, model->classes, model->one_target);
  else if (action == MN_PREDICT && model->class->capabilities & MN_CLUSTER)
    mn_lua_shift_cluster_labels(v);
  return mn_lua_finish(L, ctx, 1);
}

/* Whether the columns of an output are the classes. */
static bool has_class_columns(const mn_estimator *model, mn_action action, size_t width)
{
  const bool by_class = action == MN_PREDICT_PROBA || action == MN_PREDICT_LOG_PROBA || action == MN_DECISION_FUNCTION;
  return by_class && model->classes && mn_levels_size(model->classes) == width;
}

/* `training`: input->x are the rows to which the model was just fitted. */
static int push_matrix_output(lua_State *L, mn_context *ctx, const mn_estimator *model, mn_action action,
                              const mn_input *input, size_t width, bool as_frame, bool training)
{
  const size_t rows = input->x.rows;
  mn_matrix out = { .at = mn_lua_push_raw_matrix(L, rows, width)->at, .rows = rows, .cols = width };
  const mn_status status =
      training ? mn_transform_training(ctx, model, input, &out) : mn_apply(ctx, model, action, input, &out);
  if (status != MN_OK) return mn_lua_raise(L, ctx);
  if (as_frame || mn_lua_output_has_factors(model, action))
    mn_lua_push_output_frame(L, model, action, &out);
  else if (has_class_columns(model, action, width))
    mn_lua_push_named_matrix(L, -1, model->classes);
  return mn_lua_finish(L, ctx, 1);
}

int mn_lua_apply(lua_State *L)
{
  static const char *const options[] = { "lengths", NULL };
  const mn_action action = (mn_action)lua_tointeger(L, lua_upvalueindex(1));
  lua_settop(L, 3);
  mn_lua_check_receiver(L, mn_action_name(action));
  const mn_estimator *model = mn_lua_pin_model(L, 1);
  mn_lua_warn_of_settings(L, 1, model);
  mn_context *ctx = mn_lua_begin(L);
  if (mn_require_fitted(ctx, model, mn_action_name(action)) != MN_OK) return mn_lua_raise(L, ctx);
  mn_input input = { 0 };
  const bool as_frame = action == MN_TRANSFORM_X && mn_lua_is_frame(L, 2); /* a Frame is transformed to a Frame */
  input.x = mn_lua_check_x(L, ctx, 2, model, "X");
  mn_lua_check_options(L, ctx, 3, model, options, &input);
  mn_lua_set_operation_name(L, ctx, model->class->name, mn_action_name(action));
  if (action == MN_TRANSFORM_X && mn_outputs_sparse(model, &input.x)) return push_sparse_output(L, ctx, model, &input);
  const size_t width = model->fitted ? mn_width(model, action) : input.x.cols; /* not fitted: stateless */
  if (mn_lua_output_is_vector(model->class, model->one_target, action, width))
    return push_vector_output(L, ctx, model, action, &input);
  return push_matrix_output(L, ctx, model, action, &input, width, as_frame, false);
}

int mn_lua_transform_training(lua_State *L)
{
  enum { SELF = 1, X, Y, OPTIONS };
  lua_settop(L, OPTIONS);
  const mn_estimator *model = mn_lua_pin_model(L, SELF);
  mn_context *ctx = mn_lua_begin(L);
  mn_input input = { 0 };
  const bool as_frame = mn_lua_is_frame(L, X);
  input.x = mn_lua_check_x(L, ctx, X, model, "X");
  input.y = mn_lua_check_y(L, ctx, Y, model);
  mn_lua_check_options(L, ctx, OPTIONS, model, mn_lua_fit_options, &input);
  mn_lua_set_operation_name(L, ctx, model->class->name, "fit_transform");
  const size_t width = mn_width(model, MN_TRANSFORM_X);
  return push_matrix_output(L, ctx, model, MN_TRANSFORM_X, &input, width, as_frame, true);
}

/* Fill the empty source, and if there are made rows x or sparse, without Lua. */
static mn_status fit_resample(mn_context *ctx, const mn_estimator *model, const mn_input *input, mn_estimator **fitted,
                              mn_vector *source, mn_matrix *x, mn_csr *sparse)
{
  mn_resampled rows;
  mn_table all;
  MN_TRY(mn_fit_resample(ctx, model, input, fitted, &rows));
  MN_TRY(mn_vector_init(ctx, source, rows.rows));
  for (size_t i = 0; i < rows.rows; i++) source->at[i] = (double)rows.source[i] + 1;
  if (rows.made.rows == 0) return MN_OK;
  MN_TRY(mn_resampled_x(ctx, &input->x, &rows, &all));
  return all.sparse ? mn_copy_sparse(ctx, all.sparse, sparse) : mn_value_copy(ctx, MN_KIND_MATRIX, &all.dense, x);
}

int mn_lua_fit_resample(lua_State *L)
{
  enum { SELF = 1, X, Y, PINNED, FITTED, SOURCE, MADE, SPARSE };
  lua_settop(L, Y);
  mn_lua_check_idle_model(L, SELF, "fitted");
  const mn_estimator *model = mn_lua_pin_model(L, SELF);
  mn_estimator **fitted = mn_lua_push_estimator(L);
  mn_lua_vector *source = mn_lua_push_empty_vector(L);
  mn_lua_matrix *x = mn_lua_push_empty_matrix(L);
  mn_csr *sparse = mn_lua_push_sparse(L);
  mn_context *ctx = mn_lua_begin(L);
  const bool as_frame = mn_lua_is_frame(L, X);
  const mn_input input = { .x = mn_lua_check_x(L, ctx, X, model, "X"), .y = mn_lua_check_y(L, ctx, Y, model) };
  mn_lua_check_same_estimator(L, SELF, PINNED);
  mn_lua_set_operation_name(L, ctx, model->class->name, "fit_resample");
  if (fit_resample(ctx, model, &input, fitted, &source->own, &x->own, sparse) != MN_OK) return mn_lua_raise(L, ctx);
  const bool made = x->own.rows > 0;
  mn_lua_commit_vector(L, source);
  mn_lua_commit_matrix(L, x);
  source->whole = true;
  if (sparse->rows > 0) mn_lua_charge(L, sparse->start[sparse->rows] * (sizeof *sparse->at + sizeof *sparse->col));
  mn_lua_replace_estimator(L, SELF, PINNED, FITTED);
  const mn_matrix values = { .at = x->at, .rows = x->rows, .cols = x->cols };
  lua_pushvalue(L, SOURCE);
  if (sparse->rows > 0)
    lua_pushvalue(L, SPARSE);
  else if (!made)
    lua_pushnil(L);
  else if (as_frame || mn_lua_output_has_factors(*fitted, MN_TRANSFORM_X))
    mn_lua_push_output_frame(L, *fitted, MN_TRANSFORM_X, &values);
  else
    lua_pushvalue(L, MADE);
  return mn_lua_finish(L, ctx, 2);
}
