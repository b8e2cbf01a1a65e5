/* Sparse codes of rows: each row x as a combination b of few atoms, the rows of a dictionary D. */
#ifndef MN_DICTIONARY_SPARSE_CODE_H
#define MN_DICTIONARY_SPARSE_CODE_H
#include "../core/matrix.h"

enum { MN_CODE_OMP, MN_CODE_LARS, MN_CODE_LASSO_LARS, MN_CODE_LASSO_CD, MN_CODE_THRESHOLD };

typedef struct mn_code_settings {
  int64_t algorithm;
  size_t count;  /* atoms of omp and lars */
  double alpha;  /* of the others: 1/2 |x - b D|^2 + alpha |b|_1, or the threshold */
  bool positive; /* b >= 0; not with omp and lars */
  size_t max_iter;
} mn_code_settings;

/* The codes of n rows.
 *
 *   products  n x k: X D'
 *   gram      k x k: D D'
 *   rank      a bound on the rank of D: min(k, columns)
 *   code      n x k, out; in, for lasso_cd: where to start */
mn_status mn_sparse_code(mn_context *ctx, const mn_code_settings *settings, size_t n, size_t k, size_t rank,
                         const double *products, const double *gram, double *code);

#endif
