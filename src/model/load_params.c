/* Parameters of an archive, set by the setters that also check a user's values. */
#include "kernel_param.h"
#include "load.h"
#include <string.h>

/* A matrix, or a group of lists. */
static mn_status load_groups(const mn_reader *r, mn_estimator *model, const mn_param *p, const mn_record *record)
{
  const char *who = model->class->name;
  mn_memory *memory = mn_context_memory(r->ctx);
  mn_feature_groups value = { 0 };
  mn_status status;
  if (record->kind == MN_RECORD_GROUP) {
    const size_t inside = mn_record_index(r, record);
    const mn_record *group = mn_find_record(r, inside, "group"), *column = mn_find_record(r, inside, "column"),
                    *name = mn_record_group(r, inside, "name");
    if (!group || !column || !name) return mn_bad_model(r, model, "lists of columns are incomplete");
    status = mn_record_indexes(r, group, &value.group);
    if (status == MN_OK) status = mn_record_indexes(r, column, &value.column);
    if (status == MN_OK) status = mn_record_names(r, name, &value.name);
    if (status == MN_OK) status = mn_set_lists(r->ctx, who, model, p, &value);
  } else {
    status = mn_record_matrix(r, record, &value.table);
    if (status == MN_OK) status = mn_set_matrix(r->ctx, who, model, p, value.table);
  }
  mn_value_free(memory, MN_KIND_GROUPS, &value);
  return status;
}

/* Text, or the number of a column. */
static mn_status load_text(const mn_reader *r, mn_estimator *model, const mn_param *p, const mn_record *record)
{
  const char *who = model->class->name, *bytes;
  size_t size;
  int64_t number;
  if (p->kind == MN_KIND_COLUMN && record->kind == MN_RECORD_COUNT) {
    MN_TRY(mn_record_count(r, record, &number));
    return mn_set_number(r->ctx, who, model, p, (double)number);
  }
  MN_TRY(mn_record_text(r, record, &bytes, &size));
  return mn_set_text(r->ctx, who, model, p, bytes, size);
}

/* A vector, or a group of names of columns and, for COLUMN_VALUES, numbers. */
static mn_status load_numbers(const mn_reader *r, mn_estimator *model, const mn_param *p, const mn_record *record)
{
  mn_feature_list value = { 0 };
  mn_status status = MN_OK;
  if (record->kind == MN_RECORD_GROUP) {
    const size_t inside = mn_record_index(r, record);
    const mn_record *number = mn_find_record(r, inside, "value"), *name = mn_record_group(r, inside, "name");
    if (!name) return mn_bad_model(r, model, "names of columns are missing");
    if (number) status = mn_record_vector(r, number, &value.value);
    if (status == MN_OK) status = mn_record_names(r, name, &value.name);
  } else {
    status = mn_record_vector(r, record, &value.value);
  }
  if (status == MN_OK && (value.name.size > 0 || p->kind == MN_KIND_COLUMN_VALUES))
    status = mn_set_columns(r->ctx, model->class->name, model, p, &value);
  else if (status == MN_OK)
    status = mn_set_vector(r->ctx, model->class->name, model, p, value.value);
  mn_value_free(mn_context_memory(r->ctx), MN_KIND_COLUMNS, &value);
  return status;
}

static mn_status load_choice(const mn_reader *r, mn_estimator *model, const mn_param *p, const mn_record *record)
{
  char choice[64];
  const char *bytes;
  size_t size;
  MN_TRY(mn_record_text(r, record, &bytes, &size));
  if (size >= sizeof choice) return mn_bad_model(r, model, "a choice is too long");
  memcpy(choice, bytes, size);
  choice[size] = '\0';
  return mn_set_choice(r->ctx, model->class->name, model, p, choice);
}

static mn_status load_matrix(const mn_reader *r, mn_estimator *model, const mn_param *p, const mn_record *record)
{
  mn_matrix value = { 0 };
  MN_TRY(mn_record_matrix(r, record, &value));
  const mn_status status = mn_set_matrix(r->ctx, model->class->name, model, p, value);
  mn_matrix_free(mn_context_memory(r->ctx), &value);
  return status;
}

static mn_status load_kernel(const mn_reader *r, mn_estimator *model, const mn_param *p, const mn_record *record)
{
  mn_kernel value;
  MN_TRY(mn_record_kernel(r, record, &value));
  const mn_status status = mn_set_kernel(r->ctx, model->class->name, model, p, &value);
  mn_kernel_free(mn_context_memory(r->ctx), &value);
  return status;
}

static mn_status load_param(const mn_reader *r, mn_estimator *model, const mn_param *p, const mn_record *record)
{
  mn_context *ctx = r->ctx;
  const char *who = model->class->name;
  switch (p->kind) {
  case MN_KIND_REAL: {
    double value;
    MN_TRY(mn_record_real(r, record, &value));
    return mn_set_number(ctx, who, model, p, value);
  }
  case MN_KIND_COUNT: {
    int64_t value;
    MN_TRY(mn_record_count(r, record, &value));
    return mn_set_number(ctx, who, model, p, (double)value);
  }
  case MN_KIND_FLAG: {
    bool value;
    MN_TRY(mn_record_flag(r, record, &value));
    return mn_set_flag(ctx, who, model, p, value);
  }
  case MN_KIND_CHOICE: return load_choice(r, model, p, record);
  case MN_KIND_MATRIX: return load_matrix(r, model, p, record);
  case MN_KIND_TEXT:
  case MN_KIND_COLUMN: return load_text(r, model, p, record);
  case MN_KIND_GROUPS: return load_groups(r, model, p, record);
  case MN_KIND_KERNEL: return load_kernel(r, model, p, record);
  case MN_KIND_VECTOR:
  case MN_KIND_COLUMNS:
  case MN_KIND_COLUMN_VALUES: return load_numbers(r, model, p, record);
  case MN_KIND_INDEXES:
  case MN_KIND_CSR:
  case MN_KIND_LEVELS:
  case MN_KIND_NAMES: break;
  }
  return mn_bad_model(r, model, "a parameter has an unknown kind");
}

mn_status mn_load_params(const mn_reader *r, size_t group, mn_estimator *model)
{
  const mn_record *params = mn_record_group(r, group, "params");
  if (!params) return mn_bad_model(r, model, "the parameters are missing");
  for (const mn_param *p = model->class->params; p && p->name; p++) {
    const mn_record *record = mn_find_record(r, mn_record_index(r, params), p->name);
    if (record) MN_TRY(load_param(r, model, p, record));
  }
  return MN_OK;
}
