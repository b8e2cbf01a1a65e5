/* The checks of the entry points: what reaches an algorithm has the right shape, is finite, aligned and encoded. */
#ifndef MN_MODEL_CHECK_H
#define MN_MODEL_CHECK_H
#include "model.h"

/* X for fit: sets x or sparse, rows, features and levels of `data`. */
mn_status mn_check_fit_x(mn_context *ctx, const mn_class *class, const mn_table *x, mn_data *data);

/* The number of features, their names and levels, for the model that is fitted to X. */
mn_status mn_learn_features(mn_context *ctx, mn_estimator *model, const mn_table *x);

/* X for a fitted model: its columns are those of fit, matched by name if both have names, and factor codes are mapped
 * to the levels of fit. */
mn_status mn_check_apply_x(mn_context *ctx, const mn_estimator *model, const char *action, const mn_table *x,
                           mn_data *data);

/* X for inverse_transform: its columns are those that transform returns. */
mn_status mn_check_inverse_x(mn_context *ctx, const mn_estimator *model, const mn_table *x, mn_data *data);

/* y and weights for fit. Sets classes, n_targets and one_target of `model`, and removes rows of weight 0 from `data`.
 * `known`: the classes if they were given (partial_fit), else NULL. */
mn_status mn_check_target(mn_context *ctx, mn_estimator *model, const mn_input *input, const mn_levels *known,
                          mn_data *data);

/* y for an operation of a fitted model: reals, or labels encoded as in fit. */
mn_status mn_check_target_like_fit(mn_context *ctx, const mn_estimator *model, const mn_target *y, mn_data *data);

/* The steps of mn_check_target for weights: the sample weights of the input; class weights multiplied in; rows of
 * weight 0 removed and, with MN_WEIGHTS_RATIO, extreme weights rescaled. */
mn_status mn_check_weights(mn_context *ctx, const mn_class *class, const mn_input *input, mn_data *data);
mn_status mn_apply_class_weight(mn_context *ctx, const mn_estimator *model, const mn_levels *levels, mn_data *data);
mn_status mn_finish_weights(mn_context *ctx, const mn_class *class, mn_data *data);

/* The status of an algorithm that has returned: also an error that was only recorded (mn_round), or cancellation.
 * Numerics that reject the data do not know whose data they are. */
mn_status mn_final_status(mn_context *ctx, const mn_estimator *model, mn_status status);

/* MN_BAD_DATA unless `what` has as many rows as X. */
mn_status mn_check_rows(mn_context *ctx, const char *who, const char *what, size_t got, size_t rows);

/* Options of fit. Each sets a member of `data`; mn_check_eval comes last, when `model` has learned features and
 * classes. */
mn_status mn_check_init_score(mn_context *ctx, const mn_class *class, const mn_input *input, mn_data *data);
mn_status mn_check_folds(mn_context *ctx, const mn_class *class, const mn_input *input, mn_data *data);
mn_status mn_check_eval(mn_context *ctx, mn_estimator *model, const mn_input *input, mn_data *data);

/* After a fit: if it did not converge and the columns have similar scales, scaled_advice replaces advice. */
mn_status mn_choose_advice(mn_context *ctx, mn_estimator *model, const mn_data *data);

mn_status mn_check_lengths(mn_context *ctx, const mn_class *class, const mn_input *input, mn_data *data);

#endif
