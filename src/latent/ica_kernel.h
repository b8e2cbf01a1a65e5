/* Derivatives g of the contrast functions of FastICA, in place. */
#ifndef MN_LATENT_ICA_KERNEL_H
#define MN_LATENT_ICA_KERNEL_H
#include <stddef.h>

/* y[i] becomes w_i g(y[i]), i < n; returns sum_i w_i g'(y[i]). w NULL: all 1.
 *
 *   logcosh  g(y) = tanh(alpha y)
 *   exp      g(y) = y exp(-y^2 / 2)
 *   cube     g(y) = y^3; alpha is not used by either */
double mn_ica_logcosh(size_t n, double alpha, const double *w, double *y);
double mn_ica_exp(size_t n, double alpha, const double *w, double *y);
double mn_ica_cube(size_t n, double alpha, const double *w, double *y);

#endif
