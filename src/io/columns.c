#include "columns.h"
#include <string.h>

mn_status mn_columns_init(mn_context *ctx, mn_columns *c, size_t size, size_t rows)
{
  size_t bytes;
  *c = (mn_columns){ 0 };
  mn_column *at = mn_checked_size(sizeof *at, size, 1, &bytes) ? mn_alloc(mn_context_memory(ctx), bytes) : NULL;
  if (!at) return mn_fail(ctx, MN_NO_MEMORY, "not enough memory for %zu columns", size);
  memset(at, 0, bytes);
  *c = (mn_columns){ .at = at, .size = size, .rows = rows };
  return MN_OK;
}

void mn_columns_free(mn_memory *memory, mn_columns *c)
{
  for (size_t j = 0; j < c->size; j++) {
    mn_free(memory, c->at[j].name);
    mn_free(memory, c->at[j].not_number);
    mn_vector_free(memory, &c->at[j].number);
    mn_factor_free(memory, &c->at[j].factor);
  }
  mn_free(memory, c->at);
  *c = (mn_columns){ 0 };
}

mn_status mn_column_name(mn_context *ctx, mn_column *column, const char *name, size_t size)
{
  char *copy = size < SIZE_MAX ? mn_alloc(mn_context_memory(ctx), size + 1) : NULL;
  if (!copy) return mn_fail(ctx, MN_NO_MEMORY, "not enough memory for a name of %zu bytes", size);
  if (size > 0) memcpy(copy, name, size);
  copy[size] = '\0';
  mn_free(mn_context_memory(ctx), column->name);
  column->name = copy;
  return MN_OK;
}
