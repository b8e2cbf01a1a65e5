#include "fit_cache.h"
#include <string.h>

void *mn_fit_cache_find(const mn_fit_cache *cache, const char *kind, const mn_data *data)
{
  if (!cache || !cache->kind || strcmp(cache->kind, kind) != 0) return NULL;
  return cache->rows == data->rows && cache->cols == data->features ? cache->item : NULL;
}

mn_status mn_fit_cache_make(mn_context *ctx, mn_fit_cache *cache, const char *kind, const mn_data *data, size_t bytes,
                            void **item)
{
  mn_fit_cache_free(mn_context_memory(ctx), cache);
  *item = mn_alloc(mn_context_memory(ctx), bytes);
  if (!*item) return mn_fail(ctx, MN_NO_MEMORY, "not enough memory for %zu bytes", bytes);
  *cache = (mn_fit_cache){ .kind = kind, .item = *item, .rows = data->rows, .cols = data->features };
  return MN_OK;
}

void mn_fit_cache_free(mn_memory *memory, mn_fit_cache *cache)
{
  mn_free(memory, cache->item);
  *cache = (mn_fit_cache){ .kind = NULL };
}
