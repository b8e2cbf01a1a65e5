/* Hot loops of message passing on grids. */
#ifndef MN_GRAPHICAL_GRID_KERNEL_H
#define MN_GRAPHICAL_GRID_KERNEL_H
#include "../core/clones.h"
#include <stddef.h>

enum { MN_GRID_DIRECTIONS = 8, MN_GRID_STATES = 64 };

/* One row of one message: n pixels, `states` states. For state s from 1, in_s[i] = unary * product of the messages to
 * pixel i but that from the receiver, all relative to state 0. For target t,
 *
 *     out_t[i] = (T_0t + sum_s T_st in_s[i]) / (T_00 + sum_s T_s0 in_s[i])
 *
 * or the maximum in place of the sums; damped by the share `keep` of the old value in logarithms where keep > 0.
 * Returns the largest |new - old| / (1 + new) / (1 + old), the change as a probability against the first state. */
double mn_grid_row_sum(size_t n, size_t states, const double *table, const double *const *in, const double *const *old,
                       double *const *out, double keep);
double mn_grid_row_max(size_t n, size_t states, const double *table, const double *const *in, const double *const *old,
                       double *const *out, double keep);

/* product[i] = unary[i] * message[0][i] * ... * message[count-1][i] */
void mn_grid_product(size_t n, const double *unary, size_t count, const double *const *message, double *product);

#endif
