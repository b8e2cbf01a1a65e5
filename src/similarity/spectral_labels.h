/* Clusters of the rows of a spectral embedding. */
#ifndef MN_SIMILARITY_SPECTRAL_LABELS_H
#define MN_SIMILARITY_SPECTRAL_LABELS_H
#include "../core/matrix.h"

/* label[i] in 0 .. k - 1 for the n rows of u (n x k); some clusters may be empty.
 *
 *   discretize  alternate between the partition that is nearest to the rotated rows and the rotation that is nearest
 *               to the partition, beginning with a random row. Yu & Shi, Multiclass Spectral Clustering, ICCV (2003)
 *   cluster_qr  k rows that a QR factorization with pivoting chooses become the axes, and each row takes the largest.
 *               Damle, Minden & Ying, Information and Inference 8 (2019)                                            */
mn_status mn_spectral_discretize(mn_context *ctx, size_t n, size_t k, const double *u, int64_t seed, int32_t *label);
mn_status mn_spectral_qr(mn_context *ctx, size_t n, size_t k, const double *u, int32_t *label);

#endif
