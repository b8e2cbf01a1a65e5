#include "../../core/rng.h"
#include "../values/userdata.h"
#include "rng.h"
#include <math.h>

#define RNG "manilius.Rng"

/* rng(seed [, stream]) -> Rng: its numbers depend on the two integers only */
static int rng_new(lua_State *L)
{
  static const uint64_t lua_streams = 0x6c75610000000000; /* "lua"; distinct from the streams of the estimators */
  const int64_t seed = mn_lua_opt_seed(L, 1), stream = mn_lua_opt_seed(L, 2);
  mn_rng *rng = lua_newuserdatauv(L, sizeof *rng, 0);
  *rng = mn_stream(seed, lua_streams + (uint64_t)stream);
  luaL_setmetatable(L, RNG);
  return 1;
}

/* uniform([a, b]) -> number in [a, b), by default [0, 1) */
static int rng_uniform(lua_State *L)
{
  mn_rng *rng = luaL_checkudata(L, 1, RNG);
  const double a = luaL_optnumber(L, 2, 0), b = luaL_optnumber(L, 3, 1);
  lua_pushnumber(L, a + (b - a) * mn_random_uniform(rng));
  return 1;
}

/* normal([mean, sd]) -> number */
static int rng_normal(lua_State *L)
{
  mn_rng *rng = luaL_checkudata(L, 1, RNG);
  const double mean = luaL_optnumber(L, 2, 0), sd = luaL_optnumber(L, 3, 1);
  lua_pushnumber(L, mean + sd * mn_random_normal(rng));
  return 1;
}

static double check_positive(lua_State *L, int position)
{
  const double value = luaL_checknumber(L, position);
  luaL_argcheck(L, value > 0, position, "must be > 0");
  return value;
}

/* gamma(shape) -> number of the gamma distribution with scale 1 */
static int rng_gamma(lua_State *L)
{
  mn_rng *rng = luaL_checkudata(L, 1, RNG);
  const double shape = check_positive(L, 2);
  luaL_argcheck(L, shape < HUGE_VAL, 2, "must be finite");
  lua_pushnumber(L, mn_random_gamma(rng, shape));
  return 1;
}

/* inverse_gaussian(mean, shape) -> number */
static int rng_inverse_gaussian(lua_State *L)
{
  mn_rng *rng = luaL_checkudata(L, 1, RNG);
  const double mean = check_positive(L, 2), shape = check_positive(L, 3);
  lua_pushnumber(L, mn_random_inverse_gaussian(rng, mean, shape));
  return 1;
}

/* integer(a, b) -> integer from a to b inclusive */
static int rng_integer(lua_State *L)
{
  mn_rng *rng = luaL_checkudata(L, 1, RNG);
  const lua_Integer a = luaL_checkinteger(L, 2), b = luaL_checkinteger(L, 3);
  const lua_Unsigned n = (lua_Unsigned)b - (lua_Unsigned)a + 1;
  luaL_argcheck(L, a <= b && n > 0, 3, "must not be less than the lower bound");
  lua_pushinteger(L, (lua_Integer)((lua_Unsigned)a + (lua_Unsigned)mn_random_below(rng, (size_t)n)));
  return 1;
}

/* permutation(n) -> Vector: 1..n in random order */
static int rng_permutation(lua_State *L)
{
  mn_lua_begin(L);
  mn_rng *rng = luaL_checkudata(L, 1, RNG);
  const size_t n = mn_lua_check_size(L, 2);
  mn_lua_vector *v = mn_lua_push_raw_vector(L, n);
  for (size_t i = 0; i < n; i++) v->at[i] = (double)(i + 1);
  for (size_t i = n; i > 1; i--) {
    const size_t j = mn_random_below(rng, i);
    const double last = v->at[i - 1];
    v->at[i - 1] = v->at[j];
    v->at[j] = last;
  }
  v->whole = true;
  return 1;
}

void mn_lua_open_rng(lua_State *L)
{
  static const luaL_Reg methods[] = { { "uniform", rng_uniform },
                                      { "normal", rng_normal },
                                      { "gamma", rng_gamma },
                                      { "inverse_gaussian", rng_inverse_gaussian },
                                      { "integer", rng_integer },
                                      { "permutation", rng_permutation },
                                      { NULL, NULL } };
  mn_lua_define_private_class(L, RNG, methods, NULL);
  lua_pushcfunction(L, rng_new);
  lua_setfield(L, -2, "rng");
}
