#include "nonlinear.h"
#include <math.h>
#include <string.h>

/* The model to fit: an expression, or Lua functions of the parameters at stack indices 1 and 2. */
struct model {
  lua_State *L;
  mn_expression expression;
  const double *x;
  size_t rows, parameters;
};

/* Convert the Matrix at `arg`, whose rows are an operator and its operand, to an expression. The instructions replace
 * it on the stack. */
static mn_expression check_expression(lua_State *L, mn_context *ctx, int arg, size_t columns, size_t parameters)
{
  const mn_matrix code = mn_lua_check_matrix(L, ctx, arg);
  luaL_argcheck(L, code.cols == 2, arg, "must have two columns");
  mn_instruction *at = mn_lua_push_zeroed_buffer(L, sizeof *at, code.rows);
  for (size_t k = 0; k < code.rows; k++) {
    const double operation = mn_row(&code, k)[0], operand = mn_row(&code, k)[1];
    luaL_argcheck(L, operation >= 0 && operation < MN_OP_COUNT, arg, "has an unknown operator");
    at[k].operation = (mn_expression_operator)operation;
    at[k].number = operand;
    if (operation == MN_OP_COLUMN || operation == MN_OP_PARAMETER) {
      luaL_argcheck(L, operand >= 0 && operand < 1e9, arg, "has an invalid index");
      at[k].index = (size_t)operand;
    }
  }
  lua_replace(L, arg);
  const mn_expression e = { .size = code.rows, .at = at, .columns = columns, .parameters = parameters };
  if (mn_expression_check(ctx, &e) != MN_OK) mn_lua_raise(L, ctx);
  return e;
}

static mn_status evaluate_expression(mn_context *ctx, void *user, const double *theta, double *f, double *jacobian)
{
  struct model *m = user;
  return mn_expression_evaluate(ctx, &m->expression, m->rows, m->x, theta, f, jacobian);
}

/* One evaluation of a Lua function. */
struct call {
  const struct model *model;
  const double *theta;
  double *out;
  bool derivatives;
};

static int copy_derivatives(lua_State *L, mn_context *ctx, const struct call *c)
{
  const mn_matrix m = mn_lua_check_matrix(L, ctx, lua_gettop(L));
  if (m.rows != c->model->rows || m.cols != c->model->parameters)
    return luaL_error(L, "jacobian must return a Matrix of %d x %d, got %d x %d", (int)c->model->rows,
                      (int)c->model->parameters, (int)m.rows, (int)m.cols);
  memcpy(c->out, m.at, m.rows * m.cols * sizeof *m.at);
  return mn_lua_finish(L, ctx, 0);
}

/* Runs in a protected call. The functions are in the registry, under the address of the model and the one after it. */
static int call_function(lua_State *L)
{
  const struct call *c = lua_touserdata(L, 1);
  lua_rawgetp(L, LUA_REGISTRYINDEX, (const char *)c->model + c->derivatives);
  double *theta = mn_lua_push_vector(L, c->model->parameters)->at;
  memcpy(theta, c->theta, c->model->parameters * sizeof *theta);
  lua_call(L, 1, 1);
  mn_context *ctx = mn_lua_begin(L);
  if (c->derivatives) return copy_derivatives(L, ctx, c);
  const mn_vector v = mn_lua_check_vector(L, ctx, lua_gettop(L));
  if (v.size != c->model->rows)
    return luaL_error(L, "the model must return a number for each of the %d rows, got %d", (int)c->model->rows,
                      (int)v.size);
  memcpy(c->out, v.at, v.size * sizeof *v.at);
  return mn_lua_finish(L, ctx, 0);
}

static mn_status evaluate_function(mn_context *ctx, void *user, const double *theta, double *f, double *jacobian)
{
  struct model *m = user;
  struct call c = { .model = m, .theta = theta, .out = f };
  if (!mn_lua_call_protected(m->L, ctx, call_function, &c)) return MN_CANCELLED;
  c = (struct call){ .model = m, .theta = theta, .out = jacobian, .derivatives = true };
  if (jacobian && !mn_lua_call_protected(m->L, ctx, call_function, &c)) return MN_CANCELLED;
  return MN_OK;
}

/* Put the functions at stack indices 1 and 2 where call_function finds them, or remove them. */
static void store_functions(lua_State *L, const struct model *m, bool store)
{
  for (int k = 0; k < 2; k++) {
    if (store)
      lua_pushvalue(L, 1 + k);
    else
      lua_pushnil(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, (const char *)m + k);
  }
}

static void set_field(lua_State *L, const char *name, double value)
{
  lua_pushnumber(L, value);
  lua_setfield(L, -2, name);
}

void mn_lua_push_nonlinear_result(lua_State *L, const mn_nonlinear_result *result)
{
  lua_createtable(L, 0, 8);
  set_field(L, "rss", result->rss);
  set_field(L, "offset", result->offset);
  set_field(L, "rcond", result->rcond);
  lua_pushinteger(L, (lua_Integer)result->n_iter);
  lua_setfield(L, -2, "n_iter");
  lua_pushinteger(L, (lua_Integer)result->rank);
  lua_setfield(L, -2, "rank");
  lua_pushinteger(L, (lua_Integer)result->free);
  lua_setfield(L, -2, "free");
  lua_pushboolean(L, result->converged);
  lua_setfield(L, -2, "converged");
  lua_pushboolean(L, result->stalled);
  lua_setfield(L, -2, "stalled");
}

/* The Vector at `arg`, of this size. */
static const double *check_size(lua_State *L, mn_context *ctx, int arg, size_t size)
{
  const mn_vector v = mn_lua_check_vector(L, ctx, arg);
  luaL_argcheck(L, v.size == size, arg, "has the wrong size");
  return v.at;
}

const double *mn_lua_check_expression(lua_State *L, mn_context *ctx, size_t rows, size_t parameters, mn_expression *out)
{
  const mn_matrix x = mn_lua_check_matrix(L, ctx, 2);
  luaL_argcheck(L, x.rows == rows, 2, "has the wrong number of rows");
  *out = check_expression(L, ctx, 1, x.cols, parameters);
  return x.at;
}

/* Read the model at 1 and 2: instructions and a Matrix of columns, or a function and its derivatives (or nil). */
static struct model check_model(lua_State *L, mn_context *ctx, size_t rows, size_t parameters)
{
  struct model m = { .L = L, .rows = rows, .parameters = parameters };
  if (!lua_isfunction(L, 1)) m.x = mn_lua_check_expression(L, ctx, rows, parameters, &m.expression);
  return m;
}

mn_vector mn_lua_check_nonlinear_problem(lua_State *L, mn_context *ctx, mn_nonlinear *problem)
{
  const mn_vector y = mn_lua_check_vector(L, ctx, 3), start = mn_lua_check_vector(L, ctx, 5);
  luaL_argcheck(L, y.size > 0, 3, "must not be empty");
  luaL_argcheck(L, start.size > 0, 5, "must not be empty");
  *problem = (mn_nonlinear){ .n = y.size, .p = start.size, .y = y.at, .tol = luaL_checknumber(L, 8) };
  problem->max_iter = (size_t)luaL_checkinteger(L, 9);
  problem->weights = lua_isnil(L, 4) ? NULL : check_size(L, ctx, 4, y.size);
  problem->lower = check_size(L, ctx, 6, start.size);
  problem->upper = check_size(L, ctx, 7, start.size);
  return start;
}

/* nonlinear_fit(model, columns or jacobian, y, weights or nil, start, lower, upper, tol, max_iter, on_iter) ->
 * estimates, inv(J'WJ), a table of the fields of mn_nonlinear_result. The model is a Matrix of instructions or a
 * function of a Vector of parameters. */
static int nonlinear_fit(lua_State *L)
{
  lua_settop(L, 10);
  mn_context *ctx = mn_lua_begin(L);
  mn_nonlinear problem;
  const mn_vector first = mn_lua_check_nonlinear_problem(L, ctx, &problem);
  struct model model = check_model(L, ctx, problem.n, first.size);
  problem.evaluate = model.x ? evaluate_expression : evaluate_function;
  problem.analytic = model.x || lua_isfunction(L, 2);
  problem.user = &model;
  double *theta = mn_lua_push_vector(L, first.size)->at;
  memcpy(theta, first.at, first.size * sizeof *theta);
  double *covariance = mn_lua_push_matrix(L, first.size, first.size)->at;
  if (!lua_isnil(L, 10)) mn_lua_set_progress_function(L, ctx, 10);
  if (!model.x) store_functions(L, &model, true);
  mn_lua_set_operation_name(L, ctx, "NonlinearRegression", "fit");
  mn_nonlinear_result result;
  const mn_status status = mn_nonlinear_fit(ctx, &problem, theta, covariance, &result);
  if (!model.x) store_functions(L, &model, false);
  if (status != MN_OK) return mn_lua_raise(L, ctx);
  mn_lua_push_nonlinear_result(L, &result);
  return mn_lua_finish(L, ctx, 3);
}

/* expression_values(code, columns, parameters) -> values, derivatives (rows x parameters) */
static int expression_values(lua_State *L)
{
  lua_settop(L, 3);
  mn_context *ctx = mn_lua_begin(L);
  const mn_matrix x = mn_lua_check_matrix(L, ctx, 2);
  const mn_vector parameters = mn_lua_check_vector(L, ctx, 3);
  const mn_expression e = check_expression(L, ctx, 1, x.cols, parameters.size);
  double *values = mn_lua_push_vector(L, x.rows)->at;
  double *jacobian = mn_lua_push_matrix(L, x.rows, parameters.size)->at;
  if (mn_expression_evaluate(ctx, &e, x.rows, x.at, parameters.at, values, jacobian) != MN_OK)
    return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 2);
}

/* nonlinear_derivatives(function, rows, parameters) -> its derivatives (rows x parameters) by central differences */
static int nonlinear_derivatives(lua_State *L)
{
  lua_settop(L, 3);
  luaL_checktype(L, 1, LUA_TFUNCTION);
  mn_context *ctx = mn_lua_begin(L);
  const mn_vector theta = mn_lua_check_vector(L, ctx, 3);
  struct model model = { .L = L, .rows = (size_t)luaL_checkinteger(L, 2), .parameters = theta.size };
  double *bounds = mn_lua_push_buffer(L, sizeof *bounds, 2 * theta.size);
  for (size_t j = 0; j < 2 * theta.size; j++) bounds[j] = j < theta.size ? -INFINITY : INFINITY;
  const mn_nonlinear problem = { .n = model.rows,
                                 .p = theta.size,
                                 .lower = bounds,
                                 .upper = bounds + theta.size,
                                 .evaluate = evaluate_function,
                                 .user = &model };
  double *jacobian = mn_lua_push_matrix(L, model.rows, theta.size)->at;
  store_functions(L, &model, true);
  const mn_status status = mn_nonlinear_differences(ctx, &problem, theta.at, jacobian);
  store_functions(L, &model, false);
  return status == MN_OK ? mn_lua_finish(L, ctx, 1) : mn_lua_raise(L, ctx);
}

void mn_lua_open_nonlinear(lua_State *L)
{
  static const luaL_Reg functions[] = { { "nonlinear_fit", nonlinear_fit },
                                        { "expression_values", expression_values },
                                        { "nonlinear_derivatives", nonlinear_derivatives },
                                        { NULL, NULL } };
  luaL_setfuncs(L, functions, 0);
}
