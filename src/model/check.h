/* The checks of the front door: what reaches an algorithm has the right shape, is finite, aligned and encoded. */
#ifndef MN_MODEL_CHECK_H
#define MN_MODEL_CHECK_H
#include "model.h"

/* X for fit: fills data->x or sparse, rows, features, levels. */
mn_status mn_check_fit_x(mn_context *ctx, const mn_class *class, const mn_table *x, mn_data *data);

/* X for a fitted model: the features of fit, by name where both have names (reordered when all are there), factor codes
 * in the levels of fit. `width` is n_features, or the outputs of transform for inverse_transform (then no names). */
mn_status mn_check_apply_x(mn_context *ctx, const mn_estimator *model, const char *action, const mn_table *x,
                           mn_data *data);
mn_status mn_check_inverse_x(mn_context *ctx, const mn_estimator *model, const mn_table *x, mn_data *data);

/* y and weights for fit; rows of weight 0 are dropped from data. Sets classes, n_targets, one_target of `draft`.
 * `known`: the classes when they are given beforehand (partial_fit), else NULL. */
mn_status mn_check_target(mn_context *ctx, mn_estimator *draft, const mn_input *input, const mn_levels *known,
                          mn_data *data);

/* y for an operation of a fitted model: reals, or labels encoded as in fit. */
mn_status mn_check_target_like_fit(mn_context *ctx, const mn_estimator *model, const mn_target *y, mn_data *data);

mn_status mn_check_lengths(mn_context *ctx, const mn_class *class, const mn_input *input, mn_data *data);

#endif
