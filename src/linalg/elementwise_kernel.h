/* Elementwise functions that libmvec vectorizes (within 4 units in the last place). */
#ifndef MN_LINALG_ELEMENTWISE_KERNEL_H
#define MN_LINALG_ELEMENTWISE_KERNEL_H
#include "../core/clones.h"
#include <stddef.h>

/* Values are processed in full blocks of this size, so that a result does not depend on the position of its value. */
enum { MN_VECTOR_LANES = 32 };

/* y[i] = f(x[i]), i < MN_VECTOR_LANES * blocks; y may be x. NaN and infinity give what libm gives. */
void mn_kernel_exp(size_t blocks, const double *x, double *y);
void mn_kernel_expm1(size_t blocks, const double *x, double *y);
void mn_kernel_log(size_t blocks, const double *x, double *y);
void mn_kernel_log1p(size_t blocks, const double *x, double *y);
void mn_kernel_sin(size_t blocks, const double *x, double *y);
void mn_kernel_cos(size_t blocks, const double *x, double *y);
void mn_kernel_tanh(size_t blocks, const double *x, double *y);

/* 1 / (1 + exp(-x)) */
void mn_kernel_sigmoid(size_t blocks, const double *x, double *y);

#endif
