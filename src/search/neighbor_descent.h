/* The approximate k nearest other rows of all rows: a graph by trees of random projections, whose leaves are compared
 * by matrix products (projection_forest.h), and then by descent: neighbors of neighbors are likely neighbors. Dong,
 * Moses & Li, WWW (2011).
 *
 * In a round each row collects candidates from the graph of the round before, so the result does not depend on the
 * number of threads. Candidates are compared by float32 distances about the mean of the rows; the distances returned
 * are exact. */
#ifndef MN_SEARCH_NEIGHBOR_DESCENT_H
#define MN_SEARCH_NEIGHBOR_DESCENT_H
#include "metric.h"

/* Whether the search takes this many rows and neighbors; with fewer rows the exact search is cheap. */
bool mn_descent_possible(const mn_space *space, size_t n, size_t k);

/* The neighbors of n embedded rows (n x space->width), for a space of MN_FORM_SQUARES that is not haversine.
 *
 *   found     out: n x k, nearest first
 *   distance  out: n x k reduced distances; holds the graph meanwhile
 *
 * Scratch memory in bytes: 4 n (width + links) and 64 n, where links is at most 64. */
mn_status mn_neighbor_descent(mn_context *ctx, const mn_space *space, size_t n, const double *rows, size_t k,
                              int32_t *found, double *distance);

#endif
