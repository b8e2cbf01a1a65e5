/* The C half of ml.metrics: steps that lua/manilius/metrics*.lua calls with checked Vectors, Matrices and Factors of
 * equal length. They say what is wrong with the values without "bad argument", for the metrics hand their text on. */
#ifndef MN_LUA_DATA_METRICS_H
#define MN_LUA_DATA_METRICS_H
#include "../values/values.h"

/* Adds `metrics`, a table of the steps, to the table on top of the stack. */
void mn_lua_open_metrics(lua_State *L);

/* Its parts, each of which ends with NULL. */
extern const luaL_Reg mn_lua_metrics_classes[];
extern const luaL_Reg mn_lua_metrics_scores[];
extern const luaL_Reg mn_lua_metrics_errors[];
extern const luaL_Reg mn_lua_metrics_clusters[];
extern const luaL_Reg mn_lua_metrics_lists[];

/* --- what the parts share (metrics.c) --- */

/* The number of Lua arguments is set to `n`, so that results come above them. */
mn_context *mn_lua_begin_metric(lua_State *L, int n);

/* The values of the Vector or Matrix at `arg`, contiguous; NULL when nil. */
const double *mn_lua_opt_values(lua_State *L, mn_context *ctx, int arg);

/* A whole number > 0. */
size_t mn_lua_check_count(lua_State *L, int arg);

/* Memory as a userdata on top of the stack, where it stays until the step returns. */
void *mn_lua_push_buffer(lua_State *L, size_t size, size_t n);

/* Codes of labels in one list. */
typedef struct mn_lua_codes {
  int32_t *y, *predicted; /* n each; -1: outside of the list */
  size_t n, k;
  int names; /* stack index of the list */
} mn_lua_codes;

/* The Factors at 1 and 2 in the list of labels that is the Factor at 3, or (nil) of all that occur in them, ascending.
 * Raises when one holds text and the other numbers. */
mn_lua_codes mn_lua_align_labels(lua_State *L);

/* The Factor at 1 as places in the list of labels that is the Factor at 2, -1 where it is none of them. */
int32_t *mn_lua_class_codes(lua_State *L, size_t *n, size_t *k);

#endif
