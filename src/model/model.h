/* What is the same for all estimators, written once over the class tables. */
#ifndef MN_MODEL_MODEL_H
#define MN_MODEL_MODEL_H
#include "class.h"

/* --- the registry of classes --- */

size_t mn_class_count(void);
const mn_class *mn_class_at(size_t index);
const mn_class *mn_class_named(const char *name); /* NULL: unknown */

/* --- models --- */

/* A model with default parameters, not fitted. NULL, with the error set, if there is no memory. */
mn_estimator *mn_estimator_new(mn_context *ctx, const mn_class *class);

/* The same parameters, not fitted; a copy with its learned fields; and either without shared levels, for another memory
 * account. */
mn_estimator *mn_estimator_clone(mn_context *ctx, const mn_estimator *model);
mn_estimator *mn_estimator_copy(mn_context *ctx, const mn_estimator *model);
mn_estimator *mn_estimator_deep_copy(mn_context *ctx, const mn_estimator *model, bool learned);
void mn_estimator_free(mn_memory *memory, mn_estimator *model); /* NULL is allowed */

/* Parameters set after the fit wait for the next one, so that a fitted model always acts by those of its fit. The
 * struct whose parameters users see, and the next fit takes: `settings`, or the model itself. */
const mn_estimator *mn_settings(const mn_estimator *model);
mn_estimator *mn_settings_to_change(mn_context *ctx, mn_estimator *model); /* NULL: no memory */
mn_status mn_adopt_settings(mn_context *ctx, mn_estimator *model);         /* before fit continues */

static inline void *mn_member(const void *base, size_t offset)
{
  return (char *)base + offset;
}

/* The learned part of mn_estimator, as a table of fields that ends with a NULL name. */
const mn_field *mn_base_fields(void);

/* --- parameters --- */

/* Parameters of the struct at `base`, an estimator or the options of an operation, which messages call `who`. A setter
 * checks type and range; on failure the struct is unchanged. Tables of parameters may be NULL. */
const mn_param *mn_param_named(const mn_param *params, const char *name); /* NULL: unknown */
void mn_params_init(const mn_param *params, void *base);
mn_status mn_params_copy(mn_context *ctx, const mn_param *params, const void *from, void *to);
void mn_params_free(mn_memory *memory, const mn_param *params, void *base);

mn_status mn_set_number(mn_context *ctx, const char *who, void *base, const mn_param *p, double value);
mn_status mn_set_flag(mn_context *ctx, const char *who, void *base, const mn_param *p, bool value); /* or yes/no */
mn_status mn_set_choice(mn_context *ctx, const char *who, void *base, const mn_param *p, const char *name);
mn_status mn_set_vector(mn_context *ctx, const char *who, void *base, const mn_param *p, mn_vector value);
mn_status mn_set_matrix(mn_context *ctx, const char *who, void *base, const mn_param *p, mn_matrix value);
mn_status mn_set_columns(mn_context *ctx, const char *who, void *base, const mn_param *p, const mn_feature_list *value);
mn_status mn_set_lists(mn_context *ctx, const char *who, void *base, const mn_param *p, const mn_feature_groups *lists);
mn_status mn_set_text(mn_context *ctx, const char *who, void *base, const mn_param *p, const char *bytes, size_t size);
mn_status mn_unset(mn_context *ctx, const char *who, void *base, const mn_param *p); /* set to nil */
bool mn_param_is_set(const void *base, const mn_param *p);

/* The parameter class_weight. weight: one for each label. NULL labels and not balanced: no class weights. */
mn_status mn_set_class_weight(mn_context *ctx, mn_estimator *model, bool balanced, const mn_levels *labels,
                              const double *weight);

/* Errors: an unknown name, with the nearest one suggested; a value of type `got`. */
mn_status mn_unknown_param(mn_context *ctx, const char *who, const mn_param *params, const char *name);
mn_status mn_wrong_type(mn_context *ctx, const char *who, const mn_param *p, const char *got);

/* What a parameter must be, e.g. "a number >= 0", "one of lbfgs, newton". Returns `text`. */
const char *mn_param_expected(const mn_param *p, char *text, size_t size);

/* --- entry points: check the input, work on a copy, replace on success --- */

/* Fit a copy of `model`, which does not change. *fitted is the new model with the same parameters, to be freed by the
 * caller; it is not set on failure. */
mn_status mn_fit(mn_context *ctx, const mn_estimator *model, const mn_input *input, mn_estimator **fitted);

/* Whether the class may fit several subsets of the rows of this input at once. */
bool mn_can_fit_subsets(const mn_estimator *model, const mn_input *input);

/* Do so. fitted[s] is a new model for subset[s], or NULL where mn_fit on these rows must find it. */
mn_status mn_fit_subsets(mn_context *ctx, const mn_estimator *model, const mn_input *input, const mn_row_list *subset,
                         size_t n, mn_estimator **fitted);

/* Whether mn_fit continues from what the model has learned (warm_start). */
bool mn_can_resume(const mn_estimator *model);

/* The same for a batch. `classes`: all labels of all batches; NULL: the first batch contains them. */
mn_status mn_partial_fit(mn_context *ctx, const mn_estimator *model, const mn_input *input, const mn_levels *classes,
                         mn_estimator **fitted);

/* partial_fit of one row in place, if mn_can_update. Nobody else may use the model meanwhile. On failure it is
 * unchanged. */
bool mn_can_update(const mn_estimator *model, const mn_input *input);
mn_status mn_update(mn_context *ctx, mn_estimator *model, const mn_input *input);

const char *mn_action_name(mn_action action);

/* Whether the class has an action, and whether the parameters of this model allow it. */
bool mn_class_supports(const mn_class *class, mn_action action);
/* Whether a row of X has a value for each training row: with a parameter whose value is "precomputed", or by MN_SQUARE.
 * A subset of the training rows then takes the same columns. */
bool mn_needs_square_x(const mn_estimator *model);

bool mn_supports_action(const mn_estimator *model, mn_action action);

/* Columns of the result of an action. 0: as many as X has (a stateless model that was not fitted). */
size_t mn_width(const mn_estimator *model, mn_action action);

/* Run an action on input->x (and lengths). `out` is allocated by the caller, input->x.rows x mn_width, and overwritten.
 * Classifiers and clusterers predict 0-based codes. */
mn_status mn_apply(mn_context *ctx, const mn_estimator *model, mn_action action, const mn_input *input, mn_matrix *out);

/* Transform input->x, the rows that `model` was fitted to, with the y, weights and options of that fit: transform, or
 * the training_transform of the class. */
mn_status mn_transform_training(mn_context *ctx, const mn_estimator *model, const mn_input *input, mn_matrix *out);

/* Fit a copy of a model that resamples to X and y of the input, as mn_fit does, and resample these rows: *out is in
 * scratch. */
mn_status mn_fit_resample(mn_context *ctx, const mn_estimator *model, const mn_input *input, mn_estimator **fitted,
                          mn_resampled *out);

/* X, y and weights of the resampled rows, in scratch. Other options of fit that belong to rows are an error. */
mn_status mn_resampled_input(mn_context *ctx, const char *who, const mn_input *input, const mn_resampled *resampled,
                             mn_input *out);
mn_status mn_resampled_x(mn_context *ctx, const mn_table *x, const mn_resampled *resampled, mn_table *out);

/* Whether transform of x has sparse output. */
bool mn_outputs_sparse(const mn_estimator *model, const mn_table *x);

/* transform with sparse output, if mn_outputs_sparse: initializes the empty `out`. */
mn_status mn_apply_sparse(mn_context *ctx, const mn_estimator *model, const mn_input *input, mn_csr *out);

/* Name of output column j of transform: that of the feature, or x1, x2, ... if X had no names. */
void mn_output_name(const mn_estimator *model, size_t j, char *text, size_t size);

/* Whether output column j of transform contains whole numbers by definition. */
bool mn_output_is_whole(const mn_estimator *model, size_t j);

/* Levels of output column j of transform, NULL for numbers; and whether any column has levels. Columns of
 * inverse_transform have those of fit: model->feature_levels. */
const mn_levels *mn_output_levels(const mn_estimator *model, size_t j);
bool mn_has_output_levels(const mn_estimator *model);

/* MN_BAD_ARGUMENT unless fitted or stateless: "PCA: call fit before transform". */
mn_status mn_require_fitted(mn_context *ctx, const mn_estimator *model, const char *before);

#endif
