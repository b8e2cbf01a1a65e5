/* Sequential least squares for partial_fit: the QR factorization of all rows so far, updated by batches. */
#ifndef MN_LINEAR_QR_ACCUMULATOR_H
#define MN_LINEAR_QR_ACCUMULATOR_H
#include "../model/class.h"

/* The triangular factor R of [X y] about its means, so that R'R is the matrix of the normal equations. Updating R by QR
 * instead of summing R'R keeps twice as many digits: the solution is as accurate as that of QR of all rows at once.
 * Lawson & Hanson, Solving Least Squares Problems (1974), chapter 27. */
typedef struct mn_qr_accumulator {
  mn_vector total; /* 1: sum of the sample weights; a vector, so that archives of models fitted at once omit it */
  mn_vector mean;  /* features + targets              */
  mn_matrix r;     /* (features + targets) x the same */
} mn_qr_accumulator;

/* The fields of a class whose struct has the member `accumulator`. They are present only after partial_fit. */
#define MN_QR_ACCUMULATOR_FIELDS(type)                                                                                 \
  { .name = "stream_n", .kind = MN_KIND_VECTOR, .offset = offsetof(type, accumulator.total), .shape = "1?" },          \
      { .name = "stream_mean", .kind = MN_KIND_VECTOR, .offset = offsetof(type, accumulator.mean), .shape = "both?" }, \
  {                                                                                                                    \
    .name = "stream_triangle", .kind = MN_KIND_MATRIX, .offset = offsetof(type, accumulator.r),                        \
    .shape = "both? x both?"                                                                                           \
  }

/* Add a batch, dense or sparse. The difference between the means of the batch and of the rows before it adds one row to
 * the problem: Chan, Golub & LeVeque, The American Statistician 37 (1983). */
mn_status mn_qr_accumulator_add(mn_context *ctx, mn_qr_accumulator *s, const mn_data *data);

/* The least-squares problem of all rows so far, in the form that mn_tall_qr computes.
 *
 *   p, q      features, targets
 *   centered  about the means; otherwise about 0
 *   r, qty    p x p, p x q, out
 *   rss       q, out: residual sum of squares of each target at full rank
 *   tss       q, out: total sum of squares of each target, about its mean or about 0 */
mn_status mn_qr_accumulator_problem(mn_context *ctx, const mn_qr_accumulator *s, size_t p, size_t q, bool centered,
                                    double *r, double *qty, double *rss, double *tss);

/* Whether a loaded accumulator is empty or has the shape for p features and q targets. */
bool mn_qr_accumulator_is_valid(const mn_qr_accumulator *s, size_t p, size_t q);

#endif
