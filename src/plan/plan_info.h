/* What a plan expects and what it gives: for hosts that know nothing but a saved file. */
#ifndef MN_PLAN_PLAN_INFO_H
#define MN_PLAN_PLAN_INFO_H
#include "plan.h"

/* Is every part fitted that data reach? */
bool mn_plan_fitted(const mn_plan *plan);

/* Columns of the X of fit; 0 when no part knows. */
size_t mn_plan_features(const mn_plan *plan);

/* Their names; empty when X had none. */
const mn_names *mn_plan_feature_names(const mn_plan *plan);

/* Levels of column j of X, by the first part that sees them; NULL for numbers. */
const mn_levels *mn_plan_feature_levels(const mn_plan *plan, size_t j);

/* Columns that an action gives for X of `cols` columns; 0: the plan has no such action. */
size_t mn_plan_width(const mn_plan *plan, mn_action action, size_t cols);

#endif
