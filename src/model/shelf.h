/* What an estimator makes of X alone, kept from one fit for the next: an ensemble that fits again and again to the same
 * X, with other weights (0: a row that was not drawn), gives one shelf to all these fits. It holds one thing, of one
 * kind; results are the same with and without. */
#ifndef MN_SHELF_H
#define MN_SHELF_H
#include "data.h"

struct mn_shelf {
  const char *kind; /* constant text: who made it. NULL: it is empty */
  void *item;       /* one block of memory                           */
  size_t rows, cols;
};

/* What lies there, of this kind and of an X of this shape; NULL: nothing. shelf may be NULL. */
void *mn_shelf_find(const mn_shelf *shelf, const char *kind, const mn_data *data);

/* Room for a thing of `bytes`, in place of what lies there. MN_NO_MEMORY leaves the shelf empty. */
mn_status mn_shelf_make(mn_context *ctx, mn_shelf *shelf, const char *kind, const mn_data *data, size_t bytes,
                        void **item);

void mn_shelf_free(mn_memory *memory, mn_shelf *shelf);

#endif
