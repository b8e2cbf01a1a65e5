/* Arithmetic of Matrix and Vector: operators and the methods for them, comparisons, elementwise functions.
 *
 * Broadcasting: a number is combined with every element. With a Matrix, a Vector is a row. A Matrix of one row or one
 * column is repeated. So X - X:mean "cols" subtracts the mean of each column, X - X:mean("rows"):as_column() the mean
 * of each row. */
#include "userdata.h"
#include "../../linalg/elementwise.h"
#include "../../linalg/matvec.h"
#include <math.h>

/* An operand and its shape. */
typedef struct operand {
  mn_strided data;
  size_t rows, cols;
  enum { NUMBER, VECTOR, MATRIX } kind;
  double number;
} operand;

static const char *const symbols[MN_BINARY_COUNT] = { "+",  "-",  "*",  "/",  "^",       "gt",     "ge",
                                                      "lt", "le", "eq", "ne", "minimum", "maximum" };

/* A table becomes a Matrix, or a Vector when its first element is a number. */
static void convert_table(lua_State *L, mn_context *ctx, int arg)
{
  if (lua_type(L, arg) != LUA_TTABLE) return;
  const int first = lua_rawgeti(L, arg, 1);
  lua_pop(L, 1);
  if (first == LUA_TNUMBER)
    mn_lua_check_vector(L, ctx, arg);
  else
    mn_lua_check_matrix(L, ctx, arg);
}

/* Read an operand; false for other types. The data of a number point into *s, which must not be moved. */
static bool to_operand(lua_State *L, int arg, operand *s)
{
  const mn_lua_matrix *m = mn_lua_test_matrix(L, arg);
  const mn_lua_vector *v = m ? NULL : mn_lua_test_vector(L, arg);
  if (m)
    *s = (operand){ .data = { m->at, m->row_step, m->col_step }, .rows = m->rows, .cols = m->cols, .kind = MATRIX };
  else if (v)
    *s = (operand){ .data = { v->at, v->size * v->step, v->step }, .rows = 1, .cols = v->size, .kind = VECTOR };
  else if (lua_type(L, arg) == LUA_TNUMBER)
    *s = (operand){ .rows = 1, .cols = 1, .kind = NUMBER, .number = lua_tonumber(L, arg) };
  else
    return false;
  if (s->kind == NUMBER) s->data.at = &s->number;
  return true;
}

static const char *shape_text(lua_State *L, const operand *s)
{
  switch (s->kind) {
  case NUMBER: return "number";
  case VECTOR: return lua_pushfstring(L, "Vector of %I", (lua_Integer)s->cols);
  case MATRIX: break;
  }
  return lua_pushfstring(L, "Matrix %I x %I", (lua_Integer)s->rows, (lua_Integer)s->cols);
}

static int shape_error(lua_State *L, const char *symbol, const operand *a, const operand *b)
{
  const char *left = shape_text(L, a), *right = shape_text(L, b);
  if (a->kind + b->kind == VECTOR + MATRIX)
    return luaL_error(L, "%s %s %s: shapes do not match; a Vector is a row, use v:as_column() for a column", left,
                      symbol, right);
  return luaL_error(L, "%s %s %s: shapes do not match", left, symbol, right);
}

static bool match_size(size_t *a, size_t b, bool repeat)
{
  if (*a == b || (repeat && b == 1)) return true;
  if (!repeat || *a != 1) return false;
  *a = b;
  return true;
}

/* Determine the shape of the result. Single rows and columns are repeated, but two Vectors must have the same size, and
 * a Vector must be as long as the rows of a Matrix. */
static void broadcast_shapes(lua_State *L, const char *symbol, const operand *a, const operand *b, operand *out)
{
  const bool has_vector = a->kind == VECTOR || b->kind == VECTOR;
  const bool has_number = a->kind == NUMBER || b->kind == NUMBER;
  *out = *a;
  out->kind = a->kind > b->kind ? a->kind : b->kind;
  const bool valid =
      match_size(&out->rows, b->rows, true) && match_size(&out->cols, b->cols, has_number || !has_vector);
  if (!valid) shape_error(L, symbol, a, b);
}

/* Rows and columns that are repeated get step 0. */
static mn_strided broadcast(const operand *s, const operand *out)
{
  mn_strided o = s->data;
  if (s->rows == 1 && out->rows != 1) o.row_step = 0;
  if (s->cols == 1 && out->cols != 1) o.col_step = 0;
  if (s->kind == NUMBER) o.row_step = o.col_step = 0;
  return o;
}

/* Push the result. `whole`: its values are integers. */
static double *push_result(lua_State *L, const operand *out, bool whole)
{
  if (out->kind != VECTOR) return mn_lua_push_raw_matrix(L, out->rows, out->cols)->at;
  mn_lua_vector *v = mn_lua_push_raw_vector(L, out->cols);
  v->whole = whole;
  return v->at;
}

static int operand_error(lua_State *L, const char *symbol)
{
  const bool labels = mn_lua_test_factor(L, 1) || mn_lua_test_factor(L, 2);
  return luaL_error(L, "%s %s %s: both must be numbers, Vectors or Matrices%s", mn_lua_type_name(L, 1), symbol,
                    mn_lua_type_name(L, 2), labels ? "; labels are compared by a:eq(b) and a:ne(b)" : "");
}

static int combine(lua_State *L, mn_binary_op op)
{
  mn_context *ctx = mn_lua_begin(L);
  operand a, b, out;
  lua_settop(L, 2);
  if (!to_operand(L, 1, &a) || !to_operand(L, 2, &b)) return operand_error(L, symbols[op]);
  broadcast_shapes(L, symbols[op], &a, &b, &out);
  double *at = push_result(L, &out, op >= MN_GT && op <= MN_NE);
  if (mn_elementwise_binary(ctx, op, out.rows, out.cols, broadcast(&a, &out), broadcast(&b, &out), at) != MN_OK)
    return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 1);
}

int mn_lua_add(lua_State *L)
{
  return combine(L, MN_ADD);
}

int mn_lua_sub(lua_State *L)
{
  return combine(L, MN_SUB);
}

int mn_lua_div(lua_State *L)
{
  return combine(L, MN_DIV);
}

int mn_lua_pow(lua_State *L)
{
  return combine(L, MN_POW);
}

/* --- the product --- */

static int product_error(lua_State *L, const operand *a, const operand *b, size_t left, size_t right)
{
  return luaL_error(L, "%s * %s: the left side has %I columns, the right side %I rows", shape_text(L, a),
                    shape_text(L, b), (lua_Integer)left, (lua_Integer)right);
}

static mn_status multiply_vector(lua_State *L, mn_context *ctx, const operand *a, const operand *b)
{
  const bool right = b->kind == VECTOR;
  const operand *m = right ? a : b, *v = right ? b : a;
  const size_t inner = right ? m->cols : m->rows, outer = right ? m->rows : m->cols;
  if (inner != v->cols) product_error(L, a, b, right ? inner : v->cols, right ? v->cols : inner);
  double *out = mn_lua_push_raw_vector(L, outer)->at;
  const size_t row_step = right ? m->data.row_step : m->data.col_step;
  const size_t col_step = right ? m->data.col_step : m->data.row_step;
  return mn_matvec(ctx, outer, inner, m->data.at, row_step, col_step, v->data.at, v->data.col_step, out);
}

static mn_status multiply(lua_State *L, mn_context *ctx, const operand *a, const operand *b)
{
  if (a->kind == VECTOR || b->kind == VECTOR) return multiply_vector(L, ctx, a, b);
  if (a->cols != b->rows) product_error(L, a, b, a->cols, b->rows);
  double *out = mn_lua_push_raw_matrix(L, a->rows, b->cols)->at;
  return mn_matmul(ctx, a->rows, b->cols, a->cols, a->data.at, a->data.row_step, a->data.col_step, b->data.at,
                   b->data.row_step, b->data.col_step, out);
}

/* X * Y: matrix product; X * v, v * X: Vectors; with a number: scaled */
int mn_lua_mul(lua_State *L)
{
  operand a, b;
  if (mn_lua_test_sparse(L, 1) || mn_lua_test_sparse(L, 2)) return mn_lua_sparse_mul(L);
  if (!to_operand(L, 1, &a) || !to_operand(L, 2, &b)) return operand_error(L, "*");
  if (a.kind == NUMBER || b.kind == NUMBER) return combine(L, MN_MUL);
  if (a.kind == VECTOR && b.kind == VECTOR)
    return luaL_error(L, "Vector * Vector: use v:dot(w) for the inner product, v:mul(w) for products of elements");
  mn_context *ctx = mn_lua_begin(L);
  if (multiply(L, ctx, &a, &b) != MN_OK) return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 1);
}

/* --- elementwise functions --- */

static int apply(lua_State *L, mn_unary_op function)
{
  mn_context *ctx = mn_lua_begin(L);
  operand a;
  if (!to_operand(L, 1, &a)) luaL_argerror(L, 1, "Matrix or Vector expected");
  const mn_lua_vector *v = mn_lua_test_vector(L, 1);
  const bool keeps_whole = function == MN_NEG || function == MN_ABS || function == MN_SIGN;
  const bool makes_whole = function >= MN_FLOOR && function <= MN_ISFINITE;
  double *at = push_result(L, &a, makes_whole || (keeps_whole && v && v->whole));
  if (mn_elementwise_unary(ctx, function, a.rows, a.cols, a.data, at) != MN_OK) return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 1);
}

int mn_lua_unm(lua_State *L)
{
  return apply(L, MN_NEG);
}

#define BINARY(name, op)                                                                                               \
  static int name(lua_State *L)                                                                                        \
  {                                                                                                                    \
    convert_table(L, mn_lua_begin(L), 2);                                                                              \
    return combine(L, op);                                                                                             \
  }

BINARY(add, MN_ADD)
BINARY(sub, MN_SUB)
BINARY(mul, MN_MUL)
BINARY(divide, MN_DIV)
BINARY(power, MN_POW)
BINARY(gt, MN_GT)
BINARY(ge, MN_GE)
BINARY(lt, MN_LT)
BINARY(le, MN_LE)
BINARY(minimum, MN_MINIMUM)
BINARY(maximum, MN_MAXIMUM)

/* Numbers are compared with the labels of a Factor, too. */
static int eq(lua_State *L)
{
  if (mn_lua_test_vector(L, 1) && mn_lua_test_factor(L, 2)) return mn_lua_compare_labels(L, true);
  convert_table(L, mn_lua_begin(L), 2);
  return combine(L, MN_EQ);
}

static int ne(lua_State *L)
{
  if (mn_lua_test_vector(L, 1) && mn_lua_test_factor(L, 2)) return mn_lua_compare_labels(L, false);
  convert_table(L, mn_lua_begin(L), 2);
  return combine(L, MN_NE);
}

#define UNARY(name, function)                                                                                          \
  static int name(lua_State *L)                                                                                        \
  {                                                                                                                    \
    return apply(L, function);                                                                                         \
  }

UNARY(each_abs, MN_ABS)
UNARY(each_sign, MN_SIGN)
UNARY(each_sqrt, MN_SQRT)
UNARY(each_square, MN_SQUARED)
UNARY(each_reciprocal, MN_RECIPROCAL)
UNARY(each_floor, MN_FLOOR)
UNARY(each_ceil, MN_CEIL)
UNARY(each_round, MN_ROUND)
UNARY(each_isnan, MN_ISNAN)
UNARY(each_isfinite, MN_ISFINITE)
UNARY(each_exp, MN_EXP)
UNARY(each_expm1, MN_EXPM1)
UNARY(each_log, MN_LOG)
UNARY(each_log1p, MN_LOG1P)
UNARY(each_log2, MN_LOG2)
UNARY(each_log10, MN_LOG10)
UNARY(each_sin, MN_SIN)
UNARY(each_cos, MN_COS)
UNARY(each_tan, MN_TAN)
UNARY(each_asin, MN_ASIN)
UNARY(each_acos, MN_ACOS)
UNARY(each_atan, MN_ATAN)
UNARY(each_sinh, MN_SINH)
UNARY(each_cosh, MN_COSH)
UNARY(each_tanh, MN_TANH)
UNARY(each_sigmoid, MN_SIGMOID)
UNARY(each_erf, MN_ERF)

/* X:clip(low, high): values below low become low, values above high become high; NaN stays */
static int clip(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  operand a;
  if (!to_operand(L, 1, &a)) luaL_argerror(L, 1, "Matrix or Vector expected");
  const double low = lua_isnoneornil(L, 2) ? -INFINITY : luaL_checknumber(L, 2);
  const double high = lua_isnoneornil(L, 3) ? INFINITY : luaL_checknumber(L, 3);
  luaL_argcheck(L, low <= high, 3, "the upper bound must be at least the lower one");
  double *at = push_result(L, &a, false);
  const mn_strided self = { .at = at, .row_step = a.cols, .col_step = 1 };
  mn_status status = mn_elementwise_binary(ctx, MN_MAXIMUM, a.rows, a.cols, a.data, (mn_strided){ .at = &low }, at);
  if (status == MN_OK)
    status = mn_elementwise_binary(ctx, MN_MINIMUM, a.rows, a.cols, self, (mn_strided){ .at = &high }, at);
  if (status != MN_OK) return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 1);
}

/* mask:where(yes, no): `yes` where the mask is neither 0 nor NaN, else `no` */
static int where(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  operand mask, yes, no, partial, out;
  lua_settop(L, 3);
  convert_table(L, ctx, 2);
  convert_table(L, ctx, 3);
  if (!to_operand(L, 1, &mask)) luaL_argerror(L, 1, "Matrix or Vector expected");
  for (int arg = 2; arg <= 3; arg++)
    if (!to_operand(L, arg, arg == 2 ? &yes : &no))
      luaL_argerror(L, arg, lua_pushfstring(L, "number, Vector or Matrix expected, got %s", mn_lua_type_name(L, arg)));
  broadcast_shapes(L, "where", &mask, &yes, &partial);
  broadcast_shapes(L, "where", &partial, &no, &out);
  double *at = push_result(L, &out, false);
  if (mn_elementwise_where(ctx, out.rows, out.cols, broadcast(&mask, &out), broadcast(&yes, &out), broadcast(&no, &out),
                           at) != MN_OK)
    return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 1);
}

/* X:map(f): f(value) for each value; f is a Lua function that returns a number */
static int map(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  operand a;
  if (!to_operand(L, 1, &a)) luaL_argerror(L, 1, "Matrix or Vector expected");
  luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_settop(L, 2);
  double *at = push_result(L, &a, false);
  for (size_t i = 0; i < a.rows; i++)
    for (size_t j = 0; j < a.cols; j++) {
      to_operand(L, 1, &a); /* again, for f may have closed X */
      if (i >= a.rows || j >= a.cols) return luaL_error(L, "map: the function has closed the value it is applied to");
      lua_pushvalue(L, 2);
      lua_pushnumber(L, a.data.at[i * a.data.row_step + j * a.data.col_step]);
      lua_call(L, 1, 1);
      if (lua_type(L, -1) != LUA_TNUMBER)
        return luaL_error(L, "map: the function must return a number, got %s in row %d, column %d",
                          mn_lua_type_name(L, -1), (int)i + 1, (int)j + 1);
      at[i * a.cols + j] = lua_tonumber(L, -1);
      lua_pop(L, 1);
    }
  return mn_lua_finish(L, ctx, 1);
}

const luaL_Reg mn_lua_elementwise[] = {
  { "add", add },
  { "sub", sub },
  { "mul", mul },
  { "div", divide },
  { "pow", power },
  { "gt", gt },
  { "ge", ge },
  { "lt", lt },
  { "le", le },
  { "eq", eq },
  { "ne", ne },
  { "minimum", minimum },
  { "maximum", maximum },
  { "abs", each_abs },
  { "sign", each_sign },
  { "sqrt", each_sqrt },
  { "square", each_square },
  { "reciprocal", each_reciprocal },
  { "floor", each_floor },
  { "ceil", each_ceil },
  { "round", each_round },
  { "isnan", each_isnan },
  { "isfinite", each_isfinite },
  { "exp", each_exp },
  { "expm1", each_expm1 },
  { "log", each_log },
  { "log1p", each_log1p },
  { "log2", each_log2 },
  { "log10", each_log10 },
  { "sin", each_sin },
  { "cos", each_cos },
  { "tan", each_tan },
  { "asin", each_asin },
  { "acos", each_acos },
  { "atan", each_atan },
  { "sinh", each_sinh },
  { "cosh", each_cosh },
  { "tanh", each_tanh },
  { "sigmoid", each_sigmoid },
  { "erf", each_erf },
  { "clip", clip },
  { "where", where },
  { "map", map },
  { NULL, NULL },
};
