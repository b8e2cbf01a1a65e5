#include "tests.h"
#include "../../stats/tests.h"
#include <math.h>
#include <string.h>

/* The options in the table at `arg`: mu, alternative (0, 1, 2), level, pooled, corrected, exact. */
static mn_test_options read_options(lua_State *L, int arg)
{
  mn_test_options o = { .level = 0.95, .exact = -1, .corrected = true };
  luaL_checktype(L, arg, LUA_TTABLE);
  if (lua_getfield(L, arg, "mu") != LUA_TNIL) o.mu = luaL_checknumber(L, -1);
  if (lua_getfield(L, arg, "alternative") != LUA_TNIL) o.alternative = (mn_alternative)luaL_checkinteger(L, -1);
  if (lua_getfield(L, arg, "level") != LUA_TNIL) o.level = luaL_checknumber(L, -1);
  lua_getfield(L, arg, "pooled");
  o.pooled = lua_toboolean(L, -1);
  if (lua_getfield(L, arg, "corrected") != LUA_TNIL) o.corrected = lua_toboolean(L, -1);
  if (lua_getfield(L, arg, "exact") != LUA_TNIL) o.exact = lua_toboolean(L, -1);
  lua_pop(L, 6);
  luaL_argcheck(L, (int)o.alternative >= MN_TWO_SIDED && (int)o.alternative <= MN_GREATER, arg,
                "has an invalid alternative");
  return o;
}

static void set_field(lua_State *L, const char *name, double value)
{
  if (isnan(value)) return;
  lua_pushnumber(L, value);
  lua_setfield(L, -2, name);
}

static int push_test(lua_State *L, mn_context *ctx, mn_status status, const mn_test *test)
{
  if (status != MN_OK) return mn_lua_raise(L, ctx);
  lua_createtable(L, 0, 8);
  set_field(L, "statistic", test->statistic);
  set_field(L, "p", test->p);
  set_field(L, "df", test->df);
  set_field(L, "estimate", test->estimate);
  set_field(L, "low", test->low);
  set_field(L, "high", test->high);
  lua_pushboolean(L, test->exact);
  lua_setfield(L, -2, "exact");
  return mn_lua_finish(L, ctx, 1);
}

/* A sample of at least `min` values. */
static mn_vector check_sample(lua_State *L, mn_context *ctx, int arg, size_t min)
{
  const mn_vector v = mn_lua_check_vector(L, ctx, arg);
  if (v.size < min) luaL_argerror(L, arg, "has too few values");
  return v;
}

/* t(x, options), t_two(x, y, options) */
static int t_one(lua_State *L)
{
  lua_settop(L, 2);
  mn_context *ctx = mn_lua_begin(L);
  const mn_vector x = check_sample(L, ctx, 1, 2);
  const mn_test_options options = read_options(L, 2);
  const mn_test test = mn_t_test(x.size, x.at, &options);
  return push_test(L, ctx, MN_OK, &test);
}

static int t_two(lua_State *L)
{
  lua_settop(L, 3);
  mn_context *ctx = mn_lua_begin(L);
  const mn_vector x = check_sample(L, ctx, 1, 2), y = check_sample(L, ctx, 2, 2);
  const mn_test_options options = read_options(L, 3);
  const mn_test test = mn_t_test_two(x.size, x.at, y.size, y.at, &options);
  return push_test(L, ctx, MN_OK, &test);
}

/* pearson(x, y, options), spearman, kendall: paired values */
static int paired(lua_State *L, mn_status (*function)(mn_context *, size_t, const double *, const double *,
                                                      const mn_test_options *, mn_test *))
{
  lua_settop(L, 3);
  mn_context *ctx = mn_lua_begin(L);
  const mn_vector x = check_sample(L, ctx, 1, 3), y = check_sample(L, ctx, 2, 3);
  luaL_argcheck(L, x.size == y.size, 2, "must have as many values as the first");
  const mn_test_options options = read_options(L, 3);
  mn_test test;
  const mn_status status = function(ctx, x.size, x.at, y.at, &options, &test);
  return push_test(L, ctx, status, &test);
}

static int pearson(lua_State *L)
{
  return paired(L, mn_pearson_test);
}

static int spearman(lua_State *L)
{
  return paired(L, mn_spearman_test);
}

static int kendall(lua_State *L)
{
  return paired(L, mn_kendall_test);
}

/* signed_rank(x, options) */
static int signed_rank(lua_State *L)
{
  lua_settop(L, 2);
  mn_context *ctx = mn_lua_begin(L);
  const mn_vector x = check_sample(L, ctx, 1, 1);
  const mn_test_options options = read_options(L, 2);
  mn_test test;
  const mn_status status = mn_signed_rank_test(ctx, x.size, x.at, &options, &test);
  return push_test(L, ctx, status, &test);
}

/* rank_sum(x, y, options), ks_two: two samples */
static int two_samples(lua_State *L, mn_status (*function)(mn_context *, size_t, const double *, size_t, const double *,
                                                           const mn_test_options *, mn_test *))
{
  lua_settop(L, 3);
  mn_context *ctx = mn_lua_begin(L);
  const mn_vector x = check_sample(L, ctx, 1, 1), y = check_sample(L, ctx, 2, 1);
  const mn_test_options options = read_options(L, 3);
  mn_test test;
  const mn_status status = function(ctx, x.size, x.at, y.size, y.at, &options, &test);
  return push_test(L, ctx, status, &test);
}

static int rank_sum(lua_State *L)
{
  return two_samples(L, mn_rank_sum_test);
}

static int ks_two(lua_State *L)
{
  return two_samples(L, mn_ks_test_two);
}

/* ks(u, options): u are the sorted values of the hypothetical distribution function */
static int ks_one(lua_State *L)
{
  lua_settop(L, 2);
  mn_context *ctx = mn_lua_begin(L);
  const mn_vector u = check_sample(L, ctx, 1, 1);
  const mn_test_options options = read_options(L, 2);
  mn_test test;
  const mn_status status = mn_ks_test(ctx, u.size, u.at, options.alternative, &test);
  return push_test(L, ctx, status, &test);
}

/* kruskal(values, groups): a Factor without missing values or unused levels */
static int kruskal(lua_State *L)
{
  lua_settop(L, 2);
  mn_context *ctx = mn_lua_begin(L);
  const mn_vector x = check_sample(L, ctx, 1, 2);
  const mn_factor *group = mn_lua_check_factor(L, ctx, 2);
  luaL_argcheck(L, group->size == x.size, 2, "must have as many values as the first");
  const size_t groups = mn_levels_size(group->levels);
  for (size_t i = 0; i < x.size; i++) luaL_argcheck(L, group->code[i] >= 0, 2, "must not have missing values");
  mn_test test;
  const mn_status status = mn_kruskal_test(ctx, x.size, x.at, groups, group->code, &test);
  return push_test(L, ctx, status, &test);
}

/* chi2(counts, options) -> test, expected counts */
static int chi2_table(lua_State *L)
{
  lua_settop(L, 2);
  mn_context *ctx = mn_lua_begin(L);
  const mn_matrix counts = mn_lua_check_matrix(L, ctx, 1);
  luaL_argcheck(L, counts.rows >= 2 && counts.cols >= 2, 1, "must have at least 2 rows and 2 columns");
  const mn_test_options options = read_options(L, 2);
  double *expected = mn_lua_push_matrix(L, counts.rows, counts.cols)->at;
  const mn_test test = mn_chi2_table_test(counts.rows, counts.cols, counts.at, options.corrected, expected);
  push_test(L, ctx, MN_OK, &test);
  lua_insert(L, -2);
  return 2;
}

/* chi2_fit(counts, probabilities) */
static int chi2_fit(lua_State *L)
{
  lua_settop(L, 2);
  mn_context *ctx = mn_lua_begin(L);
  const mn_vector counts = check_sample(L, ctx, 1, 2), p = check_sample(L, ctx, 2, 2);
  luaL_argcheck(L, counts.size == p.size, 2, "must have as many values as the first");
  const mn_test test = mn_chi2_fit_test(counts.size, counts.at, p.at);
  return push_test(L, ctx, MN_OK, &test);
}

/* fisher(counts, options) */
static int fisher(lua_State *L)
{
  lua_settop(L, 2);
  mn_context *ctx = mn_lua_begin(L);
  const mn_matrix counts = mn_lua_check_matrix(L, ctx, 1);
  luaL_argcheck(L, counts.rows == 2 && counts.cols == 2, 1, "must be 2 x 2");
  for (size_t k = 0; k < 4; k++)
    luaL_argcheck(L, counts.at[k] >= 0 && counts.at[k] <= 1e7, 1, "must hold counts up to 1e7");
  const mn_test_options options = read_options(L, 2);
  mn_test test;
  const mn_status status = mn_fisher_test(ctx, counts.at, &options, &test);
  return push_test(L, ctx, status, &test);
}

/* shapiro(x): x is sorted */
static int shapiro(lua_State *L)
{
  lua_settop(L, 1);
  mn_context *ctx = mn_lua_begin(L);
  const mn_vector x = check_sample(L, ctx, 1, 3);
  mn_test test;
  const mn_status status = mn_shapiro_test(ctx, x.size, x.at, &test);
  return push_test(L, ctx, status, &test);
}

void mn_lua_open_tests(lua_State *L)
{
  static const luaL_Reg functions[] = {
    { "t", t_one },           { "t_two", t_two },     { "pearson", pearson },
    { "spearman", spearman }, { "kendall", kendall }, { "signed_rank", signed_rank },
    { "rank_sum", rank_sum }, { "kruskal", kruskal }, { "chi2", chi2_table },
    { "chi2_fit", chi2_fit }, { "fisher", fisher },   { "shapiro", shapiro },
    { "ks", ks_one },         { "ks_two", ks_two },   { NULL, NULL },
  };
  luaL_newlib(L, functions);
  lua_setfield(L, -2, "tests");
}
