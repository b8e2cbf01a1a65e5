/* One binding for all estimators, made from their class tables. */
#ifndef MN_LUA_MODELS_MODEL_H
#define MN_LUA_MODELS_MODEL_H
#include "input.h"

/* What stands behind a model in Lua, beside its box (model.c). */
typedef struct mn_lua_model {
  bool in_fit; /* its own fit runs: a callback of that must neither refit it nor change its settings */
  bool in_job; /* so does a fit in the background                                                    */
} mn_lua_model;

bool mn_lua_is_model(lua_State *L, int arg);

/* The estimator of the model at `arg`. What holds it is pushed onto the stack, and as long as that stays there the
 * estimator lives and does not change. Raises for another value and for a model that was closed. */
const mn_estimator *mn_lua_pin_model(lua_State *L, int arg);

/* The model at `arg` for a call that will put something else in its box ("fitted", "given other settings"). Raises when
 * it may not now. */
mn_lua_model *mn_lua_check_idle_model(lua_State *L, int arg, const char *what);

/* A new model, or only a box for one, on top of the stack; the caller fills it, and it is freed with what was pushed.
 */
mn_estimator **mn_lua_push_model(lua_State *L);
mn_estimator **mn_lua_push_estimator(lua_State *L);

/* Give the model at `arg` the box at `made`, which takes the place of the one at `held`. Raises, with nothing changed,
 * when it has another box by now. */
void mn_lua_replace_estimator(lua_State *L, int arg, int held, int made);

/* Raises unless the model at `arg` still has the box at `held`. */
void mn_lua_check_same_estimator(lua_State *L, int arg, int box);

/* A result of one column that is a vector in nature, or a matrix? */
bool mn_lua_output_is_vector(const mn_class *class, bool one_target, mn_action action, size_t width);

/* 0-based clusters, -1 noise, into 1-based. */
void mn_lua_shift_cluster_labels(mn_lua_vector *v);

/* Warn where an iterative fit has stopped too early. */
void mn_lua_warn_not_converged(lua_State *L, const mn_estimator *model);

/* model:fit(X, y, options) and model:partial_fit(X, y, options) (fit.c). */
int mn_lua_fit(lua_State *L);
int mn_lua_partial_fit(lua_State *L);

/* fit_on(model, X, y, options, cache): for compositions, as cache.h says. */
int mn_lua_fit_with_cache(lua_State *L);

/* Adds constructors, model_methods, model_meta and load_model to the table on top of the stack. */
void mn_lua_open_model(lua_State *L);

#endif
