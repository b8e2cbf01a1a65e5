/* Derivatives of leaf kernels by the logarithms of their hyperparameters, on one tile; internal to src/kernel. */
#ifndef MN_KERNEL_DERIVATIVE_H
#define MN_KERNEL_DERIVATIVE_H
#include "evaluate.h"

/* The factor of all lengths of leaf `node`, which mn_tile_derivative takes. value, base: of the leaf, `size` values. */
void mn_tile_slope(const mn_kernel *k, const mn_kernel_node *node, size_t size, const double *value, const double *base,
                   double *out);

/* The derivative of leaf `node` by hyperparameter p of the node. */
void mn_tile_derivative(const mn_kernel_plan *plan, size_t node, size_t p, const mn_tile *t, const mn_tile_work *w,
                        const double *value, const double *base, const double *slope, double *out);

/* The derivative of leaf `node` by a hyperparameter that is not a length or period, of one value; `extra` counts those
 * after the lengths. */
double mn_leaf_extra_derivative(const mn_kernel_node *node, const mn_hyperparameter *h, size_t extra, double value,
                                double base);

/* What a leaf is on a tile: its value, what it is computed from, mn_tile_slope, and dK / dleaf; and a tile to work in.
 */
typedef struct mn_tile_values {
  const double *value, *base, *slope, *factor;
  double *work;
} mn_tile_values;

/* out[i] += sum_j factor_ij dleaf_ij / da_i for the rows a on the left, which are dense: rows of the tile x columns of
 * X. `product`: workspace of mn_tile_coordinates_bytes(twice the columns of X). */
size_t mn_tile_coordinates_bytes(size_t width);
void mn_tile_coordinates(const mn_kernel_plan *plan, size_t node, const mn_tile *t, const mn_tile_work *w,
                         const mn_tile_values *v, void *product, double *out);

/* out *= exponent value^(exponent - 1) */
void mn_tile_multiply_power_derivative(double exponent, size_t size, const double *value, double *out);

#endif
