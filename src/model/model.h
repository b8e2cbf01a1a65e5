/* Everything that is the same for all estimators, written once over the class tables. */
#ifndef MN_MODEL_MODEL_H
#define MN_MODEL_MODEL_H
#include "class.h"

/* The registry. */
size_t mn_class_count(void);
const mn_class *mn_class_at(size_t index);
const mn_class *mn_class_named(const char *name); /* NULL: none */

/* A model with default parameters, not fitted. NULL with the text set when there is no memory. */
mn_estimator *mn_estimator_new(mn_context *ctx, const mn_class *class);
mn_estimator *mn_estimator_clone(mn_context *ctx, const mn_estimator *model); /* same parameters, not fitted */
mn_estimator *mn_estimator_copy(mn_context *ctx, const mn_estimator *model);  /* with all that it has learned */
/* Either, sharing nothing with the model: for another account. */
mn_estimator *mn_estimator_deep_copy(mn_context *ctx, const mn_estimator *model, bool learned);
void mn_estimator_free(mn_memory *memory, mn_estimator *model); /* NULL is allowed */

static inline void *mn_member(const void *base, size_t offset)
{
  return (char *)base + offset;
}

/* Parameters of a struct at `base` (an estimator, or the options of an operation) that `who` names in messages. A
 * setter checks type and range and leaves the struct as it was on failure. */
const mn_param *mn_param_named(const mn_param *params, const char *name); /* NULL: none; params may be NULL */
mn_status mn_unknown_param(mn_context *ctx, const char *who, const mn_param *params,
                           const char *name); /* with the nearest */
void mn_params_init(const mn_param *params, void *base);
mn_status mn_params_copy(mn_context *ctx, const mn_param *params, const void *from, void *to);
void mn_params_free(mn_memory *memory, const mn_param *params, void *base);
mn_status mn_set_number(mn_context *ctx, const char *who, void *base, const mn_param *p, double value);
/* Of a choice that has both words, true is "yes" and false is "no". */
mn_status mn_set_flag(mn_context *ctx, const char *who, void *base, const mn_param *p, bool value);
mn_status mn_set_choice(mn_context *ctx, const char *who, void *base, const mn_param *p, const char *name);
mn_status mn_set_vector(mn_context *ctx, const char *who, void *base, const mn_param *p, mn_vector value);
mn_status mn_set_matrix(mn_context *ctx, const char *who, void *base, const mn_param *p, mn_matrix value);
mn_status mn_set_lists(mn_context *ctx, const char *who, void *base, const mn_param *p, const mn_feature_groups *lists);
mn_status mn_set_text(mn_context *ctx, const char *who, void *base, const mn_param *p, const char *bytes, size_t size);
mn_status mn_unset(mn_context *ctx, const char *who, void *base, const mn_param *p); /* nil, where that is allowed */
mn_status mn_wrong_type(mn_context *ctx, const char *who, const mn_param *p, const char *got);
bool mn_param_is_set(const void *base, const mn_param *p);
/* What a parameter must be, e.g. "a number >= 0", "one of lbfgs, newton". Returns `text`. */
const char *mn_param_expected(const mn_param *p, char *text, size_t size);

/* The parameter class_weight, where the class takes one. weight: one for each label; NULL labels and not balanced: all
 * classes count alike. */
mn_status mn_set_class_weight(mn_context *ctx, mn_estimator *model, bool balanced, const mn_levels *labels,
                              const double *weight);

/* The front door. Checks, encodes, and runs on a fresh copy: `model` never changes. *fitted is a new model of the same
 * settings, the caller's, who puts it in the place of the old one when nobody reads that any more; on failure of any
 * kind it is not set. */
mn_status mn_fit(mn_context *ctx, const mn_estimator *model, const mn_input *input, mn_estimator **fitted);
/* Will mn_fit go on from what the model has learned? */
bool mn_can_resume(const mn_estimator *model);
/* `classes`: all labels that will ever come, or NULL when the first batch holds them. */
mn_status mn_partial_fit(mn_context *ctx, const mn_estimator *model, const mn_input *input, const mn_levels *classes,
                         mn_estimator **fitted);

/* The same for a batch of one row in place, where mn_can_update says so: then nobody else may be using the model. On
 * failure it is as it was. */
bool mn_can_update(const mn_estimator *model, const mn_input *input);
mn_status mn_update(mn_context *ctx, mn_estimator *model, const mn_input *input);

const char *mn_action_name(mn_action action);
/* Can models of the class do it; can this one, as it is set? */
bool mn_class_supports(const mn_class *class, mn_action action);
bool mn_supports_action(const mn_estimator *model, mn_action action);

/* Columns of the result of an action. 0: as many as X has (a stateless model that was not fitted). */
size_t mn_width(const mn_estimator *model, mn_action action);

/* Run an action on input->x (and lengths). `out` is input->x.rows x mn_width, made by the caller, overwritten.
 * Classifiers and clusterers predict codes (0-based). */
mn_status mn_apply(mn_context *ctx, const mn_estimator *model, mn_action action, const mn_input *input, mn_matrix *out);

/* transform where class->outputs_sparse(model): fills an empty `out`. */
mn_status mn_apply_sparse(mn_context *ctx, const mn_estimator *model, const mn_input *input, mn_csr *out);
bool mn_outputs_sparse(const mn_estimator *model);

/* Name of output column j of transform. inputs: names of the features, or NULL (then x1, x2, ...). */
void mn_output_name(const mn_estimator *model, size_t j, char *text, size_t size);

/* Levels of output column j of transform, NULL for numbers; and whether any column has levels. Columns of
 * inverse_transform have those of fit: model->feature_levels. */
const mn_levels *mn_output_levels(const mn_estimator *model, size_t j);
bool mn_has_output_levels(const mn_estimator *model);

/* Fails with "PCA: call fit before transform". */
mn_status mn_require_fitted(mn_context *ctx, const mn_estimator *model, const char *before);

/* The learned part of the common head, as a NULL-terminated field table. */
const mn_field *mn_base_fields(void);

#endif
