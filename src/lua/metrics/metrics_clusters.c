/* Metrics of clusterings and embeddings. */
#include "../values/userdata.h"
#include "metrics.h"
#include "../../metrics/clusters.h"
#include "../../metrics/embedding.h"
#include "../../metrics/partition.h"

static size_t count_levels(const mn_factor *f)
{
  return f->levels ? mn_levels_size(f->levels) : 0;
}

static void check_complete(lua_State *L, const mn_factor *f)
{
  for (size_t i = 0; i < f->size; i++)
    if (f->code[i] < 0) luaL_error(L, "labels must not be missing, got nil in row %I", (lua_Integer)i + 1);
}

/* agreement(a, b, weights | nil, expected) -> { total =, a_parts =, ... } of two Factors without missing; with
 * `expected` its field expected, else not */
static int agreement(lua_State *L)
{
  mn_agreement g;
  double expected = 0;
  mn_context *ctx = mn_lua_begin_metric(L, 4);
  const mn_factor *a = mn_lua_checkudata_factor(L, 1), *b = mn_lua_checkudata_factor(L, 2);
  check_complete(L, a);
  check_complete(L, b);
  if (a->size != b->size) return luaL_error(L, "both partitions must have the same length");
  const double *w = mn_lua_opt_weights(L, ctx, 3, a->size);
  const bool want_expected = lua_toboolean(L, 4);
  const size_t a_size = count_levels(a), b_size = count_levels(b);
  lua_createtable(L, 0, 10);
  if (mn_agree(ctx, a->size, a->code, a_size, b->code, b_size, w, &g) != MN_OK) return mn_lua_raise(L, ctx);
  if (want_expected && mn_expected_information(ctx, a->size, a->code, a_size, b->code, b_size, w, &expected) != MN_OK)
    return mn_lua_raise(L, ctx);
  mn_lua_end(L, ctx);
  const struct {
    const char *name;
    double value;
  } fields[] = {
    { "total", g.total },
    { "a_parts", (double)g.a_parts },
    { "b_parts", (double)g.b_parts },
    { "cells", g.cells },
    { "a_cells", g.a_cells },
    { "b_cells", g.b_cells },
    { "information", g.information },
    { "a_entropy", g.a_entropy },
    { "b_entropy", g.b_entropy },
    { "expected", expected },
  };
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    lua_pushnumber(L, fields[i].value);
    lua_setfield(L, -2, fields[i].name);
  }
  return 1;
}

static const char *const distances[] = { "euclidean", "manhattan", "cosine", "precomputed", NULL };

/* The Factor at `arg` as codes of k clusters, all of which occur. */
struct clusters {
  const int32_t *label;
  size_t n, k;
};

static struct clusters check_clusters(lua_State *L, int arg)
{
  const mn_factor *f = mn_lua_checkudata_factor(L, arg);
  check_complete(L, f);
  const size_t levels = count_levels(f);
  int32_t *position = mn_lua_push_buffer(L, sizeof *position, levels);
  int32_t *label = mn_lua_push_buffer(L, sizeof *label, f->size);
  struct clusters c = { .label = label, .n = f->size };
  for (size_t l = 0; l < levels; l++) position[l] = -1;
  for (size_t i = 0; i < f->size; i++) position[f->code[i]] = 0;
  for (size_t l = 0; l < levels; l++)
    if (position[l] == 0) position[l] = (int32_t)c.k++;
  for (size_t i = 0; i < f->size; i++) label[i] = position[f->code[i]];
  if (c.k < 2 || c.k >= c.n)
    luaL_error(L, "the number of clusters must be from 2 to the number of rows - 1, %I, got %I", (lua_Integer)c.n - 1,
               (lua_Integer)c.k);
  return c;
}

static void check_rows(lua_State *L, const mn_matrix *x, size_t n)
{
  if (x->rows != n)
    luaL_error(L, "X must have as many rows as there are labels, %I, got %I", (lua_Integer)n, (lua_Integer)x->rows);
}

static void check_distances(lua_State *L, mn_distance distance, const mn_matrix *x)
{
  if (distance == MN_PRECOMPUTED && x->rows != x->cols)
    luaL_error(L, "a matrix of distances must be square, got %I x %I", (lua_Integer)x->rows, (lua_Integer)x->cols);
}

/* silhouettes(X, labels, weights | nil, distance) -> Vector */
static int silhouettes(lua_State *L)
{
  mn_context *ctx = mn_lua_begin_metric(L, 4);
  const mn_distance distance = (mn_distance)luaL_checkoption(L, 4, NULL, distances);
  const mn_matrix x = mn_lua_check_matrix(L, ctx, 1);
  const struct clusters c = check_clusters(L, 2);
  const double *w = mn_lua_opt_weights(L, ctx, 3, c.n);
  check_rows(L, &x, c.n);
  check_distances(L, distance, &x);
  double *out = mn_lua_push_raw_vector(L, c.n)->at;
  if (mn_silhouettes(ctx, distance, c.n, x.cols, c.k, x.at, c.label, w, out) != MN_OK) return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 1);
}

typedef mn_status (*from_centers)(mn_context *ctx, size_t n, size_t d, size_t k, const double *x, const int32_t *label,
                                  const double *w, double *score);

static int push_from_centers(lua_State *L, from_centers measure)
{
  double score;
  mn_context *ctx = mn_lua_begin_metric(L, 3);
  const mn_matrix x = mn_lua_check_matrix(L, ctx, 1);
  const struct clusters c = check_clusters(L, 2);
  const double *w = mn_lua_opt_weights(L, ctx, 3, c.n);
  check_rows(L, &x, c.n);
  if (measure(ctx, c.n, x.cols, c.k, x.at, c.label, w, &score) != MN_OK) return mn_lua_raise(L, ctx);
  lua_pushnumber(L, score);
  return mn_lua_finish(L, ctx, 1);
}

/* calinski_harabasz(X, labels, weights | nil) -> number */
static int calinski_harabasz(lua_State *L)
{
  return push_from_centers(L, mn_calinski_harabasz);
}

static int davies_bouldin(lua_State *L)
{
  return push_from_centers(L, mn_davies_bouldin);
}

/* The Matrices at 1 and 2 as points, with the distance named at `arg` and the Euclidean one. */
static mn_status init_points(lua_State *L, mn_context *ctx, int arg, mn_distance_points *high, mn_distance_points *low)
{
  const mn_distance distance = (mn_distance)luaL_checkoption(L, arg, NULL, distances);
  const mn_matrix x = mn_lua_check_matrix(L, ctx, 1), z = mn_lua_check_matrix(L, ctx, 2);
  if (x.rows != z.rows) luaL_error(L, "both arguments must have the same number of rows");
  check_distances(L, distance, &x);
  MN_TRY(mn_distance_points_init(ctx, high, distance, x.rows, x.cols, x.at, NULL));
  return mn_distance_points_init(ctx, low, MN_EUCLIDEAN, z.rows, z.cols, z.at, NULL);
}

/* trustworthiness(X, points, k, distance of X, continuity, weights | nil) -> number; continuity swaps the roles of X
 * and points */
static int trustworthiness(lua_State *L)
{
  double value;
  mn_distance_points high, low;
  mn_context *ctx = mn_lua_begin_metric(L, 6);
  const size_t k = mn_lua_check_count(L, 3);
  const bool continuity = lua_toboolean(L, 5);
  luaL_argcheck(L, k < mn_lua_check_matrix(L, ctx, 1).rows, 3, "must be less than the number of rows");
  const double *w = mn_lua_opt_weights(L, ctx, 6, mn_lua_check_matrix(L, ctx, 1).rows);
  if (init_points(L, ctx, 4, &high, &low) != MN_OK ||
      mn_trustworthiness(ctx, continuity ? &low : &high, continuity ? &high : &low, k, w, &value) != MN_OK)
    return mn_lua_raise(L, ctx);
  lua_pushnumber(L, value);
  return mn_lua_finish(L, ctx, 1);
}

/* stress(X, points, weights | nil, distance of X) -> sums over ordered pairs: squared differences of distances, squared
 * distances */
static int stress(lua_State *L)
{
  double sums[2];
  mn_distance_points high, low;
  mn_context *ctx = mn_lua_begin_metric(L, 4);
  const mn_matrix x = mn_lua_check_matrix(L, ctx, 1);
  const double *w = mn_lua_opt_weights(L, ctx, 3, x.rows);
  if (init_points(L, ctx, 4, &high, &low) != MN_OK || mn_stress_sums(ctx, &high, &low, w, sums) != MN_OK)
    return mn_lua_raise(L, ctx);
  lua_pushnumber(L, sums[0]);
  lua_pushnumber(L, sums[1]);
  return mn_lua_finish(L, ctx, 2);
}

const luaL_Reg mn_lua_metrics_clusters[] = {
  { "agreement", agreement },
  { "silhouettes", silhouettes },
  { "calinski_harabasz", calinski_harabasz },
  { "davies_bouldin", davies_bouldin },
  { "trustworthiness", trustworthiness },
  { "stress", stress },
  { NULL, NULL },
};
