/* What an estimator makes of X alone, kept from one fit for the next: an ensemble that fits again and again to the same
 * X, with other weights (0: a row that was not drawn), gives one cache to all these fits. It holds one thing, of one
 * kind; results are the same with and without. */
#ifndef MN_MODEL_FIT_CACHE_H
#define MN_MODEL_FIT_CACHE_H
#include "data.h"

struct mn_fit_cache {
  const char *kind; /* constant text: who made it. NULL: it is empty */
  void *item;       /* one block of memory                           */
  size_t rows, cols;
};

/* What lies there, of this kind and of an X of this shape; NULL: nothing. cache may be NULL. */
void *mn_fit_cache_find(const mn_fit_cache *cache, const char *kind, const mn_data *data);

/* Room for a thing of `bytes`, in place of what lies there. MN_NO_MEMORY leaves the cache empty. */
mn_status mn_fit_cache_make(mn_context *ctx, mn_fit_cache *cache, const char *kind, const mn_data *data, size_t bytes,
                            void **item);

void mn_fit_cache_free(mn_memory *memory, mn_fit_cache *cache);

#endif
