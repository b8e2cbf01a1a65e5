/* Loops of the forward pass of MARS. No argument is checked; arrays must not overlap. */
#ifndef MN_PIECEWISE_MARS_KERNEL_H
#define MN_PIECEWISE_MARS_KERNEL_H
#include <stddef.h>
#include <stdint.h>

/* For listed rows: first_k += z x v_ik and zeroth_k += z v_ik, with z and x of the row.
 *
 *   count      rows
 *   row, x, z  count each
 *   v          rows ld apart, ld a multiple of 8
 *   width      columns wanted, a multiple of 8
 *   first, zeroth  width, in and out */
void mn_mars_moments(size_t count, const int32_t *row, const double *x, const double *z, const double *v, size_t ld,
                     size_t width, double *first, double *zeroth);

/* The same of all n rows in their order, the first moment only. */
void mn_mars_project(size_t n, const double *x, const double *z, const double *v, size_t ld, size_t width,
                     double *first);

/* sum_i z_i b_i x_i^2 */
double mn_mars_square(size_t n, const double *x, const double *z, const double *b);

/* What a knot needs of the moments: h_k = first_k - t zeroth_k for k < m.
 *
 *   square  out: sum_k h_k^2
 *   along   out: sum_k h_k c_k */
void mn_mars_knot(size_t m, double t, const double *first, const double *zeroth, const double *c, double *square,
                  double *along);

#endif
