/* The one way through which every fit, predict and transform goes. */
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

/* What an algorithm that came to its end may still have met: a failure that it noted (mn_round), or a wish to cancel.
 */
static mn_status outcome(mn_context *ctx, mn_status status)
{
  if (status == MN_OK) status = mn_error_status(ctx);
  if (status == MN_OK && mn_cancelled(ctx)) status = mn_fail(ctx, MN_CANCELLED, "cancelled");
  return status;
}

static mn_status learn_head(mn_context *ctx, mn_estimator *draft, const mn_table *x)
{
  draft->n_features = x->cols;
  if (x->names) MN_TRY(mn_names_init(ctx, &draft->feature_names, x->names, x->cols));
  if (!x->levels) return MN_OK;
  MN_TRY(mn_levels_list_init(ctx, &draft->feature_levels, x->cols));
  for (size_t j = 0; j < x->cols; j++) draft->feature_levels.at[j] = mn_levels_retain(x->levels[j]);
  return MN_OK;
}

static mn_status check_target_x(mn_context *ctx, const mn_class *class, const mn_input *input, mn_data *data)
{
  const mn_table *x = &input->target_x;
  if (x->rows == 0) return MN_OK;
  if (!(class->accepts & MN_TARGET_X)) return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: takes no target X", class->name);
  mn_data target = { 0 };
  MN_TRY(mn_check_fit_x(ctx, class, x, &target));
  if (target.features != data->features)
    return mn_fail(ctx, MN_BAD_DATA, "%s: target must have as many columns as X, %zu, got %zu", class->name,
                   data->features, target.features);
  data->target_x = &x->dense;
  return MN_OK;
}

static mn_status check_init_score(mn_context *ctx, const mn_class *class, const mn_input *input, mn_data *data)
{
  const mn_matrix *score = &input->init_score;
  char number[MN_NUMBER_SIZE];
  size_t first;
  if (!score->at) return MN_OK;
  if (!(class->accepts & MN_INIT_SCORE)) return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: takes no init_score", class->name);
  if (score->rows != data->rows)
    return mn_fail(ctx, MN_BAD_DATA, "%s: init_score must have as many rows as X, %zu, got %zu", class->name,
                   data->rows, score->rows);
  MN_TRY(mn_find_beyond(ctx, score->rows * score->cols, score->at, INFINITY, &first));
  if (first < score->rows * score->cols)
    return mn_fail(ctx, MN_BAD_DATA, "%s: init_score must be finite, got %s at row %zu", class->name,
                   mn_format_number(number, score->at[first]), first / score->cols + 1);
  data->init_score = *score;
  return MN_OK;
}

static mn_status fit_draft(mn_context *ctx, mn_estimator *draft, const mn_input *input)
{
  const mn_class *class = draft->class;
  mn_data data = { 0 };
  MN_TRY(mn_check_fit_x(ctx, class, &input->x, &data));
  MN_TRY(learn_head(ctx, draft, &input->x));
  MN_TRY(mn_check_lengths(ctx, class, input, &data));
  MN_TRY(check_target_x(ctx, class, input, &data));
  MN_TRY(check_init_score(ctx, class, input, &data));
  data.cache = input->cache;
  MN_TRY(mn_check_target(ctx, draft, input, NULL, &data));
  return outcome(ctx, class->fit(ctx, draft, &data));
}

/* Hand a fitted draft over, or throw a half-made one away. */
static mn_status settle(mn_context *ctx, mn_status status, mn_estimator *draft, mn_mark mark, mn_estimator **fitted)
{
  if (status == MN_OK) {
    draft->fitted = true;
    *fitted = draft;
  } else {
    mn_estimator_free(mn_context_memory(ctx), draft);
  }
  mn_scratch_release(ctx, mark);
  return status;
}

/* `targets`: those of the model before y was looked at. */
static mn_status same_targets(mn_context *ctx, const mn_estimator *model, size_t targets)
{
  if (targets == model->n_targets) return MN_OK;
  return mn_fail(ctx, MN_BAD_DATA, "%s: y must have %zu columns, as before, got %zu", model->class->name, targets,
                 model->n_targets);
}

/* Rows for a model that may have learned from others: these are of its columns and classes then. */
static mn_status go_on_draft(mn_context *ctx, mn_estimator *draft, const mn_input *input, const mn_levels *classes,
                             const char *action, mn_fit_function learn)
{
  const mn_class *class = draft->class;
  mn_data data = { 0 };
  if (draft->fitted) {
    MN_TRY(mn_check_apply_x(ctx, draft, action, &input->x, &data));
    classes = draft->classes;
  } else {
    MN_TRY(mn_check_fit_x(ctx, class, &input->x, &data));
    MN_TRY(learn_head(ctx, draft, &input->x));
  }
  const size_t targets = draft->n_targets;
  const bool one_target = draft->one_target;
  MN_TRY(mn_check_lengths(ctx, class, input, &data));
  MN_TRY(check_init_score(ctx, class, input, &data));
  MN_TRY(mn_check_target(ctx, draft, input, classes, &data));
  if (draft->fitted) {
    MN_TRY(same_targets(ctx, draft, targets));
    draft->one_target = one_target;
  }
  return outcome(ctx, learn(ctx, draft, &data));
}

bool mn_can_resume(const mn_estimator *model)
{
  return model->fitted && model->class->can_resume && model->class->can_resume(model);
}

mn_status mn_fit(mn_context *ctx, const mn_estimator *model, const mn_input *input, mn_estimator **fitted)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const bool goes_on = mn_can_resume(model);
  mn_estimator *draft = goes_on ? mn_estimator_copy(ctx, model) : mn_estimator_clone(ctx, model);
  mn_status status = MN_NO_MEMORY;
  if (draft)
    status = goes_on ? go_on_draft(ctx, draft, input, NULL, "fit", model->class->fit) : fit_draft(ctx, draft, input);
  return settle(ctx, status, draft, mark, fitted);
}

mn_status mn_partial_fit(mn_context *ctx, const mn_estimator *model, const mn_input *input, const mn_levels *classes,
                         mn_estimator **fitted)
{
  if (!model->class->partial_fit) return mn_fail(ctx, MN_BAD_ARGUMENT, "%s has no partial_fit", model->class->name);
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_estimator *draft = mn_estimator_copy(ctx, model);
  mn_status status = MN_NO_MEMORY;
  if (draft) status = go_on_draft(ctx, draft, input, classes, "partial_fit", model->class->partial_fit);
  return settle(ctx, status, draft, mark, fitted);
}

bool mn_can_update(const mn_estimator *model, const mn_input *input)
{
  return model->class->update && model->fitted && input->x.rows == 1;
}

static mn_status update(mn_context *ctx, mn_estimator *model, const mn_input *input, size_t targets)
{
  mn_data data = { 0 };
  MN_TRY(mn_check_apply_x(ctx, model, "partial_fit", &input->x, &data));
  MN_TRY(mn_check_lengths(ctx, model->class, input, &data));
  MN_TRY(mn_check_target(ctx, model, input, model->classes, &data));
  MN_TRY(same_targets(ctx, model, targets));
  MN_TRY(outcome(ctx, MN_OK)); /* the last moment at which the user may cancel */
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

/* Decision or probability, whichever the class has: what the labels of a classifier without predict follow from. */
static mn_apply_function ranking(const mn_class *class)
{
  return class->decision ? class->decision : class->log_proba;
}

bool mn_class_supports(const mn_class *class, mn_action action)
{
  switch (action) {
  case MN_PREDICT: return class->predict || (class->capabilities & MN_CLASSIFY && ranking(class));
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
  case MN_PREDICT_LOG_PROBA: return model->classes ? mn_levels_size(model->classes) : 1;
  case MN_DECISION_FUNCTION: return class->capabilities & MN_CLASSIFY ? mn_decisions(model) : 1;
  case MN_TRANSFORM_X: return class->outputs ? class->outputs(model) : model->n_features;
  case MN_INVERSE_TRANSFORM: return model->n_features;
  case MN_SCORE_SAMPLES:
  case MN_ACTIONS: break;
  }
  return 1;
}

/* The largest of each row; the lowest index among equals. One column: its sign. */
static void choose(const mn_matrix *scores, mn_matrix *out)
{
  for (size_t i = 0; i < scores->rows; i++) {
    const double *row = mn_row(scores, i);
    size_t best = 0;
    for (size_t c = 1; c < scores->cols; c++)
      if (row[c] > row[best]) best = c;
    out->at[i] = scores->cols == 1 ? (double)(row[0] > 0) : (double)best;
  }
}

enum { CLEAR_BLOCK = 1 << 17 };

struct clearing {
  double *at;
  mn_blocks blocks;
};

static void clear_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct clearing *w = work;
  const size_t begin = mn_block_begin(&w->blocks, block);
  memset(w->at + begin, 0, (mn_block_end(&w->blocks, block) - begin) * sizeof *w->at);
}

/* By all threads, and to be interrupted: the first touch of fresh memory is the dear one. */
static mn_status clear(mn_context *ctx, mn_matrix *out)
{
  struct clearing w = { .at = out->at, .blocks = mn_make_blocks(out->rows * out->cols, CLEAR_BLOCK, SIZE_MAX) };
  return mn_parallel(ctx, w.blocks.count, clear_block, &w);
}

static mn_status predict_by_ranking(mn_context *ctx, const mn_estimator *model, const mn_data *data, mn_matrix *out)
{
  const mn_class *class = model->class;
  const size_t cols = class->decision ? mn_decisions(model) : mn_levels_size(model->classes);
  mn_matrix scores = { .at = MN_RAW(ctx, double, data->rows, cols), .rows = data->rows, .cols = cols };
  MN_CHECK_ALLOC(scores.at);
  MN_TRY(clear(ctx, &scores));
  MN_TRY(ranking(class)(ctx, model, data, &scores));
  choose(&scores, out);
  return MN_OK;
}

static mn_status run(mn_context *ctx, const mn_estimator *model, mn_action action, const mn_data *data, mn_matrix *out)
{
  const mn_class *class = model->class;
  switch (action) {
  case MN_PREDICT:
    return class->predict ? class->predict(ctx, model, data, out) : predict_by_ranking(ctx, model, data, out);
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
  if (!(transforms && model->class->overwrites)) MN_TRY(clear(ctx, out));
  return outcome(ctx, run(ctx, model, action, &data, out));
}

mn_status mn_apply(mn_context *ctx, const mn_estimator *model, mn_action action, const mn_input *input, mn_matrix *out)
{
  if (!mn_supports_action(model, action)) return no_action(ctx, model->class, action);
  const mn_mark mark = mn_scratch_mark(ctx);
  const mn_status status = apply(ctx, model, action, input, out);
  mn_scratch_release(ctx, mark);
  return status;
}

bool mn_outputs_sparse(const mn_estimator *model)
{
  const mn_class *class = model->class;
  return class->transform_sparse && (!class->outputs_sparse || class->outputs_sparse(model));
}

mn_status mn_apply_sparse(mn_context *ctx, const mn_estimator *model, const mn_input *input, mn_csr *out)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_data data = { 0 };
  mn_status status = mn_check_apply_x(ctx, model, "transform", &input->x, &data);
  if (status == MN_OK) status = outcome(ctx, model->class->transform_sparse(ctx, model, &data, out));
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

static mn_status operate(mn_context *ctx, const mn_estimator *model, const mn_operation *operation,
                         const mn_input *input, const void *options, mn_results *results)
{
  mn_data data = { 0 };
  MN_TRY(mn_require_fitted(ctx, model, operation->name));
  if (operation->needs & MN_NEEDS_X) MN_TRY(mn_check_apply_x(ctx, model, operation->name, &input->x, &data));
  if (operation->needs & MN_NEEDS_Y) MN_TRY(mn_check_target_like_fit(ctx, model, &input->y, &data));
  return outcome(ctx, operation->run(ctx, model, &data, options, results));
}

mn_status mn_run_operation(mn_context *ctx, const mn_estimator *model, const mn_operation *operation,
                           const mn_input *input, const void *options, mn_results *results)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const mn_status status = operate(ctx, model, operation, input, options, results);
  mn_scratch_release(ctx, mark);
  return status;
}
