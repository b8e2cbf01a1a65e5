/* Walks over the elements of a table in memory order and, in step, over those of another table whose scope is part of
 * its scope. */
#ifndef MN_GRAPHICAL_WALK_H
#define MN_GRAPHICAL_WALK_H
#include "factor_graph.h"

/* Dimensions that are contiguous in both tables are merged, those with one state left out; the last one is the row. */
typedef struct mn_walk {
  size_t dims, card[MN_MAX_SCOPE + 1], stride[MN_MAX_SCOPE + 1], counter[MN_MAX_SCOPE + 1];
  size_t base; /* element of the other table for the first of the current row */
  size_t rows; /* of the whole walk */
} mn_walk;

/* Over a table of n dimensions, the last one fastest; stride[i] is that of dimension i in the other table, 0 if it has
 * none; `base` is where the other table is entered. */
void mn_walk_begin(mn_walk *w, size_t n, const size_t *card, const size_t *stride, size_t base);

/* To the next row. */
static inline void mn_walk_next(mn_walk *w)
{
  for (size_t d = w->dims - 1; d-- > 0;) {
    w->base += w->stride[d];
    if (++w->counter[d] < w->card[d]) return;
    w->base -= w->card[d] * w->stride[d];
    w->counter[d] = 0;
  }
}

/* The whole walk, with table t and other table o: t += o; t *= o; o += t; o = max(o, t). */
mn_status mn_walk_add(mn_context *ctx, mn_walk *w, double *t, const double *o);
mn_status mn_walk_multiply(mn_context *ctx, mn_walk *w, double *t, const double *o);
mn_status mn_walk_sum(mn_context *ctx, mn_walk *w, const double *t, double *o);
mn_status mn_walk_max(mn_context *ctx, mn_walk *w, const double *t, double *o);

#endif
