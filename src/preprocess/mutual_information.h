/* Mutual information of two columns in nats, estimated from nearest neighbors.
 *
 *   both discrete      sum over pairs of values of p(a, b) log(p(a, b) / (p(a) p(b)))
 *   one discrete       psi(n) + <psi(k)> - <psi(n_c)> - <psi(m)>; m: rows nearer than the k-th neighbor among the n_c
 *                      rows with the same discrete value, the row itself included (Ross, PLoS ONE 9, 2014)
 *   both continuous    psi(n) + psi(k) - <psi(n_x + 1) + psi(n_y + 1)>; n_x: rows nearer in x than the k-th neighbor in
 *                      the plane by the maximum norm (Kraskov, Stoegbauer & Grassberger, Phys. Rev. E 69, 2004)
 *
 * <> is the mean over the rows and psi the digamma function; negative estimates are 0, and so is that of a constant
 * column. Continuous columns are divided by their standard deviation, and noise of 1e-10 breaks ties, as in
 * scikit-learn; it comes from a fixed random stream. */
#ifndef MN_PREPROCESS_MUTUAL_INFORMATION_H
#define MN_PREPROCESS_MUTUAL_INFORMATION_H
#include "../core/context.h"

/* One of the two columns. Scratch memory. */
typedef struct mn_mi_column {
  size_t n;
  size_t values;       /* number of distinct values if discrete, else 0    */
  bool constant;       /* all values are equal                             */
  const int32_t *code; /* discrete: the value of each row, 0 .. values - 1 */
  size_t *count;       /* discrete: rows with each value                   */
  double *x, *sorted;  /* continuous: scaled, with noise                   */
  size_t *order;       /* continuous: row of each sorted value             */
} mn_mi_column;

/* n >= 1 values, `step` apart. Different columns need different random streams. */
mn_status mn_mi_continuous(mn_context *ctx, size_t n, const double *x, size_t step, uint64_t stream,
                           mn_mi_column *column);
mn_status mn_mi_discrete(mn_context *ctx, size_t n, const double *x, size_t step, mn_mi_column *column);
mn_status mn_mi_labels(mn_context *ctx, size_t n, const int32_t *code, size_t values, mn_mi_column *column);

/* psi(0) .. psi(n), of which the first is not used. NULL without memory. */
double *mn_mi_digamma(mn_context *ctx, size_t n);

/* The mutual information with k neighbors, or as many as there are. */
mn_status mn_mutual_information(mn_context *ctx, const mn_mi_column *a, const mn_mi_column *b, size_t k,
                                const double *digamma, double *information);

#endif
