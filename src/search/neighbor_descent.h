/* The approximate k nearest other rows of all rows. Trees of random projections give a first graph: the rows of each
 * leaf are compared by matrix products (projection_forest.h). Then the graph is improved by descent: neighbors of
 * neighbors are likely neighbors. Dong, Moses & Li, WWW (2011). More trees are added, up to 32, until 98% of the
 * neighbors of 100 sampled rows are found.
 *
 * In a round each row collects candidates from the graph of the round before, so the result does not depend on the
 * number of threads. Candidates are compared by float32 distances about the mean of the rows, or by those of
 * projections to 64 columns (projection.h) if there are many; the distances returned are exact. */
#ifndef MN_SEARCH_NEIGHBOR_DESCENT_H
#define MN_SEARCH_NEIGHBOR_DESCENT_H
#include "metric.h"

/* Whether mn_neighbor_descent works for this space, and there are rows enough for several leaves. */
bool mn_descent_possible(const mn_space *space, size_t n, size_t k);

/* The neighbors of n embedded rows (n x space->width), for a space of MN_FORM_SQUARES that is not haversine.
 *
 *   found     out: n x k, nearest first
 *   distance  out: n x k reduced distances; holds the graph meanwhile
 *
 * Scratch memory: 4 (columns + 2 links + 18) bytes a row, where columns are rounded up to a multiple of 16 and links is
 * k, at most 24; with a projection 12 k more. */
mn_status mn_neighbor_descent(mn_context *ctx, const mn_space *space, size_t n, const double *rows, size_t k,
                              int32_t *found, double *distance);

#endif
