/* Sorting numbers: NaN goes last, -0 and 0 are equal, equal numbers keep their order. */
#ifndef MN_ORDER_H
#define MN_ORDER_H
#include "../core/context.h"

/* order[i] = the place (0-based) in x of the i-th smallest value; `step` elements from one value to the next. By digits
 * of 8 bits, those that are the same in all values left out: time grows with n alone. MN_NO_MEMORY for 32 n bytes of
 * scratch. */
mn_status mn_order(mn_context *ctx, size_t n, const double *x, size_t step, size_t *order);

/* The same, from the largest down; NaN last, equal numbers in their order. */
mn_status mn_order_down(mn_context *ctx, size_t n, const double *x, size_t step, size_t *order);

#endif
