#include "model.h"
#include <string.h>

/* The learned part of mn_estimator, so that it is copied, freed and saved like the fields of a class. */
static const mn_field base_fields[] = {
  { .name = "n_features", .kind = MN_KIND_COUNT, .offset = offsetof(mn_estimator, n_features), .shape = "" },
  { .name = "n_targets", .kind = MN_KIND_COUNT, .offset = offsetof(mn_estimator, n_targets), .shape = "" },
  { .name = "one_target", .kind = MN_KIND_FLAG, .offset = offsetof(mn_estimator, one_target), .shape = "" },
  { .name = "feature_names", .kind = MN_KIND_NAMES, .offset = offsetof(mn_estimator, feature_names), .shape = "" },
  { .name = "feature_levels", .kind = MN_KIND_LEVELS, .offset = offsetof(mn_estimator, feature_levels), .shape = "" },
  { .name = "n_iter", .kind = MN_KIND_COUNT, .offset = offsetof(mn_estimator, report.n_iter), .shape = "" },
  { .name = "converged", .kind = MN_KIND_FLAG, .offset = offsetof(mn_estimator, report.converged), .shape = "" },
  { .name = "objective", .kind = MN_KIND_REAL, .offset = offsetof(mn_estimator, report.objective), .shape = "" },
  { .name = "change", .kind = MN_KIND_REAL, .offset = offsetof(mn_estimator, report.change), .shape = "" },
  { .name = "trace", .kind = MN_KIND_VECTOR, .offset = offsetof(mn_estimator, report.trace), .shape = "" },
  { .name = NULL },
};

const mn_field *mn_base_fields(void)
{
  return base_fields;
}

mn_estimator *mn_estimator_new(mn_context *ctx, const mn_class *class)
{
  mn_estimator *model = mn_alloc(mn_context_memory(ctx), class->size);
  if (!model) {
    mn_fail(ctx, MN_NO_MEMORY, "%s: not enough memory", class->name);
    return NULL;
  }
  memset(model, 0, class->size);
  model->class = class;
  mn_params_init(class->params, model);
  return model;
}

static void free_fields(mn_memory *memory, const mn_field *fields, void *base)
{
  for (const mn_field *f = fields; f && f->name; f++) mn_value_free(memory, f->kind, mn_member(base, f->offset));
}

/* Whether learned fields are copied, and levels copied instead of shared. */
struct copy_options {
  bool learned, deep;
};

static mn_status copy_levels(mn_context *ctx, struct copy_options options, const mn_levels *from, const mn_levels **to)
{
  if (options.deep) return mn_levels_copy(ctx, from, to);
  *to = mn_levels_retain(from);
  return MN_OK;
}

static mn_status copy_fields(mn_context *ctx, struct copy_options options, const mn_field *fields, const void *from,
                             void *to)
{
  for (const mn_field *f = fields; f && f->name; f++) {
    const void *value = mn_member(from, f->offset);
    void *copy = mn_member(to, f->offset);
    if (f->kind == MN_KIND_LEVELS && options.deep)
      MN_TRY(mn_levels_list_copy(ctx, value, copy));
    else
      MN_TRY(mn_value_copy(ctx, f->kind, value, copy));
  }
  return MN_OK;
}

static void free_class_weight(mn_memory *memory, mn_class_weight *w)
{
  mn_levels_release(memory, w->labels);
  mn_vector_free(memory, &w->weight);
  *w = (mn_class_weight){ 0 };
}

void mn_estimator_free(mn_memory *memory, mn_estimator *model)
{
  if (!model) return;
  mn_estimator_free(memory, model->settings);
  mn_params_free(memory, model->class->params, model);
  free_fields(memory, model->class->fields, model);
  free_fields(memory, base_fields, model);
  free_class_weight(memory, &model->class_weight);
  mn_levels_release(memory, model->classes);
  mn_free(memory, model);
}

static mn_status copy_settings(mn_context *ctx, struct copy_options options, const mn_estimator *from, mn_estimator *to)
{
  MN_TRY(mn_params_copy(ctx, from->class->params, from, to));
  to->class_weight.balanced = from->class_weight.balanced;
  MN_TRY(mn_value_copy(ctx, MN_KIND_VECTOR, &from->class_weight.weight, &to->class_weight.weight));
  return copy_levels(ctx, options, from->class_weight.labels, &to->class_weight.labels);
}

static bool is_precomputed(const mn_estimator *model, const mn_param *p)
{
  if (p->kind == MN_KIND_KERNEL) return mn_kernel_has(mn_member(model, p->offset), MN_KERNEL_PRECOMPUTED);
  return p->kind == MN_KIND_CHOICE &&
         strcmp(p->choices[*(const int64_t *)mn_member(model, p->offset)], "precomputed") == 0;
}

bool mn_needs_square_x(const mn_estimator *model)
{
  for (const mn_param *p = model->class->params; p && p->name; p++)
    if (is_precomputed(model, p)) return true;
  return model->class->accepts & MN_SQUARE;
}

/* A kernel that is a function of the host stays on its thread. */
static mn_status check_kernels(mn_context *ctx, const mn_estimator *model)
{
  for (const mn_param *p = model->class->params; p && p->name; p++)
    if (p->kind == MN_KIND_KERNEL && mn_kernel_has(mn_member(model, p->offset), MN_KERNEL_FUNCTION))
      return mn_fail(
          ctx, MN_BAD_ARGUMENT,
          "%s: a kernel that is a Lua function cannot be used in the background; use its matrix with kernel = "
          "\"precomputed\"",
          model->class->name);
  return MN_OK;
}

static mn_status copy_learned(mn_context *ctx, struct copy_options options, const mn_estimator *from, mn_estimator *to)
{
  MN_TRY(copy_fields(ctx, options, base_fields, from, to));
  MN_TRY(copy_fields(ctx, options, from->class->fields, from, to));
  to->report.advice = from->report.advice;
  to->report.trace_capacity = to->report.trace.size;
  to->fitted = from->fitted;
  return copy_levels(ctx, options, from->classes, &to->classes);
}

const mn_estimator *mn_settings(const mn_estimator *model)
{
  return model->settings ? model->settings : model;
}

static mn_status copy_members(mn_context *ctx, struct copy_options options, const mn_estimator *from, mn_estimator *to);

static mn_estimator *copy(mn_context *ctx, const mn_estimator *model, struct copy_options options)
{
  const mn_estimator *from = options.learned ? model : mn_settings(model);
  mn_estimator *made = mn_estimator_new(ctx, model->class);
  if (!made) return NULL;
  mn_status status = options.deep ? check_kernels(ctx, from) : MN_OK;
  if (status == MN_OK) status = copy_members(ctx, options, from, made);
  if (status == MN_OK) return made;
  mn_estimator_free(mn_context_memory(ctx), made);
  return NULL;
}

static mn_status copy_members(mn_context *ctx, struct copy_options options, const mn_estimator *from, mn_estimator *to)
{
  MN_TRY(copy_settings(ctx, options, from, to));
  if (!options.learned) return MN_OK;
  if (from->settings) {
    to->settings = copy(ctx, from->settings, (struct copy_options){ .deep = options.deep });
    if (!to->settings) return MN_NO_MEMORY;
  }
  return copy_learned(ctx, options, from, to);
}

mn_estimator *mn_estimator_clone(mn_context *ctx, const mn_estimator *model)
{
  return copy(ctx, model, (struct copy_options){ 0 });
}

mn_estimator *mn_estimator_copy(mn_context *ctx, const mn_estimator *model)
{
  return copy(ctx, model, (struct copy_options){ .learned = true });
}

mn_estimator *mn_estimator_deep_copy(mn_context *ctx, const mn_estimator *model, bool learned)
{
  return copy(ctx, model, (struct copy_options){ .learned = learned, .deep = true });
}

mn_estimator *mn_settings_to_change(mn_context *ctx, mn_estimator *model)
{
  if (!model->fitted) return model;
  if (!model->settings) model->settings = mn_estimator_clone(ctx, model);
  return model->settings;
}

mn_status mn_adopt_settings(mn_context *ctx, mn_estimator *model)
{
  mn_memory *memory = mn_context_memory(ctx);
  if (!model->settings) return MN_OK;
  mn_params_free(memory, model->class->params, model);
  free_class_weight(memory, &model->class_weight);
  MN_TRY(copy_settings(ctx, (struct copy_options){ 0 }, model->settings, model));
  mn_estimator_free(memory, model->settings);
  model->settings = NULL;
  return MN_OK;
}

mn_status mn_set_class_weight(mn_context *ctx, mn_estimator *model, bool balanced, const mn_levels *labels,
                              const double *weight)
{
  const char *who = model->class->name;
  char number[MN_NUMBER_SIZE];
  if (!(model->class->capabilities & MN_CLASSIFY && model->class->accepts & MN_CLASS_WEIGHT))
    return mn_unknown_param(ctx, who, model->class->params, "class_weight");
  mn_class_weight made = { .balanced = balanced };
  if (labels) {
    const size_t n = mn_levels_size(labels);
    for (size_t i = 0; i < n; i++)
      if (!(weight[i] >= 0 && weight[i] < INFINITY))
        return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: class_weight must be finite and >= 0, got %s", who,
                       mn_format_number(number, weight[i]));
    MN_TRY(mn_vector_init(ctx, &made.weight, n));
    if (n > 0) memcpy(made.weight.at, weight, n * sizeof *weight);
    made.labels = mn_levels_retain(labels);
  }
  free_class_weight(mn_context_memory(ctx), &model->class_weight);
  model->class_weight = made;
  return MN_OK;
}

size_t mn_decisions(const mn_estimator *model)
{
  const size_t classes = model->classes ? mn_levels_size(model->classes) : 1;
  return classes == 2 ? 1 : classes;
}

static mn_status append(mn_context *ctx, mn_report *report, double value)
{
  mn_vector *trace = &report->trace;
  if (trace->size == report->trace_capacity) {
    const size_t capacity = trace->size > 0 ? 2 * trace->size : 16;
    mn_vector larger;
    MN_TRY(mn_vector_init(ctx, &larger, capacity));
    if (trace->size > 0) memcpy(larger.at, trace->at, trace->size * sizeof *trace->at);
    larger.size = trace->size;
    mn_vector_free(mn_context_memory(ctx), trace);
    *trace = larger;
    report->trace_capacity = capacity;
  }
  trace->at[trace->size++] = value;
  return MN_OK;
}

bool mn_record_round(mn_context *ctx, mn_report *report, double objective)
{
  report->n_iter++;
  report->objective = objective;
  return append(ctx, report, objective) == MN_OK; /* else the entry point returns the recorded error */
}

bool mn_round(mn_context *ctx, mn_report *report, int64_t max_iter, double objective)
{
  if (!mn_record_round(ctx, report, objective)) return false;
  return mn_report_progress(ctx, (double)report->n_iter, (double)max_iter, objective);
}
