/* Single values of a kernel, in a plain order of operations: the reference for the tiles of kernel.h, and what exported
 * programs compute (src/model/kernel_program.h), to the last bit. */
#ifndef MN_KERNEL_KERNEL_VALUE_H
#define MN_KERNEL_KERNEL_VALUE_H
#include "kernel.h"

/* Whether the kernel is a formula of two rows: neither precomputed nor a function of the host. */
bool mn_kernel_has_values(const mn_kernel *k);

/* The exponent if powers with it are computed by multiplication, else 0. */
double mn_kernel_whole_power(double exponent);

/* out[i] = k(y_i, x), for n rows y_i and one row x of d columns, which are not the same row: white is 0. The kernel has
 * passed mn_kernel_check. */
void mn_kernel_values(const mn_kernel *k, size_t d, size_t n, const double *y, const double *x, double *out);

/* g_j = d k(y, x) / d x_j of two different rows. work: nodes x d values. At a row of its own the derivative of kernels
 * with a kink there is 0. */
void mn_kernel_input_gradient(const mn_kernel *k, size_t d, const double *y, const double *x, double *work, double *g);

#endif
