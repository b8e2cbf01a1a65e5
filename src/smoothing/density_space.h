/* What kernel density estimation needs of a metric: the volume that makes a kernel a density, and points of the kernel.
 */
#ifndef MN_SMOOTHING_DENSITY_SPACE_H
#define MN_SMOOTHING_DENSITY_SPACE_H
#include "../core/rng.h"
#include "../search/metric.h"
#include "kernel_shape.h"

/* The metrics of density estimation: mn_metric_names without precomputed. */
extern const char *const mn_density_metric_names[];

/* Whether the metric is a norm of differences of rows, so that kernels can be drawn from, and bandwidths have the units
 * of X (of mahalanobis: standard deviations). */
bool mn_metric_is_norm(int64_t metric);

/* The logarithm of the integral of K(distance / h): over R^d for norms, over the unit sphere for haversine. The other
 * metrics have no volume: 0. */
double mn_density_log_integral(const mn_space *space, mn_kernel_shape shape, double h);

/* Add h times a draw from the kernel to a row. Norms only. `noise`: d values of workspace. */
void mn_density_draw(const mn_space *space, mn_kernel_shape shape, double h, mn_rng *rng, double *noise, double *row);

#endif
