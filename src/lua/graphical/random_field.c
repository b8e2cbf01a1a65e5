#include "random_field.h"
#include "graph_argument.h"
#include "../../graphical/grid.h"
#include <string.h>

/* graphical_grid_edges(rows, cols, neighbors) -> Matrix of pairs of pixels, from 1, the one above or to the left first;
 * vertical, horizontal, then diagonal */
static int grid_edges(lua_State *L)
{
  static const int down[] = { 1, 0, 1, 1 }, right[] = { 0, 1, 1, -1 };
  const lua_Integer rows = luaL_checkinteger(L, 1), cols = luaL_checkinteger(L, 2), kinds = luaL_checkinteger(L, 3) / 2;
  luaL_argcheck(L, rows >= 1 && rows <= 1 << 15, 1, "must be from 1 to 32768");
  luaL_argcheck(L, cols >= 1 && cols <= 1 << 15, 2, "must be from 1 to 32768");
  luaL_argcheck(L, kinds == 2 || kinds == 4, 3, "must be 4 or 8");
  size_t count = (size_t)((rows - 1) * cols + rows * (cols - 1) + (kinds == 4 ? 2 * (rows - 1) * (cols - 1) : 0));
  double *out = mn_lua_push_matrix(L, count, 2)->at;
  for (int k = 0; k < kinds; k++)
    for (lua_Integer i = 0; i + down[k] < rows; i++)
      for (lua_Integer j = 0; j < cols; j++) {
        const lua_Integer other = j + right[k];
        if (other < 0 || other >= cols) continue;
        *out++ = (double)(i * cols + j + 1);
        *out++ = (double)((i + down[k]) * cols + other + 1);
      }
  return 1;
}

static double *push_whole(lua_State *L, size_t size)
{
  return mn_lua_push_vector(L, size)->at;
}

/* graphical_pairwise(unary, edges, tables) -> card, scope_start, scope, table_start, table: n variables of K states
 * with the rows of the n x K Matrix unary, and a pairwise factor for each row of edges, whose tables are the same K x K
 * Matrix or the rows of a Matrix of K^2 columns. All logarithms. */
static int pairwise(lua_State *L)
{
  lua_settop(L, 3);
  mn_context *ctx = mn_lua_begin(L);
  const mn_matrix unary = mn_lua_check_matrix(L, ctx, 1), edges = mn_lua_check_matrix(L, ctx, 2);
  const mn_matrix tables = mn_lua_check_matrix(L, ctx, 3);
  const size_t n = unary.rows, k = unary.cols, m = edges.rows;
  const bool shared = tables.rows == k && tables.cols == k;
  luaL_argcheck(L, k >= 1 && k <= 1 << 15, 1, "must have a column for each state");
  luaL_argcheck(L, edges.cols == 2 || m == 0, 2, "must have two columns");
  luaL_argcheck(L, shared || (tables.rows == m && tables.cols == k * k), 3, "has the wrong shape");
  double *card = push_whole(L, n), *scope_start = push_whole(L, n + m + 1), *scope = push_whole(L, n + 2 * m);
  double *table_start = push_whole(L, n + m), *table = push_whole(L, n * k + tables.rows * tables.cols);
  for (size_t v = 0; v < n; v++) {
    card[v] = (double)k;
    scope_start[v] = scope[v] = (double)v;
    table_start[v] = (double)(v * k);
  }
  for (size_t e = 0; e < m; e++) {
    scope_start[n + e] = (double)(n + 2 * e);
    scope[n + 2 * e] = edges.at[2 * e] - 1;
    scope[n + 2 * e + 1] = edges.at[2 * e + 1] - 1;
    table_start[n + e] = (double)(n * k + (shared ? 0 : e * k * k));
  }
  scope_start[n + m] = (double)(n + 2 * m);
  if (n * k > 0) memcpy(table, unary.at, n * k * sizeof *table);
  if (tables.rows * tables.cols > 0) memcpy(table + n * k, tables.at, tables.rows * tables.cols * sizeof *table);
  return mn_lua_finish(L, ctx, 5);
}

/* graphical_grid(unary, table, rows, cols, neighbors, damping, tol, max_iter, maximum, partition) -> marginals, log
 * partition function or nil, { n_iter, converged, residual }; nothing if the table is out of range */
static int grid(lua_State *L)
{
  lua_settop(L, 10);
  mn_context *ctx = mn_lua_begin(L);
  const mn_matrix unary = mn_lua_check_matrix(L, ctx, 1), table = mn_lua_check_matrix(L, ctx, 2);
  const lua_Integer rows = luaL_checkinteger(L, 3), cols = luaL_checkinteger(L, 4), max_iter = luaL_checkinteger(L, 8);
  mn_grid g = { .states = unary.cols, .neighbors = (size_t)luaL_checkinteger(L, 5) };
  luaL_argcheck(L, rows >= 1 && cols >= 1 && rows <= 1 << 15 && cols <= 1 << 15, 3, "is not the size of a grid");
  luaL_argcheck(L, unary.rows == (size_t)rows * (size_t)cols, 1, "must have a row for each pixel");
  luaL_argcheck(L, table.rows == g.states && table.cols == g.states, 2, "must be square");
  luaL_argcheck(L, g.neighbors == 4 || g.neighbors == 8, 5, "must be 4 or 8");
  luaL_argcheck(L, max_iter >= 0 && max_iter <= INT32_MAX, 8, "must be a count");
  const mn_message_options options = { .maximum = lua_toboolean(L, 9),
                                       .damping = luaL_checknumber(L, 6),
                                       .tol = luaL_checknumber(L, 7),
                                       .max_iter = (size_t)max_iter };
  luaL_argcheck(L, options.damping >= 0 && options.damping < 1, 6, "must be in [0, 1)");
  const bool partition = lua_toboolean(L, 10);
  double *out = mn_lua_push_matrix(L, unary.rows, unary.cols)->at, total = 0;
  g.rows = (size_t)rows;
  g.cols = (size_t)cols;
  g.unary = unary.at;
  g.table = table.at;
  mn_message_report report;
  if (!mn_grid_applicable(&g)) return mn_lua_finish(L, ctx, 0);
  mn_lua_set_operation_name(L, ctx, "MarkovRandomField", "infer");
  if (mn_grid_propagate(ctx, &g, &options, out, partition ? &total : NULL, &report) != MN_OK)
    return mn_lua_raise(L, ctx);
  if (partition)
    lua_pushnumber(L, total);
  else
    lua_pushnil(L);
  lua_createtable(L, 0, 3);
  lua_pushinteger(L, (lua_Integer)report.n_iter);
  lua_setfield(L, -2, "n_iter");
  lua_pushboolean(L, report.converged);
  lua_setfield(L, -2, "converged");
  mn_lua_set_number(L, "residual", report.residual);
  return mn_lua_finish(L, ctx, 3);
}

/* graphical_image(table, rows, cols, column) -> a column of the Matrix as an image */
static int image(lua_State *L)
{
  lua_settop(L, 4);
  mn_context *ctx = mn_lua_begin(L);
  const mn_matrix table = mn_lua_check_matrix(L, ctx, 1);
  const lua_Integer rows = luaL_checkinteger(L, 2), cols = luaL_checkinteger(L, 3), column = luaL_checkinteger(L, 4);
  luaL_argcheck(L, rows >= 1 && cols >= 1 && rows <= 1 << 15 && cols <= 1 << 15, 2, "is not the size of an image");
  luaL_argcheck(L, table.rows == (size_t)rows * (size_t)cols, 1, "must have a row for each pixel");
  luaL_argcheck(L, column >= 1 && (size_t)column <= table.cols, 4, "is not a column");
  double *out = mn_lua_push_matrix(L, (size_t)rows, (size_t)cols)->at;
  for (size_t p = 0; p < table.rows; p++) out[p] = table.at[p * table.cols + (size_t)column - 1];
  return mn_lua_finish(L, ctx, 1);
}

/* graphical_largest(table) -> the column of the largest value of each row; ties are broken by the lowest index */
static int largest(lua_State *L)
{
  lua_settop(L, 1);
  mn_context *ctx = mn_lua_begin(L);
  const mn_matrix table = mn_lua_check_matrix(L, ctx, 1);
  luaL_argcheck(L, table.cols >= 1, 1, "must have columns");
  mn_lua_vector *out = mn_lua_push_vector(L, table.rows);
  out->whole = true;
  for (size_t i = 0; i < table.rows; i++) {
    size_t best = 0;
    for (size_t j = 1; j < table.cols; j++)
      if (mn_row(&table, i)[j] > mn_row(&table, i)[best]) best = j;
    out->at[i] = (double)best + 1;
  }
  return mn_lua_finish(L, ctx, 1);
}

void mn_lua_open_random_field(lua_State *L)
{
  static const luaL_Reg functions[] = { { "graphical_pairwise", pairwise }, { "graphical_grid_edges", grid_edges },
                                        { "graphical_grid", grid },         { "graphical_image", image },
                                        { "graphical_largest", largest },   { NULL, NULL } };
  luaL_setfuncs(L, functions, 0);
}
