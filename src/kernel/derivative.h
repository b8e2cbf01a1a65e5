/* Derivatives of leaf kernels by the logarithms of their hyperparameters, on one tile; internal to src/kernel. */
#ifndef MN_KERNEL_DERIVATIVE_H
#define MN_KERNEL_DERIVATIVE_H
#include "evaluate.h"

/* The factor of all lengths of leaf `node`, which mn_tile_derivative takes. value, base: of the leaf. */
void mn_tile_slope(const mn_kernel *k, const mn_kernel_node *node, size_t rows, const double *value, const double *base,
                   double *out);

/* The derivative of leaf `node` by hyperparameter p of the node. */
void mn_tile_derivative(const mn_kernel_plan *plan, size_t node, size_t p, const mn_tile *t, const mn_tile_work *w,
                        const double *value, const double *base, const double *slope, double *out);

/* out *= exponent value^(exponent - 1) */
void mn_tile_multiply_power_derivative(double exponent, size_t rows, const double *value, double *out);

#endif
