/* Rows of many columns in a few, no farther apart than they were: what is far in the shadow is far.
 *
 * With B an orthonormal basis (d x r), the shadow of x is ( B'(x - shift), |what is left of x - shift| ). By the
 * inequality of Cauchy and Schwarz the parts that are left differ by no less than their lengths, so squared distances
 * of shadows are lower bounds. They are tight when B holds the directions in which the rows vary most, found from a
 * sample as in Halko, Martinsson & Tropp, SIAM Review 53 (2011). Mean and deviation in place of B: Hwang, Han & Ahn,
 * CVPR 2012. */
#ifndef MN_SEARCH_SHADOW_H
#define MN_SEARCH_SHADOW_H
#include "../core/context.h"

typedef struct mn_shadow {
  size_t d, width; /* columns before and after: width = r + 1 */
  double *shift;   /* d; taken off first                      */
  double scale;    /* then all is multiplied by this          */
  double *basis;   /* d x r                                   */
  double slack;    /* |x' - y'|^2  <=  |x - y|^2 + slack (|x'|^2 + |y'|^2), x and y shifted and scaled */
} mn_shadow;

/* A basis for the n rows (n x d, n > 0), in scratch of which the most is d x width. */
mn_status mn_shadow_init(mn_context *ctx, mn_shadow *s, size_t n, size_t d, size_t width, const double *rows);

/* out (n x width) = the shadows of n rows. NaN where the square of a row overflows. */
mn_status mn_shadow_rows(mn_context *ctx, const mn_shadow *s, size_t n, const double *rows, double *out);

/* The same for at most MN_SHADOW_ROWS rows inside a task; work is mn_shadow_bytes, 64-byte aligned. */
enum { MN_SHADOW_ROWS = 96 };
size_t mn_shadow_bytes(const mn_shadow *s);
void mn_shadow_cast(const mn_shadow *s, size_t rows, const double *x, double *out, char *work);

/* Is the shadow likely to spare work: among a sample of the rows, are few nearer in it to a sample of the queries than
 * the nearest share k / n of them is in truth? */
mn_status mn_shadow_pays(mn_context *ctx, const mn_shadow *s, size_t m, const double *queries, size_t n,
                         const double *rows, size_t k, bool *pays);

#endif
