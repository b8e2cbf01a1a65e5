/* Enlarge arrays that several trees share, each with a part of its own: `parts` contiguous parts, of equal length in
 * `from` and `length` long in `to`, which is empty; new elements are zero. For trees that grow row by row. */
#ifndef MN_ONLINE_RESIZE_PARTS_H
#define MN_ONLINE_RESIZE_PARTS_H
#include "../core/matrix.h"

mn_status mn_resize_parts_indexes(mn_context *ctx, const mn_indexes *from, size_t parts, size_t length, mn_indexes *to);
mn_status mn_resize_parts_vector(mn_context *ctx, const mn_vector *from, size_t parts, size_t length, mn_vector *to);
/* length: rows per part. cols is explicit because `from` may be empty. */
mn_status mn_resize_parts_matrix(mn_context *ctx, const mn_matrix *from, size_t cols, size_t parts, size_t length,
                                 mn_matrix *to);

/* New capacity for `needed` elements: if it must grow, at least twice the old one. */
size_t mn_grown_capacity(size_t capacity, size_t needed);

#endif
