/* Check of the coordinates from which an embedding starts. */
#ifndef MN_MANIFOLD_START_CHECK_H
#define MN_MANIFOLD_START_CHECK_H
#include "../core/context.h"
#include "../core/matrix.h"

/* `start` must be empty, or n x k with at least two different rows: rows that all start at one position have no forces
 * between them and would stay there. */
mn_status mn_check_start(mn_context *ctx, const char *who, size_t n, size_t k, const mn_matrix *start);

#endif
