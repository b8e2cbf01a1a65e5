/* Distances in float32 for approximate searches. No argument is checked. */
#ifndef MN_SEARCH_HNSW_KERNEL_H
#define MN_SEARCH_HNSW_KERNEL_H
#include <stddef.h>
#include <stdint.h>

enum { MN_SINGLE_LANES = 16 }; /* widths are multiples of this; rows are padded with 0 */

/* out[i] = squared distance of row id[i] of `rows` (any number x width) from q. */
void mn_single_distances(size_t count, const int32_t *id, size_t width, const float *rows, const float *q, float *out);

/* The same of two rows. */
float mn_single_distance(size_t width, const float *a, const float *b);

#endif
