/* Inner loops of the forward pass of MARS. Arguments are not checked; arrays must not overlap. */
#ifndef MN_PIECEWISE_MARS_KERNEL_H
#define MN_PIECEWISE_MARS_KERNEL_H
#include <stddef.h>
#include <stdint.h>

/* For the listed rows: first_k += z x v_ik and zeroth_k += z v_ik, with z and x of the row.
 *
 *   count      number of rows
 *   row, x, z  count each
 *   v          rows ld apart, ld a multiple of 8
 *   width      number of columns, a multiple of 8
 *   first, zeroth  width, in and out */
void mn_mars_moments(size_t count, const int32_t *row, const double *x, const double *z, const double *v, size_t ld,
                     size_t width, double *first, double *zeroth);

/* The same for all n rows, first moment only. */
void mn_mars_project(size_t n, const double *x, const double *z, const double *v, size_t ld, size_t width,
                     double *first);

/* sum_i z_i b_i x_i^2 */
double mn_mars_square(size_t n, const double *x, const double *z, const double *b);

/* Values for a knot t from the moments, with h_k = first_k - t zeroth_k for k < m.
 *
 *   square   out: sum_k h_k^2
 *   product  out: sum_k h_k c_k */
void mn_mars_knot(size_t m, double t, const double *first, const double *zeroth, const double *c, double *square,
                  double *product);

#endif
