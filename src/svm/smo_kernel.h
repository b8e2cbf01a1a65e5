/* Hot loops of sequential minimal optimization. */
#ifndef MN_SVM_SMO_KERNEL_H
#define MN_SVM_SMO_KERNEL_H
#include "../core/clones.h"
#include <stddef.h>

/* f[0..n-1] += sum_k step[k] row[k][begin ..], for `count` rows of the kernel matrix. */
void mn_smo_add_rows32(size_t count, const float *const *row, const double *step, size_t begin, size_t n, double *f);
void mn_smo_add_rows64(size_t count, const double *const *row, const double *step, size_t begin, size_t n, double *f);

/* v -= step (ki - kj) */
void mn_smo_move(size_t n, double step, const double *ki, const double *kj, double *v);

/* The largest v + mask, with mask 0 for candidates and -1e300 for others, and in *index the first place of it. */
double mn_smo_largest(size_t n, const double *v, const double *mask, size_t *index);

/* The pair of second order for i: the first j with the largest decrease (vi - v_j)^2 / (2 eta) of the objective, among
 * those with v_j < vi, eta = max(kii + diagonal_j - 2 ki_j, tau). `mask` is 0 for candidates and 1e300 for others.
 * gain: n, workspace. *excess: the largest vi - v_j. Returns the largest (vi - v_j)^2 / eta, 0 if there is none. */
double mn_smo_second(size_t n, double vi, double kii, const double *ki, const double *diagonal, const double *v,
                     const double *mask, double *gain, size_t *index, double *excess);

#endif
