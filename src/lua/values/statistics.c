/* Reductions, quantiles and sorting of Matrix and Vector.
 *
 * Axis: "rows" gives a value for each row, "cols" for each column; without an axis, all values are reduced to one. NaN
 * is not skipped: results that depend on it are NaN. */
#include "userdata.h"
#include "../../stats/argsort.h"
#include "../../stats/quantile.h"
#include "../../linalg/reduce.h"
#include <math.h>
#include <string.h>

/* --- arguments --- */

/* The Matrix or Vector at 1 as a contiguous matrix, a Vector as one row. Returns whether it is a Vector. */
static bool check_data(lua_State *L, mn_context *ctx, mn_matrix *x)
{
  if (mn_lua_test_vector(L, 1)) {
    const mn_vector v = mn_lua_check_vector(L, ctx, 1);
    *x = (mn_matrix){ .at = v.at, .rows = 1, .cols = v.size };
    return true;
  }
  mn_lua_checkudata_matrix(L, 1);
  *x = mn_lua_check_matrix(L, ctx, 1);
  return false;
}

static mn_axis check_axis(lua_State *L, int arg, bool is_vector)
{
  if (lua_isnoneornil(L, arg)) return MN_WHOLE;
  const char *name = lua_type(L, arg) == LUA_TSTRING ? lua_tostring(L, arg) : "";
  if (is_vector) luaL_argerror(L, arg, "a Vector has no axis");
  if (strcmp(name, "rows") == 0) return MN_EACH_ROW;
  if (strcmp(name, "cols") == 0) return MN_EACH_COLUMN;
  luaL_argerror(L, arg,
                lua_pushfstring(L, "axis must be \"rows\" (a value for each row) or \"cols\" (for each column), got %s",
                                luaL_tolstring(L, arg, NULL)));
  return MN_WHOLE;
}

static void push_number(lua_State *L, double value, bool whole)
{
  if (whole && mn_lua_is_whole(value))
    lua_pushinteger(L, (lua_Integer)value);
  else
    lua_pushnumber(L, value);
}

static bool is_whole(lua_State *L)
{
  const mn_lua_vector *v = mn_lua_test_vector(L, 1);
  return v && v->whole;
}

/* --- reductions --- */

static int reduce(lua_State *L, mn_reduction what, double ddof)
{
  mn_context *ctx = mn_lua_begin(L);
  mn_matrix x;
  double value = 0, *out = &value;
  const bool is_vector = check_data(L, ctx, &x);
  const mn_axis axis = check_axis(L, 2, is_vector);
  const bool whole = is_whole(L) && (what == MN_SUM || what == MN_MIN || what == MN_MAX);
  const size_t n = axis == MN_EACH_ROW ? x.cols : axis == MN_EACH_COLUMN ? x.rows : x.rows * x.cols;
  if (n == 0 && (what == MN_MIN || what == MN_MAX))
    return luaL_error(L, "%s: min and max need at least one value", mn_lua_type_name(L, 1));
  if (axis != MN_WHOLE) out = mn_lua_push_raw_vector(L, axis == MN_EACH_ROW ? x.rows : x.cols)->at;
  if (mn_reduce(ctx, what, axis, ddof, &x, out) != MN_OK) return mn_lua_raise(L, ctx);
  if (axis == MN_WHOLE) push_number(L, value, whole);
  return mn_lua_finish(L, ctx, 1);
}

#define REDUCE(name, what)                                                                                             \
  static int name(lua_State *L)                                                                                        \
  {                                                                                                                    \
    return reduce(L, what, 0);                                                                                         \
  }

REDUCE(sum, MN_SUM)
REDUCE(mean, MN_MEAN)
REDUCE(min, MN_MIN)
REDUCE(max, MN_MAX)

static double check_ddof(lua_State *L, int arg)
{
  const double ddof = luaL_optnumber(L, arg, 1);
  luaL_argcheck(L, ddof >= 0 && ddof <= 1e6, arg,
                "ddof must be a number from 0 (population) to 1e6; 1 is for a sample");
  return ddof;
}

/* X:var([axis [, ddof]]); a Vector has no axis: v:var([ddof]) or v:var(nil, ddof). */
static int reduce_variance(lua_State *L, mn_reduction what)
{
  const bool only_ddof = mn_lua_test_vector(L, 1) && lua_type(L, 2) == LUA_TNUMBER;
  const double ddof = check_ddof(L, only_ddof ? 2 : 3);
  if (only_ddof) {
    luaL_argcheck(L, lua_isnoneornil(L, 3), 3, "a Vector takes no argument after ddof");
    lua_settop(L, 1);
  }
  return reduce(L, what, ddof);
}

/* Variance: sum (x - mean)^2 / (n - ddof), with ddof = 1 by default */
static int var(lua_State *L)
{
  return reduce_variance(L, MN_VARIANCE);
}

/* Standard deviation: the square root of var */
static int std(lua_State *L)
{
  return reduce_variance(L, MN_STD);
}

/* X:dot(Y): the sum of the products of corresponding values of two arrays of equal shape */
static int dot(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  mn_matrix x;
  const bool is_vector = check_data(L, ctx, &x);
  mn_matrix y;
  if (is_vector) {
    const mn_vector v = mn_lua_check_vector(L, ctx, 2);
    y = (mn_matrix){ .at = v.at, .rows = 1, .cols = v.size };
  } else {
    y = mn_lua_check_matrix(L, ctx, 2);
  }
  if (x.rows != y.rows || x.cols != y.cols)
    return luaL_error(L, "dot: both must have the same shape, got %I x %I and %I x %I", (lua_Integer)x.rows,
                      (lua_Integer)x.cols, (lua_Integer)y.rows, (lua_Integer)y.cols);
  double value;
  if (mn_dot(ctx, x.rows * x.cols, x.at, y.at, &value) != MN_OK) return mn_lua_raise(L, ctx);
  lua_pushnumber(L, value);
  return mn_lua_finish(L, ctx, 1);
}

/* X:norm([p]): the p-norm of the values, p = 1, 2 or math.huge; the default 2 is the Frobenius norm of a Matrix */
static int norm(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  const double p = luaL_optnumber(L, 2, 2);
  mn_matrix x;
  double value = 0;
  check_data(L, ctx, &x);
  const size_t n = x.rows * x.cols;
  luaL_argcheck(L, p == 1 || p == 2 || p == (double)INFINITY, 2, "p must be 1, 2 or math.huge");
  if (p == 2) {
    if (mn_norm2(ctx, n, x.at, &value) != MN_OK) return mn_lua_raise(L, ctx);
  } else {
    for (size_t i = 0; i < n; i++) {
      const double size = fabs(x.at[i]);
      value = p == 1 ? value + size : size > value || isnan(size) ? size : value;
    }
  }
  lua_pushnumber(L, value);
  return mn_lua_finish(L, ctx, 1);
}

/* X:any(), X:all(): whether some value is, or all values are, neither 0 nor NaN */
static int any(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  mn_matrix x;
  bool found = false;
  check_data(L, ctx, &x);
  for (size_t i = 0; !found && i < x.rows * x.cols; i++) found = x.at[i] > 0 || x.at[i] < 0;
  lua_pushboolean(L, found);
  return mn_lua_finish(L, ctx, 1);
}

static int all(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  mn_matrix x;
  bool found = true;
  check_data(L, ctx, &x);
  for (size_t i = 0; found && i < x.rows * x.cols; i++) found = x.at[i] > 0 || x.at[i] < 0;
  lua_pushboolean(L, found);
  return mn_lua_finish(L, ctx, 1);
}

/* --- positions of the extremes --- */

/* Position of the first NaN, else of the smallest (sign 1) or largest (sign -1) of n values; ties are broken by the
 * lowest index. */
static size_t find_extreme(size_t n, const double *x, size_t step, double sign)
{
  size_t best = 0;
  for (size_t i = 0; i < n; i++) {
    if (isnan(x[i * step])) return i;
    if (sign * x[i * step] < sign * x[best * step]) best = i;
  }
  return best;
}

static int arg_extreme(lua_State *L, double sign)
{
  mn_context *ctx = mn_lua_begin(L);
  mn_matrix x;
  const bool is_vector = check_data(L, ctx, &x);
  const mn_axis axis = check_axis(L, 2, is_vector);
  if (x.rows * x.cols == 0)
    return luaL_error(L, "%s: argmin and argmax need at least one value", mn_lua_type_name(L, 1));
  if (axis == MN_WHOLE) {
    const size_t position = find_extreme(x.rows * x.cols, x.at, 1, sign);
    if (!is_vector) lua_pushinteger(L, (lua_Integer)(position / x.cols) + 1);
    lua_pushinteger(L, (lua_Integer)(position % x.cols) + 1);
    return mn_lua_finish(L, ctx, is_vector ? 1 : 2);
  }
  const bool by_row = axis == MN_EACH_ROW;
  mn_lua_vector *out = mn_lua_push_raw_vector(L, by_row ? x.rows : x.cols);
  for (size_t i = 0; i < out->size; i++)
    out->at[i] =
        (double)(by_row ? find_extreme(x.cols, mn_row(&x, i), 1, sign) : find_extreme(x.rows, x.at + i, x.cols, sign)) +
        1;
  out->whole = true;
  return mn_lua_finish(L, ctx, 1);
}

/* X:argmin([axis]): the position of the smallest value, i for a Vector, i, j for a Matrix; NaN counts as smallest */
static int argmin(lua_State *L)
{
  return arg_extreme(L, 1);
}

static int argmax(lua_State *L)
{
  return arg_extreme(L, -1);
}

/* --- quantiles --- */

/* The quantiles of n values without NaN at level[0..count-1], which may be in any order. */
static mn_status quantiles_of(mn_context *ctx, size_t n, const double *x, size_t count, const double *level,
                              double *out)
{
  size_t *order = MN_RAW(ctx, size_t, count, 1);
  double *ascending = MN_RAW(ctx, double, count, 1), *found = MN_RAW(ctx, double, count, 1);
  MN_CHECK_ALLOC(order);
  MN_CHECK_ALLOC(ascending);
  MN_CHECK_ALLOC(found);
  MN_TRY(mn_argsort(ctx, count, level, 1, order));
  for (size_t k = 0; k < count; k++) ascending[k] = level[order[k]];
  MN_TRY(mn_quantiles(ctx, n, x, NULL, count, ascending, found));
  for (size_t k = 0; k < count; k++) out[order[k]] = found[k];
  return MN_OK;
}

/* The same for strided values; NaN when one is NaN or n is 0. */
static mn_status quantiles(mn_context *ctx, size_t n, const double *x, size_t step, size_t count, const double *level,
                           double *out)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  double *value = MN_RAW(ctx, double, n, 1);
  MN_CHECK_ALLOC(value);
  bool defined = n > 0;
  for (size_t i = 0; i < n; i++) {
    value[i] = x[i * step];
    defined &= !isnan(value[i]);
  }
  for (size_t k = 0; k < count; k++) out[k] = NAN;
  const mn_status status = defined ? quantiles_of(ctx, n, value, count, level, out) : MN_OK;
  mn_scratch_release(ctx, mark);
  return status;
}

static int axis_quantiles(lua_State *L, mn_context *ctx, const mn_matrix *x, mn_axis axis, double q)
{
  const bool by_row = axis == MN_EACH_ROW;
  const mn_lua_vector *out = mn_lua_push_raw_vector(L, by_row ? x->rows : x->cols);
  for (size_t i = 0; i < out->size; i++) {
    const double *first = by_row ? mn_row(x, i) : x->at + i;
    if (quantiles(ctx, by_row ? x->cols : x->rows, first, by_row ? 1 : x->cols, 1, &q, &out->at[i]) != MN_OK)
      return mn_lua_raise(L, ctx);
  }
  return mn_lua_finish(L, ctx, 1);
}

static int one_quantile(lua_State *L, mn_context *ctx, const mn_matrix *x, double q)
{
  double value;
  if (quantiles(ctx, x->rows * x->cols, x->at, 1, 1, &q, &value) != MN_OK) return mn_lua_raise(L, ctx);
  lua_pushnumber(L, value);
  return mn_lua_finish(L, ctx, 1);
}

/* X:quantile(q [, axis]): with linear interpolation; q is a number from 0 to 1 or, without an axis, a Vector of them */
static int quantile(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  mn_matrix x;
  lua_settop(L, 3);
  const bool is_vector = check_data(L, ctx, &x);
  const mn_axis axis = check_axis(L, 3, is_vector);
  const bool several = lua_type(L, 2) != LUA_TNUMBER;
  double single = 0;
  mn_vector q = { .at = &single, .size = 1 };
  if (several)
    q = mn_lua_check_vector(L, ctx, 2);
  else
    single = lua_tonumber(L, 2);
  for (size_t k = 0; k < q.size; k++)
    luaL_argcheck(L, q.at[k] >= 0 && q.at[k] <= 1, 2, "a quantile must be a number from 0 to 1");
  if (axis != MN_WHOLE) {
    luaL_argcheck(L, !several, 2, "q must be a single number when there is an axis");
    return axis_quantiles(L, ctx, &x, axis, single);
  }
  if (!several) return one_quantile(L, ctx, &x, single);
  const mn_lua_vector *out = mn_lua_push_raw_vector(L, q.size);
  if (quantiles(ctx, x.rows * x.cols, x.at, 1, q.size, q.at, out->at) != MN_OK) return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 1);
}

/* X:median([axis]) */
static int median(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  mn_matrix x;
  const bool is_vector = check_data(L, ctx, &x);
  const mn_axis axis = check_axis(L, 2, is_vector);
  return axis == MN_WHOLE ? one_quantile(L, ctx, &x, 0.5) : axis_quantiles(L, ctx, &x, axis, 0.5);
}

/* --- Matrix only --- */

/* X:trace(): the sum of the main diagonal */
static int trace(lua_State *L)
{
  const mn_lua_matrix *m = mn_lua_checkudata_matrix(L, 1);
  double value = 0;
  if (m->rows != m->cols)
    return luaL_error(L, "trace: the matrix must be square, got %I x %I", (lua_Integer)m->rows, (lua_Integer)m->cols);
  for (size_t i = 0; i < m->rows; i++) value += m->at[i * (m->row_step + m->col_step)];
  lua_pushnumber(L, value);
  return 1;
}

/* X:cumsum(axis): cumulative sums along each row ("rows") or column ("cols") */
static int matrix_cumsum(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  mn_matrix x;
  check_data(L, ctx, &x);
  const mn_axis axis = check_axis(L, 2, false);
  luaL_argcheck(L, axis != MN_WHOLE, 2, "axis must be \"rows\" or \"cols\"");
  double *out = mn_lua_push_raw_matrix(L, x.rows, x.cols)->at;
  const size_t step = axis == MN_EACH_ROW ? 1 : x.cols;
  for (size_t i = 0; i < x.rows; i++)
    for (size_t j = 0; j < x.cols; j++) {
      const size_t here = i * x.cols + j;
      const bool first = axis == MN_EACH_ROW ? j == 0 : i == 0;
      out[here] = first ? x.at[here] : out[here - step] + x.at[here];
    }
  return mn_lua_finish(L, ctx, 1);
}

/* --- Vector only --- */

static int vector_cumsum(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  mn_lua_checkudata_vector(L, 1);
  const mn_vector v = mn_lua_check_vector(L, ctx, 1);
  mn_lua_vector *out = mn_lua_push_raw_vector(L, v.size);
  double sum = 0;
  for (size_t i = 0; i < v.size; i++) out->at[i] = sum += v.at[i];
  out->whole = is_whole(L);
  return mn_lua_finish(L, ctx, 1);
}

static bool check_direction(lua_State *L)
{
  if (lua_isnoneornil(L, 2)) return false;
  const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
  if (strcmp(name, "ascending") == 0) return false;
  if (strcmp(name, "descending") == 0) return true;
  luaL_argerror(L, 2, "order must be \"ascending\" or \"descending\"");
  return false;
}

static int sort_vector(lua_State *L, bool positions)
{
  mn_context *ctx = mn_lua_begin(L);
  const mn_lua_vector *v = mn_lua_checkudata_vector(L, 1);
  const bool descending = check_direction(L);
  const size_t n = v->size;
  mn_lua_vector *out = mn_lua_push_raw_vector(L, n);
  size_t *order = MN_RAW(ctx, size_t, n, 1);
  if (!order) return mn_lua_raise(L, ctx);
  if ((descending ? mn_argsort_descending : mn_argsort)(ctx, n, v->at, v->step, order) != MN_OK)
    return mn_lua_raise(L, ctx);
  for (size_t i = 0; i < n; i++) out->at[i] = positions ? (double)order[i] + 1 : v->at[order[i] * v->step];
  out->whole = positions || v->whole;
  return mn_lua_finish(L, ctx, 1);
}

/* v:sort([order]) -> Vector, a copy in "ascending" (default) or "descending" order; NaN last */
static int sort(lua_State *L)
{
  return sort_vector(L, false);
}

/* v:argsort([order]) -> Vector of positions such that v:take(v:argsort()) is v:sort(); stable */
static int argsort(lua_State *L)
{
  return sort_vector(L, true);
}

/* The distinct values in ascending order into `value` and their frequencies into `frequency`; NaN is one value. */
static size_t find_unique(const double *x, size_t step, size_t n, const size_t *order, double *value, double *frequency)
{
  size_t count = 0;
  for (size_t i = 0; i < n; i++) {
    const double v = x[order[i] * step];
    const bool repeated = count > 0 && (v == value[count - 1] || (isnan(v) && isnan(value[count - 1])));
    if (!repeated) {
      value[count] = v;
      frequency[count++] = 0;
    }
    frequency[count - 1]++;
  }
  return count;
}

/* v:unique() -> Vector of the distinct values in ascending order, Vector of their frequencies */
static int unique(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  const mn_lua_vector *v = mn_lua_checkudata_vector(L, 1);
  const size_t n = v->size;
  mn_lua_vector *value = mn_lua_push_raw_vector(L, n), *frequency = mn_lua_push_raw_vector(L, n);
  size_t *order = MN_RAW(ctx, size_t, n, 1);
  if (!order || mn_argsort(ctx, n, v->at, v->step, order) != MN_OK) return mn_lua_raise(L, ctx);
  value->size = frequency->size = find_unique(v->at, v->step, n, order, value->at, frequency->at);
  value->whole = v->whole;
  frequency->whole = true;
  return mn_lua_finish(L, ctx, 2);
}

/* v:nonzero() -> Vector of the positions where v is neither 0 nor NaN, for take */
static int nonzero(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  const mn_lua_vector *v = mn_lua_checkudata_vector(L, 1);
  size_t count = 0;
  for (size_t i = 0; i < v->size; i++) count += v->at[i * v->step] > 0 || v->at[i * v->step] < 0;
  mn_lua_vector *out = mn_lua_push_raw_vector(L, count);
  count = 0;
  for (size_t i = 0; i < v->size && count < out->size; i++)
    if (v->at[i * v->step] > 0 || v->at[i * v->step] < 0) out->at[count++] = (double)i + 1;
  out->size = count;
  out->whole = true;
  return mn_lua_finish(L, ctx, 1);
}

const luaL_Reg mn_lua_statistics[] = {
  { "sum", sum },       { "mean", mean },     { "min", min },           { "max", max },       { "var", var },
  { "std", std },       { "dot", dot },       { "norm", norm },         { "any", any },       { "all", all },
  { "argmin", argmin }, { "argmax", argmax }, { "quantile", quantile }, { "median", median }, { NULL, NULL },
};

const luaL_Reg mn_lua_matrix_statistics[] = { { "trace", trace }, { "cumsum", matrix_cumsum }, { NULL, NULL } };

const luaL_Reg mn_lua_vector_statistics[] = {
  { "cumsum", vector_cumsum }, { "sort", sort },       { "argsort", argsort },
  { "unique", unique },        { "nonzero", nonzero }, { NULL, NULL },
};
