/* The C API of manilius.h: load a saved model and query its inputs and outputs. */
#include "host.h"
#include "../core/nearest_name.h"
#include "../io/bytes.h"
#include "../plan/plan_info.h"
#include <stdio.h>
#include <string.h>

static manilius_status set_reason(manilius_status status, const char *reason, char *text, size_t size)
{
  if (text && size > 0) snprintf(text, size, "%s", reason);
  return status;
}

static void free_parts(mn_memory *memory, manilius_model *model)
{
  mn_plan_free(memory, model->plan);
  mn_free(memory, model->levels);
  mn_free(memory, model);
}

/* Collect the levels of the factor columns. */
static mn_status collect_levels(mn_context *ctx, manilius_model *model)
{
  bool any = false;
  size_t bytes;
  if (!mn_checked_size(sizeof *model->levels, model->features, 1, &bytes)) return MN_NO_MEMORY;
  model->levels = mn_alloc(mn_context_memory(ctx), bytes);
  if (!model->levels) return mn_fail(ctx, MN_NO_MEMORY, "not enough memory to load the model");
  for (size_t j = 0; j < model->features; j++) {
    model->levels[j] = mn_plan_feature_levels(model->plan, j);
    any = any || model->levels[j];
  }
  if (any) return MN_OK;
  mn_free(mn_context_memory(ctx), model->levels);
  model->levels = NULL;
  return MN_OK;
}

static mn_status read_plan(mn_context *ctx, const char *label, const void *bytes, size_t size, manilius_model *model)
{
  mn_reader r;
  MN_TRY(mn_read_begin(ctx, label, bytes, size, &r));
  const mn_record *record = mn_find_record(&r, SIZE_MAX, "model");
  if (!record) return mn_fail(ctx, MN_BAD_FILE, "%s: contains no model", label);
  model->plan = mn_load_plan(&r, (size_t)(record - r.record));
  if (!model->plan) return mn_error_status(ctx);
  model->features = mn_plan_features(model->plan);
  if (model->features == 0 || !mn_plan_fitted(model->plan))
    return mn_fail(ctx, MN_BAD_FILE, "%s: the model is not fitted", label);
  return collect_levels(ctx, model);
}

static mn_status read_model(mn_context *ctx, const char *label, const void *bytes, size_t size, manilius_model **out)
{
  mn_memory *memory = mn_context_memory(ctx);
  manilius_model *model = mn_alloc(memory, sizeof *model);
  if (!model) return mn_fail(ctx, MN_NO_MEMORY, "not enough memory to load the model");
  *model = (manilius_model){ .memory = memory };
  const mn_mark mark = mn_scratch_mark(ctx);
  const mn_status status = read_plan(ctx, label, bytes, size, model);
  mn_scratch_release(ctx, mark);
  if (status == MN_OK)
    *out = model;
  else
    free_parts(memory, model);
  return status;
}

static mn_status read_file(mn_context *ctx, const char *path, manilius_model **out)
{
  mn_bytes bytes;
  MN_TRY(mn_bytes_open(ctx, path, &bytes));
  const mn_status status = read_model(ctx, path, bytes.at, bytes.size, out);
  mn_bytes_close(mn_context_memory(ctx), &bytes);
  return status;
}

/* Load from a path, or if that is NULL from bytes. */
static manilius_status load(const char *path, const void *bytes, size_t n, const manilius_memory *from,
                            manilius_model **model, char *text, size_t size)
{
  *model = NULL;
  mn_memory *memory = mn_memory_new(from ? from->allocator : NULL, from ? from->user : NULL);
  mn_context *ctx = memory ? mn_context_new(memory, 1) : NULL;
  if (!ctx) {
    mn_memory_free(memory);
    return set_reason(MANILIUS_NO_MEMORY, "not enough memory to load the model", text, size);
  }
  mn_memory_limit(memory, from ? from->limit : 0);
  const mn_status status = path ? read_file(ctx, path, model) : read_model(ctx, "archive", bytes, n, model);
  set_reason(MANILIUS_OK, status == MN_OK ? "" : mn_error_text(ctx), text, size);
  mn_context_free(ctx);
  if (status != MN_OK) mn_memory_free(memory);
  return (manilius_status)status;
}

manilius_status manilius_load(const char *path, const manilius_memory *memory, manilius_model **model, char *text,
                              size_t size)
{
  return load(path, NULL, 0, memory, model, text, size);
}

manilius_status manilius_load_bytes(const void *bytes, size_t n, const manilius_memory *memory, manilius_model **model,
                                    char *text, size_t size)
{
  return load(NULL, bytes, n, memory, model, text, size);
}

void manilius_free(manilius_model *model)
{
  if (!model) return;
  mn_memory *memory = model->memory;
  free_parts(memory, model);
  mn_memory_free(memory);
}

size_t manilius_features(const manilius_model *model)
{
  return model->features;
}

const char *manilius_feature_name(const manilius_model *model, size_t j)
{
  const mn_names *names = mn_plan_feature_names(model->plan);
  return j < names->size ? names->at[j] : NULL;
}

size_t manilius_levels(const manilius_model *model, size_t j)
{
  const bool factor = model->levels && j < model->features && model->levels[j];
  return factor ? mn_levels_size(model->levels[j]) : 0;
}

int32_t manilius_level_code(const manilius_model *model, size_t j, const char *level)
{
  if (manilius_levels(model, j) == 0) return -1;
  const mn_label label = { .kind = MN_LABEL_TEXT, .as.text = { .bytes = level, .size = strlen(level) } };
  return mn_levels_find(model->levels[j], label);
}

static const mn_levels *classes_of(const manilius_model *model)
{
  const mn_estimator *final = mn_plan_final(model->plan);
  return final ? final->classes : NULL;
}

size_t manilius_classes(const manilius_model *model)
{
  return classes_of(model) ? mn_levels_size(classes_of(model)) : 0;
}

size_t manilius_class_label(const manilius_model *model, int32_t code, char *text, size_t size)
{
  if (code < 0 || (size_t)code >= manilius_classes(model)) return 0;
  const mn_label label = mn_levels_at(classes_of(model), (size_t)code);
  char number[MN_NUMBER_SIZE];
  int written = 0;
  switch (label.kind) {
  case MN_LABEL_BOOLEAN: written = snprintf(text, size, "%s", label.as.boolean ? "true" : "false"); break;
  case MN_LABEL_INTEGER: written = snprintf(text, size, "%lld", (long long)label.as.integer); break;
  case MN_LABEL_FLOAT: written = snprintf(text, size, "%s", mn_format_number(number, label.as.number)); break;
  case MN_LABEL_TEXT: written = snprintf(text, size, "%.*s", (int)label.as.text.size, label.as.text.bytes); break;
  }
  return (size_t)written;
}

size_t manilius_width(const manilius_model *model, manilius_action action)
{
  return action < (int)MN_ACTIONS ? mn_plan_width(model->plan, (mn_action)action, model->features) : 0;
}

size_t manilius_bytes(const manilius_model *model)
{
  return mn_memory_usage(model->memory).live;
}
