#include "shelf.h"
#include <string.h>

void *mn_shelf_find(const mn_shelf *shelf, const char *kind, const mn_data *data)
{
  if (!shelf || !shelf->kind || strcmp(shelf->kind, kind) != 0) return NULL;
  return shelf->rows == data->rows && shelf->cols == data->features ? shelf->item : NULL;
}

mn_status mn_shelf_make(mn_context *ctx, mn_shelf *shelf, const char *kind, const mn_data *data, size_t bytes,
                        void **item)
{
  mn_shelf_free(mn_context_memory(ctx), shelf);
  *item = mn_take(mn_context_memory(ctx), bytes);
  if (!*item) return mn_fail(ctx, MN_NO_MEMORY, "not enough memory for %zu bytes", bytes);
  *shelf = (mn_shelf){ .kind = kind, .item = *item, .rows = data->rows, .cols = data->features };
  return MN_OK;
}

void mn_shelf_free(mn_memory *memory, mn_shelf *shelf)
{
  mn_give(memory, shelf->item);
  *shelf = (mn_shelf){ .kind = NULL };
}
