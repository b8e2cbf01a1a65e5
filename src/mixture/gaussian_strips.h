/* Parts of a pass over the rows of a Gaussian mixture (gaussian_pass.c) in tasks (gaussian_strips.c). */
#ifndef MN_MIXTURE_GAUSSIAN_STRIPS_H
#define MN_MIXTURE_GAUSSIAN_STRIPS_H
#include "gaussian.h"

/* Whether the sums of a task are small enough. */
bool mn_gaussian_has_strips(const mn_gaussians *g);
mn_status mn_gaussian_run_strips(mn_context *ctx, const mn_gaussian_pass *pass);

/* From log densities of rows begin .. begin + n - 1 in `r`, columns x stride, responsibilities and the outputs of the
 * pass. Out: the largest log density of each row, and the logarithm of their sum. */
void mn_gaussian_finish(const mn_gaussian_pass *pass, size_t begin, size_t n, size_t stride, double *r, double *largest,
                        double *log_density);

/* Multiply the responsibilities by the sample weights, and add the log likelihood to the sums. */
void mn_gaussian_add_likelihood(const mn_gaussian_pass *pass, size_t begin, size_t n, size_t stride, double *r,
                                const double *largest, const double *log_density, mn_gaussian_sums *sums);
#endif
