/* Nearest rows and centers by brute force: float32 matrix products screen, float64 differences decide.
 *
 * The screen computes |y|^2 / 2 - x y about a common origin, with a bound on its rounding errors. Candidates that the
 * bound cannot exclude are compared by sum_f (x_f - y_f)^2 in float64, which is also the distance returned; ties are
 * broken by the lowest index. So results equal those of a plain float64 loop. With NaN or infinity in the data, indices
 * are valid but arbitrary.
 *
 * All matrices are contiguous and row-major. Scratch memory is released before the call returns. */
#ifndef MN_SEARCH_NEAREST_H
#define MN_SEARCH_NEAREST_H
#include "../core/matrix.h"

/* Lower bounds on distances of rows to groups of centers, with which an iteration of k-means skips what cannot change:
 * with one group Hamerly's algorithm, with a group for each center Elkan's, else Yinyang (Ding et al., ICML 2015).
 * Labels, sums and inertia are the same with any groups and without. */
typedef struct mn_center_bounds {
  float *lower;         /* n x groups: row i to all centers of the group but label[i]; negative: unknown. Out; in as
                           well if `moved` is given */
  size_t groups;        /* 1 .. k                                                                        */
  const int32_t *group; /* k: group of each center; NULL if groups is 1 or k, where center c is in group c */
  const double *moved;  /* k: how far each center has moved since label and lower were computed; NULL: compute all */
} mn_center_bounds;

/* The nearest center of every row and, on request, the sums for the next centers: one iteration of k-means.
 *
 *   n, d, k    X is n x d; k >= 1 centers, k x d
 *   w          n weights for sums, totals and inertia; NULL: all 1
 *   label      out: n; 0-based. In as well, with bounds->moved
 *   bounds     may be NULL. With `moved`, a row that is provably still nearest to its center keeps it
 *   distance2  out, may be NULL: n squared distances, in the units of X squared
 *   sums       out, may be NULL: k x d; sum of w_i x_i over the rows of each center
 *   totals     out, NULL if and only if sums is: k; sum of w_i over them
 *   inertia    out, may be NULL: sum_i w_i distance2_i
 *
 * 2 n d k flops in float32, 5 n d in float64; X is read once. Sums are computed for blocks of rows and added in order;
 * they take a quarter of the size of X or 8 MB, whichever is more, but at least one k x d. */
mn_status mn_nearest_center(mn_context *ctx, size_t n, size_t d, size_t k, const double *x, const double *centers,
                            const double *w, int32_t *label, const mn_center_bounds *bounds, double *distance2,
                            double *sums, double *totals, double *inertia);

/* The same for sparse X. Scores |c|^2 / 2 - x c in float64 screen; candidates within the rounding error, and distances
 * that cancel too many digits, are computed from differences. Sums are computed cluster by cluster.
 *
 * Time O(k) for each value of x, and O(columns) for each row that is close to a tie or to its center. Memory for a
 * transposed copy of the centers, and 20 bytes a row. */
mn_status mn_nearest_center_sparse(mn_context *ctx, const mn_csr *x, size_t k, const double *centers, const double *w,
                                   int32_t *label, double *distance2, double *sums, double *totals, double *inertia);

/* The k nearest of n rows for each of m queries, nearest first; ties are broken by the lowest index.
 *
 *   m, n, d    queries are m x d, rows n x d
 *   k          1 .. n; 1 .. n - 1 with `others`
 *   others     query i is row i, and is not its own neighbor
 *   index      out: m x k; 0-based
 *   distance2  out: m x k squared distances, in the units of the rows squared
 *
 * 2 m n d flops in float32. Slightly more than k candidates are kept for each query and measured in float64; if that
 * does not prove that none was missed (many rows at nearly the same distance), all rows are screened again and every
 * possible neighbor is measured. From 256 columns, 512 queries and some millions of m n on, a sample decides whether
 * the rows vary in few directions; if so, projections to 64 columns are screened (projection.h): 128 m n flops.
 * Allocates a float32 copy of the rows or of their projections. MN_BAD_ARGUMENT if k is out of range. */
mn_status mn_nearest_rows(mn_context *ctx, size_t m, size_t n, size_t d, const double *queries, const double *rows,
                          size_t k, bool others, int32_t *index, double *distance2);

#endif
