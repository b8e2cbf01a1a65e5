#include "filters.h"
#include "../../state_space/gaussian_moments.h"
#include "../../state_space/particles.h"
#include <math.h>
#include <string.h>

static mn_matrix check_shape(lua_State *L, mn_context *ctx, int arg, size_t rows, size_t cols, const char *what)
{
  const mn_matrix m = mn_lua_check_matrix(L, ctx, arg);
  if (m.rows != rows || m.cols != cols)
    luaL_error(L, "%s must be a matrix of %d x %d, got %d x %d", what, (int)rows, (int)cols, (int)m.rows, (int)m.cols);
  return m;
}

static mn_vector check_size(lua_State *L, mn_context *ctx, int arg, size_t size, const char *what)
{
  const mn_vector v = mn_lua_check_vector(L, ctx, arg);
  if (v.size != size) luaL_error(L, "%s must have %d values, got %d", what, (int)size, (int)v.size);
  return v;
}

/* The numbers alpha, beta, kappa from `arg` on, for d states. */
static mn_unscented check_unscented(lua_State *L, int arg, size_t d)
{
  const mn_unscented u = { .alpha = luaL_checknumber(L, arg),
                           .beta = luaL_checknumber(L, arg + 1),
                           .kappa = luaL_checknumber(L, arg + 2) };
  const double spread = u.alpha * u.alpha * ((double)d + u.kappa);
  if (!(spread > 0 && spread < HUGE_VAL)) luaL_error(L, "alpha^2 (states + kappa) must be > 0");
  return u;
}

/* sigma_points(mean, cov, alpha, beta, kappa) -> Matrix, 2 d + 1 x d */
static int sigma_points(lua_State *L)
{
  lua_settop(L, 5);
  mn_context *ctx = mn_lua_begin(L);
  const mn_vector mean = mn_lua_check_vector(L, ctx, 1);
  const size_t d = mean.size;
  const mn_matrix cov = check_shape(L, ctx, 2, d, d, "the covariance");
  const mn_unscented u = check_unscented(L, 3, d);
  double *points = mn_lua_push_matrix(L, 2 * d + 1, d)->at;
  if (mn_sigma_points(ctx, &u, d, mean.at, cov.at, points) != MN_OK) return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 1);
}

/* sigma_moments(points, values, noise, alpha, beta, kappa) -> mean, cov, cross */
static int sigma_moments(lua_State *L)
{
  lua_settop(L, 6);
  mn_context *ctx = mn_lua_begin(L);
  const mn_matrix points = mn_lua_check_matrix(L, ctx, 1), values = mn_lua_check_matrix(L, ctx, 2);
  const size_t d = points.cols, p = values.cols;
  if (points.rows != 2 * d + 1 || values.rows != points.rows)
    return luaL_error(L, "points and values must have 2 states + 1 rows, got %d and %d", (int)points.rows,
                      (int)values.rows);
  const mn_matrix noise = check_shape(L, ctx, 3, p, p, "the covariance of the noise");
  const mn_unscented u = check_unscented(L, 4, d);
  double *mean = mn_lua_push_vector(L, p)->at, *cov = mn_lua_push_matrix(L, p, p)->at;
  double *cross = mn_lua_push_matrix(L, d, p)->at;
  mn_sigma_moments(&u, d, p, points.at, values.at, noise.at, mean, cov, cross);
  return mn_lua_finish(L, ctx, 3);
}

/* linear_moments(F, cov, noise) -> F cov F' + noise, cov F' */
static int linear_moments(lua_State *L)
{
  lua_settop(L, 3);
  mn_context *ctx = mn_lua_begin(L);
  const mn_matrix f = mn_lua_check_matrix(L, ctx, 1);
  const size_t d = f.cols, p = f.rows;
  const mn_matrix cov = check_shape(L, ctx, 2, d, d, "the covariance");
  const mn_matrix noise = check_shape(L, ctx, 3, p, p, "the covariance of the noise");
  double *out = mn_lua_push_matrix(L, p, p)->at, *cross = mn_lua_push_matrix(L, d, p)->at;
  double *work = MN_RAW(ctx, double, p, d);
  if (!work) return mn_lua_raise(L, ctx);
  mn_linear_moments(d, p, f.at, cov.at, noise.at, work, out, cross);
  return mn_lua_finish(L, ctx, 2);
}

/* gaussian_update(predicted, predicted_cov, cross, y, mean, cov) -> mean, cov, log likelihood */
static int gaussian_update(lua_State *L)
{
  lua_settop(L, 6);
  mn_context *ctx = mn_lua_begin(L);
  const mn_vector predicted = mn_lua_check_vector(L, ctx, 1), mean = mn_lua_check_vector(L, ctx, 5);
  const size_t p = predicted.size, d = mean.size;
  const mn_matrix s = check_shape(L, ctx, 2, p, p, "the covariance of the prediction");
  const mn_matrix cross = check_shape(L, ctx, 3, d, p, "the covariance of state and prediction");
  const mn_vector y = check_size(L, ctx, 4, p, "the observation");
  const mn_matrix cov = check_shape(L, ctx, 6, d, d, "the covariance");
  double *m = mn_lua_push_vector(L, d)->at, *c = mn_lua_push_matrix(L, d, d)->at, loglike;
  if (d > 0) memcpy(m, mean.at, d * sizeof *m);
  if (d > 0) memcpy(c, cov.at, d * d * sizeof *c);
  if (mn_gaussian_update(ctx, d, p, predicted.at, s.at, cross.at, y.at, m, c, &loglike) != MN_OK)
    return mn_lua_raise(L, ctx);
  lua_pushnumber(L, loglike);
  return mn_lua_finish(L, ctx, 3);
}

/* gaussian_smooth(predicted, predicted_cov, cross, next_mean, next_cov, mean, cov) -> mean, cov */
static int gaussian_smooth(lua_State *L)
{
  lua_settop(L, 7);
  mn_context *ctx = mn_lua_begin(L);
  const mn_vector predicted = mn_lua_check_vector(L, ctx, 1);
  const size_t d = predicted.size;
  const mn_matrix s = check_shape(L, ctx, 2, d, d, "the covariance of the prediction");
  const mn_matrix cross = check_shape(L, ctx, 3, d, d, "the covariance of state and prediction");
  const mn_vector next_mean = check_size(L, ctx, 4, d, "the next mean");
  const mn_matrix next_cov = check_shape(L, ctx, 5, d, d, "the next covariance");
  const mn_vector mean = check_size(L, ctx, 6, d, "the mean");
  const mn_matrix cov = check_shape(L, ctx, 7, d, d, "the covariance");
  double *m = mn_lua_push_vector(L, d)->at, *c = mn_lua_push_matrix(L, d, d)->at;
  if (d > 0) memcpy(m, mean.at, d * sizeof *m);
  if (d > 0) memcpy(c, cov.at, d * d * sizeof *c);
  if (mn_gaussian_smooth(ctx, d, predicted.at, s.at, cross.at, next_mean.at, next_cov.at, m, c) != MN_OK)
    return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 2);
}

/* weigh_particles(particles, log_weights) -> weights, mean, cov, log of the sum of the weights, effective number */
static int weigh_particles(lua_State *L)
{
  lua_settop(L, 2);
  mn_context *ctx = mn_lua_begin(L);
  const mn_matrix particles = mn_lua_check_matrix(L, ctx, 1);
  const size_t n = particles.rows, d = particles.cols;
  const mn_vector log_weight = check_size(L, ctx, 2, n, "the log weights");
  for (size_t i = 0; i < n; i++)
    if (!(log_weight.at[i] < INFINITY))
      return luaL_error(L, "log weights must be below infinity, got %f for particle %d", log_weight.at[i], (int)i + 1);
  double *weight = mn_lua_push_vector(L, n)->at, *mean = mn_lua_push_vector(L, d)->at;
  double *cov = mn_lua_push_matrix(L, d, d)->at;
  mn_particle_report report = { .log_sum = -INFINITY };
  if (n > 0) mn_particle_weights(n, log_weight.at, weight, &report);
  if (d > 0) mn_particle_moments(n, d, particles.at, weight, mean, cov);
  lua_pushnumber(L, report.log_sum);
  lua_pushnumber(L, report.ess);
  return mn_lua_finish(L, ctx, 5);
}

/* systematic_draw(weights, u) -> Vector of particle numbers */
static int systematic_draw(lua_State *L)
{
  lua_settop(L, 2);
  mn_context *ctx = mn_lua_begin(L);
  const mn_vector weight = mn_lua_check_vector(L, ctx, 1);
  const double u = luaL_checknumber(L, 2);
  luaL_argcheck(L, u >= 0 && u < 1, 2, "must be from 0 to 1");
  mn_lua_vector *out = mn_lua_push_vector(L, weight.size);
  out->whole = true;
  size_t *index = MN_RAW(ctx, size_t, weight.size, 1);
  if (!index) return mn_lua_raise(L, ctx);
  if (weight.size > 0) mn_particle_draw(weight.size, weight.at, u, index);
  for (size_t i = 0; i < weight.size; i++) out->at[i] = (double)index[i] + 1;
  return mn_lua_finish(L, ctx, 1);
}

void mn_lua_open_filters(lua_State *L)
{
  static const luaL_Reg functions[] = { { "sigma_points", sigma_points },       { "sigma_moments", sigma_moments },
                                        { "linear_moments", linear_moments },   { "gaussian_update", gaussian_update },
                                        { "gaussian_smooth", gaussian_smooth }, { "weigh_particles", weigh_particles },
                                        { "systematic_draw", systematic_draw }, { NULL, NULL } };
  luaL_setfuncs(L, functions, 0);
}
