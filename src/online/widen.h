/* Arrays that several trees share, each with a part of its own, made longer: `parts` of them behind each other, of
 * equal length in `from` and `length` long in `to`, which is empty; what is new is zero. For trees that grow while rows
 * come one by one. */
#ifndef MN_ONLINE_WIDEN_H
#define MN_ONLINE_WIDEN_H
#include "../core/matrix.h"

mn_status mn_widen_indexes(mn_context *ctx, const mn_indexes *from, size_t parts, size_t length, mn_indexes *to);
mn_status mn_widen_vector(mn_context *ctx, const mn_vector *from, size_t parts, size_t length, mn_vector *to);
/* Length counts rows; from may be empty, so the number of columns is said. */
mn_status mn_widen_matrix(mn_context *ctx, const mn_matrix *from, size_t cols, size_t parts, size_t length,
                          mn_matrix *to);

/* Room for `needs`: at least twice what there is when it must grow. */
size_t mn_room_for(size_t has, size_t needs);

#endif
