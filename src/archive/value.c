#include "value.h"
#include <string.h>

mn_status mn_levels_list_init(mn_context *ctx, mn_levels_list *list, size_t size)
{
  *list = (mn_levels_list){ 0 };
  size_t bytes;
  const mn_levels **at = mn_checked_size(sizeof *at, size, 1, &bytes) ? mn_alloc(mn_context_memory(ctx), bytes) : NULL;
  if (!at) return mn_fail(ctx, MN_NO_MEMORY, "not enough memory for the levels of %zu columns", size);
  for (size_t i = 0; i < size; i++) at[i] = NULL;
  *list = (mn_levels_list){ .at = at, .size = size };
  return MN_OK;
}

mn_status mn_names_init(mn_context *ctx, mn_names *names, const char *const *from, size_t size)
{
  *names = (mn_names){ 0 };
  mn_memory *memory = mn_context_memory(ctx);
  size_t text = 0, bytes;
  for (size_t i = 0; i < size; i++) text += strlen(from[i]) + 1;
  char **at = mn_checked_size(sizeof *at, size, 1, &bytes) ? mn_alloc(memory, bytes) : NULL;
  char *next = size > 0 ? mn_alloc(memory, text) : NULL; /* one block for all names, at at[0] */
  if (!at || (size > 0 && !next)) {
    mn_free(memory, at);
    mn_free(memory, next);
    return mn_fail(ctx, MN_NO_MEMORY, "not enough memory for %zu names", size);
  }
  for (size_t i = 0; i < size; i++) {
    const size_t length = strlen(from[i]) + 1;
    at[i] = memcpy(next, from[i], length);
    next += length;
  }
  *names = (mn_names){ .at = at, .size = size };
  return MN_OK;
}

mn_status mn_text_init(mn_context *ctx, mn_text *text, const char *bytes, size_t size)
{
  *text = (mn_text){ 0 };
  char *copy = size < SIZE_MAX ? mn_alloc(mn_context_memory(ctx), size + 1) : NULL;
  if (!copy) return mn_fail(ctx, MN_NO_MEMORY, "not enough memory for a text of %zu bytes", size);
  if (size > 0) memcpy(copy, bytes, size);
  copy[size] = '\0';
  *text = (mn_text){ .bytes = copy, .size = size };
  return MN_OK;
}

static mn_status copy_vector(mn_context *ctx, const mn_vector *from, mn_vector *to)
{
  if (!from->at) return MN_OK;
  MN_TRY(mn_vector_init(ctx, to, from->size));
  memcpy(to->at, from->at, from->size * sizeof *to->at);
  return MN_OK;
}

static mn_status copy_matrix(mn_context *ctx, const mn_matrix *from, mn_matrix *to)
{
  if (!from->at) return MN_OK;
  MN_TRY(mn_matrix_init(ctx, to, from->rows, from->cols));
  memcpy(to->at, from->at, from->rows * from->cols * sizeof *to->at);
  return MN_OK;
}

static mn_status copy_indexes(mn_context *ctx, const mn_indexes *from, mn_indexes *to)
{
  if (!from->at) return MN_OK;
  MN_TRY(mn_indexes_init(ctx, to, from->size));
  memcpy(to->at, from->at, from->size * sizeof *to->at);
  return MN_OK;
}

static mn_status copy_csr(mn_context *ctx, const mn_csr *from, mn_csr *to)
{
  if (!from->start) return MN_OK;
  const size_t nonzeros = from->start[from->rows];
  MN_TRY(mn_csr_init(ctx, to, from->rows, from->cols, nonzeros));
  memcpy(to->start, from->start, (from->rows + 1) * sizeof *to->start);
  memcpy(to->col, from->col, nonzeros * sizeof *to->col);
  memcpy(to->at, from->at, nonzeros * sizeof *to->at);
  return MN_OK;
}

static mn_status copy_levels_list(mn_context *ctx, const mn_levels_list *from, mn_levels_list *to)
{
  if (!from->at) return MN_OK;
  MN_TRY(mn_levels_list_init(ctx, to, from->size));
  for (size_t i = 0; i < from->size; i++) to->at[i] = mn_levels_retain(from->at[i]);
  return MN_OK;
}

mn_status mn_levels_list_copy(mn_context *ctx, const mn_levels_list *from, mn_levels_list *to)
{
  if (!from->at) return MN_OK;
  MN_TRY(mn_levels_list_init(ctx, to, from->size));
  for (size_t i = 0; i < from->size; i++) MN_TRY(mn_levels_copy(ctx, from->at[i], &to->at[i]));
  return MN_OK;
}

static mn_status copy_names(mn_context *ctx, const mn_names *from, mn_names *to)
{
  return from->at ? mn_names_init(ctx, to, (const char *const *)from->at, from->size) : MN_OK;
}

static mn_status copy_text(mn_context *ctx, const mn_text *from, mn_text *to)
{
  return from->bytes ? mn_text_init(ctx, to, from->bytes, from->size) : MN_OK;
}

static mn_status copy_groups(mn_context *ctx, const mn_feature_groups *from, mn_feature_groups *to)
{
  mn_feature_groups made = { 0 };
  mn_status status = copy_matrix(ctx, &from->table, &made.table);
  if (status == MN_OK) status = copy_indexes(ctx, &from->group, &made.group);
  if (status == MN_OK) status = copy_indexes(ctx, &from->column, &made.column);
  if (status == MN_OK) status = copy_names(ctx, &from->name, &made.name);
  if (status == MN_OK)
    *to = made;
  else
    mn_value_free(mn_context_memory(ctx), MN_KIND_GROUPS, &made);
  return status;
}

static mn_status copy_column(mn_context *ctx, const mn_feature *from, mn_feature *to)
{
  to->number = from->number;
  return copy_text(ctx, &from->name, &to->name);
}

static mn_status copy_columns(mn_context *ctx, const mn_feature_list *from, mn_feature_list *to)
{
  mn_feature_list made = { 0 };
  mn_status status = copy_vector(ctx, &from->value, &made.value);
  if (status == MN_OK) status = copy_names(ctx, &from->name, &made.name);
  if (status == MN_OK)
    *to = made;
  else
    mn_value_free(mn_context_memory(ctx), MN_KIND_COLUMNS, &made);
  return status;
}

mn_status mn_value_copy(mn_context *ctx, mn_kind kind, const void *from, void *to)
{
  switch (kind) {
  case MN_KIND_REAL: *(double *)to = *(const double *)from; return MN_OK;
  case MN_KIND_COUNT:
  case MN_KIND_CHOICE: *(int64_t *)to = *(const int64_t *)from; return MN_OK;
  case MN_KIND_FLAG: *(bool *)to = *(const bool *)from; return MN_OK;
  case MN_KIND_VECTOR: return copy_vector(ctx, from, to);
  case MN_KIND_MATRIX: return copy_matrix(ctx, from, to);
  case MN_KIND_INDEXES: return copy_indexes(ctx, from, to);
  case MN_KIND_CSR: return copy_csr(ctx, from, to);
  case MN_KIND_LEVELS: return copy_levels_list(ctx, from, to);
  case MN_KIND_NAMES: return copy_names(ctx, from, to);
  case MN_KIND_TEXT: return copy_text(ctx, from, to);
  case MN_KIND_GROUPS: return copy_groups(ctx, from, to);
  case MN_KIND_KERNEL: return mn_kernel_copy(ctx, from, to);
  case MN_KIND_COLUMN: return copy_column(ctx, from, to);
  case MN_KIND_COLUMNS:
  case MN_KIND_COLUMN_VALUES: return copy_columns(ctx, from, to);
  }
  return MN_OK;
}

static void free_levels_list(mn_memory *memory, mn_levels_list *list)
{
  for (size_t i = 0; i < list->size; i++) mn_levels_release(memory, list->at[i]);
  mn_free(memory, (void *)list->at);
  *list = (mn_levels_list){ 0 };
}

static void free_names(mn_memory *memory, mn_names *names)
{
  if (names->size > 0) mn_free(memory, names->at[0]);
  mn_free(memory, names->at);
  *names = (mn_names){ 0 };
}

void mn_value_free(mn_memory *memory, mn_kind kind, void *value)
{
  switch (kind) {
  case MN_KIND_REAL:
  case MN_KIND_COUNT:
  case MN_KIND_CHOICE:
  case MN_KIND_FLAG: break;
  case MN_KIND_VECTOR: mn_vector_free(memory, value); break;
  case MN_KIND_MATRIX: mn_matrix_free(memory, value); break;
  case MN_KIND_INDEXES: mn_indexes_free(memory, value); break;
  case MN_KIND_CSR: mn_csr_free(memory, value); break;
  case MN_KIND_LEVELS: free_levels_list(memory, value); break;
  case MN_KIND_NAMES: free_names(memory, value); break;
  case MN_KIND_TEXT: {
    mn_text *text = value;
    mn_free(memory, text->bytes);
    *text = (mn_text){ 0 };
    break;
  }
  case MN_KIND_GROUPS: {
    mn_feature_groups *groups = value;
    mn_matrix_free(memory, &groups->table);
    mn_indexes_free(memory, &groups->group);
    mn_indexes_free(memory, &groups->column);
    free_names(memory, &groups->name);
    break;
  }
  case MN_KIND_KERNEL: mn_kernel_free(memory, value); break;
  case MN_KIND_COLUMN: mn_value_free(memory, MN_KIND_TEXT, &((mn_feature *)value)->name); break;
  case MN_KIND_COLUMNS:
  case MN_KIND_COLUMN_VALUES:
    mn_vector_free(memory, &((mn_feature_list *)value)->value);
    free_names(memory, &((mn_feature_list *)value)->name);
    break;
  }
}
