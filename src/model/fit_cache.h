/* What an estimator computes from X alone, kept for the next fit: an ensemble that fits repeatedly on the same X with
 * other weights (0 for rows that were not drawn) passes one cache to all these fits. It holds one item; results are the
 * same without it. */
#ifndef MN_MODEL_FIT_CACHE_H
#define MN_MODEL_FIT_CACHE_H
#include "data.h"

struct mn_fit_cache {
  const char *kind; /* constant string that identifies the type of item; NULL: empty */
  void *item;       /* one block of memory                                            */
  size_t rows, cols;
};

/* The item of this kind for an X of this shape; NULL: none. cache may be NULL. */
void *mn_fit_cache_find(const mn_fit_cache *cache, const char *kind, const mn_data *data);

/* Replace the item by a new one of `bytes` bytes, which is not initialized. After MN_NO_MEMORY the cache is empty. */
mn_status mn_fit_cache_make(mn_context *ctx, mn_fit_cache *cache, const char *kind, const mn_data *data, size_t bytes,
                            void **item);

void mn_fit_cache_free(mn_memory *memory, mn_fit_cache *cache);

#endif
