/* One pass over the rows of a Gram matrix: what gram.c asks of gram_pass.c. Rows are packed once, shifted on the way,
 * and the packed panels serve as both operands; only tiles on or above the diagonal are computed. */
#ifndef MN_LINALG_GRAM_PARTS_H
#define MN_LINALG_GRAM_PARTS_H
#include "../core/threads.h"
#include "gemm.h"

/* Columns 0 .. width-1 are those of X, then Y, then the constant 1 where sums are wanted. */
struct mn_gram_work {
  const mn_gemm_kernel *g;
  size_t n, p, q, width, padded; /* padded: width in whole panels */
  const double *x, *y, *w;
  size_t ldx, ldy, depth; /* depth: rows of a panel                                       */
  double *shift;          /* width                                                        */
  bool wide;              /* threads share the packed rows and take blocks of G; else each takes chunks of rows */
  mn_blocks chunks;       /* of rows: with a part of their own, or packed at a time if wide */
  mn_blocks cols;         /* panels of G in blocks                                        */
  double *part;           /* padded x padded; for each chunk unless wide                  */
  double *packed;         /* for each worker; two chunks, this one and the next, if wide  */
  size_t packed_size;
  double *weighed; /* for each worker, if there are weights */
  size_t weighed_size;
  double *sum; /* upper triangle of the result, rows ld apart */
  size_t ld;
};

/* From g, n, p, q, width, w: how to cut the work, and the memory for it. shift is 0. */
mn_status mn_gram_prepare(mn_context *ctx, struct mn_gram_work *s);

/* s->sum = the upper triangle of the Gram matrix about s->shift. */
mn_status mn_gram_pass(mn_context *ctx, struct mn_gram_work *s);

#endif
