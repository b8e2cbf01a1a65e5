/* The inputs and outputs of a plan, for hosts that know only a saved file. */
#ifndef MN_PLAN_PLAN_INFO_H
#define MN_PLAN_PLAN_INFO_H
#include "plan.h"

/* The model that decides what X may be: the first that takes texts among those that see X, else the final one. NULL:
 * none
 */
const mn_estimator *mn_plan_x_model(const mn_plan *plan);

/* Whether all parts are fitted, apart from those that get no data. */
bool mn_plan_fitted(const mn_plan *plan);

/* The number of columns of X; 0 if no part knows it. */
size_t mn_plan_features(const mn_plan *plan);

/* Their names; empty if X had none. */
const mn_names *mn_plan_feature_names(const mn_plan *plan);

/* Levels of column j of X, from the first part that knows them; NULL for numbers. */
const mn_levels *mn_plan_feature_levels(const mn_plan *plan, size_t j);

/* Columns of the result of an action for X with `cols` columns; 0: the plan does not support the action. */
size_t mn_plan_width(const mn_plan *plan, mn_action action, size_t cols);

#endif
