/* Starts of non-negative matrix factorization: random, and from singular vectors (NNDSVD). */
#ifndef MN_DECOMPOSITION_NMF_START_H
#define MN_DECOMPOSITION_NMF_START_H
#include "../model/data.h"

/* w (rows x k) and ht (features x k): absolute normal values times sqrt(mean / k). */
void mn_nmf_random_start(const mn_data *data, double mean, int64_t seed, size_t k, double *w, double *ht);

/* The positive or the negative parts of the singular vectors, whichever have the larger product of norms. Zeros are
 * replaced by `fill`. k is at most the smaller side of X.
 *
 * Boutsidis & Gallopoulos, Pattern Recognition 41 (2008). */
mn_status mn_nmf_singular_start(mn_context *ctx, const mn_data *data, const mn_csr *sparse, double fill, size_t k,
                                double *w, double *ht);

#endif
