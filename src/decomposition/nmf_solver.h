/* The iterations of non-negative matrix factorization (nmf.c). H is stored transposed, so that W and H are updated by
 * the same functions. The rows of both have `ld` values, a multiple of 8, of which those from k on are 0. */
#ifndef MN_DECOMPOSITION_NMF_SOLVER_H
#define MN_DECOMPOSITION_NMF_SOLVER_H
#include "../model/class.h"

/* A penalty on one factor: l1 |W|_1 + l2 |W|^2 / 2. */
typedef struct mn_nmf_penalty {
  double l1, l2;
} mn_nmf_penalty;

typedef struct mn_nmf_problem {
  size_t n, p, k, ld;
  const double *dense;  /* n x p; or NULL                               */
  const mn_csr *sparse; /* X, also a dense one that is mostly 0; or NULL */
  mn_csr compressed;
  double total, square; /* sums of the values of X, and of their squares */
  mn_nmf_penalty w_penalty, h_penalty;
  double *w, *ht;    /* n x ld, p x ld                                              */
  double *g, *c;     /* ld x ld; max(n, p) x ld                                     */
  double *fit;       /* of Kullback-Leibler: W H, n x p, or at the values of sparse */
  double *part;      /* parts x p x ld: of X'W if X is sparse                       */
  double *buffer;    /* workers x 16 ld                                             */
  double *violation; /* one for each block of rows                                  */
  size_t parts;
} mn_nmf_problem;

/* Sums of X, its form, and memory. n, p, k and penalties are set. */
mn_status mn_nmf_init(mn_context *ctx, mn_nmf_problem *s, const mn_data *data, bool divergence);

/* Minimize from the W and H given; the loss at the end. */
mn_status mn_nmf_fit_frobenius(mn_context *ctx, mn_nmf_problem *s, mn_report *report, int64_t max_iter, double tol,
                               double *loss);
mn_status mn_nmf_fit_kullback_leibler(mn_context *ctx, mn_nmf_problem *s, mn_report *report, int64_t max_iter,
                                      double tol, double *loss);

/* Iterations between two tests of the change of the divergence. */
enum { MN_NMF_CHECK_EVERY = 10 };

/* The minimum of (sum + l1) w + l2 w^2 / 2 - a log w, which bounds the divergence from above; without l2, the
 * multiplicative update a / (sum + l1). */
static inline double mn_nmf_minimize_bound(mn_nmf_penalty q, double sum, double a)
{
  const double b = sum + q.l1;
  return a > 0 ? 2 * a / (b + sqrt(b * b + 4 * q.l2 * a)) : 0;
}

#endif
