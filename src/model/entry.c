/* The entry points: every fit, predict and transform checks its input, works on a copy, and replaces on success. */
#include "../core/finite.h"
#include "../core/threads.h"
#include "check.h"
#include "operation.h"
#include <stdio.h>
#include <string.h>

mn_status mn_require_fitted(mn_context *ctx, const mn_estimator *model, const char *before)
{
  if (model->fitted) return MN_OK;
  if (model->class->accepts & MN_STATELESS) return MN_OK;
  return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: call fit before %s", model->class->name, before);
}

mn_status mn_final_status(mn_context *ctx, const mn_estimator *model, mn_status status)
{
  if (status == MN_OK) status = mn_error_status(ctx);
  if (status == MN_OK && mn_cancelled(ctx)) status = mn_fail(ctx, MN_CANCELLED, "cancelled");
  if (status == MN_BAD_DATA) mn_prefix_error(ctx, model->class->name);
  return status;
}

mn_status mn_learn_features(mn_context *ctx, mn_estimator *model, const mn_table *x)
{
  model->n_features = x->cols;
  if (x->names) MN_TRY(mn_names_init(ctx, &model->feature_names, x->names, x->cols));
  if (!x->levels || model->class->accepts & MN_TEXTS || x->records) return MN_OK;
  MN_TRY(mn_levels_list_init(ctx, &model->feature_levels, x->cols));
  for (size_t j = 0; j < x->cols; j++) model->feature_levels.at[j] = mn_levels_retain(x->levels[j]);
  return MN_OK;
}

static mn_status check_target_x(mn_context *ctx, const mn_class *class, const mn_input *input, mn_data *data)
{
  const mn_table *x = &input->target_x;
  if (x->rows == 0) return MN_OK;
  if (!(class->accepts & MN_TARGET_X))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s does not support the option 'target'", class->name);
  mn_data target = { 0 };
  MN_TRY(mn_check_fit_x(ctx, class, x, &target));
  if (target.features != data->features)
    return mn_fail(ctx, MN_BAD_DATA, "%s: target must have as many columns as X, %zu, got %zu", class->name,
                   data->features, target.features);
  data->target_x = &x->dense;
  return MN_OK;
}

static mn_status learn(mn_context *ctx, mn_estimator *model, mn_fit_function fit, const mn_data *data)
{
  MN_TRY(mn_final_status(ctx, model, fit(ctx, model, data)));
  return mn_choose_advice(ctx, model, data);
}

static mn_status fit_new(mn_context *ctx, mn_estimator *model, const mn_input *input)
{
  const mn_class *class = model->class;
  mn_data data = { 0 };
  MN_TRY(mn_check_fit_x(ctx, class, &input->x, &data));
  MN_TRY(mn_learn_features(ctx, model, &input->x));
  MN_TRY(mn_check_lengths(ctx, class, input, &data));
  MN_TRY(check_target_x(ctx, class, input, &data));
  MN_TRY(mn_check_folds(ctx, class, input, &data));
  MN_TRY(mn_check_init_score(ctx, class, input, &data));
  data.cache = input->cache;
  data.transformed = input->transformed;
  MN_TRY(mn_check_target(ctx, model, input, NULL, &data));
  MN_TRY(mn_check_eval(ctx, model, input, &data));
  return learn(ctx, model, class->fit, &data);
}

/* Return the copy if it was fitted, free it otherwise. */
static mn_status finish(mn_context *ctx, mn_status status, mn_estimator *copy, mn_mark mark, mn_estimator **fitted)
{
  if (status == MN_OK) {
    copy->fitted = true;
    *fitted = copy;
  } else {
    mn_estimator_free(mn_context_memory(ctx), copy);
  }
  mn_scratch_release(ctx, mark);
  return status;
}

/* `targets`: n_targets of the model before y was checked. */
static mn_status check_same_targets(mn_context *ctx, const mn_estimator *model, size_t targets)
{
  if (targets == model->n_targets) return MN_OK;
  return mn_fail(ctx, MN_BAD_DATA, "%s: y must have %zu columns, as in the first batch, got %zu", model->class->name,
                 targets, model->n_targets);
}

/* Fit more rows to a model that may be fitted already; then X and y must match it. */
static mn_status continue_fit(mn_context *ctx, mn_estimator *model, const mn_input *input, const mn_levels *classes,
                              const char *action, mn_fit_function fit)
{
  const mn_class *class = model->class;
  mn_data data = { 0 };
  MN_TRY(mn_adopt_settings(ctx, model));
  if (model->fitted) {
    MN_TRY(mn_check_apply_x(ctx, model, action, &input->x, &data));
    classes = model->classes;
  } else {
    MN_TRY(mn_check_fit_x(ctx, class, &input->x, &data));
    MN_TRY(mn_learn_features(ctx, model, &input->x));
  }
  const size_t targets = model->n_targets;
  const bool one_target = model->one_target;
  MN_TRY(mn_check_lengths(ctx, class, input, &data));
  MN_TRY(mn_check_init_score(ctx, class, input, &data));
  MN_TRY(mn_check_target(ctx, model, input, classes, &data));
  if (model->fitted) {
    MN_TRY(check_same_targets(ctx, model, targets));
    model->one_target = one_target;
  }
  MN_TRY(mn_check_eval(ctx, model, input, &data));
  return learn(ctx, model, fit, &data);
}

bool mn_can_resume(const mn_estimator *model)
{
  return model->fitted && model->class->can_resume && model->class->can_resume(mn_settings(model));
}

mn_status mn_fit(mn_context *ctx, const mn_estimator *model, const mn_input *input, mn_estimator **fitted)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const bool resume = mn_can_resume(model);
  mn_estimator *copy = resume ? mn_estimator_copy(ctx, model) : mn_estimator_clone(ctx, model);
  mn_status status = MN_NO_MEMORY;
  if (copy)
    status = resume ? continue_fit(ctx, copy, input, NULL, "fit", model->class->fit) : fit_new(ctx, copy, input);
  if (status != MN_OK && input->transformed) mn_csr_free(mn_context_memory(ctx), input->transformed);
  return finish(ctx, status, copy, mark, fitted);
}

mn_status mn_partial_fit(mn_context *ctx, const mn_estimator *model, const mn_input *input, const mn_levels *classes,
                         mn_estimator **fitted)
{
  if (!model->class->partial_fit) return mn_fail(ctx, MN_BAD_ARGUMENT, "%s has no partial_fit", model->class->name);
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_estimator *copy = mn_estimator_copy(ctx, model);
  mn_status status = MN_NO_MEMORY;
  if (copy) status = continue_fit(ctx, copy, input, classes, "partial_fit", model->class->partial_fit);
  return finish(ctx, status, copy, mark, fitted);
}

bool mn_can_update(const mn_estimator *model, const mn_input *input)
{
  return model->class->update && model->fitted && !model->settings && input->x.rows == 1;
}

static mn_status update(mn_context *ctx, mn_estimator *model, const mn_input *input, size_t targets)
{
  mn_data data = { 0 };
  MN_TRY(mn_check_apply_x(ctx, model, "partial_fit", &input->x, &data));
  MN_TRY(mn_check_lengths(ctx, model->class, input, &data));
  MN_TRY(mn_check_target(ctx, model, input, model->classes, &data));
  MN_TRY(check_same_targets(ctx, model, targets));
  MN_TRY(mn_final_status(ctx, model, MN_OK)); /* after this, the update cannot be cancelled */
  return model->class->update(ctx, model, &data);
}

mn_status mn_update(mn_context *ctx, mn_estimator *model, const mn_input *input)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const size_t targets = model->n_targets;
  const bool one_target = model->one_target;
  const mn_status status = update(ctx, model, input, targets);
  model->n_targets = targets;
  model->one_target = one_target;
  mn_scratch_release(ctx, mark);
  return status;
}

static const char *const action_names[MN_ACTIONS] = {
  [MN_PREDICT] = "predict",
  [MN_PREDICT_PROBA] = "predict_proba",
  [MN_PREDICT_LOG_PROBA] = "predict_log_proba",
  [MN_DECISION_FUNCTION] = "decision_function",
  [MN_TRANSFORM_X] = "transform",
  [MN_INVERSE_TRANSFORM] = "inverse_transform",
  [MN_SCORE_SAMPLES] = "score_samples",
};

const char *mn_action_name(mn_action action)
{
  return action < MN_ACTIONS ? action_names[action] : "action";
}

/* The function from which a classifier without predict derives its labels. */
static mn_apply_function scores_of(const mn_class *class)
{
  return class->decision ? class->decision : class->log_proba;
}

bool mn_class_supports(const mn_class *class, mn_action action)
{
  switch (action) {
  case MN_PREDICT: return class->predict || (class->capabilities & MN_CLASSIFY && scores_of(class));
  case MN_PREDICT_PROBA:
  case MN_PREDICT_LOG_PROBA: return class->log_proba != NULL;
  case MN_DECISION_FUNCTION: return class->decision != NULL;
  case MN_TRANSFORM_X: return class->transform || class->transform_sparse;
  case MN_INVERSE_TRANSFORM: return class->inverse_transform != NULL;
  case MN_SCORE_SAMPLES: return class->score_samples != NULL;
  case MN_ACTIONS: break;
  }
  return false;
}

bool mn_supports_action(const mn_estimator *model, mn_action action)
{
  const mn_class *class = model->class;
  return mn_class_supports(class, action) && (!class->supports || class->supports(model, action));
}

size_t mn_width(const mn_estimator *model, mn_action action)
{
  const mn_class *class = model->class;
  switch (action) {
  case MN_PREDICT: return class->capabilities & MN_REGRESS ? model->n_targets : 1;
  case MN_PREDICT_PROBA:
  case MN_PREDICT_LOG_PROBA:
    if (class->components) return class->components(model);
    return model->classes ? mn_levels_size(model->classes) : 1;
  case MN_DECISION_FUNCTION: return class->capabilities & MN_CLASSIFY ? mn_decisions(model) : 1;
  case MN_TRANSFORM_X: return class->outputs ? class->outputs(model) : model->n_features;
  case MN_INVERSE_TRANSFORM: return model->n_features;
  case MN_SCORE_SAMPLES:
  case MN_ACTIONS: break;
  }
  return 1;
}

/* The column with the largest score of each row, ties broken by the lowest index; a single column decides by its sign.
 */
static void predict_codes(const mn_matrix *scores, mn_matrix *out)
{
  for (size_t i = 0; i < scores->rows; i++) {
    const double *row = mn_row(scores, i);
    size_t best = 0;
    for (size_t c = 1; c < scores->cols; c++)
      if (row[c] > row[best]) best = c;
    out->at[i] = scores->cols == 1 ? (double)(row[0] > 0) : (double)best;
  }
}

enum { ZERO_BLOCK = 1 << 17 };

struct zeroing {
  double *at;
  mn_blocks blocks;
};

static void zero_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct zeroing *w = work;
  const size_t begin = mn_block_begin(&w->blocks, block);
  memset(w->at + begin, 0, (mn_block_end(&w->blocks, block) - begin) * sizeof *w->at);
}

/* Zero by all threads, cancellable, since the first write to fresh memory is expensive. */
static mn_status zero(mn_context *ctx, mn_matrix *out)
{
  struct zeroing w = { .at = out->at, .blocks = mn_make_blocks(out->rows * out->cols, ZERO_BLOCK, SIZE_MAX) };
  return mn_parallel(ctx, w.blocks.count, zero_block, &w);
}

static mn_status predict_by_scores(mn_context *ctx, const mn_estimator *model, const mn_data *data, mn_matrix *out)
{
  const mn_class *class = model->class;
  const size_t cols = class->decision ? mn_decisions(model) : mn_levels_size(model->classes);
  mn_matrix scores = { .at = MN_RAW(ctx, double, data->rows, cols), .rows = data->rows, .cols = cols };
  MN_CHECK_ALLOC(scores.at);
  MN_TRY(zero(ctx, &scores));
  MN_TRY(scores_of(class)(ctx, model, data, &scores));
  predict_codes(&scores, out);
  return MN_OK;
}

static mn_status run(mn_context *ctx, const mn_estimator *model, mn_action action, const mn_data *data, mn_matrix *out)
{
  const mn_class *class = model->class;
  switch (action) {
  case MN_PREDICT:
    return class->predict ? class->predict(ctx, model, data, out) : predict_by_scores(ctx, model, data, out);
  case MN_PREDICT_LOG_PROBA: return class->log_proba(ctx, model, data, out);
  case MN_PREDICT_PROBA:
    MN_TRY(class->log_proba(ctx, model, data, out));
    for (size_t i = 0; i < out->rows * out->cols; i++) out->at[i] = exp(out->at[i]);
    return MN_OK;
  case MN_DECISION_FUNCTION: return class->decision(ctx, model, data, out);
  case MN_TRANSFORM_X: return class->transform(ctx, model, data, out);
  case MN_INVERSE_TRANSFORM: return class->inverse_transform(ctx, model, data, out);
  case MN_SCORE_SAMPLES: return class->score_samples(ctx, model, data, out);
  case MN_ACTIONS: break;
  }
  return MN_OK;
}

static mn_status no_action(mn_context *ctx, const mn_class *class, mn_action action)
{
  const char *setting = class->supports_when ? class->supports_when : "others, see its help";
  if (mn_class_supports(class, action))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s has no %s with these parameters; set %s", class->name,
                   mn_action_name(action), setting);
  return mn_fail(ctx, MN_BAD_ARGUMENT, "%s has no %s", class->name, mn_action_name(action));
}

static mn_status apply(mn_context *ctx, const mn_estimator *model, mn_action action, const mn_input *input,
                       mn_matrix *out)
{
  mn_data data = { 0 };
  if (action == MN_INVERSE_TRANSFORM)
    MN_TRY(mn_check_inverse_x(ctx, model, &input->x, &data));
  else
    MN_TRY(mn_check_apply_x(ctx, model, mn_action_name(action), &input->x, &data));
  MN_TRY(mn_check_lengths(ctx, model->class, input, &data));
  const bool transforms = action == MN_TRANSFORM_X || action == MN_INVERSE_TRANSFORM;
  if (!(transforms && model->class->overwrites)) MN_TRY(zero(ctx, out));
  return mn_final_status(ctx, model, run(ctx, model, action, &data, out));
}

mn_status mn_apply(mn_context *ctx, const mn_estimator *model, mn_action action, const mn_input *input, mn_matrix *out)
{
  if (!mn_supports_action(model, action)) return no_action(ctx, model->class, action);
  const mn_mark mark = mn_scratch_mark(ctx);
  const mn_status status = apply(ctx, model, action, input, out);
  mn_scratch_release(ctx, mark);
  return status;
}

/* Training features of the rows that fit used; rows of weight 0 are transformed like new rows. */
static mn_status transform_used_rows(mn_context *ctx, const mn_estimator *model, const mn_input *input,
                                     const mn_data *data, mn_matrix *out)
{
  const mn_class *class = model->class;
  mn_matrix part = *out;
  if (data->unfiltered) {
    const mn_input rows = { .x = input->x, .lengths = input->lengths, .n_lengths = input->n_lengths };
    MN_TRY(mn_apply(ctx, model, MN_TRANSFORM_X, &rows, out));
    part = (mn_matrix){ .at = MN_RAW(ctx, double, data->rows, out->cols), .rows = data->rows, .cols = out->cols };
    MN_CHECK_ALLOC(part.at);
  }
  MN_TRY(zero(ctx, &part));
  MN_TRY(mn_final_status(ctx, model, class->training_transform(ctx, model, data, &part)));
  for (size_t i = 0; data->unfiltered && i < data->rows; i++)
    memcpy(mn_row(out, data->kept_rows[i]), mn_row(&part, i), out->cols * sizeof *out->at);
  return MN_OK;
}

/* y is checked as in fit, on a clone, which learns the same classes. */
static mn_status transform_training(mn_context *ctx, const mn_estimator *model, const mn_input *input, mn_matrix *out)
{
  mn_data data = { 0 };
  mn_estimator *clone = mn_estimator_clone(ctx, model);
  MN_CHECK_ALLOC(clone);
  mn_status status = mn_check_apply_x(ctx, model, "fit_transform", &input->x, &data);
  if (status == MN_OK) status = mn_check_lengths(ctx, model->class, input, &data);
  if (status == MN_OK) status = mn_check_folds(ctx, model->class, input, &data);
  if (status == MN_OK) status = mn_check_target(ctx, clone, input, NULL, &data);
  if (status == MN_OK) status = transform_used_rows(ctx, model, input, &data, out);
  mn_estimator_free(mn_context_memory(ctx), clone);
  return status;
}

mn_status mn_transform_training(mn_context *ctx, const mn_estimator *model, const mn_input *input, mn_matrix *out)
{
  if (!model->class->training_transform) return mn_apply(ctx, model, MN_TRANSFORM_X, input, out);
  const mn_mark mark = mn_scratch_mark(ctx);
  const mn_status status = transform_training(ctx, model, input, out);
  mn_scratch_release(ctx, mark);
  return status;
}

bool mn_outputs_sparse(const mn_estimator *model, const mn_table *x)
{
  const mn_class *class = model->class;
  if (class->keeps_sparse && !x->sparse) return false;
  return class->transform_sparse && (!class->outputs_sparse || class->outputs_sparse(model));
}

mn_status mn_apply_sparse(mn_context *ctx, const mn_estimator *model, const mn_input *input, mn_csr *out)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_data data = { 0 };
  mn_status status = mn_check_apply_x(ctx, model, "transform", &input->x, &data);
  if (status == MN_OK) status = mn_check_lengths(ctx, model->class, input, &data);
  if (status == MN_OK) status = mn_final_status(ctx, model, model->class->transform_sparse(ctx, model, &data, out));
  if (status != MN_OK) mn_csr_free(mn_context_memory(ctx), out);
  mn_scratch_release(ctx, mark);
  return status;
}

void mn_output_name(const mn_estimator *model, size_t j, char *text, size_t size)
{
  const mn_class *class = model->class;
  const char *const *inputs = model->feature_names.size > 0 ? (const char *const *)model->feature_names.at : NULL;
  if (class->output_name)
    class->output_name(model, j, inputs, text, size);
  else if (!class->outputs && inputs)
    snprintf(text, size, "%s", inputs[j]);
  else if (!class->outputs)
    snprintf(text, size, "x%zu", j + 1);
  else {
    snprintf(text, size, "%s%zu", class->name, j + 1);
    for (char *c = text; *c; c++)
      if (*c >= 'A' && *c <= 'Z') *c = (char)(*c - 'A' + 'a');
  }
}

bool mn_output_is_whole(const mn_estimator *model, size_t j)
{
  return model->class->outputs_whole && model->class->outputs_whole(model, j);
}

const mn_levels *mn_output_levels(const mn_estimator *model, size_t j)
{
  return model->class->output_levels ? model->class->output_levels(model, j) : NULL;
}

bool mn_has_output_levels(const mn_estimator *model)
{
  if (!model->class->output_levels) return false;
  const size_t width = mn_width(model, MN_TRANSFORM_X);
  for (size_t j = 0; j < width; j++)
    if (mn_output_levels(model, j)) return true;
  return false;
}

const mn_operation *mn_operation_named(const mn_class *class, const char *name)
{
  for (const mn_operation *o = class->operations; o && o->name; o++)
    if (strcmp(o->name, name) == 0) return o;
  return NULL;
}

/* With X, and y if needed, checked as in fit. */
static mn_status run_unfitted(mn_context *ctx, const mn_estimator *model, const mn_operation *operation,
                              const mn_input *input, const void *options, mn_results *results)
{
  mn_data data = { 0 };
  mn_estimator *copy = mn_estimator_clone(ctx, model);
  MN_CHECK_ALLOC(copy);
  const bool needs_rows = operation->needs & (MN_NEEDS_X | MN_TAKES_ROWS);
  mn_status status = needs_rows ? mn_check_fit_x(ctx, model->class, &input->x, &data) : MN_OK;
  if (status == MN_OK && needs_rows) status = mn_check_lengths(ctx, model->class, input, &data);
  if (status == MN_OK && operation->needs & MN_NEEDS_Y) status = mn_check_target(ctx, copy, input, NULL, &data);
  if (status == MN_OK) status = mn_final_status(ctx, copy, operation->run(ctx, copy, &data, options, results));
  mn_estimator_free(mn_context_memory(ctx), copy);
  return status;
}

static mn_status run_operation(mn_context *ctx, const mn_estimator *model, const mn_operation *operation,
                               const mn_input *input, const void *options, mn_results *results)
{
  mn_data data = { 0 };
  if (!model->fitted && operation->needs & MN_WORKS_UNFITTED)
    return run_unfitted(ctx, model, operation, input, options, results);
  MN_TRY(mn_require_fitted(ctx, model, operation->name));
  const bool takes_rows = operation->needs & MN_TAKES_ROWS && input && input->x.rows > 0;
  const bool without_x = operation->needs & MN_X_OR_NIL && !(input && input->x.rows > 0);
  if ((operation->needs & MN_NEEDS_X && !without_x) || takes_rows) {
    MN_TRY(mn_check_apply_x(ctx, model, operation->name, &input->x, &data));
    MN_TRY(mn_check_lengths(ctx, model->class, input, &data));
  }
  if (operation->needs & MN_NEEDS_Y || takes_rows) MN_TRY(mn_check_target_like_fit(ctx, model, &input->y, &data));
  return mn_final_status(ctx, model, operation->run(ctx, model, &data, options, results));
}

mn_status mn_run_operation(mn_context *ctx, const mn_estimator *model, const mn_operation *operation,
                           const mn_input *input, const void *options, mn_results *results)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const mn_status status = run_operation(ctx, model, operation, input, options, results);
  mn_scratch_release(ctx, mark);
  return status;
}

mn_status mn_modify(mn_context *ctx, const mn_estimator *model, const mn_operation *operation, const void *options,
                    mn_estimator **modified)
{
  MN_TRY(mn_require_fitted(ctx, model, operation->name));
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_estimator *copy = mn_estimator_copy(ctx, model);
  mn_status status = MN_NO_MEMORY;
  if (copy) status = mn_final_status(ctx, copy, operation->modify(ctx, copy, options));
  return finish(ctx, status, copy, mark, modified);
}
