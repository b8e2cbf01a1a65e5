/* One pass over the rows of a Gram matrix: the interface between gram.c and gram_pass.c. */
#ifndef MN_LINALG_GRAM_PARTS_H
#define MN_LINALG_GRAM_PARTS_H
#include "../core/threads.h"
#include "gemm.h"

/* Columns 0 .. width-1 are those of X, then of Y, then a constant 1 if column sums are needed. */
struct mn_gram_work {
  const mn_gemm_kernel *g;
  size_t n, p, q, width, padded; /* padded: width rounded up to full panels */
  const double *x, *y, *w;
  size_t ldx, ldy, depth; /* depth: rows of a panel                                       */
  double *shift;          /* width                                                        */
  bool wide;        /* all threads share the packed rows and compute blocks of G; otherwise each takes chunks of rows */
  mn_blocks chunks; /* of rows: each with its own partial G, or, if wide, packed together */
  mn_blocks cols;   /* blocks of panels of G */
  double *partial;  /* padded x padded, for each chunk unless wide */
  double *packed;   /* for each worker; if wide, two chunks: the current and the next */
  size_t packed_size;
  double *weighted; /* for each worker, if there are weights */
  size_t weighted_size;
  double *sum; /* upper triangle of the result, rows ld apart */
  size_t ld;
};

/* Choose block sizes from g, n, p, q, width and w, and allocate the memory. Sets shift to 0. */
mn_status mn_gram_prepare(mn_context *ctx, struct mn_gram_work *s);

/* s->sum = the upper triangle of the Gram matrix about s->shift. */
mn_status mn_gram_pass(mn_context *ctx, struct mn_gram_work *s);

#endif
