/* Classical scaling: points whose distances are near given ones.
 *
 *     B = -1/2 H D2 H,  H = I - 1 1' / n,  B v_c = lambda_c v_c,      z_ic = sqrt(lambda_c) v_ci
 *
 * where D2 has the squared distances. Torgerson, Psychometrika 17 (1952); Gower, Biometrika 53 (1966). */
#ifndef MN_MANIFOLD_CLASSICAL_H
#define MN_MANIFOLD_CLASSICAL_H
#include "../core/matrix.h"

/* All in scratch. */
typedef struct mn_classical_scaling {
  double *values;    /* k: eigenvalues, descending; 0 if not positive */
  double *embedding; /* n x k                                         */
  double *mean;      /* n: mean of each row of D2                     */
  double trace;      /* sum of all eigenvalues of B                   */
  double squares;    /* sum of their squares                          */
} mn_classical_scaling;

/* `distance` (n x n) is overwritten; 1 <= k <= n. */
mn_status mn_classical_scale(mn_context *ctx, size_t n, size_t k, double *distance, mn_classical_scaling *s);

/* The same with another error of eigenvectors, relative to the largest eigenvalue, than 1e-12 if Lanczos finds them. */
mn_status mn_classical_scale_to(mn_context *ctx, size_t n, size_t k, double tolerance, double *distance,
                                mn_classical_scaling *s);

/* Learned fields from a scaling: the embedding, the projection embedding / (2 lambda), the eigenvalues, the means. */
mn_status mn_keep_scaling(mn_context *ctx, size_t n, size_t k, const mn_classical_scaling *s, mn_matrix *embedding,
                          mn_matrix *projection, mn_vector *eigenvalues, mn_vector *squared_means);

/* New rows with the distances d_i to the training rows, by Gower's formula,
 *
 *     z_c = 1 / (2 sqrt(lambda_c)) sum_i v_ci (mean_i - d_i^2).
 *
 * Gower, Biometrika 55 (1968).
 *
 *   distance       rows x n
 *   projection     n x k
 *   squared_means  n
 *   out            rows x k */
mn_status mn_place_by_gower(mn_context *ctx, size_t rows, const double *distance, const mn_matrix *projection,
                            const double *squared_means, double *out);

#endif
