/* Create, copy, free, fit and apply plans. Data between two steps are in scratch. */
#include "plan.h"
#include "../model/table.h"
#include <stdio.h>
#include <string.h>

mn_plan *mn_plan_new(mn_context *ctx, mn_plan_kind kind, size_t parts)
{
  size_t bytes;
  mn_memory *memory = mn_context_memory(ctx);
  mn_plan *plan = mn_alloc(memory, sizeof *plan);
  mn_plan_part *part = mn_checked_size(sizeof *part, parts, 1, &bytes) ? mn_alloc(memory, bytes) : NULL;
  if (!plan || !part) {
    mn_free(memory, plan);
    mn_free(memory, part);
    mn_fail(ctx, MN_NO_MEMORY, "not enough memory for a plan of %zu parts", parts);
    return NULL;
  }
  *plan = (mn_plan){ .kind = kind, .part = part, .parts = parts };
  memset(part, 0, parts * sizeof *part);
  return plan;
}

static void free_part(mn_memory *memory, mn_plan_part *part)
{
  mn_value_free(memory, MN_KIND_TEXT, &part->name);
  mn_value_free(memory, MN_KIND_NAMES, &part->names);
  mn_indexes_free(memory, &part->index);
  mn_indexes_free(memory, &part->chosen);
  mn_plan_free(memory, part->plan);
}

void mn_plan_free(mn_memory *memory, mn_plan *plan)
{
  if (!plan) return;
  for (size_t p = 0; p < plan->parts; p++) free_part(memory, &plan->part[p]);
  mn_estimator_free(memory, plan->model);
  mn_value_free(memory, MN_KIND_NAMES, &plan->feature_names);
  mn_free(memory, plan->part);
  mn_free(memory, plan);
}

static mn_status copy_part(mn_context *ctx, const mn_plan_part *from, mn_plan_part *to)
{
  to->by = from->by;
  MN_TRY(mn_value_copy(ctx, MN_KIND_TEXT, &from->name, &to->name));
  MN_TRY(mn_value_copy(ctx, MN_KIND_NAMES, &from->names, &to->names));
  MN_TRY(mn_value_copy(ctx, MN_KIND_INDEXES, &from->index, &to->index));
  if (!from->plan) return MN_OK;
  to->plan = mn_plan_clone(ctx, from->plan);
  return to->plan ? MN_OK : MN_NO_MEMORY;
}

mn_plan *mn_plan_clone(mn_context *ctx, const mn_plan *plan)
{
  mn_plan *made = mn_plan_new(ctx, plan->kind, plan->parts);
  if (!made) return NULL;
  made->prefix = plan->prefix;
  made->sparse_threshold = plan->sparse_threshold;
  mn_status status = MN_OK;
  if (plan->model) {
    made->model = mn_estimator_clone(ctx, plan->model);
    status = made->model ? MN_OK : MN_NO_MEMORY;
  }
  for (size_t p = 0; status == MN_OK && p < plan->parts; p++) status = copy_part(ctx, &plan->part[p], &made->part[p]);
  if (status == MN_OK) return made;
  mn_plan_free(mn_context_memory(ctx), made);
  return NULL;
}

static mn_status deep_copy_part(mn_context *ctx, const mn_plan_part *from, mn_plan_part *to, bool learned)
{
  to->by = from->by;
  MN_TRY(mn_value_copy(ctx, MN_KIND_TEXT, &from->name, &to->name));
  MN_TRY(mn_value_copy(ctx, MN_KIND_NAMES, &from->names, &to->names));
  MN_TRY(mn_value_copy(ctx, MN_KIND_INDEXES, &from->index, &to->index));
  if (learned) MN_TRY(mn_value_copy(ctx, MN_KIND_INDEXES, &from->chosen, &to->chosen));
  if (!from->plan) return MN_OK;
  to->plan = mn_plan_deep_copy(ctx, from->plan, learned);
  return to->plan ? MN_OK : MN_NO_MEMORY;
}

static mn_status deep_copy(mn_context *ctx, const mn_plan *from, mn_plan *to, bool learned)
{
  to->prefix = from->prefix;
  to->sparse_threshold = from->sparse_threshold;
  if (from->model) {
    to->model = mn_estimator_deep_copy(ctx, from->model, learned || mn_can_resume(from->model));
    if (!to->model) return MN_NO_MEMORY;
  }
  for (size_t p = 0; p < from->parts; p++) MN_TRY(deep_copy_part(ctx, &from->part[p], &to->part[p], learned));
  if (!learned) return MN_OK;
  to->fitted = from->fitted;
  to->sparse = from->sparse;
  to->n_features = from->n_features;
  return mn_value_copy(ctx, MN_KIND_NAMES, &from->feature_names, &to->feature_names);
}

mn_plan *mn_plan_deep_copy(mn_context *ctx, const mn_plan *plan, bool learned)
{
  mn_plan *made = mn_plan_new(ctx, plan->kind, plan->parts);
  if (!made || deep_copy(ctx, plan, made, learned) == MN_OK) return made;
  mn_plan_free(mn_context_memory(ctx), made);
  return NULL;
}

const mn_estimator *mn_plan_final(const mn_plan *plan)
{
  if (!plan) return NULL;
  if (plan->kind == MN_PLAN_CHAIN) return plan->parts > 0 ? mn_plan_final(plan->part[plan->parts - 1].plan) : NULL;
  return plan->model;
}

/* --- one model --- */

/* Move a sparse result to scratch. */
static mn_status move_to_scratch(mn_context *ctx, mn_csr *made, mn_table *out)
{
  const size_t nonzeros = made->start[made->rows];
  mn_csr *s = MN_RAW(ctx, mn_csr, 1, 1);
  size_t *start = MN_RAW(ctx, size_t, made->rows + 1, 1);
  int32_t *col = MN_RAW(ctx, int32_t, nonzeros, 1);
  double *at = MN_RAW(ctx, double, nonzeros, 1);
  const bool allocated = s && start && col && at;
  if (allocated) {
    memcpy(start, made->start, (made->rows + 1) * sizeof *start);
    memcpy(col, made->col, nonzeros * sizeof *col);
    memcpy(at, made->at, nonzeros * sizeof *at);
    *s = (mn_csr){ .rows = made->rows, .cols = made->cols, .start = start, .col = col, .at = at };
    *out = (mn_table){ .sparse = s, .rows = s->rows, .cols = s->cols };
  }
  mn_csr_free(mn_context_memory(ctx), made);
  return allocated ? MN_OK : MN_NO_MEMORY;
}

enum { NAME_SIZE = 256 };

static mn_status output_names(mn_context *ctx, const mn_estimator *model, size_t n, const char *const **out)
{
  const char **names = MN_RAW(ctx, const char *, n, 1);
  MN_CHECK_ALLOC(names);
  for (size_t j = 0; j < n; j++) {
    char text[NAME_SIZE];
    MN_TRY(mn_poll(ctx));
    mn_output_name(model, j, text, sizeof text);
    const size_t size = strlen(text) + 1;
    char *copy = MN_RAW(ctx, char, size, 1);
    MN_CHECK_ALLOC(copy);
    names[j] = memcpy(copy, text, size);
  }
  *out = names;
  return MN_OK;
}

static mn_status output_levels(mn_context *ctx, const mn_estimator *model, size_t n, const mn_levels *const **out)
{
  if (!mn_has_output_levels(model)) return MN_OK;
  const mn_levels **levels = MN_RAW(ctx, const mn_levels *, n, 1);
  MN_CHECK_ALLOC(levels);
  for (size_t j = 0; j < n; j++) levels[j] = mn_output_levels(model, j);
  *out = levels;
  return MN_OK;
}

/* Transform input->x: rows to which the model was just fitted, if `training`. */
static mn_status transform_model(mn_context *ctx, const mn_estimator *model, const mn_input *input, bool training,
                                 mn_table *out)
{
  const mn_table *x = &input->x;
  if (!mn_class_supports(model->class, MN_TRANSFORM_X))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s has no transform", model->class->name);
  MN_TRY(mn_require_fitted(ctx, model, "transform"));
  if (mn_outputs_sparse(model, x)) {
    mn_csr made = { 0 };
    MN_TRY(mn_apply_sparse(ctx, model, input, &made));
    return move_to_scratch(ctx, &made, out);
  }
  const size_t width = mn_width(model, MN_TRANSFORM_X);
  *out = (mn_table){ .rows = x->rows, .cols = width };
  out->dense = (mn_matrix){ .at = MN_NEW(ctx, double, x->rows, width), .rows = x->rows, .cols = width };
  MN_CHECK_ALLOC(out->dense.at);
  MN_TRY(training ? mn_transform_training(ctx, model, input, &out->dense)
                  : mn_apply(ctx, model, MN_TRANSFORM_X, input, &out->dense));
  MN_TRY(output_levels(ctx, model, width, &out->levels));
  return x->names ? output_names(ctx, model, width, &out->names) : MN_OK;
}

/* --- side by side --- */

static mn_status join_names(mn_context *ctx, const mn_plan *plan, const mn_table *made, const char *const **out)
{
  size_t cols = 0, next = 0;
  for (size_t p = 0; p < plan->parts; p++) cols += made[p].cols;
  const char **names = MN_RAW(ctx, const char *, cols, 1);
  MN_CHECK_ALLOC(names);
  for (size_t p = 0; p < plan->parts; p++)
    for (size_t j = 0; j < made[p].cols; j++) {
      const char *part = plan->part[p].name.bytes, *name = made[p].names ? made[p].names[j] : "";
      const size_t size = strlen(part) + strlen(name) + 3;
      char *text = MN_RAW(ctx, char, size, 1);
      MN_CHECK_ALLOC(text);
      snprintf(text, size, "%s%s%s", plan->prefix ? part : "", plan->prefix ? "__" : "", name);
      names[next++] = text;
    }
  *out = names;
  return MN_OK;
}

/* Whether to join the results sparse: if one is sparse and their density is below the threshold. Factor codes are
 * always dense. */
static bool joins_sparse(const mn_plan *plan, const mn_table *made, size_t rows)
{
  bool any = false;
  for (size_t p = 0; p < plan->parts; p++) {
    if (made[p].levels) return false;
    any = any || made[p].sparse;
  }
  return any && mn_table_density(made, plan->parts, rows) < plan->sparse_threshold;
}

static mn_status join(mn_context *ctx, const mn_plan *plan, const mn_table *x, const mn_table *made, mn_table *out)
{
  const char *const *names = NULL;
  if (x->names && !plan->sparse) MN_TRY(join_names(ctx, plan, made, &names));
  return mn_table_hconcat(ctx, made, plan->parts, x->rows, plan->sparse, names, out);
}

/* --- all kinds --- */

static mn_status fit_node(mn_context *ctx, mn_plan *plan, const mn_input *input, mn_table *out);

/* Whether a part is dropped or has no columns. */
static bool is_idle(const mn_plan *plan, size_t p)
{
  return !plan->part[p].plan || (plan->kind == MN_PLAN_COLUMNS && plan->part[p].chosen.size == 0);
}

static mn_status fit_parts(mn_context *ctx, mn_plan *plan, const mn_input *input, mn_table *out)
{
  mn_table *made = MN_NEW(ctx, mn_table, plan->parts, 1);
  MN_CHECK_ALLOC(made);
  MN_TRY(mn_plan_learn_columns(ctx, plan, &input->x));
  if (input->weights)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s does not support the option 'weights'; pass them to a part by its name",
                   mn_plan_name(plan));
  for (size_t p = 0; p < plan->parts; p++) {
    mn_input seen = { .y = input->y };
    if (is_idle(plan, p)) continue;
    MN_TRY(mn_plan_part_input(ctx, plan, p, &input->x, &seen.x));
    MN_TRY(fit_node(ctx, plan->part[p].plan, &seen, &made[p]));
  }
  plan->sparse = joins_sparse(plan, made, input->x.rows);
  plan->fitted = true;
  return out ? join(ctx, plan, &input->x, made, out) : MN_OK;
}

static mn_status transform_parts(mn_context *ctx, const mn_plan *plan, const mn_table *x, mn_table *out)
{
  if (!plan->fitted) return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: call fit before transform", mn_plan_name(plan));
  const bool by_name = x->names && plan->feature_names.size > 0;
  if (x->cols != plan->n_features && !(by_name && plan->kind == MN_PLAN_COLUMNS))
    return mn_fail(ctx, MN_BAD_DATA, "%s: X must have %zu columns, as in fit, got %zu", mn_plan_name(plan),
                   plan->n_features, x->cols);
  mn_table *made = MN_NEW(ctx, mn_table, plan->parts, 1);
  MN_CHECK_ALLOC(made);
  for (size_t p = 0; p < plan->parts; p++) {
    mn_table seen;
    if (is_idle(plan, p)) continue;
    MN_TRY(mn_plan_part_input(ctx, plan, p, x, &seen));
    MN_TRY(mn_plan_transform(ctx, plan->part[p].plan, &seen, &made[p]));
  }
  return join(ctx, plan, x, made, out);
}

/* Fit a model that resamples; *input becomes that of the next step. */
static mn_status fit_resampler(mn_context *ctx, mn_plan *plan, mn_input *input)
{
  mn_estimator *fitted = NULL;
  mn_resampled rows;
  MN_TRY(mn_fit_resample(ctx, plan->model, input, &fitted, &rows));
  mn_estimator_free(mn_context_memory(ctx), plan->model);
  plan->model = fitted;
  return mn_resampled_input(ctx, plan->model->class->name, input, &rows, input);
}

static bool takes_lengths(const mn_plan *plan)
{
  if (plan->kind == MN_PLAN_MODEL) return plan->model->class->accepts & MN_LENGTHS;
  bool any = false;
  for (size_t p = 0; plan->kind == MN_PLAN_CHAIN && p < plan->parts; p++)
    any = any || takes_lengths(plan->part[p].plan);
  return any;
}

/* Weights and the second X are passed to the last part, lengths to all parts that use them. Steps that resample change
 * the rows of fit only: *out is then the transform of the given rows. */
static mn_status fit_chain(mn_context *ctx, mn_plan *plan, const mn_input *input, mn_table *out)
{
  mn_input now = *input;
  bool resampled = false;
  for (size_t p = 0; p < plan->parts; p++) {
    mn_plan *part = plan->part[p].plan;
    const bool last = p + 1 == plan->parts;
    mn_input step = { .x = now.x, .y = now.y };
    if (takes_lengths(part)) {
      step.lengths = input->lengths;
      step.n_lengths = input->n_lengths;
    } else if (last && takes_lengths(plan)) {
      now.lengths = NULL;
      now.n_lengths = 0;
    }
    if (!last && part->kind == MN_PLAN_MODEL && part->model->class->resample) {
      MN_TRY(fit_resampler(ctx, part, &now));
      resampled = true;
    } else {
      MN_TRY(fit_node(ctx, part, last ? &now : &step, !last ? &now.x : resampled ? NULL : out));
    }
  }
  return resampled && out ? mn_plan_transform(ctx, plan, &input->x, out) : MN_OK;
}

static mn_status fit_model(mn_context *ctx, mn_plan *plan, const mn_input *input)
{
  mn_estimator *fitted = NULL;
  MN_TRY(mn_fit(ctx, plan->model, input, &fitted));
  mn_estimator_free(mn_context_memory(ctx), plan->model);
  plan->model = fitted;
  return MN_OK;
}

static mn_status fit_transform_model(mn_context *ctx, mn_plan *plan, const mn_input *input, mn_table *out)
{
  mn_csr made = { 0 };
  mn_input wanted = *input;
  wanted.transformed = &made;
  MN_TRY(fit_model(ctx, plan, &wanted));
  return made.start ? move_to_scratch(ctx, &made, out) : transform_model(ctx, plan->model, input, true, out);
}

/* *out: the features of the rows of X for the next step, which are cross-fitted where transform uses y; NULL: not
 * wanted. */
static mn_status fit_node(mn_context *ctx, mn_plan *plan, const mn_input *input, mn_table *out)
{
  switch (plan->kind) {
  case MN_PLAN_MODEL: return out ? fit_transform_model(ctx, plan, input, out) : fit_model(ctx, plan, input);
  case MN_PLAN_PASS:
    if (out) *out = input->x;
    return MN_OK;
  case MN_PLAN_CHAIN: return fit_chain(ctx, plan, input, out);
  case MN_PLAN_COLUMNS:
  case MN_PLAN_UNION: break;
  }
  return fit_parts(ctx, plan, input, out);
}

mn_status mn_plan_transform(mn_context *ctx, const mn_plan *plan, const mn_table *x, mn_table *out)
{
  mn_table step = *x, next;
  switch (plan->kind) {
  case MN_PLAN_MODEL: return transform_model(ctx, plan->model, &(mn_input){ .x = *x }, false, out);
  case MN_PLAN_PASS: *out = *x; return MN_OK;
  case MN_PLAN_CHAIN:
    for (size_t p = 0; p < plan->parts; p++) {
      MN_TRY(mn_plan_transform(ctx, plan->part[p].plan, &step, &next));
      step = next;
    }
    *out = step;
    return MN_OK;
  case MN_PLAN_COLUMNS:
  case MN_PLAN_UNION: break;
  }
  return transform_parts(ctx, plan, x, out);
}

mn_status mn_plan_fit(mn_context *ctx, mn_plan *plan, const mn_input *input)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_plan *copy = mn_plan_clone(ctx, plan);
  const mn_status status = copy ? fit_node(ctx, copy, input, NULL) : MN_NO_MEMORY;
  if (status == MN_OK) {
    const mn_plan old = *plan;
    *plan = *copy;
    *copy = old;
  }
  mn_plan_free(mn_context_memory(ctx), copy);
  mn_scratch_release(ctx, mark);
  return status;
}

static mn_status apply(mn_context *ctx, const mn_plan *plan, mn_action action, const mn_input *input, mn_matrix *out)
{
  if (plan->kind == MN_PLAN_MODEL) return mn_apply(ctx, plan->model, action, input, out);
  if (plan->kind != MN_PLAN_CHAIN || plan->parts == 0)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s has no %s", mn_plan_name(plan), mn_action_name(action));
  mn_input step = *input;
  for (size_t p = 0; p + 1 < plan->parts; p++) {
    mn_table next;
    MN_TRY(mn_plan_transform(ctx, plan->part[p].plan, &step.x, &next));
    step.x = next;
  }
  return apply(ctx, plan->part[plan->parts - 1].plan, action, &step, out);
}

mn_status mn_plan_apply(mn_context *ctx, const mn_plan *plan, mn_action action, const mn_input *input, mn_matrix *out)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const mn_status status = apply(ctx, plan, action, input, out);
  mn_scratch_release(ctx, mark);
  return status;
}
