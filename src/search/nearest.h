/* Nearest rows: by products of blocks in float32 that screen, and differences in float64 that decide.
 *
 * The screen computes |y|^2 / 2 - x y about a common origin, with a bound on its rounding errors. Whatever the bound
 * leaves open is decided by sum_f (x_f - y_f)^2 in float64, and that is also what is reported; among equal ones the
 * lowest index wins. So the results are those of a plain float64 loop. With NaN or infinity in the data, indices are
 * valid but mean nothing.
 *
 * All matrices are contiguous and row-major. Scratch is given back before the call returns. */
#ifndef MN_SEARCH_NEAREST_H
#define MN_SEARCH_NEAREST_H
#include "../core/context.h"

/* Nearest center of every row, and, when asked, the sums that the next centers are made of: one round of k-means.
 *
 *   n, d, k    X is n x d; k >= 1 centers, k x d
 *   w          n weights for sums, totals and inertia; NULL: all 1
 *   label      out: n; 0-based; in as well, with `way`
 *   rest       out, may be NULL: n lower bounds of the distance of row i to all centers but label[i]; negative where
 *              nothing is known
 *   way        may be NULL: k; how far each center went since label and rest were told. Then rest is in as well, and a
 *              row that is nearer to its center than others can have come keeps it, without being screened
 *   distance2  out, may be NULL: n squared distances, in the units of X squared
 *   sums       out, may be NULL: k x d; sum of w_i x_i over the rows of each center
 *   totals     out, NULL if and only if sums is: k; sum of w_i over them
 *   inertia    out, may be NULL: sum_i w_i distance2_i
 *
 * 2 n d k flops in float32, 5 n d in float64; X is read once. Sums are made for blocks of rows and added in order;
 * MN_NO_MEMORY for them (a quarter of X or 8 MB, whichever is more, but one k x d at least). */
mn_status mn_nearest_center(mn_context *ctx, size_t n, size_t d, size_t k, const double *x, const double *centers,
                            const double *w, int32_t *label, float *rest, const double *way, double *distance2,
                            double *sums, double *totals, double *inertia);

/* The k nearest of n rows for each of m queries, nearest first, among equal distances the lowest index first.
 *
 *   m, n, d    queries are m x d, rows n x d
 *   k          1 .. n; 1 .. n - 1 when `others`
 *   others     query i is row i, and is not its own neighbour
 *   index      out: m x k; 0-based
 *   distance2  out: m x k squared distances, in the units of the rows squared
 *
 * 2 m n d flops in float32; a few rows more than k are kept for each query and measured in float64, and when that does
 * not prove that none was missed (many rows at nearly the same distance), the screen is passed once more, and all that
 * may be nearer than the k-th are measured. From 256 columns and 512 queries on, and some millions of m n, a sample
 * tells whether the rows vary in few directions; if so the screen has 64 columns only (shadow.h): 128 m n flops.
 * MN_BAD_ARGUMENT for k out of range. MN_NO_MEMORY for a float32 copy of the rows or of their shadows. */
mn_status mn_nearest_rows(mn_context *ctx, size_t m, size_t n, size_t d, const double *queries, const double *rows,
                          size_t k, bool others, int32_t *index, double *distance2);

#endif
