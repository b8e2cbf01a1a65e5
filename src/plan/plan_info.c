#include "plan_info.h"

/* The first part of a chain that is not PASS; NULL: none. */
static const mn_plan *first_of(const mn_plan *chain)
{
  for (size_t p = 0; p < chain->parts; p++)
    if (chain->part[p].plan && chain->part[p].plan->kind != MN_PLAN_PASS) return chain->part[p].plan;
  return NULL;
}

size_t mn_plan_features(const mn_plan *plan)
{
  switch (plan->kind) {
  case MN_PLAN_MODEL: return plan->model->n_features;
  case MN_PLAN_PASS: return 0;
  case MN_PLAN_CHAIN: return first_of(plan) ? mn_plan_features(first_of(plan)) : 0;
  case MN_PLAN_COLUMNS:
  case MN_PLAN_UNION: break;
  }
  return plan->n_features;
}

const mn_names *mn_plan_feature_names(const mn_plan *plan)
{
  static const mn_names none = { 0 };
  switch (plan->kind) {
  case MN_PLAN_MODEL: return &plan->model->feature_names;
  case MN_PLAN_PASS: return &none;
  case MN_PLAN_CHAIN: return first_of(plan) ? mn_plan_feature_names(first_of(plan)) : &none;
  case MN_PLAN_COLUMNS:
  case MN_PLAN_UNION: break;
  }
  return &plan->feature_names;
}

static const mn_levels *levels_of_parts(const mn_plan *plan, size_t j)
{
  for (size_t p = 0; p < plan->parts; p++) {
    const mn_plan_part *part = &plan->part[p];
    const mn_levels *found = NULL;
    if (!part->plan) continue;
    if (plan->kind == MN_PLAN_UNION) found = mn_plan_feature_levels(part->plan, j);
    for (size_t i = 0; plan->kind == MN_PLAN_COLUMNS && !found && i < part->chosen.size; i++)
      if ((size_t)part->chosen.at[i] == j) found = mn_plan_feature_levels(part->plan, i);
    if (found) return found;
  }
  return NULL;
}

const mn_levels *mn_plan_feature_levels(const mn_plan *plan, size_t j)
{
  switch (plan->kind) {
  case MN_PLAN_MODEL: return j < plan->model->feature_levels.size ? plan->model->feature_levels.at[j] : NULL;
  case MN_PLAN_PASS: return NULL;
  case MN_PLAN_CHAIN: return first_of(plan) ? mn_plan_feature_levels(first_of(plan), j) : NULL;
  case MN_PLAN_COLUMNS:
  case MN_PLAN_UNION: break;
  }
  return levels_of_parts(plan, j);
}

/* The sum over the parts; a part without columns contributes none. */
static size_t width_of_parts(const mn_plan *plan, size_t cols)
{
  size_t width = 0;
  for (size_t p = 0; p < plan->parts; p++) {
    const size_t seen = plan->kind == MN_PLAN_COLUMNS ? plan->part[p].chosen.size : cols;
    if (plan->part[p].plan && seen > 0) width += mn_plan_width(plan->part[p].plan, MN_TRANSFORM_X, seen);
  }
  return width;
}

static size_t width_of_chain(const mn_plan *plan, mn_action action, size_t cols)
{
  if (action == MN_INVERSE_TRANSFORM) return 0; /* mn_plan_apply does not support it */
  for (size_t p = 0; p + 1 < plan->parts; p++) cols = mn_plan_width(plan->part[p].plan, MN_TRANSFORM_X, cols);
  return plan->parts > 0 ? mn_plan_width(plan->part[plan->parts - 1].plan, action, cols) : 0;
}

size_t mn_plan_width(const mn_plan *plan, mn_action action, size_t cols)
{
  const bool transforms = action == MN_TRANSFORM_X;
  switch (plan->kind) {
  case MN_PLAN_MODEL:
    if (!mn_supports_action(plan->model, action)) return 0;
    return plan->model->fitted ? mn_width(plan->model, action) : cols; /* not fitted: stateless */
  case MN_PLAN_PASS: return transforms ? cols : 0;
  case MN_PLAN_CHAIN: return width_of_chain(plan, action, cols);
  case MN_PLAN_COLUMNS:
  case MN_PLAN_UNION: break;
  }
  return transforms ? width_of_parts(plan, cols) : 0;
}

/* The first model that takes texts among those that see X. */
static const mn_estimator *text_model(const mn_plan *plan)
{
  if (!plan) return NULL;
  switch (plan->kind) {
  case MN_PLAN_MODEL: return plan->model->class->accepts & MN_TEXTS ? plan->model : NULL;
  case MN_PLAN_PASS: return NULL;
  case MN_PLAN_CHAIN: return text_model(first_of(plan));
  case MN_PLAN_COLUMNS:
  case MN_PLAN_UNION: break;
  }
  const mn_estimator *found = NULL;
  for (size_t p = 0; !found && p < plan->parts; p++) found = text_model(plan->part[p].plan);
  return found;
}

const mn_estimator *mn_plan_x_model(const mn_plan *plan)
{
  const mn_estimator *found = text_model(plan);
  return found ? found : mn_plan_final(plan);
}

bool mn_plan_needs_square_x(const mn_plan *plan)
{
  if (!plan || plan->kind == MN_PLAN_PASS || plan->kind == MN_PLAN_COLUMNS) return false;
  if (plan->kind == MN_PLAN_MODEL) return mn_needs_square_x(plan->model);
  for (size_t p = 0; p < plan->parts; p++) {
    const mn_plan *part = plan->part[p].plan;
    if (part && part->kind != MN_PLAN_PASS) return mn_plan_needs_square_x(part);
  }
  return false;
}

const char *mn_plan_name(const mn_plan *plan)
{
  switch (plan->kind) {
  case MN_PLAN_MODEL: return plan->model->class->name;
  case MN_PLAN_PASS: return "passthrough";
  case MN_PLAN_CHAIN: return "Pipeline";
  case MN_PLAN_COLUMNS: return "ColumnTransformer";
  case MN_PLAN_UNION: break;
  }
  return "FeatureUnion";
}

bool mn_plan_fitted(const mn_plan *plan)
{
  if (plan->kind == MN_PLAN_MODEL) return plan->model->fitted;
  if (plan->kind == MN_PLAN_PASS) return true;
  if (plan->kind != MN_PLAN_CHAIN && !plan->fitted) return false;
  for (size_t p = 0; p < plan->parts; p++) {
    const bool idle = plan->kind == MN_PLAN_COLUMNS && plan->part[p].chosen.size == 0;
    if (plan->part[p].plan && !idle && !mn_plan_fitted(plan->part[p].plan)) return false;
  }
  return true;
}
