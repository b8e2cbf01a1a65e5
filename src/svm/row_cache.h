/* A cache of rows of a kernel matrix, filled by blocks. */
#ifndef MN_SVM_ROW_CACHE_H
#define MN_SVM_ROW_CACHE_H
#include "../kernel/kernel.h"

typedef struct mn_row_cache {
  bool single;            /* rows are float32, else float64             */
  size_t columns, stride; /* values of a row; distance from row to row  */
  size_t slots, bytes;    /* rows that fit; bytes allocated             */
  void *at;               /* slots x stride                             */
  size_t *slot_of;        /* n: where the row is, or SIZE_MAX           */
  size_t *row_of;         /* capacity: which row is there, or SIZE_MAX  */
  uint64_t *used;         /* capacity: the last request that had it     */
  size_t capacity, next;  /* most slots ever; where the next row goes   */
  uint64_t request;
} mn_row_cache;

/* A cache of `bytes`, but of at least `least` rows and at most all n rows. */
mn_status mn_row_cache_init(mn_context *ctx, mn_row_cache *cache, size_t n, double bytes, size_t least);

/* Load these distinct rows, at most `slots` of them; they stay in the cache until the next call. */
mn_status mn_row_cache_fetch(mn_context *ctx, mn_row_cache *cache, const mn_kernel_plan *plan, size_t count,
                             const size_t *row);

static inline const void *mn_row_cache_row(const mn_row_cache *c, size_t row)
{
  return (const char *)c->at + c->slot_of[row] * c->stride * (c->single ? sizeof(float) : sizeof(double));
}

/* Reduce to `count` of the rows, and to these columns: row keep[k], ascending, becomes row k. */
void mn_row_cache_take(mn_row_cache *cache, size_t count, const size_t *keep);

/* Forget all rows; from now on there are n rows of n columns. */
void mn_row_cache_clear(mn_row_cache *cache, size_t n);

#endif
