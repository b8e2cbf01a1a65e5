/* Copies of many rows. */
#ifndef MN_CORE_GATHER_H
#define MN_CORE_GATHER_H
#include "matrix.h"

/* mn_gather_rows with all threads of ctx. Fails if the operation was cancelled. */
mn_status mn_gather_many_rows(mn_context *ctx, const mn_matrix *x, const size_t *rows, size_t n, mn_matrix *out);

#endif
