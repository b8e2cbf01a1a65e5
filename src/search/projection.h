/* Projection of rows onto few dimensions that does not increase distances, so that squared distances of projections are
 * lower bounds.
 *
 * With B an orthonormal basis (d x r), x is mapped to ( B'(x - shift), |the part of x - shift orthogonal to B| ). By
 * the Cauchy-Schwarz inequality the orthogonal parts of two rows differ by at least the difference of their lengths.
 * The bounds are tight if B spans the directions in which the rows vary most; they are found from a sample by
 * randomized SVD: Halko, Martinsson & Tropp, SIAM Review 53 (2011). Hwang, Han & Ahn, CVPR 2012, use mean and deviation
 * instead of B. */
#ifndef MN_SEARCH_PROJECTION_H
#define MN_SEARCH_PROJECTION_H
#include "../core/context.h"

typedef struct mn_projection {
  size_t d, width; /* columns before and after: width = r + 1 */
  double *shift;   /* d: subtracted first                     */
  double scale;    /* factor applied after the shift          */
  double *basis;   /* d x r: B                                */
  double slack;    /* |x' - y'|^2  <=  |x - y|^2 + slack (|x'|^2 + |y'|^2), x and y shifted and scaled */
} mn_projection;

/* Find a basis for n > 0 rows (n x d). Memory is scratch, mainly d x width values. */
mn_status mn_projection_init(mn_context *ctx, mn_projection *s, size_t n, size_t d, size_t width, const double *rows);

/* out (n x width) = the projections of n rows; NaN if the square of a row overflows. */
mn_status mn_projection_rows(mn_context *ctx, const mn_projection *s, size_t n, const double *rows, double *out);

/* The same for at most MN_PROJECTION_ROWS rows inside a parallel task. `work` has mn_projection_workspace bytes,
 * 64-byte aligned. */
enum { MN_PROJECTION_ROWS = 96 };
size_t mn_projection_workspace(const mn_projection *s);
void mn_projection_apply(const mn_projection *s, size_t rows, const double *x, double *out, char *work);

/* Whether the projection is likely to save work, tested on samples of rows and queries: few rows must be nearer to a
 * query in the projection than the nearest fraction k / n of the rows really are. */
mn_status mn_projection_pays(mn_context *ctx, const mn_projection *s, size_t m, const double *queries, size_t n,
                             const double *rows, size_t k, bool *pays);

#endif
