/* Bayesian networks as Lua has them, and what the functions of queries.c and learn.c read alike.
 *
 * A network is a table of Vectors: card (values of each node, 0 for numbers), start (nodes + 1: where the parents of
 * each node begin, from 0), parent (nodes from 1), and table (all tables in order), which structures lack. */
#ifndef MN_LUA_BAYES_NET_VALUES_H
#define MN_LUA_BAYES_NET_VALUES_H
#include "../../bayes_net/network.h"
#include "../values/values.h"

/* The network at `arg`, whose arrays stay on the stack. Raises unless it is one; cycles are an error, too. */
mn_network mn_lua_check_network(lua_State *L, mn_context *ctx, int arg, bool with_tables);

/* The same without an order, which a structure with a cycle lacks: order is a buffer. */
mn_network mn_lua_check_structure(lua_State *L, mn_context *ctx, int arg);

/* The cards of n nodes at `arg`. */
const int32_t *mn_lua_check_cards(lua_State *L, mn_context *ctx, int arg, size_t *n);

/* Rows of values of the nodes, NaN for missing: raises unless codes are below the cards and numbers finite. */
mn_matrix mn_lua_check_node_rows(lua_State *L, mn_context *ctx, int arg, size_t n, const int32_t *card);

/* A value for each node, NaN for none. */
const double *mn_lua_check_node_values(lua_State *L, mn_context *ctx, int arg, const mn_network *net);

/* Weights of n rows, or nil. */
const double *mn_lua_opt_row_weights(lua_State *L, mn_context *ctx, int arg, size_t n);

/* A node, from 1; returned from 0. */
size_t mn_lua_check_node(lua_State *L, int arg, size_t n);
size_t mn_lua_opt_node(lua_State *L, int arg, size_t n); /* SIZE_MAX for nil */

/* A list of nodes, none twice; a buffer. */
const int32_t *mn_lua_check_nodes(lua_State *L, mn_context *ctx, int arg, size_t n, size_t *count);

/* n x n flags from a Matrix of 0 and 1. */
uint8_t *mn_lua_check_edges(lua_State *L, mn_context *ctx, int arg, size_t n);
void mn_lua_fill_edges(const uint8_t *edge, size_t n, double *out);

/* The number `name` of the table of options at `arg`; `initial` if it is absent; raises unless low <= number <= high.
 */
double mn_lua_number_option(lua_State *L, int arg, const char *name, double initial, double low, double high);
size_t mn_lua_size_option(lua_State *L, int arg, const char *name, size_t initial);

/* Have the function `on_iter` of the table of options called with the progress. */
void mn_lua_progress_option(lua_State *L, mn_context *ctx, int arg);

/* Set the field of the table on top of the stack. */
void mn_lua_set_number_field(lua_State *L, const char *name, double value);

#endif
