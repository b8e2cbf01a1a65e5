/* The C half of ml.metrics: functions that lua/manilius/metrics calls with checked Vectors, Matrices and Factors of
 * equal length. They raise messages without "bad argument", because the metrics prefix them. */
#ifndef MN_LUA_METRICS_METRICS_H
#define MN_LUA_METRICS_METRICS_H
#include "../values/values.h"

/* Add `metrics`, a table of the functions, to the table on top of the stack. */
void mn_lua_open_metrics(lua_State *L);

/* The functions, one list per file. */
extern const luaL_Reg mn_lua_metrics_classes[];
extern const luaL_Reg mn_lua_metrics_scores[];
extern const luaL_Reg mn_lua_metrics_errors[];
extern const luaL_Reg mn_lua_metrics_clusters[];
extern const luaL_Reg mn_lua_metrics_lists[];
extern const luaL_Reg mn_lua_metrics_spans[];

/* --- shared by the files (metrics.c) --- */

/* Begin an operation with exactly n arguments on the stack. */
mn_context *mn_lua_begin_metric(lua_State *L, int n);

/* The n weights in the Vector at `arg`; NULL for nil. Raises when their number differs. */
const double *mn_lua_opt_weights(lua_State *L, mn_context *ctx, int arg, size_t n);

/* A positive integer. */
size_t mn_lua_check_count(lua_State *L, int arg);

/* Labels as codes into one list of labels. */
typedef struct mn_lua_codes {
  int32_t *y, *predicted; /* n each; -1 for labels not in the list */
  size_t n, k;
  int names; /* stack index of the list */
} mn_lua_codes;

/* Encode the Factors at 1 and 2 by the list of labels in the Factor at 3 or, for nil, by all labels that occur in
 * either, in ascending order. Raises when their labels differ in type. */
mn_lua_codes mn_lua_align_labels(lua_State *L);

/* Encode the Factor at 1 by the list of n_classes labels in the Factor at 2; -1 for labels not in the list. */
int32_t *mn_lua_class_codes(lua_State *L, size_t *n, size_t *n_classes);

#endif
