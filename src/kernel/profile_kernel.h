/* The loops of kernels over tiles. `blocks` counts blocks of MN_VECTOR_LANES values, so that a value does not depend on
 * its position. */
#ifndef MN_KERNEL_PROFILE_KERNEL_H
#define MN_KERNEL_PROFILE_KERNEL_H
#include "../linalg/elementwise_kernel.h"

/* From squared distances, in place. */
void mn_profile_rbf(size_t blocks, double *v);
void mn_profile_matern12(size_t blocks, double *v);
void mn_profile_matern32(size_t blocks, double *v);
void mn_profile_matern52(size_t blocks, double *v);
void mn_profile_rational(size_t blocks, double alpha, double *v);

/* exp(-gamma v), gamma v + coef0, its positive whole power, and tanh of it. */
void mn_profile_exp(size_t blocks, double gamma, double *v);
void mn_profile_affine(size_t blocks, double gamma, double coef0, double *v);
void mn_profile_power(size_t blocks, unsigned exponent, double *v);

/* a += b, a *= b */
void mn_profile_add(size_t blocks, const double *b, double *a);
void mn_profile_multiply(size_t blocks, const double *b, double *a);

/* product[j] = max(0, norm2 + norms2[j] - 2 product[j]). Returns how many of them are small against norm2 + norms2[j],
 * so that they have lost digits: those for which mn_is_cancelled holds. */
size_t mn_profile_distances(size_t blocks, double norm2, const double *norms2, double *product);

static inline int mn_is_cancelled(double distance2, double norm2, double other)
{
  return distance2 <= 0x1p-10 * (norm2 + other);
}

/* out[j] = the product of x with row j of y, rows x width */
void mn_profile_dots(size_t rows, size_t width, const double *x, const double *y, double *out);

/* sum_j x_j y_j, and sum_j (x_j - y_j)^2 */
double mn_profile_dot(size_t n, const double *x, const double *y);
double mn_profile_distance2(size_t n, const double *x, const double *y);

/* out[j] += |x - y[j]|, (x - y[j])^2 and (x - y[j])^2 / (x + y[j]), which is 0 for 0 / 0 */
void mn_profile_add_absolute(size_t blocks, double x, const double *y, double *out);
void mn_profile_add_square(size_t blocks, double x, const double *y, double *out);
void mn_profile_add_chi2(size_t blocks, double x, const double *y, double *out);

/* out[j] += angle sin(angle) / length^2, with the angle rate (x - y[j]) of two points on a circle: u, v of x and the
 * arrays u, v are sin / length and cos / length of their angles. */
void mn_profile_add_turn(size_t blocks, double rate, double x, double u, double v, const double *y, const double *us,
                         const double *vs, double *out);

#endif
