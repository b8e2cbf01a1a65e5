/* Kernels of density estimation and regression: functions K(u) of a distance u in bandwidths. Here K(0) = 1; divided by
 * its integral, K is a density. */
#ifndef MN_SMOOTHING_KERNEL_SHAPE_H
#define MN_SMOOTHING_KERNEL_SHAPE_H
#include <stdbool.h>
#include <stddef.h>

/* The order of mn_kernel_shape_names. All but the Gaussian and the exponential kernel are 0 for u >= 1. */
typedef enum mn_kernel_shape {
  MN_SHAPE_GAUSSIAN,     /* exp(-u^2 / 2) */
  MN_SHAPE_TOPHAT,       /* 1             */
  MN_SHAPE_EPANECHNIKOV, /* 1 - u^2       */
  MN_SHAPE_EXPONENTIAL,  /* exp(-u)       */
  MN_SHAPE_LINEAR,       /* 1 - u         */
  MN_SHAPE_COSINE,       /* cos(pi u / 2) */
  MN_SHAPE_BIWEIGHT,     /* (1 - u^2)^2   */
  MN_SHAPE_TRIWEIGHT,    /* (1 - u^2)^3   */
  MN_SHAPE_TRICUBE       /* (1 - u^3)^3   */
} mn_kernel_shape;
extern const char *const mn_kernel_shape_names[];

bool mn_shape_is_compact(mn_kernel_shape shape);

/* K(u), u >= 0. */
double mn_shape_value(mn_kernel_shape shape, double u);

/* Variance of the density proportional to K(|u|) on the line. */
double mn_shape_variance(mn_kernel_shape shape);

/* Distribution function of that density at u. */
double mn_shape_cdf(mn_kernel_shape shape, double u);

/* Logarithm of the integral of K(u) u^(d-1) over u > 0, d >= 1. */
double mn_shape_log_moment(mn_kernel_shape shape, size_t d);

/* Logarithm of the integral of K(|u|) over d dimensions, d >= 1, with |u| the Euclidean norm. */
double mn_shape_log_integral(mn_kernel_shape shape, size_t d);

#endif
