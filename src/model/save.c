#include "save.h"
#include "kernel_param.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static void save_levels_list(mn_writer *w, const char *name, const mn_levels_list *list)
{
  mn_write_group(w, name);
  mn_write_count(w, "size", (int64_t)list->size);
  for (size_t i = 0; i < list->size; i++)
    if (list->at[i])
      mn_write_levels(w, "", list->at[i]);
    else
      mn_write_flag(w, "", false); /* a numeric column; one record for each, so that the size of a list is limited by
                                      that of its archive */
  mn_write_end(w);
}

static void save_names(mn_writer *w, const char *name, const mn_names *names)
{
  mn_write_group(w, name);
  mn_write_count(w, "size", (int64_t)names->size);
  for (size_t i = 0; i < names->size; i++) mn_write_text(w, "", names->at[i], strlen(names->at[i]));
  mn_write_end(w);
}

/* A table is saved as a matrix, lists as a group. */
static void save_groups(mn_writer *w, const char *name, const mn_feature_groups *groups)
{
  if (groups->table.at) {
    mn_write_matrix(w, name, &groups->table);
    return;
  }
  mn_write_group(w, name);
  mn_write_indexes(w, "group", &groups->group);
  mn_write_indexes(w, "column", &groups->column);
  save_names(w, "name", &groups->name);
  mn_write_end(w);
}

/* A column is saved as a number or text, numbers as a vector, names as a group with their numbers. */
static void save_column(mn_writer *w, const char *name, const mn_feature *column)
{
  if (column->name.bytes)
    mn_write_text(w, name, column->name.bytes, column->name.size);
  else
    mn_write_count(w, name, column->number);
}

static void save_columns(mn_writer *w, const char *name, const mn_feature_list *columns)
{
  if (columns->name.size == 0) {
    mn_write_vector(w, name, &columns->value);
    return;
  }
  mn_write_group(w, name);
  if (columns->value.at) mn_write_vector(w, "value", &columns->value);
  save_names(w, "name", &columns->name);
  mn_write_end(w);
}

static void save_value(mn_writer *w, const char *name, mn_kind kind, const void *value)
{
  switch (kind) {
  case MN_KIND_REAL: mn_write_real(w, name, *(const double *)value); break;
  case MN_KIND_COUNT:
  case MN_KIND_CHOICE: mn_write_count(w, name, *(const int64_t *)value); break;
  case MN_KIND_FLAG: mn_write_flag(w, name, *(const bool *)value); break;
  case MN_KIND_VECTOR:
    if (((const mn_vector *)value)->at) mn_write_vector(w, name, value);
    break;
  case MN_KIND_MATRIX:
    if (((const mn_matrix *)value)->at) mn_write_matrix(w, name, value);
    break;
  case MN_KIND_INDEXES:
    if (((const mn_indexes *)value)->at) mn_write_indexes(w, name, value);
    break;
  case MN_KIND_CSR:
    if (((const mn_csr *)value)->start) mn_write_csr(w, name, value);
    break;
  case MN_KIND_LEVELS:
    if (((const mn_levels_list *)value)->at) save_levels_list(w, name, value);
    break;
  case MN_KIND_NAMES:
    if (((const mn_names *)value)->at) save_names(w, name, value);
    break;
  case MN_KIND_TEXT: {
    const mn_text *text = value;
    if (text->bytes) mn_write_text(w, name, text->bytes, text->size);
    break;
  }
  case MN_KIND_GROUPS: save_groups(w, name, value); break;
  case MN_KIND_KERNEL: mn_write_kernel(w, name, value); break;
  case MN_KIND_COLUMN: save_column(w, name, value); break;
  case MN_KIND_COLUMNS:
  case MN_KIND_COLUMN_VALUES: save_columns(w, name, value); break;
  }
}

/* A choice is saved by name, since the order of the choices may change. */
static void save_params(mn_writer *w, const mn_estimator *model)
{
  mn_write_group(w, "params");
  for (const mn_param *p = model->class->params; p && p->name; p++) {
    const void *value = mn_member(model, p->offset);
    if (p->kind == MN_KIND_CHOICE) {
      const char *choice = p->choices[*(const int64_t *)value];
      mn_write_text(w, p->name, choice, strlen(choice));
    } else if (mn_param_is_set(model, p))
      save_value(w, p->name, p->kind, value);
  }
  mn_write_end(w);
}

static void save_class_weight(mn_writer *w, const mn_class_weight *weight)
{
  if (!weight->balanced && !weight->labels) return;
  mn_write_group(w, "class_weight");
  mn_write_flag(w, "balanced", weight->balanced);
  if (weight->labels) {
    mn_write_levels(w, "labels", weight->labels);
    mn_write_vector(w, "weight", &weight->weight);
  }
  mn_write_end(w);
}

static void save_fields(mn_writer *w, const char *group, const mn_field *fields, const void *base)
{
  mn_write_group(w, group);
  for (const mn_field *f = fields; f && f->name; f++) {
    const void *value = mn_member(base, f->offset);
    const bool unknown = f->optional && isnan(*(const double *)value);
    if (!f->derived && !unknown) save_value(w, f->name, f->kind, value);
  }
  mn_write_end(w);
}

void mn_save_estimator(mn_writer *w, const char *name, const mn_estimator *model)
{
  mn_write_group(w, name);
  mn_write_text(w, "estimator", model->class->name, strlen(model->class->name));
  save_params(w, model);
  save_class_weight(w, &model->class_weight);
  mn_write_flag(w, "fitted", model->fitted);
  if (model->settings) mn_save_estimator(w, "settings", model->settings);
  if (model->fitted) {
    if (model->classes) mn_write_levels(w, "classes", model->classes);
    save_fields(w, "head", mn_base_fields(), model);
    save_fields(w, "learned", model->class->fields, model);
  }
  mn_write_end(w);
}
