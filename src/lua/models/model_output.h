/* Predictions and transformed data: model:predict(X), model:transform(X), ... */
#ifndef MN_LUA_MODELS_MODEL_OUTPUT_H
#define MN_LUA_MODELS_MODEL_OUTPUT_H
#include "../../model/model.h"
#include "../values/values.h"

/* model:action(X [, options]). Upvalue 1: the action. */
int mn_lua_apply(lua_State *L);

/* transform_training(model, X, y, options): the features of the rows that fit(X, y, options) has just used,
 * cross-fitted if the class does so. For fit_transform in Lua. */
int mn_lua_transform_training(lua_State *L);

/* fit_resample(model, X, y): fits the model and returns the row of X from which each new row comes (its y and weight;
 * its X too, if there is no second result) and X of the new rows, unless all of them are given ones. For Lua. */
int mn_lua_fit_resample(lua_State *L);

/* Whether the result of the action, `width` columns wide, is a Vector rather than a Matrix. */
bool mn_lua_output_is_vector(const mn_class *class, bool one_target, mn_action action, size_t width);

/* Make 0-based cluster labels 1-based; -1 stays for noise. */
void mn_lua_shift_cluster_labels(mn_lua_vector *v);

/* Whether predict returns labels: of a classifier, and of a model of sequences that knows the names of its states. */
bool mn_lua_predicts_labels(const mn_class *class, const mn_levels *classes);

/* Push the labels of the class codes in n doubles: a Vector if `numbers`, which y was, else a Factor. */
void mn_lua_push_class_labels(lua_State *L, size_t n, const double *code, const mn_levels *classes, bool numbers);

#endif
